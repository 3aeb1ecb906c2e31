//! Which dice may be brought to the table.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::print::DiceRules;
use super::reason::Reason;
use crate::rules::{Place, Verdict};

/// No die has more facets than this.
pub const MAX_FACETS: u8 = 120;

/// A die that somebody wants to play with, as it was looked at. The facets are as many as `faces`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DieClaim {
    /// The number that each facet stands for.
    pub faces: Vec<Place<u8>>,
    /// How many different numbers are shown by a symbol instead of pips or a numeral.
    #[serde(default)]
    pub symbols: u8,
    /// Whether the numerals are none of the western ones.
    #[serde(default)]
    pub foreign_numerals: bool,
    /// Whether it is a coin.
    #[serde(default)]
    pub coin: bool,
    /// The ship it is to be, as the facets its description asks for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub design: Option<u8>,
    /// Whether the opponent has given permission.
    #[serde(default)]
    pub permission: bool,
}

impl DieClaim {
    /// A die with these numbers, of which nothing else is special.
    pub fn new(faces: impl IntoIterator<Item = u8>) -> DieClaim {
        DieClaim {
            faces: faces.into_iter().map(Place::Known).collect(),
            symbols: 0,
            foreign_numerals: false,
            coin: false,
            design: None,
            permission: false,
        }
    }
}

/// What is said of a die.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DieRuling {
    /// Whether it may be played with: `may`, `cannot`, `unsure`.
    pub verdict: Verdict,
    /// Whether the rules allow such a die at all, with or without permission; `None` where that
    /// depends on what was not read.
    pub legal: Option<bool>,
    /// Whether it takes the opponent's permission; `None` where that depends on what was not read.
    pub needs_permission: Option<bool>,
    /// The size it counts as, for all purposes.
    pub counts_as: Option<u8>,
    /// Why.
    pub because: Vec<Reason>,
}

/// More readings of one die than this are not tried.
const MOST_READINGS: usize = 512;

impl DieClaim {
    /// Whether the die may be played with. Where facets were not read, that is said only if it
    /// holds for whatever they show.
    pub fn judge(&self, rules: &DiceRules) -> DieRuling {
        let Some(readings) = self.readings() else {
            return unsure(self.marks());
        };
        let mut found: Option<DieRuling> = None;
        for faces in readings {
            let ruling = self.judge_faces(&faces, rules);
            let Some(merged) = &mut found else {
                found = Some(ruling);
                continue;
            };
            if merged.verdict != ruling.verdict {
                merged.verdict = Verdict::Unsure;
            }
            if merged.legal != ruling.legal {
                merged.legal = None;
            }
            if merged.needs_permission != ruling.needs_permission {
                merged.needs_permission = None;
            }
            if merged.counts_as != ruling.counts_as {
                merged.counts_as = None;
            }
            merged.because.retain(|r| ruling.because.contains(r));
        }
        let mut ruling = found.unwrap_or_else(|| unsure(Vec::new()));
        if ruling.verdict == Verdict::Unsure {
            ruling.because.push(Reason::FacetsNotRead {
                facets: self.unread(),
            });
        }
        ruling
    }

    fn unread(&self) -> usize {
        self.faces.iter().filter(|f| !f.is_known()).count()
    }

    /// What holds whatever the facets show.
    fn marks(&self) -> Vec<Reason> {
        vec![Reason::FacetsNotRead {
            facets: self.unread(),
        }]
    }

    /// Every reading of the facets; `None` where those are too many.
    fn readings(&self) -> Option<Vec<Vec<u8>>> {
        let mut readings: Vec<Vec<u8>> = vec![Vec::new()];
        for face in &self.faces {
            // A facet that was not read shows any number, one beyond every size among them.
            let any: Vec<u8>;
            let values = match face.candidates() {
                Some(values) => values,
                None => {
                    any = (0..=MAX_FACETS).collect();
                    &any
                }
            };
            if readings.len().saturating_mul(values.len()) > MOST_READINGS {
                return None;
            }
            readings = readings
                .iter()
                .flat_map(|faces| {
                    values.iter().map(move |value| {
                        let mut faces = faces.clone();
                        faces.push(*value);
                        faces
                    })
                })
                .collect();
        }
        Some(readings)
    }

    fn judge_faces(&self, faces: &[u8], rules: &DiceRules) -> DieRuling {
        let mut wrong: Vec<Reason> = Vec::new();
        let mut asks: Vec<Reason> = Vec::new();
        let mut sorted = faces.to_vec();
        let tens = rules.zero_is_ten && sorted.contains(&0) && sorted.iter().all(|n| *n <= 9);
        if tens {
            for n in sorted.iter_mut().filter(|n| **n == 0) {
                *n = 10;
            }
        }
        sorted.sort_unstable();
        let mut numbers = sorted.clone();
        numbers.dedup();
        let count = |n: &u8| sorted.iter().filter(|s| *s == n).count();
        let size = u8::try_from(numbers.len()).unwrap_or(u8::MAX);
        match (numbers.first(), numbers.last()) {
            (Some(1), Some(last)) if *last == size => {}
            (Some(1), _) => wrong.push(Reason::NotByOne),
            (Some(least), _) => wrong.push(Reason::LowestNotOne { least: *least }),
            _ => wrong.push(Reason::NoFacets),
        }
        let times = numbers.first().map_or(0, count);
        if numbers.iter().any(|n| count(n) != times) {
            wrong.push(Reason::UnequalNumbers);
        } else if times > 1 {
            asks.push(Reason::CountsAs {
                facets: faces.len(),
                size,
            });
        }
        if self.symbols >= rules.too_many_symbols {
            wrong.push(Reason::TooManySymbols {
                symbols: self.symbols,
            });
        } else if self.symbols > 0 {
            asks.push(Reason::SomeSymbols {
                symbols: self.symbols,
            });
        }
        if self.foreign_numerals {
            asks.push(Reason::ForeignNumerals);
        }
        if size < rules.least_size {
            wrong.push(Reason::TooSmall { size });
        } else if self.coin {
            wrong.push(Reason::Coin);
        } else if size <= rules.discouraged_size {
            asks.push(Reason::Discouraged { size });
        }
        if let Some(wanted) = self.design.filter(|wanted| *wanted != size) {
            wrong.push(Reason::NotThatDesign { wanted, size });
        }
        let legal = wrong.is_empty();
        let needs = legal && !asks.is_empty();
        let mut because = wrong;
        because.append(&mut asks);
        if needs {
            because.push(match self.permission {
                true => Reason::Permitted,
                false => Reason::NeedsPermission,
            });
        } else if legal {
            because.push(Reason::RegularDie { size });
        }
        DieRuling {
            verdict: match legal && (!needs || self.permission) {
                true => Verdict::May,
                false => Verdict::Cannot,
            },
            legal: Some(legal),
            needs_permission: Some(needs),
            counts_as: legal.then_some(size),
            because,
        }
    }
}

fn unsure(because: Vec<Reason>) -> DieRuling {
    DieRuling {
        verdict: Verdict::Unsure,
        legal: None,
        needs_permission: None,
        counts_as: None,
        because,
    }
}
