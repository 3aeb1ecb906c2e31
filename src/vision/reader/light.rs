//! What a die's colours say of its kind, under the light that the dice beside it tell.

use opencv::core::Mat;

use super::{Look, Reader};
use crate::{
    copy::{Shape, Status},
    geometry::Quad,
    vision::{
        Reading, Sighting, VisionError,
        colour::{self, Colour, Own},
        detector::Detection,
        ink,
    },
};

impl Reader {
    /// For each die, how well its colour goes with each enrolled face's kind, the best of them 1, and the chance that it is one
    /// of the copy's by its colour; under the light that those dice tell whose print leaves no doubt of their kind.
    pub(super) fn weights(
        &self,
        mat: &Mat,
        found: &[Detection],
        looks: &[Vec<Look>],
        kept: &[Option<Sighting>],
    ) -> Result<(Vec<Vec<f64>>, Vec<Own>), VisionError> {
        let mut out: Vec<Vec<f64>> = found
            .iter()
            .map(|d| vec![1.0; self.faces(d.shape).len()])
            .collect();
        let mut own = vec![Own::default(); found.len()];
        for (shape, gallery) in self.galleries.iter().filter(|(_, g)| g.palette.tells()) {
            let which: Vec<usize> = (0..found.len())
                .filter(|i| found[*i].shape == *shape)
                .collect();
            let mut colours = Vec::with_capacity(which.len());
            let mut known: Vec<(usize, (String, Colour))> = Vec::new();
            for &i in &which {
                let d = &found[i];
                let colour = colour::of_face(mat, d.prints().first().unwrap_or(&d.face))?;
                colours.push(colour);
                let reading = match &kept[i] {
                    Some(known) => known.reading.clone(),
                    None => self.judge(d, &looks[i], &out[i]).reading,
                };
                let is_known = reading.status == Status::Sure || reading.kind_sure;
                if let Some(kind) = reading.kind.filter(|_| is_known) {
                    known.push((i, (kind, colour)));
                }
            }
            let light = |but: Option<usize>| {
                let others = known.iter().filter(|(i, _)| Some(*i) != but);
                gallery.palette.light(others.map(|(_, seen)| seen))
            };
            let of_all = light(None).unwrap_or_default().shift;
            for (&i, colour) in which.iter().zip(colours) {
                let factor = gallery.palette.factors(colour, of_all);
                out[i] = gallery.faces.iter().map(|f| factor(&f.kind)).collect();
                // under a light that the others do not tell a colour of the copy's may look like any
                if let Some(light) = light(Some(i)) {
                    own[i] = gallery.palette.own(colour, &light);
                }
            }
        }
        Ok((out, own))
    }

    /// Whether what is printed there is lighter than its body where that of the kind that was surely read is darker, or the other way round.
    pub(super) fn has_another_ink(
        &self,
        mat: &Mat,
        shape: Shape,
        reading: &Reading,
        face: &Quad,
    ) -> Result<bool, VisionError> {
        let surely = reading.status == Status::Sure || reading.kind_sure;
        // of another die it is not known how much of what is seen is print
        let kind = reading
            .kind
            .as_ref()
            .filter(|_| surely && shape == Shape::D6);
        let (Some(kind), Some(gallery)) = (kind, self.galleries.get(&shape)) else {
            return Ok(false);
        };
        Ok(gallery.inks.contradict(kind, ink::of_face(mat, face)?))
    }
}
