//! Derives verdicts from findings: the only place where a score is capped and a verdict is given. Pure: numbers in,
//! verdicts out.
//!
//! The table in the tests below and in docs/explanation/verdicts.md lists every case.

use serde::{Deserialize, Serialize};

use crate::findings::{ClaimFindings, NotInDocument};
use crate::named;
use crate::rules::{Cap, OverClaims, Rules};

/// k of the soft minimum.
const SOFTNESS: f64 = 5.0;

/// The verdict on a claim or a summary, from best to worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Verdict {
    /// It gives no answer: it says that the document does not say something, and the document does not; or a writer refuses to
    /// answer. Outside all rates.
    NoAnswer,
    /// The document supports it.
    Supported,
    /// Its score is too close to the limit of support; only if `abstain` is set.
    Unsure,
    /// The document does not support it.
    Unsupported,
    /// The document contradicts it.
    Contradicted,
}

named!(Verdict, "verdict", {
    NoAnswer = "no_answer",
    Supported = "supported",
    Unsure = "unsure",
    Unsupported = "unsupported",
    Contradicted = "contradicted",
});

/// Why a verdict does not follow from the score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Reason {
    /// There is no document: its list of sources is empty.
    NoDocument,
    /// A text is certainly in a language that the card of the NLI model does not list.
    Language,
}

named!(Reason, "reason", { NoDocument = "no_document", Language = "language" });

impl Verdict {
    /// Whether the document does not support it: unsupported or contradicted.
    #[must_use]
    pub fn is_adverse(self) -> bool {
        matches!(self, Self::Unsupported | Self::Contradicted)
    }
}

/// The verdict on a claim.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClaimVerdict {
    /// The score of the deciding premise, or the cap of a rule.
    pub score: f32,
    /// The verdict.
    pub verdict: Verdict,
    /// The reason if the verdict does not follow from the score.
    pub reason: Option<Reason>,
    /// The rule that capped the score, if any.
    pub cap: Option<Cap>,
}

/// The verdicts on a summary and on its claims.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdicts {
    /// The summary's score, pooled from its claims' scores.
    pub score: f32,
    /// The summary's verdict: that of its worst claim.
    pub verdict: Verdict,
    /// The reason if the summary's verdict does not follow from the scores.
    pub reason: Option<Reason>,
    /// The verdicts on its claims.
    pub claims: Vec<ClaimVerdict>,
}

/// The verdict on a claim of which nothing is judged: it gives no answer, or there is no document.
#[must_use]
pub fn decide_unread(is_no_answer: bool) -> ClaimVerdict {
    let (score, verdict, reason) = if is_no_answer {
        (1.0, Verdict::NoAnswer, None)
    } else {
        (0.0, Verdict::Unsupported, Some(Reason::NoDocument))
    };
    ClaimVerdict { score, verdict, reason, cap: None }
}

/// The verdict on a claim that the document does not say something, from the findings about that something.
#[must_use]
pub fn decide_absence(findings: &ClaimFindings, is_open: bool, rules: &Rules) -> ClaimVerdict {
    let said = decide_claim(findings, rules);
    if said.reason.is_some() {
        return said;
    }
    let denial = if is_open { findings.contradiction } else { 0.0 };
    let said = said.score.max(denial);
    let verdict = if said >= rules.thresholds.supported { Verdict::Unsupported } else { Verdict::NoAnswer };
    ClaimVerdict { score: 1.0 - said, verdict, reason: None, cap: None }
}

/// The verdict on one claim.
#[must_use]
pub fn decide_claim(findings: &ClaimFindings, rules: &Rules) -> ClaimVerdict {
    let (score, cap) = match lowest_cap(findings, rules) {
        Some((cap, most)) if most < findings.score => (most, Some(cap)),
        _ => (findings.score, None),
    };
    let limits = &rules.thresholds;
    let is_near = |distance| (score - limits.supported).abs() < distance;
    let verdict = if findings.is_unlisted {
        Verdict::Unsupported
    } else if findings.has_instead {
        Verdict::Contradicted
    } else if rules.abstain.is_some_and(is_near) {
        Verdict::Unsure
    } else if score >= limits.supported {
        Verdict::Supported
    } else if findings.has_other_value || findings.contradiction > limits.contradicted {
        Verdict::Contradicted
    } else {
        Verdict::Unsupported
    };
    ClaimVerdict { score, verdict, reason: findings.is_unlisted.then_some(Reason::Language), cap }
}

/// The rule with the lowest cap of those that apply to a claim.
fn lowest_cap(findings: &ClaimFindings, rules: &Rules) -> Option<(Cap, f32)> {
    let nowhere = findings.not_in_document.iter().filter_map(NotInDocument::cap);
    let applied = nowhere.chain(findings.has_instead.then_some(Cap::Instead));
    let caps = applied.filter_map(|cap| Some((cap, rules.caps.of(cap)?)));
    caps.reduce(|lowest, other| if other.1 < lowest.1 { other } else { lowest })
}

/// The verdict on a summary, from those on its claims.
#[must_use]
pub(crate) fn over_claims(claims: Vec<ClaimVerdict>, rule: OverClaims) -> Verdicts {
    let verdict = claims.iter().map(|claim| claim.verdict).max().unwrap_or(Verdict::NoAnswer);
    // A contradicted claim decides even if other claims could not be judged.
    let reason = claims.iter().find_map(|claim| claim.reason).filter(|_| verdict == Verdict::Unsupported);
    let answers: Vec<f32> =
        claims.iter().filter(|claim| claim.verdict != Verdict::NoAnswer).map(|claim| claim.score).collect();
    Verdicts { score: pool(rule, answers.into_iter()), verdict, reason, claims }
}

/// The score of a summary from the scores of its claims that are answers, computed in double precision; 1 without such
/// claims.
fn pool(rule: OverClaims, scores: impl ExactSizeIterator<Item = f32>) -> f32 {
    if scores.len() == 0 {
        return 1.0;
    }
    let count = scores.len() as f64;
    let scores = scores.map(f64::from);
    let score = match rule {
        OverClaims::Mean => scores.sum::<f64>() / count,
        OverClaims::Minimum => scores.fold(f64::INFINITY, f64::min),
        OverClaims::SoftMinimum => soft_minimum(scores, SOFTNESS),
    };
    score as f32
}

/// -ln(mean of exp(-k x)) / k: between the mean and the minimum.
fn soft_minimum(values: impl ExactSizeIterator<Item = f64>, softness: f64) -> f64 {
    let count = values.len() as f64;
    -(values.map(|value| (-softness * value).exp()).sum::<f64>() / count).ln() / softness
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Contradicted, NoAnswer, Supported, Unsupported, Unsure};

    /// Rules with a different cap for each finding.
    fn rules() -> Rules {
        let mut rules = Rules::veridic();
        rules.caps.quantity_nowhere = Some(0.2);
        rules.caps.date_nowhere = Some(0.25);
        rules.caps.instead = Some(0.15);
        rules
    }

    fn number() -> NotInDocument {
        NotInDocument::Quantity { sort: "amount", text: "2.4 million euros".into() }
    }

    fn date() -> NotInDocument {
        NotInDocument::Quantity { sort: "date", text: "3 May".into() }
    }

    fn name() -> NotInDocument {
        NotInDocument::Name("Rio".into())
    }

    /// The cases of the table in docs/explanation/verdicts.md: description, findings and verdict.
    fn cases() -> Vec<(&'static str, ClaimFindings, ClaimVerdict)> {
        let found = |score: f32| ClaimFindings { score, ..ClaimFindings::default() };
        let of = |score, verdict, cap| ClaimVerdict { score, verdict, reason: None, cap };
        let case = |what, findings, verdict| (what, findings, verdict);
        vec![
            case("a premise entails it", found(0.97), of(0.97, Supported, None)),
            case("the entailment is exactly the limit", found(0.5), of(0.5, Supported, None)),
            case("no premise entails it", found(0.49), of(0.49, Unsupported, None)),
            case(
                "no premise entails it, and a sentence about it contradicts it",
                ClaimFindings { contradiction: 0.71, ..found(0.3) },
                of(0.3, Contradicted, None),
            ),
            case(
                "the contradiction is exactly the limit",
                ClaimFindings { contradiction: 0.7, ..found(0.3) },
                of(0.3, Unsupported, None),
            ),
            case(
                "a premise entails it, although a sentence about it contradicts it",
                ClaimFindings { contradiction: 0.99, ..found(0.9) },
                of(0.9, Supported, None),
            ),
            case(
                "a premise entails it, but one of its numbers is nowhere in the document",
                ClaimFindings { not_in_document: vec![number()], ..found(0.97) },
                of(0.2, Unsupported, Some(Cap::QuantityNowhere)),
            ),
            case(
                "a premise entails it, but one of its dates is nowhere in the document",
                ClaimFindings { not_in_document: vec![date()], ..found(0.97) },
                of(0.25, Unsupported, Some(Cap::DateNowhere)),
            ),
            case(
                "a number and a date are nowhere in the document: the lower cap applies",
                ClaimFindings { not_in_document: vec![date(), number()], ..found(0.97) },
                of(0.2, Unsupported, Some(Cap::QuantityNowhere)),
            ),
            case(
                "the entailment is already below the cap",
                ClaimFindings { not_in_document: vec![number()], ..found(0.1) },
                of(0.1, Unsupported, None),
            ),
            case(
                "a name is nowhere in the document",
                ClaimFindings { not_in_document: vec![name()], ..found(0.97) },
                of(0.97, Supported, None),
            ),
            case(
                "a number is nowhere in the document, and a sentence about it has another value",
                ClaimFindings { not_in_document: vec![number()], has_other_value: true, ..found(0.97) },
                of(0.2, Contradicted, Some(Cap::QuantityNowhere)),
            ),
            case(
                "the document says something else instead",
                ClaimFindings { has_instead: true, ..found(0.6) },
                of(0.15, Contradicted, Some(Cap::Instead)),
            ),
            case(
                "a text is in a language that gets no verdict",
                ClaimFindings { is_unlisted: true, contradiction: 0.9, ..found(0.97) },
                ClaimVerdict { reason: Some(Reason::Language), ..of(0.97, Unsupported, None) },
            ),
        ]
    }

    /// The table in the page's Markdown.
    fn table() -> String {
        let mut table = String::from("| found | score | verdict | capped by |\n|---|---|---|---|\n");
        for (what, _, of) in cases() {
            let cap = of.cap.map_or(String::new(), |cap| format!("`{cap}`"));
            let reason = of.reason.map_or(String::new(), |reason| format!(", reason `{reason}`"));
            table += &format!("| {what} | {} | {}{reason} | {cap} |\n", of.score, of.verdict);
        }
        table
    }

    #[test]
    fn each_case_has_its_verdict() {
        for (what, findings, expected) in cases() {
            assert_eq!(decide_claim(&findings, &rules()), expected, "{what}");
        }
    }

    #[test]
    fn the_page_on_verdicts_has_the_same_table() {
        let page = include_str!("../docs/explanation/verdicts.md");
        assert!(page.contains(&table()), "docs/explanation/verdicts.md lacks this table:\n{}", table());
    }

    #[test]
    fn claims_near_the_limit_are_unsure_where_the_rules_abstain() {
        let rules = Rules { abstain: Some(0.25), ..rules() };
        let verdict = |findings: ClaimFindings| decide_claim(&findings, &rules).verdict;
        let found = |score: f32| ClaimFindings { score, ..ClaimFindings::default() };
        assert_eq!(
            [0.75, 0.74, 0.5, 0.26, 0.25].map(|score| verdict(found(score))),
            [Supported, Unsure, Unsure, Unsure, Unsupported]
        );
        // A cap far from the limit leaves the claim certain.
        assert_eq!(verdict(ClaimFindings { not_in_document: vec![number()], ..found(0.6) }), Unsupported);
        assert_eq!(verdict(ClaimFindings { has_instead: true, ..found(0.6) }), Contradicted);
    }

    #[test]
    fn rules_that_are_off_cap_nothing() {
        let findings = ClaimFindings {
            not_in_document: vec![number(), date()],
            has_instead: true,
            score: 0.9,
            ..ClaimFindings::default()
        };
        let verdict = decide_claim(&findings, &Rules::paper());
        assert_eq!((verdict.score, verdict.cap), (0.9, None));
    }

    #[test]
    fn a_summary_is_as_bad_as_its_worst_claim() {
        let of = |verdicts: &[Verdict]| {
            let claim =
                |verdict: &Verdict| ClaimVerdict { score: 0.5, verdict: *verdict, reason: None, cap: None };
            over_claims(verdicts.iter().map(claim).collect(), OverClaims::Minimum).verdict
        };
        assert_eq!(of(&[Supported, Supported]), Supported);
        assert_eq!(of(&[Supported, Unsupported]), Unsupported);
        assert_eq!(of(&[Unsupported, Contradicted, Supported]), Contradicted);
        assert_eq!(of(&[Supported, Unsure]), Unsure);
        assert_eq!(of(&[Unsure, Unsupported]), Unsupported);
    }

    #[test]
    fn an_absence_is_wrong_if_the_document_says_it() {
        let rules = rules();
        let of = |findings: ClaimFindings, is_open| decide_absence(&findings, is_open, &rules).verdict;
        let found = |score: f32, contradiction: f32| ClaimFindings {
            score,
            contradiction,
            ..ClaimFindings::default()
        };
        assert_eq!(of(found(0.5, 0.0), false), Unsupported);
        assert_eq!(of(found(0.1, 0.9), true), Unsupported, "\"whether\" is answered by a denial");
        assert_eq!(of(found(0.1, 0.9), false), NoAnswer);
        assert_eq!(of(found(0.49, 0.49), true), NoAnswer);
        assert_eq!(decide_absence(&found(0.25, 0.0), true, &rules).score, 0.75);
        let unlisted = ClaimFindings { is_unlisted: true, ..found(0.1, 0.0) };
        assert_eq!(decide_absence(&unlisted, true, &rules).reason, Some(Reason::Language));
    }

    #[test]
    fn what_gives_no_answer_decides_nothing_else() {
        let of = |claims: &[ClaimVerdict]| over_claims(claims.to_vec(), OverClaims::Minimum);
        let claim = |score, verdict| ClaimVerdict { score, verdict, reason: None, cap: None };
        let (none, good) = (claim(0.1, NoAnswer), claim(0.9, Supported));
        assert_eq!((of(&[none, good]).verdict, of(&[none, good]).score), (Supported, 0.9));
        assert_eq!((of(&[none]).verdict, of(&[none]).score), (NoAnswer, 1.0));
        assert_eq!((of(&[]).verdict, of(&[]).score), (NoAnswer, 1.0));
        assert_eq!(decide_unread(false).reason, Some(Reason::NoDocument));
        assert_eq!(decide_unread(true).verdict, NoAnswer);
    }

    #[test]
    fn a_contradiction_decides_whatever_was_not_judged() {
        let unlisted = ClaimFindings { is_unlisted: true, ..ClaimFindings::default() };
        let against = ClaimFindings { contradiction: 0.9, ..ClaimFindings::default() };
        let rules = rules();
        let [unlisted, against] = [unlisted, against].map(|findings| decide_claim(&findings, &rules));
        let of = |claims: &[ClaimVerdict]| over_claims(claims.to_vec(), rules.over_claims);
        assert_eq!(of(&[unlisted]).reason, Some(Reason::Language));
        let both = of(&[unlisted, against]);
        assert_eq!((both.verdict, both.reason), (Contradicted, None));
    }

    #[test]
    fn scores_are_pooled_by_each_rule() {
        let scores = [1.0f32, 0.0, -0.25];
        let of = |rule| pool(rule, scores.into_iter());
        assert_eq!((of(OverClaims::Mean), of(OverClaims::Minimum)), (0.25, -0.25));
        // -ln((e^-5 + 1 + e^1.25) / 3) / 5
        assert!((of(OverClaims::SoftMinimum) + 0.080_963).abs() < 1e-5, "{}", of(OverClaims::SoftMinimum));
        assert!((pool(OverClaims::SoftMinimum, [0.5f32, 0.5].into_iter()) - 0.5).abs() < 1e-6);
    }
}
