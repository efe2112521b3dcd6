//! The kernel against its plain reference, the reference against the equation, and independence of sequences.

use super::*;
use candle_core::Device;

fn random(rows: usize, columns: usize) -> Tensor {
    Tensor::randn(0f32, 1.0, (rows, columns), &Device::Cpu).unwrap()
}

/// The relative terms that a layer has.
#[derive(Debug, Clone, Copy)]
struct Terms {
    key: bool,
    query: bool,
}

const BOTH: Terms = Terms { key: true, query: true };

fn attention(heads: Heads, slots: usize, terms: Terms, bf16: Option<Bf16Isa>) -> Attention {
    let positions = || Tensor::randn(0f32, 1.0, (heads.count, slots, heads.size), &Device::Cpu).unwrap();
    let (key, query) = (terms.key.then(positions), terms.query.then(positions));
    let relative = RelativePositions::new(key.as_ref(), query.as_ref()).unwrap();
    Attention::with(heads, 0.3, Some(relative), bf16)
}

/// Products in f32, and in bf16 by each instruction set.
fn products() -> impl Iterator<Item = Option<Bf16Isa>> {
    std::iter::once(None).chain(Bf16Isa::available().into_iter().map(Some))
}

/// Slots for distances -(longest-1)..longest; near distances have their own slots, far ones share.
fn distances(longest: usize, slots: usize) -> DistanceTable {
    let (longest, half) = (longest as i64, slots as i64 / 2);
    let slot = |d: i64| {
        let near = d.clamp(-half / 2, half / 2);
        (near + (d - near) / 3 + half).clamp(0, slots as i64 - 1) as u32
    };
    DistanceTable::new((1 - longest..longest).map(slot).collect()).unwrap()
}

fn offsets(lengths: &[usize]) -> Vec<usize> {
    let ends = lengths.iter().scan(0, |end, length| {
        *end += length;
        Some(*end)
    });
    std::iter::once(0).chain(ends).collect()
}

fn whole(matrix: &Tensor) -> Columns<'_> {
    Columns { matrix, first_column: 0 }
}

/// Runs the kernel on one matrix of queries, keys and values side by side.
fn joint(layer: &Attention, qkv: &Tensor, lengths: &[usize], table: &DistanceTable) -> Vec<Vec<f32>> {
    let width = layer.heads.count * layer.heads.size;
    let part = |index: usize| Columns { matrix: qkv, first_column: index * width };
    layer
        .forward(part(0), part(1), part(2), &offsets(lengths), table, Queries::All)
        .unwrap()
        .to_vec2::<f32>()
        .unwrap()
}

#[test]
fn agrees_with_the_reference_on_awkward_sizes() {
    products().for_each(agrees_with_reference);
}

#[test]
fn sequences_are_independent() {
    let table = distances(130, 16);
    for bf16 in products() {
        let layer = attention(Heads { count: 2, size: 24 }, 16, BOTH, bf16);
        let lengths = [33, 130, 1, 50, 7];
        let qkv = random(lengths.iter().sum(), 3 * 48);
        let together = joint(&layer, &qkv, &lengths, &table);
        for (o, length) in offsets(&lengths).windows(2).zip(lengths) {
            let alone =
                joint(&layer, &qkv.narrow(0, o[0], length).unwrap(), &[length], &distances(length, 16));
            assert_eq!(alone, together[o[0]..o[1]], "{bf16:?}");
        }
    }
}

fn agrees_with_reference(bf16: Option<Bf16Isa>) {
    // bf16 factors have eight significant bits: a score of a few units has an error of some hundredths.
    let tolerance = if bf16.is_some() { 0.25 } else { 2e-5 };
    for (size, count) in [(1, 2), (8, 3), (20, 1), (32, 2), (64, 2)] {
        for terms in [BOTH, Terms { query: false, ..BOTH }, Terms { key: false, ..BOTH }] {
            let layer = attention(Heads { count, size }, 16, terms, bf16);
            let lengths = [7, 1, 49, 2, 97, 31];
            let (table, width) = (distances(97, 16), count * size);
            let qkv = random(lengths.iter().sum(), 3 * width);
            let got = joint(&layer, &qkv, &lengths, &table);
            let values = qkv.flatten_all().unwrap().to_vec1::<f32>().unwrap();
            for (sequence, o) in offsets(&lengths).windows(2).enumerate() {
                for head in 0..count {
                    let rows = |part: usize| {
                        let all =
                            Rows { values: &values, stride: 3 * width, count: values.len() / (3 * width) };
                        all.part(o[0]..o[1], part * width + head * size)
                    };
                    let parts = Sequence {
                        head,
                        size,
                        scale: layer.scale,
                        distances: &table,
                        query: rows(0),
                        key: rows(1),
                        value: rows(2),
                    };
                    for query in 0..lengths[sequence] {
                        let mut plain = vec![0.0; size];
                        layer.one_query(&parts, query, &mut plain);
                        let got = &got[o[0] + query][head * size..][..size];
                        let difference =
                            plain.iter().zip(got).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
                        assert!(
                            difference < tolerance,
                            "{bf16:?}, size {size}, {terms:?}, query {query}: {difference}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn reference_agrees_with_the_equation() {
    let heads = Heads { count: 2, size: 3 };
    let layer = attention(heads, 4, BOTH, None);
    let (q, k, v) = (random(5, 6), random(5, 6), random(5, 6));
    let table = distances(5, 4);
    let queries = q.narrow(0, 0, 1).unwrap();
    let out = layer
        .forward(whole(&queries), whole(&k), whole(&v), &[0, 5], &table, Queries::First)
        .unwrap()
        .to_vec2::<f32>()
        .unwrap();
    let [q, k, v] = [q, k, v].map(|x| x.to_vec2::<f32>().unwrap());
    let relative = layer.relative.as_ref().unwrap();
    for h in 0..heads.count {
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
        let row = |p: &Option<Projection>, slot: usize| p.as_ref().unwrap().row(h, slot, 3).to_vec();
        let q = &q[0][h * 3..][..3];
        let scores: Vec<f32> = (0..5)
            .map(|j| {
                let (slot, k) = (table.slot(-(j as i64)), &k[j][h * 3..][..3]);
                ((dot(q, k) + dot(q, &row(&relative.key, slot)) + dot(k, &row(&relative.query, slot))) * 0.3)
                    .exp()
            })
            .collect();
        for c in 0..3 {
            let expected: f32 =
                (0..5).map(|j| scores[j] * v[j][h * 3 + c]).sum::<f32>() / scores.iter().sum::<f32>();
            assert!((expected - out[0][h * 3 + c]).abs() < 1e-5);
        }
    }
}

#[test]
fn bias_by_distance_agrees_with_the_definition() {
    let heads = Heads { count: 3, size: 20 };
    let bias = Tensor::randn(0f32, 1.0, (3, 16), &Device::Cpu).unwrap();
    let layer =
        Attention::new(heads, 1.0, Some(RelativePositions::from_bias(&bias).unwrap()), Precision::F32)
            .unwrap();
    let (lengths, table, width) = ([70, 1, 13], distances(70, 16), 60);
    let qkv = random(84, 3 * width);
    let got = joint(&layer, &qkv, &lengths, &table);
    let (all, bias) = (qkv.to_vec2::<f32>().unwrap(), bias.to_vec2::<f32>().unwrap());
    for (i, head) in [(0, 0), (35, 1), (69, 2)] {
        let part = |token: usize, part: usize| &all[token][part * width + head * 20..][..20];
        let mut scores: Vec<f32> = (0..70)
            .map(|j| dot(part(i, 0), part(j, 1)) + bias[head][table.slot(i as i64 - j as i64)])
            .collect();
        let largest = scores.iter().copied().fold(f32::MIN, f32::max);
        scores.iter_mut().for_each(|score| *score = (*score - largest).exp());
        let total: f32 = scores.iter().sum();
        for column in 0..20 {
            let expected: f32 = (0..70).map(|j| scores[j] / total * part(j, 2)[column]).sum();
            assert!((got[i][head * 20 + column] - expected).abs() < 1e-5, "query {i}, head {head}");
        }
    }
}

#[test]
fn mismatched_shapes_are_errors() {
    let layer = attention(Heads { count: 2, size: 4 }, 8, BOTH, None);
    let x = random(5, 8);
    let run = |offsets: &[usize], longest| {
        layer.forward(whole(&x), whole(&x), whole(&x), offsets, &distances(longest, 8), Queries::All)
    };
    assert!(run(&[0, 5], 5).is_ok());
    assert!(run(&[0, 5], 4).is_err());
    assert!(run(&[0, 6], 6).is_err());
}
