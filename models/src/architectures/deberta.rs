//! DeBERTa.

use veridic_kernels::{Precision, Queries};

use super::config::{EncoderConfig, NetworkConfig};
use crate::deberta::{DebertaConfig, Version, encoder};
use crate::error::Result;
use crate::network::{Classifier, Encoder};
#[cfg(feature = "candle")]
use crate::padded::{PaddedEncoder, PaddedNetwork, Target};
use crate::transformer::SequenceClassifier;
use crate::weights::Weights;

impl NetworkConfig for DebertaConfig {
    fn labels(&self) -> &[String] {
        &self.labels
    }

    fn vocab_size(&self) -> usize {
        self.vocab_size
    }

    fn token_limit(&self) -> usize {
        self.token_limit()
    }

    fn operations(&self, tokens: usize) -> u64 {
        self.operations(tokens)
    }

    fn layers(&self) -> usize {
        self.layers
    }

    fn hidden(&self) -> usize {
        self.hidden_size
    }

    fn name_and_heads(&self) -> (&'static str, usize) {
        (
            match self.version {
                Version::One => "DeBERTa",
                Version::Two => "DeBERTa-v2",
            },
            self.heads.count,
        )
    }

    fn classifier(&self, weights: &Weights, precision: Precision) -> Result<Box<dyn Classifier>> {
        Ok(Box::new(SequenceClassifier::deberta(self, weights, precision)?))
    }

    #[cfg(feature = "candle")]
    fn padded(&self, weights: &Weights, target: &Target) -> Result<Box<dyn PaddedNetwork>> {
        Ok(Box::new(PaddedEncoder::deberta(self, weights, target)?))
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
        Ok(Box::new(encoder(self, weights, Queries::All, Precision::F32)?))
    }
}
