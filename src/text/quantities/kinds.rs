//! Whether two quantities measure the same thing, regardless of their values: both are an amount of one currency, a
//! share, a date with the same parts. Refuses to say what a plain number counts; the caller knows the words around it.

use super::quantity::{AmountKind, Date, Quantity, Value};

impl Quantity {
    /// Whether the two measure the same thing. `counts_same`: whether two plain numbers count the same thing.
    pub fn is_same_kind(&self, other: &Self, counts_same: &dyn Fn() -> bool) -> bool {
        match (self.value, other.value) {
            (Value::Amount(own), Value::Amount(other)) => {
                own.kind == other.kind
                    && match own.kind {
                        AmountKind::Number | AmountKind::Ordinal | AmountKind::Label => counts_same(),
                        AmountKind::Money | AmountKind::Temperature => own.unit == other.unit,
                        _ => true,
                    }
            }
            (Value::Date(own), Value::Date(other)) => parts(&own) == parts(&other),
            (Value::Time(_), Value::Time(_)) | (Value::Score(_), Value::Score(_)) => true,
            _ => false,
        }
    }
}

/// Which parts a date has.
fn parts(date: &Date) -> [bool; 4] {
    [date.year.is_some(), date.month.is_some(), date.day.is_some(), date.weekday.is_some()]
}
