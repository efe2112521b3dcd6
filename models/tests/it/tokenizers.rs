//! Tokenizers without tokenizer.json against Python's `transformers`: fixtures by scripts/fixtures/make_tokenizers.py.
//! Errors name missing and damaged files.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;
use veridic_models::{
    ComputeDevice, FCoref, ModelSource, NliModel, PairTokenizer, Precision, TextToText, Truncation,
};

use crate::common::{
    TOLERANCE, batch, copied, fixture, floats, ids, json, largest_difference, list, options,
};

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

/// The files of a model beside its tokenizer's.
const MODEL: [&str; 2] = ["config.json", "model.safetensors"];

fn load(folder: &Path) -> Result<NliModel, String> {
    let source = ModelSource::Folder(folder.to_owned());
    NliModel::load(&source, &options(Some(Precision::F32))).map_err(|error| error.to_string())
}

fn refusal(folder: &Path) -> String {
    load(folder).err().unwrap_or_else(|| panic!("{} was loaded", folder.display()))
}

fn texts() -> Vec<String> {
    let texts = json(&fixture("tokenizers/texts.json"));
    list(&texts["texts"]).iter().map(|row| row["text"].as_str().unwrap().to_owned()).collect()
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

/// Compares a model with the reference's results on a variant.
fn assert_equal(model: &NliModel, variant: &str) {
    let expected = json(&fixture("tokenizers").join(variant).join("expected.json"));
    let tokens: Vec<_> = texts().iter().map(|text| model.tokenizer().text(text).unwrap()).collect();
    let rows = list(&expected["rows"]);
    assert_eq!(rows.len(), tokens.len());
    for (index, row) in rows.iter().enumerate() {
        let what = || format!("{variant}: {:?}", texts()[index]);
        assert_eq!(tokens[index].ids, ids(&row["ids"]), "{}", what());
        if let Some(spans) = row["spans"].as_array() {
            let pair =
                |span: &Value| (span[0].as_u64().unwrap() as usize, span[1].as_u64().unwrap() as usize);
            assert_eq!(tokens[index].spans, spans.iter().map(pair).collect::<Vec<_>>(), "{}", what());
        }
        let following = &tokens[(index + 1) % tokens.len()];
        let pair =
            model.tokenizer().pair(&tokens[index].ids, &following.ids, 4096, Truncation::Refuse).unwrap();
        assert_eq!(pair.ids, ids(&row["pair"]), "{}", what());
        let second = row["second"].as_u64().unwrap() as usize;
        let types = [vec![0; pair.ids.len() - second], vec![1; second]].concat();
        assert_eq!(pair.types, types, "{}", what());
        let logits = model.logits(&batch([&pair])).unwrap();
        let difference = largest_difference(&logits[0], &floats(&row["logits"]));
        assert!(difference <= TOLERANCE, "{}: {logits:?}", what());
    }
}

#[test]
fn ids_types_and_logits_agree_with_transformers() {
    for variant in VARIANTS {
        assert_equal(&load(&fixture("tokenizers").join(variant)).unwrap(), variant);
    }
}

/// The `tokenizers` crate lays out one text, and cuts it.
#[test]
fn one_text_is_laid_out_and_cut_as_by_tokenizers() {
    let folder = fixture("deberta/tiny_with_tokenizer");
    let model = load(&folder).unwrap();
    let mut oracle = tokenizers::Tokenizer::from_file(folder.join("tokenizer.json")).unwrap();
    oracle.with_padding(None);
    for (limit, cuts) in [(4096, false), (12, true), (3, true)] {
        let truncation = tokenizers::TruncationParams { max_length: limit, ..Default::default() };
        oracle.with_truncation(Some(truncation)).unwrap();
        for text in texts() {
            let expected = oracle.encode(text.as_str(), true).unwrap();
            let tokens = model.tokenizer().text(&text).unwrap();
            let laid_out = model.tokenizer().single(&tokens.ids, limit, cuts).unwrap();
            assert_eq!(
                (&laid_out.ids[..], &laid_out.types[..]),
                (expected.get_ids(), expected.get_type_ids())
            );
            assert_eq!(laid_out.cut, tokens.len() + 2 > limit);
        }
    }
    let tokens = model.tokenizer().text("A cat sat on the mat.").unwrap();
    assert!(model.tokenizer().single(&tokens.ids, 5, false).is_err());
    assert!(model.tokenizer().single(&tokens.ids, 2, true).is_err(), "no token of the text would be left");
}

/// A long text is tokenized in parts; the `tokenizers` crate reads it whole.
#[test]
fn long_texts_have_the_tokens_of_the_whole() {
    let models = ["alignscore", "t5/splitter"].into_iter();
    let classifiers = ["albert", "bert", "deberta", "deberta_v1", "modernbert", "mpnet"];
    let classifiers = classifiers.map(|name| format!("token_classifiers/{name}"));
    for model in models.map(str::to_owned).chain(classifiers) {
        let json = fs::read(fixture(&model).join("tokenizer.json")).unwrap();
        let mut oracle = tokenizers::Tokenizer::from_bytes(&json).unwrap();
        oracle.with_truncation(None).unwrap();
        oracle.with_padding(None);
        let Ok(tokenizer) = PairTokenizer::parse(&json, "tokenizer.json", usize::MAX) else {
            panic!("{model}")
        };
        let words: Vec<String> =
            texts().iter().flat_map(|text| text.split_whitespace().map(str::to_owned)).collect();
        let text = words.join(" ").repeat(4);
        assert!(text.len() > 10_000);
        let whole = oracle.encode_char_offsets(text.as_str(), false).unwrap();
        let tokens = tokenizer.text(&text).unwrap();
        assert_eq!(tokens.ids, whole.get_ids(), "{model}");
        assert_eq!(tokens.spans, whole.get_offsets(), "{model}");
        assert_eq!(tokenizer.ids_within(&text, usize::MAX).unwrap(), whole.get_ids(), "{model}");
        for most in [0, 100, 2000] {
            let beginning = tokenizer.ids_within(&text, most).unwrap();
            assert!(beginning.len() > most && whole.get_ids().starts_with(&beginning), "{model}, {most}");
        }
    }
}

#[test]
fn every_variant_is_tested() {
    let folders = fs::read_dir(fixture("tokenizers")).unwrap().filter(|entry| {
        let path = entry.as_ref().unwrap().path();
        path.join("expected.json").exists()
    });
    assert_eq!(folders.count(), VARIANTS.len());
    assert!(texts().len() > 80);
}

/// `preferred` has a vocabulary in every format; each is used once those before it are removed.
#[test]
fn formats_are_preferred_in_order() {
    let folder = copy("preferred");
    // Rows for every vocabulary: only ids are compared.
    for file in MODEL {
        fs::copy(fixture("tokenizers/byte_level_added").join(file), folder.path().join(file)).unwrap();
    }
    let model = |settings: &str| {
        fs::write(folder.path().join("tokenizer_config.json"), settings).unwrap();
        load(folder.path()).unwrap()
    };
    let like = |model: &NliModel, variant: &str| {
        let expected = json(&fixture("tokenizers").join(variant).join("expected.json"));
        for (text, row) in texts().iter().zip(list(&expected["rows"])) {
            assert_eq!(model.tokenizer().text(text).unwrap().ids, ids(&row["ids"]), "{variant}: {text:?}");
        }
    };
    like(&model("{}"), "preferred");
    fs::remove_file(folder.path().join("tokenizer.json")).unwrap();
    let settings = fs::read_to_string(fixture("tokenizers/unigram_added/tokenizer_config.json")).unwrap();
    like(&model(&settings), "unigram_added");
    // The file's name in T5's models works too.
    fs::rename(folder.path().join("spm.model"), folder.path().join("spiece.model")).unwrap();
    like(&model(&settings), "unigram_added");
    fs::remove_file(folder.path().join("spiece.model")).unwrap();
    like(&model("{}"), "byte_level");
    fs::remove_file(folder.path().join("merges.txt")).unwrap();
    like(&model("{}"), "word_piece");
}

#[test]
fn without_a_tokenizer_the_error_lists_the_files() {
    let folder = copied(&fixture("tokenizers/unigram"), &MODEL);
    let error = refusal(folder.path());
    for file in ["tokenizer.json", "spm.model", "spiece.model", "vocab.json with merges.txt", "vocab.txt"] {
        assert!(error.contains(file), "{error}");
    }
    assert!(error.contains(&folder.path().display().to_string()), "{error}");

    let folder = copy("byte_level");
    fs::remove_file(folder.path().join("merges.txt")).unwrap();
    assert!(refusal(folder.path()).contains("merges.txt"));

    let folder = copied(&fixture("t5/splitter"), &MODEL);
    let error = TextToText::load(&ModelSource::Folder(folder.path().to_owned()), ComputeDevice::Cpu)
        .err()
        .unwrap()
        .to_string();
    assert!(error.contains("tokenizer.json or spiece.model"), "{error}");
}

#[test]
fn a_damaged_file_is_named() {
    let broken: [(&str, &str, &[u8], &str); 20] = [
        ("unigram", "spm.model", b"", "no pieces"),
        ("unigram", "spm.model", b"{\"model\": 1}", "not a SentencePiece model"),
        ("byte_level", "vocab.json", b"[1, 2]", "not a vocabulary"),
        ("byte_level", "vocab.json", b"{\"a\": \"b\"}", "not a vocabulary"),
        ("byte_level", "vocab.json", b"{\"a\": 5000000000}", "not a vocabulary"),
        ("byte_level", "merges.txt", b"a b\n", "`ab` is not in vocab.json"),
        ("byte_level", "merges.txt", b"#version: 0.2\na b c\n", "line 2"),
        ("byte_level", "merges.txt", b"\xff\xfe", "UTF-8"),
        ("word_piece", "vocab.txt", b"", "no token `[UNK]`"),
        ("word_piece", "vocab.txt", b"[UNK]\n\xff\xfe", "not a vocabulary"),
        ("unigram_published", "tokenizer_config.json", b"[]", "not a JSON object"),
        ("unigram_published", "tokenizer_config.json", b"{\"do_lower_case\": \"yes\"}", "do_lower_case"),
        ("unigram_published", "tokenizer_config.json", b"{\"added_tokens_decoder\": {\"x\": \"y\"}}", "`x`"),
        (
            "unigram_published",
            "tokenizer_config.json",
            b"{\"tokenizer_class\": \"T5Tokenizer\"}",
            "DebertaV2",
        ),
        ("unigram_published", "tokenizer_config.json", b"{\"image_token\": \"<image>\"}", "`image_token`"),
        ("unigram_published", "special_tokens_map.json", b"{", "not a JSON object"),
        (
            "unigram_published",
            "special_tokens_map.json",
            b"{\"cls_token\": 7}",
            "unknown description of a token: a number",
        ),
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
fn missing_special_tokens_are_named() {
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
fn truncated_and_changed_files_never_panic() {
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

/// The vocabulary and merges of a coreference model's tokenizer.json, as separate files, give the same ids.
#[test]
fn coreference_reads_a_vocabulary_and_merges() {
    let from = fixture("fcoref/published");
    let folder = copied(&from, &["config.json", "pytorch_model.bin"]);
    let whole = json(&from.join("tokenizer.json"));
    fs::write(folder.path().join("vocab.json"), whole["model"]["vocab"].to_string()).unwrap();
    let merges: Vec<String> = list(&whole["model"]["merges"])
        .iter()
        .map(|merge| match merge.as_str() {
            Some(line) => line.to_owned(),
            None => format!("{} {}", merge[0].as_str().unwrap(), merge[1].as_str().unwrap()),
        })
        .collect();
    fs::write(folder.path().join("merges.txt"), format!("#version: 0.2\n{}\n", merges.join("\n"))).unwrap();
    let load =
        |folder: &Path| FCoref::load(&ModelSource::Folder(folder.to_owned()), ComputeDevice::Cpu).unwrap();
    let (known, ours) = (load(&from), load(folder.path()));
    assert_ne!(known.identity().settings_sha256, ours.identity().settings_sha256);
    for text in texts() {
        let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
        assert_eq!(ours.token_ids(&words).unwrap(), known.token_ids(&words).unwrap(), "{text:?}");
    }
}

#[test]
fn the_digest_covers_settings_that_define_the_tokenizer() {
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
