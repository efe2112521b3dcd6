//! Parsers and formatters of settings' values: numbers in a range, switches, lists, values that may be off.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Parses a value with its `FromStr`.
pub fn parsed<T: FromStr<Err: Display>>(place: &mut T, text: &str) -> Result<(), String> {
    *place = text.parse().map_err(|error: T::Err| error.to_string())?;
    Ok(())
}

/// Parses a number in a range.
pub fn between(place: &mut f32, text: &str, range: RangeInclusive<f32>) -> Result<(), String> {
    let (least, most) = (range.start(), range.end());
    let expected = || format!("give a number from {least} to {most}");
    let number: f32 = text.parse().map_err(|_| expected())?;
    if !range.contains(&number) {
        return Err(expected());
    }
    // Turns -0 into 0.
    *place = number + 0.0;
    Ok(())
}

/// Parses a whole number of at least `least`.
pub fn number(text: &str, least: usize) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number >= least);
    number.ok_or_else(|| format!("give a whole number from {least} on"))
}

/// Parses `off` or a value.
pub fn off_or<T>(
    place: &mut Option<T>,
    text: &str,
    read: impl FnOnce(&str) -> Result<T, String>,
) -> Result<(), String> {
    *place = match text {
        "off" => None,
        text => Some(read(text).map_err(|expected| format!("{expected}, or off"))?),
    };
    Ok(())
}

/// The text of [`off_or`].
pub fn off_or_text<T: Display>(value: Option<&T>) -> String {
    value.map_or_else(|| "off".to_owned(), ToString::to_string)
}

/// Parses `on` or `off`.
pub fn switch(place: &mut bool, text: &str) -> Result<(), String> {
    *place = match text {
        "on" => true,
        "off" => false,
        _ => return Err("give on or off".to_owned()),
    };
    Ok(())
}

/// The text of [`switch`].
pub fn switch_text(value: bool) -> String {
    (if value { "on" } else { "off" }).to_owned()
}

/// Parses a list separated by commas or semicolons.
pub fn list<T: FromStr<Err: Display>>(text: &str) -> Result<Vec<T>, String> {
    let parts = text.split([',', ';']).map(str::trim);
    parts.map(|part| part.parse().map_err(|error: T::Err| error.to_string())).collect()
}

/// The text of [`list`].
pub fn list_text<T: Display>(values: &[T]) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}
