//! Cards keep their shape: whether one that was found lies on the table of another.

use super::{
    hypothesis::Hypothesis,
    map::{self, Map},
    search::CLEAR,
};
use crate::geometry::{Point, Quad};

/// So much more a surface must explain than another one to say that this is not on its table, and by so much that
/// one's sides are then wrong there: cards a few millimetres thick and bent ones are by less.
const MUCH: f64 = 2.0;
const OUT_OF_SHAPE: f64 = 0.15;
/// What is farther off than so many lengths of a surface is held against its table no less strictly: half as large again is not there.
const FAR: f64 = 3.5;

/// Whether a surface has its true shape where it lies on the table of another one, as far as this one tells there; of two that do
/// not agree on the table, the one that explains much less is wrong.
pub(in crate::vision) fn on_one_table(
    h: &Hypothesis,
    size_mm: [f64; 2],
    sure: &Hypothesis,
) -> bool {
    if sure.agreement < CLEAR || sure.explains() < MUCH * h.explains() {
        return true;
    }
    let off = out_of_shape(&h.corners, size_mm, &sure.map);
    off.is_some_and(|off| off < OUT_OF_SHAPE * lengths_away(&h.corners, sure).clamp(1.0, FAR))
}

/// Whether corners lie as those of a card of that size do on the table of `map`, which takes its millimetres to pixels.
pub(in crate::vision) fn in_shape(corners: &Quad, size_mm: [f64; 2], map: &Map) -> bool {
    out_of_shape(corners, size_mm, map).is_some_and(|off| off < OUT_OF_SHAPE)
}

/// By what part of its length the worst side or diagonal of a card of that size is wrong on the table of `map`; `None` beyond the
/// horizon, where there is no table, and of a map that has no way back.
pub(super) fn out_of_shape(corners: &Quad, [w, d]: [f64; 2], map: &Map) -> Option<f64> {
    let back = map::back(map)?;
    let mut at = [Point::origin(); 4];
    for (a, p) in at.iter_mut().zip(&corners.0) {
        *a = map::apply(&back, *p)?;
    }
    let across = w.hypot(d);
    let off = |a: usize, b: usize, mm: f64| ((at[a] - at[b]).norm() / mm - 1.0).abs();
    let offs = [
        off(0, 1, w),
        off(2, 3, w),
        off(1, 2, d),
        off(3, 0, d),
        off(0, 2, across),
        off(1, 3, across),
    ];
    let finite = offs.iter().all(|off| off.is_finite());
    finite.then(|| offs.into_iter().fold(0.0, f64::max))
}

/// How far a place is from a surface, in lengths of this one's diagonal: what a pixel at its corner shifts grows so.
fn lengths_away(corners: &Quad, from: &Hypothesis) -> f64 {
    let [a, _, c, _] = from.corners.0;
    let lengths = || {
        let back = map::back(&from.map)?;
        let [here, there, a, c] =
            [from.corners.centre(), corners.centre(), a, c].map(|p| map::apply(&back, p));
        Some((there? - here?).norm() / (c? - a?).norm())
    };
    lengths().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_that_is_pushed_keeps_its_shape_and_one_that_is_blown_up_has_lost_it() {
        let size = [132.8, 65.0];
        let came = Quad::from_pairs([[572.0, 42.0], [847.0, 81.0], [848.0, 229.0], [532.0, 184.0]]);
        let map = super::super::of_corners(&came, size).unwrap();
        assert!(in_shape(&came, size, &map));
        // along its table, by 40 mm and a quarter turn
        let pushed = map * map::rigid(1.57, 40.0, -10.0);
        assert!(in_shape(&map::corners(&pushed, size).unwrap(), size, &map));
        // as a film had it whose hand left only the upper edge free
        let blown = Quad::from_pairs([
            [561.0, 42.0],
            [831.0, 79.0],
            [1730.0, 753.0],
            [492.0, 472.0],
        ]);
        assert!(!in_shape(&blown, size, &map));
    }

    #[test]
    fn a_surface_says_less_of_the_table_the_farther_it_is_away() {
        let lies = |map: Map, size| Hypothesis {
            map,
            corners: map::corners(&map, size).unwrap(),
            agreement: 0.8,
            compared: 40,
            seen: 1.0,
            strange_mm2: 0.0,
            same_mm2: 0.0,
            repeated: 0.0,
        };
        // as a picture has them: 160 mm of a card far back, one of whose corners is found 4 pixels off
        let size = [160.0, 80.0];
        let far = [
            [1606.0, 197.0],
            [1373.0, 91.0],
            [1475.0, 26.0],
            [1706.0, 122.0],
        ];
        let table = super::super::of_corners(&Quad::from_pairs(far), size).unwrap();
        let mut off = far;
        off[2] = [1478.0, 29.0];
        let clear = Hypothesis {
            same_mm2: 10_000.0,
            ..lies(
                super::super::of_corners(&Quad::from_pairs(off), size).unwrap(),
                size,
            )
        };
        let card = [90.0, 60.0];
        let wider = [110.0, 60.0];
        for (at, both) in [([40.0, 10.0], false), ([-100.0, -400.0], true)] {
            let map = table * map::rigid(0.3, at[0], at[1]);
            assert!(on_one_table(&lies(map, card), card, &clear), "{at:?}");
            // so far off one that is drawn out is let be, too: another, nearer by, tells that
            assert_eq!(
                on_one_table(&lies(map, wider), card, &clear),
                both,
                "{at:?}"
            );
        }
        // but not one of twice its size, however far off
        let twice = [180.0, 120.0];
        for at in [[40.0, 10.0], [-100.0, -400.0], [-400.0, -900.0]] {
            let map = table * map::rigid(0.3, at[0], at[1]);
            assert!(!on_one_table(&lies(map, twice), card, &clear), "{at:?}");
        }
    }
}
