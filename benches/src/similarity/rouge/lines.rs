//! ROUGE-L of whole summaries (Lin 2004, section 3.2): a reference token is found if it is in the longest common subsequence of
//! its line with any candidate line, and no token counts more often than the candidate has it.

use super::lcs::Aligner;
use super::overlap::shared;
use super::tokens::TokenId;

/// The number of tokens that are found.
pub(super) fn shared_by_line(
    aligner: &mut Aligner,
    reference: &[Vec<TokenId>],
    candidate: &[Vec<TokenId>],
) -> usize {
    let mut found = Vec::new();
    for line in reference {
        let mut in_any = vec![false; line.len()];
        for other in candidate {
            aligner.places_of_longest(line, other).into_iter().for_each(|place| in_any[place] = true);
        }
        found.extend(line.iter().zip(in_any).filter_map(|(token, in_any)| in_any.then_some(*token)));
    }
    shared(&found, &candidate.concat())
}
