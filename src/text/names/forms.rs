//! Forms of a word of a name that count as the same name: without accents, without the ending of a nationality, and
//! listed aliases ("French" and "France", "Mike" and "Michael").

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::text::token::is_combining_mark;

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
    bare.chars()
        .filter(|c| *c != '\'' && !is_combining_mark(*c))
        .flat_map(|c| {
            plain(c).chars().collect::<Vec<_>>().into_iter().chain(plain(c).is_empty().then_some(c))
        })
        .collect()
}

/// The plain form of a letter with an accent; empty for other letters.
fn plain(c: char) -> &'static str {
    match c {
        'à' | 'á' | 'â' | 'ã' | 'å' | 'ā' | 'ă' | 'ą' | 'ä' => "a",
        'æ' => "ae",
        'ç' | 'ć' | 'ĉ' | 'č' => "c",
        'ð' | 'ď' | 'đ' => "d",
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' | 'ə' => "e",
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => "g",
        'ħ' => "h",
        'ì' | 'í' | 'î' | 'ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' => "i",
        'ķ' => "k",
        'ĺ' | 'ļ' | 'ľ' | 'ł' => "l",
        'ñ' | 'ń' | 'ņ' | 'ň' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ø' | 'ō' | 'ő' | 'ö' => "o",
        'œ' => "oe",
        'ŕ' | 'ř' => "r",
        'ś' | 'ş' | 'š' | 'ș' => "s",
        'ß' => "ss",
        'þ' | 'ţ' | 'ť' | 'ț' => "t",
        'ù' | 'ú' | 'û' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' | 'ü' => "u",
        'ý' | 'ÿ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        _ => "",
    }
}

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
