//! Print beside the dice that lie on a surface: dice, and what of it they hide, say nothing against it.
//!
//! Blocks of print that a die hides disagree, so that a small display full of dice is found exactly where it is and not believed in.
//! Where dice are read, their bodies are laid onto it, and what they hide is not compared.

use geo::ConvexHull;
use opencv::core::Mat;

use super::{
    Registered, Registrar, SEEN,
    hypothesis::Hypothesis,
    map,
    search::FINE,
    trial::{NEARLY, as_large},
};
use crate::{
    capture::Picture,
    copy::Status,
    geometry::{self, Point, Quad, Sighted, View},
    vision::{crop, eye::VisionError},
};

/// How far beyond a surface a die's top may be seen that hides some of it, as a part of it. Set by judgement.
const OVER: f64 = 1.4;

/// Surfaces that are sure by their print beside these cubes (their top faces, pixels) and were not: their places among `surfaces`. One that another
/// one explains nearly as well there is not: what tells them apart may be what a die hides.
///
/// # Errors
/// Only where a library fails.
pub(in crate::vision) fn sure_past(
    registrar: &Registrar,
    picture: &Picture,
    surfaces: &[Registered],
    tops: &[Quad],
) -> Result<Vec<usize>, VisionError> {
    let on = |s: &Registered| {
        let about = s.corners.scaled(OVER);
        tops.iter().any(|top| about.contains(top.centre()))
    };
    let doubted = |s: &&Registered| s.status == Status::Unsure && on(s);
    if surfaces.iter().filter(doubted).count() == 0 {
        return Ok(Vec::new());
    }
    let size = |s: &Registered| {
        let seek = registrar.seeks.iter().find(|k| k.reference.id == s.surface);
        seek.map(|k| k.reference.size_mm)
    };
    let sighted = |s: &Registered| {
        Some(Sighted {
            corners_px: s.corners,
            print: s.print.clone(),
            size_mm: size(s)?,
            height_mm: 0.0,
            laid: None,
        })
    };
    let lie = surfaces.iter().filter(|s| s.status != Status::Hidden);
    let all: Vec<Sighted> = lie.filter_map(sighted).collect();
    let frame = [picture.width(), picture.height()];
    let Some(joint) = geometry::joint(&all, None, frame) else {
        return Ok(Vec::new());
    };
    let grey: Mat = super::grey(&crop::borrowed(picture)?)?;
    let mut out = Vec::new();
    for (i, s) in surfaces.iter().enumerate().filter(|(_, s)| doubted(s)) {
        let seek = registrar.seeks.iter().find(|k| k.reference.id == s.surface);
        let view = sighted(s).and_then(|s| joint.view_of(&s, frame));
        let (Some(seek), Some(view)) = (seek, view) else {
            continue;
        };
        // of one so far off there is little to compare but what dice hide
        if map::density(&s.corners, seek.reference.size_mm) < FINE {
            continue;
        }
        let about = s.corners.scaled(OVER);
        let near = tops.iter().filter(|top| about.contains(top.centre()));
        let bodies: Vec<geo::Polygon> = near.filter_map(|top| hidden_by(top, &view)).collect();
        let beside = seek.reference.beside(&grey, &s.map, &bodies)?;
        let sure = beside.as_ref().is_some_and(|h| {
            let h = Hypothesis {
                repeated: s.repeated,
                ..h.clone()
            };
            h.is_sure() && h.seen >= SEEN
        });
        let explains = beside.map_or(0.0, |h| h.explains());
        let mut rivalled = false;
        for rival in registrar.seeks.iter() {
            if sure && rival.reference.id != s.surface && as_large(seek, rival) {
                let there = rival.reference.beside(&grey, &s.map, &bodies)?;
                rivalled |= there.is_some_and(|r| r.explains() > NEARLY * explains);
            }
        }
        if sure && !rivalled {
            out.push(i);
        }
    }
    Ok(out)
}

/// What a die hides of the surface that it stands on, millimetres there, by its top face: its edge is as long as it is high.
fn hidden_by(top: &Quad, view: &View) -> Option<geo::Polygon> {
    /// Rounds in which its height is found: its edge is that of its top at its height.
    const ROUNDS: usize = 4;
    let lies = |z: f64| -> Option<[Point; 4]> {
        let mut at = [Point::origin(); 4];
        for (a, p) in at.iter_mut().zip(&top.0) {
            *a = view.meets(*p, z, 0.0)?.at;
            (a.x.is_finite() && a.y.is_finite()).then_some(())?;
        }
        Some(at)
    };
    let mut z = 0.0;
    for _ in 0..ROUNDS {
        z = Quad(lies(z)?).side();
    }
    let feet = lies(z)?;
    // the line of sight past an upper corner goes on to the surface
    let all = feet.into_iter().chain(lies(0.0)?);
    let all: geo::MultiPoint<f64> = all.map(|p| geo::Point::new(p.x, p.y)).collect();
    Some(all.convex_hull())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{
        capture::still,
        copy::{load, shipped},
    };

    const LEFT: u32 = 200;
    const ABOVE: u32 = 120;
    const PER_MM: f64 = 3.0;

    /// A display of the practice copy from straight above, with chequered tops of dice in rows on its left; and these tops.
    fn crowded(registrar: &Registrar, copy: &crate::copy::Copy) -> (Picture, Vec<Quad>) {
        let surface = &copy.surfaces[0];
        let (art, _) = still::load(surface.reference.as_ref().unwrap()).unwrap();
        let art = image::RgbImage::from_raw(art.width(), art.height(), art.rgb().to_vec()).unwrap();
        let [w, h] = surface.size_mm.map(|v| (v * PER_MM).round() as u32);
        let art = image::imageops::resize(&art, w, h, image::imageops::FilterType::Triangle);
        let mut rgb = image::RgbImage::from_fn(w + 2 * LEFT, h + 2 * ABOVE, |x, y| {
            let grain = ((x * 7 + y * 13 + x * y) % 9) as u8;
            image::Rgb([92 + grain, 64 + grain, 40 + grain])
        });
        image::imageops::replace(&mut rgb, &art, i64::from(LEFT), i64::from(ABOVE));
        let side = (18.0 * PER_MM) as u32;
        let mut tops = Vec::new();
        for y in (0..h - side).step_by(side as usize * 5 / 4) {
            for x in (0..w * 2 / 5).step_by(side as usize * 5 / 4) {
                let (x, y) = (LEFT + x, ABOVE + y);
                for (i, j) in (0..side).flat_map(|i| (0..side).map(move |j| (i, j))) {
                    let spot = if (i / 9 + j / 9) % 2 == 0 { 30 } else { 210 };
                    rgb.put_pixel(x + i, y + j, image::Rgb([spot; 3]));
                }
                let [x, y, s] = [x, y, side].map(f64::from);
                tops.push(Quad::from_pairs([
                    [x, y],
                    [x + s, y],
                    [x + s, y + s],
                    [x, y + s],
                ]));
            }
        }
        assert_eq!(registrar.seeks[0].reference.id, surface.id);
        let (w, h) = rgb.dimensions();
        (Picture::from_rgb(w, h, rgb.into_raw()).unwrap(), tops)
    }

    #[test]
    fn a_display_full_of_dice_is_sure_by_its_print_beside_them_and_not_by_less() {
        let copy = load(&shipped("practice")).unwrap();
        let registrar = Registrar::new(&copy.surfaces).unwrap();
        let (picture, tops) = crowded(&registrar, &copy);
        let seek = &registrar.seeks[0];
        let [w, h] = seek.reference.size_mm;
        let map = crate::vision::register::Map::new(
            PER_MM,
            0.0,
            f64::from(LEFT) - 0.5,
            0.0,
            PER_MM,
            f64::from(ABOVE) - 0.5,
            0.0,
            0.0,
            1.0,
        );
        let lies = |map| Registered {
            surface: seek.reference.id.clone(),
            corners: super::super::corners(&map, [w, h]).unwrap(),
            status: Status::Unsure,
            agreement: 0.5,
            seen: 1.0,
            print: Default::default(),
            map,
            repeated: 0.0,
            grounds: None,
        };
        let sure = |map, tops: &[Quad]| {
            sure_past(&registrar, &picture, &[lies(map)], tops).unwrap() == [0]
        };
        let grey = super::super::grey(&crop::borrowed(&picture).unwrap()).unwrap();
        let with = seek.reference.beside(&grey, &map, &[]).unwrap().unwrap();
        assert!(!with.is_sure(), "{with:?}");
        assert!(sure(map, &tops));
        assert!(
            !sure(map, &tops[..1]),
            "the others are not known to be dice"
        );
        // the same dice on a card that lies otherwise
        let beside = map * crate::vision::register::rigid(0.0, 14.0, 9.0);
        assert!(!sure(beside, &tops));
    }

    #[test]
    fn a_display_full_of_dice_is_sure_by_its_edges_too_unless_another_may_lie_there() {
        let copy = load(&shipped("practice")).unwrap();
        let registrar = Registrar::new(&copy.surfaces).unwrap();
        let (picture, _) = crowded(&registrar, &copy);
        let own = &copy.surfaces[0];
        let lies = |surfaces: &[crate::copy::Surface]| {
            let registrar = Registrar::new(surfaces).unwrap();
            let found = registrar.find(&picture).unwrap();
            assert_eq!(found.len(), 1, "{found:?}");
            (found[0].status, found[0].grounds)
        };
        let (status, grounds) = lies(std::slice::from_ref(own));
        assert_eq!(status, Status::Sure);
        assert!(grounds.is_some(), "not by its print");
        let twin = crate::copy::Surface {
            id: "twin".to_owned(),
            ..own.clone()
        };
        let (status, _) = lies(&[own.clone(), twin]);
        assert_eq!(status, Status::Unsure);
    }
}
