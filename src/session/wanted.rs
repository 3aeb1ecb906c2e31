//! The photographs that an enrolment wants of what an owner names.

use std::collections::BTreeSet;

use super::CRYSTAL;
use crate::copy::{BOARD, Measured, Outline, Owner, Photographs, Shape};

/// A photograph that an enrolment asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    /// Its file's name in `enrol/`, without the ending.
    pub name: String,
    /// What it should show, in words for the person at the table.
    pub shows: String,
    pub of: Of,
    pub how: How,
}

/// What it is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Of {
    Board,
    Displays,
    Dice,
    Ships,
    Tokens,
}

/// How it is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum How {
    /// A die's face.
    Face(Shape),
    Surface(Measured),
    Piece(Option<Outline>),
}

/// Photographs of each face: under different lights they tell more than one can.
const OF_A_FACE: usize = 2;
/// More of a face than this are not looked for.
const MOST_OF_A_FACE: usize = 9;

/// The names that photographs of a face may have; all but the first few may be left out.
pub fn photographs_of_face(kind: &str, face: &str) -> impl Iterator<Item = String> {
    (1..=MOST_OF_A_FACE).map(move |n| format!("die_{kind}_{face}_{n}"))
}

/// The names of the two sides of a token: of the front, and of the other side `side`.
pub fn photograph_of_token(name: &str, side: Option<&str>) -> String {
    match side {
        Some(side) => format!("token_{name}_{side}"),
        None if name == CRYSTAL => CRYSTAL.to_owned(),
        None => format!("token_{name}"),
    }
}

/// All photographs that a copy wants, in the order in which a person takes them most easily.
pub fn wanted(owner: &Owner) -> Vec<Wanted> {
    let mut all = surfaces(owner);
    all.extend(dice(owner));
    if owner.board.is_some() {
        for team in &owner.teams {
            for (letter, way) in [("N", "up"), ("E", "right"), ("S", "down"), ("W", "left")] {
                all.push(Wanted {
                    name: format!("ship_{team}_{letter}"),
                    shows: format!("{team}'s ship alone, its nose {way} in the picture"),
                    of: Of::Ships,
                    how: How::Piece(None),
                });
            }
        }
    }
    all.extend(tokens(owner));
    all
}

/// All photographs that a copy wants, and those of the ones that are there that it has a use for besides: more of a face, and
/// tokens that their owner does not list.
pub fn wanted_or_there(owner: &Owner, there: &Photographs) -> Vec<Wanted> {
    let mut all = wanted(owner);
    let known: BTreeSet<String> = all.iter().map(|w| w.name.clone()).collect();
    let more = |name: &String| !known.contains(name) && there.get(name).is_some();
    let faces = owner.faces.iter();
    for (kind, face) in faces.flat_map(|(kind, faces)| faces.iter().map(move |face| (kind, face))) {
        let names = photographs_of_face(kind, face).skip(OF_A_FACE);
        all.extend(names.filter(more).map(|name| Wanted {
            name,
            shows: format!("the same die once more ({kind} {face})"),
            of: Of::Dice,
            how: how_face(owner, kind),
        }));
    }
    let tokens = there.names().filter(|name| more(name));
    all.extend(tokens.filter_map(|name| {
        let token = token_of(name)?;
        Some(Wanted {
            name: name.clone(),
            shows: format!("one {token} alone"),
            of: Of::Tokens,
            how: How::Piece(Some(owner.token(token).outline)),
        })
    }));
    // a face may be named twice
    all.sort_by(|a, b| (a.of, &a.name).cmp(&(b.of, &b.name)));
    all.dedup_by(|a, b| a.name == b.name);
    all
}

/// The names of all photographs that have a use: those that are wanted, and more of each face.
pub fn asked_for(owner: &Owner) -> BTreeSet<String> {
    let faces = owner.faces.iter();
    let faces = faces.flat_map(|(kind, faces)| faces.iter().map(move |face| (kind, face)));
    let more = faces.flat_map(|(kind, face)| photographs_of_face(kind, face));
    wanted(owner)
        .into_iter()
        .map(|w| w.name)
        .chain(more)
        .collect()
}

/// The token that a photograph shows by its name alone, whether or not an owner lists it.
pub fn token_of(photograph: &str) -> Option<&str> {
    let named = photograph.strip_prefix("token_");
    named.or((photograph == CRYSTAL).then_some(CRYSTAL))
}

/// Photographs for which nothing has a use. One that is called after a token needs no word from its owner.
pub fn unasked(owner: &Owner, there: &Photographs) -> Vec<String> {
    let asked = asked_for(owner);
    let all = there.names();
    let all = all.filter(|name| !asked.contains(*name) && token_of(name).is_none());
    all.cloned().collect()
}

fn surfaces(owner: &Owner) -> Vec<Wanted> {
    let board = owner.measured(BOARD).map(|measured| Wanted {
        name: "board".to_owned(),
        shows: "the empty board, whole".to_owned(),
        of: Of::Board,
        how: How::Surface(measured),
    });
    let mut all: Vec<Wanted> = board.into_iter().collect();
    for team in &owner.teams {
        for station in owner.displays.keys() {
            let Some(measured) = owner.measured(station) else {
                continue;
            };
            all.push(Wanted {
                name: format!("display_{team}_{station}"),
                shows: format!("{team}'s empty {station} display, whole"),
                of: Of::Displays,
                how: How::Surface(measured),
            });
        }
    }
    all
}

fn dice(owner: &Owner) -> Vec<Wanted> {
    let mut all = Vec::new();
    for (kind, faces) in &owner.faces {
        let once: BTreeSet<&String> = faces.iter().collect();
        for face in once {
            for (n, name) in photographs_of_face(kind, face).take(OF_A_FACE).enumerate() {
                let shows = if n == 0 {
                    format!(
                        "one {kind} die with {face} up and upright, filling a third of the picture"
                    )
                } else {
                    format!("the same die, turned and lit a little otherwise ({kind} {face})")
                };
                let (of, how) = (Of::Dice, how_face(owner, kind));
                all.push(Wanted {
                    name,
                    shows,
                    of,
                    how,
                });
            }
        }
    }
    all
}

/// How faces of a kind are looked at.
pub fn how_face(owner: &Owner, kind: &str) -> How {
    let shape = owner.shapes.get(kind);
    How::Face(
        shape
            .and_then(|shape| Shape::from_name(shape))
            .unwrap_or(Shape::D6),
    )
}

fn tokens(owner: &Owner) -> Vec<Wanted> {
    let mut all = Vec::new();
    for (name, token) in &owner.tokens {
        let shows = if name == CRYSTAL {
            "one crystal alone".to_owned()
        } else {
            format!("the {name} token alone")
        };
        let mut add = |name, shows| {
            all.push(Wanted {
                name,
                shows,
                of: Of::Tokens,
                how: How::Piece(Some(token.outline)),
            });
        };
        add(photograph_of_token(name, None), shows);
        for side in token.back.keys() {
            let shows = format!("the same token turned over: {side}");
            add(photograph_of_token(name, Some(side)), shows);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_another_name_is_asked_for_by_nothing() {
        let text = r#"{"die_mm": 16, "faces": {"energy": ["1"]}}"#;
        let (owner, _) = Owner::parse(text).expect("an owner");
        let dir = tempfile::tempdir().expect("a folder");
        for name in ["die_energy_1_3", "die_enrgy_1_1", "token_rock", "crystal"] {
            std::fs::write(dir.path().join(format!("{name}.jpg")), "").expect("written");
        }
        let there = Photographs::list(dir.path()).expect("a folder");
        assert_eq!(
            unasked(&owner, &there.serving(&asked_for(&owner))),
            ["die_enrgy_1_1"]
        );
    }

    #[test]
    fn what_is_there_besides_is_looked_at_as_what_it_is() {
        let text = r#"{"die_mm": 16, "faces": {"energy": ["1", "1"], "odd": ["a"]}, "shapes": {"odd": "d8"}}"#;
        let (owner, _) = Owner::parse(text).expect("an owner");
        let dir = tempfile::tempdir().expect("a folder");
        for name in [
            "die_energy_1_3",
            "die_odd_a_3",
            "token_rock",
            "crystal",
            "die_enrgy_1_1",
        ] {
            std::fs::write(dir.path().join(format!("{name}.jpg")), "").expect("written");
        }
        let there = Photographs::list(dir.path()).expect("a folder");
        let there = there.serving(&asked_for(&owner));
        let before: Vec<String> = wanted(&owner).into_iter().map(|w| w.name).collect();
        let all = wanted_or_there(&owner, &there);
        let more = all.iter().filter(|w| !before.contains(&w.name));
        let more: Vec<_> = more.map(|w| (w.name.as_str(), w.how)).collect();
        let (yes, no) = (How::Face(Shape::D6), How::Face(Shape::D8));
        let piece = |outline| How::Piece(Some(outline));
        assert_eq!(
            more,
            [
                ("die_energy_1_3", yes),
                ("die_odd_a_3", no),
                ("crystal", piece(Outline::Other)),
                ("token_rock", piece(Outline::Round))
            ]
        );
        assert_eq!(all.len(), before.len() + 4);
    }

    #[test]
    fn each_face_is_wanted_once_however_often_the_die_has_it() {
        let text = r#"{"die_mm": 16, "faces": {"energy": ["1", "2", "2"]}}"#;
        let (owner, _) = Owner::parse(text).expect("an owner");
        let names: Vec<String> = wanted(&owner).into_iter().map(|w| w.name).collect();
        assert_eq!(
            names,
            [
                "die_energy_1_1",
                "die_energy_1_2",
                "die_energy_2_1",
                "die_energy_2_2"
            ]
        );
        // a third one of a face is of use, too
        let asked = asked_for(&owner);
        assert!(asked.contains("die_energy_2_3") && !asked.contains("die_energy_3_1"));
    }
}
