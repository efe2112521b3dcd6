//! Plans the premises of a document by the rules (sentences, windows or chunks, the whole document), and the text that
//! the model reads for each. In a list of sources each source is read as a separate document: no premise spans two
//! sources.

use std::borrow::Cow;
use std::ops::Range;

use veridic_models::store::ChunkUnit;
use veridic_models::{PairTokenizer, Result};

use crate::input::Document;
use crate::rules::{Chunks, Level, Rules, WindowRule};
use crate::text::{Span, TextIndex, go_on, sentences, window_span, windows, windows_by_size};

/// Questions in a row that are read with their answer.
const MAX_QUESTIONS: usize = 2;

/// A premise before it is tokenized.
pub(super) struct Planned {
    pub(super) level: Level,
    pub(super) evidence: Span,
    /// The sentences that it covers.
    pub(super) sentences: Range<usize>,
    /// What the model reads for it.
    pub(super) reads: Reads,
}

/// What the model reads for a premise.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reads {
    /// The evidence after the label of its first sentence.
    Evidence,
    /// Its sentences, joined by this separator.
    Joined(&'static str),
    /// The whole document.
    Document,
    /// The whole document as given, while passages are worded anew.
    AsGiven,
}

impl Planned {
    /// The text that the model reads. It is made when it is needed, because windows repeat each sentence.
    pub(super) fn text<'d>(&self, document: &'d Document, sentences: &[Span]) -> Cow<'d, str> {
        match self.reads {
            Reads::Evidence => document.text_of(self.evidence),
            Reads::Joined(separator) => {
                Cow::Owned(join(document, &sentences[self.sentences.clone()], separator))
            }
            Reads::Document => Cow::Borrowed(document.text()),
            Reads::AsGiven => Cow::Borrowed(document.as_given().unwrap_or_default()),
        }
    }
}

/// The premises of a document with these sentences, level by level.
///
/// # Errors
/// When the tokenizer fails.
pub(super) fn plan(
    rules: &Rules,
    document: &Document,
    sentences: &[Span],
    tokenizer: &PairTokenizer,
) -> Result<Vec<Planned>> {
    let (index, division) = (document.index(), document.division());
    let parts = division.parts(sentences);
    let windows = |part: &Range<usize>| {
        let windows = windows_of(rules, &index, &sentences[part.clone()], tokenizer)?.into_iter();
        Ok(windows.map(|window| window.start + part.start..window.end + part.start).collect())
    };
    let windows: Vec<Vec<Range<usize>>> = parts.iter().map(windows).collect::<Result<_>>()?;
    let window = match rules.window_rule {
        WindowRule::Slices => Reads::Evidence,
        WindowRule::Joined => Reads::Joined(" "),
        WindowRule::Packed(Chunks { separator, .. }) => Reads::Joined(separator),
    };
    let joined = rules.window_rule == WindowRule::Joined;
    let planned = |level: Level, sentences_of: Range<usize>, reads: Reads| {
        let evidence = window_span(sentences, &sentences_of)?;
        Some(Planned { level, evidence, sentences: sentences_of, reads })
    };
    let mut plan = Vec::new();
    let levels = rules.levels.iter().flat_map(|level| parts.iter().zip(&windows).map(|part| (*level, part)));
    for (level, (part, windows)) in levels {
        let only_one_window = windows.len() <= 1;
        match level {
            Level::Sentence => plan.extend(part.clone().filter_map(|first| {
                planned(level, first..answered(document, sentences, first + 1, part.end), Reads::Evidence)
            })),
            // Created once the best sentence is known.
            Level::Coref => {}
            Level::Window | Level::Document if joined && only_one_window => {}
            Level::Window => plan.extend(windows.iter().filter_map(|Range { start, end }| {
                planned(level, *start..answered(document, sentences, *end, part.end), window)
            })),
            Level::Document => {
                let reads = match document.as_given() {
                    _ if parts.len() > 1 => Reads::Evidence,
                    Some(_) => Reads::AsGiven,
                    None if joined => Reads::Document,
                    None => Reads::Evidence,
                };
                plan.extend(planned(level, part.clone(), reads));
            }
        }
    }
    Ok(plan)
}

/// The end of a premise that would end here: in a transcript, behind the answer if its last sentence is a question.
fn answered(document: &Document, sentences: &[Span], end: usize, most: usize) -> usize {
    let (index, division) = (document.index(), document.division());
    let is_question = |sentence: Span| {
        division.is_spoken(sentence.start) && index.slice(sentence).trim_end().ends_with('?')
    };
    let questions = sentences[end - 1..most.saturating_sub(1).max(end - 1)].iter().take(MAX_QUESTIONS);
    end + questions.take_while(|sentence| is_question(**sentence)).count()
}

/// The document's chunks, as a checker that reads `chunks` reads them.
///
/// # Errors
/// When the tokenizer fails.
pub fn chunk_texts(document: &str, chunks: Chunks, tokenizer: &PairTokenizer) -> Result<Vec<String>> {
    let window_rule = WindowRule::Packed(chunks);
    let rules = Rules { levels: vec![Level::Window], window_rule, ..Rules::veridic() };
    let Ok((_, document)) = Document::read(document, None, true, &go_on);
    let sentences = sentences(document.text());
    let plan = plan(&rules, &document, &sentences, tokenizer)?.into_iter();
    Ok(plan.map(|planned| planned.text(&document, &sentences).into_owned()).collect())
}

/// The rules' windows, as ranges of sentences.
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
                ChunkUnit::Tokens => Ok(tokenizer.ids_within(document.slice(*span), usize::MAX)?.len()),
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

/// Number of words and punctuation marks of a text.
fn text_words(text: &str) -> usize {
    veridic_models::words(text).into_iter().filter(|word| !text[word.clone()].trim().is_empty()).count()
}

/// Number of parts of a text between white space as Python defines it.
fn parts(text: &str) -> usize {
    let is_space = |c: char| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c);
    text.split(is_space).filter(|part| !part.is_empty()).count()
}

/// Joins sentences; in a transcript, each change of speaker adds the speaker's label.
fn join(document: &Document, sentences: &[Span], separator: &str) -> String {
    let (index, division) = (document.index(), document.division());
    let mut joined = String::new();
    let mut label = "";
    for (place, sentence) in sentences.iter().enumerate() {
        let own = division.label(*sentence);
        joined += if place > 0 { separator } else { "" };
        joined += if own == label { "" } else { own };
        joined += index.slice(*sentence);
        label = own;
    }
    joined
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
