//! The share of a summary's claims that are about a topic (TofuEval's relevance, Tang et al. 2024, section 3.4, there a rating
//! by people). A claim is about the topic if it has at least half of the topic's content words, compared by stems, or if it
//! entails "This is about TOPIC." by the NLI model.
//!
//! Refuses rows without a topic and topics without a content word.

use std::collections::BTreeSet;

use serde::Serialize;

use super::row::{Row, Rows, classify_rows};
use crate::similarity::rouge::tokens;
use veridic::pipeline::{Claims, NliPair, Summary};
use veridic::schedule::OnEvent;
use veridic::text::{WordKind, words};
use veridic::{Error, Result, Scorer};

/// The share of words, and the probability of entailment, from which a claim is about the topic.
const RELEVANT_FROM: f64 = 0.5;

/// The values behind the number.
#[derive(Debug, Serialize)]
struct Facts<'r> {
    topic: &'r str,
    claims: Vec<ClaimRelevance>,
}

#[derive(Debug, Serialize)]
struct ClaimRelevance {
    text: String,
    /// The share of the topic's content words that it has.
    similarity: f64,
    /// The probability that it entails the hypothesis.
    entailment: f64,
    is_about_topic: bool,
}

/// A summary's claims and the topic.
struct RelevanceTask<'t> {
    topic: &'t str,
    hypothesis: String,
    claims: Vec<String>,
}

/// Adds `relevance`; without a topic of all rows, each row has its own.
pub(super) fn measure<'t>(
    scorer: &Scorer,
    topic: Option<&'t str>,
    rows: &mut Rows<'t>,
    on_event: &OnEvent<'_>,
) {
    let tasks = rows.each(|row| {
        let task = task_of(scorer, topic, row);
        row.or_leave_out(&["relevance"], task)
    });
    let of_rows: Vec<Vec<NliPair<'_>>> =
        tasks.iter().map(|task| task.as_ref().map(RelevanceTask::nli_pairs).unwrap_or_default()).collect();
    let answers = classify_rows(scorer, &of_rows, on_event);
    rows.each_with(answers.into_iter().zip(&tasks), |row, (answers, task)| {
        let (answers, Some(task)) = (answers?, task) else { return Ok(()) };
        let entailments = answers.iter().map(|answer| f64::from(answer.probabilities.entailment));
        let claims: Vec<ClaimRelevance> =
            task.claims.iter().zip(entailments).map(|(claim, p)| about(task.topic, claim, p)).collect();
        row.measures.add("relevance", share(&claims));
        row.measures.add_facts("relevance_facts", &Facts { topic: task.topic, claims });
        Ok(())
    });
}

impl RelevanceTask<'_> {
    fn nli_pairs(&self) -> Vec<NliPair<'_>> {
        let hypothesis = &self.hypothesis;
        self.claims.iter().map(|premise| NliPair { premise, hypothesis }).collect()
    }
}

fn task_of<'t>(scorer: &Scorer, topic: Option<&'t str>, row: &Row<'t>) -> Result<RelevanceTask<'t>> {
    let refusal = |reason: &str| Error::Text { role: "row", reason: reason.to_owned() };
    let topic = topic.or(row.texts.inputs.topic.as_deref()).map(str::trim).ok_or_else(|| {
        refusal("has no topic: give one in its field `topic`, or one for all rows in --topic")
    })?;
    if content_stems(topic).is_empty() {
        return Err(refusal("has a topic without a content word"));
    }
    let claims = scorer.settings().claims.extract(&[Summary::of(&row.texts.pair)])?;
    let claims = claims.into_iter().flat_map(|Claims { claims, .. }| claims).map(|claim| claim.text);
    Ok(RelevanceTask { topic, hypothesis: format!("This is about {topic}."), claims: claims.collect() })
}

fn about(topic: &str, claim: &str, entailment: f64) -> ClaimRelevance {
    let similarity = similarity(topic, claim);
    let is_about_topic = similarity >= RELEVANT_FROM || entailment >= RELEVANT_FROM;
    ClaimRelevance { text: claim.to_owned(), similarity, entailment, is_about_topic }
}

/// The share of the topic's content words that the claim has.
fn similarity(topic: &str, claim: &str) -> f64 {
    let (topic, claim) = (content_stems(topic), content_stems(claim));
    let found = topic.intersection(&claim).count();
    if topic.is_empty() { 0.0 } else { found as f64 / topic.len() as f64 }
}

/// The share of claims that are about the topic; 0 without claims.
fn share(claims: &[ClaimRelevance]) -> f64 {
    let about = claims.iter().filter(|claim| claim.is_about_topic).count();
    if claims.is_empty() { 0.0 } else { about as f64 / claims.len() as f64 }
}

/// The stems of the content words.
fn content_stems(text: &str) -> BTreeSet<String> {
    let content = words(text).into_iter().filter(|word| word.kind != WordKind::Function);
    content.flat_map(|word| tokens(&word.form, true)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn similarities_are_those_counted_by_hand() {
        // Content words: closure, swimming, pool; "closing" and "closure" have different stems, "pools" and "pool" not.
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
    fn shared_words_or_the_model_decide() {
        let is_about = |claim, p| about("swimming pool", claim, p).is_about_topic;
        assert!(is_about("The pool leaks.", 0.0) && is_about("It leaks.", 0.5));
        assert!(!is_about("It leaks.", 0.49));
        // Two of three.
        let claims = [("The pool leaks.", 0.1), ("It leaks.", 0.9), ("Rain fell.", 0.2)];
        let claims: Vec<ClaimRelevance> = claims.map(|(claim, p)| about("swimming pool", claim, p)).into();
        assert!((share(&claims) - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(share(&[]), 0.0);
    }

    proptest! {
        #[test]
        fn a_similarity_is_a_share_and_more_words_never_lower_it(
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
