//! The parts that encoders share: the plan of a layer of attention and feed-forward, the layer itself, a network of such
//! layers, and loading of linear layers and norms by name. Each network decides on its tensors, positions and head.

mod buckets;
mod layer;
mod network;
mod parts;
mod plan;

pub(crate) use buckets::DistanceBuckets;
pub(crate) use layer::{Layer, load_layers};
#[cfg(feature = "candle")]
pub(crate) use network::DistanceSlots;
pub use network::SequenceClassifier;
pub(crate) use network::{Embeddings, LayeredEncoder};
pub(crate) use parts::{all_but_last, first_tokens, layer_norm, linear, packed_linear, unbiased_linear};
pub(crate) use plan::{LayerNames, LayerPlan, Projection, ProjectionNames};
