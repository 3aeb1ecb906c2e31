//! One surface's reference picture, and how well a picture agrees with it under a map.

use opencv::{
    core::{self, Mat, Point2f, Rect, Size, Vector},
    imgproc,
    prelude::*,
};

use super::{
    described,
    descriptors::Descriptors,
    hypothesis::Hypothesis,
    level::{self, Level, TEXTURE},
    map::{self, Map},
    repeats,
};
use crate::{
    copy::Grid,
    geometry::{Drift, Point},
    vision::{detector::Effort, eye::VisionError},
};

/// Pixels a millimetre of the flat pictures that are compared, and the side of their blocks in
/// millimetres: half a die, so that one die covers few; more where a block would have too few pixels.
const LEVELS: [(f64, f64); 4] = [(3.0, 10.0), (2.0, 10.0), (1.4, 12.0), (1.0, 15.0)];
/// A level may be so much finer than the picture: beyond, the reference shows what the picture cannot.
const FINER: f64 = 1.4;
/// Where a repetition of the print further on explains at least this part of what a place does, it is looked at with all care.
const RIVAL: f64 = 0.6;
/// By so much at most a place is taken to explain more once blocks were matched about it: of 947 in the searches of 40 seconds of a film the most was 1.04.
const MATCHED: f64 = 1.1;
/// Fewer blocks than this are no comparison.
const LEAST_BLOCKS: usize = 8;
/// Features looked for in a reference.
const FEATURES: i32 = 1500;
/// Pixels of a flat picture while hypotheses are weighed; the last word is said at full size.
const QUICK: f64 = 120_000.0;

/// One surface's reference, ready to be looked for.
pub(in crate::vision) struct Reference {
    pub id: String,
    pub size_mm: [f64; 2],
    pub points: Vec<Feature>,
    pub descriptors: Descriptors,
    levels: Vec<Level>,
    /// From a place in millimetres to those further on where its print looks much the same.
    repeats: Vec<Map>,
    /// And to those where it does so turned by a half, about whatever point; a board has none.
    pub halves: Vec<Map>,
    /// A board's turns.
    turns: Vec<Map>,
}

/// A feature of a reference picture.
pub(in crate::vision) struct Feature {
    /// Millimetres on the surface.
    pub at: Point,
    pub size_mm: f64,
    /// Clockwise from the surface's x axis.
    pub angle_deg: f64,
}

/// Repetitions in a row that a place may be off.
const ROW: usize = 6;

/// How thoroughly to compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::vision) enum Care {
    Quick,
    Full,
}

impl Reference {
    pub(super) fn of(id: &str, size_mm: [f64; 2], grey: &Mat) -> Result<Self, VisionError> {
        let (keypoints, descriptors) = described(FEATURES, grey, Effort::Still)?;
        let per_mm = [
            f64::from(grey.cols()) / size_mm[0],
            f64::from(grey.rows()) / size_mm[1],
        ];
        let points = keypoints
            .iter()
            .map(|k| Feature {
                at: Point::new(
                    (f64::from(k.at.x) + 0.5) / per_mm[0],
                    (f64::from(k.at.y) + 0.5) / per_mm[1],
                ),
                size_mm: k.size / per_mm[0],
                angle_deg: k.angle_deg,
            })
            .collect();
        let mut levels = Vec::new();
        for (per_mm, block_mm) in LEVELS {
            levels.push(Level::of(grey, size_mm, per_mm, block_mm)?);
        }
        let alike = repeats::of(grey, size_mm)?;
        Ok(Self {
            id: id.to_owned(),
            size_mm,
            points,
            descriptors,
            levels,
            repeats: (alike.shifts.into_iter())
                .flat_map(|shift| [shift, -shift])
                .map(|shift| map::rigid(0.0, shift.x, shift.y))
                .collect(),
            halves: alike.turns,
            turns: Vec::new(),
        })
    }

    /// A board's squares look much the same when it is turned by a half, and by a quarter where there are as many each way.
    pub(super) fn with_squares(mut self, grid: &Grid) -> Self {
        let [x, y] = grid.origin_mm;
        let middle = [
            x + f64::from(grid.columns) * grid.square_mm / 2.0,
            y + f64::from(grid.rows) * grid.square_mm / 2.0,
        ];
        let turns: &[f64] = match grid.columns == grid.rows {
            true => &[0.5, 1.0, 1.5],
            false => &[1.0],
        };
        let turned = turns.iter().map(|turn| {
            let about = map::rigid(turn * std::f64::consts::PI, 0.0, 0.0);
            map::rigid(0.0, middle[0], middle[1]) * about * map::rigid(0.0, -middle[0], -middle[1])
        });
        self.turns.extend(turned);
        self.halves.clear();
        self
    }

    /// Whether most of it is squares.
    pub(super) fn is_board(&self) -> bool {
        !self.turns.is_empty()
    }

    /// Whether a surface shows so little print that no comparison says where it lies.
    pub(super) fn is_plain(size_mm: [f64; 2], grey: &Mat) -> Result<bool, VisionError> {
        let [(per_mm, block_mm), ..] = LEVELS;
        Ok(Level::of(grey, size_mm, per_mm, block_mm)?.blocks.len() < LEAST_BLOCKS)
    }

    pub(super) fn level(&self, density: f64, care: Care) -> Option<&Level> {
        let [w, h] = self.size_mm;
        let fits = |l: &&Level| {
            l.per_mm <= FINER * density
                && (care == Care::Full || w * h * l.per_mm * l.per_mm <= QUICK)
        };
        self.levels.iter().find(fits).or(self.levels.last())
    }

    /// What a map explains; `None` where it is no map of a card, or too little of it is in the picture.
    pub fn weighed(
        &self,
        grey: &Mat,
        map: &Map,
        care: Care,
    ) -> Result<Option<Hypothesis>, VisionError> {
        self.compared(grey, map, care, &[])
    }

    /// The same with all care, of what no body hides; millimetres on the surface.
    pub fn beside(
        &self,
        grey: &Mat,
        map: &Map,
        bodies: &[geo::Polygon],
    ) -> Result<Option<Hypothesis>, VisionError> {
        self.compared(grey, map, Care::Full, bodies)
    }

    fn compared(
        &self,
        grey: &Mat,
        map: &Map,
        care: Care,
        hidden: &[geo::Polygon],
    ) -> Result<Option<Hypothesis>, VisionError> {
        let picture = (grey.cols().unsigned_abs(), grey.rows().unsigned_abs());
        let corners = map::corners(map, self.size_mm);
        let Some(corners) = corners.filter(|q| map::plausible(q, self.size_mm, picture)) else {
            return Ok(None);
        };
        let Some(level) = self.level(map::density(&corners, self.size_mm), care) else {
            return Ok(None);
        };
        let found = level.agreeing(grey, map, hidden)?;
        let block_mm2 = (f64::from(level.side) / level.per_mm).powi(2);
        let enough = found.printed >= LEAST_BLOCKS.min(level.blocks.len().max(1));
        Ok(enough.then(|| Hypothesis {
            map: *map,
            corners,
            agreement: found.same as f64 / found.printed as f64,
            compared: found.printed,
            seen: found.printed as f64 / level.blocks.len() as f64,
            strange_mm2: found.strange as f64 * block_mm2,
            same_mm2: found.same as f64 * block_mm2,
            repeated: 0.0,
        }))
    }

    /// Of a place and those a repetition of the print from it, the one that explains most, with what the next best
    /// explains beside it. What lies turned is never put in its place, only beside it: of a board, most of which is squares, a few blocks decide.
    pub fn placed(&self, grey: &Mat, best: Hypothesis) -> Result<Hypothesis, VisionError> {
        let (mut best, own) = self.further(grey, best)?;
        if let Some(turned) = self.rival(grey, &best.map, best.explains(), &self.turns)? {
            let own = match own {
                Some(own) => own,
                None => self.with_care(grey, &best)?,
            };
            best.repeated = best.repeated.max((turned.explains() / own).min(1.0));
        }
        Ok(best)
    }

    /// The same of the repetitions that are not turned; and what it explains laid on with care, where that was asked.
    fn further(
        &self,
        grey: &Mat,
        mut best: Hypothesis,
    ) -> Result<(Hypothesis, Option<f64>), VisionError> {
        // from one repetition to the next, as far as a row goes
        for _ in 0..=ROW {
            let Some(rival) = self.rival(grey, &best.map, best.explains(), &self.repeats)? else {
                best.repeated = 0.0;
                return Ok((best, None));
            };
            // both laid on with the same care
            let own = self.with_care(grey, &best)?;
            if rival.explains() <= own {
                best.repeated = rival.explains() / own;
                return Ok((best, Some(own)));
            }
            best = rival;
        }
        best.repeated = 1.0;
        Ok((best, None))
    }

    /// What a place explains once blocks were matched about it.
    fn with_care(&self, grey: &Mat, best: &Hypothesis) -> Result<f64, VisionError> {
        let tuned = self.tuned(grey, best.clone())?.explains();
        Ok(tuned.max(best.explains()).max(1e-9))
    }

    /// The one of `repeats` of a place that explains most, where one may come near what this explains.
    fn rival(
        &self,
        grey: &Mat,
        map: &Map,
        explains: f64,
        repeats: &[Map],
    ) -> Result<Option<Hypothesis>, VisionError> {
        let mut rivals = Vec::new();
        for repeat in repeats {
            let Some(there) = map::scaled(map * repeat) else {
                continue;
            };
            let quick = self.weighed(grey, &there, Care::Quick)?;
            if quick.is_some_and(|q| q.explains() >= RIVAL * explains) {
                rivals.extend(self.weighed(grey, &there, Care::Full)?);
            }
        }
        // matching blocks takes longest, and only of the likeliest may it say more
        rivals.sort_by(|a, b| b.explains().total_cmp(&a.explains()));
        let mut most: Option<Hypothesis> = None;
        for rival in rivals {
            let may_be_most = |m: &Hypothesis| rival.explains() * MATCHED >= m.explains();
            if !most.as_ref().is_none_or(may_be_most) {
                break;
            }
            let rival = self.tuned(grey, rival)?;
            if most
                .as_ref()
                .is_none_or(|m| m.explains() < rival.explains())
            {
                most = Some(rival);
            }
        }
        Ok(most)
    }

    /// Matches blocks near where they should be, and fits the map to them.
    pub fn tuned(&self, grey: &Mat, mut best: Hypothesis) -> Result<Hypothesis, VisionError> {
        for reach_mm in [2.5, 1.2] {
            let density = map::density(&best.corners, self.size_mm);
            let Some(level) = self.level(density, Care::Full) else {
                break;
            };
            let side = level.side;
            let reach = (reach_mm * level.per_mm).round().max(2.0) as i32;
            let flat = level.laid(grey, &best.map)?;
            let to_picture = best.map * map::mm_of_flat(level.per_mm);
            let (w, h) = (flat.cols(), flat.rows());
            let was: &[f32] = level.flat.data_typed()?;
            let (mut from, mut to) = (Vector::<Point2f>::new(), Vector::<Point2f>::new());
            for y in (reach..=h - side - reach).step_by(side as usize / 2) {
                for x in (reach..=w - side - reach).step_by(side as usize / 2) {
                    let at = Rect::new(x, y, side, side);
                    let around =
                        Rect::new(x - reach, y - reach, side + 2 * reach, side + 2 * reach);
                    let (_, norm) = level::moments(was, w as usize, at);
                    if f64::from(norm) / f64::from(side) < TEXTURE
                        || level::least_gradient(was, w as usize, at) < 0.7
                        || !level::inside(&to_picture, around, grey)
                    {
                        continue;
                    }
                    let block = level::part(&level.flat, at)?;
                    if let Some((dx, dy)) = shift(&level::part(&flat, around)?, &block)? {
                        let middle = |v: i32| v as f32 + (side - 1) as f32 / 2.0;
                        let r = reach as f32;
                        from.push(Point2f::new(middle(x), middle(y)));
                        to.push(Point2f::new(middle(x) + dx - r, middle(y) + dy - r));
                    }
                }
            }
            if from.len() < 10 {
                continue;
            }
            let Some((bend, inliers)) = map::agreed(&from, &to, 1.0)? else {
                continue;
            };
            if inliers.iter().filter(|i| **i).count() < 10 {
                continue;
            }
            let map =
                best.map * map::mm_of_flat(level.per_mm) * bend * map::flat_of_mm(level.per_mm);
            let Some(map) = map::scaled(map) else {
                continue;
            };
            if let Some(better) = self.weighed(grey, &map, Care::Full)?
                && better.agreement >= best.agreement - 0.02
            {
                best = better;
            }
        }
        Ok(best)
    }
}

/// How far a block is looked for from where its neighbours have it, millimetres; and from theirs one may at most differ.
const DRIFT_MM: f64 = 2.0;
const ODD_MM: f64 = 0.8;
/// Blocks are neighbours up to this part of a block's side, and a drift wants so many.
const NEIGHBOURS: f64 = 2.6;
const LEAST_DRIFT: usize = 12;
/// Times that blocks are looked for from those found before.
const SPREADS: usize = 4;

impl Reference {
    /// Where the picture has each block of print that is plain enough, beside where the map has it: first about where it
    /// should be, then where those found beside it have it, for a lens may bend a board by millimetres. `None` where too
    /// little is found.
    pub fn drift(&self, grey: &Mat, h: &Hypothesis) -> Result<Option<Drift>, VisionError> {
        let density = map::density(&h.corners, self.size_mm);
        let Some(level) = self.level(density, Care::Full) else {
            return Ok(None);
        };
        let reach = (DRIFT_MM * level.per_mm).round().max(2.0) as i32;
        let to_picture = h.map * map::mm_of_flat(level.per_mm);
        let was: &[f32] = level.flat.data_typed()?;
        let (w, height, side) = (level.flat.cols(), level.flat.rows(), level.side);
        // with room for blocks at its edges, which are shifted most
        let room = 3 * reach;
        let wider = Size::new(w + 2 * room, height + 2 * room);
        let from = map::rigid(0.0, -f64::from(room), -f64::from(room));
        let flat = map::softened(&map::laid(grey, &(to_picture * from), wider)?)?;
        // upper left corners, and by how much each is shifted, in pixels
        let mut open: Vec<[i32; 2]> = Vec::new();
        for y in (0..=height - side).step_by(side as usize) {
            for x in (0..=w - side).step_by(side as usize) {
                let at = Rect::new(x, y, side, side);
                let (_, norm) = level::moments(was, w as usize, at);
                if f64::from(norm) / f64::from(side) >= TEXTURE
                    && level::least_gradient(was, w as usize, at) >= 0.7
                    && level::inside(&to_picture, at, grey)
                {
                    open.push([x, y]);
                }
            }
        }
        let mut hits: Vec<([i32; 2], [f32; 2])> = Vec::new();
        let near = |a: &[i32; 2], b: &[i32; 2]| {
            let reach = NEIGHBOURS * f64::from(side);
            f64::from(a[0] - b[0]).hypot(f64::from(a[1] - b[1])) <= reach
        };
        let about = |hits: &[([i32; 2], [f32; 2])], at: &[i32; 2]| -> Option<[f32; 2]> {
            let beside = hits.iter().filter(|(b, _)| b != at && near(at, b));
            let mut by: [Vec<f32>; 2] = Default::default();
            for (_, d) in beside {
                by[0].push(d[0]);
                by[1].push(d[1]);
            }
            (by[0].len() >= 2).then(|| {
                by.map(|mut v| {
                    let middle = v.len() / 2;
                    *v.select_nth_unstable_by(middle, f32::total_cmp).1
                })
            })
        };
        for round in 0..=SPREADS {
            let before = hits.clone();
            let mut still = Vec::new();
            for at in open {
                let guess = match round {
                    0 => Some([0.0; 2]),
                    _ => about(&before, &at),
                };
                let Some([gx, gy]) = guess.map(|g| g.map(|v| v.round() as i32)) else {
                    still.push(at);
                    continue;
                };
                let wide = side + 2 * reach;
                let [x, y] = [at[0] + gx + room - reach, at[1] + gy + room - reach];
                let around = Rect::new(x, y, wide, wide);
                let on = around.x >= 0
                    && around.y >= 0
                    && around.x + wide <= flat.cols()
                    && around.y + wide <= flat.rows();
                let block = level::part(&level.flat, Rect::new(at[0], at[1], side, side))?;
                let shifted = match on {
                    true => shift(&level::part(&flat, around)?, &block)?,
                    false => None,
                };
                match shifted {
                    Some((dx, dy)) => {
                        let by = |d: f32, guess: i32| d + (guess - reach) as f32;
                        hits.push((at, [by(dx, gx), by(dy, gy)]));
                    }
                    None => still.push(at),
                }
            }
            // what its neighbours know nothing of was taken for something else
            let odd = (ODD_MM * level.per_mm) as f32;
            let all = hits.clone();
            hits.retain(|(at, d)| {
                about(&all, at).is_some_and(|m| (m[0] - d[0]).hypot(m[1] - d[1]) <= odd)
            });
            open = still;
            if round > 0 && hits.len() == before.len() {
                break;
            }
        }
        if hits.len() < LEAST_DRIFT {
            return Ok(None);
        }
        let to_mm = map::mm_of_flat(level.per_mm);
        let half = f64::from(side - 1) / 2.0;
        let seen = hits.iter().filter_map(|(at, d)| {
            let middle = |shift: [f32; 2]| {
                let [x, y] = [0, 1].map(|i| f64::from(at[i]) + half + f64::from(shift[i]));
                map::apply(&to_mm, Point::new(x, y))
            };
            Some((middle([0.0; 2])?, middle(*d)?))
        });
        Ok(Some(Drift::new(seen.collect::<Vec<_>>())))
    }
}

/// Where in `around` a block is, between pixels; `None` where it is not clearly anywhere within.
fn shift(around: &Mat, block: &Mat) -> Result<Option<(f32, f32)>, VisionError> {
    let mut likeness = Mat::default();
    imgproc::match_template_def(around, block, &mut likeness, imgproc::TM_CCOEFF_NORMED)?;
    let (mut most, mut at) = (0.0, core::Point::default());
    core::min_max_loc(
        &likeness,
        None,
        Some(&mut most),
        None,
        Some(&mut at),
        &core::no_array(),
    )?;
    let inside = at.x > 0 && at.y > 0 && at.x < likeness.cols() - 1 && at.y < likeness.rows() - 1;
    if most < 0.7 || !inside {
        return Ok(None);
    }
    let v = |dx: i32, dy: i32| -> Result<f32, VisionError> {
        Ok(*likeness.at_2d::<f32>(at.y + dy, at.x + dx)?)
    };
    let dx = top(v(-1, 0)?, v(0, 0)?, v(1, 0)?);
    let dy = top(v(0, -1)?, v(0, 0)?, v(0, 1)?);
    Ok(Some((at.x as f32 + dx, at.y as f32 + dy)))
}

/// Where the top of a parabola through three values lies, from the middle one.
fn top(a: f32, b: f32, c: f32) -> f32 {
    let bend = a - 2.0 * b + c;
    if bend < -1e-6 {
        0.5 * (a - c) / bend
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::register::hypothesis::REPEATED;

    const SIZE_MM: [f64; 2] = [300.0, 200.0];
    const PER_MM: usize = 2;
    /// Where the board lies in the picture.
    const LEFT: usize = 60;
    const ABOVE: usize = 40;

    fn grid() -> Grid {
        Grid {
            origin_mm: [40.0, 15.0],
            square_mm: 30.0,
            columns: 8,
            rows: 5,
            marked: vec![],
        }
    }

    /// A board with prints by chance, the same ones when it is turned by a half about its squares' middle if `alike`.
    fn board(alike: bool) -> (usize, usize, Vec<u8>) {
        let [w, h] = SIZE_MM.map(|v| v as usize * PER_MM);
        let mut pixels = vec![200_u8; w * h];
        let mut state = 7_u32;
        let mut chance = |n: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as usize % n
        };
        let [x0, y0] = grid().origin_mm.map(|v| v as usize * PER_MM);
        let (wide, tall) = (8 * 30 * PER_MM, 5 * 30 * PER_MM);
        for _ in 0..160 {
            let (x, y) = (chance(wide - 20), chance(tall - 20));
            let (dx, dy, grey) = (4 + chance(14), 4 + chance(14), chance(180) as u8);
            for (x, y) in (y..y + dy).flat_map(|y| (x..x + dx).map(move |x| (x, y))) {
                pixels[(y0 + y) * w + x0 + x] = grey;
                if alike {
                    pixels[(y0 + tall - 1 - y) * w + x0 + wide - 1 - x] = grey;
                }
            }
        }
        (w, h, pixels)
    }

    fn mat(rows: usize, columns: usize, pixels: &[u8]) -> Mat {
        let borrowed = Mat::new_rows_cols_with_data(rows as i32, columns as i32, pixels);
        borrowed.unwrap().try_clone().unwrap()
    }

    #[test]
    fn a_board_that_looks_the_same_turned_by_a_half_is_not_known_to_lie_upright() {
        let repeated = |alike: bool, squares: bool| {
            let (w, h, print) = board(alike);
            let flat = mat(h, w, &print);
            let reference = Reference::of("board", SIZE_MM, &flat).unwrap();
            let reference = match squares {
                true => reference.with_squares(&grid()),
                false => reference,
            };
            let (wide, tall) = (w + 2 * LEFT, h + 2 * ABOVE);
            let mut picture = vec![90_u8; wide * tall];
            for y in 0..h {
                let at = (y + ABOVE) * wide + LEFT;
                picture[at..at + w].copy_from_slice(&print[y * w..(y + 1) * w]);
            }
            let grey = mat(tall, wide, &picture);
            let k = PER_MM as f64;
            let map = Map::new(k, 0.0, LEFT as f64, 0.0, k, ABOVE as f64, 0.0, 0.0, 1.0);
            let found = reference.weighed(&grey, &map, Care::Full).unwrap();
            let placed = reference.placed(&grey, found.expect("it lies there"));
            placed.unwrap().repeated
        };
        assert!(repeated(true, true) > REPEATED);
        assert!(repeated(true, false) < REPEATED, "nobody asked");
        assert!(repeated(false, true) < REPEATED);
    }
}
