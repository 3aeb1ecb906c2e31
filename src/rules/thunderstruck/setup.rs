//! What a camera or a person claims about the table: plain data, perhaps illegal, perhaps
//! incomplete.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::flow::{Flow, Phase, Screen};
use super::pips::Pips;
use super::print::Print;
use super::spot::{Shield, ShipId, Spot};
use super::track::{Heading, Space};
use crate::rules::{InputError, Place, Span};

/// The table as somebody claims it is. [`Setup::resolve`] makes a [`Position`](super::Position)
/// of it, whatever it holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Setup {
    /// The ships, two or three.
    pub ships: Vec<ShipSetup>,
    /// Where the game stands.
    pub flow: Flow,
}

/// A ship as claimed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShipSetup {
    /// Its seat: a, b or c.
    pub id: ShipId,
    /// Where it stands.
    #[serde(default)]
    pub space: Place<Space>,
    /// Where it is headed.
    #[serde(default)]
    pub heading: Place<Heading>,
    /// It was destroyed.
    #[serde(default, skip_serializing_if = "is_false")]
    pub retired: bool,
    /// Its screen. While that stands, dice claimed on the console are not taken in: the rules
    /// never know, and never tell, what is behind a screen.
    #[serde(default = "off", skip_serializing_if = "is_off")]
    pub screen: Screen,
    /// The dice on the console.
    #[serde(default)]
    pub dice: Vec<DieSetup>,
    /// Spaces with a damage token.
    #[serde(default)]
    pub damage: Vec<Spot>,
    /// Spaces that may have a damage token.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub damage_unsure: Vec<Spot>,
    /// Shields that are up.
    #[serde(default)]
    pub shields: Vec<Shield>,
    /// Shields that may be up.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shields_unsure: Vec<Shield>,
    /// Power cubes.
    #[serde(default)]
    pub cubes: Span,
    /// Its dice in the Boost area of the battlefield.
    #[serde(default)]
    pub boosted: Vec<Pips>,
    /// Its dice on the Manoeuvre token.
    #[serde(default)]
    pub manoeuvred: Vec<Pips>,
}

/// A die on a console as claimed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DieSetup {
    /// Its space, a list of those it may lie on, or `null` for anywhere on the console.
    #[serde(default)]
    pub at: Place<Spot>,
    /// What it shows.
    #[serde(default = "any")]
    pub shows: Pips,
}

fn off() -> Screen {
    Screen::Off
}

fn any() -> Pips {
    Pips::ANY
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_off(screen: &Screen) -> bool {
    *screen == Screen::Off
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_false(flag: &bool) -> bool {
    !*flag
}

impl DieSetup {
    /// A die on a space.
    pub fn new(at: Spot, shows: Pips) -> DieSetup {
        DieSetup {
            at: Place::Known(at),
            shows,
        }
    }
}

impl ShipSetup {
    /// A ship of which only the name is known, with an empty console.
    pub fn new(id: ShipId) -> ShipSetup {
        ShipSetup {
            id,
            space: Place::Unknown,
            heading: Place::Unknown,
            retired: false,
            screen: Screen::Off,
            dice: Vec::new(),
            damage: Vec::new(),
            damage_unsure: Vec::new(),
            shields: Vec::new(),
            shields_unsure: Vec::new(),
            cubes: Span::known(0),
            boosted: Vec::new(),
            manoeuvred: Vec::new(),
        }
    }
}

/// No list of a ship's things is longer: a console has eleven spaces.
const MAX_LIST: usize = 64;

impl Setup {
    /// The start of a game for two or three: screens up, nothing rolled (Setup).
    pub fn start(print: &Print, ships: usize) -> Setup {
        let ships = ships.clamp(2, 3);
        let mut setup = Setup {
            flow: Flow {
                phase: Phase::Planning,
                ..Flow::default()
            },
            ..Setup::default()
        };
        for (id, start) in ShipId::ALL.iter().zip(&print.field(ships).starts) {
            setup.ships.push(ShipSetup {
                space: Place::Known(start.space),
                heading: Place::Known(start.heading),
                screen: Screen::Up,
                shields: print.numbers.start_shields.clone(),
                cubes: Span::known(u16::from(print.numbers.start_cubes)),
                ..ShipSetup::new(*id)
            });
        }
        setup
    }

    /// Checks that the claim is one that a table could give.
    ///
    /// # Errors
    ///
    /// [`InputError::Impossible`] with the path of the first claim that no table can hold.
    pub fn check(&self, print: &Print, path: &str) -> Result<(), InputError> {
        let no = |field: String, what: String| {
            Err(InputError::Impossible {
                path: format!("{path}.{field}"),
                what,
            })
        };
        if self.ships.len() > ShipId::ALL.len() {
            return no("ships".into(), "two or three play".into());
        }
        let field = print.field(self.ships.len());
        for (i, ship) in self.ships.iter().enumerate() {
            if self.ships.iter().take(i).any(|other| other.id == ship.id) {
                let what = format!("there are two ships named {}", ship.id);
                return no(format!("ships[{i}].id"), what);
            }
            let spaces = ship.space.candidates().unwrap_or_default();
            if let Some(off) = spaces.iter().find(|s| !field.holds(**s)) {
                let what = format!("{off} is off the battlefield ({})", field.name);
                return no(format!("ships[{i}].space"), what);
            }
            if ship.cubes.max > u16::from(print.numbers.cubes) {
                let what = format!("{}, but {} fit", ship.cubes, print.numbers.cubes);
                return no(format!("ships[{i}].cubes"), what);
            }
            for (name, n) in [
                ("dice", ship.dice.len()),
                ("damage", ship.damage.len()),
                ("damage_unsure", ship.damage_unsure.len()),
                ("shields", ship.shields.len()),
                ("shields_unsure", ship.shields_unsure.len()),
                ("boosted", ship.boosted.len()),
                ("manoeuvred", ship.manoeuvred.len()),
            ] {
                if n > MAX_LIST {
                    let what = format!("{n} entries, more than any table holds");
                    return no(format!("ships[{i}].{name}"), what);
                }
            }
        }
        if self.flow.round == 0 || self.flow.round > print.numbers.rounds {
            let what = format!("the game has {} rounds", print.numbers.rounds);
            return no("flow.round".into(), what);
        }
        if self.flow.owed.len() > MAX_LIST || self.flow.acting.len() > MAX_LIST {
            return no("flow".into(), "lists too much".into());
        }
        Ok(())
    }
}
