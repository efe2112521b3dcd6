//! Bad input of every kind: exit code 2, one line on stderr that names the file, nothing on stdout, no panic, no file left
//! behind. Broken rows of JSON Lines files are tested with `run`, `nli` and `bench`.
use crate::common;
use std::io::Read;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::{Place, assert_no_faults, finish, repository, tiny};
use serde_json::Value;

/// Larger than any document that should be judged as a whole.
const TEN_MEGABYTES: usize = 10_000_000;

fn score_files(place: &Place, more: &[&str]) -> common::Output {
    let tiny = tiny();
    place.run(["score", "document.txt", "summary.txt", "--model", &tiny].iter().chain(more))
}

/// The error of `score` for these bytes, which must name their file.
#[track_caller]
fn assert_refused(name: &str, bytes: impl AsRef<[u8]>) -> String {
    let place = Place::new();
    for other in ["document.txt", "summary.txt"] {
        place.write(other, "The cat sat.");
    }
    place.write(name, bytes);
    let error = score_files(&place, &[]).error();
    assert!(error.contains(name), "{error}");
    error
}

#[test]
fn files_without_words_are_errors() {
    for name in ["document.txt", "summary.txt"] {
        for text in
            ["", " ", "\n\n\t\r\n", "\u{feff}", "...", "?! -- ()", "🙂🙂", "\u{200b}\u{a0}", "\0\u{1b}\u{7f}"]
        {
            assert_refused(name, text);
        }
    }
}

#[test]
fn files_that_are_not_utf8_are_errors() {
    for name in ["document.txt", "summary.txt"] {
        assert_refused(name, b"The caf\xe9 closed.");
        assert_refused(name, b"\xff\xfeT\0h\0e\0 \0c\0a\0t\0.\0");
        assert_refused(name, b"The cat sat. \xed\xa0\x80");
        assert_refused(name, b"The cat sat. \xf0\x9f\x99");
    }
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
    assert!(score_files(&place, &[]).error().contains("summary.txt"));
    std::fs::create_dir(place.path("summary.txt")).unwrap();
    assert!(score_files(&place, &[]).error().contains("summary.txt"));
    let tiny = tiny();
    let commands: [&[&str]; 2] =
        [&["run", "missing.jsonl", "-o", "out.jsonl"], &["nli", "--input", "missing.jsonl"]];
    for command in commands {
        let error = place.run(command.iter().chain(&["--model", &tiny])).error();
        assert!(error.contains("missing.jsonl"), "{error}");
        std::fs::create_dir(place.path("missing.jsonl")).unwrap();
        let error = place.run(command.iter().chain(&["--model", &tiny])).error();
        assert!(error.contains("missing.jsonl"), "a folder: {error}");
        std::fs::remove_dir(place.path("missing.jsonl")).unwrap();
    }
    assert_eq!(place.names(), ["document.txt", "summary.txt"]);
}

#[cfg(unix)]
#[test]
fn file_without_permission_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    place.write("summary.txt", "The cat sat.");
    let secret = place.write("document.txt", "The cat sat.");
    std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::read(&secret).is_ok() {
        eprintln!("skipped: this user may read every file");
        return;
    }
    assert!(score_files(&place, &[]).error().contains("document.txt"));
}

/// The file is refused within a minute, whatever its ten megabytes contain.
#[track_caller]
fn assert_refused_soon(name: &str, bytes: &str) {
    let start = Instant::now();
    assert_refused(name, bytes);
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
    let row =
        serde_json::json!({"document": long, "summary": "A cat.", "premise": long, "hypothesis": "A cat."});
    place.write("rows.jsonl", row.to_string());
    let tiny = tiny();
    let start = Instant::now();
    let run = ["run", "rows.jsonl", "-o", "out.jsonl", "--on-error", "fail", "--model", &tiny];
    let error = place.run(run).error();
    assert!(error.contains("rows.jsonl"), "{error}");
    let nli = place.run(["nli", "--input", "rows.jsonl", "--model", &tiny]);
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
    let tiny = tiny();
    for bytes in ["", "\n\n", " \r\n", "\u{feff}"] {
        place.write("rows.jsonl", bytes);
        let commands: [&[&str]; 2] =
            [&["run", "rows.jsonl", "-o", "out.jsonl"], &["nli", "--input", "rows.jsonl"]];
        for command in commands {
            let error = place.run(command.iter().chain(&["--model", &tiny])).error();
            assert!(error.contains("rows.jsonl"), "{command:?}: {error}");
        }
    }
    assert_eq!(place.names(), ["rows.jsonl"]);
}

#[test]
fn output_in_a_missing_folder_is_named() {
    let place = Place::new();
    place.write("rows.jsonl", r#"{"document":"The cat sat.","summary":"The cat sat."}"#);
    std::fs::create_dir(place.path("folder")).unwrap();
    let tiny = tiny();
    for output in ["nowhere/out.jsonl", "folder", "rows.jsonl/out.jsonl"] {
        let error = place.run(["run", "rows.jsonl", "-o", output, "--model", &tiny]).error();
        assert!(error.contains(output), "{error}");
    }
    assert_eq!(place.names(), ["folder", "rows.jsonl"]);
}

#[test]
fn errors_of_broken_model_folders_name_the_file() {
    let cases = repository("models/tests/fixtures/bad/cases.json");
    let cases: Value = serde_json::from_slice(&std::fs::read(cases).unwrap()).unwrap();
    let place = Place::new();
    let mut faults = Vec::new();
    for case in common::list(&cases["cases"]) {
        let (name, file) = (case["name"].as_str().unwrap(), case["file"].as_str().unwrap());
        let folder = repository(&format!("models/tests/fixtures/bad/{name}"));
        let output = place.score(folder.to_str().unwrap(), "The cat sat.", "The cat.", &[]);
        faults.extend(output.clear_error(&[name, file]).err().map(|fault| (name.to_owned(), fault)));
    }
    assert!(common::list(&cases["cases"]).len() > 20);
    assert_no_faults(faults);
}

#[test]
fn probabilities_that_are_nan_are_errors_in_every_command() {
    let place = Place::new();
    let text = "The cat sat.";
    let rows: Vec<String> = (0..8)
        .map(|row| {
            let document = format!("Cat {} sat.", row / 2);
            let label = row % 2;
            serde_json::json!({
                "document": document, "summary": text, "label": label, "premise": text, "hypothesis": text
            })
            .to_string()
        })
        .collect();
    place.write("rows.jsonl", rows.join("\n"));
    let folder = repository("models/tests/fixtures/bad/weight_is_nan");
    let commands: [&[&str]; 3] = [
        &["run", "rows.jsonl", "-o", "out.jsonl", "--on-error", "fail"],
        &["nli", "--input", "rows.jsonl"],
        &["nli", "--premise", text, "--hypothesis", text],
    ];
    let mut faults = Vec::new();
    for command in commands {
        let output = place.run(command.iter().chain(&["--quiet", "--model", folder.to_str().unwrap()]));
        let fault = output.clear_error(&["weight_is_nan", "model.safetensors"]).err();
        faults.extend(fault.map(|fault| (command.join(" "), fault)));
    }
    assert_eq!(place.names(), ["rows.jsonl"]);
    assert_no_faults(faults);
}

#[test]
fn missing_models_are_named() {
    let place = Place::new();
    std::fs::create_dir(place.path("empty")).unwrap();
    place.write("file", "text");
    for model in ["nosuch", "", " ", "empty", "file", "../nowhere", "org/model"] {
        place.score(model, "The cat sat.", "The cat.", &[]).clear_error(&[model]).unwrap();
    }
}

#[test]
fn control_characters_of_an_argument_do_not_reach_the_terminal() {
    let place = Place::new();
    let mut faults = Vec::new();
    for name in ["a\nb", "a\u{1b}[31mb", "a\tb\r"] {
        let outputs = [
            place.score(name, "The cat sat.", "The cat.", &[]),
            place.run(["score", name, name]),
            place.run(["nli", "--input", name]),
        ];
        let found = outputs.into_iter().filter_map(|output| output.clear_error(&[]).err());
        faults.extend(found.map(|fault| (format!("{name:?}"), fault)));
    }
    assert_no_faults(faults);
}

#[test]
fn invalid_labels_are_errors() {
    let place = Place::new();
    let two = "entailment,neutral";
    for labels in
        [two, "entailment", "", "a,b,c", "entailment,entailment,neutral", "neutral,contradiction,other"]
    {
        let error =
            place.score_tiny("The cat sat.", "The cat.", &["--set", &format!("labels={labels}")]).error();
        assert!(error.contains("label"), "{labels}: {error}");
    }
}

#[test]
fn error_of_generic_labels_names_the_flag() {
    let folder = repository("models/tests/fixtures/bad/labels_generic");
    let error = Place::new().score(folder.to_str().unwrap(), "The cat sat.", "The cat.", &[]).error();
    assert!(error.contains("give `labels`"), "{error}");
}

#[test]
fn values_out_of_range_are_errors() {
    let place = Place::new();
    let wrong = [
        ("--set epsilon", &["NaN", "-0.1", "2", "inf", "x", ""][..]),
        ("--set threshold", &["5", "-1.5", "NaN", "x"]),
        ("--fail-under", &["NaN", "x", ""]),
        ("--set window", &["0", "-1", "1.5", "99999999999999999999"]),
        ("--set stride", &["0", "-1"]),
        ("--threads", &["0", "-1", "x"]),
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
        ("--claims", &["", "t5", "other"]),
        ("--format", &["", "xml"]),
    ];
    let mut faults = Vec::new();
    for (flag, values) in wrong {
        for argument in values.iter().map(|value| format!("{flag}={value}")) {
            let arguments: Vec<&str> = argument.splitn(2, ' ').collect();
            let output = place.score_tiny("The cat sat.", "The cat.", &arguments);
            let names_flag = output.stderr.contains(flag) && !output.stderr.contains("panicked");
            if !names_flag || output.code != 2 || !output.stdout.is_empty() {
                faults.push((argument, format!("exit code {}, stderr {:?}", output.code, output.stderr)));
            }
        }
    }
    assert_no_faults(faults);
}

#[test]
fn absurd_number_of_threads_is_an_error() {
    let place = Place::new();
    place.write("text.txt", "The cat sat.");
    let tiny = tiny();
    let mut command =
        place.command(["score", "text.txt", "text.txt", "--threads", "99999999", "--model", &tiny]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() && start.elapsed() < Duration::from_secs(3) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let ended = child.try_wait().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(ended.expect("still starting threads after 3 seconds").code(), Some(2));
}

#[test]
fn negative_numbers_are_values_not_flags() {
    let place = Place::new();
    for arguments in [&["--set", "threshold=-0.5"][..], &["--profile", "paper", "--fail-under", "-0.5"]] {
        place.score_tiny("The cat sat.", "The cat.", arguments).ok();
    }
    let output = place.score_tiny("The cat sat.", "The cat.", &["--set", "epsilon=-0.5"]);
    assert_eq!(output.code, 2);
    assert!(output.stderr.contains("--set epsilon=-0.5"), "{}", output.stderr);
}

#[test]
fn unknown_flags_and_commands_are_errors() {
    let place = Place::new();
    let wrong: [&[&str]; 6] = [
        &[],
        &["frobnicate"],
        &["score"],
        &["score", "document.txt", "summary.txt", "--frobnicate"],
        &["run", "rows.jsonl"],
        &["models", "frobnicate"],
    ];
    for arguments in wrong {
        let output = place.run(arguments);
        assert_eq!((output.code, output.stdout.as_str()), (2, ""), "{arguments:?}: {}", output.stderr);
        assert!(output.stderr.contains("sage:"), "{arguments:?}: {}", output.stderr);
    }
}

#[test]
fn help_and_version_are_printed_on_stdout() {
    let place = Place::new();
    assert!(place.run(["--version"]).ok().starts_with("veridic "));
    for command in ["score", "run", "nli", "models"] {
        assert!(place.run([command, "--help"]).ok().contains("Usage: veridic"), "{command}");
    }
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
    let commands: [&[&str]; 3] =
        [&["score", "text.txt", "text.txt"], &["nli", "--input", "pairs.jsonl"], &["models", "info"]];
    for command in commands {
        let model: &[&str] = if command[0] == "models" { &[&tiny] } else { &["--model", &tiny] };
        let mut command = place.command(command.iter().chain(model));
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let mut child = command.stdout(full).stderr(Stdio::piped()).spawn().unwrap();
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(2), "{stderr}");
        assert!(stderr.starts_with("veridic: ") && !stderr.contains("panicked"), "{stderr}");
    }
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
    finish(place.command(["score", "text.txt", "text.txt", "--model", "mon modèle"])).ok();
}
