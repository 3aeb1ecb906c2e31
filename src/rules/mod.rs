//! The rules of the games: pure, no clock, no I/O, no floats where integers do.
