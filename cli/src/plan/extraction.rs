//! `--extract`, `--extract-rule`, `--budget`, `--budget-tokenizer`: what is taken out of documents before they are judged.

use anyhow::{Context, Result};
use veridic::extract::{Extraction, Method, Rule};
use veridic::find_model;
use veridic_models::TokenCounter;

use super::bertscore;
use crate::args::{EncoderArgs, ModelArgs};

/// What the flags describe; what BERTScore compares comes from the NLI model unless they say otherwise.
pub(crate) fn of(
    (method, rule, budget): (Method, Rule, usize),
    budget_tokenizer: Option<&str>,
    encoder: &EncoderArgs,
    model: &ModelArgs,
) -> Result<Extraction> {
    let mut extraction = Extraction::new(method, budget).by(rule);
    if let Some(name) = budget_tokenizer {
        let counter = find_model(name).and_then(|source| TokenCounter::load(&source));
        extraction = extraction.counting(counter.with_context(|| format!("--budget-tokenizer {name}"))?);
    }
    if method == Method::BertScore {
        let how = (model.device.choice, model.quiet);
        extraction = extraction.encoding(bertscore::encoder(encoder, &model.model, how)?);
    }
    Ok(extraction)
}
