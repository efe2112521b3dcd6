//! Agreement on single key facts, which FineSurE reports as Krippendorff's alpha (section 4.1.2): between the answers of
//! a run and most people, and among the people themselves.

use serde::Serialize;

use super::{Case, Keys};
use veridic_stats::{Scale, krippendorff_alpha};

/// Krippendorff's alpha, nominal, from at most 1; `None` where all labels are equal.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Agreement {
    /// Key facts that both sides, or several people, label.
    pub key_facts: usize,
    /// The coefficient.
    pub alpha: Option<f64>,
}

impl Agreement {
    fn of(items: &[Vec<f64>]) -> Option<Self> {
        let alpha = krippendorff_alpha(items, Scale::Nominal).ok();
        (!items.is_empty()).then_some(Self { key_facts: items.len(), alpha })
    }

    /// Between the answers and most people; `None` without answers about the same key facts.
    pub(super) fn with_people(cases: &[Case<Keys>]) -> Option<Self> {
        let of_case = |case: &Case<Keys>| -> Vec<Vec<f64>> {
            let answered = case.answers.key_facts.as_deref().unwrap_or_default();
            // Key facts that were taken from a reference are others than those that people labelled.
            if answered.len() != case.keys.key_facts.len() {
                return Vec::new();
            }
            let both = answered.iter().zip(&case.keys.key_facts);
            both.filter_map(|(ours, theirs)| Some(vec![number(*ours), number((*theirs)?)])).collect()
        };
        Self::of(&cases.iter().flat_map(of_case).collect::<Vec<_>>())
    }

    /// Among people; `None` where the data have no single votes.
    pub(super) fn among_people(cases: &[Case<Keys>]) -> Option<Self> {
        let votes = cases.iter().flat_map(|case| &case.keys.votes).filter(|votes| votes.len() > 1);
        Self::of(&votes.map(|votes| votes.iter().map(|vote| number(*vote)).collect()).collect::<Vec<_>>())
    }
}

fn number(label: bool) -> f64 {
    f64::from(u8::from(label))
}
