//! Verb forms by rule and by list.
//!
//! Decides which forms of which base a word can be. Refuses context: "cut" is base, past and
//! participle until `tagging` has looked at its neighbours.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use super::classes::VERB_LIKE;
use crate::text::word_list::WordList;

/// Base forms of regular verbs that are rarely nouns.
static BASES: WordList = WordList::new(include_str!("words/verbs.txt"));

/// Base forms of verbs that are as often nouns.
static ALSO_NOUNS: WordList = WordList::new(include_str!("words/verbs_also_nouns.txt"));

/// Base, past and participle of irregular verbs.
const IRREGULAR: &str = include_str!("irregular_verbs.tsv");

/// A set of verb forms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Forms(u8);

impl Forms {
    pub(crate) const BASE: Self = Self(1);
    pub(crate) const THIRD: Self = Self(2);
    pub(crate) const PAST: Self = Self(4);
    pub(crate) const PARTICIPLE: Self = Self(8);
    pub(crate) const ING: Self = Self(16);
    /// The word is as often a noun.
    pub(crate) const NOUN: Self = Self(32);

    pub(crate) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether any form of a verb is left.
    pub(crate) fn is_verb(self) -> bool {
        self.0 & 31 != 0
    }
}

/// A word as a verb: the forms that it can be, and its base.
#[derive(Clone, Debug, Default)]
pub(crate) struct VerbForm {
    pub(crate) forms: Forms,
    pub(crate) base: String,
    /// Whether the base is listed, rather than derived from the word's ending.
    pub(crate) known: bool,
}

struct Table {
    /// Listed bases, and whether they are as often nouns.
    bases: HashMap<&'static str, bool>,
    /// Past forms and participles of irregular verbs, with their base.
    irregular: HashMap<&'static str, (Forms, &'static str)>,
    /// Bases of irregular verbs, which do not take -ed.
    strong: HashSet<&'static str>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let bases = BASES.words().map(|base| (base, false));
        let nouns = ALSO_NOUNS.words().map(|base| (base, true));
        let mut table =
            Table { bases: bases.chain(nouns).collect(), irregular: HashMap::new(), strong: HashSet::new() };
        for verb in IRREGULAR.lines().filter(|line| !line.starts_with('#')) {
            if let [base, past, participle] = verb.split('\t').collect::<Vec<_>>()[..] {
                table.add_irregular(base, past, participle);
            }
        }
        table
    })
}

impl Table {
    fn add_irregular(&mut self, base: &'static str, past: &'static str, participle: &'static str) {
        self.bases.entry(base).or_insert(false);
        self.strong.insert(base);
        for (words, form) in [(past, Forms::PAST), (participle, Forms::PARTICIPLE)] {
            for word in words.split('/') {
                let entry = self.irregular.entry(word).or_insert((Forms::default(), base));
                entry.0 = entry.0.with(form);
            }
        }
    }
}

/// The verb forms that `word`, lower-cased, can be.
pub(crate) fn verb_form(word: &str) -> VerbForm {
    let table = table();
    if let Some(again) = word.strip_prefix("re-").map(verb_form).filter(|again| again.known) {
        return again;
    }
    if word.len() < 2
        || !word.bytes().all(|unit| unit.is_ascii_lowercase() || unit == b'-')
        || VERB_LIKE.contains(word)
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

/// Forms in -s, -ed and -ing of listed bases; if there is none, -ed and -ing of any word.
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

/// The listed base of the form `stem` + `suffix`, and whether it is as often a noun.
fn known_base(table: &Table, stem: &str, suffix: &str) -> Option<(&'static str, bool)> {
    let candidates = if suffix == "s" { before_s(stem) } else { before_vowel(stem) };
    let (&base, &noun) = candidates.iter().find_map(|base| table.bases.get_key_value(base.as_str()))?;
    (suffix != "ed" || !table.strong.contains(base)).then_some((base, noun))
}

/// The possible bases of a form in -s: "try" of "tries", "watch" of "watches".
fn before_s(stem: &str) -> Vec<String> {
    match (stem.strip_suffix("ie"), stem.strip_suffix('e')) {
        (Some(short), _) => vec![format!("{short}y"), stem.to_owned()],
        (None, Some(short)) => vec![stem.to_owned(), short.to_owned()],
        (None, None) => vec![stem.to_owned()],
    }
}

/// The possible bases of a form in -ed or -ing: "hope" of "hoping", "lie" of "lying", "plan" of "planned".
fn before_vowel(stem: &str) -> Vec<String> {
    let mut bases = vec![stem.to_owned(), format!("{stem}e")];
    bases.extend(stem.strip_suffix('i').map(|short| format!("{short}y")));
    bases.extend(stem.strip_suffix('y').map(|short| format!("{short}ie")));
    if let [rest @ .., last, double] = stem.as_bytes()
        && last == double
    {
        bases.push(stem[..=rest.len()].to_owned());
    }
    bases
}
