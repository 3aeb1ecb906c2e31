//! A launch that hit and is being resolved: what is still waited for.

use super::bearing::Sectors;
use super::damage::Need;
use super::flow::Launch;
use super::launch::{Aim, Line};
use super::position::Position;
use super::ship::Ship;
use super::zone::{Sector, Spot, Zone};

/// What a launch waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pending {
    /// The defender says which of the sectors is struck.
    Sector,
    /// So many weapon dice are still to be rolled.
    Roll(u8),
    /// All is there: so many torpedoes do damage.
    Done(u8),
    /// What is to be done depends on these places.
    Unknown {
        at: Vec<Zone>,
        /// A roll may be asked for, and may be made.
        may_roll: bool,
    },
}

impl Position {
    /// What a launch that hit waits for.
    pub(crate) fn pending(&self, launch: &Launch) -> Pending {
        let Some(target) = self.ship(launch.target) else {
            return unknown(vec![Zone::Ship(launch.target)]);
        };
        match launch.sectors.as_slice() {
            [sector] => self.pending_rolls(launch, target, *sector),
            _ => self.pending_sector(launch, target),
        }
    }

    fn pending_sector(&self, launch: &Launch, target: &Ship) -> Pending {
        let mut at = Vec::new();
        match self.impact_lines(launch).as_deref() {
            // Somebody says so who saw it: nothing here contradicts that.
            Some([]) => {}
            Some([line]) => {
                let struck = self.struck(target, line.faces());
                if struck.unsure {
                    at.extend(open_shields(target, line.faces()));
                }
            }
            _ => {
                let shooter = self.ship(launch.shooter).into_iter();
                let open = |s: &&Ship| {
                    !s.square().is_known() || !s.facing().is_known() || !s.half().is_known()
                };
                let both = shooter.chain([target]).filter(open);
                at.extend(both.map(|s| Zone::Ship(s.id())));
                at.extend(open_shields(target, sector_set(&launch.sectors)));
            }
        }
        if at.is_empty() {
            Pending::Sector
        } else {
            unknown(at)
        }
    }

    fn pending_rolls(&self, launch: &Launch, target: &Ship, sector: Sector) -> Pending {
        let flown = launch.tubes.len();
        let rolled = launch.blasts.len() >= flown;
        let damage = |shields: u8| {
            let through = |need: Need| launch.blasts.iter().filter(|b| need.met_by(**b)).count();
            match Need::against(&self.print, u16::from(shields)) {
                Need::Never => Some(0),
                Need::Blasts(0) => Some(flown),
                need => rolled.then(|| through(need)),
            }
        };
        let counts = target.shields(sector);
        let mut each = counts.values().map(damage);
        let first = each.next().unwrap_or(Some(0));
        if each.all(|d| d == first) {
            return match first {
                Some(damage) => Pending::Done(damage.min(255) as u8),
                None => Pending::Roll((flown - launch.blasts.len()).min(255) as u8),
            };
        }
        Pending::Unknown {
            at: vec![Zone::On(target.id(), Spot::Shield(sector))],
            may_roll: counts.values().any(|n| damage(n).is_none()),
        }
    }

    /// The lines along which a launch may have come; `None` where there are too many.
    fn impact_lines(&self, launch: &Launch) -> Option<Vec<Line>> {
        let (Some(shooter), Some(target)) = (self.ship(launch.shooter), self.ship(launch.target))
        else {
            return Some(Vec::new());
        };
        let mut lines = self.lines(shooter, Aim::Ship(target))?;
        lines.retain(|l| l.side.is_some());
        // Only the sectors matter here.
        lines.sort_unstable_by_key(|l| l.sectors);
        lines.dedup_by_key(|l| l.sectors);
        Some(lines)
    }

    /// The sectors a launch may strike by what is known now; `None` where that says nothing.
    pub(crate) fn impact(&self, launch: &Launch) -> Option<Vec<Sector>> {
        let target = self.ship(launch.target)?;
        let struck = match self.impact_lines(launch) {
            Some(lines) => lines
                .iter()
                .map(|l| self.struck(target, l.faces()).sectors)
                .fold(Sectors::NONE, Sectors::union),
            None => sector_set(&Sector::ALL),
        };
        (!struck.is_empty()).then(|| struck.iter().collect())
    }
}

fn unknown(at: Vec<Zone>) -> Pending {
    Pending::Unknown {
        at,
        may_roll: false,
    }
}

fn sector_set(sectors: &[Sector]) -> Sectors {
    let one = |s: &Sector| Sectors::one(*s);
    sectors.iter().map(one).fold(Sectors::NONE, Sectors::union)
}

fn open_shields(target: &Ship, sectors: Sectors) -> impl Iterator<Item = Zone> + '_ {
    let open = sectors.iter().filter(|s| !target.shields(*s).is_known());
    open.map(|s| Zone::On(target.id(), Spot::Shield(s)))
}
