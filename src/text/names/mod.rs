//! Names of a text, and whether another text has the same names.
//!
//! Accents, case, possessives, plurals and nationality endings are ignored; an acronym matches its words and an initial
//! its given name; titles are not part of a name. Lists have names that are known to be equivalent ("Dutch" and
//! "Netherlands", "Mike" and "Michael"). People are not distinguished: "Smith" matches any Smith.

mod forms;
mod index;
#[cfg(test)]
mod tests;

use std::ops::Range;

use self::forms::{LONGEST_ACRONYM, acronym_of, aliases, folded, roots};
pub use self::index::Names;
use super::coreference::{is_function_word, is_title_word};
use super::words::{Word, WordKind, words};

/// A name in a text: a run of words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The byte range of each word in the text.
    pub words: Vec<Range<usize>>,
}

impl Name {
    /// A text that is a name, without its title.
    #[must_use]
    pub fn whole(text: &str) -> Self {
        let is_part =
            |text: &str| text.starts_with(char::is_uppercase) && !is_title_word(&text.to_lowercase());
        let words = words(text).into_iter().filter(|word| is_part(word.text));
        Self { words: words.map(|word| word.start..word.start + word.text.len()).collect() }
    }

    /// The byte range from the first word to the last one.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        let ends = self.words.first().zip(self.words.last());
        ends.map_or(0..0, |(first, last)| first.start..last.end)
    }
}

/// Finds the names of a text, in order. There are none if capital letters do not mark names, as in a headline.
#[must_use]
pub fn names(text: &str) -> Vec<Name> {
    let words = words(text);
    if !has_mixed_case(&words) {
        return Vec::new();
    }
    let mut names: Vec<Name> = Vec::new();
    for word in words.iter().filter(|word| is_name_word(word)) {
        let span = word.start..word.start + word.text.len();
        let follows =
            |name: &Name| name.span().end <= span.start && is_gap(&text[name.span().end..span.start]);
        match names.last_mut().filter(|name| follows(name)) {
            Some(name) => name.words.push(span),
            None => names.push(Name { words: vec![span] }),
        }
    }
    names
}

/// Whether the text between two words joins them to one name: "Bank of England", "Players' Association".
fn is_gap(between: &str) -> bool {
    let words = between.trim_start_matches(['\'', '’', '.', ',']).trim();
    matches!(words, "" | "-" | "&" | "of" | "of the" | "for" | "for the" | "and")
        && !between.contains(['\n', ','])
}

/// Whether the word belongs to a name: not a title, an initial or a part of "I'm".
fn is_name_word(word: &Word<'_>) -> bool {
    let lower = folded(word.text);
    let begins = word.text.split(['\'', '’']).next().unwrap_or_default().to_lowercase();
    word.kind == WordKind::Name
        && lower.chars().count() > 1
        && !is_title_word(&lower)
        && !is_function_word(&begins)
        // A part of "Isn't" in tokenised text.
        && !is_function_word(&format!("{begins}'t"))
}

/// Whether capital letters mark names: not if most words have one.
fn has_mixed_case(words: &[Word<'_>]) -> bool {
    let content =
        || words.iter().skip(1).filter(|word| word.kind == WordKind::Content || word.kind == WordKind::Name);
    let small = content().filter(|word| word.text.starts_with(char::is_lowercase)).count();
    content().count() < 4 || small * 5 >= content().count()
}

impl Names {
    /// The words of a name in `text` that this text lacks, as byte ranges; adjacent words form one range.
    #[must_use]
    pub fn missing(&self, text: &str, name: &Name) -> Vec<Range<usize>> {
        let mut missing: Vec<Range<usize>> = Vec::new();
        let mut last_missing = None;
        for (index, word) in name.words.iter().enumerate() {
            if self.has(text, name, index) {
                continue;
            }
            let listed = |piece: &Range<usize>| text[piece.end..word.start].contains(" and ");
            let goes_on = last_missing == index.checked_sub(1);
            match missing.last_mut().filter(|piece| goes_on && !listed(piece)) {
                Some(piece) if index > 0 => piece.end = word.end,
                _ => missing.push(word.clone()),
            }
            last_missing = Some(index);
        }
        missing
    }

    /// Whether this text has a word of a name in `text` in some form.
    #[must_use]
    pub fn has(&self, text: &str, name: &Name, index: usize) -> bool {
        let word = |index: usize| name.words.get(index).map(|span| folded(&text[span.clone()]));
        let Some(own) = word(index) else { return true };
        let (before, after) = (index.checked_sub(1).and_then(word), word(index + 1));
        self.has_form(&own)
            || acronym_of(&text[name.words[index].clone()])
                .is_some_and(|letters| self.acronyms.contains(&letters))
            || after
                .as_ref()
                .is_some_and(|after| self.has_joined(&own, after) || self.has_initial(&own, after))
            || before.as_ref().is_some_and(|before| self.has_joined(before, &own))
            || self.has_acronym_of(text, name, index)
    }

    fn has_form(&self, own: &str) -> bool {
        self.words.contains(own)
            || roots(own).any(|root| self.roots.contains(root))
            || aliases(own).any(|alias| self.words.contains(alias) || self.pairs.contains(alias))
            || self.is_in_two_words(own)
    }

    /// "YouTube" if the text has "You Tube".
    fn is_in_two_words(&self, own: &str) -> bool {
        let cuts = own.char_indices().map(|(at, _)| at).skip(2);
        cuts.filter(|at| own[*at..].chars().count() > 1).any(|at| {
            let (first, second) = own.split_at(at);
            self.words.contains(first)
                && self.words.contains(second)
                && self.pairs.contains(&format!("{first}_{second}"))
        })
    }

    /// "You Tube" if the text has "YouTube"; "New Zealand" if it has "Kiwi".
    fn has_joined(&self, first: &str, second: &str) -> bool {
        self.words.contains(&format!("{first}{second}"))
            || aliases(&format!("{first}_{second}")).any(|alias| self.words.contains(alias))
    }

    /// "John Smith" if the text has "J. Smith".
    fn has_initial(&self, own: &str, next: &str) -> bool {
        own.chars().next().is_some_and(|first| self.pairs.contains(&format!("{first}_{next}")))
    }

    /// "North Atlantic Treaty Organization" if the text has "NATO".
    fn has_acronym_of(&self, text: &str, name: &Name, index: usize) -> bool {
        let first = |word: &str| folded(word).chars().next();
        let small = |word: &&str| word.starts_with(char::is_lowercase);
        // A capital at the start of a sentence does not mark a name.
        let before = text[..name.span().start].split_whitespace().rev().take(3).find(|word| !small(word));
        let before = before.filter(|word| word.starts_with(char::is_uppercase)).and_then(first);
        let mut letters: Vec<char> = before.into_iter().collect();
        let mut place = 0;
        let (start, wanted) = (name.span().start, name.words[index].start);
        // Titles are part of an acronym, though not of a name: "Police and Crime Commissioner".
        let capital = |word: &Word<'_>| word.text.starts_with(char::is_uppercase);
        let around = words(&text[start..])
            .into_iter()
            .take_while(|word| capital(word) || word.kind == WordKind::Function);
        for word in around.filter(capital) {
            place = if start + word.start == wanted { letters.len() } else { place };
            match acronym_of(word.text) {
                Some(acronym) => letters.extend(acronym.chars()),
                None => letters.extend(first(word.text)),
            }
        }
        let starts = place.saturating_sub(LONGEST_ACRONYM)..=place;
        starts.into_iter().any(|start| {
            let ends = place + 1..=letters.len().min(start + LONGEST_ACRONYM);
            ends.into_iter().any(|end| {
                let acronym: String = letters[start..end].iter().collect();
                // Acronyms may be written as words: "Wada", "Nato".
                let as_word = end - start >= 4 && self.words.contains(&acronym);
                end - start >= 2 && (as_word || self.capitals.contains(&acronym))
            })
        })
    }
}
