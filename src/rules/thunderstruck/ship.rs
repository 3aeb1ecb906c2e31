//! A ship: its piece on the battlefield, its console, its dice on the battlefield's two areas.

use super::flow::Screen;
use super::pips::Pips;
use super::spot::{Duty, SPOTS, Shield, ShipId, Spot};
use super::track::{Heading, Space};
use crate::rules::{Place, Span};

/// A ship, with all that may be unknown about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ship {
    pub(crate) id: ShipId,
    pub(crate) retired: bool,
    pub(crate) screen: Screen,
    pub(crate) space: Place<Space>,
    pub(crate) heading: Place<Heading>,
    pub(crate) dice: [Pips; SPOTS],
    pub(crate) damage: [Place<bool>; SPOTS],
    pub(crate) shields: [Place<bool>; 3],
    pub(crate) cubes: Span,
    pub(crate) boosted: Vec<Pips>,
    pub(crate) manoeuvred: Vec<Pips>,
}

impl Ship {
    /// A ship of which nothing is known but that its console is empty.
    pub(crate) fn new(id: ShipId) -> Ship {
        Ship {
            id,
            retired: false,
            screen: Screen::Off,
            space: Place::Unknown,
            heading: Place::Unknown,
            dice: [Pips::NONE; SPOTS],
            damage: std::array::from_fn(|_| Place::Known(false)),
            shields: std::array::from_fn(|_| Place::Known(false)),
            cubes: Span::known(0),
            boosted: Vec::new(),
            manoeuvred: Vec::new(),
        }
    }

    /// Its name.
    pub fn id(&self) -> ShipId {
        self.id
    }

    /// Whether it was destroyed: its piece is off the battlefield.
    pub fn is_retired(&self) -> bool {
        self.retired
    }

    /// Its screen. While that stands, the position knows of no die on the console.
    pub fn screen(&self) -> Screen {
        self.screen
    }

    /// Where it stands.
    pub fn space(&self) -> &Place<Space> {
        &self.space
    }

    /// Where it is headed.
    pub fn heading(&self) -> &Place<Heading> {
        &self.heading
    }

    /// What lies on a space of the console.
    pub fn die(&self, spot: Spot) -> Pips {
        self.dice.get(spot.index()).copied().unwrap_or(Pips::NONE)
    }

    /// Whether a space has a damage token.
    pub fn damage(&self, spot: Spot) -> &Place<bool> {
        self.damage.get(spot.index()).unwrap_or(&Place::Unknown)
    }

    /// Whether a shield is up.
    pub fn shield(&self, shield: Shield) -> &Place<bool> {
        self.shields.get(shield.index()).unwrap_or(&Place::Unknown)
    }

    /// Its power cubes.
    pub fn cubes(&self) -> Span {
        self.cubes
    }

    /// Its dice in the Boost area: those it boosted with this round.
    pub fn boosted(&self) -> &[Pips] {
        &self.boosted
    }

    /// Its dice on the Manoeuvre token.
    pub fn manoeuvred(&self) -> &[Pips] {
        &self.manoeuvred
    }

    pub(crate) fn set_die(&mut self, spot: Spot, pips: Pips) {
        if let Some(die) = self.dice.get_mut(spot.index()) {
            *die = pips;
        }
    }

    pub(crate) fn set_damage(&mut self, spot: Spot, there: Place<bool>) {
        if let Some(damage) = self.damage.get_mut(spot.index()) {
            *damage = there;
        }
    }

    pub(crate) fn set_shield(&mut self, shield: Shield, up: Place<bool>) {
        if let Some(place) = self.shields.get_mut(shield.index()) {
            *place = up;
        }
    }

    /// Damage tokens that certainly lie on the console, and those that may.
    pub fn damage_count(&self) -> Span {
        let sure = |want| {
            let tokens = self.damage.iter().filter(|d| want == d.known().copied());
            u16::try_from(tokens.count()).unwrap_or(0)
        };
        let (there, open) = (sure(Some(true)), sure(None));
        Span {
            min: there,
            max: there.saturating_add(open),
        }
    }

    /// Dice on the console and in the two areas: at least and at most.
    pub fn dice_count(&self) -> Span {
        let all = self
            .dice
            .iter()
            .chain(&self.boosted)
            .chain(&self.manoeuvred);
        all.fold(Span::known(0), |sum, die| {
            sum.plus(Span {
                min: u16::from(!die.may_be_absent()),
                max: u16::from(die.may_be_there()),
            })
        })
    }

    /// A duty of which both spaces are certainly damaged.
    pub(crate) fn lost(&self) -> Option<Duty> {
        let gone = |spot: &Spot| self.damage(*spot).known() == Some(&true);
        Duty::VITAL
            .into_iter()
            .find(|duty| duty.spots().iter().all(gone))
    }
}
