//! Weights in one file or in several parts, read tensor by tensor and checked against the shapes of the configuration.
//! Floating-point weights of 16 and 32 bits, and matrices stored as 8-bit rows with a scale each, become f32 or keep
//! their dtype, as the caller chooses; other dtypes are refused.
//!
//! A format determines only where a tensor's bytes lie in the file. They are read, not memory-mapped, and two copies of
//! all weights are never in memory.

mod dtype;
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

use self::dtype::StoredDtype;
pub(crate) use self::rows8::{Matrix, Rows8};
use self::rows8::{Place, Rows8Names};
use crate::error::{ModelError, Result};

enum Bytes {
    Static(&'static [u8]),
    File(Mutex<File>),
}

/// Where a tensor lies in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stored {
    shape: Vec<usize>,
    /// Its dtype, or the reason why it cannot be read.
    dtype: std::result::Result<StoredDtype, String>,
    /// The first byte, from the start of the file.
    offset: u64,
}

impl Stored {
    /// The name of its dtype in messages.
    fn dtype_name(&self) -> &str {
        match &self.dtype {
            Ok(dtype) => dtype.name(),
            Err(_) => "another dtype",
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

/// Open weight files.
pub struct Weights {
    file: String,
    parts: Vec<Part>,
    /// Where each tensor lies; for a matrix in 8-bit rows, where its integers lie.
    index: BTreeMap<String, Place>,
    /// Where the scales of each matrix in 8-bit rows lie.
    scales: BTreeMap<String, Place>,
}

impl Weights {
    /// A safetensors file that is compiled into the program; `name` is its name in errors.
    ///
    /// # Errors
    /// When it is not a complete safetensors file.
    pub fn from_static(name: &str, bytes: &'static [u8]) -> Result<Self> {
        let (mut reader, length) = (io::Cursor::new(bytes), bytes.len() as u64);
        let index = safetensors::index(&mut reader, length).map_err(|reason| broken(name, &reason))?;
        let mut weights = Self::empty(name.to_owned());
        weights.add(Part { name: name.to_owned(), bytes: Bytes::Static(bytes), length }, index)?;
        weights.with_scales_paired()
    }

    /// Weights in a file: PyTorch's format if its name ends in `.bin` or `.ckpt`, else safetensors.
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
        weights.with_scales_paired()
    }

    fn empty(file: String) -> Self {
        Self { file, parts: Vec::new(), index: BTreeMap::new(), scales: BTreeMap::new() }
    }

    fn add(&mut self, part: Part, index: Index) -> Result<()> {
        for (name, stored) in index {
            let name = current_name(name);
            if let Some((other, _)) = self.index.get(&name) {
                let other = &self.parts[*other].name;
                return Err(broken(&part.name, &format!("tensor `{name}` is in {other} too")));
            }
            self.index.insert(name, (self.parts.len(), stored));
        }
        self.parts.push(part);
        Ok(())
    }

    /// Combines each pair of 8-bit rows and scales into one matrix.
    fn with_scales_paired(mut self) -> Result<Self> {
        let packed: Vec<(String, Rows8Names)> =
            self.index.keys().filter_map(|name| Some((name.clone(), Rows8Names::of(name)?))).collect();
        for (integers, names) in packed {
            let scales = self.index.remove(&names.scales);
            let Some(rows) = self.index.remove(&integers) else { continue };
            let is_stored_twice = self.index.contains_key(&names.matrix);
            names.check(&rows.1, scales.as_ref().map(|(_, stored)| stored), is_stored_twice).map_err(
                |reason| ModelError::Weights {
                    file: self.parts[rows.0].name.clone(),
                    reason: format!("{reason}; the matrix must be packed or fetched again"),
                },
            )?;
            self.scales.extend(scales.map(|scales| (names.matrix.clone(), scales)));
            self.index.insert(names.matrix, rows);
        }
        Ok(self)
    }

    /// The weights with `prefix` before all tensor names, for a checkpoint of the encoder alone, which lacks it.
    pub(crate) fn with_prefix(mut self, prefix: &str) -> Self {
        if !self.index.keys().any(|name| name.starts_with(prefix)) {
            for places in [&mut self.index, &mut self.scales] {
                let inside = |(name, place): (String, Place)| (format!("{prefix}{name}"), place);
                *places = std::mem::take(places).into_iter().map(inside).collect();
            }
        }
        self
    }

    /// The weights with the prefix `old` replaced by `new` in all tensor names that have it.
    pub(crate) fn with_prefix_replaced(mut self, old: &str, new: &str) -> Self {
        let renamed = |(name, place): (String, Place)| match name.strip_prefix(old) {
            Some(rest) => (format!("{new}{rest}"), place),
            None => (name, place),
        };
        for places in [&mut self.index, &mut self.scales] {
            *places = std::mem::take(places).into_iter().map(renamed).collect();
        }
        self
    }

    /// The name of the weights in errors.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Size of all files.
    #[must_use]
    pub fn file_bytes(&self) -> u64 {
        self.parts.iter().map(|part| part.length).sum()
    }

    /// Number of parameters in all tensors.
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

    /// Whether the tensor `name` exists.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.index.contains_key(name)
    }

    /// The tensor `name` as f32, which must have exactly `shape`.
    ///
    /// # Errors
    /// When it is missing, or has another shape or a dtype that is not read.
    pub fn tensor(&self, name: &str, shape: &[usize]) -> Result<Tensor> {
        match self.scales.contains_key(name) {
            true => Matrix::Rows8(self.rows8(name, shape)?).to_f32(),
            false => {
                let (raw, dtype) = self.raw(name, shape)?;
                Ok(Tensor::from_vec(dtype.to_f32(&raw), shape, &Device::Cpu)?)
            }
        }
    }

    /// The matrix `name` in its stored dtype, which must have exactly `shape`.
    pub(crate) fn matrix(&self, name: &str, shape: [usize; 2]) -> Result<Matrix> {
        match self.scales.contains_key(name) {
            true => self.rows8(name, &shape).map(Matrix::Rows8),
            false => self.floats(name, &shape).map(Matrix::Floats),
        }
    }

    /// A floating-point tensor in its stored dtype.
    fn floats(&self, name: &str, shape: &[usize]) -> Result<Tensor> {
        let (raw, dtype) = self.raw(name, shape)?;
        let halves = raw.as_chunks::<2>().0.iter();
        Ok(match dtype {
            StoredDtype::F16 => {
                let values: Vec<f16> = halves.map(|bytes| f16::from_le_bytes(*bytes)).collect();
                Tensor::from_vec(values, shape, &Device::Cpu)?
            }
            StoredDtype::Bf16 => {
                let values: Vec<bf16> = halves.map(|bytes| bf16::from_le_bytes(*bytes)).collect();
                Tensor::from_vec(values, shape, &Device::Cpu)?
            }
            _ => Tensor::from_vec(dtype.to_f32(&raw), shape, &Device::Cpu)?,
        })
    }

    /// A matrix that is stored in 8-bit rows.
    fn rows8(&self, name: &str, shape: &[usize]) -> Result<Rows8> {
        let (raw, _) = self.raw(name, shape)?;
        let (part, scales) = &self.scales[name];
        let dtype = scales.dtype.as_ref().map_err(|why| self.refuse(format!("scales of `{name}`: {why}")))?;
        let scales = self.parts[*part].read(scales.offset, shape[0] * dtype.bytes())?;
        Ok(Rows8::new(raw, dtype.to_f32(&scales)))
    }

    /// The bytes and the dtype of the tensor `name`, which must have exactly `shape`.
    fn raw(&self, name: &str, shape: &[usize]) -> Result<(Cow<'static, [u8]>, StoredDtype)> {
        let Some((part, stored)) = self.index.get(name) else {
            return Err(self.refuse(format!(
                "tensor `{name}` {shape:?} is missing; these weights do not fit the architecture in the config"
            )));
        };
        if stored.shape != shape {
            return Err(self.refuse(format!(
                "tensor `{name}` has shape {:?}, the config asks for {shape:?}",
                stored.shape
            )));
        }
        let dtype = *stored.dtype.as_ref().map_err(|why| self.refuse(format!("tensor `{name}` {why}")))?;
        if dtype == StoredDtype::Int8 && !self.scales.contains_key(name) {
            return Err(self.refuse(format!(
                "tensor `{name}` has type I8; F32, F16 and BF16 are read, and 8-bit rows as `{name}.int8` with `{name}.scale`"
            )));
        }
        let bytes = stored.shape.iter().product::<usize>() * dtype.bytes();
        Ok((self.parts[*part].read(stored.offset, bytes)?, dtype))
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
    /// Opens a file: PyTorch's format if its name ends in `.bin` or `.ckpt`, else safetensors.
    fn open(path: &Path) -> Result<(Self, Index)> {
        let name = path.display().to_string();
        let read = |source| ModelError::Read { file: name.clone(), source };
        let mut file = File::open(path).map_err(read)?;
        let length = file.metadata().map_err(read)?.len();
        let index = match path.extension().is_some_and(|extension| extension == "bin" || extension == "ckpt")
        {
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
        Ok(hexadecimal(&hasher.finalize()))
    }

    /// `length` bytes from `offset` on; not copied when they are compiled into the program.
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

pub(crate) fn hexadecimal(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The current name of a tensor: in checkpoints before 2019 norms have gamma and beta instead of weight and bias.
fn current_name(name: String) -> String {
    let renamed = [(".gamma", "weight"), (".beta", "bias")].iter().find_map(|(old, new)| {
        let norm = name.strip_suffix(old).filter(|norm| norm.ends_with("LayerNorm"))?;
        Some(format!("{norm}.{new}"))
    });
    renamed.unwrap_or(name)
}
