//! Reads of a post-processor only what tells whether to build it. Refuses more special tokens around the texts than any
//! published tokenizer has, and templates on which the library would panic.

use std::collections::HashMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::growth::REMEDY;

/// Tokens around two texts, counted with the placeholders of the texts. Published tokenizers have at most 6.
pub(super) const MOST_SPECIAL: usize = 64;

/// A post-processor; other kinds than these two have none of the fields.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Processor {
    processors: Vec<Processor>,
    single: Option<Vec<Piece>>,
    pair: Option<Vec<Piece>>,
    special_tokens: HashMap<String, Special>,
}

/// A part of a template: a text, A or B, or a special token.
#[derive(Deserialize)]
enum Piece {
    Sequence { id: Text },
    SpecialToken { id: String },
}

#[derive(PartialEq, Eq, Deserialize)]
enum Text {
    A,
    B,
}

#[derive(Deserialize)]
struct Special {
    ids: Vec<IgnoredAny>,
    tokens: Vec<IgnoredAny>,
}

impl Processor {
    pub(super) fn check(&self) -> Result<(), String> {
        let templates = self.templates().map_err(|why| format!("its post-processor {why}; {REMEDY}"))?;
        match templates {
            0 | 1 => Ok(()),
            _ => Err(format!("its post-processor has {templates} templates, one is read; {REMEDY}")),
        }
    }

    /// The number of templates.
    fn templates(&self) -> Result<usize, String> {
        for template in self.single.iter().chain(&self.pair) {
            let tokens = template.iter().map(|piece| self.tokens(piece)).sum::<Result<usize, _>>()?;
            if tokens > MOST_SPECIAL {
                return Err(format!(
                    "puts {tokens} tokens around the texts, at most {MOST_SPECIAL} are read"
                ));
            }
        }
        let is_second = |piece: &Piece| matches!(piece, Piece::Sequence { id: Text::B });
        if self.single.iter().flatten().any(is_second) {
            return Err("uses a second text where there is one".into());
        }
        let inner = self.processors.iter().map(Self::templates).sum::<Result<usize, _>>()?;
        Ok(inner + usize::from(self.single.is_some()))
    }

    fn tokens(&self, piece: &Piece) -> Result<usize, String> {
        let Piece::SpecialToken { id } = piece else { return Ok(1) };
        match self.special_tokens.get(id) {
            Some(Special { ids, tokens }) if ids.len() == tokens.len() => Ok(ids.len()),
            _ => Err("uses a special token that it does not describe".into()),
        }
    }
}
