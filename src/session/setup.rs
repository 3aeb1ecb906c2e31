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
    let symbol = |face: &str| -> Option<Symbol> {
        let (_, means) = copy.means(die.reading.kind.as_deref()?, face)?;
        means.parse().ok()
    };
    let (means, _) = copy.means(die.reading.kind.as_deref()?, die.reading.face.as_deref()?)?;
    let kind = means?.parse().ok();
    let best = symbol(die.reading.face.as_deref()?)?;
    let means = match die.status() {
        Status::Sure => Place::Known(Showing::Symbol(best)),
        Status::Unknown => return None,
        // a die that still rolls is not placed
        Status::Unsure if !die.settled => return None,
        // what a hand covers may have been turned or taken
        Status::Hidden => Place::Unknown,
        Status::Unsure => {
            let mut may: Vec<Showing> = vec![Showing::Symbol(best)];
            may.extend(
                die.reading
                    .next
                    .as_ref()
                    .and_then(|(face, _)| symbol(face))
                    .map(Showing::Symbol),
            );
            Place::OneOf(may)
        }
    };
    Some(DieSetup {
        at: Place::Known(Zone::Table),
        kind,
        means,
    })
}
