//! Where the tensors of a safetensors file lie. A matrix `NAME` of I8 with F16 numbers `NAME.row_scales`, one for each
//! row, is one tensor of scaled rows: so the bundled model's build packs its word embeddings.

use std::io::Read;

use safetensors::Dtype;
use safetensors::tensor::Metadata;

use super::{Index, Number, Stored};

/// What the name of a packed matrix' scales ends in.
const ROW_SCALES: &str = ".row_scales";

/// The bytes of a header longer than this are damage, not tensors (the format's own limit).
const MAX_HEADER_BYTES: u64 = 100_000_000;

/// Reads the header of a file of `length` bytes. Errors say what is wrong.
pub(super) fn index(reader: &mut impl Read, length: u64) -> Result<Index, String> {
    if length < 8 {
        return Err(format!("{length} bytes are no safetensors file"));
    }
    let mut prefix = [0u8; 8];
    reader.read_exact(&mut prefix).map_err(|e| e.to_string())?;
    let header = u64::from_le_bytes(prefix);
    if header > MAX_HEADER_BYTES || header > length - 8 {
        return Err(format!("its header claims {header} of {length} bytes"));
    }
    let mut json = vec![0u8; header as usize];
    reader.read_exact(&mut json).map_err(|e| e.to_string())?;
    let metadata: Metadata =
        serde_json::from_slice(&json).map_err(|e| format!("its header is not valid: {e}"))?;
    let expected = 8 + header + metadata.data_len() as u64;
    if expected != length {
        return Err(format!("it has {length} bytes, its header asks for {expected}"));
    }
    let stored = |(name, info): (String, &safetensors::tensor::TensorInfo)| {
        let numbers = match info.dtype {
            Dtype::F32 => Ok(Number::F32),
            Dtype::F16 => Ok(Number::F16),
            Dtype::BF16 => Ok(Number::Bf16),
            other => Err(format!("has type {other:?}; F32, F16 and BF16 are read")),
        };
        let offset = 8 + header + info.data_offsets.0 as u64;
        (name, Stored { shape: info.shape.clone(), numbers, offset })
    };
    let mut index: Index = metadata.tensors().into_iter().map(stored).collect();
    let scales: Vec<String> = index.keys().filter(|name| name.ends_with(ROW_SCALES)).cloned().collect();
    for name in scales {
        pack_rows(&mut index, &name, &metadata);
    }
    Ok(index)
}

/// Makes one tensor of a packed matrix and its scales, if that is what they are.
fn pack_rows(index: &mut Index, scales_name: &str, metadata: &Metadata) -> Option<()> {
    let name = scales_name.strip_suffix(ROW_SCALES)?;
    let [rows, _] = index.get(name)?.shape[..] else { return None };
    let scales = index.get(scales_name)?;
    let is_packed = metadata.info(name)?.dtype == Dtype::I8
        && scales.shape == [rows]
        && scales.numbers == Ok(Number::F16);
    if is_packed {
        let scales = index.remove(scales_name)?.offset;
        index.get_mut(name)?.numbers = Ok(Number::Rows8 { scales });
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use half::f16;
    use safetensors::serialize;
    use safetensors::tensor::TensorView;

    use crate::weights::Weights;

    /// What is read of a matrix of 2 x 3 numbers of 8 bits that has these scales.
    fn read(scales: &[f32]) -> Result<Vec<f32>, String> {
        let scales: Vec<u8> = scales.iter().flat_map(|scale| f16::from_f32(*scale).to_le_bytes()).collect();
        let numbers = [127, 0, 129, 1, 2, 253];
        let tensors = [
            ("table", TensorView::new(super::Dtype::I8, vec![2, 3], &numbers).unwrap()),
            (
                "table.row_scales",
                TensorView::new(super::Dtype::F16, vec![scales.len() / 2], &scales).unwrap(),
            ),
        ];
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.safetensors");
        fs::write(&path, serialize(tensors, None).unwrap()).unwrap();
        let weights = Weights::from_file(&path).unwrap();
        let table = weights.tensor("table", &[2, 3]).map_err(|error| error.to_string())?;
        assert_eq!(weights.parameters(), 6);
        Ok(table.flatten_all().unwrap().to_vec1().unwrap())
    }

    #[test]
    fn rows_of_8_bits_are_multiplied_by_their_scales() {
        assert_eq!(read(&[0.5, 0.25]).unwrap(), [63.5, 0.0, -63.5, 0.25, 0.5, -0.75]);
    }

    #[test]
    fn a_matrix_of_8_bits_without_a_scale_for_each_row_is_refused() {
        let error = read(&[0.5, 0.25, 0.5]).unwrap_err();
        assert!(error.contains("`table` has type I8"), "{error}");
    }
}
