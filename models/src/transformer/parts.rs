//! Layers and norms by the names of their tensors, and the states that a network picks.

use candle_core::Tensor;
use veridic_kernels::{LayerNorm, Linear, Precision};

use crate::error::Result;
use crate::weights::{Matrix, Weights};

/// The layer `name.weight`, `name.bias`.
pub(crate) fn linear(
    weights: &Weights,
    name: &str,
    inputs: usize,
    outputs: usize,
    precision: Precision,
) -> Result<Linear> {
    let weight = weights.matrix(&format!("{name}.weight"), [outputs, inputs])?;
    let bias = weights.tensor(&format!("{name}.bias"), &[outputs])?;
    packed_linear(&weight, Some(&bias), precision)
}

/// The layer `name.weight`, without a bias.
pub(crate) fn unbiased_linear(
    weights: &Weights,
    name: &str,
    inputs: usize,
    outputs: usize,
    precision: Precision,
) -> Result<Linear> {
    packed_linear(&weights.matrix(&format!("{name}.weight"), [outputs, inputs])?, None, precision)
}

/// A layer with these weights; products in 8 bits use 8-bit rows as they are stored.
pub(crate) fn packed_linear(weight: &Matrix, bias: Option<&Tensor>, precision: Precision) -> Result<Linear> {
    Ok(match weight {
        Matrix::Rows8(rows) => Linear::from_rows8(&rows.integers(), rows.scales(), bias, precision)?,
        Matrix::Floats(weight) => Linear::with_precision(weight, bias, precision)?,
    })
}

/// The layer norm `name.weight`, `name.bias` over `columns`.
pub(crate) fn layer_norm(weights: &Weights, name: &str, columns: usize, epsilon: f64) -> Result<LayerNorm> {
    let vector = |part: &str| weights.tensor(&format!("{name}.{part}"), &[columns]);
    Ok(LayerNorm::new(&vector("weight")?, &vector("bias")?, epsilon)?)
}

/// All layers except the last, which may compute first tokens only.
pub(crate) fn all_but_last<L>(layers: &[L]) -> &[L] {
    layers.split_last().map_or(&[], |(_, others)| others)
}

/// The state of each sequence's first token: `(tokens, hidden) -> (sequences, hidden)`.
pub(crate) fn first_tokens(states: &Tensor, offsets: &[usize]) -> Result<Tensor> {
    let starts: Vec<u32> = offsets[..offsets.len() - 1].iter().map(|&start| start as u32).collect();
    Ok(states.index_select(&Tensor::new(starts, states.device())?, 0)?)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use safetensors::tensor::TensorView;
    use safetensors::{Dtype, serialize};

    use super::*;

    /// Conversion to f32 and back would change the integers of rows whose largest is not 127.
    #[test]
    fn stored_8_bit_rows_are_used_unchanged() {
        let integers: Vec<i8> = (0..12).map(|index| index * 9 - 50).collect();
        let bytes: Vec<u8> = integers.iter().map(|integer| integer.cast_unsigned()).collect();
        let scales: Vec<f32> = vec![0.25, 0.01, 3.0];
        let little: Vec<u8> = scales.iter().flat_map(|scale| scale.to_le_bytes()).collect();
        let tensors = [
            ("layer.weight.int8", TensorView::new(Dtype::I8, vec![3, 4], &bytes).unwrap()),
            ("layer.weight.scale", TensorView::new(Dtype::F32, vec![3], &little).unwrap()),
            ("layer.bias", TensorView::new(Dtype::F32, vec![3], &little).unwrap()),
        ];
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.int8.safetensors");
        fs::write(&path, serialize(tensors, None).unwrap()).unwrap();
        let weights = Weights::from_file(&path).unwrap();
        let bias = weights.tensor("layer.bias", &[3]).unwrap();
        let printed = |layer: &Linear| format!("{layer:?}");
        let read = linear(&weights, "layer", 4, 3, Precision::Int8).unwrap();
        assert_eq!(
            printed(&read),
            printed(&Linear::from_rows8(&integers, &scales, Some(&bias), Precision::Int8).unwrap())
        );
        let wide = weights.tensor("layer.weight", &[3, 4]).unwrap();
        let again = Linear::with_precision(&wide, Some(&bias), Precision::Int8).unwrap();
        assert_ne!(printed(&read), printed(&again));
        let exact = linear(&weights, "layer", 4, 3, Precision::F32).unwrap();
        assert_eq!(printed(&exact), printed(&Linear::new(&wide, Some(&bias)).unwrap()));
    }
}
