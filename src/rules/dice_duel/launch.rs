//! Torpedo launches: what a "Fire 1" or "Fire 2" would do.
//!
//! A verdict is found from sets of what is possible: sums of lock and jammers, pairs of loaded
//! tubes, and the lines between the squares the two may be on. Only the lines are enumerated,
//! at most [`MOST_COMBINATIONS`] of them; above that, bounds decide or nobody does.

use super::bearing::{Sectors, arc, is_diagonal, offset, range, rift_blocks, sectors};
use super::dice_box::Sums;
use super::flow::Target;
use super::position::Position;
use super::print::Print;
use super::ship::{Placement, Ship, Torpedoes};
use super::square::{Half, Square};
use super::symbol::{DieKind, Part};
use super::zone::{Sector, Side, Spot, Tube, Zone};
use crate::rules::{Odds, Span, Verdict};

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
            let side = to_target.and_then(|o| arc(a.facing, o, self.print.options.arc));
            Line {
                range: range(a.square, b.square),
                directed: to_target.is_some(),
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
        // the square, unless they leave nothing else.
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
                                if !met {
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
    fn need(&self, range: u16, jammers: u8) -> u16 {
        range
            .saturating_add(u16::from(jammers))
            .max(u16::from(self.print.numbers.least_lock))
    }

    /// What is possible along one line.
    fn outcomes(&self, line: Line, lock: Sums, jammers: Sums, torpedoes: Torpedoes) -> Outcomes {
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
                out.cannot = true;
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
        };
        let mut same_side = true;
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
            // A shield sector can only be met along a line that can be fired along.
            if line.side.is_some() {
                for sector in Sector::ALL {
                    if line.sectors & (1 << sector.index()) != 0 {
                        shot.sectors = shot.sectors.union(Sectors::one(sector));
                    }
                }
            }
            shot.lines += 1;
        });
        if !counted {
            // Bounds: the nearest line with the fewest jammers, and the farthest with the most.
            shot.range = self.range_bounds(shooter, aim);
            shot.lines = MOST_COMBINATIONS + 1;
            let loaded = arms.torpedoes.pairs().any(|(f, r)| f + r > 0);
            out.cannot = arms.torpedoes.pairs().any(|(f, r)| f + r == 0);
            out.hit = loaded && shot.lock.max >= self.need(shot.range.min, shot.jammers.min as u8);
            out.miss = loaded;
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

    /// The places a launch's verdict waits for.
    pub(crate) fn shot_waits_for(
        &self,
        shooter: &Ship,
        arms: &Arms,
        target: Target,
        aim: Aim<'_>,
        jammers: Sums,
    ) -> Vec<Zone> {
        let mut zones = Vec::new();
        let mut lines = Vec::new();
        let counted = self.each_line(shooter, aim, |line| lines.push(line));
        lines.sort_unstable();
        lines.dedup();
        let unsure_stand = |ship: &Ship| !(ship.square.is_known() && ship.facing.is_known());
        if !counted {
            // Not enumerated, so not known which: all that is open is named.
            zones.extend(unsure_stand(shooter).then_some(Zone::Ship(shooter.id)));
            if let Aim::Ship(ship) = aim {
                zones.extend(unsure_stand(ship).then_some(Zone::Ship(ship.id)));
            }
        }
        let pairs: Vec<(u8, u8)> = arms.torpedoes.pairs().collect();
        let outcome = |line: &Line, pair: (u8, u8), lock: u8, jammers: u8| {
            let there = match line.side {
                Some(Side::Front) => pair.0,
                Some(Side::Rear) => pair.1,
                None => 0,
            };
            match () {
                () if pair.0 + pair.1 == 0 => Verdict::Cannot,
                () if line.directed && there == 0 => Verdict::Miss,
                () if line.blocked == Some(true) => Verdict::Miss,
                () if u16::from(lock) < self.need(line.range, jammers) => Verdict::Miss,
                () if line.blocked.is_none() || !line.directed => Verdict::Unsure,
                () => Verdict::Hit,
            }
        };
        let (locks, jams): (Vec<u8>, Vec<u8>) =
            (arms.lock.values().collect(), jammers.values().collect());
        let (mut by_line, mut by_lock, mut by_jam, mut by_tube, mut by_rift, mut by_half) =
            (!counted, false, false, false, false, false);
        let differs = |values: &mut dyn Iterator<Item = Verdict>| {
            let first = values.next();
            values.fold(false, |differs, v| differs | (Some(v) != first))
        };
        for lock in &locks {
            for jam in &jams {
                for pair in &pairs {
                    by_line |= differs(&mut lines.iter().map(|l| outcome(l, *pair, *lock, *jam)));
                }
                for line in &lines {
                    by_tube |= differs(&mut pairs.iter().map(|p| outcome(line, *p, *lock, *jam)));
                }
            }
        }
        for line in &lines {
            for pair in &pairs {
                for jam in &jams {
                    by_lock |= differs(&mut locks.iter().map(|l| outcome(line, *pair, *l, *jam)));
                    for lock in &locks {
                        let is = outcome(line, *pair, *lock, *jam);
                        by_rift |= is == Verdict::Unsure && line.blocked.is_none();
                        by_half |= is == Verdict::Unsure && !line.directed;
                    }
                }
                for lock in &locks {
                    by_jam |= differs(&mut jams.iter().map(|j| outcome(line, *pair, *lock, *j)));
                }
            }
        }
        if !counted {
            // Without lines, only bounds were asked: whatever is open may matter.
            by_lock = !arms.lock.is_known();
            by_jam = !jammers.is_known();
            by_tube = !arms.torpedoes.is_known();
        }
        if counted && (by_line || by_half) {
            let open = |ship: &Ship| unsure_stand(ship) || !ship.half.is_known() || by_half;
            zones.extend(open(shooter).then_some(Zone::Ship(shooter.id)));
            if let Aim::Ship(ship) = aim {
                zones.extend(open(ship).then_some(Zone::Ship(ship.id)));
            }
        }
        if by_rift {
            zones.extend(
                self.board
                    .cells()
                    .filter(|(_, c)| {
                        c.ground.known().is_none() && c.ground.contains(super::board::Terrain::Rift)
                    })
                    .map(|(s, _)| Zone::Board(s)),
            );
        }
        if by_lock {
            zones.push(Zone::On(shooter.id, Spot::Lock));
        }
        if let (true, Target::Ship(id)) = (by_jam, target) {
            zones.push(Zone::On(id, Spot::Jammer));
        }
        if by_tube {
            for tube in self.print.tubes().filter(|t| shooter.loaded(*t).is_none()) {
                for part in Part::ALL {
                    let spot = Spot::Tube(tube, part);
                    if shooter.slot_filled(spot).is_none() {
                        zones.push(Zone::On(shooter.id, spot));
                    }
                }
            }
        }
        zones
    }

    /// How many torpedoes leave their tubes, and from which tubes they may be chosen, for a
    /// launch along a line that is known from tubes that are known.
    pub(crate) fn launched(&self, ship: &Ship, line: Line, declared: u8) -> Tubes {
        let loaded = |side: Side| -> Vec<Tube> {
            self.print
                .tubes_on(side)
                .filter(|t| ship.loaded(*t) == Some(true))
                .collect()
        };
        let (front, rear) = (loaded(Side::Front), loaded(Side::Rear));
        let all: Vec<Tube> = front.iter().chain(&rear).copied().collect();
        let bearing = match line.side {
            Some(Side::Front) => front,
            Some(Side::Rear) => rear,
            None => Vec::new(),
        };
        let options = &self.print.options;
        let declared = usize::from(declared);
        if bearing.is_empty() {
            let leave = if options.side_shot_removes_all_declared {
                declared.min(all.len())
            } else {
                all.len().min(1)
            };
            return Tubes {
                launched: 0,
                leave,
                of: all,
                must: Vec::new(),
            };
        }
        let launched = declared.min(bearing.len());
        if declared > launched && options.fire_two_removes_other_side {
            let others = all.len() - bearing.len();
            return Tubes {
                launched,
                leave: launched + others.min(declared - launched),
                must: bearing,
                of: all,
            };
        }
        Tubes {
            launched,
            leave: launched,
            of: bearing,
            must: Vec::new(),
        }
    }

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
}

/// Which torpedoes leave after a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tubes {
    /// How many fly at the target.
    pub(crate) launched: usize,
    /// How many leave their tubes.
    pub(crate) leave: usize,
    /// Where they are taken from.
    pub(crate) of: Vec<Tube>,
    /// Those that leave in any case.
    pub(crate) must: Vec<Tube>,
}

impl Tubes {
    /// Whether a choice of tubes is one that may be made.
    pub(crate) fn allows(&self, chosen: &[Tube]) -> bool {
        chosen.len() == self.leave
            && chosen.iter().all(|t| self.of.contains(t))
            && self.must.iter().all(|t| chosen.contains(t))
            && chosen.iter().zip(chosen.iter().skip(1)).all(|(a, b)| a < b)
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

/// The chances of a launch, as exact fractions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub struct LaunchOdds {
    /// That one torpedo gets through.
    pub torpedo: Odds,
    /// Of at least one damage.
    pub damage: Odds,
    /// That the target is destroyed.
    pub destruction: Odds,
}

impl LaunchOdds {
    pub(crate) fn of(print: &Print, need: Need, launched: usize, hull_left: u16) -> Option<Self> {
        let torpedo = need.odds(print)?;
        let tries = u32::try_from(launched).ok()?;
        Some(LaunchOdds {
            torpedo,
            damage: torpedo.at_least(1, tries)?,
            destruction: torpedo.at_least(u32::from(hull_left), tries)?,
        })
    }
}
