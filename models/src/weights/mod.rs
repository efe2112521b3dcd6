//! Weights in one file or in several parts, read tensor by tensor and checked against the shapes of the configuration.
//! Floating-point weights of 16 and 32 bits, and matrices stored as 8-bit rows with a scale each, become f32 or keep
//! their dtype, as the caller chooses; other dtypes are refused.
//!
//! A format determines only where a tensor's bytes lie in the file. They are read, not memory-mapped, and two copies of
//! all weights are never in memory.

mod dtype;
mod nesting;
mod part;
mod pickle;
mod rows8;
mod safetensors;
mod stored;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use candle_core::{DType, Device, Tensor};
use veridic_store::WeightFiles;

use self::dtype::StoredDtype;
pub(crate) use self::part::hexadecimal;
use self::part::{Part, broken};
use self::rows8::Rows8Names;
pub(crate) use self::rows8::{Matrix, Rows8};
use self::stored::{Index, Stored};
use crate::error::{ModelError, Result, refuse};

/// A tensor in one of the parts.
struct Place {
    /// The part's index.
    part: usize,
    tensor: Stored,
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
        let (part, index) = Part::compiled_in(name, bytes)?;
        let mut weights = Self::empty(name.to_owned());
        weights.add(part, index)?;
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
        for (name, tensor) in index {
            let name = current_name(name);
            if let Some(other) = self.index.get(&name) {
                let other = &self.parts[other.part].name;
                return Err(broken(&part.name, &format!("tensor `{name}` is in {other} too")));
            }
            self.index.insert(name, Place { part: self.parts.len(), tensor });
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
            let stored_scales = scales.as_ref().map(|scales| &scales.tensor);
            names.check(&rows.tensor, stored_scales, is_stored_twice).map_err(|reason| {
                let reason = format!("{reason}; the matrix must be packed or fetched again");
                refuse(&self.parts[rows.part].name, reason)
            })?;
            self.scales.extend(scales.map(|scales| (names.matrix.clone(), scales)));
            self.index.insert(names.matrix, rows);
        }
        Ok(self)
    }

    /// The weights with `prefix` before all tensor names, for a checkpoint of the encoder alone, which lacks it.
    pub(crate) fn with_prefix(mut self, prefix: &str) -> Self {
        if !self.index.keys().any(|name| name.starts_with(prefix)) {
            for places in [&mut self.index, &mut self.scales] {
                let all = std::mem::take(places).into_iter();
                *places = all.map(|(name, place)| (format!("{prefix}{name}"), place)).collect();
            }
        }
        self
    }

    /// The weights with the prefix `old` replaced by `new` in all tensor names that have it.
    pub(crate) fn with_prefix_replaced(mut self, old: &str, new: &str) -> Self {
        for places in [&mut self.index, &mut self.scales] {
            for (name, place) in std::mem::take(places) {
                let renamed = name.strip_prefix(old).map(|rest| format!("{new}{rest}"));
                places.insert(renamed.unwrap_or(name), place);
            }
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
        self.index.iter().map(|(name, place)| (name.as_str(), &place.tensor.shape[..]))
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
        if self.scales.contains_key(name) {
            Matrix::Rows8(self.rows8(name, shape)?).to_f32()
        } else {
            Ok(self.floats(name, shape)?.to_dtype(DType::F32)?)
        }
    }

    /// The matrix `name` in its stored dtype, which must have exactly `shape`.
    pub(crate) fn matrix(&self, name: &str, shape: [usize; 2]) -> Result<Matrix> {
        if self.scales.contains_key(name) {
            self.rows8(name, &shape).map(Matrix::Rows8)
        } else {
            self.floats(name, &shape).map(Matrix::Floats)
        }
    }

    /// A floating-point tensor in its stored dtype.
    fn floats(&self, name: &str, shape: &[usize]) -> Result<Tensor> {
        match self.raw(name, shape)? {
            (raw, StoredDtype::Float(dtype)) => {
                Ok(Tensor::from_raw_buffer(&raw, dtype, shape, &Device::Cpu)?)
            }
            (_, StoredDtype::Int8) => Err(self.refuse(format!(
                "tensor `{name}` has type I8; F32, F16 and BF16 are read, and 8-bit rows as `{name}.int8` with `{name}.scale`"
            ))),
        }
    }

    /// A matrix that is stored in 8-bit rows.
    fn rows8(&self, name: &str, shape: &[usize]) -> Result<Rows8> {
        let (integers, _) = self.raw(name, shape)?;
        let Place { part, tensor: scales } = &self.scales[name];
        let Ok(StoredDtype::Float(dtype)) = scales.dtype else {
            return Err(self.refuse(format!("the scales of `{name}` are not floating-point numbers")));
        };
        let raw = self.parts[*part].read(scales.offset, shape[0] * dtype.size_in_bytes())?;
        let scales = Tensor::from_raw_buffer(&raw, dtype, &shape[..1], &Device::Cpu)?;
        Ok(Rows8::new(integers, scales.to_dtype(DType::F32)?.to_vec1()?))
    }

    /// The bytes and the dtype of the tensor `name`, which must have exactly `shape`.
    fn raw(&self, name: &str, shape: &[usize]) -> Result<(Cow<'static, [u8]>, StoredDtype)> {
        let Some(Place { part, tensor }) = self.index.get(name) else {
            return Err(self.refuse(format!(
                "tensor `{name}` {shape:?} is missing; these weights do not fit the architecture in the config"
            )));
        };
        if tensor.shape != shape {
            return Err(self.refuse(format!(
                "tensor `{name}` has shape {:?}, the config asks for {shape:?}",
                tensor.shape
            )));
        }
        let dtype = *tensor.dtype.as_ref().map_err(|why| self.refuse(format!("tensor `{name}` {why}")))?;
        let bytes = tensor.shape.iter().product::<usize>() * dtype.bytes();
        Ok((self.parts[*part].read(tensor.offset, bytes)?, dtype))
    }

    /// Each file's name without its folder, and its SHA-256 in hexadecimal.
    ///
    /// # Errors
    /// When one cannot be read.
    pub fn digests(&self) -> Result<Vec<(String, String)>> {
        self.parts.iter().map(|part| Ok((part.short_name(), part.sha256()?))).collect()
    }

    fn refuse(&self, reason: String) -> ModelError {
        refuse(&self.file, reason)
    }
}

/// The current name of a tensor: in checkpoints before 2019 norms have gamma and beta instead of weight and bias.
fn current_name(name: String) -> String {
    let renamed = [(".gamma", "weight"), (".beta", "bias")].iter().find_map(|(old, new)| {
        let norm = name.strip_suffix(old).filter(|norm| norm.ends_with("LayerNorm"))?;
        Some(format!("{norm}.{new}"))
    });
    renamed.unwrap_or(name)
}
