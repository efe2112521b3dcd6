//! Models that settings name besides the judge: BERTScore's encoder, and the tokenizer that counts an extract's budget.

use std::fs;
use std::path::PathBuf;

use veridic_models::{TextEncoder, TokenCounter};

use veridic::plan::OnNote;
use veridic::{Error, Result, find_model};

use crate::similarity::bertscore::{BertScore, Idf};

/// The encoder that BERTScore's authors recommend for English.
pub(super) const USUAL_ENCODER: &str = "bertscore";

/// BERTScore's settings.
#[derive(Debug, Clone, Default)]
pub(super) struct EncoderPlan {
    /// The encoder: a name, a folder or a hub id.
    pub(super) model: Option<String>,
    /// The layer whose vectors are compared; 0 is the embeddings.
    pub(super) layer: Option<usize>,
    /// The file of sentences, one per line, that weight tokens.
    pub(super) idf: Option<PathBuf>,
}

/// A setting that is given, and its value.
pub(super) struct GivenSetting {
    pub(super) setting: &'static str,
    pub(super) value: String,
}

impl GivenSetting {
    fn new(setting: &'static str, value: impl ToString) -> Self {
        Self { setting, value: value.to_string() }
    }
}

impl EncoderPlan {
    /// The first setting that is given.
    pub(super) fn given(&self) -> Option<GivenSetting> {
        let Self { model, layer, idf } = self;
        let model = model.as_ref().map(|model| GivenSetting::new("bertscore_model", model));
        let layer = layer.map(|layer| GivenSetting::new("bertscore_layer", layer));
        let idf = idf.as_ref().map(|idf| GivenSetting::new("bertscore_idf", idf.display()));
        model.or(layer).or(idf)
    }

    /// BERTScore by these settings, with [`USUAL_ENCODER`] unless a model is given.
    ///
    /// # Errors
    /// When the encoder cannot be loaded, or the file has no sentence.
    pub(super) fn bertscore(&self, note: &mut OnNote<'_>) -> Result<BertScore> {
        let encoder = self.encoder(USUAL_ENCODER, note)?;
        let idf = match &self.idf {
            None => None,
            Some(file) => {
                let refuse = |expected: String| Error::setting("bertscore_idf", file.display(), expected);
                let text =
                    fs::read_to_string(file).map_err(|error| refuse(format!("cannot read it: {error}")))?;
                Some(Idf::of(text.lines(), &encoder).map_err(|error| match error {
                    Error::Setting { expected, .. } => refuse(expected),
                    other => other,
                })?)
            }
        };
        Ok(BertScore::new(encoder, idf))
    }

    /// Returns the encoder of these settings, or else `usual`.
    ///
    /// # Errors
    /// If it cannot be loaded.
    pub(super) fn encoder(&self, usual: &str, note: &mut OnNote<'_>) -> Result<TextEncoder> {
        let name = self.model.as_deref().unwrap_or(usual);
        let failed = |error| Error::SettingModel {
            setting: "bertscore_model",
            value: name.to_owned(),
            error: Box::new(error),
        };
        let source = find_model(name).map_err(failed)?;
        let encoder = TextEncoder::load(&source, self.layer).map_err(failed)?;
        if self.layer.is_none() && TextEncoder::published_layer(&source).is_none() {
            note(format!(
                "the best layer of {name} is not published: its last, {}, is used; --bertscore-layer sets another",
                encoder.layer()
            ));
        }
        Ok(encoder)
    }
}

/// The tokenizer of a model, for counting.
pub(super) fn token_counter(name: &str) -> Result<TokenCounter> {
    find_model(name).and_then(|source| TokenCounter::load(&source)).map_err(|error| Error::SettingModel {
        setting: "budget_tokenizer",
        value: name.to_owned(),
        error: Box::new(error),
    })
}
