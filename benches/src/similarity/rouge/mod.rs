//! ROUGE (Lin 2004): n-grams and subsequences that a candidate text shares with a reference, digit for digit the scores of
//! Google's Python package `rouge-score` 0.1.2.
//!
//! | field | `rouge-score` | shared |
//! |---|---|---|
//! | [`Rouge::unigram`] | `rouge1` | tokens |
//! | [`Rouge::bigram`] | `rouge2` | pairs of neighbouring tokens |
//! | [`Rouge::longest`] | `rougeL` | the longest common subsequence of all tokens |
//! | [`Rouge::longest_by_line`] | `rougeLsum` | the same, line by line; a line should hold one sentence |
//!
//! Like that package, it has no support for several references, confidence intervals, stop words, tokens outside a-z and 0-9
//! (a Greek text has none), or splitting summaries into sentences. The scores of the Perl script ROUGE 1.5.5 differ, since
//! it truncates texts and stems words differently.

mod lcs;
mod lines;
mod overlap;
mod score;
mod stemmer;
mod tokens;

pub use score::RougeScore;
pub(crate) use tokens::porter_tokens;
pub use tokens::tokens;

use lcs::Aligner;
use overlap::{pairs, shared};
use tokens::Vocabulary;

/// The ROUGE scores of a candidate against a reference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rouge {
    /// Shared tokens, by clipped counts.
    pub unigram: RougeScore,
    /// Shared pairs of neighbouring tokens, by clipped counts. Pairs cross the ends of lines.
    pub bigram: RougeScore,
    /// The longest common subsequence of tokens.
    pub longest: RougeScore,
    /// The tokens of each reference line that are in its longest common subsequence with any candidate line.
    pub longest_by_line: RougeScore,
}

/// Scores `candidate` against `reference`, like `RougeScorer(..., use_stemmer=stem).score(reference,
/// candidate)`. The scores are 0 where either text has no token.
///
/// ```
/// use veridic_bench::similarity::rouge::rouge;
///
/// let scores = rouge("The cat sat on the mat.", "The cats sat.", false);
/// assert_eq!(scores.unigram.precision, 2.0 / 3.0);
/// assert_eq!(scores.unigram.recall, 2.0 / 6.0);
/// assert_eq!(rouge("The cat sat on the mat.", "The cats sat.", true).unigram.precision, 1.0);
/// ```
pub fn rouge(reference: &str, candidate: &str, stem: bool) -> Rouge {
    let mut vocabulary = Vocabulary::default();
    // A line end separates tokens as a space does, so the tokens of the lines are those of the text.
    let [reference_lines, candidate_lines] = [reference, candidate].map(|text| -> Vec<_> {
        text.split('\n').map(|line| vocabulary.numbered(tokens(line, stem))).collect()
    });
    let [reference, candidate] = [reference_lines.concat(), candidate_lines.concat()];
    let [reference_pairs, candidate_pairs] = [pairs(&reference), pairs(&candidate)];
    let mut aligner = Aligner::new(vocabulary.len());
    let longest = aligner.longest(&reference, &candidate);
    let by_line = lines::shared_by_line(&mut aligner, &reference_lines, &candidate_lines);
    let of_tokens = |shared| RougeScore::new(shared, reference.len(), candidate.len());
    let of_pairs = |shared| RougeScore::new(shared, reference_pairs.len(), candidate_pairs.len());
    Rouge {
        unigram: of_tokens(shared(&reference, &candidate)),
        bigram: of_pairs(shared(&reference_pairs, &candidate_pairs)),
        longest: of_tokens(longest),
        longest_by_line: of_tokens(by_line),
    }
}
