//! The rules of the four games, game by game: cases of the books, sections played out, what holds by chance, schemas.
//!
//! One target, because each target compiles what it reads and prints of a game for itself: on two
//! cores twenty-seven took three minutes to build, one takes less than one.

mod chance;
mod dice_duel;
mod diceland;
mod nearspace;
mod schema;
mod schemas;
mod thunderstruck;
