//! An extract as a text.

use veridic::text::{TextIndex, window_span};
use veridic::{Pair, Span};

/// The separator of sentences that are not adjacent in the document.
const SEPARATOR: &str = " ";

/// Sentences of a document joined into one text.
#[derive(Debug, Clone)]
pub struct Passage {
    /// The number of sentences in the document.
    of: usize,
    /// The text.
    pub text: String,
    /// The document indices of its sentences.
    pub sentences: Vec<usize>,
    /// The texts of its sentences.
    texts: Vec<String>,
}

impl Passage {
    /// Creates the passage of the sentences `chosen`, which must be in order.
    pub(super) fn new(document: &TextIndex<'_>, spans: &[Span], chosen: Vec<usize>) -> Self {
        let mut text = String::new();
        for run in chosen.chunk_by(|a, b| a + 1 == *b) {
            let range = run[0]..run[run.len() - 1] + 1;
            let Some(span) = window_span(spans, &range) else { continue };
            if !text.is_empty() {
                text.push_str(SEPARATOR);
            }
            text.push_str(document.slice(span));
        }
        let texts = chosen.iter().map(|sentence| document.slice(spans[*sentence]).to_owned()).collect();
        Self { of: spans.len(), text, sentences: chosen, texts }
    }

    /// Returns the number of sentences in the document.
    pub fn document_sentences(&self) -> usize {
        self.of
    }

    /// Returns the pair with the passage instead of the document. The sentences are given, since a splitter could split them
    /// differently next to other neighbours.
    pub fn instead<'p>(&'p self, pair: Pair<'p>) -> Pair<'p> {
        Pair { document: &self.text, sentences: Some(&self.texts), ..pair }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use veridic::text::sentences;

    #[test]
    fn a_passage_has_whole_sentences_in_order() {
        let document = "Ä one.  Two two. Three 3. Four.";
        let spans = sentences(document);
        assert_eq!(spans.len(), 4);
        let passage = Passage::new(&TextIndex::new(document), &spans, vec![0, 2, 3]);
        assert_eq!(passage.text, "Ä one. Three 3. Four.");
    }
}
