//! The input: a document and a summary. Refuses texts without words, and texts too long to judge usefully.

mod division;
mod document;
mod fields;
mod language;
mod sources;

pub(crate) use self::division::Division;
pub use self::division::Place;
pub(crate) use self::document::Document;
pub use self::fields::Fields;
pub(crate) use self::language::PairLanguage;
pub use self::sources::{Source, SourceSpans, SourceText, Sources, SourcesError};
use crate::error::{Error, Result};
use crate::text::{NormalizedText, Span, TextIndex, normalize_all, sentences};

/// The maximum length of a document, in Unicode characters.
const MAX_CHARACTERS: usize = 2_000_000;

/// The maximum length of a summary, in Unicode characters.
const MAX_SUMMARY_CHARACTERS: usize = 200_000;

/// The maximum number of claims of a summary.
const MAX_CLAIMS: usize = 10_000;

/// A document and a summary of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pair<'t> {
    /// The source text.
    pub document: &'t str,
    /// The text that is judged against it.
    pub summary: &'t str,
    /// The summary's claims, if given.
    pub claims: Option<&'t [String]>,
    /// The document's sentences, if given: texts that it contains one after another.
    pub sentences: Option<&'t [String]>,
    /// The summary's sentences, if given: texts that it contains one after another.
    pub summary_sentences: Option<&'t [String]>,
    /// Other fields of its row that an evaluator reads; claims do not depend on them.
    pub inputs: Option<&'t Fields>,
    /// The sources of the document, if it was joined from a list.
    pub sources: Option<&'t Sources>,
    /// Whether the summary's markers, such as `[1]`, are citations of the sources, which are then checked.
    pub citations: bool,
}

impl<'t> Pair<'t> {
    /// Creates a pair of just the two texts.
    #[must_use]
    pub fn new(document: &'t str, summary: &'t str) -> Self {
        Self { document, summary, ..Self::default() }
    }

    /// Refuses texts that cannot be judged.
    ///
    /// # Errors
    /// If a text has no letter or digit, unless the list of sources is empty, or is over the length limit; if there are more
    /// than 10,000 claims; if the summary does not contain its given sentences one after another; if citations are
    /// checked in a document without sources.
    pub fn check(&self) -> Result<()> {
        check_claims(self.claims.map_or(0, <[String]>::len))?;
        self.check_document()?;
        Summary::of(self).check()?;
        self.check_citations()
    }

    /// Refuses texts that cannot be judged, but accepts a summary without a letter or digit.
    ///
    /// # Errors
    /// Otherwise as [`Pair::check`].
    pub fn check_but_blank_summary(&self) -> Result<()> {
        if self.summary.chars().any(char::is_alphanumeric) {
            return self.check();
        }
        self.check_document()?;
        check_length("summary", self.summary.chars().count())?;
        self.check_citations()
    }

    /// Whether its list of sources is empty, so that there is no document.
    #[must_use]
    pub fn has_no_document(&self) -> bool {
        self.sources.is_some_and(|sources| sources.list().is_empty())
    }

    fn check_document(&self) -> Result<()> {
        if self.has_no_document() {
            return Ok(());
        }
        check_text("document", self.document)
    }

    /// Refuses texts that have no word left as models read them.
    pub(crate) fn check_words(&self) -> Result<()> {
        if !self.has_no_document() {
            check_words("document", self.document)?;
        }
        check_words("summary", self.summary)
    }

    /// Refuses citations of a document without sources.
    pub(crate) fn check_citations(&self) -> Result<()> {
        if self.citations && self.sources.is_none() {
            let reason = "is one text, and citations need a list of sources: give the document as a list";
            return Err(Error::Text { role: "document", reason: reason.into() });
        }
        Ok(())
    }
}

/// Returns the spans of a document's sentences: those given, or else split by rules.
///
/// # Errors
/// If the list is empty, a sentence is blank, or the document does not contain a sentence after the previous one.
pub(crate) fn document_sentences(
    document: &TextIndex<'_>,
    given: Option<&[String]>,
    division: &Division,
) -> Result<Vec<Span>> {
    match given {
        None => Ok(division.sentences(document)),
        Some(given) => sentence_spans(document, given, "document", "list of document sentences"),
    }
}

/// Returns the spans of a summary's sentences: those given, or else split by rules.
///
/// # Errors
/// If the list is empty, a sentence is blank, or the summary does not contain a sentence after the previous one.
pub fn summary_sentences(summary: &TextIndex<'_>, given: Option<&[String]>) -> Result<Vec<Span>> {
    match given {
        None => Ok(sentences(summary.text())),
        Some(given) => sentence_spans(summary, given, "summary", "list of summary sentences"),
    }
}

/// `whole` and `role` name the text and the list in errors.
fn sentence_spans(
    text: &TextIndex<'_>,
    given: &[String],
    whole: &'static str,
    role: &'static str,
) -> Result<Vec<Span>> {
    let refuse = |reason: String| Error::Text { role, reason };
    if given.is_empty() {
        return Err(refuse(format!("is empty: leave it out, or give the {whole}'s sentences")));
    }
    let mut from = 0;
    let mut spans = Vec::with_capacity(given.len());
    for (number, sentence) in given.iter().enumerate() {
        if sentence.trim().is_empty() {
            return Err(refuse(format!("has no text in sentence {}", number + 1)));
        }
        let Some(place) = text.text()[from..].find(sentence.as_str()) else {
            return Err(refuse(format!(
                "has a sentence {} that the {whole} does not hold after the one before",
                number + 1
            )));
        };
        let (start, end) = (from + place, from + place + sentence.len());
        spans.push(Span { start: text.character(start), end: text.character(end) });
        from = end;
    }
    Ok(spans)
}

/// Refuses a text that cannot be judged; `role` names it in errors.
///
/// # Errors
/// As [`Pair::check`].
pub fn check_text(role: &'static str, text: &str) -> Result<()> {
    check_words(role, text)?;
    check_length(role, text.chars().count())
}

fn check_words(role: &'static str, text: &str) -> Result<()> {
    let refuse = |reason: String| Err(Error::Text { role, reason });
    if text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}').is_empty() {
        return refuse("is empty: give a text with words".into());
    }
    if !text.chars().any(char::is_alphanumeric) {
        return refuse("has no word in it: give a text with words".into());
    }
    Ok(())
}

/// Refuses too many claims of a summary.
///
/// # Errors
/// If there are more than 10,000.
pub(crate) fn check_claims(count: usize) -> Result<()> {
    if count > MAX_CLAIMS {
        let reason = format!("are {count}, the limit is {MAX_CLAIMS}: judge the text in parts");
        return Err(Error::Text { role: "claims", reason });
    }
    Ok(())
}

/// Refuses a text with too many characters.
///
/// # Errors
/// If they are over the limit.
pub(crate) fn check_length(role: &'static str, characters: usize) -> Result<()> {
    let limit = if role == "summary" { MAX_SUMMARY_CHARACTERS } else { MAX_CHARACTERS };
    if characters > limit {
        let reason = format!(
            "has {characters} characters, the limit is {limit}: judge its chapters or sections one by one"
        );
        return Err(Error::Text { role, reason });
    }
    Ok(())
}

/// A summary, with its given claims and sentences.
#[derive(Debug, Clone, Copy)]
pub struct Summary<'t> {
    /// The text.
    pub text: &'t str,
    /// The claims, if given.
    pub claims: Option<&'t [String]>,
    /// The sentences, if given: texts that it contains one after another. Otherwise it is split by rules.
    pub sentences: Option<&'t [String]>,
    /// If its layout is used to find its statements (`text::statements`): the speakers of the document.
    pub layout: Option<&'t [String]>,
}

impl<'t> Summary<'t> {
    /// Creates a summary of just a text.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        Self { text, claims: None, sentences: None, layout: None }
    }

    /// Returns the summary of a pair.
    #[must_use]
    pub fn of(pair: &Pair<'t>) -> Self {
        Self { text: pair.summary, claims: pair.claims, sentences: pair.summary_sentences, layout: None }
    }

    /// Returns the summary, with its layout used to find its statements or not ([`Rules::layout`](crate::rules::Rules)).
    #[must_use]
    pub fn with_layout(self, used: bool) -> Self {
        Self { layout: used.then_some(&[]), ..self }
    }

    /// Refuses a summary that cannot be judged.
    ///
    /// # Errors
    /// If it has no letter or digit or is over the length limit, or does not contain its given sentences one after another.
    pub fn check(&self) -> Result<()> {
        check_text("summary", self.text)?;
        if let Some(given) = self.sentences {
            let read = NormalizedText::of(self.text);
            let normalized = normalize_all(given);
            summary_sentences(&TextIndex::new(read.text()), Some(normalized.as_deref().unwrap_or(given)))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::SourceText;

    fn refusal(document: &str) -> String {
        Pair::new(document, "A word.").check().unwrap_err().to_string()
    }

    #[test]
    fn texts_that_cannot_be_judged_are_refused() {
        assert!(refusal("").contains("the document is empty"));
        assert!(refusal(" \u{a0}\n").contains("empty"));
        assert!(refusal("... --- !").contains("no word"));
        assert!(refusal("\0\u{1b}\u{200b}").contains("no word"));
        assert!(refusal(&"a ".repeat(MAX_CHARACTERS)).contains("limit"));
    }

    #[test]
    fn citations_need_sources() {
        let pair = Pair { citations: true, ..Pair::new("A b.", "A b.") };
        assert!(pair.check().unwrap_err().to_string().contains("the document is one text"));
        let (document, sources) = Sources::join(&[SourceText::numbered(1, "A b.".into())]).unwrap();
        let pair = Pair { document: &document, sources: Some(&sources), ..pair };
        assert!(pair.check().is_ok());
    }

    #[test]
    fn given_sentences_are_found_in_order() {
        let document = TextIndex::new("Ja. Ä b.  Ja. Nein.");
        let given = |sentences: &[&str]| {
            let owned: Vec<String> = sentences.iter().map(ToString::to_string).collect();
            document_sentences(&document, Some(&owned), &Division::default())
        };
        let spans = given(&["Ja.", " Ä b. ", "Ja."]).unwrap();
        let texts: Vec<&str> = spans.iter().map(|span| document.slice(*span)).collect();
        assert_eq!(texts, ["Ja.", " Ä b. ", "Ja."]);
        assert_eq!(spans[2], Span { start: 10, end: 13 });
        for (sentences, part) in [
            (&[][..], "is empty"),
            (&["Ja.", " "], "no text in sentence 2"),
            (&["Nein.", "Ja."], "a sentence 2 that the document does not hold after the one before"),
        ] {
            let error = given(sentences).unwrap_err().to_string();
            assert!(error.starts_with("the list of document sentences ") && error.contains(part), "{error}");
        }
    }

    #[test]
    fn given_sentences_of_the_summary_are_checked() {
        let given = |sentences: &[&str]| {
            let owned: Vec<String> = sentences.iter().map(ToString::to_string).collect();
            Pair { summary_sentences: Some(&owned), ..Pair::new("x", "A b; c d. E f.") }.check()
        };
        assert!(given(&["A b;", "c d.", "E f."]).is_ok());
        assert!(given(&["E f."]).is_ok(), "the list may leave parts out");
        for (sentences, part) in [
            (&[][..], "is empty: leave it out, or give the summary's sentences"),
            (&["E f.", "A b;"], "a sentence 2 that the summary does not hold after the one before"),
        ] {
            let error = given(sentences).unwrap_err().to_string();
            assert!(error.starts_with("the list of summary sentences ") && error.contains(part), "{error}");
        }
    }

    #[test]
    fn control_characters_and_any_script_are_text() {
        for document in ["a\tb\r\n\x0cc", "東京", "٣", "\u{feff}x", "ab\0c", "\u{1b}[31mred", "don\u{92}t"]
        {
            assert!(Pair::new(document, "x").check().is_ok(), "{document:?}");
        }
    }
}
