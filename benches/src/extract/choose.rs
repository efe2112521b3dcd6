//! Chooses sentences within a budget: the first ones, the best ones, or greedily those with the highest gain.

use veridic::Result;
use veridic::schedule::{OnEvent, poll};

/// How a sentence that exceeds the budget is handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OverBudget {
    /// The extract ends.
    Stop,
    /// The sentence is skipped; later ones may fit.
    Skip,
}

/// How much of a summary the chosen sentences cover.
pub(super) trait Coverage {
    /// Returns a score that increases with a sentence's contribution.
    fn gain(&self, sentence: usize) -> f64;
    /// Adds a sentence.
    fn take(&mut self, sentence: usize);
}

/// Returns the longest prefix of sentences within the budget.
pub(super) fn choose_lead(costs: &[usize], budget: usize) -> Vec<usize> {
    let mut left = budget;
    let fits = |cost: &&usize| left.checked_sub(**cost).map(|rest| left = rest).is_some();
    (0..costs.iter().take_while(fits).count()).collect()
}

/// Returns the sentences with the highest scores, ties by position, in document order.
pub(super) fn choose_by_score(
    scores: &[f32],
    costs: &[usize],
    budget: usize,
    over_budget: OverBudget,
) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    let mut left = budget;
    let mut fits = |sentence: usize| left.checked_sub(costs[sentence]).map(|rest| left = rest).is_some();
    match over_budget {
        OverBudget::Stop => order.truncate(order.iter().take_while(|&&sentence| fits(sentence)).count()),
        OverBudget::Skip => order.retain(|&sentence| fits(sentence)),
    }
    order.sort_unstable();
    order
}

/// Repeatedly takes the sentence with the highest gain, ties by position; returns them in document order.
///
/// # Errors
/// `Stopped` if `on_event` ends the work.
pub(super) fn choose_greedily(
    coverage: &mut dyn Coverage,
    costs: &[usize],
    budget: usize,
    over_budget: OverBudget,
    on_event: &OnEvent<'_>,
) -> Result<Vec<usize>> {
    let mut left = budget;
    let mut chosen = Vec::new();
    let mut open: Vec<usize> = (0..costs.len()).collect();
    loop {
        poll(on_event)?;
        if over_budget == OverBudget::Skip {
            open.retain(|&sentence| costs[sentence] <= left);
        }
        let gains = open.iter().map(|&sentence| (sentence, coverage.gain(sentence)));
        let best = gains.reduce(|best, other| if other.1 > best.1 { other } else { best });
        let Some((best, _)) = best.filter(|(best, _)| costs[*best] <= left) else { break };
        coverage.take(best);
        left -= costs[best];
        chosen.push(best);
        open.retain(|&sentence| sentence != best);
    }
    chosen.sort_unstable();
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::extract::bertscore_recall::BertScoreRecall;
    use crate::extract::wording_recall::{NGrams, WordingRecall};
    use veridic::schedule::ignore_events;

    #[test]
    fn the_lead_ends_at_the_budget() {
        assert_eq!(choose_lead(&[3, 4, 5, 1], 8), [0, 1]);
        assert_eq!(choose_lead(&[9, 1], 8), Vec::<usize>::new());
        assert_eq!(choose_lead(&[3, 5], 8), [0, 1]);
    }

    #[test]
    fn the_best_sentences_that_fit_are_in_document_order() {
        for over_budget in [OverBudget::Stop, OverBudget::Skip] {
            assert_eq!(choose_by_score(&[0.1, 0.9, 0.5, 0.5], &[2, 5, 4, 4], 10, over_budget), [1, 2]);
        }
        let (scores, costs) = ([0.1, 0.9, 0.5], [5, 20, 5]);
        assert_eq!(choose_by_score(&scores, &costs, 10, OverBudget::Skip), [0, 2]);
        assert_eq!(choose_by_score(&scores, &costs, 10, OverBudget::Stop), Vec::<usize>::new());
    }

    proptest! {
        #[test]
        fn an_extract_keeps_order_and_budget(
            words in proptest::collection::vec("[abcd]( [abcd]){0,6}", 1..30),
            summary in "[abcd]( [abcd]){0,12}",
            budget in 0usize..60,
            scores in proptest::collection::vec(0.0f32..1.0, 30),
            likeness in proptest::collection::vec(proptest::collection::vec(-1.0f32..1.0, 4), 30),
        ) {
            let texts: Vec<&str> = words.iter().map(String::as_str).collect();
            let costs: Vec<usize> = texts.iter().map(|text| text.split(' ').count()).collect();
            let likeness = BertScoreRecall::new(likeness[..texts.len()].to_vec(), vec![0.0, 1.0, 1.0, 1.0]);
            let mut chosen = vec![choose_lead(&costs, budget)];
            for over_budget in [OverBudget::Stop, OverBudget::Skip] {
                chosen.push(choose_by_score(&scores[..texts.len()], &costs, budget, over_budget));
                let mut coverages: Vec<Box<dyn Coverage>> = vec![Box::new(likeness.clone())];
                for sizes in [&[1][..], &[2], &[1, 2]] {
                    for n_grams in [NGrams::OfStems, NGrams::OfWords] {
                        coverages.push(Box::new(WordingRecall::of(n_grams, sizes, &texts, &summary)));
                    }
                }
                for mut coverage in coverages {
                    let greedily = choose_greedily(coverage.as_mut(), &costs, budget, over_budget, &ignore_events);
                    chosen.push(greedily.unwrap());
                }
            }
            for chosen in chosen {
                prop_assert!(chosen.is_sorted_by(|a, b| a < b));
                prop_assert!(chosen.iter().map(|&sentence| costs[sentence]).sum::<usize>() <= budget);
            }
        }
    }
}
