//! Finds the outline of one card or board that lies alone in a photograph: for enrolment.
//!
//! Each side of where it may lie ([`super::candidates`]) is laid along the strongest line near it, averaged along the side, so that speckled cloth counts little and
//! a printed frame inside the card is not taken for its edge.

use opencv::{
    core::{self, Mat, Scalar, Size},
    imgproc,
};

use super::{
    candidates::candidates,
    eye::VisionError,
    lab::Lab,
    side::{Line, across, corners, line, lines},
};
use crate::{
    copy::Measured,
    geometry::{Homography, Point, Quad},
};

/// A card's outline in a photograph.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Card {
    /// From the corner at the picture's upper left, clockwise.
    pub corners: Quad,
    /// 0 to 1: the share of its worst side that lies along a clear edge.
    pub support: f64,
    /// By how much it differs from what any camera sees of a card of that size.
    pub off_mm: f64,
}

/// The outline of a card in an RGB picture; `None` where nothing has about its proportions and an edge. One of its own proportions goes before
/// all that are clearer; where there is none, what is printed in it may tell where it lies.
///
/// # Errors
/// Only where a library fails.
pub fn find(picture: &Mat, measured: &Measured) -> Result<Option<Card>, VisionError> {
    let size_mm = measured.size_mm;
    let lab = Lab::of(picture, 0.8)?;
    let most_off = OUT_OF_PROPORTION * size_mm[0].min(size_mm[1]);
    let mut found: Vec<Card> = Vec::new();
    for rough in candidates(picture, size_mm)? {
        found.extend(refine(&lab, &rough, size_mm, measured.thickness_mm));
    }
    let in_shape: Vec<Card> = found
        .iter()
        .filter(|c| c.off_mm < most_off && c.support >= SEEN)
        .copied()
        .collect();
    let in_shape = clearest(&in_shape, Some(in_proportion_mm(size_mm)));
    let Some(card) = in_shape.or_else(|| clearest(&found, None)) else {
        return Ok(None);
    };
    let card = in_proportion(&lab, card, size_mm);
    if card.off_mm < most_off {
        return Ok(Some(card));
    }
    let by_frame: Vec<Card> = found
        .iter()
        .filter_map(|frame| about(&lab, frame, measured))
        .collect();
    Ok(Some(clearest(&by_frame, None).unwrap_or(card)))
}

/// Of several outlines the clearest and largest, since frames are printed inside, and, where it is said what they are off by anyway, the least out of proportion.
fn clearest(some: &[Card], in_proportion_mm: Option<f64>) -> Option<Card> {
    let area = some.iter().map(|c| c.corners.area()).fold(1.0, f64::max);
    let score = |c: &Card| {
        let off = in_proportion_mm.map_or(0.0, |mm| (c.off_mm / mm - 1.0).max(0.0));
        c.support + LARGER * c.corners.area() / area - OFF * off
    };
    let first = |a: &&Card, b: &&Card| score(a).total_cmp(&score(b)).reverse();
    some.iter().min_by(first).copied()
}

/// What an outline is off by where the card is as its owner measured it.
fn in_proportion_mm(size_mm: [f64; 2]) -> f64 {
    IN_PROPORTION_MM.max(BENT * size_mm[0].min(size_mm[1]))
}

/// The card about what is printed in it, if that is what was found in its place.
fn about(lab: &Lab, found: &Card, measured: &Measured) -> Option<Card> {
    let [left, top, width, height] = measured.frame_mm?;
    let most_off = OUT_OF_PROPORTION * width.min(height);
    off_mm(lab, &found.corners, [width, height]).filter(|off| *off < most_off)?;
    let map = to_picture(&found.corners, [width, height])?;
    let [w, h] = measured.size_mm;
    let margins = [left, top, w - left - width, h - top - height];
    let margin = margins.into_iter().fold(f64::MAX, f64::min);
    let mut corners = [Point::origin(); 4];
    let flat = [[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]];
    for (corner, [x, y]) in corners.iter_mut().zip(flat) {
        *corner = map.apply(Point::new(x - left, y - top))?;
    }
    let rough = Quad(corners);
    if margin <= 0.0 || !lab.holds(&rough, 3.0) {
        return None;
    }
    let pixels_per_mm = (rough.area() / (w * h)).sqrt();
    // where the card's own edge can be seen, it lies along that
    let edge = refine(lab, &rough, measured.size_mm, measured.thickness_mm);
    let near = |c: &Card| {
        let off = (0..4).map(|i| (c.corners.0[i] - rough.0[i]).norm());
        off.fold(0.0, f64::max) < 0.5 * margin * pixels_per_mm
    };
    let clear = |c: &Card| c.support >= found.support && c.off_mm < most_off && near(c);
    // else nothing but the frame speaks for it: a person is to look
    Some(edge.filter(clear).unwrap_or(Card {
        corners: rough,
        support: 0.0,
        off_mm: off_mm(lab, &rough, measured.size_mm)?,
    }))
}

/// The card seen straight on, `pixels_per_mm`; the corners are the outer corners of the outer pixels.
///
/// # Errors
/// Only where a library fails.
pub fn flatten(
    picture: &Mat,
    corners: &Quad,
    size_mm: [f64; 2],
    pixels_per_mm: f64,
) -> Result<Mat, VisionError> {
    let [w, h] = size_mm.map(|v| (v * pixels_per_mm).round());
    let to = [[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]]
        .map(|[x, y]| core::Point2f::new(x as f32 - 0.5, y as f32 - 0.5));
    let from = corners
        .0
        .map(|p| core::Point2f::new(p.x as f32, p.y as f32));
    let (from, to) = (Mat::from_slice(&from)?, Mat::from_slice(&to)?);
    let map = imgproc::get_perspective_transform(&from, &to, core::DECOMP_LU)?;
    let mut out = Mat::default();
    imgproc::warp_perspective(
        picture,
        &mut out,
        &map,
        Size::new(w as i32, h as i32),
        imgproc::INTER_AREA,
        core::BORDER_REPLICATE,
        Scalar::default(),
    )?;
    Ok(out)
}

/// Focal lengths of cameras, in widths of their pictures, from wide to long; each of those that are tried is so much longer than the last.
const FOCAL: std::ops::Range<f64> = 0.5..3.0;
const LONGER: f64 = 1.01;
/// What a ruler and an outline are off by at most, and by how much an outline must be off to be doubted.
/// The latter is twice the former.
const IN_PROPORTION_MM: f64 = 0.5;
/// What a lens bends a large board by, as a part of its shorter side.
const BENT: f64 = 0.003;
/// Of other proportions than the card is what is off by more than this part of its shorter side. None of the 66 displays and boards of eight made
/// copies (seed 7700) is, cut out rightly; their boards' squares are by 9 and 16 %.
pub(super) const OUT_OF_PROPORTION: f64 = 0.04;
/// Of the card's proportions by chance is what has a clear edge along less than this part of a side.
const SEEN: f64 = 0.4;
/// What being the largest outline counts, of being clear all along each side: a frame of a display's own proportions, two thirds as large, was
/// clear along 0.83 of its worst side where the display's edge was along 0.78 (seed 7700, copy 4).
const LARGER: f64 = 0.5;
/// What being out of proportion counts, for each time more than a ruler and a lens are off by: a printed frame is clearer than a card's edge, and an outline of both
/// is clear all along, and a little out of proportion. Set on three displays of 242 (`examples/outlines.rs`).
const OFF: f64 = 0.125;
/// How far off a side its true line is looked for, as a part of the card's shorter side, and in pixels at most.
const NEAR_A_SIDE: f64 = 0.1;
const MOST_REACH: f64 = 50.0;
/// What a millimetre that an edge moves counts, of one that the outline is out of proportion: frames in the print are farther in.
const MOVED: f64 = 0.1;
/// Sides that are taken wrongly at most: a shadow lies along two.
const MISTAKEN: usize = 2;
/// The card's outline grown by `mm` on all sides, in its own plane.
fn grown(map: &Homography, [w, h]: [f64; 2], mm: f64) -> Option<Quad> {
    let flat = [[-mm, -mm], [w + mm, -mm], [w + mm, h + mm], [-mm, h + mm]];
    let mut out = [Point::origin(); 4];
    for (o, [x, y]) in out.iter_mut().zip(flat) {
        *o = map.apply(Point::new(x, y))?;
    }
    Some(Quad(out))
}

fn to_picture(q: &Quad, [w, h]: [f64; 2]) -> Option<Homography> {
    Homography::between(
        &Quad::from_pairs([[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]]),
        q,
    )
}

fn median(mut v: Vec<f32>) -> f32 {
    v.sort_by(f32::total_cmp);
    v.get(v.len() / 2).copied().unwrap_or(0.0)
}

/// How far out the outermost even frame lies, in the card's millimetres: the card's edge, not a frame
/// printed within it.
fn outermost(lab: &Lab, q: &Quad, size_mm: [f64; 2]) -> Option<f64> {
    let map = to_picture(q, size_mm)?;
    let steps: Vec<f64> = (0..100).map(|i| -3.0 + 0.25 * f64::from(i)).collect();
    let clear: Vec<f32> = steps
        .iter()
        .map(|mm| {
            let Some(q) = grown(&map, size_mm, *mm).filter(|q| lab.holds(q, 3.0)) else {
                return 0.0;
            };
            (0..4)
                .map(|side| {
                    let a = across(lab, &q, side, 1.5);
                    median(
                        a.change
                            .iter()
                            .map(|c| c.iter().copied().fold(0.0, f32::max))
                            .collect(),
                    )
                })
                .fold(f32::MAX, f32::min)
        })
        .collect();
    let most = clear.iter().copied().fold(0.0, f32::max);
    for i in (1..clear.len() - 1).rev() {
        if clear[i] < clear[i - 1] || clear[i] <= clear[i + 1] {
            continue;
        }
        // the ground outside is as restless as this
        let mut outside: Vec<f32> = clear
            .iter()
            .skip(i + 6)
            .copied()
            .filter(|c| *c > 0.0)
            .collect();
        outside.sort_by(f32::total_cmp);
        let restless = if outside.len() > 4 {
            outside[outside.len() * 4 / 5]
        } else {
            0.5
        };
        if clear[i] > 2.0 * restless && clear[i] > 0.1 * most && clear[i] > 0.8 {
            return steps.get(i).copied();
        }
    }
    let (best, _) = clear.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?;
    steps.get(best).copied()
}

/// By how many millimetres a quadrilateral differs from what a camera sees of a rectangle of that size, whatever its focal length is
/// (square pixels, the axis through the picture's middle): of such a rectangle the first two columns of the homography, with the
/// focal length taken out, are of one length and at right angles (Zhang 2000).
fn off_mm(lab: &Lab, q: &Quad, size_mm: [f64; 2]) -> Option<f64> {
    let map = to_picture(q, size_mm)?;
    let m = map.matrix();
    let (x0, y0) = (lab.width as f64 / 2.0, lab.height as f64 / 2.0);
    let across = lab.width.max(lab.height) as f64;
    let focals = std::iter::successors(Some(FOCAL.start), |focal| Some(focal * LONGER));
    let off = focals
        .take_while(|focal| FOCAL.contains(focal))
        .map(|focal| {
            let column = |i: usize| {
                let z = m[(2, i)];
                let f = focal * across;
                nalgebra::Vector3::new((m[(0, i)] - x0 * z) / f, (m[(1, i)] - y0 * z) / f, z)
            };
            let (u, v) = (column(0), column(1));
            let stretched = (u.norm() / v.norm()).ln();
            let skewed = u.dot(&v) / (u.norm() * v.norm());
            stretched.hypot(skewed)
        });
    let least = off.fold(f64::MAX, f64::min);
    Some(least * size_mm[0].min(size_mm[1]))
}

/// Where no camera sees a rectangle of the card's proportions as the outline that was found, a shadow, or a frame in the print, was taken
/// for one of its edges: of the clear lines near its sides, those that make one.
fn in_proportion(lab: &Lab, card: Card, size_mm: [f64; 2]) -> Card {
    let q = card.corners;
    let in_proportion_mm = in_proportion_mm(size_mm);
    if card.off_mm < 2.0 * in_proportion_mm {
        return card;
    }
    let pixels_per_mm = (q.area() / (size_mm[0] * size_mm[1])).sqrt();
    let reach = (NEAR_A_SIDE * size_mm[0].min(size_mm[1]) * pixels_per_mm).min(MOST_REACH);
    // each side as it was found, and the lines near it
    let near = [0, 1, 2, 3].map(|side| {
        let (at, to) = (q.0[side], q.0[(side + 1) % 4]);
        let found = Line {
            at,
            along: (to - at).normalize(),
            support: card.support,
        };
        let others = lines(lab, &q, side, reach);
        let others = others.into_iter().map(|line| (1, line));
        std::iter::once((0, found))
            .chain(others)
            .collect::<Vec<_>>()
    });
    // the fewer sides are laid anew the better, then the better they fit and the less they move
    let mut best: Option<((usize, f64), Card)> = None;
    for (n0, a) in &near[0] {
        for (n1, b) in &near[1] {
            for (n2, c) in &near[2] {
                for (n3, d) in &near[3] {
                    let anew = n0 + n1 + n2 + n3;
                    if anew > MISTAKEN || best.as_ref().is_some_and(|((n, _), _)| anew > *n) {
                        continue;
                    }
                    let Some(q) = corners([a, b, c, d]).filter(Quad::is_clockwise) else {
                        continue;
                    };
                    let Some(off) = off_mm(lab, &q, size_mm).filter(|off| *off < in_proportion_mm)
                    else {
                        continue;
                    };
                    let moved = (0..4).map(|i| (q.0[i] - card.corners.0[i]).norm());
                    let moved_mm = moved.fold(0.0, f64::max) / pixels_per_mm;
                    let worth = (anew, off + MOVED * moved_mm);
                    if best.as_ref().is_none_or(|(least, _)| worth < *least) {
                        let support = [a, b, c, d].map(|l| l.support);
                        let support = support.into_iter().fold(1.0, f64::min);
                        best = Some((
                            worth,
                            Card {
                                corners: q,
                                support,
                                off_mm: off,
                            },
                        ));
                    }
                }
            }
        }
    }
    best.map_or(card, |(_, card)| card)
}

/// Lays each side of a rough outline along the card's edge.
fn refine(lab: &Lab, rough: &Quad, size_mm: [f64; 2], thickness_mm: f64) -> Option<Card> {
    let out = outermost(lab, rough, size_mm)?;
    let mut q = grown(&to_picture(rough, size_mm)?, size_mm, out)?;
    let pixels_per_mm = (q.0[1] - q.0[0]).norm() / size_mm[0];
    let mut support = 0.0;
    for (reach, back) in [(10.0, 0.6 * thickness_mm * pixels_per_mm), (4.0, 0.0)] {
        let lines: Vec<Line> = (0..4)
            .map(|side| {
                line(lab, &q, side, reach, back).unwrap_or_else(|| Line {
                    at: q.0[side],
                    along: (q.0[(side + 1) % 4] - q.0[side]).normalize(),
                    support: 0.0,
                })
            })
            .collect();
        let [a, b, c, d] = lines.as_slice() else {
            return None;
        };
        q = corners([a, b, c, d])?;
        support = lines.iter().map(|l| l.support).fold(1.0, f64::min);
    }
    if !q.is_clockwise() || q.area() <= 1.0 {
        return None;
    }
    Some(Card {
        corners: q,
        support,
        off_mm: off_mm(lab, &q, size_mm)?,
    })
}

#[cfg(test)]
mod tests {
    use opencv::{
        core::{Point as Pixel, Vector},
        prelude::*,
    };

    use super::*;

    /// Four corners, and the colour of what they enclose.
    type Part = ([[i32; 2]; 4], [f64; 3]);

    /// A picture of these parts on a ground, the last on top, a little soft.
    fn drawn(ground: [f64; 3], parts: &[Part]) -> Mat {
        let scalar = |[r, g, b]: [f64; 3]| Scalar::new(r, g, b, 0.0);
        let ground = scalar(ground);
        let mut mat = Mat::new_rows_cols_with_default(600, 800, core::CV_8UC3, ground).unwrap();
        for (corners, colour) in parts {
            let points: Vector<Pixel> = corners.iter().map(|[x, y]| Pixel::new(*x, *y)).collect();
            imgproc::fill_poly_def(&mut mat, &points, scalar(*colour)).unwrap();
        }
        let mut soft = Mat::default();
        imgproc::gaussian_blur_def(&mat, &mut soft, Size::new(5, 5), 0.0).unwrap();
        soft
    }

    fn assert_lies(card: &Card, want: [[f64; 2]; 4], within: f64) {
        for (found, [x, y]) in card.corners.0.iter().zip(want) {
            let off = (found.x - x).hypot(found.y - y);
            assert!(off < within, "{:?}", card.corners);
        }
    }

    #[test]
    fn what_a_camera_sees_of_a_card_is_in_proportion_whatever_its_lens() {
        let mat = Mat::zeros(1200, 1600, core::CV_8UC3)
            .unwrap()
            .to_mat()
            .unwrap();
        let lab = Lab::of(&mat, 0.8).unwrap();
        let size_mm = [150.0, 110.0];
        for focal in [0.66, 0.72, 0.82, 1.0, 1.5] {
            for tilt_deg in [0.0_f64, 20.0, 40.0] {
                let (sin, cos) = tilt_deg.to_radians().sin_cos();
                let corners = [[-75.0, -55.0], [75.0, -55.0], [75.0, 55.0], [-75.0, 55.0]];
                let seen = corners.map(|[x, y]: [f64; 2]| {
                    let (y, z) = (y * cos, 400.0 + y * sin);
                    [
                        800.0 + focal * 1600.0 * x / z,
                        600.0 + focal * 1600.0 * y / z,
                    ]
                });
                let off = off_mm(&lab, &Quad::from_pairs(seen), size_mm).unwrap();
                assert!(off < 0.3, "{focal} widths, {tilt_deg} degrees: {off} mm");
            }
        }
    }

    #[test]
    fn a_shadow_along_a_side_is_no_part_of_the_card() {
        let light = [230.0, 180.0, 175.0];
        let picture = drawn(
            [150.0, 150.0, 148.0],
            &[
                // below the card, wider to the left
                (
                    [[98, 430], [702, 430], [702, 436], [98, 456]],
                    [40.0, 40.0, 40.0],
                ),
                ([[100, 180], [700, 180], [700, 430], [100, 430]], light),
                (
                    [[140, 260], [330, 260], [330, 390], [140, 390]],
                    [60.0, 20.0, 25.0],
                ),
                ([[148, 268], [322, 268], [322, 382], [148, 382]], light),
            ],
        );
        let measured = Measured {
            size_mm: [150.0, 62.5],
            thickness_mm: 1.8,
            frame_mm: None,
        };
        let card = find(&picture, &measured).unwrap().expect("a card");
        let want = [
            [100.0, 180.0],
            [700.0, 180.0],
            [700.0, 430.0],
            [100.0, 430.0],
        ];
        assert_lies(&card, want, 2.0);
    }

    #[test]
    fn of_an_edge_and_an_outline_that_is_a_frame_s_on_two_sides_the_better_proportioned_is_taken() {
        let card = |support: f64, off_mm: f64, inset: f64| {
            let (left, right) = (100.0 + inset, 900.0 - inset);
            Card {
                corners: Quad::from_pairs([
                    [left, 100.0],
                    [right, 100.0],
                    [right, 860.0],
                    [left, 860.0],
                ]),
                support,
                off_mm,
            }
        };
        // as a display of 170 mm had them
        let (edge, mixed) = (card(0.72, 0.4, 0.0), card(1.0, 2.3, 6.0));
        assert_eq!(clearest(&[mixed, edge], Some(0.5)), Some(edge));
        assert_eq!(clearest(&[mixed, edge], None), Some(mixed));
        // a little is what a ruler is off by
        let clear = card(0.9, 0.5, 1.0);
        assert_eq!(clearest(&[edge, clear], Some(0.5)), Some(clear));
    }

    #[test]
    fn a_streak_of_light_on_the_ground_is_no_part_of_the_card() {
        let picture = drawn(
            [150.0, 170.0, 160.0],
            &[
                // under the card, beyond two of its corners, and ending on the ground
                (
                    [[40, 60], [80, 30], [760, 500], [720, 540]],
                    [250.0, 250.0, 250.0],
                ),
                (
                    [[100, 140], [700, 140], [700, 460], [100, 460]],
                    [190.0, 145.0, 90.0],
                ),
            ],
        );
        let measured = Measured {
            size_mm: [300.0, 160.0],
            thickness_mm: 2.0,
            frame_mm: None,
        };
        let card = find(&picture, &measured).unwrap().expect("a card");
        let want = [
            [100.0, 140.0],
            [700.0, 140.0],
            [700.0, 460.0],
            [100.0, 460.0],
        ];
        assert_lies(&card, want, 2.0);
    }

    /// A board whose edge nobody sees, on cloth of its own colour: its squares say where it lies, and that they are not the board.
    #[test]
    fn a_board_s_squares_are_not_taken_for_the_board() {
        let ground = Scalar::new(180.0, 205.0, 180.0, 0.0);
        let mut mat = Mat::new_rows_cols_with_default(600, 800, core::CV_8UC3, ground).unwrap();
        for i in 0..=4 {
            let at = 250 + 75 * i;
            let ink = Scalar::all(30.0);
            let (top, bottom) = (Pixel::new(at, 150), Pixel::new(at, 450));
            imgproc::line(&mut mat, top, bottom, ink, 3, imgproc::LINE_8, 0).unwrap();
            let (left, right) = (Pixel::new(250, at - 100), Pixel::new(550, at - 100));
            imgproc::line(&mut mat, left, right, ink, 3, imgproc::LINE_8, 0).unwrap();
        }
        let mut soft = Mat::default();
        imgproc::gaussian_blur_def(&mat, &mut soft, Size::new(5, 5), 0.0).unwrap();
        let mut measured = Measured {
            size_mm: [200.0, 160.0],
            thickness_mm: 2.0,
            frame_mm: Some([25.0, 5.0, 150.0, 150.0]),
        };
        // two pixels a millimetre
        let card = find(&soft, &measured).unwrap().expect("a card");
        let want = [
            [200.0, 140.0],
            [600.0, 140.0],
            [600.0, 460.0],
            [200.0, 460.0],
        ];
        assert_lies(&card, want, 6.0);
        assert_eq!(card.support, 0.0, "a person is to look");
        // where nobody says what is printed in it, it is known to be something else
        measured.frame_mm = None;
        let other = find(&soft, &measured).unwrap().expect("the squares");
        assert!(other.off_mm > OUT_OF_PROPORTION * 160.0, "{other:?}");
    }
}
