//! Reports which of the documents that a benchmark's authors do not publish the user's files lack.

use super::error::BenchError;

const MOST_LISTED: usize = 5;

pub(crate) struct Missing<'i> {
    pub(crate) corpus: &'static str,
    pub(crate) source: &'static str,
    pub(crate) ids: Vec<&'i str>,
}

impl Missing<'_> {
    /// Refuses missing documents; `what` describes them and is also the setting that names their files.
    pub(crate) fn refuse(missing: &[Self], what: &str) -> Result<(), BenchError> {
        let described: Vec<String> = missing
            .iter()
            .filter(|missing| !missing.ids.is_empty())
            .map(|each| each.describe(what))
            .collect();
        if described.is_empty() { Ok(()) } else { Err(BenchError::Data(described.join("; "))) }
    }

    fn describe(&self, what: &str) -> String {
        let Self { corpus, source, ids } = self;
        let mut listed = ids[..ids.len().min(MOST_LISTED)].join(", ");
        if let more @ 1.. = ids.len().saturating_sub(MOST_LISTED) {
            listed += &format!(" and {more} more");
        }
        format!(
            "{} {what} of {corpus} are missing ({listed}): get {source}, and name the files in --{what}",
            ids.len()
        )
    }
}
