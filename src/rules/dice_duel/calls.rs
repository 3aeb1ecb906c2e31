//! Everything that may be announced from a position: [`Position::calls`] with numbers and
//! reasons, [`Position::verdicts`] without words.

use super::action::{TRACTOR_SPOTS, obstacle_spots};
use super::bearing::Sectors;
use super::board::Terrain;
use super::call::{Call, Choice, Leaving, Missing, Turn, What};
use super::dice_box::Sums;
use super::flow::Target;
use super::launch::{Aim, Arms, LaunchOdds, Need, Shot};
use super::play::Pull;
use super::position::Position;
use super::reason::Reason;
use super::ship::Ship;
use super::ship_id::ShipId;
use super::square::Square;
use super::symbol::Part;
use super::zone::{Side, Spot, Station, Zone};
use crate::rules::{Span, Verdict};

impl Position {
    /// Everything that may be announced, with its numbers and its reasons.
    pub fn calls(&self) -> Vec<Call> {
        let mut calls = Vec::with_capacity(64);
        self.each_what(|what, arms| calls.extend(self.call_with(what, arms)));
        calls
    }

    /// One call, where there is anything to call.
    pub fn call(&self, what: What) -> Option<Call> {
        let arms = what
            .ship()
            .and_then(|id| self.ship(id))
            .map(|ship| Arms::of(ship, &self.print));
        self.call_with(what, arms.as_ref())
    }

    /// The verdicts of all calls, without words.
    pub fn verdicts(&self) -> Vec<(What, Verdict)> {
        let mut verdicts = Vec::with_capacity(64);
        self.each_what(|what, arms| {
            if let Some(verdict) = self.verdict_with(what, arms) {
                verdicts.push((what, verdict));
            }
        });
        verdicts
    }

    /// What one side's tubes lack to hit a ship: nothing, if a torpedo from there would hit.
    pub fn missing(&self, ship: ShipId, side: Side, target: ShipId) -> Vec<Missing> {
        let what = What::Side { ship, side, target };
        self.call(what).map(|c| c.missing).unwrap_or_default()
    }

    /// Everything there is to call about, with what the ship's weapons add up to.
    fn each_what(&self, mut f: impl FnMut(What, Option<&Arms>)) {
        for (at, shows) in self.waiting_energy() {
            let station = self.energy_verdict(shows).1;
            f(What::Energy { at, shows, station }, None);
        }
        let some = |n: Span| n.max > 0;
        let mines = self.board.cells().filter(|(_, c)| some(c.mines));
        let mines: Vec<Square> = mines.map(|(s, _)| s).collect();
        let crystals = self.board.cells().filter(|(_, c)| some(c.crystals));
        let crystals: Vec<Square> = crystals.map(|(s, _)| s).collect();
        for own in &self.ships {
            let ship = own.id;
            let arms = Arms::of(own, &self.print);
            let arms = Some(&arms);
            for station in Station::POWERED {
                f(What::Roll { ship, station }, arms);
            }
            f(What::Helm { ship }, arms);
            for target in self.ships.iter().filter(|s| s.team != own.team) {
                let target = target.id;
                for torpedoes in 1..=2 {
                    let target = Target::Ship(target);
                    f(
                        What::Launch {
                            ship,
                            torpedoes,
                            target,
                        },
                        arms,
                    );
                }
                for side in Side::ALL {
                    f(What::Side { ship, side, target }, arms);
                }
            }
            for square in &mines {
                let target = Target::Mine(*square);
                f(
                    What::Launch {
                        ship,
                        torpedoes: 1,
                        target,
                    },
                    arms,
                );
            }
            for target in self.ships.iter().filter(|s| s.id != ship) {
                let target = target.id;
                f(What::Tractor { ship, target }, arms);
            }
            for square in &crystals {
                let square = *square;
                f(What::Crystal { ship, square }, arms);
            }
            f(What::Mine { ship }, arms);
            f(What::Override { ship }, arms);
            f(What::Warp { ship }, arms);
            f(What::Surge { ship }, arms);
        }
    }

    fn verdict_with(&self, what: What, arms: Option<&Arms>) -> Option<Verdict> {
        let asked = |result: Result<(), Reason>| match result {
            Ok(()) => Verdict::May,
            Err(Reason::Unknown { .. }) => Verdict::Unsure,
            Err(_) => Verdict::Cannot,
        };
        Some(match what {
            What::Energy { shows, .. } => self.energy_verdict(shows).0,
            What::Roll { ship, station } => self.roll_verdict(self.ship(ship)?, station)?.0,
            What::Helm { ship } => self.helm_verdict(self.ship(ship)?),
            What::Launch {
                ship,
                torpedoes,
                target,
            } => {
                let (aim, jammers) = self.aim(target)?;
                let gate = self.may_fire(ship, torpedoes, target);
                if matches!(gate, Err(reason) if !matches!(reason, Reason::Unknown { .. })) {
                    return Some(Verdict::Cannot);
                }
                let shot = self.shot(self.ship(ship)?, arms?, aim, jammers);
                gated(gate, shot.verdict)
            }
            What::Side { ship, side, target } => {
                let (own, other) = (self.ship(ship)?, self.ship(target)?);
                self.side_verdict(own, arms?, side, other).1
            }
            What::Tractor { ship, target } => {
                let (own, other) = (self.ship(ship)?, self.ship(target)?);
                let pull = self.pull(own, &mut other.squares(&self.board));
                gated(self.may_tractor(ship, target), pull.verdict)
            }
            What::Crystal { ship, square } => {
                let pull = self.pull(self.ship(ship)?, &mut std::iter::once(square));
                gated(self.may_pull(ship, square).map(|_| ()), pull.verdict)
            }
            What::Mine { ship } => asked(self.may_lay(ship).map(|_| ())),
            What::Override { ship } => asked(self.may_override(ship)),
            What::Warp { ship } => asked(self.may_warp(ship)),
            What::Surge { ship } => asked(self.may_surge(ship)),
        })
    }

    fn may_override(&self, ship: ShipId) -> Result<(), Reason> {
        let own = self.may_act(ship)?;
        self.can_pay(own, self.print.numbers.override_crystals)
    }

    fn call_with(&self, what: What, arms: Option<&Arms>) -> Option<Call> {
        match what {
            What::Energy { at, shows, .. } => Some(self.energy_call(at, shows)),
            What::Roll { ship, station } => self.roll_call(self.ship(ship)?, station),
            What::Helm { ship } => Some(self.helm_call(self.ship(ship)?)),
            What::Launch {
                ship,
                torpedoes,
                target,
            } => self.launch_call(self.ship(ship)?, arms?, torpedoes, target),
            What::Side { ship, side, target } => {
                Some(self.side_call(self.ship(ship)?, arms?, side, self.ship(target)?))
            }
            What::Tractor { ship, target } => {
                Some(self.tractor_call(self.ship(ship)?, self.ship(target)?))
            }
            What::Crystal { ship, square } => Some(self.crystal_call(self.ship(ship)?, square)),
            What::Mine { ship } => {
                let mut call = self.asked(what, self.may_lay(ship).map(|_| ()));
                match call.verdict {
                    Verdict::May => {
                        call.why(Reason::Armed);
                        self.beams_leave(self.ship(ship)?, &mut call);
                    }
                    _ if self.ship(ship)?.armed() == Some(false) => {
                        call.missing.push(Missing::ArmedMine);
                    }
                    _ => {}
                }
                Some(call)
            }
            What::Override { ship } => {
                let price = self.print.numbers.override_crystals;
                Some(self.paid(what, ship, price, self.may_override(ship)))
            }
            What::Warp { ship } => {
                let price = self.print.numbers.warp_crystals;
                Some(self.paid(what, ship, price, self.may_warp(ship)))
            }
            What::Surge { ship } => {
                let price = self.print.numbers.surge_crystals;
                let mut call = self.paid(what, ship, price, self.may_surge(ship));
                if self.ship(ship)?.damage.dice.max == 0 {
                    call.missing.push(Missing::DamageDie);
                }
                Some(call)
            }
        }
    }

    fn asked(&self, what: What, result: Result<(), Reason>) -> Call {
        let mut call = Call::new(what, Verdict::May);
        refuse(&mut call, result);
        call
    }

    fn paid(&self, what: What, ship: ShipId, price: u8, result: Result<(), Reason>) -> Call {
        let mut call = self.asked(what, result);
        let have = self.ship(ship).map_or(Span::known(0), Ship::crystals);
        call.numbers.crystals = Some(have);
        if call.verdict == Verdict::May {
            call.why(Reason::Crystals { have, price });
        }
        let short = u16::from(price).saturating_sub(have.max);
        if short > 0 {
            call.missing.push(Missing::Crystals(short));
        }
        call
    }

    fn helm_call(&self, ship: &Ship) -> Call {
        let what = What::Helm { ship: ship.id };
        let mut call = Call::new(what, self.helm_verdict(ship));
        match self.helm_course(ship) {
            Err(Reason::HelmWaits { empty }) => {
                call.why(Reason::HelmWaits { empty });
                call.missing.push(Missing::HelmDice(empty));
            }
            Err(Reason::Unknown { at }) => {
                call.why(Reason::Unknown { at });
                if call.verdict == Verdict::Unsure {
                    call.unsure_on.push(at);
                }
            }
            Err(reason) => call.why(reason),
            Ok(ready) => {
                call.why(Reason::HelmReady);
                let course = ready.course;
                let numbers = &self.print.numbers;
                if let Some((square, facing)) = course.end {
                    call.why(Reason::HelmEnds { square });
                    call.numbers.facing = Some(facing);
                }
                for square in &course.mines {
                    call.why(Reason::MineGoesOff { square: *square });
                }
                let met = course.met;
                let shields = met.asteroids.saturating_mul(numbers.asteroid_shields);
                let sensors = met.nebulas.saturating_mul(numbers.nebula_sensors);
                if met.rifts > 0 {
                    call.why(Reason::Rift);
                } else if shields > 0 {
                    call.why(Reason::Asteroids { dice: shields });
                    choose_discard(&mut call, ship, Station::Shields, shields);
                }
                if sensors > 0 {
                    call.why(Reason::Nebula { dice: sensors });
                    choose_discard(&mut call, ship, Station::Sensors, sensors);
                }
                if course.saved > 0 {
                    call.why(Reason::GravityKeeps { dice: course.saved });
                }
                if course.c_dropped {
                    call.why(Reason::GravityStops);
                }
                for slot in super::zone::HelmSlot::ALL {
                    leaves(&mut call, ship, Spot::Helm(slot));
                }
                call.numbers.path = course.path;
            }
        }
        if let Err(reason) = self.may_act(ship.id) {
            refuse(&mut call, Err(reason));
        }
        call
    }

    fn launch_call(&self, ship: &Ship, arms: &Arms, declared: u8, target: Target) -> Option<Call> {
        let (aim, jammers) = self.aim(target)?;
        let gate = self.may_fire(ship.id, declared, target);
        let shot = self.shot(ship, arms, aim, jammers);
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
            self.explain_line(&mut call, ship, &shot, aim);
        }
        self.explain_tubes(&mut call, ship, arms, &shot, declared);
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
            self.explain_clean_up(&mut call, ship, arms, &shot, declared, target);
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

    fn explain_tubes(&self, call: &mut Call, ship: &Ship, arms: &Arms, shot: &Shot, declared: u8) {
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
        if let (Some(line), true) = (shot.line, arms.torpedoes.is_known()) {
            let fly = self.launched(ship, line, declared).launched.min(255) as u8;
            call.numbers.torpedoes = Some(fly);
            if fly > 0 && fly < declared {
                call.why(Reason::FewerFly { declared, fly });
            }
        }
    }

    fn explain_clean_up(
        &self,
        call: &mut Call,
        ship: &Ship,
        arms: &Arms,
        shot: &Shot,
        declared: u8,
        target: Target,
    ) {
        let bearing = match (shot.line, arms.torpedoes.is_known()) {
            (Some(line), true) => {
                let tubes = self.launched(ship, line, declared);
                let leave = tubes.leave.min(255) as u8;
                if tubes.leave < tubes.of.len() {
                    call.choices.push(Choice::Tubes {
                        leave,
                        of: tubes.of,
                    });
                } else {
                    for tube in tubes.of {
                        for part in Part::ALL {
                            leaves(call, ship, Spot::Tube(tube, part));
                        }
                    }
                }
                tubes.launched > 0
            }
            _ => false,
        };
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
                    if bearing {
                        leaves(call, other, Spot::Jammer);
                    }
                    if call.verdict == Verdict::Hit {
                        self.explain_damage(call, other, shot);
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

    fn explain_damage(&self, call: &mut Call, target: &Ship, shot: &Shot) {
        let counts = |s| target.shields(s).span();
        let sectors = match shot.line {
            Some(_) => {
                let struck = self.struck(target, shot.sectors);
                let pair: Vec<_> = shot.sectors.iter().collect();
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
                struck.sectors
            }
            None => shot.sectors,
        };
        call.numbers.sectors = sectors.iter().collect();
        let dice = sectors.iter().map(counts).reduce(Span::union);
        let dice = dice.unwrap_or_default();
        call.numbers.shield_dice = Some(dice);
        call.why(Reason::Shields { dice });
        if let Some(sector) = sectors.single() {
            leaves(call, target, Spot::Shield(sector));
        }
        let Some(n) = dice.value() else { return };
        let need = Need::against(&self.print, n);
        match need {
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
        if let (Some(fly), Some(hull)) = (call.numbers.torpedoes, target.hull_left(&self.print)) {
            call.numbers.odds = LaunchOdds::of(&self.print, need, usize::from(fly), hull);
        }
    }

    /// What one side's tubes lack: the shot, the verdict, and nothing in words.
    fn side_verdict(&self, ship: &Ship, arms: &Arms, side: Side, target: &Ship) -> (Shot, Verdict) {
        let shot = self.shot(ship, arms, Aim::Ship(target), target.jammers());
        let here = |(f, r): (u8, u8)| match side {
            Side::Front => f > 0,
            Side::Rear => r > 0,
        };
        let gone = |s: &Ship| s.destroyed(&self.print);
        let bears = shot.side.map(|bearing| bearing == Some(side));
        let all = arms.torpedoes.pairs().all(here);
        let any = arms.torpedoes.pairs().any(here);
        let lock = shot.lock;
        let blocked = shot.line.and_then(|l| l.blocked);
        let never = [ship, target].into_iter().any(|s| gone(s) == Some(true))
            || !any
            || (bears == Some(false) && shot.directed)
            || lock.max < shot.need.min
            || blocked == Some(true);
        let verdict = if never {
            Verdict::Cannot
        } else if all
            && bears == Some(true)
            && shot.directed
            && lock.min >= shot.need.max
            && blocked == Some(false)
            && gone(ship) == Some(false)
            && gone(target) == Some(false)
        {
            Verdict::Hit
        } else {
            Verdict::Unsure
        };
        (shot, verdict)
    }

    fn side_call(&self, ship: &Ship, arms: &Arms, side: Side, target: &Ship) -> Call {
        let (shot, verdict) = self.side_verdict(ship, arms, side, target);
        let what = What::Side {
            ship: ship.id,
            side,
            target: target.id,
        };
        let mut call = Call::new(what, verdict);
        for gone in [ship, target] {
            if gone.destroyed(&self.print) == Some(true) {
                call.why(Reason::Destroyed { ship: gone.id });
                return call;
            }
        }
        // The tube that lacks least, the first of equals.
        let lacks = |tube: &super::zone::Tube| {
            let spots = Part::ALL.map(|p| Spot::Tube(*tube, p));
            spots.map(|s| u8::from(ship.slot_filled(s) == Some(false)))
        };
        let best = self
            .print
            .tubes_on(side)
            .min_by_key(|t| lacks(t).into_iter().sum::<u8>());
        if let Some(tube) = best {
            for (part, lacks) in Part::ALL.into_iter().zip(lacks(&tube)) {
                if lacks > 0 {
                    call.missing.push(Missing::Part(tube, part));
                }
                let spot = Spot::Tube(tube, part);
                if verdict == Verdict::Unsure && ship.slot_filled(spot).is_none() {
                    call.unsure_on.push(Zone::On(ship.id, spot));
                }
            }
        }
        self.missing_line(&mut call, ship, &shot, side, target);
        call.numbers.range = Some(shot.range);
        call.numbers.lock = Some(shot.lock);
        call.numbers.jammers = Some(shot.jammers);
        call.numbers.need = Some(shot.need);
        call.why(Reason::Lock {
            lock: shot.lock,
            range: shot.range,
            jammers: shot.jammers,
            need: shot.need,
        });
        if shot.lock.max < shot.need.min
            || (verdict != Verdict::Unsure && shot.lock.min < shot.need.max)
        {
            call.missing.push(Missing::Lock(Span {
                min: shot.need.min.saturating_sub(shot.lock.max),
                max: shot.need.max.saturating_sub(shot.lock.min),
            }));
        }
        if verdict == Verdict::Unsure {
            let mut doubt = |open: bool, zone: Zone| {
                if open && !call.unsure_on.contains(&zone) {
                    call.unsure_on.push(zone);
                }
            };
            for s in [ship, target] {
                let stands = s.square.is_known() && s.facing.is_known() && shot.directed;
                doubt(!stands, Zone::Ship(s.id));
                let whole = s.destroyed(&self.print).is_some();
                doubt(!whole, Zone::Damage(s.id, None));
            }
            if shot.line.is_none_or(|l| l.blocked.is_none()) {
                for (square, cell) in self.board.cells() {
                    let rift = cell.ground.contains(Terrain::Rift);
                    doubt(rift && cell.ground.known().is_none(), Zone::Board(square));
                }
            }
            let undecided = shot.lock.min < shot.need.max;
            let (lock, jam) = (shot.lock.value(), shot.jammers.value());
            doubt(undecided && lock.is_none(), Zone::On(ship.id, Spot::Lock));
            doubt(
                undecided && jam.is_none(),
                Zone::On(target.id, Spot::Jammer),
            );
        }
        call
    }

    fn missing_line(&self, call: &mut Call, ship: &Ship, shot: &Shot, side: Side, target: &Ship) {
        if !shot.directed {
            call.missing.push(Missing::Direction);
            call.why(Reason::NoDirection);
            return;
        }
        if shot.line.is_some_and(|l| l.blocked == Some(true)) {
            call.missing.push(Missing::ClearLine);
            call.why(Reason::RiftBetween);
        }
        let Some(bearing) = shot.side else { return };
        let on_edge = shot.line.is_some_and(|l| l.on_edge);
        call.numbers.arc = bearing;
        call.why(match bearing {
            Some(side) => Reason::InArc { side, on_edge },
            None => Reason::Abeam,
        });
        if bearing == Some(side) {
            return;
        }
        let (Some(a), Some(b)) = (ship.placement(), target.placement()) else {
            return;
        };
        let Some(offset) = super::bearing::offset(a, b) else {
            return;
        };
        let edge = self.print.options.arc;
        let turn = Turn::ALL
            .into_iter()
            .find(|t| super::bearing::arc(t.of(a.facing), offset, edge) == Some(side));
        call.missing.push(match turn {
            Some(turn) => Missing::Turn(turn, side),
            None => Missing::OffDiagonal,
        });
    }

    fn tractor_call(&self, ship: &Ship, target: &Ship) -> Call {
        let what = What::Tractor {
            ship: ship.id,
            target: target.id,
        };
        let pull = self.pull(ship, &mut target.squares(&self.board));
        let gate = self.may_tractor(ship.id, target.id);
        let mut call = Call::new(what, gated(gate, pull.verdict));
        explain_pull(&mut call, ship, Some(target), &pull, gate);
        if call.verdict == Verdict::May {
            call.choices.push(Choice::PushTo {
                squares: self.push_squares(target.id),
            });
            self.beams_leave(ship, &mut call);
        }
        call
    }

    fn crystal_call(&self, ship: &Ship, square: Square) -> Call {
        let what = What::Crystal {
            ship: ship.id,
            square,
        };
        let pull = self.pull(ship, &mut std::iter::once(square));
        let gate = self.may_pull(ship.id, square).map(|_| ());
        let mut call = Call::new(what, gated(gate, pull.verdict));
        explain_pull(&mut call, ship, None, &pull, gate);
        if call.verdict == Verdict::May {
            self.beams_leave(ship, &mut call);
        }
        call
    }

    fn beams_leave(&self, ship: &Ship, call: &mut Call) {
        for spot in TRACTOR_SPOTS {
            leaves(call, ship, spot);
        }
    }

    /// The sectors of `target` that a shot from `shooter` would meet, and its shield dice there:
    /// for drawing.
    pub fn facing_sectors(&self, shooter: ShipId, target: ShipId) -> Sectors {
        let mut found = Sectors::NONE;
        if let (Some(from), Some(to)) = (self.ship(shooter), self.ship(target)) {
            self.each_line(from, Aim::Ship(to), |line| {
                for sector in super::zone::Sector::ALL {
                    if line.sectors & (1 << sector.index()) != 0 {
                        found = found.union(Sectors::one(sector));
                    }
                }
            });
        }
        found
    }

    /// Sums a ship's weapon lock may have: for showing.
    pub fn lock_of(&self, ship: ShipId) -> Sums {
        self.ship(ship).map_or(Sums::ZERO, Ship::lock)
    }
}

/// A verdict behind a gate: what is forbidden cannot be done, whatever it would do.
fn gated(gate: Result<(), Reason>, verdict: Verdict) -> Verdict {
    match (gate, verdict) {
        (Ok(()), verdict) => verdict,
        (Err(Reason::Unknown { .. }), Verdict::Cannot) => Verdict::Cannot,
        (Err(Reason::Unknown { .. }), _) => Verdict::Unsure,
        (Err(_), _) => Verdict::Cannot,
    }
}

fn refuse(call: &mut Call, result: Result<(), Reason>) {
    if let Err(reason) = result {
        call.why(reason);
        call.verdict = match reason {
            Reason::Unknown { at } => {
                if !call.unsure_on.contains(&at) {
                    call.unsure_on.push(at);
                }
                Verdict::Unsure
            }
            _ => Verdict::Cannot,
        };
    }
}

fn leaves(call: &mut Call, ship: &Ship, spot: Spot) {
    let count = ship.dice(spot).count();
    if count.max > 0 {
        call.leaves.push(Leaving {
            from: Zone::On(ship.id, spot),
            count,
        });
    }
}

fn choose_discard(call: &mut Call, ship: &Ship, station: Station, dice: u8) {
    let there: u16 = obstacle_spots(station)
        .iter()
        .map(|s| ship.dice(*s).count().max)
        .sum();
    if there > u16::from(dice) {
        call.choices.push(Choice::Discard {
            by: ship.id,
            station,
            dice,
        });
    } else {
        for spot in obstacle_spots(station) {
            leaves(call, ship, *spot);
        }
    }
}

fn explain_pull(
    call: &mut Call,
    ship: &Ship,
    target: Option<&Ship>,
    pull: &Pull,
    gate: Result<(), Reason>,
) {
    if let Err(reason) = gate {
        call.why(reason);
        if let (Reason::Unknown { at }, Verdict::Unsure) = (reason, call.verdict) {
            call.unsure_on.push(at);
        }
    }
    call.numbers.range = Some(pull.range);
    call.numbers.strength = Some(pull.strength);
    call.numbers.need = Some(pull.need);
    call.why(Reason::AnyDirection);
    call.why(Reason::Strength {
        strength: pull.strength,
        range: pull.range,
        need: pull.need,
    });
    if pull.verdict == Verdict::Cannot {
        call.missing.push(Missing::Strength(Span {
            min: pull.need.min.saturating_sub(pull.strength.max),
            max: pull.need.max.saturating_sub(pull.strength.min),
        }));
    }
    if call.verdict == Verdict::Unsure && pull.verdict == Verdict::Unsure {
        if pull.strength.value().is_none() {
            call.unsure_on.push(Zone::On(ship.id, Spot::Beam));
        }
        if pull.range.value().is_none() {
            for s in std::iter::once(ship).chain(target) {
                if !s.square.is_known() {
                    call.unsure_on.push(Zone::Ship(s.id));
                }
            }
        }
    }
}
