//! What may be done now.

use super::action::{Action, Replacement, Source};
use super::noun::{CardKind, PlayerId, SectorKind};
use super::position::Position;
use super::ruling::{idle, to_go};
use super::setup::{PlayerSetup, Purpose};
use crate::rules::Verdict;

/// Amounts up to this are listed one by one.
pub const MOST_LISTED: u16 = 60;

impl Position {
    /// The actions that would be accepted, as far as these rules offer them: what is rolled first
    /// in a turn, what else comes in, what else is built and bought, and movement are inputs from
    /// elsewhere. Amounts are listed up to [`MOST_LISTED`], revealed cards up to ten.
    pub fn legal_actions(&self) -> Vec<Action> {
        let mut list = Vec::new();
        if let Some(player) = self.player(self.table.turn) {
            self.propose(player, &mut list);
        }
        list.retain(|action| self.verdict(action) == Verdict::May);
        list
    }

    fn propose(&self, own: &PlayerSetup, list: &mut Vec<Action>) {
        let player = own.id;
        for card in 0..own.hand.len() {
            list.extend(draws().map(|drawn| Action::Cycle {
                player,
                card,
                drawn,
            }));
        }
        for sector in 0..self.table.sectors.len() {
            if let Some(cost) = self.terraform_price(sector) {
                let purpose = Purpose::Terraform { sector };
                list.push(Action::Begin {
                    player,
                    purpose,
                    cost,
                });
            }
        }
        for (project, claim) in own.projects.iter().enumerate() {
            let most = to_go(claim).min.min(MOST_LISTED);
            list.extend((1..=most).map(|points| Action::Invest {
                player,
                project,
                points,
            }));
            list.push(Action::Complete {
                player,
                project,
                with: None,
            });
            if matches!(claim.purpose, Purpose::Terraform { .. }) {
                let with = self.replacements(player);
                list.extend(with.into_iter().map(|with| Action::Complete {
                    player,
                    project,
                    with: Some(with),
                }));
            }
        }
        list.push(Action::EndBuild { player });
        if idle(own).next().is_none() {
            list.push(Action::Roll {
                player,
                shows: Vec::new(),
            });
        }
        for (reroll, die) in own.engine.iter().enumerate() {
            for remove in 0..own.engine.len() {
                list.extend((1..=u16::from(die.size)).map(|shows| Action::Charge {
                    player,
                    remove,
                    reroll,
                    shows,
                }));
            }
            let die = reroll;
            list.push(Action::Keep { player, die });
        }
        list.extend((1..=MOST_LISTED).map(|energy| Action::Spend { player, energy }));
        list.push(Action::EndTurn { player });
    }

    fn replacements(&self, player: PlayerId) -> Vec<Replacement> {
        let mut list = Vec::new();
        for owner in &self.table.players {
            let mut sources = Vec::new();
            for card in 0..owner.hand.len() {
                sources.extend(draws().map(|drawn| Source::Hand { card, drawn }));
            }
            for passed in 0..10 {
                for found in [CardKind::Sector, CardKind::Encounter] {
                    sources.push(Source::Resource { passed, found });
                }
            }
            for source in sources {
                for becomes in [SectorKind::System, SectorKind::Space] {
                    let from = owner.id;
                    list.push(Replacement {
                        from,
                        source,
                        becomes,
                    });
                }
            }
        }
        list.push(Replacement {
            from: player,
            source: Source::Nowhere,
            becomes: SectorKind::Space,
        });
        list
    }
}

fn draws() -> impl Iterator<Item = Option<CardKind>> {
    std::iter::once(None).chain(CardKind::ALL.iter().copied().map(Some))
}
