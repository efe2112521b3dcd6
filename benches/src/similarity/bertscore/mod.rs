//! BERTScore (Zhang, Kishore, Wu, Weinberger, Artzi, ICLR 2020) of a summary against a reference, with the numbers of the
//! Python package `bert-score`, without rescaling. The vectors are the states of one layer of an encoder.

pub(crate) mod formula;
mod idf;

use veridic_models::{EncoderTokens, ModelIdentity, TextEncoder, TokenVectors};

pub use self::formula::Overlap;
use self::formula::{WeightedTokens, match_greedily};
pub use self::idf::Idf;
use veridic::Result;

/// The number of tokens encoded together, unless one text has more. It affects speed and memory, never a result.
const BATCH_TOKENS: usize = 2048;

/// The number of texts in the next batch, by their tokens; at least one.
pub(crate) fn batch_length(tokens: impl IntoIterator<Item = usize>) -> usize {
    let mut sum = 0;
    let fits = |tokens: &usize| {
        sum += tokens;
        sum <= BATCH_TOKENS
    };
    tokens.into_iter().take_while(fits).count().max(1)
}

/// BERTScore by an encoder.
pub struct BertScore {
    encoder: TextEncoder,
    idf: Option<Idf>,
}

/// The tokens of two texts.
pub struct TokenizedPair {
    /// The text to score.
    pub candidate: EncoderTokens,
    /// The text that it is compared with.
    pub reference: EncoderTokens,
}

impl TokenizedPair {
    /// The tokens of both texts.
    pub(crate) fn tokens(&self) -> usize {
        self.candidate.ids.len() + self.reference.ids.len()
    }
}

impl BertScore {
    /// Creates a BERTScore with tokens weighted by `idf`, or equally.
    pub fn new(encoder: TextEncoder, idf: Option<Idf>) -> Self {
        Self { encoder, idf }
    }

    /// The encoder of the vectors.
    pub fn encoder(&self) -> &TextEncoder {
        &self.encoder
    }

    /// Returns the weights of tokens; `None` if they are equal.
    pub fn idf(&self) -> Option<&Idf> {
        self.idf.as_ref()
    }

    /// Everything that determines its numbers, except the texts, as text.
    pub fn stamp(&self) -> String {
        let idf = self.idf.as_ref().map_or("none", Idf::sha256);
        let ModelIdentity { id, sha256, settings_sha256, dtype } = self.encoder.identity();
        format!("encoder={id} {sha256} {settings_sha256} {dtype} cpu idf={idf}")
    }

    /// The tokens of two texts, each truncated at the encoder's limit.
    ///
    /// # Errors
    /// When the tokenizer fails on one of them.
    pub fn tokenize(&self, candidate: &str, reference: &str) -> Result<TokenizedPair> {
        Ok(TokenizedPair {
            candidate: self.encoder.tokens(candidate)?,
            reference: self.encoder.tokens(reference)?,
        })
    }

    /// The scores of the pairs, each independent of the others.
    ///
    /// # Errors
    /// When the encoder cannot be run on one of the texts.
    pub fn overlaps(&self, pairs: &[&TokenizedPair]) -> Result<Vec<Overlap>> {
        let texts = pairs.iter().flat_map(|pair| [&pair.candidate, &pair.reference]);
        let texts: Vec<&[u32]> = texts.map(|text| text.ids.as_slice()).collect();
        let mut vectors = self.encoder.vectors(&texts)?.into_iter();
        let mut weighted = |text: &EncoderTokens| {
            let vectors = vectors.next().expect("the encoder returns vectors of every text");
            self.weighted(text, vectors)
        };
        Ok(pairs
            .iter()
            .map(|pair| {
                let (candidate, reference) = (weighted(&pair.candidate), weighted(&pair.reference));
                match_greedily(&candidate, &reference)
            })
            .collect())
    }

    fn weighted(&self, text: &EncoderTokens, vectors: TokenVectors) -> WeightedTokens {
        let weight = |id: &u32| match &self.idf {
            _ if self.encoder.is_special(*id) => 0.0,
            Some(idf) => idf.weight(*id),
            None => 1.0,
        };
        WeightedTokens { vectors, weights: text.ids.iter().map(weight).collect() }
    }
}
