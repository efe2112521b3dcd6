//! BERTScore of the rows of a batch: texts of several rows go through the encoder together, and a row whose texts it
//! cannot take fails alone.

use serde::Serialize;

use crate::error::{Error, Result};
use crate::metrics::Evaluator;
use crate::metrics::choice::Metric;
use crate::metrics::reference::reference_of;
use crate::metrics::row::{Row, Rows};
use crate::schedule::{Event, OnEvent, Stage, timed};
use crate::similarity::bertscore::formula::Overlap;
use crate::similarity::bertscore::{BertScore, Compared};

/// Tokens that are encoded together, unless one row has more. Changes speed and memory, never a result.
const BATCH_TOKENS: usize = 2048;

/// What the number is made of.
#[derive(Serialize)]
struct Facts<'f> {
    precision: f64,
    recall: f64,
    model: &'f str,
    layer: usize,
    idf: Option<IdfFacts<'f>>,
    cut: Cut,
}

/// The sentences that tokens are weighed by.
#[derive(Serialize)]
struct IdfFacts<'f> {
    sentences: usize,
    sha256: &'f str,
}

/// Tokens that are beyond the encoder's limit.
#[derive(Serialize)]
struct Cut {
    summary: usize,
    reference: usize,
}

/// Adds the F1 to every row with a reference.
pub(super) fn measure(evaluator: &Evaluator, rows: &mut Rows<'_>, on_event: &OnEvent<'_>) {
    let mut texts: Vec<Option<Compared>> = Vec::new();
    rows.each(|row| {
        let read = read(evaluator, row);
        texts.push(match read {
            Err(error) if evaluator.lenient => {
                row.measures.leave_out(Metric::BertScore.name(), error.to_string());
                None
            }
            read => Some(read?),
        });
        Ok(())
    });
    let Some(bertscore) = &evaluator.bertscore else { return };
    let pairs: Vec<&Compared> = texts.iter().flatten().collect();
    let mut overlaps = overlaps(bertscore, &pairs, on_event).into_iter();
    let mut texts = texts.iter();
    rows.each(|row| {
        let Some(Some(texts)) = texts.next() else { return Ok(()) };
        let overlap = overlaps.next().unwrap_or(Err(Error::Stopped))?;
        tell(bertscore, row, texts, overlap);
        Ok(())
    });
}

fn read(evaluator: &Evaluator, row: &Row<'_>) -> Result<Compared> {
    let reference = reference_of(row)?;
    let Some(bertscore) = &evaluator.bertscore else {
        return Err(Error::setting("metric", "bertscore", "needs an encoder: give `bertscore_model`"));
    };
    bertscore.read(row.pair.summary, reference)
}

fn tell(bertscore: &BertScore, row: &mut Row<'_>, texts: &Compared, overlap: Overlap) {
    let idf = bertscore.idf().map(|idf| IdfFacts { sentences: idf.sentences(), sha256: idf.sha256() });
    row.measures.add("bertscore", overlap.f1);
    row.measures.tell(
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

/// A batch after the other. What is not computed when `on_event` ends the work is [`Error::Stopped`].
fn overlaps(bertscore: &BertScore, pairs: &[&Compared], on_event: &OnEvent<'_>) -> Vec<Result<Overlap>> {
    let mut overlaps = Vec::with_capacity(pairs.len());
    let mut rest = pairs;
    while !rest.is_empty() {
        let (batch, others) = rest.split_at(batch_length(rest));
        overlaps.extend(timed(Stage::Model, on_event, || of_batch(bertscore, batch)));
        let tokens = batch.iter().map(|pair| tokens(pair)).sum();
        if on_event(Event::Computed { pairs: batch.len(), tokens }).is_break() {
            break;
        }
        rest = others;
    }
    overlaps
}

/// Together; if that fails, one by one, so that only those that cannot be computed fail.
fn of_batch(bertscore: &BertScore, pairs: &[&Compared]) -> Vec<Result<Overlap>> {
    match bertscore.overlaps(pairs) {
        Ok(overlaps) => overlaps.into_iter().map(Ok).collect(),
        Err(error) if pairs.len() == 1 => vec![Err(error)],
        Err(_) => pairs.iter().flat_map(|pair| of_batch(bertscore, &[pair])).collect(),
    }
}

/// How many of the next pairs go together.
fn batch_length(pairs: &[&Compared]) -> usize {
    let mut sum = 0;
    let fits = |pair: &&&Compared| {
        sum += tokens(pair);
        sum <= BATCH_TOKENS
    };
    pairs.iter().take_while(fits).count().max(1)
}

fn tokens(pair: &Compared) -> usize {
    pair.candidate.ids.len() + pair.reference.ids.len()
}
