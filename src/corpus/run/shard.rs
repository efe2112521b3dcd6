//! A part of a corpus, for parallel runs. The digest of a row's document determines its shard, so all rows of a document are
//! in one shard and share its sentences. A shard's rows carry their number in the input, and its last line describes the
//! shard and the input, so that shards can be merged and missing ones detected.

use std::num::NonZeroU64;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::line::{RunFields, json};
use super::reader::InputFacts;
use super::types::RunPlan;
use crate::result::SCHEMA;

/// One of several parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// The index, from 1.
    index: u64,
    of: NonZeroU64,
}

/// A text that does not name a shard.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("shards are named I/N, from 1/N to N/N")]
pub struct BadShard;

/// The facts in a shard's last line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ShardFacts {
    /// Its index, from 1.
    pub(super) index: u64,
    /// The number of shards.
    pub(super) of: u64,
    /// Rows of this output.
    pub(super) rows: u64,
    /// Rows of the whole input.
    pub(super) input_rows: u64,
    /// A digest of the whole input's content.
    pub(super) input_sha256: String,
    /// A digest of profile, models, version, and the handling of fields and bad rows.
    pub(super) settings_sha256: String,
    /// SHA-256 of this output's other lines.
    pub(super) rows_sha256: String,
}

/// The last line of a shard's output.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LastLine {
    pub(super) schema: u32,
    pub(super) shard: ShardFacts,
}

impl ShardFacts {
    /// Returns how the shards of two runs differ.
    pub(super) fn difference(&self, other: &Self) -> Option<&'static str> {
        if self.of != other.of {
            Some("runs in different numbers of shards")
        } else if (self.input_rows, &self.input_sha256) != (other.input_rows, &other.input_sha256) {
            Some("different inputs")
        } else if self.settings_sha256 != other.settings_sha256 {
            Some("different settings, models or versions")
        } else {
            None
        }
    }
}

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

    /// Returns the last line of the shard's output, which has these `rows`.
    pub(super) fn last_line(
        self,
        rows: RowsWritten,
        facts: &InputFacts,
        plan: &RunPlan,
        fields: &RunFields,
    ) -> String {
        let settings = Sha256::new_with_prefix(fields.settings_sha256());
        // The digest includes the names of fields and variants: after a rename, shards of the two versions differ.
        let settings = settings.chain_update(format!("{:?} {:?}", plan.names, plan.on_error));
        let shard = ShardFacts {
            index: self.index,
            of: self.of.get(),
            rows: rows.count,
            input_rows: facts.rows,
            input_sha256: facts.sha256.clone(),
            settings_sha256: hexadecimal(settings),
            rows_sha256: hexadecimal(rows.digest),
        };
        json(&LastLine { schema: SCHEMA, shard })
    }
}

/// The rows of a shard's output, counted while they are written or read.
#[derive(Debug, Clone, Default)]
pub(super) struct RowsWritten {
    pub(super) count: u64,
    pub(super) digest: Sha256,
}

impl RowsWritten {
    /// Adds a line, given without its line end.
    pub(super) fn add(&mut self, line: &str) {
        self.count += 1;
        self.digest.update(line);
        self.digest.update("\n");
    }

    pub(super) fn sha256(&self) -> String {
        hexadecimal(self.digest.clone())
    }
}

pub(super) fn hexadecimal(digest: Sha256) -> String {
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
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
