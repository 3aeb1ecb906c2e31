//! `rig`: writes a rig file from what a camera sees, without a text editor.

use std::{path::PathBuf, process::ExitCode, sync::Arc, time::Duration};

use clap::{ArgGroup, Args};

use super::{
    UserError, say,
    settings::{SettingsArgs, told},
};
use crate::{
    capture::{
        Next, Picture, Source,
        folder::Folder,
        live::Live,
        still,
        video::Video,
        webcam::{self, Wanted},
    },
    copy::{self, Status},
    geometry::Quad,
    rig::{CALIBRATION_BOARD, CameraInfo, Joined, Lying, Rig, Settings, Wish},
    vision::{self, Registered, Registrar},
};

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("source").required(true).multiple(false))]
pub(super) struct RigArgs {
    /// A camera: its identity (see `sightline cameras`), device or number.
    #[arg(long, value_name = "ID", group = "source")]
    camera: Option<String>,
    /// A video of the table.
    #[arg(long, value_name = "FILE", group = "source")]
    video: Option<PathBuf>,
    /// A folder of pictures that one camera took from one place.
    #[arg(long, value_name = "DIR", group = "source")]
    images: Option<PathBuf>,
    /// One picture.
    #[arg(long, value_name = "FILE", group = "source")]
    image: Option<PathBuf>,
    /// The copy whose displays and boards lie on the table.
    #[arg(long, value_name = "DIR")]
    copy: PathBuf,
    /// The camera's lens, as `sightline calibrate` or ROS writes it; estimated where left out.
    #[arg(long, value_name = "FILE")]
    lens: Option<PathBuf>,
    /// What the rig calls the camera; its own identity where left out.
    #[arg(long = "as", value_name = "CAMERA")]
    called: Option<String>,
    /// The rig file. Where it is there already, the camera is added to it, or made anew in it.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    settings: SettingsArgs,
}

/// Pictures that are looked at: what most of them show is taken.
const PICTURES: usize = 5;
/// So much of a recording lies between two of them.
const APART: Duration = Duration::from_millis(400);

pub(super) fn rig(args: &RigArgs) -> anyhow::Result<ExitCode> {
    let copy = super::load_copy(&args.copy)?;
    let mut rig = if args.out.is_file() {
        Rig::load(&args.out)?
    } else {
        Rig::default()
    };
    let lens = args.lens.as_deref().map(CameraInfo::load).transpose()?;
    let Looked {
        camera,
        pictures,
        settings,
    } = pictures(args, &rig, lens.as_ref())?;
    let id = args.called.clone().unwrap_or(camera);
    let Some(last) = pictures.last() else {
        return Err(UserError("no picture came: nothing was looked at".to_owned()).into());
    };
    let size_px = [last.width(), last.height()];
    let lens = match (&args.lens, lens) {
        (Some(path), Some(info)) if info.size_px != size_px => {
            let ([lw, lh], [w, h]) = (info.size_px, size_px);
            return Err(UserError(format!(
                "{}: the lens is for pictures of {lw}x{lh}, and these are {w}x{h}: take them at that size, or calibrate at this one",
                path.display()
            ))
            .into());
        }
        (_, Some(info)) => Some(info.lens),
        // made anew, it is the same camera: what was measured once is better than an estimate
        (_, None) => rig.measured_lens(&id, size_px),
    };
    // a camera with a lens or with settings has something to stand in the file for, whatever it sees
    let says_something = args.settings.says_something() || args.lens.is_some();
    // the calibration board ties cameras as any display does, and needs no copy
    let mut board: Option<(Quad, usize)> = None;
    for picture in &pictures {
        let found = vision::board_in(picture)?;
        if let Some((_, corners)) = found
            && board.is_none_or(|(_, most)| corners > most)
        {
            board = found;
        }
    }
    let registrar = Registrar::open(&vision::models_folder(), &copy.surfaces, 2)?;
    for error in registrar.unread() {
        complain!("sightline: {error}; it is left out");
    }
    if registrar.is_empty() && board.is_none() && !says_something {
        return Err(UserError(format!(
            "{}: no display or board of this copy has a reference picture: enrol them first",
            args.copy.display()
        ))
        .into());
    }
    let mut seen: Vec<Registered> = Vec::new();
    for picture in &pictures {
        let found = registrar.find(picture)?;
        // what lasts rests on what its print alone is sure of
        let sure = |r: &Registered| r.status == Status::Sure && r.grounds.is_none();
        for r in found.into_iter().filter(sure) {
            match seen.iter_mut().find(|s| s.surface == r.surface) {
                Some(s) if s.agreement * s.seen < r.agreement * r.seen => *s = r,
                Some(_) => {}
                None => seen.push(r),
            }
        }
    }
    // in the copy's order: the first one found is the frame's
    let mut lying: Vec<Lying> = copy
        .surfaces
        .iter()
        .filter_map(|s| {
            let r = seen.iter().find(|r| r.surface == s.id)?;
            Some(Lying {
                id: s.id.clone(),
                corners_px: r.corners,
                print: r.print.clone(),
                size_mm: s.size_mm,
                height_mm: s.thickness_mm,
            })
        })
        .collect();
    lying.extend(board.map(|(corners_px, _)| Lying {
        id: CALIBRATION_BOARD.to_owned(),
        corners_px,
        print: Arc::default(),
        size_mm: vision::BOARD_MM,
        height_mm: 0.0,
    }));
    if lying.is_empty() && !says_something {
        return Err(UserError(format!(
            "none of the {} displays and boards of the copy is seen, nor the calibration board: lay them where the camera sees them whole, in good light",
            copy.surfaces.len()
        ))
        .into());
    }
    let wish = rig.wish(&id);
    let wish = Wish {
        size_px: Some(size_px),
        settings: settings.unwrap_or(wish.settings),
        ..wish
    };
    let set_to = told(&wish.settings);
    let joined = rig.join(&id, wish, size_px, lens, &lying);
    let names: Vec<&str> = lying.iter().map(|l| l.id.as_str()).collect();
    match joined {
        Joined::Stands { error_px, tied_by } => {
            say(&format!("{id} sees {}", names.join(", ")))?;
            say(&format!(
                "their corners are {error_px:.2} pixels off the rig on average{}",
                match tied_by {
                    0 => format!(
                        "; the table's frame starts under the upper left corner of {}",
                        names.first().copied().unwrap_or_default()
                    ),
                    n => format!("; {n} of them tie it to the cameras before"),
                }
            ))?;
            if lens.is_none() {
                say("its lens was estimated; `sightline calibrate` and --lens make it exact")?;
            }
        }
        Joined::Apart if lying.is_empty() => say(&format!(
            "{id} sees no display or board of the copy, nor the calibration board: it is in the file without its place"
        ))
        .map(drop)?,
        Joined::Apart => say(&format!(
            "{id} sees {}, and no camera whose place is known has seen that: it is in the file with its lens, but without its place, so that a die on bare table counts twice where another camera sees it, too; lay a display, or the calibration board, where both see it, and run this again to tie it",
            names.join(", ")
        ))
        .map(drop)?,
        Joined::Stays => complain!(
            "sightline: {id} sees nothing now that the other cameras of {} saw: its place and its lens stay as they were; lay a display, or the calibration board, where both see it, and run this again where it was moved",
            args.out.display()
        ),
        Joined::Unclear => {
            return Err(UserError(format!(
                "what {id} sees of {} does not tell how it stands: let it see them whole, and not from the table's height",
                names.join(", ")
            ))
            .into());
        }
    }
    if let Some(set_to) = set_to {
        say(&format!("it is set to {set_to} whenever it is opened"))?;
    }
    copy::write(&args.out, rig.to_toml())?;
    say(&format!("{}: written", args.out.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// What a camera showed.
struct Looked {
    /// Its identity.
    camera: String,
    pictures: Vec<Picture>,
    /// What it is set to; as the rig says, of a recording.
    settings: Option<Settings>,
}

fn pictures(args: &RigArgs, rig: &Rig, lens: Option<&CameraInfo>) -> anyhow::Result<Looked> {
    if let Some(path) = &args.image {
        let (picture, note) = still::load(path)?;
        if let Some(note) = note {
            complain!("sightline: {note}");
        }
        return Ok(Looked {
            camera: path.display().to_string(),
            pictures: vec![picture],
            settings: None,
        });
    }
    let mut settings = None;
    let mut source: Box<dyn Source> = if let Some(spec) = &args.camera {
        let camera = webcam::find(spec)?.id;
        // as it will be opened in play
        let wish = rig.wish(args.called.as_ref().unwrap_or(&camera.0));
        let opened = args.settings.before(&camera, &wish.settings)?;
        let wanted = Wanted::from(Wish {
            size_px: lens.map(|l| l.size_px).or(wish.size_px),
            settings: opened,
            ..wish
        });
        let mut live = Live::open(spec, &wanted)?;
        settings = Some(args.settings.settled(&mut live, opened)?);
        Box::new(live)
    } else if let Some(file) = &args.video {
        Box::new(Video::open(file)?)
    } else if let Some(dir) = &args.images {
        Box::new(Folder::open(dir, 1.0)?)
    } else {
        return Err(
            UserError("name a source: --camera, --video, --images or --image".to_owned()).into(),
        );
    };
    let mut out: Vec<Picture> = Vec::new();
    let mut next = Duration::ZERO;
    while out.len() < PICTURES {
        match source.next()? {
            Next::Frame(frame) if frame.at >= next => {
                next = frame.at + APART;
                let other = out.first().is_some_and(|p| {
                    (p.width(), p.height()) != (frame.picture.width(), frame.picture.height())
                });
                if other {
                    complain!(
                        "sightline: a picture has another size than those before; it is left out"
                    );
                } else {
                    out.push(frame.picture);
                }
            }
            Next::Frame(_) | Next::Event(_) | Next::Pending => {}
            Next::Skipped(error) => complain!("sightline: {error}"),
            Next::End => break,
        }
    }
    for note in source.take_notes() {
        complain!("sightline: {note}");
    }
    Ok(Looked {
        camera: source.camera().0.clone(),
        pictures: out,
        settings,
    })
}
