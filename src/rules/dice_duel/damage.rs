//! What a hit does: the sector that is struck, what must be rolled, and the chances.

use super::bearing::Sectors;
use super::dice_box::Sums;
use super::launch::{Aim, Arms, Line, Shot};
use super::position::Position;
use super::print::Print;
use super::ship::Ship;
use super::symbol::DieKind;
use super::zone::{Sector, Side};
use crate::rules::{Odds, OddsSpan};

impl Position {
    /// The sectors of a target that may be hit along a line: those that face the shooter, and
    /// of two on a diagonal the one with more dice, or both where that is a tie (the defender
    /// chooses) or not known.
    pub(crate) fn struck(&self, target: &Ship, facing: Sectors) -> Struck {
        if facing.len() < 2 {
            return Struck {
                sectors: facing,
                tie: false,
                unsure: false,
            };
        }
        let counts = |s: Sector| target.shields(s).span();
        let mut possible = Sectors::NONE;
        for sector in facing.iter() {
            let most = counts(sector).max;
            if facing.iter().all(|s| s == sector || most >= counts(s).min) {
                possible = possible.union(Sectors::one(sector));
            }
        }
        let known = facing.iter().all(|s| counts(s).value().is_some());
        Struck {
            sectors: possible,
            tie: known && possible.len() > 1,
            unsure: !known && possible.len() > 1,
        }
    }

    /// The sectors, and the numbers of shield dice, that a shot may meet from wherever it may
    /// come.
    pub(crate) fn struck_by_any(&self, ship: &Ship, target: &Ship, shot: &Shot) -> (Sectors, Sums) {
        let Some(lines) = self.lines(ship, Aim::Ship(target)) else {
            let sectors = shot.sectors.iter().map(|s| target.shields(s));
            return (shot.sectors, sectors.fold(Sums::NONE, Sums::union));
        };
        let (mut sectors, mut dice) = (Sectors::NONE, Sums::NONE);
        for line in lines.iter().filter(|l| l.side.is_some()) {
            sectors = sectors.union(self.struck(target, line.faces()).sectors);
            dice = dice.union(self.shields_met(target, line.faces()));
        }
        (sectors, dice)
    }

    /// How many shield dice a hit along a line may meet. On a diagonal it meets the greater
    /// number of the two sectors, whichever has it.
    pub(crate) fn shields_met(&self, target: &Ship, facing: Sectors) -> Sums {
        let mut counts = facing.iter().map(|s| target.shields(s));
        let Some(first) = counts.next() else {
            return Sums::NONE;
        };
        counts.fold(first, |a, b| {
            let pairs = a.values().flat_map(|x| b.values().map(move |y| x.max(y)));
            pairs.fold(Sums::NONE, |all, n| all.union(Sums::one(n)))
        })
    }

    /// The chances of a launch at a ship: exact where nothing that matters is unknown, bounds
    /// where something is. `None` where the copy's dice have no faces to count.
    pub(crate) fn launch_odds(
        &self,
        ship: &Ship,
        arms: &Arms,
        target: &Ship,
        shot: &Shot,
        declared: u8,
    ) -> Option<LaunchOdds> {
        let known;
        let lines = match shot.line {
            Some(line) => {
                known = [line];
                Some(known.as_slice())
            }
            None => None,
        };
        let all;
        let lines = match lines {
            Some(lines) => Some(lines),
            None => {
                all = self.lines(ship, Aim::Ship(target));
                all.as_deref()
            }
        };
        let mut odds: Option<LaunchOdds> = None;
        let mut may_be = |one: LaunchOdds| {
            odds = Some(odds.map_or(one, |all| all.union(one)));
        };
        let Some(lines) = lines else {
            // Not counted: a miss is possible, and so is whatever the best line could do.
            may_be(LaunchOdds::NEVER);
            let best = arms.torpedoes.pairs().map(|(f, r)| f.max(r)).max();
            let fly = best.unwrap_or(0).min(declared);
            for sector in Sector::ALL {
                for n in target.shields(sector).values() {
                    for hull in self.hull_lefts(target) {
                        may_be(LaunchOdds::of(&self.print, u16::from(n), fly, hull)?);
                    }
                }
            }
            return odds;
        };
        for line in lines {
            // Without a direction no rule says what is met: then anything is possible.
            let facing = match line.directed {
                true => line.faces(),
                false => Sector::ALL
                    .into_iter()
                    .fold(Sectors::NONE, |all, s| all.union(Sectors::one(s))),
            };
            let met = match line.directed {
                true => self.shields_met(target, facing),
                false => facing
                    .iter()
                    .fold(Sums::NONE, |all, s| all.union(target.shields(s))),
            };
            for pair in arms.torpedoes.pairs() {
                let (fly, hits, misses) = self.flight(*line, arms, shot, pair);
                let fly = fly.min(declared);
                if misses || fly == 0 {
                    may_be(LaunchOdds::NEVER);
                }
                if !hits || fly == 0 {
                    continue;
                }
                for n in met.values() {
                    for hull in self.hull_lefts(target) {
                        may_be(LaunchOdds::of(&self.print, u16::from(n), fly, hull)?);
                    }
                }
            }
        }
        odds
    }

    /// Torpedoes that would fly along a line, and whether they may hit and may miss.
    fn flight(&self, line: Line, arms: &Arms, shot: &Shot, pair: (u8, u8)) -> (u8, bool, bool) {
        let (front, rear) = pair;
        let fly = match line.side {
            Some(Side::Front) => front,
            Some(Side::Rear) => rear,
            None if !line.directed => front.max(rear),
            None => 0,
        };
        let lock = arms.lock.span();
        let need = |jammers: u16| self.need(line.range, jammers.min(255) as u8);
        let hits = lock.max >= need(shot.jammers.min) && line.blocked != Some(true);
        let misses =
            lock.min < need(shot.jammers.max) || line.blocked != Some(false) || !line.directed;
        (fly, hits, misses)
    }

    /// What may be left of a ship's hull while it flies.
    pub(crate) fn hull_lefts(&self, ship: &Ship) -> impl Iterator<Item = u16> + use<> {
        let hull = u16::from(self.print.numbers.hull);
        let damage = ship.damage().total();
        (damage.min.min(hull)..=damage.max.min(hull))
            .map(move |n| hull - n)
            .filter(|left| *left > 0)
    }
}

/// Which sectors a hit meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Struck {
    pub(crate) sectors: Sectors,
    /// Equal dice on a diagonal: the defender chooses.
    pub(crate) tie: bool,
    /// Which has more dice is not known.
    pub(crate) unsure: bool,
}

/// What a torpedo must roll against a number of shield dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Need {
    /// At least this many blasts; none means that it hits by itself.
    Blasts(u8),
    /// Nothing gets through.
    Never,
}

impl Need {
    /// The need against `dice` shield dice.
    pub(crate) fn against(print: &Print, dice: u16) -> Need {
        print
            .numbers
            .blasts_needed
            .get(usize::from(dice))
            .map_or(Need::Never, |n| Need::Blasts(*n))
    }

    /// Whether it is settled without a roll.
    pub(crate) fn is_automatic(self) -> bool {
        matches!(self, Need::Blasts(0) | Need::Never)
    }

    /// Whether a roll of this many blasts gets through.
    pub(crate) fn met_by(self, blasts: u8) -> bool {
        match self {
            Need::Blasts(n) => blasts >= n,
            Need::Never => false,
        }
    }

    /// The chance that one torpedo gets through, by the faces of the copy's weapon dice.
    pub(crate) fn odds(self, print: &Print) -> Option<Odds> {
        match self {
            Need::Never => Some(Odds::NEVER),
            Need::Blasts(0) => Some(Odds::CERTAIN),
            Need::Blasts(n) => {
                let faces = print.faces_of(DieKind::Weapon);
                let good = faces.iter().filter(|f| f.blasts() >= n).count();
                Odds::new(good as u64, faces.len() as u64)
            }
        }
    }
}

/// The chances of a launch: exact fractions, or the least and the most where something that
/// matters is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, schemars::JsonSchema)]
pub struct LaunchOdds {
    /// That one torpedo gets through.
    pub torpedo: OddsSpan,
    /// Of at least one damage.
    pub damage: OddsSpan,
    /// That the target is destroyed.
    pub destruction: OddsSpan,
}

impl LaunchOdds {
    /// Nothing comes of it.
    pub(crate) const NEVER: LaunchOdds = LaunchOdds {
        torpedo: OddsSpan::known(Odds::NEVER),
        damage: OddsSpan::known(Odds::NEVER),
        destruction: OddsSpan::known(Odds::NEVER),
    };

    /// For `fly` torpedoes against `shields` dice and a hull that stands `hull_left` more damage.
    pub(crate) fn of(print: &Print, shields: u16, fly: u8, hull_left: u16) -> Option<LaunchOdds> {
        LaunchOdds::after(print, shields, fly, hull_left, 0)
    }

    /// The same, where some torpedoes have got through already and `fly` are still to roll.
    pub(crate) fn after(
        print: &Print,
        shields: u16,
        fly: u8,
        hull_left: u16,
        through: u8,
    ) -> Option<LaunchOdds> {
        let torpedo = Need::against(print, shields).odds(print)?;
        let tries = u32::from(fly);
        let more = |wanted: u16| torpedo.at_least(u32::from(wanted), tries);
        let through = u16::from(through);
        Some(LaunchOdds {
            torpedo: OddsSpan::known(torpedo),
            damage: OddsSpan::known(more(1u16.saturating_sub(through))?),
            destruction: OddsSpan::known(more(hull_left.saturating_sub(through))?),
        })
    }

    pub(crate) fn union(self, other: LaunchOdds) -> LaunchOdds {
        LaunchOdds {
            torpedo: self.torpedo.union(other.torpedo),
            damage: self.damage.union(other.damage),
            destruction: self.destruction.union(other.destruction),
        }
    }

    /// Whether no unknown place matters to them.
    pub(crate) fn is_known(self) -> bool {
        let spans = [self.torpedo, self.damage, self.destruction];
        spans.iter().all(|s| s.value().is_some())
    }
}
