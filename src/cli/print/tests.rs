//! The practice set as a copy and as paper: whole, as the rules have it, true to size.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use super::{
    document::document,
    paper::{FOOT_MM, MARGIN_MM, Paper, points},
    set::PrintSet,
    sheets::{Mark, Sheet, sheets},
    words,
};
use crate::{
    copy::{self, Copy, Read, SurfaceKind, shipped},
    rules::dice_duel::{DieKind, Print, ShipId, Spot, Symbol, TokenKind, Zone},
};

fn practice() -> Copy {
    copy::load(&shipped("practice")).expect("the practice set loads")
}

fn set() -> PrintSet {
    PrintSet::load(&shipped("practice")).expect("the practice set can be printed")
}

/// `print.toml` as plain data.
fn listed(folder: &Path) -> toml::Table {
    let text = fs::read_to_string(folder.join("print.toml")).expect("there");
    toml::from_str(&text).expect("TOML")
}

fn ships() -> [ShipId; 2] {
    ["white", "black"].map(|s| s.parse().expect("a ship"))
}

#[test]
fn the_practice_copy_has_nothing_odd_in_it() {
    let copy = practice();
    assert!(copy.notes.is_empty(), "{:?}", copy.notes);
    let displays = |kind| copy.surfaces.iter().filter(|s| s.kind == kind).count();
    assert_eq!(displays(SurfaceKind::Display), 12);
    assert_eq!(displays(SurfaceKind::Board), 1);
    assert_eq!(copy.miniatures.len(), 2);
    assert!(copy.miniatures.iter().all(|m| m.views.len() == 4));
}

#[test]
fn every_place_of_the_rules_is_one_zone() {
    let (copy, print) = (practice(), Print::default());
    let mut wanted = BTreeSet::from([Zone::UsedCrystals]);
    for ship in ships() {
        let there = |spot: &Spot| match spot {
            Spot::Tube(tube, _) => print.tubes().any(|t| t == *tube),
            _ => true,
        };
        wanted.extend(Spot::all().filter(there).map(|s| Zone::On(ship, s)));
        wanted.extend((1..=print.numbers.hull).map(|n| Zone::Damage(ship, Some(n))));
        wanted.insert(Zone::Crystals(ship));
    }
    let mut found = BTreeSet::new();
    for surface in &copy.surfaces {
        for zone in &surface.zones {
            let name = surface.zone_name(zone);
            let Ok(known) = name.parse::<Zone>() else {
                assert!(name.ends_with(".tractor.rest"), "{name} means nothing");
                continue;
            };
            assert!(found.insert(known), "{name} is there twice");
            let takes: Vec<&str> = zone.takes.iter().map(String::as_str).collect();
            match known {
                Zone::On(_, spot) => {
                    assert_eq!(takes, [spot.die_kind().to_string()], "{name}");
                    assert_eq!(zone.holds == Some(1), spot.is_slot(), "{name}");
                }
                Zone::Damage(..) => assert_eq!(takes, ["energy"], "{name}"),
                _ => assert!(takes.is_empty(), "{name}"),
            }
        }
    }
    assert_eq!(found, wanted);
}

#[test]
fn faces_are_those_of_the_demo_print() {
    let (copy, print) = (practice(), Print::default());
    let kinds: Vec<&str> = copy.dice.iter().map(|d| d.kind.as_str()).collect();
    assert_eq!(kinds, DieKind::ALL.map(|k| k.to_string()));
    for kind in DieKind::ALL {
        let name = kind.to_string();
        let die = copy.dice.iter().find(|d| d.kind == name).expect("a kind");
        assert_eq!(die.means.as_deref(), Some(name.as_str()));
        let mut shown: Vec<Symbol> = Vec::new();
        for face in &die.faces {
            let symbol: Symbol = face.means.parse().expect("a symbol");
            assert_eq!(face.pictures.len(), 3, "{name} {symbol}");
            shown.extend((0..face.count).map(|_| symbol));
        }
        let mut wanted = print.faces_of(kind).to_vec();
        shown.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(shown, wanted, "{name}");
    }
}

#[test]
fn the_board_is_the_demo_board() {
    let (copy, print) = (practice(), Print::default());
    let board = copy
        .surfaces
        .iter()
        .find(|s| &*s.means == "board")
        .expect("a board");
    let grid = board.grid.as_ref().expect("squares");
    assert_eq!(
        [grid.columns, grid.rows],
        [print.board.cols, print.board.rows].map(u32::from)
    );
    let square =
        |s: crate::rules::dice_duel::Square| [s.x, s.y].map(|v| u32::try_from(v).expect("on it"));
    let mut wanted = BTreeMap::new();
    for (i, at) in print.board.crystal_squares.iter().enumerate() {
        wanted.insert(format!("crystal-{}", i + 1), square(*at));
    }
    for start in print.board.starts.iter().chain(&print.board.second_starts) {
        wanted.insert(format!("start-{}", start.ship), square(start.square));
    }
    let marked: BTreeMap<String, [u32; 2]> = grid
        .marked
        .iter()
        .map(|m| (m.means.to_string(), m.square))
        .collect();
    assert_eq!(marked, wanted);
}

/// What `print.toml` says of each thing in one of its lists: a number by the name.
fn counts(table: &toml::Table, list: &str) -> BTreeMap<String, i64> {
    let things = table[list].as_array().expect("a list");
    let count = |t: &toml::Value| t["count"].as_integer().expect("a number");
    let name = |t: &toml::Value| t["name"].as_str().expect("a name").to_owned();
    things.iter().map(|t| (name(t), count(t))).collect()
}

#[test]
fn as_much_is_printed_as_lies_in_the_box() {
    let (copy, print) = (practice(), Print::default());
    let table = listed(&copy.folder);
    let dice = counts(&table, "dice");
    for kind in DieKind::ALL {
        let both = 2 * i64::from(print.dice_of(kind));
        assert_eq!(dice.get(&kind.to_string()), Some(&both), "{kind}");
    }
    assert_eq!(dice.values().sum::<i64>(), 50);
    let pieces = counts(&table, "pieces");
    assert_eq!(pieces["crystal"], i64::from(print.crystals));
    for ship in ships() {
        assert_eq!(
            pieces[&format!("mine-{ship}")],
            i64::from(print.mines_a_ship)
        );
        assert_eq!(pieces[&format!("{ship} ship")], 1);
    }
    let with = |means: &str| -> i64 {
        let kinds = copy
            .tokens
            .iter()
            .filter(|t| t.sides.iter().any(|s| *s.means == *means));
        kinds.map(|t| pieces[&t.kind]).sum()
    };
    assert_eq!(with("wormhole"), 2);
    // twelve, each with asteroids on one side
    assert_eq!(with("asteroid"), 12);
    for token in &copy.tokens {
        for side in &token.sides {
            assert!(side.means.parse::<TokenKind>().is_ok(), "{}", side.means);
        }
    }
    // a cube shows what its kind has, as often as it has it
    for die in table["dice"].as_array().expect("a list") {
        let name = die["name"].as_str().expect("a name");
        let mut folded: BTreeMap<String, u32> = BTreeMap::new();
        for face in die["faces"].as_array().expect("a list") {
            let art = face.as_str().expect("a drawing");
            let face = art
                .strip_prefix(&format!("art/face-{name}-"))
                .and_then(|f| f.strip_suffix(".svg"))
                .expect("a face of this kind");
            *folded.entry(face.to_owned()).or_default() += 1;
        }
        let kind = copy.dice.iter().find(|d| d.kind == name).expect("a kind");
        let enrolled: BTreeMap<String, u32> = kind
            .faces
            .iter()
            .map(|f| (f.face.clone(), f.count))
            .collect();
        assert_eq!(folded, enrolled, "{name}");
    }
}

/// Width and height in a PNG's header.
fn pixels(path: &Path) -> [f64; 2] {
    let bytes = fs::read(path).expect("a picture");
    assert!(bytes.starts_with(b"\x89PNG"), "{}", path.display());
    [16, 20].map(|at| {
        let number: [u8; 4] = bytes[at..at + 4].try_into().expect("four");
        f64::from(u32::from_be_bytes(number))
    })
}

#[test]
fn pictures_and_drawings_are_as_large_as_the_copy_says() {
    let (copy, set) = (practice(), set());
    let printed = |name: &str| {
        let card = set
            .cards
            .iter()
            .chain(&set.boards)
            .find(|c| c.name == name)
            .expect("a card");
        set.art[card.art].size_mm
    };
    for surface in &copy.surfaces {
        let drawn = printed(&surface.id.replace('-', " "));
        let seen = pixels(surface.reference.as_deref().expect("a reference"));
        for axis in 0..2 {
            assert!(
                (drawn[axis] - surface.size_mm[axis]).abs() < 0.01,
                "{}",
                surface.id
            );
            let per_mm = seen[axis] / surface.size_mm[axis];
            assert!((3.99..6.01).contains(&per_mm), "{}: {per_mm}", surface.id);
        }
    }
    for die in &set.dice {
        let kind = copy
            .dice
            .iter()
            .find(|d| d.kind == die.name)
            .expect("a kind");
        for face in die.faces {
            assert!(
                set.art[face]
                    .size_mm
                    .iter()
                    .all(|v| (v - kind.size_mm).abs() < 0.01)
            );
        }
    }
}

fn overlap(a: [f64; 4], b: [f64; 4]) -> bool {
    let apart = |i: usize| a[i] + a[i + 2] <= b[i] + 0.01 || b[i] + b[i + 2] <= a[i] + 0.01;
    !apart(0) && !apart(1)
}

fn on_paper(paper: Paper) -> (PrintSet, Vec<Sheet>) {
    let set = set();
    let sheets = sheets(&set, paper).expect("laid out");
    (set, sheets)
}

#[test]
fn nothing_reaches_into_the_margins_or_over_its_neighbour() {
    for paper in [Paper::A4, Paper::Letter] {
        let (_, sheets) = on_paper(paper);
        let [w, h] = paper.size_mm();
        let inside = |[x, y]: [f64; 2], what: &str| {
            let low = h - MARGIN_MM - FOOT_MM;
            let within = x >= MARGIN_MM - 0.01
                && x <= w - MARGIN_MM + 0.01
                && y >= MARGIN_MM - 0.01
                && y <= low + 0.01;
            assert!(within, "{paper:?}, {what}: {x:.2}, {y:.2}");
        };
        for sheet in &sheets {
            for (i, placed) in sheet.placed.iter().enumerate() {
                let [x, y, pw, ph] = placed.window;
                inside([x, y], &sheet.title);
                inside([x + pw, y + ph], &sheet.title);
                for other in &sheet.placed[..i] {
                    assert!(
                        !overlap(placed.window, other.window),
                        "{paper:?}, {}",
                        sheet.title
                    );
                }
            }
            for mark in &sheet.marks {
                match mark {
                    Mark::Cut(points) | Mark::Tab(points) => {
                        points.iter().for_each(|p| inside(*p, &sheet.title))
                    }
                    Mark::Fold(a, b) => [a, b].into_iter().for_each(|p| inside(*p, &sheet.title)),
                    Mark::Flap([x, y, fw, fh]) => {
                        inside([*x, *y], &sheet.title);
                        inside([x + fw, y + fh], &sheet.title);
                    }
                    Mark::Words {
                        at,
                        text,
                        height,
                        bold,
                    } => {
                        inside([at[0], at[1] - height], text);
                        inside([at[0] + words::width_mm(text, *height, *bold), at[1]], text);
                    }
                }
            }
        }
    }
}

#[test]
fn every_thing_is_on_some_page_as_often_as_it_is_wanted() {
    for paper in [Paper::A4, Paper::Letter] {
        let (set, sheets) = on_paper(paper);
        let shown = |art: usize| -> usize {
            sheets
                .iter()
                .flat_map(|s| &s.placed)
                .filter(|p| p.art == art)
                .count()
        };
        for card in &set.cards {
            assert_eq!(shown(card.art), 1, "{}", card.name);
        }
        for die in &set.dice {
            for face in die.faces {
                let on_it = die.faces.iter().filter(|f| **f == face).count();
                // folded and as stickers
                assert_eq!(shown(face), 2 * on_it * die.count as usize, "{}", die.name);
            }
        }
        for piece in &set.pieces {
            let sides = if piece.front == piece.back { 2 } else { 1 };
            assert_eq!(
                shown(piece.front),
                sides * piece.count as usize,
                "{}",
                piece.name
            );
        }
        // the sheets of the board, without their flaps, make all of it
        let board = &set.boards[0];
        let [w, h] = set.art[board.art].size_mm;
        let tiles: Vec<&Sheet> = sheets
            .iter()
            .filter(|s| s.placed.iter().any(|p| p.art == board.art))
            .collect();
        assert_eq!(tiles.len(), 6);
        let flaps = |s: &Sheet| -> f64 {
            s.marks
                .iter()
                .map(|m| {
                    if let Mark::Flap([_, _, fw, fh]) = m {
                        fw * fh
                    } else {
                        0.0
                    }
                })
                .sum()
        };
        let area: f64 = tiles
            .iter()
            .map(|s| {
                let [_, _, pw, ph] = s.placed[0].window;
                pw * ph - flaps(s)
            })
            .sum();
        assert!((area - w * h).abs() < 1.0, "{area} of {}", w * h);
    }
}

/// All numbers that stand before an operator or after a key.
fn numbers(text: &str) -> Vec<f64> {
    text.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-'))
        .filter_map(|n| n.parse().ok())
        .collect()
}

#[test]
fn pages_are_true_to_size() {
    for (paper, box_pt, pages) in [
        (Paper::A4, [595.276, 841.89], 23),
        (Paper::Letter, [612.0, 792.0], 23),
    ] {
        let (set, sheets) = on_paper(paper);
        let pdf = document(&set.title, &set.art, &sheets, paper);
        // forms are packed; all else is plain
        let text = String::from_utf8_lossy(&pdf);
        assert!(text.starts_with("%PDF-"));
        let boxes: Vec<Vec<f64>> = text
            .match_indices("/MediaBox")
            .map(|(at, _)| numbers(text[at + 9..].split(']').next().expect("a box")))
            .collect();
        assert_eq!(boxes.len(), pages, "{paper:?}");
        for b in &boxes {
            assert!(b[0] == 0.0 && b[1] == 0.0, "{b:?}");
            assert!(
                (b[2] - box_pt[0]).abs() < 0.01 && (b[3] - box_pt[1]).abs() < 0.01,
                "{b:?}"
            );
        }
        // every page's unit is a millimetre, and its bar is a hundred of them
        let unit = f64::from(points(1.0));
        let scaled: Vec<f64> = text
            .match_indices("0 0 cm\n")
            .map(|(at, _)| numbers(text[..at].rsplit('\n').next().expect("a line"))[0])
            .filter(|k| *k > 1.5)
            .collect();
        assert_eq!(scaled.len(), pages);
        assert!(
            scaled
                .iter()
                .all(|k| (k * 25.4 / 72.0 - 1.0).abs() < 1e-5 && (k - unit).abs() < 1e-5)
        );
        let y = MARGIN_MM + 5.0;
        let bars = text.matches(&format!("10 {y} m\n110 {y} l\n")).count();
        assert_eq!(bars, pages);
        // drawings keep their own millimetres: displays, board, a die's face
        for size in ["180 120]", "534 390]", "16 16]"] {
            assert!(text.contains(&format!("/BBox [0 0 {size}")), "{size}");
        }
    }
}

#[test]
fn numerals_of_every_shape_are_there() {
    let copy = copy::load(&shipped("polyhedral")).expect("loads");
    assert!(copy.notes.is_empty());
    for die in &copy.dice {
        assert_eq!(die.faces.len(), die.shape.faces() as usize, "{}", die.kind);
        let mut means: Vec<u32> = die
            .faces
            .iter()
            .map(|f| f.means.parse().expect("a number"))
            .collect();
        means.sort_unstable();
        assert_eq!(
            means,
            (1..=die.shape.faces()).collect::<Vec<_>>(),
            "{}",
            die.kind
        );
        let read = if die.kind == "d4" {
            Read::Point
        } else {
            Read::Top
        };
        assert_eq!(die.read, read, "{}", die.kind);
    }
    let kinds: Vec<&str> = copy.dice.iter().map(|d| d.kind.as_str()).collect();
    assert_eq!(kinds, ["d4", "d6", "d8", "d10", "d12", "d20"]);
}

/// The practice set in a folder of its own, to be damaged.
fn damaged(damage: impl Fn(&Path)) -> (tempfile::TempDir, PathBuf) {
    fn all(from: &Path, to: &Path) {
        fs::create_dir_all(to).expect("a folder");
        for entry in fs::read_dir(from).expect("a folder") {
            let path = entry.expect("an entry").path();
            let to = to.join(path.file_name().expect("a name"));
            if path.is_dir() {
                all(&path, &to);
            } else {
                fs::copy(&path, &to).expect("copied");
            }
        }
    }
    let dir = tempfile::tempdir().expect("a folder");
    all(&shipped("practice"), dir.path());
    damage(dir.path());
    let folder = dir.path().to_owned();
    (dir, folder)
}

fn rewritten(folder: &Path, file: &str, from: &str, to: &str) {
    let path = folder.join(file);
    let text = fs::read_to_string(&path).expect("there");
    assert!(text.contains(from), "{file} has no {from}");
    fs::write(path, text.replacen(from, to, 1)).expect("written");
}

#[test]
fn a_damaged_practice_copy_gets_its_sentence() {
    let loads = |damage: &dyn Fn(&Path)| {
        let (_dir, folder) = damaged(damage);
        copy::load(&folder).map_err(|e| e.to_string())
    };
    let less = loads(&|f| fs::remove_file(f.join("faces/helm-F1-2.png")).expect("there"))
        .expect("two pictures are left");
    let missing = less.notes[0].to_string();
    assert!(
        missing.contains("copy.toml:")
            && missing.contains("pictures of face \"F1\": there is no file"),
        "{missing}"
    );
    let doubled =
        loads(&|f| rewritten(f, "copy.toml", "count = 2", "count = 3")).expect_err("seven faces");
    assert!(
        doubled.contains("faces of kind \"helm\": 7 in all, but a d6 has 6"),
        "{doubled}"
    );
    let copy = loads(&|f| fs::remove_file(f.join("displays/white-helm.png")).expect("there"))
        .expect("goes on");
    let [note] = copy.notes.as_slice() else {
        panic!("{:?}", copy.notes)
    };
    assert!(
        note.what
            .starts_with("reference of \"white-helm\": there is no file"),
        "{note}"
    );
}

#[test]
fn a_set_that_cannot_be_printed_gets_its_sentence() {
    let refused = |damage: &dyn Fn(&Path)| {
        let (_dir, folder) = damaged(damage);
        PrintSet::load(&folder).expect_err("refused").to_string()
    };
    let why = refused(&|f| fs::remove_file(f.join("print.toml")).expect("there"));
    assert!(
        why.ends_with("print.toml: there is no such file: nothing says what to print of this copy"),
        "{why}"
    );
    let why = refused(&|f| fs::remove_file(f.join("art/board.svg")).expect("there"));
    assert!(
        why.contains("print.toml:") && why.contains("art of \"board\": there is no file"),
        "{why}"
    );
    let why = refused(&|f| fs::write(f.join("art/face-helm-F2.svg"), "<svg").expect("written"));
    assert!(
        why.contains("face-helm-F2.svg: is no drawing that can be read"),
        "{why}"
    );
    let why = refused(&|f| rewritten(f, "print.toml", "count = 6", "count = 0"));
    assert!(
        why.ends_with("count of \"helm\" is 0: it is between 1 and 200"),
        "{why}"
    );
    let why = refused(&|f| rewritten(f, "print.toml", "sticker_mm = 13", "sticker_mm = 20"));
    assert!(
        why.ends_with("sticker_mm = 20: a sticker is between 3 mm and the die's 16.0 mm"),
        "{why}"
    );
    let why = refused(&|f| rewritten(f, "print.toml", "    \"art/face-energy-2.svg\",\n", ""));
    assert!(
        why.contains("faces of \"energy\": 5 of them; a cube has 6"),
        "{why}"
    );
    let why = refused(&|f| rewritten(f, "print.toml", "art/face-energy-2.svg", "art/board.svg"));
    assert!(
        why.contains("faces of \"energy\": this one is 534.0 by 390.0 mm"),
        "{why}"
    );
    // a display that no page can take
    let (_dir, folder) = damaged(|f| {
        rewritten(
            f,
            "print.toml",
            "art/display-white-helm.svg",
            "art/board.svg",
        )
    });
    let set = PrintSet::load(&folder).expect("read");
    let why = sheets(&set, Paper::A4).expect_err("too large").to_string();
    assert_eq!(
        why,
        "\"white helm\" takes 534 by 390 mm, but A4 has room for 190 by 267 mm: draw it smaller"
    );
}
