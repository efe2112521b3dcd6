//! DeBERTa's relative positions: embeddings that each layer projects with the content's or with separate weights. They
//! depend on the weights only and are computed at load.

use candle_core::Tensor;
use veridic_kernels::Precision;

use super::config::{DebertaConfig, RelativeConfig, Version};
use crate::error::Result;
use crate::transformer::{Projection, Relative, layer_norm};
use crate::weights::Weights;

/// The relative positions of a network, which each layer projects.
pub(super) struct Positions<'n> {
    config: &'n DebertaConfig,
    relative: &'n RelativeConfig,
    weights: &'n Weights,
    /// `(2 * span, hidden)`, normed if the model norms them.
    embeddings: Tensor,
}

impl<'n> Positions<'n> {
    /// `None` for a network without relative positions.
    pub(super) fn load(config: &'n DebertaConfig, weights: &'n Weights) -> Result<Option<Self>> {
        let Some(relative) = &config.relative else { return Ok(None) };
        let (hidden, epsilon) = (config.hidden_size, config.layer_norm_epsilon);
        let mut embeddings =
            weights.tensor("deberta.encoder.rel_embeddings.weight", &[2 * relative.span, hidden])?;
        if relative.normed {
            let norm = layer_norm(weights, "deberta.encoder.LayerNorm", hidden, epsilon)?;
            embeddings = norm.forward(&embeddings)?;
        }
        Ok(Some(Self { config, relative, weights, embeddings }))
    }

    /// The projections of the layer with this name. If they are shared, the content's query and key layers, biases
    /// included, project the positions; else the layer has projections of its own.
    pub(super) fn of_layer(&self, layer: &str, query: &Projection, key: &Projection) -> Result<Relative> {
        let term = |is_wanted: bool, own: &str, shared: &Projection| {
            if !is_wanted {
                return Ok(None);
            }
            let own = (!self.relative.shared_projections).then(|| self.own(layer, own)).transpose()?;
            self.by_head(own.as_ref().unwrap_or(shared)).map(Some)
        };
        let [own_key, own_query] = match self.config.version {
            Version::One => ["pos_proj", "pos_q_proj"],
            Version::Two => ["pos_key_proj", "pos_query_proj"],
        };
        Ok(Relative::Terms {
            key: term(self.relative.content_to_position, own_key, key)?,
            query: term(self.relative.position_to_content, own_query, query)?,
        })
    }

    /// A layer's own projection; the first version's keys have no bias.
    fn own(&self, layer: &str, part: &str) -> Result<Projection> {
        let name = format!("{layer}.attention.self.{part}");
        Projection::load(self.weights, &name, self.config.hidden_size, part != "pos_proj")
    }

    /// The positions by this projection: `(heads, slots, head size)`.
    fn by_head(&self, projection: &Projection) -> Result<Tensor> {
        let heads = self.config.heads;
        let projection = Projection::join(&[projection], Precision::F32)?;
        let projected = projection.forward(&self.embeddings)?; // (slots, hidden)
        let cut = projected.reshape(((), heads.count, heads.size))?;
        Ok(cut.transpose(0, 1)?.contiguous()?)
    }
}
