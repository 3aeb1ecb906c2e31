//! Every noun can be written and read again, so that tests, files and people use one set of
//! words.

// A test that cannot go on should stop at the line that says why.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fmt::{Debug, Display};
use std::str::FromStr;

use super::support::{self, Rng, blur, choose, correction, position, table};
use sightline::rules::dice_duel::*;
use sightline::rules::{Game, Odds, OddsSpan, Place, Span, Verdict};

fn both_ways<T>(all: impl IntoIterator<Item = T>)
where
    T: Display + FromStr + PartialEq + Debug,
    T::Err: Debug,
{
    let mut texts = std::collections::BTreeSet::new();
    let mut n = 0;
    for noun in all {
        let text = noun.to_string();
        assert_eq!(text.parse::<T>().unwrap(), noun, "{text:?}");
        assert!(!text.is_empty());
        texts.insert(text);
        n += 1;
    }
    assert_eq!(texts.len(), n, "two things with one name");
}

fn refuses<T: FromStr + Debug>(words: &[&str])
where
    T::Err: Display,
{
    for word in words {
        let error = word.parse::<T>().expect_err(word).to_string();
        assert!(!error.is_empty());
    }
}

#[test]
fn small_nouns_are_written_and_read() {
    both_ways(Facing::ALL);
    both_ways(Half::ALL);
    both_ways(Station::ALL);
    both_ways(Side::ALL);
    both_ways(Tube::all());
    both_ways(Sector::ALL);
    both_ways(HelmSlot::ALL);
    both_ways(DieKind::ALL);
    both_ways(Part::ALL);
    both_ways(Symbol::ALL);
    both_ways(Spot::all());
    both_ways(Terrain::ALL);
    both_ways(Turn::ALL);
    both_ways([Freeze::Fire, Freeze::Tractor, Freeze::Warp]);
    both_ways([Lineup::Duel, Lineup::TwoASide, Lineup::FreeForAll]);
    both_ways([ArcEdge::QuadrantInclusive, ArcEdge::QuadrantExclusive]);
    both_ways([EdgeMove::WholeDieStays, EdgeMove::Clip]);
    both_ways([Showing::Nothing, Showing::Symbol(Symbol::Lock1)]);
    both_ways([
        TokenKind::Ground(Terrain::Asteroid),
        TokenKind::Mine,
        TokenKind::Crystal,
        TokenKind::Nothing,
    ]);
    both_ways([
        Verdict::Hit,
        Verdict::Miss,
        Verdict::May,
        Verdict::Must,
        Verdict::Cannot,
        Verdict::Unsure,
    ]);
    let half = Odds::new(1, 2).unwrap();
    both_ways([Odds::NEVER, half, Odds::CERTAIN]);
    both_ways([
        OddsSpan::known(half),
        OddsSpan {
            min: Odds::NEVER,
            max: half,
        },
    ]);
    both_ways([Span::known(3), Span::between(0, 2)]);
    // A game is chosen by its name and shown by its title.
    for game in Game::ALL {
        assert_eq!(game.name().parse::<Game>().ok(), Some(*game));
    }
}

#[test]
fn nouns_made_of_nouns_are_written_and_read() {
    let (white, black) = (ShipId::WHITE, ShipId::BLACK);
    let third: ShipId = "red-3".parse().unwrap();
    let square = Square::new(3, 4);
    both_ways([white, black, third]);
    both_ways([square, Square::new(0, 0), Square::new(-1, 63)]);
    both_ways([
        Placement::new(square, Facing::W),
        Placement {
            half: Half::At(Facing::S),
            ..Placement::new(square, Facing::W)
        },
    ]);
    let zones = [
        Zone::Display(white, Station::Helm),
        Zone::Damage(white, None),
        Zone::Damage(white, Some(4)),
        Zone::Crystals(black),
        Zone::Beside(black),
        Zone::Ship(third),
        Zone::Board(square),
        Zone::Map,
        Zone::UsedCrystals,
        Zone::Table,
    ];
    both_ways(
        zones
            .into_iter()
            .chain(Spot::all().map(|s| Zone::On(third, s))),
    );
    both_ways([
        Faces::one(Symbol::Lock1),
        Faces::ABSENT,
        Faces::NONE,
        DieKind::Weapon.symbols().or_absent(),
    ]);
    both_ways([DiceBox::of(Symbol::Lock2), "-|L1 L1|L2 L2".parse().unwrap()]);
    let mut all = Sectors::NONE;
    for sector in Sector::ALL {
        all = all.union(Sectors::one(sector));
    }
    both_ways([Sectors::NONE, Sectors::one(Sector::Back), all]);
    both_ways([Target::Ship(black), Target::Mine(square)]);
    both_ways([Claim {
        ship: black,
        freeze: Freeze::Warp,
    }]);
    both_ways([
        Owed::Damage { ship: white },
        Owed::Discard {
            ship: black,
            station: Station::Sensors,
            dice: 2,
        },
    ]);
    both_ways([
        Damage::default(),
        Damage {
            dice: Span::between(0, 2),
            crystals: Span::known(1),
        },
    ]);
    let tube: Tube = "front-1".parse().unwrap();
    both_ways([
        Missing::Lock(Span::known(2)),
        Missing::Lock(Span::between(1, 2)),
        Missing::Part(tube, Part::Body),
        Missing::Turn(Turn::Right, Side::Front),
        Missing::OffDiagonal,
        Missing::Direction,
        Missing::ClearLine,
        Missing::Strength(Span::known(1)),
        Missing::HelmDice(1),
        Missing::HelmDice(2),
        Missing::Crystals(1),
        Missing::Crystals(2),
        Missing::ArmedMine,
        Missing::DamageDie,
    ]);
    let launch = Launch {
        shooter: white,
        target: black,
        tubes: vec![tube, "rear-2".parse().unwrap()],
        sectors: vec![Sector::Front, Sector::Left],
        chosen: false,
        blasts: Vec::new(),
    };
    let decided = Launch {
        sectors: vec![Sector::Left],
        chosen: true,
        blasts: vec![0],
        ..launch.clone()
    };
    both_ways([launch.clone(), decided]);
    let warp = Warp {
        ship: white,
        rolled: vec![3, 5],
        to_roll: true,
    };
    let first = Warp {
        rolled: Vec::new(),
        ..warp.clone()
    };
    both_ways([warp.clone(), first]);
    let fire = Claim {
        ship: white,
        freeze: Freeze::Fire,
    };
    both_ways([
        Flow::default(),
        Flow {
            moving: vec![white, third],
            ..Flow::default()
        },
        Flow {
            stop: Some(fire),
            next: Some(Claim {
                ship: black,
                freeze: Freeze::Fire,
            }),
            launch: Some(launch),
            warp: Some(warp),
            returning: true,
            owed: vec![Owed::Damage { ship: black }; 2],
            ..Flow::default()
        },
    ]);
}

#[test]
fn what_is_no_noun_is_refused_with_what_to_write() {
    refuses::<Facing>(&["", "north", "NE"]);
    refuses::<ShipId>(&["", "White", "1st", "flow", "used", "corrected", "board"]);
    refuses::<Square>(&["", "[1]", "3,4", "[70000,1]"]);
    refuses::<Owed>(&[
        "white",
        "white takes 2 dice",
        "white takes x dice off shields",
    ]);
    refuses::<Flow>(&["nonsense", "stopped by white", "launch white at black"]);
    refuses::<What>(&["", "white", "white: dance", "white: fire x at black"]);
    refuses::<Turn>(&["right"]);
    refuses::<Missing>(&["", "more lock", "one arm die in front-1", "2 more of it"]);
    refuses::<Action>(&[
        "",
        "white",
        "white: dances",
        "white: fire 1 at black",
        "white: fire 1 at black (front-9)",
        "white: L1 on",
        "jumps to square 3, coming in by the X edge",
        "corrected: white",
        "corrected: used x",
    ]);
    refuses::<Damage>(&["", "2 crystals", "x dice"]);
    refuses::<DiceBox>(&["L1 L1 L1 L1 L1 L1 L1 L1 L1", "L9"]);
    refuses::<Setup>(&["die white.sensors.lock L1", "hidden here", "token x: mine"]);
}

/// Actions and calls of random games, and what a person may say.
#[test]
fn actions_corrections_and_calls_are_written_and_read() {
    let mut kinds = std::collections::HashSet::new();
    for seed in 0..60 {
        let mut rng = Rng(seed);
        let mut position = position(seed);
        for _ in 0..20 {
            for action in position.legal_actions() {
                let text = action.to_string();
                assert_eq!(text.parse::<Action>().as_ref(), Ok(&action), "{text}");
                kinds.insert(std::mem::discriminant(&action));
            }
            let told = Action::Correct(correction(&mut rng, &position));
            let text = told.to_string();
            assert_eq!(text.parse::<Action>().as_ref(), Ok(&told), "{text}");
            for call in position.calls() {
                let text = call.what.to_string();
                assert_eq!(text.parse::<What>(), Ok(call.what), "{text}");
                for missing in call.missing {
                    assert_eq!(missing.to_string().parse(), Ok(missing));
                }
            }
            let Some(action) = choose(&mut rng, &position) else {
                break;
            };
            position = position.play(&action).unwrap().0;
        }
    }
    assert!(kinds.len() >= 20, "only {} kinds of actions", kinds.len());
}

/// Claims are written as they are, not as what becomes of them.
#[test]
fn claims_are_written_and_read() {
    for seed in 0..200 {
        let mut rng = Rng(seed);
        let print = support::print(&mut rng);
        let mut setup = table(&mut rng, &print);
        blur(&mut rng, &mut setup, 6);
        if rng.chance(30) {
            setup.hidden.push("black.shields".parse().unwrap());
            setup.dice.push(DieSetup {
                at: Place::Unknown,
                kind: None,
                means: Place::Unknown,
            });
        }
        // As a file would give it: one of one is that one.
        let setup: Setup = serde_json::from_str(&serde_json::to_string(&setup).unwrap()).unwrap();
        let text = setup.to_string();
        let again: Setup = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(again, setup, "{text}");
        assert_eq!(again.resolve(&print), setup.resolve(&print));
    }
}
