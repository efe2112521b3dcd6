//! The configuration of an F-Coref checkpoint: a RoBERTa encoder and `coref_head`. Refuses other encoders and sizes that
//! do not fit together.

use serde::Deserialize;

use crate::bert::{BertConfig, Family};
use crate::config_json::config_fields;
use crate::error::{Result, refuse};

/// Far above the sizes of any published model's head.
const LARGEST_SIZE: usize = 1 << 16;

#[derive(Deserialize)]
struct Raw {
    coref_head: Option<Head>,
}

#[derive(Deserialize)]
struct Head {
    max_span_length: usize,
    top_lambda: f64,
    ffnn_size: usize,
    max_segment_len: usize,
}

/// An F-Coref model.
#[derive(Debug, Clone)]
pub(super) struct FCorefConfig {
    /// The network below the heads.
    pub(super) encoder: BertConfig,
    /// Tokens of a segment.
    pub(super) segment_tokens: usize,
    /// Maximum tokens of a mention.
    pub(super) max_mention_tokens: usize,
    /// Number of mentions that are kept, divided by the number of tokens.
    pub(super) mentions_per_token: f32,
    /// Columns of a representation in the heads.
    pub(super) head_size: usize,
}

impl FCorefConfig {
    /// Reads `config.json`; `file` is named in errors.
    pub(super) fn parse(json: &[u8], file: &str) -> Result<Self> {
        let refuse = |reason| refuse(file, reason);
        let raw: Raw = config_fields(json, file)?;
        let Some(head) = raw.coref_head else {
            return Err(refuse("has no coref_head: it is not an F-Coref model".into()));
        };
        let encoder = BertConfig::parse(json, file)?;
        if encoder.family != Family::Roberta {
            let family = encoder.family.name();
            return Err(refuse(format!("is an F-Coref model over {family}; RoBERTa is supported")));
        }
        let (size, span, segment) = (head.ffnn_size, head.max_span_length, head.max_segment_len);
        if [size, span, segment].iter().any(|size| *size == 0 || *size > LARGEST_SIZE) {
            return Err(refuse(format!(
                "has ffnn_size {size}, max_span_length {span}, max_segment_len {segment}"
            )));
        }
        if segment > encoder.token_limit() {
            let limit = encoder.token_limit();
            return Err(refuse(format!("has max_segment_len {segment}, the encoder takes {limit} tokens")));
        }
        if !(head.top_lambda > 0.0 && head.top_lambda <= 1.0) {
            return Err(refuse(format!(
                "has top_lambda {}: above 0 and at most 1 is needed",
                head.top_lambda
            )));
        }
        Ok(Self {
            encoder,
            segment_tokens: segment,
            max_mention_tokens: span,
            mentions_per_token: head.top_lambda as f32,
            head_size: size,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(head: &str) -> Result<FCorefConfig> {
        let json = format!(
            r#"{{"model_type": "roberta", "vocab_size": 50, "hidden_size": 8, "num_hidden_layers": 1,
                "num_attention_heads": 2, "intermediate_size": 20{head}}}"#
        );
        FCorefConfig::parse(json.as_bytes(), "config.json")
    }

    #[test]
    fn unsupported_options_are_refused_by_name() {
        let head = |segment: usize, lambda: f64, span: usize| {
            format!(
                r#", "coref_head": {{"max_segment_len": {segment}, "top_lambda": {lambda}, "max_span_length": {span}, "ffnn_size": 4}}"#
            )
        };
        assert!(parse(&head(64, 0.25, 30)).is_ok());
        for (head, word) in [
            (String::new(), "coref_head"),
            (head(512, 0.25, 30), "max_segment_len 512"),
            (head(64, 1.5, 30), "top_lambda"),
            (head(64, 0.25, 0), "max_span_length 0"),
        ] {
            let error = parse(&head).unwrap_err().to_string();
            assert!(error.contains(word) && error.contains("config.json"), "{error}");
        }
    }
}
