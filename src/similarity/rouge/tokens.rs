//! The tokens of ROUGE: the runs of a-z and 0-9 in the text's small letters, stemmed if asked to be.
//! Everything else separates: "don't" is two tokens, "naïve" too.

use std::collections::HashMap;

use super::stemmer::{Rules, stem};

/// Characters. Shorter tokens are not stemmed.
const SHORTEST_STEMMED: usize = 4;

/// A token's place in the vocabulary.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TokenId(usize);

impl TokenId {
    pub(super) fn index(self) -> usize {
        self.0
    }
}

/// The different tokens of the texts that are compared.
#[derive(Default)]
pub(super) struct Vocabulary(HashMap<String, TokenId>);

impl Vocabulary {
    pub(super) fn numbered(&mut self, tokens: Vec<String>) -> Vec<TokenId> {
        let Self(ids) = self;
        let number = |token| {
            let next = TokenId(ids.len());
            *ids.entry(token).or_insert(next)
        };
        tokens.into_iter().map(number).collect()
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

/// The tokens that the scores count, as `rouge_score.tokenizers.DefaultTokenizer(stem)` has them. Of at least
/// four characters, a token is stemmed as NLTK's `PorterStemmer` does.
///
/// ```
/// use veridic::metrics::rouge::tokens;
///
/// assert_eq!(tokens("Don't re-open 3 stores!", false), ["don", "t", "re", "open", "3", "stores"]);
/// assert_eq!(tokens("Don't re-open 3 stores!", true), ["don", "t", "re", "open", "3", "store"]);
/// ```
pub fn tokens(text: &str, stem_tokens: bool) -> Vec<String> {
    tokens_by(text, stem_tokens.then_some(Rules::Nltk))
}

/// The same, stemmed by Porter's algorithm as it was published, as in the Python package `py-rouge`.
pub(crate) fn porter_tokens(text: &str) -> Vec<String> {
    tokens_by(text, Some(Rules::Published))
}

fn tokens_by(text: &str, rules: Option<Rules>) -> Vec<String> {
    // Two characters beyond ASCII have an ASCII small letter, the Kelvin sign and the dotted capital I, so
    // that only what is left in small letters can be split.
    let small = text.to_lowercase();
    let runs = small.split(|character: char| !character.is_ascii_alphanumeric());
    let finished = |run: &str| match rules {
        Some(rules) if run.len() >= SHORTEST_STEMMED => stem(run, rules),
        _ => run.to_owned(),
    };
    runs.filter(|run| !run.is_empty()).map(finished).collect()
}
