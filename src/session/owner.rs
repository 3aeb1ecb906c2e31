//! What an owner's names are to the rules.

use std::collections::{BTreeMap, BTreeSet};

use super::DICE_DUEL;
use crate::{
    copy::{BOARD, Outline, Owner, OwnerError, OwnerToken, Shape, alike},
    rules::dice_duel::{DieKind, Print, Spot, Station, Symbol, Terrain, TokenKind},
};

/// The token that is photographed as `crystal`.
pub const CRYSTAL: &str = "crystal";

/// What a copy of Dice Duel has for all its owners, by the rules' own names; sizes and zones are still to be told.
pub fn usual_owner() -> Owner {
    // faces for two things at once are some copies' own
    let usual = |symbol: &String| !symbol.contains('+') && symbol != Symbol::MineAB.name();
    let kinds = DieKind::ALL.map(|kind| kind.to_string());
    Owner {
        faces: kinds
            .into_iter()
            .map(|kind| {
                let faces = symbols_on(&kind).into_iter().filter(usual).collect();
                (kind, faces)
            })
            .collect(),
        displays: Station::ALL
            .into_iter()
            .map(|station| (station.to_string(), BTreeMap::new()))
            .collect(),
        ..Owner::default()
    }
}

/// The kinds of dice that the rules know.
pub fn kinds_of_dice() -> Vec<String> {
    DieKind::ALL.map(|kind| kind.to_string()).to_vec()
}

/// The symbols that the rules know on a kind of die, by their own names; none where the name is no kind's.
pub fn symbols_on(kind: &str) -> Vec<String> {
    let kind = kind.parse::<DieKind>().ok();
    let symbols = kind.into_iter().flat_map(|kind| kind.symbols().symbols());
    symbols.map(|s| s.name().to_owned()).collect()
}

/// What a side of a token may be to the rules, by their own words.
pub fn token_meanings() -> Vec<String> {
    let grounds = Terrain::ALL.into_iter().filter(|t| *t != Terrain::Open);
    let all = grounds.map(TokenKind::Ground);
    let all = all.chain([TokenKind::Mine, TokenKind::Crystal]);
    all.map(|kind| kind.to_string()).collect()
}

/// The zones that the rules know on a display (`helm`), in their words; none where the name is no station's.
pub fn zones_on(display: &str) -> Vec<String> {
    let Ok(station) = display.parse::<Station>() else {
        return Vec::new();
    };
    // more tubes than usual are some copies' own
    let usual = Print::default();
    let tubes = |spot: &Spot| !matches!(spot, Spot::Tube(t, _) if t.number() > usual.tubes_a_side);
    let on = Spot::all().filter(|spot| spot.station() == station);
    let on = on.filter(tubes);
    on.filter_map(|spot| Some(spot.to_string().split_once('.')?.1.replace('.', "/")))
        .collect()
}

/// The zones that the rules know on a board, as `owner.json` names them.
pub fn zones_on_board(teams: &[String]) -> Vec<String> {
    let damage = teams
        .iter()
        .flat_map(|team| (1..=4).map(move |n| format!("damage/{team}/{n}")));
    damage.chain(["used-crystals".to_owned()]).collect()
}

impl Owner {
    /// Whether the words of [`token_meanings`] and the others here are those of its game.
    pub fn is_dice_duel(&self) -> bool {
        self.game == DICE_DUEL
    }

    /// What a kind of die is to the rules; `None` for a foreign one.
    pub fn kind_means(&self, kind: &str) -> Option<String> {
        if let Some(means) = self.kinds.get(kind) {
            return (!means.is_empty()).then(|| means.clone());
        }
        if !self.is_dice_duel() {
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

    /// The rules' word for a display: what its owner says, or else its name.
    pub fn station<'a>(&'a self, display: &'a str) -> &'a str {
        self.stations.get(display).map_or(display, String::as_str)
    }

    /// The rules' word for a zone, as it is used here; its own name where its owner says nothing.
    fn zone<'a>(&'a self, surface: &str, zone: &'a str) -> &'a str {
        let said = self.zones.get(surface).and_then(|zones| zones.get(zone));
        said.map_or(zone, String::as_str)
    }

    /// The copy's `means` of a zone.
    pub fn zone_means(&self, surface: &str, zone: &str) -> String {
        zone_means(self.zone(surface, zone))
    }

    /// The number of the energy dice that power a display's station where nobody says otherwise; none of a display that they do
    /// not power.
    pub fn usual_number(&self, display: &str) -> Option<u32> {
        let station: Station = self.station(display).parse().ok()?;
        let usual = Print::default().energy;
        let mut numbered = usual.iter().zip(1..);
        numbered.find_map(|(powers, n)| (*powers == Some(station)).then_some(n))
    }

    /// The zones that the rules know on a surface, in their words.
    fn zones_known(&self, surface: &str) -> Vec<String> {
        match surface {
            _ if !self.is_dice_duel() => Vec::new(),
            BOARD => zones_on_board(&self.teams),
            display => zones_on(self.station(display)),
        }
    }

    /// The zones that the rules know on a display or on the board, by the owner's words, and what else was drawn there.
    pub fn zones_wanted(&self, surface: &str) -> Vec<String> {
        let mut all = self.zones_known(surface);
        for drawn in self.zones_of(surface).into_iter().flat_map(|z| z.keys()) {
            let means = self.zone(surface, drawn);
            match all.iter_mut().find(|z| same_zone(z, means)) {
                Some(same) => same.clone_from(drawn),
                None => all.push(drawn.clone()),
            }
        }
        all
    }

    /// Whether a zone is one that this copy is said to lack.
    pub fn is_absent(&self, surface: &str, zone: &str) -> bool {
        let mut absent = self.absent.iter().filter_map(|word| word.split_once('/'));
        absent.any(|(on, lacks)| on == surface && same_zone(lacks, zone))
    }

    /// Nothing is said any longer of a zone that this copy were to lack.
    pub fn forget_absent(&mut self, surface: &str, zone: &str) {
        self.absent.retain(|word| {
            let named = word.split_once('/');
            !named.is_some_and(|(on, lacks)| on == surface && same_zone(lacks, zone))
        });
    }

    /// Zones of a display or the board that the copy has and nobody has drawn yet.
    pub fn undrawn(&self, surface: &str) -> Vec<String> {
        let drawn = self.zones_of(surface);
        let mut all = self.zones_wanted(surface);
        all.retain(|zone| {
            drawn.is_none_or(|d| !d.contains_key(zone)) && !self.is_absent(surface, zone)
        });
        all
    }

    /// What is said in words of the rules is known to them, where that can be told without a copy.
    ///
    /// # Errors
    /// One sentence with the field.
    pub fn check_words(&self) -> Result<(), OwnerError> {
        for (surface, zone) in self.absent.iter().filter_map(|word| word.split_once('/')) {
            let known = self.zones_wanted(surface);
            if !known.iter().any(|z| same_zone(z, zone)) {
                let what = format!(
                    "names nothing: the rules know no zone {zone} on {surface} ({})",
                    known.join(", ")
                );
                return Err(OwnerError::new(
                    &["absent", &format!("{surface}/{zone}")],
                    what,
                ));
            }
        }
        self.check_surfaces()?;
        let known = token_meanings();
        let tokens = self.tokens.iter().filter(|_| self.is_dice_duel());
        for (name, token) in tokens {
            let front = (None, self.token_means(name));
            let back = token.back.iter();
            let back = back.map(|(side, means)| (Some(side), means.clone()));
            for (side, means) in [front].into_iter().chain(back) {
                if !means.is_empty() && !known.contains(&means) {
                    let what = format!(
                        "\"{means}\" is nothing to the rules: say what it is ({}), or \"\" for nothing",
                        known.join(", ")
                    );
                    return Err(match side {
                        None => OwnerError::new(&["tokens", name, "means"], what),
                        Some(side) => OwnerError::new(&["tokens", name, "back", side], what),
                    });
                }
            }
        }
        Ok(())
    }

    /// What displays and zones are said to be is known to the rules.
    fn check_surfaces(&self) -> Result<(), OwnerError> {
        let mut by_number: BTreeMap<u32, &str> = BTreeMap::new();
        let numbers = self.station_number.iter().filter(|_| self.is_dice_duel());
        for (display, number) in numbers {
            if let Some(other) = by_number.insert(*number, display) {
                let what = format!("{number} powers {other} already");
                return Err(OwnerError::new(&["station_number", display], what));
            }
        }
        let nothing = |word: &str, known: &[String]| {
            format!(
                "\"{word}\" is nothing to the rules: say what it is ({})",
                known.join(", ")
            )
        };
        let stations = Station::ALL.map(|station| station.to_string());
        let mut said = self.stations.iter().filter(|_| self.is_dice_duel());
        if let Some((display, word)) = said.find(|(_, word)| !stations.contains(word)) {
            let what = nothing(word, &stations);
            return Err(OwnerError::new(&["stations", display], what));
        }
        let on = self.zones.iter().filter(|_| self.is_dice_duel());
        for (surface, zones) in on {
            let known = self.zones_known(surface);
            let is_known =
                |word: &String| word.is_empty() || known.iter().any(|z| same_zone(z, word));
            if let Some((zone, word)) = zones.iter().find(|(_, word)| !is_known(word)) {
                let what = nothing(word, &known) + ", or \"\" for nothing";
                return Err(OwnerError::new(&["zones", surface, zone], what));
            }
        }
        Ok(())
    }

    /// What is odd about the faces that are named: too few or too many for the die's shape, or none that means something which
    /// the rules have on such a die. Copies differ: that is for the owner to see.
    pub fn odd_faces(&self) -> Vec<OwnerError> {
        let mut odd = Vec::new();
        for (kind, faces) in &self.faces {
            let shape = self.shapes.get(kind);
            let shape = shape.map_or(Some(Shape::D6), |name| Shape::from_name(name));
            let sides = shape.map_or(faces.len(), |s| s.faces() as usize);
            if faces.len() != sides {
                let what = format!(
                    "names {} faces, and such a die has {sides}: one that shows what is not named is read as unknown",
                    faces.len()
                );
                odd.push(OwnerError::new(&["faces", kind], what));
            }
            let means = self.kind_means(kind);
            let rules_kind: Option<DieKind> = means.and_then(|m| m.parse().ok());
            let Some(rules_kind) = rules_kind.filter(|_| self.is_dice_duel()) else {
                continue;
            };
            let mut told: BTreeMap<String, &String> = BTreeMap::new();
            for face in faces.iter().collect::<BTreeSet<_>>() {
                let means = self.symbol_means(kind, face).unwrap_or(face.clone());
                if let Some(other) = told
                    .insert(means.clone(), face)
                    .filter(|_| !means.is_empty())
                {
                    let what =
                        format!("means {means}, as {other} does: is one of them another symbol?");
                    odd.push(OwnerError::new(&["faces", kind, face], what));
                }
            }
            // a face for two things at once stands for both
            let shown = |face: &String| self.symbol_means(kind, face).unwrap_or(face.clone());
            let shown: Vec<String> = faces.iter().map(shown).collect();
            let both = |symbol: &Symbol| {
                let name = symbol.name();
                let mines = matches!(symbol, Symbol::MineA | Symbol::MineB);
                shown.iter().any(|s| {
                    s.split('+').any(|part| part == name) || (mines && s == Symbol::MineAB.name())
                })
            };
            let known = rules_kind.symbols().symbols();
            let missing =
                known.filter(|s| !s.name().contains('+') && *s != Symbol::MineAB && !both(s));
            let missing: Vec<&str> = missing.map(|s| s.name()).collect();
            if !missing.is_empty() {
                let what = format!(
                    "none of them means {}: if these dice do show it, say so in symbols.{kind}",
                    missing.join(", ")
                );
                odd.push(OwnerError::new(&["faces", kind], what));
            }
        }
        odd
    }

    /// What the front of a token is to the rules: what its owner says, nothing where that is empty, or else its name.
    pub fn token_means(&self, name: &str) -> String {
        self.token(name).means.unwrap_or_else(|| {
            let mut known = token_meanings().into_iter();
            let same = known.find(|word| alike(word) == alike(name));
            // whose mine it is, its name says
            let mine = || is_mine(name).then(|| "mine".to_owned());
            same.or_else(mine).unwrap_or_else(|| name.replace('_', "-"))
        })
    }

    /// A token's description: what stands in the file, or else what its name says.
    pub fn token(&self, name: &str) -> OwnerToken {
        if let Some(token) = self.tokens.get(name) {
            return token.clone();
        }
        OwnerToken {
            outline: if name == CRYSTAL {
                Outline::Other
            } else {
                Outline::Round
            },
            size_mm: 2.0
                * if is_mine(name) {
                    self.mine_radius_mm
                } else {
                    self.token_radius_mm
                },
            means: None,
            back: BTreeMap::new(),
        }
    }
}

fn is_mine(name: &str) -> bool {
    name.starts_with("mine")
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

/// An owner may write `mineA` for `mine-A`.
fn same_zone(a: &str, b: &str) -> bool {
    let plain = |z: &str| z.replace(['-', '/', '.'], "");
    plain(a) == plain(b)
}

/// The rules' word for a zone: `front-1/nose` is `front-1.nose`, `mineA` is `mine-A`.
fn zone_means(zone: &str) -> String {
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

    fn told(fields: &str) -> Owner {
        let text = format!("{{\"die_mm\": 16, \"faces\": {{\"zap\": [\"a\", \"b\"]}}{fields}}}");
        Owner::parse(&text).expect("an owner").0
    }

    #[test]
    fn a_station_has_a_number_and_engineering_has_none() {
        let owner = usual_owner();
        let numbers = ["weapons", "helm", "engineering", "kitchen"].map(|d| owner.usual_number(d));
        assert_eq!(numbers, [Some(1), Some(5), None, None]);
    }

    #[test]
    fn any_owners_names_will_do() {
        let owner =
            told(", \"kinds\": {\"zap\": \"weapon\"}, \"symbols\": {\"zap\": {\"a\": \"NOSE\"}}");
        assert_eq!(owner.kind_means("zap").as_deref(), Some("weapon"));
        assert_eq!(owner.symbol_means("zap", "a").as_deref(), Some("NOSE"));
        assert_eq!(owner.symbol_means("zap", "b"), None);
    }

    #[test]
    fn displays_and_zones_may_have_any_names() {
        let outline = "[[0, 0], [30, 0], [30, 30]]";
        let fields = format!(
            ", \"card_mm\": [150, 110], \"stations\": {{\"Steuer\": \"helm\"}}, \"displays\": {{\"Steuer\": {{\"links\": {outline}, \"Zier\": {outline}}}}},
            \"zones\": {{\"Steuer\": {{\"links\": \"A\", \"Zier\": \"\"}}}}"
        );
        let owner = told(&fields);
        owner.check().expect("names that are there");
        owner.check_words().expect("words of the rules");
        let means = ["links", "Zier"].map(|zone| owner.zone_means("Steuer", zone));
        assert_eq!(means, ["A", ""]);
        assert_eq!(owner.undrawn("Steuer"), ["energy", "B", "C"]);
        assert_eq!(owner.usual_number("Steuer"), Some(5));
        let refused = |said: &str, wrong: &str| {
            let owner = told(&fields.replace(said, wrong));
            let why = owner.check().and_then(|()| owner.check_words());
            why.expect_err("a name that is not there").to_string()
        };
        let why = refused("\"helm\"", "\"bridge\"");
        assert!(
            why.starts_with("stations.Steuer: \"bridge\" is nothing"),
            "{why}"
        );
        let why = refused("\"A\"", "\"Q\"");
        assert!(
            why.starts_with("zones.Steuer.links: \"Q\" is nothing"),
            "{why}"
        );
        let why = refused("\"zones\": {\"Steuer\"", "\"zones\": {\"Ruder\"");
        assert!(why.contains("Ruder"), "{why}");
    }

    #[test]
    fn a_token_means_what_is_said_or_what_it_is_called() {
        let owner = told(
            ", \"tokens\": {\"rock\": {\"size_mm\": 40, \"means\": \"asteroid\"}, \"lid\": {\"size_mm\": 40, \"means\": \"\"}, \"mine_black\": {\"size_mm\": 20}}",
        );
        let said = [
            "rock",
            "lid",
            "Nebula",
            "gravity_n",
            "mine-white",
            "mine_black",
        ];
        let said = said.map(|name| owner.token_means(name));
        assert_eq!(
            said,
            ["asteroid", "", "nebula", "gravity-N", "mine", "mine"]
        );
        assert_eq!(owner.token_means("asteroids"), "asteroids");
        let why = told(", \"tokens\": {\"rocks\": {\"size_mm\": 40}}").check_words();
        let why = why.expect_err("no word of the rules");
        let why = why.to_string();
        assert!(
            why.starts_with("tokens.rocks.means: \"rocks\" is nothing"),
            "{why}"
        );
        for word in token_meanings() {
            word.parse::<TokenKind>().expect("a word of the rules");
        }
        assert!(token_meanings().contains(&"crystal".to_owned()));
        assert!(!token_meanings().contains(&"asteroids".to_owned()));
    }

    #[test]
    fn faces_that_cannot_be_all_are_odd() {
        let faces = |fields: &str| {
            let odd = told(&format!(", \"card_mm\": [150, 110]{fields}")).odd_faces();
            odd.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(
            faces(""),
            [
                "faces.zap: names 2 faces, and such a die has 6: one that shows what is not named is read as unknown"
            ]
        );
        let weapons = ", \"kinds\": {\"zap\": \"weapon\"}, \"shapes\": {\"zap\": \"d20\"}, \"symbols\": {\"zap\": {\"a\": \"NOSE\", \"b\": \"NOSE\"}}";
        let odd = faces(weapons);
        assert!(odd[0].contains("such a die has 20"), "{odd:?}");
        assert_eq!(
            odd[1],
            "faces.zap.b: means NOSE, as a does: is one of them another symbol?"
        );
        assert_eq!(
            odd[2],
            "faces.zap: none of them means BODY, TAIL, BLAST1, BLAST2: if these dice do show it, say so in symbols.zap"
        );
        let mut owner = usual_owner();
        assert!(
            owner
                .odd_faces()
                .iter()
                .all(|odd| !odd.to_string().contains("means"))
        );
        owner.faces.insert(
            "tractor".to_owned(),
            ["T1", "T2", "MINE_AB", "EXP", "EXP", "T1"]
                .map(str::to_owned)
                .into(),
        );
        owner.faces.insert(
            "sensor".to_owned(),
            ["L1", "L1+J1", "L2+J2", "EXP", "EXP", "L1"]
                .map(str::to_owned)
                .into(),
        );
        assert!(
            owner
                .odd_faces()
                .iter()
                .all(|odd| !odd.to_string().contains("means"))
        );
    }

    #[test]
    fn a_zone_that_the_copy_lacks_is_not_missed() {
        let mut owner = usual_owner();
        let drawn = vec![[0.0, 0.0], [9.0, 0.0], [9.0, 9.0]];
        let tractor = owner.displays.get_mut("tractor").expect("a display");
        tractor.insert("mineA".to_owned(), drawn);
        assert_eq!(owner.undrawn("tractor"), ["energy", "beam", "mine-B"]);
        owner.absent = ["tractor/mineB", "board/used-crystals"]
            .map(str::to_owned)
            .into();
        assert_eq!(owner.undrawn("tractor"), ["energy", "beam"]);
        assert!(owner.is_absent("tractor", "mine-B"));
        assert!(!owner.undrawn(BOARD).contains(&"used-crystals".to_owned()));
        owner.check_words().expect("known to the rules");
        owner.absent.insert("helm/mine-B".to_owned());
        let why = owner.check_words().expect_err("no such zone");
        let why = why.to_string();
        assert!(
            why.starts_with("absent.helm/mine-B: names nothing"),
            "{why}"
        );
        // other games' displays have no zones that anybody knows
        owner.game = "nearspace".to_owned();
        assert!(owner.undrawn("helm").is_empty());
    }

    #[test]
    fn the_usual_names_are_the_rules_own() {
        let owner = usual_owner();
        for (kind, faces) in &owner.faces {
            assert_eq!(owner.kind_means(kind).as_deref(), Some(kind.as_str()));
            for face in faces {
                assert_eq!(owner.symbol_means(kind, face), None, "{kind} {face}");
            }
        }
        let of = |display: &str| zones_on(display).len();
        assert_eq!(of("engineering") + of("helm") + of("sensors"), 1 + 4 + 3);
        assert_eq!(of("weapons"), 1 + 12, "two tubes a side, of three parts");
        for (display, zone) in owner
            .displays
            .keys()
            .flat_map(|d| zones_on(d).into_iter().map(move |z| (d, z)))
        {
            let spot = format!("{display}.{}", zone_means(&zone));
            assert!(Spot::all().any(|s| s.to_string() == spot), "{spot}");
        }
    }
}
