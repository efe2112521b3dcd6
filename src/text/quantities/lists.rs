//! The word lists, as maps that are built at first use.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::quantity::{AmountKind, Modifier};
use crate::text::word_list::WordList;

/// The kind of a number word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NumberWord {
    /// "zero" to "nine".
    Unit,
    /// "ten" to "nineteen".
    Teen,
    /// "twenty" to "ninety".
    Ten,
    /// "hundred", "million", "dozen".
    Scale,
    /// "bn": a scale after digits only.
    ShortScale,
    /// "first" to "twelfth", "twentieth", "hundredth".
    Ordinal,
    /// "half", "thirds": the denominator of a share.
    Part,
    /// "both", "twice": a word that implies a number.
    Multiple,
}

/// A unit of measure.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unit {
    pub(super) name: &'static str,
    pub(super) kind: AmountKind,
    pub(super) factor: f64,
    /// Whether it is a letter that is a unit only directly after digits.
    pub(super) glued_only: bool,
}

/// The rows of a list: columns separated by tabs, without comment lines (#).
fn rows(list: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = list.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(|line| line.split('\t').collect())
}

fn number(text: &str) -> f64 {
    text.parse().expect("the list has numbers in this column")
}

static NUMBERS: LazyLock<HashMap<&str, (NumberWord, f64)>> = LazyLock::new(|| {
    let mut map = HashMap::new();
    for row in rows(include_str!("numbers.tsv")) {
        let word = match row[0] {
            "unit" => NumberWord::Unit,
            "teen" => NumberWord::Teen,
            "ten" => NumberWord::Ten,
            "scale" => NumberWord::Scale,
            "short-scale" => NumberWord::ShortScale,
            "ordinal" => NumberWord::Ordinal,
            "part" => NumberWord::Part,
            _ => NumberWord::Multiple,
        };
        for name in row[2].split(' ') {
            map.insert(name, (word, number(row[1])));
        }
    }
    map
});

static PARTS: LazyLock<HashMap<&str, f64>> = LazyLock::new(|| {
    let parts = rows(include_str!("numbers.tsv")).filter(|row| row[0] == "part");
    parts.flat_map(|row| row[2].split(' ').map(move |name| (name, number(row[1])))).collect()
});

/// Units by their names; a name may have several units.
static UNITS: LazyLock<HashMap<&str, Vec<Unit>>> = LazyLock::new(|| {
    let mut map: HashMap<&str, Vec<Unit>> = HashMap::new();
    for row in rows(include_str!("units.tsv")) {
        let unit = |glued_only| Unit { name: row[1], kind: kind(row[0]), factor: number(row[2]), glued_only };
        for name in row[3].split('|').filter(|name| !name.is_empty()) {
            map.entry(name).or_default().push(unit(false));
        }
        for name in row.get(4).into_iter().flat_map(|names| names.split('|')) {
            map.entry(name).or_default().push(unit(true));
        }
    }
    map
});

static SIGNS: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    rows(include_str!("currencies.tsv"))
        .flat_map(|row| row[1].split(' ').map(move |sign| (sign, row[0])))
        .collect()
});

/// Phrases before a number, and phrases after one.
static MODIFIERS: LazyLock<[HashMap<&str, Modifier>; 2]> = LazyLock::new(|| {
    [1, 2].map(|column| {
        let rows = rows(include_str!("modifiers.tsv"));
        rows.flat_map(|row| row[column].split('|').map(move |phrase| (phrase, modifier(row[0])))).collect()
    })
});

fn modifier(name: &str) -> Modifier {
    match name {
        "about" => Modifier::About,
        "nearly" => Modifier::Nearly,
        "just over" => Modifier::JustOver,
        "below" => Modifier::Below,
        _ => Modifier::Above,
    }
}

fn kind(name: &str) -> AmountKind {
    match name {
        "share" => AmountKind::Share,
        "money" => AmountKind::Money,
        "duration" => AmountKind::Duration,
        "long-duration" => AmountKind::LongDuration,
        "length" => AmountKind::Length,
        "area" => AmountKind::Area,
        "volume" => AmountKind::Volume,
        "mass" => AmountKind::Mass,
        "speed" => AmountKind::Speed,
        "temperature" => AmountKind::Temperature,
        "power" => AmountKind::Power,
        "data" => AmountKind::Data,
        _ => AmountKind::Number,
    }
}

/// Parts of texts that are referred to by number.
static PARTS_OF_TEXTS: WordList = WordList::new(
    "annex appendix art article ch chapter cl clause column exhibit fig figure footnote item line note p page par para \
    paragraph part pp regulation row rule schedule sec sect section slide step subclause subsection table \
    annexe appendice §",
);

/// The kind and value of a number word.
pub(super) fn number_word(word: &str) -> Option<(NumberWord, f64)> {
    NUMBERS.get(word).copied()
}

/// Whether a word is a part of a text that is referred to by number: "Clause", "Step".
pub(crate) fn is_part_of_text(word: &str) -> bool {
    PARTS_OF_TEXTS.contains(&word.to_lowercase())
}

/// The share that a word names: 1/3 for "third" and "thirds".
pub(super) fn part(word: &str) -> Option<f64> {
    PARTS.get(word).map(|parts| 1.0 / parts)
}

/// The units with this name.
pub(super) fn units(words: &str) -> &'static [Unit] {
    UNITS.get(words).map_or(&[], Vec::as_slice)
}

/// Whether a word after a number is a unit: "kg", "min".
pub(crate) fn is_unit(word: &str) -> bool {
    !units(word).is_empty()
}

/// Whether a unit, a currency or a scale begins with the word.
pub(super) fn begins_unit(word: &str) -> bool {
    static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
        let units = UNITS.keys().filter_map(|name| name.split(' ').next());
        let is_scale = |word: &NumberWord| matches!(word, NumberWord::Scale | NumberWord::ShortScale);
        let scales = NUMBERS.iter().filter(|(_, (word, _))| is_scale(word)).map(|(name, _)| *name);
        units.chain(SIGNS.keys().copied()).chain(scales).collect()
    });
    WORDS.contains(word.strip_suffix('s').unwrap_or(word)) || WORDS.contains(word)
}

/// The currency of a sign or code before a number.
pub(super) fn currency(sign: &str) -> Option<&'static str> {
    SIGNS.get(sign).copied()
}

/// The modifier that a phrase before a number is.
pub(super) fn modifier_before(phrase: &str) -> Option<Modifier> {
    MODIFIERS[0].get(phrase).copied()
}

/// The modifier that a phrase after a number is.
pub(super) fn modifier_after(phrase: &str) -> Option<Modifier> {
    MODIFIERS[1].get(phrase).copied()
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// The month of that name, 1..=12, and whether the name is written in full.
pub(super) fn month(word: &str) -> Option<(u8, bool)> {
    named(&MONTHS, word).map(|(index, whole)| (index + 1, whole))
}

/// The day of the week of that name, 0 for Monday, and whether the name is written in full.
pub(super) fn weekday(word: &str) -> Option<(u8, bool)> {
    named(&DAYS, word.strip_suffix('s').filter(|day| day.ends_with("day")).unwrap_or(word))
}

/// The index of the name that the word is or abbreviates, with three to five letters.
fn named(names: &[&str], word: &str) -> Option<(u8, bool)> {
    let index = names.iter().position(|name| word.len() >= 3 && name.starts_with(word))?;
    let whole = names[index] == word;
    (whole || word.len() <= 5).then_some((index as u8, whole))
}
