//! `owner.json`: what an owner measured and entered, beside the photographs of an unattended enrolment.
//!
//! Millimetres; zones from a card's upper left, x right, y down; squares as column and row from the
//! board's upper left.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Outline, OwnerError, Read, owner_error};

/// What an owner measured of a copy and calls its things. File names are made of the names that stand here.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[schemars(title = "owner.json")]
pub struct Owner {
    /// The rules that are played with it: `dice-duel`, `diceland`, `thunderstruck` or `nearspace`.
    #[serde(default = "dice_duel")]
    pub game: String,
    /// Who plays: each has displays and a ship of their own.
    #[serde(default = "teams")]
    pub teams: Vec<String>,
    /// Width and height of the displays: one for all, or one for each station.
    #[serde(default = "PerKind::<[f64; 2]>::default")]
    pub card_mm: PerKind<[f64; 2]>,
    /// How thick the displays are; 0 where left out.
    #[serde(default)]
    pub card_thickness_mm: f64,
    /// Edge of the dice: one for all, or one for each kind.
    #[serde(default = "PerKind::<f64>::default")]
    pub die_mm: PerKind<f64>,
    /// How far the dice's edges are rounded off, one for all or one for each kind; nothing rests on it.
    #[serde(
        default,
        rename = "die_edge_radius_mm",
        skip_serializing_if = "serde_json::Value::is_null"
    )]
    pub _die_edge_radius_mm: serde_json::Value,
    /// The symbols of each kind of die, one a face: each is photographed as `die_KIND_SYMBOL_1`, `_2`, ….
    #[serde(default)]
    pub faces: BTreeMap<String, Vec<String>>,
    /// What a kind of die is to the rules (`energy`, `helm`, `weapon`, `sensor`, `shield`, `tractor`), where its name does not
    /// say it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub kinds: BTreeMap<String, String>,
    /// Kind, symbol: what the symbol is to the rules (`F1`, `NOSE`, `J2`, …), where its name does not say it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub symbols: BTreeMap<String, BTreeMap<String, String>>,
    /// What a display is to the rules (`helm`, `weapons`, …), where its name does not say it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stations: BTreeMap<String, String>,
    /// Display or `board`, zone: what the zone is to the rules (`A`, `front-1/nose`, `damage/white/1`, …), where its name does
    /// not say it; nothing where empty.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub zones: BTreeMap<String, BTreeMap<String, String>>,
    /// Shapes of the kinds that are not `d6`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub shapes: BTreeMap<String, String>,
    /// Where the number that counts stands on a kind: `point` or `base`, of a `d4`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub reads: BTreeMap<String, Read>,
    /// How many dice of each kind a ship has.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub dice_per_team: BTreeMap<String, u32>,
    /// The number of the energy dice that power each station.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub station_number: BTreeMap<String, u32>,
    /// Station, zone, outline: each display is photographed as `display_TEAM_STATION`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub displays: BTreeMap<String, BTreeMap<String, Vec<[f64; 2]>>>,
    /// Photographed as `board`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board: Option<OwnerBoard>,
    /// A ship's length from nose to tail; four fifths of a square where left out. Photographed as `ship_TEAM_N`, `_E`, `_S`, `_W`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ship_mm: Option<f64>,
    /// Tokens, photographed as `token_NAME`, and their other sides as `token_NAME_SIDE`. What is photographed and does not stand
    /// here is a round one of `token_radius_mm`, or of `mine_radius_mm` where its name begins with `mine`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tokens: BTreeMap<String, OwnerToken>,
    /// Of round tokens that do not stand in `tokens`; 20 where left out.
    #[serde(default = "token_radius")]
    pub token_radius_mm: f64,
    /// The same of mines; 10 where left out.
    #[serde(default = "mine_radius")]
    pub mine_radius_mm: f64,
    /// What the rules know and this copy has not: `board`, `tokens`, `DISPLAY/ZONE` or `board/ZONE`. It is not missed.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub absent: BTreeSet<String>,
    /// What differs from the rules' defaults; `[rules]` of the copy.
    #[serde(default, skip_serializing_if = "toml::Table::is_empty")]
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    pub rules: toml::Table,
    /// In words, what zones are measured in; for people.
    #[serde(
        default,
        rename = "frame",
        skip_serializing_if = "serde_json::Value::is_null"
    )]
    pub _frame: serde_json::Value,
}

/// A display or board as its owner measured it; millimetres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// Width and height.
    pub size_mm: [f64; 2],
    pub thickness_mm: f64,
    /// The outline of what is printed in it, where that is known: a board's squares. Its left and top from the whole's, its width and height.
    pub frame_mm: Option<[f64; 4]>,
}

#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct OwnerBoard {
    /// Squares from left to right.
    pub cols: u32,
    /// Squares from top to bottom.
    pub rows: u32,
    /// Side of a square.
    pub square_mm: f64,
    /// Of the whole board.
    pub width_mm: f64,
    /// Of the whole board.
    pub height_mm: f64,
    /// How thick it is; 0 where left out.
    #[serde(default)]
    pub thickness_mm: f64,
    /// Upper left corner of the upper left square.
    pub grid_origin_mm: [f64; 2],
    /// Column and row of the square of each number.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub crystal_squares: BTreeMap<String, [u32; 2]>,
    /// Where each team's ship starts.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub start_squares: BTreeMap<String, OwnerStart>,
    /// Zone, outline: `used-crystals`, `damage/TEAM/N`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub zones: BTreeMap<String, Vec<[f64; 2]>>,
}

#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct OwnerStart {
    /// Column and row, from the upper left.
    pub square: [u32; 2],
    /// `N`, `E`, `S` or `W`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heading: Option<String>,
}

#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct OwnerToken {
    /// `round` (where left out), `square`, `hexagon` or `other`.
    #[serde(default = "round")]
    pub outline: Outline,
    /// Diameter of a round one, between opposite edges of the others.
    pub size_mm: f64,
    /// What it is to the rules; its name where left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub means: Option<String>,
    /// Its other side's name, and what that is to the rules.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub back: BTreeMap<String, String>,
}

/// The board, where displays and zones are named.
pub const BOARD: &str = "board";
/// Nobody cuts tokens smaller.
const LEAST_TOKEN_MM: f64 = 5.0;
/// All tokens, where [`Owner::absent`] names them.
pub const TOKENS: &str = "tokens";

/// Whether photographs can be called after such a name.
pub fn names_photographs(name: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ' | '+');
    !name.is_empty() && !name.starts_with('.') && name.chars().all(plain)
}

/// One value for all, or one for each kind or station.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(untagged, expecting = "one value, or one for each name, is wanted")]
pub enum PerKind<T> {
    All(T),
    Each(BTreeMap<String, T>),
}

impl<T> Default for PerKind<T> {
    /// Nothing is said yet.
    fn default() -> Self {
        Self::Each(BTreeMap::new())
    }
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

fn token_radius() -> f64 {
    20.0
}

fn mine_radius() -> f64 {
    10.0
}

fn round() -> Outline {
    Outline::Round
}

impl Default for Owner {
    /// What is taken where nothing is said.
    fn default() -> Self {
        Self {
            game: dice_duel(),
            teams: teams(),
            card_mm: PerKind::default(),
            card_thickness_mm: 0.0,
            die_mm: PerKind::default(),
            _die_edge_radius_mm: serde_json::Value::Null,
            faces: BTreeMap::new(),
            kinds: BTreeMap::new(),
            symbols: BTreeMap::new(),
            stations: BTreeMap::new(),
            zones: BTreeMap::new(),
            shapes: BTreeMap::new(),
            reads: BTreeMap::new(),
            dice_per_team: BTreeMap::new(),
            station_number: BTreeMap::new(),
            displays: BTreeMap::new(),
            board: None,
            ship_mm: None,
            tokens: BTreeMap::new(),
            token_radius_mm: token_radius(),
            mine_radius_mm: mine_radius(),
            absent: BTreeSet::new(),
            rules: toml::Table::new(),
            _frame: serde_json::Value::Null,
        }
    }
}

impl Owner {
    /// What was measured of the board, or of a station's display; `None` where that was not.
    pub fn measured(&self, surface: &str) -> Option<Measured> {
        if surface != BOARD {
            return Some(Measured {
                size_mm: self.card_mm.of(surface)?,
                thickness_mm: self.card_thickness_mm,
                frame_mm: None,
            });
        }
        let board = self.board.as_ref()?;
        let [left, top] = board.grid_origin_mm;
        let [width, height] = [board.cols, board.rows].map(|n| f64::from(n) * board.square_mm);
        Some(Measured {
            size_mm: [board.width_mm, board.height_mm],
            thickness_mm: board.thickness_mm,
            frame_mm: Some([left, top, width, height]),
        })
    }

    /// The file's text.
    ///
    /// # Errors
    /// A value that JSON has no word for, such as a date among the rules.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self).map(|text| text + "\n")
    }

    /// The file's text, and the fields in it that are none.
    ///
    /// # Errors
    /// The first thing that is no JSON, or no such field's.
    pub fn parse(text: &str) -> Result<(Self, Vec<String>), OwnerError> {
        // what is no JSON is found first where it stands: within a field that may be two things nobody would say where
        owner_error::each_name_once(text)?;
        let mut unknown = Vec::new();
        let mut track = serde_path_to_error::Track::new();
        let mut from = serde_json::Deserializer::from_str(text);
        let owner = serde_ignored::deserialize(
            serde_path_to_error::Deserializer::new(&mut from, &mut track),
            // an optional table is a step of its own
            |path| unknown.push(path.to_string().replace(".?", "")),
        );
        let owner = owner.map_err(|e| OwnerError::of_parser(&track.path(), &e))?;
        let whole = from.end();
        whole.map_err(|e| OwnerError::of_parser(&serde_path_to_error::Track::new().path(), &e))?;
        Ok((owner, unknown))
    }

    /// Every name in it is one that is there, and every thing has its size.
    ///
    /// # Errors
    /// The first that is not.
    pub fn check(&self) -> Result<(), OwnerError> {
        if self.faces.is_empty() {
            return Err(OwnerError::new(
                &["faces"],
                "is missing: say which symbols each kind of die has; sightline owner writes the file",
            ));
        }
        let kinds = |field: &str, names: Vec<&String>| named(&[field], names, &self.faces, "faces");
        kinds("die_mm", self.die_mm.names().collect())?;
        kinds("kinds", self.kinds.keys().collect())?;
        kinds("symbols", self.symbols.keys().collect())?;
        kinds("shapes", self.shapes.keys().collect())?;
        kinds("reads", self.reads.keys().collect())?;
        kinds("dice_per_team", self.dice_per_team.keys().collect())?;
        for (kind, symbols) in &self.symbols {
            let faces = self.faces.get(kind).into_iter().flatten();
            let faces: BTreeMap<String, ()> = faces.map(|f| (f.clone(), ())).collect();
            let within = ["symbols", kind];
            named(&within, symbols.keys(), &faces, &format!("faces.{kind}"))?;
        }
        let displays =
            |field: &str, names: Vec<&String>| named(&[field], names, &self.displays, "displays");
        displays("card_mm", self.card_mm.names().collect())?;
        displays("station_number", self.station_number.keys().collect())?;
        displays("stations", self.stations.keys().collect())?;
        let on_displays = self.zones.keys().filter(|surface| *surface != BOARD);
        displays("zones", on_displays.collect())?;
        let nothing = BTreeMap::new();
        for (surface, zones) in &self.zones {
            let (drawn, list) = match surface.as_str() {
                BOARD => (self.zones_of(BOARD), "board.zones".to_owned()),
                display => (self.zones_of(display), format!("displays.{display}")),
            };
            named(
                &["zones", surface],
                zones.keys(),
                drawn.unwrap_or(&nothing),
                &list,
            )?;
        }
        if let Some(kind) = self.faces.keys().find(|k| self.die_mm.of(k).is_none()) {
            let what = "is missing: say how large these dice are";
            return Err(OwnerError::new(&["die_mm", kind], what));
        }
        if let Some(station) = self.displays.keys().find(|s| self.card_mm.of(s).is_none()) {
            return Err(OwnerError::new(
                &["card_mm", station],
                "is missing: say how wide and high this display is, or one size for all",
            ));
        }
        if let Some(board) = &self.board {
            let sizes = [
                ("width_mm", board.width_mm),
                ("height_mm", board.height_mm),
                ("square_mm", board.square_mm),
            ];
            if let Some((field, _)) = sizes.iter().find(|(_, mm)| *mm <= 0.0) {
                let what = "is missing: measure it, in millimetres";
                return Err(OwnerError::new(&[BOARD, field], what));
            }
            let teams: BTreeMap<String, ()> = self.teams.iter().map(|t| (t.clone(), ())).collect();
            let starts = board.start_squares.keys();
            let crystals = board.crystal_squares.iter();
            let crystals = crystals.map(|(n, at)| ("crystal_squares", n, *at));
            let begin = board.start_squares.iter();
            let begin = begin.map(|(team, s)| ("start_squares", team, s.square));
            for (field, name, [column, row]) in crystals.chain(begin) {
                if column >= board.cols || row >= board.rows {
                    let what = format!(
                        "[{column}, {row}] is off the board: columns are 0 to {}, rows 0 to {}, from the upper left",
                        board.cols.saturating_sub(1),
                        board.rows.saturating_sub(1)
                    );
                    return Err(OwnerError::new(&[BOARD, field, name], what));
                }
            }
            named(&[BOARD, "start_squares"], starts, &teams, "teams")?;
        }
        self.check_absent()?;
        let mut files: BTreeMap<String, &str> = BTreeMap::new();
        for (kind, faces) in &self.faces {
            for face in faces.iter().collect::<BTreeSet<_>>() {
                let file = format!("{kind}-{face}");
                if let Some(other) = files.insert(file, kind) {
                    let what = format!(
                        "its pictures would be called as those of a symbol of {other} are: call one of them otherwise"
                    );
                    return Err(OwnerError::new(&["faces", kind, face], what));
                }
            }
        }
        let mut names = self.names().into_iter();
        match names.find(|(_, name)| !names_photographs(name)) {
            Some((within, name)) => {
                let field: Vec<&str> = within.into_iter().chain([name]).collect();
                let what = format!(
                    "\"{name}\": photographs are named after it: use letters, digits, - and _"
                );
                Err(OwnerError::new(&field, what))
            }
            None => Ok(()),
        }
    }

    /// Sizes that are hardly millimetres: zones into which no die fits, and tokens smaller than anybody's.
    pub fn odd_sizes(&self) -> Vec<OwnerError> {
        let edges = self.faces.keys().filter_map(|kind| self.die_mm.of(kind));
        // where there are no dice, none is too large
        let die = edges.reduce(f64::min).unwrap_or_default();
        let span = |outline: &[[f64; 2]], axis: usize| {
            let along = outline.iter().map(|p| p[axis]);
            let least = along.clone().fold(f64::MAX, f64::min);
            along.fold(f64::MIN, f64::max) - least
        };
        let mut odd = Vec::new();
        let displays = self.displays.iter();
        let displays = displays.map(|(station, zones)| (vec!["displays", station.as_str()], zones));
        let board = self.board.iter();
        let board = board.map(|board| (vec![BOARD, "zones"], &board.zones));
        for (within, zones) in displays.chain(board) {
            for (zone, outline) in zones {
                let [wide, high] = [0, 1].map(|axis| span(outline, axis));
                if wide.min(high) < die / 2.0 && !outline.is_empty() {
                    let what = format!(
                        "is {wide:.1} by {high:.1} mm: no die fits into it; are these centimetres?"
                    );
                    let field: Vec<&str> = within.iter().copied().chain([zone.as_str()]).collect();
                    odd.push(OwnerError::new(&field, what));
                }
            }
        }
        let tokens = self.tokens.iter();
        let tokens = tokens.map(|(name, t)| (vec!["tokens", name.as_str(), "size_mm"], t.size_mm));
        let round = [
            (vec!["token_radius_mm"], 2.0 * self.token_radius_mm),
            (vec!["mine_radius_mm"], 2.0 * self.mine_radius_mm),
        ];
        for (field, across) in tokens.chain(round) {
            if across < LEAST_TOKEN_MM {
                let what = format!("{across:.1} mm across: are these centimetres?");
                odd.push(OwnerError::new(&field, what));
            }
        }
        odd
    }

    /// What the copy is said to lack could be there, and is not.
    fn check_absent(&self) -> Result<(), OwnerError> {
        for word in &self.absent {
            let is_there = match word.as_str() {
                BOARD => self.board.is_some(),
                TOKENS => !self.tokens.is_empty(),
                _ => {
                    let named = word.split_once('/').filter(|(surface, zone)| {
                        let known = *surface == BOARD || self.displays.contains_key(*surface);
                        known && !zone.is_empty()
                    });
                    let (surface, zone) = named.ok_or_else(|| {
                        let what = format!(
                            "names nothing: write {BOARD}, {TOKENS}, or a zone after the display that it is on, as in helm/C or {BOARD}/used-crystals; a display that your copy has not is left out of displays"
                        );
                        OwnerError::new(&["absent", word], what)
                    })?;
                    self.zones_of(surface).is_some_and(|z| z.contains_key(zone))
                }
            };
            if is_there {
                let what = "is there all the same: take it away here or there";
                return Err(OwnerError::new(&["absent", word], what));
            }
        }
        Ok(())
    }

    /// The zones that were drawn on a display, or on [`BOARD`].
    pub fn zones_of(&self, surface: &str) -> Option<&BTreeMap<String, Vec<[f64; 2]>>> {
        match &self.board {
            Some(board) if surface == BOARD => Some(&board.zones),
            _ => self.displays.get(surface),
        }
    }

    /// All names of which file names are made, with the fields that they stand in.
    fn names(&self) -> Vec<(Vec<&str>, &str)> {
        let mut names: Vec<(Vec<&str>, &str)> = Vec::new();
        for (kind, faces) in &self.faces {
            names.push((vec!["faces"], kind));
            names.extend(
                faces
                    .iter()
                    .map(|f| (vec!["faces", kind.as_str()], f.as_str())),
            );
        }
        for (name, token) in &self.tokens {
            names.push((vec!["tokens"], name));
            let back = token.back.keys();
            names.extend(back.map(|side| (vec!["tokens", name.as_str(), "back"], side.as_str())));
        }
        names.extend(self.displays.keys().map(|d| (vec!["displays"], d.as_str())));
        names.extend(self.teams.iter().map(|t| (vec!["teams"], t.as_str())));
        names
    }
}

/// Refuses a name in a field that `there` does not hold.
fn named<'a, T>(
    field: &[&str],
    names: impl IntoIterator<Item = &'a String>,
    there: &BTreeMap<String, T>,
    of: &str,
) -> Result<(), OwnerError> {
    match names.into_iter().find(|n| !there.contains_key(*n)) {
        Some(name) => {
            let field: Vec<&str> = field.iter().copied().chain([name.as_str()]).collect();
            Err(OwnerError::new(
                &field,
                format!("there is no {name} in {of}"),
            ))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let (owner, _) = told(", \"card_mm\": {\"helm\": [150, 110]}, \"displays\": {\"helm\": {\"A\": [[1, 2], [3, 2], [3, 4]]}}, \"rules\": {\"n\": 3}").expect("an owner");
        let text = owner.to_json().expect("text");
        let (again, unknown) = Owner::parse(&text).expect("the same");
        assert!(unknown.is_empty());
        assert_eq!(again.to_json().expect("text"), text);
        assert_eq!(again.card_mm.of("helm"), Some([150.0, 110.0]));
    }

    #[test]
    fn an_empty_file_is_told_what_it_lacks() {
        let (owner, _) = Owner::parse("{}").expect("an object");
        assert!(
            owner
                .check()
                .expect_err("lacks")
                .to_string()
                .starts_with("faces: is missing")
        );
    }

    fn told(fields: &str) -> Result<(Owner, Vec<String>), String> {
        let text = format!("{{\"die_mm\": 16, \"faces\": {{\"zap\": [\"a\", \"b\"]}}{fields}}}");
        let (owner, unknown) = Owner::parse(&text).map_err(|e| e.to_string())?;
        owner.check().map_err(|e| e.to_string())?;
        Ok((owner, unknown))
    }

    #[test]
    fn a_field_that_is_none_is_named() {
        let (_, unknown) = told(", \"card_thicknes_mm\": 2, \"board\": {\"cols\": 3, \"rows\": 2, \"square_mm\": 40, \"width_mm\": 200, \"height_mm\": 100, \"grid_origin_mm\": [0, 0], \"crystals\": {}}").unwrap();
        assert_eq!(unknown, ["card_thicknes_mm", "board.crystals"]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_field() {
        let refused = |fields: &str| told(fields).expect_err("refused");
        assert_eq!(
            refused(", \"displays\": {\"helm\": {}}"),
            "card_mm.helm: is missing: say how wide and high this display is, or one size for all"
        );
        let (twice, _) = Owner::parse(
            "{\"die_mm\": 16, \"faces\": {\"a\": [\"b-c\", \"b-c\"], \"a-b\": [\"c\"]}}",
        )
        .expect("an owner");
        let twice = twice.check().expect_err("one picture for two").to_string();
        assert!(twice.starts_with("faces.a-b.c: its pictures"), "{twice}");
        assert_eq!(
            refused(", \"kinds\": {\"zip\": \"weapon\"}"),
            "kinds.zip: there is no zip in faces"
        );
        assert_eq!(
            refused(", \"symbols\": {\"zap\": {\"c\": \"NOSE\"}}"),
            "symbols.zap.c: there is no c in faces.zap"
        );
        assert_eq!(
            refused(", \"card_mm\": \"wide\""),
            "card_mm: one value, or one for each name, is wanted"
        );
        assert_eq!(
            refused(", \"dice_per_team\": {\"zap\": -3}"),
            "dice_per_team.zap: is wrong: integer `-3`; a whole number from 0 up is wanted"
        );
        assert_eq!(
            refused(", \"symbols\": {\"zap\": {\"a\": \"NOSE\", \"a\": \"TAIL\"}}"),
            "symbols.zap: \"a\" stands here twice: take one of them away"
        );
        assert!(
            refused(", \"teams\": [\"a/b\"]")
                .starts_with("teams.a/b: \"a/b\": photographs are named")
        );
    }

    #[test]
    fn what_a_copy_lacks_could_be_there_and_is_not() {
        let absent = |words: &str| {
            told(&format!(
                ", \"card_mm\": [150, 110], \"displays\": {{\"helm\": {{\"A\": [[1, 2], [3, 2], [3, 4]]}}}}, \"absent\": {words}"
            ))
        };
        let (owner, unknown) =
            absent(r#"["board", "tokens", "helm/C", "board/used-crystals"]"#).expect("an owner");
        assert!(unknown.is_empty() && owner.absent.contains("helm/C"));
        for (words, why) in [
            (r#"["tokns"]"#, "absent.tokns: names nothing"),
            (r#"["hlm/C"]"#, "absent.hlm/C: names nothing"),
            (r#"["helm/"]"#, "absent.helm/: names nothing"),
            (r#"["helm/A"]"#, "absent.helm/A: is there"),
        ] {
            let said = absent(words).expect_err("refused");
            assert!(said.starts_with(why), "{said}");
        }
    }

    #[test]
    fn what_is_no_json_is_said_where_it_stands() {
        let said = |text: &str| {
            let wrong = Owner::parse(text).expect_err("no JSON");
            wrong.within(std::path::Path::new("owner.json"), text)
        };
        for (text, wanted) in [
            (
                "{\"die_mm\": {\"zap\": 16,\n\"faces\": {}}",
                "owner.json:2: the file ends before a closing brace }",
            ),
            (
                "{\"die_mm\": {\"zap\": 16\n\"faces\": {}}}",
                "owner.json:2: die_mm: a comma, or a closing brace }, is missing before this",
            ),
            (
                "{\"die_mm\":\n{\"zap\": 16,}}",
                "owner.json:2: die_mm: a comma too many stands before this",
            ),
            (
                "{\n\u{201c}die_mm\u{201d}: 16}",
                "owner.json:2: a name in straight quotes, as in \"helm\", is wanted here",
            ),
        ] {
            assert_eq!(said(text), wanted);
        }
    }

    #[test]
    fn sizes_in_centimetres_are_odd() {
        let odd = |fields: &str| {
            let (owner, _) = told(&format!(", \"card_mm\": [150, 110]{fields}")).expect("an owner");
            let odd = owner.odd_sizes();
            odd.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let zone = |side: f64| {
            format!(
                ", \"displays\": {{\"helm\": {{\"A\": [[1, 1], [{0}, 1], [{0}, {0}]]}}}}",
                1.0 + side
            )
        };
        assert!(odd(&zone(20.0)).is_empty());
        let without_dice = "{\"die_mm\": 16, \"card_mm\": [150, 110], \"faces\": {}";
        let (owner, _) =
            Owner::parse(&format!("{without_dice}{}}}", zone(20.0))).expect("an owner");
        assert_eq!(owner.odd_sizes(), []);
        assert_eq!(
            odd(&zone(2.0)),
            ["displays.helm.A: is 2.0 by 2.0 mm: no die fits into it; are these centimetres?"]
        );
        assert_eq!(
            odd(", \"token_radius_mm\": 1.6"),
            ["token_radius_mm: 3.2 mm across: are these centimetres?"]
        );
    }

    #[test]
    fn what_nothing_rests_on_is_no_hindrance() {
        for radius in ["2.4", "{\"zap\": 1.5}"] {
            let (_, unknown) = told(&format!(", \"die_edge_radius_mm\": {radius}")).unwrap();
            assert!(unknown.is_empty(), "{unknown:?}");
        }
    }
}
