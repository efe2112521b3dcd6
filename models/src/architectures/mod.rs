//! The choice of a network: `model_type` of config.json selects the architecture, whose configuration builds the network
//! by fused kernels or by candle's operations. Refuses types and classes that are not supported.

mod config;
mod layered;
mod modernbert;
mod t5;

use serde::Deserialize;
use veridic_store::Entry;
use veridic_store::quoting::{short_id, short_ids};

pub(crate) use self::config::{EncoderConfig, Facts, NetworkConfig, classifier_on, encoder_on};
pub(crate) use self::layered::LayeredConfig;
use crate::bert::{BertConfig, Family};
use crate::config_json::config_fields;
use crate::deberta::{DebertaConfig, Version};
use crate::error::{ModelError, Result, refuse};
use crate::modernbert::ModernBertConfig;
use crate::t5::T5JudgeConfig;

/// The fields that select the architecture.
#[derive(Deserialize)]
struct Kind {
    model_type: Option<String>,
    architectures: Option<Vec<String>>,
}

/// The architectures.
enum Architecture {
    Deberta(Version),
    Bert(Family),
    ModernBert,
    T5,
}

impl Kind {
    fn architecture(&self) -> Option<Architecture> {
        let kind = self.model_type.as_deref()?;
        match kind {
            ModernBertConfig::MODEL_TYPE => Some(Architecture::ModernBert),
            _ if T5JudgeConfig::MODEL_TYPES.contains(&kind) => Some(Architecture::T5),
            _ => Family::of(kind)
                .map(Architecture::Bert)
                .or_else(|| DebertaConfig::version_of(kind).map(Architecture::Deberta)),
        }
    }

    /// The error on a type that is not supported.
    fn unsupported(&self, file: &str, models: &str, more: &[&str]) -> ModelError {
        let given = self.model_type.as_deref().map_or("missing", short_id);
        let families = Family::ALL.map(Family::model_type);
        let debertas = DebertaConfig::MODEL_TYPES.map(|(name, _)| name);
        let kinds = families.iter().chain(&[ModernBertConfig::MODEL_TYPE]).chain(more).chain(&debertas);
        let kinds: Vec<String> = kinds.map(|kind| format!("`{kind}`")).collect();
        let (last, others) = kinds.split_last().expect("there are architectures");
        let reason = format!(
            "model_type is `{given}`; {models} of type {} and {last} are supported",
            others.join(", ")
        );
        refuse(file, reason)
    }
}

/// Reads the `config.json` of a sequence classifier; `file` is named in errors, and `entry` is the manifest's for the
/// model.
pub(crate) fn classifier_config(
    json: &[u8],
    file: &str,
    entry: Option<&Entry>,
) -> Result<Box<dyn NetworkConfig>> {
    let kind: Kind = config_fields(json, file)?;
    let class = match kind.architecture() {
        Some(Architecture::T5) => {
            let checker = entry.and_then(|entry| entry.checker.as_ref());
            return Ok(Box::new(T5JudgeConfig::parse(json, file, checker)?));
        }
        Some(Architecture::Deberta(Version::One)) => "DebertaForSequenceClassification",
        Some(Architecture::Deberta(Version::Two)) => "DebertaV2ForSequenceClassification",
        Some(Architecture::Bert(family)) => family.classifier_class(),
        Some(Architecture::ModernBert) => "ModernBertForSequenceClassification",
        None => return Err(kind.unsupported(file, "NLI models", &T5JudgeConfig::MODEL_TYPES)),
    };
    let architectures = kind.architectures.unwrap_or_default();
    if !architectures.is_empty() && !architectures.iter().any(|given| given == class) {
        let reason = format!("architectures is {:?}; a {class} is needed", short_ids(&architectures));
        return Err(refuse(file, reason));
    }
    Ok(encoder_config(json, file)?)
}

/// The same for any head: only the encoder is used.
pub(crate) fn encoder_config(json: &[u8], file: &str) -> Result<Box<dyn EncoderConfig>> {
    let kind: Kind = config_fields(json, file)?;
    Ok(match kind.architecture() {
        Some(Architecture::Deberta(_)) => Box::new(LayeredConfig::Deberta(DebertaConfig::parse(json, file)?)),
        Some(Architecture::Bert(_)) => Box::new(LayeredConfig::Bert(BertConfig::parse(json, file)?)),
        Some(Architecture::ModernBert) => Box::new(ModernBertConfig::parse(json, file)?),
        Some(Architecture::T5) | None => return Err(kind.unsupported(file, "encoders", &[])),
    })
}
