//! DeBERTa on a GPU: the counterpart of `mod.rs`, `encoder.rs`, `embeddings.rs` and `conv.rs`. A forward pass copies one
//! list of integers to the device and queues all work; the host waits only when it reads the result.

use candle_core::Tensor;
use veridic_kernels::Queries;
use veridic_kernels::cuda::{
    Cuda, Distances, Layout, Linear, Matrix, Norm, RelativePositions, Table, activate, gather, unfold,
};

use super::config::ConvConfig;
use super::{DebertaConfig, DistanceSlots, encoder, positions};
use crate::classifier::{Classifier, Encoder, Logits};
use crate::error::{ModelError, Result};
use crate::packed::PackedBatch;
use crate::tables::check_ids;
use crate::transformer::{CudaHead, CudaLayer, all_but_last, cuda_first_tokens, cuda_norm};
use crate::weights::Weights;

/// A DeBERTa sequence classifier on a GPU.
pub(crate) struct DebertaOnCuda {
    encoder: EncoderOnCuda,
    head: CudaHead,
}

/// The network below a head.
pub(crate) struct EncoderOnCuda {
    cuda: Cuda,
    embeddings: Embeddings,
    layers: Vec<CudaLayer>,
    conv: Option<Conv>,
    slots: Option<DistanceSlots>,
    /// For sequences up to the token limit.
    distances: Option<Distances>,
    token_limit: usize,
}

impl DebertaOnCuda {
    pub(crate) fn load(cuda: Cuda, config: &DebertaConfig, weights: &Weights) -> Result<Self> {
        let parts = ("pooler.dense", config.pooler_activation, "classifier");
        let head = CudaHead::load(&cuda, weights, parts, (config.hidden_size, config.labels.len()))?;
        Ok(Self { encoder: EncoderOnCuda::load(cuda, config, weights, Queries::First)?, head })
    }
}

impl Classifier for DebertaOnCuda {
    fn logits(&self, batch: &PackedBatch) -> Result<Logits> {
        let encoder = &self.encoder;
        let (mut first, layout) = encoder.forward(batch)?;
        if !encoder.returns_first_tokens() {
            first = cuda_first_tokens(&encoder.cuda, &first, &layout)?;
        }
        self.head.forward(&encoder.cuda, &first).map(Logits::Pending)
    }

    fn before_last(&self, batch: &PackedBatch) -> Result<Vec<f32>> {
        let encoder = &self.encoder;
        Ok(encoder.run(all_but_last(&encoder.layers), batch)?.0.download(&encoder.cuda)?.wait()?)
    }
}

impl Encoder for EncoderOnCuda {
    fn states(&self, batch: &PackedBatch) -> Result<(Vec<f32>, usize)> {
        let download = self.forward(batch)?.0.download(&self.cuda)?;
        let (_, width) = download.shape();
        Ok((download.wait()?, width))
    }
}

impl EncoderOnCuda {
    /// `queries`: the tokens whose last states are computed.
    pub(crate) fn load(
        cuda: Cuda,
        config: &DebertaConfig,
        weights: &Weights,
        queries: Queries,
    ) -> Result<Self> {
        let embeddings = positions::embeddings(config, weights)?;
        let slots = config.relative.as_ref().map(DistanceSlots::of);
        let table = |slots: &DistanceSlots| Distances::new(&cuda, &slots.table(config.token_limit()));
        Ok(Self {
            embeddings: Embeddings::load(&cuda, config, weights)?,
            layers: (0..config.layers)
                .map(|index| layer(&cuda, config, weights, embeddings.as_ref(), (index, queries)))
                .collect::<Result<_>>()?,
            conv: config.conv.as_ref().map(|conv| Conv::load(&cuda, config, conv, weights)).transpose()?,
            distances: slots.as_ref().map(table).transpose()?,
            slots,
            token_limit: config.token_limit(),
            cuda,
        })
    }

    fn returns_first_tokens(&self) -> bool {
        self.layers.last().is_some_and(CudaLayer::returns_first_tokens)
    }

    /// The last layer's states, `(tokens, hidden)`, or `(sequences, hidden)` for first tokens.
    fn forward(&self, batch: &PackedBatch) -> Result<(Matrix, Layout)> {
        self.run(&self.layers, batch)
    }

    fn run(&self, layers: &[CudaLayer], batch: &PackedBatch) -> Result<(Matrix, Layout)> {
        batch.check_lengths(self.embeddings.positions.is_some().then_some(self.token_limit))?;
        let cuda = &self.cuda;
        check_ids(self.embeddings.words.shape().0, batch.ids(), "token id")?;
        if let Some(types) = &self.embeddings.types {
            check_ids(types.shape().0, batch.types(), "token type")?;
        }
        let layout = Layout::new(cuda, batch.offsets(), &[batch.ids(), &batch.positions(), batch.types()])?;
        // A caller may allow sequences over the default limit.
        let longer = match (&self.slots, &self.distances) {
            (Some(slots), Some(distances)) if batch.longest() > distances.longest() => {
                Some(Distances::new(cuda, &slots.table(batch.longest()))?)
            }
            _ => None,
        };
        let distances = longer.as_ref().or(self.distances.as_ref());
        let embedded = self.embeddings.forward(cuda, &layout)?; // (tokens, hidden)
        let mut states = embedded.clone();
        for (index, layer) in layers.iter().enumerate() {
            states = layer.forward(cuda, states, &layout, distances)?;
            if let (0, Some(conv)) = (index, &self.conv) {
                states = conv.forward(cuda, &embedded, &states, &layout)?;
            }
        }
        Ok((states, layout))
    }
}

fn layer(
    cuda: &Cuda,
    config: &DebertaConfig,
    weights: &Weights,
    positions: Option<&Tensor>,
    (index, queries): (usize, Queries),
) -> Result<CudaLayer> {
    let plan = encoder::layer_plan(config, index, queries, veridic_kernels::Precision::default());
    CudaLayer::load(cuda, weights, &plan, |query, key| match (&config.relative, positions) {
        (Some(relative), Some(embeddings)) => {
            let own = (weights, &plan.name[..]);
            let (key, query) = positions::project(config, relative, embeddings, (query, key), own)?;
            match (&key, &query) {
                (None, None) => Ok(None),
                _ => Ok(Some(RelativePositions::new(cuda, key.as_ref(), query.as_ref())?)),
            }
        }
        _ => Ok(None),
    })
}

/// The sum of word, position and type rows, projected where they are narrower than the model, normed.
struct Embeddings {
    /// (vocabulary, embedding)
    words: Matrix,
    /// (positions, embedding)
    positions: Option<Matrix>,
    /// (types, embedding)
    types: Option<Matrix>,
    projection: Option<Linear>,
    norm: Norm,
}

impl Embeddings {
    fn load(cuda: &Cuda, config: &DebertaConfig, weights: &Weights) -> Result<Self> {
        let (width, hidden) = (config.embedding_size, config.hidden_size);
        let table = |name: &str, rows: usize| -> Result<Matrix> {
            let name = format!("deberta.embeddings.{name}_embeddings.weight");
            Ok(cuda.upload(&weights.tensor(&name, &[rows, width])?)?)
        };
        let projection = match width == hidden {
            true => None,
            false => {
                let weight = weights.tensor("deberta.embeddings.embed_proj.weight", &[hidden, width])?;
                Some(Linear::new(cuda, &weight, None)?)
            }
        };
        Ok(Self {
            words: table("word", config.vocab_size)?,
            positions: config.position_table.map(|rows| table("position", rows)).transpose()?,
            types: (config.type_vocab_size > 0)
                .then(|| table("token_type", config.type_vocab_size))
                .transpose()?,
            projection,
            norm: cuda_norm(
                cuda,
                weights,
                "deberta.embeddings.LayerNorm",
                hidden,
                config.layer_norm_epsilon,
            )?,
        })
    }

    /// `(tokens, hidden)`; the layout's lists are ids, positions, types.
    fn forward(&self, cuda: &Cuda, layout: &Layout) -> Result<Matrix> {
        let lists = [0, 1, 2].map(|list| layout.other(list));
        let tables = [Some(&self.words), self.positions.as_ref(), self.types.as_ref()];
        let rows: Vec<Table<'_>> = tables
            .iter()
            .zip(&lists)
            .filter_map(|(table, list)| table.map(|rows| Table { rows, indices: Some(list) }))
            .collect();
        Ok(match &self.projection {
            None => self.norm.of_sum(cuda, &rows)?,
            Some(projection) => {
                let projected = projection.forward(cuda, &gather(cuda, &rows)?)?; // (tokens, hidden)
                self.norm.of_sum(cuda, &[(&projected).into()])?
            }
        })
    }
}

/// The convolution of deberta-v2-xlarge as one product over each token's neighbours.
struct Conv {
    /// (hidden, taps * hidden)
    product: Linear,
    taps: usize,
    activation: veridic_kernels::Activation,
    norm: Norm,
}

impl Conv {
    fn load(cuda: &Cuda, config: &DebertaConfig, conv: &ConvConfig, weights: &Weights) -> Result<Self> {
        let hidden = config.hidden_size;
        if conv.groups != 1 {
            let expected = format!("a convolution of {} groups is computed on the host only", conv.groups);
            return Err(ModelError::Setting { setting: "device", value: "cuda".into(), expected });
        }
        let shape = [hidden, hidden, conv.kernel_size];
        let weight = weights.tensor("deberta.encoder.conv.conv.weight", &shape)?; // (out, in, taps)
        let weight = weight.transpose(1, 2)?.contiguous()?.reshape((hidden, conv.kernel_size * hidden))?;
        let bias = weights.tensor("deberta.encoder.conv.conv.bias", &[hidden])?;
        let name = "deberta.encoder.conv.LayerNorm";
        Ok(Self {
            product: Linear::new(cuda, &weight, Some(&bias))?,
            taps: conv.kernel_size,
            activation: conv.activation,
            norm: cuda_norm(cuda, weights, name, hidden, config.layer_norm_epsilon)?,
        })
    }

    /// `embedded` and `states`: `(tokens, hidden)`.
    fn forward(&self, cuda: &Cuda, embedded: &Matrix, states: &Matrix, layout: &Layout) -> Result<Matrix> {
        let around = unfold(cuda, embedded, layout, self.taps)?; // (tokens, taps * hidden)
        let convolved = activate(cuda, &self.product.forward(cuda, &around)?, self.activation)?;
        Ok(self.norm.of_sum(cuda, &[(&convolved).into(), states.into()])?)
    }
}
