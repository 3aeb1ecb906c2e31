//! `sightline rig` as a user meets it: cameras that share nothing, tied later, and what it refuses.
#![allow(clippy::expect_used, clippy::panic)]
#![cfg(all(feature = "vision", feature = "camera"))]

mod scene;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use scene::{Camera, Card, Light, Pose, card, cloth, enrolled, lay, taken};
use sightline::rig::Rig;

const SIZE: [i32; 2] = [1280, 720];

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn sightline(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sightline"))
        .args(args)
        .output()
        .expect("the program starts")
}

/// Three displays on a long table; no camera of these sees all.
struct Table {
    folder: tempfile::TempDir,
    cards: Vec<Card>,
    poses: Vec<Pose>,
}

impl Table {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let cards: Vec<Card> = (0..3).map(|s| card(s, 0, [150.0, 110.0])).collect();
        enrolled(folder.path(), &cards);
        let poses = vec![
            Pose::new(0.0, 0.0, 3.0),
            Pose::new(180.0, 5.0, -6.0),
            Pose::new(360.0, 0.0, 4.0),
        ];
        Self {
            folder,
            cards,
            poses,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes what a camera over the middle of these displays sees of them.
    fn picture(&self, name: &str, which: &[usize], tilt: f64) -> PathBuf {
        let along = which.iter().map(|i| self.poses[*i].at[0] + 75.0);
        let middle = along.sum::<f64>() / which.len() as f64;
        let camera = Camera::over(SIZE, [middle, 55.0], 480.0, tilt, 2.0);
        let mut bgr = cloth(SIZE, 3);
        for i in which {
            lay(&mut bgr, &camera, &self.cards[*i], &self.poses[*i]);
        }
        let picture = taken(&bgr, Light::default(), 1);
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        let (w, h) = (picture.width(), picture.height());
        image::save_buffer(&path, picture.rgb(), w, h, image::ExtendedColorType::Rgb8)
            .expect("written");
        path
    }

    fn rig(&self, image: &Path, called: &str) -> Output {
        let out = self.path("rig.toml");
        sightline(&[
            "rig",
            "--copy",
            self.folder.path().to_str().expect("text"),
            "--image",
            image.to_str().expect("text"),
            "--as",
            called,
            "--out",
            out.to_str().expect("text"),
        ])
    }

    fn written(&self) -> Rig {
        Rig::load(&self.path("rig.toml")).expect("a rig")
    }
}

#[test]
fn a_camera_that_shares_nothing_stands_in_the_file_and_is_tied_later() {
    let table = Table::new();
    let left = table.picture("left/1.png", &[0], 22.0);
    let right = table.picture("right/1.png", &[2], 24.0);
    let both = table.picture("both.png", &[1, 2], 20.0);
    let wide = table.picture("wide.png", &[0, 1], 23.0);
    let out = table.rig(&left, "left");
    assert!(out.status.success(), "{}", text(&out.stderr));
    let out = table.rig(&right, "right");
    let said = text(&out.stdout);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let tie = said
        .lines()
        .find(|l| l.contains("run this again to tie it"));
    assert!(tie.is_some_and(|l| l.contains("counts twice")), "{said}");
    let rig = table.written();
    let size = SIZE.map(|v| v as u32);
    let stands = |rig: &Rig, id: &str| rig.sight(Some(id), size).0.stands();
    assert!(stands(&rig, "left") && !stands(&rig, "right"));
    assert!(rig.sight(Some("right"), size).0.has_lens());

    // both look at the table, each with what it sees
    for k in 2..5 {
        for one in [&left, &right] {
            fs::copy(one, one.with_file_name(format!("{k}.png"))).expect("copied");
        }
    }
    let folder = |of: &Path| of.parent().and_then(Path::to_str).expect("text").to_owned();
    let file = table.path("rig.toml");
    let out = sightline(&[
        "run",
        "--json",
        "--fps",
        "2",
        "--copy",
        table.folder.path().to_str().expect("text"),
        "--rig",
        file.to_str().expect("text"),
        "--images",
        &folder(&left),
        "--as",
        "left",
        "--images",
        &folder(&right),
        "--as",
        "right",
    ]);
    let said = text(&out.stderr);
    assert!(out.status.success(), "{said}");
    assert!(said.contains("right: how it stands is not known"), "{said}");
    assert!(!said.contains("no lens is known"), "{said}");
    let lines = text(&out.stdout);
    let lines = lines
        .lines()
        .map(|l| serde_json::from_str(l).expect("JSON"));
    let found: BTreeSet<(String, String)> = lines
        .filter(|l: &serde_json::Value| l["type"] == "surface" && l["change"] == "found")
        .map(|l| [&l["camera"], &l["id"]].map(|v| v.as_str().unwrap_or_default().to_owned()))
        .map(|[camera, surface]| (camera, surface))
        .collect();
    let wants = [("left", 0), ("right", 2)].map(|(c, i)| (c.to_owned(), table.cards[i].id.clone()));
    assert_eq!(found, BTreeSet::from(wants));

    // the first one, made anew, sees a display that the other will see, too
    let out = table.rig(&wide, "left");
    assert!(out.status.success(), "{}", text(&out.stderr));
    let out = table.rig(&both, "right");
    let said = text(&out.stdout);
    assert!(
        said.contains("1 of them tie it"),
        "{said}{}",
        text(&out.stderr)
    );
    let rig = table.written();
    assert!(stands(&rig, "left") && stands(&rig, "right"));
    assert_eq!(rig.surfaces.len(), 3);
    // turned away from what the rig knows, it keeps its place, and that is said
    let mut less = rig;
    less.surfaces.retain(|s| s.id != table.cards[2].id);
    fs::write(table.path("rig.toml"), less.to_toml()).expect("written");
    let out = table.rig(&right, "right");
    let said = text(&out.stderr);
    assert!(
        out.status.success() && said.contains("stay as they were"),
        "{said}"
    );
    assert!(stands(&table.written(), "right"));
}

/// What a camera is set to is of a camera: a recording is as it was taken.
#[test]
fn settings_go_with_a_camera_alone() {
    for option in [
        "--exposure-us=8000",
        "--gain=3",
        "--focus=0",
        "--white-balance-k=4600",
        "--hold",
        "--automatic",
    ] {
        for source in ["--image", "--images", "--video"] {
            let out = sightline(&["rig", "--copy", "c", "--out", "o", source, "s", option]);
            let said = text(&out.stderr);
            assert_eq!(out.status.code(), Some(2), "{said}");
            let name = option.split('=').next().unwrap_or_default();
            assert!(
                said.contains(name)
                    && said.contains("cannot be used with")
                    && said.contains(source),
                "{said}"
            );
        }
    }
    for beyond in ["--exposure-us=0", "--white-balance-k=99", "--focus=near"] {
        let out = sightline(&["rig", "--copy", "c", "--out", "o", "--camera", "0", beyond]);
        assert_eq!(out.status.code(), Some(2));
        assert!(
            text(&out.stderr).contains("invalid value"),
            "{}",
            text(&out.stderr)
        );
    }
    let out = sightline(&[
        "rig",
        "--copy",
        "c",
        "--out",
        "o",
        "--camera",
        "0",
        "--hold",
        "--automatic",
    ]);
    assert!(text(&out.stderr).contains("cannot be used with"));
}
