//! Zstd-compressed columns of Parquet. The crate `parquet` supports zstd only through a C library, so it sees such columns
//! as uncompressed and their pages are decompressed here. It reads other columns itself.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::Compression;
use parquet::bloom_filter::Sbbf;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::reader::{
    ChunkReader, FileReader, Length, RowGroupReader, SerializedFileReader, SerializedPageReader,
};
use parquet::record::reader::RowIter;
use parquet::schema::types::Type;

use super::zstd::ZstdReader;

/// The maximum size of a page in bytes; the format stores it in 31 bits.
const MAX_PAGE_BYTES: u64 = i32::MAX as u64;

/// A file whose columns may have any supported compression.
pub(super) struct ParquetFile {
    reader: SerializedFileReader<Chunks>,
    pages: Arc<Chunks>,
}

struct Group<'f> {
    group: Box<dyn RowGroupReader + 'f>,
    pages: Arc<Chunks>,
}

/// The pages of a zstd-compressed column.
struct ZstdPages(SerializedPageReader<Chunks>);

/// The file, in which a read at the end fails: the crate skips fields without noticing the end, so that a damaged length made
/// it read there for hours.
struct Chunks(File);

impl Length for Chunks {
    fn len(&self) -> u64 {
        self.0.len()
    }
}

impl ChunkReader for Chunks {
    type T = UpToEnd<BufReader<File>>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(UpToEnd(self.0.get_read(start)?))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        self.0.get_bytes(start, length)
    }
}

/// A reader that has no bytes to give at its end.
struct UpToEnd<R>(R);

impl<R: Read> Read for UpToEnd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 if !buffer.is_empty() => Err(io::ErrorKind::UnexpectedEof.into()),
            read => Ok(read),
        }
    }
}

impl ParquetFile {
    pub(super) fn open(file: File) -> Result<Self> {
        let pages = Arc::new(Chunks(file.try_clone()?));
        Ok(Self { reader: SerializedFileReader::new(Chunks(file))?, pages })
    }
}

impl FileReader for ParquetFile {
    fn metadata(&self) -> &ParquetMetaData {
        self.reader.metadata()
    }

    fn num_row_groups(&self) -> usize {
        self.reader.num_row_groups()
    }

    fn get_row_group(&self, index: usize) -> Result<Box<dyn RowGroupReader + '_>> {
        let pages = Arc::clone(&self.pages);
        Ok(Box::new(Group { group: self.reader.get_row_group(index)?, pages }))
    }

    fn get_row_iter(&self, columns: Option<Type>) -> Result<RowIter<'_>> {
        RowIter::from_file(columns, self)
    }
}

impl RowGroupReader for Group<'_> {
    fn metadata(&self) -> &RowGroupMetaData {
        self.group.metadata()
    }

    fn num_columns(&self) -> usize {
        self.group.num_columns()
    }

    fn get_column_page_reader(&self, index: usize) -> Result<Box<dyn PageReader>> {
        let column = self.metadata().column(index);
        if !matches!(column.compression(), Compression::ZSTD(_)) {
            return self.group.get_column_page_reader(index);
        }
        let as_stored = column.clone().into_builder().set_compression(Compression::UNCOMPRESSED).build()?;
        let rows = usize::try_from(self.metadata().num_rows())?;
        let pages = SerializedPageReader::new(Arc::clone(&self.pages), &as_stored, rows, None)?;
        Ok(Box::new(ZstdPages(pages)))
    }

    fn get_column_bloom_filter(&self, index: usize) -> Option<&Sbbf> {
        self.group.get_column_bloom_filter(index)
    }

    fn get_row_iter(&self, columns: Option<Type>) -> Result<RowIter<'_>> {
        RowIter::from_row_group(columns, self)
    }
}

impl PageReader for ZstdPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        self.0.get_next_page()?.map(decompressed).transpose()
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.0.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.0.skip_next_page()
    }
}

impl Iterator for ZstdPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

fn decompressed(mut page: Page) -> Result<Page> {
    match &mut page {
        Page::DataPage { buf, .. } | Page::DictionaryPage { buf, .. } => *buf = after(buf, 0)?.into(),
        Page::DataPageV2 { buf, is_compressed: true, def_levels_byte_len, rep_levels_byte_len, .. } => {
            *buf = after(buf, *def_levels_byte_len as usize + *rep_levels_byte_len as usize)?.into();
        }
        Page::DataPageV2 { .. } => {}
    }
    Ok(page)
}

/// Returns the bytes of a page, with all but the first `stored` ones decompressed.
fn after(page: &[u8], stored: usize) -> Result<Vec<u8>> {
    let too_short = || ParquetError::EOF("a page is shorter than its levels".into());
    let (stored, compressed) = page.split_at_checked(stored).ok_or_else(too_short)?;
    let mut bytes = stored.to_vec();
    let most = MAX_PAGE_BYTES - bytes.len() as u64;
    let read = ZstdReader::new(compressed).take(most + 1).read_to_end(&mut bytes)?;
    if read as u64 > most { Err(ParquetError::General("a page is too long".into())) } else { Ok(bytes) }
}
