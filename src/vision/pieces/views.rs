//! One flat picture shown to the detector several ways: in its quarter turns and their mirror images.
//!
//! What a net doubts it doubts otherwise when the picture is turned. In the mean over eight views there are half as many ships
//! where none is and half as many headings are wrong (`piece-detector.md`), for eight times the time.

use std::borrow::Cow;

use super::maps::{CHANNELS, COVER, KINDS, sigmoid};

/// What a view counts at least, so that there is a mean where none sees anything.
const LEAST: f32 = 1e-6;

/// A way to show a picture: turned counter-clockwise by quarters, then mirrored left to right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Way {
    quarters: usize,
    mirrored: bool,
}

/// As it lies; this comes first.
const AS_IT_LIES: Way = Way {
    quarters: 0,
    mirrored: false,
};

/// All eight, so that the first two, four and eight of them are even.
pub(super) fn ways(count: usize) -> Vec<Way> {
    let of = |mirrored| [0, 2, 1, 3].map(|quarters| Way { quarters, mirrored });
    let all = of(false).into_iter().chain(of(true));
    all.take(count.max(1)).collect()
}

impl Way {
    /// Width and height of a picture of `w` by `h` shown so.
    pub fn size(self, w: usize, h: usize) -> [usize; 2] {
        if self.quarters % 2 == 1 {
            [h, w]
        } else {
            [w, h]
        }
    }

    /// Where the pixel that is shown at (x, y) lies in the picture of `w` by `h`.
    fn from(self, x: usize, y: usize, [w, h]: [usize; 2]) -> [usize; 2] {
        let x = if self.mirrored {
            self.size(w, h)[0] - 1 - x
        } else {
            x
        };
        match self.quarters {
            0 => [x, y],
            1 => [w - 1 - y, x],
            2 => [w - 1 - x, h - 1 - y],
            _ => [y, h - 1 - x],
        }
    }

    /// A direction of the picture, x to the right and y down, as it is shown.
    fn shown(self, [mut x, mut y]: [f32; 2]) -> [f32; 2] {
        for _ in 0..self.quarters {
            (x, y) = (y, -x);
        }
        [if self.mirrored { -x } else { x }, y]
    }

    /// A direction that is shown, as it is in the picture.
    fn back(self, [x, mut y]: [f32; 2]) -> [f32; 2] {
        let mut x = if self.mirrored { -x } else { x };
        for _ in 0..self.quarters {
            (x, y) = (-y, x);
        }
        [x, y]
    }

    /// Eight planes of `w` by `h` pixels, the last two of which are directions, shown so.
    pub fn planes(self, data: &[f32], size: [usize; 2]) -> Cow<'_, [f32]> {
        if self == AS_IT_LIES {
            return Cow::Borrowed(data);
        }
        let [w, h] = size;
        let [sw, sh] = self.size(w, h);
        let pixels = w * h;
        let colours = data.len() / pixels - 2;
        let mut out = vec![0.0; data.len()];
        let at = |plane: usize, i: usize| data.get(plane * pixels + i).copied().unwrap_or(0.0);
        for (x, y) in (0..sh).flat_map(|y| (0..sw).map(move |x| (x, y))) {
            let [fx, fy] = self.from(x, y, size);
            let (i, j) = (fy * w + fx, y * sw + x);
            let lean = self.shown([at(colours, i), at(colours + 1, i)]);
            let values = (0..colours).map(|plane| at(plane, i)).chain(lean);
            for (plane, value) in values.enumerate() {
                if let Some(o) = out.get_mut(plane * pixels + j) {
                    *o = value;
                }
            }
        }
        Cow::Owned(out)
    }
}

/// The maps of a picture of which several ways to show it were answered: likelihoods in the mean, and what each says of a
/// piece's place, size and heading weighed by how likely it holds one there. `w` by `h` is the map as the picture lies.
pub(super) fn weighed(mut answers: Vec<(Way, Vec<f32>)>, [w, h]: [usize; 2]) -> Vec<f32> {
    if answers.len() == 1 {
        return answers.pop().map(|a| a.1).unwrap_or_default();
    }
    let cells = w * h;
    let mut sum = vec![0.0; CHANNELS * cells];
    let mut weights = vec![0.0; KINDS.len() * cells];
    for (way, answer) in &answers {
        let [sw, sh] = way.size(w, h);
        for (x, y) in (0..sh).flat_map(|y| (0..sw).map(move |x| (x, y))) {
            let [fx, fy] = way.from(x, y, [w, h]);
            let (i, j) = (fy * w + fx, y * sw + x);
            let said = |channel: usize| answer.get(channel * cells + j).copied().unwrap_or(0.0);
            let mut add = |channel: usize, value: f32| {
                if let Some(s) = sum.get_mut(channel * cells + i) {
                    *s += value;
                }
            };
            add(COVER, said(COVER));
            for (kind, (form, geometry)) in KINDS.iter().enumerate() {
                let likely = sigmoid(said(kind)) as f32;
                add(kind, likely);
                let weight = likely + LEAST;
                if let Some(s) = weights.get_mut(kind * cells + i) {
                    *s += weight;
                }
                let first = geometry.start;
                let [dx, dy] = way.back([said(first), said(first + 1)]);
                add(first, weight * dx);
                add(first + 1, weight * dy);
                add(geometry.end - 1, weight * said(geometry.end - 1));
                if geometry.len() > 3 {
                    let turn = [said(first + 2), said(first + 3)];
                    let [cos, sin] = if form.is_some() {
                        // clockwise from up
                        let [x, y] = way.back([turn[1], -turn[0]]);
                        [-y, x]
                    } else {
                        // four times a heading: a quarter turn leaves it
                        [turn[0], if way.mirrored { -turn[1] } else { turn[1] }]
                    };
                    add(first + 2, weight * cos);
                    add(first + 3, weight * sin);
                }
            }
        }
    }
    let n = answers.len().max(1) as f32;
    let mut out = sum;
    for (i, value) in out.iter_mut().enumerate() {
        let (channel, cell) = (i / cells, i % cells);
        let kind = KINDS.iter().position(|(_, g)| g.contains(&channel));
        let weight = kind.and_then(|k| weights.get(k * cells + cell));
        *value = match weight {
            Some(weight) => *value / weight,
            None if channel == COVER => *value / n,
            None => {
                let p = (*value / n).clamp(LEAST, 1.0 - LEAST);
                (p / (1.0 - p)).ln()
            }
        };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_otherwise_comes_back_as_it_was() {
        let [w, h] = [6, 4];
        for way in ways(8) {
            let mut seen = vec![false; w * h];
            let [sw, sh] = way.size(w, h);
            for (x, y) in (0..sh).flat_map(|y| (0..sw).map(move |x| (x, y))) {
                let [fx, fy] = way.from(x, y, [w, h]);
                seen[fy * w + fx] = true;
                // the neighbour to the right in the picture lies where the direction to the right points
                if fx + 1 < w {
                    let [dx, dy] = way.shown([1.0, 0.0]);
                    let next = [x as f32 + dx, y as f32 + dy].map(|v| v as usize);
                    assert_eq!(way.from(next[0], next[1], [w, h]), [fx + 1, fy], "{way:?}");
                }
            }
            assert!(seen.iter().all(|s| *s), "{way:?}");
            assert_eq!(way.back(way.shown([3.0, -2.0])), [3.0, -2.0]);
        }
    }

    #[test]
    fn every_way_says_the_same_of_a_picture() {
        // a ship at (2, 1) of 6 by 4 cells, heading 30 degrees, off its cell's middle by (0.3, -0.2)
        let size = [6, 4];
        let (w, h) = (6, 4);
        let mut said = vec![-5.0; CHANNELS * w * h];
        let at = |c: usize| c * w * h + w + 2;
        said[at(0)] = 2.0;
        let heading = 30.0_f32.to_radians();
        for (c, v) in [
            (5, 0.3),
            (6, -0.2),
            (7, heading.cos()),
            (8, heading.sin()),
            (9, 0.1),
        ] {
            said[at(c)] = v;
        }
        let answers = ways(8).into_iter().map(|way| {
            let [sw, sh] = way.size(w, h);
            let mut shown = vec![0.0; said.len()];
            for (x, y) in (0..sh).flat_map(|y| (0..sw).map(move |x| (x, y))) {
                let [fx, fy] = way.from(x, y, size);
                for c in 0..CHANNELS {
                    shown[c * w * h + y * sw + x] = said[c * w * h + fy * w + fx];
                }
                let at = |c: usize| c * w * h + y * sw + x;
                for first in [5, 10, 13, 16] {
                    let [dx, dy] = way.shown([shown[at(first)], shown[at(first + 1)]]);
                    (shown[at(first)], shown[at(first + 1)]) = (dx, dy);
                }
                let [dx, dy] = way.shown([shown[at(8)], -shown[at(7)]]);
                (shown[at(7)], shown[at(8)]) = (-dy, dx);
            }
            (way, shown)
        });
        let out = weighed(answers.collect(), size);
        for c in [0, 5, 6, 7, 8, 9] {
            assert!(
                (out[at(c)] - said[at(c)]).abs() < 1e-3,
                "{c}: {} {}",
                out[at(c)],
                said[at(c)]
            );
        }
    }
}
