//! A file of weights read tensor by tensor, checked against the shapes that the configuration asks
//! for. Floating-point weights of 16 and 32 bits become f32; other types are refused.
//!
//! Each format only says where a tensor's numbers lie in the file; they are read, not mapped: at no
//! time are there two copies of all weights in memory.

mod pickle;
mod safetensors;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Mutex;

use candle_core::{Device, Tensor};
use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};
use sha2::{Digest, Sha256};

use crate::error::{ModelError, Result};

enum Bytes {
    Static(&'static [u8]),
    File(Mutex<File>),
}

/// Numbers that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Number {
    F32,
    F16,
    Bf16,
}

impl Number {
    fn bytes(self) -> usize {
        if self == Self::F32 { 4 } else { 2 }
    }
}

/// Where a tensor lies in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stored {
    shape: Vec<usize>,
    /// The type of its numbers, or why they are not read.
    numbers: std::result::Result<Number, String>,
    /// The first byte, from the start of the file.
    offset: u64,
}

/// The tensors of a file by name.
type Index = BTreeMap<String, Stored>;

/// An open file of weights.
pub struct Weights {
    file: String,
    bytes: Bytes,
    file_bytes: u64,
    index: Index,
}

impl Weights {
    /// Safetensors that are part of the program; `name` is what errors call them.
    ///
    /// # Errors
    /// When they are not a complete safetensors file.
    pub fn from_static(name: &str, bytes: &'static [u8]) -> Result<Self> {
        let (mut reader, length) = (io::Cursor::new(bytes), bytes.len() as u64);
        let index = safetensors::index(&mut reader, length).map_err(|reason| broken(name, &reason))?;
        Ok(Self { file: name.to_owned(), bytes: Bytes::Static(bytes), file_bytes: length, index })
    }

    /// Weights in a file: PyTorch's format where its name ends in `.bin`, else safetensors.
    ///
    /// # Errors
    /// When it cannot be read or is damaged.
    pub fn from_file(path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        let read = |source| ModelError::Read { file: name.clone(), source };
        let mut file = File::open(path).map_err(read)?;
        let length = file.metadata().map_err(read)?.len();
        let index = match path.extension().is_some_and(|extension| extension == "bin") {
            true => pickle::index(&mut file, length),
            false => safetensors::index(&mut file, length),
        };
        let index = index.map_err(|reason| broken(&name, &reason))?;
        Ok(Self { file: name, bytes: Bytes::File(Mutex::new(file)), file_bytes: length, index })
    }

    /// What errors call it.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Size of the whole file.
    #[must_use]
    pub fn file_bytes(&self) -> u64 {
        self.file_bytes
    }

    /// Number of weights of all tensors.
    #[must_use]
    pub fn parameters(&self) -> usize {
        self.index.values().map(|tensor| tensor.shape.iter().product::<usize>()).sum()
    }

    /// Whether there is a tensor `name`.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.index.contains_key(name)
    }

    /// The tensor `name` as f32, which must have exactly `shape`.
    ///
    /// # Errors
    /// When it is missing, has another shape or a type that is not floating point.
    pub fn tensor(&self, name: &str, shape: &[usize]) -> Result<Tensor> {
        let Some(stored) = self.index.get(name) else {
            return Err(self.refuse(format!(
                "tensor `{name}` {shape:?} is missing; these weights are not of the config's architecture"
            )));
        };
        if stored.shape != shape {
            return Err(self.refuse(format!(
                "tensor `{name}` has shape {:?}, the config asks for {shape:?}",
                stored.shape
            )));
        }
        let values = self.values(name, stored)?;
        Ok(Tensor::from_vec(values, shape, &Device::Cpu)?)
    }

    /// SHA-256 of the whole file, in hexadecimal.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn sha256(&self) -> Result<String> {
        let mut hasher = Sha256::new();
        let mut offset = 0;
        while offset < self.file_bytes {
            let block = (self.file_bytes - offset).min(1 << 20) as usize;
            hasher.update(&self.part(offset, block)?);
            offset += block as u64;
        }
        Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }

    fn values(&self, name: &str, stored: &Stored) -> Result<Vec<f32>> {
        let number = stored.numbers.as_ref().map_err(|why| self.refuse(format!("tensor `{name}` {why}")))?;
        let count: usize = stored.shape.iter().product();
        let raw = self.part(stored.offset, count * number.bytes())?;
        Ok(match number {
            Number::F32 => raw.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect(),
            Number::F16 => widen(&raw, f16::from_le_bytes),
            Number::Bf16 => widen(&raw, bf16::from_le_bytes),
        })
    }

    /// `length` bytes from `offset` on; not copied when they are part of the program.
    fn part(&self, offset: u64, length: usize) -> Result<Cow<'static, [u8]>> {
        let file = match &self.bytes {
            Bytes::Static(all) => return Ok(Cow::Borrowed(&all[offset as usize..][..length])),
            Bytes::File(file) => file,
        };
        let mut part = vec![0u8; length];
        let mut file = file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let read = file.seek(SeekFrom::Start(offset)).and_then(|_| file.read_exact(&mut part));
        read.map_err(|source| ModelError::Read { file: self.file.clone(), source })?;
        Ok(Cow::Owned(part))
    }

    fn refuse(&self, reason: String) -> ModelError {
        ModelError::Weights { file: self.file.clone(), reason }
    }
}

fn broken(file: &str, reason: &str) -> ModelError {
    let reason = format!("{reason}; the file is damaged or incomplete, fetch it again");
    ModelError::Weights { file: file.to_owned(), reason }
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
