//! Whole displays and what is wrong on them, held against the truth.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::eval::{Share, share};
use super::eval_slices::{Slice, Slices, View};
use crate::{copy::Status, session::PictureReport};

/// What the truth says of the whole table.
#[derive(Debug, Default, Deserialize)]
pub(super) struct State {
    /// By team, station and zone: what lies there.
    #[serde(default)]
    displays: BTreeMap<String, BTreeMap<String, BTreeMap<String, Vec<String>>>>,
    #[serde(default)]
    infractions: Vec<Infraction>,
}

#[derive(Debug, Deserialize)]
struct Infraction {
    #[serde(rename = "type")]
    what: String,
    object: Option<u64>,
    display: Option<String>,
    slot: Option<String>,
    #[serde(default)]
    in_picture: bool,
}

/// A display all of which is in the picture.
pub(super) struct Display<'a> {
    /// `white/helm`.
    pub name: &'a str,
    pub slots_mm: &'a BTreeMap<String, Vec<[f64; 2]>>,
    /// How many of the things on it the picture shows half of.
    pub shown: usize,
    /// Whether a person could read all dice on it; `None` where nobody says.
    pub legible: Option<bool>,
    /// How it is seen itself.
    pub view: View,
}

/// How many there are, and of how many of these it is told right.
#[derive(Debug, Default, Clone, Copy)]
struct Found {
    n: u64,
    right: u64,
}

impl Found {
    fn count(&mut self, right: bool) {
        self.n += 1;
        self.right += u64::from(right);
    }

    fn add(&mut self, o: Self) {
        self.n += o.n;
        self.right += o.right;
    }

    fn share(self) -> Share {
        share(self.right, self.n)
    }
}

#[derive(Debug, Default)]
pub(super) struct Tally {
    displays: Found,
    /// The same; sure where nothing of what is told of it is unsure.
    displays_by: Slices,
    legible: Found,
    wrong: Found,
    wrong_legible: Found,
    said: u64,
    said_falsely: u64,
    /// What is not as it lies there, a line a display; and problems that are none or are not told.
    pub unlike: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct Figures {
    /// All dice and tokens that lie on it, by best guess, in their zones, and none besides; dice of no copy are read as such.
    pub displays_exact: Share,
    /// Of those all of whose dice a person could read; nothing where nobody says which.
    pub legible_displays_exact: Option<Share>,
    displays_by: Vec<Slice>,
    pub problems_found: Share,
    /// Of those whose die a person could read.
    pub legible_problems_found: Option<Share>,
    /// Told, and none. That a die of no copy is of the wrong kind, or outside all zones, is true.
    pub problems_false: Share,
}

impl std::fmt::Display for Figures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "displays  exact {}", self.displays_exact)?;
        if let Some(share) = &self.legible_displays_exact {
            write!(f, ", of those all of whose dice are readable {share}")?;
        }
        write!(f, "; problems found {}", self.problems_found)?;
        if let Some(share) = &self.legible_problems_found {
            write!(f, ", of those whose die is readable {share}")?;
        }
        write!(f, ", falsely {}", self.problems_false)?;
        self.displays_by
            .iter()
            .try_for_each(|s| write!(f, "\n  {s}"))
    }
}

/// The rules' name of a zone that the truth calls by display and slot.
pub(super) fn zone_name(display: &str, slot: Option<&str>) -> String {
    let id = display.replace('/', ".");
    match slot {
        Some("mineA") => format!("{id}.mine-A"),
        Some("mineB") => format!("{id}.mine-B"),
        Some(slot) => format!("{id}.{}", slot.replace('/', ".")),
        None => id,
    }
}

const OUTSIDE: &str = "die_outside_any_zone";
const WRONG_KIND: &str = "die_of_wrong_kind";
/// How the truth calls it that a die of no copy lies on a display.
const OF_NO_COPY: &str = "stranger_die";

/// Infractions as the truth calls them, and the definite problem that each should be told as; no picture of a display
/// shows the others.
const KNOWN: [(&str, &str); 6] = [
    ("die_in_wrong_zone", "die_in_wrong_zone"),
    ("unusable_symbol_placed", "unusable_symbol_placed"),
    ("energy_die_number_not_this_station", "wrong_energy_number"),
    ("die_outside_any_zone", OUTSIDE),
    ("foreign_die", WRONG_KIND),
    ("station_die_in_energy_zone", "station_die_in_energy_zone"),
];

fn holds(polygon: &[[f64; 2]], [x, y]: [f64; 2]) -> bool {
    use geo::Contains;
    let ring: geo::LineString<f64> = polygon.iter().map(|p| (p[0], p[1])).collect();
    geo::Polygon::new(ring, vec![]).contains(&geo::Point::new(x, y))
}

impl Tally {
    pub fn add(&mut self, o: &Self) {
        self.displays.add(o.displays);
        self.displays_by.add(&o.displays_by);
        self.legible.add(o.legible);
        self.wrong.add(o.wrong);
        self.wrong_legible.add(o.wrong_legible);
        self.said += o.said;
        self.said_falsely += o.said_falsely;
    }

    pub fn figures(&self) -> Figures {
        let legible = |f: Found| (f.n > 0).then(|| f.share());
        Figures {
            displays_exact: self.displays.share(),
            legible_displays_exact: legible(self.legible),
            displays_by: self.displays_by.figures(),
            problems_found: self.wrong.share(),
            legible_problems_found: legible(self.wrong_legible),
            problems_false: share(self.said_falsely, self.said),
        }
    }

    /// `is_legible` says of a die by its number whether a person could read it; `None` where nobody says.
    pub fn compare(
        &mut self,
        report: &PictureReport,
        state: &State,
        whole: &[Display<'_>],
        is_legible: impl Fn(u64) -> Option<bool>,
    ) {
        for display in whole {
            let Some((team, station)) = display.name.split_once('/') else {
                continue;
            };
            let Some(zones) = state.displays.get(team).and_then(|t| t.get(station)) else {
                continue;
            };
            let mut want: Vec<(String, String)> = Vec::new();
            for (slot, labels) in zones {
                let slot = (slot != "-").then_some(slot.as_str());
                let zone = zone_name(display.name, slot);
                want.extend(labels.iter().map(|l| (zone.clone(), l.clone())));
            }
            if want.len() != display.shown {
                // a hand lies over some of it
                continue;
            }
            let mut read = self::read(report, display, station);
            want = less_strangers(want, unknown(report, display));
            want.sort();
            read.sort();
            self.displays.count(want == read);
            let surely = want == read && is_sure(report, display);
            self.displays_by.count(&display.view, want == read, surely);
            if display.legible == Some(true) {
                self.legible.count(want == read);
            }
            if want != read {
                self.unlike.push(unlike(display.name, &want, &read));
            }
        }
        self.problems(report, state, is_legible);
    }

    fn problems(
        &mut self,
        report: &PictureReport,
        state: &State,
        is_legible: impl Fn(u64) -> Option<bool>,
    ) {
        let text = |p: &serde_json::Value, key: &str| p.get(key)?.as_str().map(str::to_owned);
        let said = report.problems.iter();
        let mut said: Vec<(String, String)> = said
            .filter_map(|p| Some((text(p, "code")?, text(p, "where")?)))
            .filter(|(c, _)| KNOWN.iter().any(|(_, code)| c == code))
            .collect();
        self.said += said.len() as u64;
        let mut hidden = Vec::new();
        for i in &state.infractions {
            if i.what == OF_NO_COPY
                && let Some(display) = &i.display
            {
                // it has no name, and need not be told of; but if it is called one of the wrong kind, or one outside all zones where it
                // is, that is true
                let zone = zone_name(display, i.slot.as_deref());
                let outside = i.slot.is_none();
                let code = if outside { OUTSIDE } else { WRONG_KIND };
                hidden.push((code.to_owned(), zone));
                continue;
            }
            let known = KNOWN.iter().find(|(what, _)| *what == i.what);
            let (Some((_, code)), Some(display)) = (known, &i.display) else {
                continue;
            };
            let zone = zone_name(display, i.slot.as_deref());
            let at = said.iter().position(|(c, z)| c == *code && *z == zone);
            if !i.in_picture {
                hidden.push(((*code).to_owned(), zone));
                continue;
            }
            self.wrong.count(at.is_some());
            if i.object.and_then(&is_legible) == Some(true) {
                self.wrong_legible.count(at.is_some());
            }
            match at {
                Some(at) => drop(said.remove(at)),
                None => self
                    .unlike
                    .push(format!("problem {code} at {zone}: not told")),
            }
        }
        // true, though its die's face is not seen, or is no copy's: each speaks for one report, which counts neither way
        for true_ in hidden {
            if let Some(at) = said.iter().position(|s| *s == true_) {
                said.remove(at);
                self.said -= 1;
            }
        }
        self.said_falsely += said.len() as u64;
        let none = |(code, zone)| format!("problem {code} at {zone}: told, and is none");
        self.unlike.extend(said.into_iter().map(none));
    }
}

/// What lies on a display and was not read, and what was read and does not lie there.
fn unlike(display: &str, want: &[(String, String)], read: &[(String, String)]) -> String {
    let besides = |all: &[(String, String)], but: &[(String, String)]| {
        let mut but = but.to_vec();
        let mut out = Vec::new();
        for one in all {
            match but.iter().position(|o| o == one) {
                Some(i) => drop(but.swap_remove(i)),
                None => out.push(format!("{} {}", one.0, one.1)),
            }
        }
        if out.is_empty() {
            return "nothing".to_owned();
        }
        out.join(", ")
    };
    format!(
        "display {display}: not read {}; read besides {}",
        besides(want, read),
        besides(read, want)
    )
}

/// How the truth writes a die of no copy.
const STRANGER: &str = "stranger:";

/// What lies on a display and must be read there: a die of no copy has no name, and an unknown die in its zone is all that can be said.
fn less_strangers(want: Vec<(String, String)>, mut unknown: Vec<String>) -> Vec<(String, String)> {
    let mut is_missing = |(zone, label): &(String, String)| {
        let is_there = |z: &String| label.starts_with(STRANGER) && z == zone;
        match unknown.iter().position(is_there) {
            Some(i) => {
                unknown.swap_remove(i);
                false
            }
            None => true,
        }
    };
    want.into_iter().filter(|w| is_missing(w)).collect()
}

/// Zones of a display in which dice lie that are none of the copy's.
fn unknown(report: &PictureReport, display: &Display<'_>) -> Vec<String> {
    let id = zone_name(display.name, None);
    let dice = report.dice.iter().filter(|d| d.kind.is_none());
    let on = dice.filter(|d| d.placing.surface.as_deref() == Some(&id));
    on.filter_map(|d| d.placing.zone.clone()).collect()
}

/// Whether all that is told of a display and of what lies on it is sure.
fn is_sure(report: &PictureReport, display: &Display<'_>) -> bool {
    let id = zone_name(display.name, None);
    let lies = report.surfaces.iter().find(|s| s.id == id);
    let mut dice = report.dice.iter();
    let mut tokens = report.tokens.iter();
    let sure = Status::Sure;
    lies.is_some_and(|s| s.status == sure)
        && dice.all(|d| {
            let on = d.placing.surface.as_deref() == Some(&id);
            !on || d.status == sure && d.placing.zone_status == sure
        })
        && tokens.all(|t| t.surface.as_deref() != Some(&id) || t.status == sure)
}

/// What was read on a display: zone and what lies there, as the truth writes it.
fn read(report: &PictureReport, display: &Display<'_>, station: &str) -> Vec<(String, String)> {
    let id = zone_name(display.name, None);
    let mut out = Vec::new();
    for die in &report.dice {
        let (Some(kind), Some(face)) = (&die.kind, &die.face) else {
            continue;
        };
        let on = die.placing.surface.as_deref() == Some(&id);
        let Some(zone) = die.placing.zone.clone().filter(|_| on) else {
            continue;
        };
        let own = kind == station || station == "engineering" && kind == "energy";
        out.push((
            zone,
            if own {
                face.clone()
            } else {
                format!("{kind}:{face}")
            },
        ));
    }
    for token in &report.tokens {
        let Some(at) = token
            .at_mm
            .filter(|_| token.surface.as_deref() == Some(&id))
        else {
            continue;
        };
        let slot = display.slots_mm.iter().find(|(_, q)| holds(q, at));
        let zone = zone_name(display.name, slot.map(|(s, _)| s.as_str()));
        let name = token.kind.split('-').next().unwrap_or_default();
        out.push((zone, name.to_owned()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(infractions: &str) -> State {
        let text = format!(r#"{{"displays": {{}}, "infractions": {infractions}}}"#);
        serde_json::from_str(&text).expect("a state")
    }

    fn told(problems: &[(&str, &str)]) -> PictureReport {
        let problems = problems.iter();
        let problems = problems.map(|(code, at)| serde_json::json!({"code": code, "where": at}));
        PictureReport {
            image: String::new(),
            size: [1, 1],
            surfaces: Vec::new(),
            dice: Vec::new(),
            minis: Vec::new(),
            tokens: Vec::new(),
            setup: serde_json::Value::Null,
            problems: problems.collect(),
            calls: Vec::new(),
        }
    }

    #[test]
    fn a_problem_is_found_where_it_is_and_counted_by_whether_its_die_is_readable() {
        let state = state(
            r#"[{"type": "foreign_die", "object": 1, "display": "white/helm", "slot": "A", "in_picture": true},
                {"type": "die_in_wrong_zone", "object": 2, "display": "white/helm", "slot": "B", "in_picture": true},
                {"type": "stranger_die", "object": 3, "display": "white/helm", "slot": "C", "in_picture": true}]"#,
        );
        let mut tally = Tally::default();
        let report = told(&[
            (WRONG_KIND, "white.helm.A"),
            // it is one, of no copy
            (WRONG_KIND, "white.helm.C"),
            (WRONG_KIND, "white.helm.B"),
            ("unsure_die", "white.helm.B"),
            // one stranger speaks for one report
            (WRONG_KIND, "white.helm.C"),
        ]);
        tally.compare(&report, &state, &[], |id| Some(id == 1));
        let f = tally.figures();
        let counts = |s: &Share| {
            let v = serde_json::to_value(s).expect("a share");
            ["count", "n"].map(|key| v[key].as_u64().expect("a number"))
        };
        assert_eq!(counts(&f.problems_found), [1, 2]);
        assert_eq!(f.legible_problems_found.as_ref().map(counts), Some([1, 1]));
        assert_eq!(counts(&f.problems_false), [2, 3]);
        assert!(f.legible_displays_exact.is_none());
    }

    #[test]
    fn a_die_of_no_copy_is_read_where_an_unknown_one_lies() {
        let on = |all: &[(&str, &str)]| -> Vec<(String, String)> {
            let all = all.iter();
            all.map(|(zone, what)| ((*zone).to_owned(), (*what).to_owned()))
                .collect()
        };
        let want = [("a", "lock1"), ("a", "stranger:5"), ("b", "stranger:2")];
        let left = |unknown: &[&str]| {
            let unknown = unknown.iter().map(|z| (*z).to_owned());
            less_strangers(on(&want), unknown.collect())
        };
        assert_eq!(left(&["a", "b"]), on(&want[..1]));
        assert_eq!(left(&["b"]), on(&want[..2]));
        // an unknown die is none of the copy's: it stands for no other
        assert_eq!(left(&["a", "a", "c"]), on(&[want[0], want[2]]));
    }
}
