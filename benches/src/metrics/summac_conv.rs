//! SummaC-Conv (Laban, Schnabel, Bennett, Hearst, TACL 2022, section 3.2) as its authors' program computes it: for each
//! summary sentence a histogram of the NLI model's probabilities over the document's sentences, a linear layer on it
//! (their convolution has a kernel as wide as the histogram), the mean over sentences, and a last layer.

mod network;

use serde::Serialize;
use veridic_models::Probabilities;

use super::entailment::{all_pairs, cut};
use super::row::{Row, Rows, classify_rows};
use veridic::pipeline::NliPair;
use veridic::schedule::OnEvent;
use veridic::{Error, Scorer};

pub use self::network::{NliLabels, SummacConv};

/// Sentences of at most this many characters are left out.
const SHORT_CHARACTERS: usize = 10;

/// The maximum number of document sentences read.
const MOST_DOCUMENT_SENTENCES: usize = 100;

/// The maximum number of summary sentences counted: the rows of the histograms.
const MOST_SUMMARY_SENTENCES: usize = 10;

/// The values behind the number.
#[derive(Serialize)]
struct Facts<'f> {
    weights_sha256: &'f str,
    bins: usize,
    labels: &'static str,
    document_sentences: usize,
    summary_sentences: usize,
    /// The linear layer's value of each summary sentence.
    sentences: Vec<f64>,
    /// Pairs whose premise was truncated at the model's token limit.
    cut: usize,
}

/// The sentences of a row that are compared.
#[derive(Default)]
struct Units<'t> {
    document: Vec<&'t str>,
    summary: Vec<&'t str>,
}

impl<'t> Units<'t> {
    fn of(row: &Row<'t>) -> Self {
        let long = |units: Vec<&'t str>, most: usize| {
            let long = units.into_iter().filter(|unit| unit.chars().count() > SHORT_CHARACTERS);
            long.take(most).collect()
        };
        Self {
            document: long(row.document_units(), MOST_DOCUMENT_SENTENCES),
            summary: long(row.summary_units(), MOST_SUMMARY_SENTENCES),
        }
    }
}

/// Adds `summac_conv`.
pub(super) fn measure(
    scorer: &Scorer,
    network: Option<&SummacConv>,
    rows: &mut Rows<'_>,
    on_event: &OnEvent<'_>,
) {
    let Some(network) = network else {
        rows.each(|row| row.or_leave_out(&["summac-conv"], Err::<(), Error>(without_weights())));
        return;
    };
    let units = rows.each(|row| Ok(Units::of(row)));
    let nli_pairs: Vec<Vec<NliPair<'_>>> =
        units.iter().map(|units| all_pairs(&units.document, &units.summary)).collect();
    let answers = classify_rows(scorer, &nli_pairs, on_event);
    rows.each_with(answers.into_iter().zip(&units), |row, (answers, units)| {
        let answers = answers?;
        let probabilities: Vec<Probabilities> = answers.iter().map(|answer| answer.probabilities).collect();
        let sentences = network.of_sentences(&probabilities, units.document.len());
        row.measures.add("summac_conv", network.score(&sentences));
        row.measures.add_facts(
            "summac_conv_facts",
            &Facts {
                weights_sha256: network.sha256(),
                bins: network.bins(),
                labels: network.labels().name(),
                document_sentences: units.document.len(),
                summary_sentences: units.summary.len(),
                sentences,
                cut: cut(&answers),
            },
        );
        Ok(())
    });
}

/// Returns the error for a missing file of weights.
pub(crate) fn without_weights() -> Error {
    let expected = "needs weights: give --summac-conv, a file such as summac_conv_vitc_sent_perc_e.bin, which its authors \
                    publish in the repository tingofurro/summac";
    Error::setting("metric", "summac-conv", expected)
}
