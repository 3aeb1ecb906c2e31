use std::time::Duration;

use super::*;
use crate::{
    copy::{Shape, Status},
    geometry::Quad,
    rig::Lies,
    table::{Foot, PieceSeen},
    vision::{Reading, Sighting},
};

fn quad(x: f64, y: f64, side: f64) -> Quad {
    Quad::from_pairs([[x, y], [x + side, y], [x + side, y + side], [x, y + side]])
}

fn seen(x: f64, face: &str, status: Status) -> DieSeen {
    DieSeen {
        sighting: Sighting {
            shape: Shape::D6,
            score: 0.9,
            there: 0.95,
            polygon: quad(x, 0.0, 40.0),
            error: 0.1,
            reading: Reading {
                kind: Some("pip".into()),
                face: Some(face.into()),
                status,
                confidence: if status == Status::Sure { 0.995 } else { 0.6 },
                kind_sure: status == Status::Sure,
                likeness: 0.9,
                next: None,
                others: Vec::new(),
                alike_after_deg: 360,
            },
        },
        foot: Foot {
            lies: None,
            table_mm: None,
        },
        size_mm: 16.0,
    }
}

fn on(mut seen: DieSeen, surface: &str, x: f64) -> DieSeen {
    seen.foot.lies = Some(Lies {
        surface: surface.into(),
        status: Status::Sure,
        at_mm: [x, 20.0],
        error_mm: 0.5,
        heading_deg: 0.0,
    });
    seen
}

fn look(ms: u64, dice: &[DieSeen]) -> Look {
    Look {
        camera: "a".into(),
        frame: ms,
        at: Duration::from_millis(ms),
        dice: dice.to_vec(),
        pieces: vec![],
        covers: vec![],
        sees: vec![],
        blind: true,
        untouched: vec![],
    }
}

use Status::{Hidden, Sure, Unsure};

fn ship(x: f64, status: Status) -> PieceSeen {
    PieceSeen {
        what: "white".into(),
        may_be: vec![],
        only: true,
        foot: on(seen(0.0, "1", Sure), "board", x).foot,
        heading_deg: Some(0.0),
        heading_sure: true,
        status,
        confidence: 0.9,
        polygon: quad(x, 0.0, 40.0),
    }
}

fn nose(heading_deg: f64, heading_sure: bool) -> PieceSeen {
    PieceSeen {
        heading_deg: Some(heading_deg),
        heading_sure,
        ..ship(100.0, Sure)
    }
}

fn with(ms: u64, pieces: &[PieceSeen]) -> Look {
    Look {
        pieces: pieces.to_vec(),
        ..look(ms, &[])
    }
}

#[test]
fn a_ship_is_sure_until_several_frames_doubt_it() {
    let mut t = Tracker::default();
    for i in 0..5 {
        t.add(&with(i * 100, &[ship(100.0, Sure)]));
    }
    for i in 5..9 {
        let table = t.add(&with(i * 100, &[ship(100.0, Unsure)]));
        assert_eq!(table.pieces[0].status, Sure, "{i}");
    }
    let table = t.add(&with(900, &[ship(100.0, Unsure)]));
    assert_eq!((table.pieces[0].status, table.pieces.len()), (Unsure, 1));
    assert_eq!(table.met, ["white"]);
}

#[test]
fn a_ship_whose_nose_is_doubted_stands_where_it_stands() {
    let mut t = Tracker::default();
    let mut now = 0;
    let mut add = |seen: PieceSeen| {
        now += 100;
        let piece = t.add(&with(now, &[seen])).pieces.remove(0);
        (piece.status, piece.heading_sure, piece.facing_status())
    };
    // a nose that is a tail now and then is no turn
    let mut last = (Unsure, false, Unsure);
    for i in 0..6 {
        last = add(nose(f64::from(i % 2) * 180.0, false));
    }
    assert_eq!(last, (Sure, false, Unsure));
    for _ in 0..5 {
        last = add(nose(0.0, true));
    }
    assert_eq!(last, (Sure, true, Sure));
    // seen the same way, but with less to go by
    assert_eq!(add(nose(0.0, false)), (Sure, true, Sure));
    for i in 0..30 {
        last = add(nose(f64::from(i % 2) * 180.0, false));
    }
    assert_eq!(last, (Sure, true, Sure));
    // it may have been turned where it stands
    for _ in 0..12 {
        last = add(nose(180.0, false));
    }
    assert_eq!(last, (Sure, false, Unsure));
    for _ in 0..3 {
        last = add(nose(0.0, true));
    }
    assert_eq!(last, (Sure, true, Sure));
    // and then it surely was
    assert_eq!(add(nose(90.0, true)).0, Unsure);
    for _ in 0..4 {
        last = add(nose(90.0, true));
    }
    assert_eq!(last, (Sure, true, Sure));
}

#[test]
fn the_first_nose_that_is_sure_is_no_turn_from_one_that_was_not() {
    let mut t = Tracker::default();
    let mut now = 0;
    let mut add = |seen: &[PieceSeen], covered: bool| {
        now += 100;
        let mut look = with(now, seen);
        if covered {
            look.covers.push(Cover {
                surface: None,
                part: None,
            });
        }
        t.add(&look).pieces.remove(0)
    };
    for _ in 0..5 {
        add(&[nose(180.0, false)], false);
    }
    let sure = add(&[nose(0.0, true)], false);
    assert_eq!((sure.status, sure.heading_sure), (Sure, false));
    add(&[nose(0.0, true)], false);
    let sure = add(&[nose(0.0, true)], false);
    assert_eq!((sure.heading_deg, sure.heading_sure), (Some(0.0), true));
    assert!(sure.still_since < Duration::from_millis(200));
    // a tail between is not told
    let kept = add(&[nose(180.0, false)], false);
    assert_eq!((kept.heading_deg, kept.heading_sure), (Some(0.0), true));
    // under a hand it may have been turned
    assert_eq!(add(&[], true).status, Hidden);
    let back = add(&[nose(180.0, false)], false);
    assert_eq!((back.status, back.heading_sure), (Sure, false));
}

#[test]
fn what_may_be_the_ship_elsewhere_does_not_move_it() {
    let mut t = Tracker::default();
    for i in 0..5 {
        t.add(&with(i * 100, &[ship(100.0, Sure)]));
    }
    let table = t.add(&with(500, &[ship(400.0, Unsure)]));
    let kept = table
        .pieces
        .iter()
        .find(|p| p.polygon == quad(100.0, 0.0, 40.0));
    assert!(kept.is_some_and(|p| p.settled && p.still_since == Duration::ZERO));
    // where it surely is, it is, and its moves are one ship's
    let table = t.add(&with(600, &[ship(300.0, Sure)]));
    let here = table.pieces.iter().filter(|p| p.status != Hidden);
    assert_eq!(here.count(), 1);
}

#[test]
fn one_frame_is_no_evidence_and_three_are() {
    let mut t = Tracker::default();
    let first = t.add(&look(0, &[seen(0.0, "4", Sure)]));
    assert_eq!(first.dice[0].status(), Unsure);
    t.add(&look(150, &[seen(0.5, "4", Sure)]));
    let third = t.add(&look(300, &[seen(0.2, "4", Sure)]));
    assert_eq!(third.dice[0].status(), Sure);
    assert_eq!(third.dice[0].id, first.dice[0].id);
    assert_eq!((third.frame, third.dice[0].frame), (300, 300));
}

#[test]
fn a_rolling_die_and_one_that_slides_slowly_are_not_placed() {
    for (step, every) in [(25.0, 100), (6.0, 33)] {
        let mut t = Tracker::default();
        for i in 0..30 {
            let table = t.add(&look(i * every, &[seen(i as f64 * step, "4", Sure)]));
            assert_ne!(table.dice[0].status(), Sure, "frame {i}");
            assert!(!table.dice[0].settled);
        }
    }
}

#[test]
fn a_hand_s_edge_shifts_no_die_and_a_push_does() {
    let lies = |t: &mut Tracker, from: u64| {
        let mut last = Table::default();
        for i in from..from + 4 {
            last = t.add(&look(i * 100, &[seen(0.0, "4", Sure)]));
        }
        last
    };
    // the hand's edge is seen on it in one frame, and covers it in the next
    let mut t = Tracker::default();
    let id = lies(&mut t, 0).dice[0].id;
    let shifted = t.add(&look(400, &[seen(14.0, "6", Sure)]));
    assert!(shifted.dice[0].settled);
    assert_eq!(shifted.dice[0].polygon, quad(0.0, 0.0, 40.0));
    assert_eq!(t.add(&look(500, &[])).dice[0].status(), Hidden);
    let back = lies(&mut t, 6);
    assert_eq!((back.dice.len(), back.dice[0].id), (1, id));

    // another camera that does not show it says nothing of that
    for others in [false, true] {
        let mut t = Tracker::default();
        lies(&mut t, 0);
        t.add(&look(400, &[seen(14.0, "4", Sure)]));
        if others {
            let mut empty = look(450, &[]);
            empty.camera = "b".into();
            t.add(&empty);
        }
        let pushed = t.add(&look(500, &[seen(15.0, "4", Sure)]));
        assert!(!pushed.dice[0].settled);
        assert_eq!(pushed.dice[0].polygon, quad(15.0, 0.0, 40.0));
    }
}

#[test]
fn a_glance_says_nothing_of_what_it_was_not_for() {
    let mut t = Tracker::default();
    let both = |ms| look(ms, &[seen(0.0, "4", Sure), seen(100.0, "5", Sure)]);
    t.add(&both(0));
    for ms in [100, 133] {
        let table = t.glance(&look(ms, &[seen(0.0, "4", Sure)]));
        assert!(table.dice.iter().all(|d| !d.settled), "{ms}");
    }
    // four frames show it sooner than three
    let table = t.glance(&look(166, &[seen(1.0, "4", Sure), seen(300.0, "2", Sure)]));
    let settled = table.dice.iter().map(|d| d.settled);
    assert_eq!(settled.collect::<Vec<_>>(), [true, false]);
    let table = t.add(&both(200));
    let statuses = table.dice.iter().map(|d| d.status());
    assert_eq!(statuses.collect::<Vec<_>>(), [Sure, Unsure], "two frames");
}

#[test]
fn a_covered_die_is_hidden_and_then_gone_where_nobody_looks_for_hands() {
    let mut t = Tracker::default();
    for i in 0..5 {
        t.add(&look(i * 100, &[seen(0.0, "4", Sure)]));
    }
    let covered = t.add(&look(600, &[]));
    assert_eq!(covered.dice[0].status(), Hidden);
    assert_eq!(covered.dice[0].last_sure.as_deref(), Some("4"));
    assert!(t.add(&look(3000, &[])).dice.is_empty());
}

#[test]
fn under_a_hand_it_stays_hidden_and_without_one_it_is_gone_soon() {
    let hand = Cover {
        surface: None,
        part: Some(quad(-30.0, -30.0, 120.0)),
    };
    for (covers, gone) in [(vec![hand], false), (vec![], true)] {
        let mut t = Tracker::default();
        for i in 0..5 {
            t.add(&look(i * 100, &[seen(0.0, "4", Sure)]));
        }
        let mut last = Table::default();
        for i in 5..60 {
            let mut look = look(i * 100, &[]);
            (look.covers, look.blind) = (covers.clone(), false);
            last = t.add(&look);
        }
        assert_eq!(last.dice.is_empty(), gone);
        assert_eq!(last.covers, covers);
    }
}

#[test]
fn what_is_not_found_where_nothing_has_changed_lies_there_still() {
    let mut t = Tracker::default();
    for i in 0..5 {
        t.add(&look(i * 100, &[seen(0.0, "4", Sure)]));
    }
    let mut untouched = |ms: u64, dice: &[DieSeen], untouched: &[u64]| {
        let look = Look {
            untouched: untouched.to_vec(),
            ..look(ms, dice)
        };
        let dice = t.add(&look).dice;
        dice.iter().map(|d| (d.id, d.status())).collect::<Vec<_>>()
    };
    // on a cloth that looks like one it is not found for a while
    for ms in (600..20_000).step_by(100) {
        assert_eq!(untouched(ms, &[], &[1]), [(1, Sure)], "{ms}");
    }
    // a hand comes, and leaves it as it was
    assert_eq!(untouched(20_000, &[], &[]), [(1, Hidden)]);
    assert_eq!(untouched(20_300, &[], &[1]), [(1, Sure)]);
    assert_eq!(untouched(20_400, &[], &[]), [(1, Hidden)]);
    let again = [seen(0.0, "4", Sure)];
    assert_eq!(untouched(20_500, &again, &[1]), [(1, Sure)]);
    // and takes it
    assert_eq!(untouched(20_600, &[], &[]), [(1, Hidden)]);
    assert_eq!(untouched(23_000, &[], &[]), []);
    // of what never lay still nothing is kept
    untouched(23_100, &[seen(200.0, "4", Sure)], &[]);
    assert_eq!(untouched(23_500, &[], &[]), []);
}

#[test]
fn what_is_found_where_another_only_seems_to_lie_still_ends_that() {
    let mut t = Tracker::default();
    for i in 0..5 {
        t.add(&look(i * 100, &[seen(0.0, "4", Sure)]));
    }
    let mut ids = |ms: u64, dice: &[DieSeen]| {
        let look = Look {
            untouched: vec![1],
            ..look(ms, dice)
        };
        let dice = t.add(&look).dice;
        dice.iter().map(|d| d.id).collect::<Vec<_>>()
    };
    // its outline is off: it is that die, and has not moved
    assert_eq!(ids(600, &[seen(14.0, "4", Sure)]), [1]);
    assert_eq!(ids(700, &[seen(14.0, "4", Sure)]), [1]);
    // one beside it
    assert_eq!(ids(800, &[seen(40.0, "4", Sure)]), [1, 2]);
    // another shape in its place: a cube was taken for what stands there
    let mut other = seen(2.0, "4", Sure);
    other.sighting.shape = Shape::D8;
    assert_eq!(ids(900, &[other, seen(40.0, "4", Sure)]), [2, 3]);
}

#[test]
fn what_was_not_found_for_a_minute_is_gone_though_its_place_looks_the_same() {
    let mut t = Tracker::default();
    for i in 0..5 {
        t.add(&look(i * 100, &[seen(0.0, "4", Sure)]));
    }
    let mut lies = |ms: u64| {
        let look = Look {
            untouched: vec![1],
            ..look(ms, &[])
        };
        !t.add(&look).dice.is_empty()
    };
    assert!((600..60_000).step_by(200).all(&mut lies));
    assert!(!(61_000..64_000).step_by(200).all(&mut lies));
}

#[test]
fn a_slip_of_the_detector_without_a_hand_does_not_begin_anew() {
    let mut t = Tracker::default();
    for i in 0..8 {
        let dice = [seen(0.0, "4", Sure)];
        let mut look = look(i * 100, if i == 6 { &[] } else { &dice });
        (look.covers, look.blind) = (vec![], false);
        let table = t.add(&look);
        let wants = match i {
            0..2 => Unsure,
            _ => Sure,
        };
        assert_eq!(table.dice[0].status(), wants, "frame {i}");
    }
}

#[test]
fn what_was_covered_is_read_anew() {
    let mut t = Tracker::default();
    for i in 0..10 {
        t.add(&look(i * 80, &[seen(0.0, "6", Sure)]));
    }
    t.add(&look(880, &[]));
    for i in 12..20 {
        let table = t.add(&look(i * 80, &[seen(0.0, "5", Unsure)]));
        assert_eq!(table.dice[0].status(), Unsure, "frame {i}");
        assert_eq!(table.dice[0].reading.face.as_deref(), Some("5"));
    }
}

#[test]
fn neighbours_keep_their_numbers_by_place_and_by_look() {
    for (then, why) in [([43.0, 1.0], "by place"), ([62.0, 20.0], "by look")] {
        let mut t = Tracker::default();
        let mut a = Table::default();
        for i in 0..4 {
            a = t.add(&look(
                i * 100,
                &[seen(0.0, "4", Sure), seen(42.0, "2", Sure)],
            ));
        }
        // both are pushed the same way, one nearly to where the other was
        let b = t.add(&look(
            400,
            &[seen(then[0], "2", Sure), seen(then[1], "4", Sure)],
        ));
        for d in &a.dice {
            let now = b.dice.iter().find(|n| n.id == d.id).expect("still there");
            let near = (now.polygon.centre() - d.polygon.centre()).norm();
            assert!(near < 30.0, "{why}: {near}");
        }
    }
}

#[test]
fn a_display_that_moves_takes_its_dice_along() {
    let mut t = Tracker::default();
    for i in 0..5 {
        t.add(&look(i * 100, &[on(seen(0.0, "4", Sure), "helm", 30.0)]));
    }
    // 5 sides away in the picture, in one frame; where it was on its display
    let moved = t.add(&look(600, &[on(seen(200.0, "4", Sure), "helm", 30.4)]));
    assert_eq!(moved.dice.len(), 1);
    assert_eq!(moved.dice[0].status(), Sure);
    // and one that was moved on its display has moved
    t.add(&look(700, &[on(seen(200.0, "4", Sure), "helm", 38.0)]));
    let moved = t.add(&look(800, &[on(seen(200.0, "4", Sure), "helm", 46.0)]));
    assert_eq!(moved.dice.len(), 1);
    assert!(!moved.dice[0].settled);
}

#[test]
fn a_die_in_the_place_of_a_hidden_one_ends_it() {
    let mut t = Tracker::default();
    for i in 0..5 {
        t.add(&look(i * 100, &[on(seen(0.0, "4", Sure), "helm", 30.0)]));
    }
    t.add(&look(500, &[]));
    let mut other = on(seen(0.0, "4", Sure), "helm", 31.0);
    other.sighting.shape = Shape::D8;
    let table = t.add(&look(600, &[other]));
    assert_eq!(table.dice.len(), 1, "{table:?}");
    assert_eq!(table.dice[0].shape, Shape::D8);
}

#[test]
fn two_cameras_see_one_die_and_the_better_view_reads_it() {
    let mut t = Tracker::default();
    let mut last = Table::default();
    for i in 0..8 {
        let mut far = on(seen(0.0, "5", Unsure), "helm", 31.5);
        far.sighting.polygon = quad(300.0, 40.0, 14.0);
        let mut other = look(i * 100 + 50, &[far]);
        other.camera = "b".into();
        t.add(&look(i * 100, &[on(seen(0.0, "4", Sure), "helm", 30.0)]));
        last = t.add(&other);
    }
    assert_eq!(last.dice.len(), 1);
    assert_eq!(last.dice[0].status(), Sure);
    assert_eq!(last.dice[0].reading.face.as_deref(), Some("4"));
    assert!((last.dice[0].polygon.side() - 40.0).abs() < 1e-9);
    // a hand before one of them hides nothing
    let table = t.add(&look(900, &[]));
    assert_eq!(table.dice[0].status(), Sure);
}

#[test]
fn what_another_camera_sees_plainly_is_not_covered() {
    let part = |x: f64| quad(x, 20.0, 20.0);
    let over = |x: f64| Cover {
        surface: Some("helm".into()),
        part: Some(part(x)),
    };
    let from = |camera: &str, covers: &[Cover]| Look {
        camera: camera.into(),
        covers: covers.to_vec(),
        sees: vec!["helm".into()],
        ..look(0, &[])
    };
    let mut t = Tracker::default();
    assert_eq!(t.add(&from("a", &[over(30.0)])).covers, [over(30.0)]);
    // the other one has a hand elsewhere
    let table = t.add(&from("b", &[over(90.0)]));
    assert!(table.covers.is_empty(), "{:?}", table.covers);
    // and now over the same place
    let both = [over(30.0), over(35.0)];
    assert_eq!(t.add(&from("b", &both[1..])).covers, both);
    // a surface that only one of them sees, and a part of its picture, are for itself to say
    let mut blind = from("b", &[]);
    blind.sees.clear();
    assert_eq!(t.add(&blind).covers, [over(30.0)]);
    t.lose("b");
    assert_eq!(t.table(Duration::ZERO, 0).covers, [over(30.0)]);
}

#[test]
fn a_lost_camera_hides_what_it_alone_saw_and_invents_nothing_when_back() {
    let mut t = Tracker::default();
    let mut id = 0;
    for i in 0..5 {
        id = t.add(&look(i * 100, &[seen(0.0, "4", Sure)])).dice[0].id;
    }
    t.lose("a");
    let mut other = look(9_000, &[]);
    other.camera = "b".into();
    let table = t.add(&other);
    assert_eq!(table.dice[0].status(), Hidden);
    assert_eq!(table.dice[0].last_sure.as_deref(), Some("4"));
    for i in 0..5 {
        let table = t.add(&look(10_000 + i * 100, &[seen(0.0, "4", Sure)]));
        assert_eq!(table.dice.len(), 1);
        assert_eq!(table.dice[0].id, id);
        assert_eq!(table.dice[0].status() == Sure, i >= 2, "{i}");
    }
}

#[test]
fn what_rests_is_not_given_up_when_a_hand_comes() {
    let mut t = Tracker::default();
    for i in 0..6 {
        t.add(&look(i * 250, &[seen(0.0, "4", Sure)]));
    }
    // nothing changes for a minute and nobody looks
    t.rest("a", Duration::from_secs(70));
    let table = t.add(&look(70_100, &[]));
    assert_eq!(table.dice.len(), 1);
    assert_eq!(table.dice[0].last_sure.as_deref(), Some("4"));
}

#[test]
fn a_worse_look_does_not_move_a_settled_die_for_a_second() {
    let stands = |t: &mut Tracker, ms: u64, x: f64, error_mm: f64| {
        let mut die = on(seen(0.0, "4", Sure), "helm", x);
        if let Some(lies) = &mut die.foot.lies {
            lies.error_mm = error_mm;
        }
        let table = t.add(&look(ms, &[die]));
        let foot = table.dice[0].foot.clone();
        foot.and_then(|f| f.lies).map(|l| (l.at_mm[0], l.error_mm))
    };
    let mut t = Tracker::default();
    // until it is settled each look counts
    assert_eq!(stands(&mut t, 0, 50.0, 0.5), Some((50.0, 0.5)));
    assert_eq!(stands(&mut t, 100, 51.0, 2.0), Some((51.0, 2.0)));
    for ms in [200, 300, 400] {
        stands(&mut t, ms, 50.0, 0.5);
    }
    assert_eq!(stands(&mut t, 500, 52.0, 2.0), Some((50.0, 0.5)));
    // one that is about as good is newer
    assert_eq!(stands(&mut t, 600, 50.4, 0.6), Some((50.4, 0.6)));
    for ms in [700, 1100, 1500] {
        assert_eq!(stands(&mut t, ms, 52.0, 2.0), Some((50.4, 0.6)));
    }
    // what lasts is so
    assert_eq!(stands(&mut t, 1700, 52.0, 2.0), Some((52.0, 2.0)));
    // that a hand covered it says that it may have been moved
    let mut t = Tracker::default();
    for ms in [0, 100, 200, 300] {
        stands(&mut t, ms, 50.0, 0.5);
    }
    t.add(&look(400, &[]));
    assert_eq!(stands(&mut t, 500, 52.0, 2.0), Some((52.0, 2.0)));
}
