//! What happens in a game of Dice Duel, as it is told.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::{
    rules::{
        Fault as _, Verdict,
        dice_duel::{Call, Facing, Freeze, Problem, ShipId, Square, Station, Symbol, Zone},
    },
    session::{Evidence, TableCall, report::SpokenCall},
};

/// Something that happened in the game, at a time, with what shows it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Happening {
    /// Seconds on the source's own clock.
    pub at_s: f64,
    /// In words.
    pub text: String,
    #[serde(flatten)]
    pub what: Happened,
    /// Dice it is about, by number.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dice: Vec<u64>,
    #[serde(flatten)]
    pub evidence: Evidence,
}

/// What the referee holds against a table, and only time shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Foul {
    /// A ship was moved while its helm waited for dice.
    MovedWithoutHelm,
    /// A ship was moved elsewhere than its helm dice say.
    MovedElsewhere,
    /// Shield dice stand that a hit takes off.
    ShieldsLeftStanding,
    /// Jammer dice lie that a launch takes off.
    JammersLeft,
    /// Other dice lie that should have left.
    DiceLeft,
    /// A station die was placed, and no energy returned for it.
    PlacedWithoutEnergy,
    /// More dice of a kind than there are: one is misread, or foreign.
    OneTooMany,
}

impl Foul {
    fn text(self) -> &'static str {
        match self {
            Foul::MovedWithoutHelm => "moved without three helm dice",
            Foul::MovedElsewhere => "moved elsewhere than the helm dice say",
            Foul::ShieldsLeftStanding => "shield dice of the sector that was hit still stand",
            Foul::JammersLeft => "jammer dice were not removed after the launch",
            Foul::DiceLeft => "dice that should have left still lie there",
            Foul::PlacedWithoutEnergy => {
                "a station die was placed, and no energy was given back for it"
            }
            Foul::OneTooMany => "one die too many: it is misread, or foreign",
        }
    }
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "happened", rename_all = "snake_case")]
pub enum Happened {
    /// A miniature came to stand in a square.
    Entered {
        ship: ShipId,
        square: Square,
        #[serde(skip_serializing_if = "Option::is_none")]
        facing: Option<Facing>,
    },
    /// Engineering gave a station an energy die.
    EnergyGiven { ship: ShipId, station: Station },
    /// A station gave an energy die back.
    EnergyReturned { ship: ShipId, station: Station },
    /// All three helm dice are placed.
    HelmComplete { ship: ShipId },
    /// A ship was moved; `announced` where it stands as its dice, or a declaration, say.
    ShipMoved { ship: ShipId, announced: bool },
    /// Somebody said what is done.
    Declared { ship: Option<ShipId> },
    /// A declaration, judged by the last settled table before it.
    Judged { call: SpokenCall },
    /// What was declared could not be judged, and something else was declared and done since.
    LeftUnsettled { ship: ShipId },
    /// What was declared may not be done.
    Refused { why: String },
    /// Torpedoes left these tubes, and the play is stopped.
    Launched { ship: ShipId, tubes: Vec<String> },
    /// A weapon die was rolled in a tray for a torpedo.
    BlastRolled { shows: Symbol, blasts: u8 },
    /// A launch is counted: so many energy dice go to the damage display.
    DamageAnnounced { ship: ShipId, damage: u8 },
    /// An energy die went to the damage display.
    DamageTaken { ship: ShipId, total: u16 },
    /// What has to leave its place now: a list that ticks itself off.
    CleanUpBegins { zones: Vec<Zone> },
    /// A place of the list is as it should be.
    CleanedUp { zone: Zone, left: usize },
    /// Nothing is left to be cleaned up.
    CleanUpDone,
    /// The play goes on.
    Resumed,
    /// The next freeze is claimed.
    Claimed { ship: ShipId, freeze: Freeze },
    /// A crystal lies elsewhere.
    CrystalMoved {
        from: Option<Zone>,
        to: Option<Zone>,
    },
    /// A mine lies on the map.
    MineLaid { ship: ShipId, square: Square },
    /// Something is wrong on the table.
    ProblemBegins { code: String, at: Zone },
    /// It no longer is.
    ProblemEnds { code: String, at: Zone },
    /// Dice lie where the copy's own `takes` and `holds` say that they do not belong, in a zone of which the rules say nothing.
    MisplacedBegins { code: String, at: String },
    /// They no longer do.
    MisplacedEnds { code: String, at: String },
    /// A rule is broken, as time shows; `unsure` where hands hid what would tell.
    FoulBegins {
        foul: Foul,
        at: Zone,
        verdict: Verdict,
    },
    /// It was put right.
    FoulEnds { foul: Foul, at: Zone },
    /// Table and record have disagreed for two seconds: what each says of the places where they do.
    Desync {
        at: Vec<Zone>,
        table: Value,
        record: Value,
    },
    /// Table and record agree again: as the table says, or as a person did.
    Agreed { by_table: bool },
    /// A person said what is so.
    Corrected { at: Zone },
    /// The table no longer shows what was corrected.
    CorrectionEnds { at: Zone },
    /// The last declaration was taken back.
    Undone,
}

impl Happening {
    pub(super) fn new(at: Duration, what: Happened, evidence: Evidence) -> Self {
        Self {
            at_s: at.as_secs_f64(),
            text: what.text(),
            what,
            dice: Vec::new(),
            evidence,
        }
    }

    #[must_use]
    pub(super) fn about(mut self, dice: Vec<u64>) -> Self {
        self.dice = dice;
        self
    }

    pub(super) fn judged(at: Duration, call: &Call, evidence: Evidence) -> Self {
        let spoken = SpokenCall::from(&TableCall {
            call: call.clone(),
            dice: Vec::new(),
        });
        Self::new(at, Happened::Judged { call: spoken }, evidence)
    }

    /// The same in other words.
    pub(super) fn told(self, text: String) -> Self {
        Self { text, ..self }
    }

    pub(super) fn problem(
        at: Duration,
        problem: &Problem,
        begins: bool,
        evidence: Evidence,
    ) -> Self {
        let (code, zone) = (problem.fault.code().to_owned(), problem.at);
        let what = if begins {
            Happened::ProblemBegins { code, at: zone }
        } else {
            Happened::ProblemEnds { code, at: zone }
        };
        Self {
            text: if begins {
                problem.to_string()
            } else {
                format!("no longer: {problem}")
            },
            ..Self::new(at, what, evidence)
        }
    }
}

impl Happened {
    fn text(&self) -> String {
        use Happened::*;
        let list = |of: &[Zone]| {
            let all: Vec<String> = of.iter().map(ToString::to_string).collect();
            all.join(", ")
        };
        match self {
            Entered { ship, square, .. } => format!("{ship} stands on {square}"),
            EnergyGiven { ship, station } => format!("{ship}: energy to {station}"),
            EnergyReturned { ship, station } => format!("{ship}: energy back from {station}"),
            HelmComplete { ship } => format!("{ship}: three helm dice"),
            ShipMoved {
                ship,
                announced: true,
            } => format!("{ship} moved as announced"),
            ShipMoved {
                ship,
                announced: false,
            } => format!("{ship} moved, not as announced"),
            Declared { ship: Some(ship) } => format!("{ship} declares"),
            Declared { ship: None } => "declared".to_owned(),
            Judged { call } => call.text.clone(),
            LeftUnsettled { ship } => format!("never settled: what {ship} declared"),
            Refused { why } => why.clone(),
            Launched { ship, tubes } => format!("{ship} launches {}", tubes.join(", ")),
            BlastRolled { shows, .. } => format!("rolled {shows}"),
            DamageAnnounced { ship, damage } => format!("{ship} takes {damage} damage"),
            DamageTaken { ship, total } => format!("{ship}: damage {total}"),
            CleanUpBegins { zones } => format!("to be taken off: {}", list(zones)),
            CleanedUp { zone, .. } => format!("taken off: {zone}"),
            CleanUpDone => "all is taken off".to_owned(),
            Resumed => "the play goes on".to_owned(),
            Claimed { ship, freeze } => format!("{ship} claims the next freeze: {freeze}"),
            CrystalMoved { from, to } => {
                let word = |z: &Option<Zone>| z.map_or("a hand".to_owned(), |z| z.to_string());
                format!("crystal from {} to {}", word(from), word(to))
            }
            MineLaid { ship, square } => format!("{ship} lays a mine on {square}"),
            ProblemBegins { code, at } | ProblemEnds { code, at } => format!("{at}: {code}"),
            MisplacedBegins { code, at } | MisplacedEnds { code, at } => format!("{at}: {code}"),
            FoulBegins { foul, at, verdict } => match verdict {
                Verdict::Unsure => format!("{at}: perhaps {}; hands hid it", foul.text()),
                _ => format!("{at}: {}", foul.text()),
            },
            FoulEnds { foul, at } => format!("{at}: put right: {}", foul.text()),
            Desync { at, .. } => format!("table and record disagree: {}", list(at)),
            Agreed { by_table: true } => "the game goes on from the table".to_owned(),
            Agreed { by_table: false } => "the game goes on from the record".to_owned(),
            Corrected { at } => format!("corrected: {at}"),
            CorrectionEnds { at } => format!("{at}: read again"),
            Undone => "taken back".to_owned(),
        }
    }
}
