//! The lines of `run` and `demo --headless`, and the state that `--serve` shows: contracts that other
//! programs build on (`sightline schema line`, `sightline schema live`).

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    Event, GameState, Happening, MiniReport, Placing, SpokenCall, SurfaceEvent, SurfaceReport,
    TokenReport, misplaced::MisplacedDie,
};
use crate::{copy::Status, rules};

/// One line. Times are seconds on the source's own clock.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
#[schemars(title = "line")]
pub enum Line {
    /// Something happened to a die.
    Event(Event),
    /// Something happened in the game.
    Game(Happening),
    /// Something may be announced that could not be before.
    Call {
        at_s: f64,
        #[serde(flatten)]
        spoken: SpokenCall,
        /// How old the picture was when this was said; not there for recordings.
        #[serde(skip_serializing_if = "Option::is_none")]
        frame_age_ms: Option<u64>,
    },
    /// What was announced no longer holds: as the call said it.
    Over {
        at_s: f64,
        text: String,
        dice: Vec<u64>,
    },
    /// Something happened to a display, a board or a tray.
    Surface {
        at_s: f64,
        /// Which camera saw it, where there are several.
        #[serde(skip_serializing_if = "Option::is_none")]
        camera: Option<String>,
        #[serde(flatten)]
        event: SurfaceEvent,
    },
    /// Something happened to the camera.
    Source {
        at_s: f64,
        /// Which one, where there are several.
        #[serde(skip_serializing_if = "Option::is_none")]
        camera: Option<String>,
        #[serde(flatten)]
        news: SourceNews,
    },
    /// How fast a live camera is followed; every few seconds. Recordings have none: the same file
    /// gives the same lines on any machine.
    Rate {
        at_s: f64,
        #[serde(flatten)]
        rate: Rate,
    },
}

/// What happened to a camera.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(tag = "what", rename_all = "lowercase")]
pub enum SourceNews {
    /// It sends pictures, as the driver says.
    Opened {
        size: [u32; 2],
        fourcc: String,
        frames_per_second: f64,
    },
    /// It is gone; it is opened again by itself when it comes back.
    Lost { why: String },
    /// It sends nothing; `why` where its driver said so.
    Stalled {
        silent_s: f64,
        #[serde(skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
}

/// How fast pictures are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Rate {
    pub frames_per_second: f64,
    /// How old the newest picture was when it had been looked at.
    pub frame_age_ms: u64,
    /// What finding and reading its dice took.
    pub seeing_ms: u64,
}

/// The newest state, for pages and other programs: `GET /state.json`, and pushed on `/ws`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(title = "live")]
pub struct LiveState {
    pub at_s: f64,
    /// Whose picture it is, and whose surfaces these are, where several cameras look at the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub camera: Option<String>,
    /// Width and height of the picture.
    pub size: [u32; 2],
    /// Displays, boards and trays.
    pub surfaces: Vec<SurfaceReport>,
    pub dice: Vec<LiveDie>,
    pub minis: Vec<MiniReport>,
    /// Tokens and crystals.
    pub tokens: Vec<TokenReport>,
    pub calls: Vec<SpokenCall>,
    pub problems: Vec<rules::dice_duel::Problem>,
    /// Dice in zones that do not take them, as the copy has it, where the rules say nothing of a zone.
    pub misplaced: Vec<MisplacedDie>,
    /// The game as it stands; null for games that are not followed.
    pub game: Option<GameState>,
}

/// A die in [`LiveState`].
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LiveDie {
    pub id: u64,
    pub kind: Option<String>,
    pub face: Option<String>,
    pub status: Status,
    /// Whose pixels its polygon is in, where several cameras look at the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub camera: Option<String>,
    /// The top face in pixels, clockwise from its own upper left.
    pub polygon: Vec<[f64; 2]>,
    #[serde(flatten)]
    pub placing: Placing,
}

#[cfg(feature = "vision")]
impl From<&super::View> for LiveState {
    fn from(view: &super::View) -> Self {
        Self {
            at_s: view.at.as_secs_f64(),
            camera: view.one_of_several().map(str::to_owned),
            size: [view.picture.width(), view.picture.height()],
            surfaces: view.surfaces.clone(),
            dice: view
                .dice
                .iter()
                .zip(&view.placings)
                .map(|(d, placing)| LiveDie {
                    placing: placing.clone(),
                    id: d.id,
                    kind: d.reading.kind.clone(),
                    face: d.reading.face.clone(),
                    status: d.status(),
                    camera: view.one_of_several().map(|_| d.camera.clone()),
                    polygon: d.outline(),
                })
                .collect(),
            minis: view.minis.clone(),
            tokens: view.tokens.clone(),
            calls: view.judged.calls.iter().map(SpokenCall::from).collect(),
            problems: view.judged.problems.clone(),
            misplaced: view.judged.misplaced.clone(),
            game: view.game.clone(),
        }
    }
}
