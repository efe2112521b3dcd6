//! ModernBERT.

use veridic_kernels::Precision;

use super::config::{EncoderConfig, Facts, NetworkConfig};
use crate::error::Result;
use crate::modernbert::{ModernBertClassifier, ModernBertConfig, ModernBertEncoder, PredictionHead};
use crate::network::{Classifier, Encoder, TokenLayers};
#[cfg(feature = "candle")]
use crate::padded::{PaddedModernBert, PaddedModernBertClassifier, PaddedNetwork, Target};
use crate::weights::Weights;

impl NetworkConfig for ModernBertConfig {
    fn facts(&self) -> Facts<'_> {
        Facts {
            architecture: "ModernBERT",
            labels: &self.labels,
            vocab_size: self.vocab_size,
            token_limit: self.token_limit,
            layers: self.layers,
            hidden: self.hidden_size,
            heads: self.heads.count,
        }
    }

    /// Counted as in `deberta/arithmetic.rs`; a local layer's scores are those within reach.
    fn operations(&self, tokens: usize) -> u64 {
        let wide = |number: usize| number as u64;
        let (hidden, reach) = (wide(self.hidden_size), tokens.min(2 * self.reach + 1));
        let layer = |is_local: &bool| {
            let attended = wide(if *is_local { reach } else { tokens });
            wide(tokens) * hidden * (4 * hidden + 3 * wide(self.intermediate_size) + 2 * attended)
        };
        let head = hidden * hidden + hidden * wide(self.labels.len());
        2 * (self.local[..self.layers].iter().map(layer).sum::<u64>() + head)
    }

    fn classifier(&self, weights: &Weights, precision: Precision) -> Result<Box<dyn Classifier>> {
        Ok(Box::new(ModernBertClassifier::load(self, weights, precision)?))
    }

    #[cfg(feature = "candle")]
    fn padded(&self, weights: &Weights, target: &Target) -> Result<Box<dyn PaddedNetwork<2>>> {
        Ok(Box::new(PaddedModernBertClassifier::load(self, weights, target)?))
    }
}

impl EncoderConfig for ModernBertConfig {
    fn keep_layers(&mut self, layers: usize) {
        self.layers = layers;
    }

    fn prefix(&self) -> &'static str {
        "model."
    }

    fn encoder(&self, weights: &Weights) -> Result<Box<dyn Encoder>> {
        Ok(Box::new(ModernBertEncoder::load(self, weights, Precision::F32)?))
    }

    #[cfg(feature = "candle")]
    fn padded_encoder(&self, weights: &Weights, target: &Target) -> Result<Box<dyn PaddedNetwork<1>>> {
        Ok(Box::new(PaddedModernBert::load(self, weights, target)?))
    }

    fn token_layers(&self, weights: &Weights) -> Result<Option<Box<dyn TokenLayers>>> {
        Ok(Some(Box::new(PredictionHead::load(self, weights)?)))
    }
}
