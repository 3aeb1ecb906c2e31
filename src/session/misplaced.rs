//! What a copy itself says of its zones: which kinds of dice belong in each, and how many.

use std::{collections::BTreeMap, fmt, time::Duration};

use super::{
    DICE_DUEL, Evidence, Happened, Happening, Session,
    duel::{BEGINS, ENDS},
    placing::Footing,
};
use crate::{
    copy::{Copy, Region, Status, Zone},
    rig::Sight,
    rules::{self, Fault, Rule},
    table::{Die, Table},
};

/// Something that a zone of the copy does not take, and the zone.
pub type MisplacedDie = rules::Problem<String, Misplaced>;

/// What is wrong with the dice in a zone, by the copy's `takes` and `holds`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Misplaced {
    /// A die of a kind that does not belong there.
    NotTaken { kind: String, takes: Vec<String> },
    /// More dice than there is room for.
    TooMany { dice: u32, holds: u32 },
}

impl fmt::Display for Misplaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotTaken { kind, takes } => {
                write!(
                    f,
                    "a die of the kind {kind} lies here, and the copy has it take {}",
                    takes.join(", ")
                )
            }
            Self::TooMany { dice, holds } => {
                write!(f, "{dice} dice lie here, and the copy has it hold {holds}")
            }
        }
    }
}

impl Fault for Misplaced {
    fn code(&self) -> &'static str {
        match self {
            Self::NotTaken { .. } => "not-taken",
            Self::TooMany { .. } => "more-than-it-holds",
        }
    }

    fn rule(&self) -> Option<Rule> {
        None
    }

    fn is_soft(&self) -> bool {
        false
    }
}

/// The zones of which the copy has the last word, by their names: all but those that the rules of a game that is called
/// know better.
fn zones(copy: &Copy) -> BTreeMap<String, &Zone> {
    let called = copy.game == DICE_DUEL;
    let all = copy
        .surfaces
        .iter()
        .flat_map(|s| s.zones.iter().map(move |z| (s.zone_name(z), z)));
    all.filter(|(name, zone)| {
        let known = name.parse::<rules::dice_duel::Zone>().is_ok();
        !(called && known && !zone.means.nothing)
    })
    .collect()
}

impl Session {
    /// Dice that lie where the copy says they do not belong. Only what is surely read and surely lies there counts: of the
    /// rest nothing is said.
    pub(super) fn misplaced(&self, table: &Table, sight: &Sight) -> Vec<MisplacedDie> {
        let sure = table.dice.iter().filter(|d| d.status() == Status::Sure);
        let lie = sure
            .filter_map(|die| Some((self.sure_zone(die, sight)?, die.reading.kind.as_deref()?)));
        misplaced(&self.copy, lie)
    }

    fn sure_zone(&self, die: &Die, sight: &Sight) -> Option<String> {
        match self.footing(die, sight)? {
            Footing {
                region: Some(Region::Sure(zone)),
                ..
            } => Some(zone),
            _ => None,
        }
    }

    /// What of this began and ended since the last table.
    pub(super) fn follow_misplaced(&mut self, table: &Table, sight: &Sight) -> Vec<Happening> {
        let now = self.misplaced(table, sight);
        if now.is_empty() && self.misplaced.all.is_empty() {
            return Vec::new();
        }
        let zoned = table.dice.iter();
        let zoned: Vec<(Option<String>, &Die)> =
            zoned.map(|d| (self.sure_zone(d, sight), d)).collect();
        self.misplaced.follow(table.at, &now, &zoned)
    }
}

/// What has been told, so that what flickers is not.
#[derive(Debug, Clone, Default)]
pub(super) struct MisplacedLog {
    all: BTreeMap<(String, Misplaced), Lying>,
}

#[derive(Debug, Clone)]
struct Lying {
    text: String,
    since: Duration,
    seen: Duration,
    told: bool,
    dice: Vec<u64>,
    evidence: Evidence,
}

impl MisplacedLog {
    /// Takes what is misplaced now, and all dice, each with the zone that it surely lies in.
    fn follow(
        &mut self,
        at: Duration,
        now: &[MisplacedDie],
        zoned: &[(Option<String>, &Die)],
    ) -> Vec<Happening> {
        let mut out = Vec::new();
        for wrong in now {
            let there = zoned.iter().filter(|(zone, die)| {
                let kind = die.reading.kind.as_deref();
                let meant = match &wrong.fault {
                    Misplaced::NotTaken { kind: of, .. } => kind == Some(of),
                    Misplaced::TooMany { .. } => true,
                };
                meant && die.status() == Status::Sure && zone.as_ref() == Some(&wrong.at)
            });
            let there: Vec<&Die> = there.map(|(_, die)| *die).collect();
            let frame = there.iter().map(|d| d.frame).max().unwrap_or_default();
            let key = (wrong.at.clone(), wrong.fault.clone());
            let lying = self.all.entry(key).or_insert_with(|| Lying {
                text: wrong.to_string(),
                since: at,
                seen: at,
                told: false,
                dice: there.iter().map(|d| d.id).collect(),
                evidence: Evidence::of(frame, there.iter().map(|d| &d.polygon)),
            });
            lying.seen = at;
            if !lying.told && at >= lying.since + BEGINS {
                lying.told = true;
                let what = Happened::MisplacedBegins {
                    code: wrong.fault.code().to_owned(),
                    at: wrong.at.clone(),
                };
                out.push(lying.happening(at, what, lying.text.clone()));
            }
        }
        self.all.retain(|(zone, fault), lying| {
            // what is covered, or not surely read or placed for a while, is as it was
            let doubtful = zoned.iter().any(|(zone, die)| {
                lying.dice.contains(&die.id) && (die.status() != Status::Sure || zone.is_none())
            });
            if lying.told && doubtful {
                lying.seen = at;
            }
            let over = lying.told && at >= lying.seen + ENDS;
            if over {
                let what = Happened::MisplacedEnds {
                    code: fault.code().to_owned(),
                    at: zone.clone(),
                };
                out.push(lying.happening(at, what, format!("no longer: {}", lying.text)));
            }
            !over && (lying.told || lying.seen == at)
        });
        out
    }
}

impl Lying {
    fn happening(&self, at: Duration, what: Happened, text: String) -> Happening {
        Happening {
            at_s: at.as_secs_f64(),
            text,
            what,
            dice: self.dice.clone(),
            evidence: self.evidence,
        }
    }
}

/// The same of kinds of dice by the zones that they lie in.
fn misplaced<'a>(copy: &Copy, lie: impl Iterator<Item = (String, &'a str)>) -> Vec<MisplacedDie> {
    let zones = zones(copy);
    let mut dice: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (zone, kind) in lie {
        if let Some((name, _)) = zones.get_key_value(&zone) {
            dice.entry(name).or_default().push(kind);
        }
    }
    let mut wrong = Vec::new();
    for (name, kinds) in dice {
        let Some(zone) = zones.get(name) else {
            continue;
        };
        let mut tell = |fault| {
            wrong.push(MisplacedDie {
                at: name.to_owned(),
                fault,
            });
        };
        for kind in kinds.iter().copied() {
            if !zone.takes.is_empty() && zone.takes.iter().all(|t| t != kind) {
                tell(Misplaced::NotTaken {
                    kind: kind.to_owned(),
                    takes: zone.takes.clone(),
                });
            }
        }
        let dice = u32::try_from(kinds.len()).unwrap_or(u32::MAX);
        if let Some(holds) = zone.holds.filter(|holds| dice > *holds) {
            tell(Misplaced::TooMany { dice, holds });
        }
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    const DICE: &str = "[[dice]]\nkind = \"scout\"\nshape = \"d6\"\nsize_mm = 16\nfaces = []\n[[dice]]\nkind = \"cargo\"\nshape = \"d6\"\nsize_mm = 16\nfaces = []\n";

    /// A hangar for one scout, with a name that Dice Duel knows where `means` says one.
    fn copy(game: &str, means: &str) -> Copy {
        let text = format!(
            "format = 1\nname = \"x\"\ngame = \"{game}\"\n{DICE}[[displays]]\nid = \"white.helm\"\nsize_mm = [150, 110]\n[[displays.zones]]\nzone = \"A\"\n{means}takes = [\"scout\"]\nholds = 1\npolygon_mm = [[10, 10], [40, 10], [40, 40]]\n"
        );
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("copy.toml"), text).unwrap();
        crate::copy::load(folder.path()).unwrap()
    }

    fn told(copy: &Copy, kinds: &[&str]) -> Vec<String> {
        let lie = kinds.iter().map(|k| ("white.helm.A".to_owned(), *k));
        let all = misplaced(copy, lie);
        all.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_zone_takes_its_own_kinds_and_holds_so_many() {
        let copy = copy("nearspace", "");
        assert!(told(&copy, &["scout"]).is_empty());
        assert_eq!(
            told(&copy, &["cargo"]),
            ["white.helm.A: a die of the kind cargo lies here, and the copy has it take scout"]
        );
        assert_eq!(
            told(&copy, &["scout", "scout"]),
            ["white.helm.A: 2 dice lie here, and the copy has it hold 1"]
        );
    }

    #[test]
    fn what_lies_wrong_is_told_when_it_begins_and_when_it_ends() {
        let lies = [MisplacedDie {
            at: "bay".to_owned(),
            fault: Misplaced::TooMany { dice: 2, holds: 1 },
        }];
        let ms = Duration::from_millis;
        let mut log = MisplacedLog::default();
        let mut told = |at: u64, now: &[MisplacedDie]| -> Vec<String> {
            let said = log.follow(ms(at), now, &[]);
            said.into_iter().map(|h| h.text).collect()
        };
        assert!(told(0, &lies).is_empty(), "it may flicker");
        assert!(told(100, &[]).is_empty());
        assert!(told(200, &lies).is_empty(), "it began anew");
        assert_eq!(
            told(500, &lies),
            ["bay: 2 dice lie here, and the copy has it hold 1"]
        );
        assert!(told(800, &lies).is_empty(), "once");
        assert!(told(1000, &[]).is_empty());
        assert!(told(1100, &lies).is_empty());
        assert_eq!(
            told(1600, &[]),
            ["no longer: bay: 2 dice lie here, and the copy has it hold 1"]
        );
        assert!(told(2200, &[]).is_empty());
    }

    #[test]
    fn what_a_hand_covers_lies_there_still() {
        let sighting = |kind: &str| crate::vision::Sighting {
            shape: crate::copy::Shape::D6,
            score: 1.0,
            there: 1.0,
            polygon: crate::geometry::Quad::from_pairs([
                [0.0, 0.0],
                [9.0, 0.0],
                [9.0, 9.0],
                [0.0, 9.0],
            ]),
            error: 0.1,
            reading: crate::vision::Reading {
                kind: Some(kind.to_owned()),
                face: Some("1".to_owned()),
                status: Status::Sure,
                confidence: 1.0,
                kind_sure: true,
                likeness: 1.0,
                next: None,
                others: Vec::new(),
                alike_after_deg: 360,
            },
        };
        let mut table = crate::table::snapshot(&[sighting("cargo"), sighting("scout")], &[], &[]);
        let lies = [MisplacedDie {
            at: "bay".to_owned(),
            fault: Misplaced::NotTaken {
                kind: "cargo".to_owned(),
                takes: vec!["scout".to_owned()],
            },
        }];
        let mut log = MisplacedLog::default();
        let mut follow = |ms: u64, now: &[MisplacedDie], table: &Table| {
            let zoned: Vec<(Option<String>, &Die)> = table
                .dice
                .iter()
                .map(|d| (Some("bay".to_owned()), d))
                .collect();
            let said = log.follow(Duration::from_millis(ms), now, &zoned);
            said.into_iter()
                .map(|h| (h.what, h.dice))
                .collect::<Vec<_>>()
        };
        follow(0, &lies, &table);
        let begins = follow(400, &lies, &table);
        assert_eq!(begins.len(), 1);
        assert_eq!(begins[0].1, [1], "the scout is where it belongs");
        table.dice[0].reading.status = Status::Hidden;
        assert!(follow(1500, &[], &table).is_empty());
        table.dice.remove(0);
        assert!(follow(1600, &[], &table).is_empty());
        assert_eq!(follow(2200, &[], &table).len(), 1);
    }

    #[test]
    fn of_what_the_rules_know_they_have_the_last_word() {
        assert!(told(&copy("dice-duel", ""), &["cargo"]).is_empty());
        assert_eq!(
            told(&copy("dice-duel", "means = \"\"\n"), &["cargo"]).len(),
            1
        );
    }
}
