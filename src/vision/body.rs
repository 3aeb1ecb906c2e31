//! Dice as bodies: how what was read would stand as a top face of its kind's size, and what can be none.

use std::collections::BTreeMap;

use nalgebra::Vector2;

use super::{
    Sighting, plane,
    stance::{Stance, flatter},
};
use crate::{
    copy::{Copy, Prints, Shape, Status},
    geometry::{Point, Quad, View},
    rig::{Sight, Tray},
};

/// What is this much smaller or larger than any of the copy's dice is none of them, whatever its print is like: sizes as they are seen
/// differ from a die's by a third at most ([`super::stance`]), and an emblem on a card that was taken for a die was 1.8 times as large. Set by judgement.
const FOREIGN: f64 = 0.6;

/// What is so near to a square where a top would lie (as a part of its side) is no side, however badly its outline is known: of 962 tops on three made copies
/// (`tables.py --seed 4750 --copies 5 --edges --die-mm 16`, the first three) that were surely read two fit worse and a side better, of 311 on the other two
/// none; of eight sides that were surely read five do.
const HARDLY_SKEWED: f64 = 0.04;

/// Pixels that a corner is known to, at best.
const CORNER_PX: f64 = 1.0;

/// That it is not well known where a die stands excuses no more than this part of an edge of its standing within another: the worse an
/// outline, the likelier it is of no top. Set by judgement: twice what the feet of sure dice of made copies are off in the middle.
const EXCUSED: f64 = 0.08;

/// A side of a die is no farther from it, if it is taken for a top, than this many times as far as two that touch: 60 degrees off the vertical it is
/// 1.4 times as far.
const APART: f64 = 1.5;

/// Where a die seems to stand whose side is taken for its top: before it, so many times as far as two that touch, and beside it by so much at most. Set by
/// judgement: it is seen at 45 degrees and more.
const BEFORE: std::ops::RangeInclusive<f64> = 0.4..=1.75;
const ASIDE: f64 = 0.75;

/// An outline is badly known whose corners are off by more than this part of a side, as it is told of itself. Set by judgement.
const VAGUE: f64 = 0.1;

/// What is known of a copy's dice as bodies.
pub(super) struct Bodies {
    /// Edges of its cubes by kind, millimetres.
    edges: BTreeMap<String, f64>,
    /// Whether its dice are as large as that: pip dice that stand for any are not.
    measured: bool,
}

/// A die on the plane of a surface.
struct Body {
    edge_mm: f64,
    foot: Point,
    error_mm: f64,
}

impl Body {
    /// Away from the camera, on the plane: there its top is seen, since what is higher is seen farther away.
    fn away(&self, view: &View) -> Option<Vector2<f64>> {
        let top = view.pixel(self.foot, self.edge_mm)?;
        Some(view.meets(top, 0.0, CORNER_PX)?.at - self.foot)
    }
}

impl Bodies {
    pub fn of(copy: &Copy) -> Self {
        let cubes = copy.dice.iter().filter(|d| d.shape == Shape::D6);
        Self {
            edges: cubes.map(|d| (d.kind.clone(), d.size_mm)).collect(),
            measured: copy.prints == Prints::Any,
        }
    }

    /// Whether it is surely known how large its top would be seen: dice of that size alone, and a surface that is surely found.
    pub fn is_firm(&self, sight: &Sight, s: &Sighting) -> bool {
        let at = s.polygon.centre();
        let nearest = sight.plane_near(at).zip(sight.sure_plane_near(at));
        self.measured && nearest.is_some_and(|(near, sure)| std::ptr::eq(near, sure))
    }

    /// Whether a stance is clear enough to bear out a surface that is not surely found: of dice of one size alone.
    pub fn is_clear(&self, stance: &Stance) -> bool {
        self.measured && stance.is_clear()
    }

    /// How a cube's top lies for what is known of it; nothing where no surface is in sight, or of what is no cube of the copy's. That it would stand
    /// within another one is no more than a witness: of 30 that were doubted for that alone on 21 made copies 27 were right.
    pub fn stance(&self, sight: &Sight, s: &Sighting, all: &[Sighting]) -> Option<Stance> {
        let view = sight.plane_near(s.polygon.centre())?;
        let edge = *self.edges.get(s.reading.kind.as_ref()?)?;
        let flat = laid_flat(view, s, edge)?;
        let size = if self.measured {
            (flat.side() / edge).max(1e-6).ln()
        } else {
            0.0
        };
        let upright = upright(view, s, edge)?;
        let skewed = flat.out_of_square() / flat.side();
        Some(Stance {
            score: s.score,
            size,
            skewed,
            flatter: flatter(skewed, upright),
            may_be_a_side: self.may_be_a_side(view, s, all),
        })
    }

    /// Whether what was read stands before another one as that one's side would seem to.
    fn may_be_a_side(&self, view: &View, s: &Sighting, all: &[Sighting]) -> bool {
        let Some(own) = self.body(view, s) else {
            return false;
        };
        let others = all.iter().filter(|o| !std::ptr::eq(*o, s));
        let mut read = others.filter(|o| matches!(o.reading.status, Status::Sure | Status::Unsure));
        read.any(|o| {
            let before = || {
                let other = self.body(view, o)?;
                let touching = (own.edge_mm + other.edge_mm) / 2.0;
                let away = other.away(view)?;
                let apart = (own.foot - other.foot) / touching;
                let before = -apart.dot(&away) / away.norm().max(1e-9);
                let aside = (apart.norm_squared() - before * before).max(0.0).sqrt();
                Some(BEFORE.contains(&before) && aside < ASIDE)
            };
            before() == Some(true)
        })
    }

    /// Whether it lies in another plane than the other cubes' tops: that needs no surface.
    pub fn is_askew(&self, s: &Sighting, all: &[Sighting]) -> bool {
        let others = all.iter().filter(|o| !std::ptr::eq(*o, s));
        let others = others.filter(|o| {
            let read = matches!(o.reading.status, Status::Sure | Status::Unsure);
            let kind = o.reading.kind.as_ref();
            read && kind.is_some_and(|k| self.edges.contains_key(k))
        });
        let others: Vec<Quad> = others.map(|o| o.polygon).collect();
        let cube = s.reading.kind.as_ref();
        cube.is_some_and(|k| self.edges.contains_key(k))
            && plane::lies_otherwise(&s.polygon, &others)
    }

    /// What is far from as large as any of the copy's dice would be is none of them. What is a bad square where a top would lie, has a badly known outline,
    /// and stands within one that is surely read and looks more like a die, is none at all.
    pub fn rule_out(&self, sight: &Sight, sightings: &mut Vec<Sighting>) {
        let measured = self.measured && !self.edges.is_empty();
        let cubes = sightings.iter_mut().filter(|s| s.shape == Shape::D6);
        for s in cubes.filter(|_| measured) {
            // a surface that is found beside its place, or as another size, would take a die for none
            let view = sight.sure_plane_near(s.polygon.centre());
            if view.is_some_and(|view| self.is_foreign(view, s)) {
                s.reading.status = Status::Unknown;
                (s.reading.kind, s.reading.face) = (None, None);
                (s.reading.next, s.reading.confidence) = (None, 0.0);
                s.reading.kind_sure = false;
            }
        }
        // after all that: what is doubted itself is no reason for another one to go
        let stays: Vec<bool> = sightings
            .iter()
            .map(|s| !self.is_surely_a_side_face(sight, s, sightings))
            .collect();
        let mut stays = stays.into_iter();
        sightings.retain(|_| stays.next().unwrap_or(true));
    }

    /// Whether all that is known of where it lies speaks for a top there, of dice of one size alone: it lies as one would, in the plane of the others, and, unless it is surely
    /// read and lies on no surface, no die is so near that it may be a side of that, or print that one lies beside: icons in slots of a die's size stand as one would.
    pub fn may_stand(&self, sight: &Sight, s: &Sighting, all: &[Sighting]) -> bool {
        let view = sight.plane_near(s.polygon.centre());
        let stance = self.stance(sight, s, all).filter(|_| self.measured);
        let (Some(view), Some(stance)) = (view, stance) else {
            return false;
        };
        let Some(own) = self.body(view, s) else {
            return false;
        };
        let beside = |o: &Sighting| {
            let other = self.body(view, o);
            other.is_some_and(|other| {
                let touching = (own.edge_mm + other.edge_mm) / 2.0;
                (own.foot - other.foot).norm() < APART * touching
            })
        };
        let mut others = all.iter().filter(|o| !std::ptr::eq(*o, s));
        let is_clear = !stance.is_doubtful() && !self.is_askew(s, all);
        let on_surface = |t: &Tray| t.corners_px.contains(s.polygon.centre());
        let is_read = s.reading.status == Status::Sure && !stance.may_be_a_side;
        let is_alone = !others.any(beside);
        is_clear && (is_alone || is_read && !sight.seen().iter().any(on_surface))
    }

    /// Whether it is far from as large as any die of the copy's would be there.
    fn is_foreign(&self, view: &View, s: &Sighting) -> bool {
        let read = matches!(s.reading.status, Status::Sure | Status::Unsure);
        let like = |edge: &f64| {
            laid_flat(view, s, *edge)
                .is_none_or(|flat| (FOREIGN..=1.0 / FOREIGN).contains(&(flat.side() / edge)))
        };
        read && !self.edges.values().any(like)
    }

    fn body(&self, view: &View, s: &Sighting) -> Option<Body> {
        let edge_mm = *self.edges.get(s.reading.kind.as_ref()?)?;
        let error_px = (s.error * s.polygon.side()).max(CORNER_PX);
        let meets = view.meets(s.polygon.centre(), edge_mm, error_px)?;
        Some(Body {
            edge_mm,
            foot: meets.at,
            error_mm: meets.error_mm,
        })
    }

    /// Whether what is taken for a top face is the side of one that is surely read, on all counts that there are.
    fn is_surely_a_side_face(&self, sight: &Sight, s: &Sighting, all: &[Sighting]) -> bool {
        let view = sight.plane_near(s.polygon.centre());
        let edge = s.reading.kind.as_ref().and_then(|k| self.edges.get(k));
        let (Some(view), Some(edge), true) = (view, edge, self.measured) else {
            return false;
        };
        let sure = |o: &Sighting| o.reading.status == Status::Sure;
        let vague = !sure(s) && s.error > VAGUE;
        let skewed = || {
            let flat = laid_flat(view, s, *edge);
            flat.is_some_and(|flat| flat.out_of_square() > HARDLY_SKEWED * flat.side())
        };
        let mut within = self.within(view, s, all);
        vague && within.any(|o| sure(o) && o.there > s.there) && skewed()
    }

    /// Dice that were read as well, within which what is taken for a top face would be that of a die which stands, by more than a standard
    /// error (or [`EXCUSED`]), on their sides to the camera.
    fn within<'a>(
        &'a self,
        view: &'a View,
        s: &'a Sighting,
        all: &'a [Sighting],
    ) -> impl Iterator<Item = &'a Sighting> {
        let own = self.body(view, s);
        let others = all.iter().filter(move |o| !std::ptr::eq(*o, s));
        others.filter(move |o| {
            // one that the picture's edge cuts is read, and seldom sure
            let read = matches!(o.reading.status, Status::Sure | Status::Unsure);
            let (Some(own), Some(other)) = (&own, self.body(view, o).filter(|_| read)) else {
                return false;
            };
            let apart = own.foot - other.foot;
            // two cubes side by side are at least so far apart, however they are turned
            let least = (own.edge_mm + other.edge_mm) / 2.0;
            let error = own.error_mm.hypot(other.error_mm).min(EXCUSED * least);
            let within = apart.norm() < least - error;
            within && other.away(view).is_some_and(|away| apart.dot(&away) < 0.0)
        })
    }
}

/// How far the corners are from those of a square as wide as `edge` that stands on the plane, as a part of it, root of the mean square: the
/// best of four, each with another side down.
fn upright(view: &View, s: &Sighting, edge: f64) -> Option<f64> {
    let (low, high) = (laid_flat(view, s, 0.0)?.0, laid_flat(view, s, edge)?.0);
    let each = (0..4).map(|i| {
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| (i + k) % 4);
        // what is above another thing is where it is, on the plane
        let beside = [low[a] - high[d], low[b] - high[c]];
        let [left, right] = [[low[a], high[d]], [low[b], high[c]]]
            .map(|[p, q]| Point::from((p.coords + q.coords) / 2.0));
        let wide = (left - right).norm() - edge;
        let off = beside.iter().map(|v| v.norm_squared() / 2.0).sum::<f64>() + wide * wide;
        (off / 4.0).sqrt() / edge
    });
    each.reduce(f64::min)
}

/// A top face on the plane in which it lies, millimetres.
fn laid_flat(view: &View, s: &Sighting, edge: f64) -> Option<Quad> {
    let mut flat = s.polygon;
    for p in &mut flat.0 {
        *p = view.meets(*p, edge, CORNER_PX)?.at;
    }
    Some(flat)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        rig::Tray,
        vision::{Reading, doubt},
    };

    fn square(x: f64, side: f64) -> Quad {
        Quad::from_pairs([
            [x, 50.0],
            [x + side, 50.0],
            [x + side, 50.0 + side],
            [x, 50.0 + side],
        ])
    }

    fn read(side: f64) -> Sighting {
        Sighting {
            shape: Shape::D6,
            score: 0.9,
            there: 0.9,
            polygon: square(400.0 + 10.0 * side, side),
            error: 0.03,
            reading: Reading {
                kind: Some("energy".to_owned()),
                face: Some("3".to_owned()),
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

    /// A card of 100 mm whose corners are seen there.
    fn card(corners_px: Quad) -> Tray {
        Tray {
            id: "white.helm".to_owned(),
            corners_px,
            size_mm: [100.0, 100.0],
            error_mm: 0.0,
            print: std::sync::Arc::default(),
            drift: None,
            height_mm: 0.0,
            status: Status::Sure,
        }
    }

    /// Such a card, seen at a slant from where its y grows.
    fn slanted() -> Sight {
        let card = card(Quad::from_pairs([
            [400.0, 200.0],
            [800.0, 200.0],
            [830.0, 560.0],
            [370.0, 560.0],
        ]));
        Sight::plain([1280, 720]).with_seen(vec![card])
    }

    /// A face whose corners are there above the card, millimetres.
    fn seen_on(sight: &Sight, corners: [[f64; 3]; 4]) -> Sighting {
        let view = sight.plane_near(Point::new(600.0, 360.0)).expect("a card");
        let pixel = |[x, y, z]: [f64; 3]| view.pixel(Point::new(x, y), z);
        Sighting {
            polygon: Quad(corners.map(|c| pixel(c).expect("before the camera"))),
            ..read(1.0)
        }
    }

    /// The top of a die of 16 mm.
    fn top_at(sight: &Sight, y: f64) -> Sighting {
        let (n, f) = (y - 8.0, y + 8.0);
        let corners = [[42.0, n], [58.0, n], [58.0, f], [42.0, f]];
        seen_on(sight, corners.map(|[x, y]| [x, y, 16.0]))
    }

    /// The side to the camera of one whose top is at 50.
    fn side_at_58(sight: &Sight) -> Sighting {
        let corners = [[42.0, 16.0], [58.0, 16.0], [58.0, 0.0], [42.0, 0.0]];
        seen_on(sight, corners.map(|[x, z]| [x, 58.0, z]))
    }

    /// Doubts what may be no top, and rules out what is none.
    fn judge(bodies: &Bodies, sight: &Sight, dice: &mut Vec<Sighting>) {
        doubt::by_stance(bodies, sight, dice);
        bodies.rule_out(sight, dice);
    }

    fn read_as(dice: &[Sighting]) -> Vec<Status> {
        dice.iter().map(|d| d.reading.status).collect()
    }

    fn cubes(measured: bool) -> Bodies {
        Bodies {
            edges: [("energy".to_owned(), 16.0)].into(),
            measured,
        }
    }

    #[test]
    fn a_die_that_is_printed_small_is_not_sure() {
        // a card of 100 mm, two pixels a millimetre, straight from above
        let card = card(square(100.0, 200.0));
        let sight = Sight::plain([1280, 720]);
        let of = |bodies: &Bodies, sight: &Sight| {
            let mut dice = vec![read(19.0), read(33.0), read(60.0)];
            judge(bodies, sight, &mut dice);
            read_as(&dice)
        };
        let statuses = |sight: &Sight| of(&cubes(true), sight);
        use Status::{Sure, Unsure};
        assert_eq!(
            statuses(&sight),
            [Sure; 3],
            "nothing tells how large a die is"
        );
        let sight = sight.with_seen(vec![card]);
        use Status::Unknown;
        assert_eq!(statuses(&sight), [Unknown, Sure, Unknown]);
        let mut nearly = vec![read(22.0), read(46.0)];
        judge(&cubes(true), &sight, &mut nearly);
        assert_eq!(read_as(&nearly), [Unsure, Unsure]);
        assert_eq!(of(&cubes(false), &sight), [Sure; 3], "any pip dice will do");
    }

    #[test]
    fn what_lies_as_a_top_may_be_a_die_and_a_side_may_not() {
        let (sight, bodies) = (slanted(), cubes(true));
        let top = |y: f64| top_at(&sight, y);
        let may = |s: &Sighting, others: &[Sighting]| bodies.may_stand(&sight, s, others);
        assert!(may(&top(20.0), &[]) && may(&top(20.0), &[top(70.0)]));
        assert!(!may(&side_at_58(&sight), &[top(50.0)]));
        let dice = [top(20.0), top(70.0)];
        assert!(dice.iter().all(|s| may(s, &dice)), "it is beside no other");
        // one that touches it may be the die whose side this is, or that lies beside a print, unless this is read and behind it, and no surface is there
        let unread = |y: f64| {
            let mut top = top(y);
            top.reading.status = Status::Unsure;
            top
        };
        assert!(!may(&top(37.0), &[top(20.0)]));
        assert!(!may(&top(20.0), &[top(37.0)]));
        assert!(!may(&unread(130.0), &[top(147.0)]));
        assert!(may(&top(130.0), &[top(147.0)]));
        assert!(!may(&top(147.0), &[top(130.0)]));
        // nor what is no square of a die's size
        let drawn_out = Sighting {
            polygon: top(20.0).polygon.scaled(1.4),
            ..top(20.0)
        };
        assert!(!may(&drawn_out, &[]));
        assert!(
            !cubes(false).may_stand(&sight, &top(20.0), &[]),
            "of any size"
        );
        let nothing = Sight::plain([1280, 720]);
        assert!(!bodies.may_stand(&nothing, &top(20.0), &[]), "no surface");
    }

    #[test]
    fn a_side_face_stands_within_its_die_and_a_die_before_it_does_not() {
        let (sight, bodies) = (slanted(), cubes(true));
        let seen = |corners| seen_on(&sight, corners);
        let (top, side) = (|y| top_at(&sight, y), side_at_58(&sight));
        let statuses = |dice: [Sighting; 2]| {
            let mut dice = Vec::from(dice);
            judge(&bodies, &sight, &mut dice);
            read_as(&dice)
        };
        use Status::{Sure, Unsure};
        // by itself it is no square where a top would lie
        let turned = seen([
            [40.0, 55.0, 16.0],
            [54.0, 63.0, 16.0],
            [54.0, 63.0, 0.0],
            [40.0, 55.0, 0.0],
        ]);
        assert_eq!(statuses([top(10.0), turned]), [Sure, Unsure]);
        // nor where it seems nearly one, and stands by itself
        let lone = seen([
            [42.0, 30.0, 16.0],
            [58.0, 30.0, 16.0],
            [58.0, 30.0, 0.0],
            [42.0, 30.0, 0.0],
        ]);
        assert_eq!(statuses([top(80.0), lone]), [Sure, Unsure]);
        assert_eq!(statuses([top(50.0), side.clone()]), [Sure, Unsure]);
        assert_eq!(statuses([top(50.0), top(67.0)]), [Sure, Sure]);
        // whatever stands right before another one may be its side, and what is behind it or far before it is none
        let may_be = |y: f64, other: f64| {
            let dice = [top(other), top(y)];
            let stance = bodies.stance(&sight, &dice[1], &dice);
            stance.map(|s| s.may_be_a_side)
        };
        let each = [(67.0, 50.0), (50.0, 67.0), (67.0, 30.0)];
        let each = each.map(|(y, other)| may_be(y, other));
        assert_eq!(each, [Some(true), Some(false), Some(false)]);
    }

    #[test]
    fn where_a_surface_is_not_sure_a_die_that_hardly_looks_like_one_is_not_either_unless_it_clearly_lies_as_one()
     {
        // its side so many times as long as a die's
        let low = |sight: &Sight, larger: f64| {
            let top = top_at(sight, 50.0);
            Sighting {
                score: 0.45,
                polygon: top.polygon.scaled(larger),
                ..top
            }
        };
        let status = |bodies: &Bodies, of: Status, larger: f64| {
            let mut tray = slanted().seen()[0].clone();
            tray.status = of;
            let sight = Sight::plain([1280, 720]).with_seen(vec![tray]);
            let mut dice = vec![low(&slanted(), larger)];
            judge(bodies, &sight, &mut dice);
            dice[0].reading.status
        };
        use Status::{Sure, Unsure};
        assert_eq!(status(&cubes(true), Sure, 1.2), Sure);
        assert_eq!(status(&cubes(true), Unsure, 1.2), Unsure);
        assert_eq!(status(&cubes(true), Unsure, 1.0), Sure);
        // nor of dice of any size, whose tops would be as large as anything
        assert_eq!(status(&cubes(false), Sure, 1.0), Unsure);
    }

    #[test]
    fn a_die_that_the_picture_s_edge_cuts_may_be_sure_where_a_surface_is() {
        // by so much of its side
        let cut = |out: f64, seen: bool| {
            let sight = Sight::plain([1280, 720]);
            let card = card(square(10.0, 200.0));
            let sight = if seen {
                sight.with_seen(vec![card])
            } else {
                sight
            };
            let die = Sighting {
                polygon: Quad::from_pairs([
                    [-32.0 * out, 90.0],
                    [32.0 * (1.0 - out), 90.0],
                    [32.0 * (1.0 - out), 122.0],
                    [-32.0 * out, 122.0],
                ]),
                ..read(32.0)
            };
            let mut dice = vec![die];
            judge(&cubes(true), &sight, &mut dice);
            dice[0].reading.status
        };
        use Status::{Sure, Unsure};
        assert_eq!(
            [0.05, 0.15, 0.25].map(|out| cut(out, true)),
            [Sure, Sure, Unsure]
        );
        assert_eq!([0.05, 0.15].map(|out| cut(out, false)), [Sure, Unsure]);
    }

    #[test]
    fn a_side_face_that_is_badly_known_is_none_where_its_own_die_is_surely_read() {
        let sight = slanted();
        let (top, side) = (|y| top_at(&sight, y), side_at_58(&sight));
        let less = |s: Sighting| Sighting { there: 0.6, ..s };
        let vague = |s: Sighting| Sighting { error: 0.2, ..s };
        let statuses = |bodies: Bodies, dice: [Sighting; 2]| {
            let mut dice = Vec::from(dice);
            judge(&bodies, &sight, &mut dice);
            read_as(&dice)
        };
        use Status::{Sure, Unsure};
        let both = |o: Sighting, s: Sighting| statuses(cubes(true), [o, s]);
        assert_eq!(both(top(50.0), vague(less(side.clone()))), [Sure]);
        // it looks as much like a die, is known well, is a good square, or is seen with dice of any size
        assert_eq!(both(top(50.0), vague(side.clone())), [Sure, Unsure]);
        assert_eq!(both(top(50.0), less(side.clone())), [Sure, Unsure]);
        assert_eq!(both(top(50.0), vague(less(top(64.0)))), [Sure, Sure]);
        let any = statuses(cubes(false), [top(50.0), vague(less(side.clone()))]);
        assert_eq!(any, [Sure, Unsure]);
        // nor where the other one is not sure itself
        let mut other = top(50.0);
        other.reading.status = Unsure;
        assert_eq!(both(other, vague(less(side))), [Unsure, Unsure]);
    }
}
