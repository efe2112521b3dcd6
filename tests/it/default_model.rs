//! The default model: its location, and its result for the README's first example.
use crate::common;
use std::fs;
use std::process::Command;

use crate::common::{Place, binary, finish, list, number, repository};
use serde_json::Value;

/// The output of the program with an empty environment and, where the machine allows it, without a network.
fn alone(place: &Place, arguments: &[&str]) -> String {
    let cut_off = ["--net", "--map-root-user"];
    let is_allowed = Command::new("unshare").args(cut_off).arg("true").output();
    let mut command = place.command(arguments);
    if is_allowed.is_ok_and(|output| output.status.success()) {
        command = Command::new("unshare");
        command.args(cut_off).arg(binary()).args(arguments).current_dir(place.path(""));
    }
    command.env_clear();
    finish(command).ok()
}

#[test]
fn the_readmes_first_example_has_the_result_shown_there_wherever_it_runs() {
    let example = |name: &str| repository("examples").join(name).to_str().unwrap().to_owned();
    let place = Place::new();
    let arguments = ["score", &example("article.txt"), &example("summary.txt"), "--format", "json"];
    let result: Value = serde_json::from_str(&alone(&place, &arguments)).unwrap();
    assert_eq!(place.names(), [""; 0], "nothing was written");
    assert_eq!(result["profile"]["claims"], "sentence");
    let verdicts: Vec<&str> =
        list(&result["claims"]).iter().map(|claim| claim["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["supported", "supported", "contradicted", "supported", "unsupported"]);
    let nli = &result["models"]["nli"];
    assert_eq!((nli["id"].as_str(), nli["dtype"].as_str()), (Some("base"), Some("int8")));
    let claims = list(&result["claims"]);
    let quantity = &claims[2]["counter_evidence"]["quantity"];
    assert_eq!(
        (&quantity["claim"], &quantity["document"]),
        (&"2.4 million euros".into(), &"4.2 million euros".into())
    );
    let most = number(&result["limits"]["quantity_nowhere"]);
    assert!(number(&claims[2]["score"]) <= most && most < number(&result["limits"]["supported"]));
    assert_eq!(result["verdict"], "contradicted");
    for claim in claims {
        let words = claim.get("unsupported_words").map(list);
        assert_eq!(words.is_none(), claim["verdict"] == "supported", "{claim}");
        for piece in words.into_iter().flatten() {
            let characters: Vec<char> = claim["text"].as_str().unwrap().chars().collect();
            let [start, end] = [0, 1].map(|at| piece["span"][at].as_u64().unwrap() as usize);
            let text: String = characters[start..end].iter().collect();
            assert_eq!(piece["text"].as_str(), Some(&*text));
            assert!((0.3..=1.0).contains(&number(&piece["probability"])), "{piece}");
        }
    }
    assert_eq!(claims[2]["unsupported_words"][0]["text"], "2.4 million euros");
    assert!(claims[4]["unsupported_words"].to_string().contains("resigned"), "{}", claims[4]);
}

/// A program with a folder `models` next to it, as in a release.
#[test]
fn the_model_beside_the_program_comes_first() {
    let place = Place::new();
    let program = place.path(binary().file_name().unwrap().to_str().unwrap());
    fs::copy(binary(), &program).unwrap();
    let folder = place.path("models/base");
    fs::create_dir_all(&folder).unwrap();
    for entry in fs::read_dir(common::tiny()).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), folder.join(entry.file_name())).unwrap();
    }
    let run = |arguments: &[&str]| {
        let mut command = Command::new(&program);
        command.args(arguments).current_dir(place.folder.path());
        finish(command)
    };
    let info = run(&["models", "info", "base"]).ok();
    assert!(info.contains(folder.to_str().unwrap()), "{info}");
    let pair = ["nli", "--premise", "The cat sat.", "--hypothesis", "It sat.", "--format", "json"];
    let tiny = common::tiny();
    let by_name = run(&[&pair[..], &["--model", &tiny]].concat()).ok();
    assert_eq!(run(&pair).ok(), by_name);
    // A missing file is an error; no other model is used.
    fs::remove_file(folder.join("model.safetensors")).unwrap();
    let error = run(&pair).error();
    assert!(error.contains("models/base") && error.contains("model.safetensors"), "{error}");
}

/// The Python package has the model as links, file by file.
#[test]
fn the_package_has_the_files_of_the_model() {
    let names = |folder: &str| {
        let entries = fs::read_dir(repository(folder)).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    let model = names("models/weights/base");
    assert_eq!(names("python/veridic/models/base"), model);
    assert!(model.contains(&"config.json".to_owned()));
}
