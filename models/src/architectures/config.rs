//! What the configuration of every architecture states, and the networks that it builds.

use veridic_kernels::Precision;

use crate::error::Result;
use crate::network::{Classifier, Encoder, TokenLayers};
#[cfg(feature = "candle")]
use crate::padded::{PaddedNetwork, Target};
use crate::tokenizer::PromptTemplate;
use crate::weights::Weights;

/// The configuration of a classifier.
pub(crate) trait NetworkConfig: Send + Sync {
    /// Names of the outputs, in order.
    fn labels(&self) -> &[String];

    /// Rows of the word embedding.
    fn vocab_size(&self) -> usize;

    /// Maximum tokens of a sequence.
    fn token_limit(&self) -> usize;

    /// Floating-point operations of one sequence of `tokens` tokens.
    fn operations(&self, tokens: usize) -> u64;

    /// Number of layers.
    fn layers(&self) -> usize;

    /// Columns of a token's state.
    fn hidden(&self) -> usize;

    /// The architecture's name and the number of its heads, as shown to users.
    fn name_and_heads(&self) -> (&'static str, usize);

    /// The template of a model that reads premise and hypothesis as one text.
    fn prompt(&self) -> Option<&PromptTemplate> {
        None
    }

    /// Builds the classifier; `precision` is the dtype of the layers' products.
    fn classifier(&self, weights: &Weights, precision: Precision) -> Result<Box<dyn Classifier>>;

    /// Builds the same classifier by candle's operations on padded batches.
    #[cfg(feature = "candle")]
    fn padded(&self, weights: &Weights, target: &Target) -> Result<Box<dyn PaddedNetwork>>;
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

    /// Builds the layers of a token classifier between the states and its output layer; most have none.
    fn token_layers(&self, _weights: &Weights) -> Result<Option<Box<dyn TokenLayers>>> {
        Ok(None)
    }
}

/// Architecture and main sizes, as shown to users.
pub(crate) fn summary(config: &dyn NetworkConfig) -> String {
    let (name, heads) = config.name_and_heads();
    format!("{name}, {} layers, hidden size {}, {heads} heads", config.layers(), config.hidden())
}
