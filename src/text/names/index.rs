//! Indexes a text for look-ups of names, word by word: of a long text, no more than the words of an acronym are kept.

use std::collections::{HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::forms::{LONGEST_ACRONYM, acronym_of, capitals_of, folded, roots};
use crate::text::poll::{POLLED, Poll, go_on};
use crate::text::words::{Word, WordKind, each_word};

/// Maximum number of words that an acronym stands for, with the function words between them.
const LONGEST_SPAN: usize = 2 * LONGEST_ACRONYM;

/// The names of a text, for look-ups.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// All words, folded.
    pub(super) words: Texts,
    /// The roots of capitalised words, without endings.
    pub(super) roots: Texts,
    /// Pairs of adjacent words, joined by `_`.
    pub(super) pairs: Texts,
    /// Acronyms that words of the text could form.
    pub(super) acronyms: Texts,
    /// Words that are written as acronyms.
    pub(super) capitals: Texts,
}

/// A set of texts, kept as their hashes, which take a quarter of the memory of the texts. Two words of a document share a
/// hash once in some 10^7 documents of a million words.
#[derive(Debug, Clone, Default)]
pub(super) struct Texts(HashSet<u64>);

impl Texts {
    fn hash(text: &str) -> u64 {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        hasher.finish()
    }

    fn insert(&mut self, text: &str) {
        self.0.insert(Self::hash(text));
    }

    fn extend<T: AsRef<str>>(&mut self, texts: impl IntoIterator<Item = T>) {
        texts.into_iter().for_each(|text| self.insert(text.as_ref()));
    }

    pub(super) fn contains(&self, text: &str) -> bool {
        self.0.contains(&Self::hash(text))
    }
}

/// What acronyms need of a word.
struct Initial {
    /// Its first letter, folded, if one remains.
    letter: Option<char>,
    is_capital: bool,
    /// Whether it is a function word in lower case, which an acronym may leave out.
    is_small: bool,
}

impl Initial {
    fn of(word: &Word<'_>) -> Self {
        let first = word.text.chars().next();
        let is_capital = first.is_some_and(char::is_uppercase);
        Self {
            letter: first.and_then(|letter| folded(letter.encode_utf8(&mut [0; 4])).chars().next()),
            is_capital,
            is_small: word.kind == WordKind::Function && !is_capital,
        }
    }
}

impl Names {
    /// Indexes a short text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let Ok(names) = Self::read(text, &go_on);
        names
    }

    /// Indexes a text.
    ///
    /// # Errors
    /// That of `poll`.
    pub fn read<E>(text: &str, poll: &Poll<'_, E>) -> Result<Self, E> {
        let mut names = Self::default();
        // The end of the word before and its folded form; letters with stops between them so far, as in "U.S.".
        let (mut before, mut dotted): (Option<(usize, String)>, String) = (None, String::new());
        let mut initials = VecDeque::with_capacity(LONGEST_SPAN);
        for (number, word) in each_word(text).enumerate() {
            if number % POLLED == 0 {
                poll()?;
            }
            let form = folded(word.text);
            names.add_word(&word, &form);
            if let Some((_, earlier)) = &before {
                names.pairs.insert(&format!("{earlier}_{form}"));
            }
            let follows_stop = before.is_some_and(|(end, _)| &text[end..word.start] == ".");
            names.add_dotted(&mut dotted, &form, follows_stop);
            initials.push_back(Initial::of(&word));
            if initials.len() == LONGEST_SPAN {
                names.add_acronyms(&initials);
                initials.pop_front();
            }
            before = Some((word.start + word.text.len(), form));
        }
        while !initials.is_empty() {
            names.add_acronyms(&initials);
            initials.pop_front();
        }
        Ok(names)
    }

    fn add_word(&mut self, word: &Word<'_>, form: &str) {
        if word.text.starts_with(char::is_uppercase) {
            self.roots.extend(roots(form));
        }
        self.words.insert(form);
        self.capitals.extend(acronym_of(word.text));
        self.capitals.extend(capitals_of(word.text));
    }

    /// Adds "us" for "U.S."; `letters` are those of the words before.
    fn add_dotted(&mut self, letters: &mut String, form: &str, follows_stop: bool) {
        let is_single = form.chars().count() == 1;
        if !is_single || !follows_stop {
            letters.clear();
        }
        if is_single {
            letters.push_str(form);
        }
        if letters.len() > 1 {
            self.words.insert(letters);
            self.capitals.insert(letters);
        }
    }

    /// Adds the acronyms that begin with the first of these words, with and without the function words between them.
    fn add_acronyms(&mut self, words: &VecDeque<Initial>) {
        let (mut all, mut content, mut count) = (String::new(), String::new(), 0);
        let mut capitals = true;
        for word in words {
            let Some(first) = word.letter else { break };
            capitals &= word.is_small || word.is_capital;
            all.push(first);
            if !word.is_small {
                content.push(first);
                count += 1;
            }
            let enough = if capitals { 2 } else { 3 };
            for letters in [&all, &content].into_iter().filter(|letters| letters.len() >= enough) {
                self.acronyms.insert(letters);
            }
            if count >= LONGEST_ACRONYM || all.len() >= LONGEST_SPAN {
                break;
            }
        }
    }
}
