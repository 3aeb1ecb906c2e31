//! A person's word on a place: it stands until the table, uncovered and still, shows something else there than it
//! did when the word was given.

use std::time::Duration;

use super::{
    happening::{Happened, Happening},
    state::ByHand,
};
use crate::{
    copy::Status,
    rules::{
        Place,
        dice_duel::{Action, Correction, Half, Position, Problem, Zone},
    },
    session::{Evidence, scene::Scene},
};

/// How long the table has to show something else.
const ELSE_FOR: Duration = Duration::from_millis(500);

/// What the table shows of a place.
type Picture = Vec<(Option<String>, Option<String>)>;

#[derive(Debug, Clone)]
struct Word {
    correction: Correction,
    zone: Zone,
    /// What the table showed when the word was given; `None` until the place can be seen.
    picture: Option<Picture>,
    else_since: Option<Duration>,
}

/// What people have said.
#[derive(Debug, Clone, Default)]
pub(super) struct Words {
    words: Vec<Word>,
}

/// The place a correction is about; none for where the game stands.
pub(super) fn zone(correction: &Correction) -> Option<Zone> {
    Some(match correction {
        Correction::Dice { ship, spot, .. } => Zone::On(*ship, *spot),
        Correction::Stand { ship, .. } => Zone::Ship(*ship),
        Correction::Cell { square, .. } => Zone::Board(*square),
        Correction::Crystals { ship, .. } => Zone::Crystals(*ship),
        Correction::Mines { ship, .. } => {
            Zone::Display(*ship, crate::rules::dice_duel::Station::Tractor)
        }
        Correction::Damage { ship, .. } => Zone::Damage(*ship, None),
        Correction::Used { .. } => Zone::UsedCrystals,
        Correction::Flow(_) => return None,
    })
}

fn within(zone: Zone, place: Zone) -> bool {
    match place {
        Zone::Damage(ship, None) => matches!(zone, Zone::Damage(s, _) if s == ship),
        other => zone == other,
    }
}

/// What the table shows of a place now; `None` while anything there is hidden, moves, or is on its way. Of readings
/// that are not sure only the number of dice counts: a shadow changes a guess.
fn picture(scene: &Scene, place: Zone) -> Option<Picture> {
    let here = |at: Option<&Zone>| at.is_some_and(|z| within(*z, place));
    if scene.hidden.iter().any(|z| within(*z, place)) || scene.hides(place) {
        return None;
    }
    let mut picture = Picture::new();
    for die in scene.dice.iter().filter(|d| here(d.at.known())) {
        if !die.settled || die.status == Status::Hidden {
            return None;
        }
        let word = |s: Option<String>| s.filter(|_| die.status == Status::Sure);
        picture.push((
            word(die.kind.map(|k| k.to_string())),
            word(die.shows.map(|s| s.to_string())),
        ));
    }
    for token in scene.tokens.iter().flatten() {
        if here(Some(&token.claim.at)) {
            let kind = token.claim.kind.known();
            picture.push((kind.map(ToString::to_string), None));
        }
    }
    if let Zone::Ship(id) = place {
        let ship = scene.ships.iter().find(|s| s.ship == id)?;
        let facing = ship.claim.facing.known();
        let square = ship.claim.square.known()?;
        picture.push((Some(square.to_string()), facing.map(ToString::to_string)));
    }
    picture.sort();
    Some(picture)
}

/// Whether two pictures of a place differ: in how many things lie there, or in what is surely read in both.
fn differ(was: &Picture, now: &Picture) -> bool {
    if was.len() != now.len() {
        return true;
    }
    let mut left: Picture = was.clone();
    for one in now {
        let same = left.iter().position(|w| w == one);
        let Some(at) = same.or_else(|| {
            let alike =
                |a: &Option<String>, b: &Option<String>| a.is_none() || b.is_none() || a == b;
            left.iter()
                .position(|w| alike(&w.0, &one.0) && alike(&w.1, &one.1))
        }) else {
            return true;
        };
        left.remove(at);
    }
    false
}

/// How much of a picture is surely read.
fn told(picture: &Picture) -> usize {
    let told = |(a, b): &(Option<String>, Option<String>)| [a, b].map(|w| usize::from(w.is_some()));
    picture.iter().flat_map(told).sum()
}

/// What a person said of a place.
fn in_words(correction: &Correction) -> String {
    match correction {
        Correction::Dice { dice, .. } if dice.is_empty() => format!("{correction} nothing"),
        Correction::Stand {
            ship,
            square: Place::Known(square),
            facing: Place::Known(facing),
            half,
        } => match half.known() {
            Some(half) if *half != Half::Whole => {
                format!("{ship} stands on {square} facing {facing}, in its half {half}")
            }
            _ => format!("{ship} stands on {square} facing {facing}"),
        },
        Correction::Damage { ship, damage } => match damage.dice.value() {
            Some(1) => format!("{ship}: one energy die of damage"),
            Some(n) => format!("{ship}: {n} energy dice of damage"),
            None => correction.to_string(),
        },
        _ => correction.to_string(),
    }
}

/// What of a place for dice was taken to lie there, as well as it is known.
fn was_read(scene: &Scene, zone: Zone) -> String {
    let dice: Vec<String> = scene
        .dice_in(zone)
        .map(|d| match d.shows {
            Some(shows) if d.status == Status::Sure => shows.to_string(),
            Some(shows) => format!("perhaps {shows}"),
            None => "a die".to_owned(),
        })
        .collect();
    match dice.as_slice() {
        [] => "nothing".to_owned(),
        some => some.join(", "),
    }
}

impl Words {
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub fn clear(&mut self) {
        self.words.clear();
    }

    pub fn by_hand(&self) -> impl Iterator<Item = ByHand> {
        self.words.iter().map(|w| ByHand {
            at: w.zone,
            text: in_words(&w.correction),
            dice: match &w.correction {
                Correction::Dice { dice, .. } => {
                    Some(dice.iter().map(ToString::to_string).collect())
                }
                _ => None,
            },
        })
    }

    /// Takes a person's word on a place; the last one counts.
    pub fn give(&mut self, scene: &Scene, correction: &Correction) -> Option<Happening> {
        let zone = zone(correction)?;
        self.words.retain(|w| w.zone != zone);
        self.words.push(Word {
            correction: correction.clone(),
            zone,
            picture: picture(scene, zone),
            else_since: None,
        });
        let evidence = scene.dice_in(zone).map(|d| d.evidence).next();
        let evidence = evidence.unwrap_or_else(|| Evidence::of(scene.frame, []));
        let what = Happened::Corrected { at: zone };
        let mut told = format!("corrected: {}", in_words(correction));
        if matches!(correction, Correction::Dice { .. }) {
            told += &format!(" (read: {})", was_read(scene, zone));
        }
        Some(Happening::new(scene.at, what, evidence).told(told))
    }

    /// Ends the words that the table contradicts.
    pub fn follow(&mut self, scene: &Scene) -> Vec<Happening> {
        let mut out = Vec::new();
        self.words.retain_mut(|word| {
            let Some(now) = picture(scene, word.zone) else {
                word.else_since = None;
                return true;
            };
            let was = word.picture.get_or_insert_with(|| now.clone());
            if !differ(was, &now) {
                word.else_since = None;
                // what could not be read then is what it was held against from now on
                if told(&now) > told(was) {
                    *was = now;
                }
                return true;
            }
            let since = *word.else_since.get_or_insert(scene.at);
            let ends = scene.at >= since + ELSE_FOR;
            if ends {
                let what = Happened::CorrectionEnds { at: word.zone };
                let evidence = Evidence::of(scene.frame, []);
                out.push(Happening::new(scene.at, what, evidence));
            }
            !ends
        });
        out
    }

    /// Puts what people said into a position, and strikes out what was wrong there.
    pub fn apply(&self, position: &mut Position, problems: &mut Vec<Problem>) {
        for word in &self.words {
            let said = Action::Correct(word.correction.clone());
            if position.act(&said).is_ok() {
                problems.retain(|p| p.at != word.zone);
            }
        }
    }
}
