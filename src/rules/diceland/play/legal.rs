//! The list of what may be done. It is made by proposing every action whose parts are there and
//! asking the rules: the list cannot offer what the rules refuse.

use crate::rules::diceland::action::{Action, Penalty, Throw};
use crate::rules::diceland::face::{Corner, Does, Effect};
use crate::rules::diceland::flow::{Stage, Waiting};
use crate::rules::diceland::name::DieId;
use crate::rules::diceland::player::Player;
use crate::rules::diceland::position::Position;
use crate::rules::diceland::scene::Scene;

impl Position {
    /// Everything that may be done now, rulings and corrections apart: those are always heard.
    /// Throws and the opening come with a place that only the hand knows:
    /// [`Position::legal_throws`] and [`Position::legal_openings`] list what may be thrown or
    /// placed.
    pub fn legal_actions(&self) -> Vec<Action> {
        let mut probe = self.clone();
        self.proposals()
            .into_iter()
            .filter(|action| probe.try_out(action))
            .collect()
    }

    /// Whether an action may be done now.
    pub fn is_legal(&self, action: &Action) -> bool {
        self.clone().act(action).is_ok()
    }

    /// The throws that may be made now.
    pub fn legal_throws(&self) -> Vec<Throw> {
        let mut all: Vec<Throw> = Vec::new();
        for player in Player::BOTH {
            all.extend(self.hand(player).map(|die| Throw::Hand { die }));
        }
        let in_play = self.dice.iter().filter(|d| d.is_in_play()).map(|d| d.id);
        for die in in_play {
            all.push(Throw::Jump { die });
            let targets = self.jump_targets(die).into_iter();
            all.extend(targets.map(|target| Throw::JumpAlly { die, target }));
        }
        all.retain(|throw| self.may_throw(throw).is_ok());
        all
    }

    /// The dice that may be placed in the table's centre now, which opens the game.
    pub fn legal_openings(&self) -> Vec<DieId> {
        match self.flow.stage {
            Stage::Opening(player) => self.hand(player).collect(),
            _ => Vec::new(),
        }
    }

    /// Does an action and takes it back.
    fn try_out(&mut self, action: &Action) -> bool {
        match self.act(action) {
            Ok(change) => {
                // It cannot fail: nothing came between.
                let back = self.replay(&change.inverse());
                debug_assert_eq!(back, Ok(()));
                true
            }
            Err(_) => false,
        }
    }

    /// Whether anything but a pass can be done.
    pub(crate) fn has_another_way(&self) -> bool {
        if !self.legal_throws().is_empty() {
            return true;
        }
        let mut probe = self.clone();
        let mut others = self.proposals().into_iter();
        // A foul is the other player's to call.
        let another = |a: &Action| !matches!(a, Action::Pass | Action::Foul { .. });
        others.any(|a| another(&a) && probe.try_out(&a))
    }

    fn proposals(&self) -> Vec<Action> {
        let mut list = Vec::new();
        match self.flow.stage {
            Stage::Over(_) | Stage::Opening(_) => return list,
            Stage::Choosing => {
                for by in Player::BOTH {
                    list.extend(Player::BOTH.map(|first| Action::GoFirst { by, first }));
                }
                return list;
            }
            Stage::Free | Stage::Turn(_) => {}
        }
        let waiting = self.flow.waiting.last();
        match waiting {
            Some(top) => {
                list.push(Action::Waive);
                if let Waiting::Landed { .. } = top {
                    list.extend(
                        [Penalty::NoShot, Penalty::OutOfPlay]
                            .map(|penalty| Action::Foul { penalty }),
                    );
                }
            }
            None => list.push(Action::Pass),
        }
        if self.flow.off.is_some() {
            let fouls = [Penalty::NoShot, Penalty::OutOfPlay];
            list.extend(fouls.map(|penalty| Action::Foul { penalty }));
        }
        let scene = Scene::of(self);
        for actor in &scene.actors {
            let die = actor.id();
            // The only die that may act while something waits.
            if waiting.is_some_and(|w| self.flow.stage != Stage::Free && w.die() != die) {
                continue;
            }
            list.extend(Corner::ALL.map(|corner| Action::Manoeuvre { die, corner }));
            let has = |effect: fn(&Effect) -> bool| {
                actor
                    .readings
                    .iter()
                    .any(|r| r.face.effects.iter().any(effect))
            };
            if has(|e| matches!(e, Effect::Call { .. })) {
                list.push(Action::Call { die });
            }
            let Some(shot) = actor.sure().and_then(|r| r.face.shot) else {
                continue;
            };
            let others = scene.actors.iter().map(|a| a.id()).filter(|id| *id != die);
            let targets: Vec<Option<DieId>> =
                std::iter::once(None).chain(others.map(Some)).collect();
            list.extend(targets.into_iter().filter_map(|target| match shot.does {
                Does::Weapon => Some(Action::Fire { die, target }),
                Does::Command(_) => Some(Action::Command { die, target }),
                Does::Remove => Some(Action::Remove { die, target }),
                Does::JumpAlly => None,
            }));
        }
        list
    }
}
