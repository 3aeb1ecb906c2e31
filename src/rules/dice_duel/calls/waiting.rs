//! What a stopped game waits for, besides the damage of a launch: debts to pay, a jump to end,
//! used crystals to roll back.

use super::choose_discard;
use crate::rules::Verdict;
use crate::rules::dice_duel::call::{Call, Choice, Leaving, What};
use crate::rules::dice_duel::flow::{Owed, Warp};
use crate::rules::dice_duel::position::Position;
use crate::rules::dice_duel::reason::Reason;
use crate::rules::dice_duel::ship_id::ShipId;
use crate::rules::dice_duel::zone::Zone;

impl Position {
    /// Everything that is waited for.
    pub(super) fn each_wait(&self, mut f: impl FnMut(What)) {
        let flow = &self.flow;
        if let Some(launch) = &flow.launch {
            let (ship, target) = (launch.shooter, launch.target);
            f(What::Damage { ship, target });
        }
        if let Some(Warp { ship, .. }) = flow.warp {
            f(What::Jump { ship });
        }
        let mut asked: Vec<ShipId> = Vec::new();
        for ship in flow.owed.iter().map(|o| o.ship()) {
            if !asked.contains(&ship) {
                asked.push(ship);
                f(What::Owed { ship });
            }
        }
        if flow.returning && self.used_crystals.max > 0 {
            f(What::Return);
        }
    }

    pub(super) fn jump_call(&self, ship: ShipId) -> Option<Call> {
        let warp = self.flow.warp.as_ref().filter(|w| w.ship == ship)?;
        let mut call = Call::new(What::Jump { ship }, Verdict::Must);
        if warp.to_roll {
            call.choices.push(Choice::Energy { by: ship, dice: 2 });
            return Some(call);
        }
        match self.warp_choices(ship, &warp.rolled) {
            Ok(of) => call.choices.push(Choice::Jump { by: ship, of }),
            Err(at) => {
                call.verdict = Verdict::Unsure;
                call.why(Reason::Unknown { at });
                call.unsure_on.push(at);
            }
        }
        let own = self.ship(ship)?;
        call.numbers.crystals = Some(own.crystals());
        let price = self.print.numbers.warp_crystals;
        if self.can_pay(own, price).is_ok() {
            let crystals = price;
            call.choices.push(Choice::JumpAgain { by: ship, crystals });
        }
        Some(call)
    }

    pub(super) fn owed_call(&self, id: ShipId) -> Option<Call> {
        let owed = self.flow.owed.iter().find(|o| o.ship() == id)?;
        let ship = self.ship(id)?;
        let mut call = Call::new(What::Owed { ship: id }, Verdict::Must);
        call.why(Reason::First { owed: *owed });
        if let Owed::Discard { station, dice, .. } = owed {
            choose_discard(&mut call, ship, *station, *dice);
        }
        Some(call)
    }

    pub(super) fn return_call(&self) -> Option<Call> {
        if !self.flow.returning || self.used_crystals.max == 0 {
            return None;
        }
        let mut call = Call::new(What::Return, Verdict::Must);
        let sure = self.used_crystals.min > 0;
        call.verdict = if sure { Verdict::Must } else { Verdict::Unsure };
        if !sure {
            call.unsure_on.push(Zone::UsedCrystals);
        }
        call.leaves.push(Leaving {
            from: Zone::UsedCrystals,
            count: self.used_crystals,
        });
        Some(call)
    }
}
