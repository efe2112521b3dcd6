//! Tokenizers and weights made to fill the memory or to take minutes: refused by their settings, with the file's name.

use std::fs;

use serde_json::{Value, json};
use veridic_models::{ModelSource, NliModel, PairTokenizer, SentencePiece, TokenCounter, Weights};

use crate::common::{copied, fixture, json, options};

/// A published tokenizer.json with another `part`.
fn with(part: &str, value: Value) -> Vec<u8> {
    let mut whole = json(&fixture("roberta/published").join("tokenizer.json"));
    whole[part] = value;
    whole.to_string().into_bytes()
}

/// The same with a list of `count` times `entry` in the place of the text `MANY`.
fn with_many(part: &str, value: Value, count: usize, entry: &str) -> Vec<u8> {
    let many = format!("[{}]", vec![entry; count].join(","));
    String::from_utf8(with(part, value)).unwrap().replace("\"MANY\"", &many).into_bytes()
}

fn parse(json: &[u8]) -> Result<PairTokenizer, String> {
    PairTokenizer::parse(json, "tokenizer.json", usize::MAX).map_err(|error| error.to_string())
}

fn refusal(json: &[u8]) -> String {
    let error = parse(json).err().expect("it was loaded");
    assert!(error.starts_with("tokenizer.json: "), "{error}");
    error
}

fn replace(pattern: Value, content: &str) -> Value {
    json!({"type": "Replace", "pattern": pattern, "content": content})
}

fn sequence(steps: &[Value]) -> Value {
    json!({"type": "Sequence", "normalizers": steps})
}

/// A table of replacements with one key of one byte. The root's children start at unit 256.
fn charsmap(key: u8, replacement: &str) -> Vec<u8> {
    let mut units = vec![0u32; 1024];
    units[0] = 256 << 10;
    // The key's unit: its label, the flag of a value, and its children, from 512 on; its value is 0.
    units[256 ^ usize::from(key)] = (256 ^ u32::from(key) ^ 512) << 10 | 1 << 8 | u32::from(key);
    let trie: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    [&4096u32.to_le_bytes(), &trie[..], replacement.as_bytes(), b"\0"].concat()
}

fn base64(bytes: &[u8]) -> String {
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for part in bytes.chunks(3) {
        let bits = part.iter().fold(0, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - part.len()));
        for place in 0..4 {
            let digit = digits[(bits >> (18 - 6 * place) & 63) as usize];
            text.push(if place > part.len() { '=' } else { digit.into() });
        }
    }
    text
}

fn table(key: u8, replacement: &str) -> Value {
    json!({"type": "Precompiled", "precompiled_charsmap": base64(&charsmap(key, replacement))})
}

#[test]
fn normalizers_that_multiply_a_text_are_refused() {
    let a = || json!({"String": "a"});
    let thousand = || replace(a(), &"a".repeat(1000));
    for (normalizer, reason) in [
        (sequence(&[thousand(), thousand(), thousand()]), "more than 8 times"),
        (thousand(), "more than 8 times"),
        (replace(a(), "nine char"), "more than 8 times"),
        // Its compatibility form is 11 times as long.
        (replace(json!({"String": "abc"}), "\u{fdfa}"), "more than 8 times"),
        (sequence(&[replace(a(), "aaa"), replace(a(), "aaa")]), "more than 8 times"),
        (replace(json!({"Regex": "a|bc"}), &"a".repeat(9)), "more than 8 times"),
        (replace(json!({"Regex": "(?=a)"}), &"a".repeat(9)), "more than 8 times"),
        (replace(json!({"Regex": "x*"}), "a"), "also matches nothing"),
        (replace(json!({"String": ""}), "a"), "also matches nothing"),
        (json!({"type": "Prepend", "prepend": "a".repeat(65)}), "add more than 64 bytes"),
        // The library also takes steps without their type, and without their names.
        (json!({"prepend": "a".repeat(65)}), "add more than 64 bytes"),
        (json!(["a".repeat(65)]), "not an object"),
        (sequence(&vec![json!({"type": "ByteLevel"}); 4]), "more than 8 times"),
        (sequence(&vec![json!({"type": "NFC"}); 64]), "65 steps"),
        (table(b'a', &"a".repeat(9)), "more than 8 times"),
        (table(b'a', &"a".repeat(300)), "more than 256 bytes"),
        (json!({"type": "Precompiled", "precompiled_charsmap": ""}), "damaged"),
        (json!({"type": "Precompiled", "precompiled_charsmap": "AAAA"}), "damaged"),
    ] {
        let error = refusal(&with("normalizer", normalizer.clone()));
        assert!(error.contains(reason) && error.contains("published"), "{normalizer}: {error}");
    }
}

/// As in tokenizers of T5, Llama, CLIP and the second DeBERTa.
#[test]
fn normalizers_of_published_tokenizers_are_accepted() {
    let nfc = || json!({"type": "NFC"});
    let spaces = || replace(json!({"Regex": " {2,}"}), "\u{2581}");
    for normalizer in [
        json!(null),
        sequence(&[json!({"type": "Strip", "strip_left": false, "strip_right": true}), spaces()]),
        sequence(&[
            json!({"type": "Prepend", "prepend": "\u{2581}"}),
            replace(json!({"String": " "}), "\u{2581}"),
        ]),
        sequence(&[nfc(), replace(json!({"Regex": r"\s+"}), " "), json!({"type": "Lowercase"})]),
        sequence(&[replace(json!({"Regex": r"\s{2,}|[\n\r\t]"}), " "), nfc()]),
        sequence(&[json!({"type": "NFKD"}), json!({"type": "StripAccents"}), table(b'a', "aa")]),
        json!({"type": "ByteLevel"}),
        replace(json!({"Regex": "(?<!a)b"}), "c"),
        replace(json!({"Regex": "x*"}), ""),
    ] {
        let tokenizer = parse(&with("normalizer", normalizer.clone()));
        let tokenizer = tokenizer.unwrap_or_else(|error| panic!("{normalizer}: {error}"));
        assert!(!tokenizer.text("A cat  sat.\nIt ran.").unwrap().is_empty());
    }
    // U+FDFA is 11 times as long in Unicode's own form, which a published table has too.
    let tokenizer = parse(&with("normalizer", json!({"type": "NFKC"}))).unwrap();
    assert!(!tokenizer.text("\u{fdfa}").unwrap().is_empty());
}

#[test]
fn pre_tokenizers_and_decoders_that_multiply_a_text_are_refused() {
    let bytes =
        json!({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": false});
    let steps = json!({"type": "Sequence", "pretokenizers": vec![bytes; 30]});
    assert!(refusal(&with("pre_tokenizer", steps)).contains("pre-tokenizer can make a text more than 8"));
    let steps = vec![replace(json!({"String": "a"}), &"a".repeat(1000)); 3];
    let decoder = json!({"type": "Sequence", "decoders": steps});
    assert!(refusal(&with("decoder", decoder)).contains("decoder can make a text more than 8"));
}

#[test]
fn layouts_of_many_special_tokens_are_refused() {
    let special = |id: &str| json!({"SpecialToken": {"id": id, "type_id": 0}});
    let text = |id: &str| json!({"Sequence": {"id": id, "type_id": 0}});
    let template = |single: Vec<Value>, before: usize, ids: usize| {
        let pair = [vec![special("<s>"); before], vec![text("A"), text("B")]].concat();
        let token = json!({"id": "<s>", "ids": vec![0; ids], "tokens": vec!["<s>"; ids]});
        json!({"type": "TemplateProcessing", "single": single, "pair": pair, "special_tokens": {"<s>": token}})
    };
    let single = || vec![special("<s>"), text("A")];
    assert_eq!(parse(&with("post_processor", template(single(), 62, 1))).unwrap().special_tokens(), 62);
    let roberta = json!({"type": "RobertaProcessing", "sep": ["</s>", 2], "cls": ["<s>", 0],
        "trim_offsets": true, "add_prefix_space": false});
    let twice = vec![template(single(), 1, 1); 2];
    for (processor, reason) in [
        (template(single(), 63, 1), "65 tokens"),
        (template(single(), 1, 63), "65 tokens"),
        (json!({"type": "Sequence", "processors": vec![roberta; 30]}), "tokens around"),
        // The library would panic.
        (json!({"type": "Sequence", "processors": twice}), "2 templates"),
        (template(vec![text("A"), text("B")], 1, 1), "second text"),
        (template(vec![special("[X]"), text("A")], 1, 1), "does not describe"),
    ] {
        let error = refusal(&with("post_processor", processor));
        assert!(error.contains(reason) && error.contains("published"), "{error}");
    }
    let mut many = template(single(), 1, 1);
    many["pair"] = json!("MANY");
    let error = refusal(&with_many("post_processor", many, 1_000_000, &special("<s>").to_string()));
    assert!(error.contains("puts 1000000 tokens around the texts"), "{error}");
}

/// Building it would fail for another reason, so the vocabulary was read before.
#[test]
fn a_vocabulary_larger_than_the_embedding_is_refused_before_the_tokenizer_is_built() {
    let vocabulary: Value = (0..1000).map(|id| (format!("t{id}"), json!(id))).collect();
    let bpe = json!({"type": "BPE", "vocab": vocabulary, "merges": [["a", "b"]]});
    let pieces: Vec<Value> = (0..1000).map(|id| json!([format!("t{id}"), -1.0])).collect();
    let unigram = json!({"type": "Unigram", "unk_id": 5000, "vocab": pieces});
    for model in [bpe, unigram] {
        let json = with("model", model);
        let error = PairTokenizer::parse(&json, "tokenizer.json", 999).err().unwrap().to_string();
        let reason = "token `t999` has id 999, the model's embedding has 999 rows";
        assert!(error.contains(reason), "{error}");
        assert!(refusal(&json).contains("is not a tokenizer"));
    }
    let many = with_many("added_tokens", json!("MANY"), 1000, "{}");
    let error = PairTokenizer::parse(&many, "tokenizer.json", 999).err().unwrap().to_string();
    assert!(error.contains("has 1000 added tokens, the model's embedding has 999 rows"), "{error}");
    // The other formats: vocab.json with merges of unknown pieces, and a vocab.txt without an unknown token.
    let rows =
        |variant: &str| json(&fixture("tokenizers").join(variant).join("config.json"))["vocab_size"].clone();
    let files = ["config.json", "model.safetensors"];
    let lines = |variant: &str| (0..=rows(variant).as_u64().unwrap()).map(|id| format!("t{id}"));
    let folder = copied(&fixture("tokenizers/byte_level"), &files);
    let ids: Value = lines("byte_level").enumerate().map(|(id, token)| (token, json!(id))).collect();
    fs::write(folder.path().join("vocab.json"), ids.to_string()).unwrap();
    fs::write(folder.path().join("merges.txt"), "a b\n").unwrap();
    let other = copied(&fixture("tokenizers/word_piece"), &files);
    fs::write(other.path().join("vocab.txt"), lines("word_piece").collect::<Vec<_>>().join("\n")).unwrap();
    for (folder, file) in [(folder, "vocab.json"), (other, "vocab.txt")] {
        let source = ModelSource::Folder(folder.path().to_owned());
        let error = NliModel::load(&source, &options(None)).err().unwrap().to_string();
        assert!(error.contains(file) && error.contains("the tokenizer belongs to another model"), "{error}");
    }
}

/// Without an embedding, which `TokenCounter` does not read.
#[test]
fn more_tokens_than_any_published_model_has_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let tokens = ("model", json!({"type": "Unigram", "unk_id": 0, "vocab": "MANY"}));
    let added = ("added_tokens", json!("MANY"));
    for ((part, value), what, most) in [(tokens, "tokens", 1 << 20), (added, "added tokens", 1 << 16)] {
        let json = with_many(part, value, most + 1, r#"["t", -1.0]"#);
        fs::write(folder.path().join("tokenizer.json"), json).unwrap();
        let error =
            TokenCounter::load(&ModelSource::Folder(folder.path().to_owned())).err().unwrap().to_string();
        let reason = format!("tokenizer.json: has {} {what}, at most {most} are read", most + 1);
        assert!(error.contains(&reason), "{error}");
    }
}

#[test]
fn a_sentencepiece_table_that_multiplies_a_text_is_refused() {
    let model = fs::read(fixture("t5/splitter/spiece.model")).unwrap();
    // A later field 3 with a field 2 replaces the model's table.
    let field = |number: u8, bytes: Vec<u8>| {
        let length = [bytes.len() as u8 & 127 | 128, (bytes.len() >> 7) as u8];
        assert!(bytes.len() < 1 << 14);
        [&[number << 3 | 2][..], &length, &bytes].concat()
    };
    let with = |replacement: &str| [&model[..], &field(3, field(2, charsmap(b'a', replacement)))].concat();
    assert!(SentencePiece::parse(&with(&"a".repeat(8)), "spiece.model").is_ok());
    let error = SentencePiece::parse(&with(&"a".repeat(9)), "spiece.model").err().unwrap().to_string();
    assert!(error.contains("spiece.model: its table of replacements can make a text more than 8"), "{error}");
}

#[test]
fn a_tensor_that_is_there_twice_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    let write = |second: &str, shape: &str| {
        let entry = |name: &str, shape: &str| {
            format!(r#""{name}":{{"dtype":"F32","shape":{shape},"data_offsets":[0,16]}}"#)
        };
        let header = format!("{{{},{}}}", entry("w", "[4]"), entry(second, shape));
        let bytes = [&(header.len() as u64).to_le_bytes(), header.as_bytes(), &[0; 16]].concat();
        fs::write(&path, bytes).unwrap();
        Weights::from_file(&path).err().expect("these are no weights").to_string()
    };
    for (name, shape) in [("w", "[4]"), ("w", "[2,2]"), (r"\u0077", "[4]")] {
        let error = write(name, shape);
        assert!(
            error.contains("model.safetensors") && error.contains("tensor `w` is there twice"),
            "{error}"
        );
    }
    assert!(!write("v", "[4]").contains("twice"), "two tensors of the same bytes are another error");
}
