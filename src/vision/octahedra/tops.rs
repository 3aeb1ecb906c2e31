//! Which of the faces that are seen are on top. A camera that looks from the side sees an octahedron's upper sides as well as its top, with their prints. But all
//! tops look the same way, up from the table, whichever way their dice are turned: the direction that most of them agree on is looked for.

use nalgebra::Vector3;

use super::solid::{Face, Looks};

/// Steps of the directions that are tried, degrees: from straight down, and round.
const TILT_STEP: usize = 3;
const MOST_TILT: usize = 66;
const ROUND_STEP: usize = 10;
/// How far off a face's direction may be, degrees: its own error, and that of a lens nobody has told of; and from which on it is no top.
const ERROR: f64 = 9.0;
const OTHERWISE: f64 = 28.0;
/// How far a side looks from where its top does (the angle of which a third is the cosine), and how much it counts that one does, as a part of what a top counts.
const SIDE_DEG: f64 = 70.53;
const A_SIDE: f64 = 0.5;
/// What a table is less likely for by its tilt (degrees at which that counts as much as half a face), and by having its far side elsewhere than up in the picture.
const USUAL_TILT: f64 = 45.0;
const UPRIGHT: f64 = 0.4;
/// Another direction, so far off (degrees), that is by less than this (faces that are surely read) less likely than the best: then nobody can say which is up.
const ELSEWHERE: f64 = 40.0;
const CLEARLY: f64 = 0.45;
/// What is seen within so many degrees of the line of sight need not be told by its neighbours: no side is seen more fully than its top then, the two being 70.5 apart.
const FULLY: f64 = 33.0;
/// Where the table is seen from farther off its normal, degrees, no face is surely a top.
const STEEP: f64 = 40.0;
/// The same of one whose die is the only one that is said to lie so.
const FULLY_ALONE: f64 = 20.0;

/// A face that was found: what it may look like, and how much it counts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub face: Face,
    /// Which way it looks, where its neighbours tell.
    pub looks: Option<Looks>,
    pub worth: f64,
}

/// Whether a face is on top.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lies {
    OnTop,
    /// It may be a side: nothing else says how the table lies.
    Perhaps,
    /// It is a side, or leans.
    Otherwise,
}

/// Which faces are on top, of a picture of that size.
pub(super) fn which(found: &[Found], size: [f64; 2]) -> Vec<Lies> {
    let ways = |f: &Found| match f.looks {
        Some(looks) => vec![f.face.normal(looks, size)],
        None => [Looks::Up, Looks::Down]
            .map(|l| f.face.normal(l, size))
            .to_vec(),
    };
    let ways: Vec<Vec<Vector3<f64>>> = found.iter().map(ways).collect();
    let off = |ways: &[Vector3<f64>], up: &Vector3<f64>| {
        let all = ways.iter().map(|n| n.angle(up).to_degrees());
        all.fold(f64::MAX, f64::min)
    };
    let mut tried: Vec<(f64, Vector3<f64>)> = Vec::new();
    for tilt in (0..=MOST_TILT).step_by(TILT_STEP) {
        for round in (0..360).step_by(ROUND_STEP) {
            if tilt == 0 && round > 0 {
                break;
            }
            let (st, ct) = (tilt as f64).to_radians().sin_cos();
            let (sr, cr) = (round as f64).to_radians().sin_cos();
            // x right, y down, z away from the camera; 0 is a table whose far side is up in the picture
            let up = Vector3::new(st * sr, -st * cr, -ct);
            let fits = found.iter().zip(&ways).map(|(f, ways)| {
                let near = |deg: f64| {
                    let all = ways.iter().map(|n| n.angle(&up).to_degrees() - deg);
                    let off = all.map(f64::abs).fold(f64::MAX, f64::min) / ERROR;
                    (-0.5 * off * off).exp()
                };
                f.worth * near(0.0).max(A_SIDE * near(SIDE_DEG))
            });
            let tilted = tilt as f64 / USUAL_TILT;
            let unlikely = 0.5 * tilted * tilted + UPRIGHT * st * (1.0 - cr) / 2.0;
            tried.push((fits.sum::<f64>() - unlikely, up));
        }
    }
    let Some((most, up)) = tried.iter().max_by(|a, b| a.0.total_cmp(&b.0)).copied() else {
        return Vec::new();
    };
    let elsewhere = tried
        .iter()
        .filter(|t| t.1.angle(&up).to_degrees() > ELSEWHERE);
    let next = elsewhere.map(|t| t.0).fold(f64::MIN, f64::max);
    let open = next > most - CLEARLY;
    let flat: Vec<bool> = ways.iter().map(|w| off(w, &up) < OTHERWISE).collect();
    // of one die's faces only one is its top: a side is seen further down than it, away from where up is
    let over = |f: &Found| f.face.middle().coords.dot(&up.xy());
    let top: Vec<bool> = (0..found.len())
        .map(|i| {
            let beside = |j: &usize| *j != i && found[i].face.is_beside(&found[*j].face);
            let mut others = (0..found.len()).filter(|j| flat[*j]).filter(beside);
            flat[i] && others.all(|j| over(&found[i]) > over(&found[j]))
        })
        .collect();
    let fully = match top.iter().filter(|t| **t).count() {
        0 | 1 => FULLY_ALONE,
        _ => FULLY,
    };
    let fully_seen = |face: &Face| {
        let table = face.sight(size).angle(&-up).to_degrees();
        table.max(face.off_deg()) < fully
    };
    // where the table is seen from so far aside, sides are seen as fully as tops, and may be found in their stead
    let steep = |face: &Face| face.sight(size).angle(&-up).to_degrees() > STEEP;
    let all = found.iter().zip(top);
    all.map(|(found, top)| match top {
        false => Lies::Otherwise,
        true if open || steep(&found.face) => Lies::Perhaps,
        true if found.looks.is_some() || fully_seen(&found.face) => Lies::OnTop,
        true => Lies::Perhaps,
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::{
        super::solid::tests::{SIZE, seen},
        *,
    };
    use crate::geometry::square_about;

    /// Whether each face of some dice is on top, and is said to be; with their neighbours' word on which way they look, or without.
    fn said(tilt: f64, told: bool, only_top: bool) -> Vec<(bool, Lies)> {
        let (s, c) = tilt.to_radians().sin_cos();
        let up = Vector3::new(0.0, -s, -c);
        let mut found = Vec::new();
        let mut top = Vec::new();
        let places = [
            [400.0, 300.0],
            [1000.0, 500.0],
            [1500.0, 800.0],
            [800.0, 900.0],
        ];
        for (i, at) in places.into_iter().enumerate() {
            for (k, (triangle, normal)) in seen(up, at, 0.7 * i as f64).into_iter().enumerate() {
                if only_top && k > 0 {
                    continue;
                }
                let face = Face::of(&square_about(triangle)).unwrap();
                let away = |l: Looks| face.normal(l, SIZE).angle(&normal);
                let looks = match away(Looks::Up) <= away(Looks::Down) {
                    true => Looks::Up,
                    false => Looks::Down,
                };
                found.push(Found {
                    face,
                    looks: Some(looks).filter(|_| told),
                    worth: 0.8,
                });
                top.push(k == 0);
            }
        }
        top.into_iter().zip(which(&found, SIZE)).collect()
    }

    #[test]
    fn tops_agree_and_sides_do_not() {
        for tilt in [5.0, 30.0, 50.0] {
            let (tops, sides): (Vec<_>, Vec<_>) = said(tilt, true, false)
                .into_iter()
                .partition(|(top, _)| *top);
            assert!(!tops.is_empty() && !sides.is_empty());
            assert!(
                sides.iter().all(|(_, lies)| *lies == Lies::Otherwise),
                "{tilt} degrees"
            );
            // of those that are seen as far aside as sides are, none is surely a top
            let told = |lies: Lies| tops.iter().filter(|(_, l)| *l == lies).count();
            match tilt < 10.0 {
                true => assert_eq!(told(Lies::OnTop), tops.len()),
                false => assert_eq!(told(Lies::Otherwise), 0, "{tilt} degrees"),
            }
            // by themselves they are doubted where they are seen from the side, and not taken for sides
            for (_, lies) in said(tilt, false, true) {
                assert_ne!(lies, Lies::Otherwise, "{tilt} degrees");
            }
        }
    }

    #[test]
    fn one_alone_that_is_seen_from_the_side_may_be_one() {
        let lies = |tilt: f64| {
            let (s, c) = tilt.to_radians().sin_cos();
            let (triangle, _) = seen(Vector3::new(0.0, -s, -c), [960.0, 540.0], 0.4)[0];
            let face = Face::of(&square_about(triangle)).unwrap();
            let found = Found {
                face,
                looks: None,
                worth: 0.9,
            };
            which(&[found], SIZE)[0]
        };
        assert_eq!(lies(15.0), Lies::OnTop);
        assert_eq!(lies(48.0), Lies::Perhaps);
    }
}
