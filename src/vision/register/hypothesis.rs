//! A way a surface may lie in a picture, and what says that it does.

use super::map::Map;
use crate::geometry::Quad;

/// Share of the comparable blocks that must agree for `sure` by that alone.
const SURE: f64 = 0.6;
/// A place explains clearly more than a repetition of the print further on where that explains at most this part of it.
pub(super) const REPEATED: f64 = 0.85;
/// Share of blocks that agree by chance, where something else lies: on the mean 0.14 at 775 places that were tried where it was not, on the pictures that
/// `SURELY` is of.
const CHANCE: f64 = 0.15;
/// How much more likely what agrees must be than by chance, as a logarithm, and the least share of it. So much say there 25 of the 49 places where it truly lay and less
/// than `POSSIBLE` agreed, and five of 803 where it did not, before another one of its size was asked about.
const TELLING: (f64, f64) = (10.0, 0.3);
/// The same for `sure`: a plain card's few blocks are soon found elsewhere (seven that all agree say 13.3). Of 450 places of displays and boards on made copies
/// that would be sure without, one right one says less, and two of five wrong ones: those of copies 0 to 5 of seed 8300, every third picture, and
/// of 1 and 4 of seed 7800, by a script that is not kept.
const SURELY: f64 = 13.0;

/// How much likelier it is that this share of so many blocks agrees than by chance, as a logarithm (Chernoff 1952); nothing where less does.
fn evidence(share: f64, blocks: usize) -> f64 {
    let part = |is: f64, chance: f64| {
        if is > 0.0 {
            is * (is / chance).ln()
        } else {
            0.0
        }
    };
    if share <= CHANCE {
        return 0.0;
    }
    blocks as f64 * (part(share, CHANCE) + part(1.0 - share, 1.0 - CHANCE))
}

/// A way a surface may lie.
#[derive(Debug, Clone)]
pub(in crate::vision) struct Hypothesis {
    /// Millimetres to pixels.
    pub map: Map,
    pub corners: Quad,
    /// Share of the blocks compared that show what the reference shows.
    pub agreement: f64,
    /// Blocks compared.
    pub compared: usize,
    /// Share of the printed blocks that lie in the picture.
    pub seen: f64,
    /// Square millimetres that are bare on the surface and not in the picture: dice, hands, another surface's print.
    pub strange_mm2: f64,
    /// Square millimetres of print that are in the picture as they are on the surface.
    pub same_mm2: f64,
    /// What the same print explains a repetition of itself further on, as a part of what it explains here.
    pub repeated: f64,
}

impl Hypothesis {
    /// What it explains of the picture: a plain card agrees with many another as far as its own few lines go, and
    /// explains less of it than that one.
    pub fn explains(&self) -> f64 {
        self.agreement * self.same_mm2
    }

    /// Whether more of its blocks agree than by chance: dice and shadows may hide most of what says that it is there.
    pub fn is_telling(&self) -> bool {
        self.agreement >= TELLING.1 && evidence(self.agreement, self.compared) >= TELLING.0
    }

    /// Whether it may be there by its print: a good part of it agrees, or more than by chance.
    pub fn is_possible(&self) -> bool {
        self.agreement >= super::POSSIBLE || self.is_telling()
    }

    /// Whether no repetition of the print does nearly as well.
    pub fn stands_out(&self) -> bool {
        self.repeated <= REPEATED
    }

    /// Whether it is surely there: most of its print is, and more of the picture speaks for it than against it. Where
    /// little is printed, another surface's print outweighs it; and it is not surely where a repetition of its own print
    /// does nearly as well.
    pub fn is_sure(&self) -> bool {
        self.agreement >= SURE
            && evidence(self.agreement, self.compared) >= SURELY
            && self.strange_mm2 <= self.same_mm2
            && self.stands_out()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_blocks_tell_more_than_a_few_of_which_as_many_agree() {
        let of = |agreement: f64, compared: usize| Hypothesis {
            map: Map::identity(),
            corners: Quad::from_pairs([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]),
            agreement,
            compared,
            seen: 1.0,
            strange_mm2: 0.0,
            same_mm2: 1000.0,
            repeated: 0.0,
        };
        // a display whose dice hide three blocks of five, a plain card, and a board of which a few lines agree
        let telling = [(0.4, 60), (0.4, 15), (0.25, 400)].map(|(a, n)| of(a, n).is_telling());
        assert_eq!(telling, [true, false, false]);
        let sure = [(0.65, 40), (0.65, 18), (1.0, 10)].map(|(a, n)| of(a, n).is_sure());
        assert_eq!(sure, [true, false, true]);
        assert!(
            (evidence(0.5, 100) - 33.67).abs() < 0.01,
            "{}",
            evidence(0.5, 100)
        );
        assert_eq!(evidence(0.1, 100), 0.0);
    }
}
