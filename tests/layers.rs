//! Dependencies point one way. This reads the sources: a room that names a room it may not lean on
//! fails here, whether or not the code would compile.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::visit::{self, Visit};

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
const NATIVE: [(&str, &[&str]); 8] = [
    ("opencv", &["capture", "vision", "cli"]),
    ("ort", &["vision"]),
    ("ort_tract", &["vision"]),
    ("nokhwa", &["capture"]),
    ("v4l", &["capture"]),
    ("eframe", &["overlay"]),
    ("egui", &["overlay"]),
    ("axum", &["broadcast"]),
];

/// All that a room without files, clocks and devices may name outside the crate.
const PURE: [(&str, &[&str]); 2] = [
    ("geometry", &["geo", "nalgebra"]),
    (
        "rules",
        &[
            "geo",
            "nalgebra",
            "schemars",
            "serde",
            "serde_json",
            "serde_path_to_error",
            "thiserror",
        ],
    ),
];

/// Parts of the standard library that reach out of the program.
const OUTSIDE: [&str; 9] = [
    "env", "ffi", "fs", "io", "net", "os", "process", "thread", "time",
];

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

/// The crates that Cargo.toml names, and those that come with Rust, as code writes them.
fn crates() -> BTreeSet<String> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"));
    let manifest: toml::Table = text.expect("Cargo.toml").parse().expect("TOML");
    let mut tables = vec![manifest["dependencies"].as_table().expect("a table")];
    for target in manifest["target"].as_table().expect("targets").values() {
        tables.push(target["dependencies"].as_table().expect("a table"));
    }
    tables
        .into_iter()
        .flat_map(|t| t.keys().map(|k| k.replace('-', "_")))
        .chain(["std", "core", "alloc", "egui"].map(str::to_owned))
        .collect()
}

/// What one file names: paths from the crate's root, and paths that begin with a crate.
#[derive(Default)]
struct Names {
    crates: BTreeSet<String>,
    /// The module at hand, from the root.
    here: Vec<String>,
    inside: BTreeSet<Vec<String>>,
    outside: BTreeSet<Vec<String>>,
    /// What would hide a name from this reader.
    hidden: Vec<String>,
}

impl Names {
    fn of(code: &str, here: &[&str], crates: &BTreeSet<String>) -> Self {
        let file = syn::parse_file(code).expect("Rust");
        let mut names = Self {
            crates: crates.clone(),
            here: here.iter().map(|s| (*s).to_owned()).collect(),
            ..Self::default()
        };
        names.visit_file(&file);
        names
    }

    fn take(&mut self, path: &[String]) {
        let Some(first) = path.first() else { return };
        let mut from = match first.as_str() {
            "crate" | "sightline" => Vec::new(),
            "self" | "super" => self.here.clone(),
            _ if self.crates.contains(first) => {
                self.outside.insert(path.to_vec());
                return;
            }
            _ => return,
        };
        let mut rest = path;
        while let [one, more @ ..] = rest {
            match one.as_str() {
                "crate" | "sightline" | "self" => {}
                "super" => {
                    from.pop();
                }
                _ => break,
            }
            rest = more;
        }
        let is_root = from.is_empty();
        from.extend(rest.iter().cloned());
        if is_root && matches!(rest, [] | [_] if rest.first().is_none_or(|r| r == "*")) {
            self.hidden
                .push(format!("{} is the crate's root", path.join("::")));
        }
        self.inside.insert(from);
    }

    fn tree(&mut self, tree: &syn::UseTree, before: &mut Vec<String>) {
        let mut end = |names: &mut Self, name: Option<String>| {
            let length = before.len();
            before.extend(name);
            names.take(before);
            before.truncate(length);
        };
        match tree {
            syn::UseTree::Path(p) => {
                before.push(p.ident.to_string());
                self.tree(&p.tree, before);
                before.pop();
            }
            syn::UseTree::Name(n) if n.ident == "self" => end(self, None),
            syn::UseTree::Rename(r) if r.ident == "self" => end(self, None),
            syn::UseTree::Name(n) => end(self, Some(n.ident.to_string())),
            syn::UseTree::Rename(r) => end(self, Some(r.ident.to_string())),
            syn::UseTree::Glob(_) => end(self, Some("*".to_owned())),
            syn::UseTree::Group(g) => {
                for tree in &g.items {
                    self.tree(tree, before);
                }
            }
        }
    }

    fn taken(&mut self, path: &mut Vec<String>) {
        // one word alone is a local name
        if path.len() > 1 {
            self.take(path);
        }
        path.clear();
    }

    /// Paths in what a macro is given, which is no syntax yet.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        let all: Vec<TokenTree> = tokens.into_iter().collect();
        for token in &all {
            match token {
                TokenTree::Punct(p) if p.as_char() == ':' => {
                    colons += 1;
                    continue;
                }
                TokenTree::Ident(i) => {
                    if colons != 2 {
                        self.taken(&mut path);
                    }
                    path.push(i.to_string());
                }
                TokenTree::Group(g) => {
                    if colons == 2 && g.delimiter() == Delimiter::Brace && !path.is_empty() {
                        self.hidden
                            .push("a use of several names within a macro".to_owned());
                    }
                    self.taken(&mut path);
                    self.tokens(g.stream());
                }
                // `$crate` is the crate
                TokenTree::Punct(p) if p.as_char() == '$' => {}
                _ => self.take(&std::mem::take(&mut path)),
            }
            colons = 0;
        }
        self.taken(&mut path);
    }
}

impl<'a> Visit<'a> for Names {
    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        self.tree(&item.tree, &mut Vec::new());
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        // one word alone is a local name, or an attribute's
        if names.len() > 1 {
            self.take(&names);
        }
        visit::visit_path(self, path);
    }

    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        if item.attrs.iter().any(|a| {
            a.path().is_ident("path")
                || a.path().is_ident("cfg_attr")
                    && a.meta
                        .require_list()
                        .is_ok_and(|l| l.tokens.to_string().contains("path ="))
        }) {
            self.hidden
                .push(format!("mod {} has a path of its own", item.ident));
        }
        self.here.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.here.pop();
    }

    fn visit_item_extern_crate(&mut self, item: &'a syn::ItemExternCrate) {
        self.hidden.push(format!("extern crate {}", item.ident));
    }

    fn visit_macro(&mut self, mac: &'a syn::Macro) {
        if mac.path.is_ident("include") {
            self.hidden.push("include! of another file".to_owned());
        }
        self.tokens(mac.tokens.clone());
        visit::visit_macro(self, mac);
    }
}

/// The module a file holds: `["room", "noun"]` for `src/room/noun.rs`.
fn module(src: &Path, file: &Path) -> Vec<String> {
    let below = file
        .strip_prefix(src)
        .expect("a file of the sources")
        .with_extension("");
    let mut names: Vec<String> = below
        .components()
        .map(|c| c.as_os_str().to_string_lossy().into_owned())
        .collect();
    names.pop_if(|last| last == "mod");
    names
}

/// What is wrong in what a file of `room` names.
fn wrong(room: &str, names: &Names) -> Vec<String> {
    let may: BTreeMap<&str, &[&str]> = MAY.into_iter().collect();
    let mut wrong = names.hidden.clone();
    for path in &names.inside {
        let Some(first) = path.first().map(String::as_str) else {
            continue;
        };
        if may.contains_key(first) && first != room && !may[room].contains(&first) {
            wrong.push(format!("{room} names {first}"));
        }
    }
    let pure = PURE.iter().find(|(r, _)| *r == room);
    for path in &names.outside {
        let first = path[0].as_str();
        if let Some((_, allowed)) = NATIVE.iter().find(|(k, _)| *k == first)
            && !allowed.contains(&room)
        {
            wrong.push(format!("{room} names the crate {first}"));
        }
        let Some((_, allowed)) = pure else { continue };
        if ["std", "core", "alloc"].contains(&first) {
            let second = path.get(1).map_or("*", String::as_str);
            if second == "*" || OUTSIDE.contains(&second) {
                wrong.push(format!("{room} names {}", path.join("::")));
            }
        } else if !allowed.contains(&first) {
            wrong.push(format!("{room} names the crate {first}"));
        }
    }
    wrong
}

#[test]
fn arrows_point_one_way() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let crates = crates();
    let mut all = Vec::new();
    let mut read = 0;
    for (room, _) in MAY {
        let mut files = Vec::new();
        sources(&src.join(room), &mut files);
        assert!(!files.is_empty(), "room {room} is empty");
        for file in files {
            read += 1;
            let code = fs::read_to_string(&file).expect("a source file");
            let here = module(&src, &file);
            let here: Vec<&str> = here.iter().map(String::as_str).collect();
            let names = Names::of(&code, &here, &crates);
            let told = wrong(room, &names);
            all.extend(told.iter().map(|w| format!("{}: {w}", file.display())));
        }
    }
    assert!(read > 30, "only {read} files were read");
    assert!(all.is_empty(), "{}", all.join("\n"));
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

/// Another name for a room at the root would let a room reach it unseen.
#[test]
fn the_root_holds_rooms_and_nothing_else() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs");
    let code = fs::read_to_string(root).expect("the root");
    let rooms: BTreeSet<&str> = MAY.iter().map(|(r, _)| *r).collect();
    for item in syn::parse_file(&code).expect("Rust").items {
        let syn::Item::Mod(room) = item else {
            panic!("src/lib.rs holds rooms and nothing else");
        };
        assert!(
            room.content.is_none(),
            "the room {} has a folder",
            room.ident
        );
        assert!(!room.attrs.iter().any(|a| a.path().is_ident("path")));
        let name = room.ident.to_string();
        assert!(
            rooms.contains(name.as_str()),
            "the room {name} has no place in MAY"
        );
    }
}

#[test]
fn the_reader_of_sources_sees_every_way_round() {
    let crates = crates();
    let told = |room: &str, code: &str| wrong(room, &Names::of(code, &[room, "noun"], &crates));
    for code in [
        "use crate::vision::Eye;",
        "use crate ::vision::Eye;",
        "use crate::{copy::{Copy, Status}, vision};",
        "use crate::{self as c};",
        "use crate as c;",
        "use crate::*;",
        "use super::super::*;",
        "use super::super::vision::Eye;",
        "mod inner { use super::super::super::vision::Eye; }",
        "use sightline::vision;",
        "pub use crate::vision as v;",
        "fn f(x: &crate::vision::View) {}",
        "fn f() { x!(crate::vision::f(1)) }",
        "fn f() { x!({ let a = super :: super::vision::f(1); }) }",
        "macro_rules! m { () => { $crate::vision::f() } }",
        "macro_rules! m { () => { use crate::{vision, copy}; } }",
        "#[path = \"../vision/mod.rs\"] mod x;",
        "#[cfg_attr(all(), path = \"../vision/mod.rs\")] mod x;",
        "include!(\"../vision/eye.rs\");",
        "extern crate opencv;",
        "use ::opencv::core;",
        "use eframe::egui;",
        "fn f(ui: &mut egui::Ui) {}",
    ] {
        assert!(!told("copy", code).is_empty(), "{code}");
    }
    for code in [
        "use std::time::Instant;",
        "use std::{fmt, fs};",
        "use std::{self as s};",
        "use std::*;",
        "fn f() { let _ = std::io::stdin(); }",
        "use core::time::Duration;",
        "use std::{net, env, thread};",
        "use clap::Parser;",
        "fn f() -> anyhow::Result<()> { Ok(()) }",
        "use crate::geometry::Point;",
    ] {
        assert!(!told("rules", code).is_empty(), "{code}");
    }
    for code in [
        "use crate::copy::{self, Copy};",
        "use super::eye::VisionError;",
        "fn f() { mycrate::vision::x() }",
        "/// As [`crate::session::View`].\nfn f() {} // crate::session::View",
        "fn f() { println!(\"crate::session::View\") }",
        "use std::{fmt, collections::BTreeMap};",
    ] {
        assert!(
            told("vision", code).is_empty(),
            "{code}: {:?}",
            told("vision", code)
        );
    }
    assert!(
        told(
            "rules",
            "use std::{fmt, collections::BTreeMap}; use geo::Area;"
        )
        .is_empty()
    );
}
