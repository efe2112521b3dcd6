//! Maps texts to token ids, and two texts to a pair with special tokens and types, by the model's files. Truncation and
//! padding in these files are removed at load: the caller sets the limit, and a pair is truncated only if the caller
//! asks for it.

mod albert;
mod byte_level;
mod count;
mod files;
mod settings;
mod token;
mod unigram;
mod word_piece;

use std::ops::Range;

use tokenizers::{Encoding, PostProcessor, Tokenizer};

pub use self::count::TokenCounter;
use self::files::refuse;
pub(crate) use self::files::{LoadedTokenizer, TokenizerFiles};
use crate::error::{ModelError, Result};

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

/// The prompt of a checker: the text before, between and after document and claim, which it reads as one sequence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptTemplate {
    before: String,
    between: String,
    after: String,
}

impl PromptTemplate {
    /// Parses a prompt, which must contain `{document}` before `{claim}`, each once; `None` otherwise.
    #[must_use]
    pub fn parse(template: &str) -> Option<Self> {
        let (before, rest) = template.split_once("{document}")?;
        let (between, after) = rest.split_once("{claim}")?;
        let is_once = |text: &str| !text.contains("{document}") && !text.contains("{claim}");
        [before, between, after].into_iter().all(is_once).then(|| Self {
            before: before.to_owned(),
            between: between.to_owned(),
            after: after.to_owned(),
        })
    }

    /// The template's text.
    #[must_use]
    pub fn template(&self) -> String {
        format!("{}{{document}}{}{{claim}}{}", self.before, self.between, self.after)
    }

    /// The text after the document.
    fn after_document(&self, claim: &str) -> String {
        format!("{}{claim}{}", self.between, self.after)
    }
}

/// The special tokens of a pair, and the types of its texts.
#[derive(Debug, Clone, PartialEq, Eq)]
struct PairLayout {
    /// (id, type) before the premise, between the texts, after the hypothesis.
    special: [Vec<(u32, u32)>; 3],
    premise_type: u32,
    hypothesis_type: u32,
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
        let before = self.text(&prompt.before)?.ids;
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
    pub fn single(&self, text: &TextTokens, limit: usize, cuts: bool) -> Result<PairTokens> {
        let layout = PairLayout::probe_single(&self.inner).map_err(|reason| refuse(&self.file, reason))?;
        let special = layout.special.iter().map(Vec::len).sum::<usize>();
        let tokens = text.len() + special;
        let kept = if tokens <= limit { text.len() } else { limit.saturating_sub(special) };
        if tokens > limit && (!cuts || kept == 0) {
            return Err(ModelError::TooLong { tokens, limit });
        }
        let (ids, types) = layout.fill(&text.ids[..kept], &[]);
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
        let encoding = self.inner.encode_char_offsets(text, false);
        let encoding = encoding.map_err(|e| refuse(&self.file, format!("cannot tokenize a text: {e}")))?;
        Ok(TextTokens { ids: encoding.get_ids().to_vec(), spans: encoding.get_offsets().to_vec() })
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

    /// Joins two texts to at most `limit` tokens.
    ///
    /// # Errors
    /// [`ModelError::TooLong`] when the pair is longer and `truncation` does not allow the cut or leaves no token.
    pub fn pair(
        &self,
        premise: &TextTokens,
        hypothesis: &TextTokens,
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
        let (ids, types) =
            self.layout.fill(&premise.ids[..premise_length], &hypothesis.ids[..hypothesis_length]);
        Ok(PairTokens { ids, types, cut: tokens > limit })
    }
}

/// The lengths of two texts after truncation to `room` tokens: the shorter keeps its length if possible.
fn longest_first(first: usize, second: usize, room: usize) -> (usize, usize) {
    let (shorter, longer) = (first.min(second), first.max(second));
    let (shorter, longer) = match shorter + shorter.max(room.saturating_sub(shorter)) > room {
        true => (room / 2, room / 2 + room % 2),
        false => (shorter, longer.min(room - shorter)),
    };
    if first <= second { (shorter, longer) } else { (longer, shorter) }
}

impl PairLayout {
    /// Runs the tokenizer's post-processor on two placeholder texts of one token each and reads off the layout.
    fn probe(tokenizer: &Tokenizer) -> std::result::Result<Self, String> {
        const PREMISE: u32 = u32::MAX - 1;
        const HYPOTHESIS: u32 = u32::MAX;
        let (premise, hypothesis) = (placeholder(PREMISE, 0), placeholder(HYPOTHESIS, 1));
        let laid_out = match tokenizer.get_post_processor() {
            Some(processor) => {
                processor.process(premise, Some(hypothesis), true).map_err(|e| e.to_string())?
            }
            None => Encoding::merge([premise, hypothesis], false),
        };
        let tokens: Vec<(u32, u32)> =
            laid_out.get_ids().iter().copied().zip(laid_out.get_type_ids().iter().copied()).collect();
        let positions = |id| tokens.iter().enumerate().filter(move |(_, t)| t.0 == id).map(|(at, _)| at);
        let premise: Vec<usize> = positions(PREMISE).collect();
        let hypothesis: Vec<usize> = positions(HYPOTHESIS).collect();
        match (&premise[..], &hypothesis[..]) {
            (&[premise], &[hypothesis]) if premise < hypothesis => Ok(Self {
                premise_type: tokens[premise].1,
                hypothesis_type: tokens[hypothesis].1,
                special: [
                    tokens[..premise].to_vec(),
                    tokens[premise + 1..hypothesis].to_vec(),
                    tokens[hypothesis + 1..].to_vec(),
                ],
            }),
            _ => {
                Err("its post-processor does not put the premise first and the hypothesis second, each once"
                    .into())
            }
        }
    }

    /// The same for one sequence, in which the second text directly follows the first.
    fn probe_single(tokenizer: &Tokenizer) -> std::result::Result<Self, String> {
        const TEXT: u32 = u32::MAX;
        let text = placeholder(TEXT, 0);
        let laid_out = match tokenizer.get_post_processor() {
            Some(processor) => processor.process(text, None, true).map_err(|e| e.to_string())?,
            None => text,
        };
        let tokens: Vec<(u32, u32)> =
            laid_out.get_ids().iter().copied().zip(laid_out.get_type_ids().iter().copied()).collect();
        let at = tokens.iter().position(|token| token.0 == TEXT);
        let at = at.ok_or("its post-processor leaves the text out")?;
        let kind = tokens[at].1;
        Ok(Self {
            premise_type: kind,
            hypothesis_type: kind,
            special: [tokens[..at].to_vec(), Vec::new(), tokens[at + 1..].to_vec()],
        })
    }

    fn fill(&self, premise: &[u32], hypothesis: &[u32]) -> (Vec<u32>, Vec<u32>) {
        let [before, between, after] = &self.special;
        let length = before.len() + premise.len() + between.len() + hypothesis.len() + after.len();
        let (mut ids, mut types) = (Vec::with_capacity(length), Vec::with_capacity(length));
        let mut add = |tokens: &mut dyn Iterator<Item = (u32, u32)>| {
            for (id, kind) in tokens {
                ids.push(id);
                types.push(kind);
            }
        };
        add(&mut before.iter().copied());
        add(&mut premise.iter().map(|&id| (id, self.premise_type)));
        add(&mut between.iter().copied());
        add(&mut hypothesis.iter().map(|&id| (id, self.hypothesis_type)));
        add(&mut after.iter().copied());
        (ids, types)
    }
}

fn placeholder(id: u32, kind: u32) -> Encoding {
    Encoding::new(
        vec![id],
        vec![kind],
        vec!["x".to_owned()],
        vec![None],
        vec![(0, 1)],
        vec![0],
        vec![1],
        Vec::new(),
        std::iter::once((kind as usize, 0..1)).collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::longest_first;

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
