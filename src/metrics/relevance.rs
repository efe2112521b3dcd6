//! How much of a summary is about a topic (TofuEval's relevance, Tang et al. 2024, section 3.4, there a rating by people):
//! the share of its claims that are. A claim is about the topic if it has at least half of the topic's telling words,
//! compared by their stems, or if the NLI model finds that it entails [`hypothesis`].
//!
//! Refuses rows without a topic and topics without a telling word.

use std::collections::BTreeSet;

use serde::Serialize;

use super::Evaluator;
use super::row::{Row, Rows, answers_of};
use crate::error::{Error, Result};
use crate::pipeline::{Claims, NliPair, Summary};
use crate::schedule::OnEvent;
use crate::similarity::rouge::tokens;
use veridic_text::{WordKind, words};

/// From here on a share of words, and a probability of entailment, tell that a claim is about the topic.
const ABOUT_FROM: f64 = 0.5;

/// What made the number.
#[derive(Debug, Serialize)]
struct Facts<'r> {
    topic: &'r str,
    claims: Vec<AboutClaim>,
}

#[derive(Debug, Serialize)]
struct AboutClaim {
    text: String,
    /// The share of the topic's telling words that it has.
    similarity: f64,
    /// The probability that it entails being about the topic.
    entailment: f64,
    is_about_topic: bool,
}

/// A summary's claims and the topic.
struct Asked<'t> {
    topic: &'t str,
    hypothesis: String,
    claims: Vec<String>,
}

pub(super) fn measure<'t>(evaluator: &'t Evaluator, rows: &mut Rows<'t>, on_event: &OnEvent<'_>) {
    let mut asked = Vec::new();
    rows.each(|row| {
        asked.push(match asked_of(evaluator, row) {
            Err(error) if evaluator.lenient => {
                row.measures.leave_out("relevance", error.to_string());
                None
            }
            asked => Some(asked?),
        });
        Ok(())
    });
    let of_rows: Vec<Vec<NliPair<'_>>> =
        asked.iter().map(|asked| asked.as_ref().map_or_else(Vec::new, Asked::questions)).collect();
    let mut answers = answers_of(evaluator.scorer(), &of_rows, on_event).into_iter();
    let mut asked = asked.iter();
    rows.each(|row| {
        let (asked, answers) = (asked.next().and_then(Option::as_ref), answers.next());
        let answers = answers.unwrap_or(Err(Error::Stopped))?;
        let Some(asked) = asked else { return Ok(()) };
        let entailments = answers.iter().map(|answer| f64::from(answer.probabilities.entailment));
        let claims: Vec<AboutClaim> =
            asked.claims.iter().zip(entailments).map(|(claim, p)| about(asked.topic, claim, p)).collect();
        row.measures.add("relevance", share(&claims));
        row.measures.tell("relevance_facts", &Facts { topic: asked.topic, claims });
        Ok(())
    });
}

impl Asked<'_> {
    fn questions(&self) -> Vec<NliPair<'_>> {
        let hypothesis = &self.hypothesis;
        self.claims.iter().map(|premise| NliPair { premise, hypothesis }).collect()
    }
}

/// What a claim about the topic entails.
fn hypothesis(topic: &str) -> String {
    format!("This is about {topic}.")
}

fn asked_of<'t>(evaluator: &'t Evaluator, row: &Row<'t>) -> Result<Asked<'t>> {
    let refuse = |reason: String| Err(Error::Text { role: "row", reason });
    let Some(topic) = evaluator.topic.as_deref().or(row.pair.metric_inputs.topic.as_deref()).map(str::trim)
    else {
        return refuse("has no topic: give it in `topic`, or one for all rows by --topic".into());
    };
    if telling(topic).is_empty() {
        return refuse(format!("has a topic without a telling word: `{topic}`"));
    }
    let summary = Summary { text: row.pair.summary, claims: row.pair.claims };
    let claims = evaluator.scorer().settings().claims.extract(&[summary])?;
    let claims = claims.into_iter().flat_map(|Claims { claims, .. }| claims).map(|claim| claim.text);
    Ok(Asked { topic, hypothesis: hypothesis(topic), claims: claims.collect() })
}

fn about(topic: &str, claim: &str, entailment: f64) -> AboutClaim {
    let similarity = similarity(topic, claim);
    let is_about_topic = similarity >= ABOUT_FROM || entailment >= ABOUT_FROM;
    AboutClaim { text: claim.to_owned(), similarity, entailment, is_about_topic }
}

/// The share of the topic's telling words that the claim has.
fn similarity(topic: &str, claim: &str) -> f64 {
    let (topic, claim) = (telling(topic), telling(claim));
    let found = topic.intersection(&claim).count();
    if topic.is_empty() { 0.0 } else { found as f64 / topic.len() as f64 }
}

/// The share of claims that are about the topic; of a summary without claims, 0.
fn share(claims: &[AboutClaim]) -> f64 {
    let about = claims.iter().filter(|claim| claim.is_about_topic).count();
    if claims.is_empty() { 0.0 } else { about as f64 / claims.len() as f64 }
}

/// The stems of the words that are no function words.
fn telling(text: &str) -> BTreeSet<String> {
    let telling = words(text).into_iter().filter(|word| word.kind != WordKind::Function);
    telling.flat_map(|word| tokens(&word.form, true)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_of_the_topic_are_counted_by_hand() {
        // Telling words: closure, swimming, pool; "closing" and "closure" have different stems, "pools" and "pool" not.
        for (claim, found) in [
            ("The pools will close.", 1.0 / 3.0),
            ("The swimming pool leaks.", 2.0 / 3.0),
            ("The closure of the swimming pool is sad.", 1.0),
            ("The mayor has resigned.", 0.0),
        ] {
            assert!((similarity("Closure of the swimming pool", claim) - found).abs() < 1e-12, "{claim}");
        }
    }

    #[test]
    fn words_or_the_model_tell() {
        let is_about = |claim, p| about("swimming pool", claim, p).is_about_topic;
        assert!(is_about("The pool leaks.", 0.0) && is_about("It leaks.", 0.5));
        assert!(!is_about("It leaks.", 0.49));
        // Two of three.
        let claims = [("The pool leaks.", 0.1), ("It leaks.", 0.9), ("Rain fell.", 0.2)];
        let claims: Vec<AboutClaim> = claims.map(|(claim, p)| about("swimming pool", claim, p)).into();
        assert!((share(&claims) - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(share(&[]), 0.0);
    }

    proptest! {
        #[test]
        fn a_similarity_is_a_share_that_more_words_never_lower(
            topic in "[a-z]{3,8}( [a-z]{3,8}){0,4}",
            claim in "[a-z]{3,8}( [a-z]{3,8}){0,6}",
            more in "[a-z]{3,8}",
        ) {
            let alone = similarity(&topic, &claim);
            prop_assert!((0.0..=1.0).contains(&alone));
            let longer = claim + " " + &more;
            prop_assert!(similarity(&topic, &longer) >= alone);
        }
    }
}
