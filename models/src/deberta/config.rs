//! A published DeBERTa `config.json`, read with the defaults of Python's `transformers` (`DebertaConfig`,
//! `DebertaV2Config`; the main sizes are required). Refuses, by name, options that cannot be computed exactly.

use std::collections::BTreeMap;

use serde::Deserialize;
use veridic_kernels::{Activation, Heads};
use veridic_store::quoting::short_id;

use crate::config_json::{LARGEST_SIZE, activation, check_sizes, config_fields, heads_of, size};
use crate::error::{Result, refuse};
use crate::labels::labels_of;

/// The token limit of a model without a position table, unless the caller sets another one.
const DEFAULT_TOKEN_LIMIT: usize = 4096;

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
    #[serde(default = "size::<512>")]
    max_position_embeddings: usize,
    #[serde(default)]
    type_vocab_size: usize,
    layer_norm_eps: Option<f64>,
    #[serde(default)]
    relative_attention: bool,
    #[serde(default)]
    max_relative_positions: i64,
    #[serde(default)]
    position_buckets: i64,
    norm_rel_ebd: Option<String>,
    #[serde(default)]
    share_att_key: bool,
    pos_att_type: Option<StringOrList>,
    position_biased_input: Option<bool>,
    embedding_size: Option<usize>,
    attention_head_size: Option<usize>,
    #[serde(default)]
    conv_kernel_size: usize,
    #[serde(default = "size::<1>")]
    conv_groups: usize,
    conv_act: Option<String>,
    pooler_hidden_size: Option<usize>,
    pooler_hidden_act: Option<String>,
    #[serde(default)]
    talking_head: bool,
    id2label: Option<BTreeMap<String, String>>,
    num_labels: Option<usize>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum StringOrList {
    String(String),
    List(Vec<String>),
}

/// The version of the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// DeBERTa: queries, keys and values from one matrix, distances without buckets, positions with separate
    /// projections.
    One,
    /// DeBERTa-v2 and v3.
    Two,
}

/// The relative attention of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelativeConfig {
    /// Half the number of position slots.
    pub span: usize,
    /// Number of logarithmic buckets, if distances are bucketed.
    pub buckets: Option<usize>,
    /// Distance from which on all share a bucket.
    pub max_distance: usize,
    /// Whether the position embeddings are normed.
    pub normed: bool,
    /// Whether positions are projected by the content's layers.
    pub shared_projections: bool,
    /// Whether the content-to-position term is computed.
    pub content_to_position: bool,
    /// Whether the position-to-content term is computed.
    pub position_to_content: bool,
}

/// The convolution parallel to the first layer (deberta-v2-xlarge).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConvConfig {
    /// Tokens of the kernel; odd.
    pub kernel_size: usize,
    /// Groups of channels.
    pub groups: usize,
    /// Function on the convolution's output.
    pub activation: Activation,
}

/// A DeBERTa sequence classifier.
#[derive(Debug, Clone)]
pub struct DebertaConfig {
    /// The version of the network.
    pub version: Version,
    /// Rows of the word embedding.
    pub vocab_size: usize,
    /// Columns of the embeddings.
    pub embedding_size: usize,
    /// Columns of the hidden states.
    pub hidden_size: usize,
    /// Number of layers.
    pub layers: usize,
    /// Number and size of the attention heads.
    pub heads: Heads,
    /// Columns inside a feed-forward layer.
    pub intermediate_size: usize,
    /// The feed-forward layer's function.
    pub activation: Activation,
    /// Rows of the table of absolute positions, if there is one.
    pub position_table: Option<usize>,
    /// Rows of the table of token types; 0 for none.
    pub type_vocab_size: usize,
    /// Added to variances.
    pub layer_norm_epsilon: f64,
    /// Relative attention, if the model has one.
    pub relative: Option<RelativeConfig>,
    /// Number of score terms in the scale: content to content, and the relative terms.
    pub score_terms: usize,
    /// The convolution, if the model has one.
    pub conv: Option<ConvConfig>,
    /// The pooler's function.
    pub pooler_activation: Activation,
    /// Names of the outputs, in order.
    pub labels: Vec<String>,
}

impl DebertaConfig {
    /// Every `model_type`, with its version.
    pub(crate) const MODEL_TYPES: [(&'static str, Version); 2] =
        [("deberta-v2", Version::Two), ("deberta", Version::One)];

    /// The version with this `model_type`.
    pub(crate) fn version_of(model_type: &str) -> Option<Version> {
        Self::MODEL_TYPES.into_iter().find(|(name, _)| *name == model_type).map(|(_, version)| version)
    }

    /// Reads `config.json`; `file` is named in errors.
    ///
    /// # Errors
    /// Invalid JSON, another architecture, or a value that cannot be computed exactly.
    pub fn parse(json: &[u8], file: &str) -> Result<Self> {
        let refuse = |reason| refuse(file, reason);
        let raw: Raw = config_fields(json, file)?;
        let version = raw.version().map_err(refuse)?;
        let raw = if version == Version::One { raw.of_version_one() } else { raw };
        raw.check_sizes().map_err(refuse)?;
        Self::from_raw(raw, version).map_err(refuse)
    }

    /// Maximum tokens of a sequence: the size of the position table, or 4,096 without one.
    #[must_use]
    pub fn token_limit(&self) -> usize {
        self.position_table.unwrap_or(DEFAULT_TOKEN_LIMIT)
    }

    fn from_raw(raw: Raw, version: Version) -> std::result::Result<Self, String> {
        let types = raw.position_terms()?;
        let terms = |name: &str| types.iter().any(|t| t == name);
        let relative = raw.relative_attention.then(|| raw.relative(terms("c2p"), terms("p2c")));
        let conv = match raw.conv_kernel_size {
            0 => None,
            kernel_size => Some(ConvConfig {
                kernel_size,
                groups: raw.conv_groups,
                activation: activation("conv_act", raw.conv_act.as_deref(), "tanh")?,
            }),
        };
        Ok(Self {
            version,
            vocab_size: raw.vocab_size,
            embedding_size: raw.embedding_size.unwrap_or(raw.hidden_size),
            hidden_size: raw.hidden_size,
            layers: raw.num_hidden_layers,
            heads: heads_of(raw.hidden_size, raw.num_attention_heads, 1)?,
            intermediate_size: raw.intermediate_size,
            activation: activation("hidden_act", raw.hidden_act.as_deref(), "gelu")?,
            position_table: raw.position_biased_input.unwrap_or(true).then_some(raw.max_position_embeddings),
            type_vocab_size: raw.type_vocab_size,
            layer_norm_epsilon: raw.layer_norm_eps.unwrap_or(1e-7),
            score_terms: 1 + usize::from(terms("c2p")) + usize::from(terms("p2c")),
            relative,
            conv,
            pooler_activation: activation("pooler_hidden_act", raw.pooler_hidden_act.as_deref(), "gelu")?,
            labels: labels_of(raw.id2label.as_ref(), raw.num_labels)?,
        })
    }
}

impl Raw {
    fn version(&self) -> std::result::Result<Version, String> {
        let kind = self.model_type.as_deref().unwrap_or("missing");
        let version = DebertaConfig::version_of(kind)
            .ok_or(format!("model_type is `{}`, not `deberta-v2` or `deberta`", short_id(kind)))?;
        if version == Version::One && self.talking_head {
            Err("has talking_head true, which is not computed".into())
        } else {
            Ok(version)
        }
    }

    /// Clears the options that the first version does not have; `transformers` ignores them there.
    fn of_version_one(self) -> Self {
        Self {
            position_buckets: 0,
            norm_rel_ebd: None,
            share_att_key: false,
            conv_kernel_size: 0,
            attention_head_size: None,
            ..self
        }
    }

    fn check_sizes(&self) -> std::result::Result<(), String> {
        let sizes = [
            ("vocab_size", self.vocab_size),
            ("hidden_size", self.hidden_size),
            ("num_hidden_layers", self.num_hidden_layers),
            ("num_attention_heads", self.num_attention_heads),
            ("intermediate_size", self.intermediate_size),
            ("max_position_embeddings", self.max_position_embeddings),
            ("embedding_size", self.embedding_size.unwrap_or(1)),
            ("attention_head_size", self.attention_head_size.unwrap_or(1)),
            ("conv_groups", self.conv_groups),
        ];
        check_sizes(&sizes)?;
        let others = [
            ("type_vocab_size", self.type_vocab_size),
            ("conv_kernel_size", self.conv_kernel_size),
            ("max_relative_positions", self.max_relative_positions.max(0) as usize),
            ("position_buckets", self.position_buckets.max(0) as usize),
        ];
        if let Some((name, size)) = others.iter().find(|(_, size)| *size > LARGEST_SIZE) {
            return Err(format!("{name} is {size}, more than any model has"));
        }
        if self.position_buckets == 1 {
            return Err("position_buckets is 1, at least 2 are needed".into());
        }
        if self.attention_head_size.is_some_and(|size| size * self.num_attention_heads != self.hidden_size) {
            return Err("attention_head_size times num_attention_heads is not hidden_size, which transformers cannot run either".into());
        }
        if self.pooler_hidden_size.is_some_and(|size| size != self.hidden_size) {
            return Err(
                "pooler_hidden_size differs from hidden_size, which transformers cannot run either".into()
            );
        }
        if self.position_buckets > 0 && self.max_distance() <= self.position_buckets as usize / 2 + 1 {
            return Err(format!(
                "position_buckets {} are too many for max_relative_positions {}",
                self.position_buckets,
                self.max_distance()
            ));
        }
        if self.conv_kernel_size > 0
            && (self.conv_kernel_size.is_multiple_of(2) || !self.hidden_size.is_multiple_of(self.conv_groups))
        {
            return Err(format!(
                "conv_kernel_size {} must be odd, and conv_groups {} divide hidden_size",
                self.conv_kernel_size, self.conv_groups
            ));
        }
        Ok(())
    }

    fn max_distance(&self) -> usize {
        match self.max_relative_positions {
            distance @ 1.. => distance as usize,
            _ => self.max_position_embeddings,
        }
    }

    fn relative(&self, content_to_position: bool, position_to_content: bool) -> RelativeConfig {
        let max_distance = self.max_distance();
        let buckets = (self.position_buckets > 0).then_some(self.position_buckets as usize);
        let norm = self.norm_rel_ebd.as_deref().unwrap_or("none").to_lowercase();
        RelativeConfig {
            span: buckets.unwrap_or(max_distance),
            buckets,
            max_distance,
            normed: norm.split('|').any(|part| part.trim() == "layer_norm"),
            shared_projections: self.share_att_key,
            content_to_position,
            position_to_content,
        }
    }

    fn position_terms(&self) -> std::result::Result<Vec<String>, String> {
        let terms: Vec<String> = match &self.pos_att_type {
            None => Vec::new(),
            Some(StringOrList::List(list)) => list.clone(),
            Some(StringOrList::String(text)) => text
                .split('|')
                .map(|term| term.trim().to_lowercase())
                .filter(|term| !term.is_empty() && term != "none")
                .collect(),
        };
        match terms.iter().find(|term| !["c2p", "p2c"].contains(&term.as_str())) {
            Some(term) => Err(format!("pos_att_type names `{}`; c2p and p2c are supported", short_id(term))),
            None => Ok(terms),
        }
    }
}
