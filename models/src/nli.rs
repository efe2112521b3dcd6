//! A natural language inference model: tokenizer, network and labels, from pairs of token ids to
//! probabilities.

use veridic_kernels::Precision;
use veridic_store::{Checker, Entry};

use crate::classifier::{Classifier, ClassifierConfig, Logits};
use crate::device::Device;
use crate::error::{ModelError, Result};
use crate::labels::{Labels, Probabilities};
use crate::packed::PackedBatch;
use crate::source::ModelSource;
use crate::token_head::TokenHead;
use crate::tokenizer::{PairTokenizer, Question, TokenizerFiles};
use crate::weights::Weights;

/// What there is to know about a model without running it.
#[derive(Debug, Clone)]
pub struct ModelInfo {
    /// Its name, or its folder as given.
    pub id: String,
    /// Architecture and main sizes.
    pub architecture: String,
    /// Number of weights.
    pub parameters: usize,
    /// Size of the weights on disk.
    pub weight_bytes: u64,
    /// Names of the outputs, in order.
    pub labels: Vec<String>,
    /// Longest pair in tokens.
    pub token_limit: usize,
    /// The licence that its card states.
    pub licence: Option<String>,
    /// Codes of the languages that its card lists; none if that is not known.
    pub languages: Option<Vec<String>>,
    /// SHA-256 of the weights, in hexadecimal.
    pub sha256: String,
}

/// How a model is loaded.
#[derive(Clone, Default)]
pub struct LoadOptions {
    /// Names of the model's outputs in order, in place of the configuration's.
    pub labels: Option<Vec<String>>,
    /// The numbers that the layers' products are computed in; none for the fastest of the device that are accurate, which on the
    /// host are 8-bit integers where the weights are stored so, else bf16 where the processor multiplies it, else f32.
    pub precision: Option<Precision>,
    /// Where it is computed.
    pub device: Device,
}

/// A batch that a device may still be computing.
pub struct Underway<'m> {
    model: &'m NliModel,
    logits: Logits,
}

impl Underway<'_> {
    /// Waits for the probabilities of every sequence.
    ///
    /// # Errors
    /// As [`NliModel::logits`].
    pub fn wait(self) -> Result<Vec<Probabilities>> {
        let logits = self.model.finite(self.logits)?;
        Ok(logits.iter().map(|row| self.model.labels.probabilities(row)).collect())
    }
}

/// A loaded NLI model.
pub struct NliModel {
    info: ModelInfo,
    config: ClassifierConfig,
    precision: Precision,
    device: Device,
    labels: Labels,
    tokenizer: PairTokenizer,
    network: Classifier,
    token_head: Option<TokenHead>,
    weights_file: String,
    settings_sha256: String,
}

impl NliModel {
    /// Loads a model.
    ///
    /// # Errors
    /// When a file is missing, damaged or of an architecture that we cannot compute, or when the
    /// labels do not say which output is entailment.
    pub fn load(source: &ModelSource, options: &LoadOptions) -> Result<Self> {
        let (config, config_file) = read_config(source)?;
        let labels = read_labels(&config, options.labels.as_deref(), source.entry(), &config_file)?;
        let checker = source.entry().and_then(|entry| entry.checker.as_ref());
        let tokenizer = TokenizerFiles::read(source)?;
        let weights = source.weights()?;
        let precision = options.precision.unwrap_or_else(|| options.device.precision_for(&weights));
        let (network, (tokenizer, sha256)) = rayon::join(
            || config.load(&weights, &options.device, precision),
            || (PairTokenizer::build(tokenizer, config.vocab_size()), source.weights_sha256(&weights)),
        );
        let (mut tokenizer, network) = (tokenizer?, network?);
        let mut adds = labels.names().join("\n");
        if let Some(checker) = checker {
            tokenizer = tokenizer.asking(question(checker))?;
            adds = format!("{adds}\n{}", checker.template);
        }
        let info = describe(source, &config, &weights, labels.names(), sha256?);
        let weights_file = weights.file().to_owned();
        let settings_sha256 = source.settings_sha256(&adds)?;
        let device = options.device.clone();
        let token_head = TokenHead::load(&weights, config.hidden())?;
        Ok(Self {
            info,
            config,
            precision,
            device,
            labels,
            tokenizer,
            network,
            token_head,
            weights_file,
            settings_sha256,
        })
    }

    /// Describes a model without building its network.
    ///
    /// # Errors
    /// When a file is missing or damaged.
    pub fn describe(source: &ModelSource) -> Result<ModelInfo> {
        let (config, config_file) = read_config(source)?;
        let weights = source.weights()?;
        let labels = read_labels(&config, None, source.entry(), &config_file);
        let names = labels.as_ref().map_or(config.labels(), Labels::names);
        Ok(describe(source, &config, &weights, names, source.weights_sha256(&weights)?))
    }

    /// What there is to know about it.
    #[must_use]
    pub fn info(&self) -> &ModelInfo {
        &self.info
    }

    /// SHA-256 over its configuration, tokenizer and the order of its labels, in hexadecimal.
    #[must_use]
    pub fn settings_sha256(&self) -> &str {
        &self.settings_sha256
    }

    /// The numbers that its layers' products are computed in.
    #[must_use]
    pub fn precision(&self) -> Precision {
        self.precision
    }

    /// The unit of the processor that its results depend on in their last digits; none where there is none.
    #[must_use]
    pub fn unit(&self) -> Option<&'static str> {
        match self.device {
            Device::Host => self.precision.unit(),
            _ => None,
        }
    }

    /// Where it is computed.
    #[must_use]
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// What errors call the file of its weights.
    #[must_use]
    pub fn weights_file(&self) -> &str {
        &self.weights_file
    }

    /// Its tokenizer.
    #[must_use]
    pub fn tokenizer(&self) -> &PairTokenizer {
        &self.tokenizer
    }

    /// Longest pair in tokens, special ones included.
    #[must_use]
    pub fn token_limit(&self) -> usize {
        self.info.token_limit
    }

    /// Floating-point operations that a pair of `tokens` tokens needs.
    #[must_use]
    pub fn operations(&self, tokens: usize) -> u64 {
        self.config.operations(tokens)
    }

    /// Logits of every sequence, `(sequences, labels)`.
    ///
    /// # Errors
    /// [`ModelError::NotFinite`] when an output is not a number; what the network refuses.
    pub fn logits(&self, batch: &PackedBatch) -> Result<Vec<Vec<f32>>> {
        self.finite(self.network.logits(batch)?)
    }

    fn finite(&self, logits: Logits) -> Result<Vec<Vec<f32>>> {
        let logits = logits.wait()?;
        match logits.iter().position(|row| row.iter().any(|x| !x.is_finite())) {
            Some(sequence) => Err(ModelError::NotFinite { file: self.weights_file.clone(), sequence }),
            None => Ok(logits),
        }
    }

    /// Probabilities of every sequence.
    ///
    /// # Errors
    /// As `logits`.
    pub fn probabilities(&self, batch: &PackedBatch) -> Result<Vec<Probabilities>> {
        self.begin(batch)?.wait()
    }

    /// Whether it says which words of a hypothesis a premise does not support.
    #[must_use]
    pub fn has_token_head(&self) -> bool {
        self.token_head.is_some()
    }

    /// Of every token of every sequence, special ones included, the probability that the premise does not support it: of
    /// use for those of the hypothesis. None for a model without a head for tokens.
    ///
    /// # Errors
    /// As `logits`.
    pub fn unsupported_tokens(&self, batch: &PackedBatch) -> Result<Option<Vec<Vec<f32>>>> {
        let Some(head) = &self.token_head else { return Ok(None) };
        let (states, hidden) = (self.network.before_last(batch)?, self.config.hidden());
        let of_sequence = |(sequence, bounds): (usize, &[usize])| {
            head.probabilities(&states[bounds[0] * hidden..bounds[1] * hidden], &self.weights_file, sequence)
        };
        batch.offsets().windows(2).enumerate().map(of_sequence).collect::<Result<_>>().map(Some)
    }

    /// Begins to compute a batch: the host does so at once, a device while the caller goes on.
    ///
    /// # Errors
    /// What the network refuses.
    pub fn begin(&self, batch: &PackedBatch) -> Result<Underway<'_>> {
        Ok(Underway { model: self, logits: self.network.logits(batch)? })
    }
}

fn read_config(source: &ModelSource) -> Result<(ClassifierConfig, String)> {
    let (config, file) = source.small_file("config.json")?;
    Ok((ClassifierConfig::parse(&config, &file)?, file))
}

/// How a checker is asked.
fn question(checker: &Checker) -> Question {
    Question::parse(&checker.template).expect("a test reads every template of the manifest")
}

/// The labels that are given, else those of the configuration, else those that are published of the model.
fn read_labels(
    config: &ClassifierConfig,
    given: Option<&[String]>,
    entry: Option<&Entry>,
    config_file: &str,
) -> Result<Labels> {
    let Some(given) = given else {
        let own = Labels::from_names(config.labels(), config_file);
        return match entry {
            Some(entry) if own.is_err() && entry.labels.len() == config.labels().len() => {
                Labels::from_names(&entry.labels, config_file)
            }
            _ => own,
        };
    };
    if given.len() != config.labels().len() {
        return Err(ModelError::Labels {
            file: "--labels".into(),
            reason: format!(
                "{given:?} are {} names, the model has {} outputs",
                given.len(),
                config.labels().len()
            ),
        });
    }
    Labels::from_names(given, "--labels")
}

fn describe(
    source: &ModelSource,
    config: &ClassifierConfig,
    weights: &Weights,
    labels: &[String],
    sha256: String,
) -> ModelInfo {
    ModelInfo {
        id: source.id(),
        architecture: config.summary(),
        parameters: weights.parameters(),
        weight_bytes: weights.file_bytes(),
        labels: labels.to_vec(),
        token_limit: match source.entry() {
            Some(entry) => config.token_limit().min(entry.token_limit as usize),
            None => config.token_limit(),
        },
        licence: source.licence(),
        languages: source.languages(),
        sha256,
    }
}
