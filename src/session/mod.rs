//! From the table to what is announced. Here, and only here, `table` meets `rules`.

mod duel;
mod events;
mod house_rules;
mod known;
mod line;
mod misplaced;
mod owner;
mod placing;
#[cfg(feature = "vision")]
mod player;
#[cfg(feature = "vision")]
mod post;
mod report;
mod scene;
mod setup;
#[cfg(feature = "vision")]
mod sitting;
#[cfg(feature = "vision")]
mod steady;
mod surfaces;
#[cfg(feature = "vision")]
mod untouched;
mod wanted;
mod zones;

pub use duel::{
    ByHand, Choice, Declaration, Duel, Foul, GameState, Happened, Happening, PlaceState, ShipState,
    Wrong,
};
pub use events::{Change, Event, Evidence};
pub use house_rules::HouseRule;
pub use line::{Line, LiveDie, LiveState, Rate, SourceNews};
use misplaced::MisplacedLog;
pub use misplaced::{Misplaced, MisplacedDie};
pub use owner::{
    CRYSTAL, kinds_of_dice, symbols_on, token_meanings, usual_owner, zones_on, zones_on_board,
};
pub use placing::Placing;
#[cfg(feature = "vision")]
pub use player::{Player, Step, StepError, View};
pub use report::{DieReport, MiniReport, NextReport, PictureReport, SpokenCall, TokenReport, Told};
pub use scene::{Scene, SceneDie, SceneShip, SceneToken};
#[cfg(feature = "vision")]
pub use sitting::{KeepError, Sitting};
pub use surfaces::{SurfaceChange, SurfaceEvent, SurfaceReport};
pub use wanted::{
    How, Of, Wanted, asked_for, how_face, photograph_of_token, photographs_of_face, token_of,
    unasked, wanted, wanted_or_there,
};
pub use zones::ZoneOutline;

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use events::Ledger;
use known::Known;
use surfaces::SurfaceLog;

use crate::{
    copy::{Copy, FileError, Note, Prints, Status},
    rig::{CALIBRATION_BOARD, Rig, Sight},
    rules::dice_duel::{
        Call, Position, Print, Problem, Setup, ShipId, ShipSetup, Station, Target, What, Zone,
    },
    table::{Prior, Table},
};

/// How far off a corner is that a person clicks, in pixels.
#[cfg(feature = "vision")]
const CLICK_PX: f64 = 2.0;

/// Sizes of a surface that differ by less were rounded otherwise.
const AS_LARGE_MM: f64 = 0.5;

/// The one game that is called from pictures so far.
const DICE_DUEL: &str = "dice-duel";

/// What the rules say of a table.
#[derive(Debug, Clone, Default)]
pub struct Judged {
    pub setup: Setup,
    pub problems: Vec<Problem>,
    /// Dice in zones that do not take them, as the copy has it, where the rules say nothing of a zone.
    pub misplaced: Vec<MisplacedDie>,
    pub calls: Vec<TableCall>,
}

impl Judged {
    /// What lies wrong, a sentence each; what is merely not known is left out.
    pub fn wrong(&self) -> Vec<String> {
        let by_rules = self.problems.iter().filter(|p| !duel::is_doubt(&p.fault));
        let by_copy = self.misplaced.iter().map(ToString::to_string);
        by_rules.map(ToString::to_string).chain(by_copy).collect()
    }

    /// What keeps the rules from knowing what lies there, a sentence each.
    pub fn doubts(&self) -> Vec<String> {
        let doubts = self.problems.iter().filter(|p| duel::is_doubt(&p.fault));
        doubts.map(ToString::to_string).collect()
    }
}

/// A call with the numbers of the dice it is about.
#[derive(Debug, Clone, PartialEq)]
pub struct TableCall {
    pub call: Call,
    /// Empty where no single die decides it.
    pub dice: Vec<u64>,
}

/// A game being watched: a copy, a rig, and what was last on the table.
#[derive(Debug)]
pub struct Session {
    copy: Copy,
    rig: Rig,
    notes: Vec<Note>,
    strange: Vec<String>,
    print: Print,
    stations: BTreeSet<(ShipId, Station)>,
    ledger: Ledger,
    misplaced: MisplacedLog,
    surfaces: BTreeMap<String, SurfaceLog>,
    /// The game that is followed; none of other games yet.
    duel: Option<Duel>,
}

impl Session {
    /// # Errors
    /// The copy says of something that it means what the rules do not know, or the same of two things: file, line and field.
    pub fn new(copy: Copy, mut rig: Rig) -> Result<Self, FileError> {
        rig.size(|id| copy.surfaces.iter().find(|s| s.id == id).map(|s| s.size_mm));
        let Known {
            print,
            stations,
            notes,
        } = if copy.game == DICE_DUEL {
            known::dice_duel(&copy)?
        } else {
            Known {
                notes: known::untold(&copy),
                ..Known::default()
            }
        };
        let known = |id: &str| id == CALIBRATION_BOARD || copy.surfaces.iter().any(|s| s.id == id);
        let strange = rig.surfaces.iter().filter_map(|s| {
            let id = &s.id;
            if !known(id) {
                return Some(format!(
                    "the rig has a surface \"{id}\", and the copy has none of that id: it is passed over"
                ));
            }
            let of_copy = copy.surfaces.iter().find(|c| c.id == *id)?.size_mm;
            let [[w, h], [v, u]] = [s.size_mm?, of_copy];
            let other = (w - v).abs().max((h - u).abs()) > AS_LARGE_MM;
            other.then(|| format!(
                "the rig has \"{id}\" {w} by {h} mm, and the copy {v} by {u}: it is looked for where the rig's would lie"
            ))
        });
        let strange = strange.collect();
        let duel =
            (copy.game == DICE_DUEL).then(|| Duel::new(print.clone()).with_ships(ships_of(&copy)));
        Ok(Self {
            copy,
            rig,
            notes,
            strange,
            print,
            stations,
            ledger: Ledger::default(),
            misplaced: MisplacedLog::default(),
            surfaces: BTreeMap::new(),
            duel,
        })
    }

    /// What is odd in the copy, to the rules, and in the rig, and can be lived with; for the owner to read.
    pub fn notes(&self) -> impl Iterator<Item = String> {
        let of_copy = self.notes.iter().map(ToString::to_string);
        of_copy.chain(self.strange.iter().cloned())
    }

    /// Those of the copy alone.
    pub fn copy_notes(&self) -> &[Note] {
        &self.notes
    }

    pub fn copy(&self) -> &Copy {
        &self.copy
    }

    pub fn rig(&self) -> &Rig {
        &self.rig
    }

    /// The same, to keep what a person shows in it.
    pub fn rig_mut(&mut self) -> &mut Rig {
        &mut self.rig
    }

    /// What the rules say of the table that one picture shows, with the surfaces that `sight` has of it: its
    /// setup, what is wrong with it, what may be announced. A die lies in the zone of its foot.
    pub fn judge(&self, table: &Table, sight: &Sight) -> Judged {
        Judged {
            misplaced: self.misplaced(table, sight),
            ..self.by_the_rules(table, sight)
        }
    }

    fn by_the_rules(&self, table: &Table, sight: &Sight) -> Judged {
        let (mut setup, ids) = setup::from_table(table, &self.copy, &self.print, |die| {
            self.claimed(die, sight)
        });
        if self.copy.game != DICE_DUEL {
            // dice are read; of the other games nothing is called from pictures yet
            return Judged {
                setup,
                ..Judged::default()
            };
        }
        let leaving: Vec<u64> = self.duel.iter().flat_map(Duel::leaving).collect();
        let (dice, ids): (Vec<_>, Vec<_>) = std::mem::take(&mut setup.dice)
            .into_iter()
            .zip(ids)
            .filter(|(_, id)| !leaving.contains(id))
            .unzip();
        setup.dice = dice;
        if let Some(duel) = self.duel.as_ref().filter(|d| d.is_corrected())
            && let Some(position) = duel.position()
        {
            // a person has the last word
            return Judged {
                calls: self.spoken(table, position, &setup, &ids),
                setup,
                problems: duel.problems().to_vec(),
                misplaced: Vec::new(),
            };
        }
        if let Some(record) = self.duel.as_ref().and_then(Duel::record)
            && record.ships().iter().any(|s| s.square().is_known())
        {
            let scene = self.scene(table, sight);
            let told = duel::told(&scene, record);
            setup = Setup {
                dice: setup.dice,
                ..told
            };
        } else {
            self.stand(&mut setup, table, sight);
            self.leave_crystals_open(&mut setup);
        }
        self.judged(table, (setup, ids))
    }

    /// Adds the ships and tokens that a picture shows, where it shows a ship: one that it does not show may be
    /// anywhere.
    fn stand(&self, setup: &mut Setup, table: &Table, sight: &Sight) {
        let minis = &self.copy.miniatures;
        let is_mini = |what: &str| minis.iter().any(|m| m.id == what);
        // where tokens are not known by sight, the map may hold anything
        if !table.pieces.iter().any(|p| is_mini(&p.what)) || !self.knows_tokens() {
            return;
        }
        let seen = self.scene(table, sight).setup(&[]);
        (setup.tokens, setup.hidden) = (seen.tokens, seen.hidden);
        setup.ships = ships_of(&self.copy)
            .into_iter()
            .map(|id| {
                let mut claims = seen.ships.iter();
                let claim = claims.find(|s| s.id == id).cloned();
                claim.unwrap_or_else(|| ShipSetup::new(id))
            })
            .collect();
    }

    fn judged(&self, table: &Table, (setup, ids): (Setup, Vec<u64>)) -> Judged {
        let (position, problems) = setup.resolve(&self.print);
        Judged {
            calls: self.spoken(table, &position, &setup, &ids),
            setup,
            problems,
            misplaced: Vec::new(),
        }
    }

    fn spoken(
        &self,
        table: &Table,
        position: &Position,
        setup: &Setup,
        ids: &[u64],
    ) -> Vec<TableCall> {
        let mut calls = position.calls();
        // what a copy has no display for is not played with it
        calls.retain(|call| {
            let of = call.what.station();
            self.stations.is_empty() || of.is_none_or(|of| self.stations.contains(&of))
        });
        // of a mine or a crystal that may be something else, nothing is called until somebody asks
        calls.retain(|call| match call.what {
            What::Launch {
                target: Target::Mine(square),
                ..
            } => position.board().cell(square).mines.min > 0,
            What::Crystal { square, .. } => position.board().cell(square).crystals.min > 0,
            _ => true,
        });
        let covered = |id| {
            let mut dice = table.dice.iter();
            dice.any(|d| d.id == id && d.status() == Status::Hidden)
        };
        setup::spoken_of(calls, setup, ids, covered)
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
                    height_mm: surface.thickness_mm,
                    error_mm: if r.status == Status::Sure { 0.5 } else { 1.5 },
                    print: r.print.clone(),
                    drift: None,
                    status: r.status,
                })
            })
            .collect()
    }

    /// Surfaces without a reference picture, by which nobody can find them, where a person clicked their corners.
    #[cfg(feature = "vision")]
    pub fn shown(&self, sight: &Sight) -> Vec<crate::rig::Tray> {
        let clicked = sight.clicked().iter();
        clicked
            .filter_map(|(id, corners)| {
                let surface = self.surface(id).filter(|s| s.reference.is_none())?;
                let [w, h] = surface.size_mm;
                Some(crate::rig::Tray {
                    id: id.clone(),
                    corners_px: *corners,
                    size_mm: surface.size_mm,
                    height_mm: surface.thickness_mm,
                    error_mm: CLICK_PX * (w * h / corners.area()).sqrt(),
                    print: std::sync::Arc::default(),
                    drift: None,
                    status: Status::Sure,
                })
            })
            .collect()
    }

    /// Puts readings that are unsure, and make no sense where they lie, behind those that do.
    pub fn rank(&self, table: &mut Table, sight: &Sight) {
        let unsure = table.dice.iter().filter(|d| d.status() == Status::Unsure);
        let faces = unsure.filter_map(|d| Some((d.id, self.legal_faces(d, sight)?)));
        let prior = Prior {
            faces: faces.collect(),
        };
        prior.rank(table);
    }

    /// Follows the game on the next table: what happened in it.
    pub fn watch(&mut self, table: &Table, sight: &Sight) -> Vec<Happening> {
        let mut out = self.follow_misplaced(table, sight);
        if self.duel.is_some() {
            let scene = self.scene(table, sight);
            out.extend(self.duel.iter_mut().flat_map(|duel| duel.see(&scene)));
        }
        out
    }

    /// Takes what somebody declares, at a time on the source's clock.
    pub fn declare(&mut self, at: Duration, said: &Declaration) -> Vec<Happening> {
        let duel = self.duel.as_mut();
        duel.map(|duel| duel.declare(at, said)).unwrap_or_default()
    }

    /// The game that is followed.
    pub fn duel(&self) -> Option<&Duel> {
        self.duel.as_ref()
    }

    /// The same, to begin it from what is known.
    pub fn duel_mut(&mut self) -> Option<&mut Duel> {
        self.duel.as_mut()
    }

    /// Takes the next table, and where each of its dice lies: what happened since the last one.
    pub fn follow(&mut self, table: &Table, placings: &[Placing], sight: &Sight) -> Vec<Event> {
        // pip dice that stand for any may have any size
        let measured = self.copy.prints == Prints::Any;
        self.ledger.follow(table, placings, |die| {
            let seen = sight.of_camera(&die.camera).seen();
            measured && seen.iter().any(|t| t.status == Status::Sure)
        })
    }

    /// Takes the surfaces that a camera's next frame shows: what happened to them.
    pub fn follow_surfaces(&mut self, camera: &str, now: &[SurfaceReport]) -> Vec<SurfaceEvent> {
        let log = self.surfaces.entry(camera.to_owned()).or_default();
        log.follow(now)
    }
}

/// The ships that have displays in a copy.
fn ships_of(copy: &Copy) -> Vec<ShipId> {
    let means = copy.surfaces.iter().map(|s| &*s.means);
    let zones = means.filter_map(|m| m.parse::<Zone>().ok());
    let mut ships: Vec<ShipId> = zones.filter_map(Zone::ship).collect();
    ships.sort_unstable();
    ships.dedup();
    ships
}
