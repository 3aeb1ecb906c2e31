//! Throwing: which die may be thrown, where it comes to rest, and what it knocks off. Rule text,
//! sections "Throwing a Die" and "Dice Off the Table".

use super::{Doing, begin};
use crate::rules::Place;
use crate::rules::diceland::action::{Knock, Landing, Throw};
use crate::rules::diceland::aim::aim;
use crate::rules::diceland::change::Edits;
use crate::rules::diceland::face::{Does, Effect};
use crate::rules::diceland::fault::Fault;
use crate::rules::diceland::flow::{MAX_WAITING, Stage, Waiting};
use crate::rules::diceland::geometry::{Pose, PoseError, TopFace};
use crate::rules::diceland::mm::Mm;
use crate::rules::diceland::name::DieId;
use crate::rules::diceland::player::Player;
use crate::rules::diceland::position::{Lies, Position, Stand};
use crate::rules::diceland::reason::Reason;
use crate::rules::diceland::roll::{HAIR_MM, overlap_of_solids};
use crate::rules::diceland::scene::Scene;
use crate::rules::diceland::setup::{is_sane_mm, is_sane_turn};

impl Position {
    /// Whether a die may be thrown now.
    pub(crate) fn may_throw(&self, throw: &Throw) -> Result<(), Reason> {
        match throw {
            Throw::Hand { die } => self.may_throw_hand(*die),
            Throw::Jump { die } => {
                self.may_act(*die, Doing::Other)?;
                let scene = Scene::of(self);
                let (_, actor) = scene.find(*die).ok_or(Reason::NotInPlay { die: *die })?;
                match actor.about(|r| r.face.has(Effect::Jump)) {
                    Some(true) => Ok(()),
                    Some(false) => Err(Reason::NoSuchEffect),
                    None => Err(Reason::FaceUnknown { die: *die }),
                }
            }
            Throw::JumpAlly { die, target } => {
                self.may_act(*die, Doing::Other)?;
                let scene = Scene::of(self);
                let targets = super::shoot::targets(&scene, *die, Some(*target), |d| {
                    matches!(d, Does::JumpAlly)
                })?;
                match targets.iter().any(|t| t.die == *target) {
                    true => Ok(()),
                    false => Err(Reason::NotATarget { die: *target }),
                }
            }
        }
    }

    fn may_throw_hand(&self, id: DieId) -> Result<(), Reason> {
        let die = self.die(id).ok_or(Reason::NoSuchDie { die: id })?;
        if die.lies != Lies::Hand {
            return Err(Reason::NotInHand { die: id });
        }
        let turn = match self.flow.stage {
            Stage::Over(winner) => return Err(Reason::Over { winner }),
            Stage::Choosing | Stage::Opening(_) => return Err(Reason::WrongStage),
            Stage::Free => return Ok(()),
            Stage::Turn(turn) => turn,
        };
        match die.owner.known() {
            Some(owner) if *owner == turn => {}
            Some(_) => return Err(Reason::NotYourTurn { turn }),
            None => return Err(Reason::OwnerUnknown { die: id }),
        }
        match self.flow.waiting.last().copied() {
            None => Ok(()),
            Some(Waiting::Calling { of, .. }) => {
                let (sure, perhaps) = self.callable(turn, &of);
                if sure.contains(&id) {
                    Ok(())
                } else if perhaps.contains(&id) {
                    Err(Reason::FaceUnknown { die: id })
                } else {
                    Err(Reason::NotOfSort { of })
                }
            }
            Some(waiting) => Err(Reason::First { waiting }),
        }
    }

    /// Where a die would lie, if it can lie so on this table.
    fn landing(&self, id: DieId, lands: &Landing) -> Result<(Stand, TopFace), Reason> {
        let default = PoseError::CornerMm(self.print.options.error_mm);
        let error = lands.error.unwrap_or(default);
        if !is_sane_mm(&lands.at_mm) || !is_sane_turn(lands.heading_deg) || !error.is_sane() {
            return Err(Reason::NoPlace);
        }
        let die = self.die(id).ok_or(Reason::NoSuchDie { die: id })?;
        let kinds = die.kind.candidates().unwrap_or_default();
        let mut moulds = kinds.iter().filter_map(|k| self.mould(*k));
        if !kinds.is_empty() && !moulds.any(|m| m.index(lands.face).is_some()) {
            return Err(Reason::NoSuchFace { face: lands.face });
        }
        let pose = Pose {
            at_mm: lands.at_mm,
            heading_deg: lands.heading_deg,
            error,
        }
        .settled();
        let body = TopFace::of(&pose, &self.print);
        if let Some((Fault::OverEdge { by, .. }, _)) = self.over_edge(&body) {
            return Err(Reason::LandsOff { by_mm: by });
        }
        Ok((Stand::of(&pose), body))
    }
}

/// Puts a die down.
fn lay(edits: &mut Edits<'_>, id: DieId, lands: &Landing) -> Result<TopFace, Reason> {
    let (stand, body) = edits.position().landing(id, lands)?;
    edits.die(id, |die| {
        die.face = Place::Known(lands.face);
        die.lies = Lies::Play(Some(stand));
    });
    Ok(body)
}

/// Back to its owner's hand.
pub(super) fn to_hand(edits: &mut Edits<'_>, id: DieId) {
    edits.die(id, |die| {
        die.face = Place::Unknown;
        die.lies = Lies::Hand;
    });
}

/// Whether a die that was just put down lies in another: one of the two was misread.
fn lies_free(position: &Position, id: DieId, body: &TopFace) -> Result<(), Reason> {
    let others = position.dice.iter().filter(|d| d.id != id);
    for other in others {
        if let Some(there) = other.stand().and_then(|s| s.body(&position.print))
            && overlap_of_solids(body, &there, position.print.height_mm())
                > body.error_mm() + there.error_mm() + HAIR_MM
        {
            return Err(Reason::LandsIn { die: other.id });
        }
    }
    Ok(())
}

pub(super) fn throw(
    edits: &mut Edits<'_>,
    throw: &Throw,
    lands: Option<&Landing>,
    knocks: &[Knock],
) -> Result<(), Reason> {
    let position = edits.position();
    position.may_throw(throw)?;
    let flies = throw.flies();
    let thrower = position.active(flies)?;
    for (i, knock) in knocks.iter().enumerate() {
        position.in_play(knock.die)?;
        let twice = knocks.iter().take(i).any(|k| k.die == knock.die);
        if twice || knock.die == flies {
            return Err(Reason::NamedTwice { die: knock.die });
        }
    }
    if position.flow.waiting.len() >= MAX_WAITING {
        return Err(Reason::TooMuchWaits);
    }
    match throw {
        Throw::Hand { .. } => count_call(edits),
        Throw::Jump { .. } | Throw::JumpAlly { .. } => {
            begin(edits);
        }
    }
    // In the air: it neither lies in the others' way nor keeps a command flag.
    to_hand(edits, flies);
    let mut moved = Vec::new();
    let mut lost = Vec::new();
    for knock in knocks {
        match &knock.lands {
            Some(lands) => moved.push((knock.die, lay(edits, knock.die, lands)?)),
            None => {
                let position = edits.position();
                lost.extend(position.die(knock.die).map(|d| position.points(d)));
                to_hand(edits, knock.die);
            }
        }
    }
    if let Some(lands) = lands {
        moved.push((flies, lay(edits, flies, lands)?));
        edits.wait([Waiting::Landed { die: flies }]);
    } else if matches!(edits.position().flow.stage, Stage::Turn(_)) {
        // the points for it may have ended the game
        if edits.position().winner().is_none() {
            edits.flow(|flow| flow.off = Some(flies));
        }
    }
    for (id, body) in &moved {
        lies_free(edits.position(), *id, body)?;
    }
    // Whoever owns them, dice that were knocked off score for the opponent of the thrower; the
    // die that was thrown does not.
    for points in lost {
        edits.score(thrower.other(), points);
    }
    Ok(())
}

/// One call less to come.
fn count_call(edits: &mut Edits<'_>) {
    edits.flow(|flow| {
        let done = match flow.waiting.last_mut() {
            Some(Waiting::Calling { left, .. }) => {
                *left = left.saturating_sub(1);
                *left == 0
            }
            _ => false,
        };
        if done {
            flow.waiting.pop();
        }
    });
}

pub(super) fn open(edits: &mut Edits<'_>, id: DieId, spot: &Landing) -> Result<(), Reason> {
    let position = edits.position();
    let Stage::Opening(player) = position.flow.stage else {
        return Err(Reason::WrongStage);
    };
    let die = position.die(id).ok_or(Reason::NoSuchDie { die: id })?;
    match die.owner.known() {
        Some(owner) if *owner == player => {}
        Some(_) => return Err(Reason::NotYourTurn { turn: player }),
        None => return Err(Reason::OwnerUnknown { die: id }),
    }
    if die.lies != Lies::Hand {
        return Err(Reason::NotInHand { die: id });
    }
    if let Some(centre) = position.centre_mm() {
        let [x, y] = spot.at_mm;
        let by = (x - centre[0]).hypot(y - centre[1]);
        let most = position.print.options.centre_mm;
        if by > most {
            return Err(Reason::NotCentre {
                by_mm: Mm::new(by),
                most_mm: Mm::new(most),
            });
        }
    }
    let body = lay(edits, id, spot)?;
    lies_free(edits.position(), id, &body)
}

impl Position {
    /// The middle of the table, mm; `None` where its edge is not known.
    pub fn centre_mm(&self) -> Option<[f64; 2]> {
        use geo::Centroid;
        if self.edge.is_empty() {
            return None;
        }
        let ring: Vec<(f64, f64)> = self.edge.iter().map(|p| (p.x, p.y)).collect();
        let table = geo::Polygon::new(geo::LineString::from(ring), Vec::new());
        table.centroid().map(|c| [c.x(), c.y()])
    }

    /// Allies that a die's jump ally reaches, as far as that is sure.
    pub(crate) fn jump_targets(&self, id: DieId) -> Vec<DieId> {
        let scene = Scene::of(self);
        let Some((_, actor)) = scene.find(id) else {
            return Vec::new();
        };
        let Some(reading) = actor.sure() else {
            return Vec::new();
        };
        let Some(shot) = reading.face.shot.filter(|s| s.does == Does::JumpAlly) else {
            return Vec::new();
        };
        let view = actor.pose().map(|p| TopFace::of(&p, &self.print));
        aim(&scene, actor, view.as_ref(), reading.face, &shot)
            .iter()
            .filter(|m| m.target == Some(true))
            .filter_map(|m| scene.actors.get(m.at).map(|a| a.id()))
            .collect()
    }

    /// Who throws, where a die of the hand is thrown now.
    pub(crate) fn hand(&self, player: Player) -> impl Iterator<Item = DieId> {
        let in_hand = self.dice_of(player).filter(|d| d.lies == Lies::Hand);
        in_hand.map(|d| d.id)
    }
}
