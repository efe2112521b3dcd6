//! A row before it is known which of its fields are texts.

use super::fault::{Origin, Place};
use crate::input::Fields;

/// A row as it was read.
#[derive(Debug, Clone)]
pub struct RawRow {
    /// Its file and place.
    pub origin: Origin,
    /// Its fields, in order.
    pub fields: Fields,
}

/// A row from the reader of one file.
pub(super) type Read = (Place, Fields);
