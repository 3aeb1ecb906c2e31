//! What a camera or a person claims about the table: plain data, perhaps illegal, perhaps
//! incomplete.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::board::TokenKind;
use super::flow::Flow;
use super::print::Print;
use super::ship_id::{ParseNounError, ShipId};
use super::square::{Facing, Half, Square};
use super::symbol::{DieKind, Symbol};
use super::text::{parse_span, span};
use super::zone::Zone;
use crate::rules::{InputError, Place, Span};

/// The table as somebody claims it is. [`Setup::resolve`](Setup::resolve) makes a
/// [`Position`](super::Position) of it, whatever it holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Setup {
    /// The ships. If none is listed, those are there that zones name, their squares unknown; else
    /// a zone of a ship that is not listed is a slip.
    pub ships: Vec<ShipSetup>,
    /// The dice, wherever they lie.
    pub dice: Vec<DieSetup>,
    /// Tokens, mines and crystals, one entry each.
    pub tokens: Vec<TokenSetup>,
    /// Zones that could not be seen: whatever is not accounted for may lie there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<Zone>,
    /// Crystals in the used box, besides those listed as tokens.
    pub used_crystals: Span,
    /// Where the game stands.
    pub flow: Flow,
}

/// A ship as claimed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShipSetup {
    /// Its name, which is also the first word of its zones.
    pub id: ShipId,
    /// Its side; itself if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<ShipId>,
    /// Its square, `[x, y]` from the bottom left.
    #[serde(default)]
    pub square: Place<Square>,
    /// Where it faces.
    #[serde(default)]
    pub facing: Place<Facing>,
    /// Its half of a shared square.
    #[serde(default)]
    pub half: Place<Half>,
    /// Crystals it has, besides those listed as tokens.
    #[serde(default)]
    pub crystals: Span,
    /// Mine tokens on its tractor display; if nothing is said, those listed as tokens there, or
    /// all it ever had less what may have come to lie on the map.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mines: Option<Span>,
    /// Damage, besides the dice and crystals listed in its part of the damage display.
    #[serde(default)]
    pub damage: Damage,
}

impl ShipSetup {
    /// A ship of which only the name is known.
    pub fn new(id: ShipId) -> ShipSetup {
        ShipSetup {
            id,
            team: None,
            square: Place::Unknown,
            facing: Place::Unknown,
            half: Place::Unknown,
            crystals: Span::known(0),
            mines: None,
            damage: Damage::default(),
        }
    }
}

/// What lies on a ship's damage display.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Damage {
    /// Energy dice.
    pub dice: Span,
    /// Crystals put there by an Energy Surge.
    pub crystals: Span,
}

impl Damage {
    /// The damage: dice and crystals count alike.
    pub fn total(self) -> Span {
        self.dice.plus(self.crystals)
    }

    /// No more of either than destroys a ship.
    pub(crate) fn within(self, hull: u16) -> Damage {
        let cut = |n: Span| Span::between(n.min.min(hull), n.max.min(hull));
        Damage {
            dice: cut(self.dice),
            crystals: cut(self.crystals),
        }
    }
}

/// `2 dice 1 crystals`; `0-1` where a number is not known. Dice alone may be written as `2`.
impl std::fmt::Display for Damage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (dice, crystals) = (span(self.dice), span(self.crystals));
        write!(f, "{dice} dice {crystals} crystals")
    }
}

impl std::str::FromStr for Damage {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let no = |_| ParseNounError::new(text, "damage", "write for instance 2 dice 1 crystals");
        let words: Vec<&str> = text.split(' ').collect();
        let (dice, crystals) = match words.as_slice() {
            [dice] | [dice, "dice"] => (dice, &"0"),
            [dice, "dice", crystals, "crystals"] => (dice, crystals),
            _ => return Err(no(String::new())),
        };
        Ok(Damage {
            dice: parse_span(dice).map_err(no)?,
            crystals: parse_span(crystals).map_err(no)?,
        })
    }
}

/// A die as claimed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DieSetup {
    /// Where it lies: a zone, a list of zones it may be in, or `null` for nowhere that matters.
    #[serde(default)]
    pub at: Place<Zone>,
    /// Its kind; needed only where the symbols do not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<DieKind>,
    /// What it shows: a symbol, a list of those it may show (`-` for no die at all), or `null`.
    #[serde(default)]
    pub means: Place<Showing>,
}

impl DieSetup {
    /// Whether it is an energy die that is surely there.
    fn is_energy(&self) -> bool {
        let means = self.means.candidates().unwrap_or_default();
        let there = !means.contains(&Showing::Nothing);
        let energy =
            |s: &Showing| matches!(s, Showing::Symbol(s) if s.kind() == Some(DieKind::Energy));
        let kind = self.kind == Some(DieKind::Energy);
        there && (kind || (self.kind.is_none() && !means.is_empty() && means.iter().all(energy)))
    }

    /// A die that lies in `zone` and shows `symbol`.
    pub fn new(zone: Zone, symbol: Symbol) -> DieSetup {
        DieSetup {
            at: Place::Known(zone),
            kind: None,
            means: Place::Known(Showing::Symbol(symbol)),
        }
    }
}

/// A symbol, or no die at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Showing {
    /// A die that shows this.
    Symbol(Symbol),
    /// There is no die.
    Nothing,
}

impl std::fmt::Display for Showing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Showing::Symbol(symbol) => symbol.fmt(f),
            Showing::Nothing => f.write_str("-"),
        }
    }
}

impl std::str::FromStr for Showing {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "-" => Ok(Showing::Nothing),
            _ => text.parse().map(Showing::Symbol),
        }
    }
}

crate::rules::string_serde!(
    Showing,
    "Showing",
    "a symbol (1 to 6 energy; F1 F2 FR FL FU; NOSE BODY TAIL BLAST1 BLAST2; L1 L2 J1 J2; S1 to S4; T1 T2 MINE_A MINE_B MINE_AB; EXP), or - for no die; on a shield die 1 to 4 may be written for S1 to S4"
);

/// A token, mine or crystal as claimed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TokenSetup {
    /// What it is, the side that is up.
    pub kind: Place<TokenKind>,
    /// Where: a square (`board[3,4]`), `board.used-crystals`, `white.crystals`, `white.damage`,
    /// or a place on a tractor display where mines rest.
    pub at: Zone,
}

/// How many ships play, and where they start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lineup {
    /// One against one.
    Duel,
    /// Two ships a side, the second beside the first in its row.
    TwoASide,
    /// Every ship for itself, from the corners.
    FreeForAll,
}

impl std::fmt::Display for Lineup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Lineup::Duel => "duel",
            Lineup::TwoASide => "two-a-side",
            Lineup::FreeForAll => "free-for-all",
        })
    }
}

impl std::str::FromStr for Lineup {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "duel" => Ok(Lineup::Duel),
            "two-a-side" => Ok(Lineup::TwoASide),
            "free-for-all" => Ok(Lineup::FreeForAll),
            _ => Err(ParseNounError::new(
                text,
                "a lineup",
                "write duel, two-a-side or free-for-all",
            )),
        }
    }
}

impl Setup {
    /// The table at the start of a game: ships on their squares, a crystal on each numbered
    /// square, no die on any display (the energy dice are in a hand, about to be rolled). Tokens
    /// are placed by the players.
    pub fn start(print: &Print, lineup: Lineup) -> Setup {
        let board = &print.board;
        let starts: Vec<&super::print::Start> = match lineup {
            Lineup::Duel => board.starts.iter().collect(),
            Lineup::TwoASide => board.starts.iter().chain(&board.second_starts).collect(),
            Lineup::FreeForAll => board.free_for_all.iter().collect(),
        };
        let mut setup = Setup::default();
        for start in starts {
            setup.ships.push(ShipSetup {
                team: Some(start.team),
                square: Place::Known(start.square),
                facing: Place::Known(start.facing),
                mines: Some(Span::known(u16::from(print.mines_a_ship))),
                ..ShipSetup::new(start.ship)
            });
        }
        let crystals = board
            .crystal_squares
            .iter()
            .take(usize::from(print.crystals));
        setup.tokens.extend(crystals.map(|square| TokenSetup {
            kind: Place::Known(TokenKind::Crystal),
            at: Zone::Board(*square),
        }));
        setup
    }

    /// Checks what no table can hold: a ship off the map, seven damage dice, the zone of a ship that
    /// is not listed. What may be, and may as well not be, is left to [`Setup::resolve`]. A camera never
    /// claims such a thing; in a file it is a slip of the hand, and worth a sentence instead of
    /// a position full of unknowns.
    ///
    /// # Errors
    ///
    /// The first such claim, with its path below `path`.
    pub fn check(&self, print: &Print, path: &str) -> Result<(), InputError> {
        let no = |field: String, what: String| {
            Err(InputError::Impossible {
                path: format!("{path}.{field}"),
                what,
            })
        };
        let size = format!("the map has {} by {} squares", print.cols(), print.rows());
        let hull = u16::from(print.numbers.hull);
        let ids: Vec<ShipId> = self.ships.iter().map(|s| s.id).collect();
        // What may also be elsewhere is a doubt, and none of our business here.
        let off_map = |squares: &mut dyn Iterator<Item = Option<Square>>| {
            let mut first = None;
            for square in squares {
                match square {
                    Some(square) if !print.on_map(square) => first = first.or(Some(square)),
                    _ => return None,
                }
            }
            first.map(|off: Square| format!("{off} is off the map: {size}"))
        };
        let stranger = |id: ShipId| {
            let there: Vec<&str> = ids.iter().map(ShipId::as_str).collect();
            let known = ids.is_empty() || ids.contains(&id);
            (!known).then(|| format!("no ship {id}: the ships are {}", there.join(", ")))
        };
        let mut damage = std::collections::BTreeMap::new();
        for (i, ship) in self.ships.iter().enumerate() {
            let squares = ship.square.candidates().unwrap_or_default();
            if let Some(what) = off_map(&mut squares.iter().map(|s| Some(*s))) {
                return no(format!("ships[{i}].square"), what);
            }
            if ids.iter().take(i).any(|other| *other == ship.id) {
                return no(
                    format!("ships[{i}].id"),
                    format!("there are two ships named {}", ship.id),
                );
            }
            let energy = u16::from(print.dice_of(DieKind::Energy));
            let total = ship.damage.total();
            if ship.damage.dice.min > energy || total.min > hull {
                return no(
                    format!("ships[{i}].damage"),
                    format!("{total} dice and crystals of damage, but {hull} destroy a ship"),
                );
            }
            damage.insert(ship.id, total.min);
            if ship.crystals.min > u16::from(print.crystals) {
                return no(
                    format!("ships[{i}].crystals"),
                    format!("{}, but the box has {}", ship.crystals, print.crystals),
                );
            }
            let most = u16::from(print.mines_a_ship);
            if let Some(mines) = ship.mines.filter(|m| m.min > most) {
                return no(
                    format!("ships[{i}].mines"),
                    format!("{mines}, but a ship has {most} mine tokens"),
                );
            }
        }
        // One more that surely lies on a damage display.
        let mut harmed = |ship: ShipId| {
            let n = damage.entry(ship).or_insert(0u16);
            *n = n.saturating_add(1);
            (*n > hull).then(|| {
                format!("{n} dice on the damage display of {ship}, but {hull} destroy a ship")
            })
        };
        for (i, die) in self.dice.iter().enumerate() {
            let at = || format!("dice[{i}].at");
            let zones = die.at.candidates().unwrap_or_default();
            let squares = &mut zones.iter().map(|z| match z {
                Zone::Board(square) => Some(*square),
                _ => None,
            });
            if let Some(what) = off_map(squares) {
                return no(at(), what);
            }
            let ships = zones.iter().filter_map(|z| z.ship());
            if let Some(what) = ships.filter_map(stranger).next() {
                return no(at(), what);
            }
            if let (Some(Zone::Damage(ship, _)), true) = (die.at.known(), die.is_energy())
                && let Some(what) = harmed(*ship)
            {
                return no(at(), what);
            }
        }
        for (i, token) in self.tokens.iter().enumerate() {
            let at = || format!("tokens[{i}].at");
            if let Zone::Board(square) = token.at
                && let Some(what) = off_map(&mut std::iter::once(Some(square)))
            {
                return no(at(), what);
            }
            if let Some(what) = token.at.ship().and_then(stranger) {
                return no(at(), what);
            }
            if let (Zone::Damage(ship, _), Some(TokenKind::Crystal)) =
                (token.at, token.kind.known())
                && let Some(what) = harmed(ship)
            {
                return no(at(), what);
            }
        }
        for (i, zone) in self.hidden.iter().enumerate() {
            if let Some(what) = zone.ship().and_then(stranger) {
                return no(format!("hidden[{i}]"), what);
            }
        }
        if let Some(what) = self.flow.ships().filter_map(stranger).next() {
            return no("flow".into(), what);
        }
        Ok(())
    }
}
