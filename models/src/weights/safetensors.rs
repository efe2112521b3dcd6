//! Locates the tensors of a safetensors file. Refuses a header that does not fit the file's length, or has a name twice.

use std::collections::HashSet;
use std::fmt;
use std::io::Read;

use candle_core::DType;
use safetensors::Dtype;
use safetensors::tensor::Metadata;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use veridic_store::quoting::without_values;

use super::dtype::StoredDtype;
use super::stored::{Index, Stored};

/// The format's own limit of a header.
const MAX_HEADER_BYTES: u64 = 100_000_000;

/// Reads the header of a file of `length` bytes. The error says what is wrong.
pub(super) fn index(reader: &mut impl Read, length: u64) -> Result<Index, String> {
    if length < 8 {
        return Err(format!("{length} bytes are not a safetensors file"));
    }
    let mut prefix = [0u8; 8];
    reader.read_exact(&mut prefix).map_err(|e| e.to_string())?;
    let header = u64::from_le_bytes(prefix);
    if header > MAX_HEADER_BYTES || header > length - 8 {
        return Err(format!("its header claims {header} of {length} bytes"));
    }
    let mut json = vec![0u8; header as usize];
    reader.read_exact(&mut json).map_err(|e| e.to_string())?;
    if let Ok(Repeated(Some(name))) = serde_json::from_slice(&json) {
        return Err(format!("tensor `{name}` is there twice"));
    }
    let metadata: Metadata = serde_json::from_slice(&json)
        .map_err(|e| format!("its header is not valid: {}", without_values(&e)))?;
    let expected = 8 + header + metadata.data_len() as u64;
    if expected != length {
        return Err(format!("it has {length} bytes, its header asks for {expected}"));
    }
    let mut index = Index::new();
    for (name, info) in metadata.tensors() {
        let dtype = match info.dtype {
            Dtype::F32 => Ok(StoredDtype::Float(DType::F32)),
            Dtype::F16 => Ok(StoredDtype::Float(DType::F16)),
            Dtype::BF16 => Ok(StoredDtype::Float(DType::BF16)),
            Dtype::I8 => Ok(StoredDtype::Int8),
            other => Err(format!("has type {other:?}; F32, F16 and BF16 are read")),
        };
        let offset = 8 + header + info.data_offsets.0 as u64;
        index.insert(name, Stored { shape: info.shape.clone(), dtype, offset });
    }
    Ok(index)
}

/// The first name that an object has twice. The library keeps one of the two without notice.
struct Repeated(Option<String>);

impl<'de> Deserialize<'de> for Repeated {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Names)
    }
}

struct Names;

impl<'de> Visitor<'de> for Names {
    type Value = Repeated;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Repeated, A::Error> {
        let (mut names, mut repeated) = (HashSet::new(), None);
        while let Some((name, IgnoredAny)) = entries.next_entry::<String, _>()? {
            if repeated.is_none()
                && let Some(name) = names.replace(name)
            {
                repeated = Some(name);
            }
        }
        Ok(Repeated(repeated))
    }
}
