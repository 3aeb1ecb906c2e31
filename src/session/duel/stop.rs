//! The play stopped: a launch, a tractor beam or a Warp Jump, from its declaration to when the play goes on.

use std::time::Duration;

use super::{
    agree::Memory,
    happening::{Happened, Happening},
};
use crate::{
    rules::{
        Verdict,
        dice_duel::{
            Action, Call, DieKind, Position, Print, ShipId, ShipSetup, Target, Tube, What, Zone,
        },
    },
    session::{
        Evidence, SpokenCall,
        scene::{Scene, SceneDie, shown},
    },
};

/// How long after a declaration a die that lay still before it may still be read.
const LATE: Duration = Duration::from_millis(1200);

/// For how long somebody may settle what could not be judged.
const OPEN: Duration = Duration::from_secs(60);

/// A declaration that waits for the table of its moment to be known.
#[derive(Debug, Clone)]
pub(super) struct Frozen {
    pub at: Duration,
    pub wants: Wants,
    /// The table at that moment, as far as it is known by now.
    pub scene: Scene,
    /// What was said of it last.
    pub said: Option<Verdict>,
    /// What was declared before and could not be judged.
    pub open_before: Option<Box<Frozen>>,
    /// Its verdict, where that of something else is shown.
    pub judged: Option<(Duration, SpokenCall)>,
}

/// What was declared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Wants {
    Fire {
        ship: ShipId,
        torpedoes: u8,
        target: Target,
    },
    Tractor {
        ship: ShipId,
        target: ShipId,
    },
}

impl Wants {
    pub fn what(self) -> What {
        match self {
            Wants::Fire {
                ship,
                torpedoes,
                target,
            } => What::Launch {
                ship,
                torpedoes,
                target,
            },
            Wants::Tractor { ship, target } => What::Tractor { ship, target },
        }
    }

    /// Whether this action is what was declared.
    pub fn is(self, action: &Action) -> bool {
        match (self, action) {
            (
                Wants::Fire {
                    ship,
                    torpedoes,
                    target,
                },
                Action::Fire {
                    ship: s,
                    torpedoes: n,
                    target: t,
                    ..
                },
            ) => (ship, torpedoes, target) == (*s, *n, *t),
            (
                Wants::Tractor { ship, target },
                Action::Tractor {
                    ship: s, target: t, ..
                },
            ) => (ship, target) == (*s, *t),
            _ => false,
        }
    }

    pub fn ship(self) -> ShipId {
        match self {
            Wants::Fire { ship, .. } | Wants::Tractor { ship, .. } => ship,
        }
    }
}

impl Frozen {
    /// The last table before the declaration; what moved or was hidden there is not known.
    pub fn new(at: Duration, wants: Wants, memory: &Memory) -> Option<Self> {
        let mut scene = memory.at(at)?.scene.clone();
        let unread = |d: &SceneDie| !d.settled;
        let moving: Vec<Zone> = scene
            .dice
            .iter()
            .filter(|d| unread(d))
            .filter_map(|d| d.at.known().copied())
            .filter(|z| matches!(z, Zone::On(..)))
            .collect();
        scene.hidden.extend(moving);
        scene.hidden.sort_unstable();
        scene.hidden.dedup();
        Some(Self {
            at,
            wants,
            scene,
            said: None,
            open_before: None,
            judged: None,
        })
    }

    /// Fills in what a later table tells of that moment: dice that lay still before it, and what was under a hand
    /// and is as it was. Whether anything was.
    pub fn learn(&mut self, later: &Scene) -> bool {
        let mut learnt = false;
        let before = self.at;
        for die in later.dice.iter().filter(|d| d.is_sure()) {
            let known = self.scene.dice.iter_mut().find(|d| d.id == die.id);
            match known {
                Some(then) if then.is_sure() => {}
                // it shows what it showed before it was hidden, or lay still already
                Some(then)
                    if then.at == die.at
                        && (die.still_since <= before || then.shows == die.shows) =>
                {
                    *then = die.clone();
                    learnt = true;
                }
                None if die.still_since <= before => {
                    self.scene.dice.push(die.clone());
                    learnt = true;
                }
                _ => {}
            }
        }
        for ship in later.ships.iter().filter(|s| s.claim.square.is_known()) {
            let mut then = self.scene.ships.iter_mut();
            let tells_more = |then: &ShipSetup| {
                let faces = !then.facing.is_known() && ship.claim.facing.is_known();
                !then.square.is_known() || faces && then.square == ship.claim.square
            };
            if let Some(then) = then.find(|s| s.ship == ship.ship && tells_more(&s.claim))
                && ship.still_since <= before
            {
                *then = ship.clone();
                learnt = true;
            }
        }
        // a place that is seen now, and into which nothing came since, was as it is
        let dice = &self.scene.dice;
        let count = self.scene.hidden.len();
        self.scene.hidden.retain(|zone| {
            let came = |d: &&SceneDie| d.still_since > before || !d.is_sure();
            let new = later.dice_in(*zone).any(|d| came(&d));
            let open = dice
                .iter()
                .any(|d| d.at.known() == Some(zone) && !d.is_sure());
            later.hides(*zone) || new || open
        });
        learnt || self.scene.hidden.len() != count
    }

    /// Whether it has been open for so long that nobody will settle it.
    pub fn is_left(&self, now: Duration) -> bool {
        self.said == Some(Verdict::Unsure) && now >= self.at + OPEN
    }

    /// It may be judged again, and what is still open beside it.
    pub fn reconsider(&mut self) {
        self.said = self.said.filter(|said| *said != Verdict::Unsure);
        if let Some(open) = &mut self.open_before {
            open.reconsider();
        }
    }

    /// What of it, and of what is open beside it, nobody could judge.
    pub fn unsettled(mut self) -> Vec<Frozen> {
        let before = self.open_before.take().map(|open| *open);
        let both = std::iter::once(self).chain(before);
        both.filter(|f| f.said == Some(Verdict::Unsure)).collect()
    }

    /// That nobody settled it.
    pub fn left(&self, now: Duration, evidence: Evidence) -> Happening {
        let ship = self.wants.ship();
        let left = Happening::new(now, Happened::LeftUnsettled { ship }, evidence);
        left.told(format!("never settled: {}", self.wants.what()))
    }

    pub fn is_late(&self, now: Duration) -> bool {
        now >= self.at + LATE
    }
}

/// The one enemy of a ship, where there is only one.
pub(super) fn only_enemy(position: &Position, ship: ShipId) -> Option<ShipId> {
    let team = position.ship(ship)?.team();
    let mut enemies = position.ships().iter().filter(|s| s.team() != team);
    match (enemies.next(), enemies.next()) {
        (Some(one), None) => Some(one.id()),
        _ => None,
    }
}

/// Ways in which the declared torpedoes may leave their tubes; one, where there is nothing to choose.
pub(super) fn launches(
    position: &Position,
    ship: ShipId,
    torpedoes: u8,
    target: Target,
) -> Vec<Action> {
    let tubes: Vec<Tube> = position.print().tubes().collect();
    let ones = tubes.iter().map(|t| vec![*t]);
    let pairs = tubes.iter().enumerate().flat_map(|(i, a)| {
        let rest = tubes.iter().skip(i + 1);
        rest.map(|b| vec![*a, *b])
    });
    let ways = std::iter::once(Vec::new()).chain(ones).chain(pairs);
    ways.map(|tubes| Action::Fire {
        ship,
        torpedoes,
        target,
        tubes,
    })
    .filter(|action| position.is_legal(action))
    .collect()
}

/// Of several launches the one whose tubes, and no others, were emptied.
pub(super) fn chosen<'a>(
    ways: &'a [Action],
    frozen: &Scene,
    now: &Scene,
    print: &Print,
) -> Option<&'a Action> {
    let emptied = |ship: ShipId, tube: Tube| {
        let of = |d: &&SceneDie| {
            matches!(d.at.known(), Some(Zone::On(s, crate::rules::dice_duel::Spot::Tube(t, _)))
                if *s == ship && *t == tube)
        };
        let mut dice = frozen.dice.iter().filter(of).peekable();
        dice.peek().is_some() && dice.all(|d| now.die(d.id).is_none_or(|n| n.at != d.at))
    };
    let mut fits = ways.iter().filter(|way| match way {
        Action::Fire { ship, tubes, .. } => print
            .tubes()
            .all(|tube| tubes.contains(&tube) == emptied(*ship, tube)),
        _ => false,
    });
    let first = fits.next();
    first.filter(|_| fits.next().is_none())
}

/// Dice that were rolled in a tray since a moment, and lie still, surely read.
pub(super) fn rolled(scene: &Scene, kind: DieKind, since: Duration) -> Vec<&SceneDie> {
    let mut dice: Vec<&SceneDie> = scene
        .dice
        .iter()
        .filter(|d| d.in_tray && d.is_sure() && d.kind == Some(kind) && d.still_since > since)
        .filter(|d| d.claim.as_ref().and_then(shown).is_some())
        .collect();
    dice.sort_unstable_by_key(|d| (d.still_since, d.id));
    dice
}

/// The tubes of a launch, for telling.
pub(super) fn launched(action: &Action) -> Option<Happened> {
    match action {
        Action::Fire { ship, tubes, .. } => Some(Happened::Launched {
            ship: *ship,
            tubes: tubes.iter().map(ToString::to_string).collect(),
        }),
        _ => None,
    }
}

/// Whether a call says that it is done, or may be done.
pub(super) fn goes(call: &Call) -> bool {
    matches!(call.verdict, Verdict::Hit | Verdict::Miss | Verdict::May)
}
