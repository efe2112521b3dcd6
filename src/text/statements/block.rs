//! What the sentences of a text's blocks state, with positions in the text as given: those that state nothing, and those
//! of which only a part is asserted.

use std::ops::Range;

use super::questions::{asserted, is_question};
use super::remarks::addresses_reader;
use crate::text::assertions::assertion_before_list;
use crate::text::no_answer::NoAnswer;
use crate::text::{Edit, NormalizedText, Span, TextIndex};

/// A block of a text without its marks.
pub(super) struct Block<'b> {
    pub(super) read: &'b NormalizedText<'b>,
    /// The character at which it begins in the text without marks.
    pub(super) begins: usize,
    pub(super) index: TextIndex<'b>,
}

/// Findings in the blocks of a text.
#[derive(Default)]
pub(super) struct FoundInBlocks {
    /// Lines and sentences that state nothing.
    pub(super) others: Vec<Span>,
    /// Texts to insert before items without a verb.
    pub(super) introduced: Vec<(usize, String)>,
    /// Replacements in sentences that assert a part of what they say.
    pub(super) asserted: Vec<Edit>,
}

impl<'b> Block<'b> {
    /// Its text.
    pub(super) fn text(&self) -> &'b str {
        self.index.text()
    }

    /// Its place in the text as given.
    pub(super) fn place(&self) -> Span {
        self.given(Span { start: 0, end: self.index.characters() })
    }

    /// The text of a span of it.
    pub(super) fn slice(&self, span: Span) -> &'b str {
        self.index.slice(span)
    }

    /// A span of it in the text as given.
    fn given(&self, span: Span) -> Span {
        self.read.given_span(Span { start: span.start + self.begins, end: span.end + self.begins })
    }
}

impl FoundInBlocks {
    /// Sentences of a block that may state something.
    pub(super) fn add_sentences(&mut self, block: &Block<'_>, sentences: &[Span]) {
        for span in sentences {
            let sentence = block.slice(*span);
            match asserted(sentence).filter(|_| is_question(sentence)) {
                Some(part) => self.assert_part(block, *span, part),
                None if states_nothing(sentence) => self.others.push(block.given(*span)),
                None => {}
            }
        }
    }

    /// A sentence that introduces what follows its block.
    pub(super) fn add_introduction(&mut self, block: &Block<'_>, span: Span) {
        let sentence = block.slice(span);
        let is_statement = sentence.ends_with(':') && !addresses_reader(sentence);
        match assertion_before_list(sentence).filter(|_| is_statement) {
            Some(length) => self.assert_part(block, span, 0..length),
            None => self.others.push(block.given(span)),
        }
    }

    /// A sentence of which only a part is asserted, in bytes of the sentence.
    fn assert_part(&mut self, block: &Block<'_>, span: Span, part: Range<usize>) {
        let index = TextIndex::new(block.slice(span));
        let (start, end) = (span.start + index.character(part.start), span.start + index.character(part.end));
        if start > span.start {
            let until = block.given(Span { start, end: start + 1 }).start;
            let before = Span { end: until, ..block.given(Span { end: start, ..span }) };
            self.asserted.push(Edit { span: before, text: "\n\n".to_owned() });
        }
        if end < span.end {
            let after = block.given(Span { start: end, ..span });
            self.asserted.push(Edit { span: after, text: ".\n\n".to_owned() });
        }
    }
}

/// Whether a sentence is a question, a greeting, a writer's remark about the text, or a refusal to answer.
fn states_nothing(sentence: &str) -> bool {
    is_question(sentence) || addresses_reader(sentence) || NoAnswer::is_refusal(sentence)
}
