//! The copy that is played with: its dice, its size, and the house's answers where the rule text
//! is silent.

use std::sync::OnceLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::kind::{DieKind, Mould};
use super::name::KindId;
use crate::rules::InputError;

/// Kinds of dice in one catalogue: several times all that were ever printed.
pub const MAX_KINDS: usize = 400;

/// A copy and its options, with documented defaults.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Print {
    /// An edge of the octahedron in mm, 50.8 (two inches); its top face is 0.8165 of that above
    /// the table, 41.5 mm.
    pub edge_mm: f64,
    /// The catalogue of dice; what ships is made up, for no print of the game's faces was found.
    #[serde(skip_serializing_if = "is_sample")]
    pub dice: Vec<DieKind>,
    /// The numbers of the rule text.
    pub numbers: RuleNumbers,
    /// House answers.
    pub options: Options,
}

/// Numbers of the rule text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RuleNumbers {
    /// Points that win, 50.
    pub win: u16,
    /// Points of an army, 30; of one team's dice, the smallest die's points more.
    pub army: u16,
    /// Turns that a killed die stays in reserve: one for each player, 2.
    pub reserve_turns: u8,
}

/// What of a target has to be above the baseline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeenPart {
    /// Any part of its top face, which is also what distances are measured by.
    #[default]
    TopFace,
    /// Any part of the die as seen from above.
    Silhouette,
}

/// Answers where the rule text is silent, and how far a reading is trusted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// What has to be above the baseline for a die to be seen.
    pub seen: SeenPart,
    /// The error of a die's corners in mm where a reading does not say, 0.2: one standard
    /// deviation of each corner along each axis.
    pub error_mm: f64,
    /// How many standard deviations wide every error is taken, 3: what is nearer to a line than
    /// that is too close to call.
    pub sigmas: f64,
    /// How far a die that was rolled by hand lies from where it is reckoned to, 0.7 mm as one
    /// standard deviation of each corner along each axis; until it is seen again.
    pub roll_error_mm: f64,
    /// How far the table's edge and the outlines of things on it are known where the table does
    /// not say, 0.5 mm as one standard deviation.
    pub table_error_mm: f64,
    /// How far from the table's centre the opening die may lie, 20 mm.
    pub centre_mm: f64,
}

impl RuleNumbers {
    /// The most ends of turns for which a die is in reserve: the end of the turn in which it was
    /// killed counts too.
    pub fn most_turns(&self) -> u8 {
        self.reserve_turns.saturating_add(1)
    }
}

impl Default for RuleNumbers {
    fn default() -> Self {
        RuleNumbers {
            win: 50,
            army: 30,
            reserve_turns: 2,
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            seen: SeenPart::TopFace,
            error_mm: 0.2,
            sigmas: 3.0,
            roll_error_mm: 0.7,
            table_error_mm: 0.5,
            centre_mm: 20.0,
        }
    }
}

/// A list of dice whose points are known from the rule text.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct SampleArmy {
    /// Its name.
    pub name: String,
    /// Its dice.
    pub dice: Vec<KindId>,
    /// Their points.
    pub points: u16,
    /// The most it may have.
    pub max: u16,
}

#[derive(Deserialize, Default)]
struct Sample {
    dice: Vec<DieKind>,
    armies: Vec<SampleArmy>,
}

fn sample() -> &'static Sample {
    static SAMPLE: OnceLock<Sample> = OnceLock::new();
    // A slip in our own file is found by a test; nobody's evening ends for it.
    SAMPLE
        .get_or_init(|| serde_json::from_str(include_str!("sample_dice.json")).unwrap_or_default())
}

fn is_sample(dice: &[DieKind]) -> bool {
    dice == sample().dice
}

impl Default for Print {
    fn default() -> Self {
        Print {
            edge_mm: 50.8,
            dice: sample().dice.clone(),
            numbers: RuleNumbers::default(),
            options: Options::default(),
        }
    }
}

impl Print {
    /// The rule text's sample armies, of made-up dice.
    pub fn sample_armies() -> &'static [SampleArmy] {
        &sample().armies
    }

    /// A kind of die.
    pub fn kind(&self, id: KindId) -> Option<&DieKind> {
        self.dice.iter().find(|k| k.id == id)
    }

    /// The distance from the middle of a face to its corners, mm; also how far one roll shifts
    /// the die.
    pub fn radius_mm(&self) -> f64 {
        self.edge_mm / 3f64.sqrt()
    }

    /// How high the top face lies, mm.
    pub fn height_mm(&self) -> f64 {
        self.edge_mm * (2f64 / 3.0).sqrt()
    }

    /// Checks what no copy can have.
    ///
    /// # Errors
    ///
    /// The first such thing, with its path below `path`.
    pub fn check(&self, path: &str) -> Result<(), InputError> {
        let no = |field: String, what: String| {
            Err(InputError::Impossible {
                path: format!("{path}.{field}"),
                what,
            })
        };
        if !(5.0..=500.0).contains(&self.edge_mm) {
            let what = format!("{} mm is no die's edge; two inches are 50.8", self.edge_mm);
            return no("edge_mm".into(), what);
        }
        let options = &self.options;
        for (name, value, most) in [
            ("error_mm", options.error_mm, 1000.0),
            ("sigmas", options.sigmas, 100.0),
            ("roll_error_mm", options.roll_error_mm, 1000.0),
            ("table_error_mm", options.table_error_mm, 1000.0),
            ("centre_mm", options.centre_mm, 10_000.0),
        ] {
            if !(0.0..=most).contains(&value) {
                let what = format!("{value} is not between 0 and {most}");
                return no(format!("options.{name}"), what);
            }
        }
        if self.numbers.win == 0 {
            return no("numbers.win".into(), "a game needs points to win".into());
        }
        if self.dice.len() > MAX_KINDS {
            let what = format!("{} kinds of dice; at most {MAX_KINDS}", self.dice.len());
            return no("dice".into(), what);
        }
        for (i, kind) in self.dice.iter().enumerate() {
            if self.dice.iter().take(i).any(|k| k.id == kind.id) {
                return no(
                    format!("dice[{i}].id"),
                    format!("there are two {}", kind.id),
                );
            }
            if let Err(faults) = Mould::of(kind)
                && let Some(fault) = faults.iter().find(|f| !f.is_soft())
            {
                return no(format!("dice[{i}]"), format!("{}: {fault}", kind.id));
            }
        }
        Ok(())
    }
}
