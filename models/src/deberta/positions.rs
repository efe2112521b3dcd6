//! DeBERTa's relative positions: embeddings that each layer projects with the content's or with separate weights. They
//! depend on the weights only and are computed at load.

use candle_core::Tensor;
use veridic_kernels::Precision;

use super::config::{DebertaConfig, RelativeConfig, Version};
use crate::error::Result;
use crate::transformer::{Projection, layer_norm};
use crate::weights::Weights;

/// The relative positions of a network, which each layer projects.
pub(crate) struct Positions<'n> {
    config: &'n DebertaConfig,
    relative: &'n RelativeConfig,
    weights: &'n Weights,
    /// `(2 * span, hidden)`, normed if the model norms them.
    embeddings: Tensor,
}

/// A layer's projections of the positions, each `(heads, slots, head size)`.
pub(crate) struct PositionTerms {
    pub(crate) content_to_position: Option<Tensor>,
    pub(crate) position_to_content: Option<Tensor>,
}

impl<'n> Positions<'n> {
    /// `None` for a network without relative positions.
    pub(crate) fn load(config: &'n DebertaConfig, weights: &'n Weights) -> Result<Option<Self>> {
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
    pub(crate) fn of_layer(
        &self,
        layer: &str,
        query: &Projection,
        key: &Projection,
    ) -> Result<PositionTerms> {
        let mut terms = PositionTerms { content_to_position: None, position_to_content: None };
        if self.relative.content_to_position {
            terms.content_to_position = Some(if self.relative.shared_projections {
                self.by_head(key)?
            } else {
                self.by_head(&self.own_key(layer)?)?
            });
        }
        if self.relative.position_to_content {
            terms.position_to_content = Some(if self.relative.shared_projections {
                self.by_head(query)?
            } else {
                self.by_head(&self.own_query(layer)?)?
            });
        }
        Ok(terms)
    }

    /// A layer's own projection of positions as keys.
    fn own_key(&self, layer: &str) -> Result<Projection> {
        let (weights, hidden) = (self.weights, self.config.hidden_size);
        let name = |part: &str| format!("{layer}.attention.self.{part}");
        match self.config.version {
            Version::One => Projection::load_unbiased(weights, &name("pos_proj"), hidden),
            Version::Two => Projection::load(weights, &name("pos_key_proj"), hidden),
        }
    }

    /// A layer's own projection of positions as queries.
    fn own_query(&self, layer: &str) -> Result<Projection> {
        let part = match self.config.version {
            Version::One => "pos_q_proj",
            Version::Two => "pos_query_proj",
        };
        let name = format!("{layer}.attention.self.{part}");
        Projection::load(self.weights, &name, self.config.hidden_size)
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
