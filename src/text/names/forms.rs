//! Forms of a word of a name that count as the same name: without accents, without the ending of a nationality, and
//! listed aliases ("French" and "France", "Mike" and "Michael").

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::text::token::is_combining_mark;

/// Maximum number of words that an acronym stands for, and of its letters.
pub(super) const LONGEST_ACRONYM: usize = 8;

/// Minimum number of letters that remain of a name without its ending.
const MIN_ROOT: usize = 4;

/// Endings of nationalities, languages and places, the longest first.
const ENDINGS: [&str; 23] = [
    "istan", "ians", "eans", "ists", "isms", "ese", "ian", "ean", "ish", "ism", "ist", "ers", "ans", "ia",
    "an", "is", "ic", "er", "n", "a", "i", "y", "e",
];

type Groups = HashMap<&'static str, Vec<&'static [&'static str]>>;

/// The groups of equivalent names that each name is in.
static ALIASES: LazyLock<Groups> = LazyLock::new(|| {
    let lists = [include_str!("aliases.tsv"), include_str!("short_forms.tsv")];
    let lines = lists.into_iter().flat_map(str::lines).filter(|line| !line.starts_with('#'));
    let mut groups = Groups::new();
    for line in lines {
        let names: &'static [&'static str] = line.split('\t').collect::<Vec<_>>().leak();
        for name in names {
            groups.entry(name).or_default().push(names);
        }
    }
    groups
});

/// The aliases of a lower-case name; words of one name are joined by `_`.
pub(super) fn aliases(name: &str) -> impl Iterator<Item = &'static str> {
    let groups = ALIASES.get(name).map_or(&[][..], Vec::as_slice);
    groups.iter().flat_map(|group| group.iter().copied())
}

/// The word in lower case, without accents, apostrophes and a possessive.
pub(super) fn folded(word: &str) -> String {
    let lower: String = word.chars().flat_map(char::to_lowercase).collect();
    let lower = lower.replace('’', "'");
    let bare = lower.strip_suffix("'s").unwrap_or(&lower);
    let mut folded = String::new();
    for letter in bare.chars().filter(|c| *c != '\'' && !is_combining_mark(*c)) {
        match PLAIN.get(&letter) {
            Some(plain) => folded.push_str(plain),
            None => folded.push(letter),
        }
    }
    folded
}

/// The plain forms of letters with accents.
static PLAIN: LazyLock<HashMap<char, &str>> = LazyLock::new(|| {
    let rows = include_str!("letters.tsv").lines().filter_map(|line| line.split_once('\t'));
    rows.flat_map(|(plain, letters)| letters.chars().map(move |letter| (letter, plain))).collect()
});

/// The possible roots of a folded name, without plural and nationality endings: "ital" of "italy" and "italians".
pub(super) fn roots(folded: &str) -> impl Iterator<Item = &str> {
    let without = |word: &str, ending: &str| {
        let at = word.len().checked_sub(ending.len()).filter(|_| word.ends_with(ending))?;
        (folded[..at].chars().count() >= MIN_ROOT).then_some(at)
    };
    let single = without(folded, "s").map_or(folded, |at| &folded[..at]);
    let cut = ENDINGS.iter().filter_map(move |ending| without(single, ending)).map(|at| &folded[..at]);
    [folded, single].into_iter().chain(cut)
}

/// The capital letters of a word with lower-case letters between them: "id" of "IoD".
pub(super) fn capitals_of(word: &str) -> Option<String> {
    let capitals: String = word.chars().filter(|c| c.is_uppercase()).collect();
    let mixed = word.starts_with(char::is_uppercase) && word.ends_with(char::is_uppercase);
    (mixed && capitals.chars().count() > 1).then(|| folded(&capitals))
}

/// The letters of an acronym in lower case: "gan" of "GANs".
pub(super) fn acronym_of(word: &str) -> Option<String> {
    let bare = word.split(['\'', '’']).next().unwrap_or(word);
    let bare = bare.strip_suffix('s').unwrap_or(bare);
    let capitals = bare.chars().filter(|c| c.is_uppercase()).count();
    let enough = (2..=LONGEST_ACRONYM).contains(&capitals) && capitals * 2 >= bare.chars().count();
    enough.then(|| folded(bare))
}
