//! What the rules reason over, and how it comes from what was claimed.

use std::sync::Arc;

use super::die::MAX_FACETS;
use super::fault::{Fault, Problem};
use super::noun::{CardKind, DieState, Phase, PlayerId, SectorKind};
use super::print::{MAX_POINTS, Print};
use super::setup::{Check, EngineDie, MAX_LIST, PlayerSetup, Project, Purpose, Sector, Setup};
use super::zone::Zone;
use crate::rules::{Place, Span};

/// A state in which everything is as it may be, and what is not known is marked so. Made by
/// [`Setup::resolve`] only. Its data have the shape of a [`Setup`], each in its one normal form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub(crate) print: Arc<Print>,
    pub(crate) table: Setup,
}

impl Position {
    /// The copy and its options.
    pub fn print(&self) -> &Print {
        &self.print
    }

    /// The table.
    pub fn table(&self) -> &Setup {
        &self.table
    }

    /// The same state as claims: `position.to_setup().resolve(position.print())` is the position
    /// again.
    pub fn to_setup(&self) -> Setup {
        self.table.clone()
    }

    /// A player.
    pub fn player(&self, id: PlayerId) -> Option<&PlayerSetup> {
        self.table.players.iter().find(|p| p.id == id)
    }

    pub(crate) fn player_mut(&mut self, id: PlayerId) -> Option<&mut PlayerSetup> {
        self.table.players.iter_mut().find(|p| p.id == id)
    }

    /// The energy of a player's engine dice this turn, spent or not.
    pub fn energy(&self, id: PlayerId) -> Span {
        self.player(id).map_or(Span::known(0), energy)
    }
}

/// The energy of the dice that give some.
pub(crate) fn energy(player: &PlayerSetup) -> Span {
    let giving = player.engine.iter().filter(|d| d.state.gives_energy());
    giving.fold(Span::known(0), |sum, die| sum.plus(die.shows))
}

fn normal<T: Ord + Copy>(place: &Place<T>, all: &[T]) -> Place<T> {
    let Some(values) = place.candidates() else {
        return Place::Unknown;
    };
    let mut values = values.to_vec();
    values.sort_unstable();
    values.dedup();
    match values.as_slice() {
        [] => Place::Unknown,
        [one] => Place::Known(*one),
        _ if values == all => Place::Unknown,
        _ => Place::OneOf(values),
    }
}

struct Reader {
    problems: Vec<Problem>,
}

impl Reader {
    fn say(&mut self, at: Zone, fault: Fault) {
        self.problems.push(Problem { at, fault });
    }

    /// No more than a table holds.
    fn cut<T: Clone>(&mut self, list: &[T], at: Zone) -> Vec<T> {
        if list.len() > MAX_LIST {
            self.say(at, Fault::TooMany);
        }
        list.iter().take(MAX_LIST).cloned().collect()
    }

    fn count(&mut self, n: u16, at: Zone) -> u16 {
        if n > MAX_POINTS {
            self.say(at, Fault::TooMuch);
        }
        n.min(MAX_POINTS)
    }

    fn span(&mut self, span: Span, at: Zone) -> Span {
        if span.max > MAX_POINTS {
            self.say(at, Fault::TooMuch);
        }
        Span {
            min: span.min.min(MAX_POINTS),
            max: span.max.min(MAX_POINTS),
        }
    }
}

impl Setup {
    /// The position that is claimed, and what was wrong or unknown on the way. Never fails: what
    /// cannot be is left out, and what cannot be decided is unknown.
    pub fn resolve(&self, print: &Print) -> (Position, Vec<Problem>) {
        let mut reader = Reader {
            problems: Vec::new(),
        };
        let mut table = Setup {
            turn: self.turn,
            phase: self.phase,
            dice: reader.cut(&self.dice, Zone::Table),
            ..Setup::default()
        };
        for (i, die) in table.dice.iter_mut().enumerate() {
            if die.faces.len() > usize::from(MAX_FACETS) {
                reader.say(Zone::Die(i), Fault::TooMany);
                die.faces.truncate(usize::from(MAX_FACETS));
            }
            let all: Vec<u8> = (0..=u8::MAX).collect();
            for face in &mut die.faces {
                *face = normal(face, &all);
            }
        }
        for (i, sector) in reader.cut(&self.sectors, Zone::Table).iter().enumerate() {
            let kind = normal(&sector.kind, SectorKind::ALL);
            if !kind.is_known() {
                reader.say(Zone::Sector(i), Fault::Unsure);
            }
            table.sectors.push(Sector {
                kind,
                owner: sector.owner,
                a: normal(&sector.a, &[false, true]),
                b: normal(&sector.b, &[false, true]),
            });
        }
        for (i, check) in reader.cut(&self.checks, Zone::Table).iter().enumerate() {
            let size = check.size.clamp(1, MAX_FACETS);
            let rolled = check
                .rolled
                .map(|rolled| face(rolled, size, Zone::Check(i), &mut reader));
            table.checks.push(Check {
                size,
                number: check.number,
                rolled,
            });
        }
        let mut players: Vec<&PlayerSetup> = Vec::new();
        for player in &self.players {
            if players.iter().any(|p| p.id == player.id) {
                reader.say(Zone::Player(player.id), Fault::PlayerTwice);
            } else {
                players.push(player);
            }
        }
        players.sort_by_key(|p| p.id);
        if let Some(first) = players.first()
            && !players.iter().any(|p| p.id == self.turn)
        {
            reader.say(Zone::Table, Fault::NoTurn { player: self.turn });
            table.turn = first.id;
        }
        for player in players {
            let player = read_player(player, &table, &mut reader);
            table.players.push(player);
        }
        let position = Position {
            print: Arc::new(print.clone()),
            table,
        };
        (position, reader.problems)
    }
}

/// A number that a die of this size shows, or may show.
fn face(shows: Span, size: u8, at: Zone, reader: &mut Reader) -> Span {
    let size_n = u16::from(size);
    if shows.max < 1 || shows.min > size_n {
        reader.say(at, Fault::NoSuchFace { size });
        return Span::between(1, size_n);
    }
    Span {
        min: shows.min.max(1),
        max: shows.max.min(size_n),
    }
}

fn read_player(claim: &PlayerSetup, table: &Setup, reader: &mut Reader) -> PlayerSetup {
    let id = claim.id;
    let mut player = PlayerSetup::new(id);
    player.homeworld = reader.count(claim.homeworld, Zone::Player(id));
    player.cp = reader.span(claim.cp, Zone::Cp(id));
    player.artifice = reader.span(claim.artifice, Zone::Artifice(id));
    player.resource = reader.span(claim.resource, Zone::Player(id));
    player.wanted = claim.wanted;
    for (i, card) in reader.cut(&claim.hand, Zone::Player(id)).iter().enumerate() {
        let card = normal(card, CardKind::ALL);
        if !card.is_known() {
            reader.say(Zone::Card(id, i), Fault::Unsure);
        }
        player.hand.push(card);
    }
    for size in reader.cut(&claim.built, Zone::Player(id)) {
        player.built.push(size.clamp(1, MAX_FACETS));
    }
    for project in reader.cut(&claim.projects, Zone::Player(id)) {
        if let Some(project) = read_project(project, id, player.projects.len(), table, reader) {
            player.projects.push(project);
        }
    }
    let own_energy = table.phase == Phase::Energy && table.turn == id;
    for (i, die) in reader
        .cut(&claim.engine, Zone::Player(id))
        .iter()
        .enumerate()
    {
        let at = Zone::Engine(id, i);
        let size = die.size.clamp(1, MAX_FACETS);
        use DieState::*;
        let state = match (own_energy, die.state) {
            (true, Idle) => Rolled,
            (true, Stored) => Held,
            (false, Rolled | Held | Removed) => Idle,
            (false, Kept) => Stored,
            (_, state) => state,
        };
        if state != die.state {
            let phase = table.phase;
            reader.say(at, Fault::WrongPhase { phase });
        }
        let shows = match state.shows() {
            // An idle die that should have been rolled shows nobody knows what.
            true if die.state.shows() => face(die.shows, size, at, reader),
            true => Span::between(1, u16::from(size)),
            false => Span::known(0),
        };
        if shows.value().is_none() {
            reader.say(at, Fault::Unsure);
        }
        player.engine.push(EngineDie { size, state, shows });
    }
    if own_energy {
        let energy = energy(&player);
        player.spent = claim.spent.min(energy.max);
        if player.spent < claim.spent {
            reader.say(Zone::Player(id), Fault::Overspent { energy });
        }
    }
    player
}

fn read_project(
    claim: Project,
    id: PlayerId,
    index: usize,
    table: &Setup,
    reader: &mut Reader,
) -> Option<Project> {
    let at = Zone::Project(id, index);
    let purpose = claim.purpose;
    if !purpose.can_be_banked() {
        reader.say(at, Fault::NeverBanked { purpose });
        return None;
    }
    let mut project = Project {
        cost: reader.count(claim.cost, at),
        ..claim
    };
    match purpose {
        Purpose::Ship { size } | Purpose::EngineDie { size }
            if !(1..=MAX_FACETS).contains(&size) =>
        {
            reader.say(at, Fault::NoSuchProject);
            return None;
        }
        Purpose::Terraform { sector } => {
            let Some(sector) = table.sectors.get(sector) else {
                reader.say(at, Fault::NoSuchProject);
                return None;
            };
            let lost = sector.presence(id).known() == Some(&false);
            let home = sector.kind == Place::Known(SectorKind::Homeworld);
            if (lost || home) && project.banked != Span::known(0) {
                reader.say(
                    at,
                    match home {
                        true => Fault::HomeworldTerraformed,
                        false => Fault::PresenceLost,
                    },
                );
                project.banked = Span::known(0);
            }
        }
        _ => {}
    }
    if project.cost == 0 {
        reader.say(at, Fault::NoSuchProject);
        return None;
    }
    if project.banked.min > project.cost {
        let (banked, cost) = (project.banked, project.cost);
        reader.say(at, Fault::OverBanked { banked, cost });
    }
    project.banked = Span {
        min: project.banked.min.min(project.cost),
        max: project.banked.max.min(project.cost),
    };
    Some(project)
}
