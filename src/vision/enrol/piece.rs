//! Miniatures, tokens and crystals: each cut out of its photograph, and held against what its name says.

use geo::{Area, BooleanOps, BoundingRect, Rotate, Scale, Translate};
use opencv::{
    core::{Mat, Vector},
    imgcodecs, imgproc,
    prelude::*,
};

use super::{A_DISC, Enrolled, Enroller, Flaw, SMEARED_PART, lit, png};
use crate::{
    capture::Picture,
    copy::Outline,
    geometry::{Point, Quad},
    vision::{
        alone::{self, Outlined},
        crop,
        eye::VisionError,
        gallery::dot,
        quality,
    },
};

/// A token that is less like an ellipse is not round.
const HARDLY_ROUND: f64 = 0.9;
/// What part of the smallest rectangle round it a rectangle fills.
const A_RECTANGLE: f64 = 0.96;
/// A view that is turned otherwise is so much liker to the others so (mean cosine).
const CLEARLY: f64 = 0.15;
/// A view that is so like the others (mean cosine) is of the same thing: of ten ships of five made copies those that looked like a die have
/// 0.80 or more, and photographs of other things under a ship's name 0.41 or less.
const AGREES: f64 = 0.6;
/// Outlines of one thing, turned alike, cover at least so much of what either covers, and so much more than turned otherwise.
const COVERS: f64 = 0.6;
const BETTER: f64 = 0.1;
/// Pixels by which any lens smears an edge.
const A_LENS: f64 = 2.0;
/// A piece's picture is so many times as wide as the piece is long.
const PIECE_SHARE: f64 = 1.5;

impl Enroller {
    /// A piece (miniature, token, crystal) that lies alone in a photograph, in the middle of a square one and a half
    /// times as wide as it is long: along its heading (0 is up, clockwise), or where it is longest. `corners`, where given, are
    /// a person's word: of what it fills.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn piece(
        &mut self,
        picture: &Picture,
        heading_deg: Option<f64>,
        outline: Option<Outline>,
        corners: Option<Quad>,
    ) -> Result<Option<Enrolled>, VisionError> {
        let mat = crop::mat(picture)?;
        let mut flaws = Vec::new();
        let mut outline_px = None;
        let (middle, wide, high, longest) = match corners {
            Some(q) => {
                let xs = q.0.map(|p| p.x);
                let ys = q.0.map(|p| p.y);
                let span = |v: [f64; 4]| {
                    let lo = v.into_iter().fold(f64::MAX, f64::min);
                    (lo, v.into_iter().fold(f64::MIN, f64::max) - lo)
                };
                let ((x, w), (y, h)) = (span(xs), span(ys));
                (Point::new(x + w / 2.0, y + h / 2.0), w, h, w.max(h))
            }
            None => {
                let Some(alone) = alone::outlined(&mat)? else {
                    return Ok(None);
                };
                let may_be_die = alone.round() < A_DISC && outline != Some(Outline::Square);
                if may_be_die && self.die_fills(picture, alone.area())? {
                    flaws.push(Flaw::Die);
                } else {
                    flaws.extend(unlike(&alone, outline));
                }
                let at = alone.bounds;
                outline_px = Some(alone.outline);
                let middle = |lo: i32, n: i32| f64::from(lo) + f64::from(n - 1) / 2.0;
                (
                    Point::new(middle(at.x, at.width), middle(at.y, at.height)),
                    f64::from(at.width),
                    f64::from(at.height),
                    alone.longest,
                )
            }
        };
        let long = match heading_deg {
            Some(h) if (h / 90.0).round() as i64 % 2 == 0 => high,
            Some(_) => wide,
            None => longest,
        };
        let side = long * PIECE_SHARE;
        let square = crop::square(&mat, middle, side, 0.0, side.min(256.0) as i32)?;
        flaws.extend(lit(&mat, &square)?);
        let length = f64::from(square.cols()) / PIECE_SHARE;
        let smear = quality::smear(&square)?;
        // what stands out from its ground has an edge, unless it is smeared beyond telling
        if smear == 0.0 || smear > (SMEARED_PART * length).max(A_LENS) {
            flaws.push(Flaw::Blurred);
        }
        if side < 64.0 {
            flaws.push(Flaw::Small);
        }
        let (half, c) = (side / 2.0, middle);
        let (x0, y0, x1, y1) = (c.x - half, c.y - half, c.x + half, c.y + half);
        Ok(Some(Enrolled {
            png: png(&square)?,
            flaws,
            corners: Quad::from_pairs([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]),
            outline: outline_px,
            shape: None,
        }))
    }

    /// Says of views of one miniature (degrees that its nose points to, clockwise from up) which are turned otherwise than the
    /// others say; one that is as they are is no die, whatever it looks like by itself.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn headings(&mut self, views: &mut [(f64, &mut Enrolled)]) -> Result<(), VisionError> {
        if views.len() < 3 {
            return Ok(());
        }
        let mut each: Vec<Vec<Vec<f32>>> = Vec::new();
        for (heading, view) in views.iter() {
            let bytes = Vector::from_slice(&view.png);
            let bgr = imgcodecs::imdecode(&bytes, imgcodecs::IMREAD_COLOR)?;
            let mut rgb = Mat::default();
            imgproc::cvt_color_def(&bgr, &mut rgb, imgproc::COLOR_BGR2RGB)?;
            let turns = [0.0, 90.0, 180.0, 270.0].map(|t| heading + t);
            each.push(self.pieces.of_picture(&rgb, &turns)?);
        }
        let outlines = views.iter();
        let outlines = outlines.map(|(heading, view)| Some((*heading, view.outline.as_ref()?)));
        let turned = outlines
            .collect::<Option<Vec<_>>>()
            .map(|all| turned_by_outline(&all));
        let turned = turned.unwrap_or_default();
        let mut agree = Vec::new();
        for (i, (_, view)) in views.iter_mut().enumerate() {
            let others = each.iter().enumerate().filter(|(j, _)| *j != i);
            let likeness = |turn: usize| -> f64 {
                let all = others.clone().map(|(_, o)| dot(&each[i][turn], &o[0]));
                all.sum()
            };
            let n = (each.len() - 1) as f64;
            let another = likeness(0) < self.pieces.none * n;
            if another
                || turned.get(i).copied().unwrap_or_default()
                || (1..4).any(|t| likeness(t) > likeness(0) + CLEARLY * n)
            {
                view.flaws.push(Flaw::Heading);
            }
            agree.push(!view.flaws.contains(&Flaw::Heading) && likeness(0) > AGREES * n);
        }
        vouched(views, &agree);
        Ok(())
    }
}

/// Takes back that views which agree with the others look like a die, where two others at least look like nothing else.
fn vouched(views: &mut [(f64, &mut Enrolled)], agree: &[bool]) {
    let plain = |e: &Enrolled| !e.flaws.iter().any(|f| f.is_of_another_thing());
    if views.iter().filter(|(_, e)| plain(e)).count() < 2 {
        return;
    }
    for ((_, view), agrees) in views.iter_mut().zip(agree) {
        if *agrees {
            view.flaws.retain(|f| *f != Flaw::Die);
        }
    }
}

/// What speaks against its being a piece of that outline.
fn unlike(alone: &Outlined, outline: Option<Outline>) -> Option<Flaw> {
    match outline {
        Some(Outline::Square) => None,
        Some(Outline::Round) if alone.round() < HARDLY_ROUND => Some(Flaw::NotRound),
        _ => (alone.fills() > A_RECTANGLE).then_some(Flaw::Card),
    }
}

/// Which of several outlines of one thing is turned otherwise than the heading (degrees clockwise) beside it says, in quarter turns:
/// those that are not turned as most are, and cover those clearly better once they are.
fn turned_by_outline(outlines: &[(f64, &geo::Polygon<f64>)]) -> Vec<bool> {
    let upright = outlines.iter().map(|(heading, outline)| {
        let at = outline.bounding_rect();
        let middle = at.map_or(geo::coord! { x: 0.0, y: 0.0 }, |r| r.center());
        let size = at.map_or(1.0, |r| r.width().max(r.height()).max(1e-9));
        outline
            .translate(-middle.x, -middle.y)
            .scale_around_point(1.0 / size, 1.0 / size, geo::point!(x: 0.0, y: 0.0))
            .rotate_around_point(-heading, geo::point!(x: 0.0, y: 0.0))
    });
    let upright: Vec<geo::Polygon<f64>> = upright.collect();
    let n = upright.len();
    // how well the second, turned so often, covers the first
    let cover = |i: usize, j: usize, turns: usize| {
        let turned =
            upright[j].rotate_around_point(90.0 * turns as f64, geo::point!(x: 0.0, y: 0.0));
        let both = upright[i].intersection(&turned).unsigned_area();
        both / (upright[i].unsigned_area() + turned.unsigned_area() - both).max(1e-9)
    };
    let mut covers = vec![vec![[0.0; 4]; n]; n];
    for (i, j) in (0..n).flat_map(|i| (0..i).map(move |j| (i, j))) {
        covers[i][j] = [0, 1, 2, 3].map(|turns| cover(i, j, turns));
    }
    let worth = |turns: &[usize]| -> f64 {
        let pairs = (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
        pairs
            .map(|(i, j)| covers[i][j][(4 + turns[j] - turns[i]) % 4])
            .sum()
    };
    // the first is not turned; each other may be
    let all = (0..4_usize.pow(n.saturating_sub(1) as u32)).map(|code| {
        let turns = (0..n).map(|i| {
            if i == 0 {
                0
            } else {
                code / 4_usize.pow(i as u32 - 1) % 4
            }
        });
        turns.collect::<Vec<usize>>()
    });
    let best = all
        .max_by(|a, b| worth(a).total_cmp(&worth(b)))
        .unwrap_or_default();
    let count = |turns: usize| best.iter().filter(|t| **t == turns).count();
    let most = (0..4).max_by_key(|t| count(*t)).unwrap_or_default();
    // what was cut out badly covers nothing, however it is turned
    let covers = |i: usize, turns: usize| -> f64 {
        let group = (0..n).filter(|j| *j != i && best[*j] == most);
        let each = group.clone().map(|j| match i > j {
            true => covers[i][j][(4 - turns) % 4],
            false => covers[j][i][turns],
        });
        each.sum::<f64>() / group.count().max(1) as f64
    };
    let turned = best.iter().enumerate();
    let turned = turned.map(|(i, t)| {
        let by = (4 + t - most) % 4;
        by != 0 && covers(i, by) > COVERS && covers(i, by) > covers(i, 0) + BETTER
    });
    turned.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_for_which_two_others_speak_is_no_die() {
        let left = |flaws: [&[Flaw]; 3], agrees: bool| {
            let mut views = flaws.map(|flaws| Enrolled {
                png: Vec::new(),
                flaws: flaws.to_vec(),
                corners: Quad::from_pairs([[0.0; 2]; 4]),
                outline: None,
                shape: None,
            });
            let mut by_heading: Vec<_> = views.iter_mut().map(|v| (0.0, v)).collect();
            vouched(&mut by_heading, &[agrees, true, true]);
            views.map(|v| v.flaws)
        };
        assert_eq!(
            left([&[Flaw::Die], &[], &[Flaw::Blurred]], true),
            [vec![], vec![], vec![Flaw::Blurred]]
        );
        // unless it is unlike them, or there are none
        assert_eq!(left([&[Flaw::Die], &[], &[]], false)[0], [Flaw::Die]);
        assert_eq!(
            left([&[Flaw::Die], &[Flaw::Die], &[]], true)[0],
            [Flaw::Die]
        );
    }
}
