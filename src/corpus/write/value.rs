//! Converts a field's JSON to a cell of a column's kind.

use serde_json::value::RawValue;

use super::columns::Kind;

/// The value of a cell.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    /// Null, or a field that the row lacks.
    Missing,
    Text(String),
    Integer(i64),
    Real {
        value: f64,
        /// As written in the row.
        digits: String,
    },
}

impl Value {
    /// Returns a field's value in a column of this kind; `None` if it does not fit.
    pub(super) fn of(value: &RawValue, kind: Kind) -> Option<Self> {
        let json = value.get();
        if json == "null" {
            return Some(Self::Missing);
        }
        match kind {
            // A string with an unpaired surrogate is not valid text, so its JSON is written.
            Kind::Text => Some(Self::Text(serde_json::from_str(json).unwrap_or_else(|_| json.into()))),
            Kind::Json => Some(Self::Text(json.into())),
            Kind::Integer => json.parse().ok().map(Self::Integer),
            Kind::Real => {
                let value = json.parse().ok().filter(|value: &f64| value.is_finite())?;
                Some(Self::Real { value, digits: json.into() })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(json: &str, kind: Kind) -> Option<String> {
        let value: &RawValue = serde_json::from_str(json).unwrap();
        Value::of(value, kind).map(|value| match value {
            Value::Missing => "-".into(),
            Value::Text(text) => text,
            Value::Integer(number) => number.to_string(),
            Value::Real { value, digits } => format!("{value} {digits}"),
        })
    }

    #[test]
    fn texts_are_written_as_they_are_and_other_values_as_json() {
        for (json, text) in [
            (r#""""#, ""),
            (r#""a\n\"b\" \u00e9\ud83d\ude42\u0000""#, "a\n\"b\" é🙂\0"),
            (r#""\ud83d""#, r#""\ud83d""#),
            ("12345678901234567890123", "12345678901234567890123"),
            ("1.10", "1.10"),
            (r#"{"a": [1]}"#, r#"{"a": [1]}"#),
            ("true", "true"),
            (" null ", "-"),
        ] {
            assert_eq!(of(json, Kind::Text).unwrap(), text);
        }
        assert_eq!(of(r#""a\n""#, Kind::Json).unwrap(), r#""a\n""#);
    }

    #[test]
    fn numbers_that_do_not_fit_have_no_cell() {
        assert_eq!(of("-12", Kind::Integer).unwrap(), "-12");
        assert_eq!(of("0.7521485", Kind::Real).unwrap(), "0.7521485 0.7521485");
        assert_eq!(of("1e-7", Kind::Real).unwrap(), "0.0000001 1e-7");
        for (json, kind) in [
            ("1.0", Kind::Integer),
            ("9223372036854775808", Kind::Integer),
            (r#""1""#, Kind::Integer),
            ("1e999", Kind::Real),
            ("true", Kind::Real),
            ("[1]", Kind::Real),
        ] {
            assert_eq!(of(json, kind), None, "{json}");
        }
    }
}
