//! A SentencePiece unigram tokenizer from its model file, spiece.model (Kudo 2018; Kudo and Richardson 2018), for models
//! without tokenizer.json. Ids equal those of the `sentencepiece` package; control symbols never match in a text. Refuses
//! other algorithms than unigram.
//!
//! The crate `tokenizers` is not exact here: it adds scores in 64 bits, so that other pieces win by rounding; its table of
//! replacements looks up single graphemes and characters and takes the shortest match, the package the longest; and a byte
//! piece that a text spells out, such as `<0x41>`, matches. The tests have texts of each kind.

pub(crate) mod charsmap;
mod normalizer;
mod proto;

use std::collections::HashMap;

use self::normalizer::Normalizer;
use self::proto::Piece;
pub(crate) use self::proto::{Kind, ModelFile};
use crate::error::{Result, refuse};

/// The score of an unknown character is that of the least probable piece minus this.
const UNKNOWN_PENALTY: f32 = 10.0;

/// A tokenizer.
#[derive(Debug, Clone)]
pub struct SentencePiece {
    pieces: Vec<Piece>,
    /// Pieces that can match in a text.
    ids: HashMap<String, u32>,
    longest_piece: usize,
    /// The ids of the 256 bytes, if unknown characters are encoded as bytes.
    bytes: Option<Vec<u32>>,
    unknown: u32,
    unknown_score: f32,
    largest_score: f32,
    end: Option<u32>,
    normalizer: Normalizer,
}

impl SentencePiece {
    /// Reads a model file; `file` is named in errors.
    ///
    /// # Errors
    /// A damaged file, another algorithm than unigram, or no unknown symbol.
    pub fn parse(bytes: &[u8], file: &str) -> Result<Self> {
        let refuse = |reason| refuse(file, reason);
        let model = ModelFile::parse(bytes).map_err(refuse)?;
        if !model.is_unigram {
            return Err(refuse("is not a unigram model; add the model's tokenizer.json".into()));
        }
        Self::new(model).map_err(refuse)
    }

    fn new(model: ModelFile) -> std::result::Result<Self, String> {
        let of_kind = |kind: Kind| model.pieces.iter().filter(move |piece| piece.kind == kind);
        let normal = || of_kind(Kind::Normal).map(|piece| piece.score);
        let protected = of_kind(Kind::UserDefined).map(|piece| piece.text.clone()).collect();
        let unknown = model.pieces.iter().position(|piece| piece.kind == Kind::Unknown);
        let matches = |kind: Kind| matches!(kind, Kind::Normal | Kind::UserDefined);
        let ids: HashMap<String, u32> = model
            .pieces
            .iter()
            .enumerate()
            .filter(|(_, piece)| matches(piece.kind))
            .map(|(id, piece)| (piece.text.clone(), id as u32))
            .collect();
        let normalizer = Normalizer::new(&model, protected)?;
        Ok(Self {
            longest_piece: ids.keys().map(String::len).max().unwrap_or(0),
            ids,
            bytes: if model.byte_fallback { Some(byte_ids(&model.pieces)?) } else { None },
            unknown: unknown.ok_or("it has no unknown symbol")? as u32,
            unknown_score: normal().fold(f32::INFINITY, f32::min) - UNKNOWN_PENALTY,
            largest_score: normal().fold(f32::NEG_INFINITY, f32::max),
            end: u32::try_from(model.end_id).ok().filter(|end| (*end as usize) < model.pieces.len()),
            pieces: model.pieces,
            normalizer,
        })
    }

    /// Number of ids.
    #[must_use]
    pub fn vocab_size(&self) -> usize {
        self.pieces.len()
    }

    /// The id that ends a text, if there is one.
    #[must_use]
    pub fn end(&self) -> Option<u32> {
        self.end
    }

    /// The ids of a text, without control symbols.
    #[must_use]
    pub fn encode(&self, text: &str) -> Vec<u32> {
        let normal = self.normalizer.normalize(text);
        let mut ids: Vec<u32> = Vec::new();
        for (piece, id) in self.best_pieces(&normal) {
            match (id, &self.bytes) {
                (Some(id), _) => ids.push(id),
                (None, Some(bytes)) => ids.extend(piece.bytes().map(|byte| bytes[usize::from(byte)])),
                // Adjacent unknown characters have one id.
                (None, None) if ids.last() == Some(&self.unknown) => {}
                (None, None) => ids.push(self.unknown),
            }
        }
        ids
    }

    /// The text of ids, without control symbols.
    #[must_use]
    pub fn decode(&self, ids: &[u32]) -> String {
        let mut bytes = Vec::new();
        for piece in ids.iter().filter_map(|id| self.pieces.get(*id as usize)) {
            match piece.kind {
                Kind::Control => {}
                Kind::Unknown => bytes.extend(" \u{2047} ".bytes()),
                Kind::Byte => bytes.extend(byte_of(&piece.text)),
                _ => bytes.extend(piece.text.replace('\u{2581}', " ").bytes()),
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        text.strip_prefix(' ').unwrap_or(&text).to_owned()
    }

    /// The segmentation with the highest score (Viterbi's algorithm), each piece with its id; `None` for an unknown
    /// character.
    fn best_pieces<'t>(&self, text: &'t str) -> Vec<(&'t str, Option<u32>)> {
        // For each position: the best score of the text before it, and the start and the id of the last piece.
        let mut best: Vec<Option<(f32, usize, Option<u32>)>> = vec![None; text.len() + 1];
        best[0] = Some((0.0, 0, None));
        for (start, first) in text.char_indices() {
            let Some((score, ..)) = best[start] else { continue };
            let mut offer = |end: usize, gain: f32, id: Option<u32>| {
                if best[end].is_none_or(|(known, ..)| score + gain > known) {
                    best[end] = Some((score + gain, start, id));
                }
            };
            let single = start + first.len_utf8();
            let mut single_is_known = false;
            let ends = text[start..].char_indices().map(|(at, c)| start + at + c.len_utf8());
            for end in ends.take_while(|end| end - start <= self.longest_piece) {
                if let Some(&id) = self.ids.get(&text[start..end]) {
                    offer(end, self.score(id, end - start), Some(id));
                    single_is_known |= end == single;
                }
            }
            if !single_is_known {
                offer(single, self.unknown_score, None);
            }
        }
        let mut pieces = Vec::new();
        let mut end = text.len();
        while let Some((_, start, id)) = best[end].filter(|_| end > 0) {
            pieces.push((&text[start..end], id));
            end = start;
        }
        pieces.reverse();
        pieces
    }

    /// User-defined symbols score higher than all pieces that they overlap.
    fn score(&self, id: u32, bytes: usize) -> f32 {
        let piece = &self.pieces[id as usize];
        match piece.kind {
            Kind::UserDefined => bytes as f32 * self.largest_score - 0.1,
            _ => piece.score,
        }
    }
}

/// Ids of `<0x00>` to `<0xFF>`.
fn byte_ids(pieces: &[Piece]) -> std::result::Result<Vec<u32>, String> {
    let mut ids = vec![None; 256];
    for (id, piece) in pieces.iter().enumerate().filter(|(_, piece)| piece.kind == Kind::Byte) {
        if let Some(byte) = byte_of(&piece.text) {
            ids[usize::from(byte)] = Some(id as u32);
        }
    }
    ids.into_iter()
        .collect::<Option<_>>()
        .ok_or_else(|| "it encodes unknown characters as bytes but lacks some bytes".into())
}

fn byte_of(piece: &str) -> Option<u8> {
    u8::from_str_radix(piece.strip_prefix("<0x")?.strip_suffix('>')?, 16).ok()
}
