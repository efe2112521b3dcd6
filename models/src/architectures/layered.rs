//! BERT's family and DeBERTa, each of which has a plan of the network.

use veridic_kernels::{Precision, Queries};

use super::config::{EncoderConfig, Facts, NetworkConfig};
use crate::bert::{self, BertConfig, Family};
use crate::deberta::{self, DebertaConfig, Version};
use crate::error::Result;
use crate::network::{Classifier, Encoder};
#[cfg(feature = "candle")]
use crate::padded::{PaddedClassifier, PaddedEncoder, PaddedNetwork, Target};
use crate::transformer::{EncoderPlan, LayeredEncoder, SequenceClassifier};
use crate::weights::Weights;

/// The configuration of a network with a plan.
pub(crate) enum LayeredConfig {
    Bert(BertConfig),
    Deberta(DebertaConfig),
}

impl LayeredConfig {
    fn plan<'n>(&'n self, weights: &'n Weights) -> Result<EncoderPlan<'n>> {
        match self {
            Self::Bert(config) => bert::plan(config, weights),
            Self::Deberta(config) => deberta::plan(config, weights),
        }
    }
}

impl NetworkConfig for LayeredConfig {
    fn facts(&self) -> Facts<'_> {
        match self {
            Self::Bert(config) => Facts {
                architecture: config.family.name(),
                labels: &config.labels,
                vocab_size: config.vocab_size,
                token_limit: config.token_limit(),
                layers: config.layers,
                hidden: config.hidden_size,
                heads: config.heads.count,
            },
            Self::Deberta(config) => Facts {
                architecture: match config.version {
                    Version::One => "DeBERTa",
                    Version::Two => "DeBERTa-v2",
                },
                labels: &config.labels,
                vocab_size: config.vocab_size,
                token_limit: config.token_limit(),
                layers: config.layers,
                hidden: config.hidden_size,
                heads: config.heads.count,
            },
        }
    }

    fn operations(&self, tokens: usize) -> u64 {
        match self {
            Self::Bert(config) => config.operations(tokens),
            Self::Deberta(config) => config.operations(tokens),
        }
    }

    fn classifier(&self, weights: &Weights, precision: Precision) -> Result<Box<dyn Classifier>> {
        Ok(Box::new(SequenceClassifier::load(self.plan(weights)?, weights, precision)?))
    }

    #[cfg(feature = "candle")]
    fn padded(&self, weights: &Weights, target: &Target) -> Result<Box<dyn PaddedNetwork<2>>> {
        Ok(Box::new(PaddedClassifier::load(self.plan(weights)?, weights, target)?))
    }
}

impl EncoderConfig for LayeredConfig {
    fn keep_layers(&mut self, layers: usize) {
        match self {
            Self::Bert(config) => config.layers = layers,
            Self::Deberta(config) => config.layers = layers,
        }
    }

    fn prefix(&self) -> &'static str {
        match self {
            Self::Bert(config) => config.family.prefix(),
            Self::Deberta(_) => "deberta.",
        }
    }

    fn adds_space(&self) -> bool {
        matches!(self, Self::Bert(config) if config.family == Family::Roberta)
    }

    fn encoder(&self, weights: &Weights) -> Result<Box<dyn Encoder>> {
        let plan = self.plan(weights)?;
        Ok(Box::new(LayeredEncoder::load(plan, weights, Queries::All, Precision::F32)?))
    }
    #[cfg(feature = "candle")]
    fn padded_encoder(&self, weights: &Weights, target: &Target) -> Result<Box<dyn PaddedNetwork<1>>> {
        Ok(Box::new(PaddedEncoder::load(self.plan(weights)?, weights, target)?))
    }
}
