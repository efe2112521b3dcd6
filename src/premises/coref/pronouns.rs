//! English pronouns: recognises mentions that never replace a name, and possessive ones.

use std::ops::Range;

/// Personal, possessive, reflexive, demonstrative, relative, interrogative, indefinite and archaic
/// pronouns, sorted.
#[rustfmt::skip]
const PRONOUNS: [&str; 114] = [
    "all", "another", "any", "anybody", "anyone", "anything", "as", "aught", "both", "each", "each other",
    "either", "enough", "everybody", "everyone", "everything", "few", "fewer", "he", "her", "hers", "herself",
    "him", "himself", "his", "i", "idem", "it", "its", "itself", "less", "little", "many", "me", "mine",
    "more", "most", "much", "my", "myself", "naught", "neither", "no one", "nobody", "none", "nothing",
    "nought", "one", "one another", "one's", "oneself", "other", "others", "ought", "our", "ours", "ourself",
    "ourselves", "plenty", "several", "she", "some", "somebody", "someone", "something", "somewhat", "such",
    "suchlike", "that", "thee", "their", "theirs", "theirself", "theirselves", "them", "themself",
    "themselves", "there", "these", "they", "thine", "this", "those", "thou", "thy", "thyself", "us", "we",
    "what", "whatever", "whatnot", "whatsoever", "whence", "where", "whereby", "wherefrom", "wherein",
    "which", "whichever", "who", "whoever", "whom", "whomever", "whose", "whosesoever", "whosever", "ye",
    "yon", "yonder", "you", "your", "yours", "yourself", "yourselves",
];

/// Whether a text is a pronoun.
pub(super) fn is_pronoun(text: &str) -> bool {
    let lower = text.trim().to_lowercase().replace('’', "'");
    PRONOUNS.binary_search(&lower.as_str()).is_ok()
}

/// Whether the mention at `bytes` is a possessive pronoun; `her` is one if a word follows.
pub(super) fn is_possessive(text: &str, bytes: &Range<usize>) -> bool {
    match text[bytes.clone()].to_lowercase().as_str() {
        "my" | "your" | "his" | "its" | "our" | "their" | "thy" => true,
        "her" => {
            text[bytes.end..].strip_prefix(' ').is_some_and(|rest| rest.starts_with(char::is_alphanumeric))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pronouns_are_sorted_and_found() {
        assert!(PRONOUNS.is_sorted());
        assert!(is_pronoun("He") && is_pronoun("one’s") && is_pronoun("yourself"));
        assert!(!is_pronoun("Theresa") && !is_pronoun(""));
    }

    #[test]
    fn her_is_possessive_before_a_word() {
        assert!(is_possessive("her car", &(0..3)));
        assert!(!is_possessive("saw her.", &(4..7)));
        assert!(is_possessive("His", &(0..3)));
    }
}
