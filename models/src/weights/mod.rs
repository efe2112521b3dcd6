//! Weights in one file or in several parts, read tensor by tensor, checked against the shapes that the configuration
//! asks for. Floating-point weights of 16 and 32 bits and matrices stored as rows of 8-bit numbers with a scale each become f32
//! or stay as they are, as the caller asks; other types are refused.
//!
//! Each format only says where a tensor's numbers lie in the file; they are read, not mapped: at no
//! time are there two copies of all weights in memory.

mod numbers;
mod pickle;
mod rows8;
mod safetensors;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Mutex;

use candle_core::{Device, Tensor};
use half::{bf16, f16};
use sha2::{Digest, Sha256};
use veridic_store::WeightFiles;

use self::numbers::Number;
pub(crate) use self::rows8::{Matrix, Rows8};
use self::rows8::{Pair, Place};
use crate::error::{ModelError, Result};

enum Bytes {
    Static(&'static [u8]),
    File(Mutex<File>),
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

impl Stored {
    /// What its numbers are, for people.
    fn type_name(&self) -> &str {
        match &self.numbers {
            Ok(number) => number.name(),
            Err(_) => "another type",
        }
    }
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
    /// Where each tensor lies; of a matrix in 8-bit rows, where its numbers do.
    index: BTreeMap<String, Place>,
    /// Where the scales of each matrix in 8-bit rows lie.
    scales: BTreeMap<String, Place>,
}

impl Weights {
    /// Safetensors that are part of the program; `name` is what errors call them.
    ///
    /// # Errors
    /// When they are not a complete safetensors file.
    pub fn from_static(name: &str, bytes: &'static [u8]) -> Result<Self> {
        let (mut reader, length) = (io::Cursor::new(bytes), bytes.len() as u64);
        let index = safetensors::index(&mut reader, length).map_err(|reason| broken(name, &reason))?;
        let mut weights = Self::empty(name.to_owned());
        weights.add(Part { name: name.to_owned(), bytes: Bytes::Static(bytes), length }, index)?;
        weights.with_rows_paired()
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
            WeightFiles::Shards { index, shards } => (index, &shards[..]),
        };
        let mut weights = Self::empty(file.display().to_string());
        for path in parts {
            let (part, index) = Part::open(path)?;
            weights.add(part, index)?;
        }
        weights.with_rows_paired()
    }

    fn empty(file: String) -> Self {
        Self { file, parts: Vec::new(), index: BTreeMap::new(), scales: BTreeMap::new() }
    }

    fn add(&mut self, part: Part, index: Index) -> Result<()> {
        for (name, stored) in index {
            let name = todays_name(name);
            if let Some((other, _)) = self.index.get(&name) {
                let other = &self.parts[*other].name;
                return Err(broken(&part.name, &format!("tensor `{name}` is in {other} too")));
            }
            self.index.insert(name, (self.parts.len(), stored));
        }
        self.parts.push(part);
        Ok(())
    }

    /// Makes one matrix of each pair of 8-bit rows and scales.
    fn with_rows_paired(mut self) -> Result<Self> {
        let packed: Vec<(String, Pair)> =
            self.index.keys().filter_map(|name| Some((name.clone(), Pair::of(name)?))).collect();
        for (integers, pair) in packed {
            let scales = self.index.remove(&pair.scales);
            let Some(rows) = self.index.remove(&integers) else { continue };
            let is_stored_twice = self.index.contains_key(&pair.name);
            pair.check(&rows.1, scales.as_ref().map(|(_, stored)| stored), is_stored_twice).map_err(
                |reason| ModelError::Weights {
                    file: self.parts[rows.0].name.clone(),
                    reason: format!("{reason}; the matrix must be packed or fetched again"),
                },
            )?;
            self.scales.extend(scales.map(|scales| (pair.name.clone(), scales)));
            self.index.insert(pair.name, rows);
        }
        Ok(self)
    }

    /// The same, where a checkpoint of the encoder alone leaves the network's name out of its tensors' names.
    pub(crate) fn under(mut self, prefix: &str) -> Self {
        if !self.index.keys().any(|name| name.starts_with(prefix)) {
            for places in [&mut self.index, &mut self.scales] {
                let inside = |(name, place): (String, Place)| (format!("{prefix}{name}"), place);
                *places = std::mem::take(places).into_iter().map(inside).collect();
            }
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

    /// Whether most of its matrices are stored in 8-bit rows.
    pub(crate) fn are_in_rows8(&self) -> bool {
        let matrices = self.tensors().filter(|(_, shape)| shape.len() == 2).count();
        self.scales.len() * 2 > matrices
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
        match self.scales.contains_key(name) {
            true => Matrix::Rows8(self.rows8(name, shape)?).wide(),
            false => {
                let (raw, number) = self.raw(name, shape)?;
                Ok(Tensor::from_vec(number.widen(&raw), shape, &Device::Cpu)?)
            }
        }
    }

    /// The matrix `name` as it is stored, which must have exactly `shape`.
    pub(crate) fn matrix(&self, name: &str, shape: [usize; 2]) -> Result<Matrix> {
        match self.scales.contains_key(name) {
            true => self.rows8(name, &shape).map(Matrix::Rows8),
            false => self.floats(name, &shape).map(Matrix::Floats),
        }
    }

    /// A tensor in the 16 or 32 bits of its numbers.
    fn floats(&self, name: &str, shape: &[usize]) -> Result<Tensor> {
        let (raw, number) = self.raw(name, shape)?;
        let halves = raw.as_chunks::<2>().0.iter();
        Ok(match number {
            Number::F16 => {
                let numbers: Vec<f16> = halves.map(|bytes| f16::from_le_bytes(*bytes)).collect();
                Tensor::from_vec(numbers, shape, &Device::Cpu)?
            }
            Number::Bf16 => {
                let numbers: Vec<bf16> = halves.map(|bytes| bf16::from_le_bytes(*bytes)).collect();
                Tensor::from_vec(numbers, shape, &Device::Cpu)?
            }
            _ => Tensor::from_vec(number.widen(&raw), shape, &Device::Cpu)?,
        })
    }

    /// A matrix that is stored in 8-bit rows.
    fn rows8(&self, name: &str, shape: &[usize]) -> Result<Rows8> {
        let (raw, _) = self.raw(name, shape)?;
        let (part, scales) = &self.scales[name];
        let number =
            scales.numbers.as_ref().map_err(|why| self.refuse(format!("scales of `{name}`: {why}")))?;
        let scales = self.parts[*part].read(scales.offset, shape[0] * number.bytes())?;
        Ok(Rows8::new(raw, number.widen(&scales)))
    }

    /// The bytes of the tensor `name`, which must have exactly `shape`, and what they are.
    fn raw(&self, name: &str, shape: &[usize]) -> Result<(Cow<'static, [u8]>, Number)> {
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
        let number = *stored.numbers.as_ref().map_err(|why| self.refuse(format!("tensor `{name}` {why}")))?;
        if number == Number::Int8 && !self.scales.contains_key(name) {
            return Err(self.refuse(format!(
                "tensor `{name}` has type I8; F32, F16 and BF16 are read, and 8-bit rows as `{name}.int8` with `{name}.scale`"
            )));
        }
        let bytes = stored.shape.iter().product::<usize>() * number.bytes();
        Ok((self.parts[*part].read(stored.offset, bytes)?, number))
    }

    /// Each file's name without its folder, and its SHA-256 in hexadecimal.
    ///
    /// # Errors
    /// When one cannot be read.
    pub fn digests(&self) -> Result<Vec<(String, String)>> {
        self.parts.iter().map(|part| Ok((part.short_name(), part.sha256()?))).collect()
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

/// The name that a tensor has today: norms of checkpoints before 2019 call their weight gamma and their bias beta.
fn todays_name(name: String) -> String {
    let renamed = [(".gamma", "weight"), (".beta", "bias")].iter().find_map(|(old, new)| {
        let norm = name.strip_suffix(old).filter(|norm| norm.ends_with("LayerNorm"))?;
        Some(format!("{norm}.{new}"))
    });
    renamed.unwrap_or(name)
}
