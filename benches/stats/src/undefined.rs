//! The reasons why a statistic has no value, and the checks of its input. Rows are never dropped to make a statistic
//! defined: the caller leaves out rows with missing values.

/// Why a statistic has no value for its input.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum Undefined {
    /// Lists of the same rows have different lengths.
    #[error("lists of {first} and {second} values: they must have as many rows as each other")]
    Lengths {
        /// Values in the first list.
        first: usize,
        /// Values in the other.
        second: usize,
    },
    /// There are not enough rows.
    #[error("{rows} rows are too few: at least {needed} are needed")]
    TooFew {
        /// Rows given.
        rows: usize,
        /// Rows needed.
        needed: usize,
    },
    /// A value is NaN, or infinite where only finite numbers have a meaning.
    #[error("value {} is not a finite number", index + 1)]
    NotFinite {
        /// Its index in its list, from 0.
        index: usize,
    },
    /// A value is outside its range.
    #[error("value {} is not between {low} and {high}", index + 1)]
    OutOfRange {
        /// Its index in its list, from 0.
        index: usize,
        /// The lowest value allowed.
        low: f64,
        /// The highest value allowed.
        high: f64,
    },
    /// All values of a list are equal.
    #[error("all values are equal")]
    Constant,
    /// Both labels are needed.
    #[error("rows of both labels are needed")]
    OneClass,
    /// The formula divides zero by zero for these numbers.
    #[error("{0}")]
    Degenerate(&'static str),
    /// A setting is out of its range.
    #[error("{0}")]
    Setting(&'static str),
}

/// Refuses lists of different lengths.
pub(super) fn same_length(first: usize, second: usize) -> Result<(), Undefined> {
    if first == second { Ok(()) } else { Err(Undefined::Lengths { first, second }) }
}

/// Refuses fewer rows than needed.
pub(super) fn at_least(needed: usize, rows: usize) -> Result<(), Undefined> {
    if rows >= needed { Ok(()) } else { Err(Undefined::TooFew { rows, needed }) }
}

/// Refuses NaN and infinities.
pub(super) fn all_finite(values: &[f64]) -> Result<(), Undefined> {
    first_index(values, |value| !value.is_finite())
        .map_or(Ok(()), |index| Err(Undefined::NotFinite { index }))
}

/// Refuses NaN only: values that are only ordered may be infinite.
pub(super) fn all_ordered(values: &[f64]) -> Result<(), Undefined> {
    first_index(values, f64::is_nan).map_or(Ok(()), |index| Err(Undefined::NotFinite { index }))
}

/// Refuses values outside `low` to `high`, NaN included.
pub(super) fn all_within(values: &[f64], low: f64, high: f64) -> Result<(), Undefined> {
    first_index(values, |value| !(low..=high).contains(&value))
        .map_or(Ok(()), |index| Err(Undefined::OutOfRange { index, low, high }))
}

fn first_index(values: &[f64], refused: impl Fn(f64) -> bool) -> Option<usize> {
    values.iter().position(|value| refused(*value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_count_values_from_one() {
        let error = all_finite(&[0.0, f64::NAN]).unwrap_err();
        assert_eq!(error, Undefined::NotFinite { index: 1 });
        assert_eq!(error.to_string(), "value 2 is not a finite number");
    }

    #[test]
    fn infinities_are_ordered_but_not_finite() {
        let values = [f64::NEG_INFINITY, 0.0];
        assert_eq!(all_ordered(&values), Ok(()));
        assert!(all_finite(&values).is_err());
        assert!(all_ordered(&[f64::NAN]).is_err());
    }

    #[test]
    fn nan_is_in_no_range() {
        assert_eq!(all_within(&[0.0, 1.0], 0.0, 1.0), Ok(()));
        assert!(all_within(&[f64::NAN], 0.0, 1.0).is_err());
    }
}
