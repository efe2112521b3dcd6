//! Sentences of English text, as spans.
//!
//! Decides which stops end a sentence, from the stop and the words before and after it. Spans exclude the white space
//! around sentences; every visible character is in exactly one sentence. No sentence crosses a layout block, and a text
//! without stops and layout is one sentence.
//!
//! Each stop looks at a bounded number of characters before and after it, so time is linear in the text.

use std::ops::Range;

use super::abbreviations::{Role, is_opener, role};
use super::index::starts_character;
use super::lines::{blocks, is_item_number};
use super::quantities::is_part_of_text;
use super::span::Span;
use super::stops::{Lead, Mark, Stop, is_mark};
use super::style::Style;
use super::tagging::can_be_two_sentences;

/// Maximum characters that are read of a word before or after a stop.
const LONGEST_WORD: usize = 32;
/// Maximum bytes that are read of a bracket after a stop.
const LONGEST_ASIDE: usize = 200;

/// Splits a text into sentences, in order. A byte order mark at the start is in no sentence.
pub fn sentences(text: &str) -> Vec<Span> {
    match text.strip_prefix('\u{feff}') {
        None => split(text),
        Some(rest) => {
            let after_mark = |span: Span| Span { start: span.start + 1, end: span.end + 1 };
            split(rest).into_iter().map(after_mark).collect()
        }
    }
}

fn split(text: &str) -> Vec<Span> {
    to_spans(text, &byte_ranges(text))
}

/// The sentences of a text as byte ranges; a byte order mark counts as a character like any other.
pub(super) fn byte_ranges(text: &str) -> Vec<Range<usize>> {
    let style = Style::of(text);
    let mut pieces = Vec::new();
    for block in blocks(text, style) {
        split_block(&text[block.clone()], block.start, style, &mut pieces);
    }
    pieces
}

/// Adds the sentences of one block, as byte ranges of the text, to `pieces`.
fn split_block(block: &str, offset: usize, style: Style, pieces: &mut Vec<Range<usize>>) {
    let (mut sentence, mut resume) = (0, 0);
    let (mut has_word, mut quote_open) = (false, false);
    for (position, letter) in block.char_indices() {
        if position < resume {
            continue;
        }
        has_word |= letter.is_alphanumeric();
        if letter == '"' {
            quote_open = opens_quote(block, position, quote_open);
        }
        if !is_mark(letter) {
            continue;
        }
        let stop = Stop::read(block, position, quote_open);
        quote_open &= !block[stop.start..stop.end].contains('"');
        resume = stop.end;
        if has_word && ends_sentence(block, &stop, sentence, style) {
            pieces.push(offset + sentence..offset + stop.end);
            sentence = stop.next;
            has_word = false;
        }
    }
    let end = offset + block.len();
    match pieces.last_mut() {
        // Marks without a letter or digit belong to the sentence before them.
        Some(last) if sentence > 0 && !has_word => last.end = end,
        _ => pieces.push(offset + sentence..end),
    }
}

/// Whether the straight double quote at `position` leaves a quotation open.
fn opens_quote(block: &str, position: usize, quote_open: bool) -> bool {
    let is_space = |letter: Option<char>| letter.is_none_or(char::is_whitespace);
    let before = is_space(block[..position].chars().next_back());
    let after = is_space(block[position + 1..].chars().next());
    if before == after { !quote_open } else { before }
}

/// Whether the sentence that began at byte `sentence` ends with this stop.
fn ends_sentence(block: &str, stop: &Stop, sentence: usize, style: Style) -> bool {
    let (lead, lead_at) = stop.lead(block);
    match lead {
        Lead::End | Lead::Comma => return false,
        _ if stop.mark == Mark::FullWidth => return true,
        _ if stop.is_glued() => {
            return lead == Lead::Capital && lacks_space(block, stop.start, lead_at);
        }
        _ => {}
    }
    // A bracket separates an abbreviation from the next word: "et al. (2010)".
    let bracketed = block[stop.next..].starts_with(['(', '[']);
    let next_word = if bracketed { "" } else { word_after(block, lead_at) };
    let word = word_before(block, stop.start);
    let previous = word_before(block, block[..stop.start - word.len()].trim_end().len());
    if lead == Lead::Small && !style.lower_cased && !has_inner_capital(next_word) {
        let aside = stop.quoted || stop.opens_aside(block);
        let closed =
            stop.mark == Mark::Period && aside && role(previous, word, next_word, style) == Role::Ends;
        return closed || (stop.apart && style.tokenised);
    }
    if stop.mark != Mark::Period || stop.apart {
        return !(stop.mark == Mark::Ellipsis && style.lower_cased);
    }
    if style.tokenised || is_item_label(&block[sentence..=stop.start]) {
        return false;
    }
    match role(previous, word, next_word, style) {
        Role::Unclear if bracketed => encloses_sentence(&block[stop.next..]),
        Role::Unclear => can_be_two_sentences(&block[sentence..stop.start], &block[lead_at..]),
        role => role == Role::Ends && !is_split_number(word, next_word),
    }
}

/// Whether a text starts with brackets around a sentence.
fn encloses_sentence(text: &str) -> bool {
    let inside = &text[..text.floor_char_boundary(LONGEST_ASIDE)];
    inside.find([')', ']']).is_some_and(|end| inside[..end].ends_with(is_mark))
}

/// Whether a text is a list number or letter, or the label of a section: "3.", "Step 3."
fn is_item_label(text: &str) -> bool {
    let (word, number) = text.rsplit_once(' ').unwrap_or(("", text));
    is_item_number(number) && (word.is_empty() || word.len() <= LONGEST_WORD && is_part_of_text(word))
}

/// Whether a space splits a decimal number: "2. 5 miles". Years do not count.
fn is_split_number(word: &str, next_word: &str) -> bool {
    let digits = |part: &str| part.bytes().all(|unit| unit.is_ascii_digit());
    let whole = word.trim_start_matches(['$', '£', '€']);
    let short = whole == "0" || (whole.len() <= 3 && next_word.len() <= 2);
    short && !whole.is_empty() && digits(whole) && digits(next_word)
}

/// Whether the space after a stop is missing: "said.The". After a capitalised word, the next word must be one that opens
/// sentences: "London.The", but not "System.Out".
fn lacks_space(block: &str, stop: usize, next: usize) -> bool {
    if block[..stop].ends_with(char::is_uppercase) {
        return false;
    }
    let (before, after) = (word_before(block, stop), word_after(block, next));
    let is_plain = |letter: char| letter.is_alphanumeric() || "'’-,".contains(letter);
    let named = before.starts_with(char::is_uppercase);
    let follows = block[next + after.len()..].trim_start_matches(is_mark);
    before.len() > 1
        && before.chars().all(is_plain)
        && follows.chars().next().is_none_or(|letter| letter.is_whitespace() || letter == ',')
        && !has_inner_capital(after)
        && !is_name_ending(after)
        && (is_opener(after) || !named)
}

/// Whether a word is a common ending of internet addresses and of names in programs.
fn is_name_ending(word: &str) -> bool {
    ["Com", "Co", "Net", "Org", "Gov", "Edu", "Io", "Uk", "Js", "Out"].contains(&word)
}

/// Whether a word has a capital inside, like "iPhone".
fn has_inner_capital(word: &str) -> bool {
    word.chars().skip(1).any(char::is_uppercase)
}

/// The word that ends at byte `end`, without opening quotes and brackets.
fn word_before(block: &str, end: usize) -> &str {
    let letters = block[..end].chars().rev().take(LONGEST_WORD);
    let length: usize = letters.take_while(|letter| !breaks_word(*letter)).map(char::len_utf8).sum();
    &block[end - length..end]
}

/// The word that starts at byte `start`.
fn word_after(block: &str, start: usize) -> &str {
    let letters = block[start..].chars().take(LONGEST_WORD);
    let inside = letters.take_while(|letter| letter.is_alphanumeric() || matches!(letter, '\'' | '’' | '-'));
    let length: usize = inside.map(char::len_utf8).sum();
    &block[start..start + length]
}

fn breaks_word(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '"' | '\'' | '`' | '“' | '‘' | '(' | '[' | '{' | '–' | '—')
}

/// Converts byte ranges, which are in order, to character spans.
fn to_spans(text: &str, pieces: &[Range<usize>]) -> Vec<Span> {
    let (mut byte, mut character) = (0, 0);
    let mut advance = |to: usize| {
        let passed = &text.as_bytes()[byte..to];
        character += passed.iter().filter(|&&unit| starts_character(unit)).count();
        byte = to;
        character
    };
    pieces.iter().map(|piece| Span { start: advance(piece.start), end: advance(piece.end) }).collect()
}
