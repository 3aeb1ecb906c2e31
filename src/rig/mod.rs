//! A camera set-up, as data: which cameras look at a table, how they stand, and what lies where.
//!
//! There is one table frame, so that what two cameras see is one thing: millimetres on the table top, its origin
//! under the upper left corner of the first surface that was found when the rig was made, x along that surface's
//! upper edge, y down as it is read, heights up from the table. Cameras have their pose in it, surfaces and trays
//! may have theirs. Where a die lies on a surface is where its foot is, straight under its top face.

mod camera;
mod camera_info;
mod draft;
mod file;
mod sight;

pub use camera::{Camera, Setting, Settings, Wish};
pub use camera_info::CameraInfo;
pub use draft::{CALIBRATION_BOARD, Joined, Lying, Marked};
pub use file::RigFile;
pub use sight::{Lies, Sight, Tray};

use std::path::Path;

use crate::{
    copy::FileError,
    geometry::{Laid, Quad},
};

/// Standard error of a focal length that was measured, as a part of it.
pub const FOCAL_ERROR: f64 = 0.005;

/// A surface of the copy that has a place on the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    pub id: String,
    pub laid: Laid,
    /// The copy's where none.
    pub size_mm: Option<[f64; 2]>,
}

/// A rectangle on the table where dice are rolled.
#[derive(Debug, Clone, PartialEq)]
pub struct TrayPlace {
    pub id: String,
    pub size_mm: [f64; 2],
    /// The place of a camera in the rig, and the corners in its pictures.
    in_picture: Option<(usize, Quad)>,
    /// Where it lies in the table's frame.
    laid: Option<Laid>,
}

/// A camera set-up. The default one knows no camera and no surface, and looks everywhere.
#[derive(Debug, Clone, Default)]
pub struct Rig {
    pub cameras: Vec<Camera>,
    pub surfaces: Vec<Placed>,
    pub trays: Vec<TrayPlace>,
}

impl Rig {
    /// Reads a rig file.
    ///
    /// # Errors
    /// The first thing that is wrong, with file, line and field.
    pub fn load(path: &Path) -> Result<Self, FileError> {
        file::load(path)
    }

    /// The camera of this identity or name, or the only one where none is named, with its place in the rig. A
    /// camera without identity is any.
    fn camera(&self, wanted: Option<&str>) -> Option<(usize, &Camera)> {
        let mut all = self.cameras.iter().enumerate();
        match wanted {
            Some(id) => all.find(|(_, c)| {
                c.id.as_deref().is_none_or(|i| i == id) || c.name.as_deref() == Some(id)
            }),
            None => all.next().filter(|_| self.cameras.len() == 1),
        }
    }

    /// Whether it is for some camera, and not for this one.
    pub fn is_for_another(&self, camera: &str) -> bool {
        !self.cameras.is_empty() && self.camera(Some(camera)).is_none()
    }

    /// Takes the sizes of surfaces from the copy, where the file does not say them.
    pub fn size(&mut self, of: impl Fn(&str) -> Option<[f64; 2]>) {
        for s in &mut self.surfaces {
            s.size_mm = s.size_mm.or_else(|| of(&s.id));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        copy::{Source, Status},
        geometry::Point,
    };

    const TRAY: &str = "format = 1\n[[trays]]\nid = \"tray\"\ncorners_px = [[100, 100], [300, 100], [300, 200], [100, 200]]\nsize_mm = [200.0, 100.0]\n";

    const TABLE: &str = r#"format = 2

[[cameras]]
id = "cam@usb-1"
name = "left"
size_px = [1280, 720]
settings = { exposure_us = 8000, focus = 30 }
lens = { size_px = [1280, 720], focal_px = [1000, 1000], centre_px = [639.5, 359.5] }
pose = { at_mm = [200, 400, 700], turn_deg = [-25, 0, 0] }
masks = [[[0, 0], [100, 0], [0, 100]]]

[[cameras]]
id = "cam@usb-2"
size_px = [1280, 720]
lens = { size_px = [1280, 720], focal_px = [900, 900], centre_px = [639.5, 359.5] }
pose = { at_mm = [300, -200, 800], turn_deg = [18, 3, 0] }

[[surfaces]]
id = "white.helm"
at_mm = [0, 0]
size_mm = [150, 110]

[[trays]]
id = "tray"
size_mm = [200, 120]
at_mm = [180, 20]
turn_deg = 10
"#;

    fn rig(text: &str) -> Result<Rig, FileError> {
        file::parse(&Source::new(Path::new("rig.toml"), text), Path::new("."))
    }

    fn refused(text: &str) -> String {
        rig(text).expect_err("refused").to_string()
    }

    #[test]
    fn a_lens_file_is_refused_where_the_rig_names_it() {
        let why = refused("format = 1\ncamera_info = \"no-such.yaml\"\n");
        assert!(
            why.starts_with("rig.toml:2: camera_info: ") && why.contains("no-such.yaml"),
            "{why}"
        );
    }

    #[test]
    fn a_trays_camera_goes_by_its_name_too() {
        let tray = TRAY
            .replacen("format = 1\n", "", 1)
            .replacen("\"tray\"", "\"second\"", 1);
        let named = format!("{TABLE}\n{tray}camera = \"left\"\n");
        rig(&named).expect("a rig");
        let none = format!("{TABLE}\n{tray}camera = \"lft\"\n");
        assert!(refused(&none).contains("lft"));
    }

    #[test]
    fn a_tray_gives_millimetres() {
        let rig = rig(TRAY).expect("a good rig");
        let (sight, notes) = rig.sight(Some("any"), [401, 301]);
        assert!(notes.is_empty(), "{notes:?}");
        let face = Quad::from_pairs([
            [192.0, 142.0],
            [208.0, 142.0],
            [208.0, 158.0],
            [192.0, 158.0],
        ]);
        // seen straight from above, in the middle of the picture: nothing is shifted there
        let lies = sight.place(&face, 16.0, 0.1).expect("on the tray");
        assert!((lies.at_mm[0] - 100.0).abs() < 1e-6 && (lies.at_mm[1] - 50.0).abs() < 1e-6);
        assert!(lies.heading_deg.abs() < 1e-6);
        // towards the edge the top face appears farther out than the foot is
        let face = Quad(face.0.map(|p| Point::new(p.x + 80.0, p.y)));
        let lies = sight.place(&face, 16.0, 0.1).expect("on the tray");
        assert!(lies.at_mm[0] < 178.0 && lies.at_mm[0] > 170.0, "{lies:?}");
        assert!(lies.error_mm > 1.0 && lies.error_mm < 4.0, "{lies:?}");
        assert!(!sight.looks_at(Point::new(20.0, 20.0)));
        assert!(Sight::plain([401, 301]).looks_at(Point::new(20.0, 20.0)));
    }

    #[test]
    fn a_lens_is_scaled_to_the_picture() {
        let text = "format = 1\n[lens]\nsize_px = [800, 600]\nfocal_px = [700, 700]\ncentre_px = [399.5, 299.5]\n";
        let rig = rig(text).expect("a good rig");
        let lens = rig.sight(None, [400, 300]).0.lens();
        assert_eq!(lens.focal_px, [350.0, 350.0]);
        assert_eq!(lens.centre_px, [199.5, 149.5]);
        // another picture shape is another crop of the sensor: the file says nothing of it
        let (sight, notes) = rig.sight(None, [400, 225]);
        assert!(sight.lens().focal_error > 0.1);
        assert_eq!(notes.len(), 1);
    }

    #[test]
    fn a_die_beside_a_card_may_lie_on_it_where_its_foot_is_not_known_so_well() {
        use crate::{
            copy::Status,
            geometry::{Lens, Pose, View},
        };
        let pose = Pose {
            at_mm: [75.0, 420.0, 500.0],
            turn_deg: [-40.0, 0.0, 0.0],
        };
        let lens = Lens::ideal(1280, 720, 1050.0, 0.002);
        let table = View::of_pose(&pose, lens);
        let laid = Laid {
            at_mm: [0.0; 2],
            turn_deg: 0.0,
            height_mm: 0.0,
        };
        let on = table.of_laid(&laid);
        let card = Tray {
            id: "helm".into(),
            corners_px: on.corners([150.0, 110.0]).expect("seen"),
            size_mm: [150.0, 110.0],
            error_mm: 0.1,
            print: std::sync::Arc::default(),
            drift: None,
            height_mm: 0.0,
            status: Status::Sure,
        };
        let rig = Rig::default();
        let sight = rig.sight(None, [1280, 720]).0.with_seen(vec![card]);
        // how far right of the card's right edge the die's foot is
        let may = |off_mm: f64, error: f64| {
            let (x, y) = (150.0 + off_mm, 50.0);
            let top = [[-8.0, -8.0], [8.0, -8.0], [8.0, 8.0], [-8.0, 8.0]];
            let top = top.map(|[a, b]| on.pixel(Point::new(x + a, y + b), 16.0).expect("seen"));
            assert_eq!(sight.place(&Quad(top), 16.0, error).is_some(), off_mm < 0.0);
            sight.may_lie_on(&Quad(top), 16.0, error, 3.0).count() > 0
        };
        assert!(may(-5.0, 0.02));
        assert!(may(1.0, 0.06), "off by a tenth of a die's edge");
        assert!(!may(20.0, 0.06));
        // however badly its foot is known
        assert!(may(20.0, 1.0) && !may(120.0, 9.0));
    }

    #[test]
    fn small_cards_have_their_tilt_from_all_that_lies_on_the_table() {
        use crate::{
            copy::Status,
            geometry::{Lens, Pose, View},
        };
        let size_mm = [60.0, 45.0];
        let pose = Pose {
            at_mm: [150.0, 620.0, 560.0],
            turn_deg: [-38.0, 2.0, 1.0],
        };
        let table = View::of_pose(&pose, Lens::ideal(1280, 720, 1050.0, 0.0));
        let places = [(0, 0), (90, 5), (185, -8), (10, 80), (120, 95), (230, 85)];
        let laid = |i: usize| Laid {
            at_mm: [places[i].0.into(), places[i].1.into()],
            turn_deg: 4.0 * i as f64,
            height_mm: 1.8,
        };
        // corners are off by up to 0.8 pixels, each another way
        let off = |i: usize, k: usize| {
            let turn = (5 * i + 3 * k) as f64;
            Point::new(0.8 * turn.cos(), 0.8 * turn.sin())
        };
        let trays: Vec<Tray> = (0..places.len())
            .map(|i| {
                let exact = table.of_laid(&laid(i)).corners(size_mm).expect("seen");
                let moved = |k: usize| exact.0[k] + (off(i, k) - Point::origin());
                Tray {
                    id: i.to_string(),
                    corners_px: Quad([0, 1, 2, 3].map(moved)),
                    size_mm,
                    error_mm: 0.3,
                    print: std::sync::Arc::default(),
                    drift: None,
                    height_mm: 1.8,
                    status: Status::Sure,
                }
            })
            .collect();
        let worst = |sights: &[Sight]| {
            let errors = (0..places.len()).map(|i| {
                let on = table.of_laid(&laid(i));
                let face = Quad(
                    [[22.0, 14.0], [38.0, 14.0], [38.0, 30.0], [22.0, 30.0]]
                        .map(|[x, y]| on.pixel(Point::new(x, y), 16.0).expect("seen")),
                );
                let lies = sights[i % sights.len()].place(&face, 16.0, 0.02);
                // so far off that it does not lie on its card
                let Some(lies) = lies else {
                    return (size_mm[0], size_mm[0]);
                };
                assert_eq!(lies.surface, i.to_string());
                let error = (lies.at_mm[0] - 30.0).hypot(lies.at_mm[1] - 22.0);
                (error, lies.error_mm)
            });
            errors.fold((0.0_f64, 0.0_f64), |a, b| (a.0.max(b.0), a.1.max(b.1)))
        };
        let plain = Sight::plain([1280, 720]);
        let alone: Vec<Sight> = trays
            .iter()
            .map(|t| plain.with_seen(vec![t.clone()]))
            .collect();
        let (together, said) = worst(&[plain.with_seen(trays)]);
        assert!(together < 1.5, "{together} mm");
        assert!(
            together < 3.0 * said && said < 2.0,
            "{together}, said {said}"
        );
        // one of them alone says little of how the camera stands, and that is known
        let (alone, all) = (worst(&alone), said);
        assert!(alone.0 > together && alone.0 < 3.0 * alone.1, "{alone:?}");
        assert!(alone.1 > 3.0 * all, "{alone:?}, all {all}");
    }

    #[test]
    fn what_two_cameras_see_is_one_thing() {
        let rig = rig(TABLE).expect("a good rig");
        let mut places = Vec::new();
        for camera in ["left", "cam@usb-2"] {
            let (sight, notes) = rig.sight(Some(camera), [1280, 720]);
            assert!(notes.is_empty(), "{notes:?}");
            let tray = sight.trays().first().expect("a tray on the table");
            // a die in the middle of the tray, as this camera sees its top face
            let (_, c) = rig.camera(Some(camera)).expect("there");
            let view =
                crate::geometry::View::of_pose(&c.pose.expect("a pose"), c.lens.expect("a lens").0);
            let laid = Laid {
                at_mm: [180.0, 20.0],
                turn_deg: 10.0,
                height_mm: 0.0,
            };
            let on = view.of_laid(&laid);
            let face = Quad(
                [[92.0, 52.0], [108.0, 52.0], [108.0, 68.0], [92.0, 68.0]]
                    .map(|[x, y]| on.pixel(Point::new(x, y), 16.0).expect("seen")),
            );
            let lies = sight.place(&face, 16.0, 0.1).expect("on the tray");
            assert_eq!(lies.surface, tray.id);
            assert!((lies.at_mm[0] - 100.0).abs() < 0.3 && (lies.at_mm[1] - 60.0).abs() < 0.3);
            places.push(sight.on_table(&face, 16.0, Some("tray")).expect("a pose"));
            assert_eq!(sight.expected().len(), 1);
        }
        let [a, b] = places[..] else { panic!("two") };
        assert!((a[0] - b[0]).hypot(a[1] - b[1]) < 0.5, "{a:?} {b:?}");
        let (left, _) = rig.sight(Some("left"), [1280, 720]);
        assert!(!left.looks_at(Point::new(10.0, 10.0)), "masked");
    }

    #[test]
    fn another_size_or_camera_is_said_and_all_else_goes_on() {
        let rig = rig(TABLE).expect("a good rig");
        // half the size of the same shape is the same, smaller
        let (half, notes) = rig.sight(Some("left"), [640, 360]);
        assert!(notes.is_empty() && half.trays().len() == 1, "{notes:?}");
        let (other, notes) = rig.sight(Some("left"), [640, 480]);
        assert!(other.trays().is_empty() && other.masks().is_empty());
        assert!(
            notes.len() == 1 && notes[0].contains("its lens, trays"),
            "{notes:?}"
        );
        let (none, notes) = rig.sight(Some("cam@usb-9"), [1280, 720]);
        assert!(none.trays().is_empty() && notes.len() == 1, "{notes:?}");
        let (none, notes) = rig.sight(None, [1280, 720]);
        assert!(none.trays().is_empty() && notes.len() == 1, "{notes:?}");
    }

    #[test]
    fn a_die_that_is_held_up_says_that_its_foot_is_not_known() {
        use crate::geometry::{Lens, Pose, View};
        let lens = Lens::ideal(1280, 720, 1000.0, 0.0);
        let pose = Pose {
            at_mm: [100.0, 260.0, 300.0],
            turn_deg: [-35.0, 3.0, -2.0],
        };
        let view = View::of_pose(&pose, lens);
        let size_mm = [200.0, 120.0];
        let tray = Tray {
            id: "white.helm".to_owned(),
            corners_px: view.corners(size_mm).expect("seen"),
            size_mm,
            error_mm: 0.5,
            print: Default::default(),
            drift: None,
            height_mm: 0.0,
            status: Status::Sure,
        };
        let sight = Sight::plain([1280, 720]).with_seen(vec![tray]);
        let lies = |z_mm: f64, larger: f64| {
            let corners = [[60.0, 40.0], [76.0, 40.0], [76.0, 56.0], [60.0, 56.0]];
            let face = corners.map(|[x, y]| view.pixel(Point::new(x, y), z_mm).expect("seen"));
            let middle = Quad(face).centre();
            let face = Quad(face.map(|p| middle + (p - middle) * larger));
            let lies = sight.place(&face, 16.0, 0.02).expect("on it");
            let off = (lies.at_mm[0] - 68.0).hypot(lies.at_mm[1] - 48.0);
            (off, lies.error_mm)
        };
        let ((off, error), (held, said)) = (lies(16.0, 1.0), lies(60.0, 1.0));
        assert!(off < 1.0 && error < 2.0, "{off} {error}");
        assert!(held > 8.0 && said > held / 3.0, "{held} {said}");
        // one that stands on another is hardly larger: its size does not tell that, and what sees the lower one must
        let (on_another, said) = lies(32.0, 1.0);
        assert!(on_another > 5.0 && said < 2.0, "{on_another} {said}");
        // an outline may be as much too large
        let (off, error) = lies(16.0, 1.1);
        assert!(off < 1.0 && error < 2.0, "{off} {error}");
    }

    #[test]
    fn trays_and_masks_that_were_drawn_are_kept_and_forgotten() {
        let mut drawn = Rig::default();
        let square = |at: f64| {
            Quad::from_pairs([
                [at, at],
                [at + 90.0, at],
                [at + 90.0, at + 60.0],
                [at, at + 60.0],
            ])
        };
        let tray = Marked::Tray {
            size_mm: [300.0, 200.0],
        };
        drawn
            .mark("cam", [640, 480], &tray, square(10.0))
            .expect("kept");
        drawn
            .mark("cam", [640, 480], &tray, square(200.0))
            .expect("kept");
        drawn
            .mark("cam", [640, 480], &Marked::Mask, square(20.0))
            .expect("kept");
        // drawn on pictures of half the size, they are in the pixels of the rig's
        let mut half = drawn.clone();
        half.unmark("cam");
        half.mark("cam", [320, 240], &tray, square(10.0))
            .expect("kept");
        let (sight, _) = half.sight(Some("cam"), [640, 480]);
        assert_eq!(sight.trays()[0].corners_px.pairs()[0], [20.5, 20.5]);
        let said = half.mark("cam", [640, 360], &tray, square(10.0));
        assert!(said.is_err_and(|why| why.contains("640x480")));
        let again = rig(&drawn.to_toml()).expect("a good rig");
        let (sight, notes) = again.sight(Some("cam"), [640, 480]);
        assert!(notes.is_empty(), "{notes:?}");
        let names: Vec<&str> = sight.trays().iter().map(|t| t.id.as_str()).collect();
        assert_eq!(names, ["tray", "tray-2"]);
        assert!(sight.looks_at(Point::new(12.0, 12.0)) && sight.looks_at(Point::new(250.0, 230.0)));
        assert!(!sight.looks_at(Point::new(30.0, 30.0)), "masked");
        assert!(
            !sight.looks_at(Point::new(400.0, 400.0)),
            "beside the trays"
        );
        // what lies on a display that is seen is looked at all the same
        let display = Tray {
            id: "white.helm".to_owned(),
            corners_px: square(380.0),
            size_mm: [150.0, 100.0],
            error_mm: 0.5,
            print: Default::default(),
            drift: None,
            height_mm: 2.0,
            status: Status::Sure,
        };
        assert!(
            sight
                .with_seen(vec![display.clone()])
                .looks_at(Point::new(400.0, 400.0))
        );
        // what one camera has found is found, whatever another makes of it
        let seen = |status: Status| {
            let tray = Tray {
                status,
                ..display.clone()
            };
            std::sync::Arc::new(Sight::plain([640, 480]).with_seen(vec![tray]))
        };
        let alone = Sight::clone(&seen(Status::Hidden));
        assert_eq!(alone.status_of("white.helm"), Some(Status::Hidden));
        let both = alone.beside(vec![
            ("b".to_owned(), seen(Status::Unsure)),
            ("c".to_owned(), seen(Status::Sure)),
        ]);
        assert_eq!(both.own_status_of("white.helm"), Some(Status::Hidden));
        let b = both.of_camera("b").own_status_of("white.helm");
        assert_eq!(b, Some(Status::Unsure));
        assert_eq!(both.status_of("white.helm"), Some(Status::Sure));
        assert_eq!(both.status_of("black.helm"), None);
        drawn.unmark("cam");
        let (sight, _) = drawn.sight(Some("cam"), [640, 480]);
        assert!(sight.trays().is_empty() && sight.looks_at(Point::new(30.0, 30.0)));
    }

    #[test]
    fn what_is_written_is_read() {
        let rig = rig(TABLE).expect("a good rig");
        let again = super::file::parse(
            &Source::new(Path::new("rig.toml"), &rig.to_toml()),
            Path::new("."),
        )
        .expect("readable");
        assert_eq!(format!("{rig:?}"), format!("{again:?}"));
    }

    #[test]
    fn errors_name_file_line_and_field() {
        let bad = TRAY.replace("[300, 100], [300, 200]", "[200, 100], [300, 100]");
        assert_eq!(
            refused(&bad),
            "rig.toml:4: corners_px: these are not the four corners of a rectangle as a camera sees it; give upper left, upper right, lower right, lower left"
        );
        assert!(refused("format = 1\nfoo = 2\n").starts_with("rig.toml:2: unknown field `foo`"));
        assert_eq!(
            refused("format = 3\n"),
            "rig.toml:1: format = 3: this program reads formats 1 and 2"
        );
        let with = |from: &str, to: &str| {
            assert!(TABLE.contains(from), "{from}");
            refused(&TABLE.replacen(from, to, 1))
        };
        assert_eq!(
            with("\"cam@usb-2\"", "\"cam@usb-1\""),
            "rig.toml:13: id = \"cam@usb-1\": there are two cameras of that name"
        );
        assert!(with("[1280, 720]", "[1280, 7]").starts_with("rig.toml:6: size_px = [1280, 7]: "));
        assert!(with("8000", "0").starts_with("rig.toml:7: exposure_us = 0: "));
        assert!(with("[1000, 1000]", "[1000, 1]").starts_with("rig.toml:8: focal_px = "));
        assert!(with("400, 700]", "400, -700]").starts_with("rig.toml:9: at_mm = "));
        assert!(with("[-25, 0, 0]", "[-25, 0, 900]").starts_with("rig.toml:9: turn_deg = "));
        assert!(with(", [0, 100]]]", "]]").starts_with("rig.toml:10: masks: "));
        assert!(
            with("size_mm = [150, 110]", "size_mm = [150, 1]").starts_with("rig.toml:21: size_mm")
        );
        assert!(
            with("at_mm = [180, 20]\nturn_deg = 10\n", "")
                .starts_with("rig.toml:24: id = \"tray\": a tray lies somewhere")
        );
        assert!(
            with("turn_deg = 10", "turn_deg = 1000").starts_with("rig.toml:27: turn_deg = 1000")
        );
        assert!(
            with(
                "turn_deg = 10",
                "corners_px = [[1, 1], [9, 1], [9, 9], [1, 9]]"
            )
            .starts_with("rig.toml:27: corners_px: say of which camera")
        );
    }

    /// A board that a lens bends, its print measured; without that lens, with it, and before its print was measured.
    #[test]
    fn print_says_where_things_stand_on_a_board_that_a_lens_bends() {
        use crate::geometry::{Lens, Point, Pose, Quad, View};
        let size_mm = [500.0, 380.0];
        let lens = Lens {
            distortion: [-0.12, 0.02, 0.0, 0.0, 0.0],
            ..Lens::ideal(1280, 720, 1000.0, 0.0)
        };
        let pose = Pose {
            at_mm: [250.0, 420.0, 640.0],
            turn_deg: [-20.0, 0.0, 0.0],
        };
        let view = View::of_pose(&pose, lens);
        let pixel = |x: f64, y: f64, z: f64| view.pixel(Point::new(x, y), z).expect("seen");
        let corners_px = Quad([
            pixel(0.0, 0.0, 0.0),
            pixel(500.0, 0.0, 0.0),
            pixel(500.0, 380.0, 0.0),
            pixel(0.0, 380.0, 0.0),
        ]);
        let blocks = (0..25).flat_map(|x| (0..19).map(move |y| (x, y)));
        let blocks = blocks.map(|(x, y)| (10.0 + 20.0 * f64::from(x), 10.0 + 20.0 * f64::from(y)));
        let print: Vec<(Point, Point)> = blocks
            .map(|(x, y)| (Point::new(x, y), pixel(x, y, 0.0)))
            .collect();
        let board = |print: &[(Point, Point)]| Tray {
            id: "board".into(),
            corners_px,
            size_mm,
            error_mm: 0.5,
            print: std::sync::Arc::new(print.to_vec()),
            drift: None,
            height_mm: 0.0,
            status: crate::copy::Status::Sure,
        };
        let places = [(250.0, 190.0), (30.0, 200.0), (470.0, 30.0), (250.0, 350.0)];
        let worst = |sight: &Sight| {
            let off = places.map(|(x, y)| {
                // what is flat on it, so that how the camera is tilted has no say
                let face = Quad(
                    [[-8.0, -8.0], [8.0, -8.0], [8.0, 8.0], [-8.0, 8.0]]
                        .map(|[u, v]| pixel(x + u, y + v, 0.0)),
                );
                let lies = sight.place(&face, 0.0, 0.01).expect("on the board");
                (lies.at_mm[0] - x).hypot(lies.at_mm[1] - y)
            });
            off.into_iter().fold(0.0, f64::max)
        };
        let plain = Sight::plain([1280, 720]);
        assert!(worst(&plain.with_seen(vec![board(&[])])) > 3.0);
        assert!(worst(&plain.with_seen(vec![board(&print)])) < 0.3);
        let camera = format!(
            "format = 2\n[[cameras]]\nid = \"c\"\nsize_px = [1280, 720]\nlens = {{ size_px = [1280, 720], focal_px = [1000, 1000], centre_px = [{}, {}], distortion = [-0.12, 0.02, 0, 0, 0] }}\n",
            lens.centre_px[0], lens.centre_px[1]
        );
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rig.toml");
        std::fs::write(&path, camera).expect("written");
        let (with_lens, notes) = Rig::load(&path).expect("a rig").sight(None, [1280, 720]);
        assert!(notes.is_empty(), "{notes:?}");
        assert!(worst(&with_lens.with_seen(vec![board(&print)])) < 0.3);
    }
}
