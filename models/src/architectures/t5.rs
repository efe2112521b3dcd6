//! T5 as a judge.

use veridic_kernels::Precision;

use super::config::NetworkConfig;
use crate::error::Result;
use crate::network::Classifier;
#[cfg(feature = "candle")]
use crate::padded::{PaddedNetwork, PaddedT5, Target};
use crate::t5::{T5Config, T5Judge, T5JudgeConfig};
use crate::tokenizer::PromptTemplate;
use crate::weights::Weights;

/// Maximum tokens of a sequence. T5 has no position table, so this is not the network's limit.
const TOKEN_LIMIT: usize = 4096;

impl NetworkConfig for T5JudgeConfig {
    fn labels(&self) -> &[String] {
        &self.labels
    }

    fn vocab_size(&self) -> usize {
        self.network.vocab_size
    }

    fn token_limit(&self) -> usize {
        TOKEN_LIMIT
    }

    /// The encoder's matrix products, counted as in `deberta/arithmetic.rs`; the decoder's one step is not counted.
    fn operations(&self, tokens: usize) -> u64 {
        let T5Config { hidden_size, intermediate_size, encoder_layers, gated, .. } = self.network;
        let wide = |number: usize| number as u64;
        let (hidden, width, tokens) = (wide(hidden_size), wide(self.network.width()), wide(tokens));
        let feed_forward = (2 + u64::from(gated)) * hidden * wide(intermediate_size);
        2 * wide(encoder_layers) * tokens * (4 * hidden * width + feed_forward + 2 * width * tokens)
    }

    fn layers(&self) -> usize {
        self.network.encoder_layers
    }

    fn hidden(&self) -> usize {
        self.network.hidden_size
    }

    fn name_and_heads(&self) -> (&'static str, usize) {
        ("T5", self.network.heads.count)
    }

    fn prompt(&self) -> Option<&PromptTemplate> {
        self.prompt.as_ref()
    }

    fn classifier(&self, weights: &Weights, precision: Precision) -> Result<Box<dyn Classifier>> {
        Ok(Box::new(T5Judge::load(self, weights, precision)?))
    }

    #[cfg(feature = "candle")]
    fn padded(&self, weights: &Weights, target: &Target) -> Result<Box<dyn PaddedNetwork>> {
        Ok(Box::new(PaddedT5::load(self, weights, target)?))
    }
}
