//! The special tokens around and between two texts, learned from what the tokenizer does with two placeholders. Refuses
//! a tokenizer that does not put the premise first and the hypothesis second.

use tokenizers::{Encoding, PostProcessor, Tokenizer};

use super::growth::REMEDY;
use super::templates::MOST_SPECIAL;

/// The special tokens of a pair, and the types of its texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PairLayout {
    /// (id, type) before the premise, between the texts, after the hypothesis.
    pub(super) special: [Vec<(u32, u32)>; 3],
    pub(super) premise_type: u32,
    hypothesis_type: u32,
}

impl PairLayout {
    /// Runs the tokenizer's post-processor on two placeholder texts of one token each and reads off the layout.
    pub(super) fn probe(tokenizer: &Tokenizer) -> Result<Self, String> {
        const PREMISE: u32 = u32::MAX - 1;
        const HYPOTHESIS: u32 = u32::MAX;
        let tokens = processed(tokenizer, placeholder(PREMISE, 0), Some(placeholder(HYPOTHESIS, 1)))?;
        let positions = |id| tokens.iter().enumerate().filter(move |(_, t)| t.0 == id).map(|(at, _)| at);
        let premise: Vec<usize> = positions(PREMISE).collect();
        let hypothesis: Vec<usize> = positions(HYPOTHESIS).collect();
        match (&premise[..], &hypothesis[..]) {
            (&[premise], &[hypothesis]) if premise < hypothesis => Ok(Self {
                premise_type: tokens[premise].1,
                hypothesis_type: tokens[hypothesis].1,
                special: [
                    tokens[..premise].to_vec(),
                    tokens[premise + 1..hypothesis].to_vec(),
                    tokens[hypothesis + 1..].to_vec(),
                ],
            }),
            _ => {
                Err("its post-processor does not put the premise first and the hypothesis second, each once"
                    .into())
            }
        }
    }

    /// The same for one sequence, in which the second text directly follows the first.
    pub(super) fn probe_single(tokenizer: &Tokenizer) -> Result<Self, String> {
        const TEXT: u32 = u32::MAX;
        let tokens = processed(tokenizer, placeholder(TEXT, 0), None)?;
        let at = tokens.iter().position(|token| token.0 == TEXT);
        let at = at.ok_or("its post-processor leaves the text out")?;
        let kind = tokens[at].1;
        Ok(Self {
            premise_type: kind,
            hypothesis_type: kind,
            special: [tokens[..at].to_vec(), Vec::new(), tokens[at + 1..].to_vec()],
        })
    }

    /// The ids and types of a pair with its special tokens.
    pub(super) fn fill(&self, premise: &[u32], hypothesis: &[u32]) -> (Vec<u32>, Vec<u32>) {
        let [before, between, after] = &self.special;
        let length = before.len() + premise.len() + between.len() + hypothesis.len() + after.len();
        let (mut ids, mut types) = (Vec::with_capacity(length), Vec::with_capacity(length));
        let mut add = |tokens: &mut dyn Iterator<Item = (u32, u32)>| {
            for (id, kind) in tokens {
                ids.push(id);
                types.push(kind);
            }
        };
        add(&mut before.iter().copied());
        add(&mut premise.iter().map(|&id| (id, self.premise_type)));
        add(&mut between.iter().copied());
        add(&mut hypothesis.iter().map(|&id| (id, self.hypothesis_type)));
        add(&mut after.iter().copied());
        (ids, types)
    }
}

/// The tokens and types of one text or two with their special tokens.
fn processed(
    tokenizer: &Tokenizer,
    first: Encoding,
    second: Option<Encoding>,
) -> Result<Vec<(u32, u32)>, String> {
    let laid_out = match tokenizer.get_post_processor() {
        Some(processor) => processor.process(first, second, true).map_err(|e| e.to_string())?,
        None => Encoding::merge([first].into_iter().chain(second), false),
    };
    if laid_out.len() > MOST_SPECIAL {
        return Err(format!(
            "its post-processor puts {} tokens around the texts, at most {MOST_SPECIAL} are read; {REMEDY}",
            laid_out.len()
        ));
    }
    Ok(laid_out.get_ids().iter().copied().zip(laid_out.get_type_ids().iter().copied()).collect())
}

fn placeholder(id: u32, kind: u32) -> Encoding {
    Encoding::new(
        vec![id],
        vec![kind],
        vec!["x".to_owned()],
        vec![None],
        vec![(0, 1)],
        vec![0],
        vec![1],
        Vec::new(),
        std::iter::once((kind as usize, 0..1)).collect(),
    )
}
