//! Explains each claim's verdict in a sentence: by which passage the document supports it, or why it does not. Decides
//! which finding is reported. Further sentences warn of an insensitive judge and name a wrong citation.

use crate::decide::{Reason, Verdict};
use crate::findings::{Certainty, FillingKind};
use crate::result::{CitationVerdict, ClaimResult, Evidence};

/// A longer passage is described, not quoted.
const QUOTED_CHARACTERS: usize = 120;

/// A passage that contradicts a claim with more than this speaks against it, even if it is not certain enough, or not
/// certainly enough about the claim, for the verdict contradicted.
const SPEAKS_AGAINST: f32 = 0.5;

/// The explanation of a claim's verdict. `missing`: its unsupported words that no passage about it has.
pub(crate) fn explanation(claim: &ClaimResult, missing: &[String]) -> String {
    let first = match claim.verdict {
        Verdict::Supported => format!("Supported by {}.", passage(&claim.evidence)),
        Verdict::Unsure => format!(
            "Unsure: its score is close to the limit; the closest passage is {}.",
            passage(&claim.evidence)
        ),
        Verdict::NoAnswer if claim.tested.is_some() => {
            "No answer: the document does not say it, as far as the judge finds.".to_owned()
        }
        Verdict::NoAnswer => "No answer is given.".to_owned(),
        Verdict::Unsupported if claim.tested.is_some() && claim.reason.is_none() => {
            format!("Not supported: the document does say it: {}.", passage(&claim.evidence))
        }
        Verdict::Unsupported | Verdict::Contradicted => against(claim, missing),
    };
    [Some(first), uncertain(claim), wrong_citation(claim)].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Why a claim is not supported. In this order: what the document says instead, the passage that contradicts it, a fact
/// that is nowhere in the document, a passage that speaks against it, or that no passage supports it.
fn against(claim: &ClaimResult, missing: &[String]) -> String {
    match claim.reason {
        Some(Reason::Language) => {
            return "Not judged: a text is in a language that the model does not read.".to_owned();
        }
        Some(Reason::NoDocument) => return "Not supported: there is no document.".to_owned(),
        None => {}
    }
    if let Some(instead) = &claim.instead {
        return match instead.kind {
            FillingKind::Roles | FillingKind::Denial => {
                format!("Not supported: the document says: {}", closed(&instead.document))
            }
            _ => format!("Not supported: the document says {}.", instead.document),
        };
    }
    if let Some(counter) = &claim.counter_evidence {
        return match &counter.quantity {
            Some(quantity) => {
                format!("Not supported: the document says {}, not {}.", quantity.document, quantity.claim)
            }
            None => format!("Contradicted by {}.", passage(&counter.evidence)),
        };
    }
    let support = claim.support.as_ref();
    let nowhere = support.and_then(|support| support.vetoes.first().or(support.not_found.first()));
    if let Some(nowhere) = nowhere {
        return format!("Not supported: {nowhere}.");
    }
    if claim.probabilities.contradiction > SPEAKS_AGAINST {
        return "Not supported: the closest passage speaks against it, but not surely enough for a contradiction."
            .to_owned();
    }
    let words: Vec<String> = missing.iter().map(|words| format!("\u{201c}{words}\u{201d}")).collect();
    if words.is_empty() {
        return "Not supported: no passage of the document says it.".to_owned();
    }
    format!("Not supported: the closest passage does not say {}.", words.join(", "))
}

/// Describes a passage by its speaker or its source, if it has one, else by its words, if they are few.
fn passage(evidence: &Evidence) -> String {
    let sources: Vec<&str> = evidence.sources.iter().map(|source| source.id.as_str()).collect();
    let place = match (&evidence.place, &sources[..]) {
        (Some(place), _) => Some(place.to_string()),
        (None, []) => None,
        (None, [source]) => Some(format!("source {source}")),
        (None, several) => Some(format!("sources {}", several.join(" and "))),
    };
    let quoted = (evidence.text.chars().count() <= QUOTED_CHARACTERS)
        .then(|| evidence.text.split_whitespace().collect::<Vec<_>>().join(" "));
    match (place, quoted) {
        (Some(place), _) => place,
        (None, Some(text)) => format!("\u{201c}{}\u{201d}", text.trim_end_matches('.')),
        (None, None) if evidence.spans.len() == 1 => "one sentence of the document".to_owned(),
        (None, None) => format!("{} sentences of the document together", evidence.spans.len()),
    }
}

/// A warning if the judge accepts a changed claim as much as the claim itself.
fn uncertain(claim: &ClaimResult) -> Option<String> {
    (claim.certainty == Some(Certainty::Insensitive))
        .then(|| "The judge accepts the opposite just as well: read the passage yourself.".to_owned())
}

/// Describes the wrong citation of a claim, if it has one.
fn wrong_citation(claim: &ClaimResult) -> Option<String> {
    let wrong = claim.wrong_citation()?;
    let source = &wrong.source;
    Some(match (wrong.verdict, &wrong.other) {
        (CitationVerdict::UnknownSource, _) => format!("Wrong citation: no source is named {source}."),
        (_, Some(other)) => format!("Wrong citation: source {source} does not say it, source {other} does."),
        _ => format!("Wrong citation: source {source} does not say it."),
    })
}

fn closed(sentence: &str) -> String {
    if sentence.ends_with(['.', '!', '?']) { sentence.to_owned() } else { format!("{sentence}.") }
}
