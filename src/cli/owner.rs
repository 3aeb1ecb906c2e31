//! `owner.json`: what an owner measured and entered, beside the photographs of an unattended enrolment.
//!
//! Millimetres; zones from a card's upper left, x right, y down; squares as column and row from the
//! board's upper left.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use schemars::JsonSchema;
use serde::Deserialize;

use super::UserError;
use crate::{
    copy::{Outline, Read, in_words, read_text},
    rules::dice_duel::{DieKind, Symbol},
};

/// What an owner measured of a copy and calls its things. File names are made of the names that stand here.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(title = "owner.json")]
pub(super) struct Owner {
    /// The rules that are played with it: `dice-duel`, `diceland`, `thunderstruck` or `nearspace`.
    #[serde(default = "dice_duel")]
    pub game: String,
    /// Who plays: each has displays and a ship of their own.
    #[serde(default = "teams")]
    pub teams: Vec<String>,
    /// Width and height of the displays: one for all, or one for each station.
    #[serde(default = "card")]
    pub card_mm: PerKind<[f64; 2]>,
    #[serde(default)]
    pub card_thickness_mm: f64,
    /// Edge of the dice: one for all, or one for each kind.
    pub die_mm: PerKind<f64>,
    /// How far the dice's edges are rounded off, one for all or one for each kind; nothing rests on it.
    #[serde(default, rename = "die_edge_radius_mm")]
    pub _die_edge_radius_mm: serde_json::Value,
    /// The symbols of each kind of die, one a face: each is photographed as `die_KIND_SYMBOL_1`, `_2`, ….
    pub faces: BTreeMap<String, Vec<String>>,
    /// What a kind of die is to the rules (`energy`, `helm`, `weapon`, `sensor`, `shield`, `tractor`), where its name does not
    /// say it.
    #[serde(default)]
    pub kinds: BTreeMap<String, String>,
    /// Kind, symbol: what the symbol is to the rules (`F1`, `NOSE`, `J2`, …), where its name does not say it.
    #[serde(default)]
    pub symbols: BTreeMap<String, BTreeMap<String, String>>,
    /// Shapes of the kinds that are not `d6`.
    #[serde(default)]
    pub shapes: BTreeMap<String, String>,
    /// Where the number that counts stands on a kind: `point` or `base`, of a `d4`.
    #[serde(default)]
    pub reads: BTreeMap<String, Read>,
    /// How many dice of each kind a ship has.
    #[serde(default)]
    pub dice_per_team: BTreeMap<String, u32>,
    /// The number of the energy dice that power each station.
    #[serde(default)]
    pub station_number: BTreeMap<String, u32>,
    /// Station, zone, outline: each display is photographed as `display_TEAM_STATION`.
    #[serde(default)]
    pub displays: BTreeMap<String, BTreeMap<String, Vec<[f64; 2]>>>,
    /// Photographed as `board`.
    pub board: Option<OwnerBoard>,
    /// A ship's length from nose to tail; four fifths of a square where left out. Photographed as `ship_TEAM_N`, `_E`, `_S`, `_W`.
    pub ship_mm: Option<f64>,
    /// Tokens, photographed as `token_NAME`, and their other sides as `token_NAME_SIDE`. What is photographed and does not stand
    /// here is a round one of `token_radius_mm`, or of `mine_radius_mm` where its name begins with `mine`.
    #[serde(default)]
    pub tokens: BTreeMap<String, OwnerToken>,
    #[serde(default = "token_radius")]
    pub token_radius_mm: f64,
    #[serde(default = "mine_radius")]
    pub mine_radius_mm: f64,
    /// What differs from the rules' defaults; `[rules]` of the copy.
    #[serde(default)]
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    pub rules: toml::Table,
    /// In words, what zones are measured in; for people.
    #[serde(default, rename = "frame")]
    pub _frame: serde_json::Value,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct OwnerBoard {
    /// Squares from left to right.
    pub cols: u32,
    /// Squares from top to bottom.
    pub rows: u32,
    pub square_mm: f64,
    pub width_mm: f64,
    pub height_mm: f64,
    #[serde(default)]
    pub thickness_mm: f64,
    /// Upper left corner of the upper left square.
    pub grid_origin_mm: [f64; 2],
    /// Column and row of the square of each number.
    #[serde(default)]
    pub crystal_squares: BTreeMap<String, [u32; 2]>,
    /// Where each team's ship starts.
    #[serde(default)]
    pub start_squares: BTreeMap<String, OwnerStart>,
    #[serde(default)]
    pub zones: BTreeMap<String, Vec<[f64; 2]>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct OwnerStart {
    pub square: [u32; 2],
    /// `N`, `E`, `S` or `W`.
    pub heading: Option<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct OwnerToken {
    #[serde(default = "round")]
    pub outline: Outline,
    /// Across.
    pub size_mm: f64,
    /// What it is to the rules; its name where left out.
    pub means: Option<String>,
    /// Its other side's name, and what that is to the rules.
    #[serde(default)]
    pub back: BTreeMap<String, String>,
}

/// One value for all, or one for each kind or station.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "one value, or one for each name,")]
pub(super) enum PerKind<T> {
    All(T),
    Each(BTreeMap<String, T>),
}

impl<T: Copy> PerKind<T> {
    /// Of this kind; `None` where there is a list that does not hold it.
    pub fn of(&self, kind: &str) -> Option<T> {
        match self {
            Self::All(v) => Some(*v),
            Self::Each(each) => each.get(kind).copied(),
        }
    }

    fn names(&self) -> impl Iterator<Item = &String> {
        match self {
            Self::All(_) => None,
            Self::Each(each) => Some(each.keys()),
        }
        .into_iter()
        .flatten()
    }
}

fn dice_duel() -> String {
    "dice-duel".to_owned()
}

fn teams() -> Vec<String> {
    ["white", "black"].map(str::to_owned).to_vec()
}

fn card() -> PerKind<[f64; 2]> {
    PerKind::Each(BTreeMap::new())
}

fn token_radius() -> f64 {
    20.0
}

fn mine_radius() -> f64 {
    10.0
}

fn round() -> Outline {
    Outline::Round
}

impl Owner {
    /// Reads the file, and says on standard error which of its fields nobody asks for.
    ///
    /// # Errors
    /// It is no such file, or what stands in it contradicts itself: one sentence with file and field.
    pub fn load(path: &Path) -> anyhow::Result<Self> {
        let wrong = |why: String| UserError(format!("{}: {why}", path.display()));
        let text = read_text(path).map_err(|e| wrong(in_words(&e)))?;
        let (owner, unknown) = Self::parse(&text).map_err(wrong)?;
        for field in unknown {
            complain!(
                "sightline: {}: {field}: nothing is known of such a field, and it is passed over",
                path.display()
            );
        }
        owner.check().map_err(wrong)?;
        Ok(owner)
    }

    /// The file's text, and the fields in it that are none.
    fn parse(text: &str) -> Result<(Self, Vec<String>), String> {
        let mut unknown = Vec::new();
        let mut track = serde_path_to_error::Track::new();
        let mut from = serde_json::Deserializer::from_str(text);
        let owner = serde_ignored::deserialize(
            serde_path_to_error::Deserializer::new(&mut from, &mut track),
            // an optional table is a step of its own
            |path| unknown.push(path.to_string().replace(".?", "")),
        );
        let owner = owner.map_err(|e| format!("{}: {e}", track.path()))?;
        from.end().map_err(|e| e.to_string())?;
        Ok((owner, unknown))
    }

    /// Every name in it is one that is there, and every thing has its size.
    fn check(&self) -> Result<(), String> {
        let kinds = |field: &str, names: Vec<&String>| named(field, names, &self.faces, "faces");
        kinds("die_mm", self.die_mm.names().collect())?;
        kinds("kinds", self.kinds.keys().collect())?;
        kinds("symbols", self.symbols.keys().collect())?;
        kinds("shapes", self.shapes.keys().collect())?;
        kinds("reads", self.reads.keys().collect())?;
        kinds("dice_per_team", self.dice_per_team.keys().collect())?;
        for (kind, symbols) in &self.symbols {
            let faces = self.faces.get(kind).into_iter().flatten();
            let faces: BTreeMap<String, ()> = faces.map(|f| (f.clone(), ())).collect();
            let field = format!("symbols.{kind}");
            named(&field, symbols.keys(), &faces, &format!("faces.{kind}"))?;
        }
        named("card_mm", self.card_mm.names(), &self.displays, "displays")?;
        let stations = self.station_number.keys();
        named("station_number", stations, &self.displays, "displays")?;
        if let Some(kind) = self.faces.keys().find(|k| self.die_mm.of(k).is_none()) {
            return Err(format!(
                "die_mm.{kind}: is missing: say how large these dice are"
            ));
        }
        if let Some(station) = self.displays.keys().find(|s| self.card_mm.of(s).is_none()) {
            return Err(format!(
                "card_mm.{station}: is missing: say how wide and high this display is, or one size for all"
            ));
        }
        if let Some(board) = &self.board {
            let teams: BTreeMap<String, ()> = self.teams.iter().map(|t| (t.clone(), ())).collect();
            let starts = board.start_squares.keys();
            named("board.start_squares", starts, &teams, "teams")?;
        }
        for name in self.names() {
            let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ' | '+');
            if name.is_empty() || name.starts_with('.') || !name.chars().all(plain) {
                return Err(format!(
                    "\"{name}\": photographs are named after it: use letters, digits, - and _"
                ));
            }
        }
        Ok(())
    }

    /// All names of which file names are made.
    fn names(&self) -> BTreeSet<&String> {
        let faces = self
            .faces
            .iter()
            .flat_map(|(k, faces)| faces.iter().chain([k]));
        let tokens = self.tokens.iter();
        let tokens = tokens.flat_map(|(name, t)| t.back.keys().chain([name]));
        let stations = self.displays.keys().chain(&self.teams);
        faces.chain(tokens).chain(stations).collect()
    }

    /// What a kind of die is to the rules; `None` for a foreign one.
    pub fn kind_means(&self, kind: &str) -> Option<String> {
        if let Some(means) = self.kinds.get(kind) {
            return (!means.is_empty()).then(|| means.clone());
        }
        if self.game != dice_duel() {
            return None;
        }
        let usual = match kind {
            "weapons" => DieKind::Weapon,
            "sensors" => DieKind::Sensor,
            "shields" => DieKind::Shield,
            other => other.parse().ok()?,
        };
        Some(usual.to_string())
    }

    /// What a symbol is to the rules; `None` where its own name says it.
    pub fn symbol_means(&self, kind: &str, face: &str) -> Option<String> {
        let said = self.symbols.get(kind).and_then(|s| s.get(face)).cloned();
        let kind = self.kind_means(kind).and_then(|k| k.parse().ok());
        said.or_else(|| kind.and_then(|kind| usual(kind, face)).map(str::to_owned))
            .filter(|means| means != face)
    }

    /// A token's description: what stands in the file, or else what its name says.
    pub fn token(&self, name: &str) -> OwnerToken {
        if let Some(token) = self.tokens.get(name) {
            return token.clone();
        }
        let is_mine = name.starts_with("mine");
        OwnerToken {
            outline: if name == CRYSTAL {
                Outline::Other
            } else {
                Outline::Round
            },
            size_mm: 2.0
                * if is_mine {
                    self.mine_radius_mm
                } else {
                    self.token_radius_mm
                },
            // whose mine it is, its name says
            means: is_mine.then(|| "mine".to_owned()),
            back: BTreeMap::new(),
        }
    }
}

/// The token that is photographed as `crystal`.
pub(super) const CRYSTAL: &str = "crystal";

/// Refuses a name in `field` that `there` does not hold.
fn named<'a, T>(
    field: &str,
    names: impl IntoIterator<Item = &'a String>,
    there: &BTreeMap<String, T>,
    of: &str,
) -> Result<(), String> {
    match names.into_iter().find(|n| !there.contains_key(*n)) {
        Some(name) => Err(format!("{field}.{name}: there is no {name} in {of}")),
        None => Ok(()),
    }
}

/// The rules' word for a symbol that is named in full.
fn usual(kind: DieKind, face: &str) -> Option<&'static str> {
    let symbol = match (kind, face) {
        (DieKind::Energy, _) => face.parse().ok().and_then(Symbol::energy)?,
        (DieKind::Helm, "forward1") => Symbol::Forward1,
        (DieKind::Helm, "forward2") => Symbol::Forward2,
        (DieKind::Helm, "forward_right") => Symbol::ForwardRight,
        (DieKind::Helm, "forward_left") => Symbol::ForwardLeft,
        (DieKind::Helm, "forward_turn") => Symbol::ForwardAround,
        (DieKind::Weapon, "nose") => Symbol::Nose,
        (DieKind::Weapon, "body") => Symbol::Body,
        (DieKind::Weapon, "tail") => Symbol::Tail,
        (DieKind::Weapon, "blast1") => Symbol::Blast1,
        (DieKind::Weapon, "blast2") => Symbol::Blast2,
        (DieKind::Sensor, "lock1") => Symbol::Lock1,
        (DieKind::Sensor, "lock2") => Symbol::Lock2,
        (DieKind::Sensor, "jammer1") => Symbol::Jammer1,
        (DieKind::Sensor, "jammer2") => Symbol::Jammer2,
        (DieKind::Shield, "1") => Symbol::Shield1,
        (DieKind::Shield, "2") => Symbol::Shield2,
        (DieKind::Shield, "3") => Symbol::Shield3,
        (DieKind::Shield, "4") => Symbol::Shield4,
        (DieKind::Tractor, "beam1") => Symbol::Beam1,
        (DieKind::Tractor, "beam2") => Symbol::Beam2,
        (DieKind::Tractor, "mineA") => Symbol::MineA,
        (DieKind::Tractor, "mineB") => Symbol::MineB,
        (_, "expansion") => Symbol::Expansion,
        _ => return None,
    };
    Some(symbol.name())
}

/// The rules' word for a zone: `front-1/nose` is `front-1.nose`, `mineA` is `mine-A`.
pub(super) fn zone_means(zone: &str) -> String {
    match zone {
        "mineA" => "mine-A".to_owned(),
        "mineB" => "mine-B".to_owned(),
        // printed on the board, but a ship's: `damage/white/1` is `white.damage.1`
        other => match other
            .strip_prefix("damage/")
            .and_then(|d| d.split_once('/'))
        {
            Some((team, n)) => format!("/{team}.damage.{n}"),
            None => other.replace('/', "."),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(fields: &str) -> Result<(Owner, Vec<String>), String> {
        let text = format!("{{\"die_mm\": 16, \"faces\": {{\"zap\": [\"a\", \"b\"]}}{fields}}}");
        let (owner, unknown) = Owner::parse(&text)?;
        owner.check()?;
        Ok((owner, unknown))
    }

    #[test]
    fn a_field_that_is_none_is_named() {
        let (_, unknown) = told(", \"card_thicknes_mm\": 2, \"board\": {\"cols\": 3, \"rows\": 2, \"square_mm\": 40, \"width_mm\": 200, \"height_mm\": 100, \"grid_origin_mm\": [0, 0], \"crystals\": {}}").unwrap();
        assert_eq!(unknown, ["card_thicknes_mm", "board.crystals"]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_field() {
        let refused = |fields: &str| told(fields).err().expect("refused");
        assert_eq!(
            refused(", \"displays\": {\"helm\": {}}"),
            "card_mm.helm: is missing: say how wide and high this display is, or one size for all"
        );
        assert_eq!(
            refused(", \"kinds\": {\"zip\": \"weapon\"}"),
            "kinds.zip: there is no zip in faces"
        );
        assert_eq!(
            refused(", \"symbols\": {\"zap\": {\"c\": \"NOSE\"}}"),
            "symbols.zap.c: there is no c in faces.zap"
        );
        let wrong = refused(", \"card_mm\": \"wide\"");
        assert!(wrong.starts_with("card_mm: "), "{wrong}");
        assert!(refused(", \"teams\": [\"a/b\"]").starts_with("\"a/b\": photographs are named"));
    }

    #[test]
    fn what_nothing_rests_on_is_no_hindrance() {
        for radius in ["2.4", "{\"zap\": 1.5}"] {
            let (_, unknown) = told(&format!(", \"die_edge_radius_mm\": {radius}")).unwrap();
            assert!(unknown.is_empty(), "{unknown:?}");
        }
    }

    #[test]
    fn any_owners_names_will_do() {
        let (owner, _) =
            told(", \"kinds\": {\"zap\": \"weapon\"}, \"symbols\": {\"zap\": {\"a\": \"NOSE\"}}")
                .unwrap();
        assert_eq!(owner.kind_means("zap").as_deref(), Some("weapon"));
        assert_eq!(owner.symbol_means("zap", "a").as_deref(), Some("NOSE"));
        assert_eq!(owner.symbol_means("zap", "b"), None);
    }
}
