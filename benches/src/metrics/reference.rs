//! ROUGE against the row's `reference`, a summary by people.

use serde_json::json;

use super::row::{Row, Rows, has_words};
use crate::similarity::rouge::{Rouge, RougeScore, rouge as scores_of};
use veridic::{Error, Result, named};

/// Which ROUGE score is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    /// ROUGE-1.
    Unigram,
    /// ROUGE-2.
    Bigram,
    /// ROUGE-L.
    Longest,
    /// ROUGE-Lsum.
    LongestByLine,
}

named!(Axis, "axis", { Unigram = "1", Bigram = "2", Longest = "L", LongestByLine = "Lsum" });

impl Axis {
    fn number_name(self, words: Words) -> &'static str {
        let [plain, stemmed] = match self {
            Self::Unigram => ["rouge1", "rouge1_stemmed"],
            Self::Bigram => ["rouge2", "rouge2_stemmed"],
            Self::Longest => ["rougeL", "rougeL_stemmed"],
            Self::LongestByLine => ["rougeLsum", "rougeLsum_stemmed"],
        };
        if words == Words::Stemmed { stemmed } else { plain }
    }

    fn score(self, rouge: &Rouge) -> RougeScore {
        match self {
            Self::Unigram => rouge.unigram,
            Self::Bigram => rouge.bigram,
            Self::Longest => rouge.longest,
            Self::LongestByLine => rouge.longest_by_line,
        }
    }
}

/// The words that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Words {
    AsWritten,
    Stemmed,
}

/// Adds ROUGE F1 of the summary against the reference; for Lsum, each line of a text is a sentence.
pub(super) fn rouge(words: Words, axes: &[Axis], rows: &mut Rows<'_>) {
    let (metric, facts) = match words {
        Words::AsWritten => ("rouge", "rouge"),
        Words::Stemmed => ("rouge-stemmed", "rouge_stemmed"),
    };
    rows.each(|row| {
        let reference = reference_of(row);
        let Some(reference) = row.or_leave_out(&[metric], reference)? else { return Ok(()) };
        let rouge = scores_of(reference, row.texts.pair.summary, words == Words::Stemmed);
        let mut shares = serde_json::Map::new();
        for axis in axes {
            let RougeScore { precision, recall, f1 } = axis.score(&rouge);
            row.measures.add(axis.number_name(words), f1);
            shares.insert(axis.name().to_owned(), json!({ "precision": precision, "recall": recall }));
        }
        row.measures.add_facts(facts, &shares);
        Ok(())
    });
}

/// The row's reference.
///
/// # Errors
/// A row without one, or with one that has no words.
pub(super) fn reference_of<'t>(row: &Row<'t>) -> Result<&'t str> {
    let reference = row.texts.inputs.reference.as_deref().filter(|text| has_words(text));
    reference.ok_or_else(|| Error::Text { role: "row", reason: "has no `reference` to compare with".into() })
}
