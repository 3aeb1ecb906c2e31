//! Whole displays and what is wrong on them, held against the truth.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::eval::{Share, share};
use crate::session::PictureReport;

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
}

#[derive(Debug, Default)]
pub(super) struct Tally {
    displays: u64,
    exact: u64,
    wrong: u64,
    wrong_found: u64,
    said: u64,
    said_falsely: u64,
    /// What is not as it lies there, a line a display; and problems that are none or are not told.
    pub unlike: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct Figures {
    /// All dice and tokens that lie on it, by best guess, in their zones, and none besides; dice of no copy are read as such.
    pub displays_exact: Share,
    pub problems_found: Share,
    pub problems_false: Share,
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

/// Infractions as the truth calls them, and the definite problem that each should be told as; no picture of a display
/// shows the others.
const KNOWN: [(&str, &str); 6] = [
    ("die_in_wrong_zone", "die_in_wrong_zone"),
    ("unusable_symbol_placed", "unusable_symbol_placed"),
    ("energy_die_number_not_this_station", "wrong_energy_number"),
    ("die_outside_any_zone", "die_outside_any_zone"),
    ("foreign_die", "die_of_wrong_kind"),
    ("station_die_in_energy_zone", "station_die_in_energy_zone"),
];

fn holds(polygon: &[[f64; 2]], [x, y]: [f64; 2]) -> bool {
    use geo::Contains;
    let ring: geo::LineString<f64> = polygon.iter().map(|p| (p[0], p[1])).collect();
    geo::Polygon::new(ring, vec![]).contains(&geo::Point::new(x, y))
}

impl Tally {
    pub fn add(&mut self, o: &Self) {
        self.displays += o.displays;
        self.exact += o.exact;
        self.wrong += o.wrong;
        self.wrong_found += o.wrong_found;
        self.said += o.said;
        self.said_falsely += o.said_falsely;
    }

    pub fn figures(&self) -> Figures {
        Figures {
            displays_exact: share(self.exact, self.displays),
            problems_found: share(self.wrong_found, self.wrong),
            problems_false: share(self.said_falsely, self.said),
        }
    }

    pub fn compare(&mut self, report: &PictureReport, state: &State, whole: &[Display<'_>]) {
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
            self.displays += 1;
            self.exact += u64::from(want == read);
            if want != read {
                self.unlike.push(unlike(display.name, &want, &read));
            }
        }
        self.problems(report, state);
    }

    fn problems(&mut self, report: &PictureReport, state: &State) {
        let text = |p: &serde_json::Value, key: &str| p.get(key)?.as_str().map(str::to_owned);
        let said = report.problems.iter();
        let mut said: Vec<(String, String)> = said
            .filter_map(|p| Some((text(p, "code")?, text(p, "where")?)))
            .filter(|(c, _)| KNOWN.iter().any(|(_, code)| c == code))
            .collect();
        self.said += said.len() as u64;
        let mut hidden = Vec::new();
        for i in &state.infractions {
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
            self.wrong += 1;
            match at {
                Some(at) => {
                    said.remove(at);
                    self.wrong_found += 1;
                }
                None => self
                    .unlike
                    .push(format!("problem {code} at {zone}: not told")),
            }
        }
        // true, though its die's face is not seen
        said.retain(|s| !hidden.contains(s));
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
