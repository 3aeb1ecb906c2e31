//! What holds on every table: symmetry, exact undoing, and a verdict that noise cannot flip
//! unless it was near the line.

// A test that cannot go on should stop at the line that says why.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::LazyLock;

use super::support::*;
use crate::chance::settings;
use proptest::prelude::*;
use sightline::rules::diceland::*;
use sightline::rules::{Fault as _, Place, Verdict, from_json};

static PRINT: LazyLock<Print> = LazyLock::new(Print::default);

/// The same dice seen in a mirror.
static MIRRORED: LazyLock<Print> = LazyLock::new(|| Print {
    dice: PRINT.dice.iter().map(Mould::mirrored).collect(),
    ..PRINT.clone()
});

/// Errors told as they are, and not three times as wide.
static ONE_SIGMA: LazyLock<Print> = LazyLock::new(|| {
    let mut print = PRINT.clone();
    print.options.sigmas = 1.0;
    print
});

/// A die of the sample catalogue, some face up, somewhere on a large table.
fn a_die(n: usize) -> impl Strategy<Value = DieSetup> {
    let kinds = PRINT.dice.len();
    (
        0..kinds,
        0..8usize,
        0.0..1200.0,
        0.0..800.0,
        0.0..360.0,
        0.0..2.0f64,
        any::<bool>(),
    )
        .prop_map(move |(k, f, x, y, heading, error, one)| {
            let of = &PRINT.dice[k];
            let owner = if one { Player::One } else { Player::Two };
            DieSetup {
                error: Some(PoseError::CornerMm(error)),
                ..DieSetup::in_play(
                    id(&format!("die-{n}")),
                    owner,
                    of.id,
                    of.faces[f].id,
                    [x, y],
                    heading,
                )
            }
        })
}

/// Some dice that do not lie in each other.
fn a_table() -> impl Strategy<Value = Vec<DieSetup>> {
    (a_die(0), a_die(1), a_die(2), a_die(3), a_die(4), a_die(5)).prop_map(|(a, b, c, d, e, f)| {
        let mut kept: Vec<DieSetup> = Vec::new();
        for die in [a, b, c, d, e, f] {
            let [x, y] = die.at_mm.unwrap();
            let apart = |other: &DieSetup| {
                let [ox, oy] = other.at_mm.unwrap();
                (x - ox).hypot(y - oy) > 66.0
            };
            if kept.iter().all(apart) {
                kept.push(die);
            }
        }
        kept
    })
}

/// An error of any of the three sorts: as a deviation, or as a covariance `factor * factorT`.
fn an_error() -> impl Strategy<Value = PoseError> {
    let entries = proptest::collection::vec(-0.4..0.4f64, 36);
    (0..3usize, 0.0..0.7f64, entries).prop_map(|(sort, e, l)| {
        let dot = |n: usize, i: usize, j: usize| -> f64 {
            (0..n).map(|k| l[n * i + k] * l[n * j + k]).sum()
        };
        match sort {
            0 => PoseError::CornerMm(e),
            1 => {
                // Headings are known to a hundredth of a radian or so.
                let unit = [1.0, 1.0, 0.02];
                PoseError::PoseCovariance(std::array::from_fn(|i| {
                    std::array::from_fn(|j| dot(3, i, j) * unit[i] * unit[j])
                }))
            }
            _ => PoseError::CornerCovariance(std::array::from_fn(|i| {
                std::array::from_fn(|j| dot(6, i, j))
            })),
        }
    })
}

/// A whole table: dice with all sorts of errors, perhaps an edge, things that stand on it, one of
/// them with a bay, and what players have ruled.
fn a_whole_table() -> impl Strategy<Value = Setup> {
    let rulings = proptest::collection::vec((0..3usize, 0..6usize, 0..6usize, 0..3usize), 0..4);
    let errors = proptest::collection::vec(an_error(), 6);
    let things = (any::<bool>(), any::<bool>(), 0.0..1200.0f64, 0.0..800.0f64);
    (a_table(), errors, things, rulings).prop_map(|(dice, errors, (edge, on, x, y), said)| {
        let mut setup = Setup::default();
        for (die, error) in dice.into_iter().zip(errors) {
            setup.dice.push(DieSetup {
                error: Some(error),
                ..die
            });
        }
        if edge {
            // The dice of the corners hang over, or nearly do.
            setup.table.edge_mm = vec![
                [20.0, 30.0],
                [1180.0, 25.0],
                [1190.0, 770.0],
                [600.0, 795.0],
                [15.0, 760.0],
            ];
        }
        if on {
            let outline =
                |points: &[[f64; 2]]| points.iter().map(|p| [p[0] + x, p[1] + y]).collect();
            setup.table.things = vec![
                ThingSetup {
                    name: "a corner".into(),
                    outline_mm: outline(&[
                        [0.0, 0.0],
                        [150.0, 0.0],
                        [150.0, 20.0],
                        [20.0, 20.0],
                        [20.0, 150.0],
                        [0.0, 150.0],
                    ]),
                },
                ThingSetup {
                    name: "a mug".into(),
                    outline_mm: outline(&[[-200.0, 10.0], [-150.0, 0.0], [-160.0, 60.0]]),
                },
            ];
            setup.table.error_mm = Some(0.8);
        }
        let ids: Vec<DieId> = setup.dice.iter().map(|d| d.id).collect();
        let at = |n: usize| ids[n % ids.len()];
        for (sort, a, b, corner) in said {
            let (die, target) = (at(a), at(b));
            let corner = Corner::ALL[corner];
            let yes = (a + b) % 2 == 0;
            if die == target {
                continue;
            }
            match (sort, ids.iter().find(|id| **id != die && **id != target)) {
                (0, _) => setup.rulings.push(Ruling::Sees {
                    die,
                    arrow: corner,
                    target,
                    sees: yes,
                }),
                (1, Some(far)) => setup.rulings.push(Ruling::Nearer {
                    to: die,
                    near: target,
                    far: *far,
                }),
                _ => setup.rulings.push(Ruling::Room {
                    die,
                    corner,
                    free: yes,
                }),
            }
        }
        setup
    })
}

/// A change of frame: points go to `linear * point + by`, headings turn, and in a mirror right is
/// left.
struct Frame {
    linear: nalgebra::Matrix2<f64>,
    by: Vec2,
    turn_deg: f64,
}

impl Frame {
    fn mirrors(&self) -> bool {
        self.linear.determinant() < 0.0
    }

    fn point(&self, p: [f64; 2]) -> [f64; 2] {
        let q = self.linear * Vec2::from(p) + self.by;
        [q.x, q.y]
    }

    fn corner(&self, corner: Corner) -> Corner {
        if self.mirrors() {
            rename(corner)
        } else {
            corner
        }
    }

    fn error(&self, error: PoseError) -> PoseError {
        let m = &self.linear;
        match error {
            PoseError::CornerMm(e) => PoseError::CornerMm(e),
            PoseError::PoseCovariance(c) => {
                let mut j = nalgebra::Matrix3::identity();
                j.fixed_view_mut::<2, 2>(0, 0).copy_from(m);
                j[(2, 2)] = m.determinant();
                let c = j * nalgebra::Matrix3::from_fn(|r, k| c[r][k]) * j.transpose();
                PoseError::PoseCovariance(std::array::from_fn(|r| {
                    std::array::from_fn(|k| c[(r, k)])
                }))
            }
            PoseError::CornerCovariance(c) => {
                let mut j = nalgebra::Matrix6::zeros();
                for corner in Corner::ALL {
                    let to = self.corner(corner).index();
                    j.fixed_view_mut::<2, 2>(2 * to, 2 * corner.index())
                        .copy_from(m);
                }
                let c = j * nalgebra::Matrix6::from_fn(|r, k| c[r][k]) * j.transpose();
                PoseError::CornerCovariance(std::array::from_fn(|r| {
                    std::array::from_fn(|k| c[(r, k)])
                }))
            }
        }
    }

    fn ruling(&self, ruling: Ruling) -> Ruling {
        match ruling {
            Ruling::Sees {
                die,
                arrow,
                target,
                sees,
            } => Ruling::Sees {
                die,
                arrow: self.corner(arrow),
                target,
                sees,
            },
            Ruling::Room { die, corner, free } => Ruling::Room {
                die,
                corner: self.corner(corner),
                free,
            },
            nearer => nearer,
        }
    }

    fn setup(&self, setup: &Setup) -> Setup {
        let mut there = setup.clone();
        let outline = |all: &mut Vec<[f64; 2]>| {
            for p in all.iter_mut() {
                *p = self.point(*p);
            }
        };
        outline(&mut there.table.edge_mm);
        for thing in &mut there.table.things {
            outline(&mut thing.outline_mm);
        }
        for die in &mut there.dice {
            let turn = *die.heading_deg.known().unwrap();
            let turn = if self.mirrors() { -turn } else { turn } + self.turn_deg;
            die.heading_deg = Place::Known(turn.rem_euclid(360.0));
            die.at_mm = die.at_mm.map(|p| self.point(p));
            die.error = die.error.map(|e| self.error(e));
        }
        for ruling in &mut there.rulings {
            *ruling = self.ruling(*ruling);
        }
        there
    }
}

fn position(print: &Print, dice: &[DieSetup]) -> Position {
    let setup = Setup {
        dice: dice.to_vec(),
        ..Setup::default()
    };
    setup.resolve(print).0
}

/// What is announced, and the numbers, but for where a die would come to lie.
fn said(print: &Print, setup: &Setup) -> Vec<(What, Verdict, Numbers)> {
    let calls = setup.resolve(print).0.calls().into_iter();
    let mut all: Vec<_> = calls
        .map(|c| {
            let mut numbers = c.numbers;
            numbers.at_mm = None;
            numbers.heading_deg = None;
            numbers.outcomes.sort_unstable();
            numbers.dice.sort_unstable();
            (c.what, c.verdict, numbers)
        })
        .collect();
    all.sort_by_key(|(what, _, _)| *what);
    all
}

/// Equal but for the last hundredth of a millimetre, where rounding may fall either way.
fn alike(a: &[(What, Verdict, Numbers)], b: &[(What, Verdict, Numbers)]) -> Result<(), String> {
    if a.len() != b.len() {
        return Err(format!("{} calls and {}", a.len(), b.len()));
    }
    for (a, b) in a.iter().zip(b) {
        if a.0 != b.0 || a.1 != b.1 {
            return Err(format!("{a:?}\n{b:?}"));
        }
        let mut left = a.2.clone();
        let mut right = b.2.clone();
        for (one, two) in [
            (&mut left.above_mm, &mut right.above_mm),
            (&mut left.error_mm, &mut right.error_mm),
            (&mut left.distance_mm, &mut right.distance_mm),
            (&mut left.distance_error_mm, &mut right.distance_error_mm),
            (&mut left.room_mm, &mut right.room_mm),
        ] {
            if let (Some(x), Some(y)) = (*one, *two)
                && (x.mm() - y.mm()).abs() < 0.025
            {
                *one = *two;
            }
        }
        if left != right {
            return Err(format!("{a:?}\n{b:?}"));
        }
    }
    Ok(())
}

fn rename(corner: Corner) -> Corner {
    match corner {
        Corner::Top => Corner::Top,
        Corner::Right => Corner::Left,
        Corner::Left => Corner::Right,
    }
}

proptest! {
    #![proptest_config(settings(64))]

    #[test]
    fn turning_and_shifting_the_whole_table_changes_nothing(
        setup in a_whole_table(), turn in 0.0..360.0f64, dx in -500.0..500.0, dy in -500.0..500.0
    ) {
        let (sin, cos) = turn.to_radians().sin_cos();
        let frame = Frame {
            linear: nalgebra::Matrix2::new(cos, -sin, sin, cos),
            by: Vec2::new(dx, dy),
            turn_deg: turn,
        };
        alike(&said(&PRINT, &setup), &said(&PRINT, &frame.setup(&setup)))
            .map_err(TestCaseError::fail)?;
    }

    #[test]
    fn a_mirror_changes_nothing_but_right_and_left(setup in a_whole_table()) {
        let frame = Frame {
            linear: nalgebra::Matrix2::new(-1.0, 0.0, 0.0, 1.0),
            by: Vec2::zeros(),
            turn_deg: 0.0,
        };
        let mut there = said(&MIRRORED, &frame.setup(&setup));
        for (what, _, numbers) in &mut there {
            match what {
                What::Manoeuvre { corner, .. } | What::Fire { after: Some(corner), .. } => {
                    *corner = rename(*corner);
                }
                _ => {}
            }
            numbers.arrows = numbers.arrows.iter().map(|c| rename(*c)).collect();
            numbers.arrows.sort_unstable();
        }
        there.sort_by_key(|(what, _, _)| *what);
        alike(&said(&PRINT, &setup), &there).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn pressing_a_corner_and_pressing_back_is_nothing(
        kind in 0..37usize, face in 0..8usize, corner in 0..3usize,
        x in -500.0..500.0f64, y in -500.0..500.0f64, heading in 0.0..360.0f64
    ) {
        let kind = &PRINT.dice[kind % PRINT.dice.len()];
        let there = &kind.faces[face];
        let corner = Corner::ALL[corner];
        let next = kind.faces.iter().find(|f| f.id == there.corner(corner).to).unwrap();
        let back = Corner::ALL.into_iter().find(|c| next.corner(*c).to == there.id).unwrap();
        let radius = PRINT.radius_mm();
        let covariance = [[0.2, 0.05, 0.001], [0.05, 0.3, 0.002], [0.001, 0.002, 0.0001]];
        for error in [PoseError::CornerMm(0.5), PoseError::PoseCovariance(covariance)] {
            let start = Pose { at_mm: [x, y], heading_deg: heading, error };
            let rolled = start.rolled(corner, back, radius);
            let shift = (rolled.at_mm[0] - x).hypot(rolled.at_mm[1] - y);
            prop_assert!((shift - 29.33).abs() < 0.01, "a roll shifts the die by {shift}");
            let again = rolled.rolled(back, corner, radius);
            prop_assert!((again.at_mm[0] - x).abs() < 1e-9 && (again.at_mm[1] - y).abs() < 1e-9);
            let turn = (again.heading_deg - heading + 540.0) % 360.0 - 180.0;
            prop_assert!(turn.abs() < 1e-9, "turned by {turn}");
            // The corner that is pressed to go back points the other way.
            let sum = direction(heading, corner) + direction(rolled.heading_deg, back);
            prop_assert!(sum.norm() < 1e-9);
            if let PoseError::PoseCovariance(m) = again.error {
                for (row, was) in m.iter().flatten().zip(covariance.iter().flatten()) {
                    prop_assert!((row - was).abs() < 1e-9);
                }
            }
        }
    }

    #[test]
    fn arrows_see_half_five_sixths_and_all(
        heading in 0.0..360.0f64, bearing in 0.0..360.0f64, away in 200.0..5000.0f64
    ) {
        let from = TopFace::of(
            &Pose { at_mm: [0.0, 0.0], heading_deg: heading, error: PoseError::CornerMm(0.0) },
            &PRINT,
        );
        let to = Vec2::new(bearing.to_radians().sin(), -bearing.to_radians().cos()) * away;
        let to = TopFace::of(
            &Pose { at_mm: [to.x, to.y], heading_deg: 0.0, error: PoseError::CornerMm(0.0) },
            &PRINT,
        );
        let sees: Vec<bool> = Corner::ALL
            .iter()
            .map(|c| sight(&from, *c, &to, SeenPart::TopFace).sees() == Some(true))
            .collect();
        // In terms of angles, by a computation of its own: far from the corners, a target is
        // seen within 90 degrees of where an arrow points, and a little more for its size and
        // for the baseline lying behind the middle.
        let slack = (60.0 / away).atan().to_degrees() + 0.01;
        for (i, sees) in sees.iter().enumerate() {
            let points = heading + 120.0 * i as f64;
            let off = ((bearing - points + 540.0).rem_euclid(360.0) - 180.0).abs();
            if off < 90.0 {
                prop_assert!(*sees, "{off} degrees off and not seen");
            }
            if off > 90.0 + slack {
                prop_assert!(!*sees, "{off} degrees off and seen");
            }
        }
        prop_assert!(sees.iter().any(|s| *s), "three arrows see all round");
        // Two arrows leave out 60 degrees, opposite the corner without one.
        let blind = ((bearing - heading - 240.0 + 540.0).rem_euclid(360.0) - 180.0).abs();
        if blind < 30.0 - slack {
            prop_assert!(!sees[0] && !sees[1]);
        }
        if blind > 30.0 {
            prop_assert!(sees[0] || sees[1]);
        }
    }

    #[test]
    fn distance_is_symmetric_and_nothing_where_they_touch(
        x in -200.0..200.0f64, y in -200.0..200.0f64, a in 0.0..360.0f64, b in 0.0..360.0f64
    ) {
        let face = |at_mm, heading_deg| {
            let error = PoseError::CornerMm(0.4);
            TopFace::of(&Pose { at_mm, heading_deg, error }, &PRINT)
        };
        let (one, two) = (face([0.0, 0.0], a), face([x, y], b));
        let there = gap(&one, &two);
        let back = gap(&two, &one);
        prop_assert!((there.mm - back.mm).abs() < 1e-9);
        prop_assert!((there.error_mm(&one, &two) - back.error_mm(&two, &one)).abs() < 1e-6);
        // Against points strewn over both outlines: never further than the nearest of them, and
        // not nearer by more than their spacing.
        let strewn = |f: &TopFace| -> Vec<Vec2> {
            let c = f.corners();
            (0..3).flat_map(|i| (0..40).map(move |k| (i, k)))
                .map(|(i, k)| c[i] + (c[(i + 1) % 3] - c[i]) * (f64::from(k) / 40.0))
                .collect()
        };
        let nearest = strewn(&one).iter().flat_map(|p| {
            strewn(&two).into_iter().map(move |q| (p - q).norm())
        }).fold(f64::INFINITY, f64::min);
        prop_assert!(there.mm <= nearest + 1e-9);
        prop_assert!(there.mm == 0.0 || there.mm > nearest - 1.5);
        if (Vec2::new(x, y)).norm() < 29.0 {
            prop_assert_eq!(there.mm, 0.0);
        }
        // Pushed apart along the way between them they are that much further apart.
        if there.mm > 1.0 {
            let pushed = face([x + there.way.x * 7.0, y + there.way.y * 7.0], b);
            prop_assert!((gap(&one, &pushed).mm - there.mm - 7.0).abs() < 1e-6);
            let touching = face([x - there.way.x * there.mm, y - there.way.y * there.mm], b);
            prop_assert!(gap(&one, &touching).mm < 1e-6);
        }
    }

    /// Every die is read with an error, and truly lies where no corner is off by more than that:
    /// shifted, or turned, or both, as far as it goes. What was said for sure of the reading is
    /// true of the dice.
    #[test]
    fn what_is_sure_of_a_reading_is_true_of_the_dice(
        setup in a_whole_table(),
        error in 0.02..1.0f64,
        off in proptest::collection::vec((0.0..360.0f64, 0.0..=1.0f64, any::<bool>()), 6)
    ) {
        let mut read = setup;
        let mut table = read.clone();
        table.table.error_mm = Some(0.0);
        for (i, (die, (way, shift, back))) in read.dice.iter_mut().zip(&off).enumerate() {
            die.error = Some(PoseError::CornerMm(error));
            // Half of the tables are turned to the end, where a line goes furthest astray.
            let shift = if error < 0.5 { 0.0 } else { *shift };
            let (sin, cos) = way.to_radians().sin_cos();
            let by = error * shift;
            let turn = (error * (1.0 - shift) / PRINT.radius_mm()).to_degrees();
            let [x, y] = die.at_mm.unwrap();
            let deg = die.heading_deg.known().unwrap() + if *back { -turn } else { turn };
            table.dice[i] = DieSetup {
                at_mm: Some([x + by * cos, y + by * sin]),
                heading_deg: Place::Known(deg.rem_euclid(360.0)),
                error: Some(PoseError::CornerMm(0.0)),
                ..die.clone()
            };
        }
        // Dice that were shifted into each other lie on no table: one of them is taken off.
        let wrong = |t: &Setup| t.resolve(&PRINT).1.iter().any(|p| !p.fault.is_soft());
        prop_assume!(!wrong(&table) && !wrong(&read));
        let truth = said(&PRINT, &table);
        for (what, verdict, numbers) in said(&PRINT, &read) {
            let Some((_, then, came)) = truth.iter().find(|(w, _, _)| *w == what) else { continue };
            let wrong = verdict.is_sure() && then.is_sure() && verdict != *then;
            // Of a hit that is announced, what it does may still be open.
            let open = numbers.outcomes.len() > 1;
            prop_assert!(!wrong || open, "{what}: {verdict}, and truly {then}");
            let both = verdict.is_sure() && then.is_sure() && came.outcomes.len() == 1;
            if both && !numbers.outcomes.is_empty() {
                prop_assert!(numbers.outcomes.contains(&came.outcomes[0]),
                    "{what}: {:?}, and truly {:?}", numbers.outcomes, came.outcomes);
            }
        }
    }

    #[test]
    fn the_error_grows_along_the_line_and_is_as_large_as_it_says(
        seeds in any::<u64>(), along in 0.0..1500.0f64, above in -20.0..20.0f64
    ) {
        // Two corners of a baseline are shaken many times; the error that is told is what the
        // height of a target above it comes to, as a standard deviation.
        let sigma = 0.5;
        let pose = |at_mm, error| Pose { at_mm, heading_deg: 0.0, error };
        let from = TopFace::of(&pose([0.0, 0.0], PoseError::CornerMm(sigma)), &ONE_SIGMA);
        let r = PRINT.radius_mm();
        let target = [along + r + 26.0, r / 2.0 - above - r];
        let to = TopFace::of(&pose(target, PoseError::CornerMm(0.0)), &PRINT);
        let told = sight(&from, Corner::Top, &to, SeenPart::TopFace);
        let highest = to.corners().iter().copied().min_by(|a, b| a.y.total_cmp(&b.y)).unwrap();
        let (a, b) = (from.corner(Corner::Right), from.corner(Corner::Left));
        let mut rng = Rng(seeds);
        let mut sum = 0.0;
        let mut squares = 0.0;
        let n = 2000;
        for _ in 0..n {
            let mut shake = || (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0;
            let (p, q) = (
                a + Vec2::new(shake(), shake()) * sigma,
                b + Vec2::new(shake(), shake()) * sigma,
            );
            let edge = p - q;
            let up = Vec2::new(edge.y, -edge.x) / edge.norm();
            let height = up.dot(&(highest - p));
            sum += height;
            squares += height * height;
        }
        let mean = sum / f64::from(n);
        let deviation = (squares / f64::from(n) - mean * mean).sqrt();
        prop_assert!((deviation / told.error_mm - 1.0).abs() < 0.15,
            "told {} and shaken {deviation}", told.error_mm);
    }

    #[test]
    fn an_action_and_its_inverse_are_nothing_and_json_comes_back(dice in a_table()) {
        let start = position(&PRINT, &dice);
        let json = serde_json::to_vec(&State::of(&start)).unwrap();
        let again = State::from_json(&json).unwrap().judge().position;
        prop_assert_eq!(&again, &start);
        for action in start.legal_actions() {
            let mut there = start.clone();
            let change = there.act(&action).unwrap();
            let after = there.clone();
            there.replay(&change.inverse()).unwrap();
            prop_assert_eq!(&there, &start);
            there.replay(&change).unwrap();
            prop_assert_eq!(&there, &after);
            let json = serde_json::to_vec(&State::of(&after)).unwrap();
            prop_assert_eq!(&State::from_json(&json).unwrap().judge().position, &after);
            let json = serde_json::to_vec(&action).unwrap();
            prop_assert_eq!(&from_json::<Action>(&json).unwrap(), &action);
        }
    }
}

#[test]
fn half_a_millimetre_at_a_corner_is_seven_at_half_a_metre() {
    let error = PoseError::CornerMm(0.5);
    let from = TopFace::of(
        &Pose {
            at_mm: [0.0, 0.0],
            heading_deg: 0.0,
            error,
        },
        &ONE_SIGMA,
    );
    // A top face that points up stands 500 mm to the right of the baseline's nearer corner.
    let to = TopFace::of(
        &Pose {
            at_mm: [525.4, 20.0],
            heading_deg: 0.0,
            error: PoseError::CornerMm(0.0),
        },
        &ONE_SIGMA,
    );
    let seen = sight(&from, Corner::Top, &to, SeenPart::TopFace);
    assert!(
        (7.0..7.6).contains(&seen.error_mm),
        "the error is {}",
        seen.error_mm
    );
    // The same as one covariance of all corners, at one standard deviation.
    let mut each = [[0.0; 6]; 6];
    for (i, row) in each.iter_mut().enumerate() {
        row[i] = 0.25;
    }
    let whole = TopFace::of(
        &Pose {
            at_mm: [0.0, 0.0],
            heading_deg: 0.0,
            error: PoseError::CornerCovariance(each),
        },
        &ONE_SIGMA,
    );
    let again = sight(&whole, Corner::Top, &to, SeenPart::TopFace);
    assert!((again.error_mm - seen.error_mm).abs() < 1e-9);
}
