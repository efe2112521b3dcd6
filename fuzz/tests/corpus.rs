//! Every input of the corpus is read without a panic; each target has inputs.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use veridic_fuzz::TARGETS;

#[test]
fn every_input_of_the_corpus_is_read() {
    for target in TARGETS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target.name);
        let mut count = 0;
        for file in fs::read_dir(&folder).unwrap() {
            (target.read)(&fs::read(file.unwrap().path()).unwrap());
            count += 1;
        }
        assert!(count > 0, "{} has no inputs", target.name);
        for bytes in [&b""[..], b"\0", b"\xff\xfe", &[0xff; 64], b"{\"", b"[[[[[[[["] {
            (target.read)(bytes);
        }
    }
}
