//! Pages of Parquet, before the crate `parquet` reads their values. It supports zstd only through a C library, so it sees
//! such columns as uncompressed and their pages are decompressed here. Of all pages it believes counts that damaged files get
//! wrong; those that would cost hours or memory are checked here.

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
use parquet::schema::types::{ColumnDescPtr, Type};

use super::parquet_lengths::check_lengths;
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

/// The pages of a column, checked.
struct Pages {
    pages: Box<dyn PageReader>,
    column: ColumnDescPtr,
    is_zstd: bool,
}

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
        let is_zstd = matches!(column.compression(), Compression::ZSTD(_));
        let pages = if is_zstd {
            let as_stored =
                column.clone().into_builder().set_compression(Compression::UNCOMPRESSED).build()?;
            let rows = usize::try_from(self.metadata().num_rows())?;
            Box::new(SerializedPageReader::new(Arc::clone(&self.pages), &as_stored, rows, None)?)
        } else {
            self.group.get_column_page_reader(index)?
        };
        Ok(Box::new(Pages { pages, column: column.column_descr_ptr(), is_zstd }))
    }

    fn get_column_bloom_filter(&self, index: usize) -> Option<&Sbbf> {
        self.group.get_column_bloom_filter(index)
    }

    fn get_row_iter(&self, columns: Option<Type>) -> Result<RowIter<'_>> {
        RowIter::from_row_group(columns, self)
    }
}

impl PageReader for Pages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let Some(page) = self.pages.get_next_page()? else { return Ok(None) };
        let page = if self.is_zstd { decompressed(page)? } else { page };
        check_dictionary(&page)?;
        check_lengths(&page, &self.column)?;
        Ok(Some(page))
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }
}

impl Iterator for Pages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

/// Refuses a dictionary of more values than bytes: the crate allocates all values that the page declares.
fn check_dictionary(page: &Page) -> Result<()> {
    match page {
        Page::DictionaryPage { buf, num_values, .. } if *num_values as usize > buf.len() => {
            Err(ParquetError::EOF("a dictionary is shorter than its number of values".into()))
        }
        _ => Ok(()),
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
