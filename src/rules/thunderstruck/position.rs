//! What the rules reason over.

use std::sync::Arc;

use super::flow::{Flow, Phase};
use super::pips::Pips;
use super::play::damage_spots;
use super::print::{FullColour, Print};
use super::reason::Reason;
use super::setup::{DieSetup, Setup, ShipSetup};
use super::ship::Ship;
use super::spot::{Duty, Shield, ShipId, Side, Spot};
use super::track::{Field, Heading, Space};
use super::zone::Zone;
use crate::rules::{Place, Span};

/// A state of the game in which every die lies where it may, and what is not known is marked so.
/// Made by [`Setup::resolve`] only, so it holds no illegal die; it does not promise that the
/// state can arise in play. It never holds what is behind a screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub(crate) print: Arc<Print>,
    pub(crate) ships: Vec<Ship>,
    pub(crate) flow: Flow,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Who won; several where the damage is level.
    pub winners: Vec<ShipId>,
    /// By what.
    pub by: EndedBy,
}

/// What ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndedBy {
    /// One ship is left.
    LastShip,
    /// A ship was destroyed, and this copy's rule ends the game with that.
    FirstLoss,
    /// The last round is over: the least damage wins.
    Rounds,
}

impl Position {
    /// The copy and its options.
    pub fn print(&self) -> &Print {
        &self.print
    }

    /// The battlefield in use.
    pub fn field(&self) -> &Field {
        self.print.field(self.ships.len())
    }

    /// The ships, in seating order.
    pub fn ships(&self) -> &[Ship] {
        &self.ships
    }

    /// A ship by its name.
    pub fn ship(&self, id: ShipId) -> Option<&Ship> {
        self.ships.iter().find(|s| s.id == id)
    }

    /// Where the game stands.
    pub fn flow(&self) -> &Flow {
        &self.flow
    }

    /// Dice a ship has this round.
    pub fn dice_of(&self, id: ShipId) -> u16 {
        u16::from(self.print.numbers.dice) + u16::from(self.flow.reflex == Some(id))
    }

    pub(crate) fn get(&self, id: ShipId) -> Result<&Ship, Reason> {
        self.ship(id).ok_or(Reason::NoSuchShip { ship: id })
    }

    pub(crate) fn get_mut(&mut self, id: ShipId) -> Result<&mut Ship, Reason> {
        let ship = self.ships.iter_mut().find(|s| s.id == id);
        ship.ok_or(Reason::NoSuchShip { ship: id })
    }

    // -----------------------------------------------------------------------------------------
    // What is known: each of these says which place has to be known first.

    pub(crate) fn die(&self, id: ShipId, spot: Spot) -> Result<Option<u8>, Reason> {
        let ship = self.get(id)?;
        ship.die(spot).content().ok_or(Reason::Unknown {
            at: Zone::Die(id, spot),
        })
    }

    /// The number on a die that has to be there.
    pub(crate) fn number(&self, id: ShipId, spot: Spot) -> Result<u8, Reason> {
        self.die(id, spot)?.ok_or(Reason::NoDie { spot })
    }

    pub(crate) fn damaged(&self, id: ShipId, spot: Spot) -> Result<bool, Reason> {
        let known = self.get(id)?.damage(spot).known().copied();
        known.ok_or(Reason::Unknown {
            at: Zone::Damage(id, spot),
        })
    }

    pub(crate) fn shield_up(&self, id: ShipId, shield: Shield) -> Result<bool, Reason> {
        let known = self.get(id)?.shield(shield).known().copied();
        known.ok_or(Reason::Unknown {
            at: Zone::Shield(id, shield),
        })
    }

    pub(crate) fn cubes(&self, id: ShipId) -> Result<u16, Reason> {
        let known = self.get(id)?.cubes.value();
        known.ok_or(Reason::Unknown {
            at: Zone::Cubes(id),
        })
    }

    pub(crate) fn space(&self, id: ShipId) -> Result<Space, Reason> {
        let known = self.get(id)?.space.known().copied();
        known.ok_or(Reason::Unknown { at: Zone::Ship(id) })
    }

    /// The sector, which is known without the space where there is only one.
    pub(crate) fn sector(&self, id: ShipId) -> Result<u8, Reason> {
        let ship = self.get(id)?;
        if let Some(spaces) = ship.space.candidates()
            && let Some(first) = spaces.first()
            && spaces.iter().all(|s| s.sector == first.sector)
        {
            return Ok(first.sector);
        }
        match self.field().sectors.len() {
            1 => Ok(1),
            _ => Err(Reason::Unknown { at: Zone::Ship(id) }),
        }
    }

    pub(crate) fn heading(&self, id: ShipId) -> Result<Heading, Reason> {
        let known = self.get(id)?.heading.known().copied();
        known.ok_or(Reason::Unknown {
            at: Zone::Heading(id),
        })
    }

    /// Whether the ship is still in the game.
    pub(crate) fn alive(&self, id: ShipId) -> Result<bool, Reason> {
        if self.get(id)?.retired {
            return Ok(false);
        }
        for duty in Duty::VITAL {
            let mut gone = true;
            for spot in duty.spots() {
                // One space that is surely whole is enough.
                gone = gone && self.get(id)?.damage(*spot).known() != Some(&false);
            }
            if gone {
                for spot in duty.spots() {
                    gone = gone && self.damaged(id, *spot)?;
                }
            }
            if gone {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(crate) fn living(&self) -> Result<Vec<ShipId>, Reason> {
        let mut living = Vec::new();
        for ship in &self.ships {
            if self.alive(ship.id)? {
                living.push(ship.id);
            }
        }
        Ok(living)
    }

    /// The total of dice that lie in one of the two areas.
    pub(crate) fn total(&self, dice: &[Pips], at: Zone) -> Result<u16, Reason> {
        let mut total = 0u16;
        for die in dice {
            let content = die.content().ok_or(Reason::Unknown { at })?;
            total = total.saturating_add(u16::from(content.unwrap_or(0)));
        }
        Ok(total)
    }

    /// Whether a ship has boosted this round: a die of it lies in the Boost area.
    pub(crate) fn has_boosted(&self, id: ShipId) -> Result<bool, Reason> {
        any_die(&self.get(id)?.boosted, Zone::Boosted(id))
    }

    /// Whether there was a contest this round: dice lie on the Manoeuvre token.
    pub(crate) fn contest_done(&self) -> Result<bool, Reason> {
        let mut open = None;
        for ship in &self.ships {
            match any_die(&ship.manoeuvred, Zone::Manoeuvred(ship.id)) {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(reason) => open = Some(reason),
            }
        }
        open.map_or(Ok(false), Err)
    }

    /// Whether the ship has a die on its console.
    pub(crate) fn has_dice(&self, id: ShipId) -> Result<bool, Reason> {
        let ship = self.get(id)?;
        if ship.dice.iter().any(|d| !d.may_be_absent()) {
            return Ok(true);
        }
        let open = Spot::ALL.iter().find(|s| ship.die(**s).may_be_there());
        open.map_or(Ok(false), |spot| {
            Err(Reason::Unknown {
                at: Zone::Die(id, *spot),
            })
        })
    }

    /// The shields that may answer a hit on a side.
    pub(crate) fn answering(&self, id: ShipId, side: Side) -> Result<Vec<Shield>, Reason> {
        let mut answering = Vec::new();
        for shield in Shield::ALL.iter().filter(|s| s.answers(side)) {
            let room = self.print.options.full_colour == FullColour::Anywhere
                || !damage_spots(self, id, *shield)?.is_empty();
            if room && self.shield_up(id, *shield)? {
                answering.push(*shield);
            }
        }
        Ok(answering)
    }

    /// The sector that is off limits: with one of three ships out, and the two others in one
    /// sector, the other one. They cannot leave it any more, so this needs no memory.
    pub(crate) fn closed(&self) -> Result<Option<u8>, Reason> {
        if self.ships.len() < 3 {
            return Ok(None);
        }
        match self.living()?.as_slice() {
            [a, b] => {
                let (a, b) = (self.sector(*a)?, self.sector(*b)?);
                Ok((a == b).then(|| self.field().opposite(a)).flatten())
            }
            _ => Ok(None),
        }
    }

    /// How the game ended; `Ok(None)` while it goes on.
    pub(crate) fn ended(&self) -> Result<Option<Outcome>, Reason> {
        if self.ships.len() < 2 {
            return Ok(None);
        }
        let living = self.living()?;
        let by = if living.len() <= 1 {
            return Ok(Some(Outcome {
                winners: living,
                by: EndedBy::LastShip,
            }));
        } else if self.print.options.ends_at_first_loss && living.len() < self.ships.len() {
            EndedBy::FirstLoss
        } else if self.flow.phase == Phase::RoundEnd && self.flow.round >= self.print.numbers.rounds
        {
            EndedBy::Rounds
        } else {
            return Ok(None);
        };
        let mut least = u16::MAX;
        let mut winners = Vec::new();
        for id in living {
            let mut tokens = 0;
            for spot in Spot::ALL {
                tokens += u16::from(self.damaged(id, *spot)?);
            }
            if tokens < least {
                least = tokens;
                winners.clear();
            }
            if tokens == least {
                winners.push(id);
            }
        }
        Ok(Some(Outcome { winners, by }))
    }

    /// How the game ended; `None` while it goes on, or where that depends on what is not known.
    pub fn outcome(&self) -> Option<Outcome> {
        self.ended().ok().flatten()
    }

    /// Where a ship's cubes are at most.
    pub(crate) fn cubes_that_fit(&self) -> u16 {
        u16::from(self.print.numbers.cubes)
    }

    /// The same state as claims: `position.to_setup().resolve(position.print())` is the position
    /// again.
    pub fn to_setup(&self) -> Setup {
        let ships = self.ships.iter().map(|ship| {
            let is = |place: &Place<bool>, want| place.known().copied() == want;
            let damage = |want| {
                let spots = Spot::ALL.iter().copied();
                spots.filter(|s| is(ship.damage(*s), want)).collect()
            };
            let shields = |want| {
                let shields = Shield::ALL.iter().copied();
                shields.filter(|s| is(ship.shield(*s), want)).collect()
            };
            let dice = Spot::ALL
                .iter()
                .filter(|s| !ship.screen.hides() && ship.die(**s).may_be_there())
                .map(|s| DieSetup::new(*s, ship.die(*s)));
            ShipSetup {
                id: ship.id,
                space: ship.space.clone(),
                heading: ship.heading.clone(),
                retired: ship.retired,
                screen: ship.screen,
                dice: dice.collect(),
                damage: damage(Some(true)),
                damage_unsure: damage(None),
                shields: shields(Some(true)),
                shields_unsure: shields(None),
                cubes: ship.cubes,
                boosted: ship.boosted.clone(),
                manoeuvred: ship.manoeuvred.clone(),
            }
        });
        Setup {
            ships: ships.collect(),
            flow: self.flow.clone(),
        }
    }

    // -----------------------------------------------------------------------------------------
    // The states that an unknown place allows.

    /// This position once for each content that a place may have.
    pub(crate) fn each_content(&self, zone: Zone) -> Vec<Position> {
        let Some(index) = zone_ship(zone).and_then(|id| self.ships.iter().position(|s| s.id == id))
        else {
            return Vec::new();
        };
        let mut all = Vec::new();
        let mut add = |change: &dyn Fn(&mut Ship)| {
            let mut position = self.clone();
            if let Some(ship) = position.ships.get_mut(index) {
                change(ship);
            }
            all.push(position);
        };
        let Some(ship) = self.ships.get(index) else {
            return Vec::new();
        };
        match zone {
            Zone::Ship(_) => {
                let spaces = match ship.space.candidates() {
                    Some(spaces) => spaces.to_vec(),
                    None => self.field().spaces().collect(),
                };
                for space in spaces {
                    add(&|ship| ship.space = Place::Known(space));
                }
            }
            Zone::Heading(_) => {
                for heading in Heading::ALL {
                    add(&|ship| ship.heading = Place::Known(*heading));
                }
            }
            Zone::Die(_, spot) => {
                for pips in ship.die(spot).each() {
                    add(&|ship| ship.set_die(spot, pips));
                }
            }
            Zone::Damage(_, spot) => {
                for there in [false, true] {
                    add(&|ship| ship.set_damage(spot, Place::Known(there)));
                }
            }
            Zone::Shield(_, shield) => {
                for up in [false, true] {
                    add(&|ship| ship.set_shield(shield, Place::Known(up)));
                }
            }
            Zone::Cubes(_) => {
                for n in ship.cubes.min..=ship.cubes.max {
                    add(&|ship| ship.cubes = Span::known(n));
                }
            }
            Zone::Boosted(_) | Zone::Manoeuvred(_) => {
                let boosted = matches!(zone, Zone::Boosted(_));
                let dice = if boosted {
                    &ship.boosted
                } else {
                    &ship.manoeuvred
                };
                let open = dice.iter().enumerate().find(|(_, d)| !d.is_known());
                for (i, pips) in open
                    .iter()
                    .flat_map(|(i, d)| d.each().map(move |p| (*i, p)))
                {
                    add(&|ship| {
                        let dice = if boosted {
                            &mut ship.boosted
                        } else {
                            &mut ship.manoeuvred
                        };
                        if let Some(die) = dice.get_mut(i) {
                            *die = pips;
                        }
                    });
                }
            }
            Zone::Console(_) | Zone::Table => {}
        }
        all
    }
}

fn zone_ship(zone: Zone) -> Option<ShipId> {
    match zone {
        Zone::Ship(id)
        | Zone::Heading(id)
        | Zone::Die(id, _)
        | Zone::Damage(id, _)
        | Zone::Shield(id, _)
        | Zone::Cubes(id)
        | Zone::Boosted(id)
        | Zone::Manoeuvred(id)
        | Zone::Console(id) => Some(id),
        Zone::Table => None,
    }
}

fn any_die(dice: &[Pips], at: Zone) -> Result<bool, Reason> {
    if dice.iter().any(|d| !d.may_be_absent()) {
        return Ok(true);
    }
    match dice.iter().any(|d| d.may_be_there()) {
        true => Err(Reason::Unknown { at }),
        false => Ok(false),
    }
}
