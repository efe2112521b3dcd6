//! A published ModernBERT `config.json`, as in 2024 and as `transformers` 5 saves it, read with the defaults of Python's
//! `transformers` (`ModernBertConfig`; the main sizes are required). Refuses, by name, options that cannot be computed
//! exactly.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use veridic_kernels::{Activation, Heads};
use veridic_store::quoting::short_id;

use crate::config_json::{activation, check_sizes, config_fields, heads_of, size};
use crate::error::{Result, refuse};
use crate::labels::labels_of;

/// The names of the two kinds of layers.
const GLOBAL: &str = "full_attention";
const LOCAL: &str = "sliding_attention";

/// The raw fields, as transformers names them.
#[derive(Debug, Clone, Deserialize)]
struct Raw {
    vocab_size: usize,
    hidden_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    intermediate_size: usize,
    hidden_activation: Option<String>,
    #[serde(default = "size::<8192>")]
    max_position_embeddings: usize,
    norm_eps: Option<f64>,
    #[serde(default)]
    norm_bias: bool,
    #[serde(default)]
    attention_bias: bool,
    #[serde(default)]
    mlp_bias: bool,
    #[serde(default = "size::<3>")]
    global_attn_every_n_layers: usize,
    layer_types: Option<Vec<String>>,
    global_rope_theta: Option<f64>,
    local_rope_theta: Option<f64>,
    rope_parameters: Option<BTreeMap<String, Option<Rope>>>,
    rope_scaling: Option<Value>,
    #[serde(default = "size::<128>")]
    local_attention: usize,
    classifier_pooling: Option<String>,
    #[serde(default)]
    classifier_bias: bool,
    classifier_activation: Option<String>,
    id2label: Option<BTreeMap<String, String>>,
    num_labels: Option<usize>,
}

/// The rotary positions of one kind of layers.
#[derive(Debug, Clone, Deserialize)]
struct Rope {
    rope_theta: Option<f64>,
    rope_type: Option<String>,
}

/// The state that the classifier's head reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pooling {
    /// The first token's.
    First,
    /// The mean over all tokens.
    Mean,
}

/// The configuration of a ModernBERT and of its classifier.
#[derive(Debug, Clone)]
pub(crate) struct ModernBertConfig {
    pub(crate) vocab_size: usize,
    pub(crate) hidden_size: usize,
    pub(crate) heads: Heads,
    pub(crate) intermediate_size: usize,
    pub(crate) activation: Activation,
    pub(crate) norm_epsilon: f64,
    pub(crate) norm_bias: bool,
    pub(crate) attention_bias: bool,
    pub(crate) inner_bias: bool,
    /// Whether each layer attends to near tokens only.
    pub(crate) local: Vec<bool>,
    /// Layers that are computed, all or the first ones.
    pub(crate) layers: usize,
    /// The farthest token that a local layer attends to.
    pub(crate) reach: usize,
    /// The bases of the rotary wavelengths in global and local layers.
    pub(crate) thetas: [f64; 2],
    pub(crate) token_limit: usize,
    pub(crate) pooling: Pooling,
    pub(crate) head_bias: bool,
    pub(crate) head_activation: Activation,
    pub(crate) labels: Vec<String>,
}

impl ModernBertConfig {
    /// Its `model_type`.
    pub(crate) const MODEL_TYPE: &'static str = "modernbert";

    /// Reads `config.json`; `file` is named in errors.
    ///
    /// # Errors
    /// Invalid JSON, or a value that cannot be computed exactly.
    pub(crate) fn parse(json: &[u8], file: &str) -> Result<Self> {
        let refuse = |reason| refuse(file, reason);
        let raw: Raw = config_fields(json, file)?;
        raw.check_sizes().map_err(refuse)?;
        Self::from_raw(raw).map_err(refuse)
    }

    fn from_raw(raw: Raw) -> std::result::Result<Self, String> {
        Ok(Self {
            vocab_size: raw.vocab_size,
            hidden_size: raw.hidden_size,
            heads: heads_of(raw.hidden_size, raw.num_attention_heads, 2)?,
            intermediate_size: raw.intermediate_size,
            activation: activation("hidden_activation", raw.hidden_activation.as_deref(), "gelu")?,
            norm_epsilon: raw.norm_eps.unwrap_or(1e-5),
            norm_bias: raw.norm_bias,
            attention_bias: raw.attention_bias,
            inner_bias: raw.mlp_bias,
            local: raw.local_layers()?,
            layers: raw.num_hidden_layers,
            reach: raw.local_attention / 2,
            thetas: [
                raw.theta(GLOBAL, raw.global_rope_theta, 160_000.0)?,
                raw.theta(LOCAL, raw.local_rope_theta, 10_000.0)?,
            ],
            token_limit: raw.max_position_embeddings,
            pooling: raw.pooling()?,
            head_bias: raw.classifier_bias,
            head_activation: activation(
                "classifier_activation",
                raw.classifier_activation.as_deref(),
                "gelu",
            )?,
            labels: labels_of(raw.id2label.as_ref(), raw.num_labels)?,
        })
    }

    /// Whether the last layer is computed, whose states are normed.
    pub(crate) fn is_whole(&self) -> bool {
        self.layers == self.local.len()
    }
}

impl Raw {
    fn check_sizes(&self) -> std::result::Result<(), String> {
        let sizes = [
            ("vocab_size", self.vocab_size),
            ("hidden_size", self.hidden_size),
            ("num_hidden_layers", self.num_hidden_layers),
            ("num_attention_heads", self.num_attention_heads),
            ("intermediate_size", self.intermediate_size),
            ("max_position_embeddings", self.max_position_embeddings),
            ("global_attn_every_n_layers", self.global_attn_every_n_layers),
            ("local_attention", self.local_attention),
        ];
        check_sizes(&sizes)?;
        match &self.rope_scaling {
            Some(_) => Err("has rope_scaling; scaled rotary positions are not computed".to_owned()),
            None => Ok(()),
        }
    }

    fn pooling(&self) -> std::result::Result<Pooling, String> {
        match self.classifier_pooling.as_deref() {
            None | Some("cls") => Ok(Pooling::First),
            Some("mean") => Ok(Pooling::Mean),
            Some(other) => {
                Err(format!("classifier_pooling is `{}`; cls and mean are supported", short_id(other)))
            }
        }
    }

    /// Whether each layer is local: as listed, else all but every n-th, from the first on.
    fn local_layers(&self) -> std::result::Result<Vec<bool>, String> {
        let every = self.global_attn_every_n_layers;
        let Some(types) = &self.layer_types else {
            return Ok((0..self.num_hidden_layers).map(|layer| !layer.is_multiple_of(every)).collect());
        };
        if types.len() != self.num_hidden_layers {
            return Err(format!("has {} layer_types for {} layers", types.len(), self.num_hidden_layers));
        }
        let is_local = |kind: &String| match kind.as_str() {
            GLOBAL => Ok(false),
            LOCAL => Ok(true),
            other => {
                Err(format!("has a layer of type `{}`; {GLOBAL} and {LOCAL} are supported", short_id(other)))
            }
        };
        types.iter().map(is_local).collect()
    }

    /// The base of one kind of layers: from `rope_parameters`, else from the older field, else the default.
    fn theta(&self, kind: &str, older: Option<f64>, default: f64) -> std::result::Result<f64, String> {
        let rope = self.rope_parameters.as_ref().and_then(|all| all.get(kind)?.as_ref());
        if let Some(other) = rope.and_then(|rope| rope.rope_type.as_deref()).filter(|kind| *kind != "default")
        {
            return Err(format!(
                "has rotary positions of type `{}`; only `default` is computed",
                short_id(other)
            ));
        }
        let theta = rope.and_then(|rope| rope.rope_theta).or(older).unwrap_or(default);
        if theta.is_finite() && theta > 0.0 { Ok(theta) } else { Err(format!("has a rope_theta of {theta}")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(more: &str) -> Result<ModernBertConfig> {
        let json = format!(
            r#"{{"model_type": "modernbert", "vocab_size": 50, "hidden_size": 8, "num_hidden_layers": 5,
                "num_attention_heads": 2, "intermediate_size": 20{more}}}"#
        );
        ModernBertConfig::parse(json.as_bytes(), "config.json")
    }

    #[test]
    fn the_defaults_are_those_of_the_published_models() {
        let config = parse("").unwrap();
        assert_eq!(config.local, [false, true, true, false, true]);
        assert_eq!((config.reach, config.thetas, config.token_limit), (64, [160_000.0, 10_000.0], 8192));
        assert_eq!((config.pooling, config.norm_bias, config.is_whole()), (Pooling::First, false, true));
    }

    #[test]
    fn both_ways_to_describe_rotary_positions_are_read() {
        let older = parse(r#", "global_rope_theta": 5.0, "local_rope_theta": 6.0"#).unwrap();
        let newer = r#", "rope_parameters": {"full_attention": {"rope_theta": 5.0, "rope_type": "default"}, "sliding_attention": {"rope_theta": 6.0}}"#;
        assert_eq!((older.thetas, parse(newer).unwrap().thetas), ([5.0, 6.0], [5.0, 6.0]));
    }

    #[test]
    fn unsupported_options_are_refused_by_name() {
        for (more, word) in [
            (r#", "hidden_activation": "swish7""#, "swish7"),
            (r#", "classifier_pooling": "max""#, "classifier_pooling"),
            (r#", "rope_scaling": {"type": "linear"}"#, "rope_scaling"),
            (r#", "rope_parameters": {"full_attention": {"rope_type": "yarn"}}"#, "yarn"),
            (r#", "global_rope_theta": 0.0"#, "rope_theta"),
            (r#", "layer_types": ["full_attention"]"#, "1 layer_types"),
            (r#", "layer_types": ["a", "a", "a", "a", "a"]"#, "type `a`"),
            (r#", "local_attention": 0"#, "local_attention"),
        ] {
            let error = parse(more).unwrap_err().to_string();
            assert!(error.contains(word) && error.contains("config.json"), "{error}");
        }
    }
}
