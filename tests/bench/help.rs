//! The laboratory's help.
use crate::common::Place;
use crate::common::help::assert_short_help;

#[test]
fn help_of_benchmarks_names_those_of_each_paper() {
    let place = Place::new();
    let help = place.run(["--help"]).ok();
    let papers = help.split("Papers,").nth(1).unwrap();
    for (paper, benchmarks) in [
        ("FENICE", &["aggrefact", "story-summeval", "rose"][..]),
        ("FineSurE", &["frank", "realsumm"]),
        ("SumAutoEval", &["summeval", "entities"]),
        ("Extract-then-Evaluate", &["longeval"]),
        ("TofuEval", &["tofueval"]),
    ] {
        for name in benchmarks {
            let is_it = |line: &str| line.trim_start().starts_with(paper) && line.contains(name);
            assert!(papers.lines().any(is_it), "{paper}, {name}: {papers}");
            assert!(place.run([*name, "--help"]).ok().contains("--paper"), "{name}");
        }
    }
}

#[test]
fn short_help_has_one_line_a_flag() {
    assert_short_help(18);
}

#[test]
fn completions_contain_benchmarks_and_flags() {
    let place = Place::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = place.run(["completions", shell]).ok();
        for part in ["veridic-bench", "story-summeval", "key-facts"] {
            assert!(script.contains(part), "{part} for {shell}");
        }
    }
}
