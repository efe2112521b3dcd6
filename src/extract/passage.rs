//! An extract as a text of its own, and the spans of the document that spans of the extract correspond to.

use super::Extraction;
use crate::input::Pair;
use crate::result::{Evidence, Extract, PairResult, digest};
use veridic_text::{Span, TextIndex, window_span};

/// The separator of sentences that are not neighbours in the document.
const SEPARATOR: &str = " ";

/// Sentences of a document as one text.
#[derive(Debug, Clone)]
pub struct Passage<'t> {
    document: TextIndex<'t>,
    /// The number of the document's sentences.
    of: usize,
    /// The text.
    pub text: String,
    /// Runs of neighbouring sentences: the start of each in the text, and its span in the document.
    runs: Vec<(usize, Span)>,
    /// The indices of its sentences in the document.
    pub sentences: Vec<usize>,
    /// Their texts.
    texts: Vec<String>,
}

impl<'t> Passage<'t> {
    /// The passage of the sentences `chosen`, which must be in order.
    pub(super) fn new(document: TextIndex<'t>, spans: &[Span], chosen: Vec<usize>) -> Self {
        let (mut text, mut runs, mut length) = (String::new(), Vec::new(), 0);
        for run in chosen.chunk_by(|a, b| a + 1 == *b) {
            let range = run[0]..run[run.len() - 1] + 1;
            let Some(span) = window_span(spans, &range) else { continue };
            if !text.is_empty() {
                text.push_str(SEPARATOR);
                length += SEPARATOR.len();
            }
            runs.push((length, span));
            text.push_str(document.slice(span));
            length += span.end - span.start;
        }
        let texts = chosen.iter().map(|sentence| document.slice(spans[*sentence]).to_owned()).collect();
        Self { document, of: spans.len(), text, runs, sentences: chosen, texts }
    }

    /// The number of the document's sentences.
    #[must_use]
    pub fn document_sentences(&self) -> usize {
        self.of
    }

    /// Whether it is the whole document.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.sentences.len() == self.of
    }

    /// The document's span from the first to the last character of a span of the passage.
    #[must_use]
    pub fn in_document(&self, span: Span) -> Span {
        let position = |character: usize| {
            let run = self.runs.iter().rev().find(|(begins, _)| *begins <= character);
            run.map_or(character, |(begins, run)| (run.start + (character - begins)).min(run.end))
        };
        let last = span.end.saturating_sub(1).max(span.start);
        Span { start: position(span.start), end: position(last) + (span.end - last) }
    }

    /// The pair with the passage in place of the document. The sentences are given, since a splitter could split them
    /// otherwise beside other neighbours.
    #[must_use]
    pub fn instead<'p>(&'p self, pair: Pair<'p>) -> Pair<'p> {
        Pair { document: &self.text, sentences: Some(&self.texts), ..pair }
    }

    /// Turns a judgement of the passage into one of the document: evidence has the document's spans, and the ledger
    /// describes the extract.
    pub(crate) fn relocate(&self, judged: &mut PairResult, extraction: &Extraction) {
        for claim in &mut judged.claims {
            self.move_evidence(&mut claim.evidence);
            if let Some(counter) = &mut claim.counter_evidence {
                self.move_evidence(&mut counter.evidence);
            }
            if let Some(substitution) = &mut claim.substitution {
                substitution.mention_span = self.in_document(substitution.mention_span);
                substitution.by_span = self.in_document(substitution.by_span);
            }
            if let Some(instead) = &mut claim.instead {
                instead.document_span = self.in_document(instead.document_span);
            }
        }
        judged.ledger.document_digest = digest(self.document.text());
        let (method, rule) = (extraction.method.name(), extraction.rule.name());
        judged.ledger.extract = Some(Extract { method, budget: extraction.budget, rule, sentences: self.of });
    }

    fn move_evidence(&self, evidence: &mut Evidence) {
        let spans = evidence.spans.iter().map(|span| self.in_document(*span)).collect();
        *evidence = Evidence::of(&self.document, spans);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use veridic_text::sentences;

    #[test]
    fn spans_of_a_passage_map_to_the_document() {
        let document = "Ä one.  Two two. Three 3. Four.";
        let spans = sentences(document);
        assert_eq!(spans.len(), 4);
        let passage = Passage::new(TextIndex::new(document), &spans, vec![0, 2, 3]);
        assert_eq!(passage.text, "Ä one. Three 3. Four.");
        let (one, three) = (Span { start: 0, end: 6 }, Span { start: 7, end: 15 });
        assert_eq!(TextIndex::new(&passage.text).slice(three), "Three 3.");
        let mut evidence = Evidence::of(&TextIndex::new(&passage.text), vec![one, three]);
        passage.move_evidence(&mut evidence);
        assert_eq!(evidence.text, "Ä one. [...] Three 3.", "the text between was not read");
        assert_eq!((evidence.span, &evidence.spans), (Span { start: 0, end: 25 }, &vec![one, spans[2]]));
        assert_eq!(passage.in_document(Span { start: 7, end: 21 }), Span { start: 17, end: 31 });
        assert!(!passage.is_whole());
        assert!(Passage::new(TextIndex::new(document), &spans, vec![0, 1, 2, 3]).is_whole());
    }
}
