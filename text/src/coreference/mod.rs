//! Who is meant: mentions of one entity in an English news text, by rule.
//!
//! Decides which names, acronyms, descriptions and pronouns stand for the same person or
//! organisation, where the text leaves one reading: full names and their parts, acronyms in
//! brackets, "the company" behind "Acme, a company", and a pronoun with one possible antecedent.
//! Refuses the rest. A missing link costs little; a wrong one makes an untrue claim look true.
//!
//! `tokens` (with `quotes`) -> `evidence` (`names`, `kinds`, `appositions`) -> `cast` (`acronyms`,
//! `aliases`, `people`) -> `descriptions` (`facts`) -> `pronouns` (`antecedents`, `neuters`, over
//! `scene`, `speakers`, `noun_phrases`); the other files are lists of words.

mod acronyms;
mod aliases;
mod antecedents;
mod appositions;
mod cast;
mod descriptions;
mod evidence;
mod facts;
mod first_names;
mod gender;
mod kinds;
mod names;
mod neuters;
mod noun_phrases;
mod organisations;
mod people;
mod places;
mod pronouns;
mod quotes;
mod roles;
mod scene;
mod speakers;
#[cfg(test)]
mod tests;
mod titles;
mod tokens;
mod words;

use std::ops::Range;

pub(super) use self::words::is_function as is_function_word;

/// Whether a word in small letters is a title, a rank or letters behind a name, and so no part of it.
pub(super) fn is_title_word(word: &str) -> bool {
    titles::honorific(word).is_some() || titles::is_rank(word) || titles::is_post_nominal(word)
}

/// What a mention is made of, and so how it can be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MentionKind {
    /// A proper name or an acronym, with its title.
    Name,
    /// "he", "she", "him", "her", "it".
    Pronoun,
    /// "his", "her", "its": what replaces it needs "'s".
    PossessivePronoun,
    /// "the company", "the 24-year-old".
    Description,
}

/// A piece of the text that stands for an entity by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// Its bytes in the text, without a possessive "'s" behind it.
    pub span: Range<usize>,
    /// What it is made of.
    pub kind: MentionKind,
}

/// Mentions of one entity, in order of appearance, at least two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// They do not overlap; but a description may hold a name of another cluster.
    pub mentions: Vec<Mention>,
}

/// The clusters of a document, in the order of their first mentions. `sentences` are byte ranges
/// of the text, in order, not overlapping; what lies outside them is not read.
pub fn clusters(text: &str, sentences: &[Range<usize>]) -> Vec<Cluster> {
    let document = tokens::Document::read(text, sentences);
    let mut cast = cast::Cast::of(&document);
    descriptions::add(&document, &mut cast);
    pronouns::add(&document, &mut cast);
    cast.into_clusters(&document)
}
