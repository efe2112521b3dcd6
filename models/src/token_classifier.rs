//! Token classifiers, which find the tokens of a hypothesis that its premise does not support: an encoder with a linear
//! layer on the state of each token (`BertForTokenClassification` and similar classes in Python's `transformers`), as
//! in LettuceDetect (Kovács and Recski 2025, arXiv 2502.17125).
//!
//! Refuses labels that do not say which of them is an unsupported token.

use serde::Deserialize;
use veridic_store::quoting::short_ids;

use crate::architectures::{encoder_config, encoder_on};
use crate::config_json::config_fields;
use crate::device::ComputeDevice;
use crate::encoder::token_limit;
use crate::error::{ModelError, Result, refuse};
use crate::identity::ModelIdentity;
use crate::labels::Labels;
use crate::network::{Encoder, TokenLayers};
use crate::packed::PackedBatch;
use crate::source::ModelSource;
use crate::tokenizer::{PairTokenizer, TokenizerFiles};

/// The end of the class names of token classifiers in `transformers`.
const CLASS: &str = "ForTokenClassification";

/// The placeholder of the premise in the text around it.
const PLACEHOLDER: &str = "{document}";

/// The fields of config.json that are specific to token classifiers.
#[derive(Deserialize)]
struct Kind {
    /// The class.
    architectures: Option<Vec<String>>,
    /// The text around a premise.
    premise: Option<String>,
}

/// The interpretation of a token's logits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// One output: the sigmoid is the probability of being unsupported.
    Sigmoid,
    /// Two outputs: the softmax of this one.
    Softmax(usize),
}

/// A loaded token classifier.
pub struct TokenClassifier {
    identity: ModelIdentity,
    weights_file: String,
    labels: Vec<String>,
    reading: Reading,
    token_limit: usize,
    tokenizer: PairTokenizer,
    /// The text around a premise, with a placeholder for it.
    template: String,
    network: Box<dyn Encoder>,
    /// Between the states and the output layer.
    layers: Option<Box<dyn TokenLayers>>,
    /// (labels, hidden), row by row
    weight: Vec<f32>,
    /// (labels)
    bias: Vec<f32>,
}

impl TokenClassifier {
    /// Loads a model, in 32-bit floating point; its encoder is computed on the device.
    ///
    /// # Errors
    /// When a file is missing or damaged, the architecture is not supported or another than a token classifier, or the
    /// labels do not say which of them is an unsupported token; a device that is not built in or cannot be opened.
    pub fn load(source: &ModelSource, device: ComputeDevice) -> Result<Self> {
        device.check().map_err(|expected| device.refused(expected))?;
        let (json, file) = source.small_file("config.json")?;
        let config = encoder_config(&json, &file)?;
        let kind = kind(&json, &file)?;
        let labels = config.facts().labels.to_vec();
        let reading = Reading::of(&labels).map_err(|reason| refuse(&file, reason))?;
        let tokenizer = PairTokenizer::build(TokenizerFiles::read(source)?, config.facts().vocab_size)?;
        let weights = source.weights()?;
        let values = |name: &str, shape: &[usize]| -> Result<Vec<f32>> {
            Ok(weights.tensor(name, shape)?.flatten_all()?.to_vec1()?)
        };
        Ok(Self {
            weight: values("classifier.weight", &[labels.len(), config.facts().hidden])?,
            bias: values("classifier.bias", &[labels.len()])?,
            identity: ModelIdentity::of(source, &weights, &labels.join("\n"))?,
            weights_file: weights.file().to_owned(),
            token_limit: token_limit(source, &*config)?,
            network: encoder_on(device, &*config, &weights)?,
            layers: config.token_layers(&weights)?,
            labels,
            reading,
            tokenizer,
            template: template(source, kind, &file)?,
        })
    }

    /// Its name and digests.
    #[must_use]
    pub fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    /// Names of a token's outputs, in order.
    #[must_use]
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// Its tokenizer.
    #[must_use]
    pub fn tokenizer(&self) -> &PairTokenizer {
        &self.tokenizer
    }

    /// The token ids of a premise with the surrounding text that the model was trained with, if it has one: `premise` in config.json or
    /// in the manifest of named models.
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub fn premise(&self, text: &str) -> Result<Vec<u32>> {
        self.tokenizer.ids_within(&self.template.replacen(PLACEHOLDER, text, 1), self.token_limit)
    }

    /// Maximum tokens of a pair, including special tokens.
    #[must_use]
    pub fn token_limit(&self) -> usize {
        self.token_limit
    }

    /// For every token of every sequence, including special tokens, the probability that the premise does not support
    /// it; only those of the hypothesis are meaningful.
    ///
    /// # Errors
    /// As [`TokenClassifier::logits`].
    pub fn unsupported_tokens(&self, batch: &PackedBatch) -> Result<Vec<Vec<f32>>> {
        let logits = self.logits(batch)?;
        Ok(logits
            .into_iter()
            .map(|tokens| tokens.iter().map(|row| self.reading.probability(row)).collect())
            .collect())
    }

    /// The logits of every token of every sequence, `(sequences, tokens, labels)`.
    ///
    /// # Errors
    /// [`ModelError::NotFinite`] when an output is not a finite number; an empty or overlong sequence, or a token id
    /// outside the vocabulary.
    pub fn logits(&self, batch: &PackedBatch) -> Result<Vec<Vec<Vec<f32>>>> {
        let (states, width) = self.states(batch)?;
        let mut logits = Vec::with_capacity(batch.sequences());
        for (sequence, bounds) in batch.offsets().windows(2).enumerate() {
            let states = &states[bounds[0] * width..bounds[1] * width];
            let rows: Vec<Vec<f32>> = states.chunks_exact(width).map(|state| self.of_state(state)).collect();
            if rows.iter().flatten().any(|logit| !logit.is_finite()) {
                return Err(ModelError::NotFinite { file: self.weights_file.clone(), sequence });
            }
            logits.push(rows);
        }
        Ok(logits)
    }

    /// The input of the output layer, `(tokens, hidden)` row by row, and the width of a row.
    fn states(&self, batch: &PackedBatch) -> Result<(Vec<f32>, usize)> {
        let mut states = self.network.states(batch)?;
        if let Some(layers) = &self.layers {
            states = layers.forward(&states)?;
        }
        Ok((states.flatten_all()?.to_vec1()?, states.dim(1)?))
    }

    /// The logits of a token: (labels)
    fn of_state(&self, state: &[f32]) -> Vec<f32> {
        let labels = self.weight.chunks_exact(state.len()).zip(&self.bias);
        labels
            .map(|(weights, bias)| {
                let products = state.iter().zip(weights).map(|(x, w)| f64::from(*x) * f64::from(*w));
                (products.sum::<f64>() + f64::from(*bias)) as f32
            })
            .collect()
    }
}

impl Reading {
    /// The interpretation of outputs with these names. The error says what they lack.
    fn of(labels: &[String]) -> std::result::Result<Self, String> {
        let is_unsupported = |label: &String| {
            let letters = label.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase());
            let plain: String = letters.collect();
            // `transformers` writes LABEL_1 if no names are given, as for LettuceDetect's label 1.
            let known = ["unsupported", "notsupported", "hallucination", "hallucinated", "label1", "1"];
            known.contains(&plain.as_str())
        };
        let places: Vec<usize> = (0..labels.len()).filter(|&place| is_unsupported(&labels[place])).collect();
        match (labels.len(), &places[..]) {
            (1, _) => Ok(Self::Sigmoid),
            (2, [place]) => Ok(Self::Softmax(*place)),
            (2, _) => Err(format!(
                "labels {labels:?} do not say which one is an unsupported token; name it `unsupported` in id2label"
            )),
            (count, _) => Err(format!("has {count} labels; a token classifier needs one or two")),
        }
    }

    /// The probability of being unsupported, from a token's logits: (labels)
    fn probability(self, logits: &[f32]) -> f32 {
        match self {
            Self::Sigmoid => (1.0 / (1.0 + (-f64::from(logits[0])).exp())) as f32,
            Self::Softmax(place) => Labels::softmax(logits)[place],
        }
    }
}

fn kind(json: &[u8], file: &str) -> Result<Kind> {
    let kind: Kind = config_fields(json, file)?;
    let architectures = kind.architectures.as_deref().unwrap_or_default();
    if architectures.is_empty() || architectures.iter().any(|class| class.ends_with(CLASS)) {
        return Ok(kind);
    }
    let given = short_ids(architectures);
    Err(refuse(file, format!("architectures is {given:?}; a token classifier (*{CLASS}) is needed")))
}

/// The text around a premise, from config.json, else from the manifest.
fn template(source: &ModelSource, kind: Kind, file: &str) -> Result<String> {
    let published = || source.entry().and_then(|entry| entry.premise.clone());
    let template = kind.premise.or_else(published).unwrap_or_else(|| PLACEHOLDER.to_owned());
    if template.contains(PLACEHOLDER) {
        return Ok(template);
    }
    Err(refuse(file, format!("has premise {template:?}, which needs {PLACEHOLDER}, where the premise goes")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(labels: &[&str]) -> std::result::Result<Reading, String> {
        Reading::of(&labels.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn the_label_of_unsupported_tokens_is_found_by_its_name() {
        assert_eq!(reading(&["LABEL_0", "LABEL_1"]), Ok(Reading::Softmax(1)));
        assert_eq!(reading(&["Hallucinated", "supported"]), Ok(Reading::Softmax(0)));
        assert_eq!(reading(&["supported", "not-supported"]), Ok(Reading::Softmax(1)));
        assert_eq!(reading(&["anything"]), Ok(Reading::Sigmoid));
    }

    #[test]
    fn labels_that_do_not_say_it_are_refused() {
        assert!(reading(&["B", "I"]).unwrap_err().contains("`unsupported`"));
        assert!(reading(&["unsupported", "hallucinated"]).unwrap_err().contains("do not say"));
        assert!(reading(&["O", "B", "I"]).unwrap_err().contains("3 labels"));
    }

    #[test]
    fn probabilities_are_sigmoid_and_softmax() {
        let logit = 0.7_f32;
        let expected = 1.0 / (1.0 + (-logit).exp());
        for probability in
            [Reading::Sigmoid.probability(&[logit]), Reading::Softmax(1).probability(&[0.0, logit])]
        {
            assert!((probability - expected).abs() < 1e-6, "{probability}");
        }
    }
}
