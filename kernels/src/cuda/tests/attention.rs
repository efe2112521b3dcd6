//! Attention against its definition: all terms, slots shared by few or many distances, sequence lengths around a tile's
//! size, all head sizes.

use super::*;
use crate::attention::{Heads, Queries};
use crate::cuda::{Attention, AttentionInputs, Distances, Layout, RelativePositions};

/// The relative terms of a case.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Terms {
    None,
    ContentToPosition,
    PositionToContent,
    Both,
    Bias,
}

struct Case {
    lengths: Vec<usize>,
    heads: Heads,
    terms: Terms,
    /// Half the number of slots; distances beyond share the last.
    span: i64,
    /// The farthest key that a query attends to.
    reach: Option<usize>,
    queries: Queries,
    dtype: Dtype,
}

const SCALE: f32 = 0.1;

impl Case {
    fn longest(&self) -> usize {
        self.lengths.iter().copied().max().unwrap()
    }

    fn slot(&self, distance: i64) -> usize {
        // As in DeBERTa: near distances have their own slots, far ones share.
        let near = self.span / 2;
        let shared = if distance.abs() <= near { distance.abs() } else { near + (distance.abs() - near) / 3 };
        (shared * distance.signum() + self.span).clamp(0, 2 * self.span - 1) as usize
    }

    fn offsets(&self) -> Vec<usize> {
        let mut offsets = vec![0];
        self.lengths.iter().for_each(|length| offsets.push(offsets[offsets.len() - 1] + length));
        offsets
    }

    fn tensors(&self) -> Tensors {
        let (width, tokens) = (self.heads.count * self.heads.size, self.lengths.iter().sum());
        let slots = [self.heads.count, 2 * self.span as usize, self.heads.size];
        Tensors {
            all: tensor(&[tokens, 3 * width], 1, 2.0, self.dtype),
            first: tensor(&[self.lengths.len(), width], 2, 2.0, self.dtype),
            key: tensor(&slots, 3, 2.0, self.dtype),
            query: tensor(&slots, 4, 2.0, self.dtype),
            bias: tensor(&slots[..2], 5, 4.0, self.dtype),
        }
    }

    fn run(&self, cuda: &Cuda) -> Vec<f32> {
        let tensors = self.tensors();
        let (uses_key, uses_query) = (
            matches!(self.terms, Terms::Both | Terms::ContentToPosition),
            matches!(self.terms, Terms::Both | Terms::PositionToContent),
        );
        let relative = match self.terms {
            Terms::None => None,
            Terms::Bias => Some(RelativePositions::from_bias(cuda, &tensors.bias).unwrap()),
            _ => {
                let key = uses_key.then_some(&tensors.key);
                Some(RelativePositions::new(cuda, key, uses_query.then_some(&tensors.query)).unwrap())
            }
        };
        // The table covers longer sequences too.
        let longest = self.longest() as i64 + 7;
        let slots: Vec<u32> = (1 - longest..longest).map(|distance| self.slot(distance) as u32).collect();
        let distances = Distances::new(cuda, &slots).unwrap();
        let layout = Layout::new(cuda, &self.offsets(), &[]).unwrap();
        let (all, first) = (cuda.upload(&tensors.all).unwrap(), cuda.upload(&tensors.first).unwrap());
        let width = self.heads.count * self.heads.size;
        let inputs = AttentionInputs {
            query: match self.queries {
                Queries::All => all.from_column(0),
                Queries::First => first.from_column(0),
            },
            key: all.from_column(width),
            value: all.from_column(2 * width),
        };
        let attention = Attention { heads: self.heads, scale: SCALE, relative, reach: self.reach };
        let out = attention.forward(cuda, inputs, &layout, Some(&distances), self.queries).unwrap();
        wait(out.download(cuda).unwrap())
    }

    /// The result by the definition.
    fn expected(&self) -> Vec<f64> {
        let tensors = self.tensors();
        let (all, first) = (wide(&tensors.all), wide(&tensors.first));
        let (keys, queries, bias) = (wide(&tensors.key), wide(&tensors.query), wide(&tensors.bias));
        let size = self.heads.size;
        let width = self.heads.count * size;
        let slots = 2 * self.span as usize;
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let mut out = Vec::new();
        for (sequence, o) in self.offsets().windows(2).enumerate() {
            let query_count = if self.queries == Queries::All { o[1] - o[0] } else { 1 };
            for query in 0..query_count {
                for head in 0..self.heads.count {
                    let row = |token: usize, part: usize| {
                        &all[(o[0] + token) * 3 * width + part * width + head * size..][..size]
                    };
                    let query_row = match self.queries {
                        Queries::All => row(query, 0),
                        Queries::First => &first[sequence * width + head * size..][..size],
                    };
                    let scores: Vec<f64> = (0..o[1] - o[0])
                        .map(|key| {
                            let slot = self.slot(query as i64 - key as i64);
                            let start = (head * slots + slot) * size;
                            let by_query = dot(query_row, &keys[start..][..size]);
                            let by_key = dot(row(key, 1), &queries[start..][..size]);
                            let relative = match self.terms {
                                Terms::None => 0.0,
                                Terms::ContentToPosition => by_query,
                                Terms::PositionToContent => by_key,
                                Terms::Both => by_query + by_key,
                                Terms::Bias => bias[head * slots + slot],
                            };
                            match self.reach {
                                Some(reach) if query.abs_diff(key) > reach => f64::NEG_INFINITY,
                                _ => (dot(query_row, row(key, 1)) + relative) * f64::from(SCALE),
                            }
                        })
                        .collect();
                    let largest = scores.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b));
                    let shares: Vec<f64> = scores.iter().map(|score| (score - largest).exp()).collect();
                    let total: f64 = shares.iter().sum();
                    out.extend((0..size).map(|column| {
                        let value = |(key, share): (usize, &f64)| share / total * row(key, 2)[column];
                        shares.iter().enumerate().map(value).sum::<f64>()
                    }));
                }
            }
        }
        out
    }

    fn check(&self) {
        let what = format!(
            "{:?} of {:?}, {:?}, span {}, reach {:?}, {:?}, {:?}",
            self.lengths, self.heads, self.terms, self.span, self.reach, self.queries, self.dtype
        );
        // Probabilities and results are rounded once each; products are in f32.
        assert_near(&self.run(&cuda(self.dtype)), &self.expected(), self.dtype, 3.0, &what);
    }
}

struct Tensors {
    all: Tensor,
    first: Tensor,
    key: Tensor,
    query: Tensor,
    bias: Tensor,
}

fn case(lengths: &[usize], size: usize, terms: Terms) -> Case {
    let heads = Heads { count: 2, size };
    Case {
        lengths: lengths.to_vec(),
        heads,
        terms,
        span: 40,
        reach: None,
        queries: Queries::All,
        dtype: Dtype::F16,
    }
}

#[test]
fn lengths_around_a_tile_size() {
    for length in [1, 2, 15, 16, 17, 63, 64, 65, 128, 129, 257] {
        case(&[length], 64, Terms::Both).check();
    }
    case(&[65, 1, 64, 7, 130], 32, Terms::Both).check();
}

#[test]
fn heads_of_every_size() {
    for size in [1, 8, 12, 32, 40, 48, 64, 80, 96, 128] {
        for dtype in DTYPES {
            Case { dtype, ..case(&[70, 3], size, Terms::Both) }.check();
        }
    }
}

#[test]
fn each_term_alone() {
    for terms in [Terms::None, Terms::ContentToPosition, Terms::PositionToContent, Terms::Bias] {
        for dtype in DTYPES {
            Case { dtype, ..case(&[100, 5], 48, terms) }.check();
        }
    }
}

/// From one slot for all distances to more slots than two chunks of 64 hold.
#[test]
fn slots_shared_by_all_or_no_distances() {
    for span in [1, 3, 40, 70, 300] {
        Case { span, ..case(&[200], 32, Terms::Both) }.check();
    }
}

#[test]
fn first_tokens_as_queries() {
    for terms in [Terms::None, Terms::Both] {
        Case { queries: Queries::First, ..case(&[130, 1, 64], 32, terms) }.check();
    }
}

/// From the query's own key alone to more than a sequence has, with windows that begin and end within and at the borders of
/// tiles.
#[test]
fn keys_out_of_reach_have_no_weight() {
    for reach in [0, 1, 5, 31, 32, 63, 64, 65, 128, 300] {
        for (lengths, dtype) in [(&[1, 300, 64][..], Dtype::F16), (&[65, 2, 129], Dtype::Bf16)] {
            Case { reach: Some(reach), dtype, ..case(lengths, 32, Terms::None) }.check();
        }
    }
    for terms in [Terms::Both, Terms::Bias] {
        Case { reach: Some(9), ..case(&[200, 7], 48, terms) }.check();
    }
    Case { reach: Some(9), queries: Queries::First, ..case(&[200, 7, 1], 12, Terms::None) }.check();
}

/// Keys and values beyond the reach of the first 64 queries are not numbers.
#[test]
fn keys_out_of_reach_are_not_read() {
    let (cuda, heads, reach, tokens) = (cuda(Dtype::F16), Heads { count: 2, size: 32 }, 20, 200);
    let layout = Layout::new(&cuda, &[0, tokens], &[]).unwrap();
    let numbers = tensor(&[tokens, 3 * 64], 6, 2.0, Dtype::F16);
    let mut values: Vec<f32> = numbers.flatten_all().unwrap().to_vec1().unwrap();
    let run = |values: &[f32]| {
        let all = Tensor::from_vec(values.to_vec(), (tokens, 3 * 64), &Device::Cpu).unwrap();
        let all = cuda.upload(&all).unwrap();
        let [query, key, value] = [0, 1, 2].map(|part| all.from_column(part * 64));
        let attention = Attention { heads, scale: SCALE, relative: None, reach: Some(reach) };
        let inputs = AttentionInputs { query, key, value };
        let out = attention.forward(&cuda, inputs, &layout, None, Queries::All).unwrap();
        wait(out.download(&cuda).unwrap())[..64 * 64].to_vec()
    };
    let expected = run(&values);
    values[(64 + reach) * 3 * 64..].fill(f32::NAN);
    assert_eq!(run(&values), expected);
    values[(63 + reach) * 3 * 64..].fill(f32::NAN);
    assert_ne!(run(&values), expected, "the last query reaches this key");
}

/// A sequence's result is the same bits alone and in a batch.
#[test]
fn sequences_are_independent() {
    let cuda = cuda(Dtype::F16);
    let heads = Heads { count: 2, size: 32 };
    let together = case(&[66, 9], 32, Terms::Both);
    let alone = Case { lengths: vec![66], ..case(&[66], 32, Terms::Both) };
    let width = heads.count * heads.size;
    assert_eq!(together.run(&cuda)[..66 * width], alone.run(&cuda));
    let local = |case| Case { reach: Some(20), ..case };
    assert_eq!(local(together).run(&cuda)[..66 * width], local(alone).run(&cuda));
}

#[cfg(feature = "cuda-emulation")]
#[test]
fn results_do_not_depend_on_thread_order() {
    for terms in [Terms::None, Terms::ContentToPosition, Terms::PositionToContent, Terms::Both, Terms::Bias] {
        let case = case(&[129, 20], 32, terms);
        assert_eq!(case.run(&cuda(Dtype::F16)), case.run(&Cuda::reversed(Dtype::F16)), "{terms:?}");
        let case = Case { reach: Some(20), ..case };
        assert_eq!(case.run(&cuda(Dtype::F16)), case.run(&Cuda::reversed(Dtype::F16)), "near, {terms:?}");
    }
}

/// Scores of some thousands, as in models with large weights, overflow f16 but not f32.
#[test]
fn large_scores_do_not_overflow() {
    let case = Case { dtype: Dtype::F16, ..case(&[90], 128, Terms::Both) };
    let cuda = cuda(Dtype::F16);
    let layout = Layout::new(&cuda, &[0, 90], &[]).unwrap();
    let all = cuda.upload(&tensor(&[90, 3 * 256], 8, 60.0, Dtype::F16)).unwrap();
    let inputs =
        AttentionInputs { query: all.from_column(0), key: all.from_column(256), value: all.from_column(512) };
    let attention = Attention { heads: case.heads, scale: 1.0, relative: None, reach: None };
    let out = attention.forward(&cuda, inputs, &layout, None, Queries::All).unwrap();
    assert!(wait(out.download(&cuda).unwrap()).iter().all(|x| x.abs() <= 60.0));
}

#[test]
fn mismatched_inputs_are_errors() {
    let cuda = cuda(Dtype::F16);
    assert!(Layout::new(&cuda, &[0, 3, 3], &[]).is_err());
    assert!(Distances::new(&cuda, &[0, 1]).is_err() && Distances::new(&cuda, &[1, 0, 0]).is_err());
    let layout = Layout::new(&cuda, &[0, 4], &[]).unwrap();
    let all = cuda.upload(&tensor(&[4, 3 * 64], 1, 1.0, Dtype::F16)).unwrap();
    let run =
        |size: usize, first: usize, relative: Option<RelativePositions>, distances: Option<&Distances>| {
            let inputs = AttentionInputs {
                query: all.from_column(0),
                key: all.from_column(64),
                value: all.from_column(first),
            };
            let heads = Heads { count: 1, size };
            let attention = Attention { heads, scale: 1.0, relative, reach: None };
            attention.forward(&cuda, inputs, &layout, distances, Queries::All).map(|_| ())
        };
    run(64, 128, None, None).unwrap();
    assert!(run(64, 129, None, None).is_err() && run(129, 0, None, None).is_err());
    let relative = || {
        let rows = tensor(&[1, 5, 64], 1, 1.0, Dtype::F16);
        Some(RelativePositions::new(&cuda, Some(&rows), None).unwrap())
    };
    let (short, far) =
        (Distances::new(&cuda, &[0, 1, 2]).unwrap(), Distances::new(&cuda, &[0, 1, 2, 3, 4, 5, 6]).unwrap());
    assert!(run(64, 128, relative(), None).is_err() && run(64, 128, relative(), Some(&short)).is_err());
    assert!(run(64, 128, relative(), Some(&far)).is_err());
}
