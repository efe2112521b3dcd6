//! Verb forms by rule and by list.
//!
//! Decides which forms of which base a word can be. Refuses context: "cut" is base, past and
//! participle until the tagger has looked at its neighbours.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::verb_lists::{ALSO_NOUNS, BASES, IRREGULAR};
use super::words::NO_VERBS;

/// A set of verb forms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Forms(u8);

impl Forms {
    pub const BASE: Self = Self(1);
    pub const THIRD: Self = Self(2);
    pub const PAST: Self = Self(4);
    pub const PARTICIPLE: Self = Self(8);
    pub const ING: Self = Self(16);
    /// The word is a noun as often.
    pub const NOUN: Self = Self(32);

    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether any form of a verb is left.
    pub fn is_verb(self) -> bool {
        self.0 & 31 != 0
    }
}

/// What is known of a verb form: its forms and its base.
#[derive(Clone, Debug, Default)]
pub(super) struct VerbForm {
    pub forms: Forms,
    pub base: String,
    /// Whether the base is in a list, and not made up from the word's ending.
    pub known: bool,
}

struct Table {
    bases: HashMap<&'static str, bool>,
    irregular: HashMap<&'static str, (Forms, &'static str)>,
    /// Irregular bases, which take no -ed.
    strong: HashMap<&'static str, ()>,
    no_verbs: HashMap<&'static str, ()>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(build)
}

fn build() -> Table {
    let mut bases: HashMap<&str, bool> = BASES.split_whitespace().map(|base| (base, false)).collect();
    for base in ALSO_NOUNS.split_whitespace() {
        bases.insert(base, true);
    }
    let mut irregular: HashMap<&'static str, (Forms, &'static str)> = HashMap::new();
    let mut strong = HashMap::new();
    for verb in IRREGULAR.split('|') {
        let mut parts = verb.split_whitespace();
        let (Some(base), Some(past), Some(participle)) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        bases.entry(base).or_insert(false);
        strong.insert(base, ());
        for (forms, form) in [(past, Forms::PAST), (participle, Forms::PARTICIPLE)] {
            for word in forms.split('/') {
                let entry = irregular.entry(word).or_insert((Forms::default(), base));
                entry.0 = entry.0.with(form);
            }
        }
    }
    let no_verbs = NO_VERBS.split_whitespace().map(|word| (word, ())).collect();
    Table { bases, irregular, strong, no_verbs }
}

/// The verb forms that `word`, lower-cased, can be.
pub(super) fn verb_form(word: &str) -> VerbForm {
    let table = table();
    if word.len() < 2
        || !word.bytes().all(|unit| unit.is_ascii_lowercase() || unit == b'-')
        || table.no_verbs.contains_key(word)
    {
        return VerbForm::default();
    }
    let mut found = VerbForm::default();
    if let Some(&(forms, base)) = table.irregular.get(word) {
        found = VerbForm { forms, base: base.to_owned(), known: true };
    }
    if let Some(&noun) = table.bases.get(word) {
        found.forms = found.forms.with(Forms::BASE);
        found.known = true;
        if noun {
            found.forms = found.forms.with(Forms::NOUN);
        }
        if found.base.is_empty() || noun {
            found.base = word.to_owned();
        }
    }
    if found.forms.is_verb() { found } else { suffixed(table, word) }
}

/// -s, -ed and -ing, of known bases first, of any word then (but for -s).
fn suffixed(table: &Table, word: &str) -> VerbForm {
    for (suffix, forms) in
        [("ing", Forms::ING), ("ed", Forms::PAST.with(Forms::PARTICIPLE)), ("s", Forms::THIRD)]
    {
        let Some(stem) = word.strip_suffix(suffix) else { continue };
        if let Some((base, noun)) = known_base(table, stem, suffix) {
            let forms = if noun && suffix == "s" { forms.with(Forms::NOUN) } else { forms };
            return VerbForm { forms, base: base.to_owned(), known: true };
        }
        let has_vowel = stem.bytes().any(|unit| b"aeiouy".contains(&unit));
        if suffix != "s" && stem.len() > 2 && has_vowel && (!word.contains('-') || word.starts_with("re-")) {
            return VerbForm { forms, base: stem.to_owned(), known: false };
        }
    }
    VerbForm::default()
}

fn known_base<'w>(table: &'w Table, stem: &str, suffix: &str) -> Option<(&'w str, bool)> {
    let with_e = format!("{stem}e");
    let mut tries = vec![stem.to_owned()];
    if suffix == "s" {
        if let Some(short) = stem.strip_suffix("ie") {
            tries = vec![format!("{short}y"), stem.to_owned()];
        } else if let Some(short) = stem.strip_suffix('e') {
            tries.push(short.to_owned());
        }
    } else {
        tries.push(with_e);
        if let Some(short) = stem.strip_suffix('i') {
            tries.push(format!("{short}y"));
        }
        if let Some(short) = stem.strip_suffix('y') {
            tries.push(format!("{short}ie"));
        }
        let units = stem.as_bytes();
        if let [.., a, b] = units
            && a == b
        {
            tries.push(stem[..stem.len() - 1].to_owned());
        }
    }
    let found = tries.iter().find_map(|base| table.bases.get_key_value(base.as_str()));
    let (base, noun) = found?;
    (suffix != "ed" || !table.strong.contains_key(base)).then_some((*base, *noun))
}

/// The third person of a base form: "try" is "tries".
pub(super) fn third_person(base: &str) -> String {
    let vowel_before =
        base.len() > 1 && base.as_bytes().get(base.len() - 2).is_some_and(|unit| b"aeiou".contains(unit));
    match base.strip_suffix('y') {
        Some(stem) if !vowel_before => format!("{stem}ies"),
        _ if ["s", "sh", "ch", "x", "z", "o"].iter().any(|end| base.ends_with(end)) => format!("{base}es"),
        _ => format!("{base}s"),
    }
}
