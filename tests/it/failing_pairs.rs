//! A pair for which the model's outputs are not finite fails alone: other pairs never get its outcomes, whatever its
//! position and however many pairs are in flight together.
use std::fs;
use std::num::NonZeroUsize;
use std::sync::LazyLock;

use crate::common::{Place, repository};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;
use veridic::pipeline::Settings;
use veridic::schedule::ignore_events;
use veridic::{Level, Pair, Rules, Scorer};

/// The token with an embedding of NaN, and its id.
const BAD: (&str, usize) = ("boat", 41);

static MODEL: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let tiny = repository("models/tests/fixtures/deberta/tiny_with_tokenizer");
    for file in ["config.json", "tokenizer.json"] {
        fs::copy(tiny.join(file), folder.path().join(file)).unwrap();
    }
    let bytes = fs::read(tiny.join("model.safetensors")).unwrap();
    fs::write(folder.path().join("model.safetensors"), with_nan(&bytes)).unwrap();
    folder
});

static SCORER: LazyLock<Scorer> = LazyLock::new(|| {
    let levels = vec![Level::Sentence, Level::Window, Level::Document];
    let rules = Rules { levels, screen: None, ..Rules::veridic() };
    let settings = Settings { rules, ..Settings::default() };
    crate::common::scorer(MODEL.path().to_str().unwrap(), settings)
});

/// The weights with an embedding of NaN for the bad token.
fn with_nan(bytes: &[u8]) -> Vec<u8> {
    let (length, rest) = bytes.split_first_chunk::<8>().unwrap();
    let header = u64::from_le_bytes(*length) as usize;
    let tensors: Value = serde_json::from_slice(&rest[..header]).unwrap();
    let (_, words) = tensors
        .as_object()
        .unwrap()
        .iter()
        .find(|(name, _)| name.ends_with("word_embeddings.weight"))
        .unwrap();
    assert_eq!(words["dtype"], "F32");
    let row_bytes = 4 * words["shape"][1].as_u64().unwrap() as usize;
    let start = 8 + header + words["data_offsets"][0].as_u64().unwrap() as usize + BAD.1 * row_bytes;
    let mut bytes = bytes.to_vec();
    for number in bytes[start..][..row_bytes].chunks_exact_mut(4) {
        number.copy_from_slice(&f32::NAN.to_le_bytes());
    }
    bytes
}

/// A document of several sentences, one of them with the bad token if the pair is to fail, and a summary of several claims.
fn texts(number: usize, fails: bool) -> (String, String) {
    let words = ["cat", "dog", "mayor", "city", "bridge", "river", "game"];
    let (one, two) = (words[number % 7], words[(number * 3 + 1) % 7]);
    let mut sentences: Vec<String> = (0..3 + number % 4)
        .map(|place| format!("The {} sat on the {two}.", words[(number + place) % 7]))
        .collect();
    if fails {
        let place = number % sentences.len();
        sentences[place] = format!("The {} left the {one} late.", BAD.0);
    }
    (sentences.join(" "), format!("The {one} was not {two}. The {two} sat in the city. It was open."))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn other_pairs_never_get_the_outcomes_of_a_failed_one(
        fails in vec(any::<bool>(), 2..8),
        pairs_in_flight in 1usize..40,
    ) {
        let settings = Settings {
            pairs_in_flight: NonZeroUsize::new(pairs_in_flight).unwrap(),
            cache_bytes: 0,
            ..SCORER.settings().clone()
        };
        let scorer = SCORER.clone().with_settings(settings);
        let texts: Vec<(String, String)> =
            fails.iter().enumerate().map(|(number, fails)| texts(number, *fails)).collect();
        let pairs: Vec<Pair<'_>> = texts.iter().map(|(document, summary)| Pair::new(document, summary)).collect();
        let good: Vec<Pair<'_>> =
            pairs.iter().zip(&fails).filter(|(_, fails)| !**fails).map(|(pair, _)| *pair).collect();
        let mut alone = SCORER.score_batch(&good, &ignore_events).into_iter();
        for (result, fails) in scorer.score_batch(&pairs, &ignore_events).into_iter().zip(&fails) {
            if *fails {
                prop_assert!(result.unwrap_err().to_string().contains("not finite"));
            } else {
                let alone = serde_json::to_string(&alone.next().unwrap().unwrap()).unwrap();
                prop_assert_eq!(serde_json::to_string(&result.unwrap()).unwrap(), alone);
            }
        }
    }
}

/// A key fact that failed shifted the outcomes of its row to the next rows.
#[test]
fn a_failing_key_fact_does_not_change_other_rows() {
    let place = Place::new();
    let row = |id: usize, key_fact: &str| {
        json!({
            "id": id,
            "document": "The cat sat on the mat. The dog left late.",
            "summary": "The cat sat. The dog left. It was late.",
            "key_facts": [key_fact, "The dog left."],
        })
        .to_string()
    };
    let run = |rows: &[String], name: &str| {
        place.write("rows.jsonl", rows.join("\n"));
        let model = MODEL.path().to_str().unwrap();
        place.run(["run", "rows.jsonl", "-o", name, "-q", "--model", model, "--set", "metric=finesure"]);
        place.read(name).lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let good = [row(2, "The cat sat on the mat."), row(3, "The city was open.")];
    let together = run(&[row(1, "The boat was late."), good[0].clone(), good[1].clone()], "three.jsonl");
    assert!(together[0].contains("\"error\""), "{}", together[0]);
    assert_eq!(together[1..], run(&good, "two.jsonl"));
}
