//! Armies: how large one is, and how large it may be. Rule text, section "Building an Army".

use super::name::{KindId, Team};
use super::player::Player;
use super::position::{Die, Position};
use super::print::RuleNumbers;
use crate::rules::Span;

/// The most points an army may have: 30, and where all its dice are of one team, the points of
/// the smallest die more.
pub fn army_max(numbers: &RuleNumbers, one_team: bool, smallest: u16) -> u16 {
    if one_team {
        numbers.army.saturating_add(smallest)
    } else {
        numbers.army
    }
}

/// A player's army.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Army {
    /// Its points.
    pub points: Span,
    /// The most it may have; `None` where that depends on what is not known.
    pub most: Option<u16>,
    /// The team of all its dice.
    pub one_team: Option<Team>,
    /// The points of its smallest die, where all are known.
    pub smallest: Option<u16>,
    /// Unique dice of which it has more than one.
    pub twice: Vec<KindId>,
}

impl Army {
    /// Whether it may be played with; `None` where that depends on what is not known.
    pub fn is_legal(&self) -> Option<bool> {
        if !self.twice.is_empty() {
            return Some(false);
        }
        let most = self.most?;
        if self.points.min > most {
            Some(false)
        } else if self.points.max <= most {
            Some(true)
        } else {
            None
        }
    }
}

impl Position {
    /// The dice that are surely a player's.
    pub fn dice_of(&self, player: Player) -> impl Iterator<Item = &Die> {
        let is = move |d: &&Die| d.owner.known() == Some(&player);
        self.dice.iter().filter(is)
    }

    /// A player's army, wherever its dice are.
    pub fn army(&self, player: Player) -> Army {
        let mut army = Army {
            points: Span::known(0),
            most: None,
            one_team: None,
            smallest: None,
            twice: Vec::new(),
        };
        let mut kinds = Vec::new();
        let mut unsure = false;
        for die in &self.dice {
            let candidates = die.owner.candidates().unwrap_or(&Player::BOTH);
            match candidates {
                [one] if *one == player => {
                    army.points = army.points.plus(self.points(die));
                    match die.kind.known().and_then(|k| self.mould(*k)) {
                        Some(mould) => kinds.push(mould.kind()),
                        None => unsure = true,
                    }
                }
                some if some.contains(&player) => {
                    let most = self.points(die).max;
                    army.points = army.points.plus(Span { min: 0, max: most });
                    unsure = true;
                }
                _ => {}
            }
        }
        for (i, kind) in kinds.iter().enumerate() {
            let again = kinds.iter().take(i).any(|k| k.id == kind.id);
            if kind.unique && again && !army.twice.contains(&kind.id) {
                army.twice.push(kind.id);
            }
        }
        let mixed = kinds
            .iter()
            .any(|k| Some(k.team) != kinds.first().map(|f| f.team));
        let numbers = &self.print.numbers;
        if mixed {
            army.most = Some(army_max(numbers, false, 0));
        } else if !unsure {
            army.one_team = kinds.first().map(|k| k.team);
            army.smallest = kinds.iter().map(|k| k.points).min();
            army.most = army.smallest.map(|least| army_max(numbers, true, least));
        }
        army
    }
}
