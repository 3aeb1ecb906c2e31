//! Sequences of actions, throws among them.
//!
//! `./run fuzz`, or `RUSTC_BOOTSTRAP=1 cargo fuzz run -s none diceland_actions`

#![no_main]

use libfuzzer_sys::fuzz_target;
use sightline::rules::diceland::{
    Action, ByPlayer, EXAMPLE_STATE, Knock, Landing, Player, Print, Setup, Stage, State, TableSetup,
};
use sightline_fuzz::{play, play_json, unwind};

fuzz_target!(|data: &[u8]| {
    let Some((first, rest)) = data.split_first() else {
        return;
    };
    let mut position = if first % 2 == 0 {
        match State::from_json(EXAMPLE_STATE.as_bytes()) {
            Ok(state) => state.judge().position,
            Err(_) => return,
        }
    } else {
        let print = Print::default();
        let armies = Print::sample_armies();
        let army = |n: u8| armies[usize::from(n) % armies.len()].dice.clone();
        let armies = ByPlayer {
            one: army(first / 2),
            two: army(first / 3),
        };
        let table = TableSetup {
            edge_mm: vec![[0.0, 0.0], [900.0, 0.0], [900.0, 600.0], [0.0, 600.0]],
            ..TableSetup::default()
        };
        Setup::start(&armies, table).resolve(&print).0
    };
    let start = position.clone();
    let mut changes = Vec::new();
    // Four bytes choose an action, and where a die lands.
    for four in rest.chunks_exact(4).take(60) {
        let [a, b, x, y] = [four[0], four[1], four[2], four[3]].map(usize::from);
        let legal = position.legal_actions();
        let throws = position.legal_throws();
        let landing = |kind: Option<&sightline::rules::diceland::DieKind>| {
            let face = kind?.faces.get(b % 8)?.id;
            Some(Landing {
                face,
                at_mm: [x as f64 * 3.6, y as f64 * 2.4],
                heading_deg: b as f64,
                error: None,
            })
        };
        let kind_of = |id| {
            let kind = position.die(id)?.kind().known()?;
            position.print().kind(*kind)
        };
        let opening = match position.flow().stage {
            Stage::Opening(player) => position.dice_of(player).next().map(|d| d.id()),
            _ => None,
        };
        let (action, must) = if let Some(die) = opening {
            let Some(spot) = landing(kind_of(die)) else {
                break;
            };
            let spot = Landing {
                at_mm: [450.0, 300.0],
                ..spot
            };
            (Action::Open { die, spot }, true)
        } else if a % 2 == 0 && !throws.is_empty() {
            let throw = throws[b % throws.len()];
            let lands = landing(kind_of(throw.flies()));
            // Half of the throws move another die, or knock it off.
            let mut others = position.dice().iter().filter(|d| d.is_in_play());
            let knocked = others.nth(x % 8).filter(|_| a % 4 == 0).map(|d| d.id());
            let knocks = knocked
                .map(|die| Knock {
                    die,
                    lands: landing(kind_of(die))
                        .filter(|_| y % 3 > 0)
                        .map(|spot| Landing {
                            at_mm: [y as f64 * 3.6, x as f64 * 2.4],
                            ..spot
                        }),
                })
                .into_iter()
                .collect();
            (
                Action::Throw {
                    throw,
                    lands,
                    knocks,
                },
                false,
            )
        } else if !legal.is_empty() {
            (legal[b % legal.len()].clone(), true)
        } else {
            break;
        };
        changes.extend(play(&mut position, &action, must));
        let _ = Player::BOTH.map(|p| position.army(p));
    }
    changes.extend(play_json(&mut position, rest));
    unwind(position, &changes, &start);
});
