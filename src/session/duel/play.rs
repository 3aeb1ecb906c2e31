//! A stopped play, step by step: judged, rolled for, counted, cleaned up, and on.

use std::time::Duration;

use super::{
    Duel, aspect,
    declare::{damage_of, refused},
    happening::{Happened, Happening},
    stop::{Wants, chosen, goes, launched, launches, rolled},
};
use crate::{
    rules::{
        Place, Verdict,
        dice_duel::{Action, Call, DieKind, Facing, Owed, Position, ShipId},
    },
    session::{
        Evidence,
        scene::{Scene, shown},
    },
};

/// How long hands have to take off what a move, or another action in running play, takes off.
pub(super) const TIDY: Duration = Duration::from_secs(3);
/// The same once the play was said to go on.
pub(super) const RESUMED: Duration = Duration::from_millis(700);

impl Duel {
    /// No later table comes: what was declared is judged by what is known.
    pub fn end(&mut self) {
        self.over = true;
    }

    /// Whether a declaration still has no verdict.
    pub fn waits(&self) -> bool {
        self.frozen.as_ref().is_some_and(|f| f.said.is_none())
    }

    /// Judges what was declared, by the table of that moment, as soon as enough of it is known.
    pub(super) fn judge_frozen(&mut self, scene: &Scene) -> Vec<Happening> {
        let mut out = Vec::new();
        let Some(mut frozen) = self.frozen.take() else {
            return out;
        };
        let decided = frozen.said.is_some_and(|v| v != Verdict::Unsure);
        if decided {
            self.frozen = Some(frozen);
            self.carry_out(scene, &mut out);
            return out;
        }
        let late = self.over || frozen.is_late(scene.at);
        let learnt = scene.at > frozen.at && !late && frozen.learn(scene);
        if frozen.said == Some(Verdict::Unsure) && !learnt {
            if frozen.is_left(scene.at) {
                out.push(frozen.left(scene.at, Evidence::of(scene.frame, [])));
            } else {
                self.frozen = Some(frozen);
            }
            return out;
        }
        let without: Vec<u64> = self.clean_up.dice().collect();
        let setup = aspect::told(&frozen.scene, self.record.as_ref(), &without);
        let (mut position, mut problems) = setup.resolve(&self.print);
        self.words.apply(&mut position, &mut problems);
        let Some(call) = position.call(frozen.wants.what()) else {
            self.frozen = frozen.open_before.map(|open| *open);
            return refused(frozen.at, "there is no such ship", Evidence::default());
        };
        let evidence = Evidence::of(frozen.scene.frame, []);
        if call.verdict == Verdict::Unsure {
            if !late {
                // a hand that leaves may still show what lay there
                self.frozen = Some(frozen);
                return out;
            }
            if frozen.said.is_none() {
                out.push(self.told_judged(scene.at, &call, evidence));
                frozen.judged = None;
            }
            frozen.said = Some(call.verdict);
            // two that nobody could judge are not kept
            let left = frozen.open_before.take();
            out.extend(left.map(|open| open.left(scene.at, evidence)));
            self.frozen = Some(frozen);
            return out;
        }
        out.push(self.told_judged(scene.at, &call, evidence));
        if !goes(&call) {
            // nothing came of it: what is still open is so as before
            self.frozen = frozen.open_before.map(|open| *open);
            return out;
        }
        frozen.said = Some(call.verdict);
        if let Wants::Fire {
            ship,
            torpedoes,
            target,
        } = frozen.wants
        {
            self.ways = launches(&position, ship, torpedoes, target);
            if self.ways.is_empty() {
                let tubes = Vec::new();
                let none = Action::Fire {
                    ship,
                    torpedoes,
                    target,
                    tubes,
                };
                let why = position.act(&none).err().map(|b| b.to_string());
                out.extend(refused(scene.at, &why.unwrap_or_default(), evidence));
                self.frozen = frozen.open_before.map(|open| *open);
                return out;
            }
        }
        let left = frozen.open_before.take();
        out.extend(left.map(|open| open.left(scene.at, evidence)));
        self.frozen = Some(frozen);
        self.carry_out(scene, &mut out);
        out
    }

    /// A verdict on what was declared, kept to be shown.
    fn told_judged(&mut self, at: Duration, call: &Call, evidence: Evidence) -> Happening {
        let told = Happening::judged(at, call, evidence);
        if let Happened::Judged { call } = &told.what {
            self.judged = Some((at, call.clone()));
        }
        told
    }

    /// Carries out what was judged, once the table shows how.
    pub(super) fn carry_out(&mut self, scene: &Scene, out: &mut Vec<Happening>) {
        let Some(frozen) = &self.frozen else { return };
        let without: Vec<u64> = self.clean_up.dice().collect();
        let setup = aspect::told(&frozen.scene, self.record.as_ref(), &without);
        let (mut position, mut problems) = setup.resolve(&self.print);
        self.words.apply(&mut position, &mut problems);
        let action = match frozen.wants {
            Wants::Fire { .. } => match self.ways.as_slice() {
                [only] => Some(only.clone()),
                ways => chosen(ways, &frozen.scene, scene, &self.print).cloned(),
            },
            Wants::Tractor { ship, target } => match self.ways.as_slice() {
                [only] => Some(only.clone()),
                _ => pushed(&position, scene, ship, target),
            },
        };
        let Some(action) = action else { return };
        let at = frozen.at;
        let base = frozen.scene.clone();
        let Ok(change) = position.act(&action) else {
            return;
        };
        let evidence = Evidence::of(base.frame, []);
        out.extend(launched(&action).map(|what| Happening::new(scene.at, what, evidence)));
        if let Action::Tractor { target, .. } = &action {
            let (ship, announced) = (*target, true);
            let what = Happened::ShipMoved { ship, announced };
            out.push(Happening::new(scene.at, what, evidence));
        }
        self.agreement.expect(&change, scene.at);
        out.extend(self.clean_up.add(scene.at, &change, &base));
        self.frozen = None;
        self.ways.clear();
        self.stopped_at = at;
        self.counted.clear();
        self.record = Some(position);
        out.extend(self.announce(scene.at));
    }

    /// Says what a launch still waits for, or what it did.
    pub(super) fn announce(&self, at: Duration) -> Vec<Happening> {
        let mut out = Vec::new();
        let Some(record) = &self.record else {
            return out;
        };
        let here = Evidence::of(self.scene.frame, []);
        if let Some(call) = damage_of(record).and_then(|what| record.call(what)) {
            out.push(Happening::judged(at, &call, here));
        } else if record.flow().stop.is_some() {
            for ship in record.ships().iter().map(|s| s.id()) {
                let owed = Owed::Damage { ship };
                let damage = record.flow().owed.iter().filter(|o| **o == owed).count();
                if damage > 0 {
                    let damage = damage.min(255) as u8;
                    let what = Happened::DamageAnnounced { ship, damage };
                    out.push(Happening::new(at, what, here));
                }
            }
        }
        out
    }

    /// Reads what is rolled, and lets the play go on when nothing is left to be done.
    pub(super) fn play_on(&mut self, scene: &Scene) -> Vec<Happening> {
        let mut out = Vec::new();
        if !self.is_stopped() {
            return out;
        }
        self.roll_blasts(scene, &mut out);
        self.roll_jump(scene);
        let Some(record) = &mut self.record else {
            return out;
        };
        if self.frozen.is_none() && self.clean_up.is_done() && record.act(&Action::Resume).is_ok() {
            let evidence = Evidence::of(scene.frame, []);
            out.push(Happening::new(scene.at, Happened::Resumed, evidence));
        }
        out
    }

    fn roll_blasts(&mut self, scene: &Scene, out: &mut Vec<Happening>) {
        let Some(record) = &mut self.record else {
            return;
        };
        let mut changed = false;
        for die in rolled(scene, DieKind::Weapon, self.stopped_at) {
            let key = (die.id, die.still_since);
            let Some(symbol) = die.claim.as_ref().and_then(shown) else {
                continue;
            };
            if self.counted.contains(&key) {
                continue;
            }
            // when no roll is asked for, the rules say so
            let Ok(change) = record.act(&Action::Blast { symbol }) else {
                continue;
            };
            self.counted.push(key);
            changed = true;
            let what = Happened::BlastRolled {
                shows: symbol,
                blasts: symbol.blasts(),
            };
            out.push(Happening::new(scene.at, what, die.evidence).about(vec![die.id]));
            self.agreement.expect(&change, scene.at);
            out.extend(self.clean_up.add(scene.at, &change, scene));
        }
        if changed && record.flow().launch.is_none() {
            out.extend(self.announce(scene.at));
        }
    }

    fn roll_jump(&mut self, scene: &Scene) {
        let Some(record) = &mut self.record else {
            return;
        };
        if !record.flow().warp.as_ref().is_some_and(|w| w.to_roll) {
            return;
        }
        let new: Vec<(u64, Duration, u8)> = rolled(scene, DieKind::Energy, self.stopped_at)
            .into_iter()
            .filter(|d| !self.counted.contains(&(d.id, d.still_since)))
            .filter_map(|d| Some((d.id, d.still_since, d.shows?.energy_number()?)))
            .collect();
        // two dice and no more: of three it is not known which were meant
        if let [a, b] = new.as_slice() {
            let numbers = [a.2, b.2];
            if record.act(&Action::WarpRoll { numbers }).is_ok() {
                self.counted.extend([(a.0, a.1), (b.0, b.1)]);
            }
        }
    }

    /// Somebody plays on while the play is stopped: if nothing but tidying was left, it goes on.
    pub(super) fn play_goes_on(&mut self, at: Duration, out: &mut Vec<Happening>) {
        let Some(record) = &mut self.record else {
            return;
        };
        if self.frozen.is_none() && record.act(&Action::Resume).is_ok() {
            self.clean_up.due(at + RESUMED);
            let evidence = Evidence::of(self.scene.frame, []);
            out.push(Happening::new(at, Happened::Resumed, evidence));
        }
    }
}

/// The push that brings a ship to where it stands now.
fn pushed(position: &Position, scene: &Scene, ship: ShipId, target: ShipId) -> Option<Action> {
    const STANDS: Duration = Duration::from_millis(400);
    let mini = scene.ships.iter().find(|s| s.ship == target)?;
    if scene.at < mini.still_since + STANDS {
        return None;
    }
    let Place::Known(square) = mini.claim.square else {
        return None;
    };
    if position.ship(target)?.square().known() == Some(&square) {
        return None;
    }
    let edges = [None].into_iter().chain(Facing::ALL.map(Some));
    let ways = position
        .push_squares(target)
        .into_iter()
        .flat_map(|to| edges.clone().map(move |enter_by| (to, enter_by)));
    let mut actions = ways.map(|(to, enter_by)| Action::Tractor {
        ship,
        target,
        to,
        enter_by,
    });
    actions.find(|action| {
        let after = position.clone().play(action).map(|(after, _)| after);
        let stands = |p: &Position| p.ship(target)?.square().known().copied();
        after.is_ok_and(|p| stands(&p) == Some(square))
    })
}
