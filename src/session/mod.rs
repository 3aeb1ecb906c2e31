//! From the table to what is announced. Here, and only here, `table` meets `rules`.

mod events;
mod line;
#[cfg(feature = "vision")]
mod player;
mod report;
mod setup;

pub use events::{Change, Event};
pub use line::{Line, LiveDie, LiveState, Rate, SourceNews};
#[cfg(feature = "vision")]
pub use player::{Player, Step, StepError, View};
pub use report::{DieReport, NextReport, PictureReport, SpokenCall};

use crate::{
    copy::{Copy, FileError, Note, Region, Status, Surface},
    geometry::Point,
    rig::{Lies, Rig},
    rules::{
        Place,
        dice_duel::{Call, DieKind, Print, Problem, Setup, Symbol, Zone},
    },
    table::{Die, Table},
};

/// What the rules say of a table.
#[derive(Debug, Clone, Default)]
pub struct Judged {
    pub setup: Setup,
    pub problems: Vec<Problem>,
    pub calls: Vec<TableCall>,
}

/// A call with the numbers of the dice it is about.
#[derive(Debug, Clone, PartialEq)]
pub struct TableCall {
    pub call: Call,
    /// Empty where no single die decides it.
    pub dice: Vec<u64>,
}

/// How many standard errors a foot must lie from a zone's edge to be surely in it: once in 370 it is not.
const REGION_SIGMAS: f64 = 3.0;

/// A game being watched: a copy, a rig, and what was last on the table.
#[derive(Debug)]
pub struct Session {
    copy: Copy,
    rig: Rig,
    print: Print,
    last: Table,
}

impl Session {
    /// # Errors
    /// The copy says of a die or a face that it means what the rules do not know: file, line and field.
    pub fn new(copy: Copy, rig: Rig) -> Result<Self, FileError> {
        if copy.game == "dice-duel" {
            known_to_dice_duel(&copy)?;
        }
        Ok(Self {
            copy,
            rig,
            print: Print::default(),
            last: Table::default(),
        })
    }

    pub fn copy(&self) -> &Copy {
        &self.copy
    }

    pub fn rig(&self) -> &Rig {
        &self.rig
    }

    /// What the rules say of this table: its setup, what is wrong with it, what may be announced.
    pub fn judge(&self, table: &Table) -> Judged {
        let claims = setup::from_table(table, &self.copy, |_| Place::Known(Zone::Table));
        self.judged(table, claims)
    }

    /// The same for one picture of `size_px`, with the surfaces that `rig` sees in it: a die lies in the
    /// zone of its foot.
    pub fn judge_on(&self, table: &Table, rig: &Rig, size_px: [u32; 2]) -> Judged {
        let claims = setup::from_table(table, &self.copy, |die| {
            self.lies(die, rig, size_px)
                .and_then(|(lies, region)| {
                    Some(setup::zone(self.surface(&lies.surface)?, &region?))
                })
                .unwrap_or(if self.sees_all(rig) {
                    Place::Known(Zone::Table)
                } else {
                    Place::Unknown
                })
        });
        self.judged(table, claims)
    }

    /// Whether every display and board of the copy was surely found in the picture. While one is missing,
    /// a die beside those that were found may lie on it.
    fn sees_all(&self, rig: &Rig) -> bool {
        let found = |s: &Surface| {
            rig.seen()
                .iter()
                .any(|t| t.id == s.id && t.status == Status::Sure)
        };
        self.copy
            .surfaces
            .iter()
            .filter(|s| s.reference.is_some())
            .all(found)
    }

    fn surface(&self, id: &str) -> Option<&Surface> {
        self.copy.surfaces.iter().find(|s| s.id == id)
    }

    /// Where a die's foot lies, and in which region, if the surface is one of the copy's.
    fn lies(&self, die: &Die, rig: &Rig, size_px: [u32; 2]) -> Option<(Lies, Option<Region>)> {
        let kind = die.reading.kind.as_deref();
        let size_mm = self
            .copy
            .dice
            .iter()
            .find(|d| Some(d.kind.as_str()) == kind)
            .map_or(16.0, |d| d.size_mm);
        let lies = rig.place(&die.polygon, size_mm, size_px)?;
        let [x, y] = lies.at_mm;
        let region = self
            .surface(&lies.surface)
            .map(|s| s.region(Point::new(x, y), REGION_SIGMAS * lies.error_mm));
        Some((lies, region))
    }

    fn judged(&self, table: &Table, (setup, ids): (Setup, Vec<u64>)) -> Judged {
        let (position, problems) = setup.resolve(&self.print);
        let covered = |id| {
            let mut dice = table.dice.iter();
            dice.any(|d| d.id == id && d.status() == Status::Hidden)
        };
        Judged {
            calls: setup::spoken_of(position.calls(), &setup, &ids, covered),
            setup,
            problems,
        }
    }

    /// Registered surfaces as a rig has them.
    #[cfg(feature = "vision")]
    pub fn lie(&self, found: &[crate::vision::Registered]) -> Vec<crate::rig::Tray> {
        found
            .iter()
            .filter_map(|r| {
                let surface = self.surface(&r.surface)?;
                Some(crate::rig::Tray {
                    id: r.surface.clone(),
                    corners_px: r.corners,
                    size_mm: surface.size_mm,
                    error_mm: if r.status == Status::Sure { 0.5 } else { 1.5 },
                    status: r.status,
                })
            })
            .collect()
    }

    /// Starts anew with an empty table.
    pub fn forget(&mut self) {
        self.last = Table::default();
    }

    /// Takes the next table: what happened since the last one.
    pub fn follow(&mut self, table: &Table) -> Vec<Event> {
        let events = events::between(&self.last, table);
        self.last = table.clone();
        events
    }
}

/// Refuses a copy whose dice mean what Dice Duel's rules do not know. A kind that means nothing is a
/// foreign die, and its faces may mean anything.
fn known_to_dice_duel(copy: &Copy) -> Result<(), FileError> {
    let wrong = |line: usize, what: String| {
        FileError::from(Note {
            path: copy.folder.join("copy.toml"),
            line,
            what,
        })
    };
    for die in &copy.dice {
        let Some(means) = &die.means else { continue };
        if let Err(e) = means.parse::<DieKind>() {
            return Err(wrong(
                die.line,
                format!("means of kind \"{}\": {e}", die.kind),
            ));
        }
        for face in &die.faces {
            if let Err(e) = face.means.parse::<Symbol>() {
                let of = format!("face \"{}\" of kind \"{}\"", face.face, die.kind);
                return Err(wrong(face.line, format!("means of {of}: {e}")));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::copy::{Face, Shape};

    #[test]
    fn a_copy_that_means_what_the_rules_do_not_know_is_refused() {
        let copy = |kind: &str, face: &str| Copy {
            folder: "c".into(),
            name: "c".into(),
            game: "dice-duel".into(),
            dice: vec![crate::copy::DieKind {
                near: None,
                read: crate::copy::Read::Top,
                kind: "pip".into(),
                shape: Shape::D6,
                size_mm: 16.0,
                colour: None,
                means: Some(kind.into()),
                faces: vec![Face {
                    face: "1".into(),
                    means: face.into(),
                    count: 1,
                    pictures: vec![],
                    line: 9,
                }],
                line: 5,
            }],
            surfaces: vec![],
            miniatures: vec![],
            tokens: vec![],
            notes: vec![],
        };
        let refused = |c: Copy| {
            Session::new(c, Rig::default())
                .expect_err("refused")
                .to_string()
        };
        assert!(refused(copy("enrgy", "1")).starts_with("c/copy.toml:5: means of kind \"pip\": "));
        assert!(
            refused(copy("energy", "66"))
                .starts_with("c/copy.toml:9: means of face \"1\" of kind \"pip\": ")
        );
        assert!(Session::new(copy("energy", "6"), Rig::default()).is_ok());
    }
}
