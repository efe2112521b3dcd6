//! Bytes as characters: UTF-8 and UTF-16.

use std::str;

use crate::error::FileError;

/// Which byte of a UTF-16 unit comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ByteOrder {
    Little,
    Big,
}

/// Reads UTF-8 text.
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, FileError> {
    str::from_utf8(bytes).map_err(|error| {
        let valid = &bytes[..error.valid_up_to()];
        let line = 1 + valid.iter().filter(|byte| **byte == b'\n').count();
        FileError::NotUtf8 { line, byte: valid.len() }
    })
}

/// Reads UTF-16 text that follows its byte order mark.
pub(crate) fn utf16(bytes: &[u8], order: ByteOrder) -> Result<String, FileError> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let units = pairs.iter().map(|pair| match order {
        ByteOrder::Little => u16::from_le_bytes(*pair),
        ByteOrder::Big => u16::from_be_bytes(*pair),
    });
    let mut text = String::new();
    let mut byte = 2;
    for character in char::decode_utf16(units) {
        let character = character.map_err(|_| FileError::NotUtf16 { byte })?;
        byte += 2 * character.len_utf16();
        text.push(character);
    }
    if rest.is_empty() { Ok(text) } else { Err(FileError::NotUtf16 { byte }) }
}

/// Whether bytes look like UTF-16 text without a mark: of Latin letters one byte of each pair is zero.
pub(crate) fn looks_like_utf16(bytes: &[u8]) -> bool {
    let (pairs, _) = bytes[..bytes.len().min(4096)].as_chunks::<2>();
    let first = pairs.iter().filter(|pair| pair[0] == 0).count();
    let second = pairs.iter().filter(|pair| pair[1] == 0).count();
    let (many, few) = (first.max(second), first.min(second));
    pairs.len() >= 4 && many * 3 >= pairs.len() * 2 && few * 20 <= pairs.len()
}
