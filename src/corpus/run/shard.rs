//! A part of a corpus, for parallel runs. The digest of a row's document determines its shard, so all rows of a document are
//! in one shard and share its sentences.

use std::num::NonZeroU64;
use std::str::FromStr;

use sha2::{Digest, Sha256};

/// One of several parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// The index, from 1.
    pub(super) index: u64,
    pub(super) of: NonZeroU64,
}

/// A text that does not name a shard.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("shards are named I/N, from 1/N to N/N")]
pub struct BadShard;

impl FromStr for Shard {
    type Err = BadShard;

    fn from_str(text: &str) -> Result<Self, BadShard> {
        let (index, of) = text.split_once('/').ok_or(BadShard)?;
        let index: u64 = index.parse().map_err(|_| BadShard)?;
        let of: NonZeroU64 = of.parse().map_err(|_| BadShard)?;
        if (1..=of.get()).contains(&index) { Ok(Self { index, of }) } else { Err(BadShard) }
    }
}

impl Shard {
    /// Whether rows of this document are in the shard.
    pub(super) fn has_text(self, document: &str) -> bool {
        self.has(document.as_bytes())
    }

    /// Whether the row with this number, which has no document, is in the shard.
    pub(super) fn has_number(self, number: u64) -> bool {
        self.has(&number.to_le_bytes())
    }

    fn has(self, content: &[u8]) -> bool {
        let digest: [u8; 32] = Sha256::digest(content).into();
        let (first, _) = digest.split_first_chunk::<8>().expect("a digest has 32 bytes");
        u64::from_le_bytes(*first) % self.of + 1 == self.index
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_in_exactly_one_shard() {
        let shards: Vec<Shard> = (1..=5).map(|index| format!("{index}/5").parse().unwrap()).collect();
        let mut sizes = [0; 5];
        for number in 0..1000 {
            let text = format!("document {number}");
            let ours: Vec<usize> = (0..5).filter(|index| shards[*index].has_text(&text)).collect();
            assert_eq!(ours.len(), 1, "{text}");
            sizes[ours[0]] += 1;
            assert_eq!(shards.iter().filter(|shard| shard.has_number(number)).count(), 1);
        }
        assert!(sizes.iter().all(|size| (150..250).contains(size)), "{sizes:?}");
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "1", "0/2", "3/2", "1/0", "a/2", "1/2/3", "-1/2", "1.0/2"] {
            assert_eq!(text.parse::<Shard>(), Err(BadShard), "{text}");
        }
    }
}
