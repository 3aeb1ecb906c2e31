//! What the torpedoes of a launch that hit do: to be rolled, to be chosen, or not known.

use super::leaves;
use crate::rules::Verdict;
use crate::rules::dice_duel::call::{Call, Choice, What};
use crate::rules::dice_duel::damage::{LaunchOdds, Need};
use crate::rules::dice_duel::flow::Launch;
use crate::rules::dice_duel::pending::Pending;
use crate::rules::dice_duel::position::Position;
use crate::rules::dice_duel::reason::Reason;
use crate::rules::dice_duel::ship::Ship;
use crate::rules::dice_duel::ship_id::ShipId;
use crate::rules::dice_duel::zone::{Spot, Zone};

impl Position {
    /// The launch of a ship at another that is being resolved.
    fn launch_of(&self, ship: ShipId, target: ShipId) -> Option<&Launch> {
        let launch = self.flow.launch.as_ref();
        launch.filter(|l| (l.shooter, l.target) == (ship, target))
    }

    pub(super) fn damage_verdict(&self, ship: ShipId, target: ShipId) -> Option<Verdict> {
        Some(match self.pending(self.launch_of(ship, target)?) {
            Pending::Unknown { .. } => Verdict::Unsure,
            _ => Verdict::Must,
        })
    }

    pub(super) fn damage_call(&self, ship: ShipId, target: ShipId) -> Option<Call> {
        let launch = self.launch_of(ship, target)?;
        let other = self.ship(target)?;
        let what = What::Damage { ship, target };
        let mut call = Call::new(what, self.damage_verdict(ship, target)?);
        let flown = launch.tubes.len().min(255) as u8;
        call.numbers.torpedoes = Some(flown);
        call.numbers.sectors.clone_from(&launch.sectors);
        match launch.sectors.as_slice() {
            [sector] => call.why(Reason::Struck { sector: *sector }),
            [first, second] => call.why(Reason::DefenderChooses {
                first: *first,
                second: *second,
            }),
            _ => {}
        }
        self.explain_impact(&mut call, launch, other);
        match self.pending(launch) {
            Pending::Sector => call.choices.push(Choice::Sector {
                by: target,
                of: launch.sectors.clone(),
            }),
            Pending::Roll(dice) => call.choices.push(Choice::Roll { by: ship, dice }),
            Pending::Done(_) => {}
            Pending::Unknown { at, may_roll } => {
                if may_roll {
                    let dice = flown.saturating_sub(launch.blasts.len().min(255) as u8);
                    call.choices.push(Choice::Roll { by: ship, dice });
                }
                for at in &at {
                    call.why(Reason::Unknown { at: *at });
                }
                call.unsure_on = at;
            }
        }
        Some(call)
    }

    /// The shields that are struck, what has to be rolled against them, and the chances.
    fn explain_impact(&self, call: &mut Call, launch: &Launch, target: &Ship) {
        let mut counts = launch.sectors.iter().map(|s| target.shields(*s));
        let Some(first) = counts.next() else { return };
        let shields = counts.fold(first, |all, one| all.union(one));
        let dice = shields.span();
        call.numbers.shield_dice = Some(dice);
        call.why(Reason::Shields { dice });
        if let [sector] = launch.sectors.as_slice() {
            leaves(call, target, Spot::Shield(*sector));
        }
        if let Some(n) = dice.value() {
            match Need::against(&self.print, n) {
                Need::Never => call.why(Reason::StopsAll {
                    dice: n.min(255) as u8,
                }),
                Need::Blasts(0) => call.why(Reason::HitsByItself),
                Need::Blasts(blasts) => {
                    call.numbers.blasts_needed = Some(blasts);
                    call.why(Reason::MustRoll { blasts });
                }
            }
        }
        let flown = launch.tubes.len().min(255) as u8;
        let rolled = launch.blasts.len().min(usize::from(flown)) as u8;
        let mut odds: Option<LaunchOdds> = None;
        for n in shields.values() {
            let need = Need::against(&self.print, u16::from(n));
            let met = launch.blasts.iter().take(usize::from(flown));
            let (left, through) = match need.is_automatic() {
                true => (flown, 0),
                false => (
                    flown - rolled,
                    met.filter(|b| need.met_by(**b)).count() as u8,
                ),
            };
            for hull in self.hull_lefts(target) {
                let one = LaunchOdds::after(&self.print, u16::from(n), left, hull, through);
                let Some(one) = one else { return };
                odds = Some(odds.map_or(one, |all| all.union(one)));
            }
        }
        call.numbers.odds = odds;
        let Some(odds) = odds.filter(|o| !o.is_known()) else {
            return;
        };
        for sector in &launch.sectors {
            if !target.shields(*sector).is_known() {
                let at = Zone::On(target.id(), Spot::Shield(*sector));
                call.odds_on.push(at);
            }
        }
        let hull = target.damage().total().value().is_none();
        if hull && odds.destruction.value().is_none() {
            call.odds_on.push(Zone::Damage(target.id(), None));
        }
    }
}
