//! Paper octahedra: found and read by the print on their top faces, whatever it is; what nobody enrolled is not.
#![allow(clippy::expect_used, clippy::panic)]
#![cfg(feature = "vision")]

use std::{fmt::Write as _, path::Path};

use image::{Rgb, RgbImage};
use nalgebra::Point2;
use sightline::{
    capture::Picture,
    copy::{self, Shape, Status},
    geometry::{Homography, Quad, square_about},
    vision::{Effort, Eye, models_folder},
};

/// A stream of numbers from 0 to 1 (xorshift).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % 10_000) as f64 / 10_000.0
    }

    fn colour(&mut self) -> [f64; 3] {
        [0; 3].map(|_| 30.0 + 200.0 * self.next())
    }
}

/// Side of a face's picture, its margin of a fifth included.
const WIDE: u32 = 224;

/// A print that nobody has seen, as busy as those of such dice: discs and bars of any colour on a ground of its own.
fn print(seed: u64) -> RgbImage {
    let mut n = Numbers(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let ground = n.colour();
    let marks: Vec<([f64; 2], f64, f64, [f64; 3], bool)> = (0..70)
        .map(|_| {
            let at = [0; 2].map(|_| 40.0 + 150.0 * n.next());
            (
                at,
                3.0 + 9.0 * n.next(),
                6.3 * n.next(),
                n.colour(),
                n.next() < 0.5,
            )
        })
        .collect();
    RgbImage::from_fn(WIDE, WIDE, |x, y| {
        let mut colour = ground;
        for (at, size, turn, ink, round) in &marks {
            let (dx, dy) = (f64::from(x) - at[0], f64::from(y) - at[1]);
            let (s, c) = turn.sin_cos();
            let (u, v) = (c * dx + s * dy, c * dy - s * dx);
            let within = match round {
                true => u.hypot(v) < *size,
                false => u.abs() < 1.6 * size && v.abs() < 0.5 * size,
            };
            if within {
                colour = *ink;
            }
        }
        Rgb(colour.map(|v| v as u8))
    })
}

/// A copy of one kind with three faces.
fn enrolled(folder: &Path) -> copy::Copy {
    let mut text = "format = 1\nname = \"paper\"\ngame = \"diceland\"\n[[dice]]\nkind = \"scout\"\nshape = \"octahedron\"\nsize_mm = 41.5\n".to_owned();
    for side in 1..=3_u64 {
        print(side)
            .save(folder.join(format!("{side}.png")))
            .expect("written");
        let _ = write!(
            text,
            "[[dice.faces]]\nface = \"{side}\"\npictures = [\"{side}.png\"]\n"
        );
    }
    std::fs::write(folder.join("copy.toml"), text).expect("written");
    copy::load(folder).expect("a copy")
}

fn triangle(middle: [f64; 2], edge: f64, turn_deg: f64) -> [Point2<f64>; 3] {
    [0.0, 120.0, 240.0].map(|third: f64| {
        let (s, c) = (turn_deg + third).to_radians().sin_cos();
        let r = edge / 3.0_f64.sqrt();
        Point2::new(middle[0] + r * s, middle[1] - r * c)
    })
}

/// Prints as triangles on a table, seen from above.
fn table(lying: &[(u64, [Point2<f64>; 3])]) -> Picture {
    let (w, h) = (960, 640);
    let mut out = RgbImage::from_fn(w, h, |x, y| {
        let grain = ((x * 7 + y * 13) % 11) as u8;
        Rgb([104 + grain, 96 + grain, 84 + grain])
    });
    // where a face lies in its picture
    let n = f64::from(WIDE);
    let (lo, hi) = (n * 0.2 / 1.4 - 0.5, n * 1.2 / 1.4 - 0.5);
    let inner = Quad::from_pairs([[lo, lo], [hi, lo], [hi, hi], [lo, hi]]);
    for (seed, corners) in lying {
        let print = print(*seed);
        let to_print = Homography::between(&square_about(*corners), &inner).expect("a map");
        for (x, y, pixel) in out.enumerate_pixels_mut() {
            let p = Point2::new(f64::from(x), f64::from(y));
            let inside = (0..3).all(|i| {
                let (a, b) = (corners[i], corners[(i + 1) % 3]);
                (b - a).perp(&(p - a)) >= 0.0
            });
            if inside && let Some(q) = to_print.apply(p) {
                let at = |v: f64| v.round().clamp(0.0, n - 1.0) as u32;
                *pixel = *print.get_pixel(at(q.x), at(q.y));
            }
        }
    }
    let soft = image::imageops::blur(&out, 0.7);
    Picture::from_rgb(w, h, soft.into_raw()).expect("a picture")
}

#[test]
fn octahedra_are_read_by_the_print_on_top_and_foreign_ones_are_not() {
    let dir = tempfile::tempdir().expect("a folder");
    let copy = enrolled(dir.path());
    let mut eye = Eye::open(&models_folder(), &copy, 2).expect("models");
    let lying = [
        (1, triangle([220.0, 200.0], 110.0, 25.0)),
        (3, triangle([520.0, 330.0], 96.0, 160.0)),
        // of another set
        (9, triangle([780.0, 210.0], 110.0, 80.0)),
    ];
    let seen = eye.see(&table(&lying), Effort::Still).expect("looked at");
    let octahedra: Vec<_> = seen
        .sightings
        .iter()
        .filter(|s| s.shape == Shape::Octahedron)
        .collect();
    assert_eq!(octahedra.len(), 2, "{octahedra:#?}");
    for (side, corners) in &lying[..2] {
        let middle = square_about(*corners).centre();
        let die = octahedra
            .iter()
            .find(|s| (s.polygon.centre() - middle).norm() < 6.0)
            .expect("found");
        assert_eq!(die.reading.face.as_deref(), Some(side.to_string().as_str()));
        assert_eq!(die.reading.status, Status::Sure);
        for (is, should) in die.shape.outline(&die.polygon).iter().zip(corners) {
            assert!((is - should).norm() < 5.0, "{is} and {should}");
        }
    }
}

#[test]
fn a_face_is_cut_out_of_its_photograph_along_its_folds() {
    use sightline::vision::Enroller;
    let mut enroller = Enroller::open(&models_folder(), 2).expect("models");
    // the sides round it are seen, darker
    let top = triangle([480.0, 320.0], 250.0, 4.0);
    let picture = table(&[(2, top)]);
    let mut pixels = picture.rgb().to_vec();
    let middle = square_about(top).centre();
    let hexagon: Vec<Point2<f64>> = (0..6)
        .map(|i| {
            let corner = top[i / 2] - middle;
            let turn = if i % 2 == 0 {
                0.0
            } else {
                60.0_f64.to_radians()
            };
            let (s, c) = turn.sin_cos();
            middle
                + nalgebra::Vector2::new(c * corner.x - s * corner.y, s * corner.x + c * corner.y)
                    * 0.97
        })
        .collect();
    for (k, pixel) in pixels.chunks_exact_mut(3).enumerate() {
        let p = Point2::new((k % 960) as f64, (k / 960) as f64);
        let within = |ring: &[Point2<f64>]| {
            (0..ring.len()).all(|i| {
                let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
                (b - a).perp(&(p - a)) >= 0.0
            })
        };
        if within(&hexagon) && !within(&top) {
            pixel.copy_from_slice(&[70, 44, 58]);
        }
    }
    let picture = Picture::from_rgb(960, 640, pixels).expect("a picture");
    let taken = enroller
        .octahedron(&picture, None)
        .expect("looked at")
        .expect("found");
    let drawn = taken.drawn();
    assert_eq!(drawn.len(), 3);
    for (is, should) in drawn.iter().zip(&top) {
        assert!((is - should).norm() < 12.0, "{is} and {should}");
    }
}

#[test]
fn photographs_of_a_face_are_turned_to_be_like_the_first() {
    use sightline::vision::Enroller;
    let mut enroller = Enroller::open(&models_folder(), 2).expect("models");
    let picture = |turn: f64| table(&[(2, triangle([480.0, 320.0], 250.0, turn))]);
    let pictures = [picture(0.0), picture(0.0), picture(0.0)];
    // the corner that is the upper one is said to be another one in the second and the third
    let mut taken: Vec<_> = [0.0, 120.0, 240.0]
        .map(|turn| square_about(triangle([480.0, 320.0], 250.0, turn)))
        .into_iter()
        .zip(&pictures)
        .map(|(square, picture)| {
            let taken = enroller.octahedron(picture, Some(square));
            taken.expect("looked at").expect("cut out")
        })
        .collect();
    let mut group: Vec<_> = pictures.iter().zip(&mut taken).collect();
    enroller.agree_in_thirds(&mut group).expect("compared");
    for enrolled in &taken {
        assert_eq!(enrolled.flaws, [], "they show one face");
        let off = enrolled.drawn()[0] - taken[0].drawn()[0];
        assert!(off.norm() < 1.0, "{:?}", enrolled.drawn());
    }
}
