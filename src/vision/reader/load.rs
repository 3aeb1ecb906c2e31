//! Readers from their files among the models.

use std::{collections::BTreeMap, path::Path};

use super::Reader;
use super::compare::Comparer;
use crate::{
    copy::{Prints, Shape},
    vision::{
        VisionError,
        model::{Dim, Model},
        refiner::{Dice, Refiner},
    },
};

impl Reader {
    /// The file among the models of the reader for such prints.
    pub fn file(prints: Prints) -> &'static str {
        match prints {
            Prints::Pips => "dice-reader.onnx",
            Prints::Any => "print-reader.onnx",
        }
    }

    /// The reader of cubes in a file.
    ///
    /// # Errors
    /// A model that is missing, is none, or is not a reader of this format.
    pub fn load(path: &Path, threads: usize) -> Result<Self, VisionError> {
        Self::of(path, Dice::Cubes, threads)
    }

    /// The reader of polyhedral dice among the models.
    ///
    /// # Errors
    /// A model that is missing, is none, or is not a reader of this format.
    pub(in crate::vision) fn of_solids(models: &Path, threads: usize) -> Result<Self, VisionError> {
        Self::of(&models.join("solid-reader.onnx"), Dice::Solids, threads)
    }

    fn of(path: &Path, dice: Dice, threads: usize) -> Result<Self, VisionError> {
        let dims = [Dim::Free, Dim::Is(3), Dim::Any, Dim::Any];
        let model = Model::load(path, "dice-reader", 1, dims, 2, threads)?;
        let info = &model.info;
        let (size, dim) = (info.get("size")?, info.get("dim")?);
        if !(16..=256).contains(&size) || !(2..=4096).contains(&dim) {
            return Err(info.wrong(format!(
                "its metadata says size {size} and dim {dim}, which cannot be"
            )));
        }
        let bias = info.within_or("sure_bias", -100.0, 100.0, 0.0)?;
        Ok(Self {
            size,
            dim,
            margin: info.within("margin", 0.0, 1.0)?,
            closer: Some(info.within_or("closer", 0.2, 1.0, 1.0)?).filter(|part| *part < 1.0),
            mean: info.within("mean", 0.0, 255.0)? as f32,
            std: info.within("std", 1.0, 255.0)? as f32,
            scale: info.within("scale", 1.0, 1000.0)?,
            near: info.within("near", -1.0, 1.0)?,
            none: info.within("none", -1.0, 1.0)?,
            sure: [
                info.within_or("sure_odds", 0.1, 10.0, 1.0)?,
                info.within_or("sure_likeness", -100.0, 100.0, 0.0)?,
                bias,
            ],
            biases: Shape::ALL
                .into_iter()
                .map(|s| {
                    let name = format!("sure_bias_{}", s.name());
                    Ok((s, info.within_or(&name, -100.0, 100.0, bias)?))
                })
                .collect::<Result<_, VisionError>>()?,
            there: [
                info.within("there_score", -100.0, 100.0)?,
                info.within("there_likeness", -100.0, 100.0)?,
                info.within("there_bias", -100.0, 100.0)?,
            ],
            model,
            refiner: Refiner::of(path.parent().unwrap_or(path), dice, threads)?,
            dice,
            galleries: BTreeMap::new(),
            comparer: None,
            unread: Vec::new(),
        })
    }

    /// The reader among the models of cubes with such prints.
    ///
    /// # Errors
    /// A model that is missing, is none, or is not of this format.
    pub fn among(models: &Path, prints: Prints, threads: usize) -> Result<Self, VisionError> {
        let reader = Self::load(&models.join(Self::file(prints)), threads)?;
        let comparer = match prints {
            // a pip is a pip on any die
            Prints::Pips => None,
            Prints::Any => Some(Comparer::load(models, threads)?),
        };
        Ok(Self { comparer, ..reader })
    }
}
