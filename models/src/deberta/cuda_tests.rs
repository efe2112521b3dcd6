//! DeBERTa on a GPU (or its emulation) against Python's `transformers`, on the fixtures of tests/it/deberta.rs.

use veridic_kernels::cuda::{Cuda, Dtype};

use super::fixtures::Fixture;
use super::on_cuda::DebertaOnCuda;
use crate::classifier::Classifier;
use crate::error::{ModelError, Result};
use crate::packed::PackedBatch;

/// Largest difference of probabilities that is attributed to the 16-bit dtype.
const TOLERANCE: f32 = 2e-3;

fn load(fixture: &Fixture) -> Result<DebertaOnCuda> {
    DebertaOnCuda::load(Cuda::open(0, Dtype::F16)?, &fixture.config, &fixture.weights)
}

fn logits(network: &DebertaOnCuda, batch: &PackedBatch) -> Vec<Vec<f32>> {
    network.logits(batch).unwrap().wait().unwrap()
}

/// Every fixture but the convolution with groups, which is refused: its batch, and one sequence by itself.
#[test]
fn batches_agree_with_transformers() {
    let mut checked = 0;
    for fixture in Fixture::all() {
        let name = &fixture.name;
        let network = match load(&fixture) {
            Ok(network) => network,
            Err(ModelError::Setting { expected, .. }) if name.contains("groups") => {
                assert!(expected.contains("2 groups"), "{expected}");
                continue;
            }
            Err(error) => panic!("{name}: {error}"),
        };
        let together = logits(&network, &fixture.whole_batch());
        fixture.check(&together, TOLERANCE);
        let alone = fixture.batch(&[fixture.cases[0].0]);
        assert_eq!(logits(&network, &alone)[0], together[0], "{name}: alone");
        checked += 1;
    }
    assert!(checked >= 11);
}

#[test]
fn invalid_batches_are_refused_as_on_the_host() {
    let has_tables = |fixture: &Fixture| fixture.name == "v3_position_and_type_tables";
    let fixture = Fixture::all().into_iter().find(has_tables).unwrap();
    let (config, network) = (&fixture.config, load(&fixture).unwrap());
    let message = |batch: &PackedBatch| network.logits(batch).err().unwrap().to_string();
    let beyond = PackedBatch::from_sequences([(&[config.vocab_size as u32][..], &[0][..])]);
    assert!(message(&beyond).contains("outside the model's table"));
    let types = PackedBatch::from_sequences([(&[1][..], &[config.type_vocab_size as u32][..])]);
    assert!(message(&types).contains("token type"));
    assert!(message(&PackedBatch::from_sequences([(&[][..], &[][..])])).contains("empty"));
    assert!(message(&fixture.batch(&[config.token_limit() + 1])).contains("limit"));
}
