//! The table in the rules' words, through the copy's symbol map.

use super::TableCall;
use crate::{
    copy::{Copy, Region, Status, Surface},
    rules::{
        Place,
        dice_duel::{Call, DieKind, DieSetup, Faces, Print, Setup, Showing, Symbol, What, Zone},
    },
    table::{Die, Table},
};

/// Faces that may lie somewhere are out of the question below this chance, all together: a sure reading may be as wrong.
const OUT_OF_QUESTION: f64 = 0.01;

/// Dice as claims, each where `at` says, and the number of the die that each claim is of. A die that is
/// not of this copy claims nothing.
pub(super) fn from_table(
    table: &Table,
    copy: &Copy,
    print: &Print,
    at: impl Fn(&Die) -> Place<Zone>,
) -> (Setup, Vec<u64>) {
    let mut setup = Setup::default();
    let mut ids = Vec::new();
    for die in &table.dice {
        if let Some(claim) = claim(die, copy, print, at(die)) {
            setup.dice.push(claim);
            ids.push(die.id);
        }
    }
    (setup, ids)
}

/// The dice that each call is about: a call for an energy die goes to the first die, not yet spoken
/// for, that claims to show the same, or may show anything. Two dice that show the same are alike to the
/// rules, too. What a die would mean that is `covered` is not said: that it is covered says it all.
pub(super) fn spoken_of(
    calls: Vec<Call>,
    setup: &Setup,
    ids: &[u64],
    covered: impl Fn(u64) -> bool,
) -> Vec<TableCall> {
    let mut free: Vec<(u64, Option<Faces>, &Place<Zone>)> = ids
        .iter()
        .zip(&setup.dice)
        .map(|(id, d)| (*id, faces(&d.means), &d.at))
        .collect();
    calls
        .into_iter()
        .filter_map(|call| {
            let mut dice = Vec::new();
            if let What::Energy { shows, .. } = call.what
                && shows.may_be_absent()
            {
                // what may lie on a display that nobody sees is no die to speak of
                return None;
            }
            // the die lies where the call has it: another that shows the same may power a station already
            let find = |zone: Zone, wanted: Option<Faces>| {
                let may_be_there = |at: &Place<Zone>| match at.candidates() {
                    Some(zones) => zones.contains(&zone),
                    None => true,
                };
                free.iter()
                    .position(|(_, faces, at)| *faces == wanted && **at == Place::Known(zone))
                    .or_else(|| {
                        let mut all = free.iter();
                        all.position(|(_, faces, at)| *faces == wanted && may_be_there(at))
                    })
            };
            if let What::Energy { at, shows, .. } = call.what
                && let Some(which) = find(at, Some(shows)).or_else(|| find(at, None))
            {
                let (id, faces, _) = free.remove(which);
                if faces.is_none() && covered(id) {
                    return None;
                }
                dice.push(id);
            }
            Some(TableCall { call, dice })
        })
        .collect()
}

/// The zone that a foot lies in, in the rules' words. Of a zone that the rules do not know, as of a
/// foot that lies in none, they are told the surface's display, or the bare table.
pub(super) fn zone(surface: &Surface, region: &Region) -> Place<Zone> {
    let outside = || -> Zone { surface.means.parse().unwrap_or(Zone::Table) };
    let named = |name: &String| name.parse::<Zone>().unwrap_or_else(|_| outside());
    match region {
        Region::Sure(name) => Place::Known(named(name)),
        Region::Outside => Place::Known(outside()),
        Region::Unsure {
            among,
            outside: or_outside,
            off,
        } => {
            let mut zones: Vec<Zone> = among.iter().map(named).collect();
            if *or_outside {
                zones.push(outside());
            }
            if *off {
                zones.push(Zone::Table);
            }
            zones.sort_unstable();
            zones.dedup();
            match zones.as_slice() {
                [one] => Place::Known(*one),
                _ => Place::OneOf(zones),
            }
        }
    }
}

/// What a claim lets a die show; `None` where that is anything.
fn faces(means: &Place<Showing>) -> Option<Faces> {
    let symbols: Option<Vec<Symbol>> = match means {
        Place::Known(Showing::Symbol(one)) => Some(vec![*one]),
        Place::OneOf(some) => some
            .iter()
            .map(|s| match s {
                Showing::Symbol(one) => Some(*one),
                _ => None,
            })
            .collect(),
        _ => None,
    };
    symbols.map(Faces::from_iter)
}

/// What the rules are told of a die; nothing of one that rolls or is none of the copy's.
///
/// Readings that are unsure are a filter and no trap: where of two of them neither may lie, it may well be a third one, and
/// nobody is told to take it off, unless all that its kind may show there is as unlikely by its print as a sure reading is wrong.
pub(super) fn claim(die: &Die, copy: &Copy, print: &Print, at: Place<Zone>) -> Option<DieSetup> {
    let symbol = |kind: &str, face: &str| -> Option<Symbol> {
        let (_, means) = copy.means(kind, face)?;
        means.parse().ok()
    };
    let (means, _) = copy.means(die.reading.kind.as_deref()?, die.reading.face.as_deref()?)?;
    let mut kind = means?.parse().ok();
    let best = symbol(die.reading.kind.as_deref()?, die.reading.face.as_deref()?)?;
    if die.status() != Status::Sure && !die.reading.kind_sure {
        // a die of the kind that belongs there, if it may be one; of any other nothing is said
        let next = die.reading.next.as_ref();
        // one that was only taken for what makes sense there is evidence of nothing
        let ranked = next.is_none();
        let next = next.and_then(|n| copy.means(&n.kind, &n.face));
        let next = next.and_then(|(kind, _)| kind?.parse().ok());
        let belongs = at.known().and_then(|zone| match zone {
            Zone::On(_, spot) => Some(spot.die_kind()),
            _ => None,
        });
        kind = belongs.filter(|k| !ranked && [kind, next].contains(&Some(*k)));
    }
    let may_lie = |kind: Option<DieKind>, symbols: [Symbol; 2]| match at.known() {
        Some(Zone::On(_, spot)) if kind == Some(spot.die_kind()) => {
            let legal = print.legal(*spot);
            symbols.iter().any(|s| legal.contains(*s))
        }
        _ => true,
    };
    // of the kind that belongs there, whichever of its faces it shows
    let is_astray = || {
        let Some(Zone::On(_, spot)) = at.known() else {
            return false;
        };
        let legal = print.legal(*spot);
        let next = die.reading.next.iter().chain(&die.reading.others);
        let may_be = |s: Symbol| {
            legal.contains(s) || print.options.expansion_symbols && s == Symbol::Expansion
        };
        let may = next.filter(|n| symbol(&n.kind, &n.face).is_none_or(may_be));
        die.reading.kind_sure && may.map(|n| n.confidence).sum::<f64>() < OUT_OF_QUESTION
    };
    let means = match die.status() {
        Status::Sure => Place::Known(Showing::Symbol(best)),
        Status::Unknown => return None,
        // a die that still rolls is not placed
        Status::Unsure if !die.settled => return None,
        // what a hand covers may have been turned or taken
        Status::Hidden => Place::Unknown,
        Status::Unsure => {
            let next = die.reading.next.as_ref();
            // one symbol alone would be as good as known
            match next.and_then(|n| symbol(&n.kind, &n.face)) {
                Some(other)
                    if other != best
                        && kind.is_some()
                        && (may_lie(kind, [best, other])
                            || !die.reading.others.is_empty() && is_astray()) =>
                {
                    Place::OneOf(vec![Showing::Symbol(best), Showing::Symbol(other)])
                }
                _ => Place::Unknown,
            }
        }
    };
    Some(DieSetup { at, kind, means })
}

#[cfg(all(test, feature = "vision"))]
mod tests {
    use super::*;
    use crate::{
        copy::{Shape, load, shipped},
        geometry::Quad,
        rules::dice_duel::Fault,
        table::snapshot,
        vision::{Next, Reading, Sighting},
    };

    #[test]
    fn a_call_is_about_the_die_that_lies_where_it_says() {
        let four = |zone: &str| DieSetup {
            at: Place::Known(zone.parse().expect("a zone")),
            kind: None,
            means: Place::Known(Showing::Symbol("4".parse().expect("a symbol"))),
        };
        let setup = Setup {
            dice: vec![four("white.shields.energy"), four("white.engineering.pool")],
            ..Setup::default()
        };
        let (position, _) = setup.resolve(&Print::default());
        let spoken = spoken_of(position.calls(), &setup, &[1, 2], |_| false);
        let energy = spoken
            .iter()
            .filter(|c| matches!(c.call.what, What::Energy { .. }));
        let about: Vec<&[u64]> = energy.map(|c| c.dice.as_slice()).collect();
        assert_eq!(about, [&[2]]);
    }

    /// A shield die that shows one of two faces, as the eye has it.
    fn die(face: &str, next: &str) -> Die {
        die_of(face, ["shield", next])
    }

    /// The same of one that may be another kind's.
    fn die_of(face: &str, [kind, next]: [&str; 2]) -> Die {
        let reading = Reading {
            kind: Some("shield".into()),
            face: Some(face.into()),
            status: Status::Unsure,
            confidence: 0.5,
            kind_sure: kind == "shield",
            likeness: 0.8,
            next: Some(Next {
                kind: kind.into(),
                face: next.into(),
                confidence: 0.4,
            }),
            others: Vec::new(),
            alike_after_deg: 360,
        };
        let sighting = Sighting {
            shape: Shape::D6,
            score: 1.0,
            there: 1.0,
            polygon: Quad::from_pairs([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]),
            error: 0.1,
            reading,
        };
        snapshot(&[sighting], &[], &[]).dice.remove(0)
    }

    /// What is wrong with it in the slot for a shield of 1.
    fn faults(face: &str, next: &str) -> Vec<Fault> {
        let copy = load(&shipped("practice")).unwrap();
        let print = Print::default();
        let at = Place::Known("white.shields.1".parse().unwrap());
        let setup = Setup {
            dice: claim(&die(face, next), &copy, &print, at)
                .into_iter()
                .collect(),
            ..Setup::default()
        };
        let (_, problems) = setup.resolve(&print);
        problems.into_iter().map(|p| p.fault).collect()
    }

    #[test]
    fn a_die_of_one_of_two_kinds_is_taken_for_the_one_that_belongs_where_it_lies() {
        let copy = load(&shipped("practice")).unwrap();
        let print = Print::default();
        for (zone, kind) in [
            ("white.shields.1", Some(DieKind::Shield)),
            ("white.sensors.lock", Some(DieKind::Sensor)),
            ("white.helm.A", None),
        ] {
            let at = Place::Known(zone.parse().unwrap());
            let claim = claim(&die_of("EXP", ["sensor", "EXP"]), &copy, &print, at).unwrap();
            assert_eq!(claim.kind, kind, "{zone}");
            assert_eq!(
                claim.means,
                Place::Unknown,
                "one symbol is not as good as known"
            );
            let setup = Setup {
                dice: vec![claim],
                ..Setup::default()
            };
            let (_, problems) = setup.resolve(&print);
            assert!(
                problems
                    .iter()
                    .all(|p| crate::session::duel::is_doubt(&p.fault)),
                "{zone}: {problems:?}"
            );
        }
    }

    #[test]
    fn a_die_that_is_only_taken_for_what_makes_sense_claims_no_kind() {
        let copy = load(&shipped("practice")).unwrap();
        let print = Print::default();
        let at = Place::Known("white.shields.1".parse().unwrap());
        let kind = |ranked: bool| {
            let mut die = die_of("S1", ["sensor", "EXP"]);
            if ranked {
                die.reading.next = None;
            }
            let claim = claim(&die, &copy, &print, at.clone()).unwrap();
            (claim.kind, claim.means)
        };
        assert_eq!(kind(true), (None, Place::Unknown));
        assert_eq!(kind(false).0, Some(DieKind::Shield));
    }

    #[test]
    fn a_die_accuses_by_its_kind_only_where_that_is_sure() {
        let copy = load(&shipped("practice")).unwrap();
        let print = Print::default();
        let at = || Place::Known("white.weapons.front-1.nose".parse().unwrap());
        let is_accused = |kind_sure: bool| {
            let mut die = die("S2", "S4");
            die.reading.kind_sure = kind_sure;
            let setup = Setup {
                dice: claim(&die, &copy, &print, at()).into_iter().collect(),
                ..Setup::default()
            };
            assert_eq!(setup.dice.len(), 1, "it lies there");
            let (_, problems) = setup.resolve(&print);
            let doubts =
                |p: &crate::rules::dice_duel::Problem| crate::session::duel::is_doubt(&p.fault);
            !problems.iter().all(doubts)
        };
        assert!(is_accused(true));
        assert!(!is_accused(false), "its kind is two guesses of many");
    }

    #[test]
    fn a_die_that_may_be_one_of_two_and_hardly_anything_that_may_lie_there_is_taken_off() {
        let copy = load(&shipped("practice")).unwrap();
        let print = Print::default();
        let is_accused = |may: f64, kind_sure: bool| {
            let mut die = die("S2", "S4");
            die.reading.kind_sure = kind_sure;
            let other = |face: &str, confidence| Next {
                kind: "shield".into(),
                face: face.into(),
                confidence,
            };
            die.reading.others = vec![other("S3", 0.05), other("S1", may)];
            let at = Place::Known("white.shields.1".parse().unwrap());
            let setup = Setup {
                dice: claim(&die, &copy, &print, at).into_iter().collect(),
                ..Setup::default()
            };
            let (_, problems) = setup.resolve(&print);
            let accuses = |f: &Fault| matches!(f, Fault::WrongZone { .. });
            problems.iter().any(|p| accuses(&p.fault))
        };
        let is = [(0.002, true), (0.02, true), (0.002, false)].map(|(m, k)| is_accused(m, k));
        assert_eq!(is, [true, false, false]);
    }

    #[test]
    fn a_die_that_is_one_of_two_blasts_is_unusable_in_a_tube_whichever_it_is() {
        let print = Print::default();
        let fault = |symbols: [Symbol; 2]| {
            let die = DieSetup {
                at: Place::Known("white.weapons.front-1.nose".parse().unwrap()),
                kind: Some(DieKind::Weapon),
                means: Place::OneOf(symbols.map(Showing::Symbol).to_vec()),
            };
            let setup = Setup {
                dice: vec![die],
                ..Setup::default()
            };
            let (_, problems) = setup.resolve(&print);
            let mut faults = problems.into_iter().map(|p| p.fault);
            faults.find(|f| !crate::session::duel::is_doubt(f))
        };
        let blasts = fault([Symbol::Blast1, Symbol::Blast2]);
        assert!(
            matches!(blasts, Some(Fault::UnusableSymbol { .. })),
            "{blasts:?}"
        );
        let either = fault([Symbol::Blast1, Symbol::Tail]);
        assert!(
            matches!(either, Some(Fault::WrongZone { .. })),
            "{either:?}"
        );
    }

    #[test]
    fn of_two_unsure_readings_neither_of_which_may_lie_there_nothing_is_taken_off() {
        let accused = |f: &Fault| matches!(f, Fault::WrongZone { .. });
        assert!(!faults("S2", "S4").iter().any(accused));
        assert!(
            faults("S2", "S4")
                .iter()
                .any(|f| matches!(f, Fault::UnsureDie { .. }))
        );
        assert!(!faults("S1", "S4").iter().any(accused));
    }
}
