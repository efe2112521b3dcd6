//! Short and long help, completions and manual pages, all generated from the flags.
use crate::common;
use crate::common::Place;
use crate::common::help::{assert_short_help, commands};

#[test]
fn short_help_has_one_line_a_flag() {
    assert_short_help(16);
}

#[test]
fn long_help_is_longer_and_names_the_page_of_verdicts() {
    let place = Place::new();
    let mut longer = 0;
    for command in commands(&place) {
        let help = |flag| place.run(command.iter().map(String::as_str).chain([flag])).ok();
        let (short, long) = (help("-h"), help("--help"));
        // `models list` has no longer help.
        let has_more = short.contains("see more with '--help'");
        assert_eq!(long.len() > short.len(), has_more, "{command:?}");
        longer += usize::from(has_more);
    }
    assert!(longer > 12, "{longer}");
    let page = "docs/explanation/verdicts.md";
    for (command, part) in
        [(&[][..], page), (&["score"], page), (&["run"], page), (&["report"], "--keep document,summary")]
    {
        let help = place.run(command.iter().chain(&["--help"])).ok();
        assert!(help.contains(part), "{command:?}: {help}");
    }
    let score = place.run(["score", "--help"]).ok();
    for flag in ["--fail-under", "--fail-on"] {
        let text = score.split(&format!("{flag} <")).nth(1).unwrap();
        let text = text.split("\n      --").next().unwrap();
        assert!(text.contains("docs/explanation/verdicts.md"), "{flag}: {text}");
    }
    assert!(score.contains("- contradicted: The document contradicts it"), "values are described: {score}");
    assert!(place.run(["--version"]).ok().starts_with("veridic "));
}

#[test]
fn completions_contain_commands_flags_and_values() {
    let place = Place::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = place.run(["completions", shell]).ok();
        for part in ["veridic", "completions", "fail-under"] {
            assert!(script.contains(part), "{part} for {shell}");
        }
        // The other shells' completions have no values.
        let has_values = ["bash", "fish", "zsh"].contains(&shell);
        assert_eq!(script.contains("contradicted"), has_values, "{shell}");
    }
    let unknown = place.run(["completions", "bsh"]);
    assert!(unknown.code == 2 && unknown.stderr.contains("bash"), "{}", unknown.stderr);
}

/// Sourced by bash, if it is installed.
#[test]
fn bash_completions_work() {
    let place = Place::new();
    place.write("veridic.bash", place.run(["completions", "bash"]).ok());
    let script = "source veridic.bash; COMP_WORDS=(veridic score --fail-o); COMP_CWORD=2; _veridic veridic --fail-o score; echo \"${COMPREPLY[@]}\"";
    let Ok(output) =
        std::process::Command::new("bash").args(["-c", script]).current_dir(place.folder.path()).output()
    else {
        eprintln!("skipped: bash is not installed");
        return;
    };
    assert_eq!(
        String::from_utf8(output.stdout).unwrap().trim(),
        "--fail-on",
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn every_command_has_a_manual_page() {
    let place = Place::new();
    place.run(["completions", "man", "-o", "man/man1"]).ok();
    for command in commands(&place) {
        let name = [&["veridic".to_owned()][..], &command].concat().join("-");
        let page = place.read(&format!("man/man1/{name}.1"));
        assert!(page.contains(".SH NAME") && page.contains(".SH SYNOPSIS"), "{name}");
    }
    let page = place.run(["completions", "man"]).ok();
    assert!(page.contains(".TH veridic 1") && page.contains("docs/explanation/verdicts.md"), "{page}");
    assert!(place.run(["completions", "zsh", "-o", "x"]).error().contains("manual pages"));
}

/// The contents of a release archive, packed with a short script instead of each program, and without the model's weights.
#[cfg(unix)]
#[test]
fn release_archive_has_completions_and_manual_pages() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    let files =
        ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE", "docs"].map(common::repository);
    let copied = std::process::Command::new("cp").arg("-r").args(files).arg(place.path("")).status();
    assert!(copied.unwrap().success());
    std::fs::create_dir_all(place.path("models/weights/base")).unwrap();
    place.write("models/weights/base/config.json", "{}");
    let script = |name: &str| {
        let program = place.write(name, format!("#!/bin/sh\nexec '{}' \"$@\"\n", common::binary().display()));
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        program
    };
    let (program, _) = (script("veridic"), script("veridic-bench"));
    let mut package = std::process::Command::new("bash");
    package
        .arg(common::repository("scripts/package.sh"))
        .arg(&program)
        .arg("veridic-here")
        .arg(place.path("dist"));
    let output = package.current_dir(place.path("")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let list =
        std::process::Command::new("tar").arg("tzf").arg(place.path("dist/veridic-here.tar.gz")).output();
    let list = String::from_utf8(list.unwrap().stdout).unwrap();
    for part in [
        "veridic",
        "veridic-bench",
        "models/base/config.json",
        "completions/veridic.zsh",
        "completions/veridic-bench.zsh",
        "man/man1/veridic-score.1",
        "docs/explanation/verdicts.md",
        "LICENSE-MIT",
    ] {
        assert!(list.contains(&format!("veridic-here/{part}\n")), "{part} in {list}");
    }
}
