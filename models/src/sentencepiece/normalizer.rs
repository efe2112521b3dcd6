//! SentencePiece's normalization: the longest matches of a compiled table of replacements, then spaces.

use super::charsmap::{self, has_value, is_child, offset};
use super::proto::ModelFile;

/// The character that stands for a space.
const SPACE: &str = "\u{2581}";

#[derive(Debug, Clone)]
pub(super) struct Normalizer {
    trie: Vec<u32>,
    replacements: Vec<u8>,
    /// Symbols that are never replaced.
    protected: Vec<String>,
    adds_dummy_prefix: bool,
    removes_extra_spaces: bool,
    escapes_spaces: bool,
    space_is_suffix: bool,
}

impl Normalizer {
    pub(super) fn new(model: &ModelFile, protected: Vec<String>) -> Result<Self, String> {
        charsmap::check(&model.charsmap)?;
        let (trie, replacements) = charsmap::split(&model.charsmap)?;
        Ok(Self {
            trie,
            replacements,
            protected,
            adds_dummy_prefix: model.adds_dummy_prefix,
            removes_extra_spaces: model.removes_extra_spaces,
            escapes_spaces: model.escapes_spaces,
            space_is_suffix: model.space_is_suffix,
        })
    }

    pub(super) fn normalize(&self, text: &str) -> String {
        let mut rest = text;
        while self.removes_extra_spaces && !rest.is_empty() {
            let (piece, consumed) = self.prefix(rest);
            if piece != " " {
                break;
            }
            rest = &rest[consumed..];
        }
        let mut out = String::with_capacity(text.len() + 3);
        if rest.is_empty() {
            return out;
        }
        let space = if self.escapes_spaces { SPACE } else { " " };
        if self.adds_dummy_prefix && !self.space_is_suffix {
            out.push_str(space);
        }
        let mut after_space = self.removes_extra_spaces;
        while !rest.is_empty() {
            let (piece, consumed) = self.prefix(rest);
            let piece = if after_space { piece.trim_start_matches(' ') } else { piece };
            if !piece.is_empty() {
                for part in piece.split_inclusive(' ') {
                    match part.strip_suffix(' ') {
                        Some(before) => out.extend([before, space]),
                        None => out.push_str(part),
                    }
                }
                after_space = self.removes_extra_spaces && piece.ends_with(' ');
            }
            rest = &rest[consumed..];
        }
        while self.removes_extra_spaces && out.ends_with(space) {
            out.truncate(out.len() - space.len());
        }
        if self.adds_dummy_prefix && self.space_is_suffix {
            out.push_str(space);
        }
        out
    }

    /// The replacement of the text's first characters, and their length in bytes.
    fn prefix<'t>(&'t self, text: &'t str) -> (&'t str, usize) {
        let protected = self.protected.iter().filter(|symbol| text.starts_with(symbol.as_str()));
        if let Some(symbol) = protected.max_by_key(|symbol| symbol.len()) {
            return (&text[..symbol.len()], symbol.len());
        }
        if let Some((replacement, consumed)) = self.longest_match(text) {
            return (replacement, consumed);
        }
        let first = text.chars().next().map_or(0, char::len_utf8);
        (&text[..first], first)
    }

    fn longest_match(&self, text: &str) -> Option<(&str, usize)> {
        let mut longest = None;
        let mut node = offset(*self.trie.first()?) as usize;
        for (index, byte) in text.bytes().enumerate() {
            node ^= usize::from(byte);
            let unit = *self.trie.get(node)?;
            if !is_child(unit, byte) {
                break;
            }
            node ^= offset(unit) as usize;
            if has_value(unit) {
                longest = Some(((self.trie.get(node)? & 0x7fff_ffff) as usize, index + 1));
            }
        }
        let (start, consumed) = longest?;
        let replacement = self.replacements.get(start..)?;
        let end = replacement.iter().position(|byte| *byte == 0)?;
        let replacement = std::str::from_utf8(&replacement[..end]).ok()?;
        text.is_char_boundary(consumed).then_some((replacement, consumed))
    }
}
