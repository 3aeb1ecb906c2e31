//! A game of Dice Duel as it is played: tables and declarations in, what happened and what the referee holds
//! against it out. The verdicts are the rules' own.

mod agree;
mod aspect;
mod balance;
mod clean_up;
mod declare;
mod facts;
mod happening;
mod moves;
mod play;
mod state;
mod stop;
mod troubles;
mod word;

pub use declare::Declaration;
pub use happening::{Foul, Happened, Happening};
pub use state::{ByHand, Choice, GameState, PlaceState, ShipState, Wrong};

use std::{collections::BTreeMap, time::Duration};

use agree::{Agreement, Memory};
use balance::Balance;
use clean_up::CleanUp;
use facts::Lying;
use moves::Moves;
use stop::Frozen;
use troubles::Troubles;
pub(super) use troubles::{BEGINS, ENDS, is_doubt};
use word::Words;

use crate::{
    rules::dice_duel::{Action, Position, Print, Problem, Setup, ShipId, ShipSetup},
    session::{Evidence, SpokenCall, scene::Scene},
};

/// A game that is watched.
#[derive(Debug, Clone)]
pub struct Duel {
    print: Print,
    /// The game as it was played so far; none before the first table that was still.
    record: Option<Position>,
    /// The last table.
    scene: Scene,
    seen: Option<Position>,
    problems: Vec<Problem>,
    memory: Memory,
    lying: Lying,
    balance: Balance,
    troubles: Troubles,
    agreement: Agreement,
    moves: Moves,
    words: Words,
    clean_up: CleanUp,
    frozen: Option<Frozen>,
    /// Ways in which a launch that was judged may have been made.
    ways: Vec<Action>,
    /// Since when the play is stopped, and the dice that were rolled since and are counted.
    stopped_at: Duration,
    counted: Vec<(u64, Duration)>,
    /// What nothing explained, and when that was last tried.
    tried: BTreeMap<String, Duration>,
    undo: Vec<declare::Before>,
    /// The ships whose displays the copy has.
    ships: Vec<ShipId>,
    wrong: Vec<(state::Cause, Wrong)>,
    judged: Option<(Duration, SpokenCall)>,
    refused: Option<String>,
    /// When the play last went on.
    resumed_at: Option<Duration>,
    /// No later table comes.
    over: bool,
}

impl Duel {
    pub fn new(print: Print) -> Self {
        Self {
            print,
            ships: Vec::new(),
            wrong: Vec::new(),
            judged: None,
            refused: None,
            resumed_at: None,
            over: false,
            record: None,
            scene: Scene::default(),
            seen: None,
            problems: Vec::new(),
            memory: Memory::default(),
            lying: Lying::default(),
            balance: Balance::default(),
            troubles: Troubles::default(),
            agreement: Agreement::default(),
            moves: Moves::default(),
            words: Words::default(),
            clean_up: CleanUp::default(),
            frozen: None,
            ways: Vec::new(),
            stopped_at: Duration::ZERO,
            counted: Vec::new(),
            tried: BTreeMap::new(),
            undo: Vec::new(),
        }
    }

    /// Ships that play though nothing of theirs was seen yet.
    #[must_use]
    pub fn with_ships(mut self, ships: Vec<ShipId>) -> Self {
        self.ships = ships;
        self
    }

    /// Begins with a game that is known: where ships stand, and what lies on the map.
    pub fn begin(&mut self, setup: &Setup) {
        self.record = Some(setup.resolve(&self.print).0);
    }

    /// Whether anybody has put right what lies somewhere.
    pub fn is_corrected(&self) -> bool {
        !self.words.is_empty()
    }

    /// Dice that should have left where they lie: they call nothing any more.
    pub fn leaving(&self) -> impl Iterator<Item = u64> + '_ {
        self.clean_up.dice()
    }

    /// The game as it was played so far.
    pub fn record(&self) -> Option<&Position> {
        self.record.as_ref()
    }

    /// What the rules reason over: the last table, and the record where nobody looks.
    pub fn position(&self) -> Option<&Position> {
        self.seen.as_ref()
    }

    /// What is wrong with the last table.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The pictures cannot be trusted to be of the same table: what lay where is forgotten, the game is not.
    pub fn look_away(&mut self) {
        self.memory.clear();
        self.lying.clear();
        self.balance = Balance::default();
        self.troubles = Troubles::default();
        self.words.clear();
        self.agreement.clear();
        self.wrong.clear();
    }

    /// Takes the next table.
    pub fn see(&mut self, scene: &Scene) -> Vec<Happening> {
        let out = self.take(scene);
        self.note(&out);
        out
    }

    fn take(&mut self, scene: &Scene) -> Vec<Happening> {
        let mut out = self.words.follow(scene);
        let (one_too_many, said) = self.troubles.one_too_many(scene, &self.print);
        out.extend(said);
        let mut without: Vec<u64> = self.clean_up.dice().collect();
        without.extend(one_too_many);
        let mut setup = aspect::told(scene, self.record.as_ref(), &without);
        for ship in &self.ships {
            if setup.ships.iter().all(|s| s.id != *ship) {
                setup.ships.push(ShipSetup::new(*ship));
            }
        }
        let (mut seen, mut problems) = setup.resolve(&self.print);
        self.words.apply(&mut seen, &mut problems);
        self.memory.push(scene, &seen);
        out.extend(self.troubles.follow(scene, &problems, &self.print));
        out.extend(self.energy(scene));
        out.extend(self.clean_up.follow(scene));
        if self.record.is_none() && scene.is_settled() {
            self.record = Some(seen.clone());
        }
        out.extend(self.agree(scene, &seen));
        out.extend(self.judge_frozen(scene));
        out.extend(self.play_on(scene));
        self.moves.note(scene, &seen, &mut out);
        self.scene = scene.clone();
        self.seen = Some(seen);
        self.problems = problems;
        out
    }

    /// What dice that came and went say of the energy.
    fn energy(&mut self, scene: &Scene) -> Vec<Happening> {
        let mut out = Vec::new();
        for fact in self.lying.follow(scene) {
            let what = match (fact.given(), fact.returned()) {
                (Some((ship, station)), _) => Some(Happened::EnergyGiven { ship, station }),
                (_, Some((ship, station))) => Some(Happened::EnergyReturned { ship, station }),
                _ => None,
            };
            let happening = |w| Happening::new(fact.at, w, fact.evidence).about(vec![fact.die]);
            out.extend(what.map(happening));
            if fact.placed().is_some() && self.is_stopped() {
                self.play_goes_on(scene.at, &mut out);
            }
            self.balance.take(&fact, scene.shows_hands());
        }
        out.extend(self.balance.settle(scene));
        out
    }

    pub(super) fn is_stopped(&self) -> bool {
        let stopped = |r: &Position| r.flow().stop.is_some();
        self.record.as_ref().is_some_and(stopped)
    }

    /// Table against record.
    fn agree(&mut self, scene: &Scene, seen: &Position) -> Vec<Happening> {
        let mut out = Vec::new();
        let Some(mut record) = self.record.take() else {
            return out;
        };
        let mut open = self.agreement.open(scene, seen, &record);
        if !open.is_empty() {
            let words: Vec<String> = open.iter().map(|o| format!("{o:?}")).collect();
            let key = words.join(" ");
            let again = Duration::from_millis(250);
            let tried = self.tried.get(&key);
            if tried.is_none_or(|at| scene.at >= *at + again) {
                self.tried.insert(key, scene.at);
                if self.account(scene, seen, &mut record, &open, &mut out) {
                    open = self.agreement.open(scene, seen, &record);
                }
            }
        } else {
            self.tried.clear();
        }
        let flow_busy = self.frozen.is_some() || record.flow().warp.is_some();
        out.extend(
            self.moves
                .fouls(scene, &self.memory, &record, &open, flow_busy),
        );
        let (said, from_table) = self.agreement.follow(scene, &record, open.clone());
        out.extend(said);
        if from_table {
            agree::adopt(&mut record, seen, &open);
            self.agreement.close();
            let what = Happened::Agreed { by_table: true };
            out.push(Happening::new(
                scene.at,
                what,
                Evidence::of(scene.frame, []),
            ));
        }
        if record.flow().stop.is_none() && scene.is_settled() {
            // while the play runs, what lies on the displays is what counts
            let mut next = seen.clone();
            let all = aspect::Aspect::all(&record).into_iter();
            let known: Vec<_> = all.filter_map(|a| Some((a, a.value(&record)?))).collect();
            agree::adopt(&mut next, &record, &known);
            record = next;
        }
        self.record = Some(record);
        out
    }

    /// Looks for what explains that the table has changed; whether it was found.
    fn account(
        &mut self,
        scene: &Scene,
        seen: &Position,
        record: &mut Position,
        open: &[(aspect::Aspect, String)],
        out: &mut Vec<Happening>,
    ) -> bool {
        let now = scene.at;
        let crystal = |out: &mut Vec<Happening>, record: &Position| {
            let zone = |more| {
                let moved = open.iter().find(|(a, _)| {
                    let n = |p: &Position| a.value(p);
                    matches!(a, aspect::Aspect::MapCrystals)
                        || n(seen)
                            .and_then(|s| s.parse::<u16>().ok())
                            .zip(n(record).and_then(|s| s.parse::<u16>().ok()))
                            .is_some_and(|(s, r)| (s > r) == more && s != r)
                });
                moved.and_then(|(a, _)| agree::crystal_zone(*a, record, seen, more))
            };
            let what = Happened::CrystalMoved {
                from: zone(false),
                to: zone(true),
            };
            let tokens = scene.tokens.iter().flatten();
            let evidence = tokens.map(|t| t.evidence).next_back();
            let evidence = evidence.unwrap_or_else(|| Evidence::of(scene.frame, []));
            out.push(Happening::new(now, what, evidence));
        };
        if let Some((ship, paid)) = agree::spent(record, seen, open) {
            crystal(out, record);
            let price = u16::from(self.print.numbers.override_crystals.max(1));
            (0..paid / price).for_each(|_| self.balance.crystal(now, ship));
            agree::adopt(record, seen, open);
            return true;
        }
        let Some(found) = agree::explain(&self.memory, record, seen, scene, open) else {
            return false;
        };
        let evidence = Evidence::of(scene.frame, []);
        match &found.action {
            Action::Move { ship } => {
                let at = scene.ships.iter().find(|s| s.ship == *ship);
                let what = Happened::ShipMoved {
                    ship: *ship,
                    announced: true,
                };
                out.push(Happening::new(
                    now,
                    what,
                    at.map_or(evidence, |s| s.evidence),
                ));
            }
            Action::WarpTo { .. } | Action::Tractor { .. } => {
                let moved = open.iter().find_map(|(a, _)| match a {
                    aspect::Aspect::Stand(ship) => Some(*ship),
                    _ => None,
                });
                out.extend(moved.map(|ship| {
                    let announced = true;
                    Happening::new(now, Happened::ShipMoved { ship, announced }, evidence)
                }));
            }
            Action::ReleaseMine { ship } => {
                let square = found.record.ship(*ship).and_then(|s| s.square().known());
                out.extend(square.map(|square| {
                    let (ship, square) = (*ship, *square);
                    Happening::new(now, Happened::MineLaid { ship, square }, evidence)
                }));
            }
            Action::Damage { ship, .. } => {
                let total = found
                    .record
                    .ship(*ship)
                    .map_or(0, |s| s.damage().total().min);
                let what = Happened::DamageTaken { ship: *ship, total };
                out.push(Happening::new(now, what, evidence));
            }
            _ => crystal(out, record),
        }
        self.agreement.expect(&found.change, now);
        out.extend(self.clean_up.add(now, &found.change, &found.base));
        if record.flow().stop.is_none() {
            self.clean_up.due(now + play::TIDY);
        }
        *record = found.record;
        true
    }
}

/// What the rules are told of a table in a game that was played so far.
pub(super) fn told(scene: &Scene, record: &Position) -> Setup {
    aspect::told(scene, Some(record), &[])
}
