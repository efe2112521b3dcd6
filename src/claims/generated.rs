//! Claims written by a text-to-text model. Its inputs are groups of whole sentences that fit together; its outputs are
//! split into sentences, without repetition. A sentence of the summary that no claim came from becomes a claim itself, so
//! that all of the summary is judged.

use veridic_models::TextToText;

use super::claim::{Claim, has_words};
use super::overlap::Sentences;
use crate::error::{Error, Result};
use crate::input::Summary;
use crate::schedule::{Event, OnEvent};
use crate::text::{Span, sentences};

/// Maximum tokens per group, including the end token, as in T5's training. A longer sentence is a group by itself.
const GROUP_TOKENS: usize = 512;

/// Generates the claims of each summary.
pub(super) fn claims(
    model: &TextToText,
    summaries: &[Summary<'_>],
    on_event: &OnEvent<'_>,
) -> Result<Vec<Vec<Claim>>> {
    let read = summaries.iter().map(Sentences::of).collect::<Result<Vec<_>>>()?;
    let mut groups = Vec::new();
    for (summary, sentences) in read.iter().enumerate() {
        groups.extend(group(model, sentences)?.into_iter().map(|span| (summary, span)));
    }
    let inputs: Vec<&str> =
        groups.iter().map(|(summary, span)| read[*summary].index().slice(*span)).collect();
    let is_over = || on_event(Event::Poll).is_break();
    let outputs = model.generate_until(&inputs, &is_over)?.ok_or(Error::Stopped)?;
    let mut texts: Vec<Vec<String>> = vec![Vec::new(); summaries.len()];
    for ((summary, _), output) in groups.iter().zip(&outputs) {
        texts[*summary].extend(statements(&output.text, output.is_complete));
    }
    Ok(read.iter().zip(texts).map(|(sentences, texts)| located(sentences, texts)).collect())
}

/// Groups consecutive sentences that fit into the model together.
fn group(model: &TextToText, summary: &Sentences<'_>) -> Result<Vec<Span>> {
    let mut groups: Vec<Span> = Vec::new();
    for span in summary.spans() {
        let joined = groups.last().map(|last| Span { start: last.start, end: span.end });
        match joined {
            Some(joined) if model.count_tokens(summary.index().slice(joined))? <= GROUP_TOKENS => {
                groups.pop();
                groups.push(joined);
            }
            _ => groups.push(*span),
        }
    }
    Ok(groups)
}

/// The sentences of an output, without repetition; the last sentence of an output that was cut off is dropped.
fn statements(output: &str, is_complete: bool) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    let spans = sentences(output);
    let whole = if is_complete { spans.len() } else { spans.len().saturating_sub(1) };
    for span in &spans[..whole] {
        let text = span.slice(output).trim();
        if has_words(text) && !texts.iter().any(|known| known == text) {
            texts.push(text.to_owned());
        }
    }
    texts
}

/// The distinct claims in the summary's order. A sentence without a claim becomes a claim itself.
fn located(summary: &Sentences<'_>, texts: Vec<String>) -> Vec<Claim> {
    let mut claims: Vec<Claim> = Vec::new();
    for text in texts {
        if !claims.iter().any(|claim| claim.text == text) {
            claims.push(summary.claim(text));
        }
    }
    for span in summary.spans() {
        if !claims.iter().any(|claim| claim.sentence == *span) {
            claims.push(summary.whole(*span));
        }
    }
    // A stable sort: claims of the same sentence keep their order.
    claims.sort_by_key(|claim| claim.sentence.start);
    claims
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_output_loses_its_last_sentence_and_repetitions_are_dropped() {
        let output = "Anna came. Bob came. Anna came. Carl";
        assert_eq!(statements(output, true), ["Anna came.", "Bob came.", "Carl"]);
        assert_eq!(statements(output, false), ["Anna came.", "Bob came."]);
        assert_eq!(statements("", true), Vec::<String>::new());
    }

    #[test]
    fn a_sentence_without_claims_becomes_a_claim() {
        let text = "Anna closed the shop. It rained.";
        let read = |text| Sentences::of(&Summary::new(text)).unwrap();
        let claims = located(&read(text), vec!["Anna closed a shop.".into()]);
        let texts: Vec<&str> = claims.iter().map(|claim| claim.text.as_str()).collect();
        assert_eq!(texts, ["Anna closed a shop.", "It rained."]);
        let empty = located(&read(text), Vec::new());
        assert_eq!(empty.len(), 2);
    }
}
