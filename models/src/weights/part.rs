//! A file of weights: its bytes, in the program or on disk, and the digest of them.

use std::borrow::Cow;
use std::fs::File;
use std::io::{Cursor, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};

use super::stored::Index;
use super::{pickle, safetensors};
use crate::error::{ModelError, Result, refuse};

enum Bytes {
    Static(&'static [u8]),
    File(Mutex<File>),
}

/// A file of weights: all of them, or a part.
pub(super) struct Part {
    pub(super) name: String,
    bytes: Bytes,
    pub(super) length: u64,
}

impl Part {
    /// A safetensors file that is compiled into the program.
    pub(super) fn compiled_in(name: &str, bytes: &'static [u8]) -> Result<(Self, Index)> {
        let length = bytes.len() as u64;
        let index = safetensors::index(&mut Cursor::new(bytes), length);
        let index = index.map_err(|reason| broken(name, &reason))?;
        Ok((Self { name: name.to_owned(), bytes: Bytes::Static(bytes), length }, index))
    }

    /// Opens a file: PyTorch's format if its name ends in `.bin` or `.ckpt`, else safetensors.
    pub(super) fn open(path: &Path) -> Result<(Self, Index)> {
        let name = path.display().to_string();
        let read = |source| ModelError::Read { file: name.clone(), source };
        let mut file = File::open(path).map_err(read)?;
        let length = file.metadata().map_err(read)?.len();
        let index = if path.extension().is_some_and(|extension| extension == "bin" || extension == "ckpt") {
            pickle::index(&mut file, length)
        } else {
            safetensors::index(&mut file, length)
        };
        let index = index.map_err(|reason| broken(&name, &reason))?;
        Ok((Self { name, bytes: Bytes::File(Mutex::new(file)), length }, index))
    }

    pub(super) fn short_name(&self) -> String {
        Path::new(&self.name)
            .file_name()
            .map_or_else(|| self.name.clone(), |n| n.to_string_lossy().into_owned())
    }

    pub(super) fn sha256(&self) -> Result<String> {
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
    pub(super) fn read(&self, offset: u64, length: usize) -> Result<Cow<'static, [u8]>> {
        let file = match &self.bytes {
            Bytes::Static(all) => return Ok(Cow::Borrowed(&all[offset as usize..][..length])),
            Bytes::File(file) => file,
        };
        let mut bytes = vec![0u8; length];
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        let read = file.seek(SeekFrom::Start(offset)).and_then(|_| file.read_exact(&mut bytes));
        read.map_err(|source| ModelError::Read { file: self.name.clone(), source })?;
        Ok(Cow::Owned(bytes))
    }
}

pub(super) fn broken(file: &str, reason: &str) -> ModelError {
    refuse(file, format!("{reason}; the file is damaged or incomplete, fetch it again"))
}

pub(crate) fn hexadecimal(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
