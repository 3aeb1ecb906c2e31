//! What is printed on a face of a die.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::name::{Class, FaceId, KindId, Team};

/// A corner of the top face, as its print stands: clockwise from its own upper corner, seen from
/// above.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Corner {
    /// The upper corner.
    Top,
    /// The next, clockwise.
    Right,
    /// The last.
    Left,
}

impl Corner {
    /// All three, clockwise.
    pub const ALL: [Corner; 3] = [Corner::Top, Corner::Right, Corner::Left];

    /// Its place in the order of [`Corner::ALL`].
    pub fn index(self) -> usize {
        match self {
            Corner::Top => 0,
            Corner::Right => 1,
            Corner::Left => 2,
        }
    }

    /// The other two: the ends of the edge opposite, which is the baseline of an arrow here.
    pub fn others(self) -> [Corner; 2] {
        match self {
            Corner::Top => [Corner::Right, Corner::Left],
            Corner::Right => [Corner::Left, Corner::Top],
            Corner::Left => [Corner::Top, Corner::Right],
        }
    }
}

impl fmt::Display for Corner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Corner::Top => "top",
            Corner::Right => "right",
            Corner::Left => "left",
        })
    }
}

/// The colour of a weapon, an effect or a shield. Rule text, section "Color Immunity".
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Colour {
    Yellow,
    Red,
    Purple,
    LightBlue,
    DarkBlue,
    Green,
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Colour::Yellow => "yellow",
            Colour::Red => "red",
            Colour::Purple => "purple",
            Colour::LightBlue => "light blue",
            Colour::DarkBlue => "dark blue",
            Colour::Green => "green",
        })
    }
}

/// The shape of the sight arrows, which says whom they reach. Section "Shooting Range".
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Range {
    /// The closest visible target.
    Short,
    /// Any one visible target.
    Long,
    /// Every visible target, the closest first.
    All,
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Range::Short => "short range",
            Range::Long => "long range",
            Range::All => "all range",
        })
    }
}

/// Dice that an effect is restricted to; what is not said is not asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Filter {
    /// Of this team.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team: Option<Team>,
    /// Of this class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<Class>,
    /// Of this kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<KindId>,
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut said = false;
        for part in [
            self.team.as_ref().map(Team::as_str),
            self.class.as_ref().map(Class::as_str),
            self.kind.as_ref().map(KindId::as_str),
        ]
        .into_iter()
        .flatten()
        {
            write!(f, "{}{part}", if said { " " } else { "" })?;
            said = true;
        }
        if said { Ok(()) } else { f.write_str("any die") }
    }
}

/// What the sight arrows of a face do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Does {
    /// A weapon: its arrows carry numbers. It reaches enemies.
    Weapon,
    /// A command to allies of this sort.
    Command(Filter),
    /// Picks an ally up, to be thrown again.
    JumpAlly,
    /// Sends an enemy back to its owner's hand.
    Remove,
}

impl Does {
    /// Whether it reaches enemies; otherwise allies.
    pub fn at_enemies(self) -> bool {
        matches!(self, Does::Weapon | Does::Remove)
    }
}

impl fmt::Display for Does {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Does::Weapon => f.write_str("weapon"),
            Does::Command(filter) if *filter == Filter::default() => f.write_str("command all"),
            Does::Command(filter) => write!(f, "command {filter}"),
            Does::JumpAlly => f.write_str("jump ally"),
            Does::Remove => f.write_str("remove"),
        }
    }
}

/// The weapon line: one shot, whatever the number of its arrows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Shot {
    /// What it does.
    pub does: Does,
    /// The shape of its arrows.
    pub range: Range,
    /// Their colour.
    pub colour: Colour,
}

/// An effect without arrows. Section "Special Effects".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Effect {
    /// Throws dice of the hand into play.
    Call {
        /// At most so many, one after the other.
        count: u8,
        /// Of this sort.
        #[serde(default)]
        of: Filter,
    },
    /// Only all-range arrows see it.
    Cloak,
    /// Enemy arrows see it only where it is the closest.
    Dodge,
    /// Throws itself again.
    Jump,
    /// Manoeuvres, then fires.
    MoveAndShoot,
    /// Fires, then manoeuvres.
    ShootAndMove,
    /// No weapon of this attack value or less has an effect on it.
    Shield(u16),
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Effect::Call { count: 1, of } => write!(f, "call {of}"),
            Effect::Call { count, of } => write!(f, "call {count}: {of}"),
            Effect::Cloak => f.write_str("cloak"),
            Effect::Dodge => f.write_str("dodge"),
            Effect::Jump => f.write_str("jump"),
            Effect::MoveAndShoot => f.write_str("move and shoot"),
            Effect::ShootAndMove => f.write_str("shoot and move"),
            Effect::Shield(x) => write!(f, "shield {x}"),
        }
    }
}

/// A sight arrow: the number of a weapon, or `"blank"` for an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Arrow {
    /// The attack value of a weapon.
    Value(u16),
    /// An effect's arrow.
    Blank(Blank),
}

/// The word for an arrow without a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Blank {
    /// No number.
    Blank,
}

/// What is printed at a corner, and what comes up when it is pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CornerPrint {
    /// The face that comes up when the corner is pressed: the one across the edge opposite.
    pub to: FaceId,
    /// The sight arrow here, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arrow: Option<Arrow>,
    /// A green dot: it may be manoeuvred so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub green: bool,
    /// The red dot: damage goes this way.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub red: bool,
}

/// One face of a kind of die.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FacePrint {
    /// Its name.
    pub id: FaceId,
    /// Its side number, 1 to 8.
    pub side: u8,
    /// The number in the shield.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<u16>,
    /// The shield's colour, if it has one: immune to everything of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub immune: Option<Colour>,
    /// The weapon line, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shot: Option<Shot>,
    /// The effect line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<Effect>,
    /// The corners, clockwise from the print's upper one.
    pub corners: [CornerPrint; 3],
}

impl FacePrint {
    /// What is printed at a corner.
    pub fn corner(&self, corner: Corner) -> &CornerPrint {
        let [top, right, left] = &self.corners;
        match corner {
            Corner::Top => top,
            Corner::Right => right,
            Corner::Left => left,
        }
    }

    /// The corners with arrows.
    pub fn arrows(&self) -> impl Iterator<Item = (Corner, Arrow)> + '_ {
        Corner::ALL
            .into_iter()
            .filter_map(|c| self.corner(c).arrow.map(|arrow| (c, arrow)))
    }

    /// The corner with the red dot.
    pub fn red(&self) -> Option<Corner> {
        Corner::ALL.into_iter().find(|c| self.corner(*c).red)
    }

    /// Whether it has an effect.
    pub fn has(&self, effect: Effect) -> bool {
        self.effects.contains(&effect)
    }

    /// Shield X, the largest if there are several.
    pub fn shield(&self) -> Option<u16> {
        let shields = self.effects.iter().filter_map(|e| match e {
            Effect::Shield(x) => Some(*x),
            _ => None,
        });
        shields.max()
    }
}
