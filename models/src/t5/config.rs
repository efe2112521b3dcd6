//! A published T5 `config.json` (v1.0 and v1.1), read with the defaults of Python's `transformers` (`T5Config`; the main
//! sizes are required). Refuses, by name, options that cannot be computed exactly.

use serde::Deserialize;
use serde_json::Value;
use veridic_kernels::{Activation, Heads};
use veridic_store::quoting::{short_id, without_values};

use crate::config_json::{LARGEST_SIZE, check_sizes, config_fields, size};
use crate::error::{Result, refuse};
use crate::transformer::DistanceBuckets;

/// The raw fields, as transformers names them.
#[derive(Debug, Clone, Deserialize)]
struct Raw {
    model_type: Option<String>,
    architectures: Option<Vec<String>>,
    vocab_size: usize,
    d_model: usize,
    d_kv: usize,
    d_ff: usize,
    num_layers: usize,
    num_decoder_layers: Option<usize>,
    num_heads: usize,
    #[serde(default = "size::<32>")]
    relative_attention_num_buckets: usize,
    #[serde(default = "size::<128>")]
    relative_attention_max_distance: usize,
    layer_norm_epsilon: Option<f64>,
    feed_forward_proj: Option<String>,
    tie_word_embeddings: Option<bool>,
    scale_decoder_outputs: Option<bool>,
}

/// A T5 encoder-decoder, or its encoder with a head.
#[derive(Debug, Clone, PartialEq)]
pub struct T5Config {
    /// Rows of the word embedding.
    pub vocab_size: usize,
    /// Columns of the hidden states.
    pub hidden_size: usize,
    /// Number and size of the attention heads.
    pub heads: Heads,
    /// Columns inside a feed-forward layer.
    pub intermediate_size: usize,
    /// Layers of the encoder.
    pub encoder_layers: usize,
    /// Layers of the decoder.
    pub decoder_layers: usize,
    /// Buckets of relative distances.
    pub buckets: usize,
    /// Distance from which on all share a bucket.
    pub max_distance: usize,
    /// Added to mean squares.
    pub norm_epsilon: f64,
    /// The feed-forward layer's function.
    pub activation: Activation,
    /// Whether the activation's output is multiplied by a second projection.
    pub gated: bool,
    /// Whether the decoder's states are divided by the square root of `hidden_size` before the head.
    pub scaled_head: bool,
    /// The prefix of the tensors' names, such as `transformer.` below a head.
    pub prefix: &'static str,
}

impl T5Config {
    /// The buckets of relative distances.
    pub(crate) fn distance_buckets(&self) -> DistanceBuckets {
        DistanceBuckets { count: self.buckets, max_distance: self.max_distance }
    }

    /// The full name of an encoder's tensor or part.
    pub(crate) fn encoder_tensor(&self, name: &str) -> String {
        format!("{}encoder.{name}", self.prefix)
    }

    /// Reads the `config.json` of a network that generates; `file` is named in errors.
    ///
    /// # Errors
    /// Invalid JSON, another architecture, or a value that cannot be computed exactly.
    pub fn parse(json: &[u8], file: &str) -> Result<Self> {
        let refuse = |reason| refuse(file, reason);
        let raw: Raw = config_fields(json, file)?;
        raw.check_generates().map_err(refuse)?;
        Self::from_raw(raw, "").map_err(refuse)
    }

    /// Reads the sizes of a network whose tensors' names start with `prefix`.
    pub(super) fn of_value(json: Value, prefix: &'static str) -> std::result::Result<Self, String> {
        let raw = serde_json::from_value(json)
            .map_err(|e| format!("is not a model configuration: {}", without_values(&e)))?;
        Self::from_raw(raw, prefix)
    }

    fn from_raw(raw: Raw, prefix: &'static str) -> std::result::Result<Self, String> {
        raw.check_sizes()?;
        let (activation, gated) = raw.activation()?;
        Ok(Self {
            vocab_size: raw.vocab_size,
            hidden_size: raw.d_model,
            heads: Heads { count: raw.num_heads, size: raw.d_kv },
            intermediate_size: raw.d_ff,
            encoder_layers: raw.num_layers,
            decoder_layers: raw.num_decoder_layers.unwrap_or(raw.num_layers),
            buckets: raw.relative_attention_num_buckets,
            max_distance: raw.relative_attention_max_distance,
            norm_epsilon: raw.layer_norm_epsilon.unwrap_or(1e-6),
            activation,
            gated,
            scaled_head: raw.scale_decoder_outputs.or(raw.tie_word_embeddings).unwrap_or(true),
            prefix,
        })
    }

    /// Columns of all heads.
    pub(crate) fn width(&self) -> usize {
        self.heads.count * self.heads.size
    }
}

impl Raw {
    fn check_generates(&self) -> std::result::Result<(), String> {
        let kind = self.model_type.as_deref().unwrap_or("t5");
        let class = self.architectures.as_ref().and_then(|all| all.first()).map_or("", String::as_str);
        let known = ["", "T5ForConditionalGeneration", "T5WithLMHeadModel"];
        if kind != "t5" || !known.contains(&class) {
            return Err(format!(
                "describes a `{}` model ({}), not a T5ForConditionalGeneration",
                short_id(kind),
                short_id(class)
            ));
        }
        Ok(())
    }

    fn check_sizes(&self) -> std::result::Result<(), String> {
        check_sizes(&[
            ("vocab_size", self.vocab_size),
            ("d_model", self.d_model),
            ("d_kv", self.d_kv),
            ("d_ff", self.d_ff),
            ("num_layers", self.num_layers),
            ("num_decoder_layers", self.num_decoder_layers.unwrap_or(1)),
            ("num_heads", self.num_heads),
        ])?;
        let (buckets, distance) = (self.relative_attention_num_buckets, self.relative_attention_max_distance);
        if buckets < 4 || !buckets.is_multiple_of(4) || buckets > LARGEST_SIZE || distance <= buckets / 2 {
            return Err(format!("has {buckets} relative buckets up to distance {distance}"));
        }
        Ok(())
    }

    /// `relu`, or `gated-NAME`; `gated-gelu` is the tanh approximation, as in `transformers`.
    fn activation(&self) -> std::result::Result<(Activation, bool), String> {
        let name = self.feed_forward_proj.as_deref().unwrap_or("relu");
        let (gated, function) = match name.strip_prefix("gated-") {
            Some("gelu") => (true, "gelu_new"),
            Some(function) => (true, function),
            None => (false, name),
        };
        match Activation::from_name(function) {
            Some(activation) => Ok((activation, gated)),
            None => Err(format!("has feed_forward_proj `{}`, which is not implemented", short_id(name))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(more: &str) -> Result<T5Config> {
        let json = format!(
            r#"{{"vocab_size": 10, "d_model": 8, "d_kv": 4, "d_ff": 16, "num_layers": 2, "num_heads": 3{more}}}"#
        );
        T5Config::parse(json.as_bytes(), "config.json")
    }

    #[test]
    fn the_defaults_are_those_of_version_1_0() {
        let config = parse("").unwrap();
        assert_eq!((config.activation, config.gated, config.scaled_head), (Activation::Relu, false, true));
        assert_eq!((config.decoder_layers, config.buckets, config.max_distance), (2, 32, 128));
    }

    #[test]
    fn version_1_1_is_gated_with_the_approximate_gelu() {
        let config = parse(r#", "feed_forward_proj": "gated-gelu", "tie_word_embeddings": false"#).unwrap();
        assert_eq!(
            (config.activation, config.gated, config.scaled_head),
            (Activation::GeluTanh, true, false)
        );
    }

    #[test]
    fn unsupported_options_are_refused_by_name() {
        for (more, word) in [
            (r#", "feed_forward_proj": "gated-softsign""#, "gated-softsign"),
            (r#", "model_type": "mt5x""#, "mt5x"),
            (r#", "architectures": ["T5ForTokenClassification"]"#, "T5ForTokenClassification"),
            (r#", "num_decoder_layers": 0"#, "num_decoder_layers"),
            (r#", "relative_attention_num_buckets": 7"#, "7 relative buckets"),
        ] {
            let error = parse(more).unwrap_err().to_string();
            assert!(error.contains(word), "{error}");
        }
    }
}
