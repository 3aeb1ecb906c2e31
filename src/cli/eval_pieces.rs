//! Ships, tokens and crystals of whole tables, held against the truth.

use serde::Serialize;

use super::{
    eval::{Share, share},
    eval_reliability::{Bin, Said},
    eval_scenes::{Spread, spread},
};
use crate::{
    copy::Status,
    session::{MiniReport, PictureReport, TokenReport},
};

/// Of a piece, this much must be seen for it to be asked for.
const SEEN: f64 = 0.8;
/// What lies farther off is another piece.
const SHIP_MM: f64 = 25.0;
const TOKEN_MM: f64 = 12.0;
const CRYSTAL_MM: f64 = 8.0;

/// A ship, a token or a crystal on the board, as the truth has it.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub what: String,
    pub team: Option<String>,
    pub symbol: Option<String>,
    pub visible: f64,
    pub at_mm: [f64; 2],
    /// Column and row from the board's upper left.
    pub square: Option<[u32; 2]>,
    pub heading: Option<String>,
    /// Counter-clockwise from up.
    pub heading_deg: Option<f64>,
}

#[derive(Debug, Default)]
pub(super) struct Tally {
    ships: u64,
    ships_found: u64,
    ships_right: u64,
    ships_sure: u64,
    ships_placed: u64,
    ships_mm: Vec<f64>,
    ships_deg: Vec<f64>,
    tokens: u64,
    tokens_found: u64,
    tokens_right: u64,
    tokens_sure: u64,
    crystals: u64,
    crystals_found: u64,
    /// Said of the board where nothing of the kind is: ships, tokens, crystals.
    besides: [u64; 3],
    /// Sure and another piece, in another square, or none at all.
    wrong_and_sure: u64,
    sure: u64,
    /// What readings of pieces say of themselves.
    said: Said,
    /// Every piece that was told of.
    pub each: Vec<Told>,
    /// What is wrong, a line each.
    pub wrong: Vec<String>,
}

/// A piece that was told of, and what stands there.
#[derive(Debug, Serialize)]
pub(super) struct Told {
    /// `ship`, `token` or `crystal`.
    form: &'static str,
    said: String,
    /// Nothing where none of its form stands so near.
    is: Option<String>,
    /// Chance that it is there and is what it is said to be.
    confidence: f64,
}

#[derive(Debug, Serialize)]
pub(super) struct Figures {
    /// Where a ship is said to be near it.
    pub ships_found: Share,
    /// Which ship, its square and where it faces.
    pub ships_right: Share,
    pub ships_sure: Share,
    /// Sure of which ship it is and where it stands, whichever way it faces.
    pub ships_placed: Share,
    pub ships_mm: Spread,
    pub ships_deg: Spread,
    pub tokens_found: Share,
    /// Kind and square.
    pub tokens_right: Share,
    pub tokens_sure: Share,
    pub crystals_found: Share,
    /// Said of the board where nothing of the kind lies, sure or not.
    pub ships_besides: u64,
    pub tokens_besides: u64,
    pub crystals_besides: u64,
    /// How often it is right which piece is there, by the chance that is said.
    pub pieces_reliability: Vec<Bin>,
    pub pieces_wrong_and_sure: Share,
}

fn apart([ax, ay]: [f64; 2], [bx, by]: [f64; 2]) -> f64 {
    (ax - bx).hypot(ay - by)
}

/// The place in a list of what lies nearest, within `most` millimetres.
fn nearest(at: [f64; 2], all: &[(usize, [f64; 2])], most: f64) -> Option<usize> {
    let near = all.iter().map(|(i, b)| (*i, apart(at, *b)));
    near.filter(|(_, d)| *d <= most)
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(i, _)| i)
}

/// A ship, its square from the board's lower left, and where it faces.
fn ship(id: Option<&str>, square: Option<[u32; 2]>, facing: Option<&str>) -> String {
    let name = at_square(&format!("ship {}", id.unwrap_or("of nobody")), square);
    format!("{name} {}", facing.unwrap_or("facing anywhere"))
}

fn at_square(name: &str, square: Option<[u32; 2]>) -> String {
    match square {
        Some([c, r]) => format!("{name} [{c},{r}]"),
        None => format!("{name} [no square]"),
    }
}

fn line([x, y]: [f64; 2], is: &str, said: &str, status: Option<Status>) -> String {
    let status = status.map_or(String::new(), |s| format!(" ({})", s.name()));
    format!("board, at {x:.0}, {y:.0} mm {is}: read {said}{status}")
}

impl Tally {
    pub fn add(&mut self, o: &Self) {
        self.ships += o.ships;
        self.ships_found += o.ships_found;
        self.ships_right += o.ships_right;
        self.ships_sure += o.ships_sure;
        self.ships_placed += o.ships_placed;
        self.ships_mm.extend(&o.ships_mm);
        self.ships_deg.extend(&o.ships_deg);
        self.tokens += o.tokens;
        self.tokens_found += o.tokens_found;
        self.tokens_right += o.tokens_right;
        self.tokens_sure += o.tokens_sure;
        self.crystals += o.crystals;
        self.crystals_found += o.crystals_found;
        for (n, more) in self.besides.iter_mut().zip(o.besides) {
            *n += more;
        }
        self.wrong_and_sure += o.wrong_and_sure;
        self.sure += o.sure;
        self.said.extend(&o.said);
    }

    fn tell(&mut self, form: &'static str, said: &str, is: Option<String>, confidence: f64) {
        self.said.add(confidence, is.as_deref() == Some(said));
        self.each.push(Told {
            form,
            said: said.to_owned(),
            is,
            confidence,
        });
    }

    pub fn figures(&self) -> Figures {
        let [ships_besides, tokens_besides, crystals_besides] = self.besides;
        Figures {
            ships_found: share(self.ships_found, self.ships),
            ships_right: share(self.ships_right, self.ships),
            ships_sure: share(self.ships_sure, self.ships),
            ships_placed: share(self.ships_placed, self.ships),
            ships_mm: spread(&self.ships_mm),
            ships_deg: spread(&self.ships_deg),
            tokens_found: share(self.tokens_found, self.tokens),
            tokens_right: share(self.tokens_right, self.tokens),
            tokens_sure: share(self.tokens_sure, self.tokens),
            crystals_found: share(self.crystals_found, self.crystals),
            ships_besides,
            tokens_besides,
            crystals_besides,
            pieces_reliability: self.said.bins(),
            pieces_wrong_and_sure: share(self.wrong_and_sure, self.sure),
        }
    }

    /// Holds what was read on the board of `rows` rows against the pieces that lie on it.
    pub fn compare(&mut self, report: &PictureReport, rows: u32, pieces: &[Piece]) {
        let up = |[c, r]: [u32; 2]| [c, rows.saturating_sub(1 + r)];
        // mines rest on displays, too
        let on_board = |surface: &Option<String>| surface.as_deref() == Some("board");
        let minis = report.minis.iter().filter(|m| on_board(&m.surface));
        let mut minis: Vec<&MiniReport> = minis.collect();
        let tokens = report.tokens.iter().filter(|t| on_board(&t.surface));
        let mut tokens: Vec<&TokenReport> = tokens.collect();
        // what is half hidden must not take the reading of its neighbour
        let mut pieces: Vec<&Piece> = pieces.iter().collect();
        pieces.sort_by(|a, b| b.visible.total_cmp(&a.visible));
        let is_crystal = |t: &TokenReport| t.kind.contains("crystal");
        for piece in pieces {
            let asked = piece.visible >= SEEN;
            let square = piece.square.map(up);
            let symbol = piece.symbol.as_deref().unwrap_or_default();
            if piece.what == "ship" {
                let all: Vec<_> = (0..)
                    .zip(&minis)
                    .filter_map(|(i, m)| Some((i, m.at_mm?)))
                    .collect();
                let read = nearest(piece.at_mm, &all, SHIP_MM).map(|i| minis.remove(i));
                self.ships += u64::from(asked);
                let is = || {
                    let facing = piece.heading.as_deref();
                    ship(piece.team.as_deref(), square, facing)
                };
                let Some(read) = read else {
                    if asked {
                        self.wrong.push(line(piece.at_mm, &is(), "nothing", None));
                    }
                    continue;
                };
                self.tell("ship", &read.id, piece.team.clone(), read.confidence);
                let which = Some(read.id.as_str()) == piece.team.as_deref();
                let facing = read.facing.map(|f| f.to_string());
                let right = which && read.square == square && facing == piece.heading;
                let placed = read.place_status == Status::Sure;
                let sure = placed && read.status == Status::Sure;
                self.sure += u64::from(placed);
                // where no square and no facing is given, nothing wrong is said of it
                let told = read.square.is_none_or(|s| Some(s) == square)
                    && (!sure || facing.is_none() || facing == piece.heading);
                self.wrong_and_sure += u64::from(placed && !(which && told));
                if !right && (asked || placed) {
                    let said = ship(Some(&read.id), read.square, facing.as_deref());
                    self.wrong
                        .push(line(piece.at_mm, &is(), &said, Some(read.status)));
                }
                if !asked {
                    continue;
                }
                self.ships_found += 1;
                self.ships_right += u64::from(right);
                self.ships_sure += u64::from(sure);
                self.ships_placed += u64::from(placed);
                self.ships_mm
                    .extend(read.at_mm.map(|at| apart(at, piece.at_mm)));
                if let (Some(read), Some(is)) = (read.heading_deg, piece.heading_deg) {
                    let off = (read + 90.0 + is + 180.0).rem_euclid(360.0) - 180.0;
                    self.ships_deg.push(off.abs());
                }
                continue;
            }
            let crystal = piece.what == "crystal";
            let all: Vec<_> = (0..)
                .zip(&tokens)
                .filter(|(_, t)| is_crystal(t) == crystal)
                .filter_map(|(i, t)| Some((i, t.at_mm?)))
                .collect();
            let most = if crystal { CRYSTAL_MM } else { TOKEN_MM };
            let read = nearest(piece.at_mm, &all, most).map(|i| tokens.remove(i));
            let sure = read.is_some_and(|t| t.status == Status::Sure);
            let wanted = match &piece.team {
                Some(team) if !crystal => format!("{symbol}-{team}"),
                _ => symbol.to_owned(),
            };
            if let Some(t) = read {
                let form = if crystal { "crystal" } else { "token" };
                self.tell(form, &t.kind, Some(wanted.clone()), t.confidence);
            }
            let right = read.is_some_and(|t| t.kind == wanted && t.square == square);
            self.sure += u64::from(sure);
            self.wrong_and_sure += u64::from(sure && !right);
            let missed = if crystal { read.is_none() } else { !right };
            if missed && (asked || sure) {
                let said = read.map(|t| at_square(&t.kind, t.square));
                let said = said.as_deref().unwrap_or("nothing");
                let is = at_square(&wanted, square);
                self.wrong
                    .push(line(piece.at_mm, &is, said, read.map(|t| t.status)));
            }
            if !asked {
                continue;
            }
            if crystal {
                self.crystals += 1;
                self.crystals_found += u64::from(read.is_some());
            } else {
                self.tokens += 1;
                self.tokens_found += u64::from(read.is_some());
                self.tokens_right += u64::from(right);
                self.tokens_sure += u64::from(sure);
            }
        }
        // what is left is where nothing is
        for m in &minis {
            self.tell("ship", &m.id, None, m.confidence);
        }
        for t in &tokens {
            let form = if is_crystal(t) { "crystal" } else { "token" };
            self.tell(form, &t.kind, None, t.confidence);
        }
        let crystals = tokens.iter().filter(|t| is_crystal(t)).count();
        let left = [minis.len(), tokens.len() - crystals, crystals];
        for (n, more) in self.besides.iter_mut().zip(left) {
            *n += more as u64;
        }
        let of_ships = minis.iter().filter_map(|m| {
            let facing = m.facing.map(|f| f.to_string());
            Some((
                m.at_mm?,
                ship(Some(&m.id), m.square, facing.as_deref()),
                m.place_status,
            ))
        });
        let of_tokens = tokens
            .iter()
            .filter_map(|t| Some((t.at_mm?, at_square(&t.kind, t.square), t.status)));
        for (at, said, status) in of_ships.chain(of_tokens) {
            self.wrong.push(line(at, "nothing", &said, Some(status)));
        }
        let status = minis.iter().map(|m| m.place_status);
        let status = status.chain(tokens.iter().map(|t| t.status));
        let nothing = status.filter(|s| *s == Status::Sure).count() as u64;
        self.sure += nothing;
        self.wrong_and_sure += nothing;
    }
}
