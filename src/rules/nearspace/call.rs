//! What may be announced.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use super::noun::DieState;
use super::noun::{Phase, PlayerId};
use super::odds::{Shown, as_it_lies, at_least, best_charge};
use super::position::{Position, energy};
use super::reason::{Because, Reason};
use super::ruling::{Ruling, idle, open_die, to_go};
use super::setup::{PlayerSetup, Purpose};
use super::zone::Zone;
use crate::rules::{Odds, Span, Verdict};

/// What a call is about. Things in a list count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(tag = "is", rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum What {
    /// Whether a die may be played with.
    Die { die: usize },
    /// A check.
    Check { check: usize },
    /// Discarding a card.
    Cycle { player: PlayerId, card: usize },
    /// Terraforming a sector.
    Terraform { player: PlayerId, sector: usize },
    /// Putting points into a project.
    Invest { player: PlayerId, project: usize },
    /// Finishing a project.
    Complete { player: PlayerId, project: usize },
    /// Rolling the engine dice.
    Roll { player: PlayerId },
    /// The energy there is, and whether it is what is wanted.
    Energy { player: PlayerId },
    /// Which die to charge.
    Charge { player: PlayerId },
    /// Keeping a die.
    Keep { player: PlayerId, die: usize },
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::Die { die } => write!(f, "die {die}: play with it"),
            What::Check { check } => write!(f, "check {check}"),
            What::Cycle { player, card } => write!(f, "{player}: discard card {card}"),
            What::Terraform { player, sector } => write!(f, "{player}: terraform sector {sector}"),
            What::Invest { player, project } => write!(f, "{player}: invest in project {project}"),
            What::Complete { player, project } => write!(f, "{player}: finish project {project}"),
            What::Roll { player } => write!(f, "{player}: roll the engine dice"),
            What::Energy { player } => write!(f, "{player}: energy"),
            What::Charge { player } => write!(f, "{player}: charge"),
            What::Keep { player, die } => write!(f, "{player}: keep engine die {die}"),
        }
    }
}

/// The numbers of a call; those that do not belong to it are not there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Numbers {
    /// The size a die counts as.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts_as: Option<u8>,
    /// Whether a die takes the opponent's permission.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needs_permission: Option<bool>,
    /// CP it costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cp: Option<u16>,
    /// Points that are still to be invested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_go: Option<Span>,
    /// Build phases until it is paid for with artifice CP alone, this one among them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns: Option<u16>,
    /// Artifice CP that the last of these phases leaves for other projects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_over: Option<u16>,
    /// Energy that can be spent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub energy: Option<Span>,
    /// Dice that are rolled next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dice: Option<u16>,
    /// The chance of success, or of the energy that is wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub odds: Option<Odds>,
    /// The charges in a row that the chance counts on, where more could raise it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub charges: Option<u8>,
    /// The die to remove, and the die to roll again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub charge: Option<(usize, usize)>,
}

/// What may be announced about one thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Call {
    /// What it is about.
    pub what: What,
    /// The verdict.
    pub verdict: Verdict,
    /// Its numbers.
    pub numbers: Numbers,
    /// Why, step by step.
    pub because: Vec<Because>,
    /// The places whose content the verdict waits for; empty unless it is `unsure`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unsure_on: Vec<Zone>,
}

impl Call {
    fn of(what: What, ruling: &Ruling) -> Call {
        let verdict = ruling.verdict();
        let mut call = Call {
            what,
            verdict,
            numbers: Numbers::default(),
            because: Vec::new(),
            unsure_on: Vec::new(),
        };
        for step in &ruling.steps {
            // A refusal rests on what does not hold; the rest would only distract.
            if verdict != Verdict::Cannot || step.holds == Some(false) {
                call.why(step.reason);
            }
            if verdict == Verdict::Unsure && step.holds.is_none() {
                call.wait(step.at);
            }
        }
        call
    }

    fn why(&mut self, reason: Reason) {
        let because = crate::rules::Because(reason);
        if !self.because.contains(&because) {
            self.because.push(because);
        }
    }

    fn wait(&mut self, at: Zone) {
        if !self.unsure_on.contains(&at) {
            self.unsure_on.push(at);
        }
    }

    /// The call as a person would read it: the announcement, then each step with its rule.
    pub fn explain(&self) -> Explained<'_> {
        Explained(self)
    }
}

/// The call in one line, as it would be said.
impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.verdict)?;
        let n = &self.numbers;
        if let Some(size) = n.counts_as {
            write!(f, ", a d{size}")?;
        }
        if let Some(cp) = n.cp {
            write!(f, ", {cp} CP")?;
        }
        if let Some(left) = n.to_go {
            write!(f, ", {left} to go")?;
        }
        if let (Some(turns), Some(left)) = (n.turns, n.left_over) {
            write!(f, ", paid in {turns} build turns with {left} left over")?;
        }
        if let Some(energy) = n.energy {
            write!(f, ", {energy} E")?;
        }
        if let Some(dice) = n.dice {
            write!(f, ", {dice} dice")?;
        }
        if let Some((remove, reroll)) = n.charge {
            write!(f, ", remove die {remove}, roll die {reroll} again")?;
        }
        if let Some(odds) = n.odds {
            write!(f, ", chance {}", odds.told())?;
        }
        if let Some(charges) = n.charges {
            write!(f, " in {charges} charges at most")?;
        }
        for (i, zone) in self.unsure_on.iter().enumerate() {
            f.write_str(if i == 0 { " — depends on " } else { ", " })?;
            zone.fmt(f)?;
        }
        Ok(())
    }
}

/// A call put into words; see [`Call::explain`].
pub struct Explained<'a>(&'a Call);

impl fmt::Display for Explained<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        for because in &self.0.because {
            write!(f, "\n  - {} [{}]", because.0, because.rule().section)?;
        }
        Ok(())
    }
}

impl Position {
    /// What may be announced: every die and check that is shown, and for the player whose turn it
    /// is, all that this part of the turn allows.
    pub fn calls(&self) -> Vec<Call> {
        let mut calls = Vec::new();
        for die in 0..self.table.dice.len() {
            calls.extend(self.call(What::Die { die }));
        }
        for check in 0..self.table.checks.len() {
            calls.extend(self.call(What::Check { check }));
        }
        let Some(own) = self.player(self.table.turn) else {
            return calls;
        };
        let player = own.id;
        match self.table.phase {
            Phase::Build => {
                let cards = (0..own.hand.len()).map(|card| What::Cycle { player, card });
                let sectors = 0..self.table.sectors.len();
                let sectors = sectors.map(|sector| What::Terraform { player, sector });
                let projects = (0..own.projects.len()).flat_map(|project| {
                    [
                        What::Invest { player, project },
                        What::Complete { player, project },
                    ]
                });
                let whats = cards.chain(sectors).chain(projects);
                calls.extend(whats.filter_map(|what| self.call(what)));
            }
            Phase::Engine => calls.extend(self.call(What::Roll { player })),
            Phase::Energy => {
                let whats = [What::Energy { player }, What::Charge { player }];
                calls.extend(whats.into_iter().filter_map(|what| self.call(what)));
                let keeps = (0..own.engine.len()).map(|die| What::Keep { player, die });
                calls.extend(keeps.filter_map(|what| self.call(what)));
            }
        }
        calls
    }

    /// The call on one thing; `None` where there is no such thing on the table.
    pub fn call(&self, what: What) -> Option<Call> {
        let mut ruling = Ruling::default();
        Some(match what {
            What::Die { die } => self.die_call(what, die)?,
            What::Check { check } => self.check_call(what, check)?,
            What::Cycle { player, card } => {
                let own = self.player(player)?;
                own.hand.get(card)?;
                self.cycle(own, card, &mut ruling);
                let mut call = Call::of(what, &ruling);
                call.numbers.cp = Some(self.print.build.cycle);
                call.why(Reason::DrawsNext {
                    resource: own.resource,
                });
                call
            }
            What::Terraform { player, sector } => {
                let own = self.player(player)?;
                self.table.sectors.get(sector)?;
                self.terraform(own, sector, &mut ruling);
                self.under_way(own, sector, &mut ruling);
                // It is begun at its price, so the price has to be known.
                let price = self.terraform_price(sector);
                match price {
                    Some(price) => {
                        let reason = Reason::TerraformPrice { price };
                        ruling.need(Some(true), reason, Zone::Sector(sector));
                    }
                    None => {
                        let at = Zone::Sector(sector);
                        ruling.need(None, Reason::Unknown { at }, at);
                    }
                }
                let mut call = Call::of(what, &ruling);
                if call.verdict != Verdict::Cannot {
                    call.numbers.cp = price;
                }
                call
            }
            What::Invest { player, project } => {
                let own = self.player(player)?;
                let claim = own.projects.get(project)?;
                self.invest(own, project, 1, &mut ruling);
                let mut call = Call::of(what, &ruling);
                call.numbers.to_go = Some(to_go(claim));
                if claim.purpose.is_artifice() {
                    artifice(own, to_go(claim), &mut call.numbers);
                }
                call
            }
            What::Complete { player, project } => {
                let own = self.player(player)?;
                own.projects.get(project)?;
                self.paid(own, project, &mut ruling);
                Call::of(what, &ruling)
            }
            What::Roll { player } => self.roll_call(what, self.player(player)?),
            What::Energy { player } => self.energy_call(what, self.player(player)?),
            What::Charge { player } => self.charge_call(what, self.player(player)?),
            What::Keep { player, die } => {
                self.player(player)?.engine.get(die)?;
                let keep = super::action::Action::Keep { player, die };
                Call::of(what, &self.ruling(&keep))
            }
        })
    }

    fn die_call(&self, what: What, die: usize) -> Option<Call> {
        let ruling = self.table.dice.get(die)?.judge(&self.print.dice);
        let mut call = Call::of(what, &Ruling::default());
        call.verdict = ruling.verdict;
        call.numbers.counts_as = ruling.counts_as;
        call.numbers.needs_permission = ruling.needs_permission;
        for reason in ruling.because {
            call.why(reason);
        }
        if call.verdict == Verdict::Unsure {
            call.wait(Zone::Die(die));
        }
        Some(call)
    }

    fn check_call(&self, what: What, index: usize) -> Option<Call> {
        let check = self.table.checks.get(index)?;
        let (number, size) = (u64::from(check.number), u64::from(check.size));
        let mut ruling = Ruling::default();
        let reason = Reason::CheckFor {
            number: check.number,
        };
        let target = u16::from(check.number);
        let holds = match check.rolled {
            Some(rolled) if rolled.max <= target => Some(true),
            Some(rolled) if rolled.min > target => Some(false),
            // Whatever comes up, it succeeds, or does not.
            None if number >= size => Some(true),
            None if number == 0 => Some(false),
            _ => None,
        };
        ruling.need(holds, reason, Zone::Check(index));
        let mut call = Call::of(what, &ruling);
        match check.rolled {
            Some(rolled) => call.why(Reason::Rolled { rolled }),
            None => {
                call.why(Reason::NotRolledYet);
                call.numbers.odds = Odds::new(number.min(size), size);
            }
        }
        Some(call)
    }

    fn roll_call(&self, what: What, own: &PlayerSetup) -> Call {
        let dice = u16::try_from(idle(own).count()).unwrap_or(u16::MAX);
        let stored = own.engine.iter().filter(|d| d.state == DieState::Stored);
        let held = stored.fold(Span::known(0), |sum, d| sum.plus(d.shows));
        let mut call = Call::of(what, &Ruling::default());
        call.verdict = Verdict::Must;
        call.numbers.dice = Some(dice);
        call.why(Reason::RollsIdle { dice });
        call.why(Reason::HeldEnergy { energy: held });
        if let Some(wanted) = own.wanted {
            call.why(Reason::Wanted { wanted });
            let sizes: Vec<u16> = idle(own).map(|d| u16::from(d.size)).collect();
            if let Some(held) = held.value() {
                let need = u32::from(wanted.saturating_sub(held));
                call.numbers.odds = at_least(&sizes, need);
                if call.numbers.odds.is_none() {
                    call.why(Reason::TooManyToCount { dice });
                }
            }
        }
        call
    }

    fn energy_call(&self, what: What, own: &PlayerSetup) -> Call {
        let (energy, spent) = (energy(own), own.spent);
        let mut ruling = Ruling::default();
        let holds = match own.wanted {
            None => Some(true),
            Some(wanted) => match energy.less(spent) {
                left if left.min >= wanted => Some(true),
                left if left.max < wanted => Some(false),
                _ => None,
            },
        };
        ruling.need(holds, Reason::Energy { energy, spent }, open_die(own));
        let mut call = Call::of(what, &ruling);
        if let Some(wanted) = own.wanted {
            call.why(Reason::Wanted { wanted });
        }
        call.numbers.energy = Some(energy.less(spent));
        // Those that are set aside are not rolled next turn; all others are.
        let kept = |d: &&super::setup::EngineDie| d.state != DieState::Kept;
        let next = own.engine.iter().filter(kept).count();
        call.numbers.dice = u16::try_from(next).ok();
        call
    }

    fn charge_call(&self, what: What, own: &PlayerSetup) -> Call {
        let mut ruling = Ruling::default();
        let spent = own.spent;
        let at = Zone::Player(own.id);
        ruling.need(Some(spent == 0), Reason::NothingSpent { spent }, at);
        let rolled: Vec<(usize, &super::setup::EngineDie)> = own
            .engine
            .iter()
            .enumerate()
            .filter(|(_, d)| d.state == DieState::Rolled)
            .collect();
        if rolled.len() < 2 {
            ruling.need(Some(false), Reason::NoDiceToCharge, at);
        }
        let mut call = Call::of(what, &ruling);
        let held = own.engine.iter().filter(|d| d.state == DieState::Held);
        let held = held.fold(Span::known(0), |sum, d| sum.plus(d.shows));
        let pool: Option<Vec<Shown>> = rolled
            .iter()
            .map(|(_, die)| {
                let size = u16::from(die.size);
                let shows = die.shows.value()?;
                Some(Shown { size, shows })
            })
            .collect();
        // Advice needs every number; whether one may charge does not.
        let (Some(wanted), Some(held), Some(pool)) = (own.wanted, held.value(), pool) else {
            return call;
        };
        if call.verdict != Verdict::May {
            return call;
        }
        let (held, need) = (u32::from(held), u32::from(wanted));
        call.why(Reason::Wanted { wanted });
        if as_it_lies(&pool, held, need) == Odds::CERTAIN {
            call.why(Reason::Reached);
            call.numbers.odds = Some(Odds::CERTAIN);
            return call;
        }
        let ahead = self.print.engine.charges_ahead;
        let look = |charges| best_charge(&pool, held, need, charges).map(|best| (best, charges));
        let Some((best, charges)) = look(ahead).or_else(|| look(1)) else {
            let dice = u16::try_from(pool.len()).unwrap_or(u16::MAX);
            call.why(Reason::TooManyToCount { dice });
            return call;
        };
        // Each charge takes one die away, and the last takes two that are there.
        let more = pool.len() > usize::from(charges) + 1 && best.odds != Odds::CERTAIN;
        if more {
            call.why(Reason::ChargesAhead { charges });
        }
        // Where none of these charges reaches it, none is better than another; and whether more of
        // them do was not looked at.
        if best.odds == Odds::NEVER {
            call.numbers.odds = (!more).then_some(Odds::NEVER);
            return call;
        }
        if let Some((remove, _)) = rolled.get(best.remove)
            && let Some((reroll, _)) = rolled.get(best.reroll)
        {
            let (remove, reroll) = (*remove, *reroll);
            call.why(Reason::BestCharge { remove, reroll });
            call.numbers.charge = Some((remove, reroll));
            call.numbers.odds = Some(best.odds);
            call.numbers.charges = more.then_some(charges);
        }
        call
    }
}

/// How many build phases an artifice takes with all of the Homeworld's CP, this one first.
fn artifice(own: &PlayerSetup, left: Span, numbers: &mut Numbers) {
    let (Some(mut left), Some(mut pool)) = (left.value(), own.artifice.value()) else {
        return;
    };
    let mut turns = 1u16;
    while left > pool {
        left -= pool;
        pool = own.homeworld;
        if pool == 0 {
            return;
        }
        turns = turns.saturating_add(1);
    }
    numbers.turns = Some(turns);
    numbers.left_over = Some(pool - left);
}

impl Purpose {
    /// The sector it is about, if it is about one.
    pub fn sector(self) -> Option<usize> {
        match self {
            Purpose::Terraform { sector } => Some(sector),
            _ => None,
        }
    }
}
