//! `enrol`: photographs of somebody's copy become a copy.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Args;

#[cfg(feature = "camera")]
use super::photograph;
use super::{
    UserError,
    album::Album,
    drafting::Drafting,
    owner::{self, Told},
    owner_words,
    pictures::Promised,
    say,
};
#[cfg(feature = "camera")]
use crate::capture::{Source, live::Live, webcam};
#[cfg(feature = "app")]
use crate::overlay;
#[cfg(feature = "camera")]
use crate::session::Sitting;
use crate::{
    copy::{self, BOARD, Copy, CopyError, Draft, FileError, Note, Owner, Photographs},
    rig::Rig,
    session::{Session, asked_for},
    vision::{self, Odd},
};

#[derive(Debug, Args)]
pub(super) struct EnrolArgs {
    /// A folder with `owner.json` and the photographs in `enrol/`.
    #[arg(long, value_name = "DIR")]
    from: PathBuf,
    /// Take the photographs that are still missing with this camera (see `sightline cameras`), one after the
    /// other, and put them into the folder.
    #[cfg(feature = "camera")]
    #[arg(long, value_name = "ID")]
    camera: Option<String>,
    /// Ask for them by words on the terminal, without a window.
    #[cfg(feature = "camera")]
    #[arg(long, requires = "camera")]
    #[cfg_attr(not(feature = "app"), allow(dead_code))] // words are all there is then
    typed: bool,
    /// The folder to write the copy to.
    #[arg(long, value_name = "DIR", visible_alias = "out")]
    copy: PathBuf,
    /// Where the ONNX models are.
    #[arg(long, value_name = "DIR")]
    models: Option<PathBuf>,
    /// Threads for the models.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: u16,
}

/// More pairs of too-like faces than this are only counted.
const ALIKE_SAID: usize = 6;

/// More photographs that nothing asks for than this are said in one line.
const UNASKED_SAID: usize = 3;

pub(super) fn enrol(args: &EnrolArgs) -> anyhow::Result<ExitCode> {
    if args.copy.exists() && !args.copy.is_dir() {
        let copy = args.copy.display();
        return Err(UserError(format!("{copy}: is a file: name a folder for the copy")).into());
    }
    let told = owner::load(&args.from.join("owner.json"))?;
    let owner = &told.owner;
    let said = rehearse(&told, &args.from)?;
    for odd in told.odd().iter().chain(&said) {
        complain!("sightline: {odd}");
    }
    if let Some(zones) = undrawn(owner) {
        complain!(
            "sightline: {}: no outline of {zones}: what lies there is in no zone; sightline owner --from {} draws them, or says that this copy has none",
            args.from.join("owner.json").display(),
            args.from.display()
        );
    }
    // that the folder is missing is said by who opens it
    for other in Photographs::of_other_kinds(&copy::photographs_of(&args.from)).unwrap_or_default()
    {
        complain!(
            "sightline: {}: only JPEG and PNG are read: save it as one of these",
            other.display()
        );
    }
    let asked = asked_for(owner);
    // other pictures may lie beside owner.json
    let beside = Photographs::list(&args.from).unwrap_or_default();
    let beside = beside.serving(&asked);
    let there = Photographs::list(&copy::photographs_of(&args.from)).unwrap_or_default();
    let there = there.serving(&asked);
    let lacks = |name: &&String| asked.contains(*name) && there.get(name).is_none();
    let too_high = beside.names().filter(lacks);
    match too_high.count() {
        0 => {}
        n => complain!(
            "sightline: {}: photographs are looked for in {}: of those that lie beside owner.json {n} would serve there, move them",
            args.from.display(),
            copy::photographs_of(&args.from).display()
        ),
    }
    let models = args.models.clone().unwrap_or_else(vision::models_folder);
    #[cfg(feature = "camera")]
    if let Some(id) = &args.camera {
        sit(id, owner, args, &models)?;
    }
    let mut album = Album::open(&args.from, &asked, &models, args.threads.into())?;
    let draft = Drafting {
        owner,
        bar: indicatif::ProgressBar::new(album.names.names().count() as u64),
        pictures: &mut album,
    }
    .draft(named_after(&args.from))?;
    complain_of_unasked(album.names.names());
    let notes = try_out(&draft, &album.files, &told)?;
    for note in notes.difference(&said) {
        complain!("sightline: {note}");
    }
    if let Some(before) = draft.write(&args.copy, &album.files)? {
        complain!(
            "sightline: {}: the copy.toml that was there says something else than the new one: if anybody had written into it, that is here",
            before.display()
        );
    }
    let written = copy::load(&args.copy)?;
    let odd = complain_of_likes(&mut album, &written)?;
    album.doubtful.extend(odd);
    album.doubtful.sort();
    album.doubtful.dedup();
    let faces: usize = draft.dice.iter().map(|d| d.faces.len()).sum();
    let surfaces = draft.displays.len() + draft.boards.len();
    let flat = draft
        .displays
        .iter()
        .chain(&draft.boards)
        .filter(|s| s.reference.is_some())
        .count();
    say(&format!(
        "{}: {} kinds of dice with {faces} faces, {flat} of {surfaces} displays and boards, {} miniatures, {} tokens; look at check/ to see what was taken",
        args.copy.display(),
        draft.dice.len(),
        draft.miniatures.len(),
        draft.tokens.len()
    ))?;
    if !album.doubtful.is_empty() {
        say(&format!(
            "used, though they may show another thing than their names say (above): {}",
            album.doubtful.join(", ")
        ))?;
    }
    if !album.poor.is_empty() {
        say(&format!(
            "used, and better taken anew (above): {}",
            album.poor.join(", ")
        ))?;
    }
    if !album.missing.is_empty() {
        say(&format!("still missing: {}", album.missing.join(", ")))?;
    }
    Ok(ExitCode::from(if album.missing.is_empty() { 0 } else { 2 }))
}

/// Takes the photographs that are missing.
#[cfg(feature = "camera")]
fn sit(camera: &str, owner: &Owner, args: &EnrolArgs, models: &Path) -> anyhow::Result<()> {
    let folder = copy::photographs_of(&args.from);
    let mut sitting = Sitting::begin(owner, &folder)
        .map_err(|e| UserError(format!("{}: {}", folder.display(), copy::in_words(&e))))?;
    if owner.tokens.is_empty() && !owner.absent.contains(copy::TOKENS) {
        complain!(
            "sightline: owner.json lists no tokens: none is asked for; mines, tokens and crystals are known only with their photographs"
        );
    }
    if sitting.now().is_none() {
        say("all photographs are there: none is to be taken")?;
        return Ok(());
    }
    let mut enroller = vision::Enroller::open(models, args.threads.into())?;
    let mut source: Box<dyn Source> = Box::new(Live::open(camera, &webcam::Wanted::default())?);
    #[cfg(feature = "app")]
    if !args.typed {
        match overlay::photograph(sitting, enroller, source) {
            Ok(()) => return Ok(()),
            Err(none) => {
                complain!("sightline: {}", none.why);
                (sitting, enroller, source) = none.given;
            }
        }
    }
    let words = photograph::typed()?;
    photograph::take(&mut sitting, &mut enroller, &mut *source, &words)
}

/// Makes the copy of photographs that are only promised: what is wrong with the owner's words, or odd about them, is said before
/// anybody takes or looks at a photograph.
fn rehearse(told: &Told, from: &Path) -> anyhow::Result<BTreeSet<String>> {
    let owner = &told.owner;
    let there = Photographs::list(&copy::photographs_of(from));
    // that the folder is missing is said by who opens it
    let there = there.unwrap_or_default().serving(&asked_for(owner));
    let mut promised = Promised::of(owner, &there)?;
    let draft = Drafting {
        owner,
        bar: indicatif::ProgressBar::hidden(),
        pictures: &mut promised,
    }
    .draft(named_after(from))?;
    try_out(&draft, &promised.files, told)
}

/// The zones that nobody has drawn, for a sentence; `None` where there are no such.
fn undrawn(owner: &Owner) -> Option<String> {
    let board = owner.board.iter().map(|_| BOARD);
    let surfaces = owner.displays.keys().map(String::as_str).chain(board);
    let said = surfaces.filter_map(|surface| {
        let zones = owner.undrawn(surface);
        let all = zones.len() == owner.zones_wanted(surface).len();
        match zones.is_empty() {
            true => None,
            false if all => Some(format!("any zone of {surface}")),
            false => Some(format!("{} of {surface}", zones.join(", "))),
        }
    });
    let said: Vec<String> = said.collect();
    (!said.is_empty()).then(|| said.join("; "))
}

/// Says which photographs nothing asks for: many of them, as where a kind is called otherwise since, in one line.
fn complain_of_unasked<'a>(names: impl Iterator<Item = &'a String>) {
    let names: Vec<&str> = names.map(String::as_str).collect();
    if names.len() > UNASKED_SAID {
        complain!(
            "sightline: {} photographs that nothing in owner.json asks for are left out: {}; names follow kinds and symbols, teams, displays and tokens",
            names.len(),
            names.join(", ")
        );
        return;
    }
    for name in names {
        complain!(
            "sightline: {name}: nothing in owner.json asks for this photograph; it is left out"
        );
    }
}

/// What the copy is called: as the folder with its photographs is.
fn named_after(folder: &Path) -> String {
    let whole = folder.canonicalize().ok();
    let name = whole.and_then(|p| p.file_name().map(|n| n.to_string_lossy().into_owned()));
    name.unwrap_or_else(|| "copy".to_owned())
}

/// Says which faces, and which surfaces, cannot be told apart. Returns the photographs that seem to be of another thing, or one
/// of which is.
fn complain_of_likes(album: &mut Album, written: &Copy) -> anyhow::Result<Vec<String>> {
    let alike = album.enroller.keep(written)?;
    let mut wrong = Vec::new();
    for m in album.enroller.misnamed() {
        let file = m.file.file_stem().unwrap_or_default().to_string_lossy();
        if let Some((_, n)) = file.rsplit_once('-') {
            wrong.push(format!("die_{}_{}_{n}", m.kind, m.said));
        }
        complain!(
            "sightline: {}, said to show {} {}, is more like the pictures of {} {} than like the others of its own face: see whether the photograph is of that one",
            m.file.display(),
            m.kind,
            m.said,
            m.kind,
            m.like
        );
    }
    for [x, y] in &alike.pieces {
        complain!(
            "sightline: the tokens {x} and {y} show the same: see whether one of the photographs is of the other; if they do look the same, neither will be sure"
        );
    }
    let alike = alike.faces;
    for a in alike.iter().take(ALIKE_SAID) {
        let [x, y] = &a.faces;
        let percent = a.likeness * 100.0;
        match a.turned {
            None => complain!(
                "sightline: {x} and {y} are too alike ({percent:.0} %): they will hardly be sure until better pictures tell them apart"
            ),
            Some(turns) => complain!(
                "sightline: {x} and {y} differ only by a turn of {} degrees ({percent:.0} % alike): they will hardly be sure until a mark on one of them tells which way is up",
                90 * turns
            ),
        }
    }
    if alike.len() > ALIKE_SAID {
        complain!(
            "sightline: and {} more pairs of faces are too alike",
            alike.len() - ALIKE_SAID
        );
    }
    for id in vision::plain(&written.surfaces)? {
        complain!(
            "sightline: {}: next to nothing is printed on it: it is found by its outline at best, or where its corners are clicked",
            photograph_of(&id)
        );
    }
    for (x, odd) in vision::odd_layouts(written)? {
        let x = photograph_of(&x);
        let why = match odd {
            Odd::Turned(y) => {
                wrong.push(photograph_of(&y));
                format!(
                    "is laid out as {} is, upside down: photograph the one of them that is wrong again, its upper edge up",
                    photograph_of(&y)
                )
            }
            Odd::Another { same, like } => format!(
                "is laid out as {} is, and not as {}, which is of its own station: see whether one of the three is of another station",
                photograph_of(&like),
                photograph_of(&same)
            ),
            Odd::Unlike(y) => {
                wrong.push(photograph_of(&y));
                format!(
                    "is not laid out as {} is, and the displays of other stations are alike: see whether one of the two is of another thing",
                    photograph_of(&y)
                )
            }
            Odd::ZonesTurned => "what owner.json says of it would lie on what is printed if it were upside down: photograph it again, its upper edge up, or measure from its upper left corner".to_owned(),
            Odd::ZonesOf(y) => format!(
                "the zones do not lie on what is printed, and those of {y} do: see whether it shows that one, or the two were exchanged"
            ),
            Odd::Display(y) => format!(
                "is laid out as {} is: see whether it shows the board",
                photograph_of(&y)
            ),
        };
        complain!("sightline: {x}: {why}");
        wrong.push(x);
    }
    for [x, y] in vision::same_print(written)? {
        let [x, y] = [x, y].map(|id| photograph_of(&id));
        complain!(
            "sightline: {x}: carries the same print as {y}: if they are two things, one of the photographs is of the wrong one; if they do look the same, they are told apart only where their corners are clicked"
        );
        wrong.extend([x, y]);
    }
    Ok(wrong)
}

/// The photograph that a surface was made of, by its id.
fn photograph_of(surface: &str) -> String {
    match surface.split_once('.') {
        Some((team, station)) => format!("display_{team}_{station}"),
        None => surface.to_owned(),
    }
}

/// Makes the copy elsewhere first: one that cannot be used takes no other's place, and what is wrong with it is wrong with what
/// the owner wrote. Returns what is odd in it, a sentence each.
fn try_out(
    draft: &Draft,
    files: &BTreeMap<String, Vec<u8>>,
    told: &Told,
) -> anyhow::Result<BTreeSet<String>> {
    let elsewhere = tempfile::tempdir().map_err(|e| {
        let why = copy::in_words(&e);
        UserError(format!(
            "no folder for what is under way could be made: {why}"
        ))
    })?;
    draft.write(elsewhere.path(), files)?;
    let in_words = |note: &Note| {
        // the line is of a file that nobody will see
        told.wrong(&owner_words::of_owner(&told.owner, draft, note))
    };
    let usable = copy::load(elsewhere.path()).and_then(|copy| {
        let notes = copy.notes.iter();
        let mut odd: BTreeSet<String> = notes.map(|n| in_words(n).to_string()).collect();
        let session = Session::new(copy, Rig::default())?;
        let notes = session.copy_notes().iter();
        odd.extend(notes.map(|n| in_words(n).to_string()));
        Ok(odd)
    });
    usable.map_err(|why| match &why {
        CopyError::File(FileError::Field(note)) => in_words(note).into(),
        unreadable => UserError(unreadable.to_string()).into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::usual_owner;

    #[test]
    fn zones_without_an_outline_are_named_with_their_displays() {
        let mut owner = usual_owner();
        owner.displays.retain(|d, _| d == "helm" || d == "tractor");
        let drawn = vec![[0.0, 0.0], [9.0, 0.0], [9.0, 9.0]];
        let tractor = owner.displays.get_mut("tractor").expect("a display");
        tractor.insert("beam".to_owned(), drawn.clone());
        owner.absent.insert("tractor/mine-B".to_owned());
        assert_eq!(
            undrawn(&owner).as_deref(),
            Some("any zone of helm; energy, mine-A of tractor")
        );
        for (display, zones) in &mut owner.displays {
            for zone in crate::session::zones_on(display) {
                zones.insert(zone, drawn.clone());
            }
        }
        assert_eq!(undrawn(&owner), None);
    }
}
