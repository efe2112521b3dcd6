//! Times the scheduler: packing alone, and the bundled model with batches of several sizes. `cargo bench --bench schedule`.
//! Throughput counts pairs for packing, tokens for the executor.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use veridic::find_model;
use veridic::schedule::{Executor, Job, ignore_events, pack};
use veridic_models::{LoadOptions, NliModel};

/// Returns lengths typical of sentence pairs: 20 to 147 tokens, 84 on average.
fn lengths(count: usize) -> Vec<usize> {
    (0..count).map(|index| 20 + index * 37 % 128).collect()
}

fn packing(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("pack");
    for count in [100, 8192] {
        let lengths = lengths(count);
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function(BenchmarkId::from_parameter(count), |bencher| {
            bencher.iter(|| pack(black_box(&lengths), 2048));
        });
    }
    group.finish();
}

fn executor(criterion: &mut Criterion) {
    let source = find_model("mini").expect("the bundled model is in this build");
    let model = NliModel::load(&source, &LoadOptions::default()).expect("the bundled model loads");
    let lengths = lengths(128);
    let jobs: Vec<Job> = lengths.iter().map(|length| job(*length)).collect();
    let jobs: Vec<&Job> = jobs.iter().collect();
    let mut group = criterion.benchmark_group("executor");
    group.sample_size(10).throughput(Throughput::Elements(lengths.iter().sum::<usize>() as u64));
    for batch_tokens in [256, 1024, 2048, 4096, 16384] {
        let executor = Executor::new(&model, Some(batch_tokens));
        group.bench_function(BenchmarkId::new("batch_tokens", batch_tokens), |bencher| {
            bencher.iter(|| executor.run(black_box(&jobs), &ignore_events));
        });
    }
    group.finish();
}

fn job(length: usize) -> Job {
    let ids = (0..length).map(|index| 5 + (index as u32 * 31 + length as u32) % 1000).collect();
    Job { ids, types: vec![0; length], cut: false }
}

criterion_group!(schedule, packing, executor);
criterion_main!(schedule);
