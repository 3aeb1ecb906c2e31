//! Moving on the map: helm dice in the order A, B, C, every square entered, every edge.

use super::board::{Board, Terrain};
use super::print::{EdgeMove, Print};
use super::ship::{Placement, Ship};
use super::square::{Facing, Square};
use super::symbol::Symbol;
use super::zone::{HelmSlot, Spot, Zone};

/// What a ship met where it entered a square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Met {
    /// Asteroid squares entered.
    pub asteroids: u8,
    /// Nebula squares entered.
    pub nebulas: u8,
    /// Rift squares entered.
    pub rifts: u8,
}

/// What a move does, worked out before anything is touched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Course {
    /// Every square entered, in order; a wormhole's two ends one after the other.
    pub path: Vec<Square>,
    /// The direction in which each of them was entered.
    pub headings: Vec<Facing>,
    /// The last step led through a wormhole.
    pub through_wormhole: bool,
    /// The direction of the last step, if there was one.
    pub heading: Option<Facing>,
    /// Where it ends: square and facing.
    pub end: Option<(Square, Facing)>,
    /// What lay on the way.
    pub met: Met,
    /// Squares whose mines went off.
    pub mines: Vec<Square>,
    /// Helm dice that are kept (gravity arrows).
    pub saved: u8,
    /// The die in C was not carried out (gravity arrows).
    pub c_dropped: bool,
    /// The ship was destroyed on the way.
    pub destroyed: bool,
    /// Squares whose content matters and is not known; what follows the first is a guess.
    pub unsure: Vec<Square>,
}

/// A map with a ship moving over it.
struct Walk<'a> {
    board: &'a Board,
    print: &'a Print,
    course: Course,
    /// Mines that destroy it.
    hull_left: u16,
}

impl Walk<'_> {
    /// The square a step leads to, through a wormhole if there is one; `None` at the edge.
    fn next(&self, from: Square, to: Facing) -> Option<(Square, Option<Square>)> {
        let next = from.step(to);
        if !self.board.contains(next) {
            return None;
        }
        let exit = (self.board.cell(next).ground.known() == Some(Terrain::Wormhole))
            .then(|| self.board.wormhole_exit(next))
            .flatten();
        Some((next, exit))
    }

    /// Enters a square and whatever it leads to; where the ship is then.
    fn enter(
        &mut self,
        square: Square,
        exit: Option<Square>,
        act_here: bool,
        heading: Facing,
    ) -> Square {
        self.course.path.push(square);
        self.course.headings.push(heading);
        self.course.through_wormhole = false;
        if act_here {
            self.act(square);
        }
        let cell = self.board.cell(square);
        if cell.ground.contains(Terrain::Wormhole) && exit.is_none() {
            // The other end is not known, or it is not known whether this is one.
            self.unsure(square);
        }
        if let Some(exit) = exit
            && !self.course.destroyed
        {
            self.course.path.push(exit);
            self.course.headings.push(heading);
            self.course.through_wormhole = true;
            self.act(exit);
            return exit;
        }
        square
    }

    fn unsure(&mut self, square: Square) {
        if !self.course.unsure.contains(&square) {
            self.course.unsure.push(square);
        }
    }

    fn act(&mut self, square: Square) {
        let cell = self.board.cell(square);
        match cell.ground.known() {
            Some(Terrain::Asteroid) => self.course.met.asteroids += 1,
            Some(Terrain::Nebula) => self.course.met.nebulas += 1,
            Some(Terrain::Rift) => self.course.met.rifts += 1,
            Some(_) => {}
            None => self.unsure(square),
        }
        if self.course.mines.contains(&square) {
            return;
        }
        match cell.mines.value() {
            Some(0) => {}
            Some(_) => {
                self.course.mines.push(square);
                let harm = u16::from(self.print.numbers.mine_damage);
                let suffered = harm.saturating_mul(self.course.mines.len().min(64) as u16);
                self.course.destroyed = suffered >= self.hull_left && harm > 0;
            }
            None => self.unsure(square),
        }
    }
}

impl Course {
    /// The move that helm dice make, in the order A, B, C, from a place that is known. A ship
    /// moves only with all three; fewer are for looking at what a die does.
    pub fn of_dice(
        board: &Board,
        print: &Print,
        start: Placement,
        dice: &[Symbol],
        hull_left: u16,
    ) -> Course {
        let mut walk = Walk {
            board,
            print,
            course: Course::default(),
            hull_left,
        };
        let (mut at, mut facing) = (start.square, start.facing);
        let mut against = false;
        for (slot, die) in HelmSlot::ALL.into_iter().zip(dice.iter().copied()) {
            if walk.course.destroyed {
                break;
            }
            if slot == HelmSlot::C && against {
                walk.course.c_dropped = true;
                break;
            }
            let wanted = if die == Symbol::Forward2 { 2 } else { 1 };
            // The whole die is looked at first: at the edge it may not move the ship at all.
            let mut free = 0;
            let mut probe = at;
            let mut doubted = None;
            while free < wanted
                && let Some((next, exit)) = walk.next(probe, facing)
            {
                if exit.is_none() && board.cell(next).ground.contains(Terrain::Wormhole) {
                    doubted = doubted.or(Some(next));
                }
                probe = exit.unwrap_or(next);
                free += 1;
            }
            let steps = match print.options.edge_forward_two {
                EdgeMove::WholeDieStays if free < wanted => {
                    // Perhaps a wormhole led away from the edge.
                    if let Some(square) = doubted {
                        walk.unsure(square);
                    }
                    0
                }
                _ => free,
            };
            let each_square = print.options.gravity_counts_each_square;
            let mut counted = false;
            for _ in 0..steps {
                if walk.course.destroyed {
                    break;
                }
                let Some((next, exit)) = walk.next(at, facing) else {
                    break;
                };
                if let Some(Terrain::Gravity(arrow)) = board.cell(next).ground.known() {
                    if arrow == facing {
                        if each_square || !counted {
                            walk.course.saved = (walk.course.saved + 1).min(3);
                        }
                        counted = true;
                    } else if arrow == facing.opposite() && slot != HelmSlot::C {
                        against = true;
                    }
                }
                at = walk.enter(
                    next,
                    exit,
                    exit.is_none() || print.options.wormhole_entry_acts,
                    facing,
                );
                walk.course.heading = Some(facing);
            }
            facing = match die {
                Symbol::ForwardRight => facing.right(),
                Symbol::ForwardLeft => facing.left(),
                Symbol::ForwardAround => facing.opposite(),
                _ => facing,
            };
        }
        walk.course.end = Some((at, facing));
        walk.course
    }

    /// What entering one square does: by tractor beam or Warp Jump.
    pub(crate) fn entering(board: &Board, print: &Print, square: Square, hull_left: u16) -> Course {
        let mut walk = Walk {
            board,
            print,
            course: Course::default(),
            hull_left,
        };
        let exit = (board.cell(square).ground.known() == Some(Terrain::Wormhole))
            .then(|| board.wormhole_exit(square))
            .flatten();
        let at = walk.enter(
            square,
            exit,
            exit.is_none() || print.options.wormhole_entry_acts,
            // A ship that is put down has no heading; nobody asks for it.
            Facing::N,
        );
        walk.course.end = Some((at, Facing::N));
        walk.course
    }
}

impl Ship {
    /// The three helm dice, in the order in which they act, once all lie there and are known.
    pub fn helm_dice(&self) -> Option<[Symbol; 3]> {
        let die = |slot| self.dice(Spot::Helm(slot)).dice().first()?.known();
        Some([die(HelmSlot::A)?, die(HelmSlot::B)?, die(HelmSlot::C)?])
    }

    /// The helm slots that are empty, and those whose die is not known.
    pub(crate) fn helm_gaps(&self) -> (u8, Vec<Zone>) {
        let mut empty = 0;
        let mut unsure = Vec::new();
        for slot in HelmSlot::ALL {
            let spot = Spot::Helm(slot);
            match self.dice(spot).dice().first() {
                None => empty += 1,
                Some(die) if !die.is_known() => unsure.push(Zone::On(self.id, spot)),
                Some(_) => {}
            }
        }
        (empty, unsure)
    }

    /// Damage that would destroy it, if its damage is known.
    pub(crate) fn hull_left(&self, print: &Print) -> Option<u16> {
        let damage = self.damage().total().value()?;
        Some(u16::from(print.numbers.hull).saturating_sub(damage))
    }
}
