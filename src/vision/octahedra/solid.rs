//! An octahedron about one of its faces: where its other faces are seen, and which way each looks.
//!
//! A face is small beside its distance, so that weak perspective holds: what the map of its square does to the plane says, but for a sign, where
//! a point over the plane is seen. The face looks that way or the other (Necker's reversal); which, only its neighbours tell.

use nalgebra::{Matrix2, Rotation3, Vector2, Vector3};

use crate::geometry::{Point, Quad, USUAL_FOCAL, triangle_in};

/// Tops of two dice, in edges, are farther apart from nearly everywhere: from above by 1.15 where the dice touch along sides, by 1 where two corners do; and faces that share an
/// edge are nearer than 0.58.
const BESIDE: f64 = 0.65;

/// A face as a part of a solid.
#[derive(Debug, Clone, Copy)]
pub(super) struct Face {
    middle: Point,
    /// Where its corners are from its middle, in edges.
    corners: [Vector2<f64>; 3],
    /// Pixels that an edge's length in its plane is seen as, along its own x and y axes.
    plane: Matrix2<f64>,
    /// Pixels by which a point one edge over it is seen shifted, or by the opposite.
    over: Vector2<f64>,
    /// Pixels of an edge where it is not foreshortened.
    edge: f64,
}

/// Which way a face looks: as the minor axis of a circle on it points towards the top of the picture, or towards its foot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Looks {
    Up,
    Down,
}

impl Face {
    /// `None` where the square is none.
    pub fn of(square: &Quad) -> Option<Self> {
        let [a, b, c, d] = square.0;
        let plane = Matrix2::from_columns(&[(b - a + (c - d)) / 2.0, (d - a + (c - b)) / 2.0]);
        if plane.determinant() < 1.0 {
            return None;
        }
        let seen = (plane * plane.transpose()).symmetric_eigen();
        let (long, short) = match seen.eigenvalues[0] >= seen.eigenvalues[1] {
            true => (0, 1),
            false => (1, 0),
        };
        let edge = seen.eigenvalues[long].sqrt();
        let mut axis: Vector2<f64> = seen.eigenvectors.column(short).into();
        if axis.y > 0.0 {
            axis = -axis;
        }
        let over = (seen.eigenvalues[long] - seen.eigenvalues[short])
            .max(0.0)
            .sqrt();
        let unit = Quad::from_pairs([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]);
        Some(Self {
            middle: square.centre(),
            corners: triangle_in(&unit)?.map(|p| p.coords),
            plane,
            over: axis * over,
            edge,
        })
    }

    pub fn middle(&self) -> Point {
        self.middle
    }

    /// Whether both may be faces of one die: they are nearer than two dice beside each other can be.
    pub fn is_beside(&self, other: &Self) -> bool {
        (self.middle - other.middle).norm() < BESIDE * self.edge.max(other.edge)
    }

    fn over(&self, looks: Looks) -> Vector2<f64> {
        match looks {
            Looks::Up => self.over,
            Looks::Down => -self.over,
        }
    }

    /// The corners of the three faces that share an edge with it, from the end of the shared edge, clockwise; if it looks that way.
    pub fn neighbours(&self, looks: Looks) -> [[Point; 3]; 3] {
        let over = self.over(looks);
        // the solid's middle lies so deep under each face, in edges
        let deep = 1.0 / 6.0_f64.sqrt();
        let seen = |p: Vector2<f64>, z: f64| self.middle + self.plane * p + over * z;
        [0, 1, 2].map(|i| {
            let [a, b, c] = [0, 1, 2].map(|k| self.corners[(i + k) % 3]);
            [seen(b, 0.0), seen(a, 0.0), seen(-c, -2.0 * deep)]
        })
    }

    /// The direction in which it is seen, by the camera's axes.
    pub fn sight(&self, [w, h]: [f64; 2]) -> Vector3<f64> {
        let focal = USUAL_FOCAL.0 * w.max(h);
        let off = self.middle - Point::new(w / 2.0, h / 2.0);
        Vector3::new(off.x / focal, off.y / focal, 1.0)
    }

    /// The direction it looks in, by the camera's axes (x right, y down, z away from it), a lens as usual.
    pub fn normal(&self, looks: Looks, [w, h]: [f64; 2]) -> Vector3<f64> {
        let over = self.over(looks) / self.edge;
        let towards = (1.0 - over.norm_squared()).max(0.0).sqrt();
        let by_sight = Vector3::new(over.x, over.y, -towards);
        let sight = self.sight([w, h]);
        match Rotation3::rotation_between(&Vector3::z(), &sight) {
            Some(turn) => turn * by_sight,
            None => by_sight,
        }
    }

    /// Degrees between the line of sight and the direction it looks in.
    pub fn off_deg(&self) -> f64 {
        (self.over.norm() / self.edge)
            .clamp(0.0, 1.0)
            .asin()
            .to_degrees()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::geometry::square_about;

    pub const SIZE: [f64; 2] = [1920.0, 1080.0];

    /// An octahedron that lies on a table whose normal is `up`: its faces' triangles as a camera with a usual lens sees them, its top first, and their normals.
    /// Only those that look at the camera.
    pub fn seen(up: Vector3<f64>, at: [f64; 2], turn: f64) -> Vec<([Point; 3], Vector3<f64>)> {
        let focal = USUAL_FOCAL.0 * SIZE[0];
        let e = Vector3::x().cross(&up).normalize();
        // a camera's axes are right-handed with y down: seen from where `up` points to, e then f is clockwise
        let f = e.cross(&up);
        let axis = |a: f64| e * a.cos() + f * a.sin();
        let r = 1.0 / 3.0_f64.sqrt();
        let deep = 1.0 / 6.0_f64.sqrt();
        let third = std::f64::consts::TAU / 3.0;
        let top = [0.0, 1.0, 2.0].map(|k| axis(turn + k * third) * r + up * deep);
        let low = top.map(|p| -p);
        let middle = Vector3::new((at[0] - 959.5) / focal, (at[1] - 539.5) / focal, 1.0) * 700.0;
        let mut faces = vec![top];
        for i in 0..3 {
            faces.push([top[(i + 1) % 3], top[i], low[(i + 2) % 3]]);
        }
        let mut out = Vec::new();
        for face in faces {
            let normal = (face[0] + face[1] + face[2]).normalize();
            let world = face.map(|p| middle + p * 50.8);
            let centre = (world[0] + world[1] + world[2]) / 3.0;
            if normal.dot(&centre) < -0.15 * centre.norm() {
                let px =
                    world.map(|p| Point::new(p.x / p.z * focal + 959.5, p.y / p.z * focal + 539.5));
                out.push((px, normal));
            }
        }
        out
    }

    #[test]
    fn a_faces_neighbours_are_where_they_are_seen() {
        let (s, c) = 40.0_f64.to_radians().sin_cos();
        let faces = seen(Vector3::new(0.0, -s, -c), [1000.0, 500.0], 0.9);
        assert!(faces.len() > 1);
        let top = Face::of(&square_about(faces[0].0)).unwrap();
        for (side, _) in &faces[1..] {
            let near = [Looks::Up, Looks::Down].map(|looks| {
                let off = top.neighbours(looks).map(|n| {
                    // their corners are in the same order
                    let all = n.iter().zip(side).map(|(a, b)| (a - b).norm());
                    all.fold(0.0, f64::max)
                });
                off.into_iter().fold(f64::MAX, f64::min)
            });
            let edge = (side[1] - side[0]).norm();
            assert!(near[0] < 0.12 * edge, "{near:?} of {edge}");
            assert!(near[1] > 0.3 * edge, "{near:?} of {edge}");
        }
    }

    #[test]
    fn a_face_looks_where_it_does() {
        for tilt in [10.0_f64, 30.0, 50.0] {
            let (s, c) = tilt.to_radians().sin_cos();
            for (triangle, normal) in seen(Vector3::new(0.0, -s, -c), [700.0, 700.0], 0.3) {
                let face = Face::of(&square_about(triangle)).unwrap();
                let off = [Looks::Up, Looks::Down].map(|l| face.normal(l, SIZE).angle(&normal));
                let off = off[0].min(off[1]).to_degrees();
                assert!(off < 9.0, "{tilt}: {off} degrees");
            }
        }
    }
}
