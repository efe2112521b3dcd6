//! BERT's family.

use veridic_kernels::{Precision, Queries};

use super::config::{EncoderConfig, Facts, NetworkConfig};
use crate::bert::{BertConfig, Family, plan};
use crate::error::Result;
use crate::network::{Classifier, Encoder};
#[cfg(feature = "candle")]
use crate::padded::{PaddedEncoder, PaddedNetwork, Target};
use crate::transformer::{LayeredEncoder, SequenceClassifier};
use crate::weights::Weights;

impl NetworkConfig for BertConfig {
    fn facts(&self) -> Facts<'_> {
        Facts {
            architecture: self.family.name(),
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
        Ok(Box::new(SequenceClassifier::load(plan(self, weights)?, weights, precision)?))
    }

    #[cfg(feature = "candle")]
    fn padded(&self, weights: &Weights, target: &Target) -> Result<Box<dyn PaddedNetwork>> {
        Ok(Box::new(PaddedEncoder::load(plan(self, weights)?, weights, target)?))
    }
}

impl EncoderConfig for BertConfig {
    fn keep_layers(&mut self, layers: usize) {
        self.layers = layers;
    }

    fn prefix(&self) -> &'static str {
        self.family.prefix()
    }

    fn adds_space(&self) -> bool {
        self.family == Family::Roberta
    }

    fn encoder(&self, weights: &Weights) -> Result<Box<dyn Encoder>> {
        Ok(Box::new(LayeredEncoder::load(plan(self, weights)?, weights, Queries::All, Precision::F32)?))
    }
}
