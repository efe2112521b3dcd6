//! Which sentences are taken within a budget: the first ones, the best ones, or one after the other those that add most.

/// What happens to a sentence that would exceed the budget when its turn comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AtBudget {
    /// It ends the extract.
    Ends,
    /// It is passed over, and others may fit.
    PassesOver,
}

/// Something that sentences have parts of.
pub(super) trait Coverage {
    /// A number that is the higher, the more a sentence adds to what is covered.
    fn gain(&self, sentence: usize) -> f64;
    /// Covers what a sentence has.
    fn take(&mut self, sentence: usize);
}

/// The first sentences that fit together.
pub(super) fn lead(costs: &[usize], budget: usize) -> Vec<usize> {
    let mut left = budget;
    let fits = |cost: &&usize| left.checked_sub(**cost).map(|rest| left = rest).is_some();
    (0..costs.iter().take_while(fits).count()).collect()
}

/// The best sentences, best first, of equal ones the earlier. In the document's order.
pub(super) fn by_score(scores: &[f32], costs: &[usize], budget: usize, at_budget: AtBudget) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    let mut left = budget;
    let mut fits = |sentence: usize| left.checked_sub(costs[sentence]).map(|rest| left = rest).is_some();
    match at_budget {
        AtBudget::Ends => order.truncate(order.iter().take_while(|&&sentence| fits(sentence)).count()),
        AtBudget::PassesOver => order.retain(|&sentence| fits(sentence)),
    }
    order.sort_unstable();
    order
}

/// One after the other the sentence that adds most, of equal ones the earlier. In the document's order.
pub(super) fn greedily(
    coverage: &mut impl Coverage,
    costs: &[usize],
    budget: usize,
    at_budget: AtBudget,
) -> Vec<usize> {
    let mut left = budget;
    let mut chosen = Vec::new();
    let mut open: Vec<usize> = (0..costs.len()).collect();
    loop {
        if at_budget == AtBudget::PassesOver {
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
    chosen
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::extract::joined::Joined;
    use crate::extract::likeness::Likeness;
    use crate::extract::wording::Wording;

    #[test]
    fn the_first_sentences_end_at_the_budget() {
        assert_eq!(lead(&[3, 4, 5, 1], 8), [0, 1]);
        assert_eq!(lead(&[9, 1], 8), Vec::<usize>::new());
        assert_eq!(lead(&[3, 5], 8), [0, 1]);
    }

    #[test]
    fn the_best_that_fit_are_in_order() {
        for at_budget in [AtBudget::Ends, AtBudget::PassesOver] {
            assert_eq!(by_score(&[0.1, 0.9, 0.5, 0.5], &[2, 5, 4, 4], 10, at_budget), [1, 2]);
        }
        let (scores, costs) = ([0.1, 0.9, 0.5], [5, 20, 5]);
        assert_eq!(by_score(&scores, &costs, 10, AtBudget::PassesOver), [0, 2]);
        assert_eq!(by_score(&scores, &costs, 10, AtBudget::Ends), Vec::<usize>::new());
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
            let likeness = Likeness::new(likeness[..texts.len()].to_vec(), vec![0.0, 1.0, 1.0, 1.0]);
            let mut chosen = vec![lead(&costs, budget)];
            for at_budget in [AtBudget::Ends, AtBudget::PassesOver] {
                chosen.push(by_score(&scores[..texts.len()], &costs, budget, at_budget));
                for sizes in [&[1][..], &[2], &[1, 2]] {
                    let (mut plain, mut joined) =
                        (Wording::of(sizes, &texts, &summary), Joined::of(sizes, &texts, &summary));
                    chosen.push(greedily(&mut plain, &costs, budget, at_budget));
                    chosen.push(greedily(&mut joined, &costs, budget, at_budget));
                }
                chosen.push(greedily(&mut likeness.clone(), &costs, budget, at_budget));
            }
            for chosen in chosen {
                prop_assert!(chosen.is_sorted_by(|a, b| a < b));
                prop_assert!(chosen.iter().map(|&sentence| costs[sentence]).sum::<usize>() <= budget);
            }
        }
    }
}
