//! The words of an English text, cut exactly as spaCy 3.8's rule tokenizer cuts them: the coreference
//! model saw its documents through that tokenizer. Every rule here states a fact of spaCy's (Explosion,
//! MIT), oddities included; none is an opinion about English.
//!
//! A text is cut at white space into chunks; from each chunk prefixes and suffixes are taken off until
//! an exception or nothing is left (`chunk`), and what remains is an exception, a URL, or is cut at
//! infixes. At last, exceptions that these rules cut apart are put back together (`rejoin`).
//!
//! spaCy's white space becomes words too: a run of it is one word, less a single space that ends the
//! word before. Time and memory are linear in the text.

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

/// Calls `take` with every run of white space and of anything else; a space that follows something
/// else belongs to no run.
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
