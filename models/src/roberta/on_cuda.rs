//! RoBERTa on a GPU: the twin of `mod.rs` and `embeddings.rs`.

use veridic_kernels::cuda::{Cuda, Download, Layout, Matrix, Norm, Table};
use veridic_kernels::{Activation, Precision, Queries};

use super::embeddings::{positions_of, table};
use super::{RobertaConfig, check, layer_plan};
use crate::error::Result;
use crate::packed::PackedBatch;
use crate::tables::check_ids;
use crate::transformer::{CudaHead, CudaLayer, cuda_first_tokens, cuda_norm};
use crate::weights::Weights;

/// A RoBERTa sequence classifier on a GPU.
pub(crate) struct RobertaOnCuda {
    encoder: EncoderOnCuda,
    head: CudaHead,
}

/// The network below a head.
pub(crate) struct EncoderOnCuda {
    cuda: Cuda,
    /// (vocabulary, hidden)
    words: Matrix,
    /// (positions, hidden), the type's row added to each.
    positions: Matrix,
    padding_id: u32,
    norm: Norm,
    layers: Vec<CudaLayer>,
    token_limit: usize,
}

impl RobertaOnCuda {
    pub(crate) fn load(cuda: Cuda, config: &RobertaConfig, weights: &Weights) -> Result<Self> {
        let parts = ("classifier.dense", Activation::Tanh, "classifier.out_proj");
        let head = CudaHead::load(&cuda, weights, parts, (config.hidden_size, config.labels.len()))?;
        Ok(Self { encoder: EncoderOnCuda::load(cuda, config, weights, Queries::First)?, head })
    }

    /// Logits of every sequence, `(sequences, labels)`, on their way.
    pub(crate) fn logits(&self, batch: &PackedBatch) -> Result<Download> {
        let encoder = &self.encoder;
        let (mut first, layout) = encoder.forward(batch)?;
        if !encoder.layers.last().is_some_and(CudaLayer::gives_first_tokens) {
            first = cuda_first_tokens(&encoder.cuda, &first, &layout)?;
        }
        self.head.forward(&encoder.cuda, &first)
    }
}

impl EncoderOnCuda {
    /// `queries`: the tokens whose last states are wanted.
    pub(crate) fn load(
        cuda: Cuda,
        config: &RobertaConfig,
        weights: &Weights,
        queries: Queries,
    ) -> Result<Self> {
        let (words, positions) = (table(config, weights, "word")?, table(config, weights, "position")?);
        let name = "roberta.embeddings.LayerNorm";
        let layer = |index: usize| {
            let plan = layer_plan(config, index, queries, Precision::default());
            CudaLayer::load(&cuda, weights, &plan, |_, _| Ok(None))
        };
        Ok(Self {
            words: cuda.upload(&words)?,
            positions: cuda.upload(&positions)?,
            padding_id: config.padding_id,
            norm: cuda_norm(&cuda, weights, name, config.hidden_size, config.layer_norm_epsilon)?,
            layers: (0..config.layers).map(layer).collect::<Result<_>>()?,
            token_limit: config.token_limit(),
            cuda,
        })
    }

    /// All states on their way to the host, `(tokens, hidden)`.
    pub(crate) fn states(&self, batch: &PackedBatch) -> Result<Download> {
        Ok(self.hidden(batch)?.download(&self.cuda)?)
    }

    /// All states, `(tokens, hidden)`.
    pub(crate) fn hidden(&self, batch: &PackedBatch) -> Result<Matrix> {
        Ok(self.forward(batch)?.0)
    }

    fn forward(&self, batch: &PackedBatch) -> Result<(Matrix, Layout)> {
        check(batch, self.token_limit)?;
        check_ids(self.words.shape().0, batch.ids(), "token id")?;
        let positions = positions_of(batch, self.padding_id);
        check_ids(self.positions.shape().0, &positions, "position")?;
        let cuda = &self.cuda;
        let layout = Layout::new(cuda, batch.offsets(), &[batch.ids(), &positions])?;
        let (ids, places) = (layout.other(0), layout.other(1));
        let words = Table { rows: &self.words, indices: Some(&ids) };
        let positions = Table { rows: &self.positions, indices: Some(&places) };
        let mut states = self.norm.of_sum(cuda, &[words, positions])?; // (tokens, hidden)
        for layer in &self.layers {
            states = layer.forward(cuda, states, &layout, None)?;
        }
        Ok((states, layout))
    }
}
