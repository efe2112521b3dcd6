//! Packs the bundled model: its word embeddings, half of its bytes, are stored as whole numbers of 8 bits and a scale for
//! each row. Nothing is lost, since scripts/train_mini/export.py leaves no other numbers in them. Without feature `bundled`
//! it does nothing.

use std::env;
use std::error::Error;
use std::fs;
use std::path::Path;

use half::f16;
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors, serialize_to_file};

const MODEL: &str = "weights/mini/model.safetensors";
const EMBEDDINGS: &str = "deberta.embeddings.word_embeddings.weight";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_BUNDLED").is_none() {
        return Ok(());
    }
    println!("cargo:rerun-if-changed={MODEL}");
    let file = fs::read(MODEL).map_err(|error| format!("models/{MODEL}: {error}"))?;
    let model = SafeTensors::deserialize(&file).map_err(|error| format!("models/{MODEL}: {error}"))?;
    let embeddings = model.tensor(EMBEDDINGS)?;
    let [rows, columns] = embeddings.shape()[..] else { return Err("word embeddings are no matrix".into()) };

    let (mut numbers, mut scales) = (Vec::with_capacity(rows * columns), Vec::with_capacity(rows * 2));
    for (row, values) in embeddings.data().chunks(columns * 2).enumerate() {
        let values: Vec<f32> =
            values.as_chunks::<2>().0.iter().map(|bytes| f16::from_le_bytes(*bytes).to_f32()).collect();
        let (scale, whole) = packed(&values).ok_or_else(|| {
            format!("models/{MODEL}: word embedding {row} has more than 8 bits; make the file with scripts/train_mini/export.py")
        })?;
        numbers.extend(whole);
        scales.extend(f16::from_f32(scale).to_le_bytes());
    }

    let mut tensors: Vec<(String, TensorView<'_>)> =
        model.tensors().into_iter().filter(|(name, _)| name != EMBEDDINGS).collect();
    tensors.push((format!("{EMBEDDINGS}.int8"), TensorView::new(Dtype::I8, vec![rows, columns], &numbers)?));
    tensors.push((format!("{EMBEDDINGS}.scale"), TensorView::new(Dtype::F16, vec![rows], &scales)?));
    let out = env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?;
    Ok(serialize_to_file(tensors, None, &Path::new(&out).join("mini.safetensors"))?)
}

/// A scale and the row's numbers in units of it, two's complement; none if they are not whole or over 127.
fn packed(row: &[f32]) -> Option<(f32, Vec<u8>)> {
    let largest = row.iter().fold(0.0_f32, |largest, value| largest.max(value.abs()));
    let scale = scale_over(largest / 127.0);
    // The largest may have been rounded down to where the next lower scale would do.
    [scale, scale_over(scale * 1.01)].into_iter().find_map(|scale| {
        let whole = row.iter().map(|value| {
            let number = value / scale;
            (number == number.round() && number.abs() <= 127.0).then_some((number as i8).cast_unsigned())
        });
        Some((scale, whole.collect::<Option<Vec<u8>>>()?))
    })
}

/// The smallest scale of four significant bits that is not under `least`: such a scale times a number of 8 bits fits
/// float16 exactly.
fn scale_over(least: f32) -> f32 {
    let least = least.max(2.0_f32.powi(-20));
    let unit = 2.0_f32.powi(least.log2().floor() as i32 - 3);
    (least / unit).ceil() * unit
}
