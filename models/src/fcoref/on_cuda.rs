//! F-Coref on a GPU: the encoder and every layer of the heads, the counterparts of `mentions.rs` and `antecedents.rs`. The
//! scores of pairs, which are few products, are computed on the host.

use candle_core::Tensor;
use veridic_kernels::cuda::{
    Cuda, Download, Indices, Linear, Matrix, Norm, ScoreHead, Table, activate, gather,
};
use veridic_kernels::{Activation, Queries};

use super::antecedents::PairFactors;
use super::config::FCorefConfig;
use super::mentions::{Boundaries, MentionSpan};
use crate::bert::BertEncoderOnCuda;
use crate::error::Result;
use crate::packed::PackedBatch;
use crate::transformer::{cuda_linear, cuda_norm};
use crate::weights::Weights;

pub(super) struct FCorefOnCuda {
    cuda: Cuda,
    encoder: BertEncoderOnCuda,
    mention_start: Representation,
    mention_end: Representation,
    start_score: ScoreHead,
    end_score: ScoreHead,
    pair_score: Linear,
    start: Representation,
    end: Representation,
    start_to_start: Linear,
    end_to_end: Linear,
    start_to_end: Linear,
    end_to_start: Linear,
}

/// A layer of the heads: `norm(activation(dense(x)))`.
struct Representation {
    dense: Linear,
    activation: Activation,
    norm: Norm,
}

impl FCorefOnCuda {
    pub(super) fn load(cuda: Cuda, config: &FCorefConfig, weights: &Weights) -> Result<Self> {
        let size = config.head_size;
        let layer = |name: &str| Representation::load(&cuda, config, weights, name);
        let classifier = |part: &str| cuda_linear(&cuda, weights, &format!("{part}_classifier"), size, size);
        let scores = |part: &str| -> Result<ScoreHead> {
            let tensor =
                |of: &str, shape: &[usize]| weights.tensor(&format!("mention_{part}_classifier.{of}"), shape);
            Ok(ScoreHead::new(&cuda, &tensor("weight", &[1, size])?, &tensor("bias", &[1])?)?)
        };
        Ok(Self {
            encoder: BertEncoderOnCuda::load(cuda.clone(), &config.encoder, weights, Queries::All)?,
            mention_start: layer("start_mention_mlp")?,
            mention_end: layer("end_mention_mlp")?,
            start_score: scores("start")?,
            end_score: scores("end")?,
            pair_score: classifier("mention_s2e")?,
            start: layer("start_coref_mlp")?,
            end: layer("end_coref_mlp")?,
            start_to_start: classifier("antecedent_s2s")?,
            end_to_end: classifier("antecedent_e2e")?,
            start_to_end: classifier("antecedent_s2e")?,
            end_to_start: classifier("antecedent_e2s")?,
            cuda,
        })
    }

    /// States of the tokens of all batches, one after the other: `(tokens, hidden)`.
    pub(super) fn states(&self, batches: &[PackedBatch]) -> Result<Matrix> {
        let parts = batches.iter().map(|batch| self.encoder.hidden(batch)).collect::<Result<Vec<_>>>()?;
        Ok(self.cuda.stack(&parts)?)
    }

    /// The counterpart of [`super::mentions::MentionHead::boundaries`].
    pub(super) fn boundaries(&self, states: &Matrix) -> Result<Boundaries> {
        let cuda = &self.cuda;
        let start = self.mention_start.forward(cuda, states)?; // (tokens, head size)
        let end = self.mention_end.forward(cuda, states)?;
        let start_scores = self.start_score.forward(cuda, &start)?.download(cuda, 1)?;
        let end_scores = self.end_score.forward(cuda, &end)?.download(cuda, 1)?;
        let projected = self.pair_score.forward(cuda, &start)?.download(cuda)?;
        let end = end.download(cuda)?;
        Ok(Boundaries {
            start_scores: start_scores.wait()?,
            end_scores: end_scores.wait()?,
            projected: on_host(projected)?,
            end: on_host(end)?,
        })
    }

    /// The counterpart of [`super::antecedents::AntecedentHead::factors`].
    pub(super) fn factors(&self, states: &Matrix, mentions: &[MentionSpan]) -> Result<PairFactors> {
        let cuda = &self.cuda;
        let tokens =
            |of: fn(&MentionSpan) -> usize| mentions.iter().map(|m| of(m) as u32).collect::<Vec<_>>();
        let (starts, ends) = (tokens(|mention| mention.start), tokens(|mention| mention.end));
        let lists = cuda.upload_lists(&[&starts, &ends])?;
        let rows = |list: &Indices| gather(cuda, &[Table { rows: states, indices: Some(list) }]);
        let start = self.start.forward(cuda, &rows(&lists.list(0))?)?; // (mentions, head size)
        let end = self.end.forward(cuda, &rows(&lists.list(1))?)?;
        let to = |from_start: &Linear, from_end: &Linear| -> Result<Download> {
            let (one, other) = (from_start.forward(cuda, &start)?, from_end.forward(cuda, &end)?);
            Ok(gather(cuda, &[(&one).into(), (&other).into()])?.download(cuda)?)
        };
        let to_start = to(&self.start_to_start, &self.end_to_start)?;
        let to_end = to(&self.start_to_end, &self.end_to_end)?;
        let (start, end) = (start.download(cuda)?, end.download(cuda)?);
        Ok(PairFactors {
            later: Tensor::cat(&[on_host(to_start)?, on_host(to_end)?], 1)?,
            earlier: Tensor::cat(&[on_host(start)?, on_host(end)?], 1)?,
        })
    }
}

impl Representation {
    fn load(cuda: &Cuda, config: &FCorefConfig, weights: &Weights, name: &str) -> Result<Self> {
        let (hidden, size) = (config.encoder.hidden_size, config.head_size);
        let epsilon = config.encoder.layer_norm_epsilon;
        Ok(Self {
            dense: cuda_linear(cuda, weights, &format!("{name}.dense"), hidden, size)?,
            activation: config.encoder.activation,
            norm: cuda_norm(cuda, weights, &format!("{name}.layer_norm"), size, epsilon)?,
        })
    }

    /// `(rows, hidden) -> (rows, head size)`
    fn forward(&self, cuda: &Cuda, states: &Matrix) -> Result<Matrix> {
        let activated = activate(cuda, &self.dense.forward(cuda, states)?, self.activation)?;
        Ok(self.norm.of_sum(cuda, &[(&activated).into()])?)
    }
}

/// Waits for a download.
fn on_host(download: Download) -> Result<Tensor> {
    let shape = download.shape();
    Ok(Tensor::from_vec(download.wait()?, shape, &candle_core::Device::Cpu)?)
}
