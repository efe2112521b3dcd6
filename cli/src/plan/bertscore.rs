//! `--bertscore-*`: what BERTScore is computed with, loaded only where it is asked for.

use anyhow::{Context, Result, bail};
use veridic::extract::Method;
use veridic::find_model;
use veridic::metrics::{Metric, MetricChoice};
use veridic::similarity::bertscore::{BertScore, Idf};
use veridic_models::TextEncoder;

use crate::args::{BertScoreArgs, DeviceChoice, EncoderArgs, ExtractChoice, ProfileArgs};
use crate::{files, show};

/// The name of the model that its authors take for English.
const DEFAULT_MODEL: &str = "bertscore";

const IDF: &str = "--bertscore-idf";

/// Flags that nothing would come of are refused.
pub(crate) fn check(args: &ProfileArgs, metrics: &[MetricChoice]) -> Result<()> {
    let extracts = args.extract == Some(ExtractChoice::By(Method::BertScore));
    let unused = match has_bertscore(metrics) {
        true => None,
        false if extracts => args.bertscore.bertscore_idf.as_ref().map(|_| IDF),
        false => flag(&args.bertscore),
    };
    match unused {
        None => Ok(()),
        Some(flag) => bail!("{flag} is given, and --metric bertscore is not"),
    }
}

/// None where it is not asked for: `all` alone does not, for its model is a large download.
pub(crate) fn load(
    args: &ProfileArgs,
    metrics: &[MetricChoice],
    how: (DeviceChoice, bool),
) -> Result<Option<BertScore>> {
    let is_named = args.metric.iter().any(|name| name.starts_with(Metric::BertScore.name()));
    if !has_bertscore(metrics) || !(is_named || flag(&args.bertscore).is_some()) {
        return Ok(None);
    }
    Ok(Some(of(&args.bertscore, how)?))
}

/// What the flags describe; `how`: where it is computed, and whether nothing is noted.
pub(crate) fn of(args: &BertScoreArgs, how: (DeviceChoice, bool)) -> Result<BertScore> {
    let encoder = encoder(&args.encoder, DEFAULT_MODEL, how)?;
    let idf = match &args.bertscore_idf {
        None => None,
        Some(file) => {
            let sentences = files::read_text(file)?;
            Some(Idf::of(sentences.lines(), &encoder).with_context(|| files::name(file))?)
        }
    };
    Ok(BertScore::new(encoder, idf))
}

/// The encoder that the flags describe, else the one of `usual`.
pub(crate) fn encoder(
    args: &EncoderArgs,
    usual: &str,
    (on, quiet): (DeviceChoice, bool),
) -> Result<TextEncoder> {
    let name = args.bertscore_model.as_deref().unwrap_or(usual);
    let source = find_model(name).with_context(|| format!("--bertscore-model {name}"))?;
    let encoder = TextEncoder::load_on(&source, args.bertscore_layer, &on.open()?)
        .with_context(|| format!("--bertscore-model {name}"))?;
    if args.bertscore_layer.is_none() && TextEncoder::published_layer(&source).is_none() && !quiet {
        show::note(&format!(
            "note: which layer of {name} is best is not published: its last, {}, is taken; --bertscore-layer takes another",
            encoder.layer()
        ));
    }
    Ok(encoder)
}

fn has_bertscore(metrics: &[MetricChoice]) -> bool {
    metrics.iter().any(|choice| choice.metric == Metric::BertScore)
}

/// A flag that is about BERTScore.
pub(crate) fn flag(args: &BertScoreArgs) -> Option<&'static str> {
    let given = [
        ("--bertscore-model", args.encoder.bertscore_model.is_some()),
        ("--bertscore-layer", args.encoder.bertscore_layer.is_some()),
        (IDF, args.bertscore_idf.is_some()),
    ];
    given.into_iter().find_map(|(flag, is_given)| is_given.then_some(flag))
}
