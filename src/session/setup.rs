//! The table in the rules' words, through the copy's symbol map.

use crate::{
    copy::{Copy, Status},
    rules::{
        Place,
        dice_duel::{DieSetup, Setup, Showing, Symbol, Zone},
    },
    table::{Die, Table},
};

/// Dice on the bare table, as claims. A die that is not of this copy claims nothing.
pub(super) fn from_table(table: &Table, copy: &Copy) -> Setup {
    let mut setup = Setup::default();
    setup
        .dice
        .extend(table.dice.iter().filter_map(|die| claim(die, copy)));
    setup
}

fn claim(die: &Die, copy: &Copy) -> Option<DieSetup> {
    let symbol = |kind: &str, face: &str| -> Option<Symbol> {
        let (_, means) = copy.means(kind, face)?;
        means.parse().ok()
    };
    let (means, _) = copy.means(die.reading.kind.as_deref()?, die.reading.face.as_deref()?)?;
    let mut kind = means?.parse().ok();
    let best = symbol(die.reading.kind.as_deref()?, die.reading.face.as_deref()?)?;
    let means = match die.status() {
        Status::Sure => Place::Known(Showing::Symbol(best)),
        Status::Unknown => return None,
        // a die that still rolls is not placed
        Status::Unsure if !die.settled => return None,
        // what a hand covers may have been turned or taken
        Status::Hidden => Place::Unknown,
        Status::Unsure => {
            let next = die.reading.next.as_ref();
            if next.is_some_and(|n| Some(&n.kind) != die.reading.kind.as_ref()) {
                kind = None;
            }
            // one symbol alone would be as good as known
            match next.and_then(|n| symbol(&n.kind, &n.face)) {
                Some(other) if other != best => {
                    Place::OneOf(vec![Showing::Symbol(best), Showing::Symbol(other)])
                }
                _ => Place::Unknown,
            }
        }
    };
    Some(DieSetup {
        at: Place::Known(Zone::Table),
        kind,
        means,
    })
}
