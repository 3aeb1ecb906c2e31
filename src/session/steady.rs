//! Calls as they are told: what a hand only passes over is not taken back and said again.

use std::time::Duration;

use super::TableCall;
use crate::rules::{Verdict, dice_duel::What};

/// How long something else has to be called before what was called is taken back for it: so that a die on its way past a place is no change
/// there.
const OTHER: Duration = Duration::from_millis(200);
/// How long it has to be unknown, as while a hand is over its place; for no longer is anything told that the table does not say, whatever it
/// says instead.
const OPEN: Duration = Duration::from_millis(1000);
/// How long nothing has to be called at all, as while a hand is over a die.
const GONE: Duration = Duration::from_millis(500);

/// What is told at present.
#[derive(Debug, Default)]
pub(super) struct Steady {
    held: Vec<Held>,
    /// When it was last asked.
    at: Duration,
}

/// A call that is told.
#[derive(Debug)]
struct Held {
    call: TableCall,
    /// What the table says in place of it, and since when.
    since: Option<(Instead, Duration)>,
    /// For how long it has not been said, less for how long it was said again.
    unsaid: Duration,
}

/// What the table says in place of what is told.
#[derive(Debug, PartialEq)]
enum Instead {
    Nothing,
    Unknown,
    Other(String),
}

/// Whether two calls are of one thing: of another die it is another's.
fn of_one_thing(a: &TableCall, b: &TableCall) -> bool {
    match (a.call.what, b.call.what) {
        (What::Energy { .. }, What::Energy { .. }) => a.dice == b.dice,
        (a, b) => a == b,
    }
}

/// Whether it waits for what is not known.
fn is_open(TableCall { call, .. }: &TableCall) -> bool {
    let counted = call.numbers.dice.is_none_or(|n| n.value().is_some());
    call.verdict == Verdict::Unsure || !call.unsure_on.is_empty() || !counted
}

impl Steady {
    /// What is told at a time, on the source's clock, when the table says `now`; in its order, and what it no longer says last.
    pub fn tell(&mut self, at: Duration, now: Vec<TableCall>) -> Vec<TableCall> {
        let passed = at.saturating_sub(self.at);
        self.at = at;
        let mut before = std::mem::take(&mut self.held);
        for call in now {
            let same = before.iter().position(|h| of_one_thing(&h.call, &call));
            self.held.push(match same.map(|i| before.swap_remove(i)) {
                Some(held) => held.or(at, passed, call),
                None => Held::new(call),
            });
        }
        before.sort_by_key(|held| held.call.call.to_string());
        let still = before.into_iter();
        let still = still.filter_map(|held| held.or_nothing(at, passed));
        self.held.extend(still);
        self.held.iter().map(|held| held.call.clone()).collect()
    }

    /// Whether anything is told that the table does not say.
    pub fn holds_on(&self) -> bool {
        self.held.iter().any(|held| held.since.is_some())
    }

    /// Whatever is called next is told at once.
    pub fn clear(&mut self) {
        self.held.clear();
    }
}

impl Held {
    fn new(call: TableCall) -> Self {
        Self {
            call,
            since: None,
            unsaid: Duration::ZERO,
        }
    }

    /// Whether it is told still though the table says something else, which is enough after `most`.
    fn lasts(&mut self, at: Duration, passed: Duration, instead: Instead, most: Duration) -> bool {
        // a clock that goes back counts from there
        let since = match self.since.take() {
            Some((before, since)) if before == instead && since <= at => since,
            _ => at,
        };
        self.since = Some((instead, since));
        // what was said between two frames that are far apart nobody knows
        self.unsaid += passed.min(OTHER);
        at < since + most && self.unsaid < OPEN
    }

    /// What is told when the table says this.
    fn or(mut self, at: Duration, passed: Duration, call: TableCall) -> Self {
        let text = call.call.short();
        if text == self.call.call.short() {
            let unsaid = self.unsaid.saturating_sub(passed);
            return Self {
                unsaid,
                ..Self::new(call)
            };
        }
        let (instead, most) = match (is_open(&self.call), is_open(&call)) {
            (false, true) => (Instead::Unknown, OPEN),
            (true, true) => (Instead::Unknown, Duration::ZERO),
            (_, false) => (Instead::Other(text), OTHER),
        };
        if self.lasts(at, passed, instead, most) {
            return self;
        }
        Self::new(call)
    }

    fn or_nothing(mut self, at: Duration, passed: Duration) -> Option<Self> {
        self.lasts(at, passed, Instead::Nothing, GONE)
            .then_some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{
        Span,
        dice_duel::{Call, ShipId, Station},
    };

    /// White's sensors roll so many dice.
    fn rolls(min: u16, max: u16) -> Vec<TableCall> {
        let what = What::Roll {
            ship: ShipId::WHITE,
            station: Station::Sensors,
        };
        let mut call = Call::new(what, Verdict::May);
        call.numbers.dice = Some(Span::between(min, max));
        let dice = Vec::new();
        vec![TableCall { call, dice }]
    }

    /// What is told of them at each tenth of a second.
    fn told(all: &[Vec<TableCall>]) -> Vec<String> {
        let mut steady = Steady::default();
        let each = (0..).zip(all).map(|(i, now)| {
            let told = steady.tell(Duration::from_millis(100 * i), now.clone());
            let numbers = told.iter().filter_map(|c| c.call.numbers.dice);
            numbers.map(|n| n.to_string()).collect::<Vec<_>>().join(" ")
        });
        each.collect()
    }

    #[test]
    fn what_a_hand_passes_over_is_called_on() {
        let [one, two, open, none] = [rolls(1, 1), rolls(2, 2), rolls(0, 2), vec![]];
        let seen = [&one, &open, &open, &none, &two, &one];
        let seen: Vec<_> = seen.map(Clone::clone).into();
        assert_eq!(told(&seen), ["1"; 6]);
    }

    #[test]
    fn what_changes_is_told_after_a_moment_and_what_is_gone_or_unknown_is_too() {
        let [one, two, open, none] = [rolls(1, 1), rolls(2, 2), rolls(0, 2), vec![]];
        let mut seen = vec![one.clone()];
        seen.extend(vec![two.clone(); 3]);
        assert_eq!(told(&seen), ["1", "1", "1", "2"]);
        let mut seen = vec![one.clone()];
        seen.extend(vec![none; 6]);
        assert_eq!(told(&seen)[5..], ["1", ""]);
        let mut seen = vec![one];
        seen.extend(vec![open; 11]);
        seen.extend(vec![two; 3]);
        let last = ["1", "0 to 2", "0 to 2", "0 to 2", "0 to 2", "2"];
        assert_eq!(told(&seen)[9..], last);
    }

    /// Whatever the table says, and however often that changes: what it no longer says is told no longer than a second.
    #[test]
    fn what_is_not_said_is_not_told_for_ever() {
        let [one, two, three, open, none] =
            [rolls(1, 1), rolls(2, 2), rolls(3, 3), rolls(0, 2), vec![]];
        for other in [
            vec![&two, &three],
            vec![&two, &open],
            vec![&none, &open],
            vec![&two, &none, &three],
            vec![&two, &two, &two, &two, &two, &two, &two, &two, &one],
        ] {
            let mut seen = vec![one.clone()];
            seen.extend(other.iter().cycle().take(20).map(|c| (*c).clone()));
            let told = told(&seen);
            assert_eq!(told[1], "1");
            assert!(told[10..].iter().any(|t| t != "1"), "{told:?}");
        }
    }

    #[test]
    fn it_is_known_whether_anything_is_told_that_the_table_does_not_say() {
        let mut steady = Steady::default();
        steady.tell(Duration::ZERO, rolls(1, 1));
        assert!(!steady.holds_on());
        steady.tell(Duration::from_millis(100), rolls(2, 2));
        assert!(steady.holds_on());
        steady.clear();
        let told = steady.tell(Duration::from_millis(100), rolls(2, 2));
        assert_eq!(told, rolls(2, 2));
        assert!(!steady.holds_on());
    }
}
