//! What its neighbours, and what it lies on or within, say of a die: that it is less sure, or none.

use super::{
    Cube, Form, PieceSighting, Sighting, Stance, body::Bodies, detector::as_large, eye::BELIEVED,
};
use crate::{
    copy::{Shape, Status},
    geometry::Quad,
    rig::Sight,
};

/// A face is in the picture as far as its print goes if no corner is farther outside than this part of its side: prints leave
/// as much bare, and outlines are no better known.
const WHOLE: f64 = 0.08;

/// By how much of its side a corner of a top is farthest outside a picture of so many pixels.
pub(super) fn cut(top: &Quad, size_px: [u32; 2]) -> f64 {
    let [w, h] = size_px.map(|v| f64::from(v) - 1.0);
    let out = |v: f64, most: f64| (-v).max(v - most);
    let each = top.0.iter().map(|p| out(p.x, w).max(out(p.y, h)));
    each.fold(0.0, f64::max) / top.side().max(1e-9)
}

/// Nor is any sure that is cut by more than this part of its side, whatever is known of it: a pip may be beyond, and a 2 be a 1. Set by judgement.
const CUT: f64 = 0.2;

/// Whether the edge of a picture of so many pixels cuts it.
fn is_cut(s: &Sighting, size_px: [u32; 2]) -> bool {
    // an octahedron's polygon is wider than what is seen of its face
    s.shape != Shape::Octahedron && cut(&s.polygon, size_px) > WHOLE
}

/// Where nothing is known of what it lies on, none is sure that hardly looks like a die, or that the edge of a picture of so many pixels cuts.
pub(super) fn by_itself(s: &Sighting, size_px: [u32; 2]) -> bool {
    s.score < BELIEVED || is_cut(s, size_px)
}

/// None is sure that may well be no top for how it lies among the others; where that is not surely known, that hardly looks like a die and does not clearly lie
/// as one, is cut by the picture's edge, or lies in another plane than the other tops. How each lies, as it was read.
pub(super) fn by_stance(
    bodies: &Bodies,
    sight: &Sight,
    sightings: &mut [Sighting],
) -> Vec<Option<Stance>> {
    let size_px = sight.size_px();
    let stance = |s: &Sighting| bodies.stance(sight, s, sightings);
    let stances: Vec<_> = sightings.iter().map(stance).collect();
    let each = sightings.iter().zip(&stances);
    let doubtful = each.map(|(s, stance)| {
        let by_stance = stance.is_some_and(|stance| stance.is_doubtful());
        let much = stance.is_some() && cut(&s.polygon, size_px) > CUT;
        let firm = stance.is_some() && bodies.is_firm(sight, s);
        // a low score is outweighed by how clearly it lies as a top; no other doubt is
        let faint = || s.score < BELIEVED && !stance.is_some_and(|stance| bodies.is_clear(&stance));
        let by_itself = || faint() || is_cut(s, size_px) || bodies.is_askew(s, sightings);
        by_stance || much || !firm && by_itself()
    });
    let doubtful: Vec<bool> = doubtful.collect();
    for (s, _) in sightings.iter_mut().zip(doubtful).filter(|(_, d)| *d) {
        s.reading.doubt();
    }
    stances
}

/// Where the face of a die that another stands on is seen, from that one's own, in halves of an edge's height: two, or about that; by how much
/// of a side it may be beside that; the least score of what may be such a die; and how many standard errors are to reach so far.
const UNDER: std::ops::RangeInclusive<f64> = 1.2..=2.8;
const ASIDE: f64 = 0.35;
const PERHAPS: f64 = 0.2;
const DEVIATIONS: f64 = 3.0;
/// What has a top face so near, as a part of its side, is a die by itself.
const ITSELF: f64 = 0.5;

/// Says of dice under which another one is seen that they may stand on it: their feet are then nearer to the camera by as much as
/// an edge's height is seen long. What is seen there and is a die by itself, with a top face of its own, is none.
pub(super) fn stacked(cubes: &[Cube], sightings: &mut [Sighting]) {
    let tops: Vec<Quad> = sightings.iter().map(|s| s.polygon).collect();
    for (i, s) in sightings.iter_mut().enumerate() {
        let side = s.polygon.side();
        let under = |c: &&Cube| {
            let face = c.face.centre();
            // half an edge's height, as it is seen
            let down = c.middle - face;
            let off = face - s.polygon.centre();
            let halves = off.dot(&down) / down.norm_squared().max(1e-9);
            let beside = (off - down * halves).norm();
            UNDER.contains(&halves)
                && beside < ASIDE * side
                && tops
                    .iter()
                    .enumerate()
                    .all(|(j, top)| j == i || (top.centre() - face).norm() > ITSELF * top.side())
        };
        let edge = cubes.iter().filter(|c| c.score >= PERHAPS).filter(under);
        let edge = edge.map(|c| 2.0 * (c.middle - c.face.centre()).norm());
        if let Some(edge) = edge.reduce(f64::max) {
            s.error = s.error.hypot(edge / side / DEVIATIONS);
        }
    }
}

/// What of a ship's square its hull may take up.
const HULL: f64 = 0.8;

/// No die stands where a ship surely does: a window of its hull, or a flag, was taken for one.
pub(super) fn on_ships(pieces: &[PieceSighting], sightings: &mut [Sighting]) {
    let ships = pieces.iter();
    let ships = ships.filter(|p| p.form == Form::Ship && p.status == Status::Sure);
    for ship in ships {
        for s in sightings.iter_mut() {
            if ship.polygon.scaled(HULL).contains(s.polygon.centre()) {
                s.reading.doubt();
            }
        }
    }
}

/// What of a token's width, about its middle, a die on it would hide.
const HIDES: f64 = 0.6;

/// What is this much narrower than a token may be on it, or printed on it, and is not what was taken for the token.
const NARROWER: f64 = 0.8;

/// No die stands on a token all of whose print is seen: dots on it were taken for a die's. Where it is not sure which token it is, a die as
/// wide as it may be what is there, and none is sure.
pub(super) fn on_bare_tokens(pieces: &[PieceSighting], sightings: &mut Vec<Sighting>) {
    for token in pieces.iter().filter(|p| p.bare) {
        let print = token.polygon.scaled(HIDES);
        let surely = token.status == Status::Sure;
        let narrow = |s: &Sighting| s.polygon.side() < NARROWER * token.polygon.side();
        let stays = |s: &Sighting| !narrow(s) || s.reading.status == Status::Sure;
        sightings.retain(|s| !print.contains(s.polygon.centre()) || !surely && stays(s));
        for s in sightings.iter_mut() {
            if print.contains(s.polygon.centre()) {
                s.reading.doubt();
            }
        }
    }
}

/// So many dice that can be read lie on a card, and are no print of a die's.
const ON_A_CARD: usize = 2;

/// Of two of which the smaller is seen within the larger one is no die: a card with dice on it looks like a large one with a print, and
/// what is printed on a die like a small one. What can be read is the die; of two that cannot, what looks more like one.
pub(super) fn within_another(sightings: &mut Vec<Sighting>) {
    let read = |s: &Sighting| matches!(s.reading.status, Status::Sure | Status::Unsure);
    let mut gone = vec![false; sightings.len()];
    for (i, large) in sightings.iter().enumerate() {
        let inside = |s: &Sighting| {
            let is_less = s.polygon.side() < large.polygon.side();
            is_less
                && !as_large(&s.polygon, &large.polygon)
                && large.polygon.contains(s.polygon.centre())
        };
        let within: Vec<usize> = (0..sightings.len())
            .filter(|j| sightings.get(*j).is_some_and(inside))
            .collect();
        let within = || within.iter().filter_map(|j| Some((*j, sightings.get(*j)?)));
        let legible = within().filter(|(_, s)| read(s)).count();
        let rival = within().map(|(_, s)| s.score).fold(0.0, f64::max);
        let is_a_card = match large.reading.status {
            Status::Sure => false,
            Status::Unsure => legible >= ON_A_CARD,
            _ => legible > 0 || rival > large.score,
        };
        let mut go = |k: usize| gone.get_mut(k).into_iter().for_each(|g| *g = true);
        match is_a_card {
            true => go(i),
            false => within().for_each(|(j, _)| go(j)),
        }
    }
    let mut gone = gone.into_iter();
    sightings.retain(|_| !gone.next().unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{geometry::Point, vision::Reading};

    fn square(x: f64, y: f64, side: f64) -> Quad {
        Quad::from_pairs([[x, y], [x + side, y], [x + side, y + side], [x, y + side]])
    }

    fn sure(polygon: Quad) -> Sighting {
        Sighting {
            shape: Shape::D6,
            score: 0.9,
            there: 0.9,
            polygon,
            error: 0.03,
            reading: Reading {
                kind: None,
                face: None,
                status: Status::Sure,
                confidence: 1.0,
                kind_sure: true,
                likeness: 0.9,
                next: None,
                others: Vec::new(),
                alike_after_deg: 360,
            },
        }
    }

    fn piece(form: Form, status: Status) -> PieceSighting {
        PieceSighting {
            surface: "board".into(),
            form,
            what: Some("white".into()),
            may_be: Vec::new(),
            status,
            confidence: 0.99,
            at_mm: [100.0, 100.0],
            error_mm: 1.0,
            size_mm: 40.0,
            heading_deg: Some(0.0),
            heading_sure: true,
            polygon: square(0.0, 0.0, 100.0),
            bare: form == Form::Token,
        }
    }

    #[test]
    fn what_hardly_looks_like_a_die_or_is_cut_is_doubted_by_itself() {
        let doubted = |score, x: f64| {
            let die = Sighting {
                score,
                ..sure(square(x, 20.0, 40.0))
            };
            by_itself(&die, [200, 100])
        };
        assert!(doubted(0.45, 20.0) && !doubted(0.55, 20.0));
        // by three pixels of forty, and by four, on either side
        assert_eq!([-3.0, -4.0].map(|x| doubted(0.9, x)), [false, true]);
        assert_eq!([162.0, 163.0].map(|x| doubted(0.9, x)), [false, true]);
    }

    #[test]
    fn a_die_under_which_another_is_seen_may_stand_on_it() {
        // its side is seen 20 pixels high; what it stands on has its own face there, hidden by it
        let below = |score, y: f64| Cube {
            surface: "helm".into(),
            score,
            face: square(0.0, y, 40.0),
            middle: Point::new(20.0, y + 30.0),
        };
        let error = |cubes: &[Cube], others: &[Quad]| {
            let mut dice: Vec<Sighting> = [square(0.0, 0.0, 40.0)]
                .iter()
                .chain(others)
                .map(|q| sure(*q))
                .collect();
            stacked(cubes, &mut dice);
            dice[0].error
        };
        let alone = error(&[], &[]);
        assert!(error(&[below(0.6, 20.0)], &[]) > 0.15);
        for (cubes, others) in [
            (below(0.1, 20.0), vec![]),
            (below(0.6, 50.0), vec![]),
            // a die by itself, nearer to the camera
            (below(0.6, 20.0), vec![square(0.0, 22.0, 40.0)]),
        ] {
            assert_eq!(error(&[cubes], &others), alone);
        }
    }

    #[test]
    fn a_window_of_a_ship_is_no_die() {
        let ship = |status| piece(Form::Ship, status);
        let statuses = |status| {
            let mut dice = [
                sure(square(40.0, 40.0, 20.0)),
                sure(square(110.0, 40.0, 40.0)),
            ];
            on_ships(&[ship(status)], &mut dice);
            dice.map(|d| d.reading.status)
        };
        assert_eq!(statuses(Status::Sure), [Status::Unsure, Status::Sure]);
        assert_eq!(statuses(Status::Unsure), [Status::Sure, Status::Sure]);
    }

    #[test]
    fn dots_of_a_token_are_no_die() {
        let beside = sure(square(110.0, 40.0, 40.0));
        let with = |die: Sighting, token: PieceSighting| {
            let mut dice = vec![die, beside.clone()];
            on_bare_tokens(&[token], &mut dice);
            dice.into_iter()
                .map(|d| d.reading.status)
                .collect::<Vec<_>>()
        };
        let (spot, as_wide) = (square(30.0, 35.0, 30.0), square(5.0, 5.0, 90.0));
        let left = |token| with(sure(spot), token);
        let token = |status| piece(Form::Token, status);
        assert_eq!(left(token(Status::Sure)), [Status::Sure]);
        assert_eq!(left(token(Status::Unsure)), [Status::Unsure, Status::Sure]);
        let mut unsure = sure(spot);
        unsure.reading.status = Status::Unsure;
        assert_eq!(with(unsure, token(Status::Unsure)), [Status::Sure]);
        // it may be a die whose face is like a token's
        assert_eq!(with(sure(as_wide), token(Status::Sure)), [Status::Sure]);
        assert_eq!(
            with(sure(as_wide), token(Status::Unsure)),
            [Status::Unsure, Status::Sure]
        );
        // a die hides the print of what it stands on
        let under = PieceSighting {
            bare: false,
            ..token(Status::Sure)
        };
        assert_eq!(left(under), [Status::Sure; 2]);
    }

    #[test]
    fn a_card_with_dice_on_it_is_none_and_neither_is_a_print() {
        let with = |status, score, polygon| {
            let mut s = sure(polygon);
            s.reading.status = status;
            s.score = score;
            s
        };
        let left = |card: (Status, f64), dice: &[(Status, f64)]| {
            let mut all = vec![with(card.0, card.1, square(0.0, 0.0, 200.0))];
            for (i, die) in dice.iter().enumerate() {
                all.push(with(
                    die.0,
                    die.1,
                    square(20.0 + 60.0 * i as f64, 40.0, 30.0),
                ));
            }
            within_another(&mut all);
            all.iter().map(|s| s.polygon.side()).collect::<Vec<_>>()
        };
        use Status::{Sure, Unknown, Unsure};
        let (card, die) = (200.0, 30.0);
        assert_eq!(left((Unknown, 0.9), &[(Unsure, 0.5)]), [die]);
        assert_eq!(left((Unsure, 0.9), &[(Sure, 0.5), (Unsure, 0.5)]), [die; 2]);
        // a print
        assert_eq!(left((Unsure, 0.9), &[(Sure, 0.9)]), [card]);
        assert_eq!(left((Sure, 0.9), &[(Sure, 0.9), (Sure, 0.9)]), [card]);
        // nothing is read
        assert_eq!(left((Unknown, 0.9), &[(Unknown, 0.5)]), [card]);
        assert_eq!(left((Unknown, 0.5), &[(Unknown, 0.9)]), [die]);
        // it is beside it, and no larger
        let mut beside = vec![
            with(Unknown, 0.9, square(0.0, 0.0, 40.0)),
            with(Sure, 0.5, square(50.0, 0.0, 30.0)),
        ];
        within_another(&mut beside);
        assert_eq!(beside.len(), 2);
    }
}
