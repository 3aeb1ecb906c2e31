//! Of the reader as a whole, with the practice set's faces.

use opencv::{core, prelude::*};

use super::*;
use crate::{
    capture::still,
    copy::{load, shipped},
    geometry::Point,
    vision::{gallery::inner_face, models_folder},
};

/// Side of a picture of the practice set's faces.
const SIDE: i32 = 96;

#[test]
fn a_die_of_no_kind_s_colour_is_told_by_the_light_of_those_read_beside_it() {
    let copy = load(&shipped("practice")).unwrap();
    let mut reader = Reader::among(&models_folder(), copy.prints, 1).unwrap();
    reader.enrol(&copy).unwrap();
    let names = [
        "energy-3",
        "helm-F2",
        "shield-S1",
        "weapon-NOSE",
        "energy-5",
    ];
    let grey = core::Scalar::all(110.0);
    let mut all = Mat::new_rows_cols_with_default(SIDE, 5 * SIDE, core::CV_8UC3, grey).unwrap();
    for (i, name) in (0..).zip(names) {
        let path = shipped("practice").join(format!("faces/{name}-1.png"));
        let (face, _) = still::load(&path).unwrap();
        let mut face = crop::mat(&face).unwrap();
        if name == "energy-5" {
            // its white is another game's magenta
            for pixel in face.data_typed_mut::<core::Vec3b>().unwrap() {
                pixel[1] /= 6;
            }
        }
        let at = core::Rect::new(i * SIDE, 0, SIDE, SIDE);
        let mut place = Mat::roi_mut(&mut all, at).unwrap();
        face.copy_to(&mut place).unwrap();
    }
    let data = all.data_bytes().unwrap().to_vec();
    let picture = Picture::from_rgb(5 * SIDE as u32, SIDE as u32, data).unwrap();
    let dice: Vec<Detection> = (0..5)
        .map(|i| {
            let mut face = inner_face(SIDE as u32, SIDE as u32, 0.2);
            for p in &mut face.0 {
                p.x += f64::from(i * SIDE);
            }
            Detection::cube(0.9, face.centre(), face)
        })
        .collect();
    let (own, foreign) = dice.split_at(4);
    let own = reader.read(&picture, own.to_vec()).unwrap();
    assert!(
        own.iter().all(|s| s.reading.status == Status::Sure),
        "{own:?}"
    );
    let mut status = |beside: &[Sighting]| {
        let read = reader.read_beside(&picture, foreign.to_vec(), beside);
        let read = read.unwrap();
        assert_eq!(read.len(), 1, "those beside it are not read again");
        read[0].reading.status
    };
    assert_eq!(status(&own), Status::Unknown);
    // nothing tells the light: it may make white so
    assert_ne!(status(&own[..2]), Status::Unknown);
}

#[test]
fn what_seems_to_be_no_die_is_looked_at_in_every_way_the_second_time() {
    let copy = load(&shipped("practice")).unwrap();
    let mut reader = Reader::among(&models_folder(), copy.prints, 1).unwrap();
    reader.enrol(&copy).unwrap();
    // a stripe: no face of the copy's
    let mut data = Vec::new();
    for (y, x) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (y, x))) {
        data.extend([if (x + 2 * y) / 9 % 5 == 0 { 190 } else { 90 }; 3]);
    }
    let picture = Picture::from_rgb(SIDE as u32, SIDE as u32, data).unwrap();
    let face = inner_face(SIDE as u32, SIDE as u32, 0.2);
    let die = Detection::cube(0.4, face.centre(), face);
    let mut memory = Memory::default();
    let mut lasts = |frames: u32| {
        let mut remembered = None;
        for _ in 0..frames {
            let read = reader.read_next(&picture, vec![die.clone()], &mut memory, &[]);
            let there = read.unwrap()[0].there;
            assert!(there < memory::NONE, "{there}");
            let look = Patch::of(&crop::mat(&picture).unwrap(), &face).unwrap();
            let now = memory.recall(&die, &look).unwrap();
            remembered = Some(now.lasts(&die, there));
            memory.renew([now]);
        }
        remembered.unwrap()
    };
    assert!(!lasts(1), "looked at hastily");
    assert!(lasts(1), "and now in every way");
}

/// A face of the practice set on grey ground, and where it lies.
fn energy_3(reader: &mut Reader) -> (Mat, Quad) {
    let path = shipped("practice").join("faces/energy-3-1.png");
    let face = crop::mat(&still::load(&path).unwrap().0).unwrap();
    let grey = core::Scalar::all(60.0);
    let mut mat = Mat::new_rows_cols_with_default(3 * SIDE, 3 * SIDE, core::CV_8UC3, grey).unwrap();
    let at = core::Rect::new(SIDE, SIDE, SIDE, SIDE);
    face.copy_to(&mut Mat::roi_mut(&mut mat, at).unwrap())
        .unwrap();
    let mut truth = inner_face(SIDE as u32, SIDE as u32, 0.2);
    for p in &mut truth.0 {
        p.x += f64::from(SIDE);
        p.y += f64::from(SIDE);
    }
    let truth = reader.refined(&mat, &[truth]).unwrap()[0].unwrap().face;
    (mat, truth)
}

#[test]
fn what_is_taken_for_a_face_may_be_a_diamond_or_a_frame_in_its_print() {
    let copy = load(&shipped("practice")).unwrap();
    let mut reader = Reader::among(&models_folder(), copy.prints, 1).unwrap();
    reader.enrol(&copy).unwrap();
    let (mat, truth) = energy_3(&mut reader);
    let [a, b, c, d] = truth.0;
    let middle = |p: Point, q: Point| nalgebra::center(&p, &q);
    let diamond = Quad([middle(a, b), middle(b, c), middle(c, d), middle(d, a)]).scaled(0.85);
    for outline in [diamond, truth.scaled(0.7)] {
        let die = Detection::cube(0.6, outline.centre(), outline);
        let about = reader.outlines_about(&mat, &[0], &[die]).unwrap();
        let is_it = |q: &Quad| {
            let larger = (q.side() / truth.side()).ln().abs();
            (q.centre() - truth.centre()).norm() < 0.05 * truth.side() && larger < 0.1
        };
        assert!(
            about[0].iter().any(|r| is_it(&r.face)),
            "{about:?}, {truth:?}"
        );
    }
    // what lies there already is no other outline
    let die = Detection::cube(0.6, truth.centre(), truth);
    let about = reader.outlines_about(&mat, &[0], &[die]).unwrap();
    let as_it_was = |r: &Refined| (r.face.side() / truth.side()).ln().abs() < AS_FOUND;
    assert!(!about[0].iter().any(as_it_was), "{about:?}");
    // only what looks like none of the copy's faces, on bare table, and live what looks like a die
    let looks = |print: Quad, reader: &mut Reader| {
        let vector = reader.embed(&[(&mat, print)]).unwrap().remove(0);
        let outline = print;
        [Look(vec![Print {
            outline,
            vector,
            middle: None,
        }])]
    };
    let corner = truth.scaled(0.25);
    let (whole, part) = (looks(truth, &mut reader), looks(corner, &mut reader));
    let weights = vec![1.0; reader.faces(Shape::D6).len()];
    let mut die = Detection::cube(0.6, truth.centre(), truth);
    let may =
        |die: &Detection, looks: &[Look], haste| reader.may_be_framed(die, looks, &weights, haste);
    assert!(
        !may(&die, &part, Haste::None),
        "it may be a surface's print"
    );
    die.on_table = true;
    assert!([Haste::None, Haste::Again, Haste::New].map(|h| may(&die, &part, h)) == [true; 3]);
    assert!(!may(&die, &whole, Haste::None), "it is read as it is");
    die.score = 0.4;
    assert!(may(&die, &part, Haste::None) && !may(&die, &part, Haste::Again));
}

#[test]
fn a_print_that_is_likest_in_another_outline_lies_where_that_is_refined_to() {
    let copy = load(&shipped("practice")).unwrap();
    let mut reader = Reader::among(&models_folder(), copy.prints, 1).unwrap();
    reader.enrol(&copy).unwrap();
    let (mat, truth) = energy_3(&mut reader);
    let aside = Quad(truth.0.map(|p| p + nalgebra::Vector2::new(9.0, -7.0)));
    let vector = reader.embed(&[(&mat, truth)]).unwrap().remove(0);
    let mut lies = |face: Quad, likest: Quad| {
        let die = Detection::cube(0.9, face.centre(), face);
        let print = Print {
            outline: likest,
            vector: vector.clone(),
            middle: None,
        };
        let weights = vec![1.0; reader.faces(Shape::D6).len()];
        let looks = [vec![Look(vec![print])]];
        let mut elsewhere = reader
            .elsewhere(&mat, &[die], &looks, &[weights], &[false])
            .unwrap();
        elsewhere.remove(0)
    };
    assert!(lies(truth, truth).is_none());
    let mistaken = Quad(truth.0.map(|p| p + nalgebra::Vector2::new(30.0, 30.0)));
    let there = lies(mistaken, aside).expect("another place");
    let off = |q: &Quad| (q.centre() - truth.centre()).norm();
    assert_eq!(there.outline, aside);
    assert!(off(&there.truly.face) < 0.4 * off(&aside), "{there:?}");
}
