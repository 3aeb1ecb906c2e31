//! A piece that was found on one surface, and what it is to a token that lies in the same place.

use crate::{geometry::Point, vision::Form};

/// What is found on a token is no further from it than this part of the longer one's half.
const ON: f64 = 0.6;
/// A crystal that is less of a token's width than this hides so little of its print that the token may look bare under it: that it lies there is
/// not sure then. Set by judgement: an eighth of the print, of quite another colour, leaves a correlation of 0.82.
const HIDES: f64 = 0.35;

/// A piece on one surface, not yet told from its like.
#[derive(Clone)]
pub(super) struct Found {
    pub form: Form,
    pub score: f64,
    pub at_mm: [f64; 2],
    pub half_mm: f64,
    /// Clockwise from up, degrees; and how sure that is.
    pub heading: f64,
    pub pointed: f64,
    /// How much liker the copy's ships it is so than turned by a quarter or a half.
    pub nose: f64,
    /// A token whose whole print is seen.
    pub bare: bool,
    /// It may be the print of a token.
    pub may_be_print: bool,
    /// Log-odds of each enrolled piece against being none of them; those of another form are left out.
    pub like: Vec<(usize, f64)>,
}

impl Found {
    /// What a ship or a crystal that is said to stand where a token lies is to a token whose print is seen.
    pub fn on(&self, token: &Self) -> Option<OnToken> {
        let [a, b] = [self, token].map(|f| Point::from(f.at_mm));
        let near = (a - b).norm() <= ON * self.half_mm.max(token.half_mm);
        if token.form != Form::Token || !token.bare || !near {
            return None;
        }
        match self.form {
            Form::Token => None,
            Form::Crystal if self.half_mm < HIDES * token.half_mm => Some(OnToken::MayLie),
            Form::Ship | Form::Crystal => Some(OnToken::IsPrint),
        }
    }
}

/// What was found on a token whose print is seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum OnToken {
    /// A part of the print: it would hide more of it.
    IsPrint,
    /// That, or a thing that hides little of it.
    MayLie,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_in_the_middle_of_a_token_that_is_wholly_seen_is_its_print() {
        let found = |form, x: f64, half_mm| Found {
            form,
            score: 0.97,
            at_mm: [x, 100.0],
            half_mm,
            heading: 0.0,
            pointed: 1.0,
            nose: 0.0,
            bare: true,
            may_be_print: false,
            like: Vec::new(),
        };
        let token = found(Form::Token, 100.0, 12.0);
        let print = Some(OnToken::IsPrint);
        assert_eq!(found(Form::Crystal, 103.0, 4.5).on(&token), print);
        assert_eq!(found(Form::Ship, 103.0, 15.0).on(&token), print);
        // one that is so small may lie on it
        let small = found(Form::Crystal, 103.0, 3.0).on(&token);
        assert_eq!(small, Some(OnToken::MayLie));
        // a crystal beside it, another token that was pushed against it, and a token whose print is not seen
        assert_eq!(found(Form::Crystal, 109.0, 4.5).on(&token), None);
        assert_eq!(found(Form::Token, 103.0, 12.0).on(&token), None);
        assert_eq!(token.on(&found(Form::Crystal, 103.0, 4.5)), None);
        let hidden = Found {
            bare: false,
            ..token
        };
        assert_eq!(found(Form::Crystal, 103.0, 4.5).on(&hidden), None);
    }
}
