//! SHA-256 of files, in hexadecimal.

use std::fmt::Write;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

const READ_BYTES: usize = 1 << 17;

/// An incremental SHA-256.
#[derive(Default, Clone)]
pub(crate) struct Hasher(Sha256);

impl Hasher {
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    pub(crate) fn into_hex(self) -> String {
        self.0.finalize().iter().fold(String::with_capacity(64), |mut text, byte| {
            write!(text, "{byte:02x}").expect("writing to a string cannot fail");
            text
        })
    }
}

/// Hashes the rest of a reader. Returns its length.
pub(crate) fn add_all(hasher: &mut Hasher, mut reader: impl Read) -> io::Result<u64> {
    let mut buffer = vec![0; READ_BYTES];
    let mut total = 0;
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(total),
            Ok(count) => {
                hasher.update(&buffer[..count]);
                total += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// A file's length and digest.
pub(crate) fn of_file(path: &Path) -> io::Result<(u64, String)> {
    let mut hasher = Hasher::default();
    let bytes = add_all(&mut hasher, File::open(path)?)?;
    Ok((bytes, hasher.into_hex()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_of_empty_input_and_abc() {
        let of = |bytes: &[u8]| {
            let mut hasher = Hasher::default();
            assert_eq!(add_all(&mut hasher, bytes).unwrap(), bytes.len() as u64);
            hasher.into_hex()
        };
        assert_eq!(of(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(of(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
