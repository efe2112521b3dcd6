//! Bad input of every kind: exit code 2, one line on stderr that names the file, nothing on stdout, no panic, no file left
//! behind. Broken rows of JSON Lines files are tested with `run`, `nli` and `bench`.
use std::io::Read;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::{Output, Place, finish, list, repository, test_each, tiny};
use insta::assert_snapshot;
use serde_json::{Value, json};

/// Larger than any document that should be judged as a whole.
const TEN_MEGABYTES: usize = 10_000_000;

/// A place with two texts, and what `score` says to these bytes in the place of one of them.
fn score_files(name: &str, bytes: impl AsRef<[u8]>) -> (Place, Output) {
    let place = Place::new();
    for other in ["document.txt", "summary.txt"] {
        place.write(other, "The cat sat.");
    }
    place.write(name, bytes);
    let output = place.run_tiny(&["score", "document.txt", "summary.txt"]);
    (place, output)
}

/// The errors of `score` for each of these contents of both files.
fn told_of_texts(texts: &[&[u8]]) -> String {
    let mut told = String::new();
    for name in ["document.txt", "summary.txt"] {
        for text in texts {
            let (place, output) = score_files(name, text);
            told += &format!("{}\n    {}\n", text.escape_ascii(), place.told(output));
        }
    }
    told
}

#[test]
fn files_without_words_are_errors() {
    let texts: [&str; 9] =
        ["", " ", "\n\n\t\r\n", "\u{feff}", "...", "?! -- ()", "🙂🙂", "\u{200b}\u{a0}", "\0\u{1b}\u{7f}"];
    assert_snapshot!("texts_without_words", told_of_texts(&texts.map(str::as_bytes)));
}

#[test]
fn files_that_are_not_utf8_are_errors() {
    let texts: [&[u8]; 4] = [
        b"The caf\xe9 closed.",
        b"\xff\xfeT\0h\0e\0 \0c\0a\0t\0.",
        b"The cat sat. \xed\xa0\x80",
        b"The cat sat. \xf0\x9f\x99",
    ];
    assert_snapshot!("texts_that_are_not_utf8", told_of_texts(&texts));
}

#[test]
fn tabs_line_ends_and_format_characters_are_not_control_characters() {
    let text = "The\tcat sat.\r\nThe\u{200d} dog\u{a0}sat.\u{2028}It was old.\u{2029}\u{200f}No.\u{ad}";
    Place::new().score_tiny(text, text, &[]).ok();
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let place = Place::new();
    place.write("document.txt", "The cat sat.");
    let score = |name: &str| format!("score document.txt {name}");
    std::fs::create_dir(place.path("folder")).unwrap();
    let commands = ["missing.jsonl", "folder"]
        .map(|name| [score(name), format!("run {name} -o out.jsonl"), format!("nli --input {name}")]);
    assert_snapshot!("unreadable_files", place.refusals(&commands.concat()));
    assert_eq!(place.names(), ["document.txt", "folder"]);
}

#[cfg(unix)]
#[test]
fn file_without_permission_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    let secret = place.write("document.txt", "The cat sat.");
    std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::read(&secret).is_ok() {
        eprintln!("skipped: this user may read every file");
        return;
    }
    assert!(place.run_tiny(&["score", "document.txt", "document.txt"]).error().contains("document.txt"));
}

/// The file is refused within a minute, whatever its ten megabytes contain.
#[track_caller]
fn assert_refused_soon(name: &str, bytes: &str) {
    let start = Instant::now();
    let (_, output) = score_files(name, bytes);
    output.clear_error(&[name]).unwrap();
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn ten_megabytes_are_refused_within_seconds() {
    let sentences = "The old cat sat on the new bridge. ".repeat(TEN_MEGABYTES / 35 + 1);
    for name in ["document.txt", "summary.txt"] {
        assert_refused_soon(name, &sentences);
    }
    assert_refused_soon("document.txt", &"a".repeat(TEN_MEGABYTES));
    assert_refused_soon("document.txt", &"猫".repeat(TEN_MEGABYTES / 3 + 1));
    assert_refused_soon("document.txt", &". ".repeat(TEN_MEGABYTES / 2));
}

#[test]
fn ten_megabytes_in_a_row_are_refused_within_seconds() {
    let place = Place::new();
    let long = "The old cat sat. ".repeat(TEN_MEGABYTES / 17 + 1);
    let row = json!({"document": long, "summary": "A cat.", "premise": long, "hypothesis": "A cat."});
    place.write("rows.jsonl", row.to_string());
    let start = Instant::now();
    let run = ["run", "rows.jsonl", "-o", "out.jsonl", "--on-error", "fail"];
    place.run_tiny(&run).clear_error(&["rows.jsonl"]).unwrap();
    let nli = place.run(["nli", "--input", "rows.jsonl", "--model", &tiny()]);
    assert!(
        nli.code == 2 && nli.stdout.starts_with("{\"error\":\"line 1: the premise has "),
        "{}",
        nli.stdout
    );
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    assert_eq!(place.names(), ["rows.jsonl"]);
}

#[test]
fn empty_jsonl_files_are_errors() {
    let place = Place::new();
    test_each(["", "\n\n", " \r\n", "\u{feff}"], |bytes| {
        place.write("rows.jsonl", bytes);
        let commands = ["run rows.jsonl -o out.jsonl", "nli --input rows.jsonl"];
        assert_snapshot!("empty_rows", place.refusals(&commands));
    });
    assert_eq!(place.names(), ["rows.jsonl"]);
}

#[test]
fn output_in_a_missing_folder_is_named() {
    let place = Place::new();
    place.write("rows.jsonl", r#"{"document":"The cat sat.","summary":"The cat sat."}"#);
    std::fs::create_dir(place.path("folder")).unwrap();
    let outputs = ["nowhere/out.jsonl", "folder", "rows.jsonl/out.jsonl"];
    let commands = outputs.map(|output| format!("run rows.jsonl -o {output}"));
    assert_snapshot!("outputs_without_a_folder", place.refusals(&commands));
    assert_eq!(place.names(), ["folder", "rows.jsonl"]);
}

#[test]
fn errors_of_broken_model_folders_name_the_file() {
    let cases = repository("models/tests/fixtures/bad/cases.json");
    let cases: Value = serde_json::from_slice(&std::fs::read(cases).unwrap()).unwrap();
    let place = Place::new();
    let mut told = String::new();
    test_each(list(&cases["cases"]), |case| {
        let (name, file) = (case["name"].as_str().unwrap(), case["file"].as_str().unwrap());
        let folder = repository(&format!("models/tests/fixtures/bad/{name}"));
        let output = place.score(folder.to_str().unwrap(), "The cat sat.", "The cat.", &[]);
        let error = output.clear_error(&[name, file]).unwrap();
        told += &(place.plain(&error).replace("models/tests/fixtures/bad/", "") + "\n");
    });
    assert_snapshot!("broken_models", told);
}

#[test]
fn probabilities_that_are_nan_are_errors_in_every_command() {
    let place = Place::new();
    let row = |document: &str| {
        let text = "The cat sat.";
        json!({"document": document, "summary": text, "premise": text, "hypothesis": text}).to_string()
    };
    place.write("rows.jsonl", ["Cat 0 sat.", "Cat 0 sat.", "Cat 1 sat."].map(row).join("\n"));
    let folder = repository("models/tests/fixtures/bad/weight_is_nan");
    let commands: [&[&str]; 3] = [
        &["run", "rows.jsonl", "-o", "out.jsonl", "--on-error", "fail"],
        &["nli", "--input", "rows.jsonl"],
        &["nli", "--premise", "The cat sat.", "--hypothesis", "The cat sat."],
    ];
    test_each(commands, |command| {
        let output = place.run([command, &["--quiet", "--model", folder.to_str().unwrap()]].concat());
        output.clear_error(&["weight_is_nan", "model.safetensors"]).unwrap();
    });
    assert_eq!(place.names(), ["rows.jsonl"]);
}

#[test]
fn missing_models_are_named() {
    let place = Place::new();
    std::fs::create_dir(place.path("empty")).unwrap();
    place.write("file", "The cat sat.");
    let models = ["nosuch", "\"\"", "\" \"", "empty", "file", "../nowhere", "org/model"];
    let commands = models.map(|model| format!("score file file --model {model}"));
    assert_snapshot!("missing_models", place.refusals(&commands));
}

#[test]
fn control_characters_of_an_argument_do_not_reach_the_terminal() {
    let place = Place::new();
    test_each(["a\nb", "a\u{1b}[31mb", "a\tb\r"], |name| {
        place.score(name, "The cat sat.", "The cat.", &[]).error();
        place.run(["score", name, name]).error();
        place.run(["nli", "--input", name]).error();
    });
}

#[test]
fn invalid_labels_are_errors() {
    let place = Place::new();
    place.write("text.txt", "The cat sat.");
    let labels = [
        "entailment,neutral",
        "entailment",
        "",
        "a,b,c",
        "entailment,entailment,neutral",
        "neutral,contradiction,other",
    ];
    let mut commands = labels.map(|labels| format!("score text.txt text.txt --set labels={labels}")).to_vec();
    let generic = repository("models/tests/fixtures/bad/labels_generic");
    commands.push(format!("score text.txt text.txt --model {}", generic.display()));
    assert_snapshot!("labels", place.refusals(&commands));
}

#[test]
fn values_out_of_range_are_errors() {
    let place = Place::new();
    place.write("text.txt", "The cat sat.");
    let wrong = [
        ("--set epsilon", &["NaN", "-0.1", "2", "inf", "x", ""][..]),
        ("--set threshold", &["5", "-1.5", "NaN", "x"]),
        ("--set window", &["0", "-1", "1.5", "99999999999999999999"]),
        ("--set stride", &["0", "-1"]),
        ("--set batch_tokens", &["0", "-1"]),
        ("--set max_tokens", &["0", "1", "5", "-1", "5000"]),
        ("--set levels", &["", "sentences", "coref", "sentence,,window"]),
        ("--set supported", &["-0.1", "1.5", "NaN", "x", "off"]),
        ("--set contradicted", &["-0.1", "1.5", "x"]),
        ("--set quantity_nowhere", &["-0.1", "1.5", "x", ""]),
        ("--set contrast", &["", "yes", "1"]),
        ("--set languages", &["", "english"]),
        ("--abstain", &["-0.1", "0.6", "NaN", "x", ""]),
        ("--profile", &["", "Paper", "other"]),
        ("--claims", &["", "other"]),
        ("--fail-under", &["NaN", "x", ""]),
        ("--threads", &["0", "-1", "x", "99999999"]),
        ("--format", &["", "xml"]),
    ];
    let mut told = String::new();
    for (flag, values) in wrong {
        for value in values {
            let arguments = format!("score text.txt text.txt --quiet {flag}={value}");
            let output = place.run_tiny(&arguments.split(' ').collect::<Vec<_>>());
            told += &format!("{}\n", place.told(output));
        }
    }
    assert_snapshot!("values_out_of_range", told);
}

#[test]
fn negative_numbers_are_values_not_flags() {
    let place = Place::new();
    for arguments in [&["--set", "threshold=-0.5"][..], &["--profile", "paper", "--fail-under", "-0.5"]] {
        place.score_tiny("The cat sat.", "The cat.", arguments).ok();
    }
}

#[test]
fn unknown_flags_and_commands_are_errors() {
    let place = Place::new();
    let wrong: [&[&str]; 6] = [
        &[],
        &["frobnicate"],
        &["claims"],
        &["score", "document.txt", "summary.txt", "--frobnicate"],
        &["run", "rows.jsonl"],
        &["models", "frobnicate"],
    ];
    test_each(wrong, |arguments| {
        let output = place.run(arguments);
        assert_eq!((output.code, output.stdout.as_str()), (2, ""), "{}", output.stderr);
        assert!(output.stderr.contains("sage:"), "{}", output.stderr);
    });
}

#[cfg(unix)]
#[test]
fn arguments_that_are_not_utf8_do_not_panic() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    let odd = std::ffi::OsStr::from_bytes(b"caf\xe9.txt");
    let score = std::ffi::OsStr::new("score");
    let output = place.command([score, odd, odd]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"), "{output:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_is_an_error() {
    let place = Place::new();
    place.write("pairs.jsonl", r#"{"premise":"The cat sat.","hypothesis":"The cat sat."}"#);
    place.write("text.txt", "The cat sat.");
    let tiny = tiny();
    let commands: [&[&str]; 3] = [
        &["score", "text.txt", "text.txt", "--set", "screen=off", "--model", &tiny],
        &["nli", "--input", "pairs.jsonl", "--model", &tiny],
        &["models", "info", &tiny],
    ];
    test_each(commands, |command| {
        let mut command = place.command(command);
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let mut child = command.stdout(full).stderr(Stdio::piped()).spawn().unwrap();
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(2), "{stderr}");
        assert!(stderr.starts_with("veridic: ") && !stderr.contains("panicked"), "{stderr}");
    });
}

#[cfg(unix)]
#[test]
fn closed_stdout_causes_no_panic() {
    let place = Place::new();
    place.write(
        "pairs.jsonl",
        "{\"premise\":\"The cat sat.\",\"hypothesis\":\"The cat sat.\"}\n".repeat(2000),
    );
    let tiny = tiny();
    let mut command = place.command(["nli", "--input", "pairs.jsonl", "--model", &tiny]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    child.wait().unwrap();
    assert!(!stderr.contains("panicked"), "{stderr}");
}

#[test]
fn model_folder_with_a_space_and_an_accent_works() {
    let place = Place::new();
    let folder = place.path("mon modèle");
    std::fs::create_dir(&folder).unwrap();
    for name in ["config.json", "model.safetensors", "tokenizer.json"] {
        std::fs::copy(format!("{}/{name}", tiny()), folder.join(name)).unwrap();
    }
    place.write("text.txt", "The cat sat.");
    let score = ["score", "text.txt", "text.txt", "--set", "screen=off", "--model", "mon modèle"];
    finish(place.command(score)).ok();
}
