//! Which sighting continues which track, over frames and cameras.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use pathfinding::prelude::{Matrix, kuhn_munkres};

use super::{
    Cover, DieSeen, Look, Table,
    pieces::PieceTrack,
    track::{Track, spot},
};
use crate::{
    copy::Status,
    geometry::{Quad, covered},
};

/// A die is looked for within so many sides of where it was.
const REACH: f64 = 1.0;
/// What a look of its own is worth in the assignment, in sides: neighbours that are shifted are told by it.
const LOOK: f64 = 0.35;
/// Two dice cannot stand nearer to each other than this, in sides.
const ROOM: f64 = 0.7;
/// Weights of the assignment are whole numbers.
const SCALE: f64 = 1000.0;

/// What a camera sees of the surfaces.
#[derive(Debug)]
struct Sees {
    surfaces: Vec<String>,
    covers: Vec<Cover>,
}

impl Sees {
    /// Whether nothing is before a part of a surface, millimetres of it, or before any of it where `None`.
    fn plainly(&self, surface: &str, part: Option<&Quad>) -> bool {
        let on = |c: &&Cover| c.surface.as_deref() == Some(surface);
        let over = |c: &Cover| match (&c.part, part) {
            (Some(a), Some(b)) => covered(&b.polygon(), &a.polygon()) > 0.0,
            _ => true,
        };
        self.surfaces.iter().any(|s| s == surface) && !self.covers.iter().filter(on).any(over)
    }
}

/// Agrees over frames and cameras on what lies where.
#[derive(Debug, Default)]
pub struct Tracker {
    tracks: Vec<Track>,
    pieces: Vec<PieceTrack>,
    next: u64,
    /// What each camera's newest frame saw and had covered; `None` for a camera that is lost.
    cameras: BTreeMap<String, Option<Sees>>,
    /// Miniatures that were surely seen since the table was cleared.
    met: BTreeSet<String>,
}

impl Tracker {
    /// A camera sends nothing any more: what it alone saw is `hidden` until it is back.
    pub fn lose(&mut self, camera: &str) {
        self.tracks.iter_mut().for_each(|t| t.lose(camera));
        self.pieces.iter_mut().for_each(|p| p.lose(camera));
        self.cameras.insert(camera.to_owned(), None);
    }

    /// Takes what one frame of one camera shows; returns the table as of that frame.
    pub fn add(&mut self, look: &Look) -> Table {
        let sees = Sees {
            surfaces: look.sees.clone(),
            covers: look.covers.clone(),
        };
        self.cameras.insert(look.camera.clone(), Some(sees));
        self.dice(look);
        self.pieces(look);
        self.table(look.at, look.frame)
    }

    /// Takes what a glance at some dice shows, and says nothing of all else; returns the table as of that frame.
    pub fn glance(&mut self, look: &Look) -> Table {
        let found = assign(&mut self.tracks, &look.camera, &look.dice);
        for (track, found) in self.tracks.iter_mut().zip(found) {
            if let Some(seen) = found.and_then(|i| look.dice.get(i)) {
                track.see(&look.camera, look.frame, look.at, seen);
            }
        }
        self.table(look.at, look.frame)
    }

    /// Nothing has changed since a camera's last frame: what it saw it sees still.
    pub fn rest(&mut self, camera: &str, at: Duration) {
        self.tracks.iter_mut().for_each(|t| t.rest(camera, at));
        self.pieces.iter_mut().for_each(|p| p.rest(camera, at));
    }

    /// What lies on the table for all that is known.
    pub fn table(&mut self, at: Duration, frame: u64) -> Table {
        Table {
            at,
            frame,
            dice: self.tracks.iter_mut().map(|t| t.die(at)).collect(),
            pieces: self.pieces.iter().map(PieceTrack::piece).collect(),
            covers: self.covers(),
            met: self.met.iter().cloned().collect(),
        }
    }

    /// What no camera sees: what one has covered, but for parts of surfaces that another sees plainly.
    fn covers(&self) -> Vec<Cover> {
        let all = self.cameras.values().flatten();
        let mut out = Vec::new();
        for (i, mine) in all.clone().enumerate() {
            let hidden = |c: &&Cover| {
                let mut others = all.clone().enumerate().filter(|(j, _)| *j != i);
                !c.surface.as_ref().is_some_and(|surface| {
                    others.any(|(_, other)| other.plainly(surface, c.part.as_ref()))
                })
            };
            out.extend(mine.covers.iter().filter(hidden).cloned());
        }
        out
    }

    fn dice(&mut self, look: &Look) {
        let found = assign(&mut self.tracks, &look.camera, &look.dice);
        let mut taken = vec![false; look.dice.len()];
        for (track, found) in self.tracks.iter_mut().zip(found) {
            let untouched = look.untouched.contains(&track.id);
            match found.and_then(|i| Some((look.dice.get(i)?, taken.get_mut(i)?))) {
                Some((seen, taken)) if untouched && track.is_off(&spot(&look.camera, seen)) => {
                    let apart = track.apart(&spot(&look.camera, seen));
                    *taken = apart.is_none_or(|apart| apart < ROOM);
                    track.stay(look);
                }
                Some((seen, taken)) => {
                    *taken = true;
                    if untouched {
                        track.is_as_it_was();
                    }
                    track.see(&look.camera, look.frame, look.at, seen);
                }
                None if untouched => track.stay(look),
                None => track.miss(look),
            }
        }
        for (seen, _) in look.dice.iter().zip(&taken).filter(|(_, t)| !**t) {
            self.next += 1;
            let (frame, at) = (look.frame, look.at);
            let track = Track::new(self.next, &look.camera, frame, at, seen);
            self.tracks.push(track);
        }
        self.tracks.retain(|t| t.remains(look.at));
        // where a die is found, none is hidden, and none lies that only looks as it did
        let seen: Vec<_> = self.tracks.iter().filter(|t| t.is_found()).collect();
        let seen: Vec<_> = seen.iter().map(|t| t.newest_spot().clone()).collect();
        self.tracks.retain(|t| {
            let here = t.newest_spot();
            let mut others = seen.iter().filter_map(|s| here.apart(s));
            t.is_found() || !others.any(|apart| apart < ROOM)
        });
    }

    fn pieces(&mut self, look: &Look) {
        let columns = look.pieces.len() + self.pieces.len();
        let mut found = vec![None; self.pieces.len()];
        if !look.pieces.is_empty() && !self.pieces.is_empty() {
            let weights = Matrix::from_fn(self.pieces.len(), columns, |(r, c)| {
                let (Some(track), Some(seen)) = (self.pieces.get(r), look.pieces.get(c)) else {
                    return 0_i64;
                };
                track.apart(&look.camera, seen).map_or(-1, |apart| {
                    // a miniature is the same however far it went
                    (SCALE * (1.0 / (1.0 + apart))) as i64 + 1
                })
            });
            let (_, chosen) = kuhn_munkres(&weights);
            for (r, c) in chosen.into_iter().enumerate() {
                if let Some(f) = found.get_mut(r)
                    && c < look.pieces.len()
                    && weights[(r, c)] > 0
                {
                    *f = Some(c);
                }
            }
        }
        let mut taken = vec![false; look.pieces.len()];
        for (track, found) in self.pieces.iter_mut().zip(found) {
            match found.and_then(|i| Some((look.pieces.get(i)?, taken.get_mut(i)?))) {
                Some((seen, taken)) => {
                    *taken = true;
                    track.see(&look.camera, look.frame, look.at, seen);
                }
                None => track.miss(look),
            }
        }
        for (seen, _) in look.pieces.iter().zip(&taken).filter(|(_, t)| !**t) {
            self.next += 1;
            let (frame, at) = (look.frame, look.at);
            let track = PieceTrack::new(self.next, &look.camera, frame, at, seen);
            self.pieces.push(track);
        }
        self.pieces.retain(|p| p.remains(look.at));
        // where one is seen, none of its size is hidden: a ship may stand on a token
        let seen: Vec<_> = self.pieces.iter().filter_map(PieceTrack::stands).collect();
        self.pieces.retain(|p| !seen.iter().any(|s| p.is_under(s)));
        let met = look
            .pieces
            .iter()
            .filter(|p| p.only && p.status == Status::Sure);
        self.met.extend(met.map(|p| p.what.clone()));
    }
}

/// Which sighting continues which track: the least total distance, by place first and look second.
fn assign(tracks: &mut [Track], camera: &str, dice: &[DieSeen]) -> Vec<Option<usize>> {
    if tracks.is_empty() || dice.is_empty() {
        return vec![None; tracks.len()];
    }
    let spots: Vec<_> = dice.iter().map(|s| spot(camera, s)).collect();
    let looks: Vec<_> = tracks.iter_mut().map(Track::looks_like).collect();
    let columns = dice.len() + tracks.len();
    let weights = Matrix::from_fn(tracks.len(), columns, |(r, c)| {
        let (Some(track), Some(seen), Some(here)) = (tracks.get(r), dice.get(c), spots.get(c))
        else {
            return 0_i64; // a column of its own: the track is not continued
        };
        let reading = &seen.sighting.reading;
        let same = looks
            .get(r)
            .is_some_and(|(kind, face)| (kind, face) == (&reading.kind, &reading.face));
        match track.apart(here) {
            Some(apart) if track.shape == seen.sighting.shape && apart < REACH => {
                let near = 1.0 - apart / REACH + if same { LOOK } else { 0.0 };
                (near * SCALE) as i64 + 1
            }
            _ => -1,
        }
    });
    let (_, chosen) = kuhn_munkres(&weights);
    chosen
        .iter()
        .enumerate()
        .map(|(r, &c)| (c < dice.len() && weights[(r, c)] > 0).then_some(c))
        .collect()
}

#[cfg(test)]
mod tests;
