//! How alike two texts are, by words ([`rouge`]) or by an encoder's vectors ([`bertscore`]).

pub mod bertscore;
pub mod rouge;
