//! Whether readings are right as often as they say: the reliability curve.

use serde::Serialize;

use super::eval::{Share, share};

/// Chances between which readings are counted together.
const EDGES: [f64; 7] = [0.0, 0.5, 0.8, 0.9, 0.95, 0.99, 1.0];

/// Readings with what they say of themselves.
#[derive(Debug, Default)]
pub(super) struct Said(Vec<(f64, bool)>);

/// Readings that say about the same chance.
#[derive(Debug, Serialize)]
pub(super) struct Bin {
    from: f64,
    to: f64,
    /// The mean chance that they say.
    said: f64,
    right: Share,
}

impl Said {
    pub fn add(&mut self, chance: f64, right: bool) {
        self.0.push((chance, right));
    }

    pub fn extend(&mut self, other: &Self) {
        self.0.extend(&other.0);
    }

    /// Only what holds something.
    pub fn bins(&self) -> Vec<Bin> {
        let last = EDGES.len() - 2;
        let mut out = Vec::new();
        for (i, edge) in EDGES.windows(2).enumerate() {
            let [from, to] = [edge[0], edge[1]];
            let within = |c: f64| c >= from && (c < to || i == last);
            let here: Vec<_> = self.0.iter().filter(|(c, _)| within(*c)).collect();
            if here.is_empty() {
                continue;
            }
            let right = here.iter().filter(|(_, right)| *right).count() as u64;
            let said = here.iter().map(|(c, _)| c).sum::<f64>() / here.len() as f64;
            out.push(Bin {
                from,
                to,
                said,
                right: share(right, here.len() as u64),
            });
        }
        out
    }
}

impl std::fmt::Display for Bin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{:.2} to {:.2} (mean {:.3}): right {}",
            self.from, self.to, self.said, self.right
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_are_counted_where_their_chance_is() {
        let mut said = Said::default();
        for (chance, right) in [(0.2, false), (0.97, true), (0.98, false), (1.0, true)] {
            said.add(chance, right);
        }
        let bins = said.bins();
        let text: Vec<String> = bins.iter().map(ToString::to_string).collect();
        assert_eq!(bins.len(), 3);
        assert!(
            text[1].starts_with("0.95 to 0.99 (mean 0.975): right 50.00 %"),
            "{text:?}"
        );
        assert!(
            text[2].contains("(1 of 1)") || text[2].contains("1 of 1"),
            "{text:?}"
        );
    }
}
