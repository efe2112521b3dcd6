//! A published `config.json` of BERT or one of its family, read with the defaults of Python's `transformers` (the main
//! sizes are required). Refuses, by name, options that cannot be computed exactly.

use std::collections::BTreeMap;

use serde::Deserialize;
use veridic_kernels::{Activation, Heads};
use veridic_store::quoting::short_id;

use super::family::Family;
use super::head::{AlignHead, Head};
use crate::config_json::{activation, check_sizes, config_fields, heads_of, size};
use crate::error::{Result, refuse};
use crate::labels::labels_of;
use crate::transformer::DistanceBuckets;

/// MPNet's buckets: `transformers` uses these regardless of the configuration.
const MPNET_BUCKETS: DistanceBuckets = DistanceBuckets { count: 32, max_distance: 128 };

/// The raw fields, as transformers names them.
#[derive(Debug, Clone, Deserialize)]
struct Raw {
    model_type: Option<String>,
    vocab_size: usize,
    hidden_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    intermediate_size: usize,
    hidden_act: Option<String>,
    embedding_size: Option<usize>,
    #[serde(default = "size::<1>")]
    num_hidden_groups: usize,
    #[serde(default = "size::<1>")]
    inner_group_num: usize,
    #[serde(default = "size::<512>")]
    max_position_embeddings: usize,
    #[serde(default = "size::<2>")]
    type_vocab_size: usize,
    layer_norm_eps: Option<f64>,
    pad_token_id: Option<u32>,
    position_embedding_type: Option<String>,
    relative_attention_num_buckets: Option<usize>,
    relative_attention_max_distance: Option<usize>,
    #[serde(default)]
    is_decoder: bool,
    id2label: Option<BTreeMap<String, String>>,
    num_labels: Option<usize>,
}

/// The configuration of an encoder of BERT's family and of its classifier.
#[derive(Debug, Clone)]
pub struct BertConfig {
    /// The member of the family.
    pub family: Family,
    /// Rows of the word embedding.
    pub vocab_size: usize,
    /// Columns of the embeddings; ALBERT widens them to `hidden_size`.
    pub embedding_size: usize,
    /// Columns of the hidden states.
    pub hidden_size: usize,
    /// Number of layers.
    pub layers: usize,
    /// The weights of each layer by their number; in ALBERT layers share them.
    pub weights_of_layers: Vec<usize>,
    /// Sets of weights that ALBERT calls a group.
    pub group_size: usize,
    /// Number and size of the attention heads.
    pub heads: Heads,
    /// Columns inside a feed-forward layer.
    pub intermediate_size: usize,
    /// The feed-forward layer's function.
    pub activation: Activation,
    /// Rows of the table of absolute positions.
    pub position_table: usize,
    /// Rows of the table of token types; 0 without a table.
    pub type_vocab_size: usize,
    /// Added to variances.
    pub layer_norm_epsilon: f64,
    /// The padding token; positions are counted from the row after its id. `None` if they are counted from row 0.
    pub padding_id: Option<u32>,
    /// Names of the outputs, in order.
    pub labels: Vec<String>,
    /// The head on the first token.
    pub(crate) head: Head,
}

impl BertConfig {
    /// Reads `config.json`; `file` is named in errors.
    ///
    /// # Errors
    /// Invalid JSON, another architecture, or a value that cannot be computed exactly.
    pub fn parse(json: &[u8], file: &str) -> Result<Self> {
        let refuse = |reason| refuse(file, reason);
        let raw: Raw = config_fields(json, file)?;
        let family = raw.checked_family().map_err(refuse)?;
        let is_albert = family == Family::Albert;
        let weights_of_layers =
            if is_albert { raw.shared_weights() } else { (0..raw.num_hidden_layers).collect() };
        Ok(Self {
            family,
            vocab_size: raw.vocab_size,
            embedding_size: raw.embedding_size(family),
            hidden_size: raw.hidden_size,
            layers: weights_of_layers.len(),
            weights_of_layers,
            group_size: raw.inner_group_num,
            heads: heads_of(raw.hidden_size, raw.num_attention_heads, 1).map_err(refuse)?,
            intermediate_size: raw.intermediate_size,
            activation: activation("hidden_act", raw.hidden_act.as_deref(), family.default_activation())
                .map_err(refuse)?,
            position_table: raw.max_position_embeddings,
            type_vocab_size: if family.has_types() { raw.type_vocab_size } else { 0 },
            layer_norm_epsilon: raw.layer_norm_eps.unwrap_or(1e-12),
            padding_id: family.padding_id(raw.pad_token_id),
            labels: labels_of(raw.id2label.as_ref(), raw.num_labels).map_err(refuse)?,
            head: Head::Classifier,
        })
    }

    /// The same encoder under one of AlignScore's heads.
    #[must_use]
    pub fn with_align_head(self, head: AlignHead) -> Self {
        Self { labels: head.labels(), head: Head::Align(head), ..self }
    }

    /// Maximum tokens of a sequence: the rows of the position table that tokens can have.
    #[must_use]
    pub fn token_limit(&self) -> usize {
        self.position_table - self.padding_id.map_or(0, |padding| padding as usize + 1)
    }

    /// The weights of the layers that are computed, in order.
    pub(crate) fn computed_layers(&self) -> &[usize] {
        &self.weights_of_layers[..self.layers]
    }

    /// Number of sets of weights that these layers use.
    pub(crate) fn sets_of_weights(&self) -> usize {
        self.computed_layers().iter().max().map_or(0, |last| last + 1)
    }

    /// Whether layers share weights, so that none of them can be the last.
    pub(super) fn shares_weights(&self) -> bool {
        self.family == Family::Albert
    }

    /// The buckets of relative distances, if the network has a bias by distance.
    pub(crate) fn distance_buckets(&self) -> Option<DistanceBuckets> {
        (self.family == Family::Mpnet).then_some(MPNET_BUCKETS)
    }

    /// Floating-point operations of one sequence of `tokens` tokens, counted as in `deberta/arithmetic.rs`: matrix
    /// products only, the last layer like every other.
    #[must_use]
    pub fn operations(&self, tokens: usize) -> u64 {
        let wide = |number: usize| number as u64;
        let (hidden, tokens) = (wide(self.hidden_size), wide(tokens));
        let layer =
            (4 * hidden * hidden + 2 * hidden * wide(self.intermediate_size) + 2 * hidden * tokens) * tokens;
        let head = hidden * hidden + hidden * wide(self.labels.len());
        let widened = if self.shares_weights() { wide(self.embedding_size) * hidden * tokens } else { 0 };
        2 * (widened + wide(self.layers) * layer + head)
    }
}

impl Raw {
    fn embedding_size(&self, family: Family) -> usize {
        match family {
            Family::Albert => self.embedding_size.unwrap_or(128),
            _ => self.hidden_size,
        }
    }

    /// The weights of ALBERT's layers. Each of `num_hidden_layers` steps computes a whole group of layers.
    fn shared_weights(&self) -> Vec<usize> {
        let steps_of_group = self.num_hidden_layers as f64 / self.num_hidden_groups as f64;
        let group = |step: usize| (step as f64 / steps_of_group) as usize;
        let layers = |step: usize| (0..self.inner_group_num).map(move |layer| (step, layer));
        (0..self.num_hidden_layers)
            .flat_map(layers)
            .map(|(step, layer)| group(step) * self.inner_group_num + layer)
            .collect()
    }

    fn checked_family(&self) -> std::result::Result<Family, String> {
        let kind = self.model_type.as_deref().unwrap_or("missing");
        let family = Family::of(kind).ok_or(format!(
            "model_type is `{}`, not `bert`, `roberta`, `mpnet` or `albert`",
            short_id(kind)
        ))?;
        let sizes = [
            ("vocab_size", self.vocab_size),
            ("hidden_size", self.hidden_size),
            ("num_hidden_layers", self.num_hidden_layers),
            ("num_attention_heads", self.num_attention_heads),
            ("intermediate_size", self.intermediate_size),
            ("max_position_embeddings", self.max_position_embeddings),
            ("embedding_size", self.embedding_size(family)),
            ("num_hidden_groups", self.num_hidden_groups),
            ("inner_group_num", self.inner_group_num),
            ("type_vocab_size", if family.has_types() { self.type_vocab_size } else { 1 }),
        ];
        check_sizes(&sizes)?;
        if family == Family::Albert && self.num_hidden_groups > self.num_hidden_layers {
            return Err(format!(
                "has {} groups of weights for {} layers",
                self.num_hidden_groups, self.num_hidden_layers
            ));
        }
        self.check_positions(family).map(|()| family)
    }

    fn check_positions(&self, family: Family) -> std::result::Result<(), String> {
        if let Some(padding) = family.padding_id(self.pad_token_id)
            && padding as usize + 2 > self.max_position_embeddings
        {
            return Err(format!(
                "max_position_embeddings {} leave no position after pad_token_id {padding}",
                self.max_position_embeddings
            ));
        }
        let positions = self.position_embedding_type.as_deref().unwrap_or("absolute");
        if positions != "absolute" || self.is_decoder {
            return Err(format!(
                "has {positions} positions, is_decoder {}: an encoder with absolute positions is needed",
                self.is_decoder
            ));
        }
        let DistanceBuckets { count, max_distance } = MPNET_BUCKETS;
        let (buckets, distance) = (self.relative_attention_num_buckets, self.relative_attention_max_distance);
        let is_supported =
            buckets.unwrap_or(count) == count && distance.unwrap_or(max_distance) == max_distance;
        if family == Family::Mpnet && !is_supported {
            Err(format!(
                "has relative_attention_num_buckets {}, relative_attention_max_distance {}: MPNet is computed with {count} buckets up to distance {max_distance}",
                buckets.unwrap_or(count),
                distance.unwrap_or(max_distance)
            ))
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(kind: &str, more: &str) -> Result<BertConfig> {
        let json = format!(
            r#"{{"model_type": "{kind}", "vocab_size": 50, "hidden_size": 8, "num_hidden_layers": 3,
                "num_attention_heads": 2, "intermediate_size": 20{more}}}"#
        );
        BertConfig::parse(json.as_bytes(), "config.json")
    }

    #[test]
    fn the_token_limit_depends_on_the_family_and_the_padding_id() {
        for (kind, limit) in [("roberta", 510), ("mpnet", 510), ("bert", 512), ("albert", 512)] {
            assert_eq!(parse(kind, "").unwrap().token_limit(), limit, "{kind}");
        }
        let padding = r#", "max_position_embeddings": 514, "pad_token_id": 5"#;
        // MPNet's padding id is 1 regardless of the configuration.
        for (kind, limit) in [("roberta", 508), ("mpnet", 512), ("bert", 514)] {
            assert_eq!(parse(kind, padding).unwrap().token_limit(), limit, "{kind}");
        }
    }

    #[test]
    fn operations_equal_the_count_by_hand() {
        // 5 tokens: 4 projections of 8 x 8, 2 of 8 x 20, scores and context 5 x 8 a token each.
        let layer = 5 * (4 * 64 + 2 * 160 + 2 * 40);
        assert_eq!(parse("roberta", "").unwrap().operations(5), 2 * (3 * layer + 64 + 16));
    }

    #[test]
    fn layers_of_albert_share_weights() {
        let weights = |more: &str| parse("albert", more).unwrap().weights_of_layers;
        assert_eq!(weights(""), [0, 0, 0]);
        assert_eq!(weights(r#", "num_hidden_groups": 2"#), [0, 0, 1]);
        assert_eq!(weights(r#", "num_hidden_groups": 3, "inner_group_num": 2"#), [0, 1, 2, 3, 4, 5]);
        let albert = parse("albert", "").unwrap();
        assert_eq!((albert.embedding_size, albert.activation), (128, Activation::GeluTanh));
        assert_eq!(parse("bert", r#", "embedding_size": 4"#).unwrap().embedding_size, 8);
    }

    #[test]
    fn unsupported_options_are_refused_by_name() {
        for (kind, more, word) in [
            ("roberta", r#", "position_embedding_type": "relative_key""#, "relative_key"),
            ("bert", r#", "position_embedding_type": "relative_key_query""#, "relative_key_query"),
            ("roberta", r#", "hidden_act": "swish7""#, "swish7"),
            ("bert", r#", "is_decoder": true"#, "is_decoder"),
            ("roberta", r#", "pad_token_id": 511"#, "pad_token_id"),
            ("bert", r#", "type_vocab_size": 0"#, "type_vocab_size"),
            ("mpnet", r#", "max_position_embeddings": 2"#, "max_position_embeddings"),
            ("mpnet", r#", "relative_attention_num_buckets": 64"#, "relative_attention_num_buckets 64"),
            ("mpnet", r#", "relative_attention_max_distance": 256"#, "relative_attention_max_distance 256"),
            ("albert", r#", "num_hidden_groups": 4"#, "4 groups"),
            ("albert", r#", "embedding_size": 0"#, "embedding_size 0"),
            ("electra", "", "electra"),
        ] {
            let error = parse(kind, more).unwrap_err().to_string();
            assert!(error.contains(word) && error.contains("config.json"), "{error}");
        }
        assert!(parse("mpnet", r#", "relative_attention_num_buckets": 32, "type_vocab_size": 0"#).is_ok());
        assert!(parse("roberta", r#", "relative_attention_num_buckets": 64"#).is_ok());
    }
}
