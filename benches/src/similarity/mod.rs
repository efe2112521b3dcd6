//! Similarity of two texts, by shared words ([`rouge`]) or by an encoder's token vectors ([`bertscore`]).

pub mod bertscore;
pub mod rouge;
