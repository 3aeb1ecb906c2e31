//! A rig being made: a camera is added with what it sees, and the file is written.

use std::sync::Arc;

use toml::{Table, Value};

use super::{Camera, Placed, Rig, TrayPlace, Wish};
use crate::geometry::{Laid, Lens, Point, Quad, Sighted, joint};

/// What a rig calls the printed calibration board that lay flat on the table while cameras were added: it ties them
/// together as a display does, and is none of any copy.
pub const CALIBRATION_BOARD: &str = "calibration-board";

/// A surface as a camera sees it.
#[derive(Debug, Clone)]
pub struct Lying {
    pub id: String,
    pub corners_px: Quad,
    /// Places of its print, millimetres, each with the pixel where it is seen.
    pub print: Arc<Vec<(Point, Point)>>,
    pub size_mm: [f64; 2],
    /// Of its face over the table: the card's thickness.
    pub height_mm: f64,
}

/// What a person shows in a camera's picture with four corners, from the upper left, clockwise.
#[derive(Debug, Clone, PartialEq)]
pub enum Marked {
    /// A display or board of the copy, by its id.
    Surface(String),
    /// What dice are rolled on, and how wide and high it is inside; millimetres.
    Tray { size_mm: [f64; 2] },
    /// What is not to be looked at.
    Mask,
}

/// What became of a camera that was added.
#[derive(Debug, Clone, PartialEq)]
pub enum Joined {
    /// It stands over the table now; corners are so many pixels off on the mean, and so many surfaces tie it to
    /// what the rig knew.
    Stands { error_px: f64, tied_by: usize },
    /// It sees nothing that the rig knows.
    Apart,
    /// What it sees does not fix how it stands.
    Unclear,
}

impl Rig {
    /// Adds a camera, or makes it anew, with what a picture of `size_px` of it shows. The first camera makes the
    /// table's frame; any other is tied to it by the surfaces that it shares with those before.
    pub fn join(
        &mut self,
        id: &str,
        wish: Wish,
        size_px: [u32; 2],
        lens: Option<Lens>,
        seen: &[Lying],
    ) -> Joined {
        // a camera without identity is any: it is this one from now on, with what was drawn in its pictures
        if let [any] = self.cameras.as_mut_slice()
            && any.id.is_none()
        {
            any.id = Some(id.to_owned());
        }
        let others: Vec<Placed> = if self.cameras.iter().any(|c| c.id.as_deref() != Some(id)) {
            self.surfaces.clone()
        } else {
            // the only camera: what it sees is all that is known
            Vec::new()
        };
        let known = |s: &Lying| others.iter().find(|p| p.id == s.id).map(|p| p.laid);
        let sighted: Vec<Sighted> = seen
            .iter()
            .map(|s| Sighted {
                corners_px: s.corners_px,
                print: s.print.clone(),
                size_mm: s.size_mm,
                height_mm: s.height_mm,
                laid: known(s),
            })
            .collect();
        let tied_by = sighted.iter().filter(|s| s.laid.is_some()).count();
        if !others.is_empty() && tied_by == 0 {
            return Joined::Apart;
        }
        let Some(found) = joint(&sighted, lens, size_px) else {
            return Joined::Unclear;
        };
        let mut surfaces = others;
        for (s, laid) in seen.iter().zip(&found.laid) {
            if surfaces.iter().all(|p| p.id != s.id) {
                surfaces.push(Placed {
                    id: s.id.clone(),
                    laid: *laid,
                    size_mm: Some(s.size_mm),
                });
            }
        }
        self.surfaces = surfaces;
        let camera = Camera {
            id: Some(id.to_owned()),
            wish: Wish {
                size_px: Some(size_px),
                ..wish
            },
            lens: Some((found.lens, size_px)),
            pose: Some(found.pose),
            ..Camera::default()
        };
        match self
            .cameras
            .iter_mut()
            .find(|c| c.id.as_deref() == Some(id))
        {
            // what a person drew stays, in pixels of the new size
            Some(old) => {
                let k = old.wish.size_px.and_then(|of| stretch(of, size_px));
                let k = k.unwrap_or(1.0);
                let quad = |q: Quad| Quad(q.0.map(|p| stretched(p, k)));
                let masks = std::mem::take(&mut old.masks).into_iter();
                let clicked = std::mem::take(&mut old.clicked).into_iter();
                *old = Camera {
                    name: old.name.take(),
                    masks: masks
                        .map(|m| m.into_iter().map(|p| stretched(p, k)).collect())
                        .collect(),
                    clicked: clicked.map(|(id, q)| (id, quad(q))).collect(),
                    ..camera
                };
                let place = self
                    .cameras
                    .iter()
                    .position(|c| c.id.as_deref() == Some(id));
                for tray in &mut self.trays {
                    if let Some((of, corners)) = &mut tray.in_picture
                        && Some(*of) == place
                    {
                        *corners = quad(*corners);
                    }
                }
            }
            None => self.cameras.push(camera),
        }
        Joined::Stands {
            error_px: found.error_px,
            tied_by,
        }
    }

    /// Keeps what a person showed in a camera's pictures of `size_px` with four corners, for pictures of the size that the
    /// rig has for it.
    ///
    /// # Errors
    /// One sentence, where that is another shape: nothing was kept.
    pub fn mark(
        &mut self,
        camera: &str,
        size_px: [u32; 2],
        what: &Marked,
        corners: Quad,
    ) -> Result<(), String> {
        let place = self.camera(Some(camera)).map(|(i, _)| i);
        let place = place.unwrap_or_else(|| {
            self.cameras.push(Camera {
                id: Some(camera.to_owned()),
                wish: Wish {
                    size_px: Some(size_px),
                    ..Wish::default()
                },
                ..Camera::default()
            });
            self.cameras.len() - 1
        });
        let Some(c) = self.cameras.get_mut(place) else {
            return Ok(());
        };
        c.id.get_or_insert_with(|| camera.to_owned());
        let of = *c.wish.size_px.get_or_insert(size_px);
        let Some(k) = stretch(size_px, of) else {
            let ([w, h], [to_w, to_h]) = (size_px, of);
            return Err(format!(
                "the rig's camera {} is for pictures of {to_w}x{to_h}, and these are {w}x{h}, of another shape: nothing was kept; sightline rig makes it anew",
                c.called()
            ));
        };
        let corners = Quad(corners.0.map(|p| stretched(p, k)));
        match what {
            Marked::Surface(surface) => {
                c.clicked.retain(|(id, _)| id != surface);
                c.clicked.push((surface.clone(), corners));
            }
            Marked::Mask => c.masks.push(corners.0.to_vec()),
            Marked::Tray { size_mm } => {
                let taken = |id: &String| self.trays.iter().any(|t| t.id == *id);
                let names = (2..).map(|n| format!("tray-{n}"));
                let id = std::iter::once("tray".to_owned()).chain(names);
                let id = id.into_iter().find(|id| !taken(id)).unwrap_or_default();
                self.trays.push(TrayPlace {
                    id,
                    size_mm: *size_mm,
                    in_picture: Some((place, corners)),
                    laid: None,
                });
            }
        }
        Ok(())
    }

    /// Forgets the trays and masks that were shown in a camera's pictures.
    pub fn unmark(&mut self, camera: &str) {
        let Some(place) = self.camera(Some(camera)).map(|(i, _)| i) else {
            return;
        };
        let here = |t: &TrayPlace| t.in_picture.is_some_and(|(of, _)| of == place);
        self.trays.retain(|t| !here(t));
        if let Some(c) = self.cameras.get_mut(place) {
            c.masks.clear();
        }
    }

    /// The file's text, in format 2. Cameras without an identity, as format 1 allows them, are called `any`.
    pub fn to_toml(&self) -> String {
        let mut root = Table::new();
        root.insert("format".into(), Value::Integer(2));
        let list =
            |tables: Vec<Table>| Value::Array(tables.into_iter().map(Value::Table).collect());
        root.insert(
            "cameras".into(),
            list(self.cameras.iter().map(camera).collect()),
        );
        root.insert(
            "surfaces".into(),
            list(self.surfaces.iter().map(surface).collect()),
        );
        let trays = self.trays.iter().map(|t| {
            let mut out = Table::new();
            out.insert("id".into(), t.id.clone().into());
            out.insert("size_mm".into(), numbers(&t.size_mm, 2));
            if let Some((which, corners)) = &t.in_picture {
                out.insert("corners_px".into(), points(&corners.pairs()));
                let id = self.cameras.get(*which).and_then(|c| c.id.clone());
                out.extend(id.map(|id| ("camera".to_owned(), id.into())));
            }
            if let Some(l) = &t.laid {
                lay(&mut out, l);
            }
            out
        });
        root.insert("trays".into(), list(trays.collect()));
        format!(
            "# A camera set-up; its fields are in calibration/README.md. `sightline rig` writes it.\n{root}"
        )
    }
}

/// How many times larger pictures of one size are than those of another; `None` where their shapes differ.
pub(super) fn stretch([from_w, from_h]: [u32; 2], [w, h]: [u32; 2]) -> Option<f64> {
    let same = f64::from(from_w) * f64::from(h) == f64::from(from_h) * f64::from(w);
    same.then(|| f64::from(w) / f64::from(from_w))
}

/// The same place in pictures so many times as large.
pub(super) fn stretched(p: Point, k: f64) -> Point {
    Point::new((p.x + 0.5) * k - 0.5, (p.y + 0.5) * k - 0.5)
}

fn rounded(v: f64, digits: i32) -> Value {
    let k = 10_f64.powi(digits);
    Value::Float((v * k).round() / k)
}

fn numbers(values: &[f64], digits: i32) -> Value {
    Value::Array(values.iter().map(|v| rounded(*v, digits)).collect())
}

fn points(values: &[[f64; 2]]) -> Value {
    Value::Array(values.iter().map(|p| numbers(p, 2)).collect())
}

fn whole(values: &[u32]) -> Value {
    Value::Array(values.iter().map(|v| Value::Integer((*v).into())).collect())
}

fn lay(out: &mut Table, laid: &Laid) {
    out.insert("at_mm".into(), numbers(&laid.at_mm, 2));
    out.insert("turn_deg".into(), rounded(laid.turn_deg, 3));
}

fn surface(s: &Placed) -> Table {
    let mut out = Table::new();
    out.insert("id".into(), s.id.clone().into());
    lay(&mut out, &s.laid);
    out.insert("height_mm".into(), rounded(s.laid.height_mm, 2));
    if let Some(size) = &s.size_mm {
        out.insert("size_mm".into(), numbers(size, 2));
    }
    out
}

fn camera(c: &Camera) -> Table {
    let mut out = Table::new();
    let id = c.id.clone().unwrap_or_else(|| "any".to_owned());
    out.insert("id".into(), id.into());
    if let Some(name) = &c.name {
        out.insert("name".into(), name.clone().into());
    }
    let size = c
        .wish
        .size_px
        .or(c.lens.map(|l| l.1))
        .unwrap_or([1280, 720]);
    out.insert("size_px".into(), whole(&size));
    if let Some(rate) = c.wish.frames_per_second {
        out.insert("frames_per_second".into(), rounded(rate, 3));
    }
    if let Some(kind) = &c.wish.fourcc {
        out.insert("fourcc".into(), kind.clone().into());
    }
    let s = &c.wish.settings;
    let mut settings = Table::new();
    for (name, value) in [
        ("exposure_us", s.exposure_us.map(i64::from)),
        ("gain", s.gain.map(i64::from)),
        ("focus", s.focus.map(i64::from)),
        ("white_balance_k", s.white_balance_k.map(i64::from)),
    ] {
        if let Some(v) = value {
            settings.insert(name.into(), Value::Integer(v));
        }
    }
    if !settings.is_empty() {
        out.insert("settings".into(), Value::Table(settings));
    }
    if let Some((lens, size)) = &c.lens {
        let mut of = Table::new();
        of.insert("size_px".into(), whole(size));
        of.insert("focal_px".into(), numbers(&lens.focal_px, 3));
        of.insert("centre_px".into(), numbers(&lens.centre_px, 3));
        of.insert("distortion".into(), numbers(&lens.distortion, 8));
        of.insert("focal_error".into(), rounded(lens.focal_error, 5));
        out.insert("lens".into(), Value::Table(of));
    }
    if let Some(pose) = &c.pose {
        let mut of = Table::new();
        of.insert("at_mm".into(), numbers(&pose.at_mm, 2));
        of.insert("turn_deg".into(), numbers(&pose.turn_deg, 4));
        out.insert("pose".into(), Value::Table(of));
    }
    if !c.masks.is_empty() {
        let masks = c.masks.iter().map(|m| {
            let pairs: Vec<[f64; 2]> = m.iter().map(|p| [p.x, p.y]).collect();
            points(&pairs)
        });
        out.insert("masks".into(), Value::Array(masks.collect()));
    }
    if !c.clicked.is_empty() {
        let clicked = c.clicked.iter().map(|(id, corners)| {
            let mut of = Table::new();
            of.insert("surface".into(), id.clone().into());
            of.insert("corners_px".into(), points(&corners.pairs()));
            Value::Table(of)
        });
        out.insert("clicked".into(), Value::Array(clicked.collect()));
    }
    out
}
