//! The parts that encoders share: the plan of a network of attention and feed-forward layers, the network that is built of
//! it, and loading of linear layers and norms by name. Each network decides on its tensors, positions and head.

mod buckets;
mod conv;
mod embeddings;
mod layer;
mod network;
mod parts;
mod plan;

pub(crate) use buckets::DistanceBuckets;
pub(crate) use conv::ConvPlan;
pub(crate) use embeddings::{EmbeddingPlan, Widening};
#[cfg(feature = "candle")]
pub(crate) use embeddings::{EmbeddingTables, position_rows};
pub(crate) use network::LayeredEncoder;
pub use network::SequenceClassifier;
pub(crate) use parts::{all_but_last, first_tokens, layer_norm, linear, packed_linear, unbiased_linear};
#[cfg(feature = "candle")]
pub(crate) use plan::DistanceSlots;
pub(crate) use plan::{EncoderPlan, HeadPlan, LayerNames, LayerPlan, Projection, ProjectionNames, Relative};
