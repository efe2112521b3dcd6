//! NLI baselines over units of both texts: SummaC-ZS, MENLI, NLI_sent. The formulas are pure functions of probabilities;
//! each metric has its own units.

use serde::Serialize;
use veridic_models::Probabilities;

use super::row::{Row, Rows, has_words};
use veridic::pipeline::{NliPair, NliResult};
use veridic::schedule::OnEvent;
use veridic::{Scorer, named};

/// The reported function of the NLI model's probabilities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    /// Entailment minus contradiction.
    Difference,
    /// Entailment alone.
    Entailment,
}

named!(Axis, "axis", { Difference = "difference", Entailment = "entailment" });

/// SummaC-ZS's values of a summary sentence.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
struct Maxima {
    /// The highest entailment of any document unit.
    entailment: f64,
    /// The highest contradiction of any document unit, which may be another one.
    contradiction: f64,
}

/// The values behind SummaC-ZS.
#[derive(Serialize)]
struct SummacFacts {
    document_units: usize,
    summary_units: usize,
    units: Vec<Maxima>,
    /// The number of pairs whose premise was truncated at the model's token limit.
    cut: usize,
}

/// The values behind MENLI.
#[derive(Serialize)]
struct MenliFacts {
    entailment: f64,
    neutral: f64,
    contradiction: f64,
    cut: usize,
}

/// SummaC-ZS (Laban et al. 2022, section 3.1) as its package computes it by default: the mean over summary sentences of the
/// highest entailment minus the highest contradiction over the document's paragraphs.
pub(super) fn summac_zs<'t>(scorer: &Scorer, axes: &[Axis], rows: &mut Rows<'t>, on_event: &OnEvent<'_>) {
    let nli_pairs = |row: &Row<'t>| all_pairs(&paragraphs(row.texts.pair.document), &row.summary_units());
    rows.classify(scorer, nli_pairs, on_event, |row, answers| {
        let document_units = paragraphs(row.texts.pair.document).len();
        let units = maxima(answers, document_units);
        if axes.contains(&Axis::Difference) {
            row.measures
                .add("summac_zs", mean(units.iter().map(|unit| unit.entailment - unit.contradiction)));
        }
        if axes.contains(&Axis::Entailment) {
            row.measures.add("summac_zs_entailment", mean(units.iter().map(|unit| unit.entailment)));
        }
        let facts = SummacFacts { document_units, summary_units: units.len(), units, cut: cut(answers) };
        row.measures.add_facts("summac", &facts);
    });
}

/// MENLI's document-level NLI (Chen and Eger 2023): the summary as the hypothesis of the whole document.
pub(super) fn menli<'t>(scorer: &Scorer, axes: &[Axis], rows: &mut Rows<'t>, on_event: &OnEvent<'_>) {
    let nli_pairs = |row: &Row<'t>| {
        vec![NliPair { premise: row.texts.pair.document, hypothesis: row.texts.pair.summary }]
    };
    rows.classify(scorer, nli_pairs, on_event, |row, answers| {
        let Probabilities { entailment, neutral, contradiction } = answers[0].probabilities;
        let [entailment, neutral, contradiction] = [entailment, neutral, contradiction].map(f64::from);
        if axes.contains(&Axis::Difference) {
            row.measures.add("menli", entailment - contradiction);
        }
        if axes.contains(&Axis::Entailment) {
            row.measures.add("menli_entailment", entailment);
        }
        row.measures
            .add_facts("menli_facts", &MenliFacts { entailment, neutral, contradiction, cut: cut(answers) });
    });
}

/// FENICE's NLI_sent: the mean over summary sentences of the highest e - t over the document's sentences.
pub(super) fn nli_sent<'t>(scorer: &Scorer, rows: &mut Rows<'t>, on_event: &OnEvent<'_>) {
    let nli_pairs = |row: &Row<'t>| all_pairs(&row.document_units(), &row.summary_units());
    rows.classify(scorer, nli_pairs, on_event, |row, answers| {
        let difference = |p: &Probabilities| f64::from(p.entailment) - f64::from(p.contradiction);
        let of_units = answers.chunks(row.document_units().len());
        row.measures.add("nli_sent", mean(of_units.map(|answers| highest(answers, difference))));
    });
}

/// Pairs every hypothesis with every premise, grouped by hypothesis.
pub(super) fn all_pairs<'t>(premises: &[&'t str], hypotheses: &[&'t str]) -> Vec<NliPair<'t>> {
    let mut pairs = Vec::with_capacity(premises.len() * hypotheses.len());
    for &hypothesis in hypotheses {
        pairs.extend(premises.iter().map(|&premise| NliPair { premise, hypothesis }));
    }
    pairs
}

fn maxima(answers: &[NliResult], document_units: usize) -> Vec<Maxima> {
    let of_unit = |answers: &[NliResult]| Maxima {
        entailment: highest(answers, |p| p.entailment.into()),
        contradiction: highest(answers, |p| p.contradiction.into()),
    };
    answers.chunks(document_units).map(of_unit).collect()
}

/// Returns the highest of what is computed of each answer's probabilities.
pub(super) fn highest(answers: &[NliResult], of: impl Fn(&Probabilities) -> f64) -> f64 {
    answers.iter().map(|answer| of(&answer.probabilities)).fold(f64::NEG_INFINITY, f64::max)
}

/// The paragraphs of a text, separated by blank lines; in a text without blank lines, its lines.
fn paragraphs(text: &str) -> Vec<&str> {
    let separator = if text.contains("\n\n") { "\n\n" } else { "\n" };
    text.split(separator).map(str::trim).filter(|paragraph| has_words(paragraph)).collect()
}

/// Returns the number of truncated premises.
pub(super) fn cut(answers: &[NliResult]) -> usize {
    answers.iter().filter(|answer| answer.is_cut).count()
}

pub(super) fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (count, sum) = values.fold((0usize, 0.0), |(count, sum), value| (count + 1, sum + value));
    sum / count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(entailment: f32, contradiction: f32) -> NliResult {
        let neutral = 1.0 - entailment - contradiction;
        NliResult { probabilities: Probabilities { entailment, neutral, contradiction }, is_cut: false }
    }

    #[test]
    fn each_maximum_is_taken_on_its_own() {
        // Two summary sentences, three paragraphs.
        let answers = [(0.5, 0.25), (0.75, 0.125), (0.0, 0.5), (0.25, 0.0), (0.0, 0.0), (0.125, 0.75)]
            .map(|(e, t)| answer(e, t));
        let units = maxima(&answers, 3);
        assert_eq!(units[0], Maxima { entailment: 0.75, contradiction: 0.5 });
        assert_eq!(units[1], Maxima { entailment: 0.25, contradiction: 0.75 });
        assert_eq!(mean(units.iter().map(|unit| unit.entailment - unit.contradiction)), -0.125);
    }

    #[test]
    fn paragraphs_are_separated_by_blank_lines_or_lines() {
        assert_eq!(paragraphs("a\nb\n\n\n c \n\n"), ["a\nb", "c"]);
        assert_eq!(paragraphs("a\nb"), ["a", "b"]);
        assert_eq!(paragraphs("a"), ["a"]);
    }

    #[test]
    fn every_hypothesis_is_paired_with_every_premise() {
        let pairs = all_pairs(&["a", "b"], &["x", "y"]);
        let pairs: Vec<String> = pairs.iter().map(|q| format!("{}{}", q.premise, q.hypothesis)).collect();
        assert_eq!(pairs, ["ax", "bx", "ay", "by"]);
    }
}
