//! What is still missing of what an owner tells, a few words each.

use super::sheet::Sheet;
use crate::{
    copy::{BOARD, Shape, TOKENS, names_photographs},
    session::{symbols_on, token_meanings},
};

impl Sheet {
    /// What is still to be told of a display or the board, a few words each.
    pub fn missing_on(&self, surface: &str) -> Vec<String> {
        let mut out = Vec::new();
        if surface == BOARD && self.owner.absent.contains(BOARD) {
            return out;
        }
        if self.size_mm(surface).is_none() {
            out.push("width and height".to_owned());
        }
        if surface == BOARD
            && self
                .owner
                .board
                .as_ref()
                .is_some_and(|b| b.square_mm <= 0.0)
        {
            out.push("a square's side".to_owned());
        }
        if self.lacks_number(surface) {
            out.push("the number of its energy dice".to_owned());
        }
        if let Some(board) = self.owner.board.as_ref().filter(|_| surface == BOARD) {
            if self.owner.is_dice_duel() && board.crystal_squares.is_empty() {
                out.push("the squares of crystals".to_owned());
            }
            let starts = self.owner.teams.iter();
            let unsaid = starts.filter(|t| !board.start_squares.contains_key(*t));
            out.extend(unsaid.map(|team| format!("where {team} starts")));
        }
        let undrawn = self.owner.undrawn(surface).into_iter();
        out.extend(undrawn.map(|zone| format!("zone {zone}")));
        out
    }

    /// What is still to be told of sizes.
    pub fn missing_sizes(&self) -> Vec<String> {
        let mut out = Vec::new();
        let kinds = self.owner.faces.keys();
        let sized = |k: &&String| self.owner.die_mm.of(k).is_none_or(|mm| mm <= 0.0);
        let unsized_kinds: Vec<&str> = kinds.filter(sized).map(String::as_str).collect();
        if !unsized_kinds.is_empty() {
            out.push(format!("the edge of a die ({})", unsized_kinds.join(", ")));
        }
        let displays = self.owner.displays.keys();
        let bare: Vec<&str> = displays
            .filter(|d| self.size_mm(d).is_none())
            .map(String::as_str)
            .collect();
        if !bare.is_empty() {
            out.push(format!("the size of displays ({})", bare.join(", ")));
        }
        out
    }

    /// Other displays say which energy dice power them, and this one does not: then none do.
    pub fn lacks_number(&self, display: &str) -> bool {
        let said = &self.owner.station_number;
        let powered = self.owner.is_dice_duel() && self.owner.usual_number(display).is_some();
        powered && !said.is_empty() && !said.contains_key(display)
    }

    /// What is still to be told of dice.
    pub fn missing_dice(&self) -> Vec<String> {
        if self.owner.faces.is_empty() {
            return vec!["what dice there are".to_owned()];
        }
        let mut out = Vec::new();
        for (kind, faces) in &self.owner.faces {
            if !names_photographs(kind) {
                out.push(format!("another name for {kind}"));
            }
            if self.is_unsaid(kind) {
                out.push(format!("what {kind} dice are"));
            }
            let mut once: Vec<&String> = faces.iter().collect();
            once.sort_unstable();
            once.dedup();
            for face in once {
                if !names_photographs(face) {
                    out.push(format!("another name for {face} of {kind} dice"));
                }
                if self.is_symbol_unsaid(kind, face) {
                    out.push(format!("what {face} of {kind} dice is"));
                }
            }
            out.extend(self.odd_faces(kind));
        }
        out
    }

    /// Nobody has said yet what this kind of die is to the rules, or that it is nothing.
    pub fn is_unsaid(&self, kind: &str) -> bool {
        let said = self.owner.kinds.contains_key(kind);
        self.owner.is_dice_duel() && !said && self.owner.kind_means(kind).is_none()
    }

    /// Nobody has said yet what this symbol is to the rules; on a die that is nothing to them it need not be said.
    pub fn is_symbol_unsaid(&self, kind: &str, face: &str) -> bool {
        let Some(of) = self.owner.kind_means(kind) else {
            return false;
        };
        let means = self.owner.symbol_means(kind, face);
        let means = means.unwrap_or_else(|| face.to_owned());
        !symbols_on(&of).contains(&means)
    }

    /// That a die has other than the faces of its shape.
    pub fn odd_faces(&self, kind: &str) -> Option<String> {
        let shape = self.owner.shapes.get(kind);
        let shape = shape.map_or(Some(Shape::D6), |name| Shape::from_name(name))?;
        let n = self.owner.faces.get(kind)?.len();
        let faces = shape.faces();
        (n != faces as usize).then(|| format!("{n} faces: a {} has {faces}", shape.name()))
    }

    /// What is still to be told of tokens.
    pub fn missing_tokens(&self) -> Vec<String> {
        let owner = &self.owner;
        if owner.tokens.is_empty() && !owner.absent.contains(TOKENS) {
            return vec!["what tokens there are".to_owned()];
        }
        let known = token_meanings();
        let is_known = |means: &String| means.is_empty() || known.contains(means);
        let mut out = Vec::new();
        for (name, token) in &owner.tokens {
            if !names_photographs(name) {
                out.push(format!("another name for {name}"));
            }
            if owner.is_dice_duel() && !is_known(&owner.token_means(name)) {
                out.push(format!("what {name} is"));
            }
            for (side, means) in &token.back {
                if !names_photographs(side) {
                    out.push(format!("a name for the other side of {name}"));
                }
                if owner.is_dice_duel() && !is_known(means) {
                    out.push(format!("what {name} turned over is"));
                }
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        copy::{Outline, OwnerToken},
        session::usual_owner,
    };

    #[test]
    fn dice_are_done_when_each_is_known_and_has_its_faces() {
        let mut sheet = Sheet::new(usual_owner());
        sheet.owner.faces.retain(|kind, _| kind == "helm");
        assert_eq!(sheet.missing_dice(), ["5 faces: a d6 has 6"]);
        let helm = sheet.owner.faces.get_mut("helm").expect("a kind");
        helm.push("F1".to_owned());
        assert!(sheet.missing_dice().is_empty());
        sheet.rename_face("helm", "FU", "round");
        assert!(sheet.missing_dice().is_empty(), "it means what it meant");
        sheet.owner.symbols.clear();
        assert_eq!(sheet.missing_dice(), ["what round of helm dice is"]);
        sheet.symbol_is("helm", "round", "FU".to_owned());
        sheet.shape_is("helm", "d8".to_owned());
        assert_eq!(sheet.missing_dice(), ["6 faces: a d8 has 8"]);
        sheet.owner.faces.clear();
        assert_eq!(sheet.missing_dice().len(), 1);
    }

    #[test]
    fn a_kind_that_is_said_to_be_nothing_is_done() {
        let mut sheet = Sheet::new(usual_owner());
        sheet.owner.faces.clear();
        let kind = sheet.new_kind();
        let faces = ["a", "b", "c", "d", "e", "f"].map(str::to_owned);
        sheet.owner.faces.insert(kind.clone(), faces.to_vec());
        assert_eq!(sheet.missing_dice(), [format!("what {kind} dice are")]);
        // what nobody said stays unsaid by another name
        assert!(sheet.rename_kind(&kind, "odd"));
        assert_eq!(sheet.missing_dice(), ["what odd dice are"]);
        sheet.kind_is("odd", None);
        assert!(sheet.missing_dice().is_empty());
        assert!(sheet.rename_kind("odd", "helm"));
        assert_eq!(sheet.owner.kind_means("helm"), None);
        assert!(sheet.missing_dice().is_empty());
    }

    #[test]
    fn tokens_are_done_when_each_side_is_known_or_there_are_none() {
        let mut sheet = Sheet::new(usual_owner());
        assert_eq!(sheet.missing_tokens(), ["what tokens there are"]);
        sheet.owner.absent.insert(TOKENS.to_owned());
        assert!(sheet.missing_tokens().is_empty());
        let token = OwnerToken {
            outline: Outline::Round,
            size_mm: 40.0,
            means: None,
            back: [(String::new(), "hole".to_owned())].into(),
        };
        sheet.owner.tokens.insert("rock".to_owned(), token);
        assert_eq!(
            sheet.missing_tokens(),
            [
                "what rock is",
                "a name for the other side of rock",
                "what rock turned over is"
            ]
        );
        assert!(sheet.written().absent.is_empty(), "there are some now");
        let token = sheet.owner.tokens.get_mut("rock").expect("a token");
        token.means = Some(String::new());
        token.back = [("back".to_owned(), "wormhole".to_owned())].into();
        assert!(sheet.missing_tokens().is_empty());
    }

    #[test]
    fn where_one_display_says_its_number_all_must() {
        let mut sheet = Sheet::new(usual_owner());
        assert!(!sheet.lacks_number("helm"));
        sheet.owner.station_number.insert("helm".to_owned(), 2);
        let lack = ["helm", "weapons", "engineering", BOARD].map(|d| sheet.lacks_number(d));
        assert_eq!(lack, [false, true, false, false]);
    }

    #[test]
    fn what_the_copy_lacks_is_not_to_do() {
        let mut sheet = Sheet::new(usual_owner());
        let zones = sheet.owner.undrawn("helm");
        let before = sheet.missing_on("helm").len();
        for zone in &zones {
            sheet.zone_is_absent("helm", zone, true);
        }
        assert_eq!(sheet.missing_on("helm").len(), before - zones.len());
        sheet.zone_is_absent("helm", &zones[0], false);
        assert_eq!(sheet.next_zone("helm").as_ref(), zones.first());
        // one that is drawn after all is there
        let outline = vec![[0.0, 0.0], [9.0, 0.0], [9.0, 9.0]];
        let helm = sheet.zones_mut("helm").expect("a display");
        helm.insert(zones[1].clone(), outline);
        assert_eq!(sheet.written().absent.len(), zones.len() - 2);
        sheet.owner.absent.insert(BOARD.to_owned());
        assert!(sheet.missing_on(BOARD).is_empty());
        // a team that is called otherwise lacks what it lacked
        sheet.zone_is_absent(BOARD, "damage/white/1", true);
        sheet.rename_team(0, "gulls".to_owned());
        assert!(sheet.owner.is_absent(BOARD, "damage/gulls/1"));
    }
}
