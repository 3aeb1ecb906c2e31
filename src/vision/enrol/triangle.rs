//! Top faces of paper octahedra, cut out of their photographs.
//!
//! From above an octahedron's outline is a hexagon whose corners are in turn those of its top face and of the face it lies on, and a shadow may lie beside it. Where
//! the top face is, its folds say: a triangle with three equal edges along all of which the picture changes.

use nalgebra::Vector2;
use opencv::{
    core::{Mat, Size, Vec3b},
    imgproc,
    prelude::*,
};

use super::{Enrolled, Enroller, Flaw, lit, png};
use crate::{
    capture::Picture,
    copy::Shape,
    geometry::{Point, Quad, square_about, triangle_in},
    vision::{alone, crop, eye::VisionError, octahedra, quality},
};

/// Side of an octahedron's enrolment picture, its margin included; the margin is the reader's own.
const FACE: i32 = 224;
const MARGIN: f64 = 0.2;
/// Variance of the Laplacian below which it is out of focus, and the least edge in pixels to enrol.
const BLURRED: f64 = 15.0;
const SMALL: f64 = 120.0;
/// Points of an edge at which the picture is compared on both of its sides, how far from the edge, as a part of its length, and which part of the edge is left out at
/// either end.
const POINTS: usize = 40;
const BESIDE: f64 = 0.015;
const ENDS: f64 = 0.08;
/// How far corners are moved to where the edges are clearest, as parts of an edge.
const STEPS: [f64; 5] = [0.08, 0.04, 0.02, 0.01, 0.005];
/// Triangles that are tried: their edges as parts of what lies there is long, middles in so many rows and columns, turns; of these so many are
/// laid along edges.
const SIZES: [f64; 6] = [0.5, 0.6, 0.7, 0.8, 0.9, 1.0];
const ROWS: usize = 7;
const TURNS: usize = 12;
const TRIED: usize = 16;
/// A difference of colours (grey levels, all three together) that is plain to see: of what is more, as where a face's edge lies on the outline, nothing more follows.
const PLAIN: f64 = 30.0;
/// An edge of one seen nearly from above is at most so much longer than another.
const LONGER: f64 = 1.3;
/// The part of what is seen of an octahedron that its top face is; the rest may be in the shade, or a shadow taken for a part of it.
const SHARE: std::ops::RangeInclusive<f64> = 0.35..=0.95;
/// What a third of a turn costs, in likeness.
const TURNED: f64 = 0.05;
/// Likeness of a photograph to the others of its face below which it is another one's.
const LIKE: f64 = 0.5;

impl Enroller {
    /// The top face of the octahedron that lies alone in a photograph, the corner that points up most being its own upper one. `corners`,
    /// where given, are a person's word: of the square about it. `None` where nothing is found.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn octahedron(
        &mut self,
        picture: &Picture,
        corners: Option<Quad>,
    ) -> Result<Option<Enrolled>, VisionError> {
        let mat = crop::mat(picture)?;
        if let Some(corners) = corners {
            return cut(&mat, corners).map(Some);
        }
        let Some(alone) = alone::outlined(&mat)? else {
            return Ok(None);
        };
        let (x, y) = (f64::from(alone.bounds.x), f64::from(alone.bounds.y));
        let (w, h) = (
            f64::from(alone.bounds.width),
            f64::from(alone.bounds.height),
        );
        let mut soft = Mat::default();
        let sigma = (w.min(h) * 0.004).max(0.8);
        imgproc::gaussian_blur_def(&mat, &mut soft, Size::new(0, 0), sigma)?;
        let seen = Seen::of(&soft)?;
        let mut starts = Vec::new();
        for size in SIZES {
            let edge = size * w.max(h);
            for (i, j) in (0..ROWS).flat_map(|i| (0..ROWS).map(move |j| (i, j))) {
                let at = |k: usize| 0.2 + 0.6 * k as f64 / (ROWS - 1) as f64;
                let middle = Point::new(x + at(i) * w, y + at(j) * h);
                for turn in 0..TURNS {
                    let turn = std::f64::consts::TAU / 3.0 * turn as f64 / TURNS as f64;
                    let start = about(middle, edge, turn);
                    starts.push((seen.clear(&start), start));
                }
            }
        }
        starts.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut tried: Vec<[Point; 3]> = Vec::new();
        let mut best: Option<([Point; 3], f64)> = None;
        for (_, start) in starts {
            let edge = (start[1] - start[0]).norm();
            let alike = |t: &[Point; 3]| {
                t.iter()
                    .zip(&start)
                    .all(|(a, b)| (a - b).norm() < 0.15 * edge)
            };
            if tried.iter().any(alike) {
                continue;
            }
            let found = seen.along_its_edges(start);
            if best.is_none_or(|b| found.1 > b.1) {
                best = Some(found);
            }
            tried.push(start);
            if tried.len() >= TRIED {
                break;
            }
        }
        let Some((corners, _)) = best else {
            return Ok(None);
        };
        let square = square_about(upright(corners));
        let mut taken = cut(&mat, square)?;
        // from above a top face is half of what is seen of it
        let share = 0.75_f64.sqrt() / 2.0 * square.area() / alone.area().max(1.0);
        if !SHARE.contains(&share) {
            taken.flaws.push(Flaw::Unknown);
        }
        Ok(Some(taken))
    }

    /// Makes several photographs of one face agree: the first says which of its corners is the upper one.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn agree_in_thirds(
        &mut self,
        taken: &mut [(&Picture, &mut Enrolled)],
    ) -> Result<(), VisionError> {
        let mut prints = Vec::new();
        for (picture, enrolled) in taken.iter() {
            prints.push(octahedra::prints(&crop::mat(picture)?, &enrolled.corners)?);
        }
        let Some(first) = prints.first().map(|p| p[0].clone()) else {
            return Ok(());
        };
        let like = |p: &[Vec<f32>; 3], third: usize| crate::vision::gallery::dot(&first, &p[third]);
        let mut chosen = vec![(0, 1.0)];
        for p in prints.iter().skip(1) {
            let worth = |t: &usize| like(p, *t) - if *t == 0 { 0.0 } else { TURNED };
            let third = (0..3).max_by(|a, b| worth(a).total_cmp(&worth(b)));
            let third = third.unwrap_or(0);
            chosen.push((third, like(p, third)));
        }
        // where the first is the odd one, all others are unlike it
        let odd_first = chosen.len() > 2 && chosen.iter().skip(1).all(|c| c.1 < LIKE);
        for (i, ((picture, enrolled), (third, like))) in taken.iter_mut().zip(chosen).enumerate() {
            if third > 0
                && let Some(mut t) = triangle_in(&enrolled.corners)
            {
                // seen turned on by so many thirds it is like the first: its upper corner is as many back
                t.rotate_right(third);
                let flaws = std::mem::take(&mut enrolled.flaws);
                **enrolled = cut(&crop::mat(picture)?, square_about(t))?;
                enrolled
                    .flaws
                    .extend(flaws.into_iter().filter(|f| !f.is_of_the_camera()));
            }
            if odd_first && i == 0 || !odd_first && like < LIKE {
                enrolled.flaws.push(Flaw::Unlike);
            }
        }
        Ok(())
    }
}

/// A face's enrolment picture, and what is wrong with it.
fn cut(photograph: &Mat, square: Quad) -> Result<Enrolled, VisionError> {
    let crop = crop::rectify(photograph, &square, FACE, MARGIN)?;
    let mut flaws: Vec<Flaw> = lit(photograph, &crop)?.into_iter().collect();
    if !flaws.contains(&Flaw::Dark) && quality::sharpness(&crop)? < BLURRED {
        flaws.push(Flaw::Blurred);
    }
    if square.side() < SMALL {
        flaws.push(Flaw::Small);
    }
    Ok(Enrolled {
        png: png(&crop)?,
        flaws,
        corners: square,
        outline: None,
        shape: Some(Shape::Octahedron),
    })
}

/// A triangle from above.
fn about(middle: Point, edge: f64, turn: f64) -> [Point; 3] {
    let radius = edge / 3.0_f64.sqrt();
    [0.0, 1.0, 2.0].map(|k| {
        let (s, c) = (turn + std::f64::consts::TAU / 3.0 * k).sin_cos();
        middle + Vector2::new(s, -c) * radius
    })
}

/// The same corners, from the one that is highest in the picture.
fn upright(mut t: [Point; 3]) -> [Point; 3] {
    let up = (0..3)
        .min_by(|a, b| t[*a].y.total_cmp(&t[*b].y))
        .unwrap_or(0);
    t.rotate_left(up);
    t
}

/// A softened photograph.
struct Seen<'a> {
    pixels: &'a [Vec3b],
    size: [i32; 2],
}

impl<'a> Seen<'a> {
    fn of(soft: &'a Mat) -> Result<Self, VisionError> {
        Ok(Self {
            pixels: soft.data_typed()?,
            size: [soft.cols(), soft.rows()],
        })
    }

    fn at(&self, p: Point) -> Option<Vector3> {
        let (x, y) = (p.x.round() as i32, p.y.round() as i32);
        let inside = (0..self.size[0]).contains(&x) && (0..self.size[1]).contains(&y);
        let pixel = inside.then(|| self.pixels.get((y * self.size[0] + x) as usize))??;
        Some(Vector3::new(
            f64::from(pixel[0]),
            f64::from(pixel[1]),
            f64::from(pixel[2]),
        ))
    }

    /// How unlike the picture is on both sides of a triangle's edges: a fold is there all along, and a print's lines are not. Nothing where it is no face seen
    /// from above; of two that are as clear, the larger one, since lines are printed within a face.
    fn clear(&self, t: &[Point; 3]) -> f64 {
        let sides = [0, 1, 2].map(|i| (t[(i + 1) % 3] - t[i]).norm());
        let (least, most) = sides
            .iter()
            .fold((f64::MAX, 0.0_f64), |(l, m), s| (l.min(*s), m.max(*s)));
        if most > LONGER * least {
            return 0.0;
        }
        let mut sum = 0.0;
        for i in 0..3 {
            let (a, b) = (t[i], t[(i + 1) % 3]);
            let along = b - a;
            let across = Vector2::new(-along.y, along.x) * BESIDE;
            let mut each = Vec::with_capacity(POINTS);
            for k in 0..POINTS {
                let part = ENDS + (1.0 - 2.0 * ENDS) * k as f64 / (POINTS - 1) as f64;
                let p = a + along * part;
                if let (Some(x), Some(y)) = (self.at(p + across), self.at(p - across)) {
                    each.push((x - y).norm().min(PLAIN));
                }
            }
            sum += each.iter().sum::<f64>() / POINTS as f64;
        }
        sum * (least + most).powf(0.25)
    }

    /// The corners moved to where the edges are clearest, and how clear these are.
    fn along_its_edges(&self, corners: [Point; 3]) -> ([Point; 3], f64) {
        let edge = (corners[1] - corners[0]).norm();
        let mut best = (corners, self.clear(&corners));
        for step in STEPS.map(|s| s * edge) {
            for _ in 0..4 {
                let before = best.1;
                for i in 0..3 {
                    for (x, y) in [
                        (1.0, 0.0),
                        (-1.0, 0.0),
                        (0.0, 1.0),
                        (0.0, -1.0),
                        (0.7, 0.7),
                        (-0.7, 0.7),
                        (0.7, -0.7),
                        (-0.7, -0.7),
                    ] {
                        let mut t = best.0;
                        t[i] += Vector2::new(x, y) * step;
                        let clear = self.clear(&t);
                        if clear > best.1 {
                            best = (t, clear);
                        }
                    }
                }
                if best.1 <= before {
                    break;
                }
            }
        }
        best
    }
}

type Vector3 = nalgebra::Vector3<f64>;
