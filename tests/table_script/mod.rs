//! A table that is played at by a script: dice, miniatures and crystals on the practice copy, with hands that hide
//! things, readings that flicker, displays that are nudged and frames that are dropped, all from a seed.
#![allow(clippy::expect_used, clippy::panic, dead_code)]

use std::{collections::BTreeMap, path::Path, time::Duration};

use sightline::{
    copy::{self, Copy, Shape, Status},
    geometry::{Point, Quad},
    rig::{Lies, Rig, Sight, Tray},
    rules::dice_duel::{Print, Zone},
    session::{Change, Declaration, Event, Happening, Session},
    table::{Cover, DieSeen, Foot, Look, PieceSeen, Table, Tracker},
    vision::{Next, Reading, Sighting},
};

const DIE_MM: f64 = 16.0;
const FRAME_MS: u64 = 40;
/// How large the table is drawn: no two surfaces overlap.
const PX_A_MM: f64 = 2.0;

/// Numbers by a small generator.
#[derive(Clone)]
pub struct Chance(pub u64);

impl Chance {
    pub fn even(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn in_100(&mut self, n: u32) -> bool {
        self.even() * 100.0 < f64::from(n)
    }

    pub fn between(&mut self, a: u64, b: u64) -> u64 {
        a + (self.even() * (b - a + 1) as f64) as u64
    }

    fn error(&mut self, mm: f64) -> f64 {
        (self.even() + self.even() + self.even() - 1.5) * mm
    }
}

#[derive(Clone)]
pub struct Die {
    kind: String,
    face: String,
    zone: String,
    surface: String,
    at_mm: [f64; 2],
    /// It rolls until then.
    rolls_until: u64,
}

#[derive(Clone)]
struct Mini {
    what: String,
    surface: String,
    at_mm: [f64; 2],
    heading_deg: Option<f64>,
}

/// What has to happen, and by when.
pub struct Wanted {
    pub from: u64,
    pub by: u64,
    pub what: String,
}

pub struct Play {
    pub chance: Chance,
    pub now: u64,
    frame: u64,
    copy: Copy,
    pub session: Session,
    /// A miniature whose nose is taken for its tail every now and then, and is never sure.
    pub doubted: Option<&'static str>,
    tracker: Tracker,
    sight: Sight,
    dice: BTreeMap<u64, Die>,
    minis: BTreeMap<u64, Mini>,
    next: u64,
    /// Hands: surface, part, until.
    hands: Vec<(String, Quad, u64)>,
    /// Displays whose place lags behind after a nudge: until, and how far.
    nudged: BTreeMap<String, (u64, [f64; 2])>,
    pub events: Vec<Event>,
    pub said: Vec<Happening>,
    pub table: Table,
    /// What was really placed: when, kind and face, and where.
    pub placed: Vec<(u64, String, String)>,
    changed: u64,
    /// Moments at which the table had been still for three seconds, and those at which it was exact.
    pub still: (u32, u32),
}

impl Play {
    pub fn new(seed: u64) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folder = root.join("calibration/copies/practice");
        let copy = copy::load(&folder).expect("the practice copy");
        let mut seen: Vec<Tray> = Vec::new();
        let surfaces = copy.surfaces.iter().map(|s| (s.id.clone(), s.size_mm));
        let tray = ("tray".to_owned(), [200.0, 150.0]);
        for (i, (id, size_mm)) in surfaces.chain([tray]).enumerate() {
            let (x, y) = (
                20.0 + 1200.0 * (i % 6) as f64,
                20.0 + 900.0 * (i / 6) as f64,
            );
            let [w, h] = size_mm.map(|v| v * PX_A_MM);
            seen.push(Tray {
                id,
                corners_px: Quad::from_pairs([[x, y], [x + w, y], [x + w, y + h], [x, y + h]]),
                size_mm,
                error_mm: 0.5,
                print: std::sync::Arc::default(),
                drift: None,
                height_mm: 0.0,
                status: Status::Sure,
            });
        }
        let sight = Sight::plain([7400, 2800]).with_seen(seen);
        let session = Session::new(copy.clone(), Rig::default()).expect("a session");
        let mut play = Self {
            chance: Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
            now: 0,
            frame: 0,
            copy,
            session,
            doubted: None,
            tracker: Tracker::default(),
            sight,
            dice: BTreeMap::new(),
            minis: BTreeMap::new(),
            next: 0,
            hands: Vec::new(),
            nudged: BTreeMap::new(),
            events: Vec::new(),
            said: Vec::new(),
            table: Table::default(),
            placed: Vec::new(),
            changed: 0,
            still: (0, 0),
        };
        for (ship, square, heading) in [("white", [4, 2], -90.0), ("black", [4, 4], 90.0)] {
            play.stand(ship, square, heading);
        }
        for square in Print::default().board.crystal_squares {
            let at_mm = play.square([square.x as u32, square.y as u32]);
            let mini = play.new_mini("crystal crystal", [at_mm[0] + 9.0, at_mm[1] + 9.0], None);
            play.minis.insert(mini.0, mini.1);
        }
        for ship in ["white", "black"] {
            for n in 1..=6 {
                play.put(
                    "energy",
                    &n.to_string(),
                    &format!("{ship}.engineering.pool"),
                );
            }
        }
        play.placed.clear();
        play
    }

    /// The same table, but nobody looks for miniatures and tokens.
    pub fn without_miniatures(seed: u64) -> Self {
        let mut play = Self::new(seed);
        play.minis.clear();
        play
    }

    fn square(&self, square: [u32; 2]) -> [f64; 2] {
        let board = self.copy.surfaces.iter().find(|s| s.id == "board");
        let grid = board.and_then(|b| b.grid.as_ref()).expect("a board");
        let x = grid.origin_mm[0] + (f64::from(square[0]) + 0.5) * grid.square_mm;
        let from_top = f64::from(grid.rows) - 0.5 - f64::from(square[1]);
        [x, grid.origin_mm[1] + from_top * grid.square_mm]
    }

    fn new_mini(&mut self, what: &str, at_mm: [f64; 2], heading_deg: Option<f64>) -> (u64, Mini) {
        self.next += 1;
        let mini = Mini {
            what: what.to_owned(),
            surface: "board".to_owned(),
            at_mm,
            heading_deg,
        };
        (self.next, mini)
    }

    /// Puts a ship on a square.
    pub fn stand(&mut self, ship: &str, square: [u32; 2], heading: f64) {
        let at_mm = self.square(square);
        let old = self.minis.values_mut().find(|m| m.what == ship);
        match old {
            Some(mini) => (mini.at_mm, mini.heading_deg) = (at_mm, Some(heading)),
            None => {
                let (id, mini) = self.new_mini(ship, at_mm, Some(heading));
                self.minis.insert(id, mini);
            }
        }
        self.changed = self.now;
    }

    /// A token lies in a zone, or on a square, from now on.
    pub fn token(&mut self, what: &str, zone: &str) -> u64 {
        let (id, mini) = self.new_mini(what, [0.0; 2], None);
        self.minis.insert(id, mini);
        self.lay(id, zone);
        id
    }

    /// One of the crystals of the map lies elsewhere.
    pub fn crystal(&mut self, zone: &str) -> u64 {
        let mut crystals = self.minis.iter();
        let found = crystals.find(|(_, m)| m.what == "crystal crystal");
        let id = *found.expect("a crystal").0;
        self.lay(id, zone);
        id
    }

    /// A token is laid elsewhere.
    pub fn lay(&mut self, id: u64, zone: &str) {
        use geo::Centroid;
        let square = zone.strip_prefix("board[").map(|s| s.trim_end_matches(']'));
        let (surface, at_mm) = match square.and_then(|s| s.split_once(',')) {
            Some((x, y)) => {
                let number = |n: &str| n.parse().expect("a number");
                let [x, y] = self.square([number(x), number(y)]);
                ("board".to_owned(), [x - 9.0, y + 9.0])
            }
            None => {
                let (surface, polygon) = self.zone(zone);
                let middle = polygon.centroid().expect("a middle");
                (surface, [middle.x(), middle.y()])
            }
        };
        let mini = self.minis.get_mut(&id).expect("a token");
        (mini.surface, mini.at_mm) = (surface, at_mm);
        self.changed = self.now;
    }

    /// The display and the polygon of a zone, in the rules' words.
    fn zone(&self, zone: &str) -> (String, geo::Polygon<f64>) {
        let found = self.copy.surfaces.iter().find_map(|s| {
            let z = s.zones.iter().find(|z| s.zone_name(z) == zone)?;
            Some((s.id.clone(), z.polygon_mm.clone()))
        });
        found.unwrap_or_else(|| panic!("no zone {zone}"))
    }

    /// A free place in a zone.
    fn free(&self, zone: &str) -> (String, [f64; 2]) {
        use geo::{BoundingRect, Contains};
        if zone == "tray" {
            let n = self.dice.values().filter(|d| d.zone == "tray").count();
            return ("tray".to_owned(), [30.0 + 24.0 * n as f64, 60.0]);
        }
        let (surface, polygon) = self.zone(zone);
        let rect = polygon.bounding_rect().expect("a zone");
        let steps = |from: f64, to: f64| {
            let room = (to - from - 12.0).max(0.0);
            let n = (room / 19.0).floor() as i32;
            let first = (from + to) / 2.0 - 19.0 * f64::from(n) / 2.0;
            (0..=n).map(move |i| first + 19.0 * f64::from(i))
        };
        for y in steps(rect.min().y, rect.max().y) {
            for x in steps(rect.min().x, rect.max().x) {
                let taken =
                    |d: &Die| d.surface == surface && (d.at_mm[0] - x).hypot(d.at_mm[1] - y) < 15.0;
                if polygon.contains(&geo::Point::new(x, y)) && !self.dice.values().any(taken) {
                    return (surface, [x, y]);
                }
            }
        }
        panic!("no room in {zone}");
    }

    /// A die lies in a zone from now on.
    pub fn put(&mut self, kind: &str, face: &str, zone: &str) -> u64 {
        let (surface, at_mm) = self.free(zone);
        self.next += 1;
        let die = Die {
            kind: kind.to_owned(),
            face: face.to_owned(),
            zone: zone.to_owned(),
            surface,
            at_mm,
            rolls_until: 0,
        };
        self.placed
            .push((self.now, format!("{kind} {face}"), zone.to_owned()));
        self.dice.insert(self.next, die);
        self.changed = self.now;
        self.next
    }

    pub fn take(&mut self, id: u64) {
        self.dice.remove(&id).expect("a die");
        self.changed = self.now;
    }

    /// A die in a zone.
    pub fn in_zone(&self, zone: &str) -> Vec<u64> {
        let here = self.dice.iter().filter(|(_, d)| d.zone == zone);
        here.map(|(id, _)| *id).collect()
    }

    /// A hand over a zone for so long.
    pub fn hand(&mut self, zone: &str, ms: u64) {
        use geo::BoundingRect;
        let (surface, polygon) = self.zone(zone);
        let rect = polygon.bounding_rect().expect("a zone");
        let (a, b) = (rect.min(), rect.max());
        let part = Quad::from_pairs([
            [a.x - 6.0, a.y - 6.0],
            [b.x + 6.0, a.y - 6.0],
            [b.x + 6.0, b.y + 6.0],
            [a.x - 6.0, b.y + 6.0],
        ]);
        self.hands.push((surface, part, self.now + ms));
        self.changed = self.now + ms;
    }

    /// A display is pushed a little: where things lie on it is off until it is found again.
    pub fn nudge(&mut self, surface: &str, ms: u64) {
        let off = [self.chance.error(5.0), self.chance.error(5.0)];
        self.nudged.insert(surface.to_owned(), (self.now + ms, off));
        self.changed = self.now + ms;
    }

    /// Rolls a die in the tray: it lies still after a while.
    pub fn roll(&mut self, kind: &str, face: &str) -> u64 {
        let id = self.put(kind, face, "tray");
        let until = self.now + self.chance.between(400, 900);
        if let Some(die) = self.dice.get_mut(&id) {
            die.rolls_until = until;
        }
        self.changed = until;
        id
    }

    pub fn declare(&mut self, said: &Declaration) {
        let at = Duration::from_millis(self.now);
        let said = self.session.declare(at, said);
        self.said.extend(said);
    }

    fn covers(&self) -> Vec<Cover> {
        let hands = self.hands.iter().map(|(surface, part, _)| Cover {
            surface: Some(surface.clone()),
            part: Some(*part),
        });
        hands.collect()
    }

    fn polygon(&self, surface: &str, at: [f64; 2], half: f64) -> Quad {
        let shift = self.nudged.get(surface).map_or([0.0; 2], |n| n.1);
        let seen = self.sight.seen().iter().find(|t| t.id == surface);
        let from = seen.expect("a surface").corners_px.0[0];
        let x = from.x + (at[0] + shift[0]) * PX_A_MM;
        let y = from.y + (at[1] + shift[1]) * PX_A_MM;
        let h = half * PX_A_MM;
        Quad::from_pairs([
            [x - h, y - h],
            [x + h, y - h],
            [x + h, y + h],
            [x - h, y + h],
        ])
    }

    fn foot(&mut self, surface: &str, at: [f64; 2]) -> Foot {
        let lag = self.nudged.get(surface).filter(|n| n.0 > self.now);
        let lag = lag.map_or([0.0; 2], |n| n.1);
        let jitter = [self.chance.error(0.3), self.chance.error(0.3)];
        Foot {
            lies: Some(Lies {
                surface: surface.to_owned(),
                status: Status::Sure,
                at_mm: [at[0] + lag[0] + jitter[0], at[1] + lag[1] + jitter[1]],
                error_mm: 0.6,
                heading_deg: 0.0,
            }),
            table_mm: None,
        }
    }

    fn reading(&mut self, die: &Die) -> Reading {
        let kind = self.copy.dice.iter().find(|d| d.kind == die.kind);
        let kind = kind.unwrap_or_else(|| panic!("no kind {}", die.kind));
        let other = kind.faces.iter().find(|f| f.face != die.face);
        let other = other.map(|f| f.face.clone()).expect("another face");
        let next = |face: &str, confidence| {
            Some(Next {
                kind: die.kind.clone(),
                face: face.to_owned(),
                confidence,
            })
        };
        let rolls = die.rolls_until > self.now;
        let luck = self.chance.even();
        let (face, status, confidence, next) = if luck < 0.01 || rolls {
            // a glint: the other face, and not sure
            (other, Status::Unsure, 0.5, next(&die.face, 0.4))
        } else if luck < 0.07 {
            (die.face.clone(), Status::Unsure, 0.6, next(&other, 0.3))
        } else {
            (die.face.clone(), Status::Sure, 0.995, next(&other, 0.002))
        };
        Reading {
            kind: Some(die.kind.clone()),
            face: Some(face),
            status,
            confidence,
            kind_sure: true,
            likeness: 0.9,
            next,
            others: Vec::new(),
            alike_after_deg: 360,
        }
    }

    /// One frame, unless it is dropped.
    pub fn tick(&mut self) {
        self.now += FRAME_MS;
        self.frame += 1;
        self.hands.retain(|(_, _, until)| *until > self.now);
        if self.chance.in_100(4) {
            return;
        }
        let covers = self.covers();
        let hidden = |surface: &str, at: [f64; 2]| {
            covers.iter().any(|c| {
                let part = c.part.expect("a part");
                c.surface.as_deref() == Some(surface) && part.contains(Point::new(at[0], at[1]))
            })
        };
        let mut dice = Vec::new();
        let all: Vec<Die> = self.dice.values().cloned().collect();
        for die in all {
            if hidden(&die.surface, die.at_mm) || self.chance.in_100(1) {
                continue;
            }
            let mut at = die.at_mm;
            if die.rolls_until > self.now {
                at[0] += self.chance.error(40.0);
                at[1] += self.chance.error(40.0);
            }
            let polygon = self.polygon(&die.surface, at, DIE_MM / 2.0);
            let reading = self.reading(&die);
            dice.push(DieSeen {
                sighting: Sighting {
                    shape: Shape::D6,
                    score: 0.9,
                    there: 0.97,
                    polygon,
                    error: 0.1,
                    reading,
                },
                foot: self.foot(&die.surface, at),
                size_mm: DIE_MM,
            });
        }
        let mut pieces = Vec::new();
        let all: Vec<Mini> = self.minis.values().cloned().collect();
        for mini in all {
            if hidden(&mini.surface, mini.at_mm) {
                continue;
            }
            let foot = self.foot(&mini.surface, mini.at_mm);
            let doubted = self.doubted == Some(mini.what.as_str());
            let turned = doubted && self.chance.in_100(40);
            let heading = mini
                .heading_deg
                .map(|d| d + if turned { 180.0 } else { 0.0 });
            pieces.push(PieceSeen {
                only: mini.heading_deg.is_some(),
                polygon: self.polygon(&mini.surface, mini.at_mm, 10.0),
                foot,
                heading_deg: heading.map(|d| d + self.chance.error(6.0)),
                heading_sure: !doubted,
                status: Status::Sure,
                confidence: 0.99,
                what: mini.what,
                may_be: vec![],
            });
        }
        let look = Look {
            sees: Vec::new(),
            camera: "one".to_owned(),
            frame: self.frame,
            at: Duration::from_millis(self.now),
            dice,
            pieces,
            covers,
            blind: false,
            untouched: Vec::new(),
        };
        let mut table = self.tracker.add(&look);
        self.session.rank(&mut table, &self.sight);
        let placings: Vec<_> = table
            .dice
            .iter()
            .map(|d| self.session.placing(d, &self.sight))
            .collect();
        self.events
            .extend(self.session.follow(&table, &placings, &self.sight));
        self.said.extend(self.session.watch(&table, &self.sight));
        self.table = table;
        if self.now > self.changed + 3000 {
            self.still.0 += 1;
            let mut seen: Vec<(String, String)> = self
                .table
                .dice
                .iter()
                .zip(&placings)
                .filter(|(d, p)| d.status() == Status::Sure && p.zone_status == Status::Sure)
                .map(|(d, p)| {
                    let face = d.reading.face.clone().unwrap_or_default();
                    let zone = p.zone.clone().unwrap_or_default();
                    (face, zone.replace("table", "tray"))
                })
                .collect();
            seen.sort();
            let real = self.dice.values();
            let mut real: Vec<_> = real.map(|d| (d.face.clone(), d.zone.clone())).collect();
            real.sort();
            let hiccup = self.table.dice.iter().any(|d| d.status() == Status::Hidden);
            self.still.1 += u32::from(seen == real || hiccup);
        }
    }

    pub fn wait(&mut self, ms: u64) {
        let until = self.now + ms;
        while self.now < until {
            self.tick();
        }
    }

    /// Engineering gives a station an energy die.
    pub fn give(&mut self, ship: &str, station: &str) {
        let pool = format!("{ship}.engineering.pool");
        let to = format!("{ship}.{station}.energy");
        let number = match station {
            "weapons" => "1",
            "sensors" => "2",
            "tractor" => "3",
            "shields" => "4",
            _ => "5",
        };
        let die = self.in_zone(&pool).first().copied().expect("energy");
        self.hand(&pool, 500);
        self.take(die);
        self.wait(self.chance.clone().between(300, 900));
        self.hand(&to, 400);
        self.put("energy", number, &to);
        self.wait(900);
    }

    /// A station die is placed, and its energy goes back.
    pub fn place(&mut self, ship: &str, kind: &str, face: &str, zone: &str) -> u64 {
        let zone = format!("{ship}.{zone}");
        let station = zone.split('.').nth(1).expect("a station").to_owned();
        let energy = format!("{ship}.{station}.energy");
        let back = self.in_zone(&energy).first().copied().expect("energy");
        let first = self.chance.in_100(50);
        let mut placed = 0;
        for step in 0..2 {
            if (step == 0) == first {
                let ms = self.chance.between(250, 700);
                self.hand(&zone, ms);
                placed = self.put(kind, face, &zone);
            } else {
                let ms = self.chance.between(250, 600);
                self.hand(&energy, ms);
                self.take(back);
            }
            let pause = self.chance.between(200, 900);
            self.wait(pause);
        }
        let pool = format!("{ship}.engineering.pool");
        self.hand(&pool, 400);
        let face = self.chance.between(1, 6).to_string();
        self.put("energy", &face, &pool);
        self.wait(900);
        placed
    }

    /// What was said, as its kind with its place.
    pub fn words(&self) -> Vec<(f64, String)> {
        let word = |h: &Happening| {
            let value = serde_json::to_value(h).expect("JSON");
            let of = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
            let about = ["foul", "code"].map(of).concat();
            let parts = [of("happened"), about, of("at"), of("verdict"), of("ship")];
            let parts: Vec<String> = parts.into_iter().filter(|p| !p.is_empty()).collect();
            (h.at_s, parts.join(" "))
        };
        self.said.iter().map(word).collect()
    }

    /// Dice that were told to have come to lie in a zone: kind and face, and where.
    pub fn told_placed(&self) -> Vec<(f64, String, String)> {
        let came = |e: &&Event| matches!(e.change, Change::Placed | Change::Moved);
        let events = self.events.iter().filter(came);
        events
            .map(|e| {
                let word = |s: &Option<String>| s.clone().unwrap_or_default();
                let zone = word(&e.placing.zone);
                let what = format!("{} {}", word(&e.kind), word(&e.face));
                (e.at_s, what, zone.replace("table", "tray"))
            })
            .collect()
    }

    /// Whether a zone is known to the rules: to keep the script honest.
    pub fn is_zone(zone: &str) -> bool {
        zone.parse::<Zone>().is_ok()
    }
}
