//! BERTScore (Zhang, Kishore, Wu, Weinberger, Artzi, ICLR 2020) of a summary against a reference, with the numbers of
//! the Python package `bert-score`, not rescaled. What is compared are vectors of an encoder's layer; which layer is
//! asked for from outside.

pub mod formula;
mod idf;

use veridic_models::{EncoderTokens, ModelIdentity, TextEncoder, TokenVectors};

use self::formula::{Overlap, WeighedTokens, match_greedily};
pub use self::idf::Idf;
use crate::error::Result;

/// What BERTScore is computed with.
pub struct BertScore {
    encoder: TextEncoder,
    idf: Option<Idf>,
}

/// The texts that are compared, as the encoder takes them.
pub struct Compared {
    /// The text that is judged.
    pub candidate: EncoderTokens,
    /// The text that it is held against.
    pub reference: EncoderTokens,
}

impl BertScore {
    /// With every token of the same weight, or weighed by `idf`.
    #[must_use]
    pub fn new(encoder: TextEncoder, idf: Option<Idf>) -> Self {
        Self { encoder, idf }
    }

    /// Where the vectors come from.
    #[must_use]
    pub fn encoder(&self) -> &TextEncoder {
        &self.encoder
    }

    /// What tokens are weighed by.
    #[must_use]
    pub fn idf(&self) -> Option<&Idf> {
        self.idf.as_ref()
    }

    /// What decides its numbers beside the texts, as text.
    #[must_use]
    pub fn stamp(&self) -> String {
        let idf = self.idf.as_ref().map_or("none", Idf::sha256);
        let ModelIdentity { id, sha256, settings_sha256, dtype, device } = self.encoder.identity();
        format!("encoder={id} {sha256} {settings_sha256} {dtype} {device} idf={idf}")
    }

    /// The tokens of two texts, each cut at the encoder's limit.
    ///
    /// # Errors
    /// When the tokenizer fails on one of them.
    pub fn read(&self, candidate: &str, reference: &str) -> Result<Compared> {
        Ok(Compared {
            candidate: self.encoder.tokens(candidate)?,
            reference: self.encoder.tokens(reference)?,
        })
    }

    /// The overlap of every candidate with its reference; that of a pair does not depend on the others.
    ///
    /// # Errors
    /// When the encoder cannot be run on one of the texts.
    pub fn overlaps(&self, pairs: &[&Compared]) -> Result<Vec<Overlap>> {
        let texts = pairs.iter().flat_map(|pair| [&pair.candidate, &pair.reference]);
        let texts: Vec<&[u32]> = texts.map(|text| text.ids.as_slice()).collect();
        let mut vectors = self.encoder.vectors(&texts)?.into_iter();
        let mut weighed = |text: &EncoderTokens| {
            let vectors = vectors.next().expect("the encoder gives vectors of every text");
            self.weigh(text, vectors)
        };
        Ok(pairs
            .iter()
            .map(|pair| {
                let (candidate, reference) = (weighed(&pair.candidate), weighed(&pair.reference));
                match_greedily(&candidate, &reference)
            })
            .collect())
    }

    fn weigh(&self, text: &EncoderTokens, vectors: TokenVectors) -> WeighedTokens {
        let weight = |id: &u32| match &self.idf {
            _ if self.encoder.is_special(*id) => 0.0,
            Some(idf) => idf.weight(*id),
            None => 1.0,
        };
        WeighedTokens { vectors, weights: text.ids.iter().map(weight).collect() }
    }
}
