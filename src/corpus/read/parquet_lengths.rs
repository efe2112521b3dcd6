//! Lengths of delta-encoded byte arrays in a page of Parquet (the format's Encodings.md: DELTA_LENGTH_BYTE_ARRAY and
//! DELTA_BYTE_ARRAY). The crate `parquet` allocates as many lengths as the page declares, whatever its size.

use parquet::basic::Encoding;
use parquet::column::page::Page;
use parquet::errors::{ParquetError, Result};
use parquet::schema::types::ColumnDescriptor;

/// Refuses a page that declares more lengths than it has values.
pub(super) fn check_lengths(page: &Page, column: &ColumnDescriptor) -> Result<()> {
    let is_delta =
        |encoding| matches!(encoding, Encoding::DELTA_LENGTH_BYTE_ARRAY | Encoding::DELTA_BYTE_ARRAY);
    if !is_delta(page.encoding()) {
        return Ok(());
    }
    let most = u64::from(page.num_values());
    let bounded = behind_levels(page, column).map(Bytes).and_then(|mut bytes| {
        if page.encoding() == Encoding::DELTA_BYTE_ARRAY {
            // The lengths of the shared prefixes come before those of the rest.
            bytes.skip_numbers(most)?;
        }
        bytes.header(most)
    });
    bounded.map(|_| ()).ok_or_else(|| ParquetError::EOF("a page is shorter than its lengths".into()))
}

/// The bytes of a data page behind its levels.
fn behind_levels<'p>(page: &'p Page, column: &ColumnDescriptor) -> Option<&'p [u8]> {
    match page {
        Page::DataPage { buf, num_values, rep_level_encoding, def_level_encoding, .. } => {
            let mut bytes = Bytes(buf);
            for (max_level, encoding) in
                [(column.max_rep_level(), rep_level_encoding), (column.max_def_level(), def_level_encoding)]
            {
                if max_level > 0 {
                    let length = match encoding {
                        Encoding::RLE => u32::from_le_bytes(bytes.take(4)?.try_into().ok()?) as usize,
                        _ => (*num_values as usize * (i16::BITS - max_level.leading_zeros()) as usize)
                            .div_ceil(8),
                    };
                    bytes.take(length)?;
                }
            }
            Some(bytes.0)
        }
        Page::DataPageV2 { buf, def_levels_byte_len, rep_levels_byte_len, .. } => {
            buf.get(*def_levels_byte_len as usize + *rep_levels_byte_len as usize..)
        }
        Page::DictionaryPage { buf, .. } => Some(buf),
    }
}

/// What is left of a page.
struct Bytes<'p>(&'p [u8]);

/// The header of delta-encoded numbers.
struct Header {
    /// In each miniblock.
    values: u64,
    miniblocks: usize,
    total: u64,
}

impl<'p> Bytes<'p> {
    fn take(&mut self, count: usize) -> Option<&'p [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    /// An unsigned LEB128 number.
    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = u64::from(self.take(1)?[0]);
            number |= (byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// A header of at most `most` numbers.
    fn header(&mut self, most: u64) -> Option<Header> {
        let (block, miniblocks, total) = (self.number()?, self.number()?, self.number()?);
        let _first = self.number()?;
        let values = block.checked_div(miniblocks)?;
        let miniblocks = usize::try_from(miniblocks).ok()?;
        (total <= most && values > 0).then_some(Header { values, miniblocks, total })
    }

    fn skip_numbers(&mut self, most: u64) -> Option<()> {
        let Header { values, miniblocks, total } = self.header(most)?;
        // The header has the first one.
        let mut left = total.saturating_sub(1);
        while left > 0 {
            let _least = self.number()?;
            for &bits in self.take(miniblocks)? {
                if left > 0 {
                    self.take(usize::try_from(values.checked_mul(u64::from(bits))? / 8).ok()?)?;
                    left = left.saturating_sub(values);
                }
            }
        }
        Some(())
    }
}
