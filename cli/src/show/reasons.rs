//! What decided a claim, in words: what the model says of the evidence, and what else was weighed. Numbers of the weighing
//! itself are in the JSON; here the strongest facts stand first, for the claim and against it.

use anyhow::Result;
use veridic::pipeline::ClaimResult;
use veridic::pipeline::evidence::{Contribution, Fact};
use veridic_stats::Sign;

use super::detail;

/// How many of a claim's facts are shown: those that add or take most.
const SHOWN_FACTS: usize = 6;

/// What adds or takes less of the log odds is not worth a word.
const LEAST_WEIGHT: f64 = 0.05;

/// The lines of a claim.
pub(super) fn reasons(claim: &ClaimResult) -> Result<()> {
    let p = &claim.probabilities;
    detail(
        "the model on this evidence:",
        &format!(
            "supports it {}, says nothing of it {}, contradicts it {}",
            percent(p.entailment.into()),
            percent(p.neutral.into()),
            percent(p.contradiction.into())
        ),
    )?;
    let Some(support) = &claim.support else { return Ok(()) };
    let mut facts: Vec<&Contribution> = support.contributions.iter().collect();
    facts.sort_by(|a, b| b.adds.abs().total_cmp(&a.adds.abs()));
    facts.retain(|fact| fact.adds.abs() >= LEAST_WEIGHT);
    facts.truncate(SHOWN_FACTS);
    for (side, speaks) in [("weighed for it:", 1.0), ("weighed against it:", -1.0)] {
        let told: Vec<String> =
            facts.iter().filter(|fact| fact.adds * speaks > 0.0).filter_map(|fact| told(fact)).collect();
        if !told.is_empty() {
            detail(side, &told.join("; "))?;
        }
    }
    Ok(())
}

/// A fact and its value, in words; "only" where it says the contrary of what such a fact says in itself.
fn told(contribution: &Contribution) -> Option<String> {
    let fact = contribution.fact;
    let speaks = match fact.sign() {
        Sign::NonNegative => contribution.adds >= 0.0,
        Sign::NonPositive => contribution.adds <= 0.0,
        Sign::Free => true,
    };
    let words = words(fact, contribution.value);
    Some(if speaks { words } else { format!("only {words}") })
}

fn words(fact: Fact, value: f64) -> String {
    let share = percent(value);
    match fact {
        Fact::SentenceEntailment => format!("{share} that the best sentence supports it"),
        Fact::SentenceNeutral => format!("{share} that the best sentence says nothing of it"),
        Fact::SentenceScore => format!("a score of {value:.2} of the best sentence"),
        Fact::WindowScore => format!("a score of {value:.2} of the best passage"),
        Fact::DocumentScore => format!("a score of {value:.2} of the whole document"),
        Fact::Contradiction => format!("{share} that some passage contradicts it"),
        Fact::Lead => format!("a lead of {value:.2} of the best sentence"),
        Fact::Disagreement => format!("a difference of {value:.2} between sentence, passage and document"),
        Fact::WordsInPremise => format!("{share} of its words in the evidence"),
        Fact::WordsInSentence => format!("{share} of its words in the best sentence"),
        Fact::WordsInDocument => format!("{share} of its words in the document"),
        Fact::PairsInDocument => format!("{share} of its words beside each other in the document too"),
        Fact::NamesInDocument => format!("{share} of its names in the document"),
        Fact::NumbersInDocument => format!("{share} of its numbers and dates in the document"),
        Fact::QuantityNowhere => {
            format!("{} number or date that is nowhere in the document", if value > 0.0 { "a" } else { "no" })
        }
        Fact::DenialDiffers => {
            format!("{} of claim and evidence denies", if value > 0.0 { "one" } else { "both or neither" })
        }
        Fact::PremiseLength => format!("{:.0} words of evidence", value.exp() - 1.0),
    }
}

fn percent(share: f64) -> String {
    format!("{:.0}%", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contribution(fact: Fact, adds: f64) -> Contribution {
        Contribution { fact, value: 0.5, adds }
    }

    #[test]
    fn every_fact_has_words_of_its_own() {
        let all = Fact::ALL.into_iter().map(|fact| words(fact, 0.5));
        let all: Vec<String> = all.collect();
        for (place, words) in all.iter().enumerate() {
            assert!(!words.contains('_') && !all[..place].contains(words), "{words}");
        }
    }

    #[test]
    fn what_is_less_than_usual_is_only_that() {
        let said = |fact, adds| told(&contribution(fact, adds)).unwrap();
        assert_eq!(said(Fact::NumbersInDocument, 0.2), "50% of its numbers and dates in the document");
        assert_eq!(said(Fact::NumbersInDocument, -0.2), "only 50% of its numbers and dates in the document");
        assert_eq!(said(Fact::Contradiction, 0.2), "only 50% that some passage contradicts it");
        assert_eq!(said(Fact::Contradiction, -0.2), "50% that some passage contradicts it");
    }
}
