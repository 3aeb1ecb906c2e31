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
        gallery::dot,
        stored::{self, Stored},
    },
};

/// Turns in which a token is compared, degrees: it may lie anyhow.
pub(super) const QUARTERS: [f64; 4] = [0.0, 90.0, 180.0, 270.0];

/// What mines are to the rules, whosever they are.
const MINE: &str = "mine";

/// Likeness from which two photographs show one thing: of tokens with two meanings the likest of two copies had 0.57.
const SAME: f64 = 0.95;

/// A token that is so much larger or smaller than its owner says is another.
const OTHER_SIZE: f64 = 1.4;

/// A piece of the copy.
pub(super) struct Enrolled {
    pub form: Form,
    pub what: String,
    /// What it is to the rules.
    means: String,
    /// Of tokens: how long, as their pictures are cut.
    pub long_mm: Option<f64>,
    pub vectors: Vec<Vec<f32>>,
    /// Of tokens: each photograph's print.
    pub prints: Vec<Rings>,
}

impl Enrolled {
    /// Whether something of that form and half length may be it.
    pub fn fits(&self, form: Form, half_mm: f64) -> bool {
        let of_its_size = |mm| (1.0 / OTHER_SIZE..OTHER_SIZE).contains(&(2.0 * half_mm / mm));
        self.form == form && self.long_mm.is_none_or(of_its_size)
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
    /// Makes the vectors of a copy's pieces, and keeps them beside it. Returns the tokens that mean two things and show the same.
    ///
    /// # Errors
    /// A folder that cannot be written to.
    pub fn enrol_and_keep(&mut self, copy: &Copy) -> Result<Vec<[String; 2]>, VisionError> {
        let (pieces, stored) = self.take(copy)?;
        stored.close(true)?;
        Ok(pieces.alike())
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
            pieces.add(Form::Ship, [id, id], None, vectors, Vec::new());
        }
        for Token {
            kind,
            outline,
            size_mm,
            sides,
        } in &copy.tokens
        {
            let long_mm = size_mm * outline.longest();
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
                    [&format!("{kind} {}", side.side), &side.means],
                    (!crystal).then_some(long_mm),
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
    /// Tokens and crystals whose photographs show the same, though they mean two things.
    fn alike(&self) -> Vec<[String; 2]> {
        let flat = self.all.iter().filter(|p| p.form != Form::Ship);
        let flat: Vec<&Enrolled> = flat.collect();
        let mut alike = Vec::new();
        for (i, a) in flat.iter().enumerate() {
            // whose a mine is, its name says
            let others = flat.iter().skip(i + 1);
            let kind = |e: &Enrolled| e.what.rsplit_once(' ').map(|(kind, _)| kind.to_owned());
            for b in others.filter(|b| a.means != b.means || a.means == MINE && kind(a) != kind(b))
            {
                let all = a
                    .vectors
                    .iter()
                    .flat_map(|x| b.vectors.iter().map(move |y| (x, y)));
                let near = all.map(|(x, y)| dot(x, y) / (dot(x, x) * dot(y, y)).sqrt().max(1e-9));
                if near.fold(-1.0, f64::max) > SAME {
                    alike.push([a.what.clone(), b.what.clone()]);
                }
            }
        }
        alike
    }

    /// One whose photographs are gone is known by nothing.
    fn add(
        &mut self,
        form: Form,
        [what, means]: [&str; 2],
        long_mm: Option<f64>,
        vectors: Vec<Vec<f32>>,
        prints: Vec<Rings>,
    ) {
        if !vectors.is_empty() {
            self.all.push(Enrolled {
                form,
                what: what.to_owned(),
                means: means.to_owned(),
                long_mm,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_that_show_the_same_and_mean_two_things_are_named() {
        let mut pieces = Pieces::default();
        let mut add = |form, names: [&str; 2], vector: [f32; 2]| {
            pieces.add(form, names, None, vec![vector.to_vec()], Vec::new());
        };
        add(Form::Token, ["rock up", "asteroid"], [1.0, 0.0]);
        add(Form::Token, ["cloud up", "nebula"], [0.0, 1.0]);
        // not of unit length, as means are
        add(Form::Crystal, ["gem up", "crystal"], [0.6, 0.05]);
        // two tokens that are one to the rules may look alike
        add(Form::Token, ["stone up", "asteroid"], [1.0, 0.01]);
        add(Form::Ship, ["white", "white"], [1.0, 0.0]);
        add(Form::Token, ["mine-white up", "mine"], [-1.0, 0.0]);
        add(Form::Token, ["mine-black up", "mine"], [-1.0, 0.0]);
        add(Form::Token, ["mine-black down", "mine"], [0.0, -1.0]);
        add(Form::Token, ["mine-black side", "mine"], [0.0, -1.0]);
        let alike = pieces.alike();
        let pair = |a: &str, b: &str| [a.to_owned(), b.to_owned()];
        assert_eq!(
            alike,
            [
                pair("rock up", "gem up"),
                pair("gem up", "stone up"),
                pair("mine-white up", "mine-black up")
            ]
        );
    }
}
