//! One summary of each article: the one whose experts agree most about the dimension. Yuan et al. (SumAutoEval, section 4.3)
//! choose a summary "where expert evaluations were more consistent" and do not say how; here it is the one with the smallest
//! variance of the experts' ratings, and of equal ones the first in the data.

use std::collections::{HashMap, HashSet};

use super::{ARTICLE, SummEval};
use crate::read::{BenchError, read_fields};
use veridic::corpus::field_text;
use veridic::corpus::read::{Origin, RawRow, RowFault};

/// Which summaries are measured.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection(Option<HashSet<Origin>>);

impl Selection {
    /// All summaries.
    pub const ALL: Self = Self(None);

    /// The summary of each article whose experts agree most about the dimension of `benchmark`.
    ///
    /// # Errors
    /// The first row that is not what the authors write.
    pub fn agreed(
        benchmark: &SummEval,
        rows: impl IntoIterator<Item = Result<RawRow, RowFault>>,
    ) -> Result<Self, BenchError> {
        let mut chosen: HashMap<String, (f64, Origin)> = HashMap::new();
        read_fields(rows, |origin, mut fields| {
            let (_, variance) = benchmark.mean_and_variance(&fields)?;
            let article = field_text(&mut fields, ARTICLE)?;
            let is_better = chosen.get(&article).is_none_or(|(least, _)| variance < *least);
            if is_better {
                chosen.insert(article, (variance, origin.clone()));
            }
            Ok(())
        })?;
        Ok(Self(Some(chosen.into_values().map(|(_, origin)| origin).collect())))
    }

    /// Whether the summary of a row is measured.
    pub(super) fn takes(&self, origin: &Origin) -> bool {
        self.0.as_ref().is_none_or(|chosen| chosen.contains(origin))
    }
}
