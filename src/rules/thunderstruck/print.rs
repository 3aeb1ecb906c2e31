//! What only the printed game shows, and what its text leaves open: data with defaults.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::noun::noun;
use super::pips::FACES;
use super::spot::{Shield, Side, Spot};
use super::track::{Field, Heading, MAX_LOOP, Space, Start, Warp};
use crate::rules::InputError;

/// A copy of the game and how it is played. Nothing of it is known to be as printed: the
/// battlefield and the colours of the consoles are shown by pictures only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Print {
    /// The battlefield of two players: one loop, whose far half is the opposite side.
    pub two_players: Field,
    /// The battlefield of three players: two loops, the sectors.
    pub three_players: Field,
    /// The consoles.
    pub console: Console,
    /// Numbers of the rules.
    pub numbers: Numbers,
    /// What the text leaves open.
    pub options: Options,
}

/// What is printed on every console.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Console {
    /// Spaces that may take a damage token when the front shield answered.
    pub front: Vec<Spot>,
    /// Spaces that may take one when the rear shield answered.
    pub rear: Vec<Spot>,
    /// The numbers that raise the front shield.
    pub front_shield: Vec<u8>,
    /// The numbers that raise the mid shield.
    pub mid_shield: Vec<u8>,
    /// The numbers that raise the rear shield.
    pub rear_shield: Vec<u8>,
}

/// Numbers of the rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Numbers {
    /// Dice a ship has.
    pub dice: u8,
    /// Cubes a ship can store.
    pub cubes: u8,
    /// Cubes it begins with.
    pub start_cubes: u8,
    /// Cubes that a power die brings.
    pub gain: u8,
    /// Cubes that a power die brings which shows the highest number.
    pub gain_on_highest: u8,
    /// Rounds that are played; the text says 6 or 12.
    pub rounds: u8,
    /// Shields that are up at the start.
    pub start_shields: Vec<Shield>,
}

noun! {
    /// Which way a shot may fly.
    FireWay, "a way of measuring fire" {
        /// The shorter way round the loop, whatever the shooter's heading; equal ways are the
        /// shooter's choice.
        Shortest = "shortest",
        /// Only ahead, along the shooter's heading.
        Ahead = "ahead",
    }
}

noun! {
    /// Who may take the Reflex die.
    ReflexTo, "who takes the Reflex die" {
        /// An opponent of the lowest, as the text says.
        Opponent = "opponent",
        /// The lowest, to catch up.
        Lowest = "lowest",
    }
}

noun! {
    /// Where the token of a hit goes when every space with the colour of the front or rear shield
    /// is damaged.
    FullColour, "where damage goes when its colour is full" {
        /// Anywhere on the console, as for the mid shield.
        Anywhere = "anywhere",
        /// Nowhere: that shield cannot answer any more.
        NoAnswer = "no-answer",
    }
}

/// What the text leaves open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Which way a shot flies (the text names a distance and no arc).
    pub fire: FireWay,
    /// Whether a space with a ship on it counts for the distance of a shot; for moves it does not.
    pub distance_counts_ships: bool,
    /// Who may take the Reflex die.
    pub reflex_to: ReflexTo,
    /// Where damage goes when every space with the answering shield's colour is damaged.
    pub full_colour: FullColour,
    /// Whether a ship that is alone in its sector wins the contest there.
    pub alone_wins_contest: bool,
    /// With three ships: whether the game ends with the first that is destroyed (the text says
    /// both that, and that it goes on until one is left).
    pub ends_at_first_loss: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            fire: FireWay::Shortest,
            distance_counts_ships: true,
            reflex_to: ReflexTo::Opponent,
            full_colour: FullColour::Anywhere,
            alone_wins_contest: true,
            ends_at_first_loss: false,
        }
    }
}

impl Default for Numbers {
    fn default() -> Self {
        Numbers {
            dice: 4,
            cubes: 4,
            start_cubes: 1,
            gain: 1,
            gain_on_highest: 2,
            rounds: 12,
            start_shields: vec![Shield::Mid],
        }
    }
}

impl Default for Console {
    fn default() -> Self {
        use Spot::*;
        Console {
            // Weapons before, engines behind: the colours are not known.
            front: vec![Manoeuvre1, Fire1, Fire2, Power1, ShieldFront, ShieldMid],
            rear: vec![Boost1, Boost2, Manoeuvre2, Power2, ShieldMid, ShieldRear],
            front_shield: vec![1, 2],
            mid_shield: vec![5, 6],
            rear_shield: vec![3, 4],
        }
    }
}

impl Default for Print {
    fn default() -> Self {
        let start = |sector, at, heading| Start {
            space: Space::new(sector, at),
            heading,
        };
        let warp = |sector, first, last, to: [(u8, u8); 2]| Warp {
            sector,
            first,
            last,
            to: to.map(|(s, at)| Space::new(s, at)).to_vec(),
        };
        let (with, against) = (Heading::Clockwise, Heading::Anticlockwise);
        Print {
            two_players: Field {
                name: "demo, one loop of 24, not the printed battlefield".into(),
                sectors: vec![24],
                starts: vec![start(1, 0, with), start(1, 12, with)],
                warps: vec![
                    warp(1, 0, 11, [(1, 14), (1, 21)]),
                    warp(1, 12, 23, [(1, 2), (1, 9)]),
                ],
            },
            three_players: Field {
                name: "demo, two loops of 24, not the printed battlefield".into(),
                sectors: vec![24, 24],
                starts: vec![start(1, 0, with), start(1, 12, with), start(2, 0, against)],
                warps: vec![
                    warp(1, 0, 11, [(1, 14), (1, 21)]),
                    warp(1, 12, 23, [(1, 2), (1, 9)]),
                    warp(2, 0, 11, [(2, 14), (2, 21)]),
                    warp(2, 12, 23, [(2, 2), (2, 9)]),
                    warp(1, 0, 23, [(2, 6), (2, 18)]),
                    warp(2, 0, 23, [(1, 6), (1, 18)]),
                ],
            },
            console: Console::default(),
            numbers: Numbers::default(),
            options: Options::default(),
        }
    }
}

/// No more dice a ship than this: they and the Reflex die must find room on a console.
pub const MAX_DICE: u8 = 8;
/// No store of cubes is larger.
pub const MAX_CUBES: u8 = 20;
const MAX_LIST: usize = 64;

impl Console {
    /// The numbers that raise a shield.
    pub fn numbers(&self, shield: Shield) -> &[u8] {
        match shield {
            Shield::Front => &self.front_shield,
            Shield::Mid => &self.mid_shield,
            Shield::Rear => &self.rear_shield,
        }
    }

    /// Whether a die with this number may lie on a space.
    pub fn takes(&self, spot: Spot, number: u8) -> bool {
        spot.shield()
            .is_none_or(|shield| self.numbers(shield).contains(&number))
    }

    /// The spaces with the colour of a side.
    pub fn coloured(&self, side: Side) -> &[Spot] {
        match side {
            Side::Front => &self.front,
            Side::Rear => &self.rear,
        }
    }
}

impl Print {
    /// The battlefield for so many ships.
    pub fn field(&self, ships: usize) -> &Field {
        if ships > 2 {
            &self.three_players
        } else {
            &self.two_players
        }
    }

    /// Checks that the data describe a game that can be played.
    ///
    /// # Errors
    ///
    /// [`InputError::Impossible`] with the path of the first field that cannot be.
    pub fn check(&self, path: &str) -> Result<(), InputError> {
        let no = |field: &str, what: String| {
            Err(InputError::Impossible {
                path: format!("{path}.{field}"),
                what,
            })
        };
        check_field(&self.two_players, 2, &format!("{path}.two_players"))?;
        check_field(&self.three_players, 3, &format!("{path}.three_players"))?;
        for (name, list) in [("front", &self.console.front), ("rear", &self.console.rear)] {
            if list.len() > MAX_LIST {
                return no(&format!("console.{name}"), "lists too many spaces".into());
            }
        }
        for shield in Shield::ALL {
            let numbers = self.console.numbers(*shield);
            if numbers.len() > MAX_LIST || numbers.iter().any(|n| !(1..=FACES).contains(n)) {
                let what = format!("a die shows 1 to {FACES}");
                return no(&format!("console.{shield}_shield"), what);
            }
        }
        let n = &self.numbers;
        if !(2..=MAX_DICE).contains(&n.dice) {
            let what = format!("a ship has 2 to {MAX_DICE} dice: one to boost, one to manoeuvre");
            return no("numbers.dice", what);
        }
        if n.cubes > MAX_CUBES || n.start_cubes > n.cubes {
            let what = format!("at most {MAX_CUBES} cubes, and no more at the start than fit");
            return no("numbers.cubes", what);
        }
        if n.start_shields.len() > MAX_LIST {
            return no("numbers.start_shields", "lists too many shields".into());
        }
        if n.rounds == 0 || n.rounds > 99 {
            return no("numbers.rounds", "a game has 1 to 99 rounds".into());
        }
        Ok(())
    }
}

fn check_field(field: &Field, ships: usize, path: &str) -> Result<(), InputError> {
    let no = |name: &str, what: String| {
        Err(InputError::Impossible {
            path: format!("{path}.{name}"),
            what,
        })
    };
    let fits = |n: &u8| (4..=MAX_LOOP).contains(n);
    if !(1..=2).contains(&field.sectors.len()) || !field.sectors.iter().all(fits) {
        let what = format!("a battlefield has 1 or 2 loops of 4 to {MAX_LOOP} spaces");
        return no("sectors", what);
    }
    let mut seen: Vec<Space> = Vec::new();
    if field.starts.len() != ships {
        return no("starts", format!("{ships} ships need {ships} starts"));
    }
    for (i, start) in field.starts.iter().enumerate() {
        if !field.holds(start.space) || seen.contains(&start.space) {
            let what = format!("{} is off the battlefield, or named twice", start.space);
            return no(&format!("starts[{i}].space"), what);
        }
        seen.push(start.space);
    }
    if field.warps.len() > MAX_LIST {
        return no("warps", format!("at most {MAX_LIST} stretches"));
    }
    for (i, warp) in field.warps.iter().enumerate() {
        if warp.to.len() > MAX_LIST {
            return no(
                &format!("warps[{i}].to"),
                format!("at most {MAX_LIST} spots"),
            );
        }
        if let Some(off) = warp.to.iter().find(|s| !field.holds(**s)) {
            return no(
                &format!("warps[{i}].to"),
                format!("{off} is off the battlefield"),
            );
        }
    }
    Ok(())
}
