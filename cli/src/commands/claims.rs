//! `veridic claims FILE`: extracts the claims of summaries without judging them. A row that cannot be read yields an error
//! row in the same position; the other rows are still printed, and the exit code is 2.

use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use serde::Serialize;
use serde_json::value::RawValue;
use veridic::Span;
use veridic::corpus::read::SUMMARY_SENTENCES;
use veridic::corpus::{Fields, each_row, field_text, field_texts};
use veridic::pipeline::{ClaimExtractor, Claims, Summary, check_text};
use veridic::result::ClaimsFrom;
use veridic::schedule::ignore_events;
use veridic::text::TextIndex;

use super::error_rows::error_rows;
use veridic::rules::ClaimsChoice;

use crate::args::ClaimsArgs;
use crate::show;
use veridic_program::args::{ExtractorArgs, Format};
use veridic_program::files::TextFile;
use veridic_program::{files, load, output};

/// The number of summaries whose claims are extracted together. It affects speed and memory, never a result.
const SUMMARIES_TOGETHER: usize = 64;

/// A summary with its given claims and sentences.
struct Text {
    summary: String,
    claims: Option<Vec<String>>,
    sentences: Option<Vec<String>>,
}

impl Text {
    fn summary(&self) -> Summary<'_> {
        let (claims, sentences) = (self.claims.as_deref(), self.sentences.as_deref());
        Summary { claims, sentences, layout: Some(&[]), ..Summary::new(&self.summary) }
    }
}

/// A row: its text, or why it cannot be read.
struct Row {
    line: Option<usize>,
    id: Option<Box<RawValue>>,
    text: Result<Text, String>,
}

/// The line of output for a row that cannot be read.
#[derive(Serialize)]
struct RowError<'r> {
    id: Option<&'r RawValue>,
    error: &'r str,
}

pub(super) fn run(args: &ClaimsArgs) -> Result<ExitCode> {
    let is_corpus = args.file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("jsonl"));
    ensure!(
        is_corpus || args.extractor.claims != ClaimsChoice::Given,
        "--claims given: needs a .jsonl file whose rows have the field `claims`"
    );
    let name = files::name(&args.file);
    let rows = if is_corpus { rows_of(args) } else { summary_of(args) }.with_context(|| name.clone())?;
    load::set_threads(args.extractor.threads)?;
    let ExtractorArgs { claims, quiet, .. } = &args.extractor;
    let extractor = load::claim_extractor(claims, None, *quiet)?;
    let mut failed = 0;
    for rows in rows.chunks(SUMMARIES_TOGETHER) {
        failed += print(&extractor, rows, args.extractor.format).with_context(|| name.clone())?;
    }
    Ok(error_rows(&name, failed, rows.len()))
}

/// Reads and checks a file that is one summary.
fn summary_of(args: &ClaimsArgs) -> Result<Vec<Row>> {
    let file = TextFile::read(&args.file, args.read_as.into())?;
    file.note_kind(args.extractor.quiet);
    check_text("summary", &file.text)?;
    Ok(vec![Row {
        line: None,
        id: None,
        text: Ok(Text { summary: file.text, claims: None, sentences: None }),
    }])
}

/// Reads and checks every row before the first claim is extracted.
fn rows_of(args: &ClaimsArgs) -> Result<Vec<Row>> {
    let text = files::read_text(&args.file)?;
    let given = args.extractor.claims == ClaimsChoice::Given;
    let rows = each_row(&text, |mut fields| {
        let id = fields.take("id");
        Ok(Row { line: None, id, text: row_text(fields, given) })
    });
    let mut read = Vec::new();
    for (line, row) in rows {
        // A line that is not an object has no id.
        let row = row.unwrap_or_else(|reason| Row { line: None, id: None, text: Err(reason) });
        let text = row.text.map_err(|reason| at_line(Some(line), &reason));
        read.push(Row { line: Some(line), text, ..row });
    }
    Ok(read)
}

/// Prefixes a message with the line of its row.
fn at_line(line: Option<usize>, message: &str) -> String {
    line.map_or_else(|| message.to_owned(), |line| format!("line {line}: {message}"))
}

fn row_text(mut fields: Fields, given: bool) -> Result<Text, String> {
    let summary = field_text(&mut fields, "summary")?;
    let claims = given.then(|| field_texts(&mut fields, "claims")).transpose()?;
    let sentences = fields.get(SUMMARY_SENTENCES).is_some_and(|value| value.get() != "null");
    let sentences = sentences.then(|| field_texts(&mut fields, SUMMARY_SENTENCES)).transpose()?;
    let text = Text { summary, claims, sentences };
    text.summary().check().map_err(|error| error.to_string())?;
    Ok(text)
}

/// Prints the rows; returns the number of rows without claims.
fn print(extractor: &ClaimExtractor, rows: &[Row], format: Format) -> Result<usize> {
    let good = rows.iter().flat_map(|row| &row.text);
    let summaries: Vec<Summary<'_>> = good.map(Text::summary).collect();
    // One item per row that has a text.
    let mut all = extractor.extract_each(&summaries, &ignore_events).into_iter();
    let mut failed = 0;
    for row in rows {
        let error = match &row.text {
            Ok(text) => match all.next().expect("the extractor returns a result for each summary") {
                Ok(claims) => {
                    print_claims(row, text, &claims, format)?;
                    continue;
                }
                Err(error) => at_line(row.line, &error.to_string()),
            },
            Err(error) => error.clone(),
        };
        print_error(row, &error, format)?;
        failed += 1;
    }
    Ok(failed)
}

fn print_claims(row: &Row, text: &Text, claims: &Claims, format: Format) -> Result<()> {
    match format {
        Format::Json => {
            output::json(&show::RowClaims { id: row.id.as_deref(), claims: claims.records(&text.summary) })?;
        }
        Format::Text => show::claims(row.line, &texts(&text.summary, claims))?,
    }
    if claims.from == ClaimsFrom::WholeSummary {
        let place = row.line.map_or(String::new(), |line| format!("line {line}: "));
        output::note(&format!("note: {place}no claim was found; the whole summary is the claim"));
    }
    Ok(())
}

fn print_error(row: &Row, error: &str, format: Format) -> Result<()> {
    match format {
        Format::Json => output::json(&RowError { id: row.id.as_deref(), error }),
        Format::Text => output::wrapped(&format!("error: {}", output::visible(error)), 4),
    }
}

/// Returns the sentences that have claims, each with its claims.
fn texts<'c>(summary: &str, claims: &'c Claims) -> Vec<(String, Vec<&'c str>)> {
    let index = TextIndex::new(summary);
    let mut sentences: Vec<(Span, Vec<&str>)> = Vec::new();
    for claim in &claims.claims {
        match sentences.last_mut() {
            Some((sentence, texts)) if *sentence == claim.sentence => texts.push(&claim.text),
            _ => sentences.push((claim.sentence, vec![&claim.text])),
        }
    }
    sentences.into_iter().map(|(span, texts)| (index.slice(span).to_owned(), texts)).collect()
}
