//! ModernBERT behind the interface of all networks.

use veridic_kernels::Precision;

#[cfg(feature = "cuda")]
use super::on_cuda::{EncoderOnCuda, ModernBertOnCuda};
use super::{ModernBertClassifier, ModernBertConfig, ModernBertEncoder, PredictionHead};
use crate::classifier::{Classifier, Encoder, EncoderConfig, NetworkConfig, TokenLayers};
use crate::device::Device;
#[cfg(feature = "cuda")]
use crate::device::in_dtype;
use crate::error::Result;
use crate::weights::Weights;

impl NetworkConfig for ModernBertConfig {
    fn labels(&self) -> &[String] {
        &self.labels
    }

    fn vocab_size(&self) -> usize {
        self.vocab_size
    }

    fn token_limit(&self) -> usize {
        self.token_limit
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

    fn layers(&self) -> usize {
        self.layers
    }

    fn hidden(&self) -> usize {
        self.hidden_size
    }

    fn name_and_heads(&self) -> (&'static str, usize) {
        ("ModernBERT", self.heads.count)
    }

    fn classifier(
        &self,
        weights: &Weights,
        device: &Device,
        precision: Precision,
    ) -> Result<Box<dyn Classifier>> {
        Ok(match device {
            Device::Host => Box::new(ModernBertClassifier::load(self, weights, precision)?),
            #[cfg(feature = "cuda")]
            Device::Cuda(cuda) => Box::new(ModernBertOnCuda::load(in_dtype(cuda, precision), self, weights)?),
        })
    }
}

impl EncoderConfig for ModernBertConfig {
    fn keep_layers(&mut self, layers: usize) {
        self.layers = layers;
    }

    fn prefix(&self) -> &'static str {
        "model."
    }

    fn encoder(&self, weights: &Weights, device: &Device) -> Result<Box<dyn Encoder>> {
        Ok(match device {
            Device::Host => Box::new(ModernBertEncoder::load(self, weights, Precision::F32)?),
            #[cfg(feature = "cuda")]
            Device::Cuda(cuda) => Box::new(EncoderOnCuda::load(cuda.clone(), self, weights)?),
        })
    }

    fn token_layers(&self, weights: &Weights) -> Result<Option<Box<dyn TokenLayers>>> {
        Ok(Some(Box::new(PredictionHead::load(self, weights)?)))
    }
}
