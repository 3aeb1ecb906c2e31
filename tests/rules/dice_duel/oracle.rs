//! Range, arc, sector and verdict for every pair of squares and facings of the demo board,
//! against a second reading of the rules that shares nothing with the first: ranges are walked,
//! arcs and sectors are painted square by square, chances are counted roll by roll.

// A test that cannot go on should stop at the line that says why.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::{BTreeSet, VecDeque};

use sightline::rules::dice_duel::*;
use sightline::rules::{Place, Verdict};

const COLS: i16 = 10;
const ROWS: i16 = 8;

fn all_squares() -> Vec<(i16, i16)> {
    (0..ROWS)
        .flat_map(|y| (0..COLS).map(move |x| (x, y)))
        .collect()
}

/// Steps from a square to every other, by walking over the map edge to edge.
fn walk(from: (i16, i16)) -> Vec<Vec<u16>> {
    let mut steps = vec![vec![u16::MAX; COLS as usize]; ROWS as usize];
    let mut queue = VecDeque::from([(from, 0)]);
    while let Some(((x, y), n)) = queue.pop_front() {
        if !(0..COLS).contains(&x) || !(0..ROWS).contains(&y) {
            continue;
        }
        let seen = &mut steps[y as usize][x as usize];
        if *seen <= n {
            continue;
        }
        *seen = n;
        for next in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)] {
            queue.push_back((next, n + 1));
        }
    }
    steps
}

/// The squares of the quarter that opens in a direction, diagonals included: row by row, each
/// row one wider on both sides.
fn quarter(from: (i16, i16), direction: char) -> BTreeSet<(i16, i16)> {
    let (x, y) = from;
    let mut painted = BTreeSet::new();
    for far in 1..=COLS.max(ROWS) {
        for wide in -far..=far {
            painted.insert(match direction {
                'N' => (x + wide, y + far),
                'S' => (x + wide, y - far),
                'E' => (x + far, y + wide),
                _ => (x - far, y + wide),
            });
        }
    }
    painted
}

const COMPASS: [char; 4] = ['N', 'E', 'S', 'W'];

/// The direction that lies so many quarter turns clockwise.
fn clockwise(from: char, quarters: usize) -> char {
    let at = COMPASS.iter().position(|c| *c == from).unwrap();
    COMPASS[(at + quarters) % 4]
}

fn facing(c: char) -> Facing {
    c.to_string().parse().unwrap()
}

/// White with one torpedo in front and one in the rear and a lock that is far from always enough;
/// black with a jammer and unequal shields.
fn armed() -> Position {
    let text = "\
white [0,0] N
  weapons.front-1.nose: NOSE
  weapons.front-1.body: BODY
  weapons.front-1.tail: TAIL
  weapons.rear-1.nose: NOSE
  weapons.rear-1.body: BODY
  weapons.rear-1.tail: TAIL
  sensors.lock: L2 L2 L1 L1
black [9,7] N
  sensors.jammer: J1
  shields.1: S1 S1
  shields.2: S2
";
    text.parse().unwrap()
}

const SHIELDS: [u16; 4] = [2, 1, 0, 0];

#[test]
fn every_pair_of_squares_and_facings_is_called_as_the_oracle_says() {
    let mut position = armed();
    let stand = |position: &mut Position, ship: ShipId, at: (i16, i16), f: char| {
        let correction = Correction::Stand {
            ship,
            square: Place::Known(Square::new(at.0, at.1)),
            facing: Place::Known(facing(f)),
            half: Place::Known(Half::Whole),
        };
        position.act(&Action::Correct(correction)).unwrap();
    };
    let what = What::Launch {
        ship: ShipId::WHITE,
        torpedoes: 1,
        target: Target::Ship(ShipId::BLACK),
    };
    let mut calls = 0;
    let (mut hits, mut edges) = (0, 0);
    for a in all_squares() {
        let steps = walk(a);
        for own in COMPASS {
            stand(&mut position, ShipId::WHITE, a, own);
            let (ahead, behind) = (quarter(a, own), quarter(a, clockwise(own, 2)));
            for b in all_squares().into_iter().filter(|b| *b != a) {
                let range = steps[b.1 as usize][b.0 as usize];
                let arc = match (ahead.contains(&b), behind.contains(&b)) {
                    (true, false) => Some(Side::Front),
                    (false, true) => Some(Side::Rear),
                    (false, false) => None,
                    (true, true) => panic!("no square is ahead and behind"),
                };
                let quarters: Vec<bool> = COMPASS
                    .iter()
                    .map(|d| quarter(b, *d).contains(&a))
                    .collect();
                for its in COMPASS {
                    stand(&mut position, ShipId::BLACK, b, its);
                    let call = position.call(what).unwrap();
                    let at = format!("{a:?} {own} at {b:?} {its}: {}", call.explain());
                    assert_eq!(
                        call.numbers.range.and_then(|r| r.value()),
                        Some(range),
                        "{at}"
                    );
                    assert_eq!(call.numbers.arc, arc, "{at}");
                    let hit = arc.is_some() && 6 > range;
                    let verdict = if hit { Verdict::Hit } else { Verdict::Miss };
                    assert_eq!(call.verdict, verdict, "{at}");
                    calls += 1;
                    if !hit {
                        continue;
                    }
                    hits += 1;
                    // Sectors 1 to 4 lie clockwise from the target's bow.
                    let facing_it: Vec<usize> = (0..4)
                        .filter(|n| {
                            let d = clockwise(its, *n);
                            quarters[COMPASS.iter().position(|c| *c == d).unwrap()]
                        })
                        .collect();
                    edges += usize::from(facing_it.len() == 2);
                    let most = facing_it.iter().map(|n| SHIELDS[*n]).max().unwrap();
                    let struck: Vec<u8> = facing_it
                        .iter()
                        .filter(|n| SHIELDS[**n] == most)
                        .map(|n| *n as u8 + 1)
                        .collect();
                    let called: Vec<u8> = call.numbers.sectors.iter().map(|s| s.number()).collect();
                    assert_eq!(called, struck, "{at}");
                    assert_eq!(
                        call.numbers.shield_dice.and_then(|d| d.value()),
                        Some(most),
                        "{at}"
                    );
                    assert_eq!(
                        call.numbers.odds.unwrap().damage.to_string(),
                        ["1", "1/2", "1/6"][most as usize],
                        "{at}"
                    );
                }
            }
        }
    }
    assert_eq!(calls, 80 * 79 * 16);
    assert!(
        hits > 20_000 && edges > 5_000,
        "{hits} hits, {edges} on a diagonal"
    );
}

/// Within one square the halves are as good as neighbours one step apart.
#[test]
fn in_one_square_the_halves_are_a_step_apart() {
    let text = |half: &str, other: &str, own: char, its: char| {
        let base = armed().to_string();
        let ships = base.split_once("white [").unwrap().1;
        let ships = ships.replacen("0,0] N", &format!("4,4] {own} half {half}"), 1);
        let ships = ships.replacen(
            "black [9,7] N",
            &format!("black [4,4] {its} half {other}"),
            1,
        );
        format!("white [{ships}")
    };
    let near = |edge: char| match edge {
        'N' => (4, 5),
        'E' => (5, 4),
        'S' => (4, 3),
        _ => (3, 4),
    };
    for half in COMPASS {
        let other = clockwise(half, 2);
        for own in COMPASS {
            for its in COMPASS {
                let position: Position = text(&half.to_string(), &other.to_string(), own, its)
                    .parse()
                    .unwrap();
                let what = What::Launch {
                    ship: ShipId::WHITE,
                    torpedoes: 1,
                    target: Target::Ship(ShipId::BLACK),
                };
                let call = position.call(what).unwrap();
                // As if black stood beyond its own edge.
                let there = near(other);
                let arc = if quarter((4, 4), own).contains(&there) {
                    Some(Side::Front)
                } else if quarter((4, 4), clockwise(own, 2)).contains(&there) {
                    Some(Side::Rear)
                } else {
                    None
                };
                assert_eq!(call.numbers.arc, arc, "{half} {own} {its}");
                assert_eq!(call.numbers.range.and_then(|r| r.value()), Some(0));
                let sector = (0..4).find(|n| clockwise(its, *n) == half).unwrap() as u8 + 1;
                if call.verdict == Verdict::Hit {
                    let called: Vec<u8> = call.numbers.sectors.iter().map(|s| s.number()).collect();
                    assert_eq!(called, [sector], "{half} {own} {its}");
                }
            }
        }
    }
}

/// The torpedo example of the rule book has one solution but for the square (facts 6.5).
#[test]
fn the_torpedo_example_leaves_three_squares_and_one_facing() {
    let mut found = Vec::new();
    for (dx, dy) in (-3..=3).flat_map(|x| (-3..=3).map(move |y| (x, y))) {
        for f in Facing::ALL {
            let (a, b) = (Square::new(5, 5), Square::new(5 + dx, 5 + dy));
            let target_sees = sectors(f, (i32::from(-dx), i32::from(-dy)));
            let ahead = arc(
                Facing::N,
                (i32::from(dx), i32::from(dy)),
                ArcEdge::QuadrantInclusive,
            );
            if range(a, b) == 3
                && ahead == Some(Side::Front)
                && target_sees.single() == Some(Sector::Right)
            {
                found.push((dx, dy, f));
            }
        }
    }
    let expected = [(-1, 2, Facing::E), (0, 3, Facing::E), (1, 2, Facing::E)];
    assert_eq!(found, expected);
}

/// Chances, counted by rolling every combination of faces.
#[test]
fn chances_are_those_of_counting_every_roll() {
    use Symbol::*;
    let dice = [
        vec![Nose, Body, Tail, Blast1, Blast1, Blast2],
        vec![NoseBlast1, BodyBlast2, Tail, Blast1, Blast2, Blast2],
        vec![Nose, Body, Tail],
        vec![Blast2],
    ];
    for faces in dice {
        for shields in 0..=3usize {
            for torpedoes in 1..=2usize {
                for damage_before in 0..=3u16 {
                    let (mut some, mut gone, mut all) = (0u64, 0u64, 0u64);
                    for roll in 0..faces.len().pow(torpedoes as u32) {
                        let mut rest = roll;
                        let mut damage = 0u16;
                        for _ in 0..torpedoes {
                            let blasts = match faces[rest % faces.len()] {
                                Blast1 | NoseBlast1 => 1,
                                Blast2 | BodyBlast2 => 2,
                                _ => 0,
                            };
                            rest /= faces.len();
                            damage += u16::from(match shields {
                                0 => true,
                                1 => blasts >= 1,
                                2 => blasts == 2,
                                _ => false,
                            });
                        }
                        all += 1;
                        some += u64::from(damage > 0);
                        gone += u64::from(damage + damage_before >= 4);
                    }
                    let mut print = Print::default();
                    print.faces.weapon.clone_from(&faces);
                    let shots = if torpedoes == 2 {
                        ["front-1", "front-2"].as_slice()
                    } else {
                        &["front-1"]
                    };
                    let tubes: String = shots
                        .iter()
                        .map(|t| format!("  weapons.{t}.nose: NOSE\n  weapons.{t}.body: BODY\n  weapons.{t}.tail: TAIL\n"))
                        .collect();
                    let text = format!(
                        "white [4,3] N\n  sensors.lock: L1\n{tubes}black [4,4] N\n  damage {damage_before}\n  shields.3: {}\n",
                        vec!["S3"; shields].join(" ")
                    );
                    let setup: Setup = text.parse().unwrap();
                    let what = What::Launch {
                        ship: ShipId::WHITE,
                        torpedoes: torpedoes as u8,
                        target: Target::Ship(ShipId::BLACK),
                    };
                    let call = setup.resolve(&print).0.call(what).unwrap();
                    let odds = call.numbers.odds.expect("a hit has chances");
                    let same = |o: sightline::rules::OddsSpan, n: u64| {
                        let o = o.value().expect("all is known");
                        o.num() * all == n * o.den()
                    };
                    assert!(
                        same(odds.damage, some),
                        "{faces:?} {shields} {torpedoes}: {odds:?}"
                    );
                    assert!(
                        same(odds.destruction, gone),
                        "{faces:?} {shields} {torpedoes}: {odds:?}"
                    );
                }
            }
        }
    }
}

/// Whether a rift blocks: points along the line are tried one by one.
#[test]
fn a_line_meets_a_square_where_its_points_do() {
    let (a, fine) = (Square::new(0, 0), 1680);
    for dx in -5i16..=5 {
        for dy in -5i16..=5 {
            for sx in -5i16..=5 {
                for sy in -5i16..=5 {
                    let inside = (0..=fine).any(|t| {
                        // In units of 1/(2*fine) of a square, so that all is whole.
                        let (px, py) = (2 * i32::from(dx) * t, 2 * i32::from(dy) * t);
                        let near = |p: i32, s: i16| (p - 2 * i32::from(s) * fine).abs() < fine;
                        near(px, sx) && near(py, sy)
                    });
                    let met = line_meets(a, Square::new(dx, dy), Square::new(sx, sy));
                    assert_eq!(met, inside, "to {dx},{dy} over {sx},{sy}");
                }
            }
        }
    }
}
