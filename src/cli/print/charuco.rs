//! The calibration board for `sightline calibrate`.

use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, Str};

use super::paper::{Paper, points};
use crate::vision::{SQUARE_MM, SQUARES, drawn};

/// One page with the board in its middle and a bar to measure.
pub(super) fn charuco(paper: Paper) -> anyhow::Result<Vec<u8>> {
    // at four pixels a millimetre every edge lies between pixels
    let (w, h, grey) = drawn(4)?;
    let row = (w as usize).div_ceil(8);
    let mut bits = vec![0_u8; row * h as usize];
    for (i, v) in grey.iter().enumerate() {
        if *v > 127 {
            let (x, y) = (i % w as usize, i / w as usize);
            bits[y * row + x / 8] |= 0x80 >> (x % 8);
        }
    }
    let [catalog, pages, page, picture, content, font] = [1, 2, 3, 4, 5, 6].map(Ref::new);
    let (picture_name, font_name) = (Name(b"Board"), Name(b"Sans"));
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
    let [board_w, board_h] = SQUARES.map(|n| points(f64::from(n) * SQUARE_MM));
    let left = (paper_w - board_w) / 2.0;
    let bottom = (paper_h - board_h) / 2.0 + points(4.0);
    let mut c = Content::new();
    c.save_state();
    c.transform([board_w, 0.0, 0.0, board_h, left, bottom]);
    c.x_object(picture_name);
    c.restore_state();
    let bar = points(150.0);
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
    c.next_line(x, y - points(4.0));
    c.show(Str(
        b"sightline calibration board, squares of 25 mm. Print at 100 %: this bar is 150 mm long.",
    ));
    c.end_text();
    pdf.stream(content, &c.finish());
    Ok(pdf.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_papers_hold_the_board_and_the_bar() {
        for paper in [Paper::A4, Paper::Letter] {
            let pdf = charuco(paper).expect("drawn");
            assert!(pdf.starts_with(b"%PDF-"));
            let [w, h] = paper.size_mm();
            assert!(f64::from(SQUARES[0]) * SQUARE_MM + 20.0 < w);
            // the board, the bar and its line of text, and what printers leave white
            assert!(f64::from(SQUARES[1]) * SQUARE_MM + 20.0 < h);
        }
    }
}
