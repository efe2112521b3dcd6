//! The fields of a SentencePiece model file that a unigram tokenizer needs, read from the protocol buffer's wire format
//! (sentencepiece_model.proto of google/sentencepiece). Refuses truncated files.

/// The type of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Normal,
    Unknown,
    Control,
    UserDefined,
    Unused,
    Byte,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) score: f32,
    pub(crate) kind: Kind,
}

/// A model file's contents.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ModelFile {
    pub(crate) pieces: Vec<Piece>,
    pub(crate) is_unigram: bool,
    pub(crate) byte_fallback: bool,
    pub(crate) space_is_suffix: bool,
    pub(crate) unknown_id: i64,
    pub(crate) end_id: i64,
    pub(crate) charsmap: Vec<u8>,
    pub(crate) adds_dummy_prefix: bool,
    pub(crate) removes_extra_spaces: bool,
    pub(crate) escapes_spaces: bool,
}

impl ModelFile {
    /// Reads a file; the error says what is wrong.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, String> {
        let mut model = Self {
            pieces: Vec::new(),
            is_unigram: true,
            byte_fallback: false,
            space_is_suffix: false,
            unknown_id: 0,
            end_id: 2,
            charsmap: Vec::new(),
            adds_dummy_prefix: true,
            removes_extra_spaces: true,
            escapes_spaces: true,
        };
        for field in Fields(bytes) {
            match field? {
                (1, Value::Bytes(piece)) => model.pieces.push(parse_piece(piece)?),
                (2, Value::Bytes(trainer)) => model.read_trainer(trainer)?,
                (3, Value::Bytes(normalizer)) => model.read_normalizer(normalizer)?,
                _ => {}
            }
        }
        if model.pieces.is_empty() {
            return Err("it holds no pieces".into());
        }
        Ok(model)
    }

    fn read_trainer(&mut self, bytes: &[u8]) -> Result<(), String> {
        for field in Fields(bytes) {
            match field? {
                (3, Value::Number(kind)) => self.is_unigram = kind == 1,
                (24, Value::Number(yes)) => self.space_is_suffix = yes != 0,
                (35, Value::Number(yes)) => self.byte_fallback = yes != 0,
                // A negative id is stored as an unsigned 64-bit integer.
                (40, Value::Number(id)) => self.unknown_id = id as i64,
                (42, Value::Number(id)) => self.end_id = id as i64,
                _ => {}
            }
        }
        Ok(())
    }

    fn read_normalizer(&mut self, bytes: &[u8]) -> Result<(), String> {
        for field in Fields(bytes) {
            match field? {
                (2, Value::Bytes(charsmap)) => self.charsmap = charsmap.to_vec(),
                (3, Value::Number(yes)) => self.adds_dummy_prefix = yes != 0,
                (4, Value::Number(yes)) => self.removes_extra_spaces = yes != 0,
                (5, Value::Number(yes)) => self.escapes_spaces = yes != 0,
                _ => {}
            }
        }
        Ok(())
    }
}

fn parse_piece(bytes: &[u8]) -> Result<Piece, String> {
    let mut piece = Piece { text: String::new(), score: 0.0, kind: Kind::Normal };
    for field in Fields(bytes) {
        match field? {
            (1, Value::Bytes(text)) => {
                piece.text =
                    String::from_utf8(text.to_vec()).map_err(|_| "a piece is not UTF-8".to_owned())?;
            }
            (2, Value::Fixed32(bits)) => piece.score = f32::from_bits(bits),
            (3, Value::Number(kind)) => {
                piece.kind = match kind {
                    1 => Kind::Normal,
                    2 => Kind::Unknown,
                    3 => Kind::Control,
                    4 => Kind::UserDefined,
                    5 => Kind::Unused,
                    6 => Kind::Byte,
                    other => return Err(format!("a piece has the unknown type {other}")),
                }
            }
            _ => {}
        }
    }
    Ok(piece)
}

/// A field's value, by its wire type.
enum Value<'b> {
    Number(u64),
    Fixed32(u32),
    Bytes(&'b [u8]),
    Other,
}

/// The fields of a message, each with its number.
struct Fields<'b>(&'b [u8]);

impl<'b> Fields<'b> {
    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = *self.take(1)?.first()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn field(&mut self) -> Option<(u64, Value<'b>)> {
        let key = self.varint()?;
        let value = match key & 7 {
            0 => Value::Number(self.varint()?),
            1 => self.take(8).map(|_| Value::Other)?,
            2 => {
                let length = usize::try_from(self.varint()?).ok()?;
                Value::Bytes(self.take(length)?)
            }
            5 => Value::Fixed32(u32::from_le_bytes(self.take(4)?.try_into().ok()?)),
            _ => return None,
        };
        Some((key >> 3, value))
    }
}

impl<'b> Iterator for Fields<'b> {
    type Item = Result<(u64, Value<'b>), String>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_none() {
            self.0 = &[];
        }
        Some(field.ok_or_else(|| "it is cut short or is not a SentencePiece model".to_owned()))
    }
}
