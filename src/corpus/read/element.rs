//! Where a JSON value ends, without understanding it: brackets are counted and strings skipped, so that
//! a broken value inside them costs that value only.

/// What bytes of a value led to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Scan {
    /// The value goes on behind these bytes.
    More,
    /// The value ends before the byte of this index.
    End(usize),
    /// The bracket before this index closes another kind than was opened.
    Broken(usize),
}

/// A value as far as its bytes were seen.
#[derive(Debug, Default)]
pub(super) struct Scanner {
    /// The closing brackets that must come, the nearest last.
    awaited: Vec<u8>,
    in_string: bool,
    escaped: bool,
}

impl Scanner {
    /// Looks at the next bytes of the value.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Scan {
        for (index, &byte) in bytes.iter().enumerate() {
            if self.in_string {
                if self.ends_string(byte) && self.awaited.is_empty() {
                    return Scan::End(index + 1);
                }
                continue;
            }
            match byte {
                b'"' => self.in_string = true,
                b'{' => self.awaited.push(b'}'),
                b'[' => self.awaited.push(b']'),
                b'}' | b']' => match self.awaited.pop() {
                    None => return Scan::End(index),
                    Some(awaited) if awaited != byte => return Scan::Broken(index + 1),
                    Some(_) if self.awaited.is_empty() => return Scan::End(index + 1),
                    Some(_) => {}
                },
                b',' | b' ' | b'\t' | b'\r' | b'\n' if self.awaited.is_empty() => return Scan::End(index),
                _ => {}
            }
        }
        Scan::More
    }

    /// Brackets that are open.
    pub(super) fn depth(&self) -> usize {
        self.awaited.len()
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
    fn values_end_where_their_brackets_do() {
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
