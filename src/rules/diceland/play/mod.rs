//! Actions turn one position into the next. What is illegal, or depends on what is not known, is
//! refused with its reason, and the position is handed back unchanged.

mod legal;
mod shoot;
mod throw;
mod turn;

pub(super) use shoot::{kill, roll};

use super::action::Action;
use super::call::{Because, What};
use super::change::{Change, Edits};
use super::flow::{Stage, Waiting};
use super::name::DieId;
use super::player::Player;
use super::position::{Die, Position};
use super::reason::Reason;
use crate::rules::played;

/// An action that was refused, with the position as it was.
pub type Refused = crate::rules::Refused<Position, Reason>;

/// What sort of thing a die does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doing {
    Fire,
    Roll,
    Other,
}

impl Position {
    /// The position after an action, and the change, which can be inverted.
    ///
    /// # Errors
    ///
    /// [`Refused`] with this position, unchanged, and the reason.
    pub fn play(self, action: &Action) -> Result<(Position, Change), Box<Refused>> {
        played(self, |position| position.act(action))
    }

    /// Carries out an action in place.
    ///
    /// # Errors
    ///
    /// The reason for which it is refused; the position is then unchanged.
    pub fn act(&mut self, action: &Action) -> Result<Change, Because> {
        let mut edits = Edits::new(self);
        match play(&mut edits, action) {
            Ok(()) => Ok(edits.done()),
            // Dropped here, the edits take themselves back.
            Err(reason) => Err(crate::rules::Because(reason)),
        }
    }

    /// A die in play.
    pub(crate) fn in_play(&self, id: DieId) -> Result<&Die, Reason> {
        let die = self.die(id).ok_or(Reason::NoSuchDie { die: id })?;
        if die.is_in_play() {
            Ok(die)
        } else {
            Err(Reason::NotInPlay { die: id })
        }
    }

    /// Whether a die may do something at this moment of the game.
    pub(crate) fn may_act(&self, id: DieId, doing: Doing) -> Result<(), Reason> {
        let die = self.in_play(id)?;
        let turn = match self.flow.stage {
            Stage::Over(winner) => return Err(Reason::Over { winner }),
            Stage::Choosing | Stage::Opening(_) => return Err(Reason::WrongStage),
            Stage::Free => return Ok(()),
            Stage::Turn(turn) => turn,
        };
        if let Some(waiting) = self.flow.waiting.last().copied() {
            let may = match waiting {
                Waiting::Landed { die } | Waiting::Commanded { die, .. } => die == id,
                Waiting::MayShoot { die } => die == id && doing == Doing::Fire,
                Waiting::MayMove { die } => die == id && doing == Doing::Roll,
                Waiting::Calling { .. } => false,
            };
            return if may {
                Ok(())
            } else {
                Err(Reason::First { waiting })
            };
        }
        match die.owner.known() {
            Some(owner) if *owner == turn => Ok(()),
            Some(_) => Err(Reason::NotYourTurn { turn }),
            None => Err(Reason::OwnerUnknown { die: id }),
        }
    }

    /// Whether what a call is about could be done now; `None` where turns are not kept, or where
    /// it is nothing that is done.
    pub(crate) fn is_now(&self, what: &What) -> Option<bool> {
        if self.flow.stage == Stage::Free {
            return None;
        }
        let doing = match what {
            What::See { .. }
            | What::GoFirst { .. }
            | What::Open { .. }
            | What::Army { .. }
            | What::Pass { .. } => return None,
            What::Fire { after: None, .. } => Doing::Fire,
            What::Manoeuvre { .. } => Doing::Roll,
            _ => Doing::Other,
        };
        Some(self.may_act(what.die()?, doing).is_ok())
    }

    /// Whose turn it is; where turns are not kept, the owner of the die that acts.
    pub(crate) fn active(&self, die: DieId) -> Result<Player, Reason> {
        match self.flow.stage {
            Stage::Turn(player) | Stage::Opening(player) => Ok(player),
            Stage::Over(winner) => Err(Reason::Over { winner }),
            Stage::Choosing => Err(Reason::WrongStage),
            Stage::Free => {
                let owner = self.die(die).and_then(|d| d.owner.known());
                owner.copied().ok_or(Reason::OwnerUnknown { die })
            }
        }
    }
}

fn play(edits: &mut Edits<'_>, action: &Action) -> Result<(), Reason> {
    // Once anything else is done, nobody calls the last throw a foul.
    let heard = matches!(
        action,
        Action::Foul { .. } | Action::Rule(_) | Action::Correct(_)
    );
    if !heard && edits.position().flow.off.is_some() {
        edits.flow(|flow| flow.off = None);
    }
    match action {
        Action::GoFirst { by, first } => return turn::go_first(edits, *by, *first),
        Action::Open { die, spot } => throw::open(edits, *die, spot)?,
        Action::Throw {
            throw,
            lands,
            knocks,
        } => throw::throw(edits, throw, lands.as_ref(), knocks)?,
        Action::Manoeuvre { die, corner } => shoot::manoeuvre(edits, *die, *corner)?,
        Action::Fire { die, target } => shoot::fire(edits, *die, *target)?,
        Action::Command { die, target } => shoot::command(edits, *die, *target)?,
        Action::Remove { die, target } => shoot::remove(edits, *die, *target)?,
        Action::Call { die } => shoot::call(edits, *die)?,
        Action::Waive => turn::waive(edits)?,
        Action::Pass => return turn::pass(edits),
        Action::Foul { penalty } => return turn::foul(edits, *penalty),
        Action::Rule(ruling) => return turn::rule(edits, *ruling),
        Action::Correct(correction) => return turn::correct(edits, correction),
    }
    turn::end_if_done(edits);
    Ok(())
}

/// Takes off what waited for a die, which now acts; says what it was.
fn begin(edits: &mut Edits<'_>) -> Option<Waiting> {
    if edits.position().flow.stage == Stage::Free {
        return None;
    }
    let top = edits.position().flow.waiting.last().copied()?;
    edits.flow(|flow| {
        flow.waiting.pop();
    });
    Some(top)
}
