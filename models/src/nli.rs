//! A natural language inference model: tokenizer, network and labels. Maps pairs of token ids to probabilities.

use candle_core::Tensor;
use veridic_kernels::Precision;
use veridic_store::Entry;

use crate::architectures::{LayeredConfig, NetworkConfig, classifier_config, classifier_on};
use crate::bert::{ALIGN_ENCODER, AlignHead, BertConfig};
use crate::device::ComputeDevice;
use crate::error::{ModelError, Result};
use crate::labels::{Labels, Probabilities};
use crate::network::Classifier;
use crate::packed::PackedBatch;
use crate::recent::Recent;
use crate::source::ModelSource;
use crate::token_head::{TokenHead, unsupported};
use crate::tokenizer::{PairTokenizer, PromptTemplate, TokenizerFiles};
use crate::weights::Weights;

/// Most tokens whose unsupported words are cached: a few megabytes.
const CACHED_TOKENS: usize = 1 << 20;

/// The description of a model.
#[derive(Debug, Clone)]
pub struct ModelInfo {
    /// Its name, or its folder as given.
    pub id: String,
    /// Architecture and main sizes.
    pub architecture: String,
    /// Number of parameters.
    pub parameters: usize,
    /// Size of the weight files.
    pub weight_bytes: u64,
    /// Names of the outputs, in order.
    pub labels: Vec<String>,
    /// Maximum tokens of a pair.
    pub token_limit: usize,
    /// The licence that its card or the manifest states.
    pub licence: Option<String>,
    /// Codes of the languages that its card lists, if any.
    pub languages: Option<Vec<String>>,
    /// SHA-256 of the weights, in hexadecimal.
    pub sha256: String,
}

/// Settings of [`NliModel::load`].
#[derive(Clone, Default)]
pub struct LoadOptions {
    /// Names of the model's outputs in order, instead of the configuration's.
    pub labels: Option<Vec<String>>,
    /// The device that computes the network.
    pub device: ComputeDevice,
    /// The dtype of the layers' products; `None` for the fastest accurate one: int8 for weights that are stored in 8
    /// bits, else bf16 if the processor can multiply it, else f32. On other devices bf16 on a GPU, else f32.
    pub precision: Option<Precision>,
    /// The head of an AlignScore checkpoint; none for the three-way head, and for other models.
    pub align_head: Option<AlignHead>,
}

/// A loaded NLI model.
pub struct NliModel {
    info: ModelInfo,
    config: Box<dyn NetworkConfig>,
    device: ComputeDevice,
    precision: Precision,
    labels: Labels,
    tokenizer: PairTokenizer,
    network: Box<dyn Classifier>,
    align_head: Option<AlignHead>,
    token_head: Option<TokenHead>,
    /// What the head said of sequences whose logits were computed lately, by their ids and types end to end, so that the
    /// unsupported words of a pair that was just judged cost nothing.
    token_cache: Recent<Box<[u32]>, Vec<f32>>,
    weights_file: String,
    settings_sha256: String,
}

impl NliModel {
    /// Loads a model.
    ///
    /// # Errors
    /// When a file is missing or damaged, the architecture is not supported, the labels do not say which output is
    /// entailment, or the processor does not support the dtype.
    pub fn load(source: &ModelSource, options: &LoadOptions) -> Result<Self> {
        let Parts { config, config_file, weights, align_head } = read_parts(source, options.align_head)?;
        let labels = read_labels(&*config, options.labels.as_deref(), source.entry(), &config_file)?;
        let prompt = prompt(source, &*config);
        let tokenizer = TokenizerFiles::read(source)?;
        let device = options.device;
        device.check().map_err(|expected| device.refused(expected))?;
        let precision = options.precision.unwrap_or_else(|| fastest_precision(device, &weights));
        check_precision(device, precision)?;
        let (network, (tokenizer, sha256)) = rayon::join(
            || classifier_on(device, &*config, &weights, precision),
            || (PairTokenizer::build(tokenizer, config.facts().vocab_size), source.weights_sha256(&weights)),
        );
        let (mut tokenizer, network) = (tokenizer?, network?);
        let mut adds = labels.names().join("\n");
        if let Some(prompt) = prompt {
            adds = format!("{adds}\n{}", prompt.template());
            if let Some(tokens) = answer_tokens(source.entry()) {
                adds = format!("{adds}\n{tokens:?}");
            }
            tokenizer = tokenizer.with_prompt(prompt)?;
        }
        let info = describe(source, &*config, &weights, labels.names(), sha256?);
        let weights_file = weights.file().to_owned();
        let settings_sha256 = source.settings_sha256(&adds)?;
        let token_head = TokenHead::load(&weights, config.facts().hidden)?;
        Ok(Self {
            info,
            config,
            device,
            precision,
            labels,
            tokenizer,
            network,
            align_head,
            token_head,
            token_cache: Recent::new(CACHED_TOKENS),
            weights_file,
            settings_sha256,
        })
    }

    /// Describes a model without building its network.
    ///
    /// # Errors
    /// When a file is missing or damaged.
    pub fn describe(source: &ModelSource) -> Result<ModelInfo> {
        let Parts { config, config_file, weights, .. } = read_parts(source, None)?;
        let labels = read_labels(&*config, None, source.entry(), &config_file);
        let names = labels.as_ref().map_or(config.facts().labels, Labels::names);
        Ok(describe(source, &*config, &weights, names, source.weights_sha256(&weights)?))
    }

    /// Its description.
    #[must_use]
    pub fn info(&self) -> &ModelInfo {
        &self.info
    }

    /// SHA-256 over its configuration, its tokenizer and the order of its labels, in hexadecimal.
    #[must_use]
    pub fn settings_sha256(&self) -> &str {
        &self.settings_sha256
    }

    /// The dtype of its layers' products.
    #[must_use]
    pub fn precision(&self) -> Precision {
        self.precision
    }

    /// The device that computes it.
    #[must_use]
    pub fn device(&self) -> ComputeDevice {
        self.device
    }

    /// The processor unit or the other device on which the last digits of its results depend, if any.
    #[must_use]
    pub fn unit(&self) -> Option<&'static str> {
        match self.device {
            ComputeDevice::Cpu => self.precision.unit(),
            other => Some(other.name()),
        }
    }

    /// The name of its weight file in errors.
    #[must_use]
    pub fn weights_file(&self) -> &str {
        &self.weights_file
    }

    /// Its tokenizer.
    #[must_use]
    pub fn tokenizer(&self) -> &PairTokenizer {
        &self.tokenizer
    }

    /// The head that it is computed with, if it is an AlignScore checkpoint.
    #[must_use]
    pub fn align_head(&self) -> Option<AlignHead> {
        self.align_head
    }

    /// Its outputs.
    #[must_use]
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// Maximum tokens of a pair, including special tokens.
    #[must_use]
    pub fn token_limit(&self) -> usize {
        self.info.token_limit
    }

    /// Floating-point operations for a pair of `tokens` tokens.
    #[must_use]
    pub fn operations(&self, tokens: usize) -> u64 {
        self.config.operations(tokens)
    }

    /// Logits of every sequence, `(sequences, labels)`.
    ///
    /// # Errors
    /// [`ModelError::NotFinite`] when an output is not a finite number; an empty or overlong sequence, or a token id
    /// outside the vocabulary.
    pub fn logits(&self, batch: &PackedBatch) -> Result<Vec<Vec<f32>>> {
        self.finite(&self.network.logits(batch)?)
    }

    fn finite(&self, logits: &Tensor) -> Result<Vec<Vec<f32>>> {
        let logits = logits.to_vec2()?;
        match logits.iter().position(|row: &Vec<f32>| row.iter().any(|x| !x.is_finite())) {
            Some(sequence) => Err(ModelError::NotFinite { file: self.weights_file.clone(), sequence }),
            None => Ok(logits),
        }
    }

    /// Probabilities of every sequence.
    ///
    /// # Errors
    /// As [`NliModel::logits`].
    pub fn probabilities(&self, batch: &PackedBatch) -> Result<Vec<Probabilities>> {
        let logits = if let Some(head) = &self.token_head {
            let (logits, token_logits) = self.network.logits_and_token_logits(batch, head)?;
            // Values that are not finite are not cached: a later request computes them and gets the error.
            let sequences = batch.offsets().windows(2).map(|bounds| bounds[0]..bounds[1]);
            for (tokens, probabilities) in sequences.zip(self.unsupported(&token_logits, batch)) {
                if let Ok(probabilities) = probabilities {
                    let key = [&batch.ids()[tokens.clone()], &batch.types()[tokens.clone()]].concat();
                    self.token_cache.put(key.into(), probabilities, tokens.len());
                }
            }
            logits
        } else {
            self.network.logits(batch)?
        };
        Ok(self.finite(&logits)?.iter().map(|row| self.labels.probabilities(row)).collect())
    }

    /// The model without its head for unsupported tokens, for callers that need only probabilities.
    #[must_use]
    pub fn without_token_head(self) -> Self {
        Self { token_head: None, ..self }
    }

    /// Whether it has a head for [`NliModel::unsupported_tokens`].
    #[must_use]
    pub fn has_token_head(&self) -> bool {
        self.token_head.is_some()
    }

    /// For every token of every sequence, including special tokens, the probability that the premise does not support
    /// it; only those of the hypothesis are meaningful. `None` for a model without that head.
    ///
    /// # Errors
    /// As [`NliModel::logits`].
    pub fn unsupported_tokens(&self, batch: &PackedBatch) -> Result<Option<Vec<Vec<f32>>>> {
        let Some(head) = &self.token_head else { return Ok(None) };
        let logits = self.network.token_logits(batch, head)?;
        self.unsupported(&logits, batch).collect::<Result<_>>().map(Some)
    }

    /// The result of [`NliModel::unsupported_tokens`] for a sequence whose logits were computed recently: the head
    /// reads states that the logits need too. `None` if it is not cached.
    #[must_use]
    pub fn known_unsupported_tokens(&self, ids: &[u32], types: &[u32]) -> Option<Vec<f32>> {
        self.token_cache.get(&[ids, types].concat().into())
    }

    /// The probabilities for each sequence of a batch, from the head's logits of all its tokens.
    fn unsupported(&self, logits: &[f64], batch: &PackedBatch) -> impl Iterator<Item = Result<Vec<f32>>> {
        batch.offsets().windows(2).enumerate().map(|(sequence, bounds)| {
            unsupported(&logits[bounds[0]..bounds[1]], &self.weights_file, sequence)
        })
    }
}

/// The parts from which a network is built.
struct Parts {
    config: Box<dyn NetworkConfig>,
    config_file: String,
    weights: Weights,
    /// The head of an AlignScore checkpoint.
    align_head: Option<AlignHead>,
}

/// A checkpoint of AlignScore's program is recognised by its three-way head; its config.json is that of the encoder.
fn read_parts(source: &ModelSource, align_head: Option<AlignHead>) -> Result<Parts> {
    let (json, config_file) = source.small_file("config.json")?;
    let weights = source.weights()?;
    if weights.has("tri_layer.weight") {
        let head = align_head.unwrap_or_default();
        let config = BertConfig::parse(&json, &config_file)?.with_align_head(head);
        let weights = weights.with_prefix_replaced(ALIGN_ENCODER, config.family.prefix());
        let config = Box::new(LayeredConfig::Bert(config));
        return Ok(Parts { config, config_file, weights, align_head: Some(head) });
    }
    match align_head {
        Some(head) => Err(no_align_head(head, &format!("{} is not a checkpoint of AlignScore", source.id()))),
        None => {
            let config = classifier_config(&json, &config_file, source.entry())?;
            Ok(Parts { config, config_file, weights, align_head: None })
        }
    }
}

fn no_align_head(head: AlignHead, expected: &str) -> ModelError {
    let (value, expected) = (head.to_string(), expected.to_owned());
    ModelError::Setting { setting: "align_head", value, expected }
}

/// The fastest accurate dtype: 8-bit integers for weights that are stored in 8 bits, else bf16 if the processor can
/// multiply it, else f32.
fn fastest_precision(device: ComputeDevice, weights: &Weights) -> Precision {
    match device {
        ComputeDevice::Cpu if weights.are_in_rows8() => Precision::Int8,
        ComputeDevice::Cpu if Precision::Bf16.is_supported() => Precision::Bf16,
        ComputeDevice::Cpu | ComputeDevice::CpuCandle => Precision::F32,
        ComputeDevice::Cuda(_) | ComputeDevice::Metal => Precision::Bf16,
    }
}

/// Refuses a dtype that the processor does not support.
fn check_precision(device: ComputeDevice, precision: Precision) -> Result<()> {
    if device != ComputeDevice::Cpu || precision.is_supported() {
        return Ok(());
    }
    Err(ModelError::Setting {
        setting: "dtype",
        value: precision.name().to_owned(),
        expected: "the processor has no instructions for bf16 (AMX, AVX-512 BF16 or Arm's BF16); f32 and int8 need none"
            .to_owned(),
    })
}

/// A checker's prompt from the manifest, else from the configuration.
fn prompt(source: &ModelSource, config: &dyn NetworkConfig) -> Option<PromptTemplate> {
    let checker = source.entry().and_then(|entry| entry.checker.as_ref());
    let published = checker.map(|checker| {
        PromptTemplate::parse(&checker.template).expect("a test reads every template of the manifest")
    });
    published.or_else(|| config.prompt().cloned())
}

/// The tokens of a checker's labels, from the manifest.
fn answer_tokens(entry: Option<&Entry>) -> Option<&[u32]> {
    let tokens = &entry?.checker.as_ref()?.answer_tokens;
    (!tokens.is_empty()).then_some(tokens)
}

/// The given labels, else those of the configuration, else those of the manifest.
fn read_labels(
    config: &dyn NetworkConfig,
    given: Option<&[String]>,
    entry: Option<&Entry>,
    config_file: &str,
) -> Result<Labels> {
    if let Some(given) = given {
        return Labels::given(given, config.facts().labels.len());
    }
    let own = Labels::of_config(config.facts().labels, config_file);
    match entry {
        Some(entry) if own.is_err() && entry.labels.len() == config.facts().labels.len() => {
            Labels::of_config(&entry.labels, config_file)
        }
        _ => own,
    }
}

fn describe(
    source: &ModelSource,
    config: &dyn NetworkConfig,
    weights: &Weights,
    labels: &[String],
    sha256: String,
) -> ModelInfo {
    ModelInfo {
        id: source.id(),
        architecture: config.facts().summary(),
        parameters: weights.parameters(),
        weight_bytes: weights.file_bytes(),
        labels: labels.to_vec(),
        token_limit: match source.entry() {
            Some(entry) => config.facts().token_limit.min(entry.token_limit as usize),
            None => config.facts().token_limit,
        },
        licence: source.licence(),
        languages: source.languages(),
        sha256,
    }
}
