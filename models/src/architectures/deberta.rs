//! DeBERTa.

use veridic_kernels::{Precision, Queries};

use super::config::{EncoderConfig, Facts, NetworkConfig};
use crate::deberta::{DebertaConfig, Version, plan};
use crate::error::Result;
use crate::network::{Classifier, Encoder};
#[cfg(feature = "candle")]
use crate::padded::{PaddedEncoder, PaddedNetwork, Target};
use crate::transformer::{LayeredEncoder, SequenceClassifier};
use crate::weights::Weights;

impl NetworkConfig for DebertaConfig {
    fn facts(&self) -> Facts<'_> {
        Facts {
            architecture: match self.version {
                Version::One => "DeBERTa",
                Version::Two => "DeBERTa-v2",
            },
            labels: &self.labels,
            vocab_size: self.vocab_size,
            token_limit: self.token_limit(),
            layers: self.layers,
            hidden: self.hidden_size,
            heads: self.heads.count,
        }
    }

    fn operations(&self, tokens: usize) -> u64 {
        self.operations(tokens)
    }

    fn classifier(&self, weights: &Weights, precision: Precision) -> Result<Box<dyn Classifier>> {
        Ok(Box::new(SequenceClassifier::deberta(self, weights, precision)?))
    }

    #[cfg(feature = "candle")]
    fn padded(&self, weights: &Weights, target: &Target) -> Result<Box<dyn PaddedNetwork>> {
        Ok(Box::new(PaddedEncoder::load(plan(self, weights)?, weights, target)?))
    }
}

impl EncoderConfig for DebertaConfig {
    fn keep_layers(&mut self, layers: usize) {
        self.layers = layers;
    }

    fn prefix(&self) -> &'static str {
        "deberta."
    }

    fn encoder(&self, weights: &Weights) -> Result<Box<dyn Encoder>> {
        Ok(Box::new(LayeredEncoder::load(plan(self, weights)?, weights, Queries::All, Precision::F32)?))
    }
}
