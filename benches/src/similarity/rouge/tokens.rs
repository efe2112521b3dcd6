//! The tokens of ROUGE: the runs of a-z and 0-9 in the lower-cased text, with or without stemming. All other characters
//! separate tokens: "don't" is two, and so is "naïve".

use std::collections::HashMap;

use super::stemmer::{Rules, stem};

/// Tokens of fewer characters are not stemmed.
const MIN_STEMMED_CHARACTERS: usize = 4;

/// The index of a token in the vocabulary.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TokenId(usize);

impl TokenId {
    pub(super) fn index(self) -> usize {
        self.0
    }
}

/// The distinct tokens of the texts that are compared.
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

/// The tokens of a text, those of `rouge_score.tokenizers.DefaultTokenizer(stem)`. Tokens of at least four characters are
/// stemmed, as by NLTK's `PorterStemmer`.
///
/// ```
/// use veridic_bench::similarity::rouge::tokens;
///
/// assert_eq!(tokens("Don't re-open 3 stores!", false), ["don", "t", "re", "open", "3", "stores"]);
/// assert_eq!(tokens("Don't re-open 3 stores!", true), ["don", "t", "re", "open", "3", "store"]);
/// ```
pub fn tokens(text: &str, stem_tokens: bool) -> Vec<String> {
    tokens_by(text, stem_tokens.then_some(Rules::Nltk))
}

/// The tokens stemmed by Porter's algorithm as published, those of the Python package `py-rouge`.
pub(crate) fn porter_tokens(text: &str) -> Vec<String> {
    tokens_by(text, Some(Rules::Published))
}

fn tokens_by(text: &str, rules: Option<Rules>) -> Vec<String> {
    // Lower-casing comes first: the Kelvin sign and the dotted capital I become ASCII letters.
    let lower = text.to_lowercase();
    let runs = lower.split(|character: char| !character.is_ascii_alphanumeric());
    let finished = |run: &str| match rules {
        Some(rules) if run.len() >= MIN_STEMMED_CHARACTERS => stem(run, rules),
        _ => run.to_owned(),
    };
    runs.filter(|run| !run.is_empty()).map(finished).collect()
}
