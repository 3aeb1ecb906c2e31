//! Pages as a PDF, each with a bar to measure at its foot.

use miniz_oxide::deflate::compress_to_vec_zlib;
use pdf_writer::{
    Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr, types::LineCapStyle,
};

use super::{
    art::{Art, opacity_name},
    paper::{MARGIN_MM, Paper, points},
    sheets::{Mark, Placed, Sheet},
};

/// How long the bar is.
const BAR_MM: f64 = 100.0;
/// How much of what lies under the next sheet still shows.
const VEIL: u8 = 50;

/// The file's bytes.
pub(super) fn document(title: &str, art: &[Art], sheets: &[Sheet], paper: Paper) -> Vec<u8> {
    let mut ids = (1..).map(Ref::new);
    let mut next = move || ids.next().unwrap_or(Ref::new(i32::MAX));
    let mut pdf = Pdf::new();
    let (catalog, tree, info) = (next(), next(), next());
    let fonts = [next(), next()];
    let forms: Vec<Ref> = art.iter().map(|_| next()).collect();
    let pages: Vec<(Ref, Ref)> = sheets.iter().map(|_| (next(), next())).collect();
    pdf.catalog(catalog).pages(tree);
    pdf.document_info(info)
        .title(TextStr(title))
        .producer(TextStr("sightline"));
    pdf.pages(tree)
        .kids(pages.iter().map(|p| p.0))
        .count(i32::try_from(pages.len()).unwrap_or(i32::MAX));
    for (font, name) in fonts.iter().zip([b"Helvetica" as &[u8], b"Helvetica-Bold"]) {
        pdf.type1_font(*font).base_font(Name(name));
    }
    for (form, art) in forms.iter().zip(art) {
        let packed = compress_to_vec_zlib(&art.content, 9);
        let mut x = pdf.form_xobject(*form, &packed);
        x.filter(Filter::FlateDecode);
        let [w, h] = art.size_mm;
        x.bbox(Rect::new(0.0, 0.0, w as f32, h as f32));
        let mut resources = x.resources();
        opacities(&mut resources, &art.opacities);
    }
    let [w, h] = paper.size_mm();
    for (n, ((page, content), sheet)) in pages.iter().zip(sheets).enumerate() {
        let mut p = pdf.page(*page);
        p.media_box(Rect::new(0.0, 0.0, points(w), points(h)));
        p.parent(tree);
        p.contents(*content);
        let mut resources = p.resources();
        opacities(&mut resources, &[VEIL]);
        let mut named = resources.fonts();
        named.pair(Name(b"Sans"), fonts[0]);
        named.pair(Name(b"Bold"), fonts[1]);
        named.finish();
        let mut used: Vec<usize> = sheet.placed.iter().map(|p| p.art).collect();
        used.sort_unstable();
        used.dedup();
        let mut named = resources.x_objects();
        for art in used {
            if let Some(form) = forms.get(art) {
                named.pair(Name(art_name(art).as_bytes()), *form);
            }
        }
        named.finish();
        resources.finish();
        p.finish();
        let foot = format!(
            "{title}, page {} of {}: {}",
            n + 1,
            sheets.len(),
            sheet.title
        );
        pdf.stream(*content, &page_content(sheet, art, paper, &foot));
    }
    pdf.finish()
}

fn art_name(art: usize) -> String {
    format!("A{art}")
}

fn opacities(resources: &mut pdf_writer::writers::Resources<'_>, hundredths: &[u8]) {
    if hundredths.is_empty() {
        return;
    }
    let mut states = resources.ext_g_states();
    for o in hundredths {
        let opacity = f32::from(*o) / 100.0;
        states
            .insert(Name(opacity_name(*o).as_bytes()))
            .start::<pdf_writer::writers::ExtGraphicsState<'_>>()
            .non_stroking_alpha(opacity)
            .stroking_alpha(opacity);
    }
}

/// Draws on a page in millimetres from its upper left; PDF counts from the lower left.
struct Page {
    content: Content,
    height_mm: f64,
}

fn page_content(sheet: &Sheet, art: &[Art], paper: Paper, foot: &str) -> Vec<u8> {
    let [_, height_mm] = paper.size_mm();
    let mut page = Page {
        content: Content::new(),
        height_mm,
    };
    let k = points(1.0);
    page.content.transform([k, 0.0, 0.0, k, 0.0, 0.0]);
    for placed in &sheet.placed {
        if let Some(art) = art.get(placed.art) {
            page.art(placed, art);
        }
    }
    for mark in &sheet.marks {
        page.mark(mark);
    }
    page.foot(foot);
    page.content.finish().to_vec()
}

impl Page {
    fn y(&self, y: f64) -> f32 {
        (self.height_mm - y) as f32
    }

    fn art(&mut self, placed: &Placed, art: &Art) {
        let [x, y, w, h] = placed.window;
        let [_, high] = art.size_mm;
        self.content.save_state();
        let low = self.y(y + h);
        self.content.rect(x as f32, low, w as f32, h as f32);
        self.content.clip_nonzero().end_path();
        let [left, top] = placed.at;
        let matrix = if placed.turned {
            [
                -1.0,
                0.0,
                0.0,
                -1.0,
                (left + art.size_mm[0]) as f32,
                self.y(top),
            ]
        } else {
            [1.0, 0.0, 0.0, 1.0, left as f32, self.y(top + high)]
        };
        self.content.transform(matrix);
        self.content.x_object(Name(art_name(placed.art).as_bytes()));
        self.content.restore_state();
    }

    fn through(&mut self, points: &[[f64; 2]]) {
        for (i, [x, y]) in points.iter().enumerate() {
            let y = self.y(*y);
            if i == 0 {
                self.content.move_to(*x as f32, y);
            } else {
                self.content.line_to(*x as f32, y);
            }
        }
    }

    fn mark(&mut self, mark: &Mark) {
        self.content.save_state();
        match mark {
            Mark::Cut(outline) => {
                self.content.set_stroke_gray(0.35).set_line_width(0.15);
                self.through(outline);
                self.content.stroke();
            }
            Mark::Fold(a, b) => {
                self.content
                    .set_stroke_rgb(0.1, 0.25, 0.6)
                    .set_line_width(0.15)
                    .set_dash_pattern([1.2, 0.8], 0.0);
                self.through(&[*a, *b]);
                self.content.stroke();
            }
            Mark::Tab(outline) => {
                self.content
                    .set_fill_gray(0.93)
                    .set_stroke_gray(0.35)
                    .set_line_width(0.15);
                self.through(outline);
                self.content.close_fill_nonzero_and_stroke();
            }
            Mark::Flap([x, y, w, h]) => {
                self.content
                    .set_parameters(Name(opacity_name(VEIL).as_bytes()))
                    .set_fill_gray(1.0);
                let low = self.y(y + h);
                self.content.rect(*x as f32, low, *w as f32, *h as f32);
                self.content.fill_nonzero();
            }
            Mark::Words {
                at,
                text,
                height,
                bold,
            } => self.words(*at, text, *height, *bold),
        }
        self.content.restore_state();
    }

    fn words(&mut self, [x, y]: [f64; 2], text: &str, height: f64, bold: bool) {
        let y = self.y(y);
        self.content.begin_text();
        let font: &[u8] = if bold { b"Bold" } else { b"Sans" };
        self.content.set_font(Name(font), height as f32);
        self.content.next_line(x as f32, y);
        self.content.show(Str(text.as_bytes()));
        self.content.end_text();
    }

    /// The bar that says whether the printer kept to the size, and what page this is.
    fn foot(&mut self, text: &str) {
        let (left, y) = (MARGIN_MM, self.height_mm - MARGIN_MM - 5.0);
        self.content.save_state();
        self.content
            .set_line_width(0.2)
            .set_line_cap(LineCapStyle::ButtCap);
        self.through(&[[left, y], [left + BAR_MM, y]]);
        self.content.stroke();
        for i in 0..=10 {
            let x = left + 10.0 * f64::from(i);
            let high = if i % 5 == 0 { 2.4 } else { 1.4 };
            // the outer ends of the outer ticks are what is 100 mm apart
            let x = match i {
                0 => x + 0.1,
                10 => x - 0.1,
                _ => x,
            };
            self.through(&[[x, y], [x, y - high]]);
            self.content.stroke();
        }
        self.content.restore_state();
        let beside = "print at 100 %: this bar is 100 mm long";
        self.words([left + BAR_MM + 3.0, y], beside, 3.0, false);
        self.words([left, y + 4.2], text, 3.0, false);
    }
}
