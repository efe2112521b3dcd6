//! T5 on padded batches: as a judge, and from texts to texts.

mod decoder;
mod encoder;
mod generator;
mod judge;
mod parts;

pub(crate) use self::generator::PaddedT5;
pub(crate) use self::judge::PaddedT5Judge;
