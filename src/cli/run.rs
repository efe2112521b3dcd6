//! `veridic run INPUT -o OUTPUT`

use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};
use serde_json::value::RawValue;
use veridic::corpus::{Fields, RowOutput, field_text, field_texts, parse_rows};
use veridic::{Pair, Scorer};

use super::args::{ClaimsChoice, RunArgs};
use super::files::{self, NewFile};
use super::plan;
use super::progress::Progress;

/// Rows that travel together. Changes speed and memory, never a result.
const ROWS_TOGETHER: usize = 16;

struct Row {
    line: usize,
    id: Option<Box<RawValue>>,
    document: String,
    summary: String,
    claims: Option<Vec<String>>,
    rest: Fields,
}

pub(super) fn run(args: &RunArgs) -> Result<ExitCode> {
    let name = files::name(&args.input);
    let given = args.profile.claims == ClaimsChoice::Given;
    let rows = read(&files::read_text(&args.input)?, given).with_context(|| name.clone())?;
    let mut output = NewFile::create(&args.output)?;
    let scorer = plan::scorer(&args.model, &args.profile)?;
    let progress = Progress::new(rows.len(), args.model.quiet);
    for rows in rows.chunks(ROWS_TOGETHER) {
        score(&scorer, rows, &mut output, &progress).with_context(|| name.clone())?;
        progress.rows_done(rows.len());
    }
    output.finish()?;
    progress.finish();
    Ok(ExitCode::SUCCESS)
}

/// Every row is read and checked before the first is judged; `given`: it must have claims.
fn read(text: &str, given: bool) -> Result<Vec<Row>> {
    let rows = parse_rows(text, |mut fields| {
        let document = field_text(&mut fields, "document")?;
        let summary = field_text(&mut fields, "summary")?;
        Pair::new(&document, &summary).check().map_err(|e| e.to_string())?;
        let claims = given.then(|| field_texts(&mut fields, "claims")).transpose()?;
        Ok(Row { line: 0, id: fields.take("id"), document, summary, claims, rest: fields })
    })?;
    Ok(rows.into_iter().map(|(line, row)| Row { line, ..row }).collect())
}

fn score(scorer: &Scorer, rows: &[Row], output: &mut NewFile, progress: &Progress) -> Result<()> {
    let pairs: Vec<Pair<'_>> = rows
        .iter()
        .map(|row| Pair { claims: row.claims.as_deref(), ..Pair::new(&row.document, &row.summary) })
        .collect();
    let results = scorer.score_batch(&pairs, &|done| progress.batch(done));
    for (row, result) in rows.iter().zip(results) {
        let result = result.map_err(|error| anyhow!(error).context(format!("line {}", row.line)))?;
        let line = serde_json::to_string(&RowOutput::new(row.id.as_deref(), &result, &row.rest))
            .context("cannot write JSON")?;
        output.write_line(&line)?;
    }
    Ok(())
}
