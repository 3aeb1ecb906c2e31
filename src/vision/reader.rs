//! Reads top faces: a print becomes a unit vector, which is compared with every enrolled face in
//! each of its possible turns.

use std::path::Path;

use opencv::core::Mat;

use super::{
    Reading, Sighting, crop,
    detector::Detection,
    eye::VisionError,
    model::{Model, ModelInfo},
};
use crate::{
    capture::{Picture, still},
    copy::{Copy, Shape, Status},
    geometry::Quad,
};

/// Each face is looked at a little narrower and wider, too, so that a corner that is a pixel off
/// does not decide the reading.
const VIEWS: [f64; 3] = [1.0, 0.93, 1.07];

/// A face is `sure` when the chance that it is right is at least this.
const SURE: f64 = 0.99;

/// One enrolled picture of a face, in one turn.
struct Enrolled {
    /// Index of the (kind, face) pair.
    face: usize,
    /// Index of the picture, for leaving it out.
    picture: usize,
    /// Quarter turns that bring the face's own upper left to the first corner.
    turn: usize,
    vector: Vec<f32>,
}

/// How well a copy's faces can be told apart, from its own pictures.
#[derive(Debug, Clone, PartialEq)]
pub struct EnrolmentReport {
    /// Likeness (cosine) that a print must reach to be taken for an enrolled face at all.
    pub near: f64,
    /// The least likeness of an enrolled picture to the others of its face.
    pub least_same: f64,
    /// The greatest likeness of two pictures of different faces, and which.
    pub most_different: (f64, String, String),
}

/// The face reader with a copy's faces.
pub struct Reader {
    model: Model,
    size: usize,
    dim: usize,
    margin: f64,
    mean: f32,
    std: f32,
    /// Likeness to log-chance; the model's metadata says it.
    scale: f64,
    faces: Vec<(String, String)>,
    gallery: Vec<Enrolled>,
    near: f64,
}

impl Reader {
    /// # Errors
    /// A model that is missing, is none, or is not a reader of this format.
    pub fn load(path: &Path, threads: usize) -> Result<Self, VisionError> {
        let model = Model::load(path, "dice-reader", 1, 2, threads)?;
        let info = &model.info;
        let (size, dim) = (info.get("size")?, info.get("dim")?);
        if !(16..=256).contains(&size) || !(2..=4096).contains(&dim) {
            return Err(info.wrong(format!(
                "its metadata says size {size} and dim {dim}, which cannot be"
            )));
        }
        Ok(Self {
            size,
            dim,
            margin: info.get("margin")?,
            mean: info.get("mean")?,
            std: info.get("std")?,
            scale: info.get("scale")?,
            model,
            faces: Vec::new(),
            gallery: Vec::new(),
            near: 1.0,
        })
    }

    pub fn info(&self) -> &ModelInfo {
        &self.model.info
    }

    /// Unit vectors of faces, one a quadrilateral.
    fn embed(&mut self, jobs: &[(&Mat, Quad)]) -> Result<Vec<Vec<f32>>, VisionError> {
        let mut out = Vec::with_capacity(jobs.len());
        for batch in jobs.chunks(64) {
            let mut data = Vec::with_capacity(batch.len() * 3 * self.size * self.size);
            for (picture, face) in batch {
                let face = crop::rectify(picture, face, self.size as i32, self.margin)?;
                crop::append_planes(&face, self.size, self.size, self.mean, self.std, &mut data)?;
            }
            let (shape, values) = self
                .model
                .run([batch.len(), 3, self.size, self.size], &data)?;
            if shape != [batch.len(), self.dim] {
                return Err(self.model.info.wrong(format!(
                    "its output is {shape:?}, but [{}, {}] is expected",
                    batch.len(),
                    self.dim
                )));
            }
            out.extend(values.chunks(self.dim).map(<[f32]>::to_vec));
        }
        Ok(out)
    }

    /// Takes a copy's faces in place of those there were. Vectors are made from the pictures each
    /// time, so a new model needs no new enrolment.
    ///
    /// # Errors
    /// A picture that cannot be read.
    pub fn enrol(&mut self, copy: &Copy) -> Result<EnrolmentReport, VisionError> {
        self.faces.clear();
        self.gallery.clear();
        let mut count = 0;
        for kind in copy.dice.iter().filter(|d| d.shape == Shape::D6) {
            for face in &kind.faces {
                self.faces.push((kind.kind.clone(), face.face.clone()));
                for path in &face.pictures {
                    let (picture, _) = still::load(path)?;
                    let mat = crop::mat(&picture)?;
                    let inner = inner_face(picture.width(), picture.height(), self.margin);
                    let jobs: Vec<(&Mat, Quad)> = (0..4).map(|t| (&mat, inner.turned(t))).collect();
                    for (turn, vector) in self.embed(&jobs)?.into_iter().enumerate() {
                        self.gallery.push(Enrolled {
                            face: self.faces.len() - 1,
                            picture: count,
                            turn,
                            vector,
                        });
                    }
                    count += 1;
                }
            }
        }
        let report = self.report();
        self.near = report.near;
        Ok(report)
    }

    /// Leaves out one picture at a time: how alike are pictures of one face, of different faces?
    /// A print is near enough when it is nearer than any two different faces are to each other.
    fn report(&self) -> EnrolmentReport {
        let mut least_same = 1.0_f64;
        let mut most_different = (-1.0_f64, String::new(), String::new());
        for a in self.gallery.iter().filter(|e| e.turn == 0) {
            let mut same = None::<f64>;
            for b in self.gallery.iter().filter(|b| b.picture != a.picture) {
                let likeness = dot(&a.vector, &b.vector);
                if b.face == a.face {
                    same = Some(same.map_or(likeness, |s| s.max(likeness)));
                } else if likeness > most_different.0 {
                    most_different = (likeness, self.name(a.face), self.name(b.face));
                }
            }
            least_same = least_same.min(same.unwrap_or(1.0));
        }
        let near = most_different.0.max(0.0);
        EnrolmentReport {
            near,
            least_same,
            most_different,
        }
    }

    fn name(&self, face: usize) -> String {
        self.faces
            .get(face)
            .map(|(k, f)| format!("{k} {f}"))
            .unwrap_or_default()
    }

    /// Reads every detection, best detections first.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn read(
        &mut self,
        picture: &Picture,
        found: Vec<Detection>,
    ) -> Result<Vec<Sighting>, VisionError> {
        let mat = crop::mat(picture)?;
        let jobs: Vec<(&Mat, Quad)> = found
            .iter()
            .flat_map(|d| VIEWS.map(|v| (&mat, d.face.scaled(v))))
            .collect();
        let vectors = self.embed(&jobs)?;
        let (w, h) = (f64::from(picture.width()), f64::from(picture.height()));
        Ok(found
            .into_iter()
            .zip(vectors.chunks(VIEWS.len()))
            .map(|(d, views)| {
                let (mut reading, turn) = self.judge(&mean(views));
                let whole = d
                    .face
                    .0
                    .iter()
                    .all(|p| p.x > -1.0 && p.y > -1.0 && p.x < w && p.y < h);
                if reading.status == Status::Sure && (!whole || d.score < 0.5) {
                    reading.status = Status::Unsure;
                }
                Sighting {
                    shape: d.shape,
                    score: d.score,
                    polygon: d.face.turned((4 - turn) % 4),
                    reading,
                }
            })
            .collect())
    }

    /// The best face for a vector, and its turn.
    fn judge(&self, vector: &[f32]) -> (Reading, usize) {
        let mut best = vec![(f64::MIN, 0_usize); self.faces.len()];
        for e in &self.gallery {
            let likeness = dot(vector, &e.vector);
            if let Some(b) = best.get_mut(e.face)
                && likeness > b.0
            {
                *b = (likeness, e.turn);
            }
        }
        let mut order: Vec<usize> = (0..best.len()).collect();
        order.sort_by(|a, b| best[*b].0.total_cmp(&best[*a].0));
        let Some(&first) = order.first() else {
            let nothing = Reading {
                kind: None,
                face: None,
                status: Status::Unknown,
                confidence: 0.0,
                next: None,
            };
            return (nothing, 0);
        };
        // a softmax over the enrolled faces; whether it is one of them at all is a question of its own
        let top = best[first].0;
        let weight = |likeness: f64| (self.scale * (likeness - top)).exp();
        let total: f64 = best.iter().map(|b| weight(b.0)).sum();
        let confidence = 1.0 / total;
        let status = if top < self.near {
            Status::Unknown
        } else if confidence >= SURE {
            Status::Sure
        } else {
            Status::Unsure
        };
        let name = |i: usize| self.faces.get(i).cloned();
        let reading = Reading {
            kind: name(first).map(|n| n.0),
            face: name(first).map(|n| n.1),
            status,
            confidence,
            next: order
                .get(1)
                .and_then(|&i| Some((name(i)?.1, weight(best[i].0) / total))),
        };
        (reading, best[first].1)
    }
}

/// Where the face lies in an enrolment picture, which shows a margin round it.
fn inner_face(width: u32, height: u32, margin: f64) -> Quad {
    let span = |n: u32| {
        let n = f64::from(n);
        (
            n * margin / (1.0 + 2.0 * margin) - 0.5,
            n * (1.0 + margin) / (1.0 + 2.0 * margin) - 0.5,
        )
    };
    let ((x0, x1), (y0, y1)) = (span(width), span(height));
    Quad::from_pairs([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(x, y)| f64::from(x * y)).sum()
}

/// The mean of unit vectors, not brought back to length one: views that disagree make it shorter,
/// and the reading less sure.
fn mean(vectors: &[Vec<f32>]) -> Vec<f32> {
    let n = vectors.len().max(1) as f32;
    let dim = vectors.first().map_or(0, Vec::len);
    (0..dim)
        .map(|i| vectors.iter().map(|v| v[i]).sum::<f32>() / n)
        .collect()
}
