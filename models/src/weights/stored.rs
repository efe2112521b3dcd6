//! Where the tensors of a file lie, as each format's reader finds it.

use std::collections::BTreeMap;

use super::dtype::StoredDtype;

/// Where a tensor lies in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stored {
    pub(super) shape: Vec<usize>,
    /// Its dtype, or the reason why it cannot be read.
    pub(super) dtype: Result<StoredDtype, String>,
    /// The first byte, from the start of the file.
    pub(super) offset: u64,
}

impl Stored {
    /// The name of its dtype in messages.
    pub(super) fn dtype_name(&self) -> String {
        match &self.dtype {
            Ok(dtype) => dtype.name(),
            Err(_) => "another dtype".to_owned(),
        }
    }
}

/// The tensors of a file by name.
pub(super) type Index = BTreeMap<String, Stored>;
