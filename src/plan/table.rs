//! The keys of settings outside the rules: the judge and its execution. They form one table with the keys of the rules
//! ([`all_settings`]).

use std::num::NonZeroUsize;

use veridic_models::{AlignHead, ComputeDevice};

use super::device::{Dtype, device};
use crate::error::Result;
use crate::rules;
use crate::settings::{
    Given, MODEL_GROUP, Row, Setting, list, list_text, number, off_or, off_or_text, parsed,
};

/// The settings of the judge and its execution.
#[derive(Debug, Clone)]
pub struct ModelSettings {
    /// Names of the model's outputs in order, if its configuration does not name them.
    pub labels: Option<Vec<String>>,
    /// The head of an AlignScore checkpoint; its three-way head by default.
    pub align_head: Option<AlignHead>,
    /// The device that computes the models.
    pub device: ComputeDevice,
    /// The dtype of the NLI model's products.
    pub dtype: Dtype,
    /// Maximum tokens per batch. Changes speed and memory, never a result.
    pub batch_tokens: Option<NonZeroUsize>,
    /// The model that finds the unsupported words of claims, instead of the NLI model's own head.
    pub token_classifier: Option<String>,
    /// Size in megabytes of the in-memory cache of pairs. Changes speed and memory, never a result.
    pub cache_mb: usize,
}

impl Default for ModelSettings {
    fn default() -> Self {
        Self {
            labels: None,
            align_head: None,
            device: ComputeDevice::default(),
            dtype: Dtype::default(),
            batch_tokens: None,
            token_classifier: None,
            cache_mb: USUAL_CACHE_MB,
        }
    }
}

impl ModelSettings {
    /// Reads the given settings.
    ///
    /// # Errors
    /// When a value is invalid for its key.
    pub fn of(given: &Given) -> Result<Self> {
        let mut settings = Self::default();
        Row::apply(MODEL, given, &mut settings)?;
        Ok(settings)
    }
}

/// The default of `cache_mb`.
const USUAL_CACHE_MB: usize = 32;

/// All settings of the library, rules first.
pub fn all_settings() -> impl Iterator<Item = &'static Setting> + Clone {
    rules::settings().chain(MODEL.iter().map(|row| &row.setting))
}

/// The setting with this key.
#[must_use]
pub fn find_setting(key: &str) -> Option<&'static Setting> {
    all_settings().find(|setting| setting.key == key)
}

/// Every key of the judge.
const MODEL: &[Row<ModelSettings>] = &[
    Row {
        setting: Setting {
            key: "device",
            value: "DEVICE",
            about: "Where models are computed: cpu, cuda[:N], metal",
            more: "cuda and metal are GPUs, and cpu-candle is the GPUs' code on the processor; a program has those that it was \
             built with (docs/how-to/gpu.md). Pairs of mentions are scored on the processor.",
            has_flag: true,
            group: MODEL_GROUP,
        },
        read: |model, text| {
            model.device = device(text)?;
            Ok(())
        },
        show: |model| model.device.to_string(),
    },
    Row {
        setting: Setting {
            key: "dtype",
            value: "DTYPE",
            about: "The dtype of the NLI model: auto, f32, int8, bf16",
            more: "auto: the fastest accurate one: int8 for weights stored in 8 bits, such as those of base, else bf16 if the \
             processor can multiply it, else f32; on GPUs bf16. int8: 8-bit integers with scales; bf16: needs AMX or AVX-512 BF16. \
             docs/explanation/arithmetic.md compares speed and accuracy.",
            has_flag: true,
            group: MODEL_GROUP,
        },
        read: |model, text| parsed(&mut model.dtype, text),
        show: |model| model.dtype.to_string(),
    },
    Row {
        setting: model(
            "labels",
            "NAME,...",
            "Names of the model's outputs in order, if its config.json has none",
        ),
        read: |model, text| off_or(&mut model.labels, text, list),
        show: |model| model.labels.as_ref().map_or_else(|| "off".to_owned(), |labels| list_text(labels)),
    },
    Row {
        setting: model("align_head", "HEAD", "The head of an AlignScore checkpoint: nli or bin"),
        read: |model, text| off_or(&mut model.align_head, text, |text| text.parse().map_err(as_text)),
        show: |model| off_or_text(model.align_head.as_ref()),
    },
    Row {
        setting: model(
            "batch_tokens",
            "N",
            "Maximum tokens per batch; changes speed and memory, never a result",
        ),
        read: |model, text| {
            off_or(&mut model.batch_tokens, text, |text| text.parse().map_err(|_| WHOLE.to_owned()))
        },
        show: |model| off_or_text(model.batch_tokens.as_ref()),
    },
    Row {
        setting: model(
            "token_classifier",
            "MODEL",
            "Model that marks a claim's unsupported words, instead of the judge's head",
        ),
        read: |model, text| off_or(&mut model.token_classifier, text, own),
        show: |model| off_or_text(model.token_classifier.as_ref()),
    },
    Row {
        setting: model(
            "cache_mb",
            "N",
            "Megabytes of the in-memory cache of pairs; changes speed, never a result",
        ),
        read: |model, text| {
            model.cache_mb = number(text, 0)?;
            Ok(())
        },
        show: |model| model.cache_mb.to_string(),
    },
];

const WHOLE: &str = "give a whole number from 1 on";

const fn model(key: &'static str, value: &'static str, about: &'static str) -> Setting {
    Setting { key, value, about, more: "", has_flag: false, group: MODEL_GROUP }
}

fn own(text: &str) -> std::result::Result<String, String> {
    Ok(text.to_owned())
}

fn as_text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::known;

    #[test]
    fn every_default_is_read_back_from_its_text() {
        let model = ModelSettings::of(&Given::default()).unwrap();
        let mut same = model.clone();
        for row in MODEL {
            let text = (row.show)(&model);
            (row.read)(&mut same, &text).unwrap_or_else(|expected| panic!("{}: {expected}", row.setting.key));
            assert_eq!((row.show)(&same), text);
        }
    }

    #[test]
    fn keys_are_unique() {
        let mut keys: Vec<&str> = all_settings().map(|setting| setting.key).collect();
        let all = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), all);
    }

    #[test]
    fn an_unknown_key_is_refused_with_the_nearest_one() {
        let unknown = known(all_settings(), "windw").unwrap_err().to_string();
        assert!(unknown.contains("`windw`") && unknown.contains("did you mean `window`"), "{unknown}");
    }

    #[test]
    fn the_reference_page_has_every_key_with_its_value_and_line() {
        let page = include_str!("../../docs/reference/settings.md");
        for Setting { key, value, about, .. } in all_settings() {
            let row = format!("| `{key}` | `{}` | {about} |", value.replace('|', "\\|"));
            assert!(page.contains(&row), "docs/reference/settings.md lacks this row:\n{row}");
        }
    }
}
