//! Calls of a die that may be read in several ways.

use super::call::{Call, Numbers, What};
use super::name::DieId;
use super::reason::Reason;
use crate::rules::Verdict;

/// One list where the die may be read in several ways: what all readings agree on stands.
pub(super) fn merge(die: DieId, mut all: Vec<Vec<Call>>) -> Vec<Call> {
    if all.len() == 1 {
        return all.pop().unwrap_or_default();
    }
    let readings = all.len();
    let mut order: Vec<What> = Vec::new();
    let mut found: std::collections::BTreeMap<What, Vec<Call>> = std::collections::BTreeMap::new();
    for call in all.into_iter().flatten() {
        let list = found.entry(call.what).or_default();
        if list.is_empty() {
            order.push(call.what);
        }
        list.push(call);
    }
    let mut calls = Vec::new();
    for what in order {
        let mut list = found.remove(&what).unwrap_or_default().into_iter();
        let (Some(mut call), rest) = (list.next(), list) else {
            continue;
        };
        let mut agreed = 1;
        let mut same = true;
        for other in rest {
            agreed += 1;
            same &= other.verdict == call.verdict;
            if other.numbers != call.numbers {
                join(&mut call.numbers, other.numbers);
                call.waits_for(die);
            }
            for zone in other.unsure_on {
                if !call.unsure_on.contains(&zone) {
                    call.unsure_on.push(zone);
                }
            }
        }
        if !same || agreed < readings {
            call.verdict = Verdict::Unsure;
            call.because.clear();
            call.why(Reason::FaceUnknown { die });
            call.waits_for(die);
        }
        calls.push(call);
    }
    calls
}

/// What both say; what differs is left out, and what may be one or the other is both.
fn join(ours: &mut Numbers, theirs: Numbers) {
    fn same<T: PartialEq>(ours: &mut Option<T>, theirs: Option<T>) {
        if *ours != theirs {
            *ours = None;
        }
    }
    same(&mut ours.above_mm, theirs.above_mm);
    same(&mut ours.error_mm, theirs.error_mm);
    same(&mut ours.distance_mm, theirs.distance_mm);
    same(&mut ours.distance_error_mm, theirs.distance_error_mm);
    same(&mut ours.order, theirs.order);
    same(&mut ours.points, theirs.points);
    same(&mut ours.face, theirs.face);
    same(&mut ours.side, theirs.side);
    same(&mut ours.at_mm, theirs.at_mm);
    same(&mut ours.heading_deg, theirs.heading_deg);
    same(&mut ours.room_mm, theirs.room_mm);
    same(&mut ours.count, theirs.count);
    ours.arrows.retain(|arrow| theirs.arrows.contains(arrow));
    ours.dice.retain(|die| theirs.dice.contains(die));
    ours.attack.extend(theirs.attack);
    ours.attack.sort_unstable();
    ours.attack.dedup();
    ours.outcomes.extend(theirs.outcomes);
    ours.outcomes.sort_unstable();
    ours.outcomes.dedup();
}
