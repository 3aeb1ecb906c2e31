//! What a copy says of itself, in Dice Duel's words: its print, and what the rules do not know.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde::de::DeserializeOwned;

use crate::{
    copy::{Copy, FileError, HouseRules, Mark, Means, Note, Surface},
    rules::{
        InputError,
        dice_duel::{
            DieKind, Facing, MAX_DICE_OF_A_KIND, Print, ShipId, Spot, Square, Start, Station,
            Symbol, TokenKind, Tube, Zone,
        },
    },
};

/// The most crystal squares there are numbers for.
const CRYSTAL_SQUARES: usize = 6;

/// What is known of a copy.
#[derive(Default)]
pub(super) struct Known {
    /// What the rules are told of it: the default of all that it does not say.
    pub print: Print,
    /// Which stations have a place on the copy, by the places that mean something.
    pub stations: BTreeSet<(ShipId, Station)>,
    /// What is none of the game's, for the owner to read.
    pub notes: Vec<Note>,
}

/// Reads a copy in the words of the rules.
///
/// A kind of die that means nothing is a foreign die, and its faces may mean anything. A surface, zone or piece whose own
/// name the rules do not know, and of which nobody says what it means, is none of the game's and noted.
///
/// # Errors
/// What `means` says is not known to the rules, two things mean the same, or the numbers are those of no game that can be
/// played: file, line and field.
pub(super) fn dice_duel(copy: &Copy) -> Result<Known, FileError> {
    let mut reader = Words {
        copy,
        notes: Vec::new(),
    };
    reader.dice()?;
    let zones = reader.surfaces()?;
    reader.pieces(&zones)?;
    let print = reader.print(&zones)?;
    let stations = zones.iter().filter_map(|zone| match zone {
        Zone::Display(ship, station) => Some((*ship, *station)),
        Zone::On(ship, spot) => Some((*ship, spot.station())),
        _ => None,
    });
    Ok(Known {
        print,
        stations: stations.collect(),
        notes: reader.notes,
    })
}

/// What is to be said of a copy of a game whose rules are told nothing of it yet: of what its owner wrote for them.
pub(super) fn untold(copy: &Copy) -> Vec<Note> {
    let note = |line, what| Note {
        path: copy.folder.join("copy.toml"),
        line,
        what,
    };
    let house = copy.rules.as_ref().map(|r| {
        let what = format!(
            "rules: of {} nothing is called from pictures yet, so that nothing here is heeded or checked",
            copy.game
        );
        note(r.line, what)
    });
    let surfaces = copy.surfaces.iter();
    let mut said =
        surfaces.flat_map(|s| std::iter::once(&s.means).chain(s.zones.iter().map(|z| &z.means)));
    let means = said.find(|m| m.said).map(|m| {
        let what = format!(
            "means = \"{m}\": of {} nothing is called from pictures yet; what things mean is told on as it stands here, and not checked",
            copy.game
        );
        note(m.line, what)
    });
    house.into_iter().chain(means).collect()
}

struct Words<'a> {
    copy: &'a Copy,
    notes: Vec<Note>,
}

impl Words<'_> {
    fn note(&self, line: usize, what: String) -> Note {
        Note {
            path: self.copy.folder.join("copy.toml"),
            line,
            what,
        }
    }

    fn wrong(&self, line: usize, what: String) -> FileError {
        self.note(line, what).into()
    }

    /// What a thing means. Its own name, where the rules do not know that, is noted.
    fn parsed<T>(&mut self, means: &Means, whole: &str, of: &str) -> Result<Option<T>, FileError>
    where
        T: std::str::FromStr,
        T::Err: std::fmt::Display,
    {
        if means.nothing {
            return Ok(None);
        }
        match whole.parse() {
            Ok(known) => Ok(Some(known)),
            Err(e) if means.said => Err(self.wrong(means.line, format!("means of {of}: {e}"))),
            Err(_) => {
                let what = format!(
                    "{of}: \"{whole}\" is nothing to Dice Duel: say with means what it is, or that it is nothing: means = \"\""
                );
                self.notes.push(self.note(means.line, what));
                Ok(None)
            }
        }
    }

    fn dice(&self) -> Result<(), FileError> {
        for die in &self.copy.dice {
            let Some(means) = &die.means else { continue };
            let kind: DieKind = means.parse().map_err(|e| {
                self.wrong(die.line, format!("means of kind \"{}\": {e}", die.kind))
            })?;
            for face in &die.faces {
                let of = || format!("means of face \"{}\" of kind \"{}\"", face.face, die.kind);
                let symbol: Symbol = face
                    .means
                    .parse()
                    .map_err(|e| self.wrong(face.line, format!("{}: {e}", of())))?;
                if !symbol.fits(kind) {
                    let what = format!("{}: \"{}\" is on no {kind} die", of(), face.means);
                    return Err(self.wrong(face.line, what));
                }
            }
        }
        Ok(())
    }

    /// The zones there are, surfaces as a whole among them.
    fn surfaces(&mut self) -> Result<Vec<Zone>, FileError> {
        let mut met: HashMap<Zone, String> = HashMap::new();
        for surface in &self.copy.surfaces {
            let of = format!("\"{}\"", surface.id);
            let zone = self.parsed::<Zone>(&surface.means, &surface.means, &of)?;
            if let Some(zone) = zone
                && !matches!(zone, Zone::Display(..) | Zone::Map | Zone::Table)
            {
                let what = format!(
                    "means of {of}: \"{zone}\" is a place on a display or a board; a display is for instance white.helm, the board is board"
                );
                return Err(self.wrong(surface.means.line, what));
            }
            let named = surface.zones.iter().map(|z| {
                let of = format!("zone \"{}\" of {of}", z.zone);
                (&z.means, surface.zone_name(z), of)
            });
            let known = zone.map(|zone| (&surface.means, zone, of.clone()));
            let mut here: Vec<(&Means, Zone, String)> = known.into_iter().collect();
            for (means, name, of) in named {
                let zone = self.parsed::<Zone>(means, &name, &of)?;
                here.extend(zone.map(|zone| (means, zone, of)));
            }
            for (means, zone, of) in here {
                if let Some(other) = met.insert(zone, of.clone()) {
                    let what = format!("means of {of}: \"{zone}\", which is what {other} is");
                    return Err(self.wrong(means.line, what));
                }
            }
        }
        Ok(met.into_keys().collect())
    }

    fn pieces(&mut self, zones: &[Zone]) -> Result<(), FileError> {
        let with_displays: HashSet<ShipId> = zones.iter().filter_map(|z| z.ship()).collect();
        let mut ships: HashMap<ShipId, String> = HashMap::new();
        for m in &self.copy.miniatures {
            let of = format!("miniature \"{}\"", m.id);
            let ship = self.parsed::<ShipId>(&m.means, &m.means, &of)?;
            if let Some(other) = ship.and_then(|ship| ships.insert(ship, of.clone())) {
                let what = format!("means of {of}: \"{}\", which is what {other} is", m.means);
                return Err(self.wrong(m.means.line, what));
            }
            if let Some(ship) = ship
                && !with_displays.is_empty()
                && !with_displays.contains(&ship)
            {
                let what = format!("means of {of}: no display is {ship}'s");
                self.notes.push(self.note(m.means.line, what));
            }
        }
        for token in &self.copy.tokens {
            for side in &token.sides {
                let of = format!("side \"{}\" of token \"{}\"", side.side, token.kind);
                self.parsed::<TokenKind>(&side.means, &side.means, &of)?;
            }
        }
        Ok(())
    }

    /// The rules' print: what the copy says, and the defaults of the rest.
    fn print(&mut self, zones: &[Zone]) -> Result<Print, FileError> {
        let mut print = Print::default();
        self.energy(&mut print)?;
        self.counts(&mut print)?;
        let tubes = zones.iter().filter_map(|zone| match zone {
            Zone::On(_, Spot::Tube(tube, _)) => Some(Tube::number(*tube)),
            _ => None,
        });
        print.tubes_a_side = tubes.max().unwrap_or(print.tubes_a_side);
        let boards = self.copy.surfaces.iter().filter(|s| s.grid.is_some());
        for board in boards.filter(|s| s.means.parse() == Ok(Zone::Map)) {
            self.board(board, &mut print)?;
        }
        let Some(rules) = &self.copy.rules else {
            print
                .check("rules")
                .map_err(|e| self.wrong(1, e.to_string()))?;
            return Ok(print);
        };
        print = self.merged(&print, rules)?;
        print.check("rules").map_err(|e| {
            let line = match &e {
                InputError::Impossible { path, .. } => {
                    rules.line_of(path.strip_prefix("rules.").unwrap_or(path))
                }
                _ => rules.line,
            };
            self.wrong(line, e.to_string())
        })?;
        Ok(print)
    }

    /// Which station each number powers, where displays say it.
    fn energy(&self, print: &mut Print) -> Result<(), FileError> {
        let displays = self
            .copy
            .surfaces
            .iter()
            .filter(|s| !s.powered_by.is_empty());
        let mut by_number: BTreeMap<u32, Station> = BTreeMap::new();
        for display in displays {
            let of = format!("powered_by of \"{}\"", display.id);
            let station = match display.means.parse() {
                Ok(Zone::Display(_, station)) if station != Station::Engineering => station,
                _ => {
                    let what = format!("{of}: it is no station that energy dice power");
                    return Err(self.wrong(display.means.line, what));
                }
            };
            for n in &display.powered_by {
                // the displays of the other ship say the same
                if let Some(other) = by_number.insert(*n, station).filter(|o| *o != station) {
                    let what = format!("{of}: {n} powers {other} already");
                    return Err(self.wrong(display.means.line, what));
                }
            }
        }
        if !by_number.is_empty() {
            print.energy = (1..=6).map(|n| by_number.get(&n).copied()).collect();
        }
        Ok(())
    }

    /// How many dice a ship has, and what is on them.
    fn counts(&mut self, print: &mut Print) -> Result<(), FileError> {
        // two kinds may be one to the rules, each team's in a colour of its own: then they are alike
        let mut said: HashMap<DieKind, (&str, u32)> = HashMap::new();
        let mut shown: HashMap<DieKind, (&str, Vec<Symbol>)> = HashMap::new();
        for die in &self.copy.dice {
            let Some(kind) = die.means.as_deref().and_then(|m| m.parse::<DieKind>().ok()) else {
                continue;
            };
            if let Some(each) = die.each {
                let (other, before) = *said.entry(kind).or_insert((&die.kind, each));
                if before != each {
                    let what = format!(
                        "each of kind \"{}\" = {each}, but kind \"{other}\" is {kind} to the rules as well, and of it a ship has {before}",
                        die.kind
                    );
                    return Err(self.wrong(die.line, what));
                }
                let each = u8::try_from(each)
                    .ok()
                    .filter(|n| *n <= MAX_DICE_OF_A_KIND)
                    .ok_or_else(|| {
                        let what = format!(
                            "each of kind \"{}\" = {each}: a ship has at most {} dice of a kind",
                            die.kind, MAX_DICE_OF_A_KIND
                        );
                        self.wrong(die.line, what)
                    })?;
                *match kind {
                    DieKind::Energy => &mut print.dice.energy,
                    DieKind::Helm => &mut print.dice.helm,
                    DieKind::Weapon => &mut print.dice.weapon,
                    DieKind::Sensor => &mut print.dice.sensor,
                    DieKind::Shield => &mut print.dice.shield,
                    DieKind::Tractor => &mut print.dice.tractor,
                } = each;
            }
            let mut faces: Vec<Symbol> = die
                .faces
                .iter()
                .flat_map(|f| {
                    let symbol = f.means.parse().ok();
                    symbol
                        .into_iter()
                        .flat_map(|s| std::iter::repeat_n(s, f.count as usize))
                })
                .collect();
            // a die of which not all faces were enrolled tells no odds
            if faces.len() != die.shape.faces() as usize {
                continue;
            }
            faces.sort_by_key(|s| s.name());
            let (other, before) = shown
                .entry(kind)
                .or_insert_with(|| (&die.kind, faces.clone()));
            if *before != faces {
                let what = format!(
                    "faces of kind \"{}\" mean other symbols, or other counts of them, than those of kind \"{other}\", which is {kind} to the rules as well: odds are counted with the latter's",
                    die.kind
                );
                let note = self.note(die.line, what);
                self.notes.push(note);
                continue;
            }
            match kind {
                DieKind::Energy => {}
                DieKind::Helm => print.faces.helm = faces,
                DieKind::Weapon => print.faces.weapon = faces,
                DieKind::Sensor => print.faces.sensor = faces,
                DieKind::Shield => print.faces.shield = faces,
                DieKind::Tractor => print.faces.tractor = faces,
            }
        }
        Ok(())
    }

    /// The map's size, its crystal squares and where ships start.
    fn board(&self, board: &Surface, print: &mut Print) -> Result<(), FileError> {
        let Some(grid) = &board.grid else {
            return Ok(());
        };
        let usual = (u32::from(print.board.cols), u32::from(print.board.rows));
        let side = |n: u32| u8::try_from(n).unwrap_or(u8::MAX);
        print.board.name.clone_from(&self.copy.name);
        (print.board.cols, print.board.rows) = (side(grid.columns), side(grid.rows));
        let mut crystals: BTreeMap<usize, Square> = BTreeMap::new();
        let (mut starts, mut second_starts): (Vec<Start>, Vec<Start>) = Default::default();
        for mark in &grid.marked {
            let [x, y] = mark.square.map(|n| i16::try_from(n).unwrap_or(i16::MAX));
            let square = Square { x, y };
            if let Some(n) = mark.means.strip_prefix("crystal-") {
                let n = n.parse().ok().filter(|n| (1..=CRYSTAL_SQUARES).contains(n));
                let n = n.ok_or_else(|| {
                    let what = format!(
                        "means of a marked square: \"{}\" is no crystal square; they are crystal-1 to crystal-{CRYSTAL_SQUARES}",
                        mark.means
                    );
                    self.wrong(mark.means.line, what)
                })?;
                crystals.insert(n, square);
            } else if let Some(ship) = mark.means.strip_prefix("start-") {
                let (second, start) = self.start(ship, square, mark, print)?;
                if second {
                    second_starts.push(start);
                } else {
                    starts.push(start);
                }
            } else {
                let what = format!(
                    "means of a marked square: \"{}\" is not known; a square is for instance crystal-1 or start-white",
                    mark.means
                );
                return Err(self.wrong(mark.means.line, what));
            }
        }
        let mut in_order = crystals.keys().zip(1..);
        if let Some((there, missing)) = in_order.find(|(there, n)| *there != n) {
            let what = format!(
                "marked of \"{}\": crystal-{missing} is missing, but crystal-{there} is there",
                board.id
            );
            return Err(self.wrong(board.means.line, what));
        }
        // places that the default has are another board's, unless this is one like it
        if (grid.columns, grid.rows) != usual {
            print.board.crystal_squares.clear();
            print.board.starts.clear();
            print.board.second_starts.clear();
            print.board.free_for_all.clear();
        }
        if !crystals.is_empty() {
            print.board.crystal_squares = crystals.into_values().collect();
        }
        if !starts.is_empty() {
            print.board.starts = starts;
        }
        if !second_starts.is_empty() {
            print.board.second_starts = second_starts;
        }
        Ok(())
    }

    /// Where a ship starts, and whether it is its side's second one.
    fn start(
        &self,
        ship: &str,
        square: Square,
        mark: &Mark,
        print: &Print,
    ) -> Result<(bool, Start), FileError> {
        let ship: ShipId = ship.parse().map_err(|e| {
            let what = format!("means of a marked square: {e}");
            self.wrong(mark.means.line, what)
        })?;
        let of = |starts: &[Start]| starts.iter().find(|s| s.ship == ship).cloned();
        let second = of(&print.board.second_starts);
        let is_second = second.is_some();
        let usual = second.or_else(|| of(&print.board.starts));
        let facing = match &mark.facing {
            Some(facing) => facing
                .parse::<Facing>()
                .map_err(|e| self.wrong(facing.line, format!("facing of {}: {e}", mark.means)))?,
            None => usual.as_ref().map_or(Facing::N, |s| s.facing),
        };
        let start = Start {
            ship,
            team: usual.map_or(ship, |s| s.team),
            square,
            facing,
        };
        Ok((is_second, start))
    }

    /// `print` with what `said` has in its place.
    fn merged<T: DeserializeOwned + serde::Serialize>(
        &self,
        print: &T,
        rules: &HouseRules,
    ) -> Result<T, FileError> {
        let wrong = |what: String| self.wrong(rules.line, format!("rules: {what}"));
        let mut whole = serde_json::to_value(print).map_err(|e| wrong(e.to_string()))?;
        let said = serde_json::to_value(&rules.table).map_err(|e| wrong(e.to_string()))?;
        lay_over(&mut whole, said);
        serde_path_to_error::deserialize(whole).map_err(|e| {
            let path = e.path().to_string();
            let what = format!("rules.{path}: {}", e.inner());
            self.wrong(rules.line_of(&path), what)
        })
    }
}

/// Fields of tables one by one, all else whole.
fn lay_over(whole: &mut serde_json::Value, said: serde_json::Value) {
    match (whole, said) {
        (serde_json::Value::Object(whole), serde_json::Value::Object(said)) => {
            for (field, value) in said {
                lay_over(whole.entry(field).or_insert(serde_json::Value::Null), value);
            }
        }
        (whole, said) => *whole = said,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    const HEAD: &str = "format = 1\nname = \"x\"\ngame = \"dice-duel\"\n";

    fn told(rest: &str) -> Result<Known, String> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("copy.toml"), format!("{HEAD}{rest}")).unwrap();
        std::fs::write(folder.path().join("p.png"), "").unwrap();
        let copy = crate::copy::load(folder.path()).unwrap();
        dice_duel(&copy).map_err(|e| plain(&e.to_string(), folder.path()))
    }

    fn plain(said: &str, folder: &Path) -> String {
        let folder = format!("{}/", folder.display());
        said.replace(&folder, "")
    }

    fn known(rest: &str) -> Print {
        told(rest).unwrap().print
    }

    fn refused(rest: &str) -> String {
        told(rest).err().expect("refused")
    }

    const DIE: &str =
        "[[dice]]\nkind = \"pip\"\nshape = \"d6\"\nsize_mm = 16\nmeans = \"energy\"\n";

    fn face(means: &str) -> String {
        format!("[[dice.faces]]\nface = \"1\"\nmeans = \"{means}\"\npictures = [\"p.png\"]\n")
    }

    fn display(id: &str, rest: &str) -> String {
        format!("[[displays]]\nid = \"{id}\"\nsize_mm = [150, 110]\n{rest}")
    }

    fn zone(name: &str, rest: &str) -> String {
        let polygon = "[[10, 10], [40, 10], [40, 40]]";
        format!("[[displays.zones]]\nzone = \"{name}\"\n{rest}polygon_mm = {polygon}\n")
    }

    fn board(rest: &str) -> String {
        let grid = "[boards.grid]\norigin_mm = [10, 10]\nsquare_mm = 40\ncolumns = 8\nrows = 6\n";
        format!("[[boards]]\nid = \"board\"\nsize_mm = [400, 300]\n{grid}{rest}")
    }

    fn mark(square: [u32; 2], means: &str) -> String {
        format!("[[boards.grid.marked]]\nsquare = {square:?}\nmeans = \"{means}\"\n")
    }

    #[test]
    fn what_dice_mean_must_be_known() {
        let die = DIE.replace("\"energy\"", "\"enrgy\"") + &face("1");
        assert!(refused(&die).starts_with("copy.toml:5: means of kind \"pip\": "));
        let two = DIE.to_owned() + &face("66");
        assert!(refused(&two).starts_with("copy.toml:10: means of face \"1\" of kind \"pip\": "));
        let other = DIE.to_owned() + &face("J2");
        assert!(refused(&other).ends_with("\"J2\" is on no energy die"));
        assert!(told(&(DIE.to_owned() + &face("6"))).is_ok());
    }

    #[test]
    fn kinds_that_are_one_to_the_rules_are_alike() {
        let two = |each: u32, of: &str| {
            let first = DIE.replace("means", "each = 6\nmeans");
            let second = DIE
                .replace("\"pip\"", "\"black pip\"")
                .replace("means", &format!("each = {each}\nmeans"));
            let faces = |of: &str| {
                ["1", "2", "3", "4", "5", of]
                    .iter()
                    .enumerate()
                    .map(|(i, m)| face(m).replace("\"1\"\nmeans", &format!("\"f{i}\"\nmeans")))
                    .collect::<String>()
            };
            first + &faces("6") + &second + &faces(of)
        };
        assert_eq!(told(&two(6, "6")).unwrap().notes, []);
        assert!(refused(&two(5, "6")).contains(
            "each of kind \"black pip\" = 5, but kind \"pip\" is energy to the rules as well"
        ));
        let notes = told(&two(6, "5")).unwrap().notes;
        assert_eq!(notes.len(), 1);
        assert!(
            notes[0]
                .what
                .starts_with("faces of kind \"black pip\" mean other symbols")
        );
    }

    #[test]
    fn what_no_rules_are_told_is_said_to_be_so() {
        let text = "format = 1\nname = \"x\"\ngame = \"nearspace\"\n[[displays]]\nid = \"h\"\nmeans = \"anything\"\nsize_mm = [150, 110]\n[rules]\nhull = 5\n";
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("copy.toml"), text).unwrap();
        let copy = crate::copy::load(folder.path()).unwrap();
        let lines: Vec<usize> = untold(&copy).iter().map(|n| n.line).collect();
        assert_eq!(lines, [8, 6]);
        assert_eq!(
            untold(&crate::copy::load(&crate::copy::shipped("polyhedral")).unwrap()),
            []
        );
    }

    #[test]
    fn what_surfaces_mean_is_known_and_said_once() {
        let unknown = display("h", "means = \"white.helmm\"\n");
        assert!(
            refused(&unknown)
                .starts_with("copy.toml:7: means of \"h\": \"white.helmm\" is not a zone"),
            "{}",
            refused(&unknown)
        );
        let place = display("h", "means = \"white.helm.A\"\n");
        assert!(
            refused(&place)
                .contains(":7: means of \"h\": \"white.helm.A\" is a place on a display")
        );
        let twice = display("a", "means = \"white.helm\"\n") + &display("white.helm", "");
        assert_eq!(
            refused(&twice),
            "copy.toml:9: means of \"white.helm\": \"white.helm\", which is what \"a\" is"
        );
        let zones = display("white.helm", "") + &zone("A", "") + &zone("left", "means = \"A\"\n");
        assert_eq!(
            refused(&zones),
            "copy.toml:12: means of zone \"left\" of \"white.helm\": \"white.helm.A\", which is what zone \"A\" of \"white.helm\" is"
        );
        let wrong = display("white.helm", "") + &zone("left", "means = \"Q\"\n");
        assert!(refused(&wrong).starts_with("copy.toml:9: means of zone \"left\""));
    }

    #[test]
    fn what_is_none_of_the_games_is_noted() {
        let quiet = display("snacks", "means = \"\"\n") + &zone("nuts", "means = \"\"\n");
        assert_eq!(told(&quiet).unwrap().notes, []);
        let known = told(&(display("snacks", "") + &zone("nuts", ""))).unwrap();
        assert_eq!(known.notes.len(), 2);
        assert!(
            known.notes[0]
                .what
                .starts_with("\"snacks\": \"snacks\" is nothing to Dice Duel")
        );
        assert_eq!(known.print, Print::default());
    }

    #[test]
    fn only_stations_with_a_place_are_there() {
        let all = display("white.helm", "") + &display("odd", "means = \"\"\n");
        let there = told(&(all + &board(""))).unwrap().stations;
        assert_eq!(there, BTreeSet::from([(ShipId::WHITE, Station::Helm)]));
    }

    #[test]
    fn no_two_miniatures_are_one_ship() {
        let ship = |id: &str, means: &str| {
            format!(
                "[[miniatures]]\nid = \"{id}\"\nmeans = \"{means}\"\nlength_mm = 40\nviews = [{{ heading_deg = 0, picture = \"p.png\" }}]\n"
            )
        };
        let both = ship("a", "white") + &ship("b", "white");
        assert_eq!(
            refused(&both),
            "copy.toml:11: means of miniature \"b\": \"white\", which is what miniature \"a\" is"
        );
        let upper = refused(&ship("a", "Whte"));
        assert!(
            upper.starts_with("copy.toml:6: means of miniature \"a\": "),
            "{upper}"
        );
        let none = told(&(display("white.helm", "") + &ship("a", "whte"))).unwrap();
        assert_eq!(
            none.notes[0].what,
            "means of miniature \"a\": no display is whte's"
        );
    }

    #[test]
    fn the_rules_are_told_what_is_printed() {
        let text = DIE.replace("means", "each = 4\nmeans")
            + &face("1")
            + &display("white.helm", "powered_by = [2, 6]\n")
            + &display("black.helm", "powered_by = [2, 6]\n")
            + &display("white.weapons", "powered_by = [1]\n")
            + &zone("front-1.nose", "")
            + &board(&(mark([2, 1], "crystal-1") + &mark([3, 5], "start-black")));
        let print = known(&text);
        assert_eq!((print.cols(), print.rows()), (8, 6));
        assert_eq!(print.dice.energy, 4);
        assert_eq!(print.route(6), Some(Station::Helm));
        assert_eq!(print.route(1), Some(Station::Weapons));
        assert_eq!(print.route(3), None);
        assert_eq!(print.tubes_a_side, 1);
        assert_eq!(print.board.crystal_squares, [Square { x: 2, y: 1 }]);
        assert_eq!(print.board.starts.len(), 1);
        assert_eq!(print.board.starts[0].square, Square { x: 3, y: 5 });
        assert_eq!(print.board.starts[0].facing, Facing::S);
        // where the second ships of the usual board start says nothing of this one
        assert!(print.board.second_starts.is_empty());
    }

    #[test]
    fn the_practice_set_is_what_the_defaults_are() {
        let copy = crate::copy::load(&crate::copy::shipped("practice")).unwrap();
        let Known {
            mut print, notes, ..
        } = dice_duel(&copy).unwrap();
        assert_eq!(notes, []);
        let mut usual = Print::default();
        print.board.name.clone_from(&usual.board.name);
        // in which order the faces are listed is nobody's business
        for faces in [&mut print.faces, &mut usual.faces] {
            let all = [
                &mut faces.helm,
                &mut faces.weapon,
                &mut faces.sensor,
                &mut faces.shield,
                &mut faces.tractor,
            ];
            for kind in all {
                kind.sort_by_key(|s| s.name());
            }
        }
        assert_eq!(print, usual);
    }

    #[test]
    fn what_is_printed_contradicts_nothing() {
        let both = display("white.helm", "powered_by = [2]\n")
            + &display("white.weapons", "powered_by = [2]\n");
        assert!(refused(&both).contains("powered_by of \"white.weapons\": 2 powers helm already"));
        let gap = board(&mark([2, 1], "crystal-2"));
        assert!(
            refused(&gap)
                .ends_with("marked of \"board\": crystal-1 is missing, but crystal-2 is there")
        );
        let unknown = board(&mark([2, 1], "cristal-2"));
        assert!(
            refused(&unknown).starts_with("copy.toml:14: means of a marked square: \"cristal-2\"")
        );
    }

    #[test]
    fn a_group_plays_by_its_own_rules() {
        let print = known(
            "[rules.options]\nside_shot_removes_all_declared = false\n[rules.numbers]\nhull = 5\n",
        );
        assert_eq!(print.numbers.hull, 5);
        assert!(!print.options.side_shot_removes_all_declared);
        assert_eq!(
            print.numbers.least_lock,
            Print::default().numbers.least_lock
        );
        // the line is the field's own
        assert!(
            refused("[rules.options]\nside_shot_removes_all_declared = false\n[rules.numbers]\nhull = 0\n")
                .starts_with("copy.toml:7: rules.numbers.hull"),
        );
        assert!(
            refused("[rules.numbers]\nhull = \"five\"\n")
                .starts_with("copy.toml:5: rules.numbers.hull: "),
        );
        assert!(
            refused("[rules]\nhulls = 5\n")
                .starts_with("copy.toml:5: rules.hulls: unknown field `hulls`"),
            "{}",
            refused("[rules]\nhulls = 5\n")
        );
        let none = refused("[rules.numbers]\nhull = 0\n");
        assert!(none.contains("rules.numbers.hull"), "{none}");
    }
}
