//! What the Diceland tests share: dice made for one purpose, and tables of them.

// Each test file uses a part of it; and a test that cannot go on should stop there.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use sightline::rules::diceland::*;

/// A small generator of its own, so that a seed means the same everywhere.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn between(&mut self, least: f64, most: f64) -> f64 {
        least + (most - least) * self.unit()
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.below(of.len()))
    }
}

pub fn id(text: &str) -> DieId {
    text.parse().unwrap()
}

pub fn kind(text: &str) -> KindId {
    text.parse().unwrap()
}

pub fn face(text: &str) -> FaceId {
    text.parse().unwrap()
}

/// The eight faces of a die with sides 8 down to 1, each below the next: a walk over the cube of
/// sign triples that visits every one.
const WALK: [u8; 8] = [0b000, 0b001, 0b011, 0b010, 0b110, 0b111, 0b101, 0b100];

/// A die made for a test: what is on all faces, and what is on face 8, which is up.
pub struct Made {
    pub team: &'static str,
    pub class: &'static str,
    pub points: u16,
    pub top: Box<dyn Fn(&mut FacePrint)>,
}

impl Default for Made {
    fn default() -> Self {
        Made {
            team: "test",
            class: "fighter",
            points: 5,
            top: Box::new(|_| {}),
        }
    }
}

/// A kind of die without weapons, all green dots, blocks of 9 on all sides but 1.
pub fn made(name: &str, by: &Made) -> DieKind {
    let mut faces = Vec::new();
    for (i, ends) in WALK.iter().enumerate() {
        let side = 8 - i as u8;
        let axes: [u8; 3] = if ends.count_ones() % 2 == 0 {
            [0, 1, 2]
        } else {
            [0, 2, 1]
        };
        let next = WALK.get(i + 1);
        let corners = axes.map(|axis| {
            let to = ends ^ (1 << axis);
            let at = WALK.iter().position(|w| *w == to).unwrap();
            CornerPrint {
                to: face(&format!("{}", 8 - at)),
                arrow: None,
                green: true,
                red: next == Some(&to),
            }
        });
        faces.push(FacePrint {
            id: face(&side.to_string()),
            side,
            block: (side > 1).then_some(9),
            immune: None,
            shot: None,
            effects: Vec::new(),
            corners,
        });
    }
    (by.top)(&mut faces[0]);
    DieKind {
        id: kind(name),
        team: by.team.parse().unwrap(),
        class: by.class.parse().unwrap(),
        points: by.points,
        unique: false,
        note: String::new(),
        faces,
    }
}

/// Puts a weapon on a face: the values of its arrows at top, right and left.
pub fn weapon(face: &mut FacePrint, range: Range, colour: Colour, arrows: [Option<u16>; 3]) {
    face.shot = Some(Shot {
        does: Does::Weapon,
        range,
        colour,
    });
    for (corner, arrow) in face.corners.iter_mut().zip(arrows) {
        corner.arrow = arrow.map(Arrow::Value);
    }
}

/// Puts blank arrows on a face.
pub fn blank(face: &mut FacePrint, does: Does, range: Range, arrows: usize) {
    let colour = Colour::DarkBlue;
    face.shot = Some(Shot {
        does,
        range,
        colour,
    });
    face.immune = Some(colour);
    for corner in face.corners.iter_mut().take(arrows) {
        corner.arrow = Some(Arrow::Blank(Blank::Blank));
    }
}

/// A print of these dice only.
pub fn print_of(dice: Vec<DieKind>) -> Print {
    let print = Print {
        dice,
        ..Print::default()
    };
    print.check("print").unwrap();
    print
}

/// A die in play, as well known as `error_mm` says.
pub fn at(
    name: &str,
    owner: Player,
    of: &str,
    up: &str,
    at_mm: [f64; 2],
    heading_deg: f64,
    error_mm: f64,
) -> DieSetup {
    DieSetup {
        error: Some(PoseError::CornerMm(error_mm)),
        ..DieSetup::in_play(id(name), owner, kind(of), face(up), at_mm, heading_deg)
    }
}

pub fn resolve(print: &Print, dice: Vec<DieSetup>) -> Position {
    let setup = Setup {
        dice,
        ..Setup::default()
    };
    let (position, problems) = setup.resolve(print);
    let hard: Vec<_> = problems
        .iter()
        .filter(|p| !matches!(p.at, Zone::Kind(_) | Zone::Army(_)))
        .collect();
    assert!(hard.is_empty(), "{hard:?}");
    position
}

pub fn find<'a>(calls: &'a [Call], what: &What) -> Option<&'a Call> {
    calls.iter().find(|c| c.what == *what)
}
