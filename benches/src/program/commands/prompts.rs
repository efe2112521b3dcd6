//! `veridic-bench prompts METRIC INPUT... -o FILE`: writes the requests to a language model that a metric as published
//! needs. Nothing is sent.

use std::process::ExitCode;
use std::sync::Arc;

use crate::Evaluator;
use crate::llm::LanguageModel;
use crate::metrics::{METRIC_INPUTS, MetricChoice};
use anyhow::{Context, Result, ensure};
use veridic::corpus::field_text;
use veridic::corpus::read::{Lost, Origin, RawRow, Row, RowNames, Source};
use veridic::pipeline::ClaimExtractor;
use veridic::rules::ClaimsChoice;
use veridic::{Pair, WriteClaims};
use veridic_models::store::quoting::listed_names;

use crate::program::args::PromptsArgs;
use crate::program::collecting::Collecting;
use crate::program::settings::Metrics;
use crate::program::{asking, plan};

/// The number of rows evaluated together. It affects speed and memory, never a request.
const ROWS_TOGETHER: usize = 64;

/// The metric whose requests are for claims.
const FENICE: &str = "fenice";

/// Finds the requests of rows.
enum Finder {
    Metric(Box<Evaluator>),
    Claims(ClaimExtractor, LanguageModel),
}

/// The texts of a row.
enum Texts {
    Row(Box<Row>),
    /// Requests for claims, which need no document.
    Summary(String, Origin),
}

pub(super) fn run(args: &PromptsArgs) -> Result<ExitCode> {
    ensure!(
        args.settings.metrics().metric.is_empty(),
        "--metric: the metric is the first argument, such as `veridic-bench prompts finesure`"
    );
    let choice: MetricChoice = args.name.parse().with_context(|| args.name.clone())?;
    ensure!(
        args.name == FENICE || !choice.steps().is_empty(),
        "{} asks no language model: METRIC is fenice, finesure, sumautoeval, rating or tofueval",
        args.name
    );
    let mut names = RowNames::new(args.rows.document_field.clone(), args.rows.summary_field.clone())?;
    names.inputs = METRIC_INPUTS;
    let rows = Source::find(&args.inputs, args.rows.input_format)?.rows();
    let requests = &args.requests;
    let mut collecting =
        Collecting::start(&requests.output, requests.batch_model.as_deref(), &args.settings.metrics())?;
    let finder = finder(args, &collecting)?;
    let mut together = Vec::new();
    for row in rows {
        match row.map(|raw| read(&finder, &names, raw)) {
            Ok(Ok(row)) => together.push(row),
            Ok(Err((reason, origin))) => collecting.refuse(&reason, &origin.to_string()),
            Err(fault) if fault.lost == Lost::Row => {
                collecting.refuse(&fault.reason, &fault.origin.to_string());
            }
            Err(fault) => return Err(fault.into()),
        }
        if together.len() == ROWS_TOGETHER {
            find(&finder, &mut collecting, &std::mem::take(&mut together));
        }
    }
    find(&finder, &mut collecting, &together);
    let counts = match &finder {
        Finder::Metric(evaluator) => evaluator.answer_counts(),
        Finder::Claims(_, model) => model.counts(),
    };
    collecting.finish(&counts, args.settings.quiet)
}

/// Returns the texts that a row's requests need, or the problem and its place.
fn read(finder: &Finder, names: &RowNames, raw: RawRow) -> Result<Texts, (String, Origin)> {
    match finder {
        Finder::Metric(_) => match names.read(raw) {
            Ok(row) => Ok(Texts::Row(Box::new(row))),
            Err(bad) => Err((bad.fault.reason, bad.fault.origin)),
        },
        Finder::Claims(..) => match names.summary_of(&raw.fields).map(str::to_owned) {
            None => Err((
                format!("has no summary (its fields: {})", listed_names(&raw.fields.names())),
                raw.origin,
            )),
            Some(name) => {
                let RawRow { origin, mut fields } = raw;
                match field_text(&mut fields, &name) {
                    Ok(summary) => Ok(Texts::Summary(summary, origin)),
                    Err(reason) => Err((reason, origin)),
                }
            }
        },
    }
}

fn finder(args: &PromptsArgs, collecting: &Collecting) -> Result<Finder> {
    if args.name == FENICE {
        ensure!(
            args.settings.claims().is_none_or(|claims| matches!(claims, ClaimsChoice::Answers(_))),
            "--claims: the claims of `veridic-bench prompts fenice` are those that a language model is asked for"
        );
        let claims = ClaimsChoice::Answers(None);
        let settings = args.settings.clone().with("claims", &claims.to_string());
        let model = asking::worded(collecting.model(), &settings)?;
        settings.model_settings()?;
        let writer: Arc<dyn WriteClaims> = Arc::new(model.clone());
        return Ok(Finder::Claims(ClaimExtractor::Written(writer), model));
    }
    let settings = args.settings.clone().with_metrics(std::slice::from_ref(&args.name));
    let model = asking::worded(collecting.model(), &settings)?;
    Ok(Finder::Metric(Box::new(plan::evaluator_asking(&settings, model)?)))
}

fn find(finder: &Finder, collecting: &mut Collecting, rows: &[Texts]) {
    let pairs: Vec<Pair<'_>> = rows.iter().map(Texts::pair).collect();
    let names: Vec<String> = rows.iter().map(|row| row.origin().to_string()).collect();
    match finder {
        Finder::Metric(evaluator) => collecting.evaluate(evaluator, &pairs, &names),
        Finder::Claims(extractor, _) => collecting.extract(extractor, &pairs, &names),
    }
}

impl Texts {
    fn pair(&self) -> Pair<'_> {
        match self {
            Self::Row(row) => row.pair(),
            Self::Summary(summary, _) => Pair::new("", summary),
        }
    }

    fn origin(&self) -> &Origin {
        match self {
            Self::Row(row) => &row.origin,
            Self::Summary(_, origin) => origin,
        }
    }
}
