//! Weights in one file or in several parts, read tensor by tensor, checked against the shapes that the configuration
//! asks for. Floating-point weights of 16 and 32 bits become f32, and so do rows of 8 bits with a scale each; other
//! types are refused.
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
use veridic_store::WeightFiles;

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
    /// Whole numbers of 8 bits; each row times its scale, an f16. The scales begin at byte `scales`.
    Rows8 {
        scales: u64,
    },
}

impl Number {
    fn bytes(self) -> usize {
        match self {
            Self::F32 => 4,
            Self::F16 | Self::Bf16 => 2,
            Self::Rows8 { .. } => 1,
        }
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

/// A file of weights: all of them, or a part.
struct Part {
    name: String,
    bytes: Bytes,
    length: u64,
}

/// Weights that are open.
pub struct Weights {
    file: String,
    parts: Vec<Part>,
    /// The number of its part with each tensor.
    index: BTreeMap<String, (usize, Stored)>,
}

impl Weights {
    /// Safetensors that are part of the program; `name` is what errors call them.
    ///
    /// # Errors
    /// When they are not a complete safetensors file.
    pub fn from_static(name: &str, bytes: &'static [u8]) -> Result<Self> {
        let (mut reader, length) = (io::Cursor::new(bytes), bytes.len() as u64);
        let index = safetensors::index(&mut reader, length).map_err(|reason| broken(name, &reason))?;
        let mut weights = Self { file: name.to_owned(), parts: Vec::new(), index: BTreeMap::new() };
        weights.add(Part { name: name.to_owned(), bytes: Bytes::Static(bytes), length }, index)?;
        Ok(weights)
    }

    /// Weights in a file: PyTorch's format where its name ends in `.bin`, else safetensors.
    ///
    /// # Errors
    /// When it cannot be read or is damaged.
    pub fn from_file(path: &Path) -> Result<Self> {
        Self::from_files(&WeightFiles::Single(path.to_owned()))
    }

    /// Weights in one file or in parts.
    ///
    /// # Errors
    /// When one cannot be read or is damaged, and when two have the same tensor.
    pub fn from_files(files: &WeightFiles) -> Result<Self> {
        let (file, parts) = match files {
            WeightFiles::Single(path) => (path, std::slice::from_ref(path)),
            WeightFiles::Parts { index, parts } => (index, &parts[..]),
        };
        let mut weights =
            Self { file: file.display().to_string(), parts: Vec::new(), index: BTreeMap::new() };
        for path in parts {
            let (part, index) = Part::open(path)?;
            weights.add(part, index)?;
        }
        Ok(weights)
    }

    fn add(&mut self, part: Part, index: Index) -> Result<()> {
        for (name, stored) in index {
            if let Some((other, _)) = self.index.get(&name) {
                let other = &self.parts[*other].name;
                return Err(broken(&part.name, &format!("tensor `{name}` is in {other} too")));
            }
            self.index.insert(name, (self.parts.len(), stored));
        }
        self.parts.push(part);
        Ok(())
    }

    /// The same, where a checkpoint of the encoder alone leaves the network's name out of its tensors' names.
    pub(crate) fn under(mut self, prefix: &str) -> Self {
        if !self.index.keys().any(|name| name.starts_with(prefix)) {
            let index = std::mem::take(&mut self.index);
            self.index =
                index.into_iter().map(|(name, stored)| (format!("{prefix}{name}"), stored)).collect();
        }
        self
    }

    /// What errors call it.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Size of all files.
    #[must_use]
    pub fn file_bytes(&self) -> u64 {
        self.parts.iter().map(|part| part.length).sum()
    }

    /// Number of weights of all tensors.
    #[must_use]
    pub fn parameters(&self) -> usize {
        self.tensors().map(|(_, shape)| shape.iter().product::<usize>()).sum()
    }

    /// The names of all tensors and their shapes.
    pub fn tensors(&self) -> impl Iterator<Item = (&str, &[usize])> {
        self.index.iter().map(|(name, (_, tensor))| (name.as_str(), &tensor.shape[..]))
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
        let Some((part, stored)) = self.index.get(name) else {
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
        let values = self.values(name, &self.parts[*part], stored)?;
        Ok(Tensor::from_vec(values, shape, &Device::Cpu)?)
    }

    /// Each file's name without its folder, and its SHA-256 in hexadecimal.
    ///
    /// # Errors
    /// When one cannot be read.
    pub fn digests(&self) -> Result<Vec<(String, String)>> {
        self.parts.iter().map(|part| Ok((part.short_name(), part.sha256()?))).collect()
    }

    fn values(&self, name: &str, part: &Part, stored: &Stored) -> Result<Vec<f32>> {
        let number = stored.numbers.as_ref().map_err(|why| self.refuse(format!("tensor `{name}` {why}")))?;
        let count: usize = stored.shape.iter().product();
        let raw = part.read(stored.offset, count * number.bytes())?;
        Ok(match number {
            Number::F32 => raw.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect(),
            Number::F16 => widen(&raw, f16::from_le_bytes),
            Number::Bf16 => widen(&raw, bf16::from_le_bytes),
            Number::Rows8 { scales } => {
                let rows = stored.shape[0];
                let scales = widen(&part.read(*scales, rows * 2)?, f16::from_le_bytes);
                scaled_rows(&raw, &scales)
            }
        })
    }

    fn refuse(&self, reason: String) -> ModelError {
        ModelError::Weights { file: self.file.clone(), reason }
    }
}

impl Part {
    /// Opens a file: PyTorch's format where its name ends in `.bin`, else safetensors.
    fn open(path: &Path) -> Result<(Self, Index)> {
        let name = path.display().to_string();
        let read = |source| ModelError::Read { file: name.clone(), source };
        let mut file = File::open(path).map_err(read)?;
        let length = file.metadata().map_err(read)?.len();
        let index = match path.extension().is_some_and(|extension| extension == "bin") {
            true => pickle::index(&mut file, length),
            false => safetensors::index(&mut file, length),
        };
        let index = index.map_err(|reason| broken(&name, &reason))?;
        Ok((Self { name, bytes: Bytes::File(Mutex::new(file)), length }, index))
    }

    fn short_name(&self) -> String {
        Path::new(&self.name)
            .file_name()
            .map_or_else(|| self.name.clone(), |n| n.to_string_lossy().into_owned())
    }

    fn sha256(&self) -> Result<String> {
        let mut hasher = Sha256::new();
        let mut offset = 0;
        while offset < self.length {
            let block = (self.length - offset).min(1 << 20) as usize;
            hasher.update(&self.read(offset, block)?);
            offset += block as u64;
        }
        Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// `length` bytes from `offset` on; not copied when they are part of the program.
    fn read(&self, offset: u64, length: usize) -> Result<Cow<'static, [u8]>> {
        let file = match &self.bytes {
            Bytes::Static(all) => return Ok(Cow::Borrowed(&all[offset as usize..][..length])),
            Bytes::File(file) => file,
        };
        let mut bytes = vec![0u8; length];
        let mut file = file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let read = file.seek(SeekFrom::Start(offset)).and_then(|_| file.read_exact(&mut bytes));
        read.map_err(|source| ModelError::Read { file: self.name.clone(), source })?;
        Ok(Cow::Owned(bytes))
    }
}

fn broken(file: &str, reason: &str) -> ModelError {
    let reason = format!("{reason}; the file is damaged or incomplete, fetch it again");
    ModelError::Weights { file: file.to_owned(), reason }
}

/// Rows of 8-bit numbers as f32, each row times its scale.
fn scaled_rows(raw: &[u8], scales: &[f32]) -> Vec<f32> {
    let columns = raw.len() / scales.len().max(1);
    let rows = raw.chunks(columns.max(1)).zip(scales);
    rows.flat_map(|(row, scale)| row.iter().map(move |byte| f32::from(byte.cast_signed()) * scale)).collect()
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
