//! Tests of what holds faces beside pictures, and of the net that it asks between two.

#![allow(clippy::unwrap_used)]
use super::*;
use crate::{
    copy::{Prints, Shape, Status, load, shipped},
    vision::{
        detector::Detection,
        models_folder,
        reader::{Look, Print, Reader},
    },
};

fn square(at: f64) -> Quad {
    Quad::from_pairs([[at, 0.0], [at + 9.0, 0.0], [at + 9.0, 9.0], [at, 9.0]])
}

fn beside(odds: [(usize, f64); 2]) -> Said {
    Said {
        odds: odds.into(),
        choices: Vec::new(),
    }
}

fn evidence(faces: &[f64], none: f64) -> Evidence {
    Evidence {
        faces: faces.to_vec(),
        none,
        colour: vec![1.0; faces.len()],
        best: (0..faces.len())
            .map(|i| (0.8, i % 4, Some(square(10.0 * i as f64))))
            .collect(),
    }
}

#[test]
fn only_likely_faces_are_held_beside_a_die_each_upright() {
    let seen = evidence(&[0.2, 1e-9, 1.0, 0.0, 0.5, 0.4, 0.3], 0.1);
    let likely = seen.likely();
    let faces: Vec<usize> = likely.iter().map(|(f, _)| *f).collect();
    assert_eq!(faces, [2, 4, 5, 6], "no more than {FACES}");
    // the third was likest two quarters on: the corner that was its own first comes first again
    assert_eq!(likely[0].1, square(20.0).turned(2));
    assert_eq!(likely[1].1, square(40.0));
    assert_eq!(likely[2].1, square(50.0).turned(3));
    let one = evidence(&[1.0, 0.0005], 0.0).likely();
    assert_eq!(one.len(), 1, "a thousandth as likely");
    assert_eq!(evidence(&[0.0, 0.0], 1.0).likely(), []);
}

#[test]
fn pictures_and_vectors_count_what_they_weigh_and_none_is_among_them() {
    let seen = evidence(&[1.0, 0.8, 0.01], 0.1);
    let both = seen.beside(&beside([(0, -2.0), (1, 3.0)]), [1.0, 1.0]);
    assert_eq!(both.order(), [1, 0, 2]);
    let ratio = both.faces[1] / both.faces[0];
    assert!((ratio - 0.8 * 5.0_f64.exp()).abs() < 1e-6, "{ratio}");
    // none is asked about with no odds at all, and what was not asked about is as unlike as the least
    assert!((both.none / both.faces[1] - 0.1 / 0.8 * (-3.0_f64).exp()).abs() < 1e-9);
    assert!((both.faces[2] / both.faces[0] - 0.01).abs() < 1e-9);
    assert_eq!(both.best, seen.best);
    // faces that were held against each other share what they have, and no other has more or less
    let mut chosen = beside([(0, -2.0), (1, 3.0)]);
    chosen.choices = vec![vec![(0, 4.0), (1, -4.0)]];
    let third = both.shared(&seen, &chosen, [1.0, 0.5, 0.75]);
    let odds = (1.0_f64 / 0.8).ln() - 2.5 + 6.0;
    assert!((third.faces[0] / third.faces[1] - odds.exp()).abs() < 1e-6);
    assert!((third.faces[0] + third.faces[1] - both.faces[0] - both.faces[1]).abs() < 1e-9);
    assert_eq!((third.faces[2], third.none), (both.faces[2], both.none));
    assert!(chosen.is_chosen(1) && !chosen.is_chosen(2));
    let vectors = seen.beside(&beside([(0, -2.0), (1, 3.0)]), [1.0, 0.0]);
    assert_eq!(vectors.order(), seen.order());
    // of what is as likely by half as much colour, the vectors said twice as much: that counts half, the colour whole
    let mut coloured = evidence(&[1.0, 1.0], 0.1);
    coloured.colour[1] = 0.5;
    let half = coloured
        .beside(&beside([(0, 0.0), (1, 0.0)]), [0.5, 1.0])
        .faces;
    assert!(
        (half[1] / half[0] - 0.5 * 2.0_f64.sqrt()).abs() < 1e-9,
        "{half:?}"
    );
}

#[test]
fn a_face_is_turned_as_its_corners_are() {
    let planes: Vec<f32> = [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]].concat();
    // rows of two: what was the upper right comes to the upper left
    let once: Vec<f32> = [[2.0, 4.0, 1.0, 3.0], [6.0, 8.0, 5.0, 7.0]].concat();
    assert_eq!(turned(&planes, 2, 1), once);
    assert_eq!(turned(&planes, 2, 4), planes);
    assert_eq!(turned(&once, 2, 3), planes);
}

/// The practice set's faces, known by all of their pictures but the first, which is what is seen.
fn practice() -> (Reader, Vec<(String, PathBuf)>) {
    let copy = load(&shipped("practice")).unwrap();
    let mut reader = Reader::among(&models_folder(), Prints::Any, 1).unwrap();
    reader.enrol(&copy).unwrap();
    let faces: Vec<(String, Vec<PathBuf>)> = copy
        .dice
        .iter()
        .filter(|d| d.shape == Shape::D6)
        .flat_map(|d| d.faces.iter().map(|f| (d.kind.clone(), f.pictures.clone())))
        .collect();
    let rest: Vec<Vec<PathBuf>> = faces.iter().map(|(_, all)| all[1..].to_vec()).collect();
    let comparer = reader.comparer.as_mut().unwrap();
    comparer.enrol(&rest, reader.margin).unwrap();
    let firsts = faces.into_iter().map(|(kind, all)| (kind, all[0].clone()));
    (reader, firsts.collect())
}

/// The number of a face of the practice set's helm dice.
fn helm(reader: &Reader, face: &str) -> usize {
    let faces = reader.faces(Shape::D6).iter();
    let mut of_helm = faces.enumerate().filter(|(_, f)| f.kind == "helm");
    of_helm.find(|(_, f)| f.face == face).unwrap().0
}

#[test]
fn a_face_is_likest_its_own_pictures() {
    let (mut reader, faces) = practice();
    let margin = reader.margin;
    let comparer = reader.comparer.as_mut().unwrap();
    for (i, (kind, path)) in faces.iter().enumerate() {
        let (picture, _) = still::load(path).unwrap();
        let mat = crop::mat(&picture).unwrap();
        let seen = inner_face(picture.width(), picture.height(), margin).scaled(1.02);
        let of_kind = (0..faces.len()).filter(|j| faces[*j].0 == *kind);
        let asked = of_kind.map(|j| (j, seen)).collect();
        // another die's answer is its own
        let odds = comparer.odds(&mat, &[Vec::new(), asked]).unwrap();
        assert_eq!(odds[0], []);
        let own = odds[1].iter().find(|(j, _)| *j == i).unwrap().1;
        let others = odds[1].iter().filter(|(j, _)| *j != i);
        let most = others.map(|(_, o)| *o).fold(f64::MIN, f64::max);
        assert!(
            own > 0.0 && own > most + 2.0,
            "{path:?}: {own}, others {most}"
        );
        if kind == "helm" {
            let turned = vec![vec![(i, seen.turned(1))]];
            let turned = comparer.odds(&mat, &turned).unwrap()[0][0].1;
            assert!(turned < own - 2.0, "{path:?}: {own}, turned {turned}");
        }
    }
    let nobody = vec![vec![(faces.len(), square(0.0))]];
    let (picture, _) = still::load(&faces[0].1).unwrap();
    let mat = crop::mat(&picture).unwrap();
    assert_eq!(comparer.odds(&mat, &nobody).unwrap(), [[]]);
}

#[test]
fn between_two_pictures_a_face_is_its_own_if_both_may_be_it_in_one_turn() {
    let (mut reader, faces) = practice();
    let [right, wrong] = ["F1", "F2"].map(|face| helm(&reader, face));
    let (picture, _) = still::load(&faces[right].1).unwrap();
    let mat = crop::mat(&picture).unwrap();
    let upright = inner_face(picture.width(), picture.height(), reader.margin);
    let comparer = reader.comparer.as_mut().unwrap();
    let mut all = vec![0.0; faces.len()];
    (all[right], all[wrong]) = (0.2, 1.0);
    let mut chosen = |all: &[f64], asked: [(usize, Quad); 2]| {
        let said = beside(asked.map(|(face, _)| (face, 0.0)));
        let evidence = evidence(all, 0.0);
        let kind = |face: usize| faces.get(face).map(|(kind, _)| kind.as_str());
        comparer
            .choose(&mat, &evidence, &asked, &said, kind)
            .unwrap()
    };
    let both = chosen(&all, [(wrong, upright), (right, upright)]).remove(0);
    assert_eq!([both[0].0, both[1].0], [wrong, right]);
    assert!(both[1].1 > 0.7, "{both:?}");
    assert!((both[0].1 + both[1].1).abs() < 1e-9);
    // asked the other way round it says the same, but for its 8 bits
    let other = chosen(&all, [(right, upright), (wrong, upright)]).remove(0);
    assert_eq!([other[0].0, other[1].0], [right, wrong]);
    assert!((other[0].1 - both[1].1).abs() < 0.3, "{other:?}");
    // what is upright in another turn is not like it at all, nor does an outline about another one show the same, and what is unlikely is not asked about
    for elsewhere in [upright.turned(1), upright.scaled(1.35)] {
        assert!(chosen(&all, [(wrong, elsewhere), (right, upright)]).is_empty());
    }
    all[wrong] = 1e-7;
    assert!(chosen(&all, [(wrong, upright), (right, upright)]).is_empty());
    // of a face without pictures nothing was said
    all[wrong] = 1.0;
    let said = Said {
        odds: vec![(right, 0.0)],
        choices: Vec::new(),
    };
    let asked = [(wrong, upright), (right, upright)];
    let choice = comparer.choose(&mat, &evidence(&all, 0.0), &asked, &said, |_| Some("helm"));
    assert!(choice.unwrap().is_empty());
}

#[test]
fn what_vectors_leave_between_two_faces_its_picture_tells_however_it_is_turned() {
    let (mut reader, faces) = practice();
    let [right, wrong] = ["F1", "F2"].map(|face| helm(&reader, face));
    let gallery = &reader.galleries[&Shape::D6];
    // both faces, as if each were seen in full
    let prints = |turn: usize, outline: Quad| -> Vec<Print> {
        let of = |face: usize| {
            let mut all = gallery.pictures.iter();
            let shown = all.find(|p| p.face == face && p.turn == turn).unwrap();
            Print {
                outline,
                vector: shown.vector.clone(),
                middle: shown.middle.clone(),
            }
        };
        [right, wrong].map(of).into()
    };
    let (picture, _) = still::load(&faces[right].1).unwrap();
    let mat = crop::mat(&picture).unwrap();
    let upright = inner_face(picture.width(), picture.height(), reader.margin);
    let weights = [vec![1.0; faces.len()]];
    let looks = [0, 1, 2, 3].map(|turn| Look(prints(turn, upright.turned(turn))));
    for (turn, look) in looks.into_iter().enumerate() {
        let outline = upright.turned(turn);
        let die = Detection::cube(0.9, outline.centre(), outline);
        let looks = [vec![look]];
        let judged = reader.judge(&die, &looks[0], &weights[0]).reading;
        assert_eq!(judged.status, Status::Unsure, "{turn}: {judged:?}");
        let dice = [die];
        let ask = |reader: &mut Reader, unlikely: bool| {
            let known = (&[None][..], &[unlikely][..]);
            let beside = reader.beside(&mat, &dice, &looks, &weights, known);
            beside.unwrap().remove(0)
        };
        assert_eq!(
            ask(&mut reader, true),
            Said::default(),
            "no die, for all that is seen"
        );
        let odds = ask(&mut reader, false);
        let told = reader.judge_beside(&dice[0], &looks[0], &weights[0], &odds);
        assert_eq!(told.reading.face.as_deref(), Some("F1"), "{turn}");
        assert_eq!(
            told.reading.status,
            Status::Sure,
            "{turn}: {:?}",
            told.reading
        );
        assert_eq!(told.turn % 4, turn);
        // another one by a choice is not told, and the likeliest not sure then, but of the kind that both are
        let mut other = odds.clone();
        other.choices = vec![vec![(right, -40.0), (wrong, 40.0)]];
        let told = reader.judge_beside(&dice[0], &looks[0], &weights[0], &other);
        assert_eq!(told.reading.face.as_deref(), Some("F1"), "{turn}");
        let is_doubted = told.reading.status == Status::Unsure && told.reading.kind_sure;
        assert!(is_doubted, "{turn}: {:?}", told.reading);
        // and what is like none of them stays so, whatever its picture says
        let gallery = reader.galleries.get_mut(&Shape::D6).unwrap();
        let near = std::mem::replace(&mut gallery.faces[right].near, 1.1);
        let told = reader.judge_beside(&dice[0], &looks[0], &weights[0], &odds);
        assert_eq!(told.reading.status, Status::Unknown);
        reader.galleries.get_mut(&Shape::D6).unwrap().faces[right].near = near;
    }
}

#[test]
fn what_vectors_are_sure_of_stays_so_where_its_picture_agrees() {
    let (mut reader, faces) = practice();
    let [own, another] = ["F1", "F2"].map(|face| helm(&reader, face));
    let gallery = &reader.galleries[&Shape::D6];
    let mut all = gallery.pictures.iter();
    let shown = all.find(|p| p.face == own && p.turn == 0).unwrap();
    let (vector, middle) = (shown.vector.clone(), shown.middle.clone());
    let weights = [vec![1.0; faces.len()]];
    let mut read = |seen: usize| {
        let (picture, _) = still::load(&faces[seen].1).unwrap();
        let mat = crop::mat(&picture).unwrap();
        let outline = inner_face(picture.width(), picture.height(), reader.margin);
        let looks = [vec![Look(vec![Print {
            outline,
            vector: vector.clone(),
            middle: middle.clone(),
        }])]];
        let dice = [Detection::cube(0.9, outline.centre(), outline)];
        let judged = reader.judge(&dice[0], &looks[0], &weights[0]).reading;
        assert_eq!(judged.status, Status::Sure, "{judged:?}");
        let known = (&[None][..], &[false][..]);
        let odds = reader.beside(&mat, &dice, &looks, &weights, known);
        let odds = odds.unwrap().remove(0);
        let asked: Vec<usize> = odds.odds.iter().map(|(face, _)| *face).collect();
        assert_eq!(asked, [own], "of what is sure nothing else is asked");
        assert!(odds.choices.is_empty());
        reader
            .judge_beside(&dice[0], &looks[0], &weights[0], &odds)
            .reading
    };
    let agreed = read(own);
    assert!(agreed.status == Status::Sure && agreed.kind_sure);
    let doubted = read(another);
    assert_eq!(doubted.face, agreed.face);
    assert!(doubted.status == Status::Unsure && !doubted.kind_sure);
    assert!(doubted.confidence < SURE, "{}", doubted.confidence);
    assert!(agreed.next.is_some() && doubted.next.is_none());
}

#[test]
fn faces_that_differ_are_apart_and_one_is_not_from_itself() {
    let (mut reader, faces) = practice();
    let helm = faces.iter().position(|(kind, _)| kind == "helm").unwrap();
    let comparer = reader.comparer.as_mut().unwrap();
    let mut apart = |faces, quarters: &[usize]| comparer.are_apart(faces, quarters).unwrap();
    assert!(apart([helm, helm + 1], &[0]));
    assert!(!apart([helm, helm], &[0]));
    assert!(
        !apart([helm, faces.len()], &[0]),
        "of no picture nothing is known"
    );
    // another face that is the same turned: three quarters on it is the first again
    let size = comparer.size;
    let same: Vec<Vec<f32>> = comparer.own[helm]
        .iter()
        .map(|p| turned(p, size, 1))
        .collect();
    comparer.own.push(same);
    let last = comparer.own.len() - 1;
    let mut apart = |quarters: &[usize]| comparer.are_apart([helm, last], quarters).unwrap();
    assert!(apart(&[0]));
    assert!(!apart(&[3]));
    assert!(!apart(&[0, 3]));
}
