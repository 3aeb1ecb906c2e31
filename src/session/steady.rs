//! Calls as they are told: what a hand only passes over is not taken back and said again.

use std::time::Duration;

use super::TableCall;
use crate::rules::{Verdict, dice_duel::What};

/// How long something else has to be called before what was called is taken back for it. Twice what a hand takes that puts a die down beside
/// another.
const OTHER: Duration = Duration::from_millis(200);
/// How long it has to be unknown, as while a hand is over its place.
const OPEN: Duration = Duration::from_millis(1000);
/// How long nothing has to be called at all, as while a hand is over a die.
const GONE: Duration = Duration::from_millis(500);

/// What is told at present.
#[derive(Debug, Default)]
pub(super) struct Steady {
    told: Vec<Told>,
}

#[derive(Debug)]
struct Told {
    call: TableCall,
    since: Option<(Instead, Duration)>,
}

/// What the table says in place of what is told.
#[derive(Debug, PartialEq)]
enum Instead {
    Nothing,
    Unknown,
    Other(String),
}

/// Whether two calls are of one thing: that a die is another's, or shows something else, makes another call.
fn alike(a: &TableCall, b: &TableCall) -> bool {
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
        let mut before = std::mem::take(&mut self.told);
        for call in now {
            let same = before.iter().position(|told| alike(&told.call, &call));
            let told = match same.map(|i| before.swap_remove(i)) {
                Some(told) => told.or(at, call),
                None => Told { call, since: None },
            };
            self.told.push(told);
        }
        before.sort_by_key(|told| told.call.call.to_string());
        let still = before.into_iter().filter_map(|told| told.or_nothing(at));
        self.told.extend(still);
        self.told.iter().map(|told| told.call.clone()).collect()
    }

    /// Whatever is called next is told at once.
    pub fn clear(&mut self) {
        self.told.clear();
    }
}

impl Told {
    fn lasts(&mut self, at: Duration, instead: Instead, most: Duration) -> bool {
        // a clock that goes back counts from there
        let since = match self.since.take() {
            Some((before, since)) if before == instead && since <= at => since,
            _ => at,
        };
        self.since = Some((instead, since));
        at < since + most
    }

    /// What is told when the table says this.
    fn or(mut self, at: Duration, call: TableCall) -> Told {
        let text = call.call.short();
        if text == self.call.call.short() {
            return Told { call, since: None };
        }
        let (instead, most) = match (is_open(&self.call), is_open(&call)) {
            (false, true) => (Instead::Unknown, OPEN),
            (true, true) => (Instead::Unknown, Duration::ZERO),
            (_, false) => (Instead::Other(text), OTHER),
        };
        if self.lasts(at, instead, most) {
            return self;
        }
        Told { call, since: None }
    }

    fn or_nothing(mut self, at: Duration) -> Option<Told> {
        self.lasts(at, Instead::Nothing, GONE).then_some(self)
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
        assert_eq!(told(&seen)[10..], ["1", "0 to 2", "0 to 2", "0 to 2", "2"]);
    }
}
