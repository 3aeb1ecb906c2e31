//! The command line. Errors go to standard error as one sentence; exit status 2 for what the user
//! gave, 1 for what went wrong in here.

/// A line on standard error. Nobody may be listening there either, and that is no reason to stop.
macro_rules! complain {
    ($($what:tt)*) => {{
        use std::io::Write;
        let _ = writeln!(std::io::stderr(), $($what)*);
    }};
}

/// The same without the end of the line, for progress.
#[cfg(feature = "vision")]
macro_rules! complain_part {
    ($($what:tt)*) => {{
        use std::io::Write;
        let _ = write!(std::io::stderr(), $($what)*);
    }};
}

#[cfg(feature = "vision")]
mod album;
#[cfg(all(feature = "vision", feature = "camera"))]
mod calibrate;
#[cfg(feature = "camera")]
mod cameras;
#[cfg(feature = "vision")]
mod drafting;
#[cfg(feature = "vision")]
mod enrol;
#[cfg(all(unix, feature = "camera"))]
mod environment;
#[cfg(feature = "vision")]
mod eval;
#[cfg(feature = "vision")]
mod eval_dice;
#[cfg(feature = "vision")]
mod eval_displays;
#[cfg(feature = "vision")]
mod eval_grounds;
#[cfg(feature = "vision")]
mod eval_pieces;
#[cfg(feature = "vision")]
mod eval_reliability;
#[cfg(feature = "vision")]
mod eval_scenes;
#[cfg(feature = "vision")]
mod eval_slices;
#[cfg(feature = "vision")]
mod eval_stances;
mod judge;
#[cfg(feature = "vision")]
mod owner;
#[cfg(feature = "vision")]
mod owner_words;
#[cfg(all(feature = "vision", feature = "camera"))]
mod photograph;
#[cfg(feature = "vision")]
mod pictures;
#[cfg(all(feature = "vision", feature = "camera"))]
mod play;
mod print;
#[cfg(feature = "vision")]
mod read;
#[cfg(all(feature = "vision", feature = "camera"))]
mod rig;
mod schema;
#[cfg(all(feature = "vision", feature = "camera"))]
mod settings;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Watches a real game table through a webcam, reads the dice and calls the game.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play the bundled clip and call it: in a window, or as JSON lines.
    #[cfg(all(feature = "vision", feature = "camera"))]
    Demo(play::DemoArgs),
    /// Watch a table in a window.
    #[cfg(all(feature = "vision", feature = "camera", feature = "app"))]
    Watch(play::WatchArgs),
    /// Watch a table without a window: one JSON object a line for each event and call.
    #[cfg(all(feature = "vision", feature = "camera"))]
    Run(play::RunArgs),
    /// Read pictures: what lies on the table, and what may be called.
    #[cfg(feature = "vision")]
    Read(read::ReadArgs),
    /// Tell in a window what you measured of your own copy: sizes, symbols, where the zones of its displays lie.
    #[cfg(feature = "app")]
    Owner(owner::OwnerArgs),
    /// Build a copy from photographs of somebody's own: dice, displays, board, miniatures, tokens.
    #[cfg(feature = "vision")]
    Enrol(enrol::EnrolArgs),
    /// Measure reading against photographs whose dice are known.
    #[cfg(feature = "vision")]
    Eval(eval::EvalArgs),
    /// Learn a camera's lens from pictures of the printed board.
    #[cfg(all(feature = "vision", feature = "camera"))]
    Calibrate(calibrate::CalibrateArgs),
    /// Write a rig file from what a camera sees: how it stands, and where displays and boards lie.
    #[cfg(all(feature = "vision", feature = "camera"))]
    Rig(rig::RigArgs),
    /// Write something to print: the calibration board, or the practice set.
    Print(print::PrintArgs),
    /// List the cameras that are plugged in.
    #[cfg(feature = "camera")]
    Cameras(cameras::CamerasArgs),
    /// The rules alone: what may be announced in a state of the game.
    Judge(judge::JudgeArgs),
    /// Print the JSON Schema of a file or an output.
    Schema(schema::SchemaArgs),
}

#[cfg(all(unix, feature = "camera"))]
impl Command {
    /// Whether it goes on for hours.
    const fn is_live(&self) -> bool {
        match self {
            #[cfg(feature = "vision")]
            Self::Demo(_) | Self::Run(_) => true,
            #[cfg(all(feature = "vision", feature = "app"))]
            Self::Watch(_) | Self::Owner(_) => true,
            _ => false,
        }
    }
}

/// What the user gave cannot be used; its text says what to do.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct UserError(pub String);

/// Runs the program on its own command line.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    #[cfg(all(unix, feature = "camera"))]
    {
        let live = cli.command.is_live();
        environment::settle(live);
        if live {
            environment::give_back();
        }
    }
    quiet();
    match run(cli) {
        Ok(code) => code,
        Err(error) => {
            complain!("sightline: {error}");
            ExitCode::from(if is_the_users(&error) { 2 } else { 1 })
        }
    }
}

fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    match cli.command {
        #[cfg(all(feature = "vision", feature = "camera"))]
        Command::Demo(args) => play::demo(&args),
        #[cfg(all(feature = "vision", feature = "camera", feature = "app"))]
        Command::Watch(args) => play::watch(&args),
        #[cfg(all(feature = "vision", feature = "camera"))]
        Command::Run(args) => play::run(&args),
        #[cfg(feature = "vision")]
        Command::Read(args) => read::read(&args),
        #[cfg(feature = "app")]
        Command::Owner(args) => owner::owner(&args),
        #[cfg(feature = "vision")]
        Command::Enrol(args) => enrol::enrol(&args),
        #[cfg(feature = "vision")]
        Command::Eval(args) => eval::eval(&args),
        #[cfg(all(feature = "vision", feature = "camera"))]
        Command::Calibrate(args) => calibrate::calibrate(&args),
        #[cfg(all(feature = "vision", feature = "camera"))]
        Command::Rig(args) => rig::rig(&args),
        Command::Print(args) => print::print(&args),
        #[cfg(feature = "camera")]
        Command::Cameras(args) => cameras::cameras(&args),
        Command::Judge(args) => judge::judge(&args),
        Command::Schema(args) => schema::schema(&args),
    }
}

/// Whether the user can mend it.
fn is_the_users(error: &anyhow::Error) -> bool {
    if error.is::<UserError>()
        || error.is::<crate::copy::CopyError>()
        || error.is::<crate::copy::FileError>()
        || error.is::<crate::copy::WriteError>()
    {
        return true;
    }
    #[cfg(feature = "stream")]
    if error.is::<crate::broadcast::ServeError>() {
        return true;
    }
    if error.is::<crate::capture::CaptureError>() {
        return true;
    }
    #[cfg(feature = "vision")]
    {
        if let Some(e) = error.downcast_ref::<crate::vision::VisionError>() {
            return e.is_the_users();
        }
        match error.downcast_ref::<crate::session::StepError>() {
            Some(crate::session::StepError::Vision(e)) => return e.is_the_users(),
            Some(crate::session::StepError::Capture(_)) => return true,
            None => {}
        }
    }
    false
}

/// Libraries below write to standard error on their own; what matters of that comes as an error.
fn quiet() {
    #[cfg(any(feature = "camera", feature = "vision"))]
    let _ = opencv::core::set_log_level(opencv::core::LogLevel::LOG_LEVEL_SILENT);
    #[cfg(feature = "vision")]
    let _ = opencv::core::set_num_threads(2);
}

/// Writes a line to standard output; a reader that went away (`| head`) is no error.
pub(crate) fn say(line: &str) -> anyhow::Result<Said> {
    use std::io::{ErrorKind, Write};
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{line}").and_then(|()| out.flush()) {
        Ok(()) => Ok(Said::Heard),
        Err(e) if e.kind() == ErrorKind::BrokenPipe => Ok(Said::NobodyListens),
        Err(e) => Err(UserError(format!("standard output cannot be written: {e}")).into()),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Said {
    Heard,
    NobodyListens,
}

/// Reads a game's name, and lists the names where it is none.
fn game_parser() -> impl clap::builder::TypedValueParser<Value = crate::rules::Game> {
    use clap::builder::TypedValueParser;
    clap::builder::PossibleValuesParser::new(crate::rules::Game::ALL.iter().map(|g| g.name()))
        .try_map(|name| name.parse::<crate::rules::Game>())
}

#[cfg(feature = "vision")]
/// Reads a copy, and says on standard error what is odd in it.
fn load_copy(folder: &std::path::Path) -> anyhow::Result<crate::copy::Copy> {
    let copy = crate::copy::load(folder)?;
    for note in &copy.notes {
        complain!("sightline: {note}");
    }
    Ok(copy)
}

/// A session of a copy on a rig; says on standard error what is odd in them.
#[cfg(feature = "vision")]
fn open_session(
    copy: crate::copy::Copy,
    rig: crate::rig::Rig,
) -> anyhow::Result<crate::session::Session> {
    let session = crate::session::Session::new(copy, rig)?;
    for note in session.notes() {
        complain!("sightline: {note}");
    }
    Ok(session)
}

/// Loads the models with a copy enrolled, and says on standard error which of its faces are too alike.
#[cfg(feature = "vision")]
fn open_eye(
    models: &std::path::Path,
    copy: &crate::copy::Copy,
    threads: usize,
) -> anyhow::Result<crate::vision::Eye> {
    let eye = crate::vision::Eye::open(models, copy, threads)?;
    if let Some(library) = crate::vision::passed_over() {
        complain!(
            "sightline: {library}: this ONNX Runtime could not be used; tract takes its place, at seconds a picture"
        );
    }
    for error in eye.unread() {
        complain!("sightline: {error}; it is left out");
    }
    // said at enrolment one by one
    let alike = eye.alike();
    if let Some(most) = alike.first() {
        let [a, b] = &most.faces;
        let more = match alike.len() - 1 {
            0 => String::new(),
            n => format!(", and {n} more pairs of its faces"),
        };
        complain!(
            "sightline: {}: the pictures of {a} and {b} are too alike ({:.0} %){more}: they will hardly be sure; take better ones, or see whether one is the other's",
            copy.folder.display(),
            most.likeness * 100.0
        );
    }
    Ok(eye)
}

#[cfg(all(test, unix, feature = "vision", feature = "camera"))]
mod tests {
    use super::*;

    #[test]
    fn what_goes_on_for_hours_is_live() {
        let is_live = |args: &str| {
            let cli = Cli::try_parse_from(args.split(' '));
            cli.map(|c| c.command.is_live()).ok()
        };
        assert_eq!(is_live("sightline run --copy c --camera 0"), Some(true));
        assert_eq!(is_live("sightline demo"), Some(true));
        assert_eq!(is_live("sightline read --copy c a.png"), Some(false));
    }
}
