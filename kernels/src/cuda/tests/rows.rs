//! Row-wise operations against their definitions.

use super::*;
use crate::activation::Activation;
use crate::cuda::{
    CudaError, KeyValueCache, Layout, Linear, Matrix, Norm, ScoreHead, Table, Vector, WideLinear, activate,
    gated, gather, gather_wide, unfold,
};

const SHAPES: [(usize, usize); 7] = [(1, 1), (3, 7), (5, 64), (4, 250), (2, 256), (9, 384), (2, 1500)];

/// (x - mean) / sqrt(variance + epsilon) * weight + bias; without biases the mean is not subtracted.
fn normed(row: &[f64], weight: &[f64], bias: Option<&[f64]>) -> Vec<f64> {
    let count = row.len() as f64;
    let mean = if bias.is_some() { row.iter().sum::<f64>() / count } else { 0.0 };
    let variance = row.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count;
    let scale = 1.0 / (variance + 1e-3).sqrt();
    let of =
        |(index, x): (usize, &f64)| (x - mean) * scale * weight[index] + bias.map_or(0.0, |bias| bias[index]);
    row.iter().enumerate().map(of).collect()
}

fn added(parts: &[Vec<f64>]) -> Vec<f64> {
    (0..parts[0].len()).map(|index| parts.iter().map(|part| part[index]).sum()).collect()
}

#[test]
fn residual_and_norm() {
    for dtype in DTYPES {
        let cuda = cuda(dtype);
        for (rows, columns) in SHAPES {
            let [x, residual] = [1, 2].map(|seed| tensor(&[rows, columns], seed, 3.0, dtype));
            let [weight, bias] = [3, 4].map(|seed| tensor(&[columns], seed, 1.0, dtype));
            let (on, beside) = (cuda.upload(&x).unwrap(), cuda.upload(&residual).unwrap());
            let sums = added(&[wide(&x), wide(&residual)]);
            for has_bias in [true, false] {
                let norm = Norm::new(&cuda, &weight, has_bias.then_some(&bias), 1e-3).unwrap();
                let got = norm.of_sum(&cuda, &[(&on).into(), (&beside).into()]).unwrap();
                let bias = wide(&bias);
                let row = |row: &[f64]| normed(row, &wide(&weight), has_bias.then_some(&bias));
                let expected: Vec<f64> = sums.chunks_exact(columns).flat_map(row).collect();
                let what = format!("{rows} x {columns}, {has_bias}, {dtype:?}");
                assert_near(&wait(got.download(&cuda).unwrap()), &expected, dtype, 1.0, &what);
            }
        }
    }
}

#[test]
fn embeddings_and_norm() {
    let dtype = Dtype::F16;
    let cuda = cuda(dtype);
    for columns in [7, 256, 384] {
        let [words, positions, types] =
            [(50, 1), (9, 2), (2, 3)].map(|(rows, seed)| tensor(&[rows, columns], seed, 1.0, dtype));
        let [weight, bias] = [4, 5].map(|seed| tensor(&[columns], seed, 1.0, dtype));
        let lists: [&[u32]; 3] = [&[49, 0, 7, 7, 13], &[0, 1, 2, 3, 8], &[0, 0, 1, 1, 1]];
        let uploaded = cuda.upload_lists(&lists).unwrap();
        let tables = [&words, &positions, &types].map(|table| cuda.upload(table).unwrap());
        let indices = [0, 1, 2].map(|list| uploaded.list(list));
        let [a, b, c] = [0, 1, 2].map(|i| Table { rows: &tables[i], indices: Some(&indices[i]) });
        let norm = Norm::new(&cuda, &weight, Some(&bias), 1e-3).unwrap();
        let got = wait(norm.of_sum(&cuda, &[a, b, c]).unwrap().download(&cuda).unwrap());
        let row = |table: &Tensor, index: u32| wide(table)[index as usize * columns..][..columns].to_vec();
        let expected: Vec<f64> = (0..5)
            .flat_map(|token| {
                let of = [&words, &positions, &types]
                    .into_iter()
                    .zip(lists)
                    .map(|(table, list)| row(table, list[token]));
                normed(&added(&of.collect::<Vec<_>>()), &wide(&weight), Some(&wide(&bias)))
            })
            .collect();
        assert_near(&got, &expected, dtype, 1.0, &format!("{columns} columns"));
        // Without a norm, rows are unchanged.
        let gathered = wait(gather(&cuda, &[a]).unwrap().download(&cuda).unwrap());
        let expected: Vec<f64> = lists[0].iter().flat_map(|&index| row(&words, index)).collect();
        assert_near(&gathered, &expected, dtype, 0.0, "gathered");
    }
}

/// A residual stream in f32 keeps digits that 16 bits would lose.
#[test]
fn residual_stream_stays_in_f32() {
    let dtype = Dtype::Bf16;
    let cuda = cuda(dtype);
    let (rows, columns) = (3, 40);
    let [x, weight] = [tensor(&[rows, columns], 1, 0.01, dtype), tensor(&[columns], 2, 1.0, dtype)];
    let stream = cuda.vector(&vec![1000.0; rows * columns]).unwrap();
    let norm = Norm::new(&cuda, &weight, None, 1e-3).unwrap();
    norm.add_to_stream(&cuda, &stream, &[(&cuda.upload(&x).unwrap()).into()], columns).unwrap();
    let got = wait(stream.download(&cuda, columns).unwrap());
    for (got, x) in got.iter().zip(wide(&x)) {
        assert!((f64::from(*got) - 1000.0 - x).abs() < 1e-4, "{got} instead of 1000 + {x}");
    }
}

#[test]
fn residual_stream_starts_with_table_rows() {
    let dtype = Dtype::F16;
    let cuda = cuda(dtype);
    let [x, weight] = [tensor(&[5, 40], 1, 2.0, dtype), tensor(&[40], 2, 1.0, dtype)];
    let norm = Norm::new(&cuda, &weight, None, 1e-3).unwrap();
    let on = cuda.upload(&x).unwrap();
    let values = |stream: &Vector| wait(stream.download(&cuda, 40).unwrap());
    let times = |factor: f32| wide(&x).into_iter().map(|x| x as f32 * factor).collect::<Vec<f32>>();
    for tables in [&[(&on).into()][..], &[(&on).into(), (&on).into()]] {
        let (stream, normed) = norm.start_stream(&cuda, tables).unwrap();
        assert_eq!(values(&stream), times(tables.len() as f32));
        let expected = wait(norm.of_sum(&cuda, tables).unwrap().download(&cuda).unwrap());
        assert_eq!(wait(normed.download(&cuda).unwrap()), expected);
        // A sum with the stream leaves it as it is.
        let sum = gather_wide(&cuda, Some(&stream), tables).unwrap();
        assert_eq!(values(&sum), times(2.0 * tables.len() as f32));
        assert_eq!(values(&stream), times(tables.len() as f32));
    }
    assert_eq!(values(&gather_wide(&cuda, None, &[(&on).into()]).unwrap()), times(1.0));
    let short = cuda.vector(&[0.0; 80]).unwrap();
    assert!(gather_wide(&cuda, Some(&short), &[(&on).into()]).is_err());
    assert!(gather_wide(&cuda, Some(&short), &[]).is_err());
}

/// Cached and stacked rows keep their values and positions when the cache grows.
#[test]
fn cached_and_stacked_rows_keep_their_positions() {
    let dtype = Dtype::F16;
    let cuda = cuda(dtype);
    let layer = Linear::new(&cuda, &tensor(&[24, 8], 1, 1.0, dtype), None).unwrap();
    let mut cache = KeyValueCache::new(&cuda, 24).unwrap();
    let (mut parts, mut expected) = (Vec::new(), Vec::new());
    for (seed, rows) in [(2, 3), (3, 200), (4, 1), (5, 400)] {
        let x = cuda.upload(&tensor(&[rows, 8], seed, 1.0, dtype)).unwrap();
        cache.append(&cuda, &layer, &x).unwrap();
        parts.push(layer.forward(&cuda, &x).unwrap());
        expected.extend(wait(parts[parts.len() - 1].download(&cuda).unwrap()));
    }
    assert_eq!(wait(cache.matrix().download(&cuda).unwrap())[..expected.len()], expected);
    let stacked = cuda.stack(&parts).unwrap();
    assert_eq!((stacked.shape(), wait(stacked.download(&cuda).unwrap())), ((604, 24), expected));
    assert!(cuda.stack(&[]).is_err() && cuda.stack(&[stacked, cuda.matrix(1, 2).unwrap()]).is_err());
    let other = Linear::new(&cuda, &tensor(&[16, 8], 1, 1.0, dtype), None).unwrap();
    assert!(cache.append(&cuda, &other, &cuda.upload(&tensor(&[1, 8], 1, 1.0, dtype)).unwrap()).is_err());
}

#[test]
fn activations_and_gates() {
    let erf = |x: f64| erf_series(x);
    let exact: [(Activation, &dyn Fn(f64) -> f64); 5] = [
        (Activation::Gelu, &|x| x * 0.5 * (1.0 + erf(x / 2f64.sqrt()))),
        (Activation::GeluTanh, &|x| {
            0.5 * x * (1.0 + ((2.0 / std::f64::consts::PI).sqrt() * (x + 0.044_715 * x.powi(3))).tanh())
        }),
        (Activation::Relu, &|x| x.max(0.0)),
        (Activation::Silu, &|x| x / (1.0 + (-x).exp())),
        (Activation::Tanh, &|x| x.tanh()),
    ];
    for dtype in DTYPES {
        let cuda = cuda(dtype);
        for (rows, columns) in [(1, 1), (3, 50), (5, 64), (2, 130)] {
            let x = tensor(&[rows, 2 * columns], 3, 6.0, dtype);
            let on = cuda.upload(&x).unwrap();
            for (activation, function) in &exact {
                let got = wait(activate(&cuda, &on, *activation).unwrap().download(&cuda).unwrap());
                let expected: Vec<f64> = wide(&x).into_iter().map(function).collect();
                assert_near(&got, &expected, dtype, 1.0, &format!("{activation:?}, {dtype:?}"));
                let got = wait(gated(&cuda, &on, *activation).unwrap().download(&cuda).unwrap());
                let halves = |row: &[f64]| {
                    (0..columns).map(|i| function(row[i]) * row[columns + i]).collect::<Vec<_>>()
                };
                let expected: Vec<f64> = wide(&x).chunks_exact(2 * columns).flat_map(halves).collect();
                assert_near(&got, &expected, dtype, 1.0, &format!("gated {activation:?}"));
            }
        }
    }
}

/// The error function by its series, or its limit for large arguments.
fn erf_series(x: f64) -> f64 {
    if x.abs() > 6.0 {
        return x.signum();
    }
    let (mut term, mut sum, mut n) = (x, x, 0.0);
    while term.abs() > 1e-17 {
        n += 1.0;
        term *= -x * x / n;
        sum += term / (2.0 * n + 1.0);
    }
    sum * 2.0 / std::f64::consts::PI.sqrt()
}

#[test]
fn products_and_scores() {
    for dtype in DTYPES {
        let cuda = cuda(dtype);
        for (rows, inputs, outputs) in [(1, 8, 8), (5, 64, 24), (130, 48, 96)] {
            let [x, weight, bias] = [
                tensor(&[rows, inputs], 1, 2.0, dtype),
                tensor(&[outputs, inputs], 2, 0.3, dtype),
                tensor(&[outputs], 3, 1.0, dtype),
            ];
            let (wide_x, wide_weight, wide_bias) = (wide(&x), wide(&weight), wide(&bias));
            let expected = |has_bias: bool| -> Vec<f64> {
                let one = |row: &[f64], output: usize| {
                    let weight = &wide_weight[output * inputs..][..inputs];
                    row.iter().zip(weight).map(|(x, w)| x * w).sum::<f64>()
                        + if has_bias { wide_bias[output] } else { 0.0 }
                };
                let rows = wide_x.chunks_exact(inputs);
                rows.flat_map(|row| (0..outputs).map(|output| one(row, output)).collect::<Vec<_>>()).collect()
            };
            let on = cuda.upload(&x).unwrap();
            for has_bias in [false, true] {
                let layer = Linear::new(&cuda, &weight, has_bias.then_some(&bias)).unwrap();
                let got = wait(layer.forward(&cuda, &on).unwrap().download(&cuda).unwrap());
                assert_near(&got, &expected(has_bias), dtype, 1.0, &format!("{rows} x {inputs} x {outputs}"));
            }
            let layer = WideLinear::new(&cuda, &weight).unwrap().forward(&cuda, &on).unwrap();
            let got = wait(layer.download(&cuda, outputs).unwrap());
            assert_near(&got, &expected(false), Dtype::F16, 0.05, "in f32");
            let scores = ScoreHead::new(&cuda, &weight, &bias).unwrap().forward(&cuda, &on).unwrap();
            let got = wait(scores.download(&cuda, outputs).unwrap());
            assert_near(&got, &expected(true), Dtype::F16, 0.05, "scores");
        }
        let small = Linear::new(&cuda, &tensor(&[8, 8], 1, 1.0, dtype), None).unwrap();
        assert!(small.forward(&cuda, &cuda.upload(&tensor(&[2, 16], 1, 1.0, dtype)).unwrap()).is_err());
    }
}

/// An index beyond the table used to read the memory behind it.
#[test]
fn indices_beyond_a_table_are_errors() {
    let cuda = cuda(Dtype::F16);
    let table = cuda.upload(&tensor(&[5, 8], 1, 1.0, Dtype::F16)).unwrap();
    let lists = cuda.upload_lists(&[&[4, 0], &[0, 5, 1], &[u32::MAX], &[]]).unwrap();
    let gathered = |list: usize| gather(&cuda, &[Table { rows: &table, indices: Some(&lists.list(list)) }]);
    assert!(gathered(0).is_ok() && gathered(3).is_ok());
    assert_eq!(gathered(1).err().unwrap().to_string(), "index 5 is beyond a table of 5 rows");
    assert!(gathered(2).is_err());
}

#[test]
fn data_on_another_device_is_an_error() {
    let (here, there) = (cuda(Dtype::F16), cuda(Dtype::F16));
    let x = tensor(&[4, 8], 1, 1.0, Dtype::F16);
    let (ours, theirs) = (here.upload(&x).unwrap(), there.upload(&x).unwrap());
    let refused = |result: crate::cuda::Result<Matrix>| matches!(result, Err(CudaError::OtherDevice));
    assert!(refused(gather(&here, &[Table::from(&theirs)])));
    let their_indices = there.upload_lists(&[&[1, 2]]).unwrap().list(0);
    assert!(refused(gather(&here, &[Table { rows: &ours, indices: Some(&their_indices) }])));
    assert!(refused(activate(&here, &theirs, Activation::Gelu)));
    assert!(refused(gated(&here, &theirs, Activation::Gelu)));
    assert!(refused(here.stack(&[ours.clone(), theirs.clone()])));
    let layer = Linear::new(&here, &x, None).unwrap();
    assert!(refused(layer.forward(&here, &theirs)) && refused(layer.forward(&there, &theirs)));
    let layout = Layout::new(&there, &[0, 4], &[]).unwrap();
    assert!(refused(unfold(&here, &ours, &layout, 3)));
    assert!(matches!(theirs.download(&here), Err(CudaError::OtherDevice)));
    assert!(layer.forward(&here.with_dtype(Dtype::F16), &ours).is_ok(), "clones share the device");
}
