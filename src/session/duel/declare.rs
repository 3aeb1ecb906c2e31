//! What people say: by key, by button, from the web.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Duel, agree,
    aspect::Aspect,
    clean_up::CleanUp,
    happening::{Happened, Happening},
    play::{RESUMED, TIDY},
    stop::{Frozen, Wants, only_enemy},
};
use crate::{
    rules::dice_duel::{Action, Position, ShipId, Target, What},
    session::Evidence,
};

/// How many declarations can be taken back.
const MOST_UNDO: usize = 32;

/// So long after the play went on by itself, nobody is told who says that it goes on.
const JUST: Duration = Duration::from_secs(10);

/// What somebody declares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "declare", rename_all = "snake_case", deny_unknown_fields)]
#[schemars(title = "declaration")]
pub enum Declaration {
    /// "Fire 1!" or "Fire 2!"
    Fire {
        /// Who fires.
        ship: ShipId,
        /// One or two.
        torpedoes: u8,
        /// At what; at the only enemy, where nothing is said.
        #[serde(default)]
        target: Option<Target>,
    },
    /// "Tractor!": where the ship is pushed to is read from the table.
    Tractor {
        /// Who pulls.
        ship: ShipId,
        /// Which ship is moved; the only enemy, where nothing is said.
        #[serde(default)]
        target: Option<ShipId>,
    },
    /// Any action of the rules: warp, surge, a helm move, a mine, a blast that was rolled, a claim of the next
    /// freeze, that the play goes on, a person's word on a place.
    Do {
        /// As `sightline schema action` says.
        action: Box<Action>,
    },
    /// The last declaration was none.
    Undo,
    /// Where table and record disagree, the table is right.
    TakeTable,
    /// Where table and record disagree, the record is right.
    TakeRecord,
}

impl Declaration {
    /// Whose it is.
    fn ship(&self) -> Option<ShipId> {
        match self {
            Self::Fire { ship, .. } | Self::Tractor { ship, .. } => Some(*ship),
            Self::Do { action } => action.ship(),
            Self::Undo | Self::TakeTable | Self::TakeRecord => None,
        }
    }
}

/// A game before a declaration.
#[derive(Debug, Clone)]
pub(super) struct Before {
    record: Option<Position>,
    clean_up: CleanUp,
    frozen: Option<Frozen>,
    ways: Vec<Action>,
    counted: Vec<(u64, Duration)>,
    stopped_at: Duration,
    words: super::word::Words,
    judged: Option<(Duration, crate::session::SpokenCall)>,
    /// What the declaration was told as.
    told: String,
}

impl Before {
    /// What was declared, in words.
    pub fn words(&self) -> &str {
        self.told.strip_prefix("declared: ").unwrap_or(&self.told)
    }
}

impl Duel {
    /// Takes what somebody declares at a time on the source's clock.
    pub fn declare(&mut self, at: Duration, said: &Declaration) -> Vec<Happening> {
        let out = self.take_declared(at, said);
        self.note(&out);
        out
    }

    fn take_declared(&mut self, at: Duration, said: &Declaration) -> Vec<Happening> {
        let here = Evidence::of(self.scene.frame, []);
        if *said == Declaration::Undo {
            let Some(before) = self.undo.pop() else {
                return refused(at, "nothing was declared that could be taken back", here);
            };
            let told = format!("taken back: {}", before.words());
            // what a taken back launch accused nobody of any more
            let mut out = before.clean_up.ended_since(&self.clean_up, at);
            self.record = before.record;
            self.words = before.words;
            self.clean_up = before.clean_up;
            self.frozen = before.frozen;
            self.ways = before.ways;
            self.counted = before.counted;
            self.stopped_at = before.stopped_at;
            self.judged = before.judged;
            self.agreement.clear();
            let undone = Happening::new(at, Happened::Undone, here);
            out.push(undone.told(told));
            return out;
        }
        if let (Some(ship), Some(record)) = (said.ship(), &self.record)
            && record.ship(ship).is_none()
        {
            let ships = record.ships().iter().map(|s| s.id().to_string());
            let ships = ships.collect::<Vec<_>>().join(", ");
            let why = format!("no ship {ship} plays here: there are {ships}");
            return refused(at, &why, here);
        }
        let mut before = Before {
            record: self.record.clone(),
            clean_up: self.clean_up.clone(),
            frozen: self.frozen.clone(),
            ways: self.ways.clone(),
            counted: self.counted.clone(),
            stopped_at: self.stopped_at,
            words: self.words.clone(),
            judged: self.judged.clone(),
            told: String::new(),
        };
        let out = match said {
            Declaration::Fire {
                ship,
                torpedoes,
                target,
            } => {
                let enemy = || self.enemy(*ship).map(Target::Ship);
                match target.or_else(enemy) {
                    Some(target) => {
                        let (ship, torpedoes) = (*ship, *torpedoes);
                        self.freeze(
                            at,
                            Wants::Fire {
                                ship,
                                torpedoes,
                                target,
                            },
                        )
                    }
                    None => refused(at, "say at what: there is not just one enemy", here),
                }
            }
            Declaration::Tractor { ship, target } => match target.or_else(|| self.enemy(*ship)) {
                Some(target) => self.freeze(
                    at,
                    Wants::Tractor {
                        ship: *ship,
                        target,
                    },
                ),
                None => refused(at, "say which ship: there is not just one enemy", here),
            },
            Declaration::Do { action } => self.act(at, action),
            Declaration::TakeTable => self.take_table(at),
            Declaration::TakeRecord => {
                self.agreement.overrule();
                let what = Happened::Agreed { by_table: false };
                vec![Happening::new(at, what, here)]
            }
            Declaration::Undo => Vec::new(),
        };
        if let Some(first) = out.first()
            && !matches!(first.what, Happened::Refused { .. })
        {
            before.told.clone_from(&first.text);
            self.undo.push(before);
            if self.undo.len() > MOST_UNDO {
                self.undo.remove(0);
            }
        }
        out
    }

    fn enemy(&self, ship: ShipId) -> Option<ShipId> {
        only_enemy(self.seen.as_ref()?, ship)
    }

    fn freeze(&mut self, at: Duration, wants: Wants) -> Vec<Happening> {
        let here = Evidence::of(self.scene.frame, []);
        if let Some(open) = &self.frozen
            && open.said != Some(crate::rules::Verdict::Unsure)
        {
            if open.wants == wants {
                // the moment is that of the first time it was said
                return Vec::new();
            }
            let why = format!(
                "{} is still being judged: play on or take it back first",
                open.wants.what()
            );
            return refused(at, &why, here);
        }
        let Some(mut frozen) = Frozen::new(at, wants, &self.memory) else {
            return refused(at, "nothing was seen of the table before that", here);
        };
        // what stands in the way whatever lies on the table is said at once
        let closed = self.record.as_ref().and_then(|record| {
            let call = record.call(wants.what())?;
            let stopped = record.flow().stop.is_some() || record.flow().next.is_some();
            let cannot = call.verdict == crate::rules::Verdict::Cannot;
            (stopped && cannot).then(|| call.because.first().map(ToString::to_string))?
        });
        if let Some(why) = closed {
            return refused(at, &why, here);
        }
        let ship = Some(wants.ship());
        let declared = Happening::new(at, Happened::Declared { ship }, here);
        let mut out = vec![declared.told(format!("declared: {}", wants.what()))];
        // one that nobody could judge stays open beside it
        let verdict = self.judged.take();
        let open = self.frozen.take().filter(|f| f.wants != wants);
        frozen.open_before = open.map(|open| {
            let judged = open.judged.clone().or(verdict);
            Box::new(Frozen { judged, ..open })
        });
        self.frozen = Some(frozen);
        self.ways.clear();
        out.extend(self.judge_frozen(&self.scene.clone()));
        out
    }

    /// Carries out an action of the rules on the table of its moment.
    fn act(&mut self, at: Duration, action: &Action) -> Vec<Happening> {
        let here = Evidence::of(self.scene.frame, []);
        let Some(record) = &self.record else {
            return refused(at, "no table was still yet", here);
        };
        if let Action::Correct(correction) = action {
            return self.correct(at, correction, here);
        }
        if *action == Action::Resume && self.frozen.is_some() && record.flow().stop.is_none() {
            // what was declared could not be judged, and the players have settled it
            self.frozen = None;
            return vec![Happening::new(at, Happened::Resumed, here)];
        }
        if *action == Action::Resume && !self.is_stopped() {
            // it went on by itself, as soon as all was taken off
            let just = self.resumed_at.is_some_and(|t| at < t + JUST);
            if just {
                return Vec::new();
            }
            return refused(at, "the play runs: nothing is stopped", here);
        }
        let decided = |f: &Frozen| f.said.is_some_and(|v| v != crate::rules::Verdict::Unsure);
        if matches!(action, Action::Fire { .. } | Action::Tractor { .. })
            && self.frozen.as_ref().is_some_and(decided)
        {
            // which of the ways it was done in, where nobody sees it
            return self.done_so(at, action, here);
        }
        let mut next = record.clone();
        let base = self.memory.at(at);
        if record.flow().stop.is_none()
            && let Some(base) = base
        {
            // the dice of the table, and all else of the record
            next = base.position.clone();
            let all = Aspect::all(record).into_iter();
            let all: Vec<_> = all.map(|a| (a, String::new())).collect();
            agree::adopt(&mut next, record, &all);
        }
        let change = match next.act(action) {
            Ok(change) => change,
            Err(because) => return refused(at, &format!("{action}: {because}"), here),
        };
        let mut out = vec![match action {
            Action::Claim { ship, freeze } => {
                let (ship, freeze) = (*ship, *freeze);
                Happening::new(at, Happened::Claimed { ship, freeze }, here)
            }
            Action::Resume => Happening::new(at, Happened::Resumed, here),
            other => {
                let declared = Happened::Declared { ship: other.ship() };
                Happening::new(at, declared, here).told(format!("declared: {action}"))
            }
        }];
        self.agreement.expect(&change, at);
        if let Some(base) = base {
            out.extend(self.clean_up.add(at, &change, &base.scene));
        }
        let stops = record.flow().stop.is_none() && next.flow().stop.is_some();
        if stops {
            self.stopped_at = at;
            self.counted.clear();
            let open = self.frozen.take().into_iter().flat_map(Frozen::unsettled);
            let left = open.filter(|open| !open.wants.is(action));
            out.extend(left.map(|open| open.left(at, here)));
        }
        match action {
            Action::Resume => {
                self.clean_up.due(at + RESUMED);
                self.frozen = None;
            }
            Action::Override { ship, .. } => self.balance.crystal(at, *ship),
            Action::Waive | Action::Claim { .. } => {}
            _ if next.flow().stop.is_none() => self.clean_up.due(at + TIDY),
            _ => {}
        }
        out.extend(stop_launched(action, at, here));
        self.record = Some(next);
        // a claim changes nothing of what a launch still waits for
        if !matches!(action, Action::Waive | Action::Claim { .. }) {
            out.extend(self.announce(at));
        }
        out
    }

    /// A person's word on a place.
    fn correct(
        &mut self,
        at: Duration,
        correction: &crate::rules::dice_duel::Correction,
        here: Evidence,
    ) -> Vec<Happening> {
        let Some(record) = &mut self.record else {
            return refused(at, "no table was still yet", here);
        };
        if let Err(because) = record.act(&Action::Correct(correction.clone())) {
            return refused(at, &because.to_string(), here);
        }
        let scene = self.scene.clone();
        // of what nobody looks at the record is all there is, and goes on
        let given = if watched(&scene, correction) {
            self.words.give(&scene, correction)
        } else {
            super::word::zone(correction)
                .map(|zone| Happening::new(at, Happened::Corrected { at: zone }, here))
        };
        let plain = || Happening::new(at, Happened::Declared { ship: None }, here);
        let given = given.unwrap_or_else(plain);
        let mut out = vec![given];
        // a verdict that waited for this is found now
        if let Some(frozen) = &mut self.frozen {
            frozen.reconsider();
        }
        out.extend(self.judge_frozen(&scene));
        out.extend(self.announce(at));
        out
    }

    /// A person says in which of its ways what was judged was done.
    fn done_so(&mut self, at: Duration, action: &Action, here: Evidence) -> Vec<Happening> {
        let before = std::mem::replace(&mut self.ways, vec![action.clone()]);
        let mut out = Vec::new();
        self.carry_out(&self.scene.clone(), &mut out);
        if self.frozen.is_some() {
            self.ways = before;
            return refused(at, "it cannot be done so", here);
        }
        out
    }

    fn take_table(&mut self, at: Duration) -> Vec<Happening> {
        let here = Evidence::of(self.scene.frame, []);
        let (Some(record), Some(seen)) = (&mut self.record, &self.seen) else {
            return refused(at, "no table was still yet", here);
        };
        let open = agree::differing(&self.scene, seen, record);
        agree::adopt(record, seen, &open);
        self.agreement.close();
        let what = Happened::Agreed { by_table: true };
        vec![Happening::new(at, what, here)]
    }
}

/// Whether the table shows what a correction is about.
fn watched(
    scene: &crate::session::Scene,
    correction: &crate::rules::dice_duel::Correction,
) -> bool {
    use crate::rules::dice_duel::Correction;
    match correction {
        Correction::Dice { .. } | Correction::Damage { .. } => true,
        Correction::Stand { .. } => !scene.ships.is_empty(),
        Correction::Cell { .. }
        | Correction::Crystals { .. }
        | Correction::Mines { .. }
        | Correction::Used { .. } => scene.tokens.is_some(),
        Correction::Flow(_) => false,
    }
}

fn stop_launched(action: &Action, at: Duration, here: Evidence) -> Option<Happening> {
    super::stop::launched(action).map(|what| Happening::new(at, what, here))
}

pub(super) fn refused(at: Duration, why: &str, evidence: Evidence) -> Vec<Happening> {
    let why = why.to_owned();
    vec![Happening::new(at, Happened::Refused { why }, evidence)]
}

/// What is asked of the rules for a launch that hit.
pub(super) fn damage_of(record: &Position) -> Option<What> {
    let launch = record.flow().launch.as_ref()?;
    Some(What::Damage {
        ship: launch.shooter,
        target: launch.target,
    })
}
