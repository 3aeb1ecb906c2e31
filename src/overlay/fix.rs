//! A person's word on a place: clicked in the picture, said by buttons.

use eframe::egui::{self, Ui};

use crate::{
    rules::{
        Place, Span,
        dice_duel::{Action, Correction, Damage, Faces, Facing, Half, ShipId, Spot, Zone},
    },
    session::{Declaration, GameState},
};

/// A place that is being put right.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fixing {
    zone: Zone,
    /// What lies there, as the person has it so far.
    dice: Vec<Faces>,
    /// What the rules let lie there.
    symbols: Vec<crate::rules::dice_duel::Symbol>,
    /// How many energy dice or crystals there are, as the person has it so far.
    count: Option<u16>,
}

impl Fixing {
    /// Whether a person can say what lies there.
    pub fn knows(zone: Zone) -> bool {
        matches!(
            zone,
            Zone::On(..) | Zone::Board(_) | Zone::Damage(..) | Zone::Crystals(_)
        )
    }

    /// Begins with what is known of the place; none for a place that has nothing to put right.
    pub fn of(
        zone: Zone,
        symbols: Vec<crate::rules::dice_duel::Symbol>,
        game: &GameState,
    ) -> Option<Self> {
        let places = game.ships.iter().flat_map(|s| &s.places);
        let mut here = places.filter(|p| p.zone == zone);
        let dice = here.next().map_or(&[][..], |p| &p.dice);
        Self::knows(zone).then(|| Self {
            zone,
            dice: dice.iter().filter_map(|d| d.parse().ok()).collect(),
            symbols,
            count: {
                let of = |id: ShipId| game.ships.iter().find(|s| s.ship == id);
                match zone {
                    Zone::Damage(ship, _) => of(ship).and_then(|s| {
                        let (all, crystals) = (s.damage.value()?, s.damage_crystals.value()?);
                        all.checked_sub(crystals)
                    }),
                    Zone::Crystals(ship) => of(ship).and_then(|s| s.crystals.value()),
                    _ => None,
                }
            },
        })
    }

    fn dice_said(&self, ship: ShipId, spot: Spot) -> Correction {
        Correction::Dice {
            ship,
            spot,
            dice: self.dice.clone(),
        }
    }
}

fn said(correction: Correction) -> Option<Declaration> {
    let action = Box::new(Action::Correct(correction));
    Some(Declaration::Do { action })
}

/// Shows the place that is being put right; returns what the person said of it.
pub(super) fn window(
    ctx: &egui::Context,
    game: &GameState,
    fixing: &mut Option<Fixing>,
) -> Option<Declaration> {
    let one = fixing.as_mut()?;
    let mut open = true;
    let mut out = None;
    egui::Window::new("What lies here?")
        .collapsible(false)
        .resizable(false)
        .anchor(egui::Align2::CENTER_BOTTOM, [0.0, -40.0])
        .open(&mut open)
        .show(ctx, |ui| {
            ui.strong(one.zone.to_string());
            out = inside(ui, game, one);
        });
    if out.is_some() || !open || ctx.input(|i| i.key_pressed(egui::Key::Escape)) {
        *fixing = None;
    }
    out
}

fn inside(ui: &mut Ui, game: &GameState, fixing: &mut Fixing) -> Option<Declaration> {
    let of = |id: ShipId| game.ships.iter().find(|s| s.ship == id);
    match fixing.zone {
        Zone::On(ship, spot) => {
            if dice_ui(ui, fixing) {
                return said(fixing.dice_said(ship, spot));
            }
            None
        }
        Zone::Board(square) => {
            let mut out = None;
            for ship in &game.ships {
                let shared =
                    |s: &crate::session::ShipState| s.ship != ship.ship && s.square == Some(square);
                // which half of a square it has that it shares nobody was asked
                let half = if game.ships.iter().any(shared) {
                    Place::Unknown
                } else {
                    Place::Known(Half::Whole)
                };
                ui.horizontal(|ui| {
                    ui.label(format!("{} stands here, facing", ship.ship));
                    for facing in Facing::ALL {
                        if ui.button(facing.to_string()).clicked() {
                            out = said(Correction::Stand {
                                ship: ship.ship,
                                square: Place::Known(square),
                                facing: Place::Known(facing),
                                half: half.clone(),
                            });
                        }
                    }
                });
            }
            out
        }
        Zone::Damage(ship, _) => {
            number(ui, "energy dice on it:", &mut fixing.count).and_then(|n| {
                said(Correction::Damage {
                    ship,
                    damage: Damage {
                        dice: Span::known(n),
                        crystals: of(ship).map_or(Span::known(0), |s| s.damage_crystals),
                    },
                })
            })
        }
        Zone::Crystals(ship) => number(ui, "crystals:", &mut fixing.count).and_then(|n| {
            said(Correction::Crystals {
                ship,
                count: Span::known(n),
            })
        }),
        _ => None,
    }
}

/// Buttons for the dice of a place; whether the person is done.
fn dice_ui(ui: &mut Ui, fixing: &mut Fixing) -> bool {
    ui.horizontal_wrapped(|ui| {
        ui.label("There lie:");
        let mut off = None;
        for (i, die) in fixing.dice.iter().enumerate() {
            let button = ui.button(format!("{die} ×"));
            if button.on_hover_text("it does not lie there").clicked() {
                off = Some(i);
            }
        }
        if fixing.dice.is_empty() {
            ui.label("none");
        }
        if let Some(i) = off {
            fixing.dice.remove(i);
        }
    });
    ui.horizontal_wrapped(|ui| {
        ui.label("Add:");
        for symbol in &fixing.symbols {
            if ui.button(symbol.to_string()).clicked() {
                fixing.dice.push(Faces::one(*symbol));
            }
        }
    });
    ui.button("So it is").clicked()
}

/// Buttons for a number; the number, once the person is done.
fn number(ui: &mut Ui, of: &str, count: &mut Option<u16>) -> Option<u16> {
    ui.horizontal_wrapped(|ui| {
        ui.label(of);
        for n in 0..=8 {
            ui.selectable_value(count, Some(n), n.to_string());
        }
    });
    let done = egui::Button::new("So it is");
    let done = ui.add_enabled(count.is_some(), done).clicked();
    count.filter(|_| done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{PlaceState, ShipState};

    fn game() -> GameState {
        let zone: Zone = "white.sensors.lock".parse().expect("a zone");
        GameState {
            ships: vec![ShipState {
                ship: "white".parse().expect("a ship"),
                square: None,
                facing: None,
                unseen: vec![],
                places: vec![PlaceState {
                    zone,
                    dice: vec!["L2".into(), "L1|L2".into()],
                }],
                loaded: vec![],
                lock: Span::known(0),
                jammers: Span::known(0),
                shields: [Span::known(0); 4],
                beam: Span::known(0),
                damage: Span::known(0),
                damage_crystals: Span::known(0),
                crystals: Span::known(0),
            }],
            ..GameState::default()
        }
    }

    #[test]
    fn a_place_begins_with_what_lies_there() {
        let zone: Zone = "white.sensors.lock".parse().expect("a zone");
        let fixing = Fixing::of(zone, vec![], &game()).expect("it can be put right");
        assert_eq!(fixing.dice.len(), 2);
        let Zone::On(ship, spot) = zone else { panic!() };
        let Correction::Dice { dice, .. } = fixing.dice_said(ship, spot) else {
            panic!()
        };
        assert_eq!(dice[1].to_string(), "L1|L2");
        assert!(Fixing::of(Zone::Table, vec![], &game()).is_none());
    }
}
