//! Locates the tensors of a PyTorch checkpoint (`pytorch_model.bin`): a zip archive (since PyTorch 1.6) or the older
//! sequence of pickles. The pickle is parsed into plain data; no function that it names is called.

use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};

use candle_core::DType;
use candle_core::pickle::{Object, Stack};
use zip::{CompressionMethod, ZipArchive};

use super::dtype::StoredDtype;
use super::nesting::Nesting;
use super::stored::{Index, Stored};

/// A longer list of tensors counts as damaged.
const MAX_PICKLE_BYTES: u64 = 1 << 26;

/// The operation that reads an integer of so many bytes, and how many `candle` can read without an overflow.
const LONG: u8 = 0x8a;
const LONGEST: u8 = 8;

/// The first bytes of the older format: a pickle of its magic number.
const OLD_MAGIC: [u8; 15] =
    [0x80, 0x02, 0x8a, 0x0a, 0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19, 0x2e];

/// The first byte of each storage, and its length in bytes.
type Storages = HashMap<String, (u64, u64)>;

/// Reads the index of a file of `length` bytes. The error says what is wrong.
pub(super) fn index(file: &mut (impl Read + Seek), length: u64) -> Result<Index, String> {
    let mut magic = [0u8; 15];
    let is_old = file.read_exact(&mut magic).is_ok() && magic == OLD_MAGIC;
    file.rewind().map_err(|e| e.to_string())?;
    let (tensors, storages) = if is_old { read_old(file, length)? } else { read_zip(file)? };
    let mut index = BTreeMap::new();
    for (name, tensor) in tensors {
        let stored = tensor.place(&storages, length).map_err(|why| format!("tensor `{name}` {why}"))?;
        if index.insert(name.clone(), stored).is_some() {
            return Err(format!("tensor `{name}` is there twice"));
        }
    }
    if index.is_empty() { Err("it holds no tensors by name".into()) } else { Ok(index) }
}

/// A zip archive: `NAME/data.pkl`, and each storage uncompressed in `NAME/data/KEY`.
fn read_zip(file: &mut (impl Read + Seek)) -> Result<(Vec<(String, Tensor)>, Storages), String> {
    let mut archive =
        ZipArchive::new(BufReader::new(file)).map_err(|e| format!("it is not a PyTorch checkpoint: {e}"))?;
    let names: Vec<String> = archive.file_names().filter_map(|name| Some(name.ok()?.into_owned())).collect();
    let list = names.iter().find(|name| *name == "data.pkl" || name.ends_with("/data.pkl"));
    let list = list.ok_or("it is not a PyTorch checkpoint: data.pkl is missing")?;
    let folder = list.strip_suffix("data.pkl").unwrap_or_default();
    let reader = archive.by_name(list).map_err(|e| e.to_string())?;
    let tensors = tensors_of(parse(&mut BufReader::new(reader.take(MAX_PICKLE_BYTES)))?)?;
    let mut storages = Storages::new();
    for name in &names {
        let Some(key) = name.strip_prefix(&format!("{folder}data/")) else { continue };
        let entry = archive.by_name(name).map_err(|e| e.to_string())?;
        match (entry.data_start(), entry.compression()) {
            (Some(start), CompressionMethod::Stored) => {
                storages.insert(key.to_owned(), (start, entry.size()))
            }
            _ => return Err(format!("its part {name} is compressed")),
        };
    }
    Ok((tensors, storages))
}

/// Pickles one after the other (magic number, version, system, tensors, keys of storages), then for each key the number
/// of elements and the elements.
fn read_old(file: &mut (impl Read + Seek), length: u64) -> Result<(Vec<(String, Tensor)>, Storages), String> {
    let mut reader = BufReader::new(file);
    reader.seek(SeekFrom::Start(OLD_MAGIC.len() as u64)).map_err(|e| e.to_string())?;
    parse(&mut reader)?;
    parse(&mut reader)?;
    let tensors = tensors_of(parse(&mut reader)?)?;
    let Object::List(keys) = parse(&mut reader)? else {
        return Err("its list of storages is missing".into());
    };
    let element_bytes: HashMap<&str, u64> =
        tensors.iter().map(|(_, tensor)| (&*tensor.storage, tensor.element_bytes)).collect();
    let mut storages = Storages::new();
    for key in keys {
        let key = key.unicode().map_err(|_| "a storage has no name")?;
        let mut count = [0u8; 8];
        reader.read_exact(&mut count).map_err(|e| format!("storage {key}: {e}"))?;
        let start = reader.stream_position().map_err(|e| e.to_string())?;
        let size = element_bytes.get(&*key).ok_or(format!("no tensor uses storage {key}"))?;
        let bytes = u64::from_le_bytes(count).checked_mul(*size).filter(|bytes| *bytes <= length);
        let bytes = bytes.ok_or(format!("storage {key} is longer than the file"))?;
        reader.seek(SeekFrom::Start(start + bytes)).map_err(|e| e.to_string())?;
        storages.insert(key, (start, bytes));
    }
    Ok((tensors, storages))
}

fn parse(reader: &mut impl BufRead) -> Result<Object, String> {
    let invalid = |e: &dyn std::fmt::Display| format!("its pickle is not valid: {e}");
    let (mut stack, mut nesting) = (Stack::empty(), Nesting::default());
    loop {
        let next = reader.fill_buf().map_err(|e| invalid(&e))?;
        let code = next.first().copied();
        if code == Some(LONG) && next.get(1).is_some_and(|bytes| *bytes > LONGEST) {
            return Err(invalid(&format!("it has an integer of more than {LONGEST} bytes")));
        }
        let is_last = stack.read(reader).map_err(|e| invalid(&e))?;
        nesting.follow(code.unwrap_or_default(), stack.stack())?;
        if is_last {
            return stack.finalize().map_err(|e| invalid(&e));
        }
    }
}

/// A tensor as the pickle describes it.
struct Tensor {
    storage: String,
    dtype: Result<StoredDtype, String>,
    element_bytes: u64,
    /// Elements of the storage before the tensor's first one.
    first: u64,
    shape: Vec<usize>,
    strides: Vec<usize>,
}

/// Name and tensor of each entry that is a tensor; in `state_dict`, if a training program put them there.
fn tensors_of(object: Object) -> Result<Vec<(String, Tensor)>, String> {
    let Object::Dict(mut entries) = object else { return Err("it holds no tensors by name".into()) };
    if let Some(inner) = entries.iter().position(|(key, _)| *key == Object::Unicode("state_dict".into())) {
        return tensors_of(entries.swap_remove(inner).1);
    }
    let mut tensors = Vec::new();
    for (key, value) in entries {
        let (Object::Unicode(name), Some(arguments)) = (key, tensor_arguments(value)) else { continue };
        let tensor = Tensor::read(arguments).ok_or(format!("tensor `{name}` has an unknown description"))?;
        tensors.push((name, tensor));
    }
    Ok(tensors)
}

/// The arguments of `torch._utils._rebuild_tensor_v2`, also inside `_rebuild_parameter`.
fn tensor_arguments(value: Object) -> Option<Vec<Object>> {
    let (callable, arguments) = value.reduce().ok()?;
    let (module, name) = callable.class().ok()?;
    let mut arguments = arguments.tuple().ok()?;
    match (module.as_str(), name.as_str()) {
        ("torch._utils", "_rebuild_tensor_v2") => Some(arguments),
        ("torch._utils", "_rebuild_parameter") if !arguments.is_empty() => {
            tensor_arguments(arguments.swap_remove(0))
        }
        _ => None,
    }
}

impl Tensor {
    /// A tensor from (storage, offset, size, stride, ...); storage is ("storage", class, key, device, count, ...).
    fn read(arguments: Vec<Object>) -> Option<Self> {
        let mut arguments = arguments.into_iter();
        let storage = arguments.next()?.persistent_load().ok()?.tuple().ok()?;
        let first = u64::try_from(arguments.next()?.int_or_long().ok()?).ok()?;
        let (shape, strides) = (sizes(arguments.next()?)?, sizes(arguments.next()?)?);
        let mut storage = storage.into_iter().skip(1);
        let (_, class) = storage.next()?.class().ok()?;
        let (dtype, element_bytes) = match class.as_str() {
            "FloatStorage" => (Ok(StoredDtype::Float(DType::F32)), 4),
            "HalfStorage" => (Ok(StoredDtype::Float(DType::F16)), 2),
            "BFloat16Storage" => (Ok(StoredDtype::Float(DType::BF16)), 2),
            other => (Err(format!("is a {other}; float, half and bfloat16 are read")), element_bytes(other)?),
        };
        let storage = storage.next()?.unicode().ok()?;
        Some(Self { storage, dtype, element_bytes, first, shape, strides })
    }

    /// Where it lies, if its storage is long enough.
    fn place(self, storages: &Storages, length: u64) -> Result<Stored, String> {
        let (start, bytes) = *storages.get(&self.storage).ok_or("has no storage in the file")?;
        let wide = |count: usize| u64::try_from(count).ok();
        let count = self.shape.iter().try_fold(1u64, |count, &size| count.checked_mul(wide(size)?));
        let end = count.and_then(|count| count.checked_add(self.first)?.checked_mul(self.element_bytes));
        if end.is_none_or(|end| end > bytes) || start.checked_add(bytes).is_none_or(|end| end > length) {
            return Err("lies outside its storage".into());
        }
        let dtype = if self.is_contiguous() {
            self.dtype
        } else {
            Err(format!("is stored with strides {:?}", self.strides))
        };
        Ok(Stored { shape: self.shape, dtype, offset: start + self.first * self.element_bytes })
    }

    fn is_contiguous(&self) -> bool {
        let mut expected = 1usize;
        self.strides.len() == self.shape.len()
            && self.shape.iter().zip(&self.strides).rev().all(|(&size, &stride)| {
                let fits = size <= 1 || stride == expected;
                expected = expected.saturating_mul(size.max(1));
                fits
            })
    }
}

fn sizes(object: Object) -> Option<Vec<usize>> {
    let size = |object: Object| usize::try_from(object.int_or_long().ok()?).ok();
    object.tuple().ok()?.into_iter().map(size).collect()
}

/// Bytes of an element of a storage that is not read.
fn element_bytes(class: &str) -> Option<u64> {
    match class {
        "DoubleStorage" | "LongStorage" => Some(8),
        "IntStorage" => Some(4),
        "ShortStorage" => Some(2),
        "ByteStorage" | "CharStorage" | "BoolStorage" => Some(1),
        _ => None,
    }
}
