//! Miniatures and tokens of the practice set on its board, under a slanting camera: what stands where is read, what
//! a hand covers is said to be hidden, and what is of no copy is not taken for one's own.
#![allow(clippy::expect_used, clippy::panic)]
#![cfg(feature = "vision")]

mod scene;

use opencv::{
    core::{self, Mat, Point2f, Scalar, Size},
    imgcodecs, imgproc,
    prelude::*,
};
use scene::{Camera, Card, Light, Pose, cloth, hand, lay, taken, truth};
use sightline::{
    copy::{self, Copy, Status},
    rig::Rig,
    session::{PictureReport, Session},
    table,
    vision::{self, Effort, Eye},
};

const SIZE: [i32; 2] = [1920, 1080];
const SIZE_MM: [f64; 2] = [534.0, 390.0];
/// Pixels a millimetre of the board's art here.
const PER_MM: f64 = 3.0;
/// The ground of the pieces' pictures, and how much else they show (the picture is 1.5 times as wide as the piece).
const GROUND: [f64; 3] = [108.0, 116.0, 119.0];
/// A hexagon of the practice set measures 38 mm between opposite edges, and so much from corner to corner, as its picture is cut.
const HEXAGON: f64 = 43.88;

fn practice() -> Copy {
    copy::load(&copy::shipped("practice")).expect("the practice set")
}

fn loaded(copy: &Copy, name: &str) -> Mat {
    let path = copy.folder.join(name);
    imgcodecs::imread_def(path.to_str().expect("a path")).expect("a picture")
}

/// The practice board with pieces laid on it.
struct Board {
    copy: Copy,
    art: Mat,
}

impl Board {
    fn new() -> Self {
        let copy = practice();
        let mut art = Mat::default();
        let size = SIZE_MM.map(|mm| (mm * PER_MM) as i32);
        imgproc::resize(
            &loaded(&copy, "boards/board.png"),
            &mut art,
            Size::new(size[0], size[1]),
            0.0,
            0.0,
            imgproc::INTER_AREA,
        )
        .expect("scaled");
        Self { copy, art }
    }

    /// The middle of a square, counted from the lower left; millimetres.
    fn middle(&self, [column, row]: [u32; 2]) -> [f64; 2] {
        let board = self.copy.surfaces.iter().find(|s| s.id == "board");
        let grid = board.and_then(|b| b.grid.as_ref()).expect("a grid");
        let up = grid.rows - 1 - row;
        let at = |i: usize, n: u32| grid.origin_mm[i] + (f64::from(n) + 0.5) * grid.square_mm;
        [at(0, column), at(1, up)]
    }

    /// Lays the piece of a picture, `long` millimetres long, with its middle there, turned clockwise.
    fn lay(&mut self, picture: &str, square: [u32; 2], long: f64, turn: f64) {
        let piece = loaded(&self.copy, picture);
        let [x, y] = self.middle(square);
        let k = PER_MM * 1.5 * long / f64::from(piece.cols());
        let middle = f64::from(piece.cols() - 1) / 2.0;
        let centre = Point2f::new(middle as f32, middle as f32);
        let turned = imgproc::get_rotation_matrix_2d(centre, -turn, k).expect("a turn");
        let mut map = turned.try_clone().expect("a map");
        for (i, mm) in [x, y].into_iter().enumerate() {
            *map.at_2d_mut::<f64>(i as i32, 2).expect("a shift") += mm * PER_MM - 0.5 - middle;
        }
        let ground = Scalar::new(GROUND[0], GROUND[1], GROUND[2], 0.0);
        let mut flat = Mat::default();
        let size = self.art.size().expect("a size");
        let (how, rim) = (imgproc::INTER_AREA, core::BORDER_CONSTANT);
        imgproc::warp_affine(&piece, &mut flat, &map, size, how, rim, ground).expect("laid");
        let (lo, hi) = (GROUND.map(|v| v - 8.0), GROUND.map(|v| v + 8.0));
        let all = |v: [f64; 3]| Scalar::new(v[0], v[1], v[2], 0.0);
        let (mut bare, mut shown) = (Mat::default(), Mat::default());
        core::in_range(&flat, &all(lo), &all(hi), &mut bare).expect("a mask");
        core::bitwise_not_def(&bare, &mut shown).expect("a mask");
        flat.copy_to_masked(&mut self.art, &shown).expect("laid");
    }

    /// What is read of it, the camera at this slant; `also` draws over the picture.
    fn read(&self, tilt: f64, also: impl Fn(&mut Mat, [f64; 2])) -> PictureReport {
        let card = Card {
            id: "board".to_owned(),
            size_mm: SIZE_MM,
            art: self.art.clone(),
        };
        let camera = Camera::over(SIZE, [0.0, 0.0], 760.0, tilt, 3.0);
        let pose = Pose::new(-267.0, -195.0, 2.0);
        let mut scene = cloth(SIZE, 5);
        lay(&mut scene, &camera, &card, &pose);
        let corner = truth(&camera, &card, &pose).0[2];
        also(&mut scene, [corner.x, corner.y]);
        let picture = taken(&scene, Light::default(), 7);
        let mut eye = Eye::open(&vision::models_folder(), &self.copy, 2).expect("an eye");
        let session = Session::new(self.copy.clone(), Rig::default()).expect("a session");
        let mut seen = eye.see(&picture, Effort::Still).expect("seen");
        let sight = Rig::default()
            .sight(None, [SIZE[0] as u32, SIZE[1] as u32])
            .0;
        let sight = sight.with_seen(session.lie(&seen.surfaces));
        let standing = eye
            .standing(&picture, &sight, &mut seen.sightings)
            .expect("looked")
            .expect("a copy with pieces");
        let pieces = session.pieces(&standing, &sight);
        let table = table::snapshot(&seen.sightings, &pieces, &session.covers(&standing, &sight));
        let judged = session.judge(&table, &sight);
        session.report("drawn", &sight, &table, &judged)
    }
}

/// The least that is asked of every report: what is sure is true.
fn assert_true(
    report: &PictureReport,
    ships: &[(&str, [u32; 2], &str)],
    tokens: &[(&str, [u32; 2])],
) {
    for m in report.minis.iter().filter(|m| m.status == Status::Sure) {
        let facing = m.facing.map(|f| f.to_string());
        let is = ships.iter().any(|(id, square, way)| {
            *id == m.id && Some(*square) == m.square && facing.as_deref().is_none_or(|f| f == *way)
        });
        assert!(is, "{m:?}");
    }
    for t in report.tokens.iter().filter(|t| t.status == Status::Sure) {
        let is = |(kind, square): &(&str, [u32; 2])| *kind == t.side && Some(*square) == t.square;
        assert!(tokens.iter().any(is), "{t:?}");
    }
}

#[test]
fn ships_and_tokens_are_read_where_they_stand() {
    let mut board = Board::new();
    let ships = [("white", [2, 3], "N"), ("black", [6, 5], "W")];
    board.lay("ships/white-0.png", [2, 3], 32.0, 0.0);
    board.lay("ships/black-0.png", [6, 5], 32.0, -90.0);
    let tokens = [("asteroid", [4, 4]), ("nebula", [1, 6]), ("mine", [7, 1])];
    board.lay("tokens/drift-asteroid.png", [4, 4], HEXAGON, 20.0);
    board.lay("tokens/drift-nebula.png", [1, 6], HEXAGON, 75.0);
    board.lay("tokens/mine-white-mine.png", [7, 1], 20.0, 130.0);
    for tilt in [5.0, 35.0] {
        let report = board.read(tilt, |_, _| {});
        assert_true(&report, &ships, &tokens);
        let found = report.minis.iter().filter(|m| {
            let facing = m.facing.map(|f| f.to_string());
            let right = |(id, square, way): &(&str, [u32; 2], &str)| {
                *id == m.id && Some(*square) == m.square && facing.as_deref() == Some(*way)
            };
            ships.iter().any(right)
        });
        // the model misses one of two flat drawings with neither height nor shadow; of cardboard in a film it sees both
        let n = found.count();
        assert!(n >= 1, "at {tilt} degrees: {:?}", report.minis);
        let known = report.tokens.iter().filter(|t| {
            tokens
                .iter()
                .any(|(kind, square)| *kind == t.side && Some(*square) == t.square)
        });
        assert!(known.count() >= 2, "at {tilt} degrees: {:?}", report.tokens);
    }
}

#[test]
fn what_a_hand_covers_is_hidden() {
    let mut board = Board::new();
    board.lay("ships/white-0.png", [2, 6], 32.0, 0.0);
    let bare = board.read(20.0, |_, _| {});
    let hidden = |r: &PictureReport, zone: &str| {
        let zones = r.setup["hidden"].as_array().cloned().unwrap_or_default();
        zones.iter().any(|z| z == zone)
    };
    assert!(!hidden(&bare, "board[7,2]"), "{}", bare.setup["hidden"]);
    // the board's lower right corner is the picture's
    let covered = board.read(20.0, |m, [x, y]| hand(m, [x - 260.0, y - 230.0], 110.0));
    assert!(
        hidden(&covered, "board[7,2]"),
        "{}",
        covered.setup["hidden"]
    );
    assert!(
        !hidden(&covered, "board[2,6]"),
        "{}",
        covered.setup["hidden"]
    );
    assert_true(&covered, &[("white", [2, 6], "N")], &[]);
}

/// A dart of one colour at a square's middle, its nose up.
fn dart(board: &mut Board, square: [u32; 2], ink: Scalar) {
    let [x, y] = board.middle(square);
    let shape = [[0.0, -16.0], [11.0, 14.0], [0.0, 8.0], [-11.0, 14.0]];
    let px = |mm: f64| (mm * PER_MM).round() as i32;
    let points: core::Vector<core::Point> = shape
        .iter()
        .map(|[dx, dy]| core::Point::new(px(x + dx), px(y + dy)))
        .collect();
    imgproc::fill_poly_def(&mut board.art, &points, ink).expect("drawn");
}

#[test]
fn what_is_of_no_copy_is_not_taken_for_ones_own() {
    let mut board = Board::new();
    board.lay("ships/white-0.png", [2, 3], 32.0, 90.0);
    dart(&mut board, [5, 5], Scalar::new(60.0, 200.0, 40.0, 0.0));
    dart(&mut board, [7, 2], Scalar::new(30.0, 120.0, 240.0, 0.0));
    let report = board.read(15.0, |_, _| {});
    assert_true(&report, &[("white", [2, 3], "E")], &[]);
}

#[test]
fn an_empty_board_has_nothing_on_it() {
    let report = Board::new().read(25.0, |_, _| {});
    let sure = report.minis.iter().map(|m| m.status);
    let sure = sure.chain(report.tokens.iter().map(|t| t.status));
    assert_eq!(sure.filter(|s| *s == Status::Sure).count(), 0);
    assert!(report.minis.is_empty(), "{:?}", report.minis);
}

/// What is printed on a token is no ship that stands there, though it looks like one.
#[test]
fn a_token_by_itself_has_no_ship_on_it() {
    let mut board = Board::new();
    board.lay("tokens/drift-asteroid.png", [4, 4], HEXAGON, 20.0);
    board.lay("tokens/drift-asteroid.png", [2, 5], HEXAGON, 110.0);
    board.lay("tokens/drift-nebula.png", [1, 6], HEXAGON, 75.0);
    board.lay("tokens/mine-white-mine.png", [7, 1], 20.0, 130.0);
    for tilt in [5.0, 35.0] {
        let report = board.read(tilt, |_, _| {});
        let squares = [[4, 4], [2, 5], [1, 6], [7, 1]];
        let bare = |m: &&sightline::session::MiniReport| {
            m.square.is_some_and(|square| squares.contains(&square))
        };
        let on_it: Vec<_> = report.minis.iter().filter(bare).collect();
        assert!(on_it.is_empty(), "at {tilt} degrees: {on_it:?}");
    }
}

/// A group whose copy has no helm displays is told nothing of moves.
#[test]
fn what_a_copy_has_no_display_for_is_not_called() {
    let mut board = Board::new();
    board.lay("ships/white-0.png", [2, 3], 32.0, 0.0);
    board.lay("ships/black-0.png", [6, 5], 32.0, 270.0);
    let called = |board: &Board| -> Vec<String> {
        let calls = board.read(20.0, |_, _| {}).calls;
        calls.into_iter().map(|c| c.text).collect()
    };
    let all = called(&board);
    board.copy.surfaces.retain(|s| !s.id.ends_with("-helm"));
    let fewer = called(&board);
    let of_helm = |call: &&String| {
        let of = [": move: ", " must move", ": helm rolls "];
        of.iter().any(|words| call.contains(words))
    };
    assert!(all.iter().any(|c| of_helm(&c)), "{all:?}");
    assert!(!fewer.iter().any(|c| of_helm(&c)), "{fewer:?}");
    let rest = all.iter().filter(|c| !of_helm(c)).count();
    assert_eq!(fewer.len(), rest, "{all:?} and {fewer:?}");
}
