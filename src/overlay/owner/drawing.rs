//! A zone's outline while it is being drawn.

use super::sheet::Outline;

/// A zone's outline while it is being drawn: a rectangle is dragged, any other shape clicked corner by corner.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Drawing {
    /// Corners that were clicked.
    pub points: Outline,
    /// Where the dragged rectangle began.
    pub from: Option<[f64; 2]>,
}

/// A rectangle has sides of at least so many millimetres: less is a click that slipped.
const LEAST_MM: f64 = 3.0;

impl Drawing {
    /// The corner of a shape is clicked; `near` millimetres from the first one it is closed. Returns the whole outline then.
    pub fn click(&mut self, at: [f64; 2], near: f64) -> Option<Outline> {
        let first = self.points.first().copied();
        let closes = first.is_some_and(|[x, y]| (at[0] - x).hypot(at[1] - y) <= near);
        if closes && self.points.len() >= 3 {
            return self.close();
        }
        if !closes {
            self.points.push(at);
        }
        None
    }

    /// The shape is whole.
    pub fn close(&mut self) -> Option<Outline> {
        if self.points.len() < 3 {
            return None;
        }
        Some(std::mem::take(&mut self.points))
    }

    /// The pointer that dragged a rectangle is let go.
    pub fn drop_at(&mut self, at: [f64; 2]) -> Option<Outline> {
        let from = self.from.take()?;
        let ([x0, x1], [y0, y1]) = (
            [from[0].min(at[0]), from[0].max(at[0])],
            [from[1].min(at[1]), from[1].max(at[1])],
        );
        let large = x1 - x0 >= LEAST_MM && y1 - y0 >= LEAST_MM;
        large.then(|| {
            self.points.clear();
            vec![[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rectangle_is_dragged_and_a_shape_is_clicked() {
        let mut drawing = Drawing {
            from: Some([40.0, 30.0]),
            ..Drawing::default()
        };
        let all = drawing.drop_at([10.0, 50.0]).expect("a rectangle");
        assert_eq!(
            all,
            [[10.0, 30.0], [40.0, 30.0], [40.0, 50.0], [10.0, 50.0]]
        );
        drawing.from = Some([5.0, 5.0]);
        assert_eq!(drawing.drop_at([6.0, 5.5]), None, "a click that slipped");
        for at in [[0.0, 0.0], [20.0, 0.0], [10.0, 15.0]] {
            assert_eq!(drawing.click(at, 2.0), None);
        }
        assert_eq!(drawing.click([0.5, 0.5], 2.0).map(|o| o.len()), Some(3));
        assert!(drawing.points.is_empty());
    }
}
