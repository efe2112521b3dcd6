//! Times each kernel on the shapes of `mini` (hidden size 384) and DeBERTa-v3-base (768): `cargo bench -p
//! veridic-kernels`. `-- --isa avx2` restricts the instruction set. The throughput ("elem/s") counts floating-point
//! operations for products, and values for element-wise kernels.

use std::hint::black_box;

use candle_core::{Device, Result, Tensor};
use criterion::{BenchmarkId, Criterion, Throughput};
use veridic_kernels::{
    Activation, Attention, Columns, DistanceTable, FeedForward, Heads, Isa, LayerNorm, Linear, Precision,
    Queries, RelativePositions,
};

/// Tokens of a batch.
const TOKENS: usize = 2048;
/// Half of DeBERTa-v3's position slots.
const SPAN: usize = 256;

fn main() -> Result<()> {
    let mut arguments: Vec<String> = std::env::args().collect();
    if let Some(place) = arguments.iter().position(|argument| argument == "--isa") {
        let name = arguments.get(place + 1).cloned().unwrap_or_default();
        let isa = Isa::available().into_iter().find(|isa| format!("{isa:?}").eq_ignore_ascii_case(&name));
        match isa {
            Some(isa) => assert!(isa.prefer(), "the instruction set is chosen before the first kernel runs"),
            None => panic!("--isa `{name}` is not available: this machine has {:?}", Isa::available()),
        }
        arguments.drain(place..place + 2);
    }
    let filter = arguments.iter().skip(1).find(|argument| !argument.starts_with('-'));
    let mut criterion = Criterion::default().sample_size(20);
    if let Some(filter) = filter {
        criterion = criterion.with_filter(filter);
    }
    for hidden in [384, 768] {
        linear(&mut criterion, hidden)?;
        feed_forward(&mut criterion, hidden)?;
        attention(&mut criterion, hidden)?;
        layer_norm(&mut criterion, hidden)?;
    }
    criterion.final_summary();
    Ok(())
}

/// The precisions that this processor supports.
fn precisions() -> impl Iterator<Item = Precision> {
    let all = [Precision::F32, Precision::Bf16, Precision::Int8];
    all.into_iter().filter(|precision| precision.is_supported())
}

fn linear(criterion: &mut Criterion, hidden: usize) -> Result<()> {
    let mut group = criterion.benchmark_group("linear");
    for (rows, outputs) in [(TOKENS, 3 * hidden), (TOKENS, hidden), (16, hidden), (1, hidden)] {
        let x = random(&[rows, hidden])?;
        group.throughput(Throughput::Elements((2 * rows * hidden * outputs) as u64));
        for precision in precisions() {
            let layer = layer(hidden, outputs, precision)?;
            let name = format!("{rows}x{hidden}x{outputs} {}", precision.name());
            group.bench_function(&name, |bencher| bencher.iter(|| layer.forward(black_box(&x))));
            group.bench_function(format!("{name} and GELU"), |bencher| {
                bencher.iter(|| layer.forward_activated(black_box(&x), Activation::Gelu));
            });
        }
    }
    group.finish();
    Ok(())
}

fn feed_forward(criterion: &mut Criterion, hidden: usize) -> Result<()> {
    let inner = 4 * hidden;
    let x = random(&[TOKENS, hidden])?;
    let mut group = criterion.benchmark_group("feed_forward");
    group.throughput(Throughput::Elements((4 * TOKENS * hidden * inner) as u64));
    for precision in precisions() {
        let (up, down) = (layer(hidden, inner, precision)?, layer(inner, hidden, precision)?);
        let block = FeedForward::new(up, Activation::Gelu, down, norm(hidden)?)?;
        group.bench_function(format!("{TOKENS}x{hidden} {}", precision.name()), |bencher| {
            bencher.iter(|| block.forward(black_box(&x)));
        });
    }
    group.finish();
    Ok(())
}

fn attention(criterion: &mut Criterion, hidden: usize) -> Result<()> {
    let heads = Heads { count: 12, size: hidden / 12 };
    let positions = random(&[heads.count, 2 * SPAN, heads.size])?;
    let relative = RelativePositions::new(Some(&positions), Some(&positions))?;
    let mut group = criterion.benchmark_group("attention");
    for length in [32, 84, 256, 1000] {
        let terms = [("content", None), ("disentangled", Some(relative.clone()))];
        let floating = || [Precision::F32, Precision::Bf16].into_iter().filter(|p| p.is_supported());
        for ((terms, relative), precision) in
            terms.into_iter().flat_map(|t| floating().map(move |p| (t.clone(), p)))
        {
            let has_positions = relative.is_some();
            let attention = Attention::new(heads, 0.07, relative, precision)?;
            let offsets: Vec<usize> = (0..=TOKENS / length).map(|index| index * length).collect();
            let tokens = offsets[offsets.len() - 1];
            let all = random(&[tokens, 3 * hidden])?;
            let distances = DistanceTable::new(slots(length))?;
            let part = |index: usize| Columns { matrix: &all, first_column: index * hidden };
            let products = if has_positions { 2 * length + 2 * reached(length) } else { 2 * length };
            group.throughput(Throughput::Elements((2 * tokens * products * hidden) as u64));
            group.bench_function(
                BenchmarkId::new(terms, format!("{tokens}x{hidden} of {length} {}", precision.name())),
                |bencher| {
                    bencher.iter(|| {
                        attention.forward(part(0), part(1), part(2), &offsets, &distances, Queries::All)
                    });
                },
            );
        }
    }
    group.finish();
    Ok(())
}

fn layer_norm(criterion: &mut Criterion, hidden: usize) -> Result<()> {
    let (x, norm) = (random(&[TOKENS, hidden])?, norm(hidden)?);
    let mut group = criterion.benchmark_group("layer_norm");
    group.throughput(Throughput::Elements((TOKENS * hidden) as u64));
    group.bench_function(BenchmarkId::from_parameter(format!("{TOKENS}x{hidden}")), |bencher| {
        bencher.iter(|| norm.forward(black_box(&x)));
    });
    group.finish();
    Ok(())
}

/// As many slots as DeBERTa-v3 has; distances beyond them are clamped.
fn slots(length: usize) -> Vec<u32> {
    let (length, span) = (length as i64, SPAN as i64);
    (1 - length..length).map(|distance| (distance + span).clamp(0, 2 * span - 1) as u32).collect()
}

fn reached(length: usize) -> usize {
    (2 * length - 1).min(2 * SPAN)
}

fn random(shape: &[usize]) -> Result<Tensor> {
    Tensor::randn(0f32, 1.0, shape, &Device::Cpu)
}

fn layer(inputs: usize, outputs: usize, precision: Precision) -> Result<Linear> {
    Linear::with_precision(&random(&[outputs, inputs])?, Some(&random(&[outputs])?), precision)
}

fn norm(hidden: usize) -> Result<LayerNorm> {
    LayerNorm::new(&random(&[hidden])?, &random(&[hidden])?, 1e-7)
}
