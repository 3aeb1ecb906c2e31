//! Tries a surface at a place where it may lie, and the others that may be taken for it there.

use super::{
    Care, Seek,
    align::{ALIKE, Freedom, Pyramid},
    hypothesis::Hypothesis,
    livery::Own,
    map::{self, Map},
    outline::Place,
};
use crate::{
    capture::Picture,
    geometry::Point,
    vision::{crop, eye::VisionError},
};

/// Surfaces whose sides differ by less, as logarithms, may be taken for each other by their outlines; and what explains
/// so much of what another one does may be there in its place.
const AS_LARGE: f64 = 0.35;
pub(super) const NEARLY: f64 = 0.7;
/// How far off the sides are that a network sees, as logarithms.
const AS_SEEN: f64 = 0.3;
/// Whether two surfaces are of about one size.
pub(super) fn as_large(one: &Seek, other: &Seek) -> bool {
    let ([w, h], [v, u]) = (one.reference.size_mm, other.reference.size_mm);
    (w / v).ln().abs() < AS_LARGE && (h / u).ln().abs() < AS_LARGE
}

/// Takes a place (millimetres on the surface to pixels, not exact) for the best where it explains more.
pub(super) fn better(
    seek: &Seek,
    pictures: &Pyramid,
    map: &Map,
    free: &impl Fn(&Hypothesis) -> bool,
    best: &mut Option<Hypothesis>,
) -> Result<(), VisionError> {
    let Some(fit) = seek.aligner.settled(pictures, map)? else {
        return Ok(());
    };
    let any = if fit.agreement > ALIKE {
        seek.aligner.nudged(pictures, &fit.map, Freedom::Any)?
    } else {
        None
    };
    // one that lost its shape may lie there in it, and one that agrees no better may, too
    for map in any.map(|any| any.map).into_iter().chain([fit.map]) {
        if let Some(h) = seek.reference.weighed(pictures.full(), &map, Care::Quick)?
            && best.as_ref().is_none_or(|b| h.agreement > b.agreement)
            && free(&h)
        {
            *best = Some(h);
            break;
        }
    }
    Ok(())
}

/// The best of several hypotheses, compared once more with all care, if it may be there by its print.
pub(super) fn weighed_fully(
    seek: &Seek,
    pictures: &Pyramid,
    best: Option<Hypothesis>,
    free: impl Fn(&Hypothesis) -> bool,
) -> Result<Option<Hypothesis>, VisionError> {
    Ok(laid_fully(seek, pictures, best, free)?.filter(Hypothesis::is_possible))
}

/// The same whatever its print says.
pub(super) fn laid_fully(
    seek: &Seek,
    pictures: &Pyramid,
    best: Option<Hypothesis>,
    free: impl Fn(&Hypothesis) -> bool,
) -> Result<Option<Hypothesis>, VisionError> {
    let Some(best) = best else {
        return Ok(None);
    };
    let grey = pictures.full();
    let Some(best) = seek.reference.weighed(grey, &best.map, Care::Full)? else {
        return Ok(None);
    };
    let best = seek.reference.tuned(grey, best)?;
    let best = seek.reference.placed(grey, best)?;
    Ok(free(&best).then_some(best))
}

/// Whether another surface of about its size explains nearly as much where it lies, and may be what is seen there by what only one of them prints.
pub(super) fn is_rivalled(
    which: usize,
    best: &Hypothesis,
    seeks: &[Seek],
    (picture, pictures): (&Picture, &Pyramid),
) -> Result<bool, VisionError> {
    let Some(seek) = seeks.get(which) else {
        return Ok(false);
    };
    let [w, h] = seek.reference.size_mm;
    let rivals = seeks.iter().enumerate();
    let mut own: Option<Own> = None;
    for (_, other) in rivals.filter(|(i, s)| *i != which && as_large(seek, s)) {
        if own.is_none() {
            own = Some(Own::of(seek, &crop::borrowed(picture)?, &best.map)?);
        }
        let [v, u] = other.reference.size_mm;
        let mut rival = None;
        for half in [0.0, std::f64::consts::PI] {
            let place = map::rigid(half, w / 2.0, h / 2.0) * map::rigid(0.0, -v / 2.0, -u / 2.0);
            let surely = match &own {
                Some(own) => own.is_rather_than(other, &place)?,
                None => false,
            };
            if !surely {
                better(other, pictures, &(best.map * place), &|_| true, &mut rival)?;
            }
        }
        if rival.is_some_and(|r| r.explains() > NEARLY * best.explains()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A place on a known table (its millimetres to pixels), where a surface has its own shape: as its middle lies and its upper side runs. `None`
/// where what is seen there is of another size.
pub(super) fn in_its_shape(table: &Map, place: &Place) -> Option<Map> {
    let [w, h] = place.size_mm;
    let back = map::back(table)?;
    let on_table = |x: f64, y: f64| map::apply(&back, map::apply(&place.map, Point::new(x, y))?);
    let middle = on_table(w / 2.0, h / 2.0)?;
    let along = on_table(w, h / 2.0)? - on_table(0.0, h / 2.0)?;
    let down = on_table(w / 2.0, h)? - on_table(w / 2.0, 0.0)?;
    if [along.norm() / w, down.norm() / h]
        .iter()
        .any(|k| k.ln().abs() > AS_SEEN)
    {
        return None;
    }
    let turn = along.y.atan2(along.x);
    map::scaled(table * map::rigid(turn, middle.x, middle.y) * map::rigid(0.0, -w / 2.0, -h / 2.0))
}
