//! A published RoBERTa `config.json`, read with the defaults of Python's `transformers` (`RobertaConfig`;
//! the main sizes must be there), and checked: what we cannot compute exactly is refused here by name.

use std::collections::BTreeMap;

use serde::Deserialize;
use veridic_kernels::{Activation, Heads};

use crate::error::{ModelError, Result};
use crate::labels::labels_of;

/// No size of a published model comes near this; products of two sizes fit into 64 bits.
const LARGEST_SIZE: usize = 1 << 24;

/// The raw fields, as transformers names them.
#[derive(Debug, Clone, Deserialize)]
struct Raw {
    model_type: Option<String>,
    vocab_size: usize,
    hidden_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    intermediate_size: usize,
    #[serde(default = "defaults::gelu")]
    hidden_act: String,
    #[serde(default = "defaults::positions")]
    max_position_embeddings: usize,
    #[serde(default = "defaults::types")]
    type_vocab_size: usize,
    #[serde(default = "defaults::epsilon")]
    layer_norm_eps: f64,
    #[serde(default = "defaults::padding")]
    pad_token_id: u32,
    position_embedding_type: Option<String>,
    #[serde(default)]
    is_decoder: bool,
    id2label: Option<BTreeMap<String, String>>,
    num_labels: Option<usize>,
}

mod defaults {
    pub(super) fn gelu() -> String {
        "gelu".into()
    }
    pub(super) fn positions() -> usize {
        512
    }
    pub(super) fn types() -> usize {
        2
    }
    pub(super) fn epsilon() -> f64 {
        1e-12
    }
    pub(super) fn padding() -> u32 {
        1
    }
}

/// A RoBERTa encoder, and the names of its classifier's outputs.
#[derive(Debug, Clone)]
pub struct RobertaConfig {
    /// Rows of the word embedding.
    pub vocab_size: usize,
    /// Columns of the hidden states.
    pub hidden_size: usize,
    /// Number of layers.
    pub layers: usize,
    /// Cut of the columns into heads.
    pub heads: Heads,
    /// Columns inside a feed-forward layer.
    pub intermediate_size: usize,
    /// The feed-forward layer's function.
    pub activation: Activation,
    /// Rows of the table of absolute positions.
    pub position_table: usize,
    /// Rows of the table of token types.
    pub type_vocab_size: usize,
    /// Added to variances.
    pub layer_norm_epsilon: f64,
    /// The token whose row positions are counted from.
    pub padding_id: u32,
    /// Names of the outputs, in order.
    pub labels: Vec<String>,
}

impl RobertaConfig {
    /// Reads `config.json`; `file` is named in errors.
    ///
    /// # Errors
    /// Broken JSON, another architecture, or a value that we cannot compute exactly.
    pub fn parse(json: &[u8], file: &str) -> Result<Self> {
        let refuse = |reason: String| ModelError::Config { file: file.to_owned(), reason };
        let raw: Raw =
            serde_json::from_slice(json).map_err(|e| refuse(format!("is not a model configuration: {e}")))?;
        raw.check().map_err(refuse)?;
        let activation = Activation::from_name(&raw.hidden_act).ok_or_else(|| {
            refuse(format!("hidden_act is `{}`; gelu, relu and tanh are supported", raw.hidden_act))
        })?;
        Ok(Self {
            vocab_size: raw.vocab_size,
            hidden_size: raw.hidden_size,
            layers: raw.num_hidden_layers,
            heads: Heads { count: raw.num_attention_heads, size: raw.hidden_size / raw.num_attention_heads },
            intermediate_size: raw.intermediate_size,
            activation,
            position_table: raw.max_position_embeddings,
            type_vocab_size: raw.type_vocab_size,
            layer_norm_epsilon: raw.layer_norm_eps,
            padding_id: raw.pad_token_id,
            labels: labels_of(raw.id2label.as_ref(), raw.num_labels).map_err(refuse)?,
        })
    }

    /// Longest sequence that the model takes: positions begin after the padding id's row.
    #[must_use]
    pub fn token_limit(&self) -> usize {
        self.position_table - self.padding_id as usize - 1
    }

    /// Floating-point operations of one sequence of `tokens` tokens, counted as for DeBERTa: matrix
    /// products only, the last layer like every other.
    #[must_use]
    pub fn operations(&self, tokens: usize) -> u64 {
        let wide = |number: usize| number as u64;
        let (hidden, tokens) = (wide(self.hidden_size), wide(tokens));
        let layer =
            (4 * hidden * hidden + 2 * hidden * wide(self.intermediate_size) + 2 * hidden * tokens) * tokens;
        let head = hidden * hidden + hidden * wide(self.labels.len());
        2 * (wide(self.layers) * layer + head)
    }
}

impl Raw {
    fn check(&self) -> std::result::Result<(), String> {
        let kind = self.model_type.as_deref().unwrap_or("missing");
        if kind != "roberta" {
            return Err(format!("model_type is `{kind}`, not `roberta`"));
        }
        let sizes = [
            ("vocab_size", self.vocab_size),
            ("hidden_size", self.hidden_size),
            ("num_hidden_layers", self.num_hidden_layers),
            ("num_attention_heads", self.num_attention_heads),
            ("intermediate_size", self.intermediate_size),
            ("max_position_embeddings", self.max_position_embeddings),
            ("type_vocab_size", self.type_vocab_size),
        ];
        if let Some((name, size)) = sizes.iter().find(|(_, size)| *size == 0 || *size > LARGEST_SIZE) {
            return Err(format!("has {name} {size}"));
        }
        if !self.hidden_size.is_multiple_of(self.num_attention_heads) {
            return Err(format!(
                "hidden_size {} is not a multiple of num_attention_heads {}",
                self.hidden_size, self.num_attention_heads
            ));
        }
        if self.pad_token_id as usize + 2 > self.max_position_embeddings {
            return Err(format!(
                "max_position_embeddings {} leave no position after pad_token_id {}",
                self.max_position_embeddings, self.pad_token_id
            ));
        }
        let positions = self.position_embedding_type.as_deref().unwrap_or("absolute");
        if positions != "absolute" || self.is_decoder {
            return Err(format!(
                "has {positions} positions, is_decoder {}: an encoder with absolute positions is needed",
                self.is_decoder
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(more: &str) -> Result<RobertaConfig> {
        let json = format!(
            r#"{{"model_type": "roberta", "vocab_size": 50, "hidden_size": 8, "num_hidden_layers": 3,
                "num_attention_heads": 2, "intermediate_size": 20{more}}}"#
        );
        RobertaConfig::parse(json.as_bytes(), "config.json")
    }

    #[test]
    fn positions_begin_after_the_padding_row() {
        assert_eq!(parse("").unwrap().token_limit(), 510);
        assert_eq!(parse(r#", "max_position_embeddings": 514"#).unwrap().token_limit(), 512);
    }

    #[test]
    fn operations_are_those_counted_by_hand() {
        // 5 tokens: 4 projections of 8 x 8, 2 of 8 x 20, scores and context 5 x 8 a token each.
        let layer = 5 * (4 * 64 + 2 * 160 + 2 * 40);
        assert_eq!(parse("").unwrap().operations(5), 2 * (3 * layer + 64 + 16));
    }

    #[test]
    fn what_cannot_be_computed_is_refused_by_name() {
        for (more, word) in [
            (r#", "position_embedding_type": "relative_key""#, "relative_key"),
            (r#", "hidden_act": "swish7""#, "swish7"),
            (r#", "is_decoder": true"#, "is_decoder"),
            (r#", "pad_token_id": 511"#, "pad_token_id"),
            (r#", "type_vocab_size": 0"#, "type_vocab_size"),
        ] {
            let error = parse(more).unwrap_err().to_string();
            assert!(error.contains(word) && error.contains("config.json"), "{error}");
        }
    }
}
