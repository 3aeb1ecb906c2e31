//! What the verdict of a launch waits for.

use super::bearing::rifts_on_line;
use super::board::{Grounds, Terrain};
use super::dice_box::Sums;
use super::flow::Target;
use super::launch::{Aim, Arms, Line};
use super::position::Position;
use super::ship::Ship;
use super::square::Square;
use super::symbol::Part;
use super::zone::{Side, Spot, Zone};
use crate::rules::Verdict;

impl Position {
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
        let lines = self.lines(shooter, aim);
        let counted = lines.is_some();
        let lines = lines.unwrap_or_default();
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
                () if pair.0 + pair.1 == 0 && self.print.options.fire_unloaded => Verdict::Miss,
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
            zones.extend(self.rifts_between(shooter, aim));
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

    /// The squares that may be rifts in the way of a shot.
    pub(crate) fn rifts_between(&self, shooter: &Ship, aim: Aim<'_>) -> Vec<Zone> {
        let to = match aim {
            Aim::Ship(target) => target.square.known().copied(),
            Aim::Mine(square) => Some(square),
        };
        let open = |(s, ground): (Square, Grounds)| {
            let may = ground.known().is_none() && ground.contains(Terrain::Rift);
            may.then_some(Zone::Board(s))
        };
        match (shooter.square.known(), to) {
            (Some(from), Some(to)) => rifts_on_line(&self.board, &self.print, *from, to)
                .filter_map(open)
                .collect(),
            _ => {
                let cells = self.board.cells();
                cells.map(|(s, c)| (s, c.ground)).filter_map(open).collect()
            }
        }
    }
}
