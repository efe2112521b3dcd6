//! `veridic claims FILE`: the claims of summaries, without judging them.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, ensure};
use serde::Serialize;
use serde_json::value::RawValue;
use veridic::corpus::{field_text, field_texts, parse_rows};
use veridic::pipeline::{ClaimExtractor, Claims, ClaimsFrom, Summary, ToldClaim, check_text};
use veridic::text::{Span, TextIndex};

use super::args::{ClaimsArgs, ClaimsChoice, ExtractorArgs, Format};
use super::{files, plan, show};

/// Summaries whose claims are extracted together. Changes speed and memory, never a result.
const SUMMARIES_TOGETHER: usize = 64;

struct Row {
    line: Option<usize>,
    id: Option<Box<RawValue>>,
    summary: String,
    claims: Option<Vec<String>>,
}

/// One line of output.
#[derive(Serialize)]
struct RowClaims<'r> {
    id: Option<&'r RawValue>,
    claims: Vec<ToldClaim<'r>>,
}

pub(super) fn run(args: &ClaimsArgs) -> Result<ExitCode> {
    let is_corpus = args.file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("jsonl"));
    ensure!(
        is_corpus || args.extractor.claims != ClaimsChoice::Given,
        "--claims given: claims are given in the rows of a .jsonl file"
    );
    let name = files::name(&args.file);
    let rows = read(&args.file, is_corpus, &args.extractor.claims).with_context(|| name.clone())?;
    plan::set_threads(args.extractor.threads)?;
    let ExtractorArgs { claims, device, quiet, .. } = &args.extractor;
    let extractor = plan::claim_extractor(claims, device.choice, *quiet)?;
    for rows in rows.chunks(SUMMARIES_TOGETHER) {
        print(&extractor, rows, args.extractor.format).with_context(|| name.clone())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Every row is read and checked before the first claim is extracted.
fn read(file: &Path, is_corpus: bool, choice: &ClaimsChoice) -> Result<Vec<Row>> {
    let text = files::read_text(file)?;
    if !is_corpus {
        check_text("summary", &text)?;
        return Ok(vec![Row { line: None, id: None, summary: text, claims: None }]);
    }
    let rows = parse_rows(&text, |mut fields| {
        let summary = field_text(&mut fields, "summary")?;
        check_text("summary", &summary).map_err(|error| error.to_string())?;
        let given = *choice == ClaimsChoice::Given;
        let claims = given.then(|| field_texts(&mut fields, "claims")).transpose()?;
        Ok(Row { line: None, id: fields.take("id"), summary, claims })
    })?;
    Ok(rows.into_iter().map(|(line, row)| Row { line: Some(line), ..row }).collect())
}

fn print(extractor: &ClaimExtractor, rows: &[Row], format: Format) -> Result<()> {
    let summaries: Vec<Summary<'_>> =
        rows.iter().map(|row| Summary { text: &row.summary, claims: row.claims.as_deref() }).collect();
    let all = extractor.extract(&summaries)?;
    for (row, claims) in rows.iter().zip(&all) {
        match format {
            Format::Json => show::lines(&[json(row, claims)?])?,
            Format::Text => show::claims(row.line, &texts(&row.summary, claims))?,
        }
        if claims.from == ClaimsFrom::WholeSummary {
            let place = row.line.map_or(String::new(), |line| format!("line {line}: "));
            show::note(&format!("note: {place}no claim was found, the whole summary is the claim"));
        }
    }
    Ok(())
}

fn json(row: &Row, claims: &Claims) -> Result<String> {
    let claims = claims.told(&row.summary);
    serde_json::to_string(&RowClaims { id: row.id.as_deref(), claims }).map_err(|error| anyhow!(error))
}

/// Each sentence that has claims, with these.
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
