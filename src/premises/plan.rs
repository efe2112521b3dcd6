//! Which premises the rules make of a document: sentences, windows or chunks, the whole; and the text that the model
//! reads of each.

use std::ops::Range;

use veridic_models::store::ChunkUnit;
use veridic_models::{PairTokenizer, Result};

use crate::rules::{Chunks, Level, Rules, WindowRule};
use veridic_text::{Span, TextIndex, sentences, window_span, windows, windows_by_size};

/// A premise before it is tokenized.
pub(super) struct Planned {
    pub(super) level: Level,
    pub(super) evidence: Span,
    /// The sentences that it covers.
    pub(super) sentences: Range<usize>,
    /// What the model reads, where it is not the evidence itself.
    pub(super) text: Option<String>,
}

/// The premises of a document of these sentences, level by level.
///
/// # Errors
/// When the tokenizer fails.
pub(super) fn plan(
    rules: &Rules,
    document: &TextIndex<'_>,
    sentences: &[Span],
    tokenizer: &PairTokenizer,
) -> Result<Vec<Planned>> {
    let windows = windows_of(rules, document, sentences, tokenizer)?;
    let all = 0..sentences.len();
    let separator = match rules.window_rule {
        WindowRule::Slices => None,
        WindowRule::Joined => Some(" "),
        WindowRule::Packed(Chunks { separator, .. }) => Some(separator),
    };
    let joined = rules.window_rule == WindowRule::Joined;
    let only_one_window = windows.len() <= 1;
    let mut plan = Vec::new();
    for &level in &rules.levels {
        match level {
            Level::Sentence => plan.extend(sentences.iter().enumerate().map(|(index, span)| Planned {
                level,
                evidence: *span,
                sentences: index..index + 1,
                text: None,
            })),
            // Made once the best sentence is known.
            Level::Coref => {}
            Level::Window | Level::Document if joined && only_one_window => {}
            Level::Window => plan.extend(windows.iter().cloned().filter_map(|window| {
                let text = separator.map(|separator| join(document, &sentences[window.clone()], separator));
                let evidence = window_span(sentences, &window)?;
                Some(Planned { level, evidence, sentences: window, text })
            })),
            Level::Document => plan.extend(window_span(sentences, &all).map(|evidence| {
                let text = joined.then(|| document.text().to_owned());
                Planned { level, evidence, sentences: all.clone(), text }
            })),
        }
    }
    Ok(plan)
}

/// The texts in which a checker that reads `chunks` would read the document.
///
/// # Errors
/// When the tokenizer fails.
pub fn chunk_texts(document: &str, chunks: Chunks, tokenizer: &PairTokenizer) -> Result<Vec<String>> {
    let window_rule = WindowRule::Packed(chunks);
    let rules = Rules { levels: vec![Level::Window], window_rule, ..Rules::veridic() };
    let document = TextIndex::new(document);
    let plan = plan(&rules, &document, &sentences(document.text()), tokenizer)?.into_iter();
    let text = |planned: Planned| planned.text.unwrap_or_else(|| document.slice(planned.evidence).to_owned());
    Ok(plan.map(text).collect())
}

/// The windows that the rules have, as ranges of sentences.
fn windows_of(
    rules: &Rules,
    document: &TextIndex<'_>,
    sentences: &[Span],
    tokenizer: &PairTokenizer,
) -> Result<Vec<Range<usize>>> {
    if !rules.has(Level::Window) && rules.window_rule != WindowRule::Joined {
        return Ok(Vec::new());
    }
    let mut windows = match rules.window_rule {
        WindowRule::Packed(Chunks { size, unit, .. }) => {
            let units = |span: &Span| match unit {
                ChunkUnit::Tokens => Ok(tokenizer.text(document.slice(*span))?.len()),
                ChunkUnit::Words => Ok(text_words(document.slice(*span))),
                ChunkUnit::Whitespace => Ok(parts(document.slice(*span))),
            };
            windows_by_size(&sentences.iter().map(units).collect::<Result<Vec<_>>>()?, size)
        }
        _ => windows(sentences.len(), rules.window, rules.stride),
    };
    if rules.window_rule == WindowRule::Joined {
        windows.retain(|window| window.start.is_multiple_of(rules.stride.get()));
    }
    Ok(windows)
}

/// Words and punctuation marks of a text.
fn text_words(text: &str) -> usize {
    veridic_models::words(text).into_iter().filter(|word| !text[word.clone()].trim().is_empty()).count()
}

/// Parts of a text between white space as Python defines it.
fn parts(text: &str) -> usize {
    let is_space = |c: char| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c);
    text.split(is_space).filter(|part| !part.is_empty()).count()
}

fn join(document: &TextIndex<'_>, sentences: &[Span], separator: &str) -> String {
    sentences.iter().map(|span| document.slice(*span)).collect::<Vec<_>>().join(separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_counted_in_words_or_in_parts_between_white_space() {
        let text = " Well, it's 3.5\u{a0}km\u{1f}away... \n";
        assert_eq!(parts(text), 5);
        assert_eq!(parts(" \u{3000}\t"), 0);
        // Well , it 's done .
        assert_eq!((text_words("Well, it's done."), parts("Well, it's done.")), (6, 3));
    }
}
