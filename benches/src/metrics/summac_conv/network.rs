//! SummaC-Conv's network: bins, a linear layer on histograms, the mean and a last layer, with the names of tensors of the
//! authors' checkpoint. Refuses weights whose sizes do not fit each other.

use std::path::Path;

use veridic_models::{Labels, Probabilities, Weights};

use veridic::{Error, Result, named};

/// The edges of the authors' bins "percentile", which the published checkpoint has.
const PERCENTILE: [f64; 24] = [
    0.0, 0.01, 0.02, 0.03, 0.04, 0.07, 0.13, 0.37, 0.90, 0.91, 0.92, 0.93, 0.94, 0.95, 0.955, 0.96, 0.965,
    0.97, 0.975, 0.98, 0.985, 0.99, 0.995, 1.0,
];

/// The tensor of the layer on histograms: (1, labels x bins).
const HISTOGRAM_LAYER: &str = "mlp";

/// The tensor of the last layer: (2, 3). Its three inputs are the minimum, mean and maximum over sentences in checkpoints
/// that use all of them; here, as in the published one, all three are the mean.
const LAST_LAYER: &str = "layer_final";

/// The relations whose probabilities have a histogram.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum NliLabels {
    /// Entailment, as in the published checkpoint.
    #[default]
    E,
    /// Contradiction.
    C,
    /// Neutral.
    N,
    /// Entailment and contradiction.
    Ec,
    /// Entailment and neutral.
    En,
    /// Contradiction and neutral.
    Cn,
    /// All three.
    Ecn,
}

named!(NliLabels, "labels", { E = "e", C = "c", N = "n", Ec = "ec", En = "en", Cn = "cn", Ecn = "ecn" });

impl NliLabels {
    /// Returns the probabilities that have a histogram, in histogram order: entailment, contradiction, neutral.
    fn of(self, probabilities: &Probabilities) -> Vec<f64> {
        let Probabilities { entailment, neutral, contradiction } = probabilities;
        let all = [('e', entailment), ('c', contradiction), ('n', neutral)];
        let chosen = all.into_iter().filter(|(label, _)| self.name().contains(*label));
        chosen.map(|(_, probability)| f64::from(*probability)).collect()
    }

    fn count(self) -> usize {
        self.name().len()
    }
}

/// SummaC-Conv's weights.
pub struct SummacConv {
    labels: NliLabels,
    /// The bounds of the bins, ascending; one more than bins.
    edges: Vec<f64>,
    /// (labels x bins)
    weight: Vec<f64>,
    bias: f64,
    /// (2, 3), row by row
    last_weight: Vec<f64>,
    last_bias: [f64; 2],
    sha256: String,
}

impl SummacConv {
    /// Reads a checkpoint. Its size determines the bins: 23 per label are the authors' "percentile", any other number has
    /// equal widths.
    ///
    /// # Errors
    /// If the file cannot be read, lacks a layer, or its layer on histograms does not divide by the number of labels.
    pub fn load(file: &Path, labels: NliLabels) -> Result<Self> {
        let refused = |error| Error::SettingModel {
            setting: "summac_conv",
            value: file.display().to_string(),
            error: Box::new(error),
        };
        let weights = Weights::from_file(file).map_err(refused)?;
        let size = (weights.tensors()).find(|(name, _)| *name == format!("{HISTOGRAM_LAYER}.weight"));
        let size = size.and_then(|(_, shape)| shape.get(1).copied()).unwrap_or_default();
        if !size.is_multiple_of(labels.count()) {
            let expected = format!(
                "{} has a histogram layer of {size} inputs, which do not divide by {} labels",
                file.display(),
                labels.count()
            );
            return Err(Error::setting("summac_labels", labels, expected));
        }
        let values = |name: &str, shape: &[usize]| -> veridic_models::Result<Vec<f64>> {
            let values: Vec<f32> = weights.tensor(name, shape)?.flatten_all()?.to_vec1()?;
            Ok(values.into_iter().map(f64::from).collect())
        };
        let layer = |name: &str, [outputs, inputs]: [usize; 2]| -> veridic_models::Result<_> {
            let weight = values(&format!("{name}.weight"), &[outputs, inputs])?;
            Ok((weight, values(&format!("{name}.bias"), &[outputs])?))
        };
        let (weight, bias) = layer(HISTOGRAM_LAYER, [1, size.max(1)]).map_err(refused)?;
        let (last_weight, last_bias) = layer(LAST_LAYER, [2, 3]).map_err(refused)?;
        let digests = weights.digests().map_err(refused)?;
        Ok(Self {
            labels,
            edges: edges(size / labels.count()),
            weight,
            bias: bias[0],
            last_weight,
            last_bias: [last_bias[0], last_bias[1]],
            sha256: digests.into_iter().map(|(_, sha256)| sha256).collect(),
        })
    }

    /// SHA-256 of its file.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// The relations that have a histogram.
    pub fn labels(&self) -> NliLabels {
        self.labels
    }

    /// The number of bins of a histogram.
    pub fn bins(&self) -> usize {
        self.edges.len() - 1
    }

    /// Returns the value of each summary sentence, from its pairs with all document sentences, grouped by summary sentence.
    /// Without a pair there is one value, that of a probability of 0, as in the authors' program.
    pub fn of_sentences(&self, answers: &[Probabilities], document_sentences: usize) -> Vec<f64> {
        if answers.is_empty() {
            let nothing = Probabilities { entailment: 0.0, neutral: 0.0, contradiction: 0.0 };
            return vec![self.of_sentence(&[nothing])];
        }
        answers.chunks(document_sentences).map(|answers| self.of_sentence(answers)).collect()
    }

    /// The linear layer on the histograms of one summary sentence.
    fn of_sentence(&self, answers: &[Probabilities]) -> f64 {
        let mut sum = self.bias;
        for answer in answers {
            for (label, probability) in self.labels.of(answer).into_iter().enumerate() {
                if let Some(bin) = bin(&self.edges, probability) {
                    sum += self.weight[label * self.bins() + bin];
                }
            }
        }
        sum
    }

    /// The probability of being consistent, from the values of the summary's sentences.
    pub fn score(&self, sentences: &[f64]) -> f64 {
        let mean = sentences.iter().sum::<f64>() / sentences.len() as f64;
        let logit = |row: usize| {
            (mean * self.last_weight[row * 3..][..3].iter().sum::<f64>() + self.last_bias[row]) as f32
        };
        f64::from(Labels::softmax(&[logit(0), logit(1)])[1])
    }
}

/// Returns the edges of `bins` bins: the authors' "percentile", or equal widths.
fn edges(bins: usize) -> Vec<f64> {
    if bins + 1 == PERCENTILE.len() {
        return PERCENTILE.to_vec();
    }
    let width = 1.0 / bins as f64;
    (0..bins).map(|bin| bin as f64 * width).chain([1.0]).collect()
}

/// Returns the bin of a value: a bin includes its lower edge, the last one both, as in numpy's histogram.
fn bin(edges: &[f64], value: f64) -> Option<usize> {
    let last = edges.len() - 1;
    match edges.partition_point(|edge| *edge <= value) {
        above if above > last => (value <= edges[last]).then_some(last - 1),
        above => above.checked_sub(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bin_has_its_lower_edge_and_the_last_one_both() {
        let edges = edges(50);
        assert_eq!((edges.len(), edges[0], edges[50]), (51, 0.0, 1.0));
        let found = [0.0, 0.019, 0.02, 0.5, 0.98, 1.0, 1.1, -0.1].map(|value| bin(&edges, value));
        let expected = [Some(0), Some(0), Some(1), Some(25), Some(49), Some(49), None, None];
        assert_eq!(found, expected);
        assert_eq!(bin(&PERCENTILE, 0.9), Some(8));
    }

    #[test]
    fn histograms_are_in_the_order_entailment_contradiction_neutral() {
        let probabilities = Probabilities { entailment: 0.5, neutral: 0.25, contradiction: 0.125 };
        assert_eq!(NliLabels::Ecn.of(&probabilities), [0.5, 0.125, 0.25]);
        assert_eq!(NliLabels::Cn.of(&probabilities), [0.125, 0.25]);
        assert_eq!(NliLabels::E.of(&probabilities), [0.5]);
    }
}
