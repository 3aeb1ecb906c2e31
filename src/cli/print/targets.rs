//! What cameras measure by: the calibration board for `sightline calibrate`, and markers for displays.

use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, Str};

use super::paper::{Paper, points};
use crate::vision::{VisionError, drawn, markers};

/// At four pixels a millimetre every edge of board and markers lies between pixels.
const PER_MM: i32 = 4;
/// Markers in a row of a sheet, and how far apart: with its rim each can be cut out.
const IN_A_ROW: i32 = 4;
const APART_MM: f64 = 28.0;

/// A black and white picture to be printed at [`PER_MM`]: width, height, a byte a pixel.
struct Drawing {
    size: [usize; 2],
    grey: Vec<u8>,
    words: &'static str,
    bar_mm: f64,
}

/// One page with the board in its middle and a bar to measure.
pub(super) fn charuco(paper: Paper) -> anyhow::Result<Vec<u8>> {
    let (w, h, grey) = drawn(PER_MM)?;
    let board = Drawing {
        size: [w as usize, h as usize],
        grey,
        words: "sightline calibration board, squares of 25 mm. Print at 100 %: this bar is 150 mm long.",
        bar_mm: 150.0,
    };
    Ok(page(paper, &board, &[]))
}

/// One page of markers to cut out.
pub(super) fn sheet_of_markers(paper: Paper) -> anyhow::Result<Vec<u8>> {
    let sheet = Drawing {
        words: "sightline markers, 15 mm. Cut along the lines; stick two or more on a display, far apart, before you photograph it.",
        bar_mm: 100.0,
        ..pasted()?
    };
    let rim = markers::RIM_MM;
    let mut cuts = Vec::new();
    for n in 0..markers::ON_A_SHEET {
        let [x, y] = place(n);
        let side = markers::SIDE_MM + 2.0 * rim;
        cuts.push(([x - rim, y - rim, side, side], n.to_string()));
    }
    Ok(page(paper, &sheet, &cuts))
}

/// Upper left of a marker on the drawing, millimetres.
fn place(n: i32) -> [f64; 2] {
    [n % IN_A_ROW, n / IN_A_ROW].map(|i| f64::from(i) * APART_MM + markers::RIM_MM)
}

fn pasted() -> Result<Drawing, VisionError> {
    let rows = (markers::ON_A_SHEET + IN_A_ROW - 1) / IN_A_ROW;
    let pixels = |mm: f64| (mm * f64::from(PER_MM)).round() as usize;
    let size = [IN_A_ROW, rows].map(|n| pixels(f64::from(n) * APART_MM));
    let mut grey = vec![255; size[0] * size[1]];
    let side = pixels(markers::SIDE_MM);
    for n in 0..markers::ON_A_SHEET {
        let one = markers::drawn(n, side as i32)?;
        let [x, y] = place(n).map(pixels);
        for (from, row) in one.chunks(side).zip(y..) {
            let at = row * size[0] + x;
            grey[at..at + side].copy_from_slice(from);
        }
    }
    Ok(Drawing {
        size,
        grey,
        words: "",
        bar_mm: 0.0,
    })
}

/// A page with a drawing in its middle, boxes on it (left, top, width, height in its millimetres, with a word at
/// their foot), and a bar to measure under it.
fn page(paper: Paper, drawing: &Drawing, boxes: &[([f64; 4], String)]) -> Vec<u8> {
    let [w, h] = drawing.size;
    let row = w.div_ceil(8);
    let mut bits = vec![0_u8; row * h];
    for (i, v) in drawing.grey.iter().enumerate() {
        if *v > 127 {
            let (x, y) = (i % w, i / w);
            bits[y * row + x / 8] |= 0x80 >> (x % 8);
        }
    }
    let [catalog, pages, page, picture, content, font] = [1, 2, 3, 4, 5, 6].map(Ref::new);
    let (picture_name, font_name) = (Name(b"Drawing"), Name(b"Sans"));
    let [paper_w, paper_h] = paper.size_mm().map(points);
    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(pages);
    pdf.pages(pages).kids([page]).count(1);
    let mut p = pdf.page(page);
    p.media_box(Rect::new(0.0, 0.0, paper_w, paper_h));
    p.parent(pages);
    p.contents(content);
    let mut resources = p.resources();
    resources.x_objects().pair(picture_name, picture);
    resources.fonts().pair(font_name, font);
    resources.finish();
    p.finish();
    pdf.type1_font(font).base_font(Name(b"Helvetica"));
    let mut image = pdf.image_xobject(picture, &bits);
    image.width(w as i32);
    image.height(h as i32);
    image.color_space().device_gray();
    image.bits_per_component(1);
    image.interpolate(false);
    image.finish();
    let [wide, high] = [w, h].map(|n| points(n as f64 / f64::from(PER_MM)));
    let left = (paper_w - wide) / 2.0;
    let bottom = (paper_h - high) / 2.0 + points(4.0);
    let mut c = Content::new();
    c.save_state();
    c.transform([wide, 0.0, 0.0, high, left, bottom]);
    c.x_object(picture_name);
    c.restore_state();
    c.set_line_width(0.3);
    for ([x, y, w, h], word) in boxes {
        let (x, y) = (left + points(*x), bottom + high - points(y + h));
        c.rect(x, y, points(*w), points(*h));
        c.stroke();
        c.begin_text();
        c.set_font(font_name, 6.0);
        c.next_line(x, y - points(2.6));
        c.show(Str(word.as_bytes()));
        c.end_text();
    }
    let bar = points(drawing.bar_mm);
    let (x, y) = ((paper_w - bar) / 2.0, bottom - points(6.0));
    c.set_line_width(0.6);
    for (x0, y0, x1, y1) in [
        (x, y, x + bar, y),
        (x, y - 4.0, x, y + 4.0),
        (x + bar, y - 4.0, x + bar, y + 4.0),
    ] {
        c.move_to(x0, y0);
        c.line_to(x1, y1);
        c.stroke();
    }
    c.begin_text();
    c.set_font(font_name, 8.0);
    c.next_line(points(20.0), y - points(4.0));
    c.show(Str(drawing.words.as_bytes()));
    c.end_text();
    pdf.stream(content, &c.finish());
    pdf.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::{SQUARE_MM, SQUARES};

    #[test]
    fn both_papers_hold_board_markers_and_bar() {
        let markers = pasted().expect("drawn").size;
        for paper in [Paper::A4, Paper::Letter] {
            let pdf = charuco(paper).expect("drawn");
            assert!(pdf.starts_with(b"%PDF-"));
            assert!(
                sheet_of_markers(paper)
                    .expect("drawn")
                    .starts_with(b"%PDF-")
            );
            let [w, h] = paper.size_mm();
            // the drawing, the bar and its line of text, and what printers leave white
            let board = SQUARES.map(|n| f64::from(n) * SQUARE_MM);
            for [wide, high] in [board, markers.map(|n| n as f64 / f64::from(PER_MM))] {
                assert!(wide + 20.0 < w);
                assert!(high + 20.0 < h);
            }
        }
    }
}
