//! Flags of BERTScore's encoder.

use std::path::PathBuf;

use crate::plan::known;
use clap::Args;
use veridic::settings::Given;

/// BERTScore's encoder.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct EncoderArgs {
    /// BERTScore's encoder: a name, a folder or a hub id
    ///
    /// BERT, RoBERTa, MPNet, ALBERT, ModernBERT or DeBERTa, pulled before. The default is bertscore (FacebookAI/roberta-large) for the
    /// metric, and the NLI model for extracts. --metric all leaves BERTScore out unless one of its flags is given.
    #[arg(long, value_name = "MODEL", help_heading = "Metrics")]
    pub(crate) bertscore_model: Option<String>,
    /// The layer whose vectors are compared; 0 is the embeddings
    ///
    /// By default the layer published as the model's best, 17 for bertscore; else the last.
    #[arg(long, value_name = "N", help_heading = "Metrics")]
    pub(crate) bertscore_layer: Option<usize>,
}

/// BERTScore's encoder and weights.
#[derive(Debug, Clone, Args)]
pub(crate) struct BertScoreArgs {
    #[command(flatten)]
    pub(crate) encoder: EncoderArgs,
    /// Text file of sentences, one a line, that weigh BERTScore's tokens
    ///
    /// A token in many of the sentences has a low weight.
    #[arg(long, value_name = "FILE", help_heading = "Metrics")]
    pub(crate) bertscore_idf: Option<PathBuf>,
}

impl EncoderArgs {
    /// These flags as settings.
    pub(crate) fn given(&self) -> veridic::Result<Given> {
        let mut given = Given::default();
        if let Some(model) = &self.bertscore_model {
            given.add(known("bertscore_model")?, model, "--bertscore-model")?;
        }
        if let Some(layer) = self.bertscore_layer {
            given.add(known("bertscore_layer")?, layer.to_string(), "--bertscore-layer")?;
        }
        Ok(given)
    }
}

impl BertScoreArgs {
    /// These flags as settings.
    pub(crate) fn given(&self) -> veridic::Result<Given> {
        let mut given = self.encoder.given()?;
        if let Some(file) = &self.bertscore_idf {
            given.add(known("bertscore_idf")?, file.display().to_string(), "--bertscore-idf")?;
        }
        Ok(given)
    }

    /// The first of these flags that is given.
    pub(crate) fn first(&self) -> Option<String> {
        self.given().ok()?.iter().next().map(|given| given.by.clone())
    }
}
