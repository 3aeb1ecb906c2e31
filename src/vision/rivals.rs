//! Which of the things that were seen are one die, and which of them it is: it may be found twice, by two detectors, or beside a card or a part of a
//! neighbour that looks like one.

use super::{
    Reading, Sighting,
    detector::{Detection, as_large},
    eye::BELIEVED,
};
use crate::{
    copy::{Shape, Status},
    geometry::{Quad, covered},
};

/// A die that was found twice: its two top faces' middles are no further apart than this part of its side.
const SAME_DIE: f64 = 0.5;

/// Of two top faces neither hides more of the other, nor does an outline's error: two dice stand there. Set by judgement.
const BESIDE: f64 = 0.3;

/// Whether two outlines cover each other so far that one of them is no top face: two dice that touch do not, seen at a slant neither.
fn may_be_one(a: &Quad, b: &Quad) -> bool {
    let (one, other) = (a.polygon(), b.polygon());
    as_large(a, b) && covered(&one, &other).max(covered(&other, &one)) > BESIDE
}

/// Whether a die is seen where this would lie, or one of another shape that it may be a part of.
pub(super) fn is_seen(face: &Quad, sightings: &[Sighting]) -> bool {
    let is_part = |s: &Sighting| {
        let off = (s.polygon.centre() - face.centre()).norm();
        s.shape != Shape::D6 && off < ON_IT * s.polygon.side()
    };
    sightings
        .iter()
        .any(|s| may_be_one(&s.polygon, face) || is_part(s))
}

/// Adds what nobody saw before, unless a die is seen there that is sure, or looks more like one: what looks less like one goes, and this is not sure.
pub(super) fn add(mut new: Sighting, sightings: &mut Vec<Sighting>) {
    let is_rival = |s: &Sighting| may_be_one(&s.polygon, &new.polygon);
    let less = |s: &Sighting| s.reading.status != Status::Sure && s.there < new.there;
    if !sightings.iter().filter(|s| is_rival(s)).all(less) {
        return;
    }
    let before = sightings.len();
    sightings.retain(|s| !is_rival(s));
    if sightings.len() < before {
        // two outlines, two answers
        new.reading.doubt();
    }
    sightings.push(new);
}

/// What is nearer to the middle of a die's face than this part of its side is seen on that die.
const ON_IT: f64 = 0.9;

/// Whether something small is seen on an octahedron: a hexagon about its top face is all that is seen of it from above.
fn is_on(octahedron: &Sighting, s: &Sighting) -> bool {
    let middle = (octahedron.polygon.centre() - s.polygon.centre()).norm();
    middle < ON_IT * octahedron.polygon.side()
}

/// Which sighting may be of the die whose top face lies there: the nearest that is `taken` for no other one's. A card with dice on it may
/// look like a die about one of them.
pub(super) fn seen_at(
    face: &Quad,
    sightings: &[Sighting],
    taken: impl Fn(usize) -> bool,
) -> Option<usize> {
    let away = |s: &Sighting| (s.polygon.centre() - face.centre()).norm();
    let each = sightings.iter().enumerate();
    let near = each.filter(|(i, s)| {
        away(s) < SAME_DIE * face.side() && as_large(&s.polygon, face) && !taken(*i)
    });
    let nearest = near.min_by(|a, b| away(a.1).total_cmp(&away(b.1)));
    nearest.map(|(i, _)| i)
}

/// Adds octahedra that were found; what is printed on one may look like a die, and is none.
pub(super) fn stand_for_themselves(octahedra: Vec<Sighting>, sightings: &mut Vec<Sighting>) {
    sightings.retain(|s| !octahedra.iter().any(|o| is_on(o, s)));
    sightings.extend(octahedra);
}

/// Of sightings of the same die, the best: two outlines of it may be refined to one. It is not sure where another is
/// sure of something else.
pub(super) fn each_once(mut sightings: Vec<Sighting>) -> Vec<Sighting> {
    sightings.sort_by(|a, b| b.there.total_cmp(&a.there));
    let mut kept: Vec<Sighting> = Vec::new();
    for s in sightings {
        let same = |k: &Sighting| {
            let side = s.polygon.side().min(k.polygon.side());
            let near = (s.polygon.centre() - k.polygon.centre()).norm() < SAME_DIE * side;
            near && as_large(&s.polygon, &k.polygon)
        };
        match kept.iter_mut().find(|k| same(k)) {
            None => kept.push(s),
            Some(k) if s.score >= BELIEVED && disagree(&k.reading, &s.reading) => {
                k.reading.doubt();
            }
            Some(_) => {}
        }
    }
    kept
}

/// The score of what two detectors hold for a die, of which one has not seen the print of what it lies on: log-odds add up,
/// and the other one's doubt counts for nothing, since it is much oftener wrong where dice touch.
pub(super) fn together(score: f64, on_surface: f64) -> f64 {
    let odds = |p: f64| {
        let p = p.clamp(1e-6, 1.0 - 1e-6);
        (p / (1.0 - p)).ln()
    };
    let both = odds(score) + odds(on_surface).max(0.0);
    1.0 / (1.0 + (-both).exp())
}

/// What two detectors found: where one has a cube and the other another die, what the surer one has.
pub(super) fn either(
    mut cubes: Vec<Detection>,
    mut others: Vec<Detection>,
) -> (Vec<Detection>, Vec<Detection>) {
    let same = |a: &Detection, b: &Detection| {
        (a.centre - b.centre).norm() < SAME_DIE * a.face.side().max(b.face.side())
    };
    let rivals = cubes.clone();
    cubes.retain(|c| !others.iter().any(|o| same(c, o) && o.score >= c.score));
    others.retain(|o| !rivals.iter().any(|c| same(c, o) && c.score > o.score));
    (cubes, others)
}

/// Whether both are sure, of different things.
fn disagree(a: &Reading, b: &Reading) -> bool {
    let sure = [a, b].iter().all(|r| r.status == Status::Sure);
    let kind_sure = [a, b].iter().all(|r| r.kind_sure);
    sure && (&a.kind, &a.face) != (&b.kind, &b.face) || kind_sure && a.kind != b.kind
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(x: f64, there: f64) -> Sighting {
        Sighting {
            shape: Shape::D6,
            score: 0.9,
            there,
            polygon: Quad::from_pairs([[x, 0.0], [x + 40.0, 0.0], [x + 40.0, 40.0], [x, 40.0]]),
            error: 0.03,
            reading: Reading {
                kind: None,
                face: None,
                status: Status::Unknown,
                confidence: 0.0,
                kind_sure: false,
                likeness: 0.0,
                next: None,
                others: Vec::new(),
                alike_after_deg: 360,
            },
        }
    }

    #[test]
    fn a_die_that_stands_there_is_no_card_that_looks_like_one() {
        let die = seen(0.0, 0.9);
        let mut card = seen(0.0, 0.99);
        card.polygon = die.polygon.scaled(7.0);
        let face = Quad::from_pairs([[3.0, 2.0], [43.0, 2.0], [43.0, 42.0], [3.0, 42.0]]);
        let free = |_| false;
        assert_eq!(seen_at(&face, &[card.clone()], free), None);
        let all = [card, seen(15.0, 0.9), die];
        assert_eq!(seen_at(&face, &all, free), Some(2));
        assert_eq!(seen_at(&face, &all, |i| i == 2), Some(1));
        assert_eq!(seen_at(&face, &[seen(30.0, 0.9)], free), None);
    }

    #[test]
    fn two_outlines_that_are_sure_of_different_faces_are_not_sure() {
        let sure = |x: f64, there: f64, face: &str| {
            let mut s = seen(x, there);
            s.reading.status = Status::Sure;
            s.reading.face = Some(face.to_owned());
            s
        };
        let status = |faces: [&str; 2]| {
            let both = vec![sure(0.0, 0.9, faces[0]), sure(4.0, 0.7, faces[1])];
            let once = each_once(both);
            assert_eq!(once.len(), 1);
            once[0].reading.status
        };
        assert_eq!(status(["3", "5"]), Status::Unsure);
        assert_eq!(status(["3", "3"]), Status::Sure);
        // nor of its kind, where that alone was
        let of = |x: f64, kind: &str| {
            let mut s = seen(x, 0.9 - x / 100.0);
            (s.reading.status, s.reading.kind_sure) = (Status::Unsure, true);
            s.reading.kind = Some(kind.to_owned());
            s
        };
        let kind_sure = |kinds: [&str; 2]| {
            each_once(vec![of(0.0, kinds[0]), of(4.0, kinds[1])])[0]
                .reading
                .kind_sure
        };
        assert!(kind_sure(["helm", "helm"]) && !kind_sure(["helm", "energy"]));
    }

    #[test]
    fn two_detectors_believe_more_than_one_and_doubt_no_more() {
        assert!(together(0.45, 0.45) < BELIEVED);
        assert!(together(0.45, 0.6) > BELIEVED);
        assert!((together(0.8, 0.1) - 0.8).abs() < 1e-9);
    }

    #[test]
    fn dice_that_touch_are_two_at_a_slant_too() {
        let deep = |y: f64, there: f64, status: Status| {
            let mut s = Sighting {
                polygon: Quad::from_pairs([[0.0, y], [40.0, y], [40.0, y + 16.0], [0.0, y + 16.0]]),
                ..seen(0.0, there)
            };
            s.reading.status = status;
            s
        };
        let after = |old: Sighting, new: Sighting| {
            let mut all = vec![old];
            add(new, &mut all);
            let each = all.iter().map(|s| (s.there, s.reading.status));
            each.collect::<Vec<_>>()
        };
        use Status::{Sure, Unsure};
        // 16 of the 25 pixels of their side apart
        let both = after(deep(0.0, 0.9, Sure), deep(16.0, 0.8, Sure));
        assert_eq!(both, [(0.9, Sure), (0.8, Sure)]);
        // what lies over half of it is one of them only, and not sure that it is that
        let first = after(deep(0.0, 0.9, Unsure), deep(8.0, 0.8, Sure));
        assert_eq!(first, [(0.9, Unsure)]);
        let new = after(deep(0.0, 0.7, Unsure), deep(8.0, 0.8, Sure));
        assert_eq!(new, [(0.8, Unsure)]);
        let sure = after(deep(0.0, 0.7, Sure), deep(8.0, 0.8, Sure));
        assert_eq!(sure, [(0.7, Sure)]);
    }

    #[test]
    fn what_is_on_another_shape_is_seen() {
        let mut large = seen(0.0, 0.9);
        large.polygon = large.polygon.scaled(2.0);
        let face = seen(10.0, 0.9).polygon;
        assert!(!is_seen(&face, &[large.clone()]), "a card about a die");
        large.shape = Shape::D8;
        assert!(is_seen(&face, &[large]));
        assert!(is_seen(&face, &[seen(0.0, 0.9)]) && !is_seen(&face, &[seen(60.0, 0.9)]));
    }

    #[test]
    fn a_die_that_was_found_twice_is_one() {
        let once = each_once(vec![seen(0.0, 0.7), seen(40.0, 0.6), seen(4.0, 0.9)]);
        let at: Vec<f64> = once.iter().map(|s| s.polygon.0[0].x).collect();
        assert_eq!(at, [4.0, 40.0]);
        // a pip in the middle of a face is another thing, whichever looks more like a die
        let pip = Sighting {
            polygon: seen(0.0, 0.0).polygon.scaled(0.2),
            ..seen(0.0, 0.95)
        };
        assert_eq!(each_once(vec![seen(0.0, 0.7), pip]).len(), 2);
    }
}
