//! What the dice of one picture say together: most lie on one table and are seen by one camera, so
//! their top faces are foreshortened alike and stand off their bodies alike. A die whose outline is
//! hard to see (dark ink on a dark, rounded body) can be outlined as its neighbours are.

use nalgebra::{DMatrix, DVector, Matrix2, SymmetricEigen, Vector2};

use super::detector::Detection;
use crate::geometry::{Point, Quad};

/// Fewer neighbours than this tell nothing.
const LEAST: usize = 3;
/// Rounds of iteratively reweighted least squares: a stacked or leaning die must not count much.
const ROUNDS: usize = 5;
/// Residual at which a neighbour's weight is halved, in units of the quantities fitted.
const SOFT: f64 = 0.05;
/// So many tops about it tell whether a face lies as they do, and by so much (half the logarithm of how much longer than wide it is, once it
/// is laid as they lie) it does not: of 962 tops that were surely read on three made copies 1 % are beyond 0.33, of 311 on two others beyond
/// 0.43; of nine other things that were four are, beyond 0.67.
const TELLING: usize = 5;
const OTHERWISE: f64 = 0.5;
/// How much larger than its own outline a face may be taken to be.
const GROWTH: f64 = 1.25;

/// What is the same for all dice near one place of a picture, apart from how they are turned.
struct Seen {
    at: Point,
    /// Middle of the top face less middle of the body, in units of the face's side.
    offset: Vector2<f64>,
    /// `A Aᵀ / |det A|` of the map `A` from the unit square to the face: it does not depend on the turn.
    metric: Matrix2<f64>,
    side: f64,
}

/// The map from the unit square to the parallelogram nearest to the face.
fn map(face: &Quad) -> Matrix2<f64> {
    let [a, b, c, d] = face.0;
    Matrix2::from_columns(&[((b - a) + (c - d)) / 2.0, ((d - a) + (c - b)) / 2.0])
}

fn seen(d: &Detection) -> Option<Seen> {
    let a = map(&d.face);
    let area = a.determinant().abs();
    if area < 1.0 {
        return None;
    }
    let side = area.sqrt();
    Some(Seen {
        at: d.centre,
        offset: (d.face.centre() - d.centre) / side,
        metric: a * a.transpose() / area,
        side,
    })
}

/// What is fitted of the neighbours at a place: offset and metric, as linear in the position, as they are for a plane seen from far
/// enough away; the first row is what holds there.
fn fitted(own: Point, around: &[Seen]) -> Option<DMatrix<f64>> {
    // distances in units of the farthest neighbour's, so that the ridge below means the same everywhere
    let reach = around
        .iter()
        .map(|s| (s.at - own).norm())
        .fold(1.0, f64::max);
    let n = around.len();
    let places = DMatrix::from_fn(n, 3, |i, j| match j {
        0 => 1.0,
        1 => (around[i].at.x - own.x) / reach,
        _ => (around[i].at.y - own.y) / reach,
    });
    let values = DMatrix::from_fn(n, 5, |i, j| match j {
        0 => around[i].offset.x,
        1 => around[i].offset.y,
        2 => around[i].metric[(0, 0)],
        3 => around[i].metric[(0, 1)],
        _ => around[i].metric[(1, 1)],
    });
    // slopes are held back more than the mean: three neighbours do not tell a slope
    let ridge = DMatrix::from_diagonal(&DVector::from_vec(vec![0.01, 0.5, 0.5]));
    let mut weights = DVector::from_element(n, 1.0);
    let mut fit = DMatrix::zeros(3, 5);
    for _ in 0..ROUNDS {
        let weighted = DMatrix::from_fn(n, 3, |i, j| places[(i, j)] * weights[i]).transpose();
        let solved = (&weighted * &places + &ridge)
            .cholesky()
            .map(|c| c.solve(&(&weighted * &values)))?;
        let rest = &places * &solved - &values;
        for (i, row) in rest.row_iter().enumerate() {
            weights[i] = 1.0 / (1.0 + row.abs().sum() / SOFT);
        }
        fit = solved;
    }
    Some(fit)
}

/// The square root of the metric that was fitted, of determinant one: how the plane is foreshortened there.
fn foreshortened(fit: &DMatrix<f64>) -> Option<Matrix2<f64>> {
    let metric = Matrix2::new(fit[(0, 2)], fit[(0, 3)], fit[(0, 3)], fit[(0, 4)]);
    let eigen = SymmetricEigen::new(metric);
    if eigen.eigenvalues.min() < 1e-3 {
        return None;
    }
    let root = eigen.eigenvectors
        * Matrix2::from_diagonal(&eigen.eigenvalues.map(f64::sqrt))
        * eigen.eigenvectors.transpose();
    Some(root / root.determinant().sqrt())
}

/// Whether a face lies in another plane than the top faces about it: it is foreshortened otherwise, as a side is. Fewer than
/// five of them do not tell.
pub(super) fn lies_otherwise(face: &Quad, others: &[Quad]) -> bool {
    let top = |q: &Quad| {
        let a = map(q);
        let area = a.determinant().abs();
        (area >= 1.0).then(|| Seen {
            at: q.centre(),
            offset: Vector2::zeros(),
            metric: a * a.transpose() / area,
            side: area.sqrt(),
        })
    };
    let around: Vec<Seen> = others.iter().filter_map(top).collect();
    let (Some(own), true) = (top(face), around.len() >= TELLING) else {
        return false;
    };
    let unit = fitted(own.at, &around).and_then(|fit| foreshortened(&fit)?.try_inverse());
    unit.is_some_and(|inverse| {
        let own = SymmetricEigen::new(inverse * own.metric * inverse.transpose()).eigenvalues;
        (own.max() / own.min().max(1e-6)).ln() / 2.0 > OTHERWISE
    })
}

/// Outlines that `die` would have if it lay as its neighbours do, likeliest first; none where there
/// are fewer than three neighbours.
pub(super) fn outlines(die: &Detection, neighbours: &[&Detection]) -> Vec<Quad> {
    let around: Vec<Seen> = neighbours.iter().filter_map(|d| seen(d)).collect();
    if around.len() < LEAST {
        return Vec::new();
    }
    let Some(own) = seen(die) else {
        return Vec::new();
    };
    let Some(fit) = fitted(own.at, &around) else {
        return Vec::new();
    };
    // the die's own turn: the rotation nearest to what takes the shared shape to its outline
    let Some((unit, inverse)) = foreshortened(&fit).and_then(|u| Some((u, u.try_inverse()?)))
    else {
        return Vec::new();
    };
    let svd = (inverse * map(&die.face)).svd(true, true);
    let (Some(u), Some(v)) = (svd.u, svd.v_t) else {
        return Vec::new();
    };
    let shape = unit * u * v;
    let offset = Vector2::new(fit[(0, 0)], fit[(0, 1)]);
    let mut sides: Vec<f64> = around.iter().map(|s| s.side).collect();
    sides.sort_by(f64::total_cmp);
    let middle = sides[sides.len() / 2];
    let larger = middle.clamp(own.side, GROWTH * own.side);
    let mut out = vec![outline(die.centre, offset, shape, own.side)];
    if larger > 1.02 * own.side {
        out.push(outline(die.centre, offset, shape, larger));
    }
    out
}

fn outline(centre: Point, offset: Vector2<f64>, shape: Matrix2<f64>, side: f64) -> Quad {
    Quad(
        [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]
            .map(|[x, y]| centre + (offset + shape * Vector2::new(x, y)) * side),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Lens, View};

    /// A cube of 16 mm at `at` (mm), turned by `turn` radians, as a tilted camera sees it: its body's
    /// middle and its top face.
    fn cube(view: &View, at: [f64; 2], turn: f64) -> Option<Detection> {
        let corner = |x: f64, y: f64| {
            let (s, c) = turn.sin_cos();
            Point::new(at[0] + 8.0 * (c * x - s * y), at[1] + 8.0 * (s * x + c * y))
        };
        let square = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        let mut top = Vec::new();
        let mut all = Vec::new();
        for [x, y] in square {
            top.push(view.pixel(corner(x, y), 16.0)?);
            all.push(view.pixel(corner(x, y), 16.0)?);
            all.push(view.pixel(corner(x, y), 0.0)?);
        }
        let span = |f: fn(&Point) -> f64| {
            let (lo, hi) = all
                .iter()
                .map(f)
                .fold((f64::MAX, f64::MIN), |(a, b), v| (a.min(v), b.max(v)));
            (lo + hi) / 2.0
        };
        Some(Detection::cube(
            0.9,
            Point::new(span(|p| p.x), span(|p| p.y)),
            Quad([top[0], top[1], top[2], top[3]]),
        ))
    }

    fn at_a_slant() -> View {
        let corners = Quad::from_pairs([
            [300.0, 200.0],
            [980.0, 200.0],
            [1150.0, 620.0],
            [130.0, 620.0],
        ]);
        let lens = Lens::ideal(1280, 720, 1100.0, 0.0);
        View::of_rectangle(&corners, [300.0, 260.0], lens).expect("a view")
    }

    #[test]
    fn a_side_lies_in_another_plane_than_tops() {
        let view = at_a_slant();
        let tops: Vec<Quad> = (0..5)
            .map(|i| {
                let i = f64::from(i);
                let seen = cube(&view, [40.0 + 50.0 * i, 60.0 + 40.0 * (i % 3.0)], 0.3 * i);
                seen.expect("seen").face
            })
            .collect();
        let top = cube(&view, [150.0, 200.0], 0.5).expect("seen").face;
        let side = [
            [140.0, 208.0, 16.0],
            [151.3, 196.7, 16.0],
            [151.3, 196.7, 0.0],
            [140.0, 208.0, 0.0],
        ];
        let pixel = |[x, y, z]: [f64; 3]| view.pixel(Point::new(x, y), z).expect("seen");
        let side = Quad(side.map(pixel));
        assert!(!lies_otherwise(&top, &tops));
        assert!(lies_otherwise(&side, &tops));
        assert!(!lies_otherwise(&side, &tops[..4]), "too few to tell");
    }

    #[test]
    fn a_die_is_outlined_as_its_neighbours_are() {
        let view = at_a_slant();
        let places = [
            [60.0, 60.0],
            [240.0, 70.0],
            [80.0, 200.0],
            [220.0, 210.0],
            [150.0, 60.0],
        ];
        let dice: Vec<Detection> = places
            .iter()
            .enumerate()
            .map(|(i, at)| cube(&view, *at, 0.3 * i as f64).expect("seen"))
            .collect();
        let truth = cube(&view, [150.0, 140.0], 0.5).expect("seen");
        // its outline was found a quarter of a side too high and too flat
        let side = truth.face.side();
        let c = truth.face.centre();
        let mut wrong = truth.clone();
        wrong.face = Quad(
            truth
                .face
                .0
                .map(|p| Point::new(p.x, c.y + (p.y - c.y) * 0.7 - 0.25 * side)),
        );
        let neighbours: Vec<&Detection> = dice.iter().collect();
        let made = outlines(&wrong, &neighbours);
        let off = |q: &Quad| {
            let d = (q.centre() - truth.face.centre()).norm();
            d / side
        };
        assert!(off(&wrong.face) > 0.2);
        assert!(
            made.iter().any(|q| off(q) < 0.08),
            "{:?}",
            made.iter().map(off).collect::<Vec<_>>()
        );
        assert!(outlines(&wrong, &neighbours[..2]).is_empty());
    }
}
