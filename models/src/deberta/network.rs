//! DeBERTa behind the interface of all networks.

use veridic_kernels::{Precision, Queries};

#[cfg(feature = "cuda")]
use super::on_cuda::{DebertaOnCuda, EncoderOnCuda};
use super::{DebertaClassifier, DebertaConfig, DebertaEncoder, Version};
use crate::classifier::{Classifier, Encoder, EncoderConfig, NetworkConfig};
use crate::device::Device;
#[cfg(feature = "cuda")]
use crate::device::in_dtype;
use crate::error::Result;
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

    fn classifier(
        &self,
        weights: &Weights,
        device: &Device,
        precision: Precision,
    ) -> Result<Box<dyn Classifier>> {
        Ok(match device {
            Device::Host => Box::new(DebertaClassifier::load(self, weights, precision)?),
            #[cfg(feature = "cuda")]
            Device::Cuda(cuda) => Box::new(DebertaOnCuda::load(in_dtype(cuda, precision), self, weights)?),
        })
    }
}

impl EncoderConfig for DebertaConfig {
    fn keep_layers(&mut self, layers: usize) {
        self.layers = layers;
    }

    fn prefix(&self) -> &'static str {
        "deberta."
    }

    fn encoder(&self, weights: &Weights, device: &Device) -> Result<Box<dyn Encoder>> {
        Ok(match device {
            Device::Host => Box::new(DebertaEncoder::load(self, weights, Queries::All, Precision::F32)?),
            #[cfg(feature = "cuda")]
            Device::Cuda(cuda) => Box::new(EncoderOnCuda::load(cuda.clone(), self, weights, Queries::All)?),
        })
    }
}
