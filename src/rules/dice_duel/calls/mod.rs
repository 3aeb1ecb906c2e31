//! Everything that may be announced from a position: [`Position::calls`] with numbers and
//! reasons, [`Position::verdicts`] without words.

mod damage;
mod gate;
mod helm;
mod launch;
mod side;
mod tractor;
mod waiting;

use super::bearing::Sectors;
use super::board::Cell;
use super::call::{Call, Leaving, Missing, What};
use super::dice_box::Sums;
use super::flow::Target;
use super::launch::{Aim, Arms, Shot};
use super::position::Position;
use super::reason::Reason;
use super::ship::Ship;
use super::ship_id::ShipId;
use super::square::Square;
use super::zone::{Side, Spot, Station, Zone};
use crate::rules::{Span, Verdict};
use helm::choose_discard;

/// The most squares whose mines, or whose crystals, are each spoken of: more than any box holds.
/// Of a map that was hardly seen, not every square that may hold one is announced.
const MOST_SQUARES: usize = 64;

/// What was worked out once for several calls: what a ship's weapons add up to, and its shot at the
/// target of the call.
#[derive(Clone, Copy, Default)]
struct Means<'a> {
    arms: Option<&'a Arms>,
    shot: Option<&'a Shot>,
}

impl Position {
    /// Everything that may be announced, with its numbers and its reasons.
    pub fn calls(&self) -> Vec<Call> {
        let mut calls = Vec::with_capacity(64);
        self.each_what(|what, means| calls.extend(self.call_with(what, means)));
        calls
    }

    /// One call, where there is anything to call.
    pub fn call(&self, what: What) -> Option<Call> {
        let arms = what
            .ship()
            .and_then(|id| self.ship(id))
            .map(|ship| Arms::of(ship, &self.print));
        let arms = arms.as_ref();
        let shot = match what {
            What::Launch { ship, target, .. } => self.shot_at(ship, arms, target),
            What::Side { ship, target, .. } => self.shot_at(ship, arms, Target::Ship(target)),
            _ => None,
        };
        let shot = shot.as_ref();
        self.call_with(what, Means { arms, shot })
    }

    fn shot_at(&self, ship: ShipId, arms: Option<&Arms>, target: Target) -> Option<Shot> {
        let (aim, jammers) = self.aim(target)?;
        Some(self.shot(self.ship(ship)?, arms?, aim, jammers))
    }

    /// The verdicts of all calls, without words.
    pub fn verdicts(&self) -> Vec<(What, Verdict)> {
        let mut verdicts = Vec::with_capacity(64);
        self.each_what(|what, means| {
            if let Some(verdict) = self.verdict_with(what, means) {
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

    /// Everything there is to call about, with what was worked out for more than one call.
    fn each_what(&self, mut f: impl FnMut(What, Means<'_>)) {
        let bare = Means::default();
        for (at, shows) in self.waiting_energy() {
            let station = self.energy_verdict(shows).1;
            f(What::Energy { at, shows, station }, bare);
        }
        self.each_wait(|what| f(what, bare));
        let mines = self.squares_with(|c| c.mines);
        let crystals = self.squares_with(|c| c.crystals);
        for own in &self.ships {
            let ship = own.id;
            for station in Station::POWERED {
                f(What::Roll { ship, station }, bare);
            }
            f(What::Helm { ship }, bare);
            let arms = Arms::of(own, &self.print);
            let mut shoot = |target: Target, sides: Option<ShipId>| {
                let Some((aim, jammers)) = self.aim(target) else {
                    return;
                };
                let shot = self.shot(own, &arms, aim, jammers);
                let means = Means {
                    arms: Some(&arms),
                    shot: Some(&shot),
                };
                for torpedoes in 1..=2 {
                    let what = What::Launch {
                        ship,
                        torpedoes,
                        target,
                    };
                    f(what, means);
                }
                if let Some(target) = sides {
                    for side in Side::ALL {
                        f(What::Side { ship, side, target }, means);
                    }
                }
            };
            for target in self.ships.iter().filter(|s| s.team != own.team) {
                shoot(Target::Ship(target.id), Some(target.id));
            }
            for square in &mines {
                shoot(Target::Mine(*square), None);
            }
            for target in self.ships.iter().filter(|s| s.id != ship) {
                let target = target.id;
                f(What::Tractor { ship, target }, bare);
            }
            for square in &crystals {
                let square = *square;
                f(What::Crystal { ship, square }, bare);
            }
            f(What::Mine { ship }, bare);
            f(What::Override { ship }, bare);
            f(What::Warp { ship }, bare);
            f(What::Surge { ship }, bare);
        }
    }

    /// The squares where something lies or may lie, those where it surely does first if they are
    /// too many to speak of each.
    fn squares_with(&self, of: fn(&Cell) -> Span) -> Vec<Square> {
        let there = |least: u16| {
            let cells = self.board.cells();
            cells.filter(move |(_, c)| of(c).min >= least && of(c).max > 0)
        };
        let mut squares: Vec<Square> = there(0).map(|(s, _)| s).collect();
        if squares.len() > MOST_SQUARES {
            squares = there(1).map(|(s, _)| s).take(MOST_SQUARES).collect();
        }
        squares
    }

    fn verdict_with(&self, what: What, means: Means<'_>) -> Option<Verdict> {
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
                let shot = means.shot?;
                gated(self.may_fire(ship, torpedoes, target), shot.verdict)
            }
            What::Damage { ship, target } => self.damage_verdict(ship, target)?,
            // Seldom asked, and quickly answered.
            What::Jump { .. } | What::Owed { .. } | What::Return => {
                self.call_with(what, means)?.verdict
            }
            What::Side { ship, side, target } => {
                let (own, other) = (self.ship(ship)?, self.ship(target)?);
                self.side_verdict(own, means.shot?, side, other)
            }
            What::Tractor { ship, target } => {
                let (own, other) = (self.ship(ship)?, self.ship(target)?);
                let pull = self.pull_ship(own, other);
                gated(self.may_tractor(ship, target), pull.verdict)
            }
            What::Crystal { ship, square } => {
                let pull = self.pull_crystal(self.ship(ship)?, square);
                gated(self.may_pull(ship, square).map(|_| ()), pull.verdict)
            }
            What::Mine { ship } => asked(self.may_lay(ship)),
            What::Override { ship } => asked(self.may_override(ship)),
            What::Warp { ship } => asked(self.may_warp(ship)),
            What::Surge { ship } => asked(self.may_surge(ship)),
        })
    }

    fn call_with(&self, what: What, means: Means<'_>) -> Option<Call> {
        let mut call = self.first_call(what, means)?;
        if call.verdict == Verdict::Unsure {
            self.name_gates(&mut call);
        }
        Some(call)
    }

    fn first_call(&self, what: What, means: Means<'_>) -> Option<Call> {
        match what {
            What::Energy { at, shows, .. } => Some(self.energy_call(at, shows)),
            What::Roll { ship, station } => self.roll_call(self.ship(ship)?, station),
            What::Helm { ship } => Some(self.helm_call(self.ship(ship)?)),
            What::Launch {
                ship,
                torpedoes,
                target,
            } => self.launch_call(self.ship(ship)?, means, torpedoes, target),
            What::Damage { ship, target } => self.damage_call(ship, target),
            What::Jump { ship } => self.jump_call(ship),
            What::Owed { ship } => self.owed_call(ship),
            What::Return => self.return_call(),
            What::Side { ship, side, target } => {
                Some(self.side_call(self.ship(ship)?, means.shot?, side, self.ship(target)?))
            }
            What::Tractor { ship, target } => {
                Some(self.tractor_call(self.ship(ship)?, self.ship(target)?))
            }
            What::Crystal { ship, square } => Some(self.crystal_call(self.ship(ship)?, square)),
            What::Mine { ship } => {
                let mut call = self.asked(what, self.may_lay(ship));
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

    /// The sectors of `target` that a shot from `shooter` would meet, and its shield dice there:
    /// for drawing.
    pub fn facing_sectors(&self, shooter: ShipId, target: ShipId) -> Sectors {
        let mut found = Sectors::NONE;
        if let (Some(from), Some(to)) = (self.ship(shooter), self.ship(target)) {
            self.each_line(from, Aim::Ship(to), |line| {
                found = found.union(line.faces());
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

/// The dice of a place leave, or do not.
fn may_leave(call: &mut Call, ship: &Ship, spot: Spot) {
    let most = ship.dice(spot).count().max;
    if most > 0 {
        call.leaves.push(Leaving {
            from: Zone::On(ship.id, spot),
            count: Span::between(0, most),
        });
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
