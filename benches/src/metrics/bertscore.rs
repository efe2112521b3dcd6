//! BERTScore for the rows of a batch. Texts of several rows are encoded together; a row whose texts cannot be encoded does
//! not affect others.

use serde::Serialize;

use super::reference::reference_of;
use super::row::{Row, Rows};
use crate::similarity::bertscore::{BertScore, Overlap, TokenizedPair, batch_length};
use veridic::schedule::{Event, OnEvent, Stage, timed};
use veridic::{Error, Result};

/// The values behind the F1.
#[derive(Serialize)]
struct Facts<'f> {
    precision: f64,
    recall: f64,
    model: &'f str,
    layer: usize,
    idf: Option<IdfFacts<'f>>,
    cut: Cut,
}

/// The sentences that determine the weights of tokens.
#[derive(Serialize)]
struct IdfFacts<'f> {
    sentences: usize,
    sha256: &'f str,
}

/// The numbers of tokens cut at the encoder's limit.
#[derive(Serialize)]
struct Cut {
    summary: usize,
    reference: usize,
}

/// Adds the F1 to every row with a reference.
pub(super) fn measure(bertscore: Option<&BertScore>, rows: &mut Rows<'_>, on_event: &OnEvent<'_>) {
    let texts = rows.each(|row| {
        let tokenized = tokenize(bertscore, row);
        row.or_leave_out(&["bertscore"], tokenized)
    });
    let Some(bertscore) = bertscore else { return };
    let pairs: Vec<&TokenizedPair> = texts.iter().flatten().collect();
    let mut overlaps = overlaps(bertscore, &pairs, on_event).into_iter();
    rows.each_with(&texts, |row, texts| {
        let Some(texts) = texts else { return Ok(()) };
        let overlap = overlaps.next().unwrap_or(Err(Error::Stopped))?;
        add(bertscore, row, texts, overlap);
        Ok(())
    });
}

fn tokenize(bertscore: Option<&BertScore>, row: &Row<'_>) -> Result<TokenizedPair> {
    let reference = reference_of(row)?;
    let Some(bertscore) = bertscore else {
        return Err(Error::setting("metric", "bertscore", "needs an encoder: give --bertscore-model"));
    };
    bertscore.tokenize(row.texts.pair.summary, reference)
}

fn add(bertscore: &BertScore, row: &mut Row<'_>, texts: &TokenizedPair, overlap: Overlap) {
    let idf = bertscore.idf().map(|idf| IdfFacts { sentences: idf.sentences(), sha256: idf.sha256() });
    row.measures.add("bertscore", overlap.f1);
    row.measures.add_facts(
        "bertscore_facts",
        &Facts {
            precision: overlap.precision,
            recall: overlap.recall,
            model: &bertscore.encoder().identity().id,
            layer: bertscore.encoder().layer(),
            idf,
            cut: Cut { summary: texts.candidate.cut, reference: texts.reference.cut },
        },
    );
}

/// Computes the overlaps batch by batch, until `on_event` ends the work.
fn overlaps(bertscore: &BertScore, pairs: &[&TokenizedPair], on_event: &OnEvent<'_>) -> Vec<Result<Overlap>> {
    let mut overlaps = Vec::with_capacity(pairs.len());
    let mut rest = pairs;
    while !rest.is_empty() {
        let (batch, others) = rest.split_at(batch_length(rest.iter().map(|pair| pair.tokens())));
        overlaps.extend(timed(Stage::Model, on_event, || of_batch(bertscore, batch)));
        let tokens = batch.iter().map(|pair| pair.tokens()).sum();
        if on_event(Event::Computed { pairs: batch.len(), tokens }).is_break() {
            break;
        }
        rest = others;
    }
    overlaps
}

/// Computes the overlaps of a batch together or, if that fails, one by one, so that an error concerns only its pair.
fn of_batch(bertscore: &BertScore, pairs: &[&TokenizedPair]) -> Vec<Result<Overlap>> {
    match bertscore.overlaps(pairs) {
        Ok(overlaps) => overlaps.into_iter().map(Ok).collect(),
        Err(error) if pairs.len() == 1 => vec![Err(error)],
        Err(_) => pairs.iter().flat_map(|pair| of_batch(bertscore, &[pair])).collect(),
    }
}
