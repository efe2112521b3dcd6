//! Flags whose values are the library's enums: clap shows and checks the enum's own names.

use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Reads one of `values` by its name; `help` returns the description of a value.
pub fn choice<T>(
    values: &[T],
    name: impl Fn(T) -> &'static str,
    help: impl Fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T>
where
    T: Copy + FromStr<Err: std::error::Error + Send + Sync + 'static> + Send + Sync + 'static,
{
    let value = |value: &T| {
        let possible = PossibleValue::new(name(*value));
        match help(*value) {
            "" => possible,
            help => possible.help(help),
        }
    };
    PossibleValuesParser::new(values.iter().map(value)).try_map(|name| name.parse::<T>())
}
