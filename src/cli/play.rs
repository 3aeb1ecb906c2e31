//! `demo`, `watch` and `run`: the whole line on a recording or a camera.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use clap::{ArgGroup, Args};

use super::{Said, UserError, say};
use crate::{
    capture::{
        Source, SourceEvent,
        folder::Folder,
        live::Live,
        paced::Paced,
        several::Several,
        video::Video,
        webcam::{self, Wanted},
    },
    copy::{in_words, read_text},
    rig::Rig,
    session::{Declaration, Line, LiveState, Player, Rate, SourceNews, SpokenCall, Step, View},
    vision,
};

#[derive(Debug, Args)]
pub(super) struct DemoArgs {
    /// No window: one JSON object a line.
    #[arg(long)]
    headless: bool,
    /// Watch pip dice of your own through this camera in place of the clip (see `sightline cameras`).
    #[arg(long, value_name = "ID")]
    camera: Option<String>,
    /// A clip of pip dice in place of the match: Dice Duel's energy dice alone.
    #[arg(long, conflicts_with = "camera")]
    pips: bool,
    /// Show the window's state at `http://ADDR/` for OBS and others.
    #[cfg(feature = "stream")]
    #[arg(long, value_name = "ADDR", value_parser = address)]
    serve: Option<std::net::SocketAddr>,
}

/// Reads `HOST:PORT`, where the host may be a name of this machine's.
#[cfg(feature = "stream")]
fn address(text: &str) -> Result<std::net::SocketAddr, String> {
    use std::net::ToSocketAddrs;
    text.to_socket_addrs()
        .ok()
        .and_then(|mut found| found.next())
        .ok_or_else(|| {
            "name an address of this machine and a port, as in localhost:8080".to_owned()
        })
}

/// Where the frames come from.
#[derive(Debug, Clone, Args)]
#[command(group = ArgGroup::new("source").required(true).multiple(false))]
struct Input {
    /// A camera: its identity (see `sightline cameras`), device or number. Given more than once, all look at the one table.
    #[arg(long, value_name = "ID", group = "source")]
    camera: Vec<String>,
    /// A video file. Given more than once, they were taken of one table at one time by several cameras: --as says by which.
    #[arg(long, value_name = "FILE", group = "source")]
    video: Vec<PathBuf>,
    /// A folder of pictures; --fps says how fast. Given more than once, as of videos.
    #[arg(long, value_name = "DIR", group = "source", requires = "fps")]
    images: Vec<PathBuf>,
    /// Pictures a second, for a folder, which needs it: above 0, at most 1000.
    #[arg(long)]
    fps: Option<f64>,
}

#[derive(Debug, Clone, Args)]
struct Common {
    #[command(flatten)]
    input: Input,
    /// The copy whose dice they are: a folder with a copy.toml.
    #[arg(long, value_name = "DIR")]
    copy: PathBuf,
    /// The camera set-up.
    #[arg(long, value_name = "FILE")]
    rig: Option<PathBuf>,
    /// Which of the rig's cameras took a recording, where it has several: its identity or name; one for each recording.
    #[arg(long = "as", value_name = "CAMERA", requires = "rig")]
    taken_by: Vec<String>,
    /// Where the ONNX models are.
    #[arg(long, value_name = "DIR")]
    models: Option<PathBuf>,
    /// What was called out in a recording: one JSON object a line, a declaration (see `sightline schema declaration`)
    /// and when, as `at_s`, seconds on the recording's clock.
    #[arg(long, value_name = "FILE", conflicts_with = "camera")]
    declare: Option<PathBuf>,
    /// Threads for the models.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: u16,
    /// Show the state at `http://ADDR/` for OBS and others.
    #[cfg(feature = "stream")]
    #[arg(long, value_name = "ADDR", value_parser = address)]
    serve: Option<std::net::SocketAddr>,
}

#[derive(Debug, Args)]
pub(super) struct WatchArgs {
    #[command(flatten)]
    common: Common,
    /// `demo` has it, and so it is tried here; what it means has a command of its own.
    #[arg(long, hide = true)]
    headless: bool,
}

#[derive(Debug, Args)]
pub(super) struct RunArgs {
    #[command(flatten)]
    common: Common,
    /// One JSON object a line (this is the only form there is).
    #[arg(long)]
    json: bool,
    /// A recording as a camera would show it: each picture when it is due, and one that comes too late is passed over. What is
    /// said depends on the machine then.
    #[arg(long, conflicts_with = "camera")]
    paced: bool,
}

/// Opens a camera as the rig wants it.
fn live(id: &str, rig: &Rig) -> anyhow::Result<Box<dyn Source>> {
    let wish = rig.wish(&webcam::find(id)?.id.0);
    Ok(Box::new(Live::open(id, &Wanted::from(wish))?))
}

/// Every source that is named; there is at least one.
fn open_each(input: &Input, rig: &Rig) -> anyhow::Result<Vec<Box<dyn Source>>> {
    let mut out: Vec<Box<dyn Source>> = Vec::new();
    // one camera that is not there stops no other
    let mut absent = Vec::new();
    for id in &input.camera {
        match live(id, rig) {
            Ok(source) => out.push(source),
            Err(error) => absent.push(error),
        }
    }
    let none = if out.is_empty() { absent.pop() } else { None };
    for error in absent {
        complain!("sightline: {error:#}");
    }
    if let Some(error) = none {
        return Err(error);
    }
    for file in &input.video {
        out.push(Box::new(Video::open(file)?));
    }
    for dir in &input.images {
        let fps = input.fps.unwrap_or_default();
        if !(fps > 0.0 && fps <= 1000.0) {
            return Err(UserError(format!(
                "--fps {fps}: give a number of pictures a second above 0 and at most 1000"
            ))
            .into());
        }
        out.push(Box::new(Folder::open(dir, fps)?));
    }
    if out.is_empty() {
        return Err(UserError("name a source: --camera, --video or --images".to_owned()).into());
    }
    Ok(out)
}

/// The one source, or all of them as one.
fn open(
    input: &Input,
    taken_by: &[String],
    rig: &Rig,
    paced: bool,
) -> anyhow::Result<Box<dyn Source>> {
    let mut all = open_each(input, rig)?;
    if paced {
        let each = all.into_iter();
        let each = each.map(|one| Ok(Box::new(Paced::new(one)?) as Box<dyn Source>));
        all = each.collect::<std::io::Result<_>>()?;
    }
    if all.len() == 1
        && let Some(one) = all.pop()
    {
        if taken_by.len() > 1 {
            return Err(UserError("--as: one recording was taken by one camera".to_owned()).into());
        }
        return Ok(one);
    }
    let n = all.len();
    if !input.camera.is_empty() && !taken_by.is_empty() {
        return Err(UserError(
            "--as: live cameras have names of their own; it is for recordings".to_owned(),
        )
        .into());
    }
    let mut names: Vec<String> = match taken_by {
        [] => all.iter().map(|s| s.camera().0.clone()).collect(),
        said => said.to_vec(),
    };
    names.sort();
    if let Some([same, _]) = names.windows(2).find(|w| w[0] == w[1]) {
        return Err(UserError(format!("{same} is named twice: one camera looks once")).into());
    }
    if input.camera.is_empty() && taken_by.len() != n {
        return Err(UserError(format!(
            "{n} recordings of one table: say with --rig how their cameras stand, and with --as once for each which of them took it, in the same order ({} given)",
            taken_by.len()
        ))
        .into());
    }
    let names = taken_by.iter().cloned().map(Some);
    let names = names.chain(std::iter::repeat(None));
    let together = Several::new(all.into_iter().zip(names).collect());
    Ok(Box::new(together.ok_or_else(|| {
        UserError("cameras and recordings do not go together".to_owned())
    })?))
}

fn player(
    source: Box<dyn Source>,
    copy: &Path,
    rig: Rig,
    models: &Path,
    threads: usize,
) -> anyhow::Result<Player> {
    let copy = super::load_copy(copy)?;
    let eye = super::open_eye(models, &copy, threads)?;
    let mut others = Vec::new();
    for _ in 1..source.cameras() {
        // what is odd in the copy was said of the first one
        others.push(vision::Eye::open(models, &copy, threads)?);
    }
    let session = super::open_session(copy, rig)?;
    Ok(Player::with_eyes(source, eye, others, session))
}

/// Whether a rig file that is not there is an error, or will be written when somebody draws something into it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RigFile {
    IsThere,
    #[cfg(feature = "app")]
    MayBeNew,
}

fn common_player(common: &Common, file: RigFile, paced: bool) -> anyhow::Result<Player> {
    let rig = match common.rig.as_deref() {
        None => Rig::default(),
        Some(path) if file == RigFile::IsThere || path.exists() => Rig::load(path)?,
        Some(path) => {
            complain!(
                "sightline: {}: is not there yet; it is written when something is drawn in the window",
                path.display()
            );
            Rig::default()
        }
    };
    common_player_with(common, rig, paced)
}

fn common_player_with(common: &Common, rig: Rig, paced: bool) -> anyhow::Result<Player> {
    let models = common.models.clone().unwrap_or_else(vision::models_folder);
    let player = player(
        open(&common.input, &common.taken_by, &rig, paced)?,
        &common.copy,
        rig,
        &models,
        common.threads.into(),
    )?;
    let script = common.declare.as_deref().map(script).transpose()?;
    Ok(player
        .taken_by(common.taken_by.first().cloned())
        .declared_in(script.unwrap_or_default()))
}

/// What was called out in a recording.
fn script(path: &Path) -> anyhow::Result<Vec<(Duration, Declaration)>> {
    let wrong = |why: String| UserError(format!("{}: {why}", path.display()));
    let text = read_text(path).map_err(|e| wrong(in_words(&e)))?;
    let mut out = Vec::new();
    for (n, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let said = declared(line).map_err(|why| wrong(format!("line {}: {why}", n + 1)))?;
        out.push(said);
    }
    Ok(out)
}

/// A declaration with its time.
fn declared(line: &str) -> Result<(Duration, Declaration), String> {
    let mut said: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(line).map_err(|e| e.to_string())?;
    let at = said.remove("at_s").and_then(|at| at.as_f64());
    let at = at.and_then(|s| Duration::try_from_secs_f64(s).ok());
    let at = at.ok_or("at_s should say when, in seconds from the recording's start")?;
    let said = serde_json::from_value(said.into()).map_err(|e| e.to_string())?;
    Ok((at, said))
}

/// The source tree's own folder `calibration`, beside the models.
fn bundled(name: &str) -> PathBuf {
    vision::models_folder().join("../calibration").join(name)
}

/// What the demo shows.
enum Show {
    Match,
    Pips,
    /// Pip dice of the user's own.
    Camera(String),
}

fn demo_player(what: &Show) -> anyhow::Result<Player> {
    let rig = match what {
        Show::Match => Rig::load(&bundled("demo/match.rig.toml"))?,
        Show::Pips | Show::Camera(_) => Rig::default(),
    };
    demo_player_with(what, rig)
}

fn demo_player_with(what: &Show, rig: Rig) -> anyhow::Result<Player> {
    let clip = |name: &str| Video::open(&bundled(&format!("demo/{name}.mp4")));
    let (source, copy): (Box<dyn Source>, _) = match what {
        Show::Match => (Box::new(clip("match")?), "practice"),
        Show::Pips => (Box::new(clip("energy")?), "plain-dice"),
        Show::Camera(id) => (Box::new(Live::open(id, &Wanted::default())?), "plain-dice"),
    };
    let player = player(
        source,
        &bundled(&format!("copies/{copy}")),
        rig,
        &vision::models_folder(),
        2,
    )?;
    Ok(match what {
        Show::Match => player.declared_in(script(&bundled("demo/match.declare.jsonl"))?),
        Show::Pips | Show::Camera(_) => player,
    })
}

pub(super) fn demo(args: &DemoArgs) -> anyhow::Result<ExitCode> {
    let cameras = webcam::list().unwrap_or_default();
    let what = match &args.camera {
        Some(id) => Show::Camera(id.clone()),
        None if args.pips => Show::Pips,
        None => Show::Match,
    };
    if args.camera.is_none()
        && let Some(camera) = cameras.first()
    {
        complain!(
            "A camera is plugged in ({}): ./run demo --camera '{}' watches your own dice.",
            camera.name,
            camera.id.0
        );
    }
    let player = demo_player(&what)?;
    #[cfg(feature = "stream")]
    let listeners = args.serve.map(crate::broadcast::serve).transpose()?;
    #[cfg(feature = "app")]
    if !args.headless {
        let offers = cameras
            .into_iter()
            .map(|c| (c.name.clone(), c.id.0))
            .collect();
        return show(
            player,
            Box::new(move |rig| demo_player_with(&what, rig)),
            offers,
            None,
            #[cfg(feature = "stream")]
            listeners,
        );
    }
    lines(
        player,
        #[cfg(feature = "stream")]
        listeners,
    )
}

#[cfg(feature = "app")]
pub(super) fn watch(args: &WatchArgs) -> anyhow::Result<ExitCode> {
    if args.headless {
        return Err(UserError(
            "--headless: `watch` is the window; `sightline run`, with the same options, is the same without one"
                .to_owned(),
        )
        .into());
    }
    let player = common_player(&args.common, RigFile::MayBeNew, false)?;
    #[cfg(feature = "stream")]
    let listeners = args.common.serve.map(crate::broadcast::serve).transpose()?;
    let common = args.common.clone();
    show(
        player,
        Box::new(move |rig| common_player_with(&common, rig, false)),
        Vec::new(),
        args.common.rig.clone(),
        #[cfg(feature = "stream")]
        listeners,
    )
}

pub(super) fn run(args: &RunArgs) -> anyhow::Result<ExitCode> {
    let _ = args.json;
    let player = common_player(&args.common, RigFile::IsThere, args.paced)?;
    #[cfg(feature = "stream")]
    let listeners = args.common.serve.map(crate::broadcast::serve).transpose()?;
    lines(
        player,
        #[cfg(feature = "stream")]
        listeners,
    )
}

/// Opens anew what the window was started with, with what was drawn in it meanwhile.
#[cfg(feature = "app")]
type Again = Box<dyn Fn(Rig) -> anyhow::Result<Player> + Send>;

#[cfg(feature = "app")]
fn show(
    player: Player,
    again: Again,
    offers: Vec<(String, String)>,
    rig: Option<PathBuf>,
    #[cfg(feature = "stream")] listeners: Option<crate::broadcast::Listeners>,
) -> anyhow::Result<ExitCode> {
    let open: crate::overlay::Opener = Box::new(move |id: Option<&str>, rig: &Rig| {
        let player = match id {
            Some(id) => demo_player(&Show::Camera(id.to_owned())),
            None => again(rig.clone()),
        };
        player.map_err(|why| why.to_string())
    });
    #[cfg(feature = "stream")]
    let web = listeners.clone();
    let said: crate::overlay::Sayer = Box::new(move || {
        #[cfg(feature = "stream")]
        return web
            .iter()
            .flat_map(crate::broadcast::Listeners::heard)
            .collect();
        #[cfg(not(feature = "stream"))]
        Vec::new()
    });
    let hear: crate::overlay::Hearer = Box::new(move |view: &View| {
        #[cfg(feature = "stream")]
        if let Some(l) = &listeners {
            l.tell(&LiveState::from(view));
        }
        let _ = view;
    });
    let keep: crate::overlay::Keeper = Box::new(move |changed: &Rig| {
        if let Some(file) = &rig {
            crate::copy::write(file, changed.to_toml())?;
        }
        Ok(rig.clone())
    });
    let around = crate::overlay::Around {
        offers,
        open,
        hear,
        said,
        keep,
    };
    crate::overlay::show(player, around)
        .map_err(|why| UserError(why).into())
        .map(|()| ExitCode::SUCCESS)
}

/// How often a live camera's rate is said.
const RATE_EVERY: Duration = Duration::from_secs(5);

/// JSON lines until the recording ends, nobody listens, or Ctrl-C.
fn lines(
    mut player: Player,
    #[cfg(feature = "stream")] listeners: Option<crate::broadcast::Listeners>,
) -> anyhow::Result<ExitCode> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed))?;
    let live = player.is_live();
    let mut announced: Vec<Announced> = Vec::new();
    let mut at_s = 0.0;
    let mut heard = Instant::now();
    let mut skipped = false;
    let (mut rate_since, mut seen) = (Instant::now(), 0_u32);
    while !stop.load(Ordering::Relaxed) {
        #[cfg(feature = "stream")]
        for said in listeners
            .iter()
            .flat_map(crate::broadcast::Listeners::heard)
        {
            player.declare(&said);
        }
        let step = player.step()?;
        for note in player.take_notes() {
            complain!("sightline: {note}");
        }
        let said = match step {
            Step::View(view) => {
                at_s = view.at.as_secs_f64();
                heard = Instant::now();
                #[cfg(feature = "stream")]
                if let Some(l) = &listeners {
                    l.tell(&LiveState::from(view.as_ref()));
                }
                let said = tell(&view, &mut announced)?;
                if let Some(age) = view.age
                    && said == Said::Heard
                    && rate_since.elapsed() >= RATE_EVERY
                {
                    let rate = Rate {
                        frames_per_second: (f64::from(seen + 1)
                            / rate_since.elapsed().as_secs_f64()
                            * 10.0)
                            .round()
                            / 10.0,
                        frame_age_ms: age.as_millis() as u64,
                        seeing_ms: view.seeing.as_millis() as u64,
                    };
                    (rate_since, seen) = (Instant::now(), 0);
                    say_line(&Line::Rate {
                        at_s: rounded_s(at_s),
                        rate,
                    })?
                } else {
                    seen += 1;
                    said
                }
            }
            Step::Source(event) => {
                let now_s = if live {
                    at_s + heard.elapsed().as_secs_f64()
                } else {
                    at_s
                };
                say_line(&Line::Source {
                    at_s: rounded_s(now_s),
                    camera: player.several().then(|| player.camera().0.clone()),
                    news: source_news(&event),
                })?
            }
            Step::Skipped(error) => {
                skipped = true;
                complain!("sightline: {error}");
                Said::Heard
            }
            Step::Pending => Said::Heard,
            Step::End => break,
        };
        if said == Said::NobodyListens {
            break;
        }
    }
    Ok(ExitCode::from(if skipped && !live { 2 } else { 0 }))
}

fn source_news(event: &SourceEvent) -> SourceNews {
    match event {
        SourceEvent::Opened(f) => SourceNews::Opened {
            size: [f.width, f.height],
            fourcc: f.fourcc.to_string(),
            frames_per_second: f.frames_per_second,
        },
        SourceEvent::Lost { why } => SourceNews::Lost {
            why: why.to_string(),
        },
        SourceEvent::Stalled { silent, why } => SourceNews::Stalled {
            silent_s: silent.as_secs_f64(),
            why: why.clone(),
        },
    }
}

fn say_line(line: &Line) -> anyhow::Result<Said> {
    say(&serde_json::to_string(line)?)
}

/// To the millisecond.
fn rounded_s(at_s: f64) -> f64 {
    (at_s * 1000.0).round() / 1000.0
}

/// A call that was announced: what was said, and of which dice.
type Announced = (String, Vec<u64>);

/// Lines for calls that no longer hold.
fn taken_back(mut calls: Vec<Announced>, at_s: f64) -> impl Iterator<Item = Line> {
    calls.sort();
    calls
        .into_iter()
        .map(move |(text, dice)| Line::Over { at_s, text, dice })
}

/// One line for each event, for each call that was not there before, and for each that no longer is.
fn tell(view: &View, announced: &mut Vec<Announced>) -> anyhow::Result<Said> {
    let at_s = rounded_s(view.at.as_secs_f64());
    let mut lines: Vec<Line> = Vec::new();
    for event in &view.events {
        let mut event = event.clone();
        event.at_s = at_s;
        lines.push(Line::Event(event));
    }
    for event in &view.surface_events {
        lines.push(Line::Surface {
            at_s,
            camera: view.one_of_several().map(str::to_owned),
            event: event.clone(),
        });
    }
    for happening in &view.happenings {
        let mut happening = happening.clone();
        happening.at_s = rounded_s(happening.at_s);
        lines.push(Line::Game(happening));
    }
    let mut before = std::mem::take(announced);
    let mut new = Vec::new();
    for call in &view.judged.calls {
        let spoken = SpokenCall::from(call);
        let said = (spoken.text.clone(), spoken.dice.clone());
        match before.iter().position(|b| *b == said) {
            Some(still) => drop(before.swap_remove(still)),
            None => new.push(Line::Call {
                at_s,
                spoken,
                frame_age_ms: view.age.map(|age| age.as_millis() as u64),
            }),
        }
        announced.push(said);
    }
    lines.extend(taken_back(before, at_s));
    lines.extend(new);
    for line in &lines {
        if say_line(line)? == Said::NobodyListens {
            return Ok(Said::NobodyListens);
        }
    }
    Ok(Said::Heard)
}
