//! DeBERTa's relative positions: embeddings that each layer projects with the content's or with separate weights. They
//! depend on the weights only and are computed at load.

use candle_core::Tensor;
use veridic_kernels::Precision;

use super::config::{RelativeConfig, Version};
use super::{DebertaConfig, layer_norm};
use crate::error::Result;
use crate::transformer::Projection;
use crate::weights::Weights;

/// The relative position embeddings, normed if the model norms them: `(2 * span, hidden)`.
pub(crate) fn embeddings(config: &DebertaConfig, weights: &Weights) -> Result<Option<Tensor>> {
    let Some(relative) = &config.relative else {
        return Ok(None);
    };
    let shape = [2 * relative.span, config.hidden_size];
    let embeddings = weights.tensor("deberta.encoder.rel_embeddings.weight", &shape)?;
    if !relative.normed {
        return Ok(Some(embeddings));
    }
    let norm = layer_norm(weights, "deberta.encoder.LayerNorm", config)?;
    Ok(Some(norm.forward(&embeddings)?))
}

/// A layer's own projection of the positions, as keys or as queries.
fn own_projection(
    config: &DebertaConfig,
    (weights, layer): (&Weights, &str),
    is_key: bool,
) -> Result<Projection> {
    let name = |part: &str| format!("{layer}.attention.self.{part}");
    let hidden = config.hidden_size;
    match (config.version, is_key) {
        (Version::One, true) => Projection::load_unbiased(weights, &name("pos_proj"), hidden),
        (Version::One, false) => Projection::load(weights, &name("pos_q_proj"), hidden),
        (Version::Two, true) => Projection::load(weights, &name("pos_key_proj"), hidden),
        (Version::Two, false) => Projection::load(weights, &name("pos_query_proj"), hidden),
    }
}

/// The layer's projections of the relative embeddings by head, content to position and position to content, each
/// `(heads, slots, head size)`. With shared projections the content's query and key layers, biases included, project the
/// positions; else `own` has them, the weights and the layer's name.
pub(crate) fn project(
    config: &DebertaConfig,
    relative: &RelativeConfig,
    positions: &Tensor,
    (query, key): (&Projection, &Projection),
    own: (&Weights, &str),
) -> Result<(Option<Tensor>, Option<Tensor>)> {
    let by_head = |projection: &Projection| -> Result<Tensor> {
        let projected = Projection::join(&[projection], Precision::F32)?.forward(positions)?; // (slots, hidden)
        let cut = projected.reshape(((), config.heads.count, config.heads.size))?;
        Ok(cut.transpose(0, 1)?.contiguous()?) // (heads, slots, head size)
    };
    let term = |wanted: bool, shared: &Projection, is_key: bool| match (wanted, relative.shared_projections) {
        (false, _) => Ok(None),
        (true, true) => by_head(shared).map(Some),
        (true, false) => by_head(&own_projection(config, own, is_key)?).map(Some),
    };
    let key = term(relative.content_to_position, key, true)?;
    let query = term(relative.position_to_content, query, false)?;
    Ok((key, query))
}
