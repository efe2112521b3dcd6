//! A stop: the marks that may end a sentence, with the quotes and brackets that close after them.
//!
//! Decides how far a stop reaches: over repeated marks ("?!", "...", ". . ."), closing quotes and brackets, and white
//! space to the next visible character. Whether the sentence ends there is decided in `sentences`.

/// The kind of a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// One full stop.
    Period,
    /// Two or more full stops, or "…".
    Ellipsis,
    /// Marks that include "!" or "?".
    Exclamation,
    /// Marks of scripts that write no space after them.
    FullWidth,
}

/// The kind of character that follows a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lead {
    Capital,
    Small,
    Digit,
    /// A letter without case, or a symbol that can open a sentence: "£", "@".
    Other,
    /// A mark that continues the sentence: ",", ";".
    Comma,
    /// The end of the block.
    End,
}

/// A stop of a block, in byte offsets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    pub mark: Mark,
    /// The first mark.
    pub start: usize,
    /// The end of the marks and of the quotes and brackets that close after them.
    pub end: usize,
    /// The next visible character: where the next sentence would start.
    pub next: usize,
    /// Whether white space precedes the marks.
    pub apart: bool,
    /// Whether a quotation closes after the marks.
    pub quoted: bool,
}

impl Stop {
    /// Reads the stop at byte `start`. `quote_open`: a straight double quote is open.
    pub(super) fn read(block: &str, start: usize, quote_open: bool) -> Self {
        let (mark, marks_end) = read_marks(block, start);
        let (mut end, quoted) = read_closers(block, marks_end, quote_open);
        while stands_alone(&block[skip_space(block, end)..]) {
            end = read_marks(block, skip_space(block, end)).1;
            end = read_closers(block, end, false).0;
        }
        Stop {
            mark,
            start,
            end,
            next: skip_space(block, end),
            apart: block[..start].ends_with(char::is_whitespace),
            quoted,
        }
    }

    /// Whether no white space follows the stop.
    pub(super) fn is_glued(&self) -> bool {
        self.next == self.end
    }

    /// Whether a quotation or a bracket opens after the stop.
    pub(super) fn opens_aside(&self, block: &str) -> bool {
        block[self.next..].starts_with(['"', '\'', '`', '“', '‘', '„', '«', '‹', '(', '['])
    }

    /// The kind and the byte offset of the first character after the stop, opening marks aside.
    pub(super) fn lead(&self, block: &str) -> (Lead, usize) {
        for (offset, letter) in block[self.next..].char_indices() {
            if is_opening(letter) || letter.is_whitespace() {
                continue;
            }
            let lead = match letter {
                ',' | ';' | ':' => Lead::Comma,
                _ if letter.is_uppercase() => Lead::Capital,
                _ if letter.is_lowercase() => Lead::Small,
                _ if letter.is_numeric() => Lead::Digit,
                _ => Lead::Other,
            };
            return (lead, self.next + offset);
        }
        (Lead::End, block.len())
    }
}

/// Whether a character can be part of a stop.
pub(super) fn is_mark(letter: char) -> bool {
    matches!(letter, '.' | '!' | '?' | '…') || is_full_width(letter) || is_other_mark(letter)
}

fn is_full_width(letter: char) -> bool {
    matches!(letter, '。' | '！' | '？' | '｡' | '．')
}

/// Interrobangs and full stops of other scripts.
fn is_other_mark(letter: char) -> bool {
    matches!(letter, '‼' | '‽' | '⁇' | '⁈' | '⁉' | '।' | '॥' | '۔' | '؟' | '։' | '።')
}

/// The kind of the marks at `start`, and their end.
fn read_marks(block: &str, start: usize) -> (Mark, usize) {
    let (mut periods, mut mark) = (0, Mark::Period);
    let mut end = start;
    loop {
        for letter in block[end..].chars().take_while(|&letter| is_mark(letter)) {
            end += letter.len_utf8();
            match letter {
                '.' => periods += 1,
                '…' => periods += 2,
                _ if is_full_width(letter) => mark = Mark::FullWidth,
                _ if mark == Mark::Period => mark = Mark::Exclamation,
                _ => {}
            }
        }
        let next = skip_space(block, end);
        if next == end || !stands_alone(&block[next..]) {
            break;
        }
        end = next;
    }
    if mark == Mark::Period && periods > 1 {
        mark = Mark::Ellipsis;
    }
    (mark, end)
}

/// Whether a text starts with marks that are not part of a word, as in ".NET".
fn stands_alone(text: &str) -> bool {
    text.starts_with(is_mark) && text.trim_start_matches(is_mark).chars().next().is_none_or(ends_word)
}

/// The end of the quotes and brackets that close after `from`, and whether there was a quote.
fn read_closers(block: &str, from: usize, mut quote_open: bool) -> (usize, bool) {
    let (mut end, mut quoted) = (from, false);
    loop {
        let next = skip_space(block, end);
        let mut letters = block[next..].chars();
        let Some(letter) = letters.next() else {
            return (end, quoted);
        };
        if next == end
            && let Some(length) = reference(&block[end..])
        {
            end += length;
            continue;
        }
        let apart = next > end;
        let loose = letters.next().is_none_or(ends_word);
        let closes = match letter {
            ')' | ']' | '}' | '»' | '”' | '’' | '\'' => !apart || loose,
            '」' | '』' | '）' | '】' | '》' => true,
            '"' if apart == loose => quote_open,
            '"' => loose,
            _ => false,
        };
        if !closes {
            return (end, quoted);
        }
        quote_open &= letter != '"';
        quoted |= !matches!(letter, ')' | ']' | '}');
        end = next + letter.len_utf8();
    }
}

/// The length of a footnote number at the start of a text: in square brackets or superscript.
fn reference(text: &str) -> Option<usize> {
    let raised = |letter: char| matches!(letter, '¹' | '²' | '³' | '⁰' | '⁴'..='⁹');
    if text.starts_with(raised) {
        return Some(text.len() - text.trim_start_matches(raised).len());
    }
    let inside = text.strip_prefix('[')?;
    let digits = inside.bytes().take(4).take_while(u8::is_ascii_digit).count();
    (digits > 0 && inside[digits..].starts_with(']')).then_some(digits + 2)
}

/// Whether a character ends the word before it.
fn ends_word(letter: char) -> bool {
    letter.is_whitespace()
        || is_mark(letter)
        || matches!(letter, ',' | ';' | ':' | ')' | ']' | '\'' | '’' | '"' | '”')
}

/// Whether a character opens a phrase: quotes, brackets, dashes.
fn is_opening(letter: char) -> bool {
    "\"'`“‘„«‹([{-–—*•¿¡".contains(letter)
}

/// The offset of the first visible character from `from` on.
fn skip_space(block: &str, from: usize) -> usize {
    block.len() - block[from..].trim_start().len()
}
