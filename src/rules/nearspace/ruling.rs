//! Whether something may be done: conditions that hold, do not, or depend on what is not known.
//! Calls and actions rest on the same conditions, so they cannot disagree.

use super::action::{Action, Replacement, Source};
use super::noun::{CardKind, DieState, Phase, PlayerId, SectorKind};
use super::position::{Position, energy};
use super::print::MAX_POINTS;
use super::reason::Reason;
use super::setup::{EngineDie, MAX_LIST, PlayerSetup, Project, Purpose};
use super::zone::Zone;
use crate::rules::{Place, Span, Verdict};

/// A condition: whether it holds, why it is asked, and what has to be known to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) holds: Option<bool>,
    pub(crate) reason: Reason,
    pub(crate) at: Zone,
}

/// All conditions of one thing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ruling {
    pub(crate) steps: Vec<Step>,
}

impl Ruling {
    pub(crate) fn need(&mut self, holds: Option<bool>, reason: Reason, at: Zone) {
        self.steps.push(Step { holds, reason, at });
    }

    fn must(&mut self, holds: bool, reason: Reason) {
        self.need(Some(holds), reason, Zone::Table);
    }

    pub(crate) fn verdict(&self) -> Verdict {
        if self.steps.iter().any(|s| s.holds == Some(false)) {
            Verdict::Cannot
        } else if self.steps.iter().any(|s| s.holds.is_none()) {
            Verdict::Unsure
        } else {
            Verdict::May
        }
    }

    /// Why it may not be done, if it may not.
    pub(crate) fn refusal(&self) -> Option<Reason> {
        let wrong = self.steps.iter().find(|s| s.holds == Some(false));
        let open = self.steps.iter().find(|s| s.holds.is_none());
        wrong
            .map(|s| s.reason)
            .or(open.map(|s| Reason::Unknown { at: s.at }))
    }
}

fn enough(have: Span, need: u16) -> Option<bool> {
    match (have.min >= need, have.max >= need) {
        (true, _) => Some(true),
        (_, false) => Some(false),
        _ => None,
    }
}

fn is<T: PartialEq>(place: &Place<T>, wanted: &T) -> Option<bool> {
    let values = place.candidates()?;
    match (
        values.iter().all(|v| v == wanted),
        values.iter().any(|v| v == wanted),
    ) {
        (true, _) => Some(true),
        (_, false) => Some(false),
        _ => None,
    }
}

fn not(holds: Option<bool>) -> Option<bool> {
    holds.map(|h| !h)
}

/// Ends a ruling with what is not there.
macro_rules! there {
    ($ruling:ident, $thing:expr, $reason:expr) => {
        match $thing {
            Some(thing) => thing,
            None => {
                $ruling.must(false, $reason);
                return $ruling;
            }
        }
    };
}

impl Position {
    /// The conditions of an action, corrections apart: those are a person's word.
    pub(crate) fn ruling(&self, action: &Action) -> Ruling {
        use Action::*;
        let mut ruling = Ruling::default();
        let (id, phase) = match action {
            Income { player, .. }
            | Cycle { player, .. }
            | Begin { player, .. }
            | Invest { player, .. }
            | Buy { player, .. }
            | Complete { player, .. }
            | EndBuild { player } => (*player, Some(Phase::Build)),
            Roll { player, .. } => (*player, Some(Phase::Engine)),
            Charge { player, .. }
            | Keep { player, .. }
            | Spend { player, .. }
            | EndTurn { player } => (*player, Some(Phase::Energy)),
            Presence { player, .. } => (*player, None),
            Correct(_) => return ruling,
        };
        let player = there!(ruling, self.player(id), Reason::NoSuchPlayer { player: id });
        if let Some(phase) = phase {
            let (turn, now) = (self.table.turn, self.table.phase);
            if turn != id {
                ruling.must(false, Reason::NotTurn { turn });
            }
            if now != phase {
                ruling.must(false, Reason::NotPhase { phase: now });
            }
        }
        match action {
            Income { cp, .. } => {
                let fits = player.cp.max.saturating_add(*cp) <= MAX_POINTS;
                ruling.must(fits && *cp > 0, Reason::NoSuchCount { count: *cp });
            }
            Cycle { card, drawn, .. } => {
                self.cycle(player, *card, &mut ruling);
                self.draws(player, *drawn, &mut ruling);
            }
            Begin { purpose, cost, .. } => self.begin(player, *purpose, *cost, &mut ruling),
            Invest {
                project, points, ..
            } => self.invest(player, *project, *points, &mut ruling),
            Buy { purpose, cost, .. } => {
                let purpose = *purpose;
                ruling.must(!purpose.can_be_banked(), Reason::Banked { purpose });
                ruling.must(*cost > 0, Reason::NoSuchCount { count: *cost });
                self.pays(player, purpose, *cost, &mut ruling);
            }
            Complete { project, with, .. } => {
                self.complete(player, *project, *with, &mut ruling);
            }
            Presence { sector, .. } => {
                let at = Zone::Sector(*sector);
                there!(
                    ruling,
                    self.table.sectors.get(*sector),
                    Reason::NotThere { at }
                );
            }
            EndBuild { .. } | EndTurn { .. } | Correct(_) => {}
            Roll { shows, .. } => {
                let idle: Vec<&EngineDie> = idle(player).collect();
                let dice = u16::try_from(idle.len()).unwrap_or(u16::MAX);
                ruling.must(idle.len() == shows.len(), Reason::RollsIdle { dice });
                for (die, shows) in idle.iter().zip(shows) {
                    on_die(die.size, *shows, &mut ruling);
                }
            }
            Charge {
                remove,
                reroll,
                shows,
                ..
            } => {
                ruling.must(remove != reroll, Reason::TwoDice);
                let spent = player.spent;
                ruling.must(spent == 0, Reason::NothingSpent { spent });
                for index in [*remove, *reroll] {
                    let at = Zone::Engine(id, index);
                    let die = there!(ruling, player.engine.get(index), Reason::NotThere { at });
                    let (die, state) = (index, die.state);
                    ruling.must(state == DieState::Rolled, Reason::DieIs { die, state });
                }
                if let Some(die) = player.engine.get(*reroll) {
                    on_die(die.size, *shows, &mut ruling);
                }
            }
            Keep { die, .. } => {
                let (index, at) = (*die, Zone::Engine(id, *die));
                let die = there!(ruling, player.engine.get(index), Reason::NotThere { at });
                let state = die.state;
                ruling.must(state.gives_energy(), Reason::DieIs { die: index, state });
                let others = player.engine.iter().enumerate();
                let left = others
                    .filter(|(i, d)| *i != index && d.state.gives_energy())
                    .fold(Span::known(0), |sum, (_, d)| sum.plus(d.shows));
                let spent = player.spent;
                let reason = Reason::LeftWithout {
                    energy: left,
                    spent,
                };
                ruling.need(enough(left, spent), reason, open_die(player));
            }
            Spend { energy: n, .. } => {
                ruling.must(*n > 0, Reason::NoSuchCount { count: *n });
                let (energy, spent) = (energy(player), player.spent);
                let reason = Reason::Energy { energy, spent };
                let after = spent.saturating_add(*n);
                ruling.need(enough(energy, after), reason, open_die(player));
            }
        }
        ruling
    }

    /// Discarding a card, without what is drawn.
    pub(crate) fn cycle(&self, player: &PlayerSetup, card: usize, ruling: &mut Ruling) {
        let at = Zone::Card(player.id, card);
        match player.hand.get(card) {
            Some(kind) => {
                let encounter = is(kind, &CardKind::Encounter);
                ruling.need(not(encounter), Reason::EncounterStays, at);
            }
            None => ruling.must(false, Reason::NotThere { at }),
        }
        let (price, have) = (self.print.build.cycle, player.cp);
        let reason = Reason::Price { price, have };
        ruling.need(enough(have, price), reason, Zone::Cp(player.id));
    }

    /// A drawn card says that the Resource had one; where its cards are not counted, it is
    /// believed.
    fn draws(&self, player: &PlayerSetup, drawn: Option<CardKind>, ruling: &mut Ruling) {
        let resource = player.resource;
        let fits = match drawn {
            Some(_) => resource.max > 0,
            None => resource.min == 0,
        };
        let reason = match fits {
            true => Reason::DrawsNext { resource },
            false => Reason::DrawnWrong { resource },
        };
        ruling.must(fits, reason);
    }

    /// What terraforming a sector costs; `None` where that depends on what it is.
    pub(crate) fn terraform_price(&self, sector: usize) -> Option<u16> {
        let kinds = self.table.sectors.get(sector)?.kind.candidates()?;
        let price = |kind: &SectorKind| match kind {
            SectorKind::Space => self.print.build.terraform_space,
            _ => self.print.build.terraform,
        };
        let first = kinds.first().map(price)?;
        kinds.iter().all(|k| price(k) == first).then_some(first)
    }

    /// Terraforming a sector, without its cost.
    pub(crate) fn terraform(&self, player: &PlayerSetup, sector: usize, ruling: &mut Ruling) {
        let Some(target) = self.table.sectors.get(sector) else {
            let at = Zone::Sector(sector);
            ruling.must(false, Reason::NotThere { at });
            return;
        };
        let home = not(is(&target.kind, &SectorKind::Homeworld));
        ruling.need(home, Reason::NoHomeworld { sector }, Zone::Sector(sector));
        let present = is(target.presence(player.id), &true);
        let at = Zone::Presence(player.id, sector);
        ruling.need(present, Reason::Presence { sector }, at);
    }

    fn begin(&self, player: &PlayerSetup, purpose: Purpose, cost: u16, ruling: &mut Ruling) {
        ruling.must(purpose.can_be_banked(), Reason::AllAtOnce { purpose });
        let counts = (1..=MAX_POINTS).contains(&cost);
        ruling.must(counts, Reason::NoSuchCount { count: cost });
        ruling.must(player.projects.len() < MAX_LIST, Reason::TooMany);
        match purpose {
            Purpose::Ship { size } | Purpose::EngineDie { size } => {
                let known = (1..=super::die::MAX_FACETS).contains(&size);
                let small = size >= self.print.dice.least_size;
                ruling.must(known && small, Reason::TooSmall { size });
            }
            Purpose::Terraform { sector } => {
                self.terraform(player, sector, ruling);
                self.under_way(player, sector, ruling);
                let price = self.terraform_price(sector);
                let reason = Reason::TerraformPrice {
                    price: price.unwrap_or(cost),
                };
                ruling.need(price.map(|p| p == cost), reason, Zone::Sector(sector));
            }
            _ => {}
        }
    }

    pub(crate) fn under_way(&self, player: &PlayerSetup, sector: usize, ruling: &mut Ruling) {
        let purpose = Purpose::Terraform { sector };
        let mut projects = player.projects.iter();
        if let Some(project) = projects.position(|p| p.purpose == purpose) {
            ruling.must(false, Reason::UnderWay { project });
        }
    }

    /// What pays for a purpose.
    pub(crate) fn pays(
        &self,
        player: &PlayerSetup,
        purpose: Purpose,
        points: u16,
        ruling: &mut Ruling,
    ) {
        if purpose.is_artifice() {
            let have = player.artifice;
            let at = Zone::Artifice(player.id);
            ruling.need(enough(have, points), Reason::ArtificePool { have }, at);
        } else {
            let (price, have) = (points, player.cp);
            let reason = Reason::Price { price, have };
            ruling.need(enough(have, points), reason, Zone::Cp(player.id));
        }
    }

    pub(crate) fn invest(
        &self,
        player: &PlayerSetup,
        index: usize,
        points: u16,
        ruling: &mut Ruling,
    ) {
        let at = Zone::Project(player.id, index);
        let Some(project) = player.projects.get(index) else {
            ruling.must(false, Reason::NotThere { at });
            return;
        };
        // Said only where it is wrong: of a count that counts it would make no sense.
        if points == 0 {
            ruling.must(false, Reason::NoSuchCount { count: points });
        }
        let left = to_go(project);
        ruling.need(enough(left, points), Reason::ToGo { left }, at);
        if let Purpose::Terraform { sector } = project.purpose {
            self.terraform(player, sector, ruling);
        }
        self.pays(player, project.purpose, points, ruling);
    }

    /// Whether a project is paid for, whatever replaces a sector then.
    pub(crate) fn paid(&self, player: &PlayerSetup, index: usize, ruling: &mut Ruling) {
        let at = Zone::Project(player.id, index);
        let Some(project) = player.projects.get(index) else {
            ruling.must(false, Reason::NotThere { at });
            return;
        };
        let (paid, cost) = (enough(project.banked, project.cost), project.cost);
        let reason = match paid {
            Some(true) => Reason::Paid { cost },
            _ => Reason::ToGo {
                left: to_go(project),
            },
        };
        ruling.need(paid, reason, at);
        match project.purpose {
            Purpose::Terraform { sector } => self.terraform(player, sector, ruling),
            Purpose::Ship { .. } => ruling.must(player.built.len() < MAX_LIST, Reason::TooMany),
            Purpose::EngineDie { .. } => {
                ruling.must(player.engine.len() < MAX_LIST, Reason::TooMany);
            }
            _ => {}
        }
    }

    fn complete(
        &self,
        player: &PlayerSetup,
        index: usize,
        with: Option<Replacement>,
        ruling: &mut Ruling,
    ) {
        self.paid(player, index, ruling);
        let purpose = player.projects.get(index).map(|p| p.purpose);
        let needed = matches!(purpose, Some(Purpose::Terraform { .. }));
        let Some(with) = with.filter(|_| needed) else {
            if needed != with.is_some() {
                ruling.must(false, Reason::SayReplacement { needed });
            }
            return;
        };
        let becomes = match with.source {
            Source::Nowhere => with.becomes == SectorKind::Space && with.from == player.id,
            _ => with.becomes != SectorKind::Homeworld,
        };
        ruling.must(becomes, Reason::Becomes);
        // The opponent's cards come only after the own ones, and the Resource after the hand.
        let hand_first = match with.source {
            Source::Hand { .. } => with.from != player.id,
            Source::Resource { .. } | Source::Nowhere => true,
        };
        if hand_first {
            self.no_sector_in_hand(player.id, ruling);
        }
        let other = match with.source {
            Source::Hand { .. } => None,
            Source::Resource { .. } => Some(with.from).filter(|p| *p != player.id),
            Source::Nowhere => Some(player.id.opponent()).filter(|p| self.player(*p).is_some()),
        };
        if let Some(other) = other {
            self.no_sector_in_hand(other, ruling);
        }
        let Some(from) = self.player(with.from) else {
            let player = with.from;
            ruling.must(false, Reason::NoSuchPlayer { player });
            return;
        };
        match with.source {
            Source::Hand { card, drawn } => {
                let at = Zone::Card(from.id, card);
                match from.hand.get(card) {
                    Some(kind) => {
                        let sector = is(kind, &CardKind::Sector);
                        ruling.need(sector, Reason::SectorCard { card }, at);
                    }
                    None => ruling.must(false, Reason::NotThere { at }),
                }
                self.draws(from, drawn, ruling);
            }
            Source::Resource { passed, found } => {
                let ends = matches!(found, CardKind::Sector | CardKind::Encounter);
                ruling.must(ends, Reason::RevealEnds);
                let resource = from.resource;
                let there = passed < resource.max;
                ruling.must(there, Reason::DrawnWrong { resource });
            }
            Source::Nowhere => {}
        }
    }

    fn no_sector_in_hand(&self, id: PlayerId, ruling: &mut Ruling) {
        let Some(player) = self.player(id) else {
            return;
        };
        for (card, kind) in player.hand.iter().enumerate() {
            let none = not(is(kind, &CardKind::Sector));
            let reason = Reason::NoSectorInHand { player: id };
            ruling.need(none, reason, Zone::Card(id, card));
        }
    }
}

pub(crate) fn to_go(project: &Project) -> Span {
    Span {
        min: project.cost.saturating_sub(project.banked.max),
        max: project.cost.saturating_sub(project.banked.min),
    }
}

pub(crate) fn idle(player: &PlayerSetup) -> impl Iterator<Item = &EngineDie> {
    player.engine.iter().filter(|d| d.state == DieState::Idle)
}

fn on_die(size: u8, shows: u16, ruling: &mut Ruling) {
    if !(1..=u16::from(size)).contains(&shows) {
        ruling.must(false, Reason::NoSuchFace { size, shows });
    }
}

/// The first engine die whose number is not known.
pub(crate) fn open_die(player: &PlayerSetup) -> Zone {
    let mut dice = player.engine.iter();
    let open = dice.position(|d| d.state.gives_energy() && d.shows.value().is_none());
    open.map_or(Zone::Player(player.id), |i| Zone::Engine(player.id, i))
}
