//! Tags the tokens of a sentence, step by step. Decides the tags of single dashes and of particles between names itself.

use super::lexicon::classes;
use super::word::{Tag, Word};
use super::{by_itself, compounds, context};
use crate::text::token::Token;

/// Tags every token.
pub(crate) fn tag(tokens: Vec<Token<'_>>) -> Vec<Word<'_>> {
    let mut words: Vec<Word> = tokens.into_iter().map(by_itself::word).collect();
    compounds::hyphens(&mut words);
    single_dash(&mut words);
    name_particles(&mut words);
    context::settle(&mut words);
    words
}

/// Tags "van" and "de" between names as names.
fn name_particles(words: &mut [Word]) {
    for place in 1..words.len().saturating_sub(1) {
        let between = words[place - 1].is(Tag::Name) && words[place + 1].is_capital();
        if between && classes::NAME_PARTICLES.contains(words[place].lower()) {
            words[place].tag = Tag::Name;
        }
    }
}

/// Tags the only dash of a sentence as a comma.
fn single_dash(words: &mut [Word]) {
    let is_dash = |word: &Word| word.is(Tag::Break) && matches!(word.lower(), "-" | "–" | "—");
    let mut dashes = words.iter_mut().enumerate().filter(|(_, word)| is_dash(word));
    if let (Some((1.., dash)), None) = (dashes.next(), dashes.next()) {
        dash.tag = Tag::Comma;
    }
}
