//! What the configuration of every architecture states, and the networks that it builds.

use veridic_kernels::Precision;

use crate::device::ComputeDevice;
use crate::error::Result;
use crate::network::{Classifier, Encoder, TokenLayers};
#[cfg(feature = "candle")]
use crate::padded::{OnDevice, PaddedNetwork, Target};
use crate::tokenizer::PromptTemplate;
use crate::weights::Weights;

/// What a configuration states of its network.
pub(crate) struct Facts<'c> {
    /// The architecture's name, as shown to users.
    pub(crate) architecture: &'static str,
    /// Names of the outputs, in order.
    pub(crate) labels: &'c [String],
    /// Rows of the word embedding.
    pub(crate) vocab_size: usize,
    /// Maximum tokens of a sequence.
    pub(crate) token_limit: usize,
    /// Number of layers.
    pub(crate) layers: usize,
    /// Columns of a token's state.
    pub(crate) hidden: usize,
    /// Number of attention heads.
    pub(crate) heads: usize,
}

impl Facts<'_> {
    /// Architecture and main sizes, as shown to users.
    pub(crate) fn summary(&self) -> String {
        let Self { architecture, layers, hidden, heads, .. } = self;
        format!("{architecture}, {layers} layers, hidden size {hidden}, {heads} heads")
    }
}

/// The configuration of a classifier.
pub(crate) trait NetworkConfig: Send + Sync {
    /// What it states.
    fn facts(&self) -> Facts<'_>;

    /// Floating-point operations of one sequence of `tokens` tokens.
    fn operations(&self, tokens: usize) -> u64;

    /// The template of a model that reads premise and hypothesis as one text.
    fn prompt(&self) -> Option<&PromptTemplate> {
        None
    }

    /// Builds the classifier; `precision` is the dtype of the layers' products.
    fn classifier(&self, weights: &Weights, precision: Precision) -> Result<Box<dyn Classifier>>;

    /// Builds the same classifier by candle's operations on padded batches.
    #[cfg(feature = "candle")]
    fn padded(&self, weights: &Weights, target: &Target) -> Result<Box<dyn PaddedNetwork<2>>>;
}

/// Builds the classifier for a device; `precision` is the dtype of the layers' products.
pub(crate) fn classifier_on(
    device: ComputeDevice,
    config: &dyn NetworkConfig,
    weights: &Weights,
    precision: Precision,
) -> Result<Box<dyn Classifier>> {
    match device {
        #[cfg(feature = "candle")]
        ComputeDevice::CpuCandle | ComputeDevice::Cuda(_) | ComputeDevice::Metal => {
            Ok(Box::new(OnDevice::load(weights, device, precision, |target| config.padded(weights, target))?))
        }
        _ => config.classifier(weights, precision),
    }
}

/// Builds the network below the head for a device, in f32.
pub(crate) fn encoder_on(
    device: ComputeDevice,
    config: &dyn EncoderConfig,
    weights: &Weights,
) -> Result<Box<dyn Encoder>> {
    match device {
        #[cfg(feature = "candle")]
        ComputeDevice::CpuCandle | ComputeDevice::Cuda(_) | ComputeDevice::Metal => {
            let build = |target: &Target| config.padded_encoder(weights, target);
            Ok(Box::new(OnDevice::load(weights, device, Precision::F32, build)?))
        }
        _ => config.encoder(weights),
    }
}

/// The configuration of a network whose states are vectors of tokens.
pub(crate) trait EncoderConfig: NetworkConfig {
    /// The same network without its last layers.
    fn keep_layers(&mut self, layers: usize);

    /// The prefix of the encoder's tensor names.
    fn prefix(&self) -> &'static str;

    /// Whether `bert-score` puts a space before each text of its tokenizer.
    fn adds_space(&self) -> bool {
        false
    }

    /// Builds the network below the head, in f32.
    fn encoder(&self, weights: &Weights) -> Result<Box<dyn Encoder>>;

    /// Builds the same network by candle's operations on padded batches.
    #[cfg(feature = "candle")]
    fn padded_encoder(&self, weights: &Weights, target: &Target) -> Result<Box<dyn PaddedNetwork<1>>>;

    /// Builds the layers of a token classifier between the states and its output layer; most have none.
    fn token_layers(&self, _weights: &Weights) -> Result<Option<Box<dyn TokenLayers>>> {
        Ok(None)
    }
}
