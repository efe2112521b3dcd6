//! The words of an English text, cut exactly as spaCy 3.8's rule tokenizer does: the coreference model was trained on
//! documents cut by that tokenizer. Every rule follows spaCy (Explosion, MIT), oddities included.
//!
//! A text is cut at white space into chunks. Prefixes and suffixes of a chunk are removed until the rest is an exception
//! or has none (`chunk`); the rest is an exception, a URL, or is cut at infixes. Finally, exceptions that these rules cut
//! are rejoined (`rejoin`).
//!
//! A run of white space is a word too, without a single space that follows a word. Time and memory are linear in the text.

mod abbreviations;
mod affixes;
mod chunk;
mod classes;
mod contractions;
mod emoticons;
mod exceptions;
mod icons;
mod infixes;
mod letters;
mod measures;
mod numerals;
mod rejoin;
mod urls;

use std::ops::Range;
use std::sync::LazyLock;

use self::chunk::Cutter;
use self::exceptions::Exceptions;
use self::rejoin::Rejoiner;

static EXCEPTIONS: LazyLock<Exceptions> = LazyLock::new(Exceptions::new);
static REJOINER: LazyLock<Rejoiner> = LazyLock::new(|| Rejoiner::new(&EXCEPTIONS));

/// The byte ranges of the words of `text`, white-space words included, in order.
pub fn words(text: &str) -> Vec<Range<usize>> {
    let mut cutter = Cutter::new(text, Some(&EXCEPTIONS));
    for_each_chunk(text, |chunk, is_space| if is_space { cutter.keep(chunk) } else { cutter.cut(chunk) });
    REJOINER.rejoin(text, cutter.finish(), &EXCEPTIONS)
}

/// Calls `take` with every run of white space and of other characters; a space that follows other characters belongs to no
/// run.
fn for_each_chunk(text: &str, mut take: impl FnMut(Range<usize>, bool)) {
    let mut start = 0;
    let mut in_space = text.starts_with(classes::is_space);
    for (at, character) in text.char_indices() {
        if classes::is_space(character) != in_space {
            if start < at {
                take(start..at, in_space);
            }
            start = if character == ' ' { at + 1 } else { at };
            in_space = !in_space;
        }
    }
    if start < text.len() {
        take(start..text.len(), in_space);
    }
}
