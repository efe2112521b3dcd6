//! Rules from end to end: setting a value to its current one changes nothing, every interface has the same rules, and
//! invalid settings are refused in one line.
use crate::common::runs::{corpus, json_lines};
use crate::common::server::Server;
use crate::common::{Output, Place, list, models, number, test_each, tiny};
#[cfg(feature = "mcp")]
use crate::mcp::Session;
use insta::assert_snapshot;
use serde_json::{Value, json};
use veridic::Scorer;
use veridic::pipeline::Settings;
use veridic::schedule::ignore_events;

/// The short pair of the README.
const ARTICLE: &str = "The pool closes in March. Repairs would cost 4.2 million euros, the report said.";
const SUMMARY: &str = "The pool closes in March. Repairs would cost 2.4 million euros.";
const PROFILES: [&str; 3] = ["veridic", "paper", "released"];

/// A place with the two texts.
fn place() -> Place {
    let place = Place::new();
    place.write("document.txt", ARTICLE);
    place.write("summary.txt", SUMMARY);
    place
}

fn score(place: &Place, model: &str, more: &[&str]) -> Output {
    let fixed = ["score", "document.txt", "summary.txt", "--format", "json", "-q", "--model", model];
    place.run(fixed.iter().chain(more))
}

/// The keys of the rules and their values.
fn keys(place: &Place, model: &str, more: &[&str]) -> Vec<(String, String)> {
    let printed = place.run(["rules", "--format", "json", "--model", model].iter().chain(more)).json();
    assert!(printed["model"] == model && printed["digest"].as_str().unwrap().len() == 12, "{printed}");
    let mut keys = Vec::new();
    for (key, rule) in printed["rules"].as_object().unwrap() {
        assert!(!rule["from"].as_str().unwrap().is_empty(), "{key}: {rule}");
        keys.push((key.clone(), rule["value"].as_str().unwrap().to_owned()));
    }
    keys
}

/// The rules as a file, `rules.toml`.
fn rules_file(place: &Place, model: &str, more: &[&str]) -> String {
    let text = place.run(["rules", "--model", model].iter().chain(more)).ok();
    place.write("rules.toml", text).to_str().unwrap().to_owned()
}

/// A process per key, where models load fast.
#[test]
fn every_key_at_its_value_changes_no_byte_of_the_programs_output() {
    let (place, tiny) = (place(), tiny());
    for profile in ["paper", "released"] {
        let flag = ["--profile", profile];
        let expected = score(&place, &tiny, &flag).ok();
        let keys = keys(&place, &tiny, &flag);
        assert!(keys.len() > 25, "{keys:?}");
        for (key, value) in keys {
            let set = format!("{key}={value}");
            let more = [&flag[..if key == "profile" { 0 } else { 2 }], &["--set", &set]].concat();
            assert_eq!(score(&place, &tiny, &more).ok(), expected, "{profile} {set}");
        }
    }
    for (flag, value) in [("--claims", "sentence"), ("--coref", "off"), ("--abstain", "off")] {
        let by_flag = score(&place, &tiny, &["--profile", "released", flag, value]).ok();
        assert_eq!(by_flag, score(&place, &tiny, &["--profile", "released"]).ok(), "{flag} {value}");
    }
}

/// All keys together: on the command line, and as the file that `veridic rules` prints.
#[test]
fn all_keys_at_their_values_change_no_byte() {
    for model in models() {
        for profile in PROFILES {
            let place = place();
            let flag = ["--profile", profile];
            let expected = score(&place, &model, &flag).ok();
            let set: Vec<String> = keys(&place, &model, &flag)
                .iter()
                .map(|(key, value)| format!("--set={key}={value}"))
                .collect();
            let set: Vec<&str> = set.iter().map(String::as_str).collect();
            assert_eq!(score(&place, &model, &set).ok(), expected, "{model} {profile}");
            let file = rules_file(&place, &model, &flag);
            assert_eq!(score(&place, &model, &["--rules", &file]).ok(), expected, "{model} {profile}");
            // The file of the file is the same rules.
            let again = keys(&place, &model, &["--rules", &file]);
            assert_eq!(again, keys(&place, &model, &flag), "{model} {profile}");
        }
    }
}

#[test]
fn a_printed_file_changes_no_byte_of_a_run_nor_of_an_answer() {
    let (place, tiny) = (place(), tiny());
    place.write("rows.jsonl", json_lines(&corpus(5, 6, 3)));
    let pair = json!({"document": ARTICLE, "summary": SUMMARY});
    for profile in PROFILES {
        let flag = ["--profile", profile];
        let file = rules_file(&place, &tiny, &flag);
        let outputs = |more: &[&str]| {
            let more = [&["--model", &tiny], more].concat();
            let run = place.run(["run", "rows.jsonl", "-o", "-", "-q"].iter().chain(&more)).ok();
            [run, Server::start(&more).post("/v1/score", &pair).body, checked(&more).to_string()]
        };
        assert_eq!(outputs(&["--rules", &file]), outputs(&flag), "{profile}");
    }
}

/// The answer of `veridic mcp` for the short pair.
#[cfg(feature = "mcp")]
fn checked(more: &[&str]) -> Value {
    let call = json!({"text": SUMMARY, "sources": [{"id": "a", "text": ARTICLE}]});
    Session::start(more).answer("check", &call)
}

#[cfg(not(feature = "mcp"))]
fn checked(_: &[&str]) -> Value {
    Value::Null
}

#[test]
fn a_file_says_who_set_each_value_and_settings_win_over_it() {
    let place = place();
    let tiny = tiny();
    place.write("a.toml", "version = 1\nwindow = 3\nstride = 2\n");
    let more = ["--model", &tiny, "--rules", "a.toml", "--set", "stride=4", "--abstain", "0.1"];
    let printed = place.run(["rules", "--format", "json"].iter().chain(&more)).json();
    for (key, value, from) in [
        ("window", "3", "a.toml"),
        ("stride", "4", "--set stride"),
        ("abstain", "0.1", "--abstain"),
        ("levels", "sentence,coref,window,document", "profile veridic"),
    ] {
        assert_eq!(printed["rules"][key], json!({"value": value, "from": from}), "{key}");
    }
    assert!(printed["rules"]["max_tokens"]["from"].as_str().unwrap().starts_with("model "), "{printed}");
    let text = place.run(["rules"].iter().chain(&more)).ok();
    for line in
        ["version = 1", "window = 3  # a.toml", "stride = 4  # --set stride", "abstain = 0.1  # --abstain"]
    {
        assert!(text.lines().any(|other| other == line), "{line}: {text}");
    }
    assert!(text.contains(printed["digest"].as_str().unwrap()), "{text}");
    let result = score(&place, &tiny, &more[2..]).json();
    assert_eq!(result["profile"]["digest"], printed["digest"]);
    assert_eq!((&result["profile"]["window"], &result["profile"]["stride"]), (&json!(3), &json!(4)));
}

/// The readme's amount was supported under another window, and by another model.
#[test]
#[cfg(feature = "bundled")]
fn a_wrong_amount_is_contradicted_whatever_the_window_and_the_model() {
    for model in ["base", "mini"] {
        let judge = Scorer::builder(model).nli_model(&mut |_| {}).unwrap();
        let scorer = Scorer::builder(model).build().unwrap();
        test_each(["1", "2", "5"], |window| {
            let rules = Scorer::builder(model).set("window", window).unwrap().rules_for(&judge).unwrap();
            let scorer = scorer.clone().with_settings(Settings { rules, ..scorer.settings().clone() });
            let result = json!(scorer.score(ARTICLE, SUMMARY).unwrap());
            let verdicts: Vec<&Value> =
                list(&result["claims"]).iter().map(|claim| &claim["verdict"]).collect();
            assert_eq!(verdicts, ["supported", "contradicted"]);
            assert_eq!(result["verdict"], "contradicted");
            assert!(number(&result["score"]) <= number(&result["limits"]["quantity_nowhere"]));
        });
    }
}

#[test]
fn a_copied_sentence_has_a_high_score_with_the_default_model() {
    let document =
        format!("{ARTICLE} Mayor Anna Lindqvist said the council had no choice. The pool opened in 1974.");
    let row = |sentence| json!({"document": document, "summary": sentence}).to_string();
    let rows = [
        "The pool closes in March.",
        "Repairs would cost 4.2 million euros, the report said.",
        "Mayor Anna Lindqvist said the council had no choice.",
        "The pool opened in 1974.",
    ];
    let place = Place::new();
    place.write("rows.jsonl", rows.map(row).join("\n"));
    let results = place.run(["run", "rows.jsonl", "-o", "-", "-q", "--model", "base"]).json_lines();
    test_each(results, |result| {
        assert!(number(&result["score"]) >= 0.9 && result["verdict"] == "supported");
    });
}

/// Returns the claims of the short pair through every interface.
#[test]
fn every_front_door_gives_the_same_claims() {
    for model in models() {
        let place = place();
        let expected = score(&place, &model, &[]).json();
        place.write("rows.jsonl", json!({"document": ARTICLE, "summary": SUMMARY}).to_string());
        let run = place.run(["run", "rows.jsonl", "-o", "-", "-q", "--model", &model]).json();
        let server = Server::start(&["--model", &model]);
        let served = server.post("/v1/score", &json!({"document": ARTICLE, "summary": SUMMARY})).ok();
        let lines = format!("{}\n{}\n", json!({"document": ARTICLE}), json!({"text": SUMMARY}));
        let streamed = server.send(
            "POST",
            "/v1/score/stream",
            &["Content-Type: application/x-ndjson"],
            lines.as_bytes(),
        );
        let streamed = crate::common::server::read(streamed).lines().pop().unwrap();
        for (door, claims) in
            [("run", &run["claims"]), ("serve", &served["claims"]), ("stream", &streamed["result"]["claims"])]
        {
            assert_eq!(claims, &expected["claims"], "{model} {door}");
        }
        let scorer = Scorer::builder(&model).build().unwrap();
        let mut stream = scorer.stream(ARTICLE).unwrap();
        let mut judged = stream.push(SUMMARY, &ignore_events).unwrap();
        let (last, result) = stream.finish(&ignore_events).unwrap();
        judged.extend(last);
        let sentences: Vec<_> = judged.into_iter().flat_map(|sentence| sentence.claims).collect();
        let whole = scorer.score(ARTICLE, SUMMARY).unwrap();
        for (door, claims) in
            [("pieces", &sentences), ("the end of a stream", &result.claims), ("score_batch", &whole.claims)]
        {
            let claims: Value = serde_json::from_str(&serde_json::to_string(claims).unwrap()).unwrap();
            assert_eq!(claims, expected["claims"], "{model} {door}");
        }
        if cfg!(feature = "mcp") {
            let answer = checked(&["--model", &model]);
            assert_eq!((&answer["verdict"], &answer["score"]), (&expected["verdict"], &expected["score"]));
            for (claim, judged) in list(&answer["claims"]).iter().zip(list(&expected["claims"])) {
                assert_eq!((&claim["text"], &claim["spans"]), (&judged["text"], &judged["summary_spans"]));
                assert_eq!((&claim["verdict"], &claim["score"]), (&judged["verdict"], &judged["score"]));
                assert_eq!(claim["evidence"]["text"], judged["evidence"]["text"]);
            }
        }
    }
}

/// A value out of range in a file was refused as `--set window=0`, without the file.
#[test]
fn bad_rules_files_are_refused_in_one_line() {
    let place = place();
    place.write("rows.jsonl", json!({"document": ARTICLE, "summary": SUMMARY}).to_string());
    let mut told = String::new();
    for text in [
        "window = 3\n",
        "version = 2\nwindow = 3\n",
        "version = 1\nwindow = 3\nwindow = 4\n",
        "version = 1\nwindow = \n",
        "version = 1\nwindw = 3\n",
        "version = 1\nwindow = 0\n",
        "version = 1\nsupported = 1.5\n",
        "version = 1\nsupported = -0.5\n",
        "version = 1\nscore = \"t\"\n",
        "version = 1\ncontrast = \"yes\"\n",
        "version = 1\nwindows = \"joined\"\n",
        "version = 1\n[window]\na = 1\n",
        "version = 1\n[model]\nid = \"x\"\n",
        "version = 1\n[model]\nid = \"another\"\nsha256 = \"abcdefabcdefabcdef\"\n",
        "version = 1\nprofile = \"papr\"\n",
        "{\"format\": \"veridic calibration 2\"}",
    ] {
        place.write("a.toml", text);
        let message = |command: &str| place.refusals(&[format!("{command} --rules a.toml")]);
        let [by_rules, by_score, by_run] =
            ["rules", "score document.txt summary.txt", "run rows.jsonl -o out.jsonl"].map(message);
        let line = |message: &str| message.lines().nth(1).unwrap().to_owned();
        assert_eq!([line(&by_score), line(&by_run)], [line(&by_rules), line(&by_rules)], "{text:?}");
        told += &format!("{text:?}\n{}\n", line(&by_rules));
        assert!(!place.path("out.jsonl").exists(), "{text:?}");
    }
    assert_snapshot!("bad_files", told);
    assert_snapshot!(place.refusals(&["score document.txt summary.txt --rules none.toml"]), @"
    score document.txt summary.txt --rules none.toml
        error: --rules: cannot read none.toml: No such file or directory
    ");
}

/// Setting a level again to the file's value reset the file's coreference, or its screen, to the profile's.
#[test]
fn a_value_of_a_file_can_be_set_again() {
    let (place, tiny) = (place(), tiny());
    place.write(
        "a.toml",
        "version = 1\nprofile = \"released\"\ncoref = \"rules\"\nlevels = \"sentence,coref,window,document\"\n",
    );
    let expected = score(&place, &tiny, &["--rules", "a.toml"]).ok();
    for more in [["--set", "levels=sentence,coref,window,document"], ["--coref", "rules"]] {
        let again = score(&place, &tiny, &[&["--rules", "a.toml"], &more[..]].concat()).ok();
        assert_eq!(again, expected, "{more:?}");
    }
    place.write("b.toml", "version = 1\nscreen = \"words:2\"\n");
    let expected = score(&place, &tiny, &["--rules", "b.toml"]).ok();
    let levels = ["--rules", "b.toml", "--set", "levels=sentence,coref,window,document"];
    assert_eq!(score(&place, &tiny, &levels).ok(), expected);
    // Conflicting values give way.
    let without = score(&place, &tiny, &["--rules", "a.toml", "--coref", "off"]).json();
    assert_eq!(without["profile"]["levels"], json!(["sentence", "window", "document"]));
    let document = score(&place, &tiny, &["--rules", "b.toml", "--set", "levels=document"]).json();
    assert_eq!(
        (&document["profile"]["screen"], &document["profile"]["coref"]),
        (&Value::Null, &json!("off"))
    );
}

#[test]
fn a_setting_is_known_given_once_and_of_use() {
    let place = place();
    let settings = [
        "--set windw=3",
        "--set window",
        "--set =3",
        "--set window=3 --set window=4",
        "--abstain 0.2 --set abstain=0.1",
        "--profile paper --set profile=paper",
        "--set metric=rouge",
        "--window 3",
        "--calibration off",
        "--escalate",
        "--metric rouge",
        "--judge-remote on",
    ];
    let mut commands = settings.map(|more| format!("score document.txt summary.txt {more}")).to_vec();
    let of_no_use = ["window=3", "supported=0.4"];
    commands.extend(of_no_use.map(|set| format!("nli --premise A. --hypothesis B. --set {set}")));
    assert_snapshot!("settings", place.refusals(&commands));
}
