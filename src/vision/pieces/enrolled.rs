//! A copy's miniatures, tokens and crystals as the reader of pieces knows them: vectors of the owner's photographs,
//! which are kept beside the copy as those of faces are.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{PieceReader, turned::Rings};
use crate::{
    capture::still,
    copy::{Copy, Miniature, Token},
    vision::{
        Form, crop,
        eye::VisionError,
        stored::{self, Stored},
    },
};

/// Turns in which a token is compared, degrees: it may lie anyhow.
pub(super) const QUARTERS: [f64; 4] = [0.0, 90.0, 180.0, 270.0];

/// A token that is so much larger or smaller than its owner says is another.
const OTHER_SIZE: f64 = 1.4;

/// A piece of the copy.
pub(super) struct Enrolled {
    pub form: Form,
    pub what: String,
    /// Of tokens: across.
    pub size_mm: Option<f64>,
    pub vectors: Vec<Vec<f32>>,
    /// Of tokens: each photograph's print.
    pub prints: Vec<Rings>,
}

impl Enrolled {
    /// Whether something of that form and half length may be it.
    pub fn fits(&self, form: Form, half_mm: f64) -> bool {
        let of_its_size = |mm| (1.0 / OTHER_SIZE..OTHER_SIZE).contains(&(2.0 * half_mm / mm));
        self.form == form && self.size_mm.is_none_or(of_its_size)
    }
}

/// What a photograph became.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::vision) struct Views {
    /// Degrees clockwise from up that were turned up, and the unit vector of each.
    headings: Vec<f64>,
    vectors: Vec<Vec<f32>>,
}

/// All pieces of a copy.
#[derive(Default)]
pub(super) struct Pieces {
    pub all: Vec<Enrolled>,
    /// Photographs that cannot be read.
    pub unread: Vec<VisionError>,
}

impl PieceReader {
    /// Makes the vectors of a copy's pieces, and keeps them beside it.
    ///
    /// # Errors
    /// A folder that cannot be written to.
    pub fn enrol_and_keep(&mut self, copy: &Copy) -> Result<(), VisionError> {
        let (_, stored) = self.take(copy)?;
        Ok(stored.close(true)?)
    }

    /// A copy's pieces, by the vectors that are kept beside it or, where they are not this model's, anew.
    pub(super) fn enrol(&mut self, copy: &Copy) -> Result<Pieces, VisionError> {
        let (pieces, stored) = self.take(copy)?;
        // a copy on a disk that cannot be written to is as good: the vectors are made again next time
        let _ = stored.close(false);
        Ok(pieces)
    }

    fn take(&mut self, copy: &Copy) -> Result<(Pieces, Stored<Views>), VisionError> {
        let mut stored = Stored::open(copy, stored::PIECES, &self.model.info.sha256);
        let mut pieces = Pieces::default();
        for Miniature { id, views, .. } in &copy.miniatures {
            let views = views.iter().map(|v| (&*v.picture, vec![v.heading_deg]));
            let vectors = self.album(views, &mut stored, &mut pieces.unread)?;
            pieces.add(Form::Ship, id.clone(), None, vectors, Vec::new());
        }
        for Token {
            kind,
            size_mm,
            sides,
            ..
        } in &copy.tokens
        {
            for side in sides {
                let pictures = side.pictures.iter().map(|p| (&**p, QUARTERS.to_vec()));
                let vectors = self.album(pictures, &mut stored, &mut pieces.unread)?;
                let crystal = &*side.means == "crystal";
                let prints = if crystal {
                    Vec::new()
                } else {
                    self.prints(&side.pictures)?
                };
                pieces.add(
                    if crystal { Form::Crystal } else { Form::Token },
                    format!("{kind} {}", side.side),
                    (!crystal).then_some(*size_mm),
                    mean(vectors),
                    prints,
                );
            }
        }
        Ok((pieces, stored))
    }

    /// A token's photographs in rings; what cannot be read was said of its vectors.
    fn prints(&self, pictures: &[PathBuf]) -> Result<Vec<Rings>, VisionError> {
        let read = pictures.iter().filter_map(|p| still::load(p).ok());
        read.map(|(picture, _)| Rings::of_photograph(self, &crop::mat(&picture)?))
            .collect()
    }

    /// Vectors of photographs of one thing, each turned so that its headings are up.
    fn album<'a>(
        &mut self,
        pictures: impl Iterator<Item = (&'a Path, Vec<f64>)>,
        stored: &mut Stored<Views>,
        unread: &mut Vec<VisionError>,
    ) -> Result<Vec<Vec<f32>>, VisionError> {
        let mut out = Vec::new();
        for (path, headings) in pictures {
            let name = stored::name(path);
            let fit = |v: &Views| {
                let units = v.vectors.iter().all(|u| stored::is_unit(u, self.dim));
                v.headings == headings && v.vectors.len() == headings.len() && units
            };
            let views = match name.as_ref().and_then(|n| stored.get(n, fit)) {
                Some(views) => views,
                None => {
                    let picture = match still::load(path) {
                        Ok((picture, _)) => picture,
                        // the others may do
                        Err(e) => {
                            unread.push(e.into());
                            continue;
                        }
                    };
                    let vectors = self.of_picture(&crop::mat(&picture)?, &headings)?;
                    let views = Views { headings, vectors };
                    if let Some(name) = name {
                        stored.put(name, views.clone());
                    }
                    views
                }
            };
            out.extend(views.vectors);
        }
        Ok(out)
    }
}

impl Pieces {
    /// One whose photographs are gone is known by nothing.
    fn add(
        &mut self,
        form: Form,
        what: String,
        size_mm: Option<f64>,
        vectors: Vec<Vec<f32>>,
        prints: Vec<Rings>,
    ) {
        if !vectors.is_empty() {
            self.all.push(Enrolled {
                form,
                what,
                size_mm,
                vectors,
                prints,
            });
        }
    }
}

/// The mean of unit vectors, as one; none of none.
pub(super) fn mean(vectors: Vec<Vec<f32>>) -> Vec<Vec<f32>> {
    let n = vectors.len();
    let sum = vectors.into_iter().reduce(|mut a, b| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        a
    });
    sum.map(|s| s.into_iter().map(|v| v / n as f32).collect())
        .into_iter()
        .collect()
}
