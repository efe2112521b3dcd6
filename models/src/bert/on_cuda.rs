//! BERT's family on a GPU: the counterpart of `mod.rs` and `embeddings.rs`.

use veridic_kernels::cuda::{Cuda, Distances, Layout, Linear, Matrix, Norm, RelativePositions, Table};
use veridic_kernels::{Activation, Precision, Queries};

use super::embeddings::{Tables, norm_name, widening_name, words};
use super::{BertConfig, distance_bias, layer_plan};
use crate::classifier::{Classifier, Encoder, Logits};
use crate::error::Result;
use crate::packed::PackedBatch;
use crate::tables::check_ids;
use crate::transformer::{CudaHead, CudaLayer, all_but_last, cuda_first_tokens, cuda_linear, cuda_norm};
use crate::weights::Weights;

/// A sequence classifier of BERT's family on a GPU.
pub(crate) struct BertOnCuda {
    encoder: EncoderOnCuda,
    head: CudaHead,
}

/// The network below a head.
pub(crate) struct EncoderOnCuda {
    cuda: Cuda,
    /// (vocabulary, embedding)
    words: Matrix,
    /// (positions, embedding)
    positions: Matrix,
    /// (types, embedding)
    types: Option<Matrix>,
    /// Selects the rows of a token.
    tables: Tables,
    norm: Norm,
    /// (embedding, hidden)
    widening: Option<Linear>,
    layers: Vec<CudaLayer>,
    /// The layers that are computed, in their order.
    order: Vec<usize>,
    /// For sequences up to the token limit.
    distances: Option<Distances>,
    token_limit: usize,
}

impl BertOnCuda {
    pub(crate) fn load(cuda: Cuda, config: &BertConfig, weights: &Weights) -> Result<Self> {
        let (dense, output) = config.head.layers(config.family);
        let parts = (dense, Activation::Tanh, output);
        let head = CudaHead::load(&cuda, weights, parts, (config.hidden_size, config.labels.len()))?;
        Ok(Self { encoder: EncoderOnCuda::load(cuda, config, weights, Queries::First)?, head })
    }
}

impl Classifier for BertOnCuda {
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
        Ok(encoder.run(all_but_last(&encoder.order), batch)?.0.download(&encoder.cuda)?.wait()?)
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
    pub(crate) fn load(cuda: Cuda, config: &BertConfig, weights: &Weights, queries: Queries) -> Result<Self> {
        let tables = Tables::load(config, weights)?;
        let bias = distance_bias(config, weights)?;
        let relative = || bias.as_ref().map(|bias| RelativePositions::from_bias(&cuda, bias)).transpose();
        let layer = |index: usize| {
            let plan = layer_plan(config, index, queries, Precision::default());
            CudaLayer::load(&cuda, weights, &plan, |_, _| Ok(relative()?))
        };
        let limit = config.token_limit();
        let slots = config.distance_buckets().map(|buckets| buckets.slots(limit));
        let (norm, epsilon) = (norm_name(config), config.layer_norm_epsilon);
        Ok(Self {
            words: cuda.upload(&words(config, weights)?.to_f32()?)?,
            positions: cuda.upload(&tables.positions)?,
            types: tables.types.as_ref().map(|types| cuda.upload(types)).transpose()?,
            tables,
            norm: cuda_norm(&cuda, weights, &norm, config.embedding_size, epsilon)?,
            widening: widening_name(config)
                .map(|name| cuda_linear(&cuda, weights, name, config.embedding_size, config.hidden_size))
                .transpose()?,
            order: config.computed_layers().to_vec(),
            layers: (0..config.sets_of_weights()).map(layer).collect::<Result<_>>()?,
            distances: slots.map(|slots| Distances::new(&cuda, &slots)).transpose()?,
            token_limit: limit,
            cuda,
        })
    }

    /// All states, `(tokens, hidden)`.
    pub(crate) fn hidden(&self, batch: &PackedBatch) -> Result<Matrix> {
        Ok(self.forward(batch)?.0)
    }

    fn forward(&self, batch: &PackedBatch) -> Result<(Matrix, Layout)> {
        self.run(&self.order, batch)
    }

    fn returns_first_tokens(&self) -> bool {
        self.order.last().is_some_and(|last| self.layers[*last].returns_first_tokens())
    }

    fn run(&self, order: &[usize], batch: &PackedBatch) -> Result<(Matrix, Layout)> {
        batch.check_lengths(Some(self.token_limit))?;
        check_ids(self.words.shape().0, batch.ids(), "token id")?;
        let positions = self.tables.positions_of(batch);
        check_ids(self.positions.shape().0, &positions, "position")?;
        if let Some(types) = &self.types {
            check_ids(types.shape().0, batch.types(), "token type")?;
        }
        let cuda = &self.cuda;
        let layout = Layout::new(cuda, batch.offsets(), &[batch.ids(), &positions, batch.types()])?;
        let lists = [0, 1, 2].map(|list| layout.other(list));
        let tables = [Some(&self.words), Some(&self.positions), self.types.as_ref()];
        let rows: Vec<Table<'_>> = tables
            .iter()
            .zip(&lists)
            .filter_map(|(table, list)| table.map(|rows| Table { rows, indices: Some(list) }))
            .collect();
        let mut states = self.norm.of_sum(cuda, &rows)?; // (tokens, embedding)
        if let Some(widening) = &self.widening {
            states = widening.forward(cuda, &states)?; // (tokens, hidden)
        }
        for index in order {
            states = self.layers[*index].forward(cuda, states, &layout, self.distances.as_ref())?;
        }
        Ok((states, layout))
    }
}
