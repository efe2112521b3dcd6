//! The English stemmer of Porter ("An algorithm for suffix stripping", Program 14(3), 1980), as published or with the
//! changes of NLTK's default mode: a list of irregular words, and rules whose comments name NLTK. It is not Snowball's
//! "English" stemmer. It handles words of at least four characters of a-z and 0-9, where a digit counts as a consonant.
//!
//! Porter's terms: a word is C?(VC){m}V? with C and V runs of consonants and vowels, and m is its measure. "y" is a vowel
//! after a consonant. In a list of rules, only the first rule whose suffix the word has is tried.

/// Which rules are applied.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rules {
    /// The rules published in 1980; NLTK's mode `ORIGINAL_ALGORITHM`.
    Published,
    /// NLTK's default.
    Nltk,
}

/// NLTK's irregular words and their stems.
const IRREGULAR: [(&str, &str); 15] = [
    ("canning", "canning"),
    ("cannings", "canning"),
    ("dying", "die"),
    ("exceed", "exceed"),
    ("howe", "howe"),
    ("inning", "inning"),
    ("innings", "inning"),
    ("lying", "lie"),
    ("news", "news"),
    ("outing", "outing"),
    ("outings", "outing"),
    ("proceed", "proceed"),
    ("skies", "sky"),
    ("succeed", "succeed"),
    ("tying", "tie"),
];

type Suffixes = [(&'static str, &'static str)];

const STEP_2: &Suffixes = &[
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    // Porter published abli -> able and corrected it later.
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
    // NLTK's.
    ("fulli", "ful"),
];

const STEP_3: &Suffixes = &[
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
];

/// The suffixes that fall, without "ion", which is handled separately.
const STEP_4: [&str; 18] = [
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ou", "ism", "ate",
    "iti", "ous", "ive", "ize",
];

/// The stem of a word, which need not be a word: "relational" and "relate" have "relat".
pub(super) fn stem(word: &str, rules: Rules) -> String {
    let is_nltk = rules == Rules::Nltk;
    if let Some((_, stem)) = IRREGULAR.iter().find(|(form, _)| is_nltk && *form == word) {
        return (*stem).to_owned();
    }
    let mut word = word.to_owned();
    strip_plural(&mut word, rules);
    strip_past_and_gerund(&mut word, rules);
    // Step 1c; NLTK demands a consonant before the y.
    let y_falls =
        |stem: &str| if is_nltk { stem.len() > 1 && ends_in_consonant(stem) } else { has_vowel(stem) };
    if word.strip_suffix('y').is_some_and(y_falls) {
        replace(&mut word, "y", "i");
    }
    shorten_double_suffix(&mut word, rules);
    apply(&mut word, STEP_3, |stem| measure(stem) > 0);
    strip_suffix_of_long_word(&mut word);
    let e_falls = |stem: &str| measure(stem) > 1 || measure(stem) == 1 && !is_short(stem, rules);
    if word.strip_suffix('e').is_some_and(e_falls) {
        replace(&mut word, "e", "");
    }
    if word.ends_with("ll") && word.strip_suffix('l').is_some_and(|stem| measure(stem) > 1) {
        replace(&mut word, "l", "");
    }
    word
}

/// Step 1a. In NLTK "dies" keeps its e.
fn strip_plural(word: &mut String, rules: Rules) {
    let ies = if rules == Rules::Nltk && word.len() == 4 { "ie" } else { "i" };
    apply(word, &[("sses", "ss"), ("ies", ies), ("ss", "ss"), ("s", "")], |_| true);
}

/// Step 1b. The rule for "ied" is NLTK's.
fn strip_past_and_gerund(word: &mut String, rules: Rules) {
    if rules == Rules::Nltk && word.ends_with("ied") {
        let shorter = if word.len() == 4 { "ie" } else { "i" };
        return replace(word, "ied", shorter);
    }
    if word.ends_with("eed") {
        return apply(word, &[("eed", "ee")], |stem| measure(stem) > 0);
    }
    let before = word.len();
    apply(word, &[("ed", ""), ("ing", "")], has_vowel);
    if word.len() == before {
        return;
    }
    let double = ends_in_double_consonant(word);
    if ["at", "bl", "iz"].iter().any(|end| word.ends_with(end)) {
        word.push('e');
    } else if double && !word.ends_with(['l', 's', 'z']) {
        word.pop();
    } else if !double && measure(word) == 1 && is_short(word, rules) {
        word.push('e');
    }
}

/// Step 2.
fn shorten_double_suffix(word: &mut String, rules: Rules) {
    let positive = |stem: &str| measure(stem) > 0;
    if rules == Rules::Published {
        return match word.strip_suffix("abli") {
            Some(stem) if positive(stem) => replace(word, "abli", "able"),
            // The published list does not have these.
            _ if ["bli", "fulli"].iter().any(|end| word.ends_with(end)) => {}
            _ => apply(word, STEP_2, positive),
        };
    }
    // NLTK: after "alli" another suffix of this step may follow.
    if word.strip_suffix("alli").is_some_and(positive) {
        replace(word, "alli", "al");
    }
    match word.strip_suffix("ogi") {
        // NLTK: "logi" becomes "log", and its l counts for the measure.
        Some(stem) if stem.ends_with('l') && positive(stem) => replace(word, "ogi", "og"),
        _ => apply(word, STEP_2, positive),
    }
}

/// Step 4.
fn strip_suffix_of_long_word(word: &mut String) {
    let stem = match word.strip_suffix("ion") {
        Some(stem) if stem.ends_with(['s', 't']) && measure(stem) > 1 => Some(stem),
        _ => STEP_4.iter().find_map(|suffix| word.strip_suffix(suffix)),
    };
    if let Some(length) = stem.filter(|stem| measure(stem) > 1).map(str::len) {
        word.truncate(length);
    }
}

/// Applies the first rule whose suffix the word has, if the rest of the word meets the condition.
fn apply(word: &mut String, rules: &Suffixes, condition: impl Fn(&str) -> bool) {
    let fitting = rules.iter().find_map(|rule| Some((word.strip_suffix(rule.0)?, rule)));
    if let Some((stem, (suffix, replacement))) = fitting
        && condition(stem)
    {
        replace(word, suffix, replacement);
    }
}

/// Replaces a suffix that the word has.
fn replace(word: &mut String, suffix: &str, replacement: &str) {
    word.truncate(word.len() - suffix.len());
    word.push_str(replacement);
}

/// Whether each letter is a consonant.
fn consonants(word: &str) -> impl Iterator<Item = bool> {
    word.bytes().scan(false, |consonant, letter| {
        *consonant = match letter {
            b'a' | b'e' | b'i' | b'o' | b'u' => false,
            b'y' => !*consonant,
            _ => true,
        };
        Some(*consonant)
    })
}

/// m: the number of consonants that follow a vowel.
fn measure(word: &str) -> usize {
    let letters = consonants(word);
    consonants(word).zip(letters.skip(1)).filter(|(before, after)| !before && *after).count()
}

fn has_vowel(word: &str) -> bool {
    consonants(word).any(|consonant| !consonant)
}

fn ends_in_consonant(word: &str) -> bool {
    consonants(word).last().unwrap_or(false)
}

/// *d
fn ends_in_double_consonant(word: &str) -> bool {
    matches!(word.as_bytes(), [.., first, second] if first == second) && ends_in_consonant(word)
}

/// *o: consonant, vowel, consonant other than w, x and y at the end; in NLTK also a vowel and a consonant alone.
fn is_short(word: &str, rules: Rules) -> bool {
    let mut ending = [false; 3];
    for consonant in consonants(word) {
        ending = [ending[1], ending[2], consonant];
    }
    match word.len() {
        0 | 1 => false,
        2 => rules == Rules::Nltk && ending[1..] == [false, true],
        _ => ending == [true, false, true] && !word.ends_with(['w', 'x', 'y']),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_are_those_of_the_paper() {
        for (words, expected) in [
            (["tr", "ee", "tree", "y", "by"], 0),
            (["trouble", "oats", "trees", "ivy", "yes"], 1),
            (["troubles", "private", "oaten", "orrery", "syzygy"], 2),
        ] {
            for word in words {
                assert_eq!(measure(word), expected, "{word}");
            }
        }
    }

    #[test]
    fn published_rules_do_not_have_nltks_changes() {
        for (word, published, nltk) in [
            ("dies", "di", "die"),
            ("news", "new", "news"),
            ("dying", "dy", "die"),
            ("enjoy", "enjoi", "enjoy"),
            ("geology", "geologi", "geolog"),
            ("conformably", "conform", "conform"),
            ("hopefully", "hopefulli", "hope"),
            ("humbly", "humbli", "humbl"),
            ("generally", "gener", "gener"),
            ("ponies", "poni", "poni"),
            ("relational", "relat", "relat"),
        ] {
            assert_eq!(
                (&*stem(word, Rules::Published), &*stem(word, Rules::Nltk)),
                (published, nltk),
                "{word}"
            );
        }
    }

    #[test]
    fn a_long_run_of_y_alternates() {
        assert_eq!(measure(&"y".repeat(100_001)), 50_000);
    }
}
