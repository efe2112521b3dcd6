//! What may be judged: two texts with words in them. Refuses empty and binary texts and documents
//! beyond a length at which no model here says anything useful.

use crate::error::{Error, Result};

/// Longest document, in Unicode characters.
pub const MAX_CHARACTERS: usize = 2_000_000;

/// Longest summary, in Unicode characters.
pub const MAX_SUMMARY_CHARACTERS: usize = 200_000;

/// A document and a summary of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair<'t> {
    /// The source text.
    pub document: &'t str,
    /// The text to be judged against it.
    pub summary: &'t str,
    /// The summary's claims, where they are given.
    pub claims: Option<&'t [String]>,
}

impl<'t> Pair<'t> {
    /// A pair without given claims.
    #[must_use]
    pub fn new(document: &'t str, summary: &'t str) -> Self {
        Self { document, summary, claims: None }
    }

    /// Refuses texts that cannot be judged.
    ///
    /// # Errors
    /// A text without a letter or digit, with a control character, or over the length limit.
    pub fn check(&self) -> Result<()> {
        check_text("document", self.document)?;
        check_text("summary", self.summary)
    }
}

/// Refuses a text that cannot be judged; `role` is what errors call it.
///
/// # Errors
/// As [`Pair::check`].
pub fn check_text(role: &'static str, text: &str) -> Result<()> {
    let refuse = |reason: String| Err(Error::Text { role, reason });
    if text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}').is_empty() {
        return refuse("is empty: give a text with words".into());
    }
    let control =
        |c: char| matches!(c, '\0'..='\x08' | '\x0e'..='\x1f' | '\x7f'..='\u{84}' | '\u{86}'..='\u{9f}');
    if let Some((place, found)) = text.chars().enumerate().find(|(_, c)| control(*c)) {
        return refuse(format!(
            "has the control character U+{:04X} at character {place}: is this a text file? Remove such characters first",
            u32::from(found)
        ));
    }
    if !text.chars().any(char::is_alphanumeric) {
        return refuse("has no word in it: give a text with words".into());
    }
    let characters = text.chars().count();
    let limit = if role == "summary" { MAX_SUMMARY_CHARACTERS } else { MAX_CHARACTERS };
    if characters > limit {
        return refuse(format!(
            "has {characters} characters, the limit is {limit}: judge its chapters or sections one by one"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(document: &str) -> String {
        Pair::new(document, "A word.").check().unwrap_err().to_string()
    }

    #[test]
    fn texts_that_cannot_be_judged_are_refused() {
        assert!(refusal("").contains("the document is empty"));
        assert!(refusal(" \u{a0}\n").contains("empty"));
        assert!(refusal("... --- !").contains("no word"));
        assert!(refusal("ab\0c").contains("U+0000 at character 2"));
        assert!(refusal("\u{1b}[31mred").contains("U+001B"));
        assert!(refusal("\u{9b}31mred").contains("U+009B"));
        assert!(refusal(&"a ".repeat(MAX_CHARACTERS)).contains("limit"));
    }

    #[test]
    fn page_breaks_tabs_and_any_script_are_text() {
        for document in ["a\tb\r\n\x0cc", "東京", "٣", "\u{feff}x"] {
            assert!(Pair::new(document, "x").check().is_ok(), "{document:?}");
        }
    }
}
