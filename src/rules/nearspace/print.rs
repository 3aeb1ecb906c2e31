//! Numbers of the rules and what the text leaves open: data with defaults.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::InputError;

/// A copy of the game and how it is played.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Print {
    /// Which dice may be brought.
    pub dice: DiceRules,
    /// Building.
    pub build: BuildRules,
    /// Engine dice.
    pub engine: EngineRules,
}

/// Which dice may be brought.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DiceRules {
    /// So many numbers shown by symbols are not allowed.
    pub too_many_symbols: u8,
    /// The smallest size that can be deployed.
    pub least_size: u8,
    /// Sizes up to this take the opponent's permission.
    pub discouraged_size: u8,
    /// On a die with single numerals only, the 0 stands for 10 (the text names such a d20, and
    /// asks for a lowest number of 1).
    pub zero_is_ten: bool,
}

/// Building.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct BuildRules {
    /// CP to discard a card.
    pub cycle: u16,
    /// CP to terraform a sector.
    pub terraform: u16,
    /// CP to terraform a space sector.
    pub terraform_space: u16,
    /// Whether CP that are not spent are lost at the end of the build phase (the text does not
    /// say).
    pub unspent_is_lost: bool,
}

/// Engine dice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct EngineRules {
    /// How many charges in a row are looked ahead for the advice which die to charge.
    pub charges_ahead: u8,
}

impl Default for DiceRules {
    fn default() -> Self {
        DiceRules {
            too_many_symbols: 3,
            least_size: 2,
            discouraged_size: 2,
            zero_is_ten: true,
        }
    }
}

impl Default for BuildRules {
    fn default() -> Self {
        BuildRules {
            cycle: 1,
            terraform: 10,
            terraform_space: 5,
            unspent_is_lost: true,
        }
    }
}

impl Default for EngineRules {
    fn default() -> Self {
        EngineRules { charges_ahead: 2 }
    }
}

/// No count of CP or energy is larger.
pub const MAX_POINTS: u16 = 10_000;

impl Print {
    /// Checks that the data describe a game that can be played.
    ///
    /// # Errors
    ///
    /// [`InputError::Impossible`] with the path of the first field that cannot be.
    pub fn check(&self, path: &str) -> Result<(), InputError> {
        let build = &self.build;
        for (field, n) in [
            ("cycle", build.cycle),
            ("terraform", build.terraform),
            ("terraform_space", build.terraform_space),
        ] {
            if n > MAX_POINTS {
                return Err(InputError::Impossible {
                    path: format!("{path}.build.{field}"),
                    what: format!("at most {MAX_POINTS}"),
                });
            }
        }
        if !(1..=3).contains(&self.engine.charges_ahead) {
            return Err(InputError::Impossible {
                path: format!("{path}.engine.charges_ahead"),
                what: "1 to 3 charges can be looked ahead".into(),
            });
        }
        Ok(())
    }
}
