//! `veridic-bench extract DOCUMENT SUMMARY`: the sentences of a long document that a summary is likely to be about.

use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use serde::Serialize;
use veridic::pipeline::Settings;
use veridic::text::{NormalizedText, sentences};
use veridic::{Pair, Scorer, Span};

use crate::extract::Extraction;
use crate::plan::known;
use crate::program::args::ExtractArgs;
use crate::program::plan;
use veridic_program::args::Format;
use veridic_program::{files, output};

/// A selected sentence.
#[derive(Serialize)]
struct Selected<'t> {
    text: &'t str,
    span: Span,
}

#[derive(Serialize)]
struct Extract<'t> {
    method: &'static str,
    budget: usize,
    rule: &'static str,
    sentences: Vec<Selected<'t>>,
    /// Sentences of the whole document.
    of: usize,
}

pub(super) fn run(args: &ExtractArgs) -> Result<ExitCode> {
    let (document, summary) = (files::read_text(&args.document)?, files::read_text(&args.summary)?);
    Pair::new(&document, &summary).check().with_context(|| files::name(&args.document))?;
    let scorer = Scorer::new(veridic_program::load::nli_model(&args.settings)?.0, Settings::default());
    let mut others = args.encoder.given()?;
    if let Some(tokenizer) = &args.budget_tokenizer {
        others.add(known("budget_tokenizer")?, tokenizer, "--budget-tokenizer")?;
    }
    let extraction = Extraction::new(args.method, args.budget).by(args.rule);
    let extraction = plan::extraction(extraction, others, &args.settings)?;
    let (document, summary) = (NormalizedText::of(&document), NormalizedText::of(&summary));
    let pair = Pair::new(document.text(), summary.text());
    let passages = extraction.passages(&scorer, &[pair], &veridic::schedule::ignore_events)?;
    let (given, spans) = (document.given(), sentences(document.text()));
    let selected = |sentence: &usize| {
        let span = document.given_span(spans[*sentence]);
        Selected { text: given.slice(span), span }
    };
    let sentences: Vec<Selected<'_>> = passages[0].sentences.iter().map(selected).collect();
    ensure!(!sentences.is_empty(), "{} {}", files::name(&args.document), extraction.empty_reason());
    match args.format {
        Format::Text => {
            for Selected { text, span } in &sentences {
                output::wrapped(&format!("[{}, {}] {}", span.start, span.end, output::visible(text)), 4)?;
            }
        }
        Format::Json => {
            let of = spans.len();
            let (method, rule) = (args.method.name(), args.rule.name());
            let extract = Extract { method, budget: args.budget, rule, sentences, of };
            output::json(&extract)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
