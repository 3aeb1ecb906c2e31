//! How right it is by how a thing is seen: how large, how steeply, in what light, how much of it.

use serde::Serialize;

use super::eval::{Share, share};

/// How a picture shows a thing; `None` where the truth does not say.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct View {
    /// How many pixels a die's edge is there; of a surface, 16 mm.
    pub edge_px: Option<f64>,
    /// Line of sight, degrees off the vertical.
    pub slant_deg: Option<f64>,
    /// Exposure, stops over or under what the light asks for.
    pub exposure_ev: Option<f64>,
    /// Part of it that something else hides, or that the picture cuts off.
    pub hidden: Option<f64>,
}

/// A quality by which pictures are sorted, and where its slices begin but the first.
struct Axis {
    name: &'static str,
    from: &'static [f64],
    of: fn(&View) -> Option<f64>,
}

const AXES: [Axis; 4] = [
    Axis {
        name: "pixels of a die's edge",
        from: &[20.0, 30.0, 40.0, 60.0],
        of: |v| v.edge_px,
    },
    Axis {
        name: "degrees off the vertical",
        from: &[15.0, 30.0, 45.0],
        of: |v| v.slant_deg,
    },
    Axis {
        name: "exposure, stops",
        from: &[-0.5, 0.5],
        of: |v| v.exposure_ev,
    },
    Axis {
        name: "hidden part",
        from: &[0.02, 0.1, 0.2],
        of: |v| v.hidden,
    },
];

/// What came of the things of one slice.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    n: u64,
    right: u64,
    sure: u64,
}

/// What came of all of them, slice by slice of each axis.
#[derive(Debug, Default)]
pub(super) struct Slices([Vec<Counts>; AXES.len()]);

#[derive(Debug, Serialize)]
pub(super) struct Slice {
    by: &'static str,
    /// `null`: whatever is less than `to`.
    from: Option<f64>,
    to: Option<f64>,
    right: Share,
    sure: Share,
}

impl Slices {
    /// One more thing, seen like that. What is not found is neither right nor sure.
    pub fn count(&mut self, view: &View, right: bool, sure: bool) {
        for (axis, counts) in AXES.iter().zip(&mut self.0) {
            let Some(value) = (axis.of)(view) else {
                continue;
            };
            counts.resize(axis.from.len() + 1, Counts::default());
            let slice = axis.from.iter().filter(|from| value >= **from).count();
            if let Some(c) = counts.get_mut(slice) {
                c.n += 1;
                c.right += u64::from(right);
                c.sure += u64::from(sure);
            }
        }
    }

    pub fn add(&mut self, o: &Self) {
        for (mine, other) in self.0.iter_mut().zip(&o.0) {
            mine.resize(mine.len().max(other.len()), Counts::default());
            for (m, c) in mine.iter_mut().zip(other) {
                m.n += c.n;
                m.right += c.right;
                m.sure += c.sure;
            }
        }
    }

    /// The slices that hold something.
    pub fn figures(&self) -> Vec<Slice> {
        let mut out = Vec::new();
        for (axis, counts) in AXES.iter().zip(&self.0) {
            for (i, c) in counts.iter().enumerate().filter(|(_, c)| c.n > 0) {
                let from = i.checked_sub(1).and_then(|i| axis.from.get(i));
                out.push(Slice {
                    by: axis.name,
                    from: from.copied(),
                    to: axis.from.get(i).copied(),
                    right: share(c.right, c.n),
                    sure: share(c.sure, c.n),
                });
            }
        }
        out
    }
}

impl std::fmt::Display for Slice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let span = match (self.from, self.to) {
            (Some(from), Some(to)) => format!("{from} to {to}"),
            (Some(from), None) => format!("{from} and more"),
            (None, Some(to)) => format!("below {to}"),
            (None, None) => "all".to_owned(),
        };
        write!(
            f,
            "{:>24} {span:<13} right {}; sure {}",
            self.by, self.right, self.sure
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thing_falls_into_one_slice_of_each_axis_that_is_known() {
        let seen = |px| View {
            edge_px: Some(px),
            hidden: Some(0.0),
            ..View::default()
        };
        let mut slices = Slices::default();
        slices.count(&seen(30.0), true, false);
        slices.count(&seen(39.9), false, false);
        let mut more = Slices::default();
        more.count(&seen(19.0), true, true);
        slices.add(&more);
        let lines: Vec<String> = slices.figures().iter().map(ToString::to_string).collect();
        assert_eq!(lines.len(), 3, "{lines:?}");
        assert!(lines[0].contains("below 20 ") && lines[0].contains("1 of 1"));
        assert!(lines[1].contains("30 to 40 ") && lines[1].contains("1 of 2"));
        assert!(lines[2].contains("below 0.02 ") && lines[2].contains("2 of 3"));
    }
}
