//! Where zones and squares lie in the picture: to be drawn, and to be pointed at.

use super::{Session, SurfaceReport};
use crate::{
    geometry::{Homography, Point, Quad},
    rules::dice_duel::{Symbol, Zone},
};

/// A zone of a surface that is seen.
#[derive(Debug, Clone, PartialEq)]
pub struct ZoneOutline {
    pub zone: Zone,
    /// In pixels. The lens is left out: it is off by what the lens bends between the surface's corners.
    pub outline: Vec<Point>,
}

impl ZoneOutline {
    pub fn contains(&self, p: Point) -> bool {
        use geo::Contains;
        let ring = self.outline.iter().map(|p| (p.x, p.y)).collect();
        geo::Polygon::new(ring, Vec::new()).contains(&geo::Point::new(p.x, p.y))
    }
}

impl Session {
    /// The zones and squares of all surfaces that are seen, and these themselves, as far as Dice Duel knows them; small ones before
    /// those that hold them.
    pub fn zones(&self, surfaces: &[SurfaceReport]) -> Vec<ZoneOutline> {
        let mut zones: Vec<(f64, ZoneOutline)> = Vec::new();
        for seen in surfaces {
            let Some(surface) = self.surface(&seen.id) else {
                continue;
            };
            let [w, h] = surface.size_mm;
            let flat = Quad::from_pairs([[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]]);
            let Some(map) = Homography::between(&flat, &Quad::from_pairs(seen.corners)) else {
                continue;
            };
            let outlined = surface.regions().filter_map(|(name, polygon)| {
                use geo::Area;
                let zone = name.parse().ok()?;
                let mut ring = polygon
                    .exterior()
                    .points()
                    .map(|p| Point::new(p.x(), p.y()));
                let outline = ring.try_fold(Vec::new(), |mut all: Vec<Point>, p| {
                    all.push(map.apply(p)?);
                    Some(all)
                })?;
                Some((polygon.unsigned_area(), ZoneOutline { zone, outline }))
            });
            zones.extend(outlined);
            if let Ok(zone) = surface.means.parse() {
                let outline = Quad::from_pairs(seen.corners).0.to_vec();
                zones.push((w * h, ZoneOutline { zone, outline }));
            }
        }
        zones.sort_by(|a, b| a.0.total_cmp(&b.0));
        zones.into_iter().map(|(_, zone)| zone).collect()
    }

    /// What a die in a place of a display may show by the rules; nothing of other places.
    pub fn symbols_in(&self, zone: Zone) -> Vec<Symbol> {
        let of = |zone| match zone {
            Zone::On(_, spot) => Some(self.print.legal(spot)),
            _ => None,
        };
        of(zone).map(|s| s.symbols().collect()).unwrap_or_default()
    }
}
