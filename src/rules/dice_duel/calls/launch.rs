//! What a launch would do, put into numbers and steps.

use super::{Means, gated, leaves, may_leave};
use crate::rules::dice_duel::call::{Call, Choice, Leaving, What};
use crate::rules::dice_duel::damage::{LaunchOdds, Need};
use crate::rules::dice_duel::flow::Target;
use crate::rules::dice_duel::launch::{Aim, Arms, Line, Shot};
use crate::rules::dice_duel::loading::Tubes;
use crate::rules::dice_duel::position::Position;
use crate::rules::dice_duel::reason::Reason;
use crate::rules::dice_duel::ship::Ship;
use crate::rules::dice_duel::symbol::Part;
use crate::rules::dice_duel::zone::{Side, Spot, Zone};
use crate::rules::{Span, Verdict};

impl Position {
    pub(super) fn launch_call(
        &self,
        ship: &Ship,
        means: Means<'_>,
        declared: u8,
        target: Target,
    ) -> Option<Call> {
        let (aim, jammers) = self.aim(target)?;
        let (arms, shot) = (means.arms?, means.shot?);
        let gate = self.may_fire(ship.id, declared, target);
        let what = What::Launch {
            ship: ship.id,
            torpedoes: declared,
            target,
        };
        let mut call = Call::new(what, gated(gate, shot.verdict));
        call.because.reserve(8);
        let own_square = matches!(gate, Err(Reason::OwnSquare { .. }));
        if let Err(reason) = gate {
            call.why(reason);
            if let (Reason::Unknown { at }, Verdict::Unsure) = (reason, call.verdict) {
                call.unsure_on.push(at);
            }
        }
        if !own_square {
            self.explain_line(&mut call, ship, shot, aim);
        }
        self.explain_tubes(&mut call, arms, shot, declared);
        call.numbers.lock = Some(shot.lock);
        call.numbers.jammers = Some(shot.jammers);
        call.numbers.need = Some(shot.need);
        call.why(Reason::Lock {
            lock: shot.lock,
            range: shot.range,
            jammers: shot.jammers,
            need: shot.need,
        });
        let least = self.print.numbers.least_lock;
        if shot.range.max == 0 && shot.jammers.max == 0 && least > 0 {
            call.why(Reason::LeastLock { least });
        }
        if shot.verdict == Verdict::Unsure && call.verdict == Verdict::Unsure {
            for zone in self.shot_waits_for(ship, arms, target, aim, jammers) {
                if !call.unsure_on.contains(&zone) {
                    call.unsure_on.push(zone);
                }
            }
        }
        if matches!(call.verdict, Verdict::Hit | Verdict::Miss) {
            self.explain_clean_up(&mut call, ship, shot, declared, target);
        }
        if let (Aim::Ship(other), true) = (aim, call.verdict != Verdict::Cannot) {
            self.explain_odds(&mut call, ship, arms, other, shot, declared);
        }
        Some(call)
    }

    fn explain_line(&self, call: &mut Call, ship: &Ship, shot: &Shot, aim: Aim<'_>) {
        call.numbers.range = Some(shot.range);
        let there = match aim {
            Aim::Ship(target) => target.square.known().copied(),
            Aim::Mine(square) => Some(square),
        };
        match (ship.square.known(), there) {
            (Some(from), Some(to)) if *from == to => call.why(Reason::SameSquare),
            (Some(from), Some(to)) => call.why(Reason::Range {
                from: *from,
                to,
                range: shot.range.min,
            }),
            _ => call.why(Reason::RangeBetween { range: shot.range }),
        }
        if !shot.directed {
            call.why(Reason::NoDirection);
        } else if let Some(side) = shot.side {
            call.numbers.arc = side;
            let on_edge = shot.line.is_some_and(|l| l.on_edge);
            call.why(match side {
                Some(side) => Reason::InArc { side, on_edge },
                None => Reason::Abeam,
            });
        }
        if shot.line.is_some_and(|l| l.blocked == Some(true)) {
            call.why(Reason::RiftBetween);
        }
        if matches!(aim, Aim::Mine(_)) {
            call.why(Reason::MineUnguarded);
        }
    }

    fn explain_tubes(&self, call: &mut Call, arms: &Arms, shot: &Shot, declared: u8) {
        let pairs = || arms.torpedoes.pairs();
        if pairs().all(|(f, r)| f + r == 0) {
            call.why(Reason::NothingLoaded);
            return;
        }
        let Some(Some(side)) = shot.side else { return };
        let counts = pairs().map(|(f, r)| match side {
            Side::Front => f,
            Side::Rear => r,
        });
        let loaded = counts.fold(None, |span: Option<Span>, n| {
            let n = Span::known(u16::from(n));
            Some(span.map_or(n, |s| s.union(n)))
        });
        let loaded = loaded.unwrap_or_default();
        call.why(match loaded.max {
            0 => Reason::NotLoadedThere { side },
            _ => Reason::Loaded {
                side,
                torpedoes: loaded,
            },
        });
        if shot.directed && arms.torpedoes.is_known() {
            let fly = loaded.max.min(u16::from(declared)) as u8;
            call.numbers.torpedoes = Some(fly);
            if fly > 0 && fly < declared {
                call.why(Reason::FewerFly { declared, fly });
            }
        }
    }

    /// The sides that a shot may come from: one where all lines agree.
    fn sides(&self, ship: &Ship, shot: &Shot, aim: Aim<'_>) -> Vec<Option<Side>> {
        let any = [Some(Side::Front), Some(Side::Rear), None];
        if let (Some(side), true) = (shot.side, shot.directed) {
            return vec![side];
        }
        let Some(lines) = self.lines(ship, aim) else {
            return any.to_vec();
        };
        let may_be = |side: &Option<Side>| {
            let on = |l: &Line| !l.directed || l.side == *side;
            lines.iter().any(on)
        };
        any.into_iter().filter(may_be).collect()
    }

    /// The torpedoes that leave, however the tubes that were not read are loaded and from
    /// wherever the shot comes: surely, or perhaps. Whether the shot bears on its target with a
    /// torpedo: surely, surely not, or `None`.
    fn explain_torpedoes(
        &self,
        call: &mut Call,
        ship: &Ship,
        sides: &[Option<Side>],
        declared: u8,
    ) -> Option<bool> {
        let loadings = self.loadings(ship);
        let mut ways: Vec<Tubes> = Vec::with_capacity(1);
        for loaded in &loadings {
            for side in sides {
                let way = self.launched(loaded, *side, declared);
                if !ways.contains(&way) {
                    ways.push(way);
                }
            }
        }
        let one = ways.len() == 1;
        for tube in self.print.tubes() {
            let takes = |way: &Tubes| way.of.contains(&tube);
            let surely =
                |way: &Tubes| way.must.contains(&tube) || (takes(way) && way.leave == way.of.len());
            let perhaps = ways.iter().any(|way| takes(way) && way.leave > 0);
            let all = ways.iter().all(surely);
            // Where nothing but a choice is open, the choice says it.
            if !perhaps || (one && !all) {
                continue;
            }
            for part in Part::ALL {
                call.leaves.push(Leaving {
                    from: Zone::On(ship.id, Spot::Tube(tube, part)),
                    count: Span::between(u16::from(all), 1),
                });
            }
        }
        for way in &ways {
            let choice = Choice::Tubes {
                leave: way.leave.min(255) as u8,
                of: way.of.clone(),
            };
            if way.leave < way.of.len() && !call.choices.contains(&choice) {
                call.choices.push(choice);
            }
        }
        let bearing = sides.iter().all(Option::is_some);
        let mut flying = ways.iter().map(|w| w.launched);
        let first = flying.next().unwrap_or(0);
        if bearing && flying.all(|n| n == first) {
            call.numbers.torpedoes = Some(first.min(255) as u8);
        }
        match (
            ways.iter().all(|w| w.launched > 0),
            ways.iter().any(|w| w.launched > 0),
        ) {
            (true, _) => Some(true),
            (_, false) => Some(false),
            _ => None,
        }
    }

    fn explain_clean_up(
        &self,
        call: &mut Call,
        ship: &Ship,
        shot: &Shot,
        declared: u8,
        target: Target,
    ) {
        let Some((aim, _)) = self.aim(target) else {
            return;
        };
        let sides = self.sides(ship, shot, aim);
        let bearing = self.explain_torpedoes(call, ship, &sides, declared);
        leaves(call, ship, Spot::Lock);
        match target {
            Target::Mine(square) => {
                if call.verdict == Verdict::Hit {
                    call.leaves.push(Leaving {
                        from: Zone::Board(square),
                        count: Span::known(1),
                    });
                }
            }
            Target::Ship(id) => {
                if let Some(other) = self.ship(id) {
                    match bearing {
                        Some(true) => leaves(call, other, Spot::Jammer),
                        Some(false) => {}
                        None => may_leave(call, other, Spot::Jammer),
                    }
                    if call.verdict == Verdict::Hit {
                        self.explain_damage(call, ship, other, shot);
                    }
                }
            }
        }
        if self.used_crystals.max > 0 {
            call.leaves.push(Leaving {
                from: Zone::UsedCrystals,
                count: self.used_crystals,
            });
        }
    }

    /// What a hit does to a ship, as far as it is known where the shot comes from.
    fn explain_damage(&self, call: &mut Call, ship: &Ship, target: &Ship, shot: &Shot) {
        let (sectors, dice) = match shot.line {
            Some(line) => {
                let facing = line.faces();
                let struck = self.struck(target, facing);
                let pair: Vec<_> = facing.iter().collect();
                match (struck.sectors.single(), pair.as_slice()) {
                    (Some(sector), [a, b]) => call.why(Reason::Stronger {
                        sector,
                        other: if *a == sector { *b } else { *a },
                    }),
                    (None, [first, second]) if struck.tie => {
                        let (first, second) = (*first, *second);
                        call.why(Reason::DefenderChooses { first, second });
                        call.choices.push(Choice::Sector {
                            by: target.id,
                            of: pair,
                        });
                    }
                    (Some(sector), _) => call.why(Reason::Struck { sector }),
                    _ => {}
                }
                (struck.sectors, self.shields_met(target, facing))
            }
            None => self.struck_by_any(ship, target, shot),
        };
        call.numbers.sectors = sectors.iter().collect();
        let dice = dice.span();
        call.numbers.shield_dice = Some(dice);
        call.why(Reason::Shields { dice });
        let chosen = call.choices.iter();
        let chosen = chosen
            .filter(|c| matches!(c, Choice::Sector { .. }))
            .count()
            > 0;
        match sectors.single() {
            Some(sector) => leaves(call, target, Spot::Shield(sector)),
            // Where the defender chooses, the choice says it.
            None if chosen => {}
            None => {
                for sector in sectors.iter() {
                    may_leave(call, target, Spot::Shield(sector));
                }
            }
        }
        let Some(n) = dice.value() else { return };
        match Need::against(&self.print, n) {
            Need::Never => call.why(Reason::StopsAll {
                dice: n.min(255) as u8,
            }),
            Need::Blasts(blasts) => {
                call.numbers.blasts_needed = Some(blasts);
                call.why(match blasts {
                    0 => Reason::HitsByItself,
                    _ => Reason::MustRoll { blasts },
                });
            }
        }
    }

    /// The chances, and the places that would have to be known to make them exact.
    fn explain_odds(
        &self,
        call: &mut Call,
        ship: &Ship,
        arms: &Arms,
        target: &Ship,
        shot: &Shot,
        declared: u8,
    ) {
        let Some(mut odds) = self.launch_odds(ship, arms, target, shot, declared) else {
            return;
        };
        if call.verdict == Verdict::Unsure {
            // Whether it may be declared at all, or hits, is open.
            odds = odds.union(LaunchOdds::NEVER);
        }
        call.numbers.odds = Some(odds);
        if odds.is_known() {
            return;
        }
        let mut on = call.unsure_on.clone();
        let mut doubt = |open: bool, zone: Zone| {
            if open && !on.contains(&zone) {
                on.push(zone);
            }
        };
        let sectors = match shot.line {
            Some(line) => line.faces(),
            None => shot.sectors,
        };
        for sector in sectors.iter() {
            let open = !target.shields(sector).is_known();
            doubt(open, Zone::On(target.id, Spot::Shield(sector)));
        }
        let hull = target.damage().total().value().is_none();
        let counts = odds.destruction.value().is_none();
        doubt(hull && counts, Zone::Damage(target.id, None));
        if shot.line.is_none() {
            for one in [ship, target] {
                let open = !one.square.is_known() || !one.facing.is_known() || !one.half.is_known();
                doubt(open, Zone::Ship(one.id));
            }
        }
        if !arms.torpedoes.is_known() {
            for tube in self.loaded(ship).perhaps {
                for part in Part::ALL {
                    let spot = Spot::Tube(tube, part);
                    doubt(ship.slot_filled(spot).is_none(), Zone::On(ship.id, spot));
                }
            }
        }
        call.odds_on = on;
    }
}
