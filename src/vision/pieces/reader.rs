//! Turns a piece that was cut out into a vector, which is compared with those of the owner's photographs.

use std::path::Path;

use opencv::core::Mat;

use crate::{
    geometry::Point,
    vision::{
        Form, crop,
        eye::VisionError,
        model::{Dim, Model, ModelInfo},
    },
};
use opencv::prelude::*;

pub(in crate::vision) struct PieceReader {
    pub(super) model: Model,
    /// Mean and deviation that it takes pixels by.
    norm: (f32, f32),
    /// Side of a cut-out piece in pixels, for `share` times its length.
    pub size: usize,
    pub share: f64,
    /// How many half lengths a ship's hull lies above its foot.
    pub lift: f64,
    /// The likeness of vectors below which two pictures rather show two things.
    pub none: f64,
    once: ByForm,
    /// Where a picture was shown to the detector several ways.
    often: ByForm,
    pub(super) dim: usize,
}

/// What it counts for its being one of the copy's that a piece is like it: `train/piece_chances.py` fits it.
pub(in crate::vision) struct Weights {
    /// Of the likeness of vectors.
    scale: f64,
    /// Of the likeness of a token's print.
    print: f64,
    /// Of the detector's log-odds that something is there.
    score: f64,
    none: f64,
}

struct ByForm {
    ship: Weights,
    token: Weights,
}

impl ByForm {
    fn of(info: &ModelInfo, before: &str) -> Result<Self, VisionError> {
        Ok(Self {
            ship: Weights::of(info, before, "ship")?,
            token: Weights::of(info, before, "token")?,
        })
    }
}

impl Weights {
    fn of(info: &ModelInfo, before: &str, form: &str) -> Result<Self, VisionError> {
        let value =
            |name: &str, least| info.within(&format!("{before}{form}_{name}"), least, 200.0);
        Ok(Self {
            scale: value("scale", 0.0)?,
            print: if form == "token" {
                value("print", 0.0)?
            } else {
                0.0
            },
            score: value("score", 0.0)?,
            none: value("none", -200.0)?,
        })
    }

    /// Log-odds that something with this score, as like to one of the copy's pieces in vectors and print, is that piece.
    pub fn odds(&self, score: f64, vectors: f64, print: f64) -> f64 {
        let seen = score.clamp(1e-6, 1.0 - 1e-6);
        self.scale * vectors + self.print * print + self.score * (seen / (1.0 - seen)).ln()
            - self.none
    }
}

impl PieceReader {
    /// # Errors
    /// A model that is missing, or is not a reader of this format.
    pub fn load(models: &Path, threads: usize) -> Result<Self, VisionError> {
        let path = models.join("piece-reader.onnx");
        let dims = [Dim::Free, Dim::Is(3), Dim::Any, Dim::Any];
        let model = Model::load(&path, "piece-reader", 1, dims, 2, threads)?;
        let info = &model.info;
        let size: usize = info.get("size")?;
        if !(16..=256).contains(&size) {
            return Err(info.wrong(format!(
                "its metadata sightline.size is {size}, but 16 to 256 is possible"
            )));
        }
        Ok(Self {
            norm: norm(&model)?,
            size,
            share: info.within("share", 1.0, 3.0)?,
            lift: info.within("lift", 0.0, 2.0)?,
            none: info.within("none", -1.0, 1.0)?,
            once: ByForm::of(info, "")?,
            often: ByForm::of(info, "often_")?,
            dim: info.get("dim")?,
            model,
        })
    }

    /// What counts for a ship or a token that the detector was shown `views` ways.
    pub fn weights(&self, form: Form, views: usize) -> &Weights {
        let by_form = if views > 1 { &self.often } else { &self.once };
        match form {
            Form::Ship => &by_form.ship,
            _ => &by_form.token,
        }
    }

    /// Vectors of an owner's picture of a piece, each turned so that a heading (degrees clockwise from up) is up.
    pub fn of_picture(
        &mut self,
        mat: &Mat,
        headings: &[f64],
    ) -> Result<Vec<Vec<f32>>, VisionError> {
        let [w, h] = [f64::from(mat.cols()), f64::from(mat.rows())];
        let middle = Point::new((w - 1.0) / 2.0, (h - 1.0) / 2.0);
        let cut = |heading: &f64| crop::square(mat, middle, w.max(h), *heading, self.size as i32);
        let cuts = headings.iter().map(cut).collect::<Result<Vec<Mat>, _>>()?;
        self.vectors(&cuts)
    }

    /// Unit vectors, one a cut-out piece.
    pub fn vectors(&mut self, cuts: &[Mat]) -> Result<Vec<Vec<f32>>, VisionError> {
        let mut data = Vec::new();
        let (mean, std) = self.norm;
        for c in cuts {
            crop::append_planes(c, self.size, self.size, mean, std, &mut data)?;
        }
        if cuts.is_empty() {
            return Ok(Vec::new());
        }
        let (n, size) = (cuts.len(), self.size);
        let out = self.model.run([n, 3, size, size], &data, &[n, self.dim])?;
        Ok(out.chunks(self.dim).map(<[f32]>::to_vec).collect())
    }
}

/// Mean and deviation that a model takes pixels by.
pub(super) fn norm(model: &Model) -> Result<(f32, f32), VisionError> {
    let mean = model.info.within("mean", 0.0, 255.0)?;
    let std = model.info.within("std", 1.0, 255.0)?;
    Ok((mean as f32, std as f32))
}
