//! The suffixes directly after a number: units and currencies.

use super::classes::is_currency;

/// Maximum characters of a unit.
const LONGEST_UNIT: usize = 5;

/// spaCy's units. Its list lacks a space between the Russian and the Arabic units, so that "тбكم" is a unit and "тб" is
/// not.
#[rustfmt::skip]
const UNITS: &[&str] = &[
    "km", "km²", "km³", "m", "m²", "m³", "dm", "dm²", "dm³", "cm", "cm²", "cm³", "mm", "mm²", "mm³", "ha",
    "µm", "nm", "yd", "in", "ft", "kg", "g", "mg", "µg", "t", "lb", "oz", "m/s", "km/h", "kmh", "mph", "hPa",
    "Pa", "mbar", "mb", "MB", "kb", "KB", "gb", "GB", "tb", "TB", "T", "G", "M", "K", "%", "км", "км²", "км³",
    "м", "м²", "м³", "дм", "дм²", "дм³", "см", "см²", "см³", "мм", "мм²", "мм³", "нм", "кг", "г", "мг", "м/с",
    "км/ч", "кПа", "Па", "мбар", "Кб", "КБ", "кб", "Мб", "МБ", "мб", "Гб", "ГБ", "гб", "Тб", "ТБ", "тбكم",
    "كم", "كم²", "كم³", "م", "م²", "م³", "سم", "سم²", "سم³", "مم", "مم²", "مم³", "غرام", "جرام", "جم", "كغ",
    "ملغ", "كوب", "اكواب",
];

/// The length in bytes of the unit or currency that ends `text` and follows an ASCII digit, or 0.
pub(super) fn after_number(text: &str) -> usize {
    let digit = text.char_indices().rev().take(LONGEST_UNIT + 1).find(|(_, c)| c.is_ascii_digit());
    let Some((at, _)) = digit else { return 0 };
    let measure = &text[at + 1..];
    if is_currency_name(measure) || UNITS.contains(&measure) { measure.len() } else { 0 }
}

fn is_currency_name(text: &str) -> bool {
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (Some(sign), None) => is_currency(sign),
        _ => matches!(text, "US$" | "A$" | "C$"),
    }
}
