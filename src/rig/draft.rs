//! A rig being made: a camera is added with what it sees, and the file is written.

use std::sync::Arc;

use toml::{Table, Value};

use super::{Camera, Placed, Rig, Setting, TrayPlace, Wish};
use crate::geometry::{Laid, Lens, Point, Pose, Quad, Sighted, joint};

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
    /// It sees nothing that the rig knows: it is in the rig with its lens, and its place is not known.
    Apart,
    /// The same, but its place was known: what the rig says of it is as it was, but for what it is set to.
    Stays,
    /// What it sees does not fix how it stands.
    Unclear,
}

impl Rig {
    /// Adds a camera, or makes it anew, with what a picture of `size_px` of it shows. The first camera makes the
    /// table's frame; any other is tied to it by the surfaces that it shares with those before, and has no place in it
    /// until it shares one.
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
        let place = self.camera(Some(id)).map(|(place, _)| place);
        let standing = self.cameras.iter().enumerate();
        let standing = standing.filter(|(_, c)| c.pose.is_some()).map(|(i, _)| i);
        let standing: Vec<usize> = standing.collect();
        let stood = place.is_some_and(|i| standing.contains(&i));
        let others_stand = standing.iter().any(|i| Some(*i) != place);
        let known: Vec<Placed> = if stood && !others_stand {
            // the only one with a place: what it sees is all that is known
            Vec::new()
        } else {
            self.surfaces.clone()
        };
        let laid = |s: &Lying| known.iter().find(|p| p.id == s.id).map(|p| p.laid);
        let sighted = |tied: bool| -> Vec<Sighted> {
            let one = |s: &Lying| Sighted {
                corners_px: s.corners_px,
                print: s.print.clone(),
                size_mm: s.size_mm,
                height_mm: s.height_mm,
                laid: laid(s).filter(|_| tied),
            };
            seen.iter().map(one).collect()
        };
        let tied_by = seen.iter().filter(|s| laid(s).is_some()).count();
        let apart = tied_by == 0 && (!known.is_empty() || seen.is_empty());
        if apart {
            if let Some(old) = place
                .and_then(|i| self.cameras.get_mut(i))
                .filter(|_| stood)
            {
                old.wish.settings = wish.settings;
                return Joined::Stays;
            }
            // what it sees tells of its lens, though not of its place
            let lens = lens.or_else(|| Some(joint(&sighted(false), None, size_px)?.lens));
            self.enter(place, id, wish, size_px, lens, None);
            return Joined::Apart;
        }
        let Some(found) = joint(&sighted(true), lens, size_px) else {
            return Joined::Unclear;
        };
        let mut surfaces = known;
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
        let pose = Some(found.pose);
        self.enter(place, id, wish, size_px, Some(found.lens), pose);
        Joined::Stands {
            error_px: found.error_px,
            tied_by,
        }
    }

    /// Puts a camera into the rig, or in place of what it said of it: what a person drew stays, in pixels of the new size.
    fn enter(
        &mut self,
        place: Option<usize>,
        id: &str,
        wish: Wish,
        size_px: [u32; 2],
        lens: Option<Lens>,
        pose: Option<Pose>,
    ) {
        let camera = Camera {
            id: Some(id.to_owned()),
            wish: Wish {
                size_px: Some(size_px),
                ..wish
            },
            lens: lens.map(|lens| (lens, size_px)),
            pose,
            ..Camera::default()
        };
        let Some(old) = place.and_then(|i| self.cameras.get_mut(i)) else {
            self.cameras.push(camera);
            return;
        };
        let k = old.wish.size_px.and_then(|of| stretch(of, size_px));
        let k = k.unwrap_or(1.0);
        let quad = |q: Quad| Quad(q.0.map(|p| stretched(p, k)));
        let masks = std::mem::take(&mut old.masks).into_iter();
        let clicked = std::mem::take(&mut old.clicked).into_iter();
        *old = Camera {
            // it may have been asked for by its name
            id: old.id.take().or(camera.id),
            name: old.name.take(),
            masks: masks
                .map(|m| m.into_iter().map(|p| stretched(p, k)).collect())
                .collect(),
            clicked: clicked.map(|(id, q)| (id, quad(q))).collect(),
            ..camera
        };
        for tray in &mut self.trays {
            if let Some((of, corners)) = &mut tray.in_picture
                && Some(*of) == place
            {
                *corners = quad(*corners);
            }
        }
    }

    /// The lens of a camera, where it was measured in pictures of this size and not estimated.
    pub fn measured_lens(&self, camera: &str, size_px: [u32; 2]) -> Option<Lens> {
        let (lens, of) = self.camera(Some(camera))?.1.lens?;
        // an estimated one is without distortion
        let measured =
            lens.focal_error <= super::FOCAL_ERROR || lens.distortion.iter().any(|k| *k != 0.0);
        (of == size_px && measured).then_some(lens)
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
    let mut settings = Table::new();
    for one in Setting::ALL {
        if let Some(v) = c.wish.settings.get(one) {
            settings.insert(one.field().into(), Value::Integer(v));
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{copy::Source, geometry::View, rig::file};

    const SIZE: [u32; 2] = [1280, 720];
    const TABLE: [(&str, [f64; 2], f64); 3] = [
        ("white.helm", [0.0, 0.0], 0.0),
        ("white.weapons", [180.0, 5.0], 4.0),
        ("black.helm", [400.0, 20.0], -170.0),
    ];
    const LEFT: Pose = Pose {
        at_mm: [120.0, 420.0, 600.0],
        turn_deg: [-31.0, 0.0, 0.0],
    };
    const RIGHT: Pose = Pose {
        at_mm: [350.0, 380.0, 640.0],
        turn_deg: [-28.0, 4.0, 2.0],
    };

    fn lens() -> Lens {
        Lens {
            focal_error: 0.002,
            ..Lens::ideal(1280, 720, 1000.0, 0.0)
        }
    }

    fn wide() -> Lens {
        Lens {
            focal_error: 0.002,
            ..Lens::ideal(1280, 720, 760.0, 0.0)
        }
    }

    /// What a camera that stands so sees of some displays of the table.
    fn lying(pose: Pose, lens: Lens, which: &[usize]) -> Vec<Lying> {
        let view = View::of_pose(&pose, lens);
        let seen = which.iter().map(|i| {
            let (id, at_mm, turn_deg) = TABLE[*i];
            let laid = Laid {
                at_mm,
                turn_deg,
                height_mm: 1.8,
            };
            Lying {
                id: id.to_owned(),
                corners_px: view.of_laid(&laid).corners([150.0, 110.0]).expect("seen"),
                print: Arc::default(),
                size_mm: [150.0, 110.0],
                height_mm: 1.8,
            }
        });
        seen.collect()
    }

    fn add(rig: &mut Rig, id: &str, lens: Option<Lens>, seen: &[Lying]) -> Joined {
        let wish = rig.wish(id);
        rig.join(id, wish, SIZE, lens, seen)
    }

    fn read(text: &str) -> Rig {
        file::parse(&Source::new(Path::new("rig.toml"), text), Path::new(".")).expect("a rig")
    }

    /// As `sightline rig` leaves it for the next time.
    fn again(rig: &Rig) -> Rig {
        read(&rig.to_toml())
    }

    fn stands(rig: &Rig, id: &str) -> bool {
        rig.sight(Some(id), SIZE).0.stands()
    }

    #[test]
    fn a_tray_without_a_camera_goes_to_the_one_that_is_added() {
        let mut any = read(
            "format = 1\n[[trays]]\nid = \"tray\"\ncorners_px = [[100, 100], [300, 100], [300, 200], [100, 200]]\nsize_mm = [200.0, 100.0]\n",
        );
        // nothing is seen that fixes how it stands, but it is the camera of the tray's pictures
        let joined = any.join("cam@usb-1", Wish::default(), [640, 480], None, &[]);
        assert_eq!(joined, Joined::Apart);
        let again = again(&any);
        assert_eq!(again.trays.len(), 1);
        assert_eq!(again.trays[0].in_picture, any.trays[0].in_picture);
        assert!(again.is_for_another("cam@usb-2"));
    }

    #[test]
    fn cameras_are_joined_by_what_both_see() {
        let mut rig = Rig::default();
        let joined = add(
            &mut rig,
            "left",
            Some(lens()),
            &lying(LEFT, lens(), &[0, 1]),
        );
        assert!(
            matches!(joined, Joined::Stands { tied_by: 0, .. }),
            "{joined:?}"
        );
        let joined = add(&mut rig, "right", None, &lying(RIGHT, lens(), &[1, 2]));
        let Joined::Stands { error_px, tied_by } = joined else {
            panic!("{joined:?}")
        };
        assert!(error_px < 0.1 && tied_by == 1, "{error_px}");
        for ((id, at, turn), placed) in TABLE.iter().zip(&rig.surfaces) {
            assert_eq!(*id, placed.id);
            let off = (placed.laid.at_mm[0] - at[0]).hypot(placed.laid.at_mm[1] - at[1]);
            let turned = (placed.laid.turn_deg - turn + 540.0).rem_euclid(360.0) - 180.0;
            assert!(off < 0.2 && turned.abs() < 0.1, "{placed:?}");
        }
        // made anew, a camera keeps what a person drew
        let corners = Quad::from_pairs([[1.0, 1.0], [9.0, 1.0], [9.0, 9.0], [1.0, 9.0]]);
        let helm = Marked::Surface("white.helm".to_owned());
        rig.mark("left", SIZE, &helm, corners).expect("kept");
        add(
            &mut rig,
            "left",
            Some(lens()),
            &lying(LEFT, lens(), &[0, 1]),
        );
        assert_eq!((rig.cameras.len(), rig.cameras[0].clicked.len()), (2, 1));
    }

    #[test]
    fn cameras_that_share_nothing_are_in_one_file_and_are_tied_later() {
        let mut rig = Rig::default();
        add(&mut rig, "left", Some(lens()), &lying(LEFT, lens(), &[0]));
        let corners = Quad::from_pairs([[1.0, 1.0], [9.0, 1.0], [9.0, 9.0], [1.0, 9.0]]);
        let helm = Marked::Surface("black.helm".to_owned());
        rig.mark("right", SIZE, &helm, corners).expect("kept");
        let seen = lying(RIGHT, wide(), &[2]);
        let joined = add(&mut rig, "right", Some(wide()), &seen);
        assert_eq!(joined, Joined::Apart);
        let mut rig = again(&rig);
        assert_eq!((rig.cameras.len(), rig.surfaces.len()), (2, 1));
        // both are used with the lens that is theirs, and only what one of them has a place for is expected
        for (id, focal, expected) in [
            ("left", 1000.0, "white.helm"),
            ("right", 760.0, "black.helm"),
        ] {
            let (sight, notes) = rig.sight(Some(id), SIZE);
            assert!(notes.is_empty() && sight.has_lens(), "{notes:?}");
            assert_eq!(sight.lens().focal_px, [focal, focal]);
            let all: Vec<&str> = sight.expected().iter().map(|e| e.0.as_str()).collect();
            assert_eq!(all, [expected]);
            assert_eq!(sight.stands(), id == "left");
        }
        // the one with a place may be made anew beside it, and makes the frame then
        let joined = add(&mut rig, "left", None, &lying(LEFT, lens(), &[0, 1]));
        assert!(
            matches!(joined, Joined::Stands { tied_by: 0, .. }),
            "{joined:?}"
        );
        // seen once more with what the rig knows, it is tied; clicks are kept, and its lens, which is measured
        let kept = rig.measured_lens("right", SIZE);
        assert_eq!(kept.map(|l| l.focal_px), Some([760.0, 760.0]));
        let joined = add(&mut rig, "right", kept, &lying(RIGHT, wide(), &[1, 2]));
        assert!(
            matches!(joined, Joined::Stands { tied_by: 1, error_px } if error_px < 0.1),
            "{joined:?}"
        );
        let mut rig = again(&rig);
        assert!(stands(&rig, "left") && stands(&rig, "right"));
        assert_eq!((rig.surfaces.len(), rig.cameras[1].clicked.len()), (3, 1));
        // it looks elsewhere now: what is known of it stays
        let before = format!("{:?} {:?}", rig.cameras[1], rig.surfaces);
        let mut away = lying(RIGHT, wide(), &[2]);
        away[0].id = "black.shields".to_owned();
        assert_eq!(add(&mut rig, "right", None, &away), Joined::Stays);
        assert_eq!(add(&mut rig, "right", None, &[]), Joined::Stays);
        assert_eq!(format!("{:?} {:?}", rig.cameras[1], rig.surfaces), before);
        // but for what it is set to
        let mut wish = rig.wish("right");
        wish.settings.focus = Some(30);
        assert_eq!(rig.join("right", wish, SIZE, None, &away), Joined::Stays);
        assert_eq!(again(&rig).wish("right").settings.focus, Some(30));
    }

    #[test]
    fn a_camera_apart_has_the_lens_that_what_it_sees_tells() {
        let mut rig = Rig::default();
        add(&mut rig, "left", Some(lens()), &lying(LEFT, lens(), &[0]));
        let joined = add(&mut rig, "right", None, &lying(RIGHT, wide(), &[1, 2]));
        assert_eq!(joined, Joined::Apart);
        let rig = again(&rig);
        let focal = rig.sight(Some("right"), SIZE).0.lens().focal_px[0];
        assert!((focal - 760.0).abs() < 40.0, "{focal}");
        assert_eq!(rig.measured_lens("right", SIZE), None);
    }
}
