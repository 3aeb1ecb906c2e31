//! Displays and boards: flat things that dice and pieces lie on, with their zones and squares.
//!
//! The frame is the surface's own: millimetres from its upper left as it is read, x right, y down.

use std::{
    collections::{HashMap, HashSet},
    path::PathBuf,
};

use geo::{Area, Contains, Distance, Euclidean, Validation};
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::{
    means::Means,
    piece::inside,
    source::{FileError, Note, Source},
};
use crate::geometry::{Point, covered};

/// What two zones may share, as a part of the smaller one, before the copy says so.
const OVERLAP: f64 = 0.01;

/// What a surface is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SurfaceKind {
    Display,
    Board,
}

impl SurfaceKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Display => "display",
            Self::Board => "board",
        }
    }
}

/// A display or a board.
#[derive(Debug, Clone)]
pub struct Surface {
    pub id: String,
    pub kind: SurfaceKind,
    /// What the surface is to the rules, e.g. `white.helm`.
    pub means: Means,
    /// Numbers of the energy dice that power its station, as they are printed on it; the rules' default where empty.
    pub powered_by: Vec<u32>,
    /// Width and height.
    pub size_mm: [f64; 2],
    pub thickness_mm: f64,
    /// The flat picture by which it is known again; none before it is enrolled.
    pub reference: Option<PathBuf>,
    pub zones: Vec<Zone>,
    pub grid: Option<Grid>,
}

/// A named region of a surface.
#[derive(Debug, Clone)]
pub struct Zone {
    pub zone: String,
    /// What it is to the rules, after the surface's own `means`: `A` of `white.helm`; with a leading `/`,
    /// its whole name.
    pub means: Means,
    pub polygon_mm: geo::Polygon<f64>,
    /// Kinds of dice that belong there; empty where anything may lie.
    pub takes: Vec<String>,
    /// At most so many dice; no limit where left out.
    pub holds: Option<u32>,
}

/// A board's squares.
#[derive(Debug, Clone)]
pub struct Grid {
    /// Upper left corner of the upper left square.
    pub origin_mm: [f64; 2],
    pub square_mm: f64,
    pub columns: u32,
    pub rows: u32,
    /// Squares that mean something; each only once.
    pub marked: Vec<Mark>,
}

/// A square that means something.
#[derive(Debug, Clone)]
pub struct Mark {
    /// Column and row from the bottom left, from 0.
    pub square: [u32; 2],
    /// What it is to the rules, e.g. `crystal-1` or `start-white`.
    pub means: Means,
    /// Where a ship that starts there faces, in the rules' word.
    pub facing: Option<Means>,
}

/// Which region a point lies in, given how far off it may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Region {
    /// In this one, and farther from its edge than the error.
    Sure(String),
    /// In one of these, or, with `outside`, in none, or, with `off`, not on the surface at all.
    Unsure {
        among: Vec<String>,
        outside: bool,
        off: bool,
    },
    /// In none, and farther from all, and from the surface's rim, than the error.
    Outside,
}

impl Surface {
    /// The rules' name of a zone: `white.helm.A`; what begins with `/` is a whole name already.
    pub fn zone_name(&self, zone: &Zone) -> String {
        match zone.means.strip_prefix('/') {
            Some(whole) => whole.to_owned(),
            None => format!("{}.{}", self.means, zone.means),
        }
    }

    /// The rules' name of a square, counted from the bottom left: `board[3,4]`.
    pub fn square_name(&self, [column, row]: [u32; 2]) -> String {
        format!("{}[{column},{row}]", self.means)
    }

    /// Zones and squares with their names, in millimetres.
    pub fn regions(&self) -> impl Iterator<Item = (String, geo::Polygon<f64>)> + '_ {
        let zones = self
            .zones
            .iter()
            .map(|z| (self.zone_name(z), z.polygon_mm.clone()));
        let squares = self.grid.iter().flat_map(move |g| {
            (0..g.rows).flat_map(move |row| {
                (0..g.columns)
                    .map(move |column| (self.square_name([column, row]), g.square([column, row])))
            })
        });
        zones.chain(squares)
    }

    /// Names of zones and squares of which any part lies under `part`, in millimetres; all, where `None`.
    pub fn regions_under(
        &self,
        part: Option<&crate::geometry::Quad>,
    ) -> impl Iterator<Item = String> + '_ {
        use geo::Intersects;
        let part = part.map(crate::geometry::Quad::polygon);
        self.regions()
            .filter(move |(_, polygon)| part.as_ref().is_none_or(|p| p.intersects(polygon)))
            .map(|(name, _)| name)
    }

    /// The region that a foot at `at` lies in, known to `error_mm`.
    pub fn region(&self, at: Point, error_mm: f64) -> Region {
        let p = geo::Point::new(at.x, at.y);
        let mut inside = Vec::new();
        let mut near = Vec::new();
        for (name, polygon) in self.regions() {
            let edge = Euclidean.distance(&p, polygon.exterior());
            let within = polygon.contains(&p);
            if within && edge >= error_mm {
                inside.push(name);
            } else if within || edge < error_mm {
                near.push(name);
            }
        }
        let off = self.is_at_rim(at, error_mm);
        match (inside.as_slice(), near.as_slice()) {
            ([one], []) => Region::Sure(one.clone()),
            ([], []) if !off => Region::Outside,
            _ => Region::Unsure {
                outside: inside.is_empty() && !self.covers(p, error_mm),
                among: inside.into_iter().chain(near).collect(),
                off,
            },
        }
    }

    /// Whether the rim is nearer than the error.
    fn is_at_rim(&self, at: Point, error_mm: f64) -> bool {
        let [w, h] = self.size_mm;
        let rim = at.x.min(w - at.x).min(at.y).min(h - at.y);
        rim < error_mm
    }

    /// Whether every place within the error of `p` lies on some square: then it is in none but these.
    fn covers(&self, p: geo::Point<f64>, error_mm: f64) -> bool {
        self.grid.as_ref().is_some_and(|g| {
            let [x, y] = g.origin_mm;
            p.x() - error_mm >= x
                && p.y() - error_mm >= y
                && p.x() + error_mm <= x + f64::from(g.columns) * g.square_mm
                && p.y() + error_mm <= y + f64::from(g.rows) * g.square_mm
        })
    }
}

impl Grid {
    /// The outline of a square, counted from the bottom left.
    pub fn square(&self, [column, row]: [u32; 2]) -> geo::Polygon<f64> {
        let x = self.origin_mm[0] + f64::from(column) * self.square_mm;
        let from_top = f64::from(self.rows) - 1.0 - f64::from(row);
        let y = self.origin_mm[1] + from_top * self.square_mm;
        geo::Rect::new((x, y), (x + self.square_mm, y + self.square_mm)).to_polygon()
    }
}

/// `[[displays]]`, as it is written.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DisplayFile {
    /// The owner's word for it; each only once.
    #[schemars(with = "String")]
    pub id: Spanned<String>,
    /// What it is to the rules, e.g. `white.helm`; its id where left out.
    #[schemars(with = "Option<String>")]
    means: Option<Spanned<String>>,
    /// Numbers (1 to 6) of the energy dice that power its station, as they are printed on it; the rules' default where no
    /// display says it.
    #[serde(default)]
    #[schemars(with = "Vec<u32>")]
    powered_by: Vec<Spanned<u32>>,
    /// Width and height in millimetres.
    #[schemars(with = "[f64; 2]")]
    size_mm: Spanned<[f64; 2]>,
    /// How thick the card is; 0 where left out.
    #[schemars(with = "Option<f64>")]
    thickness_mm: Option<Spanned<f64>>,
    /// Its flat picture, beside this file.
    #[schemars(with = "Option<String>")]
    reference: Option<Spanned<String>>,
    /// One table for each named region.
    #[serde(default)]
    zones: Vec<ZoneFile>,
}

/// `[[boards]]`, as it is written.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct BoardFile {
    /// The owner's word for it; each only once.
    #[schemars(with = "String")]
    pub id: Spanned<String>,
    /// What it is to the rules, `board`; its id where left out.
    #[schemars(with = "Option<String>")]
    means: Option<Spanned<String>>,
    /// Width and height in millimetres.
    #[schemars(with = "[f64; 2]")]
    size_mm: Spanned<[f64; 2]>,
    /// How thick it is; 0 where left out.
    #[schemars(with = "Option<f64>")]
    thickness_mm: Option<Spanned<f64>>,
    /// Its flat picture, beside this file.
    #[schemars(with = "Option<String>")]
    reference: Option<Spanned<String>>,
    /// Its squares.
    grid: Option<GridFile>,
    /// One table for each named region that is no square.
    #[serde(default)]
    zones: Vec<ZoneFile>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ZoneFile {
    /// The owner's word for it; each only once a surface.
    #[schemars(with = "String")]
    zone: Spanned<String>,
    /// What it is to the rules on this surface; the zone's own name where left out. With a leading `/`
    /// it is the whole name: a ship's damage spaces are printed on the board, but are the ship's.
    #[schemars(with = "Option<String>")]
    means: Option<Spanned<String>>,
    /// Its corners in order, millimetres from the surface's upper left.
    #[schemars(with = "Vec<[f64; 2]>")]
    polygon_mm: Spanned<Vec<[f64; 2]>>,
    /// Kinds of dice that belong there; anything where left out. Where the rules know the zone, they have the last word.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    takes: Vec<Spanned<String>>,
    /// At most so many dice; any number where left out. Where the rules know the zone, they have the last word.
    holds: Option<u32>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GridFile {
    /// Upper left corner of the upper left square.
    #[schemars(with = "[f64; 2]")]
    origin_mm: Spanned<[f64; 2]>,
    /// Side of a square.
    #[schemars(with = "f64")]
    square_mm: Spanned<f64>,
    /// Squares from left to right, 1 to 60.
    #[schemars(with = "u32")]
    columns: Spanned<u32>,
    /// Squares from top to bottom, 1 to 60.
    rows: u32,
    /// Squares that mean something to the rules.
    #[serde(default)]
    marked: Vec<MarkedFile>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MarkedFile {
    /// Column and row from the bottom left, from 0.
    #[schemars(with = "[u32; 2]")]
    square: Spanned<[u32; 2]>,
    /// What the square is to the rules, e.g. `crystal-1` or `start-white`.
    #[schemars(with = "String")]
    means: Spanned<String>,
    /// Where a ship that starts there faces: `N`, `E`, `S` or `W`; from the rules' default where left out.
    #[schemars(with = "Option<String>")]
    facing: Option<Spanned<String>>,
}

/// What checking a surface needs to know of the rest.
pub(super) struct Around<'a> {
    pub source: &'a Source,
    pub folder: &'a std::path::Path,
    /// Kinds of dice that were met.
    pub kinds: HashSet<String>,
    /// Reference pictures that were met, and of which surface.
    pub references: HashMap<PathBuf, String>,
    pub notes: &'a mut Vec<Note>,
}

/// The fields that displays and boards share.
struct Common {
    pub id: Spanned<String>,
    means: Option<Spanned<String>>,
    powered_by: Vec<u32>,
    size_mm: Spanned<[f64; 2]>,
    thickness_mm: Option<Spanned<f64>>,
    reference: Option<Spanned<String>>,
    zones: Vec<ZoneFile>,
}

impl DisplayFile {
    pub(super) fn check(self, around: &mut Around<'_>) -> Result<Surface, FileError> {
        Common {
            id: self.id,
            means: self.means,
            powered_by: powered_by(&self.powered_by, around.source)?,
            size_mm: self.size_mm,
            thickness_mm: self.thickness_mm,
            reference: self.reference,
            zones: self.zones,
        }
        .check(SurfaceKind::Display, None, around)
    }
}

impl BoardFile {
    pub(super) fn check(self, around: &mut Around<'_>) -> Result<Surface, FileError> {
        let grid = match self.grid {
            Some(g) => Some(g.check(*self.size_mm.get_ref(), around.source)?),
            None => None,
        };
        Common {
            id: self.id,
            means: self.means,
            powered_by: Vec::new(),
            size_mm: self.size_mm,
            thickness_mm: self.thickness_mm,
            reference: self.reference,
            zones: self.zones,
        }
        .check(SurfaceKind::Board, grid, around)
    }
}

impl Common {
    fn check(
        self,
        kind: SurfaceKind,
        grid: Option<Grid>,
        around: &mut Around<'_>,
    ) -> Result<Surface, FileError> {
        let source = around.source;
        let id = self.id.get_ref().clone();
        let size_mm = *self.size_mm.get_ref();
        if size_mm.iter().any(|v| !(20.0..=3000.0).contains(v)) {
            let [w, h] = size_mm;
            return Err(source.wrong(
                &self.size_mm,
                format!("size_mm = [{w}, {h}]: a surface's sides are between 20 mm and 3 m"),
            ));
        }
        let thickness_mm = match &self.thickness_mm {
            Some(t) if !(0.0..=30.0).contains(t.get_ref()) => {
                return Err(source.wrong(
                    t,
                    format!(
                        "thickness_mm = {}: a card or board is between 0 and 30 mm thick",
                        t.get_ref()
                    ),
                ));
            }
            Some(t) => *t.get_ref(),
            None => 0.0,
        };
        let reference = self.reference.and_then(|r| {
            let why = match inside(around.folder, r.get_ref()) {
                Some(file) if file.is_file() => {
                    if let Some(other) = around.references.insert(file.clone(), id.clone()) {
                        let what = format!(
                            "reference of \"{id}\": it is the picture of \"{other}\", too: they are told apart only where their corners are clicked"
                        );
                        around.notes.push(source.about(&r, what));
                    }
                    return Some(file);
                }
                Some(file) => format!("there is no file {}", file.display()),
                None => format!("{} lies outside the copy's folder", r.get_ref()),
            };
            let what = format!("reference of \"{id}\": {why}; until it is enrolled it is found only where its corners are clicked");
            around.notes.push(source.about(&r, what));
            None
        });
        let mut names = HashSet::new();
        let mut zones: Vec<Zone> = Vec::new();
        for z in self.zones {
            let at = z.zone.clone();
            let zone = z.check(size_mm, around)?;
            if !names.insert(zone.zone.clone()) {
                let what = format!("zone = \"{}\": twice on \"{id}\"", zone.zone);
                return Err(source.wrong(&at, what));
            }
            for other in &zones {
                let shared = covered(&zone.polygon_mm, &other.polygon_mm)
                    .max(covered(&other.polygon_mm, &zone.polygon_mm));
                if shared > OVERLAP {
                    around.notes.push(source.about(
                        &at,
                        format!(
                            "zone = \"{}\": it overlaps zone \"{}\" by {:.0} %; what lies in both is unsure",
                            zone.zone,
                            other.zone,
                            shared * 100.0
                        ),
                    ));
                }
            }
            let squares = grid.iter().flat_map(|g| {
                (0..g.rows)
                    .flat_map(move |row| (0..g.columns).map(move |column| [column, row]))
                    .map(move |at| (at, g.square(at)))
            });
            let over: Vec<String> = squares
                .filter(|(_, square)| {
                    let shared =
                        covered(&zone.polygon_mm, square).max(covered(square, &zone.polygon_mm));
                    shared > OVERLAP
                })
                .map(|([column, row], _)| format!("[{column},{row}]"))
                .collect();
            if let Some(first) = over.first() {
                around.notes.push(source.about(
                    &at,
                    format!(
                        "zone = \"{}\": it lies over {} of the grid's squares ({first} is one); what lies in both is unsure",
                        zone.zone,
                        over.len()
                    ),
                ));
            }
            zones.push(zone);
        }
        Ok(Surface {
            means: Means::of(source, self.means.as_ref(), &self.id),
            powered_by: self.powered_by,
            id,
            kind,
            size_mm,
            thickness_mm,
            reference,
            zones,
            grid,
        })
    }
}

/// The numbers that power a display's station.
fn powered_by(numbers: &[Spanned<u32>], source: &Source) -> Result<Vec<u32>, FileError> {
    if let Some(n) = numbers.iter().find(|n| !(1..=6).contains(n.get_ref())) {
        let what = format!("powered_by = {}: an energy die shows 1 to 6", n.get_ref());
        return Err(source.wrong(n, what));
    }
    Ok(numbers.iter().map(|n| *n.get_ref()).collect())
}

impl ZoneFile {
    fn check(self, [w, h]: [f64; 2], around: &Around<'_>) -> Result<Zone, FileError> {
        let name = self.zone.get_ref().clone();
        let corners = self.polygon_mm.get_ref();
        let wrong = |why: String| {
            let what = format!("polygon_mm of zone \"{name}\": {why}");
            Err(around.source.wrong(&self.polygon_mm, what))
        };
        if !(3..=64).contains(&corners.len()) {
            return wrong(format!("{} corners; it wants 3 to 64", corners.len()));
        }
        let outside =
            |[x, y]: &[f64; 2]| !(-1.0..=w + 1.0).contains(x) || !(-1.0..=h + 1.0).contains(y);
        if let Some([x, y]) = corners.iter().find(|c| outside(c)) {
            return wrong(format!(
                "[{x}, {y}] is not on the surface, which is {w} by {h} mm"
            ));
        }
        let polygon = geo::Polygon::new(corners.iter().map(|&[x, y]| (x, y)).collect(), vec![]);
        if !polygon.is_valid() || polygon.unsigned_area() < 1.0 {
            return wrong(
                "its sides cross or it has no area; give the corners in order".to_owned(),
            );
        }
        for kind in &self.takes {
            if !around.kinds.contains(kind.get_ref()) {
                return Err(around.source.wrong(
                    kind,
                    format!(
                        "takes of zone \"{name}\": there is no die kind \"{}\"",
                        kind.get_ref()
                    ),
                ));
            }
        }
        Ok(Zone {
            means: Means::of(around.source, self.means.as_ref(), &self.zone),
            zone: name,
            polygon_mm: polygon,
            takes: self.takes.into_iter().map(Spanned::into_inner).collect(),
            holds: self.holds,
        })
    }
}

impl GridFile {
    fn check(self, [w, h]: [f64; 2], source: &Source) -> Result<Grid, FileError> {
        let square_mm = *self.square_mm.get_ref();
        if !(5.0..=500.0).contains(&square_mm) {
            return Err(source.wrong(
                &self.square_mm,
                format!("square_mm = {square_mm}: a square's side is between 5 and 500 mm"),
            ));
        }
        let (columns, rows) = (*self.columns.get_ref(), self.rows);
        if !(1..=60).contains(&columns) || !(1..=60).contains(&rows) {
            return Err(source.wrong(
                &self.columns,
                format!("columns = {columns}, rows = {rows}: each is between 1 and 60"),
            ));
        }
        let [wide, high] = [columns, rows].map(|n| f64::from(n) * square_mm);
        if wide > w + 1.0 || high > h + 1.0 {
            return Err(source.wrong(
                &self.square_mm,
                format!(
                    "square_mm = {square_mm}: {columns} by {rows} such squares do not fit on {w} by {h} mm"
                ),
            ));
        }
        let [x, y] = *self.origin_mm.get_ref();
        let fits = x >= -1.0 && y >= -1.0 && x + wide <= w + 1.0 && y + high <= h + 1.0;
        if !fits {
            return Err(source.wrong(
                &self.origin_mm,
                format!(
                    "origin_mm = [{x}, {y}]: {columns} by {rows} squares of {square_mm} mm from there do not fit on {w} by {h} mm"
                ),
            ));
        }
        let mut marked: Vec<Mark> = Vec::new();
        for m in self.marked {
            let [column, row] = *m.square.get_ref();
            if column >= columns || row >= rows {
                return Err(source.wrong(
                    &m.square,
                    format!(
                        "square = [{column}, {row}]: the board has columns 0 to {} and rows 0 to {}, from the bottom left",
                        columns - 1,
                        rows - 1
                    ),
                ));
            }
            let means = Means::of(source, Some(&m.means), &m.means);
            if let Some(other) = marked
                .iter()
                .find(|o| o.square == [column, row] || *o.means == *means)
            {
                let what = if *other.means == *means {
                    format!("means = \"{}\": two squares mean that", means)
                } else {
                    format!(
                        "square = [{column}, {row}]: it is marked twice, as {} and as {}",
                        other.means, means
                    )
                };
                return Err(source.wrong(&m.square, what));
            }
            marked.push(Mark {
                square: [column, row],
                means,
                facing: m.facing.as_ref().map(|f| Means::of(source, Some(f), f)),
            });
        }
        Ok(Grid {
            origin_mm: [x, y],
            square_mm,
            columns,
            rows,
            marked,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn helm() -> Surface {
        let zone = |name: &str, x: f64| Zone {
            zone: name.into(),
            means: name.into(),
            polygon_mm: geo::Rect::new((x, 28.0), (x + 27.0, 55.0)).to_polygon(),
            takes: vec![],
            holds: Some(1),
        };
        Surface {
            id: "helm".into(),
            kind: SurfaceKind::Display,
            means: "white.helm".into(),
            powered_by: vec![],
            size_mm: [150.0, 110.0],
            thickness_mm: 1.8,
            reference: None,
            zones: vec![zone("A", 47.0), zone("B", 74.5)],
            grid: None,
        }
    }

    #[test]
    fn a_foot_near_an_edge_is_unsure() {
        let s = helm();
        let at = |x: f64, e: f64| s.region(Point::new(x, 40.0), e);
        assert_eq!(at(60.0, 2.0), Region::Sure("white.helm.A".into()));
        assert_eq!(at(20.0, 2.0), Region::Outside);
        assert_eq!(
            at(48.0, 2.0),
            Region::Unsure {
                among: vec!["white.helm.A".into()],
                outside: true,
                off: false,
            }
        );
        // so near to the rim it may not be on the display at all
        let off = |x: f64| matches!(at(x, 2.0), Region::Unsure { off: true, .. });
        assert!(off(1.0) && off(148.5) && !off(3.0));
        let Region::Unsure { among, .. } = at(74.2, 1.0) else {
            panic!("between two zones")
        };
        assert_eq!(among.len(), 2);
    }

    #[test]
    fn squares_count_from_the_bottom_left() {
        let mut s = helm();
        s.zones.clear();
        s.means = "board".into();
        s.grid = Some(Grid {
            origin_mm: [10.0, 10.0],
            square_mm: 20.0,
            columns: 4,
            rows: 3,
            marked: vec![],
        });
        let at = |x: f64, y: f64| s.region(Point::new(x, y), 1.0);
        assert_eq!(at(20.0, 60.0), Region::Sure("board[0,0]".into()));
        assert_eq!(at(80.0, 20.0), Region::Sure("board[3,2]".into()));
        // between two squares of the grid it is in one of them, never outside
        let Region::Unsure {
            among,
            outside,
            off,
        } = at(30.2, 40.0)
        else {
            panic!("on a line")
        };
        assert!(!outside && !off && among == ["board[0,1]", "board[1,1]"]);
    }
}
