//! The configuration of a T5 judge: with a classification head on tokens, or by the tokens that it would generate.
//!
//! Such a model reads premise and hypothesis as one text and needs the template that it was trained with: from the
//! manifest, from `prompt` in config.json, or, for HHEM, from its published code.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use veridic_store::Checker;
use veridic_store::quoting::short_ids;

use super::config::T5Config;
use crate::config_json::config_fields;
use crate::error::{Result, refuse};
use crate::labels::labels_of;
use crate::tokenizer::PromptTemplate;

/// The classes of T5 that generate.
const GENERATING: [&str; 2] = ["T5ForConditionalGeneration", "T5WithLMHeadModel"];

/// The class of T5 with a head on tokens.
const WITH_HEAD: &str = "T5ForTokenClassification";

/// The prompt of HHEM-2.1-open (`prompt` of `HHEMv2Config` and the card of vectara/hallucination_evaluation_model).
const HHEM_PROMPT: &str =
    "<pad> Determine if the hypothesis is true given the premise?\n\nPremise: {text1}\n\nHypothesis: {text2}";

/// The fields beyond the sizes.
#[derive(Deserialize)]
struct Raw {
    model_type: String,
    #[serde(default)]
    architectures: Vec<String>,
    decoder_start_token_id: Option<u32>,
    id2label: Option<BTreeMap<String, String>>,
    num_labels: Option<usize>,
    prompt: Option<String>,
    #[serde(default)]
    answer_tokens: Vec<u32>,
}

/// The source of the labels' logits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Head {
    /// A layer with this name on the first token's state.
    FirstToken(&'static str),
    /// The decoder's logits of these tokens, one per label, in the first step after the token `start`.
    Answers { start: u32, tokens: Vec<u32> },
}

/// A T5 judge.
#[derive(Debug, Clone)]
pub(crate) struct T5JudgeConfig {
    pub(crate) network: T5Config,
    pub(crate) head: Head,
    pub(crate) labels: Vec<String>,
    pub(crate) prompt: Option<PromptTemplate>,
}

impl T5JudgeConfig {
    /// The values of `model_type`: T5, and the two of HHEM-2.1-open.
    pub(crate) const MODEL_TYPES: [&'static str; 3] = ["t5", "HHEMv2Config", "HHEMv2"];

    /// Reads `config.json`; `file` is named in errors, and `checker` is the manifest's entry.
    ///
    /// # Errors
    /// Invalid JSON, another class, no template, or a value that cannot be computed exactly.
    pub(crate) fn parse(json: &[u8], file: &str, checker: Option<&Checker>) -> Result<Self> {
        let (fields, raw) = (config_fields(json, file)?, config_fields(json, file)?);
        Self::of(fields, raw, checker).map_err(|reason| refuse(file, reason))
    }

    fn of(
        fields: Map<String, Value>,
        raw: Raw,
        checker: Option<&Checker>,
    ) -> std::result::Result<Self, String> {
        let is_hhem = raw.model_type != "t5";
        let (sizes, prefix) = if is_hhem {
            (hhem_sizes(fields), "t5.transformer.")
        } else {
            (Value::Object(fields), if raw.has_token_head() { "transformer." } else { "" })
        };
        let network = T5Config::of_value(sizes, prefix)?;
        let head = if is_hhem {
            Head::FirstToken("t5.classifier")
        } else if raw.has_token_head() {
            Head::FirstToken("classifier")
        } else {
            raw.answers(checker)?
        };
        let labels = match &head {
            Head::FirstToken(_) => labels_of(raw.id2label.as_ref(), raw.num_labels)?,
            Head::Answers { tokens, .. } => labels_of(raw.id2label.as_ref(), Some(tokens.len()))?,
        };
        if let Head::Answers { start, tokens } = &head {
            let is_known = |token: &u32| (*token as usize) < network.vocab_size;
            if !tokens.iter().chain([start]).all(is_known) || labels.len() != tokens.len() {
                return Err(format!(
                    "has answer_tokens {tokens:?} and decoder_start_token_id {start} for {} labels and {} tokens",
                    labels.len(),
                    network.vocab_size
                ));
            }
        }
        let prompt = raw.prompt.as_deref().or(is_hhem.then_some(HHEM_PROMPT)).map(template).transpose()?;
        if prompt.is_none() && checker.is_none() {
            return Err(
                "has no `prompt`: a T5 reads premise and hypothesis as one text; add the template that it was trained with, a text with {document} and {claim}"
                    .into(),
            );
        }
        Ok(Self { network, head, labels, prompt })
    }
}

impl Raw {
    fn has_token_head(&self) -> bool {
        self.architectures.iter().any(|class| class == WITH_HEAD)
    }

    /// The tokens of the answers, from the manifest or the configuration.
    fn answers(&self, checker: Option<&Checker>) -> std::result::Result<Head, String> {
        if !self.architectures.iter().all(|class| GENERATING.contains(&class.as_str())) {
            return Err(format!(
                "architectures is {:?}; a {WITH_HEAD} or {} is needed",
                short_ids(&self.architectures),
                GENERATING[0]
            ));
        }
        let published = checker.map(|checker| checker.answer_tokens.clone());
        let tokens = published.filter(|tokens| !tokens.is_empty()).unwrap_or(self.answer_tokens.clone());
        if tokens.len() < 2 {
            return Err(format!(
                "describes a {} without `answer_tokens`: to judge by the first token that it generates, add the ids of the tokens that stand for its labels",
                GENERATING[0]
            ));
        }
        Ok(Head::Answers { start: self.decoder_start_token_id.unwrap_or(0), tokens })
    }
}

/// HHEM's own configuration has no sizes: they are those of its foundation, google/flan-t5-base, which has the shape of
/// T5 v1.1 base (Chung et al. 2022).
fn hhem_sizes(own: Map<String, Value>) -> Value {
    let mut sizes = json!({
        "vocab_size": 32_128,
        "d_model": 768,
        "d_kv": 64,
        "d_ff": 2048,
        "num_layers": 12,
        "num_heads": 12,
        "feed_forward_proj": "gated-gelu",
    });
    if let Some(sizes) = sizes.as_object_mut() {
        sizes.extend(own);
    }
    sizes
}

/// A template with the names that HHEM's code gives to its texts, or ours.
fn template(text: &str) -> std::result::Result<PromptTemplate, String> {
    let named = text.replace("{text1}", "{document}").replace("{text2}", "{claim}");
    PromptTemplate::parse(&named)
        .ok_or("has a prompt without {document} before {claim}, each once".to_owned())
}
