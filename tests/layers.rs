//! Dependencies point one way. This reads the sources: a room that names a room it may not lean on
//! fails here, whether or not the code would compile.

use std::{collections::BTreeSet, fs, path::Path};

/// A room and the rooms it may name.
const MAY: [(&str, &[&str]); 11] = [
    ("geometry", &[]),
    ("rules", &[]),
    ("copy", &["geometry"]),
    ("rig", &["geometry", "copy"]),
    ("capture", &["geometry", "copy", "rig"]),
    ("vision", &["geometry", "copy", "rig", "capture"]),
    ("table", &["geometry", "copy", "rig", "capture", "vision"]),
    (
        "session",
        &[
            "geometry", "copy", "rig", "capture", "vision", "table", "rules",
        ],
    ),
    (
        "overlay",
        &[
            "geometry", "copy", "rig", "capture", "vision", "table", "rules", "session",
        ],
    ),
    (
        "broadcast",
        &[
            "geometry", "copy", "rig", "capture", "vision", "table", "rules", "session",
        ],
    ),
    (
        "cli",
        &[
            "geometry",
            "copy",
            "rig",
            "capture",
            "vision",
            "table",
            "rules",
            "session",
            "overlay",
            "broadcast",
        ],
    ),
];

/// Crates that stay in the rooms made for them.
const NATIVE: [(&str, &[&str]); 7] = [
    ("opencv", &["capture", "vision", "cli"]),
    ("ort", &["vision"]),
    ("ort_tract", &["vision"]),
    ("nokhwa", &["capture"]),
    ("v4l", &["capture"]),
    ("eframe", &["overlay"]),
    ("axum", &["broadcast"]),
];

fn sources(folder: &Path, out: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

/// Code without line comments, so that a sentence about a room is no dependency on it.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a source file");
    text.lines()
        .filter(|l| !l.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Names that follow `prefix::`, also inside one `use prefix::{a::b, c}`.
fn named(code: &str, prefix: &str) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    let start = format!("{prefix}::");
    let word = |s: &str| {
        s.trim_start()
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect::<String>()
    };
    for (at, _) in code.match_indices(&start) {
        let before = code[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let rest = &code[at + start.len()..];
        if !rest.starts_with('{') {
            out.insert(word(rest));
            continue;
        }
        let (mut depth, mut fresh) = (0, false);
        for (i, c) in rest.char_indices() {
            match c {
                '{' => {
                    depth += 1;
                    fresh = depth == 1;
                }
                '}' => depth -= 1,
                ',' => fresh = depth == 1,
                c if fresh && !c.is_whitespace() => {
                    out.insert(word(&rest[i..]));
                    fresh = false;
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
    out
}

#[test]
fn arrows_point_one_way() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let rooms: BTreeSet<&str> = MAY.iter().map(|(r, _)| *r).collect();
    let mut wrong = Vec::new();
    let mut read = 0;
    for (room, may) in MAY {
        let mut files = Vec::new();
        sources(&src.join(room), &mut files);
        assert!(!files.is_empty(), "room {room} is empty");
        for file in files {
            read += 1;
            let code = code(&file);
            let mut names = named(&code, "crate");
            names.extend(named(&code, "sightline"));
            names.extend(above(&code, depth(&src, &file)));
            for hidden in ["crate as ", "extern crate"] {
                if code.contains(hidden) {
                    wrong.push(format!(
                        "{}: \"{hidden}\" hides a room's name",
                        file.display()
                    ));
                }
            }
            for name in names {
                if rooms.contains(name.as_str()) && name != room && !may.contains(&name.as_str()) {
                    wrong.push(format!("{}: {room} names {name}", file.display()));
                }
            }
            for (krate, allowed) in NATIVE {
                if !allowed.contains(&room) && !named(&code, krate).is_empty() {
                    wrong.push(format!(
                        "{}: {room} names the crate {krate}",
                        file.display()
                    ));
                }
            }
        }
    }
    assert!(read > 30, "only {read} files were read");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The list of games declares their modules in a macro, where `cargo fmt` does not find them.
#[test]
fn the_games_folders_are_formatted() {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules");
    let entries = fs::read_dir(&rules).expect("the room of the rules");
    let roots = entries.map(|e| e.expect("an entry").path().join("mod.rs"));
    let roots: Vec<_> = roots.filter(|root| root.exists()).collect();
    assert!(roots.len() >= 4, "only {roots:?}");
    let check = std::process::Command::new("rustfmt")
        .args(["--check", "--edition", "2024"])
        .args(&roots)
        .output();
    let Ok(check) = check else {
        eprintln!("no rustfmt here: nothing is checked");
        return;
    };
    let told = String::from_utf8_lossy(&check.stdout);
    // A rustup without the component answers in its own words, on the other stream.
    let formatted = check.status.success() || told.is_empty();
    assert!(formatted, "rustfmt src/rules/*/mod.rs\n{told}");
}

/// Modules from the crate's root to this file: 1 for `src/room/mod.rs`.
fn depth(src: &Path, file: &Path) -> usize {
    let below = file.strip_prefix(src).expect("a file of the sources");
    below.components().count() - usize::from(below.ends_with("mod.rs"))
}

/// Names behind so many `super::` that they stand at the crate's root, as far as the file tells: a
/// module written inside a file may need one more, which only makes this stricter.
fn above(code: &str, depth: usize) -> BTreeSet<String> {
    (depth..depth + 3)
        .flat_map(|n| named(code, &vec!["super"; n].join("::")))
        .filter(|name| name != "super")
        .collect()
}

/// Another name for a room at the root would let a room reach it unseen.
#[test]
fn the_root_gives_rooms_no_other_names() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs");
    let code = code(&root);
    assert!(
        !code.contains("use "),
        "src/lib.rs holds rooms and nothing else"
    );
    let rooms: BTreeSet<&str> = MAY.iter().map(|(r, _)| *r).collect();
    for line in code.lines().filter(|l| l.contains("mod ")) {
        let name = line
            .rsplit("mod ")
            .next()
            .unwrap_or_default()
            .trim_end_matches(';');
        assert!(rooms.contains(name), "the room {name} has no place in MAY");
    }
}

#[test]
fn the_reader_of_sources_sees_every_way_to_name_a_room() {
    let names = |code: &str| named(code, "crate").into_iter().collect::<Vec<_>>();
    assert_eq!(names("use crate::vision::Eye;"), ["vision"]);
    assert_eq!(
        names("use crate::{\n  copy::{Copy, Status},\n  table,\n};"),
        ["copy", "table"]
    );
    assert_eq!(names("fn f(x: &crate::session::View) {}"), ["session"]);
    assert!(names("mycrate::vision::x").is_empty());
    let above = |code: &str, depth| above(code, depth).into_iter().collect::<Vec<_>>();
    assert_eq!(above("use super::super::vision::Eye;", 2), ["vision"]);
    assert_eq!(above("use super::vision::Eye;", 1), ["vision"]);
    assert!(above("use super::eye::VisionError;", 2).is_empty());
}
