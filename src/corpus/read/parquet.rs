//! Rows of Parquet as fields. A fault costs the rest of the file. Before a row is read, refuses compressions that are not
//! built in and types without a text form. The crate `parquet` panics on some damaged files (it asserts counts that the file
//! declares); such a panic becomes a fault.

use std::cell::Cell;
use std::collections::HashSet;
use std::fs::File;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Once;

use parquet::basic::{Compression, ConvertedType, Repetition};
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::FileReader;
use parquet::record::reader::RowIter;
use parquet::schema::types::Type;
use serde_json::value::to_raw_value;
use veridic_models::store::quoting::quoted_name;

use super::fault::{Fault, Lost, Place, comes_from_the_system};
use super::parquet_json::Json;
use super::parquet_pages::ParquetFile;
use super::raw_row::Read;
use super::share::ReadShare;
use crate::input::Fields;

/// The number of values per column held at a time; documents are long.
const COLUMN_BATCH_VALUES: usize = 64;

/// Reads the rows of a file.
pub(super) struct ParquetRows {
    rows: RowIter<'static>,
    read: usize,
    share: ReadShare,
    /// The size of the file divided by its number of rows.
    bytes_per_row: u64,
}

impl ParquetRows {
    pub(super) fn open(path: &Path, share: &ReadShare) -> Result<Self, Fault> {
        let file = File::open(path).map_err(|error| Fault::of_io(Place::File, &error))?;
        let bytes = file.metadata().map_or(0, |found| found.len());
        let reader = guarded(Place::File, || ParquetFile::open(file))?;
        check(reader.metadata()).map_err(|reason| Fault::file(Place::File, reason))?;
        let count = u64::try_from(reader.metadata().file_metadata().num_rows()).unwrap_or(0);
        let rows = RowIter::from_file_into(Box::new(reader)).with_batch_size(COLUMN_BATCH_VALUES);
        Ok(Self { rows, read: 0, share: share.clone(), bytes_per_row: bytes / count.max(1) })
    }

    pub(super) fn next(&mut self) -> Result<Option<Read>, Fault> {
        self.read += 1;
        self.share.add(self.bytes_per_row);
        let place = Place::Row(self.read);
        let Some(row) = guarded(place, || self.rows.next().transpose())? else { return Ok(None) };
        let mut fields = Fields::default();
        for (name, value) in row.into_columns() {
            let value = to_raw_value(&Json(&value)).map_err(|error| Fault::file(place, error.to_string()))?;
            fields.push(name, value);
        }
        Ok(Some((place, fields)))
    }
}

/// Calls the crate and turns its panics into faults. After a fault the reader must not be used again.
fn guarded<T>(place: Place, read: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, Fault> {
    keep_panics_quiet();
    GUARDED.set(true);
    let result = catch_unwind(AssertUnwindSafe(read));
    GUARDED.set(false);
    match result {
        Ok(result) => result.map_err(|error| fault(place, &error)),
        Err(_) => Err(Fault::file(place, "has damaged data: get the file again")),
    }
}

thread_local! {
    /// Whether a panic on this thread becomes a fault.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Suppresses the message of panics that become faults; others are printed as before.
fn keep_panics_quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let previous_hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !GUARDED.get() {
                previous_hook(info);
            }
        }));
    });
}

/// Converts an error. Those on rows quote values, byte by byte; those on the file do not.
fn fault(place: Place, error: &ParquetError) -> Fault {
    let is_of_system = comes_from_the_system(error);
    let why = match place {
        Place::Row(_) if !is_of_system => "damaged data, or a text that is not UTF-8".to_owned(),
        _ => error.to_string(),
    };
    let reason = format!("cannot be read as Parquet ({why})");
    let lost = if is_of_system { Lost::Run } else { Lost::File };
    Fault { place, reason, argument: None, lost }
}

fn check(metadata: &ParquetMetaData) -> Result<(), String> {
    let root = metadata.file_metadata().schema();
    let mut names = HashSet::new();
    for column in root.get_fields() {
        if !names.insert(column.name()) {
            return Err(format!("names two columns {}", quoted_name(column.name())));
        }
        if !is_known(column) {
            let name = quoted_name(column.name());
            return Err(format!("column {name} has a type that is not supported: leave it out"));
        }
    }
    for group in metadata.row_groups() {
        if group.num_rows() < 0 || (names.is_empty() && group.num_rows() > 0) {
            return Err("has rows without columns: get the file again".into());
        }
        for column in group.columns() {
            if let Some(codec) = unread(column.compression()) {
                let name = column.column_path().parts().join(".");
                return Err(format!(
                    "column {} is compressed with {codec}: write the file with zstd, snappy, gzip or none",
                    quoted_name(&name)
                ));
            }
        }
    }
    Ok(())
}

/// Returns the name of a compression that is not built in.
fn unread(codec: Compression) -> Option<&'static str> {
    match codec {
        Compression::UNCOMPRESSED | Compression::SNAPPY | Compression::GZIP(_) | Compression::ZSTD(_) => None,
        Compression::BROTLI(_) => Some("brotli"),
        Compression::LZ4 | Compression::LZ4_RAW => Some("lz4"),
        Compression::LZO => Some("lzo"),
    }
}

/// Whether the crate's reader supports the type; it panics on others.
fn is_known(column: &Type) -> bool {
    let converted = column.get_basic_info().converted_type();
    if column.is_primitive() {
        return converted != ConvertedType::INTERVAL;
    }
    let children = column.get_fields();
    let is_repeated = |child: &Type| child.get_basic_info().repetition() == Repetition::REPEATED;
    let has_shape = match converted {
        ConvertedType::LIST => children.len() == 1 && is_repeated(&children[0]),
        ConvertedType::MAP | ConvertedType::MAP_KEY_VALUE => {
            children.len() == 1
                && is_repeated(&children[0])
                && children[0].is_group()
                && children[0].get_fields().len() <= 2
        }
        _ => true,
    };
    has_shape && !children.is_empty() && children.iter().all(|child| is_known(child))
}
