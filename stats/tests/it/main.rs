//! Statistics against Python's libraries, and on awkward input.
#![allow(clippy::unwrap_used)]

mod attack;
mod parity;
