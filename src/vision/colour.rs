//! What colour a die is: a second witness, beside the print, of which kind it is.
//!
//! Light and white balance are not known, so a colour is taken apart into two ratios, which a lamp's colour
//! shifts, and a lightness, which exposure shifts: natural logarithms of red to green, of blue to green, and of
//! green. How far they scatter for one kind is read off the copy's own enrolment pictures, which show it in
//! several lights (a yellow die has next to no blue, and its share of blue scatters more than another kind's). One kind's colour counts only against another's: a copy with one kind is read by print alone.

use opencv::{core::Mat, prelude::*};

use super::{crop, eye::VisionError};
use crate::geometry::Quad;

/// ln (red / green), ln (blue / green), ln green; of 8-bit values.
pub(super) type Colour = [f64; 3];

/// What is added to 8-bit values before their ratio is taken: black has no hue.
const FLOOR: f64 = 10.0;
/// Side of the small picture that a colour is taken from, pixels.
const SIZE: i32 = 16;
/// Least scatter of one kind's colour, where enrolment pictures show less: other lamps, other cameras. This and `BLIND`
/// were chosen on made copies that trained nothing (`models/train/colours.py`; see `models/README.md`).
const LEAST: Colour = [0.18, 0.18, 0.5];
/// Live pictures scatter more than enrolment pictures do.
const LIVE: f64 = 1.3;
/// A kind's own pictures are few: how all kinds scatter counts as so many more of them.
const POOLED: f64 = 10.0;
/// The likelihood that a colour says nothing at all (glare, a coloured lamp): no kind is ruled out by more.
const BLIND: f64 = 0.0003;
/// The likelihood that a die is another game's with prints like the copy's, and of that colour: with it a colour three times as far
/// from every picture of the kind that its print is of as that scatters leaves no die sure, and one four times as far from those of all kinds (`OWN`) is none of
/// theirs. Of 2,526 dice of six made copies (`models/train/colours.py`; `tables.py --seed 8300`), with stray light and in the light
/// that all others of the picture tell, one lies farther than twice from its own kind, and none farther than three times; of 102 strangers, whatever their print, 11 lie
/// farther than that from energy dice and seven from all kinds.
const FOREIGN: f64 = 0.0001;
/// Grey levels by which a channel may be off besides: light that is scattered in the lens, and what lies beside. It tells in dark
/// channels, whose logarithm says little.
const STRAY: f64 = 6.0;
/// How much wider the median of some numbers scatters than their mean does.
const OF_MEDIAN: f64 = 1.25;
/// A die that is one of the copy's by its colour with less chance than this is none of them.
pub(super) const OWN: f64 = 0.85;

/// The colour that most of a face has: its body's, as print covers less than half.
///
/// # Errors
/// Where the corners make no quadrilateral.
pub(super) fn of_face(picture: &Mat, face: &Quad) -> Result<Colour, VisionError> {
    let small = crop::rectify(picture, &Quad(face.scaled(0.9).0), SIZE, 0.0)?;
    let mut channels: [Vec<u8>; 3] = Default::default();
    for pixel in small.data_typed::<opencv::core::Vec3b>()? {
        for (c, v) in channels.iter_mut().zip(pixel.0) {
            c.push(v);
        }
    }
    let [r, g, b] = channels.map(|mut c| {
        let middle = c.len() / 2;
        let (_, m, _) = c.select_nth_unstable(middle);
        (f64::from(*m) + FLOOR).ln()
    });
    Ok([r - g, b - g, g])
}

/// How a picture's light shifts colours, and the standard error of that.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Light {
    pub shift: Colour,
    error: Colour,
}

/// How far a colour may be off by stray light.
fn stray([r_g, b_g, g]: Colour) -> Colour {
    let of = |ln: f64| STRAY / ln.exp();
    let (red, blue, green) = (of(r_g + g), of(b_g + g), of(g));
    [red.hypot(green), blue.hypot(green), green]
}

/// Chance that a die is the copy's and not another game's with such prints, by how near its colour is.
fn chance(near: f64) -> f64 {
    (near + BLIND) / (near + BLIND + FOREIGN)
}

/// Chance that a die is the copy's, by its colour alone, were it of one kind or another; empty where colour tells nothing.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Own(Vec<(String, f64)>);

impl Own {
    /// Were it of any of the copy's kinds.
    pub fn of_any(&self) -> f64 {
        self.0
            .iter()
            .map(|(_, c)| *c)
            .reduce(f64::max)
            .unwrap_or(1.0)
    }

    /// Were it of that kind.
    pub fn of(&self, kind: &str) -> f64 {
        let own = self.0.iter().find(|(k, _)| k == kind);
        own.map_or_else(|| self.of_any(), |(_, c)| *c)
    }
}

/// The colours that each kind of a copy was enrolled in.
#[derive(Debug, Default)]
pub(super) struct Palette {
    kinds: Vec<Kind>,
}

/// The colours of one kind, as its owner's pictures show it.
#[derive(Debug)]
struct Kind {
    name: String,
    colours: Vec<Colour>,
    scatter: Colour,
    /// How much narrower it scatters than all kinds do together: where it does, its colours are the likelier.
    narrower: f64,
}

impl Palette {
    pub fn new(seen: &[(String, Colour)]) -> Self {
        let mut kinds: Vec<(String, Vec<Colour>)> = Vec::new();
        for (kind, colour) in seen {
            match kinds.iter_mut().find(|(k, _)| k == kind) {
                Some((_, colours)) => colours.push(*colour),
                None => kinds.push((kind.clone(), vec![*colour])),
            }
        }
        let further = |colours: &[Colour]| colours.len() as f64 - 1.0;
        let n: f64 = kinds.iter().map(|(_, c)| further(c)).sum();
        let sum = |axis| -> f64 { kinds.iter().map(|(_, c)| squares(c, axis)).sum() };
        let pooled = [0, 1, 2].map(|axis| if n > 0.0 { sum(axis) / n } else { 0.0 });
        let scatter = |variance: Colour| -> Colour {
            std::array::from_fn(|axis| LEAST[axis].max(LIVE * variance[axis].sqrt()))
        };
        let wide = scatter(pooled).iter().product::<f64>();
        let kinds = kinds.into_iter().map(|(name, colours)| {
            let own = |axis: usize| {
                (POOLED * pooled[axis] + squares(&colours, axis)) / (POOLED + further(&colours))
            };
            let scatter = scatter([0, 1, 2].map(own));
            Kind {
                narrower: wide / scatter.iter().product::<f64>(),
                name,
                colours,
                scatter,
            }
        });
        Self {
            kinds: kinds.collect(),
        }
    }

    /// Whether colour tells anything: of one kind alone it does not.
    pub fn tells(&self) -> bool {
        self.kinds.len() > 1
    }

    /// How well a colour, seen under a light that shifts all by `shift`, goes with each kind, the best of
    /// them 1.
    pub fn factors(&self, colour: Colour, shift: Colour) -> impl Fn(&str) -> f64 + '_ {
        let each = self
            .kinds
            .iter()
            .map(|k| k.likelihood(colour, shift) + BLIND);
        let each: Vec<f64> = each.collect();
        let most = each.iter().copied().fold(BLIND, f64::max);
        move |kind| {
            self.kinds
                .iter()
                .zip(&each)
                .find(|(k, _)| k.name == kind)
                .map_or(1.0, |(_, f)| f / most)
        }
    }

    /// Whether a die of such a colour is the copy's, were its print no witness, under a light.
    pub fn own(&self, colour: Colour, light: &Light) -> Own {
        let each = self.kinds.iter();
        let near = each.map(|k| (k.name.clone(), chance(k.nearest(colour, light))));
        Own(near.collect())
    }

    /// How well the one kind's colours go with the other kind: 1 for one and the same.
    pub fn likeness(&self, one: &str, other: &str) -> f64 {
        let factor = |c: &Colour| self.factors(*c, [0.0; 3])(other);
        self.kinds
            .iter()
            .find(|k| k.name == one)
            .map_or(1.0, |k| k.colours.iter().map(factor).fold(BLIND, f64::max))
    }

    /// How the light of a picture shifts colours, from dice whose kind is known by their print; `None` where
    /// they are too few to tell.
    pub fn light<'a>(
        &self,
        known: impl IntoIterator<Item = &'a (String, Colour)>,
    ) -> Option<Light> {
        const ENOUGH: usize = 3;
        let mut shifts: [Vec<f64>; 3] = Default::default();
        let mut variance: Colour = Default::default();
        for (kind, colour) in known {
            if let Some(known) = self.kinds.iter().find(|k| k.name == *kind) {
                let stray = stray(*colour);
                for (axis, s) in shifts.iter_mut().enumerate() {
                    s.push(colour[axis] - mean(&known.colours, axis));
                    variance[axis] += known.scatter[axis].powi(2) + stray[axis].powi(2);
                }
            }
        }
        let n = shifts[0].len();
        (n >= ENOUGH).then(|| Light {
            shift: shifts.map(|mut s| {
                let middle = s.len() / 2;
                let (_, m, _) = s.select_nth_unstable_by(middle, f64::total_cmp);
                *m
            }),
            error: variance.map(|v| OF_MEDIAN * v.sqrt() / n as f64),
        })
    }
}

impl Kind {
    /// Of a colour that is seen under a light which shifts all by `shift`: the owner's pictures are so many places about which
    /// it may lie.
    fn likelihood(&self, colour: Colour, shift: Colour) -> f64 {
        let near = |enrolled| near(colour, shift, enrolled, self.scatter);
        let near = self.colours.iter().map(near).sum::<f64>();
        self.narrower * near / self.colours.len().max(1) as f64
    }

    /// How near it is to the nearest of the owner's pictures: 1 for the same.
    fn nearest(&self, colour: Colour, light: &Light) -> f64 {
        let near = |enrolled: &Colour| {
            // stray light is beside what this kind would look like: another game's dark die is excused by its own darkness no more
            let stray = stray(std::array::from_fn(|i| enrolled[i] + light.shift[i]));
            let scatter =
                std::array::from_fn(|i| self.scatter[i].hypot(stray[i]).hypot(light.error[i]));
            near(colour, light.shift, enrolled, scatter)
        };
        self.colours.iter().map(near).fold(0.0, f64::max)
    }
}

/// How near a colour, seen under a light, is to what it was enrolled as: 1 for the same.
fn near(colour: Colour, shift: Colour, enrolled: &Colour, scatter: Colour) -> f64 {
    let off = |i: usize| ((colour[i] - shift[i] - enrolled[i]) / scatter[i]).powi(2);
    (-(0..3).map(off).sum::<f64>() / 2.0).exp()
}

/// Squares of how far colours lie from their mean.
fn squares(colours: &[Colour], axis: usize) -> f64 {
    let mean = mean(colours, axis);
    colours.iter().map(|c| (c[axis] - mean).powi(2)).sum()
}

fn mean(colours: &[Colour], axis: usize) -> f64 {
    colours.iter().map(|c| c[axis]).sum::<f64>() / colours.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: Colour = [1.2, 0.0, 4.0];
    const BLUE: Colour = [-0.3, 0.9, 4.2];
    const WHITE: Colour = [0.02, -0.05, 5.4];

    fn seen(kind: &str, colour: Colour) -> (String, Colour) {
        (kind.to_owned(), colour)
    }

    #[test]
    fn a_kind_s_own_colour_counts_against_the_others() {
        let palette = Palette::new(&[seen("red", RED), seen("blue", BLUE), seen("white", WHITE)]);
        let factor = palette.factors([1.1, 0.05, 3.7], [0.0; 3]);
        assert_eq!(factor("red"), 1.0);
        assert!(factor("blue") < 0.03 && factor("white") < 0.03);
        assert!(factor("blue") >= BLIND / 1.1, "no kind is ruled out");
        assert_eq!(palette.likeness("red", "red"), 1.0);
        assert!(palette.likeness("red", "blue") < 0.03);
    }

    #[test]
    fn the_light_of_a_picture_is_taken_out() {
        let palette = Palette::new(&[seen("red", RED), seen("blue", BLUE), seen("white", WHITE)]);
        // a lamp that makes white dice as yellow as nothing enrolled
        let lamp = [0.5, -0.6, -0.7];
        let under = |c: Colour| [c[0] + lamp[0], c[1] + lamp[1], c[2] + lamp[2]];
        let known = [
            seen("red", under(RED)),
            seen("blue", under(BLUE)),
            seen("blue", under(BLUE)),
        ];
        let light = palette.light(&known).expect("enough of them");
        let shift = light.shift;
        for (got, want) in shift.iter().zip(lamp) {
            assert!((got - want).abs() < 1e-9);
        }
        let factor = palette.factors(under(WHITE), shift);
        assert_eq!(factor("white"), 1.0);
        assert!(factor("red") < 0.02);
        assert_eq!(palette.light(&known[..2]), None, "two dice tell no light");
        let many: Vec<_> = known.iter().cycle().take(12).collect();
        let of_many = palette.light(many).expect("enough of them");
        for (few, many) in light.error.iter().zip(of_many.error) {
            assert!((few / many - 2.0).abs() < 1e-9, "{few} {many}");
        }
    }

    #[test]
    fn a_colour_that_no_kind_has_is_likelier_another_game_s() {
        let palette = Palette::new(&[seen("red", RED), seen("blue", BLUE), seen("white", WHITE)]);
        let own = |c| palette.own(c, &Light::default()).of_any();
        for c in [RED, BLUE, WHITE, [1.3, 0.1, 3.4]] {
            assert!(own(c) > 0.999, "{c:?}: {}", own(c));
        }
        // as far from white as 2.5, 3.5 and 4.5 times what one axis scatters at least
        let from_white =
            [2.5, 3.5, 4.5].map(|n| own([WHITE[0] - n * LEAST[0], WHITE[1], WHITE[2]]));
        assert!(
            from_white[0] > 0.99 && from_white[1] < 0.99 && from_white[1] > OWN,
            "{from_white:?}"
        );
        assert!(from_white[2] < OWN, "{from_white:?}");
        let green = [-1.0, -0.9, 4.6];
        assert!(own(green) < OWN);
        // one kind's colour is no witness for another kind's print
        let own = palette.own(RED, &Light::default());
        assert!(own.of("red") > 0.999 && own.of("white") < 0.9, "{own:?}");
        assert_eq!(own.of("red"), own.of_any());
        assert_eq!(Own::default().of("red"), 1.0);
        // under a lamp that shifts all so, that is what white looks like
        let lamp: Colour = std::array::from_fn(|i| green[i] - WHITE[i]);
        let lamp = Light {
            shift: lamp,
            ..Light::default()
        };
        assert!(palette.own(green, &lamp).of_any() > 0.999);
    }

    #[test]
    fn a_dark_channel_and_a_light_that_few_dice_tell_accuse_less() {
        let dark: Colour = [1.2, 0.0, 3.4];
        let palette = Palette::new(&[seen("red", dark), seen("white", WHITE)]);
        let sure_of_light = Light::default();
        // so many grey levels in the dark blue are little, and as a ratio much
        let off = |c: Colour, by: f64| [c[0], c[1] - by, c[2]];
        let (of_dark, of_white) = (
            palette.own(off(dark, 0.6), &sure_of_light).of_any(),
            palette.own(off(WHITE, 0.6), &sure_of_light).of_any(),
        );
        assert!(of_dark > 0.999 && of_white < 0.99, "{of_dark} {of_white}");
        let vague = Light {
            error: [0.13, 0.13, 0.3],
            ..sure_of_light
        };
        assert!(palette.own(off(WHITE, 0.6), &vague).of_any() > 0.99);
        // a black die is no white one in the dark
        assert!(palette.own([0.0, 0.0, 2.7], &sure_of_light).of_any() < OWN);
    }

    #[test]
    fn one_kind_alone_has_no_colour_to_be_told_by() {
        let palette = Palette::new(&[seen("d6", WHITE)]);
        assert_eq!(palette.factors(BLUE, [0.0; 3])("d6"), 1.0);
        assert!(!palette.tells());
        assert_eq!(Palette::default().factors(BLUE, [0.0; 3])("d6"), 1.0);
    }

    #[test]
    fn lights_that_enrolment_shows_widen_what_goes() {
        let narrow = Palette::new(&[seen("red", RED), seen("blue", BLUE)]);
        let other = [RED[0] - 0.8, RED[1] + 0.6, RED[2]];
        let wide = Palette::new(&[seen("red", RED), seen("red", other), seen("blue", BLUE)]);
        assert!(wide.kinds[0].scatter[0] > narrow.kinds[0].scatter[0]);
    }
}
