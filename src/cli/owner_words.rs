//! What is odd about a copy, in the words of the `owner.json` that it was made of: nobody has seen its `copy.toml` yet.

use crate::copy::{BOARD, Draft, DraftZone, Note, Owner, OwnerError, Source};

/// What is said of names that the rules do not know.
const NOTHING: &str = " is nothing to Dice Duel";

/// What is wrong with a copy, as wrong with the `owner.json` that `draft` was made of. The note's file is read.
pub(super) fn of_owner(owner: &Owner, draft: &Draft, note: &Note) -> OwnerError {
    let file = Source::read(&note.path).ok();
    let of_copy = file.and_then(|file| file.field_at(note.line));
    let of_copy = of_copy.unwrap_or_default();
    let field = owner_field(owner, draft, &of_copy);
    let surface = match field.as_slice() {
        ["displays", station, _] => Some(*station),
        [BOARD, "zones", _] => Some(BOARD),
        _ => None,
    };
    if let Some(surface) = surface.filter(|_| note.what.contains(NOTHING)) {
        let mut known = owner.zones_wanted(surface);
        known.retain(|zone| Some(&zone.as_str()) != field.last());
        let known = known.join(", ");
        let what = format!(
            "is no zone that the rules know here ({known}): to them, what lies in it lies in no zone; if it is one of these, say which in zones.{surface}"
        );
        return OwnerError::new(&field, what);
    }
    OwnerError::new(&field, unprefixed(&note.what, &of_copy, &field))
}

/// What is said of a field, without the field's name in the copy. The value stays, where the owner's field is not called after it.
fn unprefixed<'a>(what: &'a str, of_copy: &str, field: &[&str]) -> &'a str {
    // what is said of a part of the rules begins with its whole name
    let whole = what.strip_prefix(of_copy);
    if let Some(rest) = whole.and_then(|rest| rest.strip_prefix(": ")) {
        return rest;
    }
    let of_zone = field
        .last()
        .map(|zone| format!("polygon_mm of zone \"{zone}\": "));
    if let Some(rest) = of_zone.and_then(|of| what.strip_prefix(of.as_str())) {
        return rest;
    }
    let last = of_copy.rsplit('.').next().unwrap_or_default();
    let named = last.split('[').next().unwrap_or_default();
    let value = what.strip_prefix(named);
    let Some(value) = value.and_then(|rest| rest.strip_prefix(" = ")) else {
        return what;
    };
    let called = field.last().map(|name| format!("\"{name}\": "));
    called
        .and_then(|name| value.strip_prefix(name.as_str()))
        .unwrap_or(value)
}

/// The field of `owner.json` that a field of the copy comes from (`dice[2].faces[0].means`, as the draft has it).
fn owner_field<'a>(owner: &'a Owner, draft: &'a Draft, of_copy: &'a str) -> Vec<&'a str> {
    let steps: Vec<&str> = of_copy
        .split(['.', '[', ']'])
        .filter(|s| !s.is_empty())
        .collect();
    let place = |i: usize| steps.get(i).and_then(|s| s.parse::<usize>().ok());
    let step = |i: usize| steps.get(i).copied().unwrap_or_default();
    let field = match step(0) {
        "dice" => place(1).and_then(|i| draft.dice.get(i)).map(|die| {
            let kind = die.kind.as_str();
            let face = place(3)
                .and_then(|j| die.faces.get(j))
                .map(|f| f.face.as_str());
            match (step(2), face) {
                ("size_mm", _) => vec!["die_mm", kind],
                ("shape", _) => vec!["shapes", kind],
                ("read", _) => vec!["reads", kind],
                ("each", _) => vec!["dice_per_team", kind],
                ("means", _) if owner.kinds.contains_key(kind) => vec!["kinds", kind],
                (_, Some(face))
                    if owner
                        .symbols
                        .get(kind)
                        .is_some_and(|s| s.contains_key(face)) =>
                {
                    vec!["symbols", kind, face]
                }
                (_, Some(face)) => vec!["faces", kind, face],
                _ => vec!["faces", kind],
            }
        }),
        "displays" => place(1).and_then(|i| draft.displays.get(i)).map(|surface| {
            let station = surface
                .id
                .split_once('.')
                .map_or("", |(_, station)| station);
            match step(2) {
                "size_mm" => vec!["card_mm", station],
                "thickness_mm" => vec!["card_thickness_mm"],
                "powered_by" => vec!["station_number", station],
                "means" if owner.stations.contains_key(station) => vec!["stations", station],
                "zones" => {
                    let zone = place(3).and_then(|j| surface.zones.get(j));
                    zone_field(owner, &["displays", station], station, step(4), zone)
                }
                _ => vec!["displays", station],
            }
        }),
        "boards" => draft
            .boards
            .first()
            .map(|surface| match (step(2), step(3)) {
                ("size_mm", _) => vec![BOARD, "width_mm"],
                ("thickness_mm", _) => vec![BOARD, "thickness_mm"],
                ("grid", "origin_mm") => vec![BOARD, "grid_origin_mm"],
                ("grid", "square_mm") => vec![BOARD, "square_mm"],
                ("grid", "columns") => vec![BOARD, "cols"],
                ("grid", "rows") => vec![BOARD, "rows"],
                ("grid", _) => {
                    let marked = surface.grid.as_ref().and_then(|g| g.marked.get(place(4)?));
                    let of = marked.and_then(|m| m.means.split_once('-'));
                    match of {
                        Some(("crystal", number)) => vec![BOARD, "crystal_squares", number],
                        Some(("start", team)) => vec![BOARD, "start_squares", team],
                        _ => vec![BOARD],
                    }
                }
                ("zones", _) => {
                    let zone = place(3).and_then(|j| surface.zones.get(j));
                    zone_field(owner, &[BOARD, "zones"], BOARD, step(4), zone)
                }
                _ => vec![BOARD],
            }),
        "game" => Some(vec!["game"]),
        "miniatures" => Some(vec!["ship_mm"]),
        "tokens" => place(1).and_then(|i| draft.tokens.get(i)).map(|token| {
            let mut names = owner.tokens.keys();
            let name = names.find(|n| n.replace('_', "-") == token.kind);
            let name = name.map_or(token.kind.as_str(), String::as_str);
            let side = place(3)
                .and_then(|j| token.sides.get(j))
                .map(|s| s.side.as_str());
            match (step(2), side) {
                ("size_mm", _) => vec!["tokens", name, "size_mm"],
                ("outline", _) => vec!["tokens", name, "outline"],
                (_, Some("up")) => vec!["tokens", name, "means"],
                (_, Some(side)) => vec!["tokens", name, "back", side],
                _ => vec!["tokens", name],
            }
        }),
        "rules" => Some(steps.clone()),
        _ => None,
    };
    field.unwrap_or_default()
}

/// The field that a zone's field comes from: what it means stands apart from where it lies.
fn zone_field<'a>(
    owner: &Owner,
    within: &[&'a str],
    surface: &'a str,
    field: &str,
    zone: Option<&'a DraftZone>,
) -> Vec<&'a str> {
    let name = zone.map(|z| z.zone.as_str());
    let said = |name: &&str| {
        owner
            .zones
            .get(surface)
            .is_some_and(|zones| zones.contains_key(*name))
    };
    let within = match (field, name.filter(said)) {
        ("means", Some(_)) => vec!["zones", surface],
        _ => within.to_vec(),
    };
    within.into_iter().chain(name).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::{
        cli::{drafting::Drafting, pictures::Promised},
        copy::Photographs,
    };

    /// An owner's file, the copy that is made of it, and that one's pictures.
    fn drafted(text: &str) -> (Owner, Draft, BTreeMap<String, Vec<u8>>) {
        let (owner, _) = Owner::parse(text).expect("an owner");
        let mut promised = Promised::of(&owner, &Photographs::default()).expect("pictures");
        let draft = Drafting {
            owner: &owner,
            pictures: &mut promised,
            bar: indicatif::ProgressBar::hidden(),
        };
        let draft = draft.draft("copy".to_owned()).expect("a draft");
        (owner, draft, promised.files)
    }

    #[test]
    fn what_is_wrong_with_a_copy_is_wrong_in_its_owners_words() {
        let text = r#"{"die_mm": {"zap": 16}, "card_mm": [150, 110],
            "faces": {"zap": ["a", "b"]}, "symbols": {"zap": {"b": "NOSE"}}, "kinds": {"zap": "weapon"},
            "displays": {"helm": {"A": [[1, 2], [3, 2], [3, 4]]}},
            "board": {"cols": 3, "rows": 2, "square_mm": 40, "width_mm": 200, "height_mm": 100, "grid_origin_mm": [0, 0],
                      "crystal_squares": {"1": [0, 0]}, "start_squares": {"black": {"square": [2, 1]}}},
            "tokens": {"big_rock": {"size_mm": 40, "back": {"nebula": "nebula"}}}}"#;
        let (owner, draft, _) = drafted(text);
        let field = |of_copy: &str| owner_field(&owner, &draft, of_copy).join(".");
        for (of_copy, told) in [
            ("dice[0].size_mm", "die_mm.zap"),
            ("dice[0].faces[1].means", "symbols.zap.b"),
            ("dice[0].faces[0].pictures[0]", "faces.zap.a"),
            ("dice[0].means", "kinds.zap"),
            ("displays[0].zones[0].polygon_mm[2][1]", "displays.helm.A"),
            ("displays[1].size_mm", "card_mm.helm"),
            ("boards[0].grid.origin_mm[0]", "board.grid_origin_mm"),
            ("boards[0].grid.marked[0].square", "board.crystal_squares.1"),
            (
                "boards[0].grid.marked[1].facing",
                "board.start_squares.black",
            ),
            ("tokens[0].sides[0].means", "tokens.big_rock.means"),
            ("tokens[0].sides[1].means", "tokens.big_rock.back.nebula"),
            ("rules.numbers.hull", "rules.numbers.hull"),
            ("game", "game"),
            ("name", ""),
        ] {
            assert_eq!(field(of_copy), told, "{of_copy}");
        }
    }

    #[test]
    fn a_zone_that_the_rules_do_not_know_is_told_beside_those_that_they_do() {
        let text = r#"{"die_mm": 16, "card_mm": [150, 110], "faces": {"helm": ["FR"]}, "teams": ["white"],
            "displays": {"helm": {"A": [[1, 2], [3, 2], [3, 4]], "snacks": [[11, 2], [13, 2], [13, 4]]}}}"#;
        let (owner, draft, files) = drafted(text);
        let folder = tempfile::tempdir().expect("a folder");
        draft.write(folder.path(), &files).expect("written");
        let copy = crate::copy::load(folder.path()).expect("a copy");
        let session = crate::session::Session::new(copy, crate::rig::Rig::default());
        let session = session.expect("a session");
        let [note] = session.copy_notes() else {
            panic!("{:?}", session.copy_notes());
        };
        let said = of_owner(&owner, &draft, note).to_string();
        assert!(
            said.starts_with(
                "displays.helm.snacks: is no zone that the rules know here (energy, A,"
            ),
            "{said}"
        );
    }

    #[test]
    fn the_copys_own_names_are_left_out() {
        for (what, of_copy, field, said) in [
            (
                "size_mm = 1600: too large",
                "dice[0].size_mm",
                &["die_mm", "zap"][..],
                "1600: too large",
            ),
            (
                "zone = \"A\": it overlaps zone \"B\"",
                "displays[0].zones[1].zone",
                &["displays", "helm", "A"],
                "it overlaps zone \"B\"",
            ),
            (
                "polygon_mm of zone \"A\": [170, 10] is not on the surface",
                "displays[0].zones[1].polygon_mm[0]",
                &["displays", "helm", "A"],
                "[170, 10] is not on the surface",
            ),
            (
                "rules.numbers.hul: unknown field",
                "rules.numbers.hul",
                &["rules", "numbers", "hul"],
                "unknown field",
            ),
            (
                "facing of start-white: \"north\" is none",
                "boards[0].grid.marked[1].facing",
                &["board", "start_squares", "white"],
                "facing of start-white: \"north\" is none",
            ),
        ] {
            assert_eq!(unprefixed(what, of_copy, field), said);
        }
    }
}
