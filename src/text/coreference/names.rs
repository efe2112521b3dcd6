//! Finds proper names.
//!
//! A name is the longest run of capitalised words, with the particles and the "of" inside it. The first word of a sentence
//! or quotation counts only if it is not an everyday word, or is in a name elsewhere. Sentences in capitals are skipped.

use std::collections::HashSet;
use std::ops::Range;

use super::first_names::first_name;
use super::organisations::{takes_and, takes_of};
use super::places::is_people;
use super::roles::person_noun;
use super::titles;
use super::tokens::{Document, Token};
use super::words::{NAME_MONTHS, is_auxiliary, is_calendar, is_common_word, is_function, is_speech};

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
        let small = document.tokens.iter().filter(|token| token.is_small()).map(|token| token.lower.as_str());
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
            finder.inner.extend(words.iter().skip(usize::from(opens)).map(|word| word.lower.as_str()));
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
        for (tokens, trusted) in self.document.sentences.iter().zip(&self.document.trusted) {
            if *trusted {
                self.collect(tokens.clone(), &mut found);
            }
        }
        found
    }

    fn collect(&self, tokens: Range<usize>, found: &mut Vec<Range<usize>>) {
        let mut place = tokens.start;
        while place < tokens.end {
            if !self.starts_name(place) {
                place += 1;
                continue;
            }
            let end = self.end_of(place, tokens.end);
            let trimmed = self.without_post_nominals(place..end);
            if end - place <= LONGEST && !self.is_not_a_name(&trimmed) {
                found.push(trimmed);
            }
            place = end;
        }
    }

    fn token(&self, place: usize) -> &'d Token<'t> {
        &self.document.tokens[place]
    }

    fn starts_name(&self, place: usize) -> bool {
        let token = self.token(place);
        if token.is_small() && titles::opens_surname(&token.lower) {
            return self.document.after(place).is_some_and(Token::is_capitalised)
                && self.is_name_word(place + 1);
        }
        if !self.is_name_word(place) {
            return false;
        }
        !token.opens || self.opens_with_name(place)
    }

    /// Whether the first word of a sentence, which always has a capital, belongs to a name.
    fn opens_with_name(&self, place: usize) -> bool {
        let token = self.token(place);
        let word = token.lower.as_str();
        let next = self.document.after(place);
        let goes_on = next.is_some_and(|next| next.is_capitalised());
        if goes_on && word != "will" && (first_name(word).is_some() || titles::honorific(word).is_some()) {
            return true;
        }
        if next.is_some_and(|next| self.inner_pairs.contains(&(word, next.lower.as_str()))) {
            return true;
        }
        let everyday = self.small.contains(word) || is_common_word(word) || person_noun(word).is_some();
        let described = next.is_some_and(|next| next.is(","))
            && self.document.near(place + 2, place).is_some_and(|token| token.is("a") || token.is("an"));
        let acts = described
            || next.is_some_and(|next| is_speech(&next.lower) || is_auxiliary(&next.lower) || next.is("'s"));
        if self.inner.contains(word) {
            return !everyday || (acts && !goes_on);
        }
        let title = titles::is_rank(word) && goes_on && !self.small.contains(word);
        token.is_all_capitals() || title || (!everyday && (goes_on || first_name(word).is_some() || acts))
    }

    /// Whether the word can be part of a name, its position in the sentence aside.
    fn is_name_word(&self, place: usize) -> bool {
        let token = self.token(place);
        if !token.is_capitalised() || token.is("i") {
            return false;
        }
        if token.is_all_capitals() {
            return true;
        }
        let word = token.lower.as_str();
        if is_calendar(word) {
            return NAME_MONTHS.contains(&word) && self.is_named_month(place);
        }
        let will = word == "will" && self.document.after(place).is_some_and(|next| next.is_capitalised());
        !is_function(word) || will
    }

    /// Whether "May" is part of a name: after a first name or a title.
    fn is_named_month(&self, place: usize) -> bool {
        self.document.before(place).is_some_and(|before| {
            before.is_capitalised()
                && (first_name(&before.lower).is_some() || titles::honorific(&before.lower).is_some())
        })
    }

    /// The end of the name that starts at a place.
    fn end_of(&self, start: usize, limit: usize) -> usize {
        let mut end = start + 1;
        let mut of_at = None;
        while let Some(longer) = self.longer(end, limit, &mut of_at) {
            end = longer;
        }
        end
    }

    /// The end of the name with one more part after `end`. `of_at` is the last "of" in it.
    fn longer(&self, end: usize, limit: usize, of_at: &mut Option<usize>) -> Option<usize> {
        let is_part = |place: usize| place < limit && self.is_name_word(place);
        let is_particle = |place: usize| place < limit && self.is_particle(place);
        if is_part(end) {
            return Some(end + 1);
        }
        let next = (end < limit).then(|| self.token(end))?;
        if (is_particle(end) || next.is("&")) && is_part(end + 1) {
            return Some(end + 2);
        }
        if is_particle(end) && is_particle(end + 1) && is_part(end + 2) {
            return Some(end + 3);
        }
        if (next.is("of") || next.is("for")) && takes_of(&self.token(end - 1).lower) {
            *of_at = Some(end);
            return self.object_of(end, limit);
        }
        let joins = next.is("and") && is_part(end + 1);
        of_at.take().filter(|of| joins && takes_and(&self.token(of - 1).lower)).map(|_| end + 2)
    }

    /// The end of the first word of the name after "of" or "of the".
    fn object_of(&self, of: usize, limit: usize) -> Option<usize> {
        let the = usize::from(of + 1 < limit && self.token(of + 1).is("the"));
        let place = of + 1 + the;
        (place < limit && self.is_name_word(place)).then_some(place + 1)
    }

    fn is_particle(&self, place: usize) -> bool {
        let token = self.token(place);
        token.is_small() && titles::is_particle(&token.lower)
    }

    fn without_post_nominals(&self, name: Range<usize>) -> Range<usize> {
        let kept = |place: &usize| !titles::is_post_nominal(&self.token(*place).lower);
        let end = name.clone().rev().find(kept).map_or(name.end, |last| last + 1);
        if end > name.start + 1 { name.start..end } else { name }
    }

    /// Whether the run is not a name: a nationality alone, or a title without a name ("Prime Minister").
    fn is_not_a_name(&self, name: &Range<usize>) -> bool {
        let word = self.token(name.start).lower.as_str();
        let words = &self.document.tokens[name.clone()];
        let is_title =
            |word: &Token| titles::is_rank(&word.lower) || titles::honorific(&word.lower).is_some();
        let belongs =
            |word: &Token| is_title(word) || is_people(&word.lower) || titles::is_office_word(&word.lower);
        let is_office = words.last().is_some_and(is_title) && words.iter().all(belongs);
        let is_surname = name.len() == 1 && self.inner_endings.contains(word);
        (is_office && !is_surname) || (name.len() == 1 && (is_people(word) || word.chars().count() < 2))
    }
}
