//! `copy.toml`: read, checked, refused with file, line and field.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    path::{Path, PathBuf},
};

use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::{
    Copy,
    die::{DieFile, Prints},
    piece::{MiniatureFile, TokenFile},
    source::{FileError, Source, in_words},
    surface::{Around, BoardFile, DisplayFile},
};

/// Why a copy cannot be used; one sentence with file, line and field.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    #[error("{}: no copy here: a copy is a folder with a copy.toml in it", .0.display())]
    Missing(PathBuf),
    #[error("{}: is a file: name the folder it lies in", .0.display())]
    NoFolder(PathBuf),
    #[error(transparent)]
    File(#[from] FileError),
}

/// The file as it is written.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "copy.toml")]
pub struct CopyFile {
    /// Version of this format; 1.
    #[schemars(with = "u32")]
    format: Spanned<u32>,
    /// Whose copy it is.
    #[schemars(with = "String")]
    name: Spanned<String>,
    /// The rules that are played with it: `dice-duel`.
    #[schemars(with = "String")]
    game: Spanned<String>,
    /// What is printed on its dice.
    #[serde(default)]
    prints: Prints,
    /// One table for each kind of die.
    #[serde(default)]
    dice: Vec<DieFile>,
    /// One table for each display.
    #[serde(default)]
    displays: Vec<DisplayFile>,
    /// One table for each board.
    #[serde(default)]
    boards: Vec<BoardFile>,
    /// One table for each miniature.
    #[serde(default)]
    miniatures: Vec<MiniatureFile>,
    /// One table for each kind of token.
    #[serde(default)]
    tokens: Vec<TokenFile>,
    /// What differs from the rules' defaults: numbers, options and house rules, by the names that the print of a setup has
    /// (`sightline schema state`).
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    rules: Option<Spanned<toml::Table>>,
}

/// `[rules]`, as it is written: what the rules make of it is theirs to say.
#[derive(Debug, Clone, PartialEq)]
pub struct HouseRules {
    pub table: toml::Table,
    /// Line of `copy.toml` on which it begins, from 1.
    pub line: usize,
    /// Lines of all that is in it, by its path: `options.flak`.
    lines: BTreeMap<String, usize>,
}

impl HouseRules {
    /// The line of a field, or of the nearest table round it that was written.
    pub fn line_of(&self, path: &str) -> usize {
        let mut path = path;
        loop {
            if let Some(line) = self.lines.get(path) {
                return *line;
            }
            match path.rfind(['.', '[']) {
                Some(end) => path = &path[..end],
                None => return self.line,
            }
        }
    }
}

/// The games a copy may be of.
const GAMES: [&str; 4] = ["dice-duel", "diceland", "thunderstruck", "nearspace"];

/// Reads `folder/copy.toml`. What is odd but can be lived with stands in the copy's notes.
///
/// # Errors
/// The first thing that is wrong, with file, line and field.
pub fn load(folder: &Path) -> Result<Copy, CopyError> {
    if folder.is_file() {
        return Err(CopyError::NoFolder(folder.to_owned()));
    }
    let path = folder.join("copy.toml");
    match Source::read(&path) {
        Ok(source) => Ok(parse(folder, &source)?),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            Err(CopyError::Missing(folder.to_owned()))
        }
        Err(e) => Err(FileError::Unreadable {
            path,
            why: in_words(&e),
        }
        .into()),
    }
}

fn parse(folder: &Path, source: &Source) -> Result<Copy, FileError> {
    let file: CopyFile = source.parse()?;
    if *file.format.get_ref() != 1 {
        let what = format!(
            "format = {}: this program reads format 1",
            file.format.get_ref()
        );
        return Err(source.wrong(&file.format, what));
    }
    if file.name.get_ref().trim().is_empty() {
        return Err(source.wrong(&file.name, "name is empty: say whose copy it is".to_owned()));
    }
    if !GAMES.contains(&file.game.get_ref().as_str()) {
        let what = format!(
            "game = \"{}\": no such rules here; there is {}",
            file.game.get_ref(),
            GAMES.join(", ")
        );
        return Err(source.wrong(&file.game, what));
    }
    let mut notes = Vec::new();
    let mut around = Around {
        source,
        folder,
        kinds: HashSet::new(),
        references: HashMap::new(),
        notes: &mut notes,
    };
    let mut dice = Vec::new();
    for die in file.dice {
        once(source, &mut around.kinds, &die.kind, "kind", "die kinds")?;
        dice.push(die.check(&mut around)?);
    }
    let mut surfaces = Vec::new();
    let mut ids = HashSet::new();
    for display in file.displays {
        once(source, &mut ids, &display.id, "id", "surfaces")?;
        surfaces.push(display.check(&mut around)?);
    }
    for board in file.boards {
        once(source, &mut ids, &board.id, "id", "surfaces")?;
        surfaces.push(board.check(&mut around)?);
    }
    let mut miniatures = Vec::new();
    let mut ids = HashSet::new();
    for m in file.miniatures {
        once(source, &mut ids, &m.id, "id", "miniatures")?;
        miniatures.push(m.check(&mut around)?);
    }
    let mut tokens = Vec::new();
    let mut ids = HashSet::new();
    for t in file.tokens {
        once(source, &mut ids, &t.kind, "kind", "tokens")?;
        tokens.push(t.check(&mut around)?);
    }
    Ok(Copy {
        folder: folder.to_owned(),
        name: file.name.into_inner(),
        game: file.game.into_inner(),
        prints: file.prints,
        dice,
        surfaces,
        miniatures,
        tokens,
        rules: file.rules.map(|r| HouseRules {
            line: source.line(&r),
            lines: source.lines_of("rules"),
            table: r.into_inner(),
        }),
        notes,
    })
}

/// Refuses a second thing of one name.
fn once(
    source: &Source,
    seen: &mut HashSet<String>,
    name: &Spanned<String>,
    field: &str,
    things: &str,
) -> Result<(), FileError> {
    if seen.insert(name.get_ref().clone()) {
        return Ok(());
    }
    let what = format!(
        "{field} = \"{}\": there are two {things} of that name",
        name.get_ref()
    );
    Err(source.wrong(name, what))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::copy::Read;

    fn refused(text: &str) -> String {
        let source = Source::new(Path::new("somewhere/copy.toml"), text);
        parse(Path::new("somewhere"), &source)
            .expect_err("must be refused")
            .to_string()
    }

    const HEAD: &str = "format = 1\nname = \"x\"\ngame = \"dice-duel\"\n";

    #[test]
    fn errors_name_file_line_and_field() {
        assert_eq!(
            refused("format = 2\nname = \"x\"\ngame = \"dice-duel\"\ndice = []\n"),
            "somewhere/copy.toml:1: format = 2: this program reads format 1"
        );
        assert!(
            refused(&format!("{HEAD}dice = []\ncolour = 3\n"))
                .starts_with("somewhere/copy.toml:5: unknown field `colour`")
        );
        let shape =
            format!("{HEAD}[[dice]]\nkind = \"a\"\nshape = \"d7\"\nsize_mm = 16.0\nfaces = []\n");
        assert_eq!(
            refused(&shape),
            "somewhere/copy.toml:6: shape = \"d7\": no such shape; there is d4, d6, d8, d10, d12, d20, octahedron"
        );
        let size =
            format!("{HEAD}[[dice]]\nkind = \"a\"\nshape = \"d6\"\nsize_mm = 0.5\nfaces = []\n");
        assert!(refused(&size).contains("copy.toml:7: size_mm = 0.5"));
    }

    #[test]
    fn a_value_of_another_kind_is_said_in_the_words_of_the_file() {
        let die = |fields: &str| {
            refused(&format!(
                "{HEAD}[[dice]]\nkind = \"a\"\n{fields}faces = []\n"
            ))
        };
        assert_eq!(
            refused("format = \"1\"\nname = \"x\"\ngame = \"dice-duel\"\n"),
            "somewhere/copy.toml:1: format: a whole number, not below 0, is expected, but here is the text \"1\""
        );
        assert_eq!(
            die("shape = \"d6\"\nsize_mm = \"16\"\n"),
            "somewhere/copy.toml:7: dice[0].size_mm: a number is expected, but here is the text \"16\""
        );
        assert_eq!(
            die("shape = 6\nsize_mm = 16\n"),
            "somewhere/copy.toml:6: dice[0].shape: text in quotes is expected, but here is 6"
        );
        assert_eq!(
            die("shape = \"d6\"\n"),
            "somewhere/copy.toml:4: dice[0]: missing field `size_mm`"
        );
        let display = DISPLAY.replace("[150, 110]", "[150]");
        assert_eq!(
            refused(&format!("{HEAD}{display}")),
            "somewhere/copy.toml:6: displays[0].size_mm: a list of 2 is expected, but here are 1"
        );
        let corner = zone("A", "[[10, 10], [40, true], [40, 40]]");
        assert_eq!(
            refused(&format!("{HEAD}{DISPLAY}{corner}")),
            "somewhere/copy.toml:9: displays[0].zones[0].polygon_mm[1][1]: a number is expected, but here is true"
        );
    }

    #[test]
    fn squares_that_do_not_fit_are_too_large_or_lie_wrongly() {
        let board = |origin: &str, square: u32| {
            let grid =
                format!("origin_mm = {origin}\nsquare_mm = {square}\ncolumns = 4\nrows = 2\n");
            refused(&format!(
                "{HEAD}[[boards]]\nid = \"board\"\nsize_mm = [200, 100]\n[boards.grid]\n{grid}"
            ))
        };
        assert_eq!(
            board("[0, 0]", 60),
            "somewhere/copy.toml:9: square_mm = 60: 4 by 2 such squares do not fit on 200 by 100 mm"
        );
        assert!(board("[60, 0]", 40).starts_with("somewhere/copy.toml:8: origin_mm = [60, 0]: "));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_would_keep_its_reader_waiting_is_refused() {
        use crate::copy::{in_words, read_file};
        let why = |path: &str| in_words(&read_file(Path::new(path)).expect_err("refused"));
        assert_eq!(
            why("/dev/zero"),
            "is a pipe or a device, but a file is wanted"
        );
        assert_eq!(why("/"), "is a folder, but a file is wanted");
    }

    #[test]
    fn a_d4_says_how_it_is_read_and_no_other_die_does() {
        let die = |shape: &str, read: &str| {
            format!(
                "{HEAD}[[dice]]\nkind = \"a\"\nshape = \"{shape}\"\nsize_mm = 16.0\n{read}faces = []\n"
            )
        };
        let copy = |text: &str| {
            let source = Source::new(Path::new("somewhere/copy.toml"), text);
            parse(Path::new("somewhere"), &source).expect("is whole")
        };
        assert_eq!(
            copy(&die("d4", "read = \"base\"\n")).dice[0].read,
            Read::Base
        );
        assert_eq!(copy(&die("d20", "")).dice[0].read, Read::Top);
        assert!(
            refused(&die("d4", ""))
                .starts_with("somewhere/copy.toml:6: read of kind \"a\": a d4 has no face on top")
        );
        assert_eq!(
            refused(&die("d8", "read = \"point\"\n")),
            "somewhere/copy.toml:8: read of kind \"a\": a d8 is read on its top face: leave it out"
        );
    }

    const DISPLAY: &str = "[[displays]]\nid = \"h\"\nsize_mm = [150, 110]\n";

    fn zone(name: &str, polygon: &str) -> String {
        format!("[[displays.zones]]\nzone = \"{name}\"\npolygon_mm = {polygon}\n")
    }

    #[test]
    fn zones_are_checked() {
        let crossed = zone("A", "[[10, 10], [40, 40], [40, 10], [10, 40]]");
        assert_eq!(
            refused(&format!("{HEAD}{DISPLAY}{crossed}")),
            "somewhere/copy.toml:9: polygon_mm of zone \"A\": its sides cross or it has no area; give the corners in order"
        );
        let off = zone("A", "[[10, 10], [40, 10], [40, 140]]");
        assert!(
            refused(&format!("{HEAD}{DISPLAY}{off}")).contains("[40, 140] is not on the surface")
        );
        let takes = format!(
            "{}takes = [\"helm\"]\n",
            zone("A", "[[10, 10], [40, 10], [40, 40]]")
        );
        assert_eq!(
            refused(&format!("{HEAD}{DISPLAY}{takes}")),
            "somewhere/copy.toml:10: takes of zone \"A\": there is no die kind \"helm\""
        );
        let two = format!("{HEAD}{DISPLAY}{DISPLAY}");
        assert!(
            refused(&two).contains("copy.toml:8: id = \"h\": there are two surfaces of that name")
        );
    }

    #[test]
    fn what_can_be_lived_with_is_noted() {
        let text = format!(
            "{HEAD}[[dice]]\nkind = \"a\"\nshape = \"d6\"\nsize_mm = 16.0\n[[dice.faces]]\nface = \"1\"\npictures = [\"no.png\"]\n{DISPLAY}reference = \"no.png\"\n{}{}",
            zone("A", "[[10, 10], [40, 10], [40, 40], [10, 40]]"),
            zone("B", "[[30, 10], [60, 10], [60, 40], [30, 40]]")
        );
        let source = Source::new(Path::new("somewhere/copy.toml"), &text);
        let copy = parse(Path::new("somewhere"), &source).expect("goes on");
        let notes: Vec<String> = copy.notes.iter().map(ToString::to_string).collect();
        assert_eq!(notes.len(), 3);
        assert!(
            notes[0]
                .starts_with("somewhere/copy.toml:10: pictures of face \"1\": there is no file"),
            "{notes:?}"
        );
        assert!(copy.dice[0].faces[0].pictures.is_empty());
        assert!(
            notes[1].starts_with("somewhere/copy.toml:14: reference of \"h\": there is no file"),
            "{notes:?}"
        );
        assert_eq!(
            notes[2],
            "somewhere/copy.toml:19: zone = \"B\": it overlaps zone \"A\" by 33 %; what lies in both is unsure"
        );
    }

    #[test]
    fn pictures_of_another_folder_are_left_out() {
        for elsewhere in ["../other.png", "/etc/hostname"] {
            let text = format!(
                "{HEAD}[[dice]]\nkind = \"a\"\nshape = \"d6\"\nsize_mm = 16.0\n[[dice.faces]]\nface = \"1\"\npictures = [\"{elsewhere}\"]\n{DISPLAY}reference = \"{elsewhere}\"\n"
            );
            let source = Source::new(Path::new("somewhere/copy.toml"), &text);
            let copy = parse(Path::new("somewhere"), &source).expect("goes on");
            let lies = "lies outside the copy's folder";
            assert!(
                copy.notes.iter().all(|n| n.to_string().contains(lies)),
                "{:?}",
                copy.notes
            );
            assert_eq!(copy.notes.len(), 2);
            assert!(
                copy.dice[0].faces[0].pictures.is_empty() && copy.surfaces[0].reference.is_none()
            );
        }
    }
}
