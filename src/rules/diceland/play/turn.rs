//! Turns: who goes first, passing, what waits, fouls, and a person's word.

use super::begin;
use crate::rules::diceland::action::{Correction, Penalty};
use crate::rules::diceland::change::Edits;
use crate::rules::diceland::flow::{Ruling, Stage, Waiting};
use crate::rules::diceland::player::Player;
use crate::rules::diceland::position::{Lies, Position};
use crate::rules::diceland::reason::Reason;
use crate::rules::diceland::resolve::MAX_RULINGS;
use crate::rules::diceland::setup::{MAX_DICE, Where, is_outline};

pub(super) fn go_first(edits: &mut Edits<'_>, by: Player, first: Player) -> Result<(), Reason> {
    let position = edits.position();
    if position.flow.stage != Stage::Choosing {
        return Err(Reason::WrongStage);
    }
    let (ours, theirs) = (position.army(by).points, position.army(by.other()).points);
    // Only a sure difference binds anybody; where armies are equal, a coin is flipped.
    if ours.min > theirs.max {
        return Err(Reason::ArmyChooses { player: by.other() });
    }
    edits.flow(|flow| flow.stage = Stage::Opening(first));
    Ok(())
}

/// Ends the turn where nothing waits any more.
pub(super) fn end_if_done(edits: &mut Edits<'_>) {
    let flow = &edits.position().flow;
    if let (Stage::Turn(player) | Stage::Opening(player), true) =
        (flow.stage, flow.waiting.is_empty())
    {
        end_turn(edits, player, false);
    }
}

fn end_turn(edits: &mut Edits<'_>, player: Player, passed: bool) {
    let waits = |lies: &Lies| match lies {
        Lies::Reserve { turns_left } => Some(*turns_left),
        _ => None,
    };
    let reserve: Vec<_> = edits
        .position()
        .dice
        .iter()
        .filter_map(|d| Some((d.id, waits(&d.lies)?)))
        .collect();
    for (id, turns_left) in reserve {
        edits.die(id, |die| {
            die.lies = match turns_left {
                0 | 1 => Lies::Hand,
                n => Lies::Reserve { turns_left: n - 1 },
            };
        });
    }
    edits.flow(|flow| {
        flow.stage = Stage::Turn(player.other());
        flow.waiting.clear();
        flow.passes = if passed {
            flow.passes.saturating_add(1)
        } else {
            0
        };
    });
}

pub(super) fn waive(edits: &mut Edits<'_>) -> Result<(), Reason> {
    begin(edits).map(|_| ()).ok_or(Reason::NothingWaits)
}

pub(super) fn pass(edits: &mut Edits<'_>) -> Result<(), Reason> {
    edits.position().may_pass()?;
    let Stage::Turn(player) = edits.position().flow.stage else {
        return Err(Reason::WrongStage);
    };
    end_turn(edits, player, true);
    Ok(())
}

pub(super) fn foul(edits: &mut Edits<'_>, penalty: Penalty) -> Result<(), Reason> {
    let position = edits.position();
    let (die, ended) = match (position.flow.waiting.last(), position.flow.off) {
        (Some(Waiting::Landed { die }), _) => (*die, false),
        // Nothing else waited, and the turn ended as the die left the table.
        (None, Some(die)) => (die, true),
        (Some(_), Some(die)) => (die, false),
        (_, None) => return Err(Reason::NothingWaits),
    };
    if let Stage::Over(winner) = position.flow.stage {
        return Err(Reason::Over { winner });
    }
    let turns = position.print.numbers.reserve_turns;
    edits.flow(|flow| {
        flow.waiting.clear();
        flow.off = None;
    });
    if penalty == Penalty::OutOfPlay {
        // The end of this turn counts.
        let turns_left = turns.saturating_add(u8::from(!ended));
        edits.die(die, |d| {
            d.lies = match turns_left {
                0 => Lies::Hand,
                turns_left => Lies::Reserve { turns_left },
            };
            d.face = crate::rules::Place::Unknown;
        });
    }
    if !ended {
        end_if_done(edits);
    }
    Ok(())
}

pub(super) fn rule(edits: &mut Edits<'_>, ruling: Ruling) -> Result<(), Reason> {
    let position = edits.position();
    let named = match ruling {
        Ruling::Sees { die, target, .. } => vec![die, target],
        Ruling::Nearer { to, near, far } => vec![to, near, far],
        Ruling::Room { die, .. } => vec![die],
    };
    for (i, id) in named.iter().enumerate() {
        position.in_play(*id)?;
        if named.iter().take(i).any(|other| other == id) {
            return Err(Reason::NamedTwice { die: *id });
        }
    }
    let mut now = position.rulings.clone();
    now.retain(|r| *r != ruling);
    if now.len() >= MAX_RULINGS {
        return Err(Reason::TooMuchWaits);
    }
    now.push(ruling);
    edits.rulings(now);
    Ok(())
}

pub(super) fn correct(edits: &mut Edits<'_>, correction: &Correction) -> Result<(), Reason> {
    let position = edits.position();
    let mut setup = position.to_setup();
    match correction {
        Correction::Die(claim) => match setup.dice.iter().position(|d| d.id == claim.id) {
            Some(at) => {
                let id = claim.id;
                setup.dice.splice(at..=at, [(**claim).clone()]);
                setup
                    .rulings
                    .retain(|r| !r.names(id) && !matches!(r, Ruling::Room { .. }));
            }
            None if setup.dice.len() < MAX_DICE => setup.dice.push((**claim).clone()),
            None => return Err(Reason::NothingToCorrect),
        },
        Correction::Score { player, points } => {
            *setup.score.of_mut(*player) = *points;
            // A game that only a wrong score had ended goes on.
            let over = matches!(setup.flow.stage, Stage::Over(_));
            if over && points.min < position.print.numbers.win {
                setup.flow.stage = Stage::Free;
            }
        }
        Correction::Flow(flow) => setup.flow = flow.clone(),
        Correction::Table(table) => {
            if !table.edge_mm.is_empty() && !is_outline(&table.edge_mm) {
                return Err(Reason::NothingToCorrect);
            }
            setup.table = table.clone();
        }
    }
    // A person's word on the table is not a die's turn, but it ends what was said about a throw.
    if !matches!(correction, Correction::Flow(_)) {
        setup.flow.off = setup.flow.off.filter(|off| {
            let mut dice = setup.dice.iter();
            dice.any(|d| d.id == *off && d.at == crate::rules::Place::Known(Where::Hand))
        });
    }
    let (corrected, _) = setup.resolve(&position.print);
    edits.whole(&corrected);
    Ok(())
}

impl Position {
    /// Whether the player whose turn it is may pass: after two passes only where nothing else
    /// can be done. Rule text, section "On Every Turn".
    pub(crate) fn may_pass(&self) -> Result<(), Reason> {
        match self.flow.stage {
            Stage::Turn(_) => {}
            Stage::Over(winner) => return Err(Reason::Over { winner }),
            _ => return Err(Reason::WrongStage),
        }
        if let Some(waiting) = self.flow.waiting.last().copied() {
            return Err(Reason::First { waiting });
        }
        if self.flow.passes >= 2 && self.has_another_way() {
            return Err(Reason::PassedTwice);
        }
        Ok(())
    }
}
