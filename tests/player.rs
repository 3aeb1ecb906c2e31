//! The whole line in one process: pictures in, events and calls out, also through a lost camera.
#![allow(clippy::expect_used, clippy::panic)]
#![cfg(all(feature = "vision", feature = "camera"))]

use std::{collections::VecDeque, path::Path, time::Duration};

use sightline::{
    capture::{CameraId, CaptureError, Frame, Next, Picture, Source, SourceEvent, video::Video},
    copy::{self, Status},
    geometry::{Point, Quad},
    rig::Rig,
    rules::{Verdict, dice_duel::ShipId},
    session::{Change, Declaration, Player, Session, Step, TableCall},
    vision::{Eye, models_folder},
};

/// A camera that plays what it is given.
struct Script {
    id: CameraId,
    left: VecDeque<Next>,
}

impl Source for Script {
    fn camera(&self) -> &CameraId {
        &self.id
    }

    fn is_live(&self) -> bool {
        true
    }

    fn next(&mut self) -> Result<Next, CaptureError> {
        Ok(self.left.pop_front().unwrap_or(Next::End))
    }
}

/// The demo's clip: one picture in which all dice lie.
fn still() -> Frame {
    let clip = Path::new(env!("CARGO_MANIFEST_DIR")).join("calibration/demo/energy.mp4");
    let mut video = Video::open(&clip).expect("the clip");
    for _ in 0..39 {
        video.next().expect("a picture");
    }
    match video.next().expect("a picture") {
        Next::Frame(frame) => frame,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_lay_there_is_hidden_while_the_camera_is_gone_and_not_placed_again() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let copy = copy::load(&root.join("calibration/copies/plain-dice")).expect("the copy");
    let eye = Eye::open(&models_folder(), &copy, 2).expect("the models");
    let frame = still();
    let at = |k: u64| {
        let mut frame = frame.clone();
        frame.at = Duration::from_millis(100 * k);
        frame.sequence = k;
        Next::Frame(frame)
    };
    let mut left: VecDeque<Next> = (0..8).map(at).collect();
    left.push_back(Next::Event(SourceEvent::Lost {
        why: "unplugged".to_owned(),
    }));
    left.extend((20..28).map(at));
    let source = Script {
        id: CameraId("script".to_owned()),
        left,
    };
    let session = Session::new(copy, Rig::default()).expect("a session");
    let mut player = Player::new(Box::new(source), eye, session);
    // before, while it is gone, and after
    let (mut rounds, mut changes) = (vec![Vec::new()], Vec::new());
    let mut hidden = 0;
    loop {
        match player.step().expect("a step") {
            Step::View(view) => {
                if rounds.len() == 2 && rounds[1].is_empty() && hidden == 0 {
                    let of = |s: Status| view.dice.iter().filter(|d| d.status() == s).count();
                    assert_eq!(of(Status::Sure) + of(Status::Unsure), 0);
                    hidden = of(Status::Hidden);
                    assert!(
                        view.judged
                            .calls
                            .iter()
                            .all(|c| c.call.verdict == Verdict::Unsure)
                    );
                } else if let Some(round) = rounds.last_mut() {
                    *round = view.judged.calls.clone();
                }
                // a four is said to be a four of a die that shows one
                let sure = |c: &&TableCall| c.call.verdict != Verdict::Unsure;
                for call in view.judged.calls.iter().filter(sure) {
                    let text = call.call.to_string();
                    let face = text.split_once("energy die ").and_then(|(_, t)| t.get(..1));
                    if let (Some(face), [die]) = (face, call.dice.as_slice()) {
                        let die = view
                            .dice
                            .iter()
                            .find(|d| d.id == *die)
                            .expect("it is there");
                        assert_eq!(die.reading.face.as_deref(), Some(face), "{text}: {die:?}");
                    }
                }
                let of_round = |e: &sightline::session::Event| (rounds.len(), e.change, e.die);
                changes.extend(view.events.iter().map(of_round));
            }
            Step::Source(SourceEvent::Lost { .. }) => rounds.push(Vec::new()),
            Step::End => break,
            other => panic!("{other:?}"),
        }
    }
    let [before, after] = &rounds[..] else {
        panic!("{} rounds", rounds.len());
    };
    assert!(hidden > 0);
    let said = |calls: &[sightline::session::TableCall]| {
        let mut said: Vec<(String, Vec<u64>)> = calls
            .iter()
            .map(|c| (c.call.to_string(), c.dice.clone()))
            .collect();
        said.sort();
        said
    };
    let four = |(text, _): &(String, Vec<u64>)| text == "energy die 4 → Shields";
    assert!(said(before).iter().any(four), "{:?}", said(before));
    assert_eq!(said(before), said(after));
    // every call names the die it is about, and no two the same
    let mut dice: Vec<u64> = after.iter().flat_map(|c| c.dice.clone()).collect();
    assert_eq!(dice.len(), after.len());
    dice.sort_unstable();
    dice.dedup();
    assert_eq!(dice.len(), after.len());
    // placed once, hidden once, and when they are seen again shown, not placed again
    let of = |round: usize| changes.iter().filter(move |c| c.0 == round);
    let placed = of(1).filter(|c| c.1 == Change::Placed).count();
    assert!(placed > 0 && of(1).count() == placed, "{changes:?}");
    let those = |change: Change| {
        let mut dice: Vec<u64> = of(2).filter(|c| c.1 == change).map(|c| c.2).collect();
        dice.sort_unstable();
        dice
    };
    let (hidden, shown) = (those(Change::Hidden), those(Change::Shown));
    assert_eq!(hidden.len() + shown.len(), of(2).count(), "{changes:?}");
    assert!(!hidden.is_empty(), "{changes:?}");
    assert_eq!(hidden, shown);
}

/// Two cameras, each over dice of its own; what one sees stands while the other is gone.
#[test]
fn two_cameras_watch_one_table() {
    struct Two {
        ids: [CameraId; 2],
        last: usize,
        left: VecDeque<(usize, Next)>,
    }
    impl Source for Two {
        fn camera(&self) -> &CameraId {
            &self.ids[self.last]
        }
        fn is_live(&self) -> bool {
            true
        }
        fn cameras(&self) -> usize {
            2
        }
        fn next(&mut self) -> Result<Next, CaptureError> {
            let next = self.left.pop_front();
            Ok(next.map_or(Next::End, |(which, next)| {
                self.last = which;
                next
            }))
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let copy = copy::load(&root.join("calibration/copies/plain-dice")).expect("the copy");
    let eye = || Eye::open(&models_folder(), &copy, 2).expect("the models");
    let ids = ["left", "right"].map(|n| CameraId(n.to_owned()));
    let frame = still();
    // the right one sees the same from farther left
    let (w, h) = (frame.picture.width(), frame.picture.height());
    let row = 3 * w as usize;
    let pushed = frame.picture.rgb().chunks_exact(row).flat_map(|r| {
        let (edge, rest) = (r[row - 3..].repeat(40), &r[120..]);
        [rest.to_vec(), edge].concat()
    });
    let pushed = Picture::from_rgb(w, h, pushed.collect::<Vec<u8>>()).expect("a picture");
    let at = |k: u64, which: usize| {
        let mut frame = frame.clone();
        frame.at = Duration::from_millis(100 * k + 40 * which as u64);
        frame.sequence = k;
        frame.camera = ids[which].clone();
        if which == 1 {
            frame.picture = pushed.clone();
        }
        (which, Next::Frame(frame))
    };
    let mut left: VecDeque<(usize, Next)> = (0..8).flat_map(|k| [at(k, 0), at(k, 1)]).collect();
    let why = "unplugged".to_owned();
    left.push_back((1, Next::Event(SourceEvent::Lost { why })));
    left.extend((8..12).map(|k| at(k, 0)));
    left.extend((12..20).flat_map(|k| [at(k, 0), at(k, 1)]));
    let source = Two {
        ids: ids.clone(),
        last: 0,
        left,
    };
    let session = Session::new(copy.clone(), Rig::default()).expect("a session");
    let mut player = Player::with_eyes(Box::new(source), eye(), vec![eye()], session);
    let (mut lost, mut while_lost, mut placed, mut last) = (false, None, Vec::new(), None);
    loop {
        match player.step().expect("a step") {
            Step::View(view) => {
                for event in &view.events {
                    if event.change == Change::Placed {
                        placed.push((event.die, event.camera.clone().expect("one of two")));
                    }
                }
                if lost && view.sequence == 11 && view.camera == ids[0] {
                    while_lost = Some(view.clone());
                }
                last = Some(view);
            }
            Step::Source(SourceEvent::Lost { .. }) => {
                assert_eq!(*player.camera(), ids[1]);
                lost = true;
            }
            Step::End => break,
            other => panic!("{other:?}"),
        }
    }
    let of = |view: &sightline::session::View, camera: &CameraId, status: Status| {
        let dice = view.dice.iter().filter(|d| d.camera == camera.0);
        dice.filter(|d| d.status() == status).count()
    };
    let last = last.expect("a view");
    let (a, b) = (
        of(&last, &ids[0], Status::Sure),
        of(&last, &ids[1], Status::Sure),
    );
    assert!(a >= 4 && b >= 4, "{a} and {b}");
    // the right one's are hidden while it is gone, the left one's are not
    let while_lost = while_lost.expect("a view of the left one");
    assert_eq!(of(&while_lost, &ids[0], Status::Sure), a);
    assert_eq!(of(&while_lost, &ids[1], Status::Sure), 0);
    assert!(of(&while_lost, &ids[1], Status::Hidden) >= b);
    // each is placed once, and not again when its camera is back
    let mut dice: Vec<u64> = placed.iter().map(|p| p.0).collect();
    let n = dice.len();
    dice.sort_unstable();
    dice.dedup();
    assert_eq!(dice.len(), n, "{placed:?}");
    for id in &ids {
        let mine = placed.iter().filter(|p| p.1 == id.0).count();
        assert!(mine >= 4, "{placed:?}");
    }
}

/// While nothing changes the models rest, what was read stands, and what changes is looked at again.
#[test]
fn what_does_not_change_is_not_looked_at_again() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let copy = copy::load(&root.join("calibration/copies/plain-dice")).expect("the copy");
    let eye = Eye::open(&models_folder(), &copy, 2).expect("the models");
    let frame = still();
    let (w, h) = (frame.picture.width(), frame.picture.height());
    let empty = vec![90_u8; (w * h * 3) as usize];
    let empty = Picture::from_rgb(w, h, empty).expect("a picture");
    let at = |k: u64| {
        let mut frame = frame.clone();
        frame.at = Duration::from_millis(250 * k);
        frame.sequence = k;
        if k >= 20 {
            frame.picture = empty.clone();
        }
        Next::Frame(frame)
    };
    let source = Script {
        id: CameraId("script".to_owned()),
        left: (0..52).map(at).collect(),
    };
    let session = Session::new(copy, Rig::default()).expect("a session");
    let mut player = Player::new(Box::new(source), eye, session);
    let (mut examined, mut calls) = (Vec::new(), Vec::new());
    while let Step::View(view) = player.step().expect("a step") {
        examined.push(view.examined);
        calls.push(view.judged.calls.len());
        if view.sequence == 19 {
            assert!(view.dice.iter().all(|d| d.frame < 19));
        }
    }
    let rest = examined.iter().position(|e| !e).expect("they rest");
    assert!((7..=12).contains(&rest), "{examined:?}");
    assert!(examined[rest..20].iter().all(|e| !e), "{examined:?}");
    assert!(calls[rest] > 0 && calls[rest..20].iter().all(|n| *n == calls[rest]));
    assert!(examined[20..24].iter().all(|e| *e), "{examined:?}");
    assert_eq!(calls.last(), Some(&0));
    assert_eq!(examined.last(), Some(&false));
}

/// A tray without a reference picture is where a person clicks that it is, and its zones go by that.
#[test]
fn a_plain_display_lies_where_it_was_clicked() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let dir = tempfile::tempdir().expect("a folder");
    let plain = root.join("calibration/copies/plain-dice");
    let mut text = std::fs::read_to_string(plain.join("copy.toml")).expect("a copy");
    std::fs::create_dir(dir.path().join("faces")).expect("a folder");
    for face in std::fs::read_dir(plain.join("faces")).expect("faces") {
        let face = face.expect("a face");
        let to = dir.path().join("faces").join(face.file_name());
        std::fs::copy(face.path(), to).expect("copied");
    }
    text += "\n[[displays]]\nid = \"white.engineering\"\nsize_mm = [200, 150]\n[[displays.zones]]\nzone = \"energy\"\npolygon_mm = [[0, 0], [200, 0], [200, 150], [0, 150]]\n";
    std::fs::write(dir.path().join("copy.toml"), text).expect("written");
    let copy = copy::load(dir.path()).expect("the copy");
    let eye = Eye::open(&models_folder(), &copy, 2).expect("the models");
    let frame = still();
    let size = [frame.picture.width(), frame.picture.height()].map(f64::from);
    let at = |k: u64| {
        let mut frame = frame.clone();
        frame.at = Duration::from_millis(100 * k);
        frame.sequence = k;
        Next::Frame(frame)
    };
    let source = Script {
        id: CameraId("script".to_owned()),
        left: (0..3).map(at).collect(),
    };
    let session = Session::new(copy, Rig::default()).expect("a session");
    let mut player = Player::new(Box::new(source), eye, session);
    let view = |player: &mut Player| match player.step().expect("a step") {
        Step::View(view) => view,
        other => panic!("{other:?}"),
    };
    let first = view(&mut player);
    assert!(!first.dice.is_empty());
    assert!(first.surfaces.is_empty());
    assert!(first.placings.iter().all(|p| p.surface.is_none()));
    let [w, h] = size;
    let corners = Quad::from_pairs([
        [0.0, 0.0],
        [w - 1.0, 0.0],
        [w - 1.0, h - 1.0],
        [0.0, h - 1.0],
    ]);
    let display = sightline::rig::Marked::Surface("white.engineering".to_owned());
    let camera = first.camera.clone();
    player.mark(&camera, &display, corners).expect("kept");
    let second = view(&mut player);
    assert_eq!(second.surfaces.len(), 1);
    let on = |p: &sightline::session::Placing| p.surface.as_deref() == Some("white.engineering");
    assert!(second.placings.iter().filter(|p| on(p)).count() >= first.dice.len() - 1);
    // and it is written down for the next evening
    let rig = player.session().rig().to_toml();
    assert!(rig.contains("white.engineering"), "{rig}");
}

/// In a game of displays dice are rolled all over the table; a tray there is where rolls count.
#[test]
fn a_tray_leaves_out_the_table_only_where_a_copy_is_nothing_but_dice() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("calibration/copies");
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("rig.toml");
    let text = "format = 1\n[[trays]]\nid = \"tray\"\nsize_mm = [200.0, 100.0]\ncorners_px = [[100, 100], [300, 100], [300, 200], [100, 200]]\n";
    std::fs::write(&file, text).expect("written");
    let rig = Rig::load(&file).expect("a rig");
    let (sight, _) = rig.sight(None, [640, 480]);
    for (name, around) in [("plain-dice", false), ("practice", true)] {
        let copy = copy::load(&root.join(name)).expect("the copy");
        let session = Session::new(copy, rig.clone()).expect("a session");
        assert!(session.looks_at(&sight, Point::new(150.0, 150.0)));
        let beside = session.looks_at(&sight, Point::new(500.0, 150.0));
        assert_eq!(beside, around, "{name}");
    }
}

/// Black's weapons are in no picture: its launch would wait for a hand that uncovers them, and no picture comes.
#[test]
fn what_is_declared_as_a_recording_ends_has_its_verdict() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let copy = copy::load(&root.join("calibration/copies/practice")).expect("the copy");
    let eye = Eye::open(&models_folder(), &copy, 2).expect("the models");
    let mut video = Video::open(&root.join("calibration/demo/match.mp4")).expect("the film");
    let mut left = VecDeque::new();
    while left.len() < 48 {
        left.push_back(video.next().expect("a picture"));
    }
    let source = Script {
        id: CameraId("script".to_owned()),
        left,
    };
    let fire = Declaration::Fire {
        ship: ShipId::BLACK,
        torpedoes: 1,
        target: None,
    };
    let session = Session::new(copy, Rig::default()).expect("a session");
    let mut player = Player::new(Box::new(source), eye, session)
        .declared_in(vec![(Duration::from_millis(3700), fire)]);
    let mut judged = Vec::new();
    loop {
        match player.step().expect("a step") {
            Step::View(view) => judged.extend(view.game.and_then(|g| g.judged)),
            Step::End => break,
            other => panic!("{other:?}"),
        }
    }
    let [only] = judged.as_slice() else {
        panic!("{judged:?}");
    };
    assert_eq!(only.verdict, Verdict::Unsure);
    assert!(matches!(player.step(), Ok(Step::End)));
}
