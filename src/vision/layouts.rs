//! What the displays of two teams say of each other: a station's are laid out alike, in other colours.

use opencv::{
    core::{self, Mat, Scalar, Size, Vector},
    imgcodecs, imgproc,
    prelude::*,
};

use super::{
    eye::VisionError,
    upright::{self, ByZones},
};
use crate::copy::{Copy, Surface, SurfaceKind};

/// Longer side of the pictures that are compared.
const LONG: f64 = 192.0;
/// Pixels of these by which edges are spread: two photographs are not flattened to the pixel.
const SPREAD: f64 = 1.5;
/// Correlation of edges from which two are laid out alike, and below which they are not; upright, the pairs of two copies have
/// 0.5 to 0.92, other stations' 0.76 at most, and pairs one of which is turned, but for one, 0.4.
const ALIKE: f64 = 0.6;
const UNLIKE: f64 = 0.3;
/// Deviation of the strength of edges below which there is no print.
const PLAIN: f64 = 1.0;
/// By so much the one must be likelier than the other.
const CLEARLY: f64 = 0.15;
/// What the proportions of two such displays differ by at most.
pub(super) const PROPORTIONS: f64 = 1.05;

/// What is odd about a display's reference picture, by the other teams' displays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Odd {
    /// It is laid out as that one is, upside down.
    Turned(String),
    /// It is said to be of the same station as `same`, and is laid out as `like`, which is of another.
    Another { same: String, like: String },
    /// It is not laid out as that one of the same station is, where other stations' are.
    Unlike(String),
    /// It is a board's, and is laid out as that display is.
    Display(String),
    /// Upside down, its zones' outlines, or its marked squares, would lie on what is printed, and as it is they do not.
    ZonesTurned,
    /// Its zones do not lie on what is printed, and those of that one, which is of another station, do.
    ZonesOf(String),
}

/// Reference pictures that are odd, by the ids of their surfaces. A picture that cannot be read is passed over.
///
/// # Errors
/// Only where a library fails.
pub fn odd_layouts(copy: &Copy) -> Result<Vec<(String, Odd)>, VisionError> {
    let mut seen: Vec<(&Surface, Mat)> = Vec::new();
    for surface in &copy.surfaces {
        if let Some(edges) = edges(surface, LONG)? {
            seen.push((surface, edges));
        }
    }
    let displays = || {
        let displays = seen.iter();
        displays.filter(|(s, _)| s.kind == SurfaceKind::Display)
    };
    let mut odd = Vec::new();
    let (mut boards, mut stations, mut upside_down) = (Vec::new(), 0, 0);
    // each pair once: who photographed them knows which of them it is
    let mut pairs: Vec<([&str; 2], f64)> = Vec::new();
    for (a, edges) in displays() {
        let Some((team, station)) = a.means.split_once('.') else {
            continue;
        };
        let (mut same, mut likest): (Option<(&str, f64)>, Option<(&str, f64)>) = (None, None);
        for (b, others) in displays() {
            let Some((other, of)) = b.means.split_once('.').filter(|(t, _)| *t != team) else {
                continue;
            };
            let upright = correlation(edges, others)?;
            if of != station {
                if proportion(a, b) < PROPORTIONS && likest.is_none_or(|(_, c)| upright > c) {
                    likest = Some((&b.id, upright));
                }
                continue;
            }
            same = Some((&b.id, upright));
            if team < other {
                stations += 1;
                let turned = correlation(edges, &half_turned(others)?)?;
                if turned > ALIKE && turned > upright + CLEARLY {
                    upside_down += 1;
                    odd.push((a.id.clone(), Odd::Turned(b.id.clone())));
                } else {
                    pairs.push(([&a.id, &b.id], upright));
                }
            }
        }
        if let (Some((same, upright)), Some((like, c))) = (same, likest)
            && c > ALIKE
            && c > upright + CLEARLY
        {
            let (same, like) = (same.to_owned(), like.to_owned());
            odd.push((a.id.clone(), Odd::Another { same, like }));
        }
    }
    for (board, edges) in seen.iter().filter(|(s, _)| s.kind == SurfaceKind::Board) {
        let mut likest: Option<(&str, f64)> = None;
        for (display, others) in displays() {
            let c = correlation(edges, others)?;
            if proportion(board, display) < PROPORTIONS && likest.is_none_or(|(_, most)| c > most) {
                likest = Some((&display.id, c));
            }
        }
        if let Some((display, _)) = likest.filter(|(_, c)| *c > ALIKE) {
            boards.push((board.id.clone(), Odd::Display(display.to_owned())));
        }
    }
    let alike = pairs.iter().filter(|(_, c)| *c > ALIKE).count();
    for ([a, b], c) in pairs {
        let told = odd.iter().any(|(id, _)| id == a || id == b);
        if c < UNLIKE && !told {
            odd.push((a.to_owned(), Odd::Unlike(b.to_owned())));
        }
    }
    // teams whose displays are laid out each in its own way say nothing of each other
    if 2 * (alike + upside_down) < stations {
        odd.clear();
    }
    odd.extend(boards);
    // which of two it is, its zones say
    let mut printed: Vec<&str> = Vec::new();
    for surface in &copy.surfaces {
        match upright::by_zones(surface, copy)? {
            ByZones::Nothing => {}
            ByZones::Printed => printed.push(&surface.id),
            ByZones::Odd(why) => {
                odd.retain(|(x, of)| {
                    let other = match of {
                        Odd::Turned(y) | Odd::Unlike(y) => Some(y),
                        _ => None,
                    };
                    *x != surface.id && other != Some(&surface.id)
                });
                odd.push((surface.id.clone(), why));
            }
        }
    }
    let is_printed = |id: &String| printed.contains(&id.as_str());
    odd.retain(|(x, of)| match of {
        // two prints of one station need not be alike
        Odd::Unlike(y) => !(is_printed(x) && is_printed(y)),
        Odd::Another { .. } => !is_printed(x),
        _ => true,
    });
    Ok(odd)
}

/// Whether two surfaces are displays of two stations.
pub(super) fn is_of_another(a: &Surface, b: &Surface) -> bool {
    let station = |s: &Surface| s.means.split_once('.').map(|(_, of)| of.to_owned());
    let displays = [a, b].iter().all(|s| s.kind == SurfaceKind::Display);
    displays && station(a).is_some() && station(a) != station(b)
}

/// By what the proportions of two surfaces differ, 1 where they are the same.
pub(super) fn proportion(a: &Surface, b: &Surface) -> f64 {
    let of = |s: &Surface| s.size_mm[0] / s.size_mm[1];
    (of(a) / of(b)).max(of(b) / of(a))
}

/// How much of an edge is where on a surface's reference picture, whatever its colours are; its longer side gets so many pixels.
/// `None` where nothing is printed, or the picture cannot be read.
pub(super) fn edges(surface: &Surface, long: f64) -> Result<Option<Mat>, VisionError> {
    let Some(reference) = &surface.reference else {
        return Ok(None);
    };
    let grey = imgcodecs::imread(reference, imgcodecs::IMREAD_GRAYSCALE)?;
    if grey.empty() {
        return Ok(None);
    }
    let [w, h] = surface.size_mm;
    let k = long / w.max(h);
    let size = Size::new(
        (w * k).round().max(8.0) as i32,
        (h * k).round().max(8.0) as i32,
    );
    let (mut small, mut smooth) = (Mat::default(), Mat::default());
    imgproc::resize(&grey, &mut small, size, 0.0, 0.0, imgproc::INTER_AREA)?;
    imgproc::gaussian_blur_def(&small, &mut smooth, Size::new(0, 0), 1.0)?;
    let mut across = Vector::<Mat>::new();
    for [x, y] in [[1, 0], [0, 1]] {
        let mut slope = Mat::default();
        imgproc::sobel_def(&smooth, &mut slope, core::CV_32F, x, y)?;
        across.push(slope);
    }
    let (mut strength, mut spread) = (Mat::default(), Mat::default());
    core::magnitude(&across.get(0)?, &across.get(1)?, &mut strength)?;
    imgproc::gaussian_blur_def(&strength, &mut spread, Size::new(0, 0), SPREAD)?;
    // where there are none, it is like everything
    let (mut mean, mut deviation) = (Scalar::default(), Scalar::default());
    core::mean_std_dev_def(&spread, &mut mean, &mut deviation)?;
    Ok((deviation[0] > PLAIN).then_some(spread))
}

pub(super) fn half_turned(edges: &Mat) -> Result<Mat, VisionError> {
    let mut turned = Mat::default();
    core::rotate(edges, &mut turned, core::ROTATE_180)?;
    Ok(turned)
}

/// Of two pictures' edges, -1 to 1; one is stretched to the other's size.
fn correlation(a: &Mat, b: &Mat) -> Result<f64, VisionError> {
    let (mut as_large, mut out) = (Mat::default(), Mat::default());
    imgproc::resize(b, &mut as_large, a.size()?, 0.0, 0.0, imgproc::INTER_AREA)?;
    let none = core::no_array();
    imgproc::match_template(a, &as_large, &mut out, imgproc::TM_CCOEFF_NORMED, &none)?;
    Ok(f64::from(*out.at_2d::<f32>(0, 0)?))
}

#[cfg(test)]
mod tests {
    use geo::{Centroid, MapCoordsInPlace};

    use super::*;
    use crate::copy::{load, shipped};

    fn at<'a>(copy: &'a mut Copy, id: &str) -> &'a mut Surface {
        let mut all = copy.surfaces.iter_mut();
        all.find(|s| s.id == id).expect("a display")
    }

    #[test]
    fn a_display_upside_down_or_of_another_station_is_noticed() {
        let practice = || load(&shipped("practice")).unwrap();
        assert_eq!(odd_layouts(&practice()).unwrap(), []);

        let mut copy = practice();
        let helm = at(&mut copy, "white-helm").reference.clone().unwrap();
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("helm.png");
        let picture = imgcodecs::imread(&helm, imgcodecs::IMREAD_COLOR).unwrap();
        imgcodecs::imwrite_def(&file, &half_turned(&picture).unwrap()).unwrap();
        at(&mut copy, "white-helm").reference = Some(file);
        let said = odd_layouts(&copy).unwrap();
        assert_eq!(said, [("white-helm".to_owned(), Odd::ZonesTurned)]);
        // where nobody has drawn zones, the other team's display tells
        for id in ["white-helm", "black-helm"] {
            at(&mut copy, id).zones.clear();
        }
        let said = odd_layouts(&copy).unwrap();
        assert_eq!(
            said,
            [(
                "black-helm".to_owned(),
                Odd::Turned("white-helm".to_owned())
            )]
        );

        // two displays of one team that were exchanged are not upside down, and nobody else's word is needed
        let mut copy = practice();
        let [helm, weapons] =
            ["white-helm", "white-weapons"].map(|id| at(&mut copy, id).reference.clone());
        at(&mut copy, "white-helm").reference = weapons;
        at(&mut copy, "white-weapons").reference = helm;
        let said = odd_layouts(&copy).unwrap();
        for (id, other) in [("white-helm", "weapons"), ("white-weapons", "helm")] {
            let why = said.iter().find(|(x, _)| x == id).map(|(_, why)| why);
            assert!(
                matches!(why, Some(Odd::ZonesOf(of)) if of.ends_with(other)),
                "{said:?}"
            );
        }

        // where nobody has drawn zones, the other team's displays tell
        let mut copy = practice();
        let weapons = at(&mut copy, "white-weapons").reference.clone();
        at(&mut copy, "white-helm").reference = weapons;
        for id in ["white-helm", "black-helm", "white-weapons", "black-weapons"] {
            at(&mut copy, id).zones.clear();
        }
        let said = odd_layouts(&copy).unwrap();
        let of_another = Odd::Another {
            same: "black-helm".to_owned(),
            like: "black-weapons".to_owned(),
        };
        assert_eq!(said.first(), Some(&("white-helm".to_owned(), of_another)));

        let mut copy = practice();
        let board = at(&mut copy, "board").reference.clone();
        at(&mut copy, "white-helm").reference = board;
        let said = odd_layouts(&copy).unwrap();
        assert_eq!(
            said,
            [(
                "black-helm".to_owned(),
                Odd::Unlike("white-helm".to_owned())
            )]
        );

        // a team whose display is another's mirrored has it so: its zones lie on its print
        let mut copy = practice();
        let weapons = at(&mut copy, "white-weapons");
        let picture =
            imgcodecs::imread(weapons.reference.as_ref().unwrap(), imgcodecs::IMREAD_COLOR)
                .unwrap();
        let (mut mirrored, file) = (Mat::default(), dir.path().join("weapons.png"));
        core::flip(&picture, &mut mirrored, 0).unwrap();
        imgcodecs::imwrite_def(&file, &mirrored).unwrap();
        weapons.reference = Some(file);
        let mut by_others = copy.clone();
        for id in ["white-weapons", "black-weapons"] {
            at(&mut by_others, id).zones.clear();
        }
        assert_ne!(odd_layouts(&by_others).unwrap(), []);
        let weapons = at(&mut copy, "white-weapons");
        let high = weapons.size_mm[1];
        for zone in &mut weapons.zones {
            zone.polygon_mm
                .map_coords_in_place(|c| geo::coord! { x: c.x, y: high - c.y });
        }
        assert_eq!(odd_layouts(&copy).unwrap(), []);

        let mut copy = practice();
        let helm = at(&mut copy, "white-helm").clone();
        let board = at(&mut copy, "board");
        (board.reference, board.size_mm) = (helm.reference, helm.size_mm);
        let said = odd_layouts(&copy).unwrap();
        assert_eq!(
            said,
            [("board".to_owned(), Odd::Display("white-helm".to_owned()))]
        );
    }
    #[test]
    fn a_board_without_zones_is_upside_down_by_its_marked_squares() {
        let mut copy = load(&shipped("practice")).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let board = at(&mut copy, "board");
        board.zones.clear();
        let [w, h] = board.size_mm.map(|v| (v * 3.0).round() as i32);
        let white = Scalar::all(255.0);
        let mut picture = Mat::new_rows_cols_with_default(h, w, core::CV_8UC3, white).unwrap();
        let grid = board.grid.as_mut().unwrap();
        grid.marked.retain(|m| m.square[0] < 5);
        for mark in &grid.marked {
            let at = grid.square(mark.square).centroid().unwrap();
            let at = core::Point::new((at.x() * 3.0) as i32, (at.y() * 3.0) as i32);
            let across = (grid.square_mm * 0.9) as i32;
            imgproc::circle_def(&mut picture, at, across, Scalar::all(0.0)).unwrap();
        }
        let mut said = |picture: &Mat| {
            let file = dir.path().join("board.png");
            imgcodecs::imwrite_def(&file, picture).unwrap();
            at(&mut copy, "board").reference = Some(file);
            odd_layouts(&copy).unwrap()
        };
        assert_eq!(said(&picture), []);
        let turned = half_turned(&picture).unwrap();
        assert_eq!(said(&turned), [("board".to_owned(), Odd::ZonesTurned)]);
    }
}
