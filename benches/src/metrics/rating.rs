//! Extract-then-Evaluate's second step (Wu et al., EACL 2024): a language model reads the document, or the extract that
//! replaces it, and rates the summary (figures 4 to 6). The reply is the number.

use serde::Serialize;

use super::row::Rows;
use crate::llm::{LanguageModel, Parsed, Step, Unparsable};
use veridic::named;
use veridic::schedule::OnEvent;

/// The rated quality.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Axis {
    /// From 1 to 5.
    Consistency,
    /// From 1 to 5.
    Relevance,
    /// From 1 to 7.
    Faithfulness,
}

named!(Axis, "axis", { Consistency = "consistency", Relevance = "relevance", Faithfulness = "faithfulness" });

impl Axis {
    pub(super) fn step(self) -> Step {
        match self {
            Self::Consistency => Step::RatingConsistency,
            Self::Relevance => Step::RatingRelevance,
            Self::Faithfulness => Step::RatingFaithfulness,
        }
    }

    fn highest(self) -> f64 {
        if self == Self::Faithfulness { 7.0 } else { 5.0 }
    }

    fn number_name(self) -> &'static str {
        match self {
            Self::Consistency => "rating_consistency",
            Self::Relevance => "rating_relevance",
            Self::Faithfulness => "rating_faithfulness",
        }
    }
}

pub(super) fn measure(model: &LanguageModel, axes: &[Axis], rows: &mut Rows<'_>, on_event: &OnEvent<'_>) {
    let requests = rows.each(|row| {
        let fields = [("document", row.texts.pair.document), ("summary", row.texts.pair.summary)];
        Ok(axes.iter().map(|axis| model.request(axis.step(), &fields)).collect())
    });
    let ratings = model.ask_rows(&requests, on_event, |_, place, text| rating(text, axes[place].highest()));
    rows.each_with(ratings, |row, ratings| {
        for (axis, rating) in axes.iter().zip(ratings?) {
            row.measures.add(axis.number_name(), rating);
        }
        Ok(())
    });
}

/// Returns the only number of a reply that is on the scale, ignoring the scale itself (`1-5`, `1 to 5`, `/5`, `out of 5`).
fn rating(text: &str, highest: f64) -> Parsed<f64> {
    let mut ratings = numbers(text);
    ratings.dedup();
    match ratings[..] {
        [rating] if (1.0..=highest).contains(&rating) => Ok(rating),
        _ => Err(Unparsable(format!("it has no single rating from 1 to {highest}"))),
    }
}

/// The numbers of a text that are not the ends of a scale.
fn numbers(text: &str) -> Vec<f64> {
    let is_part = |c: char| c.is_ascii_digit() || c == '.';
    let mut found: Vec<f64> = Vec::new();
    let (mut rest, mut is_end) = (text, false);
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let before = rest[..start].trim_end();
        let end = rest[start..].find(|c| !is_part(c)).map_or(rest.len(), |end| start + end);
        let number = rest[start..end].trim_end_matches('.').parse::<f64>();
        let after = rest[end..].trim_start();
        let begins = ["-", "–", "to "].iter().any(|mark| {
            after
                .strip_prefix(mark)
                .is_some_and(|next| next.trim_start().starts_with(|c: char| c.is_ascii_digit()))
        });
        let is_highest = before.ends_with('/') || before.ends_with("out of");
        match number {
            // The lowest and the highest rating.
            _ if begins || is_end || is_highest => {}
            Ok(number) if rest[..start].ends_with('-') => found.push(-number),
            Ok(number) => found.push(number),
            Err(_) => found.push(f64::NAN),
        }
        is_end = begins;
        rest = &rest[end..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_only_number_on_the_scale_is_the_rating() {
        for (text, number) in [
            ("4", 4.0),
            (" Rating: 3.", 3.0),
            ("4.5 out of 5", 4.5),
            ("**5**", 5.0),
            ("3/5", 3.0),
            ("Rating - 4", 4.0),
            ("<b>4</b>", 4.0),
            ("On a scale of 1 to 5, I rate it 4.", 4.0),
            ("Consistency (1-5): 2", 2.0),
        ] {
            assert_eq!(rating(text, 5.0), Ok(number), "{text}");
        }
        assert_eq!(rating("7", 7.0), Ok(7.0));
        for text in ["", "five", "0", "6", "12 of 20", "-3", "1. I read it. 4", "from 1 to 5"] {
            assert!(rating(text, 5.0).is_err(), "{text}");
        }
    }
}
