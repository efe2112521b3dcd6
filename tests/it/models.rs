//! `veridic models`: bundled models, folders and names; models of a hub, here a small server.
#[cfg(feature = "hub")]
#[allow(dead_code, reason = "only a part of what the store's tests use")]
#[path = "../../models/store/tests/it/hub.rs"]
mod hub;

use crate::common;
use crate::common::{Place, tiny};
use insta::assert_snapshot;

#[test]
fn info_describes_a_folder() {
    let place = Place::new();
    let text = place.run(["models", "info", &tiny()]).ok();
    assert_snapshot!("info", place.plain(&text));
}

#[test]
fn models_of_the_bert_family_can_judge() {
    let place = Place::new();
    for (name, network) in [("bert", "BERT"), ("mpnet", "MPNet"), ("mpnet_int8", "MPNet")] {
        let folder = common::repository(&format!("models/tests/fixtures/bert/{name}"));
        let folder = folder.to_str().unwrap();
        let info = place.run(["models", "info", folder]).ok();
        for part in [network, "entailment, neutral, contradiction", "512", "3 layers"] {
            assert!(info.contains(part), "{name}: {part} in {info}");
        }
        let checked = place.run(["models", "check", folder]);
        assert!(checked.stdout.contains("expected      contradiction"), "{name}: {}", checked.stderr);
        for dtype in ["f32", "int8"] {
            let more = ["--dtype", dtype, "--set", "screen=off"];
            let result = place.score(folder, "The cat sat.", "The cat.", &more);
            let result = result.json();
            assert_eq!(result["models"]["nli"]["id"].as_str(), Some(folder));
            assert!(info.contains(result["models"]["nli"]["sha256"].as_str().unwrap()), "{name}, {dtype}");
        }
    }
}

#[test]
fn unknown_names_and_broken_folders_are_errors() {
    let place = Place::new();
    let folder = common::repository("models/tests/fixtures/bad/weights_cut_in_half");
    let names = ["nosuch", "\"\"", "nowhere/at/all", folder.to_str().unwrap()];
    assert_snapshot!("unknown", place.refusals(&names.map(|name| format!("models info {name}"))));
}

/// The same model was called small only by its name, and not in a folder.
#[cfg(feature = "bundled")]
#[test]
fn mini_is_the_same_by_its_name_and_in_a_folder() {
    let folder = common::repository("models/weights/mini").to_str().unwrap().to_owned();
    let copied = Place::new();
    let copy = copied.path("other name").to_str().unwrap().to_owned();
    std::fs::create_dir(&copy).unwrap();
    for file in ["config.json", "tokenizer.json", "model.int8.safetensors", "README.md", "rules.toml"] {
        std::fs::copy(format!("{folder}/{file}"), format!("{copy}/{file}")).unwrap();
    }
    let judged = |model: &str| {
        let texts = [
            (
                "Anna Berg opened the bakery in 1962. It cost 4.2 million euros.",
                "It cost 5 million euros. Anna Berg opened it.",
            ),
            ("Der Rat tagte am Dienstag und lehnte den Plan für die neue Straße ab.", "The council met."),
        ];
        texts.map(|(document, summary)| {
            let output = Place::new().score(model, document, summary, &[]);
            let notes = output.stderr.replace(model, "MODEL");
            let mut result = output.json();
            assert_eq!(result["models"]["nli"]["id"].take(), model);
            (result, notes)
        })
    };
    let by_name = judged("mini");
    assert!(by_name[0].1.contains("`MODEL`, which is small"), "{}", by_name[0].1);
    assert_eq!(judged(&folder), by_name);
    assert_eq!(judged(&copy), by_name);
}

#[cfg(feature = "hub")]
mod of_a_hub {
    use std::collections::BTreeMap;
    use std::fs;
    use std::path::PathBuf;
    use std::process::Command;

    use serde_json::{Value, json};

    use insta::assert_snapshot;

    use super::hub::{Fault, File, Hub, Repository, sha256};
    use crate::common::{Output, Place, finish, list, number, repository};
    #[cfg(target_os = "linux")]
    use crate::faults::Work;

    const COMMIT: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    const TINY: &str = "models/tests/fixtures/deberta/tiny_with_tokenizer";
    const CHECKER: &str = "models/tests/fixtures/layouts/checker";
    const T5_CHECKER: &str = "models/tests/fixtures/t5_judges/answers";
    const HHEM: &str = "models/tests/fixtures/t5_judges/hhem";
    const ALIGNSCORE: &str = "models/tests/fixtures/alignscore";
    const FOUNDATION: &str = "google/flan-t5-base";

    /// A hub with one model, and an empty cache.
    struct Setup {
        hub: Hub,
        place: Place,
    }

    impl Setup {
        fn with(id: &str, folder: &str) -> Self {
            let setup = Self { hub: Hub::start(), place: Place::new() };
            setup.put(id, folder);
            setup
        }

        /// Adds a model to the hub.
        fn put(&self, id: &str, folder: &str) {
            let files = |entry: std::io::Result<fs::DirEntry>| {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_str().unwrap().to_owned();
                let is_large = name.ends_with(".safetensors");
                (name, File::new(fs::read(path).unwrap(), is_large))
            };
            let files: BTreeMap<String, File> =
                fs::read_dir(repository(folder)).unwrap().map(files).collect();
            let commits = BTreeMap::from([(COMMIT.to_owned(), files)]);
            let branches = BTreeMap::from([("main".to_owned(), COMMIT.to_owned())]);
            self.hub.put(id, Repository { commits, branches, ..Repository::default() });
        }

        fn command(&self, arguments: &[&str]) -> Command {
            self.command_in(&self.place, arguments)
        }

        /// A command with the cache of this folder.
        fn command_in(&self, place: &Place, arguments: &[&str]) -> Command {
            let mut command = place.command(arguments);
            let variables =
                ["HF_TOKEN", "HF_HUB_CACHE", "HF_HUB_OFFLINE", "http_proxy", "HTTP_PROXY", "ALL_PROXY"];
            for name in variables {
                command.env_remove(name);
            }
            command.env("HF_ENDPOINT", &self.hub.endpoint).env("HF_HOME", place.path("home"));
            command
        }

        fn run(&self, arguments: &[&str]) -> Output {
            finish(self.command(arguments))
        }

        fn snapshot(&self, repository: &str) -> PathBuf {
            let name = repository.replace('/', "--");
            self.place.path(&format!("home/hub/models--{name}/snapshots/{COMMIT}"))
        }
    }

    #[test]
    fn pulled_model_judges_without_the_hub() {
        let setup = Setup::with("owner/tiny", TINY);
        setup.place.write("d.txt", "The pool closes in March. It is old.");
        setup.place.write("s.txt", "The pool closes.");
        let score = ["score", "d.txt", "s.txt", "--format", "json", "--model"];
        let with = |model: &str| setup.run(&[&score[..], &[model]].concat());
        let error = with("owner/tiny").error();
        assert!(error.contains("veridic models pull owner/tiny"), "{error}");
        assert!(setup.hub.all_requests().is_empty(), "the hub is contacted by `pull` alone");

        let pulled = setup.run(&["models", "pull", "owner/tiny"]).ok();
        assert!(pulled.contains("3 files fetched") && pulled.contains("digests recorded"), "{pulled}");
        setup.hub.clear_requests();
        let mut ours = with("owner/tiny").json();
        let mut theirs = with(repository(TINY).to_str().unwrap()).json();
        assert_eq!(ours["models"]["nli"]["id"], "owner/tiny");
        for result in [&mut ours, &mut theirs] {
            result["models"]["nli"]["id"] = Value::Null;
        }
        assert_eq!(ours, theirs);
        let again = setup.run(&["models", "pull", "owner/tiny", "--offline"]).ok();
        assert!(again.contains("nothing to fetch") && again.contains("match the first pull"), "{again}");
        assert!(setup.hub.all_requests().is_empty());
        assert!(setup.run(&["models", "info", "owner/tiny"]).ok().contains(COMMIT));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_pull_with_a_fault_at_any_call_leaves_no_wrong_file() {
        let setup = Setup::with("owner/tiny", TINY);
        let pull = |place: &Place| setup.command_in(place, &["models", "pull", "owner/tiny", "-q"]);
        let incomplete = &[".incomplete", ".lock", ".new"];
        let work = Work { place: &Place::new, command: &pull, again: &pull, incomplete };
        assert!(work.assert_survives() >= 20);
    }

    /// No message was printed.
    #[cfg(unix)]
    #[test]
    fn a_pull_that_is_stopped_says_how_to_go_on_and_continues() {
        let setup = Setup::with("owner/tiny", TINY);
        setup.hub.fault("GET", "/content/", Fault::Slow(std::time::Duration::from_secs(2)));
        let mut command = setup.command(&["models", "pull", "owner/tiny", "-q"]);
        let child = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
        let is_fetching = || !setup.hub.requests("GET", "/content/").is_empty();
        assert!(crate::common::runs::wait_until(is_fetching));
        std::thread::sleep(std::time::Duration::from_millis(300));
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let stopped = child.wait_with_output().unwrap();
        let message = String::from_utf8(stopped.stderr).unwrap();
        assert_eq!(stopped.status.code(), Some(2), "{message}");
        assert!(message.contains("what was fetched is kept. Continue with: "), "{message}");
        assert!(message.trim_end().ends_with("models pull owner/tiny -q"), "{message}");
        setup.hub.clear_requests();
        setup.run(&["models", "pull", "owner/tiny", "-q"]).ok();
        let continued = setup.hub.requests("GET", "/content/");
        assert!(continued[0].range.is_some(), "{continued:?}");
    }

    /// The store's tests change each of the files.
    #[test]
    fn changed_file_is_an_error_with_both_digests() {
        let setup = Setup::with("owner/tiny", TINY);
        setup.run(&["models", "pull", "owner/tiny", "-q"]).ok();
        let verify = || setup.run(&["models", "verify", "owner/tiny"]);
        assert!(verify().ok().contains("same     owner/tiny: config.json"));
        let path = setup.snapshot("owner/tiny").join("config.json");
        let mut bytes = fs::read(&path).unwrap();
        let recorded = sha256(&bytes);
        let last = bytes.iter().rposition(|byte| byte.is_ascii_digit()).unwrap();
        bytes[last] = if bytes[last] == b'1' { b'2' } else { b'1' };
        fs::write(&path, &bytes).unwrap();
        let found = sha256(&bytes);
        let output = verify();
        let has_both = output.stdout.contains(&recorded) && output.stdout.contains(&found);
        assert!(output.code == 1 && has_both, "{}", output.stdout);
        let pair = ["nli", "--premise", "a b", "--hypothesis", "a", "--model", "owner/tiny"];
        setup.run(&pair).clear_error(&["config.json", &recorded, &found]).unwrap();
        setup.run(&["models", "pull", "owner/tiny", "-q"]).ok();
        setup.run(&pair).ok();
    }

    #[test]
    fn checker_uses_its_authors_template() {
        let info = assert_checker("minicheck-roberta", "lytang/MiniCheck-RoBERTa-Large", CHECKER);
        assert!(info.contains("{document}</s>{claim}") && info.contains("not_entailment"), "{info}");
        let info = assert_checker("minicheck-flan-t5", "lytang/MiniCheck-Flan-T5-Large", T5_CHECKER);
        assert!(info.contains("predict: {document}</s>{claim}"), "{info}");
        assert!(info.contains("of up to 500 words between white space"), "{info}");
        let info = assert_checker("hhem", "vectara/hallucination_evaluation_model", HHEM);
        assert!(info.contains("Determine if the hypothesis is true"), "{info}");
    }

    #[test]
    fn a_tokenizer_of_another_repository_is_pulled_and_verified() {
        let setup = Setup::with("vectara/hallucination_evaluation_model", HHEM);
        assert!(setup.run(&["models", "pull", "hhem", "-q"]).error().contains(FOUNDATION));
        setup.put(FOUNDATION, T5_CHECKER);
        setup.run(&["models", "pull", "hhem", "-q"]).ok();
        let own = setup.snapshot("vectara/hallucination_evaluation_model");
        assert!(own.join("model.safetensors").is_file() && !own.join("tokenizer.json").exists());
        let other = setup.snapshot(FOUNDATION);
        assert!(other.join("tokenizer.json").is_file() && !other.join("model.safetensors").exists());
        let verified = setup.run(&["models", "verify", "hhem"]).ok();
        assert!(verified.contains("google/flan-t5-base: tokenizer.json"), "{verified}");
        fs::remove_file(other.join("tokenizer.json")).unwrap();
        let error = setup.run(&["nli", "--premise", "a", "--hypothesis", "b", "--model", "hhem"]).error();
        assert!(error.contains("veridic models pull hhem"), "{error}");
    }

    #[test]
    fn two_checkpoints_of_one_repository_are_pulled_with_their_encoders_settings() {
        let setup = Setup::with("FacebookAI/roberta-base", ALIGNSCORE);
        fs::create_dir(setup.place.path("checkpoints")).unwrap();
        let checkpoint = repository(ALIGNSCORE).join("AlignScore-tiny.ckpt");
        for name in ["AlignScore-base.ckpt", "AlignScore-large.ckpt"] {
            setup.place.write(&format!("checkpoints/{name}"), fs::read(&checkpoint).unwrap());
        }
        setup.put("yzha/AlignScore", setup.place.path("checkpoints").to_str().unwrap());
        let own = setup.snapshot("yzha/AlignScore");
        setup.run(&["models", "pull", "alignscore-base", "-q"]).ok();
        assert!(own.join("AlignScore-base.ckpt").is_file() && !own.join("AlignScore-large.ckpt").exists());
        let encoder = setup.snapshot("FacebookAI/roberta-base");
        assert!(encoder.join("config.json").is_file() && !encoder.join("AlignScore-tiny.ckpt").exists());
        assert!(setup.run(&["models", "pull", "alignscore-large", "-q"]).error().contains("roberta-large"));
        setup.put("FacebookAI/roberta-large", ALIGNSCORE);
        setup.run(&["models", "pull", "alignscore-large", "-q"]).ok();
        let folder = repository(ALIGNSCORE);
        for name in ["alignscore-base", "alignscore-large"] {
            let of = |model: &str| {
                let pair = ["nli", "--premise", "It rained.", "--hypothesis", "It was wet.", "-q", "--model"];
                setup.run(&[&pair[..], &[model]].concat()).ok()
            };
            assert_eq!(of(name), of(folder.to_str().unwrap()), "{name}");
            let info = setup.run(&["models", "info", name]).ok();
            assert!(info.contains(name) && info.contains("yzha/AlignScore"), "{info}");
            assert!(setup.run(&["models", "verify", name]).ok().contains("config.json"));
        }
    }

    /// The checker of that name gives the logits of the fixture's reference; returns the output of `models info` for it.
    fn assert_checker(name: &str, hub_id: &str, fixture: &'static str) -> String {
        let setup = Setup::with(hub_id, fixture);
        setup.put(FOUNDATION, fixture);
        setup.run(&["models", "pull", name, "-q"]).ok();
        let expected = fs::read(repository(fixture).join("expected.json")).unwrap();
        let expected: Value = serde_json::from_slice(&expected).unwrap();
        let has_texts = |row: &&Value| {
            let text = |name: &str| row[name].as_str().unwrap_or("").trim().to_owned();
            !text("premise").is_empty() && text("hypothesis").chars().any(char::is_alphanumeric)
        };
        for (number_of_row, row) in list(&expected["rows"]).iter().filter(has_texts).enumerate() {
            let [document, claim] = ["premise", "hypothesis"].map(|name| row[name].as_str().unwrap());
            let logits: Vec<f64> = list(&row["logits"]).iter().map(number).collect();
            let supported = 1.0 / (1.0 + (logits[0] - logits[1]).exp());
            setup.place.write("rows.jsonl", json!({"document": document, "summary": claim}).to_string());
            let output = format!("{number_of_row}.jsonl");
            setup.run(&["run", "rows.jsonl", "-o", &output, "-q", "--model", name, "--dtype", "f32"]).ok();
            let result: Value = serde_json::from_str(&setup.place.read(&output)).unwrap();
            assert_eq!(result["profile"]["name"], "checker");
            assert_eq!(result["profile"]["claims"], "sentence");
            if !document.contains(['\n']) && !document.contains("  ") {
                assert!((number(&result["score"]) - supported).abs() < 1e-4, "{result} {supported}");
            }
            assert_eq!(result["verdict"] == "supported", number(&result["score"]) >= 0.5);
        }
        setup.run(&["models", "info", name]).ok()
    }

    #[cfg(feature = "bundled")]
    #[test]
    fn names_are_known_before_models_are_pulled() {
        let setup = Setup::with("owner/tiny", TINY);
        let told = ["list", "info mini", "info factcg"].map(|command| {
            let arguments: Vec<&str> = ["models"].into_iter().chain(command.split(' ')).collect();
            format!("{command}\n{}\n", setup.run(&arguments).ok())
        });
        assert_snapshot!("names", setup.place.plain(&told.concat()));
        let error = setup.run(&["nli", "--premise", "a", "--hypothesis", "b", "--model", "fenice"]).error();
        assert!(error.contains("deberta-large is not on this machine"), "{error}");
        assert!(setup.hub.all_requests().is_empty());
    }
}

#[cfg(feature = "bundled")]
#[test]
fn check_finds_a_wrong_order_of_labels() {
    let place = Place::new();
    let right = place.run(["models", "check", "mini"]).ok();
    assert!(right.contains("looks right"), "{right}");
    let wrong = place.run(["models", "check", "mini", "--labels", "contradiction,entailment,neutral"]);
    assert_eq!(wrong.code, 1);
    assert_snapshot!(wrong.stdout.lines().next_back().unwrap(), @"The order of the labels looks WRONG: entailment looks like neutral, neutral looks like contradiction, contradiction looks like entailment. Give the labels in output order with --labels.");
}
