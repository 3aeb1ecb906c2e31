//! A game at one moment, as windows and pages show it.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use super::{Duel, Foul, Happened, Happening, stop::Wants};
use crate::{
    rules::{
        Span, Verdict,
        dice_duel::{
            Action, Claim, Facing, Flow, Owed, Position, Sector, Ship, ShipId, Spot, Square,
            Station, Tube, Zone,
        },
    },
    session::{Scene, SpokenCall},
};

/// For so long a verdict is shown that stops nothing.
const SHOWN: Duration = Duration::from_secs(10);

/// A game of Dice Duel at one moment.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct GameState {
    pub ships: Vec<ShipState>,
    /// Who stopped the play, and for what; null while it runs.
    pub stopped: Option<Claim>,
    /// Who has claimed the next action that stops the play.
    pub next: Option<Claim>,
    /// What was declared and has no verdict yet, or one that is unsure.
    pub declared: Option<String>,
    /// The last declaration that was judged, with its reasons, until the play goes on.
    pub judged: Option<SpokenCall>,
    /// Why the last declaration was refused.
    pub refused: Option<String>,
    /// The blasts of the torpedoes that were rolled for, of a launch that is not yet resolved.
    pub blasts: Vec<u8>,
    /// What has to be done before the play goes on, the next thing first.
    pub to_do: Vec<String>,
    /// What people may say next while the play is stopped.
    pub choices: Vec<Choice>,
    /// Places that dice have still to leave.
    pub clean_up: Vec<Zone>,
    /// What is wrong at present.
    pub wrong: Vec<Wrong>,
    /// Places of which a person's word counts, not what is read there.
    pub by_hand: Vec<ByHand>,
    /// Where table and record disagree, once they have for two seconds.
    pub disagree: Vec<Zone>,
    /// What was said last, that taking back would take back.
    pub takes_back: Option<String>,
    pub winner: Option<ShipId>,
}

/// Something that people may say.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Choice {
    pub text: String,
    /// As `sightline schema action` says it: what is declared with `do`.
    pub action: Action,
}

/// Something that is wrong on the table, or was done against a rule and is not yet put right.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Wrong {
    pub at: Zone,
    pub text: String,
}

/// A person's word on a place; it stands until the table shows something else there than when it was given.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ByHand {
    pub at: Zone,
    /// What was said of it, in words.
    pub text: String,
    /// What lies there by that word; null where it is not about dice.
    pub dice: Option<Vec<String>>,
}

/// What makes it wrong.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Cause {
    Problem(String),
    Foul(Foul),
}

/// One ship.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ShipState {
    pub ship: ShipId,
    /// Null where it is not known.
    pub square: Option<Square>,
    pub facing: Option<Facing>,
    /// The places of its displays in which dice lie.
    pub places: Vec<PlaceState>,
    /// The displays of which nothing is seen.
    pub unseen: Vec<Station>,
    /// The tubes that are surely loaded.
    pub loaded: Vec<Tube>,
    /// Points of weapon lock.
    pub lock: Span,
    /// Points of its jammers.
    pub jammers: Span,
    /// Shield dice ahead, to the right, behind and to the left.
    pub shields: [Span; 4],
    /// Tractor strength.
    pub beam: Span,
    pub damage: Span,
    /// How much of the damage is crystals.
    pub damage_crystals: Span,
    pub crystals: Span,
}

/// What lies in a place of a display.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PlaceState {
    pub zone: Zone,
    /// What each die shows: the symbols it may show where that is not known.
    pub dice: Vec<String>,
}

impl ShipState {
    fn of(ship: &Ship, position: &Position, scene: &Scene) -> Self {
        let id = ship.id();
        let lies = |s: &Spot| ship.dice(*s).count().min > 0;
        let places = Spot::all().filter(lies);
        let mut unseen: Vec<Station> = Vec::new();
        for zone in &scene.unseen {
            if let Zone::On(of, spot) = zone
                && *of == id
                && !unseen.contains(&spot.station())
            {
                unseen.push(spot.station());
            }
        }
        Self {
            ship: id,
            square: ship.square().known().copied(),
            facing: ship.facing().known().copied(),
            places: places
                .map(|spot| PlaceState {
                    zone: Zone::On(id, spot),
                    dice: {
                        let dice = ship.dice(spot).dice().iter();
                        let there = dice.filter(|d| !d.may_be_absent());
                        there.map(ToString::to_string).collect()
                    },
                })
                .collect(),
            unseen,
            loaded: position
                .print()
                .tubes()
                .filter(|t| ship.loaded(*t) == Some(true))
                .collect(),
            lock: ship.lock().span(),
            jammers: ship.jammers().span(),
            shields: Sector::ALL.map(|s| ship.shields(s).span()),
            beam: ship.beam().span(),
            damage: ship.damage().total(),
            damage_crystals: ship.damage().crystals,
            crystals: ship.crystals(),
        }
    }
}

impl Duel {
    /// The game as it is now: what lies on the table, and of the record what no table shows.
    pub fn state(&self) -> GameState {
        let Some(record) = &self.record else {
            return GameState::default();
        };
        let seen = self.seen.as_ref().unwrap_or(record);
        // while the play is stopped, what a launch has used is still to be taken off
        let shown = if self.is_stopped() { record } else { seen };
        let flow = record.flow();
        GameState {
            ships: shown
                .ships()
                .iter()
                .map(|s| ShipState::of(s, shown, &self.scene))
                .collect(),
            stopped: flow.stop,
            next: flow.next,
            declared: self.frozen.as_ref().map(|f| f.wants.what().to_string()),
            judged: self.shown_verdict().cloned(),
            refused: self.refused.clone(),
            blasts: flow
                .launch
                .iter()
                .flat_map(|l| l.blasts.iter().copied())
                .collect(),
            to_do: to_do(flow),
            choices: self.choices(record),
            clean_up: self.clean_up.zones().collect(),
            wrong: self.wrong.iter().map(|(_, w)| w.clone()).collect(),
            by_hand: self.words.by_hand().collect(),
            disagree: self.agreement.told(),
            takes_back: self.undo.last().map(|b| b.words().to_owned()),
            winner: record.winner(),
        }
    }

    /// The last verdict: one that stops nothing for a while, and that of what is still open until it no longer is.
    fn shown_verdict(&self) -> Option<&SpokenCall> {
        let open = self.frozen.as_ref();
        // of something that was declared since, and came to nothing
        let other = open.is_some_and(|f| f.judged.is_some());
        let lasts = self.is_stopped() || (open.is_some() && !other);
        let last = self.judged.as_ref();
        let last = last.filter(|(at, _)| lasts || self.scene.at < *at + SHOWN);
        let own = || open.and_then(|f| f.judged.as_ref());
        last.or_else(own).map(|(_, call)| call)
    }

    /// Keeps why something was refused, and what is wrong until it is put right.
    pub(super) fn note(&mut self, happenings: &[Happening]) {
        for happening in happenings {
            match &happening.what {
                Happened::Refused { why } => self.refused = Some(why.clone()),
                Happened::Declared { .. } | Happened::Undone => self.refused = None,
                Happened::Resumed => {
                    (self.judged, self.refused) = (None, None);
                    self.resumed_at = Some(self.scene.at);
                }
                _ => {}
            }
            let (begins, at, cause) = match &happening.what {
                Happened::ProblemBegins { code, at } => (true, *at, Cause::Problem(code.clone())),
                Happened::ProblemEnds { code, at } => (false, *at, Cause::Problem(code.clone())),
                // where hands hid what was done nobody is accused: it is said once
                Happened::FoulBegins {
                    verdict: Verdict::Unsure,
                    ..
                } => continue,
                Happened::FoulBegins { foul, at, .. } => (true, *at, Cause::Foul(*foul)),
                Happened::FoulEnds { foul, at } => (false, *at, Cause::Foul(*foul)),
                _ => continue,
            };
            self.wrong.retain(|(c, w)| *c != cause || w.at != at);
            if begins {
                let text = happening.text.clone();
                self.wrong.push((cause, Wrong { at, text }));
            }
        }
    }

    /// What people may say next; what the table tells by itself, once it can be seen, among it.
    fn choices(&self, record: &Position) -> Vec<Choice> {
        let mut choices: Vec<Choice> = Vec::new();
        let mut offer = |action: Action| {
            let text = action.to_string();
            choices.push(Choice { text, action });
        };
        if let Some(Wants::Tractor { ship, target }) = self.frozen.as_ref().map(|f| f.wants) {
            let of = |a: &Action| matches!(a, Action::Tractor { ship: s, target: t, .. } if (*s, *t) == (ship, target));
            record
                .legal_actions()
                .into_iter()
                .filter(of)
                .for_each(&mut offer);
        }
        self.ways.iter().cloned().for_each(&mut offer);
        if !self.is_stopped() && record.flow().owed.is_empty() {
            if self.scene.ships.is_empty() {
                // nobody sees where it goes
                let moves = record.ships().iter().map(|s| Action::Move { ship: s.id() });
                moves.filter(|m| record.is_legal(m)).for_each(&mut offer);
            }
            return choices;
        }
        for action in record.legal_actions() {
            let text = match action {
                Action::ChooseSector { .. }
                | Action::Blast { .. }
                | Action::ReturnCrystal { .. }
                | Action::WarpAgain
                | Action::WarpTo { .. }
                | Action::Claim { .. }
                | Action::Discard { .. }
                | Action::Waive => action.to_string(),
                // from where it was taken is seen on the table
                Action::Damage { ship, .. } => format!("{ship}: energy die to damage"),
                Action::WarpRoll { numbers: [a, b] } if a <= b => action.to_string(),
                Action::Resume => "the play goes on".to_owned(),
                _ => continue,
            };
            if choices.iter().all(|c| c.text != text) {
                choices.push(Choice { text, action });
            }
        }
        choices
    }
}

/// What has to be done before the play goes on, in words.
fn to_do(flow: &Flow) -> Vec<String> {
    let mut list = Vec::new();
    if let Some(launch) = &flow.launch {
        if let [a, b] = launch.sectors.as_slice()
            && !launch.chosen
        {
            list.push(format!("{} takes it on shield {a} or {b}", launch.target));
        }
        let left = launch.tubes.len().saturating_sub(launch.blasts.len());
        match left {
            0 => {}
            // beside a tray nobody can tell a rolled die from one that was taken off and laid there
            1 => list.push(format!(
                "{} rolls a weapon die (read in a tray; else press what it shows)",
                launch.shooter
            )),
            n => list.push(format!(
                "{} rolls {n} weapon dice, one after the other (read in a tray; else press what they show)",
                launch.shooter
            )),
        }
    }
    if let Some(warp) = &flow.warp {
        list.push(if warp.to_roll {
            format!(
                "{} rolls two energy dice (read in a tray; else press what they show)",
                warp.ship
            )
        } else {
            format!("{} goes to a crystal's square, or rolls again", warp.ship)
        });
    }
    let mut owed: Vec<(String, usize)> = Vec::new();
    for debt in &flow.owed {
        let (text, dice) = match debt {
            Owed::Damage { ship } => (format!("{ship}: energy dice to the damage display"), 1),
            Owed::Discard {
                ship,
                station,
                dice,
            } => (format!("{ship}: dice off {station}"), usize::from(*dice)),
        };
        match owed.iter_mut().find(|(t, _)| *t == text) {
            Some((_, n)) => *n += dice,
            None => owed.push((text, dice)),
        }
    }
    list.extend(owed.into_iter().map(|(text, n)| format!("{text}: {n}")));
    if flow.returning {
        list.push("roll the used crystals back onto the map".to_owned());
    }
    list
}
