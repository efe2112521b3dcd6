//! Finds the end of a JSON value without parsing it: matches brackets and skips strings, so that an invalid element of an
//! array costs only that element.

/// The state after some bytes of a value.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Scan {
    /// The value continues after these bytes.
    More,
    /// The value ends before the byte with this index.
    End(usize),
    /// The bracket before this index does not match the opening one.
    Broken(usize),
}

/// The state of a scan.
#[derive(Debug, Default)]
pub(super) struct Scanner {
    /// The expected closing brackets; the next one is last.
    expected: Vec<u8>,
    in_string: bool,
    escaped: bool,
}

impl Scanner {
    /// Scans the next bytes of the value.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Scan {
        for (index, &byte) in bytes.iter().enumerate() {
            if self.in_string {
                if self.ends_string(byte) && self.expected.is_empty() {
                    return Scan::End(index + 1);
                }
                continue;
            }
            match byte {
                b'"' => self.in_string = true,
                b'{' => self.expected.push(b'}'),
                b'[' => self.expected.push(b']'),
                b'}' | b']' => match self.expected.pop() {
                    None => return Scan::End(index),
                    Some(expected) if expected != byte => return Scan::Broken(index + 1),
                    Some(_) if self.expected.is_empty() => return Scan::End(index + 1),
                    Some(_) => {}
                },
                b',' | b' ' | b'\t' | b'\r' | b'\n' if self.expected.is_empty() => return Scan::End(index),
                _ => {}
            }
        }
        Scan::More
    }

    /// Returns the number of open brackets.
    pub(super) fn depth(&self) -> usize {
        self.expected.len()
    }

    fn ends_string(&mut self, byte: u8) -> bool {
        if self.escaped {
            self.escaped = false;
        } else if byte == b'\\' {
            self.escaped = true;
        } else if byte == b'"' {
            self.in_string = false;
        }
        !self.in_string
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_end_with_their_brackets() {
        for (text, expected) in [
            (r#"{"a":1},"#, Scan::End(7)),
            (r#"{"a":"}]\"\\"}]"#, Scan::End(14)),
            (r#"[[1],{"b":[]}] "#, Scan::End(14)),
            ("12,", Scan::End(2)),
            ("true]", Scan::End(4)),
            (r#""a,\"b" "#, Scan::End(7)),
            (",", Scan::End(0)),
            (r#"{"a":[1}"#, Scan::Broken(8)),
            (r#"{"a":"#, Scan::More),
            (r#"{"a":"}"#, Scan::More),
            ("12", Scan::More),
        ] {
            assert_eq!(Scanner::default().feed(text.as_bytes()), expected, "{text}");
            assert_eq!(by_single_bytes(text), expected, "{text}, byte by byte");
        }
    }

    fn by_single_bytes(text: &str) -> Scan {
        let mut scanner = Scanner::default();
        for (index, byte) in text.bytes().enumerate() {
            match scanner.feed(&[byte]) {
                Scan::More => {}
                Scan::End(end) => return Scan::End(index + end),
                Scan::Broken(end) => return Scan::Broken(index + end),
            }
        }
        Scan::More
    }
}
