//! Torpedo launches: what a "Fire 1" or "Fire 2" would do.
//!
//! A verdict is found from sets of what is possible: sums of lock and jammers, pairs of loaded
//! tubes, and the lines between the squares the two may be on. Only the lines are enumerated,
//! at most [`MOST_COMBINATIONS`] of them; above that, bounds decide or nobody does.

use super::bearing::{Sectors, arc, is_diagonal, offset, range, rift_blocks, sectors};
use super::dice_box::Sums;
use super::position::Position;
use super::print::{OwnSquareMine, Print};
use super::ship::{Placement, Ship, Torpedoes};
use super::square::{Half, Square};
use super::zone::{Sector, Side};
use crate::rules::{Span, Verdict};

/// The most combinations of unknown places that are tried out for one call.
pub const MOST_COMBINATIONS: usize = 4096;

/// One line of fire that is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Line {
    pub(crate) range: u16,
    /// Whether there is a direction at all: two ships in one half of a square have none.
    pub(crate) directed: bool,
    pub(crate) side: Option<Side>,
    pub(crate) on_edge: bool,
    pub(crate) sectors: u8,
    pub(crate) blocked: Option<bool>,
}

impl Line {
    /// The sectors of the target that face along it.
    pub(crate) fn faces(self) -> Sectors {
        let all = Sector::ALL.into_iter();
        all.filter(|s| self.sectors & (1 << s.index()) != 0)
            .fold(Sectors::NONE, |set, s| set.union(Sectors::one(s)))
    }
}

/// What is aimed at, as the rules see it.
#[derive(Clone, Copy)]
pub(crate) enum Aim<'a> {
    Ship(&'a Ship),
    Mine(Square),
}

/// What a ship brings to a launch, added up once.
#[derive(Clone, Copy)]
pub(crate) struct Arms {
    pub(crate) lock: Sums,
    pub(crate) torpedoes: Torpedoes,
}

impl Arms {
    pub(crate) fn of(ship: &Ship, print: &Print) -> Arms {
        Arms {
            lock: ship.lock(),
            torpedoes: ship.torpedoes(print),
        }
    }
}

/// Which outcomes are possible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcomes {
    pub(crate) hit: bool,
    pub(crate) miss: bool,
    pub(crate) cannot: bool,
}

impl Outcomes {
    fn verdict(self) -> Verdict {
        match (self.hit, self.miss, self.cannot) {
            (true, false, false) => Verdict::Hit,
            (false, true, false) => Verdict::Miss,
            (false, false, true) => Verdict::Cannot,
            _ => Verdict::Unsure,
        }
    }
}

/// What a launch would do, without words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shot {
    pub(crate) verdict: Verdict,
    /// The lines were counted, and there is one or they agree so far.
    pub(crate) lines: usize,
    pub(crate) range: Span,
    /// The one line, where there is only one.
    pub(crate) line: Option<Line>,
    /// The side that bears, where all lines agree.
    pub(crate) side: Option<Option<Side>>,
    /// The lines agree that there is a direction.
    pub(crate) directed: bool,
    /// Sectors the lines may meet.
    pub(crate) sectors: Sectors,
    pub(crate) jammers: Span,
    pub(crate) lock: Span,
    /// Lock that is needed.
    pub(crate) need: Span,
    /// What one side's tubes can do along any of the lines, front first.
    pub(crate) sides: [SideShot; 2],
}

/// Whether one side's tubes may hit, and may fail to, from what is known of line, lock, jammers
/// and tubes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SideShot {
    pub(crate) can: bool,
    pub(crate) cannot: bool,
}

impl Shot {
    /// What the tubes of a side can do.
    pub(crate) fn from(&self, side: Side) -> SideShot {
        let [front, rear] = self.sides;
        match side {
            Side::Front => front,
            Side::Rear => rear,
        }
    }
}

/// Whether two ships of one square may be in its opposite halves, and may not.
fn halves_are_open(a: &Ship, b: &Ship) -> bool {
    a.halves().len() > 1 || b.halves().len() > 1
}

impl Position {
    /// Calls `each` with every line that is possible; `false`, without calling it, if there are more
    /// than [`MOST_COMBINATIONS`].
    pub(crate) fn each_line(
        &self,
        shooter: &Ship,
        aim: Aim<'_>,
        mut each: impl FnMut(Line),
    ) -> bool {
        let from = shooter.square_count(&self.board) * shooter.facings().len();
        let to = match aim {
            Aim::Ship(target) => target.square_count(&self.board) * target.facings().len(),
            Aim::Mine(_) => 1,
        };
        if from.saturating_mul(to) > MOST_COMBINATIONS {
            return false;
        }
        let rifts = self.board.may_have_rifts();
        let line = |a: Placement, b: Placement| {
            let to_target = offset(a, b);
            let own_square = matches!(aim, Aim::Mine(_)) && a.square == b.square;
            let ahead = self.print.options.mine_in_own_square == OwnSquareMine::FrontArc;
            let side = match own_square && ahead {
                true => Some(Side::Front),
                false => to_target.and_then(|o| arc(a.facing, o, self.print.options.arc)),
            };
            Line {
                range: range(a.square, b.square),
                directed: to_target.is_some() || (own_square && ahead),
                side,
                on_edge: to_target.is_some_and(is_diagonal),
                sectors: match (aim, offset(b, a)) {
                    (Aim::Ship(_), Some(back)) => sectors(b.facing, back)
                        .iter()
                        .fold(0, |bits, s| bits | 1 << s.index()),
                    _ => 0,
                },
                blocked: if rifts {
                    rift_blocks(&self.board, &self.print, a.square, b.square)
                } else {
                    Some(false)
                },
            }
        };
        // Two ships share a square only in opposite halves; claims that rule that out rule out
        // the square, unless they leave nothing else. Of three, two are in one half.
        let mut contradiction = None;
        let mut any = false;
        let mut f = |line| {
            any = true;
            each(line);
        };
        for from in shooter.squares(&self.board) {
            for facing in shooter.facings() {
                let a = Placement::new(from, *facing);
                match aim {
                    Aim::Mine(square) => f(line(a, Placement::new(square, *facing))),
                    Aim::Ship(target) => {
                        for to in target.squares(&self.board) {
                            for its_facing in target.facings() {
                                let b = Placement::new(to, *its_facing);
                                if from != to {
                                    f(line(a, b));
                                    continue;
                                }
                                let mut met = false;
                                for half in shooter.halves() {
                                    let Half::At(edge) = half else { continue };
                                    let other = Half::At(edge.opposite());
                                    if target.halves().contains(&other) {
                                        met = true;
                                        f(line(
                                            Placement { half: *half, ..a },
                                            Placement { half: other, ..b },
                                        ));
                                    }
                                }
                                let apart = met && !halves_are_open(shooter, target);
                                if !apart && self.third_may_be_on(from, shooter, target) {
                                    f(line(a, b));
                                } else if !met {
                                    contradiction = Some(line(a, b));
                                }
                            }
                        }
                    }
                }
            }
        }
        if let (false, Some(line)) = (any, contradiction) {
            each(line);
        }
        true
    }

    /// Every line that is possible, once each; `None` where there are too many to try.
    pub(crate) fn lines(&self, shooter: &Ship, aim: Aim<'_>) -> Option<Vec<Line>> {
        let mut lines = Vec::new();
        let counted = self.each_line(shooter, aim, |line| lines.push(line));
        lines.sort_unstable();
        lines.dedup();
        counted.then_some(lines)
    }

    /// The least and most squares between two sets of squares, by bounds alone.
    fn range_bounds(&self, shooter: &Ship, aim: Aim<'_>) -> Span {
        let bounds = |squares: &mut dyn Iterator<Item = Square>| {
            squares.fold(None, |b: Option<(i16, i16, i16, i16)>, s| {
                Some(match b {
                    None => (s.x, s.x, s.y, s.y),
                    Some((x0, x1, y0, y1)) => (x0.min(s.x), x1.max(s.x), y0.min(s.y), y1.max(s.y)),
                })
            })
        };
        let a = bounds(&mut shooter.squares(&self.board));
        let b = match aim {
            Aim::Ship(target) => bounds(&mut target.squares(&self.board)),
            Aim::Mine(square) => Some((square.x, square.x, square.y, square.y)),
        };
        let (Some(a), Some(b)) = (a, b) else {
            return Span::between(0, u16::MAX);
        };
        let axis = |a0: i16, a1: i16, b0: i16, b1: i16| {
            let (a0, a1, b0, b1) = (i32::from(a0), i32::from(a1), i32::from(b0), i32::from(b1));
            let least = (b0 - a1).max(a0 - b1).max(0);
            let most = (b1 - a0).abs().max((a1 - b0).abs());
            Span::between(
                least.min(i32::from(u16::MAX)) as u16,
                most.min(i32::from(u16::MAX)) as u16,
            )
        };
        axis(a.0, a.1, b.0, b.1).plus(axis(a.2, a.3, b.2, b.3))
    }

    /// The lock that is needed over a range, for the jammers that are possible.
    pub(crate) fn need(&self, range: u16, jammers: u8) -> u16 {
        range
            .saturating_add(u16::from(jammers))
            .max(u16::from(self.print.numbers.least_lock))
    }

    /// What is possible along one line.
    pub(crate) fn outcomes(
        &self,
        line: Line,
        lock: Sums,
        jammers: Sums,
        torpedoes: Torpedoes,
    ) -> Outcomes {
        let mut out = Outcomes::default();
        let (lock, jammers) = (lock.span(), jammers.span());
        let least = self.need(line.range, jammers.min as u8);
        let most = self.need(line.range, jammers.max as u8);
        for (front, rear) in torpedoes.pairs() {
            let there = match line.side {
                Some(Side::Front) => front,
                Some(Side::Rear) => rear,
                None => 0,
            };
            if front + rear == 0 {
                out.cannot |= !self.print.options.fire_unloaded;
                out.miss |= self.print.options.fire_unloaded;
            } else if line.directed && there == 0 {
                out.miss = true;
            } else {
                // Without a direction no rule says whether it hits: then it is not ours to call.
                out.hit |= lock.max >= least && line.blocked != Some(true);
                out.miss |= lock.min < most || line.blocked != Some(false) || !line.directed;
            }
        }
        out
    }

    /// What a launch at a target would do, if the play allows it.
    pub(crate) fn shot(&self, shooter: &Ship, arms: &Arms, aim: Aim<'_>, jammers: Sums) -> Shot {
        let mut out = Outcomes::default();
        let mut shot = Shot {
            verdict: Verdict::Unsure,
            lines: 0,
            range: Span::known(0),
            line: None,
            side: None,
            directed: true,
            sectors: Sectors::NONE,
            jammers: jammers.span(),
            lock: arms.lock.span(),
            need: Span::known(0),
            sides: [SideShot::default(); 2],
        };
        let mut same_side = true;
        let loaded = Side::ALL.map(|side| {
            let here = |(f, r): (u8, u8)| match side {
                Side::Front => f > 0,
                Side::Rear => r > 0,
            };
            let (mut any, mut all) = (false, true);
            for pair in arms.torpedoes.pairs() {
                any |= here(pair);
                all &= here(pair);
            }
            (side, any, all)
        });
        let counted = self.each_line(shooter, aim, |line| {
            let here = self.outcomes(line, arms.lock, jammers, arms.torpedoes);
            out.hit |= here.hit;
            out.miss |= here.miss;
            out.cannot |= here.cannot;
            let range = Span::known(line.range);
            if shot.lines == 0 {
                shot.range = range;
                shot.side = Some(line.side);
                shot.line = Some(line);
            } else {
                shot.range = shot.range.union(range);
                same_side &= shot.side == Some(line.side);
                if shot.line != Some(line) {
                    shot.line = None;
                }
            }
            shot.directed &= line.directed;
            let least = self.need(line.range, shot.jammers.min as u8);
            let most = self.need(line.range, shot.jammers.max as u8);
            for ((side, any, all), found) in loaded.iter().zip(&mut shot.sides) {
                let bears = line.side == Some(*side);
                let never = !any
                    || (line.directed && !bears)
                    || line.blocked == Some(true)
                    || shot.lock.max < least;
                let always = *all
                    && line.directed
                    && bears
                    && line.blocked == Some(false)
                    && shot.lock.min >= most;
                found.can |= !never;
                found.cannot |= !always;
            }
            // A shield sector can only be met along a line that can be fired along.
            if line.side.is_some() {
                shot.sectors = shot.sectors.union(line.faces());
            }
            shot.lines += 1;
        });
        if !counted {
            // Bounds: the nearest line with the fewest jammers, and the farthest with the most.
            shot.range = self.range_bounds(shooter, aim);
            shot.lines = MOST_COMBINATIONS + 1;
            let some = arms.torpedoes.pairs().any(|(f, r)| f + r > 0);
            let none = arms.torpedoes.pairs().any(|(f, r)| f + r == 0);
            let unloaded = self.print.options.fire_unloaded;
            let locked = shot.lock.max >= self.need(shot.range.min, shot.jammers.min as u8);
            out.cannot = none && !unloaded;
            out.hit = some && locked;
            out.miss = some || (none && unloaded);
            for ((_, any, _), found) in loaded.iter().zip(&mut shot.sides) {
                found.can = *any && locked;
                found.cannot = true;
            }
            same_side = false;
            shot.directed = true;
            for sector in Sector::ALL {
                shot.sectors = shot.sectors.union(Sectors::one(sector));
            }
        }
        if !same_side {
            shot.side = None;
        }
        shot.need = Span::between(
            self.need(shot.range.min, shot.jammers.min as u8),
            self.need(shot.range.max, shot.jammers.max as u8),
        );
        shot.verdict = out.verdict();
        shot
    }
}
