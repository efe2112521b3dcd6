//! AlignScore (Zha, Yang, Li, Hu, ACL 2023, section 3.3) as its authors' program computes it: splits the document into
//! chunks of about 350 words and the summary into sentences; takes for each sentence the highest probability of being
//! aligned with a chunk; averages over sentences.

use serde::Serialize;
use veridic_models::AlignHead;

use super::entailment::{all_pairs, cut, highest, mean};
use super::row::{Rows, classify_rows};
use veridic::pipeline::NliPair;
use veridic::schedule::OnEvent;
use veridic::{Scorer, named};

/// The target number of words in a chunk: "350 words approximately" in the paper.
const CHUNK_WORDS: usize = 350;

/// How the texts are paired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    /// Chunks with sentences: the authors' modes `nli_sp` and `bin_sp`.
    Split,
    /// The whole texts: their modes `nli` and `bin`.
    Whole,
}

named!(Axis, "axis", { Split = "split", Whole = "whole" });

/// The values behind the number.
#[derive(Serialize)]
struct Facts {
    /// The head of the checkpoint; `None` if the model is not one of AlignScore's.
    head: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    chunks: Option<usize>,
    /// The highest probability of each summary sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    sentences: Option<Vec<f64>>,
    /// The number of pairs whose premise was truncated at the model's token limit.
    cut: usize,
}

/// Adds `alignscore` and `alignscore_whole`.
pub(super) fn measure(scorer: &Scorer, axes: &[Axis], rows: &mut Rows<'_>, on_event: &OnEvent<'_>) {
    let (splits, is_whole) = (axes.contains(&Axis::Split), axes.contains(&Axis::Whole));
    let chunks: Vec<Vec<String>> = rows.each(|row| {
        Ok(if splits { chunks(row.texts.pair.document, &row.document_units()) } else { Vec::new() })
    });
    let nli_pairs = rows.each_with(&chunks, |row, chunks| {
        let chunks: Vec<&str> = chunks.iter().map(String::as_str).collect();
        let mut pairs = all_pairs(&chunks, &row.summary_units());
        let whole = NliPair { premise: row.texts.pair.document, hypothesis: row.texts.pair.summary };
        pairs.extend(is_whole.then_some(whole));
        Ok(pairs)
    });
    let head = scorer.align_head().map(AlignHead::name);
    let answers = classify_rows(scorer, &nli_pairs, on_event);
    rows.each_with(answers.into_iter().zip(&chunks), |row, (answers, chunks)| {
        let answers = answers?;
        let mut facts = Facts { head, chunks: None, sentences: None, cut: cut(&answers) };
        if splits {
            let split = &answers[..answers.len() - usize::from(is_whole)];
            let of_sentences = split.chunks(chunks.len());
            let sentences: Vec<f64> =
                of_sentences.map(|answers| highest(answers, |p| p.entailment.into())).collect();
            row.measures.add("alignscore", mean(sentences.iter().copied()));
            facts = Facts { chunks: Some(chunks.len()), sentences: Some(sentences), ..facts };
        }
        if let Some(whole) = answers.last().filter(|_| is_whole) {
            row.measures.add("alignscore_whole", f64::from(whole.probabilities.entailment));
        }
        row.measures.add_facts("alignscore_facts", &facts);
        Ok(())
    });
}

/// Joins the document's sentences into chunks with equal numbers of sentences. The number of chunks is the document's word
/// count divided by [`CHUNK_WORDS`], rounded down, plus one; left-over sentences form an extra chunk, as in the authors'
/// program.
fn chunks(document: &str, sentences: &[&str]) -> Vec<String> {
    let chunks = document.split_whitespace().count() / CHUNK_WORDS + 1;
    let sentences_of_chunk = (sentences.len() / chunks).max(1);
    sentences.chunks(sentences_of_chunk).map(|sentences| sentences.join(" ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_have_equal_numbers_of_sentences_and_the_rest_is_one_more() {
        let sentence = "word ".repeat(50);
        let text = |sentences: usize| sentence.repeat(sentences);
        let lengths = |count: usize| {
            let chunks = chunks(&text(count), &vec![sentence.trim(); count]);
            chunks.iter().map(|chunk| chunk.split_whitespace().count() / 50).collect::<Vec<_>>()
        };
        assert_eq!(lengths(6), [6]);
        // 350 words are two chunks of three sentences, and the seventh is left over.
        assert_eq!(lengths(7), [3, 3, 1]);
        // 700 words are three chunks of four, and two are left over.
        assert_eq!(lengths(14), [4, 4, 4, 2]);
    }

    #[test]
    fn a_chunk_has_at_least_one_sentence() {
        let sentence = "word ".repeat(900);
        let both = [sentence.trim(), "Short."];
        assert_eq!(chunks(&both.join(" "), &both), both);
        assert_eq!(chunks("", &[]), Vec::<String>::new());
    }
}
