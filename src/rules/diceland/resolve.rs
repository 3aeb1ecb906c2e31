//! From a table as claimed to a position, and what was wrong or unknown on the way.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::fault::{Fault, Problem, Zone};
use super::flow::{MAX_WAITING, Ruling, Stage};
use super::geometry::{PoseError, TopFace, Vec2};
use super::kind::{KindFault, Mould};
use super::mm::{Mm, settle};
use super::name::DieId;
use super::outline::convex_parts;
use super::player::Player;
use super::position::{Die, Lies, Position, Stand, Thing};
use super::print::{MAX_KINDS, Print};
use super::roll::{HAIR_MM, inside, overlap_of_solids};
use super::setup::{
    DieSetup, MAX_DICE, MAX_THINGS, Setup, Where, is_outline, is_sane_error, is_sane_mm,
    is_sane_turn,
};
use crate::rules::Place;

/// Rulings that are kept.
pub(crate) const MAX_RULINGS: usize = 256;

/// Readings of one thing that are looked at; a list that is longer says nothing.
const MOST_READ: usize = 24;

/// One of these, each once; nothing is unknown, and one is known.
fn one_of<T: PartialEq>(values: Vec<T>) -> Place<T> {
    let mut once: Vec<T> = Vec::new();
    for value in values {
        if !once.contains(&value) {
            once.push(value);
        }
    }
    match once.len() {
        0 => Place::Unknown,
        1 => once.pop().map_or(Place::Unknown, Place::Known),
        _ => Place::OneOf(once),
    }
}

impl Setup {
    /// The position that follows, and what was wrong or unknown. It never fails as a whole: what
    /// is off the table goes to its owner's hand, what cannot be becomes unknown.
    pub fn resolve(&self, print: &Print) -> (Position, Vec<Problem>) {
        let mut problems = Vec::new();
        let moulds = Arc::new(moulds(print, &mut problems));
        let mut position = Position {
            print: Arc::new(print.clone()),
            moulds,
            edge: Vec::new(),
            things: Vec::new(),
            table_error_mm: self
                .table
                .error_mm
                .filter(|e| is_sane_error(*e))
                .map(settle),
            score: self.score,
            dice: Vec::new(),
            flow: self.flow.clone(),
            rulings: Vec::new(),
        };
        self.lay_table(&mut position, &mut problems);
        let mut names = BTreeSet::new();
        for die in &self.dice {
            let fault = if names.len() >= MAX_DICE {
                Fault::TooManyDice
            } else if !names.insert(die.id) {
                Fault::DieTwice
            } else {
                let die = position.place(die, &mut problems);
                position.dice.push(die);
                continue;
            };
            problems.push(Problem {
                at: Zone::Die(die.id),
                fault,
            });
            if names.len() >= MAX_DICE {
                break;
            }
        }
        position.overlaps(&mut problems);
        position.settle_flow(&mut problems);
        position.settle_rulings(&self.rulings, &mut problems);
        position.judge_armies(&mut problems);
        (position, problems)
    }

    fn lay_table(&self, position: &mut Position, problems: &mut Vec<Problem>) {
        let corners = |all: &[[f64; 2]]| -> Vec<Vec2> {
            all.iter().map(|p| Vec2::from(p.map(settle))).collect()
        };
        let mut bad = || {
            problems.push(Problem {
                at: Zone::Table,
                fault: Fault::NoOutline,
            });
        };
        if is_outline(&self.table.edge_mm) {
            position.edge = corners(&self.table.edge_mm);
        } else if !self.table.edge_mm.is_empty() {
            bad();
        }
        for thing in self.table.things.iter().take(MAX_THINGS) {
            if is_outline(&thing.outline_mm) {
                let outline = corners(&thing.outline_mm);
                position.things.push(Thing {
                    name: thing.name.chars().take(60).collect(),
                    parts: convex_parts(&outline),
                    outline,
                });
            } else {
                bad();
            }
        }
    }
}

fn moulds(print: &Print, problems: &mut Vec<Problem>) -> Vec<Mould> {
    let mut moulds: Vec<Mould> = Vec::new();
    for kind in print.dice.iter().take(MAX_KINDS) {
        let mut tell = |fault| {
            problems.push(Problem {
                at: Zone::Kind(kind.id),
                fault: Fault::Kind(fault),
            });
        };
        if moulds.iter().any(|m| m.kind().id == kind.id) {
            tell(KindFault::KindTwice);
            continue;
        }
        match Mould::of(kind) {
            Ok((mould, soft)) => {
                moulds.push(mould);
                soft.into_iter().for_each(tell);
            }
            Err(faults) => faults.into_iter().for_each(tell),
        }
    }
    moulds
}

impl Position {
    /// A claimed die, as far as it can be believed.
    pub(crate) fn place(&self, claim: &DieSetup, problems: &mut Vec<Problem>) -> Die {
        let mut tell = |fault| {
            problems.push(Problem {
                at: Zone::Die(claim.id),
                fault,
            });
        };
        let mut kinds = Vec::new();
        let claimed = claim.kind.candidates().unwrap_or_default();
        for kind in claimed.iter().take(MOST_READ) {
            match self.mould(*kind) {
                Some(_) => kinds.push(*kind),
                None => tell(Fault::NoSuchKind { kind: *kind }),
            }
        }
        let kind = one_of(kinds);
        if !kind.is_known() {
            tell(Fault::KindUnsure);
        }
        let owners = claim.owner.candidates().unwrap_or_default().iter().copied();
        let owner = one_of(owners.take(MOST_READ).collect());
        let owner = match owner {
            // One of both is no more than not known.
            Place::OneOf(_) => Place::Unknown,
            owner => owner,
        };
        if !owner.is_known() {
            tell(Fault::OwnerUnsure);
        }
        let mut wheres = claim.at.candidates().unwrap_or_default().to_vec();
        wheres.dedup();
        let most = self.print.numbers.most_turns();
        let turns_left = claim.turns_left.map_or(most, |turns| turns.min(most));
        let mut lies = match wheres.as_slice() {
            [Where::Play] => Lies::Play(self.stand(claim)),
            [Where::Hand] => Lies::Hand,
            [Where::Reserve] => Lies::Reserve { turns_left },
            [] => Lies::Somewhere,
            some if some.contains(&Where::Play) => Lies::Somewhere,
            _ => Lies::Away,
        };
        if let Lies::Play(stand) = &lies {
            let body = stand.as_ref().and_then(|s| s.body(&self.print));
            let over = body.as_ref().and_then(|body| self.over_edge(body));
            if body.is_none() && claim.flat {
                tell(Fault::PlaceUnsure);
            }
            if !claim.flat {
                tell(Fault::NotFlat);
            }
            if let Some((fault, _)) = over {
                tell(fault);
            }
            if !claim.flat || over.is_some_and(|(_, off)| off) {
                lies = Lies::Hand;
            }
        }
        if matches!(lies, Lies::Away | Lies::Somewhere) {
            tell(Fault::NotSeen);
        }
        let mut face = Place::Unknown;
        if matches!(lies, Lies::Play(_)) {
            let has = |id| {
                kind.candidates().is_none_or(|kinds| {
                    kinds
                        .iter()
                        .any(|k| self.mould(*k).is_some_and(|m| m.index(id).is_some()))
                })
            };
            let mut faces = Vec::new();
            let claimed = claim.face.candidates().unwrap_or_default();
            for id in claimed.iter().take(MOST_READ) {
                if has(*id) {
                    faces.push(*id);
                } else {
                    tell(Fault::NoSuchFace { face: *id });
                }
            }
            face = one_of(faces);
            if !face.is_known() {
                tell(Fault::FaceUnsure);
            }
        }
        Die {
            id: claim.id,
            owner,
            kind,
            face,
            lies,
        }
    }

    fn stand(&self, claim: &DieSetup) -> Option<Stand> {
        let at_mm = claim.at_mm.filter(is_sane_mm)?;
        let turns = claim.heading_deg.candidates().unwrap_or_default();
        let turns = if turns.len() > MOST_READ { &[] } else { turns };
        let turns = turns.iter().filter(|deg| is_sane_turn(**deg));
        // A full turn is none, also where rounding makes one.
        let turns = turns.map(|deg| settle(settle(deg.rem_euclid(360.0)) % 360.0));
        let error = claim.error.filter(PoseError::is_sane);
        let default = PoseError::CornerMm(self.print.options.error_mm);
        Some(Stand {
            at_mm: at_mm.map(settle),
            heading_deg: one_of(turns.collect()),
            error: error.unwrap_or(default).settled(),
        })
    }

    /// Whether a die hangs over the edge, and whether that is sure.
    pub(crate) fn over_edge(&self, body: &TopFace) -> Option<(Fault, bool)> {
        if self.edge.is_empty() {
            return None;
        }
        let room = inside(body, &self.edge, self.table_error_mm());
        let by = Mm::new(room.mm.abs());
        let error = room.error();
        match room.is_free() {
            Some(true) => None,
            Some(false) => Some((Fault::OverEdge { by, error }, true)),
            None => Some((Fault::PerhapsOverEdge { by, error }, false)),
        }
    }

    /// Dice that lie in each other, and how deep: one of the two is misread.
    pub(crate) fn overlapping(&self) -> Vec<(DieId, DieId, Mm)> {
        let bodies: Vec<(DieId, TopFace)> = self
            .dice
            .iter()
            .filter_map(|d| Some((d.id, d.stand()?.body(&self.print)?)))
            .collect();
        let mut found = Vec::new();
        for (i, (id, body)) in bodies.iter().enumerate() {
            for (other, there) in bodies.iter().take(i) {
                let by = overlap_of_solids(body, there, self.print.height_mm());
                if by > body.error_mm() + there.error_mm() + HAIR_MM {
                    found.push((*id, *other, Mm::new(by)));
                }
            }
        }
        found
    }

    /// Where each of two dice that lie in each other stands is not known: nobody can tell which
    /// of them was misread.
    fn overlaps(&mut self, problems: &mut Vec<Problem>) {
        let found = self.overlapping();
        for (id, with, by) in &found {
            for (id, with) in [(*id, *with), (*with, *id)] {
                problems.push(Problem {
                    at: Zone::Die(id),
                    fault: Fault::Overlaps { with, by: *by },
                });
            }
        }
        let misread = |id: DieId| found.iter().any(|(a, b, _)| id == *a || id == *b);
        for die in self.dice.iter_mut().filter(|d| misread(d.id)) {
            die.lies = Lies::Play(None);
        }
    }

    fn settle_flow(&mut self, problems: &mut Vec<Problem>) {
        if let Some(winner) = self.winner() {
            self.flow.stage = Stage::Over(winner);
        }
        let acting = matches!(self.flow.stage, Stage::Turn(_));
        let in_play = |id: DieId| self.die(id).is_some_and(Die::is_in_play);
        let mut kept = Vec::new();
        for waiting in self.flow.waiting.iter().take(MAX_WAITING) {
            if acting && in_play(waiting.die()) {
                kept.push(*waiting);
            } else {
                problems.push(Problem {
                    at: Zone::Flow,
                    fault: Fault::WaitsForNobody { die: waiting.die() },
                });
            }
        }
        self.flow.waiting = kept;
        let in_hand = |id: &DieId| self.die(*id).is_some_and(|d| d.lies == Lies::Hand);
        self.flow.off = self.flow.off.filter(|id| acting && in_hand(id));
    }

    fn settle_rulings(&mut self, rulings: &[Ruling], problems: &mut Vec<Problem>) {
        let in_play: BTreeSet<DieId> = self
            .dice
            .iter()
            .filter(|d| d.is_in_play())
            .map(|d| d.id)
            .collect();
        for ruling in rulings.iter().take(MAX_RULINGS) {
            let named: &[DieId] = match ruling {
                Ruling::Sees { die, target, .. } => &[*die, *target],
                Ruling::Nearer { to, near, far } => &[*to, *near, *far],
                Ruling::Room { die, .. } => &[*die],
            };
            if named.iter().all(|id| in_play.contains(id)) {
                self.rulings.push(*ruling);
            } else {
                problems.push(Problem {
                    at: Zone::Flow,
                    fault: Fault::RulesOnNobody,
                });
            }
        }
    }

    fn judge_armies(&self, problems: &mut Vec<Problem>) {
        for player in Player::BOTH {
            let army = self.army(player);
            let mut tell = |fault| {
                problems.push(Problem {
                    at: Zone::Army(player),
                    fault,
                });
            };
            for kind in &army.twice {
                tell(Fault::NotUnique { kind: *kind });
            }
            if let Some(most) = army.most
                && army.points.min > most
            {
                let points = army.points;
                tell(Fault::ArmyTooLarge { points, most });
            }
        }
    }
}
