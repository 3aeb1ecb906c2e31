//! Tokens, mines and crystals.

use super::Resolver;
use crate::rules::dice_duel::board::{Grounds, Terrain, TokenKind};
use crate::rules::dice_duel::fault::Fault;
use crate::rules::dice_duel::square::Square;
use crate::rules::dice_duel::zone::{Spot, Zone};
use crate::rules::{Place, Span};

impl Resolver<'_> {
    pub(super) fn token(&mut self, kind: &Place<TokenKind>, at: Zone) {
        // A thing that was not read may be anything that lies on a map.
        let mut any_kind = vec![TokenKind::Nothing, TokenKind::Mine, TokenKind::Crystal];
        any_kind.extend(self.hidden_grounds(true).into_iter().map(TokenKind::Ground));
        let kinds = kind.candidates().unwrap_or(&any_kind);
        let all = |wanted: TokenKind| kinds.iter().all(|k| *k == wanted);
        let any = |wanted: TokenKind| kinds.contains(&wanted);
        let one = |wanted: TokenKind| Span::between(u16::from(all(wanted)), 1);
        match at {
            Zone::Board(square) => self.token_on(square, kinds, kind.is_known()),
            Zone::UsedCrystals if any(TokenKind::Crystal) => {
                self.used = self.used.plus(one(TokenKind::Crystal));
            }
            Zone::Crystals(ship) if any(TokenKind::Crystal) => {
                let more = one(TokenKind::Crystal);
                let ship = self.ship(ship);
                ship.crystals = ship.crystals.plus(more);
            }
            Zone::Damage(ship, _) if any(TokenKind::Crystal) => {
                let more = one(TokenKind::Crystal);
                let hull = u16::from(self.print.numbers.hull);
                let damage = &mut self.ship(ship).damage;
                damage.crystals = damage.crystals.plus(more);
                let seen = damage.total().min;
                let over = seen > hull;
                *damage = damage.within(hull);
                if over {
                    damage.crystals = Span::between(0, hull);
                    self.problem(at, Fault::TooMuchDamage { seen, hull });
                }
            }
            Zone::On(ship, Spot::MineA | Spot::MineB | Spot::Beam | Spot::Energy(_))
            | Zone::Display(ship, _)
                if any(TokenKind::Mine) =>
            {
                let more = one(TokenKind::Mine);
                self.ship(ship);
                self.mines.push((ship, more));
            }
            Zone::Table | Zone::Beside(_) => {}
            _ if any(TokenKind::Nothing) => {}
            _ => self.problem(at, Fault::TokenMisplaced),
        }
    }

    pub(super) fn token_on(&mut self, square: Square, kinds: &[TokenKind], known: bool) {
        let at = Zone::Board(square);
        let Some(cell) = self.board.cell_mut(square) else {
            self.problem(at, Fault::TokenOffMap);
            return;
        };
        let mut faults = Vec::new();
        if !known && kinds.len() > 1 {
            faults.push(Fault::TokenUnsure);
        }
        let maybe = |wanted: fn(&TokenKind) -> bool| {
            let any = kinds.iter().any(wanted);
            let all = kinds.iter().all(wanted);
            any.then(|| Span::between(u16::from(all), 1))
        };
        if let Some(more) = maybe(|k| *k == TokenKind::Crystal) {
            cell.crystals = cell.crystals.plus(more);
        }
        if let Some(more) = maybe(|k| *k == TokenKind::Mine) {
            let sum = cell.mines.plus(more);
            if sum.min > 1 {
                faults.push(Fault::TwoMines);
            }
            cell.mines = Span::between(sum.min.min(1), 1);
        }
        let is_ground = |k: &TokenKind| matches!(k, TokenKind::Ground(_));
        if let Some(more) = maybe(is_ground) {
            let mut grounds = Grounds::NONE;
            let mut foreign = false;
            for kind in kinds {
                if let TokenKind::Ground(terrain) = kind {
                    if self.print.in_play(*terrain) {
                        grounds = grounds.with(*terrain);
                    } else {
                        foreign = true;
                    }
                }
            }
            if foreign {
                faults.push(Fault::NotInPlay);
            }
            // If it is what this game is played without, it is taken off.
            if more.min == 0 || foreign {
                grounds = grounds.with(Terrain::Open);
            }
            if cell.ground.may_act() {
                if grounds.may_act() {
                    faults.push(Fault::TwoTokens);
                }
                for terrain in cell.ground.iter() {
                    grounds = grounds.with(terrain);
                }
            }
            cell.ground = grounds;
            let options = &self.print.options;
            let board = &self.print.board;
            let marked = board.crystal_squares.contains(&square)
                || board.starts.iter().any(|s| s.square == square);
            if marked && grounds.may_act() && (known || !options.tokens_on_marked_squares) {
                faults.push(Fault::OnMarkedSquare);
            }
        }
        for fault in faults {
            self.problem(at, fault);
        }
    }
}
