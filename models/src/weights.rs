//! A safetensors file read tensor by tensor, checked against the shapes that the configuration
//! asks for. Floating-point weights of 16 and 32 bits become f32; other types are refused.
//!
//! The file is read, not mapped: at no time are there two copies of all weights in memory.

use std::borrow::Cow;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Mutex;

use candle_core::{Device, Tensor};
use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};
use safetensors::Dtype;
use safetensors::tensor::{Metadata, TensorInfo};
use sha2::{Digest, Sha256};

use crate::error::{ModelError, Result};

/// The bytes of a header longer than this are damage, not tensors (the format's own limit).
const MAX_HEADER_BYTES: u64 = 100_000_000;

enum Bytes {
    Static(&'static [u8]),
    File(Mutex<File>),
}

/// An open safetensors file.
pub struct Weights {
    file: String,
    bytes: Bytes,
    header_bytes: u64,
    metadata: Metadata,
}

impl Weights {
    /// Weights that are part of the program; `name` is what errors call them.
    ///
    /// # Errors
    /// When they are not a complete safetensors file.
    pub fn from_static(name: &str, bytes: &'static [u8]) -> Result<Self> {
        Self::open(name.to_owned(), Bytes::Static(bytes), bytes.len() as u64)
    }

    /// Weights in a file.
    ///
    /// # Errors
    /// When it cannot be read or is not a complete safetensors file.
    pub fn from_file(path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        let read = |source| ModelError::Read { file: name.clone(), source };
        let file = File::open(path).map_err(read)?;
        let length = file.metadata().map_err(read)?.len();
        Self::open(name, Bytes::File(Mutex::new(file)), length)
    }

    fn open(file: String, bytes: Bytes, length: u64) -> Result<Self> {
        let broken = |reason: String| ModelError::Weights {
            file: file.clone(),
            reason: format!("{reason}; the file is damaged or incomplete, fetch it again"),
        };
        if length < 8 {
            return Err(broken(format!("{length} bytes are no safetensors file")));
        }
        let mut prefix = [0u8; 8];
        read_at(&bytes, 0, &mut prefix).map_err(|e| broken(e.to_string()))?;
        let header = u64::from_le_bytes(prefix);
        if header > MAX_HEADER_BYTES || header > length - 8 {
            return Err(broken(format!("its header claims {header} of {length} bytes")));
        }
        let mut json = vec![0u8; header as usize];
        read_at(&bytes, 8, &mut json).map_err(|e| broken(e.to_string()))?;
        let metadata: Metadata =
            serde_json::from_slice(&json).map_err(|e| broken(format!("its header is not valid: {e}")))?;
        let expected = 8 + header + metadata.data_len() as u64;
        if expected != length {
            return Err(broken(format!("it has {length} bytes, its header asks for {expected}")));
        }
        Ok(Self { file, bytes, header_bytes: 8 + header, metadata })
    }

    /// What errors call it.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Size of the whole file.
    #[must_use]
    pub fn file_bytes(&self) -> u64 {
        self.header_bytes + self.metadata.data_len() as u64
    }

    /// Number of weights of all tensors.
    #[must_use]
    pub fn parameters(&self) -> usize {
        self.metadata.tensors().values().map(|t| t.shape.iter().product::<usize>()).sum()
    }

    /// Whether there is a tensor `name`.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.metadata.info(name).is_some()
    }

    /// The tensor `name` as f32, which must have exactly `shape`.
    ///
    /// # Errors
    /// When it is missing, has another shape or a type that is not floating point.
    pub fn tensor(&self, name: &str, shape: &[usize]) -> Result<Tensor> {
        let Some(info) = self.metadata.info(name) else {
            return Err(self.refuse(format!(
                "tensor `{name}` {shape:?} is missing; these weights are not of the config's architecture"
            )));
        };
        if info.shape != shape {
            return Err(self.refuse(format!(
                "tensor `{name}` has shape {:?}, the config asks for {shape:?}",
                info.shape
            )));
        }
        let values = self.values(name, info)?;
        Ok(Tensor::from_vec(values, shape, &Device::Cpu)?)
    }

    /// Hands over the whole file, block by block.
    ///
    /// # Errors
    /// When it cannot be read.
    fn for_each_block(&self, mut job: impl FnMut(&[u8])) -> Result<()> {
        let total = self.file_bytes();
        let mut offset = 0;
        while offset < total {
            let mut block = vec![0u8; (total - offset).min(1 << 20) as usize];
            read_at(&self.bytes, offset, &mut block)
                .map_err(|source| ModelError::Read { file: self.file.clone(), source })?;
            job(&block);
            offset += block.len() as u64;
        }
        Ok(())
    }

    /// SHA-256 of the whole file, in hexadecimal.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn sha256(&self) -> Result<String> {
        let mut hasher = Sha256::new();
        self.for_each_block(|block| hasher.update(block))?;
        Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }

    fn values(&self, name: &str, info: &TensorInfo) -> Result<Vec<f32>> {
        let (start, end) = info.data_offsets;
        let raw = self
            .part(self.header_bytes as usize + start, end - start)
            .map_err(|source| ModelError::Read { file: self.file.clone(), source })?;
        match info.dtype {
            Dtype::F32 => Ok(raw.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect()),
            Dtype::F16 => Ok(widen(&raw, f16::from_le_bytes)),
            Dtype::BF16 => Ok(widen(&raw, bf16::from_le_bytes)),
            other => {
                Err(self.refuse(format!("tensor `{name}` has type {other:?}; F32, F16 and BF16 are read")))
            }
        }
    }

    /// `length` bytes from `offset` on; not copied when they are part of the program.
    fn part(&self, offset: usize, length: usize) -> std::io::Result<Cow<'static, [u8]>> {
        if let Bytes::Static(all) = &self.bytes {
            return Ok(Cow::Borrowed(&all[offset..offset + length]));
        }
        let mut part = vec![0u8; length];
        read_at(&self.bytes, offset as u64, &mut part)?;
        Ok(Cow::Owned(part))
    }

    fn refuse(&self, reason: String) -> ModelError {
        ModelError::Weights { file: self.file.clone(), reason }
    }
}

/// 16-bit numbers as f32, a block at a time.
fn widen<H>(raw: &[u8], number: fn([u8; 2]) -> H) -> Vec<f32>
where
    [H]: HalfFloatSliceExt,
{
    const BLOCK: usize = 4096;
    let all = raw.as_chunks::<2>().0;
    let mut wide = vec![0.0; all.len()];
    let mut narrow = Vec::with_capacity(BLOCK);
    for (block, wide) in all.chunks(BLOCK).zip(wide.chunks_mut(BLOCK)) {
        narrow.clear();
        narrow.extend(block.iter().map(|bytes| number(*bytes)));
        narrow.convert_to_f32_slice(wide);
    }
    wide
}

fn read_at(bytes: &Bytes, offset: u64, target: &mut [u8]) -> std::io::Result<()> {
    match bytes {
        Bytes::Static(all) => {
            let start = offset as usize;
            target.copy_from_slice(&all[start..start + target.len()]);
            Ok(())
        }
        Bytes::File(file) => {
            let mut file = file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            file.seek(SeekFrom::Start(offset))?;
            file.read_exact(target)
        }
    }
}
