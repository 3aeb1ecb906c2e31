//! What stands where on which page. Millimetres from a page's upper left, x right, y down.

use super::{
    paper::{MARGIN_MM, Paper},
    set::{Card, Cube, Piece, PrintSet},
    words,
};
use crate::cli::UserError;

/// How far a sheet of a board reaches under the next one.
const FLAP_MM: f64 = 8.0;
/// How far a cube's tabs stand off.
const TAB_MM: f64 = 5.0;
/// Between things on a page.
const GAP_MM: f64 = 4.0;

type Point = [f64; 2];

/// One page.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    /// What it holds, for its foot.
    pub title: String,
    pub placed: Vec<Placed>,
    pub marks: Vec<Mark>,
}

/// A drawing on a page.
#[derive(Debug)]
pub(super) struct Placed {
    pub art: usize,
    /// Where the drawing's own upper left comes to lie; its lower right, where it is turned round.
    pub at: Point,
    /// Upside down.
    pub turned: bool,
    /// The part of the page that shows it: upper left, width and height.
    pub window: [f64; 4],
}

#[derive(Debug)]
pub(super) enum Mark {
    /// Where scissors go.
    Cut(Vec<Point>),
    Fold(Point, Point),
    /// What glue goes on.
    Tab(Vec<Point>),
    /// What will lie under the next sheet: upper left, width and height.
    Flap([f64; 4]),
    Words {
        at: Point,
        text: String,
        height: f64,
        bold: bool,
    },
}

fn frame([x, y, w, h]: [f64; 4]) -> Vec<Point> {
    vec![[x, y], [x + w, y], [x + w, y + h], [x, y + h], [x, y]]
}

/// Puts boxes of any size into rows and rows onto pages.
struct Flow<'a> {
    paper: Paper,
    title: &'a str,
    sheets: Vec<Sheet>,
    /// Where the next box goes, and how high its row is.
    at: Point,
    row: f64,
}

impl<'a> Flow<'a> {
    fn new(paper: Paper, title: &'a str) -> Self {
        Self {
            paper,
            title,
            sheets: Vec::new(),
            at: [0.0, f64::INFINITY],
            row: 0.0,
        }
    }

    /// Room for a box: the upper left of it, and the page. `None` where no page is large enough.
    fn room(&mut self, [w, h]: [f64; 2]) -> Option<(Point, &mut Sheet)> {
        let [width, height] = self.paper.room_mm();
        if w > width + 1e-6 || h > height + 1e-6 {
            return None;
        }
        if self.at[0] + w > width + 1e-6 {
            self.at = [0.0, self.at[1] + self.row + GAP_MM];
            self.row = 0.0;
        }
        if self.at[1] + h > height + 1e-6 {
            self.sheets.push(Sheet {
                title: self.title.to_owned(),
                ..Sheet::default()
            });
            self.at = [0.0, 0.0];
            self.row = 0.0;
        }
        let at = self.at.map(|v| v + MARGIN_MM);
        self.at[0] += w + GAP_MM;
        self.row = self.row.max(h);
        self.sheets.last_mut().map(|sheet| (at, sheet))
    }
}

/// The pages of a set.
///
/// # Errors
/// Something that must not be cut is larger than the paper.
pub(super) fn sheets(set: &PrintSet, paper: Paper) -> Result<Vec<Sheet>, UserError> {
    let size = |art: usize| set.art.get(art).map_or([0.0; 2], |a| a.size_mm);
    let large = |name: &str, [w, h]: [f64; 2]| {
        let [width, height] = paper.room_mm();
        UserError(format!(
            "\"{name}\" takes {w:.0} by {h:.0} mm, but {} has room for {width:.0} by {height:.0} mm: draw it smaller",
            paper.name()
        ))
    };
    let mut out = vec![first(set, paper)?];
    for board in &set.boards {
        out.extend(tiles(board, size(board.art), paper));
    }
    let mut flow = Flow::new(paper, "displays");
    for card in &set.cards {
        let [w, h] = size(card.art);
        let (at, sheet) = flow.room([w, h]).ok_or_else(|| large(&card.name, [w, h]))?;
        let window = [at[0], at[1], w, h];
        sheet.placed.push(whole(card.art, window, false));
        sheet.marks.push(Mark::Cut(frame(window)));
    }
    name_by(&mut flow, &set.cards);
    out.append(&mut flow.sheets);
    let mut flow = Flow::new(paper, "dice to fold");
    for cube in &set.dice {
        let side = size(cube.faces[0])[0];
        let takes = [3.0 * side + 2.0 * TAB_MM, 4.0 * side + TAB_MM];
        for _ in 0..cube.count {
            let (at, sheet) = flow.room(takes).ok_or_else(|| large(&cube.name, takes))?;
            net(sheet, at, side, cube);
        }
    }
    out.append(&mut flow.sheets);
    out.append(&mut stickers(&set.dice, paper, size)?);
    let mut flow = Flow::new(paper, "pieces to fold, glue and cut out");
    for piece in &set.pieces {
        let [w, h] = size(piece.front);
        for _ in 0..piece.count {
            let (at, sheet) = flow
                .room([w, 2.0 * h])
                .ok_or_else(|| large(&piece.name, [w, 2.0 * h]))?;
            strip(sheet, at, [w, h], piece);
        }
    }
    out.append(&mut flow.sheets);
    Ok(out)
}

fn whole(art: usize, window: [f64; 4], turned: bool) -> Placed {
    Placed {
        art,
        at: [window[0], window[1]],
        turned,
        window,
    }
}

/// What to do, in words and with the set's picture.
fn first(set: &PrintSet, paper: Paper) -> Result<Sheet, UserError> {
    let [width, height] = paper.room_mm();
    let mut sheet = Sheet {
        title: "what to do".to_owned(),
        ..Sheet::default()
    };
    let mut y = MARGIN_MM + 9.0;
    let mut write = |y: f64, x: f64, text: &str, height: f64, bold: bool| {
        sheet.marks.push(Mark::Words {
            at: [MARGIN_MM + x, y],
            text: text.to_owned(),
            height,
            bold,
        });
    };
    write(y, 0.0, &set.title, 8.0, true);
    y += 6.0;
    for (i, line) in set.how_to.iter().enumerate() {
        y += 2.2;
        for (j, part) in words::wrapped(line, 3.6, width - 8.0).iter().enumerate() {
            y += 4.8;
            if j == 0 {
                write(y, 0.0, &format!("{}", i + 1), 3.6, true);
            }
            write(y, 8.0, part, 3.6, false);
        }
    }
    if let Some(art) = set.picture {
        let [w, h] = set.art.get(art).map_or([0.0; 2], |a| a.size_mm);
        let top = y + 8.0;
        if w > width || top + h > MARGIN_MM + height {
            return Err(UserError(format!(
                "the picture of the first page takes {w:.0} by {h:.0} mm under {} lines of text, which {} has no room for",
                set.how_to.len(),
                paper.name()
            )));
        }
        let left = MARGIN_MM + (width - w) / 2.0;
        sheet.placed.push(whole(art, [left, top, w, h], false));
    }
    Ok(sheet)
}

/// A board in as few sheets as the paper lets, all of one size; each reaches under its right and lower
/// neighbour.
fn tiles(board: &Card, [w, h]: [f64; 2], paper: Paper) -> Vec<Sheet> {
    let [width, height] = paper.room_mm();
    let parts = |all: f64, room: f64| {
        if all <= room {
            1
        } else {
            (all / (room - FLAP_MM)).ceil() as usize
        }
    };
    let (columns, rows) = (parts(w, width), parts(h, height));
    let (tile_w, tile_h) = (w / columns as f64, h / rows as f64);
    let mut out = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let right = if column + 1 < columns { FLAP_MM } else { 0.0 };
            let below = if row + 1 < rows { FLAP_MM } else { 0.0 };
            let window = [MARGIN_MM, MARGIN_MM, tile_w + right, tile_h + below];
            let mut sheet = Sheet {
                title: format!(
                    "{}: row {} of {rows}, column {} of {columns}",
                    board.name,
                    row + 1,
                    column + 1
                ),
                ..Sheet::default()
            };
            sheet.placed.push(Placed {
                art: board.art,
                at: [
                    MARGIN_MM - column as f64 * tile_w,
                    MARGIN_MM - row as f64 * tile_h,
                ],
                turned: false,
                window,
            });
            if right > 0.0 {
                let x = MARGIN_MM + tile_w;
                sheet
                    .marks
                    .push(Mark::Flap([x, MARGIN_MM, right, tile_h + below]));
                sheet
                    .marks
                    .push(Mark::Fold([x, MARGIN_MM], [x, MARGIN_MM + tile_h]));
            }
            if below > 0.0 {
                let y = MARGIN_MM + tile_h;
                sheet.marks.push(Mark::Flap([MARGIN_MM, y, tile_w, below]));
                sheet
                    .marks
                    .push(Mark::Fold([MARGIN_MM, y], [MARGIN_MM + tile_w, y]));
            }
            sheet.marks.push(Mark::Cut(frame(window)));
            out.push(sheet);
        }
    }
    out
}

/// A page of displays is called by what lies on it.
fn name_by(flow: &mut Flow<'_>, cards: &[Card]) {
    for sheet in &mut flow.sheets {
        let names: Vec<&str> = sheet
            .placed
            .iter()
            .filter_map(|p| cards.iter().find(|c| c.art == p.art))
            .map(|c| c.name.as_str())
            .collect();
        sheet.title = names.join(", ");
    }
}

/// A cube laid flat: top, front, bottom, back in a strip; left and right beside the front.
fn net(sheet: &mut Sheet, [x, y]: Point, side: f64, cube: &Cube) {
    let x = x + TAB_MM;
    let at = |column: f64, row: f64| [x + column * side, y + row * side];
    // along an edge from `a` to `b`, standing off to the left of that way
    let mut tab = |a: Point, b: Point| {
        let (ux, uy) = ((b[0] - a[0]) / side, (b[1] - a[1]) / side);
        let (in_, off) = (0.15 * side, TAB_MM);
        let tip =
            |p: Point, along: f64| [p[0] + along * ux + off * uy, p[1] + along * uy - off * ux];
        sheet
            .marks
            .push(Mark::Tab(vec![a, tip(a, in_), tip(b, -in_), b]));
    };
    tab(at(0.0, 1.0), at(1.0, 1.0));
    tab(at(0.0, 2.0), at(0.0, 1.0));
    tab(at(1.0, 2.0), at(0.0, 2.0));
    tab(at(2.0, 1.0), at(3.0, 1.0));
    tab(at(3.0, 1.0), at(3.0, 2.0));
    tab(at(3.0, 2.0), at(2.0, 2.0));
    tab(at(2.0, 4.0), at(1.0, 4.0));
    let cells = [[1, 0], [0, 1], [1, 1], [2, 1], [1, 3], [1, 2]];
    for (art, [column, row]) in cube.faces.into_iter().zip(cells) {
        let [cx, cy] = at(f64::from(column), f64::from(row));
        sheet.placed.push(whole(art, [cx, cy, side, side], false));
    }
    let outline = [
        (1, 0),
        (2, 0),
        (2, 1),
        (3, 1),
        (3, 2),
        (2, 2),
        (2, 4),
        (1, 4),
        (1, 2),
        (0, 2),
        (0, 1),
        (1, 1),
        (1, 0),
    ];
    sheet.marks.push(Mark::Cut(
        outline
            .iter()
            .map(|&(c, r)| at(f64::from(c), f64::from(r)))
            .collect(),
    ));
    let mut fold = |a: Point, b: Point| sheet.marks.push(Mark::Fold(a, b));
    fold(at(1.0, 1.0), at(1.0, 2.0));
    fold(at(2.0, 1.0), at(2.0, 2.0));
    for row in 1..=3 {
        fold(at(1.0, f64::from(row)), at(2.0, f64::from(row)));
    }
    for (a, b) in [
        ((0.0, 1.0), (1.0, 1.0)),
        ((0.0, 1.0), (0.0, 2.0)),
        ((0.0, 2.0), (1.0, 2.0)),
        ((2.0, 1.0), (3.0, 1.0)),
        ((3.0, 1.0), (3.0, 2.0)),
        ((2.0, 2.0), (3.0, 2.0)),
        ((1.0, 4.0), (2.0, 4.0)),
    ] {
        fold(at(a.0, a.1), at(b.0, b.1));
    }
}

/// The middles of faces for blank dice, two dice a row.
fn stickers(
    dice: &[Cube],
    paper: Paper,
    size: impl Fn(usize) -> [f64; 2],
) -> Result<Vec<Sheet>, UserError> {
    let [width, height] = paper.room_mm();
    let mut out: Vec<Sheet> = Vec::new();
    let mut y = f64::INFINITY;
    for cube in dice {
        let (side, sticker) = (size(cube.faces[0])[0], cube.sticker_mm);
        let pitch = sticker + 1.0;
        let heading = 6.0;
        if pitch * 6.0 > width || pitch + heading > height {
            return Err(UserError(format!(
                "stickers of \"{}\" of {sticker} mm: six of them do not fit beside each other on {}",
                cube.name,
                paper.name()
            )));
        }
        let abreast = if pitch * 12.0 + GAP_MM <= width { 2 } else { 1 };
        let mut left = cube.count;
        let mut fresh = true;
        while left > 0 {
            let above = if fresh { heading } else { 0.0 };
            if y + above + pitch > height {
                out.push(Sheet {
                    title: "stickers for blank dice".to_owned(),
                    ..Sheet::default()
                });
                (y, fresh) = (0.0, true);
            }
            let Some(sheet) = out.last_mut() else { break };
            if fresh {
                y += heading;
                sheet.marks.push(Mark::Words {
                    at: [MARGIN_MM, MARGIN_MM + y - 1.6],
                    text: format!("{}: one row of six for each die", cube.name),
                    height: 3.0,
                    bold: false,
                });
                fresh = false;
            }
            for die in 0..left.min(abreast) {
                for (i, art) in cube.faces.into_iter().enumerate() {
                    let x = MARGIN_MM + f64::from(die) * (6.0 * pitch + GAP_MM) + i as f64 * pitch;
                    let window = [x, MARGIN_MM + y, sticker, sticker];
                    let off = (side - sticker) / 2.0;
                    sheet.placed.push(Placed {
                        art,
                        at: [window[0] - off, window[1] - off],
                        turned: false,
                        window,
                    });
                    sheet.marks.push(Mark::Cut(frame(window)));
                }
            }
            left -= left.min(abreast);
            y += pitch;
        }
    }
    Ok(out)
}

/// Both sides of a piece with the fold between them; the back is upside down until it is folded.
fn strip(sheet: &mut Sheet, [x, y]: Point, [w, h]: [f64; 2], piece: &Piece) {
    sheet.placed.push(whole(piece.back, [x, y, w, h], true));
    sheet
        .placed
        .push(whole(piece.front, [x, y + h, w, h], false));
    sheet.marks.push(Mark::Cut(frame([x, y, w, 2.0 * h])));
    sheet.marks.push(Mark::Fold([x, y + h], [x + w, y + h]));
}
