//! What is told so far, and what is still missing.

use std::collections::BTreeMap;

use crate::{
    copy::{BOARD, Owner, OwnerBoard, PerKind, TOKENS},
    geometry::covered,
    session::{symbols_on, usual_owner},
};

/// Corners, millimetres from the upper left.
pub(super) type Outline = Vec<[f64; 2]>;

/// A zone covers so much of another before it is said to: lines that are drawn by hand touch.
const OVERLAP: f64 = 0.02;

/// The owner's words while they are being written.
#[derive(Debug, Clone)]
pub(super) struct Sheet {
    pub owner: Owner,
    /// Zones of displays that this copy is said not to have.
    laid_aside: BTreeMap<String, BTreeMap<String, Outline>>,
}

impl Sheet {
    pub fn new(mut owner: Owner) -> Self {
        if matches!(&owner.die_mm, PerKind::Each(each) if each.is_empty()) {
            owner.die_mm = PerKind::All(0.0);
        }
        if matches!(&owner.card_mm, PerKind::Each(each) if each.is_empty()) {
            owner.card_mm = PerKind::All([0.0; 2]);
        }
        Self {
            owner,
            laid_aside: BTreeMap::new(),
        }
    }

    /// Calls a team otherwise, wherever it is named.
    pub fn rename_team(&mut self, which: usize, to: String) {
        let Some(team) = self.owner.teams.get_mut(which) else {
            return;
        };
        let from = std::mem::replace(team, to.clone());
        let (of, its) = (
            format!("{BOARD}/damage/{from}/"),
            format!("{BOARD}/damage/{to}/"),
        );
        let absent = std::mem::take(&mut self.owner.absent).into_iter();
        self.owner.absent = absent
            .map(|word| match word.strip_prefix(&of) {
                Some(n) => its.clone() + n,
                None => word,
            })
            .collect();
        let of = format!("damage/{from}/");
        let its = |word: &str| {
            let n = word.strip_prefix(&of)?;
            Some(format!("damage/{to}/{n}"))
        };
        for word in self
            .owner
            .zones
            .get_mut(BOARD)
            .into_iter()
            .flat_map(BTreeMap::values_mut)
        {
            if let Some(its) = its(word) {
                *word = its;
            }
        }
        if let Some(board) = &mut self.owner.board {
            if let Some(start) = board.start_squares.remove(&from) {
                board.start_squares.insert(to.clone(), start);
            }
            let zones = std::mem::take(&mut board.zones).into_iter();
            board.zones = zones
                .map(|(zone, outline)| (its(&zone).unwrap_or(zone), outline))
                .collect();
        }
    }

    /// Calls a kind of die otherwise, wherever it is named; not as another one is called.
    pub fn rename_kind(&mut self, from: &str, to: &str) -> bool {
        fn rename<T>(of: &mut BTreeMap<String, T>, from: &str, to: &str) {
            if let Some(value) = of.remove(from) {
                of.insert(to.to_owned(), value);
            }
        }
        let owner = &mut self.owner;
        if owner.faces.contains_key(to) || !owner.faces.contains_key(from) {
            return false;
        }
        // its name may have said what it and its symbols are
        let means = owner.kind_means(from);
        let is_said = means.is_some() || owner.kinds.contains_key(from);
        let symbols = self.meanings(from);
        let owner = &mut self.owner;
        rename(&mut owner.faces, from, to);
        rename(&mut owner.kinds, from, to);
        rename(&mut owner.symbols, from, to);
        rename(&mut owner.shapes, from, to);
        rename(&mut owner.reads, from, to);
        rename(&mut owner.dice_per_team, from, to);
        if let PerKind::Each(each) = &mut owner.die_mm {
            rename(each, from, to);
        }
        if is_said {
            self.kind_is(to, means.as_deref());
        }
        for (face, means) in symbols {
            self.symbol_is(to, &face, means);
        }
        true
    }

    /// What each symbol of a kind is to the rules, by the owner's word for it.
    fn meanings(&self, kind: &str) -> Vec<(String, String)> {
        let faces = self.owner.faces.get(kind).into_iter().flatten();
        let means = |face: &String| Some((face.clone(), self.owner.symbol_means(kind, face)?));
        faces.filter_map(means).collect()
    }

    /// Says what a kind of die is to the rules: nothing, where none is named.
    pub fn kind_is(&mut self, kind: &str, means: Option<&str>) {
        // what its name says need not be written; that it is nothing, no name says
        self.owner.kinds.remove(kind);
        if means.is_none() || self.owner.kind_means(kind).as_deref() != means {
            let means = means.unwrap_or_default().to_owned();
            self.owner.kinds.insert(kind.to_owned(), means);
        }
    }

    /// Says what a symbol is to the rules.
    pub fn symbol_is(&mut self, kind: &str, face: &str, means: String) {
        let of = self.owner.symbols.entry(kind.to_owned()).or_default();
        of.remove(face);
        let by_name = self.owner.symbol_means(kind, face);
        if by_name.as_ref().map_or(face, String::as_str) != means {
            let of = self.owner.symbols.entry(kind.to_owned()).or_default();
            of.insert(face.to_owned(), means);
        }
        self.forget_words(kind);
    }

    /// Calls a symbol otherwise; not as another one of the kind is called.
    pub fn rename_face(&mut self, kind: &str, from: &str, to: &str) {
        let own = self.owner.symbol_means(kind, from);
        // where no word was said, its name was the rules' own
        let known = self.owner.kind_means(kind);
        let known = symbols_on(known.as_deref().unwrap_or_default());
        let means = own.or_else(|| known.contains(&from.to_owned()).then(|| from.to_owned()));
        let Some(faces) = self.owner.faces.get_mut(kind) else {
            return;
        };
        if faces.iter().any(|f| f == to) {
            return;
        }
        for face in faces.iter_mut().filter(|f| *f == from) {
            to.clone_into(face);
        }
        match means {
            Some(means) => self.symbol_is(kind, to, means),
            None => self.forget_words(kind),
        }
    }

    /// Words for symbols that a kind has no longer.
    pub fn forget_words(&mut self, kind: &str) {
        let Some(faces) = self.owner.faces.get(kind) else {
            return;
        };
        if let Some(words) = self.owner.symbols.get_mut(kind) {
            words.retain(|face, _| faces.contains(face));
            if words.is_empty() {
                self.owner.symbols.remove(kind);
            }
        }
    }

    pub fn shape_is(&mut self, kind: &str, shape: String) {
        self.owner.reads.remove(kind);
        let _ = match shape.as_str() {
            "d6" => self.owner.shapes.remove(kind),
            _ => self.owner.shapes.insert(kind.to_owned(), shape),
        };
    }

    /// A kind of die of which nothing is told yet; returns what it is called.
    pub fn new_kind(&mut self) -> String {
        let kind = free("dice", |name| self.owner.faces.contains_key(name));
        self.owner.faces.insert(kind.clone(), Vec::new());
        self.new_face(&kind);
        kind
    }

    /// A symbol more, on one face.
    pub fn new_face(&mut self, kind: &str) {
        if let Some(faces) = self.owner.faces.get_mut(kind) {
            let face = free("symbol", |name| faces.iter().any(|f| f == name));
            faces.push(face);
        }
    }

    /// The kinds of dice of the usual copy that this one has not.
    pub fn usual_kinds_left(&self) -> Vec<String> {
        let here = self.owner.faces.keys();
        let here: Vec<String> = here.filter_map(|k| self.owner.kind_means(k)).collect();
        let usual = usual_owner().faces.into_keys();
        usual
            .filter(|kind| self.owner.is_dice_duel() && !here.contains(kind))
            .collect()
    }

    /// Such dice after all, with the usual symbols.
    pub fn add_usual_kind(&mut self, kind: &str) {
        let faces = usual_owner().faces.remove(kind);
        if let (Some(faces), false) = (faces, self.owner.faces.contains_key(kind)) {
            self.owner.faces.insert(kind.to_owned(), faces);
        }
    }

    /// The displays of the usual copy that this one has not.
    pub fn usual_displays_left(&self) -> Vec<String> {
        let usual = usual_owner().displays.into_keys();
        let here = self.owner.displays.keys();
        let here: Vec<&str> = here.map(|d| self.owner.station(d)).collect();
        usual
            .filter(|d| self.owner.is_dice_duel() && !here.contains(&d.as_str()))
            .collect()
    }

    /// This copy has such a display, or has none; what was drawn on it comes back with it.
    pub fn has_display(&mut self, display: &str, has: bool) {
        let owner = &mut self.owner;
        if has {
            let zones = self.laid_aside.remove(display).unwrap_or_default();
            owner.displays.insert(display.to_owned(), zones);
            return;
        }
        if let Some(zones) = owner.displays.remove(display) {
            self.laid_aside.insert(display.to_owned(), zones);
        }
        owner.station_number.remove(display);
        owner.stations.remove(display);
        owner.zones.remove(display);
        if let PerKind::Each(each) = &mut owner.card_mm {
            each.remove(display);
        }
        let of = format!("{display}/");
        owner.absent.retain(|word| !word.starts_with(&of));
    }

    /// This copy has no such dice.
    pub fn remove_kind(&mut self, kind: &str) {
        let owner = &mut self.owner;
        owner.faces.remove(kind);
        owner.kinds.remove(kind);
        owner.symbols.remove(kind);
        owner.shapes.remove(kind);
        owner.reads.remove(kind);
        owner.dice_per_team.remove(kind);
        if let PerKind::Each(each) = &mut owner.die_mm {
            each.remove(kind);
        }
    }

    /// Names of the displays, and the board.
    pub fn surfaces(&self) -> Vec<String> {
        let displays = self.owner.displays.keys().cloned();
        displays.chain([BOARD.to_owned()]).collect()
    }

    /// Width and height of a display or the board, once they are told.
    pub fn size_mm(&self, surface: &str) -> Option<[f64; 2]> {
        let size = if surface == BOARD {
            self.owner.board.as_ref().map(|b| [b.width_mm, b.height_mm])
        } else {
            self.owner.card_mm.of(surface)
        };
        size.filter(|s| s.iter().all(|v| *v > 0.0))
    }

    /// What its photographs are called, without their endings.
    pub fn photographs(&self, surface: &str) -> Vec<String> {
        if surface == BOARD {
            return vec![BOARD.to_owned()];
        }
        let teams = self.owner.teams.iter();
        teams
            .map(|team| format!("display_{team}_{surface}"))
            .collect()
    }

    pub fn zones_mut(&mut self, surface: &str) -> Option<&mut BTreeMap<String, Outline>> {
        match &mut self.owner.board {
            Some(board) if surface == BOARD => Some(&mut board.zones),
            _ => self.owner.displays.get_mut(surface),
        }
    }

    /// The next zone without an outline.
    pub fn next_zone(&self, surface: &str) -> Option<String> {
        self.owner.undrawn(surface).into_iter().next()
    }

    /// Says that this copy has no such zone, or that it has one after all.
    pub fn zone_is_absent(&mut self, surface: &str, zone: &str, absent: bool) {
        self.owner.forget_absent(surface, zone);
        if absent {
            self.owner.absent.insert(format!("{surface}/{zone}"));
        }
    }

    /// Zones that lie over each other, by name.
    pub fn overlaps(&self, surface: &str) -> Vec<[String; 2]> {
        let polygon = |outline: &Outline| {
            let line: geo::LineString<f64> = outline.iter().map(|[x, y]| (*x, *y)).collect();
            geo::Polygon::new(line, Vec::new())
        };
        let all = self.owner.zones_of(surface).into_iter().flatten();
        let all: Vec<_> = all.map(|(name, o)| (name, polygon(o))).collect();
        let mut out = Vec::new();
        for (i, (a, of_a)) in all.iter().enumerate() {
            for (b, of_b) in all.iter().skip(i + 1) {
                if covered(of_a, of_b).max(covered(of_b, of_a)) > OVERLAP {
                    out.push([(*a).clone(), (*b).clone()]);
                }
            }
        }
        out
    }

    /// As it is written: what is not told stands not there.
    pub fn written(&self) -> Owner {
        fn told<T: Clone>(value: &PerKind<T>, is: impl Fn(&T) -> bool) -> PerKind<T> {
            match value {
                PerKind::All(v) if is(v) => PerKind::All(v.clone()),
                PerKind::All(_) => PerKind::default(),
                PerKind::Each(each) => {
                    let told = each.iter().filter(|(_, v)| is(v));
                    PerKind::Each(told.map(|(k, v)| (k.clone(), v.clone())).collect())
                }
            }
        }
        let mut owner = self.owner.clone();
        owner.die_mm = told(&owner.die_mm, |mm| *mm > 0.0);
        owner.card_mm = told(&owner.card_mm, |size| size.iter().all(|mm| *mm > 0.0));
        owner.ship_mm = owner.ship_mm.filter(|mm| *mm > 0.0);
        // what was told since is there
        let drawn = self.surfaces().into_iter().flat_map(|surface| {
            let zones = self.owner.zones_of(&surface).into_iter().flatten();
            let zones = zones.map(|(zone, _)| zone.clone());
            zones
                .map(|zone| (surface.clone(), zone))
                .collect::<Vec<_>>()
        });
        drawn.for_each(|(surface, zone)| owner.forget_absent(&surface, &zone));
        if owner.board.is_some() {
            owner.absent.remove(BOARD);
        }
        if !owner.tokens.is_empty() {
            owner.absent.remove(TOKENS);
        }
        owner
    }
}

/// `of` with the first number after which nothing is called so.
fn free(of: &str, taken: impl Fn(&str) -> bool) -> String {
    let mut names = (1_u32..).map(|n| format!("{of}{n}"));
    names.find(|name| !taken(name)).unwrap_or_default()
}

/// A board of which nothing is told yet.
pub(super) fn no_board() -> OwnerBoard {
    OwnerBoard {
        cols: 1,
        rows: 1,
        square_mm: 0.0,
        width_mm: 0.0,
        height_mm: 0.0,
        thickness_mm: 0.0,
        grid_origin_mm: [0.0; 2],
        crystal_squares: BTreeMap::new(),
        start_squares: BTreeMap::new(),
        zones: BTreeMap::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::usual_owner;

    #[test]
    fn what_is_told_is_missed_no_longer() {
        let mut sheet = Sheet::new(usual_owner());
        assert_eq!(sheet.missing_sizes().len(), 2);
        assert!(sheet.missing_on("helm").contains(&"zone A".to_owned()));
        // nothing that was not told is written
        assert!(sheet.written().die_mm.of("helm").is_none());
        sheet.owner.die_mm = PerKind::All(16.0);
        sheet.owner.card_mm = PerKind::All([150.0, 110.0]);
        for zone in sheet.owner.zones_wanted("helm") {
            let at = sheet.owner.zones_of("helm").map_or(0, BTreeMap::len) as f64 * 30.0;
            let square = vec![[at, 0.0], [at + 20.0, 0.0], [at + 20.0, 20.0], [at, 20.0]];
            sheet
                .zones_mut("helm")
                .expect("a display")
                .insert(zone, square);
        }
        assert!(sheet.missing_sizes().is_empty());
        assert!(sheet.missing_on("helm").is_empty());
        assert!(sheet.overlaps("helm").is_empty());
        assert_eq!(sheet.next_zone("helm"), None);
        let text = sheet.written().to_json().expect("text");
        let (owner, unknown) = Owner::parse(&text).expect("an owner");
        owner.check().expect("whole");
        assert!(unknown.is_empty());
        assert!(owner.board.is_none());
    }

    #[test]
    fn a_team_that_is_called_otherwise_keeps_what_is_its_own() {
        let mut sheet = Sheet::new(usual_owner());
        let mut board = no_board();
        let start = crate::copy::OwnerStart {
            square: [1, 2],
            heading: None,
        };
        board.start_squares.insert("white".to_owned(), start);
        board.zones.insert("damage/white/1".to_owned(), Vec::new());
        board.zones.insert("hull".to_owned(), Vec::new());
        sheet.owner.board = Some(board);
        let hull = ("hull".to_owned(), "damage/white/2".to_owned());
        sheet.owner.zones.insert(BOARD.to_owned(), [hull].into());
        sheet.rename_team(0, "gulls".to_owned());
        let board = sheet.owner.board.as_ref().expect("a board");
        assert!(board.start_squares.contains_key("gulls"));
        assert!(board.zones.contains_key("damage/gulls/1"));
        assert_eq!((board.start_squares.len(), board.zones.len()), (1, 2));
        assert_eq!(sheet.owner.zone_means(BOARD, "hull"), "/gulls.damage.2");
        assert_eq!(sheet.photographs("helm")[0], "display_gulls_helm");
    }

    #[test]
    fn dice_and_symbols_that_are_called_otherwise_mean_what_they_meant() {
        let mut sheet = Sheet::new(usual_owner());
        sheet.owner.die_mm = PerKind::Each([("weapon".to_owned(), 16.0)].into());
        assert!(sheet.rename_kind("weapon", "zap"));
        assert!(!sheet.rename_kind("zap", "helm"), "that is another kind's");
        sheet.rename_face("zap", "NOSE", "arrow");
        assert_eq!(sheet.owner.kind_means("zap").as_deref(), Some("weapon"));
        let means = |sheet: &Sheet, face: &str| sheet.owner.symbol_means("zap", face);
        assert_eq!(means(&sheet, "arrow").as_deref(), Some("NOSE"));
        assert_eq!(sheet.owner.die_mm.of("zap"), Some(16.0));
        // called as before, nothing needs to be said
        sheet.rename_face("zap", "arrow", "NOSE");
        assert!(sheet.rename_kind("zap", "weapon"));
        assert!(sheet.owner.kinds.is_empty() && sheet.owner.symbols.is_empty());
        // a name of full words is one that the rules know for a weapon alone
        let weapons = vec!["nose".to_owned(), "tail".to_owned()];
        sheet.owner.faces.insert("weapons".to_owned(), weapons);
        assert!(sheet.rename_kind("weapons", "zip"));
        assert_eq!(sheet.owner.kind_means("zip").as_deref(), Some("weapon"));
        assert_eq!(
            sheet.owner.symbol_means("zip", "tail").as_deref(),
            Some("TAIL")
        );
        let (owner, unknown) =
            Owner::parse(&sheet.written().to_json().expect("text")).expect("an owner");
        assert!(unknown.is_empty());
        assert_eq!(owner.symbol_means("zip", "nose").as_deref(), Some("NOSE"));
    }

    #[test]
    fn a_kind_of_die_comes_and_goes() {
        let mut sheet = Sheet::new(usual_owner());
        let kinds = sheet.owner.faces.len();
        let kind = sheet.new_kind();
        sheet.new_face(&kind);
        assert_eq!(
            sheet.owner.faces.get(&kind).map(Vec::as_slice),
            Some(&["symbol1".to_owned(), "symbol2".to_owned()][..])
        );
        sheet.kind_is(&kind, Some("helm"));
        sheet.symbol_is(&kind, "symbol1", "F1".to_owned());
        sheet.shape_is(&kind, "d8".to_owned());
        sheet.owner.die_mm = PerKind::All(16.0);
        sheet.owner.card_mm = PerKind::All([150.0, 110.0]);
        sheet.written().check().expect("whole");
        sheet.remove_kind(&kind);
        assert_eq!(sheet.owner.faces.len(), kinds);
        assert!(sheet.owner.kinds.is_empty() && sheet.owner.symbols.is_empty());
        sheet.written().check().expect("whole");
    }

    #[test]
    fn zones_over_each_other_are_named() {
        let mut sheet = Sheet::new(usual_owner());
        let zones = sheet.zones_mut("shields").expect("a display");
        let square = |x: f64| vec![[x, 0.0], [x + 20.0, 0.0], [x + 20.0, 20.0], [x, 20.0]];
        zones.insert("1".to_owned(), square(0.0));
        zones.insert("2".to_owned(), square(20.0));
        zones.insert("3".to_owned(), square(35.0));
        assert_eq!(
            sheet.overlaps("shields"),
            [["2".to_owned(), "3".to_owned()]]
        );
    }

    #[test]
    fn an_owners_own_word_for_a_zone_stays() {
        let mut sheet = Sheet::new(usual_owner());
        let zones = sheet.zones_mut("tractor").expect("a display");
        zones.insert("mineA".to_owned(), vec![[0.0, 0.0], [9.0, 0.0], [9.0, 9.0]]);
        let wanted = sheet.owner.zones_wanted("tractor");
        assert!(wanted.contains(&"mineA".to_owned()) && !wanted.contains(&"mine-A".to_owned()));
    }

    #[test]
    fn what_a_copy_has_not_may_be_said_and_taken_back() {
        let mut sheet = Sheet::new(usual_owner());
        sheet.remove_kind("tractor");
        assert_eq!(sheet.usual_kinds_left(), ["tractor"]);
        sheet.add_usual_kind("tractor");
        assert!(sheet.usual_kinds_left().is_empty());
        let outline = vec![[0.0, 0.0], [9.0, 0.0], [9.0, 9.0]];
        let helm = sheet.owner.displays.get_mut("helm").expect("a display");
        helm.insert("A".to_owned(), outline);
        sheet.owner.station_number.insert("helm".to_owned(), 5);
        sheet.has_display("helm", false);
        assert_eq!(sheet.usual_displays_left(), ["helm"]);
        assert!(sheet.owner.station_number.is_empty());
        sheet.has_display("helm", true);
        let zones = sheet.owner.displays.get("helm").expect("a display");
        assert!(zones.contains_key("A"));
    }
}
