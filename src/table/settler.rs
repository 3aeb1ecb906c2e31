use std::{collections::VecDeque, time::Duration};

use pathfinding::prelude::{Matrix, kuhn_munkres};

use super::{Die, Table};
use crate::{
    copy::{Shape, Status},
    geometry::Quad,
    vision::{Reading, Sighting},
};

/// Votes that are remembered.
const WINDOW: usize = 9;
/// A die counts as placed when it lay still for this many frames and this long.
const STILL_FRAMES: usize = 3;
const STILL_FOR: Duration = Duration::from_millis(250);
/// A placed die that is not seen is `hidden` for this long, and then gone.
const HIDDEN_FOR: Duration = Duration::from_millis(1500);
/// Moves smaller than this share of a face's side are jitter.
const JITTER: f64 = 0.2;

/// Agrees over frames on what lies where.
#[derive(Debug, Default)]
pub struct Settler {
    tracks: Vec<Track>,
    next: u64,
    /// Time of the last frame.
    at: Duration,
}

#[derive(Debug)]
struct Track {
    id: u64,
    shape: Shape,
    polygon: Quad,
    /// Where it was when it began to lie still: slow moves add up.
    anchor: Quad,
    votes: VecDeque<(f64, Reading)>,
    still_frames: usize,
    still_since: Duration,
    seen: Duration,
    last_sure: Option<(String, Reading)>,
    was_settled: bool,
}

impl Settler {
    /// Forgets what lies where. Numbers go on: what comes now is nothing that was there before.
    pub fn clear(&mut self) {
        self.tracks.clear();
    }

    /// Takes one frame's sightings; returns the table as of that frame.
    pub fn add(&mut self, at: Duration, sightings: &[Sighting]) -> Table {
        let before = self.at;
        let mut taken = vec![false; sightings.len()];
        let known: Vec<(Shape, Quad)> = self.tracks.iter().map(|t| (t.shape, t.polygon)).collect();
        for (track, found) in self.tracks.iter_mut().zip(assign_all(&known, sightings)) {
            if let Some(i) = found
                && let (Some(s), Some(t)) = (sightings.get(i), taken.get_mut(i))
            {
                *t = true;
                if track.seen < before {
                    // what a hand covered may have been turned or changed for another
                    track.unsettle(at);
                }
                track.see(at, s);
            }
        }
        self.at = at;
        for (s, _) in sightings.iter().zip(&taken).filter(|(_, t)| !**t) {
            self.next += 1;
            let mut track = Track {
                id: self.next,
                shape: s.shape,
                polygon: s.polygon,
                anchor: s.polygon,
                votes: VecDeque::new(),
                still_frames: 0,
                still_since: at,
                seen: at,
                last_sure: None,
                was_settled: false,
            };
            track.see(at, s);
            self.tracks.push(track);
        }
        self.tracks.retain(|t| {
            let missing = at.saturating_sub(t.seen);
            missing.is_zero() || (t.was_settled && missing < HIDDEN_FOR)
        });
        Table {
            at,
            dice: self.tracks.iter_mut().map(|t| t.die(at)).collect(),
        }
    }
}

/// Which sighting continues which track: the least total distance, none further than a face's side.
fn assign_all(tracks: &[(Shape, Quad)], sightings: &[Sighting]) -> Vec<Option<usize>> {
    if tracks.is_empty() || sightings.is_empty() {
        return vec![None; tracks.len()];
    }
    let columns = sightings.len() + tracks.len();
    const SCALE: f64 = 1000.0;
    let weights = Matrix::from_fn(tracks.len(), columns, |(r, c)| {
        let (Some((shape, polygon)), Some(s)) = (tracks.get(r), sightings.get(c)) else {
            return 0_i64; // a column of its own: the track is not continued
        };
        let reach = polygon.side().max(s.polygon.side());
        let distance = (polygon.centre() - s.polygon.centre()).norm() / reach.max(1.0);
        if *shape == s.shape && distance < 1.0 {
            ((1.0 - distance) * SCALE) as i64 + 1
        } else {
            -1
        }
    });
    let (_, chosen) = kuhn_munkres(&weights);
    chosen
        .iter()
        .enumerate()
        .map(|(r, &c)| (c < sightings.len() && weights[(r, c)] > 0).then_some(c))
        .collect()
}

impl Track {
    /// What was read and how long it lay still says nothing any more.
    fn unsettle(&mut self, at: Duration) {
        self.votes.clear();
        self.still_frames = 0;
        self.still_since = at;
        self.was_settled = false;
    }

    fn see(&mut self, at: Duration, s: &Sighting) {
        let moved = (self.anchor.centre() - s.polygon.centre()).norm();
        if moved > JITTER * self.anchor.side() {
            // it rolls, or somebody moves it
            self.unsettle(at);
            self.last_sure = None;
            self.anchor = s.polygon;
        }
        self.polygon = s.polygon;
        self.seen = at;
        self.still_frames += 1;
        self.votes.push_back((s.score, s.reading.clone()));
        if self.votes.len() > WINDOW {
            self.votes.pop_front();
        }
    }

    fn die(&mut self, at: Duration) -> Die {
        let hidden = self.seen < at;
        let settled = self.still_frames >= STILL_FRAMES
            && self.seen.saturating_sub(self.still_since) >= STILL_FOR;
        let mut reading = vote(&self.votes);
        if !settled && reading.status == Status::Sure {
            reading.status = Status::Unsure;
        }
        if hidden {
            reading.status = Status::Hidden;
        } else if reading.status == Status::Sure {
            self.last_sure = reading.face.clone().map(|f| (f, reading.clone()));
        }
        self.was_settled = settled;
        let last_sure = if reading.status == Status::Sure {
            None
        } else {
            self.last_sure.as_ref().map(|(face, _)| face.clone())
        };
        Die {
            id: self.id,
            shape: self.shape,
            polygon: self.polygon,
            reading,
            last_sure,
            settled,
        }
    }
}

/// The face with the greatest summed confidence. It is `sure` when most votes for it were sure, none
/// was sure of another, and the newest is for it.
fn vote(votes: &VecDeque<(f64, Reading)>) -> Reading {
    let mut sums: Vec<(Option<&str>, f64)> = Vec::new();
    for (_, r) in votes {
        let face = r.face.as_deref();
        match sums.iter_mut().find(|(f, _)| *f == face) {
            Some((_, sum)) => *sum += r.confidence,
            None => sums.push((face, r.confidence)),
        }
    }
    let Some(&(best, sum)) = sums.iter().max_by(|a, b| a.1.total_cmp(&b.1)) else {
        return Reading {
            kind: None,
            face: None,
            status: Status::Unknown,
            confidence: 0.0,
            likeness: -1.0,
            next: None,
            alike_after_deg: 360,
        };
    };
    let newest = votes
        .iter()
        .rev()
        .map(|(_, r)| r)
        .find(|r| r.face.as_deref() == best);
    let sure_for = votes
        .iter()
        .filter(|(_, r)| r.status == Status::Sure && r.face.as_deref() == best)
        .count();
    let sure_against = votes
        .iter()
        .any(|(_, r)| r.status == Status::Sure && r.face.as_deref() != best);
    let unknown = votes
        .iter()
        .filter(|(_, r)| r.status == Status::Unknown)
        .count();
    let newest_agrees = votes.back().is_some_and(|(_, r)| r.face.as_deref() == best);
    let status = if sure_for * 2 > votes.len() && !sure_against && newest_agrees {
        Status::Sure
    } else if unknown * 2 > votes.len() {
        Status::Unknown
    } else {
        Status::Unsure
    };
    let confidence = sum / votes.len().max(1) as f64;
    match newest {
        Some(r) => Reading {
            status,
            confidence,
            ..r.clone()
        },
        None => Reading {
            kind: None,
            face: None,
            status: Status::Unknown,
            confidence,
            likeness: -1.0,
            next: None,
            alike_after_deg: 360,
        },
    }
}

/// One still picture is all there is: every sighting counts as it was read.
pub fn snapshot(sightings: &[Sighting]) -> Table {
    let dice = sightings
        .iter()
        .zip(1..)
        .map(|(s, id)| Die {
            id,
            shape: s.shape,
            polygon: s.polygon,
            reading: s.reading.clone(),
            last_sure: None,
            settled: true,
        })
        .collect();
    Table {
        at: Duration::ZERO,
        dice,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(x: f64, face: &str, status: Status) -> Sighting {
        Sighting {
            shape: Shape::D6,
            score: 0.9,
            there: 0.95,
            polygon: Quad::from_pairs([[x, 0.0], [x + 40.0, 0.0], [x + 40.0, 40.0], [x, 40.0]]),
            reading: Reading {
                kind: Some("pip".into()),
                face: Some(face.into()),
                status,
                confidence: if status == Status::Sure { 0.995 } else { 0.6 },
                likeness: 0.9,
                next: None,
                alike_after_deg: 360,
            },
        }
    }

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn one_frame_is_no_evidence_and_three_are() {
        let mut s = Settler::default();
        let first = s.add(ms(0), &[seen(0.0, "4", Status::Sure)]);
        assert_eq!(first.dice[0].status(), Status::Unsure);
        s.add(ms(150), &[seen(0.5, "4", Status::Sure)]);
        let third = s.add(ms(300), &[seen(0.2, "4", Status::Sure)]);
        assert_eq!(third.dice[0].status(), Status::Sure);
        assert_eq!(third.dice[0].id, first.dice[0].id);
    }

    #[test]
    fn a_rolling_die_is_not_placed() {
        let mut s = Settler::default();
        for i in 0..8 {
            let t = s.add(ms(i * 100), &[seen(i as f64 * 25.0, "4", Status::Sure)]);
            assert_ne!(t.dice[0].status(), Status::Sure);
            assert!(!t.dice[0].settled);
        }
    }

    #[test]
    fn sure_votes_that_disagree_are_unsure() {
        let mut s = Settler::default();
        let mut last = Table::default();
        for i in 0..8 {
            last = s.add(
                ms(i * 100),
                &[seen(0.0, if i == 4 { "5" } else { "4" }, Status::Sure)],
            );
        }
        assert_eq!(last.dice[0].status(), Status::Unsure);
        assert_eq!(last.dice[0].reading.face.as_deref(), Some("4"));
    }

    #[test]
    fn a_covered_die_is_hidden_and_then_gone() {
        let mut s = Settler::default();
        for i in 0..5 {
            s.add(ms(i * 100), &[seen(0.0, "4", Status::Sure)]);
        }
        let covered = s.add(ms(600), &[]);
        assert_eq!(covered.dice[0].status(), Status::Hidden);
        assert_eq!(covered.dice[0].last_sure.as_deref(), Some("4"));
        assert!(s.add(ms(3000), &[]).dice.is_empty());
    }

    #[test]
    fn a_die_that_slides_slowly_is_not_placed() {
        let mut s = Settler::default();
        for i in 0..30 {
            let t = s.add(ms(i * 33), &[seen(i as f64 * 6.0, "4", Status::Sure)]);
            assert_ne!(t.dice[0].status(), Status::Sure, "frame {i}");
        }
    }

    #[test]
    fn what_was_covered_is_read_anew() {
        let mut s = Settler::default();
        for i in 0..10 {
            s.add(ms(i * 80), &[seen(0.0, "6", Status::Sure)]);
        }
        s.add(ms(880), &[]);
        for i in 12..20 {
            let t = s.add(ms(i * 80), &[seen(0.0, "5", Status::Unsure)]);
            assert_eq!(t.dice[0].status(), Status::Unsure, "frame {i}");
            assert_eq!(t.dice[0].reading.face.as_deref(), Some("5"));
        }
    }

    #[test]
    fn numbers_are_not_given_twice_after_clearing() {
        let mut s = Settler::default();
        let old = s.add(ms(0), &[seen(0.0, "6", Status::Sure)]).dice[0].id;
        s.clear();
        let new = s.add(ms(100), &[seen(0.0, "6", Status::Sure)]).dice[0].id;
        assert_ne!(old, new);
    }

    #[test]
    fn two_dice_that_lie_close_keep_their_numbers() {
        let mut s = Settler::default();
        let a = s.add(
            ms(0),
            &[seen(0.0, "4", Status::Sure), seen(42.0, "2", Status::Sure)],
        );
        let b = s.add(
            ms(100),
            &[seen(43.0, "2", Status::Sure), seen(1.0, "4", Status::Sure)],
        );
        let face = |t: &Table, id: u64| {
            t.dice
                .iter()
                .find(|d| d.id == id)
                .and_then(|d| d.reading.face.clone())
        };
        for d in &a.dice {
            assert_eq!(face(&b, d.id), d.reading.face);
        }
    }
}
