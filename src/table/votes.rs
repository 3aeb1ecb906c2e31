//! What several readings of one die agree on.

use std::collections::VecDeque;

use crate::{
    copy::Status,
    vision::{Next, Reading},
};

/// Votes that are remembered of each camera.
const WINDOW: usize = 9;
/// What was sure stays so while no more than this share of the weight is surely against it.
const FLICKER: f64 = 0.25;

/// Readings of one die that lay still, newest last, each with its weight.
#[derive(Debug, Clone, Default)]
pub(super) struct Votes {
    cast: VecDeque<(f64, Reading)>,
    /// The face that is held to be sure: it takes more to shake it than it took to find it.
    held: Option<Held>,
}

#[derive(Debug, Clone, PartialEq)]
struct Held {
    kind: Option<String>,
    face: Option<String>,
}

impl Held {
    fn of(reading: &Reading) -> Self {
        Self {
            kind: reading.kind.clone(),
            face: reading.face.clone(),
        }
    }

    fn is(&self, reading: &Reading) -> bool {
        self.kind == reading.kind && self.face == reading.face
    }
}

/// Of a die that nobody has read.
fn unread(confidence: f64) -> Reading {
    Reading {
        kind: None,
        face: None,
        status: Status::Unknown,
        confidence,
        kind_sure: false,
        likeness: -1.0,
        next: None,
        others: Vec::new(),
        alike_after_deg: 360,
    }
}

impl Votes {
    pub fn clear(&mut self) {
        self.cast.clear();
        self.held = None;
    }

    pub fn cast(&mut self, weight: f64, reading: Reading, cameras: usize) {
        self.cast.push_back((weight.max(1e-6), reading));
        while self.cast.len() > WINDOW * cameras.max(1) {
            self.cast.pop_front();
        }
    }

    /// The face with the greatest summed confidence. It is `sure` when most of the weight was sure of it, none
    /// was sure of another, and the newest is for it; once it was, a little that is against it does not count.
    pub fn result(&mut self) -> Reading {
        let held = self.held.take();
        let reading = self.counted(held.as_ref());
        if reading.status == Status::Sure {
            self.held = Some(Held::of(&reading));
        }
        reading
    }

    /// The faces to which votes give a chance beside the best one, each with the mean of what all of them give it, likeliest first: what
    /// one look has next to nothing of another may be sure of.
    fn beside(&self, best: &Held, total: f64) -> Vec<Next> {
        let is = |n: &Next, kind: &str, face: &str| n.kind == kind && n.face == face;
        let mut sums: Vec<Next> = Vec::new();
        for (weight, r) in &self.cast {
            let own = r.kind.as_deref().zip(r.face.as_deref());
            let own = own.map(|(kind, face)| (kind, face, r.confidence));
            let rest = r.next.iter().chain(&r.others);
            let rest = rest.map(|n| (n.kind.as_str(), n.face.as_str(), n.confidence));
            for (kind, face, chance) in own.into_iter().chain(rest) {
                if best.kind.as_deref() == Some(kind) && best.face.as_deref() == Some(face) {
                    continue;
                }
                match sums.iter_mut().find(|n| is(n, kind, face)) {
                    Some(n) => n.confidence += weight * chance / total,
                    None => sums.push(Next {
                        kind: kind.to_owned(),
                        face: face.to_owned(),
                        confidence: weight * chance / total,
                    }),
                }
            }
        }
        sums.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
        sums
    }

    fn counted(&self, held: Option<&Held>) -> Reading {
        let mut sums: Vec<(Held, f64)> = Vec::new();
        let mut total = 0.0;
        for (weight, r) in &self.cast {
            total += weight;
            match sums.iter_mut().find(|(h, _)| h.is(r)) {
                Some((_, sum)) => *sum += weight * r.confidence,
                None => sums.push((Held::of(r), weight * r.confidence)),
            }
        }
        let Some((best, sum)) = sums.iter().max_by(|a, b| a.1.total_cmp(&b.1)) else {
            return unread(0.0);
        };
        let weighed = |f: &dyn Fn(&Reading) -> bool| -> f64 {
            let cast = self.cast.iter().filter(|(_, r)| f(r));
            cast.map(|(w, _)| w).sum()
        };
        let sure_for = weighed(&|r| r.status == Status::Sure && best.is(r));
        let sure_against = weighed(&|r| r.status == Status::Sure && !best.is(r));
        let of_kind = |r: &Reading| r.kind == best.kind;
        let kind_for = weighed(&|r| r.kind_sure && of_kind(r));
        let kind_against = weighed(&|r| r.kind_sure && !of_kind(r));
        let unknown = weighed(&|r| r.status == Status::Unknown);
        let newest_agrees = self.cast.back().is_some_and(|(_, r)| best.is(r));
        let stays = held == Some(best) && sure_against <= FLICKER * total && sure_for > 0.0;
        let status = if stays || (sure_for * 2.0 > total && sure_against == 0.0 && newest_agrees) {
            Status::Sure
        } else if unknown * 2.0 > total {
            Status::Unknown
        } else {
            Status::Unsure
        };
        let confidence = (sum / total).clamp(0.0, 1.0);
        let mut beside = self.beside(best, total);
        let best_of = |sure: bool| {
            let cast = self.cast.iter().rev();
            let mut found = cast.filter(|(_, r)| best.is(r) && (!sure || r.status == Status::Sure));
            found.next().map(|(_, r)| r)
        };
        match best_of(status == Status::Sure).or_else(|| best_of(false)) {
            Some(r) => Reading {
                status,
                confidence,
                next: (!beside.is_empty()).then(|| beside.remove(0)),
                others: match status {
                    Status::Sure => Vec::new(),
                    _ => beside,
                },
                kind_sure: status == Status::Sure || kind_for * 2.0 > total && kind_against == 0.0,
                ..r.clone()
            },
            None => unread(confidence),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(face: &str, status: Status) -> Reading {
        Reading {
            kind: Some("pip".into()),
            face: Some(face.into()),
            status,
            confidence: if status == Status::Sure { 0.995 } else { 0.6 },
            kind_sure: true,
            likeness: 0.9,
            next: None,
            others: Vec::new(),
            alike_after_deg: 360,
        }
    }

    fn after(list: &[(f64, &str, Status)]) -> Reading {
        let mut votes = Votes::default();
        let mut last = unread(0.0);
        for (weight, face, status) in list {
            votes.cast(*weight, read(face, *status), 1);
            last = votes.result();
        }
        last
    }

    use Status::{Sure, Unsure};

    #[test]
    fn what_was_sure_is_not_shaken_by_a_flicker_and_is_by_more() {
        let mut list = vec![(1.0, "4", Sure); 6];
        list.push((1.0, "5", Sure));
        list.push((1.0, "5", Unsure));
        assert_eq!(after(&list).status, Sure);
        list.push((1.0, "5", Sure));
        list.push((1.0, "5", Sure));
        assert_eq!(after(&list).status, Unsure);
    }

    #[test]
    fn what_was_never_sure_needs_a_vote_without_dissent() {
        let list = [
            (1.0, "5", Sure),
            (1.0, "4", Sure),
            (1.0, "4", Sure),
            (1.0, "4", Sure),
        ];
        assert_eq!(after(&list).status, Unsure);
        assert_eq!(after(&list).face.as_deref(), Some("4"));
    }

    #[test]
    fn a_kind_is_sure_where_most_say_so_and_none_is_sure_of_another() {
        let of = |list: &[(&str, bool)]| {
            let mut votes = Votes::default();
            for (kind, kind_sure) in list {
                let reading = Reading {
                    kind: Some((*kind).to_owned()),
                    kind_sure: *kind_sure,
                    ..read("4", Unsure)
                };
                votes.cast(1.0, reading, 1);
            }
            votes.result().kind_sure
        };
        assert!(of(&[("pip", true), ("pip", true), ("pip", false)]));
        assert!(!of(&[("pip", true), ("pip", false)]));
        assert!(!of(&[("pip", true), ("pip", true), ("helm", true)]));
        assert!(of(&[("pip", true), ("pip", true), ("helm", false)]));
    }

    #[test]
    fn what_one_look_hardly_gives_a_chance_has_what_others_give_it() {
        let mut votes = Votes::default();
        let chance = |face: &str, confidence| Next {
            kind: "pip".into(),
            face: face.into(),
            confidence,
        };
        for face in ["1", "5", "1", "5", "5"] {
            let mut reading = read(face, Unsure);
            if face == "5" {
                reading.next = Some(chance("4", 0.39));
                reading.others = vec![chance("1", 0.001)];
            }
            votes.cast(1.0, reading, 1);
        }
        let all = votes.result();
        assert_eq!(all.face.as_deref(), Some("5"));
        let rest: Vec<(String, f64)> = (all.next.into_iter().chain(all.others))
            .map(|n| (n.face, (n.confidence * 1000.0).round()))
            .collect();
        assert_eq!(rest, [("1".to_owned(), 241.0), ("4".to_owned(), 234.0)]);
    }

    #[test]
    fn the_better_view_decides() {
        // a small slanted view that reads unsurely, and a large one that is sure
        let list = [
            (0.2, "6", Unsure),
            (1.0, "5", Sure),
            (0.2, "6", Unsure),
            (1.0, "5", Sure),
        ];
        assert_eq!(after(&list).face.as_deref(), Some("5"));
        assert_eq!(after(&list).status, Sure);
    }
}
