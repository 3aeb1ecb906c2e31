//! Dice and what their faces show.

use std::fmt;
use std::str::FromStr;

use super::ship_id::ParseNounError;
use crate::rules::string_serde;

/// The kinds of dice in the box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DieKind {
    /// White, numbered.
    Energy,
    /// Yellow.
    Helm,
    /// Red.
    Weapon,
    /// Green.
    Sensor,
    /// Blue.
    Shield,
    /// Orange.
    Tractor,
}

impl DieKind {
    /// All six.
    pub const ALL: [DieKind; 6] = [
        DieKind::Energy,
        DieKind::Helm,
        DieKind::Weapon,
        DieKind::Sensor,
        DieKind::Shield,
        DieKind::Tractor,
    ];

    /// Every symbol a die of this kind may show.
    pub fn symbols(self) -> Faces {
        Symbol::ALL
            .into_iter()
            .filter(|s| s.fits(self))
            .collect::<Faces>()
    }
}

impl fmt::Display for DieKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DieKind::Energy => "energy",
            DieKind::Helm => "helm",
            DieKind::Weapon => "weapon",
            DieKind::Sensor => "sensor",
            DieKind::Shield => "shield",
            DieKind::Tractor => "tractor",
        })
    }
}

impl FromStr for DieKind {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let singular = text.strip_suffix('s').unwrap_or(text);
        DieKind::ALL
            .into_iter()
            .find(|k| k.to_string() == singular)
            .ok_or_else(|| {
                ParseNounError::new(
                    text,
                    "a kind of die",
                    "write energy, helm, weapon, sensor, shield or tractor",
                )
            })
    }
}

string_serde!(
    DieKind,
    "DieKind",
    "energy, helm, weapon, sensor, shield or tractor"
);

/// The parts of a torpedo, one die each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// The front die.
    Nose,
    /// The middle die.
    Body,
    /// The rear die.
    Tail,
}

impl Part {
    /// All three.
    pub const ALL: [Part; 3] = [Part::Nose, Part::Body, Part::Tail];
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Part::Nose => "nose",
            Part::Body => "body",
            Part::Tail => "tail",
        })
    }
}

impl FromStr for Part {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Part::ALL
            .into_iter()
            .find(|p| p.to_string() == text)
            .ok_or_else(|| ParseNounError::new(text, "a torpedo part", "write nose, body or tail"))
    }
}

string_serde!(Part, "Part", "nose, body or tail");

macro_rules! symbols {
    ($($variant:ident = $text:literal, $doc:literal;)*) => {
        /// What the upper face of a die shows. Recognised by what it means, so that a copy's own
        /// art does not matter; how often a symbol occurs on a die is data of the copy.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum Symbol { $(#[doc = $doc] $variant,)* }

        impl Symbol {
            /// Every symbol there is.
            pub const ALL: [Symbol; [$(Symbol::$variant),*].len()] = [$(Symbol::$variant),*];

            /// The name by which copies, setups and positions call it.
            pub const fn name(self) -> &'static str {
                match self { $(Symbol::$variant => $text,)* }
            }
        }
    };
}

symbols! {
    Energy1 = "1", "Energy, for the first station.";
    Energy2 = "2", "Energy.";
    Energy3 = "3", "Energy.";
    Energy4 = "4", "Energy.";
    Energy5 = "5", "Energy.";
    Energy6 = "6", "Energy.";
    Forward1 = "F1", "Forward one square.";
    Forward2 = "F2", "Forward two squares.";
    ForwardRight = "FR", "Forward one square, then a quarter turn right.";
    ForwardLeft = "FL", "Forward one square, then a quarter turn left.";
    ForwardAround = "FU", "Forward one square, then half a turn.";
    Nose = "NOSE", "Torpedo nose.";
    Body = "BODY", "Torpedo body.";
    Tail = "TAIL", "Torpedo tail.";
    Blast1 = "BLAST1", "One blast.";
    Blast2 = "BLAST2", "Two blasts.";
    NoseBlast1 = "NOSE+BLAST1", "A face that shows a nose and one blast.";
    NoseBlast2 = "NOSE+BLAST2", "A face that shows a nose and two blasts.";
    BodyBlast1 = "BODY+BLAST1", "A face that shows a body and one blast.";
    BodyBlast2 = "BODY+BLAST2", "A face that shows a body and two blasts.";
    TailBlast1 = "TAIL+BLAST1", "A face that shows a tail and one blast.";
    TailBlast2 = "TAIL+BLAST2", "A face that shows a tail and two blasts.";
    Lock1 = "L1", "One weapon lock point.";
    Lock2 = "L2", "Two weapon lock points.";
    Jammer1 = "J1", "One jammer point.";
    Jammer2 = "J2", "Two jammer points.";
    Shield1 = "S1", "Shield for the front.";
    Shield2 = "S2", "Shield for the right side.";
    Shield3 = "S3", "Shield for the back.";
    Shield4 = "S4", "Shield for the left side.";
    Beam1 = "T1", "One tractor beam point.";
    Beam2 = "T2", "Two tractor beam points.";
    MineA = "MINE_A", "Arms the first mine.";
    MineB = "MINE_B", "Arms the second mine.";
    MineAB = "MINE_AB", "Arms either mine, where a copy's die has one face for both.";
    Expansion = "EXP", "Of no use without an expansion.";
}

impl Symbol {
    const fn bit(self) -> u64 {
        1 << (self as u8)
    }

    /// The energy number `n`.
    pub fn energy(n: u8) -> Option<Symbol> {
        use Symbol::*;
        let all = [Energy1, Energy2, Energy3, Energy4, Energy5, Energy6];
        all.get(usize::from(n).checked_sub(1)?).copied()
    }

    /// Whether a die of this kind can show it.
    pub fn fits(self, kind: DieKind) -> bool {
        use Symbol::*;
        match self {
            Energy1 | Energy2 | Energy3 | Energy4 | Energy5 | Energy6 => kind == DieKind::Energy,
            Forward1 | Forward2 | ForwardRight | ForwardLeft | ForwardAround => {
                kind == DieKind::Helm
            }
            Nose | Body | Tail | Blast1 | Blast2 | NoseBlast1 | NoseBlast2 | BodyBlast1
            | BodyBlast2 | TailBlast1 | TailBlast2 => kind == DieKind::Weapon,
            Lock1 | Lock2 | Jammer1 | Jammer2 => kind == DieKind::Sensor,
            Shield1 | Shield2 | Shield3 | Shield4 => kind == DieKind::Shield,
            Beam1 | Beam2 | MineA | MineB | MineAB => kind == DieKind::Tractor,
            Expansion => matches!(kind, DieKind::Sensor | DieKind::Shield | DieKind::Tractor),
        }
    }

    /// The kind of die it is on, where the symbol alone says so.
    pub fn kind(self) -> Option<DieKind> {
        if self == Symbol::Expansion {
            return None;
        }
        DieKind::ALL.into_iter().find(|k| self.fits(*k))
    }

    /// The number on an energy die.
    pub fn energy_number(self) -> Option<u8> {
        (1..=6).find(|n| Symbol::energy(*n) == Some(self))
    }

    /// The torpedo part it shows.
    pub fn part(self) -> Option<Part> {
        use Symbol::*;
        match self {
            Nose | NoseBlast1 | NoseBlast2 => Some(Part::Nose),
            Body | BodyBlast1 | BodyBlast2 => Some(Part::Body),
            Tail | TailBlast1 | TailBlast2 => Some(Part::Tail),
            _ => None,
        }
    }

    /// The blasts it shows when rolled for damage.
    pub fn blasts(self) -> u8 {
        use Symbol::*;
        match self {
            Blast1 | NoseBlast1 | BodyBlast1 | TailBlast1 => 1,
            Blast2 | NoseBlast2 | BodyBlast2 | TailBlast2 => 2,
            _ => 0,
        }
    }

    /// Weapon lock points.
    pub fn lock(self) -> u8 {
        match self {
            Symbol::Lock1 => 1,
            Symbol::Lock2 => 2,
            _ => 0,
        }
    }

    /// Jammer points.
    pub fn jammer(self) -> u8 {
        match self {
            Symbol::Jammer1 => 1,
            Symbol::Jammer2 => 2,
            _ => 0,
        }
    }

    /// Tractor beam points.
    pub fn beam(self) -> u8 {
        match self {
            Symbol::Beam1 => 1,
            Symbol::Beam2 => 2,
            _ => 0,
        }
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Symbol {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Symbol::ALL
            .into_iter()
            .find(|s| s.name() == text)
            .ok_or_else(|| {
                ParseNounError::new(
                    text,
                    "a symbol",
                    "write what the face means: 1 to 6, F1 F2 FR FL FU, NOSE BODY TAIL, BLAST1 \
                     BLAST2, L1 L2 J1 J2, S1 to S4, T1 T2 MINE_A MINE_B, or EXP",
                )
            })
    }
}

string_serde!(
    Symbol,
    "Symbol",
    "what a face means: 1 to 6 (energy), F1 F2 FR FL FU, NOSE BODY TAIL BLAST1 BLAST2 (or both, NOSE+BLAST1), L1 L2 J1 J2, S1 to S4, T1 T2 MINE_A MINE_B MINE_AB, EXP"
);

/// What one die may show, as a set of symbols; it may also not be there at all.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Faces(u64);

const ABSENT: u64 = 1 << 63;

impl Faces {
    /// No die is there.
    pub const ABSENT: Faces = Faces(ABSENT);
    /// Nothing is possible: a contradiction.
    pub const NONE: Faces = Faces(0);

    /// A die that shows this.
    pub const fn one(symbol: Symbol) -> Faces {
        Faces(symbol.bit())
    }

    /// Either set.
    pub const fn union(self, other: Faces) -> Faces {
        Faces(self.0 | other.0)
    }

    /// Only what is in both.
    pub const fn intersection(self, other: Faces) -> Faces {
        Faces(self.0 & other.0)
    }

    /// What is here and not there.
    pub const fn minus(self, other: Faces) -> Faces {
        Faces(self.0 & !other.0)
    }

    /// The same, or no die at all.
    pub const fn or_absent(self) -> Faces {
        Faces(self.0 | ABSENT)
    }

    /// The same, and a die is surely there.
    pub const fn present(self) -> Faces {
        Faces(self.0 & !ABSENT)
    }

    /// Whether there may be no die.
    pub const fn may_be_absent(self) -> bool {
        self.0 & ABSENT != 0
    }

    /// Whether there may be a die.
    pub const fn may_be_present(self) -> bool {
        self.0 & !ABSENT != 0
    }

    /// Whether a die is surely there.
    pub const fn is_present(self) -> bool {
        self.0 & ABSENT == 0 && self.0 != 0
    }

    /// Whether nothing is possible.
    pub const fn is_contradiction(self) -> bool {
        self.0 == 0
    }

    /// Whether this symbol is possible.
    pub const fn contains(self, symbol: Symbol) -> bool {
        self.0 & symbol.bit() != 0
    }

    /// Whether everything possible here is possible there.
    pub const fn is_subset(self, of: Faces) -> bool {
        self.0 & !of.0 == 0
    }

    /// How many things are possible, no die counting as one.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether nothing is possible: the same as [`Faces::is_contradiction`].
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// A number by which sets are put in order, the same for every run.
    pub(crate) const fn order(self) -> u64 {
        self.0
    }

    /// Whether exactly one thing is possible.
    pub const fn is_known(self) -> bool {
        self.0.is_power_of_two()
    }

    /// The symbol, where a die is surely there and only one is possible.
    pub fn known(self) -> Option<Symbol> {
        if self.is_known() {
            self.symbols().next()
        } else {
            None
        }
    }

    /// The possible symbols, in the order of [`Symbol::ALL`].
    pub fn symbols(self) -> impl Iterator<Item = Symbol> {
        let mut rest = self.0 & !ABSENT;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let at = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            Symbol::ALL.get(at).copied()
        })
    }
}

impl FromIterator<Symbol> for Faces {
    fn from_iter<I: IntoIterator<Item = Symbol>>(symbols: I) -> Faces {
        Faces(symbols.into_iter().fold(0, |bits, s| bits | s.bit()))
    }
}

/// `L1`, `L1|L2` where it may be either, `-` for no die, `-|L1` where one may be there, `!` where
/// nothing is possible.
impl fmt::Display for Faces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        if self.may_be_absent() {
            f.write_str("-")?;
            first = false;
        }
        for symbol in self.symbols() {
            if !first {
                f.write_str("|")?;
            }
            f.write_str(symbol.name())?;
            first = false;
        }
        if first {
            f.write_str("!")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Faces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Faces {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "!" {
            return Ok(Faces::NONE);
        }
        text.split('|').try_fold(Faces::NONE, |faces, t| {
            Ok(faces.union(match t {
                "-" => Faces::ABSENT,
                _ => Faces::one(t.parse()?),
            }))
        })
    }
}

string_serde!(
    Faces,
    "Faces",
    "what a die may show: a symbol, or several with | between them; - stands for no die"
);
