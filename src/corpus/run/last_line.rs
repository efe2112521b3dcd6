//! The last line of a shard's output. It describes the shard and the whole input, so that shards can be merged and missing
//! ones detected.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::line::{RunFields, hexadecimal, json};
use super::plan::RunPlan;
use super::reader::InputFacts;
use super::shard::Shard;
use crate::result::SCHEMA;

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

/// Returns the last line of a shard's output, which has these `rows`.
pub(super) fn last_line(
    shard: Shard,
    rows: RowsWritten,
    facts: &InputFacts,
    plan: &RunPlan,
    fields: &RunFields,
) -> String {
    let settings = Sha256::new_with_prefix(fields.settings_sha256());
    // The digest includes the names of fields and variants: after a rename, shards of the two versions differ.
    let settings = settings.chain_update(format!("{:?} {:?}", plan.names, plan.on_error));
    let shard = ShardFacts {
        index: shard.index,
        of: shard.of.get(),
        rows: rows.count,
        input_rows: facts.rows,
        input_sha256: facts.sha256.clone(),
        settings_sha256: hexadecimal(settings),
        rows_sha256: hexadecimal(rows.digest),
    };
    json(&LastLine { schema: SCHEMA, shard })
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
