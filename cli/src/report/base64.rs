//! Base64 (RFC 4648, section 4), for the digests of a content security policy and the data in a page.

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Encodes bytes in letters that have no meaning in HTML.
pub(super) fn encode(bytes: &[u8]) -> String {
    let mut letters = Vec::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits =
            group.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - group.len()));
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place)) as usize & 63];
            letters.push(if place <= group.len() { letter } else { b'=' });
        }
    }
    String::from_utf8(letters).expect("the letters are ASCII")
}

#[cfg(test)]
mod tests {
    #[test]
    fn encodes_the_test_vectors_of_the_rfc() {
        for (bytes, letters) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(super::encode(bytes.as_bytes()), letters);
        }
        assert_eq!(super::encode(&[0xfb, 0xff, 0xfe]), "+//+");
    }
}
