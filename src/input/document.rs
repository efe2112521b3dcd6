//! A document as models read it: its normalised text, and how it is divided.

use std::borrow::Cow;

use crate::text::{IndexedText, NormalizedText, Poll, Span, TextIndex};

use super::{Division, Sources};

/// A document as models read it.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Document {
    text: IndexedText,
    division: Division,
    /// The whole text as given, if passages of it are worded anew.
    as_given: Option<String>,
}

impl Document {
    /// Reads a document, and returns also what maps its spans to the document as given. If it is `as_given`, no turns
    /// are detected.
    ///
    /// # Errors
    /// That of `poll`.
    pub(crate) fn read<'t, E>(
        given: &'t str,
        sources: Option<&Sources>,
        as_given: bool,
        poll: &Poll<'_, E>,
    ) -> Result<(NormalizedText<'t>, Self), E> {
        let (read, division) = Division::read(given, sources, as_given, poll)?;
        let text = IndexedText::new(read.text().to_owned());
        let as_given = division.is_worded_anew().then(|| NormalizedText::of(given).text().to_owned());
        Ok((read, Self { text, division, as_given }))
    }

    /// Its text.
    pub(crate) fn text(&self) -> &str {
        self.text.text()
    }

    /// The whole text as given, if passages of it are worded anew. A judge reads a passage better with its headers said
    /// again, and a whole document better as people write it (docs/explanation/forms.md).
    pub(crate) fn as_given(&self) -> Option<&str> {
        self.as_given.as_deref()
    }

    /// Its text, for conversions between characters and bytes.
    pub(crate) fn index(&self) -> TextIndex<'_> {
        self.text.index()
    }

    /// A part of it as models read it: after the label of the passage in which the part begins.
    pub(crate) fn text_of(&self, part: Span) -> Cow<'_, str> {
        self.labelled(part, self.index().slice(part))
    }

    /// A text that stands for a part of it, after the label of the passage in which the part begins.
    pub(crate) fn labelled<'t>(&self, part: Span, text: &'t str) -> Cow<'t, str> {
        let label = self.division.label(part);
        if label.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(format!("{label}{text}")) }
    }

    /// Its sources and turns.
    pub(crate) fn division(&self) -> &Division {
        &self.division
    }

    /// Its prose and speech, of which the language can be detected.
    pub(crate) fn prose(&self) -> String {
        self.division.prose(&self.index())
    }

    /// The words of these sentences of a transcript, with the labels between them; `None` if it has no turns.
    pub(crate) fn quotation(&self, sentences: &[Span]) -> Option<String> {
        self.division.quotation(&self.index(), sentences)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::go_on;

    #[test]
    fn whole_document_is_kept_as_given_if_passages_are_worded_anew() {
        let table = "Region,Q1,Q2\nIberia,5.3,6.9\nBenelux,4.1,4.4\nNordics,2.2,2.9\n";
        let read = |text, as_given| {
            let Ok((_, document)) = Document::read(text, None, as_given, &go_on);
            document
        };
        let document = read(table, false);
        assert!(document.text().contains("Region: Iberia; Q1: 5.3"), "{}", document.text());
        assert_eq!(document.as_given(), Some(table));
        for text in ["The pool closes. It rusts.", "Amira: It closes.\nBen: When?\nAmira: In May.\n"] {
            assert_eq!(read(text, false).as_given(), None, "{text}");
        }
        assert_eq!(read(table, true).as_given(), None, "it is read as it stands");
    }
}
