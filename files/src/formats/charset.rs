//! Bytes as characters in the older encodings, most of which have one byte a character.

use mail_parser::decoders::charsets::map::charset_decoder;

/// Reads text in an encoding that is known by its name, such as `iso-8859-2`.
pub(crate) fn in_charset(bytes: &[u8], charset: &str) -> Option<String> {
    Some(charset_decoder(charset.as_bytes())?(bytes))
}

/// Reads one byte in a Windows code page.
pub(crate) fn in_code_page(byte: u8, page: u32) -> char {
    if byte.is_ascii() {
        return char::from(byte);
    }
    let text = in_charset(&[byte], &format!("windows-{page}"));
    text.and_then(|text| text.chars().next()).unwrap_or(char::REPLACEMENT_CHARACTER)
}
