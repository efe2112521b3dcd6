//! T5 as a judge.

use veridic_kernels::Precision;

use super::config::{Facts, NetworkConfig};
use crate::error::Result;
use crate::network::Classifier;
#[cfg(feature = "candle")]
use crate::padded::{PaddedNetwork, PaddedT5Judge, Target};
use crate::t5::{T5Config, T5Judge, T5JudgeConfig};
use crate::tokenizer::PromptTemplate;
use crate::weights::Weights;

/// Maximum tokens of a sequence. T5 has no position table, so this is not the network's limit.
const TOKEN_LIMIT: usize = 4096;

impl NetworkConfig for T5JudgeConfig {
    fn facts(&self) -> Facts<'_> {
        Facts {
            architecture: "T5",
            labels: &self.labels,
            vocab_size: self.network.vocab_size,
            token_limit: TOKEN_LIMIT,
            layers: self.network.encoder_layers,
            hidden: self.network.hidden_size,
            heads: self.network.heads.count,
        }
    }

    /// The encoder's matrix products, counted as in `deberta/arithmetic.rs`; the decoder's one step is not counted.
    fn operations(&self, tokens: usize) -> u64 {
        let T5Config { hidden_size, intermediate_size, encoder_layers, gated, .. } = self.network;
        let wide = |number: usize| number as u64;
        let (hidden, width, tokens) = (wide(hidden_size), wide(self.network.width()), wide(tokens));
        let feed_forward = (2 + u64::from(gated)) * hidden * wide(intermediate_size);
        2 * wide(encoder_layers) * tokens * (4 * hidden * width + feed_forward + 2 * width * tokens)
    }

    fn prompt(&self) -> Option<&PromptTemplate> {
        self.prompt.as_ref()
    }

    fn classifier(&self, weights: &Weights, precision: Precision) -> Result<Box<dyn Classifier>> {
        Ok(Box::new(T5Judge::load(self, weights, precision)?))
    }

    #[cfg(feature = "candle")]
    fn padded(&self, weights: &Weights, target: &Target) -> Result<Box<dyn PaddedNetwork<2>>> {
        Ok(Box::new(PaddedT5Judge::load(self, weights, target)?))
    }
}
