//! A lens is learnt from simulated pictures of the printed board, and is what it was simulated with.
#![allow(clippy::expect_used, clippy::panic)]
#![cfg(feature = "vision")]

use nalgebra::{Matrix3, Rotation3, Vector3};
use opencv::{
    calib3d,
    core::{self, Mat, Point2f, Scalar, Vector},
    imgproc,
    prelude::*,
};
use sightline::{
    capture::Picture,
    geometry::Lens,
    rig::{CALIBRATION_BOARD, Joined, Lying, Rig, Wish},
    vision::{Added, BOARD_MM, Calibrator, SQUARE_MM, SQUARES, WANTED_VIEWS, board_in, drawn},
};

const SIZE: [i32; 2] = [1280, 720];

struct Camera {
    focal: f64,
    centre: [f64; 2],
    /// k1, k2, p1, p2.
    bend: [f64; 4],
}

impl Camera {
    /// Undistorted, normalised coordinates of every pixel, row by row.
    fn rays(&self) -> Vec<[f64; 2]> {
        let pixels: Vector<Point2f> = (0..SIZE[1])
            .flat_map(|y| (0..SIZE[0]).map(move |x| Point2f::new(x as f32, y as f32)))
            .collect();
        let matrix = Mat::from_slice_2d(&[
            [self.focal, 0.0, self.centre[0]],
            [0.0, self.focal, self.centre[1]],
            [0.0, 0.0, 1.0],
        ])
        .expect("a matrix");
        let bend = Mat::from_slice(&self.bend)
            .expect("a row")
            .try_clone()
            .expect("own");
        let mut out: Vector<Point2f> = Vector::new();
        calib3d::undistort_points_def(&pixels, &mut out, &matrix, &bend).expect("undistorted");
        out.iter()
            .map(|p| [f64::from(p.x), f64::from(p.y)])
            .collect()
    }
}

/// The board as the camera sees it, turned by `turn` and with its middle at `at` (millimetres).
fn view(board: &Mat, rays: &[[f64; 2]], turn: Rotation3<f64>, at: Vector3<f64>) -> Picture {
    let r = turn.matrix();
    let (w, h) = (
        f64::from(SQUARES[0]) * SQUARE_MM,
        f64::from(SQUARES[1]) * SQUARE_MM,
    );
    let origin = at - r * Vector3::new(w / 2.0, h / 2.0, 0.0);
    let to_camera = Matrix3::from_columns(&[r.column(0).into(), r.column(1).into(), origin]);
    let to_board = to_camera.try_inverse().expect("not edge on");
    let per_mm = f64::from(board.cols()) / w;
    let (mut xs, mut ys) = (Vec::new(), Vec::new());
    for [x, y] in rays {
        let p = to_board * Vector3::new(*x, *y, 1.0);
        xs.push((p.x / p.z * per_mm - 0.5) as f32);
        ys.push((p.y / p.z * per_mm - 0.5) as f32);
    }
    let map = |v: &[f32]| {
        Mat::from_slice(v)
            .expect("a row")
            .reshape(1, SIZE[1])
            .expect("rows")
            .try_clone()
            .expect("own")
    };
    let mut grey = Mat::default();
    imgproc::remap(
        board,
        &mut grey,
        &map(&xs),
        &map(&ys),
        imgproc::INTER_LINEAR,
        core::BORDER_CONSTANT,
        Scalar::all(200.0),
    )
    .expect("seen");
    let mut soft = Mat::default();
    imgproc::gaussian_blur_def(&grey, &mut soft, core::Size::new(0, 0), 0.7).expect("soft");
    let rgb: Vec<u8> = soft
        .data_bytes()
        .expect("bytes")
        .iter()
        .flat_map(|v| [*v / 2 + 60; 3])
        .collect();
    Picture::from_rgb(SIZE[0] as u32, SIZE[1] as u32, rgb).expect("a picture")
}

/// Poses as a person shows the board: about the picture, tilted each way.
fn poses() -> Vec<(Rotation3<f64>, Vector3<f64>)> {
    let mut out = Vec::new();
    for (i, (x, y)) in [
        (0.0, 0.0),
        (-230.0, -90.0),
        (230.0, -90.0),
        (-230.0, 90.0),
        (230.0, 90.0),
        (0.0, -100.0),
        (0.0, 100.0),
        (-200.0, 0.0),
        (200.0, 0.0),
        (60.0, 40.0),
        (-80.0, -30.0),
        (120.0, 20.0),
        (-140.0, 60.0),
        (30.0, -60.0),
    ]
    .into_iter()
    .enumerate()
    {
        let lean = 0.35 + 0.05 * (i % 3) as f64;
        let (a, b) = [(lean, 0.0), (-lean, 0.0), (0.0, lean), (0.0, -lean)][i % 4];
        // the board is higher than wide: it lies on its side before a wide camera
        let turn = Rotation3::from_euler_angles(a, b, 1.57 + 0.1 * i as f64);
        out.push((turn, Vector3::new(x, y, 430.0 + 15.0 * (i % 5) as f64)));
    }
    out
}

fn printed_board() -> Mat {
    let (w, h, bytes) = drawn(8).expect("the board");
    let board = Mat::from_slice(&bytes)
        .expect("a row")
        .reshape(1, h as i32)
        .expect("rows")
        .try_clone()
        .expect("own");
    assert_eq!(board.cols(), w as i32);
    board
}

/// The board lies on a table, two cameras see it: each is where it stood, and what one sees on the table the other sees there.
#[test]
fn cameras_stand_where_the_board_says() {
    let board = printed_board();
    let lens = Lens {
        distortion: [-0.12, 0.05, 0.001, -0.0008, 0.0],
        centre_px: [632.0, 366.0],
        ..Lens::ideal(SIZE[0] as u32, SIZE[1] as u32, 760.0, 0.0)
    };
    let camera = Camera {
        focal: 760.0,
        centre: [632.0, 366.0],
        bend: [-0.12, 0.05, 0.001, -0.0008],
    };
    let rays = camera.rays();
    let size_px = [SIZE[0] as u32, SIZE[1] as u32];
    let mut rig = Rig::default();
    for (id, lean, turn, at) in [
        ("left", 0.5, 1.5, [-60.0, 10.0, 460.0]),
        ("right", -0.35, -1.2, [90.0, -20.0, 520.0]),
    ] {
        let turn = Rotation3::from_euler_angles(lean, 0.2, turn);
        let at = Vector3::from(at);
        let picture = view(&board, &rays, turn, at);
        let (corners_px, seen) = board_in(&picture).expect("looked at").expect("the board");
        assert_eq!(seen, 54);
        let lying = Lying {
            id: CALIBRATION_BOARD.to_owned(),
            corners_px,
            print: std::sync::Arc::default(),
            size_mm: BOARD_MM,
            height_mm: 0.0,
        };
        let joined = rig.join(id, Wish::default(), size_px, Some(lens), &[lying]);
        assert!(
            matches!(joined, Joined::Stands { error_px, .. } if error_px < 0.3),
            "{joined:?}"
        );
        // the table's frame begins at the first inner corner
        let middle = Vector3::new(BOARD_MM[0] / 2.0, BOARD_MM[1] / 2.0, 0.0);
        let stands = middle - turn.inverse() * at;
        let pose = rig.cameras.last().and_then(|c| c.pose).expect("a pose");
        let [x, y, z] = pose.at_mm;
        let off = (Vector3::new(x, y, -z) - stands).norm();
        println!(
            "{id} is {off:.2} mm from where it stood, {:.0} mm off",
            at.norm()
        );
        assert!(off < 2.5, "{pose:?} for {stands:?}");
    }
    // a copy knows nothing of it, and no display is looked for there
    let (sight, notes) = rig.sight(Some("left"), size_px);
    assert!(sight.expected().is_empty() && notes.is_empty(), "{notes:?}");
    let bare = Picture::from_rgb(64, 48, vec![90; 64 * 48 * 3]).expect("a picture");
    assert!(board_in(&bare).expect("looked at").is_none());
}

#[test]
fn the_lens_is_recovered() {
    let board = printed_board();
    for camera in [
        Camera {
            focal: 905.0,
            centre: [641.0, 355.0],
            bend: [0.0; 4],
        },
        Camera {
            focal: 760.0,
            centre: [632.0, 366.0],
            bend: [-0.12, 0.05, 0.001, -0.0008],
        },
    ] {
        let rays = camera.rays();
        let mut calibrator = Calibrator::new().expect("a calibrator");
        assert!(calibrator.wanted().len() == 3, "{:?}", calibrator.wanted());
        for (turn, at) in poses() {
            let picture = view(&board, &rays, turn, at);
            assert!(matches!(calibrator.add(&picture), Ok(Added::View(n)) if n > 20));
            assert_eq!(calibrator.add(&picture).expect("looked at"), Added::Same);
        }
        assert!(calibrator.views() >= WANTED_VIEWS);
        assert!(calibrator.wanted().is_empty(), "{:?}", calibrator.wanted());
        let done = calibrator.solve().expect("solved").expect("enough views");
        for f in done.lens.focal_px {
            let off = (f / camera.focal - 1.0).abs();
            assert!(off < 0.005, "{f} for {}", camera.focal);
        }
        for (is, was) in done.lens.centre_px.iter().zip(camera.centre) {
            assert!((is - was).abs() < 4.0, "{is} for {was}");
        }
        println!(
            "focal length {:?} for {}, {:.3} px",
            done.lens.focal_px, camera.focal, done.error_px
        );
        assert!(done.error_px < 0.3, "{}", done.error_px);
    }
}
