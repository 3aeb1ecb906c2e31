//! Whether a surface was photographed upside down: its zones are printed where its owner drew them.

use geo::LineString;
use opencv::{core, prelude::*};

use super::{
    eye::VisionError,
    layouts::{edges, half_turned},
};
use crate::copy::Surface;

/// Longer side of the picture in which outlines are followed: lines of half a millimetre are seen in it.
const LONG: f64 = 384.0;
/// Pixels between the places at which an outline is looked at.
const STEP: f64 = 2.0;
/// So many times more must be printed under the outlines where the picture is turned by a half. Of 69 surfaces of seven copies as
/// they should be, none has as much there.
const CLEARLY: f64 = 1.3;
/// And so many times more than elsewhere on the surface.
const PRINTED: f64 = 1.3;

/// Whether the outlines of a surface's zones would lie on what is printed if its picture were turned by a half, and as it is do not.
///
/// # Errors
/// Only where a library fails.
pub(super) fn is_upside_down(surface: &Surface) -> Result<bool, VisionError> {
    if surface.zones.is_empty() {
        return Ok(false);
    }
    let Some(edges) = edges(surface, LONG)? else {
        return Ok(false);
    };
    let usual = core::mean_def(&edges)?[0].max(f64::MIN_POSITIVE);
    let upright = under_outlines(surface, &edges)? / usual;
    let turned = under_outlines(surface, &half_turned(&edges)?)? / usual;
    Ok(turned > PRINTED && turned > CLEARLY * upright)
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
