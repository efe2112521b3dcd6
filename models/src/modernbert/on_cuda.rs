//! ModernBERT on a GPU: the counterpart of `mod.rs` and `layer.rs`.

use veridic_kernels::cuda::{
    Attention, AttentionInputs, Cuda, Indices, Layout, Linear, Matrix, Norm, Rotary, ScoreHead, Table,
    activate, gated, means,
};
use veridic_kernels::{Activation, Queries};

use super::config::Pooling;
use super::{ModernBertConfig, norm_tensors};
use crate::classifier::{Classifier, Encoder, Logits};
use crate::error::Result;
use crate::packed::PackedBatch;
use crate::tables::check_ids;
use crate::transformer::{ResidualStream, all_but_last, cuda_first_tokens, cuda_linear_of};
use crate::weights::Weights;

/// A sequence classifier on a GPU.
pub(crate) struct ModernBertOnCuda {
    layers: Layers,
    final_norm: Norm,
    pooling: Pooling,
    head: Head,
}

/// The network below a head.
pub(crate) struct EncoderOnCuda {
    layers: Layers,
    /// After the network's last layer, if that is computed.
    final_norm: Option<Norm>,
}

impl ModernBertOnCuda {
    pub(crate) fn load(cuda: Cuda, config: &ModernBertConfig, weights: &Weights) -> Result<Self> {
        Ok(Self {
            final_norm: norm(&cuda, config, weights, FINAL_NORM)?,
            pooling: config.pooling,
            head: Head::load(&cuda, config, weights)?,
            layers: Layers::load(cuda, config, weights)?,
        })
    }
}

impl Classifier for ModernBertOnCuda {
    fn logits(&self, batch: &PackedBatch) -> Result<Logits> {
        let cuda = &self.layers.cuda;
        let (mut stream, layout) = self.layers.run(&self.layers.all, batch)?;
        let states = stream.normed(cuda, &self.final_norm)?; // (tokens, hidden)
        let pooled = match self.pooling {
            Pooling::First => cuda_first_tokens(cuda, &states, &layout)?,
            Pooling::Mean => means(cuda, &states, &layout)?,
        };
        self.head.forward(cuda, &pooled)
    }

    fn before_last(&self, batch: &PackedBatch) -> Result<Vec<f32>> {
        let (stream, _) = self.layers.run(all_but_last(&self.layers.all), batch)?;
        Ok(stream.download(&self.layers.cuda)?.wait()?)
    }
}

impl EncoderOnCuda {
    pub(crate) fn load(cuda: Cuda, config: &ModernBertConfig, weights: &Weights) -> Result<Self> {
        let final_norm = config.is_whole().then(|| norm(&cuda, config, weights, FINAL_NORM));
        Ok(Self { final_norm: final_norm.transpose()?, layers: Layers::load(cuda, config, weights)? })
    }
}

impl Encoder for EncoderOnCuda {
    fn states(&self, batch: &PackedBatch) -> Result<(Vec<f32>, usize)> {
        let cuda = &self.layers.cuda;
        let (mut stream, _) = self.layers.run(&self.layers.all, batch)?;
        let download = match &self.final_norm {
            Some(norm) => stream.normed(cuda, norm)?.download(cuda)?,
            None => stream.download(cuda)?,
        };
        let (_, width) = download.shape();
        Ok((download.wait()?, width))
    }
}

/// The embeddings and the layers that are computed.
struct Layers {
    cuda: Cuda,
    /// (vocabulary, hidden)
    words: Matrix,
    norm: Norm,
    all: Vec<Layer>,
    token_limit: usize,
}

impl Layers {
    fn load(cuda: Cuda, config: &ModernBertConfig, weights: &Weights) -> Result<Self> {
        let shape = [config.vocab_size, config.hidden_size];
        Ok(Self {
            words: cuda.upload(&weights.tensor("model.embeddings.tok_embeddings.weight", &shape)?)?,
            norm: norm(&cuda, config, weights, "model.embeddings.norm")?,
            all: (0..config.layers)
                .map(|index| Layer::load(&cuda, config, weights, index))
                .collect::<Result<_>>()?,
            token_limit: config.token_limit,
            cuda,
        })
    }

    /// The stream of all tokens after these layers, `(tokens, hidden)`, and where they lie.
    fn run(&self, layers: &[Layer], batch: &PackedBatch) -> Result<(ResidualStream, Layout)> {
        batch.check_lengths(Some(self.token_limit))?;
        check_ids(self.words.shape().0, batch.ids(), "token id")?;
        let cuda = &self.cuda;
        let layout = Layout::new(cuda, batch.offsets(), &[batch.ids(), &batch.positions()])?;
        let (ids, positions) = (layout.other(0), layout.other(1));
        let words = Table { rows: &self.words, indices: Some(&ids) };
        let embedded = self.norm.of_sum(cuda, &[words])?;
        let mut stream = ResidualStream::start(embedded.clone());
        for layer in layers {
            let normed = match &layer.attention_norm {
                Some(norm) => stream.normed(cuda, norm)?,
                None => embedded.clone(),
            };
            layer.forward(cuda, &normed, &mut stream, (&layout, &positions))?;
        }
        Ok((stream, layout))
    }
}

struct Layer {
    /// None before the first layer, since the embeddings are normed.
    attention_norm: Option<Norm>,
    /// Queries, keys and values: (hidden, 3 * hidden).
    projection: Linear,
    rotary: Rotary,
    attention: Attention,
    output: Linear,
    norm: Norm,
    /// Both projections of the gated part: (hidden, 2 * inner).
    up: Linear,
    activation: Activation,
    down: Linear,
}

impl Layer {
    fn load(cuda: &Cuda, config: &ModernBertConfig, weights: &Weights, index: usize) -> Result<Self> {
        let name = |part: &str| format!("model.layers.{index}.{part}");
        let (hidden, inner, heads) = (config.hidden_size, config.intermediate_size, config.heads);
        let linear =
            |part: &str, shape, has_bias| cuda_linear_of(cuda, weights, &name(part), shape, has_bias);
        let norm = |part: &str| norm(cuda, config, weights, &name(part));
        let is_local = config.local[index];
        let rotary = veridic_kernels::Rotary::new(heads, config.thetas[usize::from(is_local)])?;
        Ok(Self {
            attention_norm: (index > 0).then(|| norm("attn_norm")).transpose()?,
            projection: linear("attn.Wqkv", (hidden, 3 * hidden), config.attention_bias)?,
            rotary: Rotary::new(cuda, &rotary)?,
            attention: Attention {
                heads,
                scale: (1.0 / (heads.size as f64).sqrt()) as f32,
                relative: None,
                reach: is_local.then_some(config.reach),
            },
            output: linear("attn.Wo", (hidden, hidden), config.attention_bias)?,
            norm: norm("mlp_norm")?,
            up: linear("mlp.Wi", (hidden, 2 * inner), config.inner_bias)?,
            activation: config.activation,
            down: linear("mlp.Wo", (inner, hidden), config.inner_bias)?,
        })
    }

    /// Adds both parts to the stream; `normed`: its norm, `(tokens, hidden)`.
    fn forward(
        &self,
        cuda: &Cuda,
        normed: &Matrix,
        stream: &mut ResidualStream,
        (layout, positions): (&Layout, &Indices),
    ) -> Result<()> {
        let mut all = self.projection.forward(cuda, normed)?; // (tokens, 3 * hidden)
        self.rotary.turn(cuda, &mut all, positions)?;
        let [query, key, value] = [0, 1, 2].map(|part| all.from_column(part * normed.shape().1));
        let inputs = AttentionInputs { query, key, value };
        let context = self.attention.forward(cuda, inputs, layout, None, Queries::All)?;
        stream.add(self.output.forward(cuda, &context)?);
        let up = self.up.forward(cuda, &stream.normed(cuda, &self.norm)?)?; // (tokens, 2 * inner)
        stream.add(self.down.forward(cuda, &gated(cuda, &up, self.activation)?)?);
        Ok(())
    }
}

/// The head on the state of each sequence: a layer, an activation, a norm, and scores in f32.
struct Head {
    dense: Linear,
    activation: Activation,
    norm: Norm,
    scores: ScoreHead,
}

impl Head {
    fn load(cuda: &Cuda, config: &ModernBertConfig, weights: &Weights) -> Result<Self> {
        let (hidden, labels) = (config.hidden_size, config.labels.len());
        let weight = weights.tensor("classifier.weight", &[labels, hidden])?;
        Ok(Self {
            dense: cuda_linear_of(cuda, weights, "head.dense", (hidden, hidden), config.head_bias)?,
            activation: config.head_activation,
            norm: norm(cuda, config, weights, "head.norm")?,
            scores: ScoreHead::new(cuda, &weight, &weights.tensor("classifier.bias", &[labels])?)?,
        })
    }

    /// Starts the logits, `(sequences, hidden) -> (sequences, labels)`.
    fn forward(&self, cuda: &Cuda, pooled: &Matrix) -> Result<Logits> {
        let dense = activate(cuda, &self.dense.forward(cuda, pooled)?, self.activation)?;
        let normed = self.norm.of_sum(cuda, &[(&dense).into()])?;
        let scores = self.scores.forward(cuda, &normed)?;
        Ok(Logits::Pending(scores.download(cuda, self.scores.outputs())?))
    }
}

const FINAL_NORM: &str = "model.final_norm";

/// The norm of these names.
fn norm(cuda: &Cuda, config: &ModernBertConfig, weights: &Weights, name: &str) -> Result<Norm> {
    let (weight, bias) = norm_tensors(config, weights, name)?;
    Ok(Norm::new(cuda, &weight, Some(&bias), config.norm_epsilon)?)
}
