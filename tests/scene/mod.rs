//! Tables drawn by the tests: displays with art of their own on cloth, seen by a camera, with exact truth.
#![allow(dead_code, clippy::expect_used, clippy::panic)]

use std::{fs, path::Path};

use nalgebra::{Matrix3, Rotation3, Vector3};
use opencv::{
    core::{self, Mat, Scalar, Size, Vector},
    imgcodecs, imgproc,
    prelude::*,
};
use sightline::{
    capture::Picture,
    copy::{self, Copy},
    geometry::Quad,
};

/// Numbers by a small generator.
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    pub fn below(&mut self, n: i32) -> i32 {
        (self.next() % n as u64) as i32
    }

    /// From `lo` to `hi`.
    pub fn from(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * (self.next() % 1_000_003) as f64 / 1_000_003.0
    }
}

pub const PER_MM: f64 = 6.0;

/// A display: a layout that its sisters of the other teams share, and marks of its own.
pub struct Card {
    pub id: String,
    pub size_mm: [f64; 2],
    pub art: Mat,
}

fn colour(c: &mut Chance) -> Scalar {
    Scalar::new(
        f64::from(c.below(256)),
        f64::from(c.below(256)),
        f64::from(c.below(256)),
        0.0,
    )
}

fn shapes(m: &mut Mat, c: &mut Chance, n: usize, large: bool) {
    let (w, h) = (m.cols(), m.rows());
    for _ in 0..n {
        let ink = colour(c);
        let thick = if c.below(2) == 0 { -1 } else { 4 };
        let k = if large { 1 } else { 2 };
        let at = core::Rect::new(
            20 + c.below(w - 260),
            20 + c.below(h - 200),
            40 + c.below(170) / k,
            30 + c.below(130) / k,
        );
        imgproc::rectangle(m, at, ink, thick, imgproc::LINE_AA, 0).expect("drawn");
        let middle = core::Point::new(60 + c.below(w - 120), 60 + c.below(h - 120));
        imgproc::circle(
            m,
            middle,
            12 + c.below(34) / k,
            ink,
            thick,
            imgproc::LINE_AA,
            0,
        )
        .expect("drawn");
    }
}

fn words(m: &mut Mat, c: &mut Chance, n: usize) {
    for _ in 0..n {
        let ink = colour(c);
        let text = format!(
            "{}{}",
            c.below(100),
            ["alpha", "beta", "gamma", "delta"][c.below(4) as usize]
        );
        let at = core::Point::new(20 + c.below(m.cols() - 300), 60 + c.below(m.rows() - 100));
        imgproc::put_text_def(m, &text, at, imgproc::FONT_HERSHEY_DUPLEX, 1.1, ink).expect("drawn");
    }
}

/// The display of a station for a team: sisters share their layout and differ in tone, emblem and words.
pub fn card(station: u64, team: u64, size_mm: [f64; 2]) -> Card {
    let size = size_mm.map(|v| (v * PER_MM) as i32);
    let mut of_team = Chance::new(900 + team);
    let ground = Scalar::new(
        f64::from(30 + of_team.below(90)),
        f64::from(30 + of_team.below(90)),
        f64::from(30 + of_team.below(90)),
        0.0,
    );
    let mut art =
        Mat::new_rows_cols_with_default(size[1], size[0], core::CV_8UC3, ground).expect("a card");
    let mut layout = Chance::new(100 + station);
    shapes(&mut art, &mut layout, 10, true);
    words(&mut art, &mut layout, 6);
    let mut own = Chance::new(10_000 + 100 * station + team);
    shapes(&mut art, &mut own, 4, false);
    words(&mut art, &mut own, 5);
    Card {
        id: format!(
            "{}.{station}",
            ["white", "black", "green"][(team % 3) as usize]
        ),
        size_mm,
        art,
    }
}

/// The cards as a copy in a folder, with their flat pictures as references.
pub fn enrolled(folder: &Path, cards: &[Card]) -> Copy {
    let mut text = String::from("format = 1\nname = \"drawn here\"\ngame = \"dice-duel\"\n");
    for card in cards {
        let name = format!("{}.png", card.id);
        imgcodecs::imwrite(
            folder.join(&name).to_str().expect("a path"),
            &card.art,
            &Vector::new(),
        )
        .expect("written");
        let [w, h] = card.size_mm;
        text += &format!(
            "[[displays]]\nid = \"{}\"\nsize_mm = [{w:?}, {h:?}]\nreference = \"{name}\"\n",
            card.id
        );
    }
    fs::write(folder.join("copy.toml"), text).expect("written");
    copy::load(folder).expect("a copy")
}

/// A camera over a table: millimetres on the table (x right, y down) to pixels.
#[derive(Clone)]
pub struct Camera {
    pub size: [i32; 2],
    pub focal: f64,
    pub turn: Rotation3<f64>,
    /// The table's origin in the camera's frame, millimetres.
    pub at: Vector3<f64>,
}

impl Camera {
    /// Looks at the middle of a table from `away` millimetres, tilted and turned by degrees.
    pub fn over(size: [i32; 2], middle: [f64; 2], away: f64, tilt: f64, turn: f64) -> Self {
        let turn = Rotation3::from_euler_angles(tilt.to_radians(), 0.0, 0.0)
            * Rotation3::from_euler_angles(0.0, 0.0, turn.to_radians());
        let at = Vector3::new(0.0, 0.0, away) - turn * Vector3::new(middle[0], middle[1], 0.0);
        Self {
            size,
            focal: 0.8 * f64::from(size[0]),
            turn,
            at,
        }
    }

    pub fn map(&self) -> Matrix3<f64> {
        let [w, h] = self.size.map(f64::from);
        let k = Matrix3::new(
            self.focal,
            0.0,
            (w - 1.0) / 2.0,
            0.0,
            self.focal,
            (h - 1.0) / 2.0,
            0.0,
            0.0,
            1.0,
        );
        let r = self.turn.matrix();
        k * Matrix3::from_columns(&[r.column(0).into(), r.column(1).into(), self.at])
    }

    /// The pixel of a point `z` millimetres over the table.
    pub fn pixel(&self, x: f64, y: f64, z: f64) -> [f64; 2] {
        let v = self.turn * Vector3::new(x, y, -z) + self.at;
        let [w, h] = self.size.map(f64::from);
        [
            v.x / v.z * self.focal + (w - 1.0) / 2.0,
            v.y / v.z * self.focal + (h - 1.0) / 2.0,
        ]
    }
}

/// Where a card lies on the table: its upper left, and its turn in degrees clockwise.
#[derive(Debug, Clone, Copy)]
pub struct Pose {
    pub at: [f64; 2],
    pub turn: f64,
}

impl Pose {
    pub fn new(x: f64, y: f64, turn: f64) -> Self {
        Self { at: [x, y], turn }
    }

    fn map(&self) -> Matrix3<f64> {
        let (s, c) = self.turn.to_radians().sin_cos();
        Matrix3::new(c, -s, self.at[0], s, c, self.at[1], 0.0, 0.0, 1.0)
    }

    /// Moved by so many millimetres, and turned about its own middle.
    pub fn moved(&self, card: &Card, dx: f64, dy: f64, turn: f64) -> Self {
        let [w, h] = card.size_mm.map(|v| v / 2.0);
        let centre = self.map() * Vector3::new(w, h, 1.0);
        let (s, c) = (self.turn + turn).to_radians().sin_cos();
        Self {
            at: [
                centre.x + dx - (c * w - s * h),
                centre.y + dy - (s * w + c * h),
            ],
            turn: self.turn + turn,
        }
    }
}

/// How a picture was taken.
#[derive(Clone, Copy)]
pub struct Light {
    pub gain: f64,
    /// Grey levels of noise.
    pub noise: f64,
    /// Pixels.
    pub blur: f64,
    /// How much darker one side of the picture is than the other, 0 to 1.
    pub shade: f64,
}

impl Default for Light {
    fn default() -> Self {
        Self {
            gain: 0.9,
            noise: 3.0,
            blur: 0.6,
            shade: 0.2,
        }
    }
}

/// Where a card's corners are in the picture.
pub fn truth(camera: &Camera, card: &Card, pose: &Pose) -> Quad {
    let map = camera.map() * pose.map();
    let [w, h] = card.size_mm;
    Quad::from_pairs([[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]].map(|[x, y]| {
        let v = map * Vector3::new(x, y, 1.0);
        [v.x / v.z, v.y / v.z]
    }))
}

/// How far each corner is off, in the card's millimetres.
pub fn off_mm(found: &Quad, truth: &Quad, card: &Card) -> [f64; 4] {
    let mm = (card.size_mm[0] * card.size_mm[1] / truth.area()).sqrt();
    std::array::from_fn(|i| (found.0[i] - truth.0[i]).norm() * mm)
}

/// Speckled cloth.
pub fn cloth([w, h]: [i32; 2], seed: u64) -> Mat {
    let mut c = Chance::new(seed);
    let ground = Scalar::new(
        c.from(60.0, 170.0),
        c.from(60.0, 170.0),
        c.from(60.0, 170.0),
        0.0,
    );
    let plain = Mat::new_rows_cols_with_default(h, w, core::CV_8UC3, ground).expect("a cloth");
    let mut coarse = Mat::new_rows_cols_with_default(h / 4, w / 4, core::CV_8UC3, Scalar::all(0.0))
        .expect("a cloth");
    core::set_rng_seed(seed as i32).expect("seeded");
    core::randn(&mut coarse, &Scalar::all(30.0), &Scalar::all(14.0)).expect("speckled");
    let mut specks = Mat::default();
    imgproc::resize(
        &coarse,
        &mut specks,
        Size::new(w, h),
        0.0,
        0.0,
        imgproc::INTER_CUBIC,
    )
    .expect("scaled");
    let mut out = Mat::default();
    core::add_def(&plain, &specks, &mut out).expect("speckled");
    out
}

fn warp(what: &Mat, map: &Matrix3<f64>, size: Size) -> Mat {
    let row = |i: usize| [map[(i, 0)], map[(i, 1)], map[(i, 2)]];
    let m = Mat::from_slice_2d(&[row(0), row(1), row(2)]).expect("a map");
    let mut out = Mat::default();
    imgproc::warp_perspective(
        what,
        &mut out,
        &m,
        size,
        imgproc::INTER_LINEAR,
        core::BORDER_CONSTANT,
        Scalar::default(),
    )
    .expect("laid");
    out
}

/// Lays a card into a picture.
pub fn lay(onto: &mut Mat, camera: &Camera, card: &Card, pose: &Pose) {
    let corners = truth(camera, card, pose);
    let density = (corners.area() / (card.size_mm[0] * card.size_mm[1])).sqrt();
    // no finer than the picture, so that nothing is skipped
    let per_mm = (1.2 * density).clamp(0.5, PER_MM);
    let [w, h] = card.size_mm.map(|v| (v * per_mm).round());
    let mut art = Mat::default();
    imgproc::resize(
        &card.art,
        &mut art,
        Size::new(w as i32, h as i32),
        0.0,
        0.0,
        imgproc::INTER_AREA,
    )
    .expect("scaled");
    let (kx, ky) = (w / card.size_mm[0], h / card.size_mm[1]);
    let of_pixel = Matrix3::new(
        1.0 / kx,
        0.0,
        0.5 / kx,
        0.0,
        1.0 / ky,
        0.5 / ky,
        0.0,
        0.0,
        1.0,
    );
    let map = camera.map() * pose.map() * of_pixel;
    let size = onto.size().expect("a size");
    let white =
        Mat::new_rows_cols_with_default(art.rows(), art.cols(), core::CV_8U, Scalar::all(255.0))
            .expect("white");
    let (seen, mask) = (warp(&art, &map, size), warp(&white, &map, size));
    let mut inside = Mat::default();
    imgproc::threshold(&mask, &mut inside, 127.0, 255.0, imgproc::THRESH_BINARY).expect("a mask");
    seen.copy_to_masked(onto, &inside).expect("laid");
}

/// A cube of `side` millimetres in one colour, drawn as its top face and two sides.
pub fn cube(onto: &mut Mat, camera: &Camera, at: [f64; 2], side: f64, turn: f64, ink: Scalar) {
    let (s, c) = turn.to_radians().sin_cos();
    let h = side / 2.0;
    let corner = |x: f64, y: f64, z: f64| {
        let [px, py] = camera.pixel(at[0] + c * x - s * y, at[1] + s * x + c * y, z);
        core::Point::new(px.round() as i32, py.round() as i32)
    };
    let square = [[-h, -h], [h, -h], [h, h], [-h, h]];
    let all: Vector<core::Point> = square
        .iter()
        .flat_map(|[x, y]| [corner(*x, *y, 0.0), corner(*x, *y, side)])
        .collect();
    let mut hull = Vector::<core::Point>::new();
    imgproc::convex_hull_def(&all, &mut hull).expect("a hull");
    let dark = Scalar::new(ink[0] * 0.6, ink[1] * 0.6, ink[2] * 0.6, 0.0);
    imgproc::fill_convex_poly_def(onto, &hull, dark).expect("drawn");
    let top: Vector<core::Point> = square.iter().map(|[x, y]| corner(*x, *y, side)).collect();
    imgproc::fill_convex_poly_def(onto, &top, ink).expect("drawn");
}

/// A hand: a blob of skin at these pixels, with an arm to the picture's lower edge.
pub fn hand(onto: &mut Mat, [x, y]: [f64; 2], radius: f64) {
    let skin = Scalar::new(140.0, 170.0, 215.0, 0.0);
    let (w, h) = (radius as i32, (radius * 0.8) as i32);
    let at = core::Point::new(x as i32, y as i32);
    imgproc::ellipse(
        onto,
        at,
        Size::new(w, h),
        20.0,
        0.0,
        360.0,
        skin,
        -1,
        imgproc::LINE_AA,
        0,
    )
    .expect("drawn");
    let arm = core::Rect::new(at.x - w / 2, at.y, w, (onto.rows() - at.y).max(1));
    imgproc::rectangle(onto, arm, skin, -1, imgproc::LINE_8, 0).expect("drawn");
}

/// The picture as a camera takes it.
pub fn taken(bgr: &Mat, light: Light, seed: u64) -> Picture {
    let (w, h) = (bgr.cols(), bgr.rows());
    let mut soft = Mat::default();
    if light.blur > 0.0 {
        imgproc::gaussian_blur_def(bgr, &mut soft, Size::new(0, 0), light.blur).expect("soft");
    } else {
        soft = bgr.clone();
    }
    core::set_rng_seed(seed as i32).expect("seeded");
    let mut noise =
        Mat::new_rows_cols_with_default(h, w, core::CV_16SC3, Scalar::all(0.0)).expect("noise");
    core::randn(&mut noise, &Scalar::all(0.0), &Scalar::all(light.noise)).expect("noise");
    let (soft, noise) = (
        soft.data_bytes().expect("bytes").to_vec(),
        noise.data_typed::<core::Vec3s>().expect("noise").to_vec(),
    );
    let mut rgb = Vec::with_capacity(soft.len());
    for (i, (p, n)) in soft.chunks_exact(3).zip(&noise).enumerate() {
        let x = (i as i32 % w) as f64 / f64::from(w);
        let gain = light.gain * (1.0 - light.shade * x);
        for k in [2, 1, 0] {
            let v = f64::from(p[k]) * gain + f64::from(n[k]);
            rgb.push(v.round().clamp(0.0, 255.0) as u8);
        }
    }
    Picture::from_rgb(w as u32, h as u32, rgb).expect("a picture")
}
