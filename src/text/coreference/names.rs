//! Finds proper names.
//!
//! A name is the longest run of capitalised words, with the particles and the "of" inside it. The first word of a sentence
//! or quotation counts only if it is not an everyday word, or is in a name elsewhere. Sentences in capitals are skipped.

use std::collections::HashSet;
use std::ops::Range;

use super::lists::{self, TITLES, first_name, is_function_word, person_noun};
use super::tokens::{Document, Token};

/// Maximum number of words of a name; a longer run of capitals is a headline or a list.
const LONGEST: usize = 9;

/// The names of a document as ranges of tokens, in order.
pub(super) fn names(document: &Document) -> Vec<Range<usize>> {
    Finder::new(document).runs()
}

struct Finder<'d, 't> {
    document: &'d Document<'t>,
    /// Words that the document has in lower case.
    small: HashSet<&'d str>,
    /// Words of names inside sentences, where capital letters are significant.
    inner: HashSet<&'d str>,
    /// The last words of such names of two words or more.
    inner_endings: HashSet<&'d str>,
    /// The first two words of such names.
    inner_pairs: HashSet<(&'d str, &'d str)>,
}

impl<'d, 't> Finder<'d, 't> {
    fn new(document: &'d Document<'t>) -> Self {
        let small = document.tokens.iter().filter(|token| token.is_small()).map(|token| token.lower.as_ref());
        let mut finder = Finder {
            document,
            small: small.collect(),
            inner: HashSet::new(),
            inner_endings: HashSet::new(),
            inner_pairs: HashSet::new(),
        };
        for name in finder.runs() {
            let words = &document.tokens[name];
            let opens = words.first().is_some_and(|word| word.opens);
            finder.inner.extend(words.iter().skip(usize::from(opens)).map(|word| word.lower.as_ref()));
            if let [first, .., last] = words {
                finder.inner_endings.insert(&last.lower);
                if !opens {
                    finder.inner_pairs.insert((&first.lower, &words[1].lower));
                }
            }
        }
        finder
    }

    /// The names, given the words that are known so far.
    fn runs(&self) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let sentences = self.document.sentences.iter().zip(&self.document.trusted);
        for tokens in sentences.filter(|(_, trusted)| **trusted).map(|(tokens, _)| tokens) {
            let mut place = tokens.start;
            while place < tokens.end {
                let mut end = place + 1;
                if self.starts_name(place) {
                    while let Some(longer) = self.longer(end, tokens.end) {
                        end = longer;
                    }
                    if end - place <= LONGEST && !self.is_not_a_name(&(place..end)) {
                        found.push(place..end);
                    }
                }
                place = end;
            }
        }
        found
    }

    fn token(&self, place: usize) -> &'d Token<'t> {
        &self.document.tokens[place]
    }

    fn starts_name(&self, place: usize) -> bool {
        let token = self.token(place);
        if token.is_small() && lists::PARTICLES.contains(&token.lower) {
            return self.document.after(place).is_some() && self.is_name_word(place + 1);
        }
        self.is_name_word(place) && (!token.opens || self.opens_with_name(place))
    }

    /// Whether the first word of a sentence, which always has a capital, belongs to a name.
    fn opens_with_name(&self, place: usize) -> bool {
        let token = self.token(place);
        let word = token.lower.as_ref();
        let next = self.document.after(place);
        let goes_on = next.is_some_and(|next| next.is_capitalised());
        let is_pair = next.is_some_and(|next| self.inner_pairs.contains(&(word, next.lower.as_ref())));
        if is_pair || (goes_on && (first_name(word).is_some() || TITLES.gender(word).is_some())) {
            return true;
        }
        let is_small = self.small.contains(word);
        let everyday = is_small || lists::COMMON_SURNAMES.contains(word) || person_noun(word).is_some();
        let acts = next.is_some_and(|next| lists::SUBJECT_VERBS.contains(&next.lower) || next.is("'s"));
        if self.inner.contains(word) {
            return !everyday || (acts && !goes_on);
        }
        let is_title = lists::RANKS.contains(word) && goes_on && !is_small;
        token.is_all_capitals() || is_title || (!everyday && (goes_on || first_name(word).is_some() || acts))
    }

    /// Whether the word can be part of a name, its position in the sentence aside.
    fn is_name_word(&self, place: usize) -> bool {
        let token = self.token(place);
        if !token.is_capitalised() || token.is("i") {
            return false;
        }
        let word = token.lower.as_ref();
        if lists::CALENDAR.contains(word) && !token.is_all_capitals() {
            // "Theresa May", "Mrs May".
            return self.document.before(place).is_some_and(|before| {
                before.is_capitalised()
                    && (first_name(&before.lower).is_some() || TITLES.gender(&before.lower).is_some())
            });
        }
        token.is_all_capitals() || !is_function_word(word)
    }

    /// The end of a name with its next word, if the name that ends at `end` goes on.
    fn longer(&self, end: usize, limit: usize) -> Option<usize> {
        let is_part = |place: usize| place < limit && self.is_name_word(place);
        let is_link = |place: usize| {
            let token = self.token(place);
            token.is("&") || (token.is_small() && lists::PARTICLES.contains(&token.lower))
        };
        let next = (end..limit).find(|&place| !is_link(place))?;
        // "London Mr Smith": a title of address begins another name.
        let is_title =
            matches!(self.token(next).lower.as_ref(), "mr" | "mrs" | "ms" | "dr" | "sir" | "lord" | "lady");
        if is_part(next) && !(is_title && is_part(next + 1)) {
            return Some(next + 1);
        }
        let of = &self.token(end).lower;
        if !matches!(of.as_ref(), "of" | "for") || !lists::TAKES_OF.contains(&self.token(end - 1).lower) {
            return None;
        }
        let object = end + 1 + usize::from(end + 1 < limit && self.token(end + 1).is("the"));
        is_part(object).then_some(object + 1)
    }

    /// Whether the run is not a name: an office ("Foreign Secretary"), a line in capitals; or alone, a nationality or a role
    /// ("CEO").
    fn is_not_a_name(&self, name: &Range<usize>) -> bool {
        let words = &self.document.tokens[name.clone()];
        let is_office = words.last().is_some_and(|last| lists::RANKS.contains(&last.lower))
            && first_name(&words[0].lower).is_none();
        let [only] = words else { return is_office || words.iter().all(Token::is_all_capitals) };
        let word = only.lower.as_ref();
        let is_role = is_office || TITLES.gender(word).is_some() || person_noun(word).is_some();
        let is_letter = word.chars().nth(1).is_none();
        is_letter || lists::PEOPLES.contains(word) || (is_role && !self.inner_endings.contains(word))
    }
}
