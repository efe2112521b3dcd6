//! Statistics compared with Python libraries, and on hostile input.
#![allow(clippy::unwrap_used)]

mod attack;
mod parity;
