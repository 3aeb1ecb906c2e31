//! The table in Dice Duel's words, die by die: what the game is followed from.

use std::{collections::BTreeSet, time::Duration};

use super::{Evidence, Session, placing::REGION_SIGMAS, setup};
use crate::{
    copy::{Status, Surface},
    geometry::Quad,
    rig::Sight,
    rules::{
        Place, Span,
        dice_duel::{
            DieKind, DieSetup, Facing, Setup, ShipId, ShipSetup, Showing, Station, Symbol,
            TokenKind, TokenSetup, Zone,
        },
    },
    table::{Cover, Die, Piece, Table},
};

/// A die as the game sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneDie {
    pub id: u64,
    /// Where it lies.
    pub at: Place<Zone>,
    /// It lies in a tray.
    pub in_tray: bool,
    pub kind: Option<DieKind>,
    /// The best guess of what it shows; what it last surely showed while it is hidden.
    pub shows: Option<Symbol>,
    /// What the rules are told of it; nothing of a die that rolls or is not of this copy.
    pub claim: Option<DieSetup>,
    pub status: Status,
    pub settled: bool,
    pub still_since: Duration,
    pub evidence: Evidence,
}

impl SceneDie {
    /// The zone it surely lies in, still and surely read.
    pub fn sure_zone(&self) -> Option<Zone> {
        (self.is_sure()).then(|| self.at.known().copied()).flatten()
    }

    pub fn is_sure(&self) -> bool {
        self.settled && self.status == Status::Sure
    }
}

/// A miniature.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneShip {
    pub ship: ShipId,
    /// `Known` only while it stands still and can be seen.
    pub claim: ShipSetup,
    pub still_since: Duration,
    pub evidence: Evidence,
}

/// A token, a mine or a crystal that lies still.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneToken {
    pub id: u64,
    pub claim: TokenSetup,
    pub evidence: Evidence,
}

/// A table as the game sees it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scene {
    pub at: Duration,
    pub frame: u64,
    pub dice: Vec<SceneDie>,
    pub ships: Vec<SceneShip>,
    /// `None` where nobody looks for tokens.
    pub tokens: Option<Vec<SceneToken>>,
    /// Ships whose miniature was seen before: one that is seen nowhere is in a hand.
    pub met: Vec<ShipId>,
    /// Tokens that are held, or hidden: they are missing, and no error.
    pub tokens_away: bool,
    /// Ships whose crystals lie where a surface has a place for them.
    pub crystals_seen: Vec<ShipId>,
    pub hidden: Vec<Zone>,
    /// Places for dice, damage among them, on displays that were not found, or are in no picture: of what lies there nothing is known.
    pub unseen: Vec<Zone>,
}

impl Scene {
    /// Whether nothing on the displays moves and nothing hides any of it.
    pub fn is_settled(&self) -> bool {
        let moving = |d: &SceneDie| !d.settled || d.status == Status::Hidden;
        let on_display = |d: &SceneDie| !matches!(d.at.known(), Some(Zone::Table));
        let stands = |s: &SceneShip| s.claim.square.is_known();
        let pieces = !self.tokens_away && self.ships.iter().all(stands);
        // of a square that something lies on its pieces say enough: a mug on the board's edge is no move
        let open = self.hidden.iter().all(|z| matches!(z, Zone::Board(_)));
        pieces && open && !self.dice.iter().any(|d| moving(d) && on_display(d))
    }

    /// Whether hands are seen over displays at all: where pieces are looked for.
    pub fn shows_hands(&self) -> bool {
        self.tokens.is_some()
    }

    pub fn die(&self, id: u64) -> Option<&SceneDie> {
        self.dice.iter().find(|d| d.id == id)
    }

    /// Dice that lie in a zone, hidden or not.
    pub fn dice_in(&self, zone: Zone) -> impl Iterator<Item = &SceneDie> {
        self.dice
            .iter()
            .filter(move |d| d.at.known() == Some(&zone))
    }

    /// Whether a hand is over a zone, or over the display it is on.
    pub fn hides(&self, zone: Zone) -> bool {
        let display = match zone {
            Zone::On(ship, spot) => Some(Zone::Display(ship, spot.station())),
            _ => None,
        };
        self.hidden.contains(&zone)
            || display.is_some_and(|d| self.hidden.contains(&d))
            || self.dice_in(zone).any(|d| d.status == Status::Hidden)
    }

    /// Whether a hand is over anything of a display.
    pub fn hides_any(&self, ship: ShipId, station: Station) -> bool {
        let of = |zone: &Zone| match zone {
            Zone::On(s, spot) => (*s, spot.station()) == (ship, station),
            Zone::Display(s, p) => (*s, *p) == (ship, station),
            _ => false,
        };
        let hidden = |d: &SceneDie| d.status == Status::Hidden && d.at.known().is_some_and(of);
        self.hidden.iter().any(of) || self.dice.iter().any(hidden)
    }

    /// What the rules are told, but for the flow; dice of these numbers are left out.
    pub fn setup(&self, without: &[u64]) -> Setup {
        let dice = self.dice.iter().filter(|d| !without.contains(&d.id));
        Setup {
            ships: self.ships.iter().map(|s| s.claim.clone()).collect(),
            dice: dice.filter_map(|d| d.claim.clone()).collect(),
            tokens: self
                .tokens
                .iter()
                .flatten()
                .map(|t| t.claim.clone())
                .collect(),
            hidden: self
                .hidden
                .iter()
                .chain(
                    self.unseen
                        .iter()
                        .filter(|z| matches!(z, Zone::On(..) | Zone::Board(_))),
                )
                .copied()
                .collect(),
            ..Setup::default()
        }
    }
}

impl Session {
    /// The table in the game's words, with the surfaces that `sight` has of it.
    pub fn scene(&self, table: &Table, sight: &Sight) -> Scene {
        // what is no surface of the copy is a tray
        let trays = |id: &str| self.surface(id).is_none();
        let dice = table.dice.iter().map(|die| {
            let at = self.claimed(die, sight);
            let on = self.footing(die, sight).map(|f| f.lies.surface);
            let symbol = |face: &str| -> Option<Symbol> {
                let (_, means) = self.copy.means(die.reading.kind.as_deref()?, face)?;
                means.parse().ok()
            };
            let kind = die.reading.kind.as_deref();
            let kind = kind.and_then(|k| self.copy.dice.iter().find(|d| d.kind == k));
            let face = match die.status() {
                Status::Hidden => die.last_sure.as_deref(),
                _ => die.reading.face.as_deref(),
            };
            SceneDie {
                id: die.id,
                in_tray: on.as_deref().is_some_and(trays),
                kind: kind.and_then(|k| k.means.as_deref()?.parse().ok()),
                shows: face.and_then(symbol),
                claim: setup::claim(die, &self.copy, &self.print, at.clone()),
                at,
                status: die.status(),
                settled: die.settled,
                still_since: die.still_since,
                evidence: Evidence::of(die.frame, [&die.polygon]),
            }
        });
        let mut scene = Scene {
            at: table.at,
            frame: table.frame,
            dice: dice.collect(),
            hidden: self.hidden(table, sight),
            unseen: self.unseen(sight),
            met: table.met.iter().filter_map(|m| self.ship_of(m)).collect(),
            crystals_seen: self.crystal_places(),
            tokens: (!table.pieces.is_empty() && self.knows_tokens()).then(Vec::new),
            ..Scene::default()
        };
        if scene.tokens.is_some() {
            let squares = self.outside(sight).into_iter();
            let squares = squares.filter(|z| matches!(z, Zone::Board(_)));
            scene.unseen.extend(squares);
        }
        for piece in &table.pieces {
            self.piece(piece, &mut scene);
        }
        scene
    }

    /// Whether crystals and mines are told apart by sight: else the record says where they are.
    pub(super) fn knows_tokens(&self) -> bool {
        let sides = self.copy.tokens.iter().flat_map(|t| &t.sides);
        let kinds: Vec<TokenKind> = sides.filter_map(|s| s.means.parse().ok()).collect();
        kinds.contains(&TokenKind::Crystal) && kinds.contains(&TokenKind::Mine)
    }

    /// The ship that a miniature is to the rules.
    fn ship_of(&self, mini: &str) -> Option<ShipId> {
        let mut miniatures = self.copy.miniatures.iter();
        miniatures.find(|m| m.id == mini)?.means.parse().ok()
    }

    /// Nobody has said how many crystals a ship has, and they lie on the bare table, of which a picture shows a part: it may have
    /// any number, but where the copy has a place for them.
    pub(super) fn leave_crystals_open(&self, setup: &mut Setup) {
        let theirs = setup.dice.iter().filter_map(|d| d.at.known()?.ship());
        let mut told: BTreeSet<ShipId> = theirs.collect();
        for ship in &setup.ships {
            told.remove(&ship.id);
        }
        setup.ships.extend(told.into_iter().map(ShipSetup::new));
        let places = self.crystal_places();
        for ship in &mut setup.ships {
            if !places.contains(&ship.id) {
                ship.crystals = Span::between(0, self.print.crystals.into());
            }
        }
    }

    fn crystal_places(&self) -> Vec<ShipId> {
        let zones = self.copy.surfaces.iter();
        let zones = zones.flat_map(|s| s.zones.iter().map(|z| s.zone_name(z)));
        zones
            .filter_map(|name| match name.parse() {
                Ok(Zone::Crystals(ship)) => Some(ship),
                _ => None,
            })
            .collect()
    }

    fn piece(&self, piece: &Piece, scene: &mut Scene) {
        let evidence = Evidence::of(piece.frame, [&piece.polygon]);
        let zone = self.piece_zone(piece);
        let sure = piece.status == Status::Sure;
        if self.copy.miniatures.iter().any(|m| m.id == piece.what) {
            let Some(ship) = self.ship_of(&piece.what) else {
                return;
            };
            let mut claim = ShipSetup::new(ship);
            if let (true, Some(Zone::Board(square))) = (sure, zone) {
                claim.square = Place::Known(square);
                let faces = piece.heading_deg.filter(|_| piece.heading_sure);
                claim.facing = faces.and_then(facing).map_or(Place::Unknown, Place::Known);
            }
            let seen = SceneShip {
                ship,
                claim,
                still_since: piece.still_since,
                evidence,
            };
            match scene.ships.iter_mut().find(|s| s.ship == ship) {
                None => scene.ships.push(seen),
                Some(other) => *other = one_of(other, seen),
            }
            return;
        }
        if scene.tokens.is_none() {
            return;
        }
        let kind = self.token_kind(&piece.what);
        let still = piece.settled && piece.status != Status::Hidden;
        match (kind, zone) {
            (Some(kind), Some(at)) if still => {
                // something lies there, if not surely this
                let kind = if sure {
                    Place::Known(kind)
                } else {
                    self.token_kinds(piece)
                };
                scene.tokens.get_or_insert_default().push(SceneToken {
                    id: piece.id,
                    claim: TokenSetup { kind, at },
                    evidence,
                });
            }
            _ => scene.tokens_away |= piece.believed,
        }
    }

    fn token_kind(&self, what: &str) -> Option<TokenKind> {
        let mut means = self.copy.tokens.iter().filter_map(|t| {
            let side = what.strip_prefix(&t.kind)?.strip_prefix(' ')?;
            t.sides.iter().find(|s| s.side == side)
        });
        means.next()?.means.parse().ok()
    }

    /// What a token that is not surely read may be to the rules.
    fn token_kinds(&self, piece: &Piece) -> Place<TokenKind> {
        let mut kinds = Vec::new();
        for what in &piece.may_be {
            let kind = match what {
                Some(what) => self.token_kind(what),
                None => Some(TokenKind::Nothing),
            };
            match kind {
                Some(kind) if !kinds.contains(&kind) => kinds.push(kind),
                Some(_) => {}
                None => return Place::Unknown,
            }
        }
        // it is unsure, so that it may be nothing
        if !kinds.is_empty() && !kinds.contains(&TokenKind::Nothing) {
            kinds.push(TokenKind::Nothing);
        }
        match kinds.is_empty() {
            true => Place::Unknown,
            false => Place::OneOf(kinds),
        }
    }

    /// The zone of a piece's middle. Pieces are large, and are put into the middle of things.
    fn piece_zone(&self, piece: &Piece) -> Option<Zone> {
        let Some(lies) = &piece.foot.lies else {
            return Some(Zone::Table);
        };
        let surface = self.surface(&lies.surface)?;
        let [x, y] = lies.at_mm;
        let error_mm = REGION_SIGMAS * lies.error_mm;
        let region = surface.region(crate::geometry::Point::new(x, y), error_mm);
        setup::zone(surface, &region).known().copied()
    }

    /// Zones that no camera can see: of surfaces that are covered, and under what covers a part of one.
    fn hidden(&self, table: &Table, sight: &Sight) -> Vec<Zone> {
        let whole = |s: &&Surface| sight.status_of(&s.id) == Some(Status::Hidden);
        let mut zones: Vec<Zone> = Vec::new();
        let mut hide = |surface: &Surface, part: Option<&Quad>| {
            zones.extend(
                surface
                    .regions_under(part)
                    .filter_map(|name| name.parse::<Zone>().ok()),
            );
        };
        for surface in self.copy.surfaces.iter().filter(whole) {
            hide(surface, None);
        }
        for Cover { surface, part } in &table.covers {
            if let Some(surface) = surface.as_deref().and_then(|id| self.surface(id)) {
                hide(surface, part.as_ref());
            }
        }
        zones.sort_unstable();
        zones.dedup();
        zones
    }

    /// Places for dice that are not in the picture, or on displays that were not found there.
    fn unseen(&self, sight: &Sight) -> Vec<Zone> {
        let seen = |s: &&Surface| sight.status_of(&s.id).is_some();
        let missing = self.copy.surfaces.iter().filter(|s| !seen(s));
        let zones = missing.flat_map(|s| s.regions_under(None));
        let zones = zones.filter_map(|name| name.parse::<Zone>().ok());
        zones
            .chain(self.outside(sight))
            .filter(|z| matches!(z, Zone::On(..) | Zone::Damage(..)))
            .collect()
    }

    /// Places on surfaces that were found whose middles are outside the picture, and outside those of other cameras.
    fn outside(&self, sight: &Sight) -> Vec<Zone> {
        use geo::Centroid;
        let (mut outside, mut inside) = (Vec::new(), Vec::new());
        for camera in sight.cameras() {
            let [w, h] = camera.size_px().map(f64::from);
            for (tray, view) in camera.views() {
                let Some(surface) = self.surface(&tray.id) else {
                    continue;
                };
                for (name, polygon) in surface.regions() {
                    let at = polygon.centroid().and_then(|middle| {
                        view.pixel(crate::geometry::Point::new(middle.x(), middle.y()), 0.0)
                    });
                    if let (Some(at), Ok(zone)) = (at, name.parse::<Zone>()) {
                        let is_in = (0.0..w).contains(&at.x) && (0.0..h).contains(&at.y);
                        if is_in { &mut inside } else { &mut outside }.push(zone);
                    }
                }
            }
        }
        outside.retain(|zone| !inside.contains(zone));
        outside
    }

    /// What the dice of this table mean where they lie, in the order in which it makes sense.
    pub(super) fn legal_faces(&self, die: &Die, sight: &Sight) -> Option<Vec<(String, String)>> {
        let Place::Known(Zone::On(_, spot)) = self.claimed(die, sight) else {
            return None;
        };
        let legal = self.print.legal(spot);
        let wants = |means: &Option<String>| {
            let kind = means.as_deref().and_then(|m| m.parse().ok());
            kind == Some(spot.die_kind())
        };
        let dice = self.copy.dice.iter().filter(|d| wants(&d.means));
        let faces = dice.flat_map(|d| {
            let belongs = move |means: &str| means.parse().is_ok_and(|s| legal.contains(s));
            let faces = d.faces.iter().filter(move |f| belongs(&f.means));
            faces.map(|f| (d.kind.clone(), f.face.clone()))
        });
        Some(faces.collect())
    }
}

/// Where a miniature faces whose nose points so many degrees clockwise of the board's x axis; none where it is
/// nearer to a diagonal than it should be.
pub(super) fn facing(heading_deg: f64) -> Option<Facing> {
    let quarter = (heading_deg / 90.0).round();
    ((heading_deg - quarter * 90.0).abs() <= 30.0).then(|| match quarter.rem_euclid(4.0) as i64 {
        0 => Facing::E,
        1 => Facing::S,
        2 => Facing::W,
        _ => Facing::N,
    })
}

/// The symbol a claim surely shows.
pub(super) fn shown(claim: &DieSetup) -> Option<Symbol> {
    match claim.means.known() {
        Some(Showing::Symbol(symbol)) => Some(*symbol),
        _ => None,
    }
}

/// A ship of which two things are taken for its one miniature: where it surely stands, or else nowhere in particular.
fn one_of(a: &SceneShip, b: SceneShip) -> SceneShip {
    if a.claim == b.claim {
        return a.clone();
    }
    let facing = |s: &SceneShip| s.claim.facing.is_known();
    match (a.claim.square.is_known(), b.claim.square.is_known()) {
        (true, false) => a.clone(),
        (false, true) => b,
        (true, true) if a.claim.square == b.claim.square => match (facing(a), facing(&b)) {
            (true, false) => a.clone(),
            (false, true) => b,
            _ => SceneShip {
                claim: ShipSetup {
                    facing: Place::Unknown,
                    ..a.claim.clone()
                },
                ..a.clone()
            },
        },
        (both, _) => SceneShip {
            claim: if both {
                ShipSetup::new(a.ship)
            } else {
                a.claim.clone()
            },
            ..a.clone()
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ship_stands_where_it_surely_stands_and_in_no_two_places() {
        let facing = |column: Option<i32>, facing: Option<Facing>, id: u64| {
            let white: ShipId = "white".parse().expect("a ship");
            let mut claim = ShipSetup::new(white);
            if let Some(column) = column {
                let square = format!("[{column},3]").parse().expect("a square");
                claim.square = Place::Known(square);
            }
            claim.facing = facing.map_or(Place::Unknown, Place::Known);
            SceneShip {
                ship: white,
                claim,
                still_since: Duration::from_secs(id),
                evidence: Evidence::default(),
            }
        };
        let ship = |column, id| facing(column, None, id);
        let at = |a, b| one_of(&ship(a, 1), ship(b, 2)).claim;
        assert_eq!(at(Some(2), None), ship(Some(2), 0).claim);
        assert_eq!(at(None, Some(5)), ship(Some(5), 0).claim);
        assert_eq!(at(Some(2), Some(5)), ship(None, 0).claim);
        assert_eq!(at(None, None), ship(None, 0).claim);
        // on one square the way it faces is that which is known
        let both = |a, b| one_of(&facing(Some(2), a, 1), facing(Some(2), b, 2)).claim;
        let north = facing(Some(2), Some(Facing::N), 0).claim;
        assert_eq!(both(Some(Facing::N), None), north);
        assert_eq!(both(None, Some(Facing::N)), north);
        let either = both(Some(Facing::N), Some(Facing::S));
        assert_eq!(either, ship(Some(2), 0).claim);
    }
}
