//! Extract-then-Evaluate's second step (Wu et al., EACL 2024): a language model reads the document, or the extract of it that the
//! row is judged by, and rates the summary (figures 4 to 6). The reply is the number; the first number in it counts.

use serde::Serialize;

use super::Evaluator;
use super::choice::MetricChoice;
use super::row::Rows;
use crate::error::{Error, Result};
use crate::llm::{LanguageModel, Request, Step, Unparsable};
use crate::named;
use crate::schedule::OnEvent;

/// What is rated.
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
    fn step(self) -> Step {
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

/// The steps of the wanted axes.
pub(super) fn steps(choice: &MetricChoice) -> Vec<Step> {
    wanted(choice).map(Axis::step).collect()
}

fn wanted(choice: &MetricChoice) -> impl Iterator<Item = Axis> {
    Axis::ALL.into_iter().filter(|axis| choice.wants(axis.name()))
}

pub(super) fn measure(
    evaluator: &Evaluator,
    choice: &MetricChoice,
    rows: &mut Rows<'_>,
    on_event: &OnEvent<'_>,
) {
    let Some(model) = &evaluator.language_model else {
        return rows.each(|_| Err(super::needs_answers("rating")));
    };
    let axes: Vec<Axis> = wanted(choice).collect();
    let mut requests = Vec::new();
    rows.each(|row| {
        requests.push(
            axes.iter().map(|axis| request(model, *axis, row.pair.document, row.pair.summary)).collect(),
        );
        Ok(())
    });
    let ratings: Vec<Result<Vec<f64>>> =
        model.ask_rows(&requests, on_event, |_, place, text| rating(text, axes[place].highest()));
    let mut ratings = ratings.into_iter();
    rows.each(|row| {
        let ratings = ratings.next().unwrap_or(Err(Error::Stopped))?;
        axes.iter().zip(ratings).for_each(|(axis, rating)| row.measures.add(axis.number_name(), rating));
        Ok(())
    });
}

fn request(model: &LanguageModel, axis: Axis, document: &str, summary: &str) -> Request {
    model.request(axis.step(), &[("document", document), ("summary", summary)])
}

/// The first number of a reply, if it is on the scale.
fn rating(text: &str, highest: f64) -> std::result::Result<f64, Unparsable> {
    let start = text.find(|c: char| c.is_ascii_digit());
    let number = start.map(|start| {
        let rest = &text[start..];
        let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
        rest[..end].trim_end_matches('.')
    });
    let rating = number.and_then(|number| number.parse::<f64>().ok());
    rating.filter(|rating| (1.0..=highest).contains(rating)).ok_or_else(|| {
        let shown: String = text.trim().chars().take(60).collect();
        Unparsable(format!("`{shown}` has no rating from 1 to {highest}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_number_is_the_rating() {
        for (text, number) in [("4", 4.0), (" Rating: 3.", 3.0), ("4.5 out of 5", 4.5), ("**5**", 5.0)] {
            assert_eq!(rating(text, 5.0), Ok(number), "{text}");
        }
        assert_eq!(rating("7", 7.0), Ok(7.0));
        for text in ["", "five", "0", "6", "12 of 20"] {
            assert!(rating(text, 5.0).is_err(), "{text}");
        }
    }
}
