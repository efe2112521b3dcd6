//! The range of values that can be drawn.

use crate::Undefined;

/// The largest absolute score that is drawn.
pub(super) const GREATEST: f64 = 1e100;

/// Refuses values outside a range, NaN included.
pub(super) fn check_range(values: &[f64], low: f64, high: f64) -> Result<(), Undefined> {
    match values.iter().position(|value| !(low..=high).contains(value)) {
        Some(index) if !values[index].is_finite() => Err(Undefined::NotFinite { index }),
        Some(index) => Err(Undefined::OutOfRange { index, low, high }),
        None => Ok(()),
    }
}
