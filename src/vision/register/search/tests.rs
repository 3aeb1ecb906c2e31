use super::*;
use crate::capture::Picture;

/// A search of a grey picture for one surface.
fn of_nothing() -> Search {
    let grey = Mat::new_rows_cols_with_default(
        400,
        600,
        opencv::core::CV_8UC1,
        opencv::core::Scalar::all(90.0),
    );
    let black = Mat::zeros(400, 600, opencv::core::CV_8UC3).unwrap();
    let black = black.to_mat().unwrap();
    let nothing = Shown {
        cards: Vec::new(),
        colours: outline::Colours::of(&black).unwrap(),
        picture: Picture::from_rgb(600, 400, vec![0; 600 * 400 * 3]).unwrap(),
    };
    let pictures = Pyramid::of(grey.unwrap()).unwrap();
    Search::new(pictures, nothing, vec![3], Vec::new(), Effort::Still)
}

#[test]
fn a_search_without_its_sweep_looks_for_no_rectangles_on_the_table() {
    let swept = [of_nothing(), of_nothing().without_sweep()].map(|mut search| {
        search.plane = Some(map::rigid(0.0, 20.0, 30.0));
        let mut swept = false;
        while !matches!(search.step(&[]).unwrap(), Step::Over) {
            swept |= matches!(search.outlines, Outlines::Sweeping(_));
        }
        swept
    });
    assert_eq!(swept, [true, false]);
}

#[test]
fn what_is_not_clear_is_looked_for_again_and_gives_way_to_what_explains_more() {
    let mut search = of_nothing();
    let lies = |x: f64, agreement: f64, same_mm2: f64| {
        let map = map::rigid(0.0, x, 0.0);
        let lies = Hypothesis {
            map,
            corners: map::corners(&map, [100.0, 60.0]).unwrap(),
            agreement,
            compared: 40,
            seen: 1.0,
            strange_mm2: 0.0,
            same_mm2,
            repeated: 0.0,
        };
        Some((3, lies))
    };
    let at = |search: &Search| search.found.iter().map(|(_, h)| h.corners.0[0].x).collect();
    let mut is = Vec::new();
    for (x, agreement, same_mm2) in [
        (10.0, 0.5, 2000.0),
        (90.0, 0.5, 1000.0),
        (40.0, 0.9, 4000.0),
    ] {
        let step = search.take(lies(x, agreement, same_mm2), &[]);
        let places: Vec<f64> = at(&search);
        is.push((
            matches!(step, Step::Found(..)),
            places,
            search.missing.clone(),
        ));
    }
    let wanted = [
        (true, vec![10.0], vec![3]),
        (false, vec![10.0], vec![3]),
        (true, vec![40.0], vec![]),
    ];
    assert_eq!(is, wanted);
}

#[test]
fn what_is_but_likely_gives_way_to_what_lies_partly_on_it() {
    let lies = |x: f64, agreement: f64| {
        let map = map::rigid(0.0, x, 0.0);
        Hypothesis {
            map,
            corners: map::corners(&map, [100.0, 60.0]).unwrap(),
            agreement,
            compared: 10,
            seen: 1.0,
            strange_mm2: 0.0,
            same_mm2: 1000.0 * agreement,
            repeated: 0.0,
        }
    };
    for (agreement, stay) in [(0.3, 1), (0.9, 2)] {
        let mut search = of_nothing();
        search.take(Some((1, lies(0.0, agreement))), &[]);
        search.take(Some((2, lies(85.0, 0.95))), &[]);
        assert_eq!(search.found.len(), stay, "{agreement}");
    }
    let beside = |x: f64| are_beside(&lies(0.0, 0.3).corners, &lies(x, 0.3).corners);
    assert!(beside(97.0) && !beside(85.0));
}

#[test]
fn a_surface_is_likely_by_its_edges_on_a_known_table_beside_all_others() {
    let ground = opencv::core::Scalar::new(60.0, 70.0, 60.0, 0.0);
    let size = (400, 600, opencv::core::CV_8UC3);
    let mut rgb = Mat::new_rows_cols_with_default(size.0, size.1, size.2, ground).unwrap();
    let card = opencv::core::Rect::new(100, 120, 240, 160);
    let light = opencv::core::Scalar::new(220.0, 215.0, 200.0, 0.0);
    let filled = opencv::imgproc::FILLED;
    opencv::imgproc::rectangle(&mut rgb, card, light, filled, 8, 0).unwrap();
    let bytes = rgb.data_bytes().unwrap().to_vec();
    let lies = |x: f64| Hypothesis {
        map: Map::identity(),
        corners: Quad::from_pairs([
            [x, 120.0],
            [x + 239.0, 120.0],
            [x + 239.0, 279.0],
            [x, 279.0],
        ]),
        agreement: 0.3,
        compared: 40,
        seen: 1.0,
        strange_mm2: 0.0,
        same_mm2: 1000.0,
        repeated: 0.0,
    };
    let mut search = of_nothing();
    search.shown.picture = Picture::from_rgb(600, 400, bytes).unwrap();
    search.plane = Some(map::rigid(0.0, 20.0, 30.0));
    let small = [120.0, 80.0];
    let is = |search: &Search, h: &Hypothesis, size_mm, others: &[(usize, Hypothesis)]| {
        search.is_likely(h, size_mm, others).unwrap()
    };
    assert!(is(&search, &lies(100.0), small, &[]));
    assert!(!is(&search, &lies(160.0), small, &[]), "no edges there");
    // so far away that nothing is told by its edges, and partly on another one
    assert!(!is(&search, &lies(100.0), [360.0, 240.0], &[]));
    assert!(is(&search, &lies(100.0), small, &[(1, lies(341.0))]));
    assert!(!is(&search, &lies(100.0), small, &[(1, lies(310.0))]));
    search.effort = Effort::Live;
    assert!(!is(&search, &lies(100.0), small, &[]));
    search.effort = Effort::Still;
    search.plane = None;
    assert!(!is(&search, &lies(100.0), small, &[]));
}
