//! Tokenizers that come without tokenizer.json against Python's `transformers`: fixtures by
//! scripts/fixtures/make_tokenizers.py. Files that are missing or broken are named.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;
use veridic_models::{
    FCoref, LoadOptions, ModelSource, NliModel, PackedBatch, Precision, TextToText, Truncation,
};

/// Largest difference to the reference's logits that is put down to rounding.
const TOLERANCE: f32 = 1e-4;

const VARIANTS: [&str; 13] = [
    "unigram",
    "unigram_published",
    "unigram_lower",
    "unigram_added",
    "byte_level",
    "byte_level_published",
    "byte_level_space",
    "byte_level_added",
    "word_piece",
    "word_piece_cased",
    "word_piece_accents",
    "word_piece_whole",
    "preferred",
];

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn load(folder: &Path) -> Result<NliModel, String> {
    let source = ModelSource::Folder(folder.to_owned());
    NliModel::load(&source, &LoadOptions { precision: Some(Precision::F32), ..LoadOptions::default() })
        .map_err(|error| error.to_string())
}

fn refusal(folder: &Path) -> String {
    load(folder).err().unwrap_or_else(|| panic!("{} was loaded", folder.display()))
}

fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value[name].as_array().unwrap()
}

fn numbers(value: &Value, name: &str) -> Vec<u32> {
    list(value, name).iter().map(|x| x.as_u64().unwrap() as u32).collect()
}

fn texts() -> Vec<String> {
    let texts = json(&fixture("tokenizers/texts.json"));
    list(&texts, "texts").iter().map(|row| row["text"].as_str().unwrap().to_owned()).collect()
}

/// A folder with a copy of a variant's files, without expected.json.
fn copy(variant: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in fs::read_dir(fixture("tokenizers").join(variant)).unwrap() {
        let file = file.unwrap();
        if file.file_name() != "expected.json" {
            fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
        }
    }
    folder
}

/// Compares a model with what the reference said of a variant.
fn assert_equal(model: &NliModel, variant: &str) {
    let expected = json(&fixture("tokenizers").join(variant).join("expected.json"));
    let tokens: Vec<_> = texts().iter().map(|text| model.tokenizer().text(text).unwrap()).collect();
    let rows = list(&expected, "rows");
    assert_eq!(rows.len(), tokens.len());
    for (index, row) in rows.iter().enumerate() {
        let what = || format!("{variant}: {:?}", texts()[index]);
        assert_eq!(tokens[index].ids, numbers(row, "ids"), "{}", what());
        if let Some(spans) = row["spans"].as_array() {
            let pair =
                |span: &Value| (span[0].as_u64().unwrap() as usize, span[1].as_u64().unwrap() as usize);
            assert_eq!(tokens[index].spans, spans.iter().map(pair).collect::<Vec<_>>(), "{}", what());
        }
        let following = &tokens[(index + 1) % tokens.len()];
        let pair = model.tokenizer().pair(&tokens[index], following, 4096, Truncation::Refuse).unwrap();
        assert_eq!(pair.ids, numbers(row, "pair"), "{}", what());
        let second = row["second"].as_u64().unwrap() as usize;
        let types = [vec![0; pair.ids.len() - second], vec![1; second]].concat();
        assert_eq!(pair.types, types, "{}", what());
        let logits = model.logits(&PackedBatch::from_sequences([(&pair.ids[..], &pair.types[..])])).unwrap();
        for (ours, theirs) in logits[0].iter().zip(list(row, "logits")) {
            assert!((ours - theirs.as_f64().unwrap() as f32).abs() <= TOLERANCE, "{}: {logits:?}", what());
        }
    }
}

#[test]
fn ids_types_and_logits_agree_with_transformers() {
    for variant in VARIANTS {
        assert_equal(&load(&fixture("tokenizers").join(variant)).unwrap(), variant);
    }
}

#[test]
fn every_variant_has_its_texts() {
    let folders = fs::read_dir(fixture("tokenizers")).unwrap().filter(|entry| {
        let path = entry.as_ref().unwrap().path();
        path.join("expected.json").exists()
    });
    assert_eq!(folders.count(), VARIANTS.len());
    assert!(texts().len() > 80);
}

/// The vocabularies of `preferred` stand in the order of preference: without the first, the next one counts.
#[test]
fn layouts_are_preferred_in_order() {
    let folder = copy("preferred");
    let model = |settings: &str| {
        fs::write(folder.path().join("tokenizer_config.json"), settings).unwrap();
        // Rows for every vocabulary: only ids are compared.
        copy_model("byte_level_added", folder.path());
        load(folder.path()).unwrap()
    };
    let like = |model: &NliModel, variant: &str| {
        let expected = json(&fixture("tokenizers").join(variant).join("expected.json"));
        for (text, row) in texts().iter().zip(list(&expected, "rows")) {
            assert_eq!(model.tokenizer().text(text).unwrap().ids, numbers(row, "ids"), "{variant}: {text:?}");
        }
    };
    like(&model("{}"), "preferred");
    fs::remove_file(folder.path().join("tokenizer.json")).unwrap();
    let settings = fs::read_to_string(fixture("tokenizers/unigram_added/tokenizer_config.json")).unwrap();
    like(&model(&settings), "unigram_added");
    // The name that T5's models have says the same.
    fs::rename(folder.path().join("spm.model"), folder.path().join("spiece.model")).unwrap();
    like(&model(&settings), "unigram_added");
    fs::remove_file(folder.path().join("spiece.model")).unwrap();
    like(&model("{}"), "byte_level");
    fs::remove_file(folder.path().join("merges.txt")).unwrap();
    like(&model("{}"), "word_piece");
}

fn copy_model(from: &str, to: &Path) {
    for file in ["config.json", "model.safetensors"] {
        fs::copy(fixture("tokenizers").join(from).join(file), to.join(file)).unwrap();
    }
}

#[test]
fn without_a_tokenizer_the_error_says_what_would_do() {
    let folder = tempfile::tempdir().unwrap();
    copy_model("unigram", folder.path());
    let error = refusal(folder.path());
    for file in ["tokenizer.json", "spm.model", "spiece.model", "vocab.json with merges.txt", "vocab.txt"] {
        assert!(error.contains(file), "{error}");
    }
    assert!(error.contains(&folder.path().display().to_string()), "{error}");

    let folder = copy("byte_level");
    fs::remove_file(folder.path().join("merges.txt")).unwrap();
    assert!(refusal(folder.path()).contains("merges.txt"));

    let folder = tempfile::tempdir().unwrap();
    for file in ["config.json", "generation_config.json", "model.safetensors"] {
        fs::copy(fixture("t5/splitter").join(file), folder.path().join(file)).unwrap();
    }
    let error = TextToText::load(&ModelSource::Folder(folder.path().to_owned())).err().unwrap().to_string();
    assert!(error.contains("tokenizer.json or spiece.model"), "{error}");
}

#[test]
fn a_broken_file_is_named() {
    let broken: [(&str, &str, &[u8], &str); 20] = [
        ("unigram", "spm.model", b"", "no pieces"),
        ("unigram", "spm.model", b"{\"model\": 1}", "no SentencePiece model"),
        ("byte_level", "vocab.json", b"[1, 2]", "no vocabulary"),
        ("byte_level", "vocab.json", b"{\"a\": \"b\"}", "no vocabulary"),
        ("byte_level", "vocab.json", b"{\"a\": 5000000000}", "no vocabulary"),
        ("byte_level", "merges.txt", b"a b\n", "`ab` is not in vocab.json"),
        ("byte_level", "merges.txt", b"#version: 0.2\na b c\n", "line 2"),
        ("byte_level", "merges.txt", b"\xff\xfe", "UTF-8"),
        ("word_piece", "vocab.txt", b"", "no token `[UNK]`"),
        ("word_piece", "vocab.txt", b"[UNK]\n\xff\xfe", "not a vocabulary"),
        ("unigram_published", "tokenizer_config.json", b"[]", "no JSON object"),
        ("unigram_published", "tokenizer_config.json", b"{\"do_lower_case\": \"yes\"}", "do_lower_case"),
        ("unigram_published", "tokenizer_config.json", b"{\"added_tokens_decoder\": {\"x\": \"y\"}}", "`x`"),
        (
            "unigram_published",
            "tokenizer_config.json",
            b"{\"tokenizer_class\": \"T5Tokenizer\"}",
            "DebertaV2",
        ),
        ("unigram_published", "tokenizer_config.json", b"{\"image_token\": \"<image>\"}", "`image_token`"),
        ("unigram_published", "special_tokens_map.json", b"{", "no JSON object"),
        ("unigram_published", "special_tokens_map.json", b"{\"cls_token\": 7}", "unknown way: 7"),
        ("unigram_published", "added_tokens.json", b"{\"x\": \"y\"}", "`x`"),
        ("unigram_published", "added_tokens.json", b"{\"x\": 256, \"y\": 256}", "`x` twice"),
        ("byte_level_space", "tokenizer_config.json", b"{\"tokenizer_class\": \"BertTokenizer\"}", "Roberta"),
    ];
    for (variant, file, bytes, reason) in broken {
        let folder = copy(variant);
        fs::write(folder.path().join(file), bytes).unwrap();
        let error = refusal(folder.path());
        assert!(error.contains(file) && error.contains(reason), "{variant}/{file}: {error}");
    }
}

#[test]
fn special_tokens_that_are_not_there_are_named() {
    let folder = copy("word_piece");
    fs::write(folder.path().join("tokenizer_config.json"), "{\"sep_token\": null}").unwrap();
    let error = refusal(folder.path());
    assert!(error.contains("tokenizer_config.json") && error.contains("sep_token"), "{error}");
    // A new token gets the id after the vocabulary: more than this model has rows for.
    fs::write(folder.path().join("tokenizer_config.json"), "{\"sep_token\": \"[END]\"}").unwrap();
    let error = refusal(folder.path());
    assert!(error.contains("vocab.txt") && error.contains("`[END]`"), "{error}");
}

#[test]
fn files_that_end_early_or_are_changed_never_panic() {
    let files = [
        ("unigram_added", "spm.model"),
        ("unigram_added", "tokenizer_config.json"),
        ("byte_level_space", "vocab.json"),
        ("byte_level_space", "merges.txt"),
        ("byte_level_space", "special_tokens_map.json"),
        ("byte_level_space", "added_tokens.json"),
        ("word_piece", "vocab.txt"),
    ];
    let mut state = 11u32;
    for (variant, file) in files {
        let folder = copy(variant);
        let whole = fs::read(folder.path().join(file)).unwrap();
        let attempt = |bytes: &[u8]| {
            fs::write(folder.path().join(file), bytes).unwrap();
            match load(folder.path()) {
                Err(error) => assert!(error.contains(&folder.path().display().to_string()), "{error}"),
                Ok(model) => {
                    let _ = model.tokenizer().text("[CLS] a<ent>\u{301} harbour ½ <mask>\u{1f389}");
                }
            }
        };
        for step in 0..40 {
            attempt(&whole[..whole.len() * step / 40]);
        }
        for _ in 0..150 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let mut changed = whole.clone();
            changed[(state >> 8) as usize % whole.len()] = (state >> 16) as u8;
            attempt(&changed);
        }
    }
}

/// The coreference model takes the same files; those of its tokenizer.json, taken apart, give the same ids.
#[test]
fn coreference_takes_a_vocabulary_and_merges() {
    let from = fixture("fcoref/published");
    let folder = tempfile::tempdir().unwrap();
    for file in ["config.json", "pytorch_model.bin"] {
        fs::copy(from.join(file), folder.path().join(file)).unwrap();
    }
    let whole = json(&from.join("tokenizer.json"));
    fs::write(folder.path().join("vocab.json"), whole["model"]["vocab"].to_string()).unwrap();
    let merges: Vec<String> = list(&whole["model"], "merges")
        .iter()
        .map(|merge| match merge.as_str() {
            Some(line) => line.to_owned(),
            None => format!("{} {}", merge[0].as_str().unwrap(), merge[1].as_str().unwrap()),
        })
        .collect();
    fs::write(folder.path().join("merges.txt"), format!("#version: 0.2\n{}\n", merges.join("\n"))).unwrap();
    let load = |folder: &Path| FCoref::load(&ModelSource::Folder(folder.to_owned())).unwrap();
    let (known, ours) = (load(&from), load(folder.path()));
    assert_ne!(known.identity().settings_sha256, ours.identity().settings_sha256);
    for text in texts() {
        let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
        assert_eq!(ours.token_ids(&words).unwrap(), known.token_ids(&words).unwrap(), "{text:?}");
    }
}

#[test]
fn settings_count_for_the_digest_where_they_make_the_tokenizer() {
    let digest = |folder: &Path| load(folder).unwrap().settings_sha256().to_owned();
    let folder = copy("unigram");
    let before = digest(folder.path());
    fs::write(folder.path().join("tokenizer_config.json"), "{\"do_lower_case\": true}").unwrap();
    assert_ne!(digest(folder.path()), before);
    let folder = copy("preferred");
    let before = digest(folder.path());
    fs::write(folder.path().join("tokenizer_config.json"), "{\"do_lower_case\": true}").unwrap();
    fs::remove_file(folder.path().join("spm.model")).unwrap();
    assert_eq!(digest(folder.path()), before);
}
