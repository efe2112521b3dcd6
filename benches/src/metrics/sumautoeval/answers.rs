//! The answers of three prompts or rules about an entity, their vote, and the scores (equations 1 to 4).

use serde::{Deserialize, Serialize};

/// How much of an entity a check found in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// All of it.
    Whole,
    /// Some of it.
    Part,
    /// Nothing of it.
    Nothing,
    /// The text contradicts it.
    Against,
}

/// An answer, as the paper names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Answer {
    Yes,
    Partial,
    No,
    Contradict,
    Unknown,
}

/// The number of checks of an entity: presence, coverage, evidence.
pub(super) const CHECKS: usize = 3;

impl Answer {
    /// All of them, in the order of counts.
    pub(super) const ALL: [Self; 5] = [Self::Yes, Self::Partial, Self::No, Self::Contradict, Self::Unknown];

    pub(crate) fn of(is_so: bool) -> Self {
        if is_so { Self::Yes } else { Self::No }
    }

    /// The answer to whether a ground-truth entity is in the summary.
    pub(super) fn of_completeness(found: Found) -> Self {
        match found {
            Found::Whole => Self::Yes,
            Found::Part => Self::Partial,
            Found::Nothing => Self::No,
            Found::Against => Self::Contradict,
        }
    }

    /// The answer to whether an entity of the summary is true.
    pub(super) fn of_correctness(found: Found) -> Self {
        match found {
            Found::Whole => Self::Yes,
            Found::Part => Self::Partial,
            Found::Nothing => Self::Unknown,
            Found::Against => Self::No,
        }
    }

    /// The points of an entity with this vote.
    pub(super) fn points(self) -> f64 {
        match self {
            Self::Yes => 1.0,
            Self::Partial => 0.5,
            _ => 0.0,
        }
    }

    /// Whether the entity was found, at least partly.
    pub(crate) fn is_found(self) -> bool {
        self.points() > 0.0
    }
}

/// The answers of the checks, and their vote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Votes {
    answers: Answers,
    pub(super) vote: Answer,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
struct Answers {
    presence: Answer,
    coverage: Answer,
    evidence: Answer,
}

impl Votes {
    pub(super) fn of([presence, coverage, evidence]: [Answer; CHECKS]) -> Self {
        let vote = vote([presence, coverage, evidence]);
        Self { answers: Answers { presence, coverage, evidence }, vote }
    }

    pub(super) fn answers(&self) -> [Answer; CHECKS] {
        let Answers { presence, coverage, evidence } = self.answers;
        [presence, coverage, evidence]
    }
}

/// Returns the majority vote; two partial and a yes are yes, and without a majority it is no (section 3.2.1).
fn vote(answers: [Answer; CHECKS]) -> Answer {
    let count = |wanted: Answer| answers.iter().filter(|answer| **answer == wanted).count();
    if count(Answer::Partial) == 2 && count(Answer::Yes) == 1 {
        return Answer::Yes;
    }
    answers.into_iter().find(|answer| 2 * count(*answer) > CHECKS).unwrap_or(Answer::No)
}

/// Equations 1 and 2: the mean of the entities' points.
pub(super) fn score(votes: impl ExactSizeIterator<Item = Answer>) -> f64 {
    let count = votes.len();
    votes.map(Answer::points).sum::<f64>() / count as f64
}

/// The share of true values; 1 without values.
pub(super) fn share(are: impl ExactSizeIterator<Item = bool>) -> f64 {
    match are.len() {
        0 => 1.0,
        count => are.filter(|is_so| *is_so).count() as f64 / count as f64,
    }
}

/// Returns 1 minus the errors per sentence, at least 0. All errors add up (section 3.2.4), including several in one
/// sentence; dividing by the number of sentences is our interpretation.
pub(super) fn readability(errors: usize, sentences: usize) -> f64 {
    (1.0 - errors as f64 / sentences.max(1) as f64).max(0.0)
}

/// A share as a rating from 1 to 5.
pub(super) fn rating(share: f64) -> f64 {
    1.0 + 4.0 * share
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Answer::{Contradict, No, Partial, Unknown, Yes};
    use super::*;

    #[test]
    fn the_majority_decides() {
        for (answers, expected) in [
            ([Yes, Yes, No], Yes),
            ([Yes, Yes, Partial], Yes),
            ([Partial, Partial, Yes], Yes),
            ([Partial, Yes, Partial], Yes),
            ([Partial, Partial, No], Partial),
            ([Partial, Contradict, Contradict], Contradict),
            ([Unknown, Yes, Unknown], Unknown),
            ([Yes, Partial, No], No),
            ([Yes, Contradict, Partial], No),
            ([Contradict, Yes, Unknown], No),
        ] {
            assert_eq!(vote(answers), expected, "{answers:?}");
        }
    }

    #[test]
    fn scores_are_those_counted_by_hand() {
        // (1 + 0.5 + 0 + 0) / 4
        assert_eq!(score([Yes, Partial, No, Contradict].into_iter()), 0.375);
        // One of four is incorrect: (4 - 1) / 4, and 1 + 4 * 0.75 on the scale of ratings.
        let share = share([true, true, false, true].into_iter());
        assert_eq!((share, rating(share)), (0.75, 4.0));
        assert_eq!((rating(0.0), rating(1.0)), (1.0, 5.0));
    }

    #[test]
    fn all_errors_add_up() {
        // Two errors in one of four sentences count as two.
        assert_eq!(
            [(0, 4), (2, 4), (4, 4), (9, 4), (0, 0)].map(|(e, s)| readability(e, s)),
            [1.0, 0.5, 0.0, 0.0, 1.0]
        );
    }

    #[test]
    fn each_axis_has_its_own_answers() {
        use Found::{Against, Nothing, Part, Whole};
        let found = [Whole, Part, Nothing, Against];
        assert_eq!(found.map(Answer::of_completeness), [Yes, Partial, No, Contradict]);
        assert_eq!(found.map(Answer::of_correctness), [Yes, Partial, Unknown, No]);
    }

    fn any_answer() -> impl Strategy<Value = Answer> {
        (0..Answer::ALL.len()).prop_map(|place| Answer::ALL[place])
    }

    proptest! {
        #[test]
        fn the_order_of_checks_does_not_matter(a in any_answer(), b in any_answer(), c in any_answer()) {
            let all = [[a, b, c], [a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]].map(vote);
            prop_assert!(all.iter().all(|vote| *vote == all[0]));
            prop_assert!(all[0] == No || [a, b, c].contains(&all[0]));
        }

        #[test]
        fn scores_are_shares(votes in proptest::collection::vec(any_answer(), 1..20)) {
            prop_assert!((0.0..=1.0).contains(&score(votes.into_iter())));
        }
    }
}
