//! Actions turn one position into the next. What is illegal, or depends on what is not known, is
//! refused with its reason, and the position is handed back unchanged.

use super::action::{Action, Correction, Replacement, Source};
use super::noun::{CardKind, DieState, Phase, PlayerId};
use super::position::Position;
use super::reason::{Because, Reason};
use super::setup::{EngineDie, PlayerSetup, Project, Purpose, Setup};
use super::zone::Zone;
use crate::rules::{Fault as _, Place, Span, Verdict, played};

/// An action that was refused, with the position as it was.
pub type Refused = crate::rules::Refused<Position, Reason>;

/// What an action did: the table's parts before and after. Enough to undo it, to do it again, and
/// to show it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    edits: Vec<Edit>,
}

/// A part of the table before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Edit {
    /// A player and all that is theirs.
    Player {
        was: Box<PlayerSetup>,
        now: Box<PlayerSetup>,
    },
    /// A sector of Nearspace.
    Sector {
        index: usize,
        was: super::setup::Sector,
        now: super::setup::Sector,
    },
    /// Whose turn it is, and its part.
    Turn {
        was: (PlayerId, Phase),
        now: (PlayerId, Phase),
    },
}

impl Edit {
    fn inverse(&self) -> Edit {
        let mut edit = self.clone();
        match &mut edit {
            Edit::Player { was, now } => std::mem::swap(was, now),
            Edit::Sector { was, now, .. } => std::mem::swap(was, now),
            Edit::Turn { was, now } => std::mem::swap(was, now),
        }
        edit
    }
}

impl Change {
    fn between(was: &Setup, now: &Setup) -> Change {
        let mut edits = Vec::new();
        for (was, now) in was.players.iter().zip(&now.players) {
            if was != now {
                let (was, now) = (Box::new(was.clone()), Box::new(now.clone()));
                edits.push(Edit::Player { was, now });
            }
        }
        for (index, (was, now)) in was.sectors.iter().zip(&now.sectors).enumerate() {
            if was != now {
                let (was, now) = (was.clone(), now.clone());
                edits.push(Edit::Sector { index, was, now });
            }
        }
        let (was, now) = ((was.turn, was.phase), (now.turn, now.phase));
        if was != now {
            edits.push(Edit::Turn { was, now });
        }
        Change { edits }
    }

    /// What changed.
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// The change that takes this one back.
    #[must_use]
    pub fn inverse(&self) -> Change {
        Change {
            edits: self.edits.iter().rev().map(Edit::inverse).collect(),
        }
    }
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
        if let Some(reason) = self.ruling(action).refusal() {
            return Err(crate::rules::Because(reason));
        }
        let mut next = self.clone();
        apply(&mut next, action).map_err(crate::rules::Because)?;
        let change = Change::between(&self.table, &next.table);
        *self = next;
        Ok(change)
    }

    /// Whether an action would be accepted, refused, or cannot be told.
    pub fn verdict(&self, action: &Action) -> Verdict {
        self.ruling(action).verdict()
    }

    /// Does a change again, or takes one back: `position.replay(&change.inverse())`.
    ///
    /// # Errors
    ///
    /// The place that is not as the change found it; the position is then as before.
    pub fn replay(&mut self, change: &Change) -> Result<(), Zone> {
        let mut next = self.table.clone();
        for edit in &change.edits {
            match edit {
                Edit::Player { was, now } => {
                    let player = next.players.iter_mut().find(|p| *p == was.as_ref());
                    *player.ok_or(Zone::Player(was.id))? = now.as_ref().clone();
                }
                Edit::Sector { index, was, now } => {
                    let sector = next.sectors.get_mut(*index).filter(|s| *s == was);
                    *sector.ok_or(Zone::Sector(*index))? = now.clone();
                }
                Edit::Turn { was, now } => {
                    if (next.turn, next.phase) != *was {
                        return Err(Zone::Table);
                    }
                    (next.turn, next.phase) = *now;
                }
            }
        }
        self.table = next;
        Ok(())
    }
}

/// Carries out what was ruled to be allowed; what then still is not there is said, not guessed.
fn apply(position: &mut Position, action: &Action) -> Result<(), Reason> {
    let lost = position.print.build.unspent_is_lost;
    match action {
        Action::Income { player, cp } => {
            let player = own(position, *player)?;
            player.cp = player.cp.and(*cp);
        }
        Action::Cycle {
            player,
            card,
            drawn,
        } => {
            let price = position.print.build.cycle;
            let player = own(position, *player)?;
            player.cp = player.cp.less(price);
            draw(player, *card, *drawn);
        }
        Action::Begin {
            player,
            purpose,
            cost,
        } => own(position, *player)?.projects.push(Project {
            purpose: *purpose,
            cost: *cost,
            banked: Span::known(0),
        }),
        Action::Invest {
            player: id,
            project,
            points,
        } => {
            let player = own(position, *id)?;
            let at = Zone::Project(*id, *project);
            let project = player.projects.get_mut(*project);
            let project = project.ok_or(Reason::NotThere { at })?;
            project.banked = project.banked.and(*points);
            let artifice = project.purpose.is_artifice();
            pay(player, artifice, *points);
        }
        Action::Buy { player, cost, .. } => pay(own(position, *player)?, false, *cost),
        Action::Complete {
            player,
            project,
            with,
        } => complete(position, *player, *project, *with)?,
        Action::Presence {
            player,
            sector,
            present,
        } => {
            let at = Zone::Sector(*sector);
            let target = position.table.sectors.get_mut(*sector);
            let target = target.ok_or(Reason::NotThere { at })?;
            *target.presence_mut(*player) = Place::Known(*present);
            if !present {
                // A moment without presence is enough: the effort and its points are gone.
                let purpose = Purpose::Terraform { sector: *sector };
                let player = own(position, *player)?;
                player.projects.retain(|p| p.purpose != purpose);
            }
        }
        Action::EndBuild { player } => {
            let player = own(position, *player)?;
            if lost {
                player.cp = Span::known(0);
            }
            player.artifice = Span::known(0);
            position.table.phase = Phase::Engine;
        }
        Action::Roll { player, shows } => {
            let player = own(position, *player)?;
            let mut shows = shows.iter();
            for die in &mut player.engine {
                match die.state {
                    DieState::Idle => {
                        let n = shows.next().copied();
                        die.shows = n.map_or(Span::between(1, die.size.into()), Span::known);
                        die.state = DieState::Rolled;
                    }
                    DieState::Stored => die.state = DieState::Held,
                    _ => {}
                }
            }
            position.table.phase = Phase::Energy;
        }
        Action::Charge {
            player,
            remove,
            reroll,
            shows,
        } => {
            let gone = die(position, *player, *remove)?;
            gone.state = DieState::Removed;
            gone.shows = Span::known(0);
            die(position, *player, *reroll)?.shows = Span::known(*shows);
        }
        Action::Keep { player, die: index } => {
            die(position, *player, *index)?.state = DieState::Kept;
        }
        Action::Spend { player, energy } => {
            let player = own(position, *player)?;
            player.spent = player.spent.saturating_add(*energy);
        }
        Action::EndTurn { player } => {
            let ended = own(position, *player)?;
            ended.spent = 0;
            for die in &mut ended.engine {
                if die.state == DieState::Kept {
                    die.state = DieState::Stored;
                } else {
                    *die = EngineDie::idle(die.size);
                }
            }
            let next = match position.player(player.opponent()) {
                Some(next) => next.id,
                None => *player,
            };
            position.table.turn = next;
            position.table.phase = Phase::Build;
            let next = own(position, next)?;
            next.artifice = Span::known(next.homeworld);
        }
        Action::Correct(correction) => correct(position, correction)?,
    }
    Ok(())
}

fn own(position: &mut Position, player: PlayerId) -> Result<&mut PlayerSetup, Reason> {
    let found = position.player_mut(player);
    found.ok_or(Reason::NoSuchPlayer { player })
}

fn die(position: &mut Position, id: PlayerId, index: usize) -> Result<&mut EngineDie, Reason> {
    let at = Zone::Engine(id, index);
    let die = own(position, id)?.engine.get_mut(index);
    die.ok_or(Reason::NotThere { at })
}

fn pay(player: &mut PlayerSetup, artifice: bool, points: u16) {
    let pool = match artifice {
        true => &mut player.artifice,
        false => &mut player.cp,
    };
    *pool = pool.less(points);
}

/// A card leaves the hand, and what was drawn comes last into it.
fn draw(player: &mut PlayerSetup, card: usize, drawn: Option<CardKind>) {
    if card < player.hand.len() {
        player.hand.remove(card);
    }
    match drawn {
        Some(kind) => {
            player.hand.push(Place::Known(kind));
            player.resource = taken(player.resource);
        }
        None => player.resource = Span::known(0),
    }
}

/// A Resource of which a card was taken: it had one.
fn taken(resource: Span) -> Span {
    Span {
        min: resource.min.max(1),
        max: resource.max.max(1),
    }
    .less(1)
}

fn complete(
    position: &mut Position,
    id: PlayerId,
    index: usize,
    with: Option<Replacement>,
) -> Result<(), Reason> {
    let at = Zone::Project(id, index);
    let player = own(position, id)?;
    if index >= player.projects.len() {
        return Err(Reason::NotThere { at });
    }
    let project = player.projects.remove(index);
    match project.purpose {
        Purpose::Ship { size } => player.built.push(size),
        Purpose::EngineDie { size } => player.engine.push(EngineDie::idle(size)),
        Purpose::Terraform { sector } => {
            let with = with.ok_or(Reason::SayReplacement { needed: true })?;
            let at = Zone::Sector(sector);
            let target = position.table.sectors.get_mut(sector);
            let target = target.ok_or(Reason::NotThere { at })?;
            target.kind = Place::Known(with.becomes);
            target.owner = match with.source {
                Source::Nowhere => None,
                _ => Some(with.from),
            };
            let from = own(position, with.from)?;
            match with.source {
                Source::Hand { card, drawn } => draw(from, card, drawn),
                Source::Resource { passed, .. } => {
                    // Those that were passed are in it still, at the bottom.
                    let seen = passed.saturating_add(1);
                    from.resource = Span {
                        min: from.resource.min.max(seen),
                        max: from.resource.max.max(seen),
                    }
                    .less(1);
                }
                Source::Nowhere => {}
            }
        }
        _ => {}
    }
    Ok(())
}

fn find(table: &mut Setup, id: PlayerId) -> Result<&mut PlayerSetup, Reason> {
    let player = table.players.iter_mut().find(|p| p.id == id);
    player.ok_or(Reason::NoSuchPlayer { player: id })
}

/// A person's word is taken as it is, as long as it can be put on a table at all.
fn correct(position: &mut Position, correction: &Correction) -> Result<(), Reason> {
    let mut table = position.to_setup();
    let missing = |at| Reason::NotThere { at };
    match correction {
        Correction::Cp { player, count } => find(&mut table, *player)?.cp = *count,
        Correction::Artifice { player, count } => find(&mut table, *player)?.artifice = *count,
        Correction::Resource { player, count } => find(&mut table, *player)?.resource = *count,
        Correction::Card { player, card, kind } => {
            let place = find(&mut table, *player)?.hand.get_mut(*card);
            *place.ok_or(missing(Zone::Card(*player, *card)))? = kind.clone();
        }
        Correction::Banked {
            player,
            project,
            points,
        } => {
            let place = find(&mut table, *player)?.projects.get_mut(*project);
            place
                .ok_or(missing(Zone::Project(*player, *project)))?
                .banked = *points;
        }
        Correction::Engine { player, die, shows } => {
            let place = find(&mut table, *player)?.engine.get_mut(*die);
            place.ok_or(missing(Zone::Engine(*player, *die)))?.shows = *shows;
        }
        Correction::Sector { sector, kind } => {
            let place = table.sectors.get_mut(*sector);
            place.ok_or(missing(Zone::Sector(*sector)))?.kind = kind.clone();
        }
        Correction::Presence {
            player,
            sector,
            present,
        } => {
            let place = table.sectors.get_mut(*sector);
            let place = place.ok_or(missing(Zone::Sector(*sector)))?;
            *place.presence_mut(*player) = present.clone();
        }
        Correction::Turn { player, phase } => {
            (table.turn, table.phase) = (*player, *phase);
        }
    }
    let (_, before) = position.to_setup().resolve(&position.print);
    let (next, problems) = table.resolve(&position.print);
    let new = |p: &&super::fault::Problem| !p.fault.is_soft() && !before.contains(p);
    if let Some(problem) = problems.iter().find(new) {
        return Err(Reason::CannotBe {
            at: problem.at,
            code: problem.fault.code(),
        });
    }
    position.table = next.table;
    Ok(())
}
