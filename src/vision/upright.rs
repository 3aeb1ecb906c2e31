//! What zones and marked squares say of a surface's picture: they are printed where its owner says, on it and on no other.

use geo::{BoundingRect, LineString};
use opencv::{core, prelude::*};

use super::{
    eye::VisionError,
    layouts::{Odd, PROPORTIONS, edges, half_turned, is_of_another, proportion},
};
use crate::copy::{Copy, Surface};

/// Longer side of the picture in which outlines are followed: lines of half a millimetre are seen in it.
const LONG: f64 = 384.0;
/// Pixels between the places at which an outline is looked at.
const STEP: f64 = 2.0;
/// So many times more must be printed under outlines than under the surface's own as it is. Of 69 surfaces of seven copies as
/// they should be none has so much under its own turned by a half, and of 288 pairs of displays of thirteen copies, of one shape and of
/// other stations, none under the other's.
const CLEARLY: f64 = 1.3;
/// And so many times more than elsewhere on the surface.
const PRINTED: f64 = 1.3;
/// Part of a square that its own lines may take up, on each side.
const RIM: f64 = 0.15;

/// What a surface's zones say of its picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ByZones {
    /// There are none, or nothing much is printed under any outlines.
    Nothing,
    /// They are printed where they were drawn, and no other outlines are.
    Printed,
    /// Other outlines are printed there: its own if it is turned by a half, or those of a display of another station.
    Odd(Odd),
}

/// Which outlines lie on what is printed in a surface's picture.
///
/// # Errors
/// Only where a library fails.
pub(super) fn by_zones(surface: &Surface, copy: &Copy) -> Result<ByZones, VisionError> {
    let Some(edges) = edges(surface, LONG)? else {
        return Ok(ByZones::Nothing);
    };
    if let Some(odd) = by_marks(surface, &edges)? {
        return Ok(ByZones::Odd(odd));
    }
    if surface.zones.is_empty() {
        return Ok(ByZones::Nothing);
    }
    let usual = core::mean_def(&edges)?[0].max(f64::MIN_POSITIVE);
    let upright = under_outlines(surface, &edges)? / usual;
    let turned = under_outlines(surface, &half_turned(&edges)?)? / usual;
    let mut best = (turned, Odd::ZonesTurned);
    let others = copy.surfaces.iter();
    let others = others.filter(|o| is_of_another(surface, o) && !o.zones.is_empty());
    for other in others.filter(|o| proportion(surface, o) < PROPORTIONS) {
        let printed = under_outlines(other, &edges)? / usual;
        if printed > best.0 {
            best = (printed, Odd::ZonesOf(other.id.clone()));
        }
    }
    let clearly = |a: f64, b: f64| a > PRINTED && a > CLEARLY * b;
    Ok(match best {
        (printed, odd) if clearly(printed, upright) => ByZones::Odd(odd),
        (printed, _) if clearly(upright, printed) => ByZones::Printed,
        _ => ByZones::Nothing,
    })
}

/// Whether a board's squares that mean something have no more printed within than others, and would if the picture were turned by a half: of 14
/// boards of as many made copies none, and all of them once they are turned.
fn by_marks(surface: &Surface, edges: &Mat) -> Result<Option<Odd>, VisionError> {
    let Some(grid) = surface.grid.as_ref().filter(|g| !g.marked.is_empty()) else {
        return Ok(None);
    };
    let squares = (0..grid.rows).flat_map(|row| (0..grid.columns).map(move |column| [column, row]));
    let (marked, plain): (Vec<[u32; 2]>, Vec<[u32; 2]>) =
        squares.partition(|square| grid.marked.iter().any(|m| m.square == *square));
    let printed = |edges: &Mat| -> Result<f64, VisionError> {
        let mean = |all: &[[u32; 2]]| -> Result<f64, VisionError> {
            let each = all.iter().map(|s| within(surface, &grid.square(*s), edges));
            let each: Vec<f64> = each.collect::<Result<_, _>>()?;
            Ok(each.iter().sum::<f64>() / each.len().max(1) as f64)
        };
        Ok(mean(&marked)? / mean(&plain)?.max(f64::MIN_POSITIVE))
    };
    let (upright, turned) = (printed(edges)?, printed(&half_turned(edges)?)?);
    Ok((turned > PRINTED && turned > CLEARLY * upright).then_some(Odd::ZonesTurned))
}

/// Mean strength of the edges within a square of a board, without its rim.
fn within(surface: &Surface, square: &geo::Polygon<f64>, edges: &Mat) -> Result<f64, VisionError> {
    let Some(at) = square.bounding_rect() else {
        return Ok(0.0);
    };
    let by = f64::from(edges.cols()) / surface.size_mm[0];
    let rim = RIM * at.width();
    let px = |v: f64| (v * by).round() as i32;
    let (left, top) = (px(at.min().x + rim), px(at.min().y + rim));
    let side = px(at.width() - 2.0 * rim);
    let inside =
        core::Rect::new(left, top, side, side) & core::Rect::new(0, 0, edges.cols(), edges.rows());
    if inside.area() <= 0 {
        return Ok(0.0);
    }
    Ok(core::mean_def(&Mat::roi(edges, inside)?)?[0])
}

/// Mean strength of the edges under the outlines of a surface's zones.
fn under_outlines(surface: &Surface, edges: &Mat) -> Result<f64, VisionError> {
    let size = edges.size()?;
    let by = [
        f64::from(size.width) / surface.size_mm[0],
        f64::from(size.height) / surface.size_mm[1],
    ];
    let at = |v: f64, most: i32| (v.round() as i32).clamp(0, most - 1);
    let (mut sum, mut count) = (0.0, 0.0_f64);
    let outlines = surface.zones.iter();
    let outlines = outlines.map(|zone| zone.polygon_mm.exterior());
    for line in outlines.flat_map(LineString::lines) {
        let (start, by_px) = (line.start, [line.dx() * by[0], line.dy() * by[1]]);
        let steps = (by_px[0].hypot(by_px[1]) / STEP).ceil().max(1.0);
        for i in 0..steps as u32 {
            let part = f64::from(i) / steps;
            let x = at(start.x * by[0] + part * by_px[0], size.width);
            let y = at(start.y * by[1] + part * by_px[1], size.height);
            sum += f64::from(*edges.at_2d::<f32>(y, x)?);
            count += 1.0;
        }
    }
    Ok(sum / count.max(1.0))
}
