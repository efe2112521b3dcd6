//! What decided a claim, in words: the model's probabilities on the evidence, and the facts with the largest weights, for the
//! claim and against it. The weights themselves are in the JSON.

use anyhow::Result;
use veridic::pipeline::ClaimResult;
use veridic::pipeline::evidence::{Contribution, Fact};
use veridic_stats::Sign;

use super::detail;

/// Most facts of a claim that are shown, the largest contributions first.
const SHOWN_FACTS: usize = 6;

/// Smaller contributions to the log odds are not shown.
const MIN_WEIGHT: f64 = 0.05;

/// Prints the reasons of a claim's score.
pub(super) fn reasons(claim: &ClaimResult) -> Result<()> {
    let p = &claim.probabilities;
    detail(
        "the model on this evidence:",
        &format!(
            "supports it {}, is neutral {}, contradicts it {}",
            percent(p.entailment.into()),
            percent(p.neutral.into()),
            percent(p.contradiction.into())
        ),
    )?;
    let Some(support) = &claim.support else { return Ok(()) };
    let mut facts: Vec<&Contribution> = support.contributions.iter().collect();
    facts.sort_by(|a, b| b.adds.abs().total_cmp(&a.adds.abs()));
    facts.retain(|fact| fact.adds.abs() >= MIN_WEIGHT);
    facts.truncate(SHOWN_FACTS);
    for (side, sign) in [("weighed for it:", 1.0), ("weighed against it:", -1.0)] {
        let described: Vec<String> =
            facts.iter().filter(|fact| fact.adds * sign > 0.0).map(|fact| description(fact)).collect();
        if !described.is_empty() {
            detail(side, &described.join("; "))?;
        }
    }
    Ok(())
}

/// A fact and its value in words; with "only" where it counts against the direction in which such a fact usually counts.
fn description(contribution: &Contribution) -> String {
    let fact = contribution.fact;
    let has_usual_sign = match fact.sign() {
        Sign::NonNegative => contribution.adds >= 0.0,
        Sign::NonPositive => contribution.adds <= 0.0,
        Sign::Free => true,
    };
    let words = words(fact, contribution.value);
    if has_usual_sign { words } else { format!("only {words}") }
}

fn words(fact: Fact, value: f64) -> String {
    let share = percent(value);
    match fact {
        Fact::SentenceEntailment => format!("{share} that the best sentence supports it"),
        Fact::SentenceNeutral => format!("{share} that the best sentence is neutral"),
        Fact::SentenceScore => format!("a score of {value:.2} of the best sentence"),
        Fact::WindowScore => format!("a score of {value:.2} of the best passage"),
        Fact::DocumentScore => format!("a score of {value:.2} of the whole document"),
        Fact::Contradiction => format!("{share} that some passage contradicts it"),
        Fact::Lead => format!("a lead of {value:.2} of the best sentence"),
        Fact::Disagreement => format!("a difference of {value:.2} between sentence, passage and document"),
        Fact::WordsInPremise => format!("{share} of its words in the evidence"),
        Fact::WordsInSentence => format!("{share} of its words in the best sentence"),
        Fact::WordsInDocument => format!("{share} of its words in the document"),
        Fact::PairsInDocument => format!("{share} of its word pairs adjacent in the document too"),
        Fact::NamesInDocument => format!("{share} of its names in the document"),
        Fact::NumbersInDocument => format!("{share} of its numbers and dates in the document"),
        Fact::QuantityNowhere => {
            format!("{} number or date that is not in the document", if value > 0.0 { "a" } else { "no" })
        }
        Fact::DenialDiffers => {
            format!(
                "{} of claim and evidence is negated",
                if value > 0.0 { "one" } else { "both or neither" }
            )
        }
        Fact::PremiseLength => format!("{:.0} words of evidence", value.exp() - 1.0),
        Fact::ContrastGain => format!("{share} more that something else is said instead"),
        Fact::Insensitive => {
            format!(
                "{} changed words that the model does not notice",
                if value > 0.0 { "some" } else { "no" }
            )
        }
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
    fn every_fact_has_its_own_description() {
        let all = Fact::ALL.into_iter().map(|fact| words(fact, 0.5));
        let all: Vec<String> = all.collect();
        for (place, words) in all.iter().enumerate() {
            assert!(!words.contains('_') && !all[..place].contains(words), "{words}");
        }
    }

    #[test]
    fn unusual_sign_is_described_with_only() {
        let text = |fact, adds| description(&contribution(fact, adds));
        assert_eq!(text(Fact::NumbersInDocument, 0.2), "50% of its numbers and dates in the document");
        assert_eq!(text(Fact::NumbersInDocument, -0.2), "only 50% of its numbers and dates in the document");
        assert_eq!(text(Fact::Contradiction, 0.2), "only 50% that some passage contradicts it");
        assert_eq!(text(Fact::Contradiction, -0.2), "50% that some passage contradicts it");
    }
}
