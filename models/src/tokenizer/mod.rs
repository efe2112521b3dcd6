//! Maps texts to token ids, and two texts to a pair with special tokens and types, by the model's files. Truncation and
//! padding in these files are removed at load: the caller sets the limit, and a pair is truncated only if the caller
//! asks for it.

mod albert;
mod byte_level;
mod class;
mod count;
mod files;
mod growth;
mod layout;
mod outline;
mod prompt;
mod settings;
mod templates;
mod token;
mod unigram;
mod word_piece;

use std::iter;
use std::ops::Range;

use tokenizers::Tokenizer;

pub use self::count::TokenCounter;
pub(crate) use self::files::{LoadedTokenizer, TokenizerFiles};
use self::layout::PairLayout;
pub use self::prompt::PromptTemplate;
use crate::error::{ModelError, Result, refuse};

/// Bytes of a text that the library tokenizes at once. Its time and memory per byte are high, and a caller who needs only
/// the beginning of a long text, or may have to stop, waits for one chunk.
const CHUNK: usize = 2048;

/// The treatment of a pair over the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truncation {
    /// It is an error.
    Refuse,
    /// Tokens are cut from the end of the longer text, then of both
    /// (`longest_first` in Python's tokenizers).
    LongestFirst,
    /// Tokens are cut from the end of the premise; at least one of them is kept.
    Premise,
}

/// The tokens of one text, without special tokens.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextTokens {
    /// Token ids.
    pub ids: Vec<u32>,
    /// The span of each token in the text, in Unicode characters.
    pub spans: Vec<(usize, usize)>,
}

impl TextTokens {
    /// Number of tokens.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there is no token.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }
}

/// A (premise, hypothesis) pair as input of the network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairTokens {
    /// Token ids, special ones included.
    pub ids: Vec<u32>,
    /// Token types, one per token.
    pub types: Vec<u32>,
    /// Whether tokens were cut.
    pub cut: bool,
}

/// A model's tokenizer.
pub struct PairTokenizer {
    inner: Tokenizer,
    layout: PairLayout,
    prompt: Option<PromptTemplate>,
    file: String,
}

impl PairTokenizer {
    /// Reads a tokenizer.json; `file` is named in errors. `embedding_rows`: the model's vocabulary.
    ///
    /// # Errors
    /// A damaged file, a token without a row in the model's embedding, or a pair layout other than "premise, then
    /// hypothesis".
    pub fn parse(json: &[u8], file: &str, embedding_rows: usize) -> Result<Self> {
        Self::new(LoadedTokenizer::from_json(json, file, embedding_rows)?)
    }

    /// Builds it from a model's files.
    pub(crate) fn build(files: TokenizerFiles, embedding_rows: usize) -> Result<Self> {
        Self::new(files.build(embedding_rows)?)
    }

    fn new(LoadedTokenizer { inner, file }: LoadedTokenizer) -> Result<Self> {
        match PairLayout::probe(&inner) {
            Ok(layout) => Ok(Self { inner, layout, prompt: None, file }),
            Err(reason) => Err(refuse(&file, reason)),
        }
    }

    /// The tokenizer for a checker with a prompt: document and claim are one sequence, with the prompt's text.
    ///
    /// # Errors
    /// When the tokenizer cannot lay out one sequence, or fails on the prompt.
    pub fn with_prompt(mut self, prompt: PromptTemplate) -> Result<Self> {
        let mut layout =
            PairLayout::probe_single(&self.inner).map_err(|reason| refuse(&self.file, reason))?;
        let before = self.ids_within(&prompt.before, usize::MAX)?;
        layout.special[0].extend(before.into_iter().map(|id| (id, layout.premise_type)));
        (self.layout, self.prompt) = (layout, Some(prompt));
        Ok(self)
    }

    /// Whether it has a prompt into which a document and a claim are inserted.
    #[must_use]
    pub fn has_prompt(&self) -> bool {
        self.prompt.is_some()
    }

    /// One text as input of the network, without the prompt; at most `limit` tokens, truncated at the end if `cuts`.
    ///
    /// # Errors
    /// [`ModelError::TooLong`] when it is longer and `cuts` is not set, or no token is left; a tokenizer that cannot lay
    /// out one text.
    pub fn single(&self, text: &[u32], limit: usize, cuts: bool) -> Result<PairTokens> {
        let layout = PairLayout::probe_single(&self.inner).map_err(|reason| refuse(&self.file, reason))?;
        let special = layout.special.iter().map(Vec::len).sum::<usize>();
        let tokens = text.len() + special;
        let kept = if tokens <= limit { text.len() } else { limit.saturating_sub(special) };
        if tokens > limit && (!cuts || kept == 0) {
            return Err(ModelError::TooLong { tokens, limit });
        }
        let (ids, types) = layout.fill(&text[..kept], &[]);
        Ok(PairTokens { ids, types, cut: tokens > limit })
    }

    /// The tokenizer for single texts: a pair's second text is empty.
    pub(crate) fn for_single_texts(mut self) -> Result<Self> {
        self.layout = PairLayout::probe_single(&self.inner).map_err(|reason| refuse(&self.file, reason))?;
        Ok(self)
    }

    /// Whether a token is one of the layout's special tokens.
    pub(crate) fn is_special(&self, id: u32) -> bool {
        self.layout.special.iter().flatten().any(|(special, _)| *special == id)
    }

    /// The tokens of one text, without special tokens.
    ///
    /// # Errors
    /// When the tokenizer fails on the text.
    pub fn text(&self, text: &str) -> Result<TextTokens> {
        self.text_within(text, usize::MAX)
    }

    /// The tokens of the beginning of a text: all of them, or more than `most` of them.
    ///
    /// # Errors
    /// When the tokenizer fails on the text.
    pub fn text_within(&self, text: &str, most: usize) -> Result<TextTokens> {
        let mut tokens = TextTokens::default();
        let mut characters = 0;
        for chunk in chunks(text) {
            let encoding = self.inner.encode_char_offsets(chunk, false).map_err(|e| self.failure(&e))?;
            tokens.ids.extend(encoding.get_ids());
            let spans = encoding.get_offsets().iter();
            tokens.spans.extend(spans.map(|(start, end)| (start + characters, end + characters)));
            if tokens.len() > most {
                break;
            }
            characters += chunk.chars().count();
        }
        Ok(tokens)
    }

    /// As [`Self::text_within`], the ids alone, which takes less time and memory.
    ///
    /// # Errors
    /// When the tokenizer fails on the text.
    pub fn ids_within(&self, text: &str, most: usize) -> Result<Vec<u32>> {
        let mut ids = Vec::new();
        for chunk in chunks(text) {
            let encoding = self.inner.encode_fast(chunk, false).map_err(|e| self.failure(&e))?;
            ids.extend(encoding.get_ids());
            if ids.len() > most {
                break;
            }
        }
        ids.shrink_to_fit();
        Ok(ids)
    }

    fn failure(&self, error: &tokenizers::Error) -> ModelError {
        refuse(&self.file, format!("cannot tokenize a text: {error}"))
    }

    /// The tokens of a pair's second text, without special tokens: the hypothesis, or the prompt from after the document
    /// to its end. Words are tokenized one by one, so these tokens do not depend on the document.
    ///
    /// # Errors
    /// When the tokenizer fails on the text.
    pub fn hypothesis(&self, text: &str) -> Result<TextTokens> {
        match &self.prompt {
            Some(prompt) => self.text(&prompt.after_document(text)),
            None => self.text(text),
        }
    }

    /// Number of special tokens in a pair.
    #[must_use]
    pub fn special_tokens(&self) -> usize {
        self.layout.special.iter().map(Vec::len).sum()
    }

    /// The range of the hypothesis in an uncut pair.
    #[must_use]
    pub fn hypothesis_range(&self, pair: &PairTokens, hypothesis: &TextTokens) -> Range<usize> {
        let end = pair.ids.len() - self.layout.special[2].len();
        end - hypothesis.len()..end
    }

    /// Joins the ids of two texts to at most `limit` tokens.
    ///
    /// # Errors
    /// [`ModelError::TooLong`] when the pair is longer and `truncation` does not allow the cut or leaves no token.
    pub fn pair(
        &self,
        premise: &[u32],
        hypothesis: &[u32],
        limit: usize,
        truncation: Truncation,
    ) -> Result<PairTokens> {
        let tokens = premise.len() + hypothesis.len() + self.special_tokens();
        let too_long = || ModelError::TooLong { tokens, limit };
        let room = limit.checked_sub(self.special_tokens()).ok_or_else(too_long)?;
        let (premise_length, hypothesis_length) = match truncation {
            _ if tokens <= limit => (premise.len(), hypothesis.len()),
            Truncation::Refuse => return Err(too_long()),
            Truncation::LongestFirst if room < 2 => return Err(too_long()),
            Truncation::LongestFirst => longest_first(premise.len(), hypothesis.len(), room),
            Truncation::Premise => {
                let left = room.checked_sub(hypothesis.len()).filter(|left| *left > 0);
                (left.ok_or_else(too_long)?, hypothesis.len())
            }
        };
        let (ids, types) = self.layout.fill(&premise[..premise_length], &hypothesis[..hypothesis_length]);
        Ok(PairTokens { ids, types, cut: tokens > limit })
    }
}

/// A text in parts of at most [`CHUNK`] bytes, which end before white space: tokenizers treat words alone, with the space
/// before them, so the tokens of the parts are those of the text. Only a word longer than a part is cut.
fn chunks(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (chunk, after) = rest.split_at(chunk_end(rest));
        rest = after;
        Some(chunk)
    })
}

fn chunk_end(text: &str) -> usize {
    if text.len() <= CHUNK {
        return text.len();
    }
    let most = text.floor_char_boundary(CHUNK);
    let begins_space = |(at, character): &(usize, char)| {
        *at > 0 && character.is_whitespace() && !text[..*at].ends_with(char::is_whitespace)
    };
    text[..most].char_indices().rev().find(begins_space).map_or(most, |(at, _)| at)
}

/// The lengths of two texts after truncation to `room` tokens: the shorter keeps its length if possible.
fn longest_first(first: usize, second: usize, room: usize) -> (usize, usize) {
    let (shorter, longer) = (first.min(second), first.max(second));
    let (shorter, longer) = if shorter + shorter.max(room.saturating_sub(shorter)) > room {
        (room / 2, room / 2 + room % 2)
    } else {
        (shorter, longer.min(room - shorter))
    };
    if first <= second { (shorter, longer) } else { (longer, shorter) }
}

#[cfg(test)]
mod tests {
    use super::{CHUNK, chunks, longest_first};

    #[test]
    fn long_texts_are_cut_before_white_space() {
        let short = "a b";
        assert_eq!(chunks(short).collect::<Vec<_>>(), [short]);
        assert_eq!(chunks("").count(), 0);
        let words = "Zoë  ran. ".repeat(1000);
        let parts: Vec<&str> = chunks(&words).collect();
        assert_eq!(parts.concat(), words);
        assert!(parts.len() < 2 * words.len() / CHUNK, "{} parts", parts.len());
        let is_whole = |part: &&str| part.len() <= CHUNK && !part.ends_with(char::is_whitespace);
        assert!(parts[..parts.len() - 1].iter().all(is_whole));
        let word = "ë".repeat(CHUNK);
        assert_eq!(chunks(&word).map(str::len).collect::<Vec<_>>(), [CHUNK, CHUNK]);
    }

    #[test]
    fn longest_first_keeps_the_shorter_text() {
        assert_eq!(longest_first(10, 3, 8), (5, 3));
        assert_eq!(longest_first(3, 10, 8), (3, 5));
        assert_eq!(longest_first(10, 10, 7), (3, 4));
        assert_eq!(longest_first(11, 10, 7), (4, 3));
        assert_eq!(longest_first(100, 4, 8), (4, 4));
        assert_eq!(longest_first(100, 5, 8), (4, 4));
    }
}
