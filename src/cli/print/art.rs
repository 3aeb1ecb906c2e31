//! Drawings: SVG of plain fills, strokes and clips, as what a page of a PDF can show.

use std::path::Path;

use pdf_writer::{
    Content, Name,
    types::{LineCapStyle, LineJoinStyle},
};
use usvg::{
    FillRule, Group, LineCap, LineJoin, Node, Paint, Transform, Tree, tiny_skia_path::PathSegment,
};

use crate::copy::{FileError, in_words, read_text};

/// SVG's pixel is the 96th part of an inch.
const MM_PER_PX: f64 = 25.4 / 96.0;

/// A drawing, ready for a page.
#[derive(Debug)]
pub(super) struct Art {
    /// Width and height.
    pub size_mm: [f64; 2],
    /// A PDF's content stream; the unit is a millimetre, from the lower left.
    pub content: Vec<u8>,
    /// Opacities that it asks for, in hundredths: `/O50`.
    pub opacities: Vec<u8>,
}

/// The name under which an opacity stands among a page's or drawing's resources.
pub(super) fn opacity_name(hundredths: u8) -> String {
    format!("O{hundredths}")
}

impl Art {
    /// Reads an SVG whose `width` and `height` are true, as `180mm`.
    ///
    /// # Errors
    /// It cannot be read, is no SVG, or holds what is not printed here: words, pictures, gradients,
    /// patterns, masks, filters.
    pub fn load(path: &Path) -> Result<Self, FileError> {
        let wrong = |why: String| FileError::Unreadable {
            path: path.to_owned(),
            why,
        };
        let text = read_text(path).map_err(|e| wrong(in_words(&e)))?;
        Self::parse(&text).map_err(wrong)
    }

    fn parse(text: &str) -> Result<Self, String> {
        let xml = usvg::roxmltree::Document::parse(text)
            .map_err(|e| format!("is no drawing that can be read: {e}"))?;
        // these would be left out without a word
        for (tag, what) in [
            ("text", "words: turn them into outlines"),
            ("image", "a picture"),
        ] {
            if xml.descendants().any(|n| n.tag_name().name() == tag) {
                return Err(format!(
                    "holds {what}; only lines and areas are printed here"
                ));
            }
        }
        let tree = Tree::from_xmltree(&xml, &usvg::Options::default())
            .map_err(|e| format!("is no drawing that can be read: {e}"))?;
        let size = tree.size();
        let size_mm = [size.width(), size.height()].map(|v| f64::from(v) * MM_PER_PX);
        let mut pen = Pen {
            content: Content::new(),
            opacities: Vec::new(),
        };
        let k = MM_PER_PX as f32;
        pen.content
            .transform([k, 0.0, 0.0, -k, 0.0, size_mm[1] as f32]);
        pen.group(tree.root(), 1.0)?;
        Ok(Self {
            size_mm,
            content: pen.content.finish().to_vec(),
            opacities: pen.opacities,
        })
    }
}

struct Pen {
    content: Content,
    opacities: Vec<u8>,
}

impl Pen {
    fn group(&mut self, group: &Group, opacity: f32) -> Result<(), String> {
        if group.mask().is_some() || !group.filters().is_empty() {
            return Err("holds a mask or filter, which is not printed here".to_owned());
        }
        let opacity = opacity * group.opacity().get();
        // what overlaps inside would show through itself
        if group.opacity().get() < 1.0 && group.children().len() > 1 {
            return Err("fades a group of things: fade each by itself".to_owned());
        }
        self.content.save_state();
        self.transform(group.transform());
        if let Some(clip) = group.clip_path() {
            let [Node::Path(outline)] = clip.root().children() else {
                return Err("clips by more than one outline".to_owned());
            };
            if clip.clip_path().is_some() || !clip.transform().is_identity() {
                return Err("clips by an outline that is clipped or turned itself".to_owned());
            }
            self.outline(outline.data());
            self.content.clip_nonzero().end_path();
        }
        for node in group.children() {
            match node {
                Node::Group(g) => self.group(g, opacity)?,
                Node::Path(p) => self.path(p, opacity)?,
                Node::Image(_) | Node::Text(_) => {}
            }
        }
        self.content.restore_state();
        Ok(())
    }

    fn path(&mut self, path: &usvg::Path, opacity: f32) -> Result<(), String> {
        if !path.is_visible() {
            return Ok(());
        }
        let plain = |paint: &Paint| match paint {
            Paint::Color(c) => Ok([c.red, c.green, c.blue].map(|v| f32::from(v) / 255.0)),
            _ => Err("holds a gradient or pattern: only plain colours are printed here".to_owned()),
        };
        if let Some(fill) = path.fill() {
            let [r, g, b] = plain(fill.paint())?;
            self.content.save_state();
            self.fade(opacity * fill.opacity().get());
            self.content.set_fill_rgb(r, g, b);
            self.outline(path.data());
            match fill.rule() {
                FillRule::NonZero => self.content.fill_nonzero(),
                FillRule::EvenOdd => self.content.fill_even_odd(),
            };
            self.content.restore_state();
        }
        if let Some(stroke) = path.stroke() {
            let [r, g, b] = plain(stroke.paint())?;
            self.content.save_state();
            self.fade(opacity * stroke.opacity().get());
            self.content
                .set_stroke_rgb(r, g, b)
                .set_line_width(stroke.width().get())
                .set_line_cap(match stroke.linecap() {
                    LineCap::Butt => LineCapStyle::ButtCap,
                    LineCap::Round => LineCapStyle::RoundCap,
                    LineCap::Square => LineCapStyle::ProjectingSquareCap,
                })
                .set_line_join(match stroke.linejoin() {
                    LineJoin::Miter | LineJoin::MiterClip => LineJoinStyle::MiterJoin,
                    LineJoin::Round => LineJoinStyle::RoundJoin,
                    LineJoin::Bevel => LineJoinStyle::BevelJoin,
                })
                .set_miter_limit(stroke.miterlimit().get());
            if let Some(dashes) = stroke.dasharray() {
                self.content
                    .set_dash_pattern(dashes.iter().copied(), stroke.dashoffset());
            }
            self.outline(path.data());
            self.content.stroke();
            self.content.restore_state();
        }
        Ok(())
    }

    fn fade(&mut self, opacity: f32) {
        let hundredths = (opacity * 100.0).round().clamp(0.0, 100.0) as u8;
        if hundredths == 100 {
            return;
        }
        if !self.opacities.contains(&hundredths) {
            self.opacities.push(hundredths);
        }
        self.content
            .set_parameters(Name(opacity_name(hundredths).as_bytes()));
    }

    fn transform(&mut self, t: Transform) {
        if !t.is_identity() {
            self.content.transform([t.sx, t.ky, t.kx, t.sy, t.tx, t.ty]);
        }
    }

    fn outline(&mut self, path: &usvg::tiny_skia_path::Path) {
        let mut at = (0.0, 0.0);
        for segment in path.segments() {
            match segment {
                PathSegment::MoveTo(p) => {
                    self.content.move_to(p.x, p.y);
                    at = (p.x, p.y);
                }
                PathSegment::LineTo(p) => {
                    self.content.line_to(p.x, p.y);
                    at = (p.x, p.y);
                }
                // PDF knows cubic curves alone
                PathSegment::QuadTo(c, p) => {
                    let towards = |from: f32, to: f32| from + 2.0 / 3.0 * (to - from);
                    self.content.cubic_to(
                        towards(at.0, c.x),
                        towards(at.1, c.y),
                        towards(p.x, c.x),
                        towards(p.y, c.y),
                        p.x,
                        p.y,
                    );
                    at = (p.x, p.y);
                }
                PathSegment::CubicTo(a, b, p) => {
                    self.content.cubic_to(a.x, a.y, b.x, b.y, p.x, p.y);
                    at = (p.x, p.y);
                }
                PathSegment::Close => {
                    self.content.close_path();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn svg(inside: &str) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"30mm\" height=\"20mm\" viewBox=\"0 0 30 20\">{inside}</svg>"
        )
    }

    #[test]
    fn a_drawing_keeps_its_size_and_colours() {
        let art = Art::parse(&svg(
            "<path d=\"M0 0H30V20Z\" fill=\"#ff0000\" opacity=\".5\"/>",
        ))
        .expect("read");
        assert!((art.size_mm[0] - 30.0).abs() < 1e-3 && (art.size_mm[1] - 20.0).abs() < 1e-3);
        let content = String::from_utf8(art.content).expect("plain");
        assert!(content.contains("1 0 0 rg"), "{content}");
        assert!(content.contains("/O50 gs"), "{content}");
        assert_eq!(art.opacities, [50]);
    }

    #[test]
    fn what_cannot_be_printed_is_said() {
        let gradient = "<defs><linearGradient id=\"g\"><stop offset=\"0\" stop-color=\"red\"/><stop offset=\"1\"/></linearGradient></defs><path d=\"M0 0H9V9Z\" fill=\"url(#g)\"/>";
        let why = Art::parse(&svg("<text y=\"9\">A</text>")).expect_err("words");
        assert!(why.starts_with("holds words"), "{why}");
        let why = Art::parse(&svg(gradient)).expect_err("a gradient");
        assert!(why.starts_with("holds a gradient"), "{why}");
        assert!(
            Art::parse("no drawing")
                .expect_err("no SVG")
                .starts_with("is no drawing")
        );
    }
}
