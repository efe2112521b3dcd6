//! `bench tofueval`, `longeval` and `story-summeval` through the real program: joins of labels and documents from
//! different files, loops over extracts, and errors.
use crate::common::runs::json_lines;
use crate::common::{Output, Place, list, number, repository};
use crate::files::{DOCUMENTS, SUMMARIES, assert_svg, assert_words, tiny};
use serde_json::{Value, json};

const CSV: &str = "doc_id,annotation_id,topic,model_name,sent_idx,summ_sent,sent_label,exp,type\n";

/// Two dialogues for dev and two for test, on a main and a marginal topic, by two systems and the sixth.
fn write_tofueval(place: &Place) {
    for (part, dialogues) in [("dev", [0, 1]), ("test", [2, 3])] {
        let mut rows = CSV.to_owned();
        for (number, dialogue) in dialogues.into_iter().enumerate() {
            for (topic, system) in
                [("The cat", "model_A"), ("The boat", "model_B"), ("The cat", "Model-Extra")]
            {
                for sentence in [1, 2] {
                    let (label, kind) =
                        if (sentence + number) % 2 == 0 { ("yes", "") } else { ("no", "Contradiction") };
                    let text = SUMMARIES[(dialogue + sentence) % 4];
                    rows += &format!("D-{dialogue},1,{topic},{system},{sentence},{text},{label},,{kind}\n");
                }
                if number == 0 {
                    let text = SUMMARIES[dialogue % 4];
                    rows += &format!("D-{dialogue},1,{topic},model_C,1,{text},yes,,\n");
                }
            }
        }
        place.write(&format!("mediasum_factual_eval_{part}.csv"), rows);
    }
    place.write("mediasum_topic_category.json", r#"{"The cat": "main", "The boat": "marginal"}"#);
    let interview =
        |number: usize| json!({"id": format!("D-{number}"), "speaker": ["ANN"], "utt": [DOCUMENTS[number]]});
    place.write("news_dialogue.json", Value::from_iter((0..5).map(interview)).to_string());
}

fn tofueval(place: &Place, more: &[&str]) -> Output {
    let fixed = ["tofueval", "--data", "mediasum_factual_eval_dev.csv", "mediasum_factual_eval_test.csv"];
    let joined = ["--transcripts", "news_dialogue.json", "--topics", "mediasum_topic_category.json"];
    place.run([&fixed[..], &joined, &["--model", tiny()], more].concat())
}

#[test]
fn tofueval_joins_sentences_transcripts_and_topics() {
    let place = Place::new();
    write_tofueval(&place);
    let report = tofueval(&place, &["--format", "json"]).json();
    let levels = list(&report["levels"]);
    assert_eq!((&levels[0]["level"], &levels[1]["level"]), (&json!("sentence"), &json!("summary")));
    for level in levels {
        let cells = list(&level["cells"]);
        let topics: Vec<&Value> = cells.iter().map(|cell| &cell["topic"]).collect();
        assert_eq!(topics, [&json!("main"), &json!("marginal"), &Value::Null]);
    }
    assert_eq!(levels[0]["errors"][0]["error"], "Contradiction");
    assert_eq!(list(&report["published"]).len(), 10);
    assert_eq!(list(&levels[0]["summaries"]).len(), 3);
    // In each split four rows of the sixth system, and a repeated row of model_C.
    let left_out = report["data"]["rows_left_out"].as_object().unwrap().values();
    assert!(left_out.eq(&[json!(8), json!(2)]), "{report}");
    let text = tofueval(&place, &[]).ok();
    assert_words(&text, "FPR|SummaC-ZS|published|Contradiction, marginal|all: called consistent above");
    let more =
        tofueval(&place, &["--format", "json", "--with-extra", "--level", "sentence", "--scope", "topic"])
            .json();
    assert_eq!((list(&more["levels"]).len(), &more["scope"]), (1, &json!("topic")));
    assert_eq!(list(&more["levels"][0]["thresholds"]).len(), 2);
    assert!(number(&more["levels"][0]["cells"][2]["texts"]) > number(&levels[0]["cells"][2]["texts"]));
}

/// The authors' repository has no transcripts, and given scores do not need them.
#[test]
fn tofueval_measures_given_scores_without_transcripts() {
    let place = Place::new();
    write_tofueval(&place);
    let data = ["mediasum_factual_eval_dev.csv", "mediasum_factual_eval_test.csv"];
    let (mut sentences, mut summaries) = (Vec::new(), Vec::new());
    for row in
        data.iter().flat_map(|file| place.read(file).lines().skip(1).map(str::to_owned).collect::<Vec<_>>())
    {
        let cells: Vec<&str> = row.split(',').collect();
        let key = json!({"doc_id": cells[0], "topic": cells[2], "model_name": cells[3]});
        let scored = |more: Value| {
            Value::from_iter([&key, &more].into_iter().flat_map(|map| map.as_object().unwrap().clone()))
        };
        let score = f64::from(u8::from(row.contains(",yes,")));
        sentences.push(scored(json!({"sent_idx": cells[4], "score": score})));
        summaries.push(scored(json!({"score": 0.5})));
    }
    place.write("sentences.jsonl", json_lines(&sentences));
    place.write("all.jsonl", json_lines(&[sentences, summaries].concat()));
    let run = |more: &[&str]| {
        let fixed = ["tofueval", "--data", data[0], data[1], "--topics", "mediasum_topic_category.json"];
        place.run([&fixed[..], more].concat())
    };
    let of_sentences = ["--scores", "sentences.jsonl", "--format", "json", "--level", "sentence"];
    let report = run(&of_sentences).json();
    for cell in list(&report["levels"][0]["cells"]) {
        assert_eq!(cell["balanced_accuracy"]["value"], 1.0, "{cell}");
    }
    assert_eq!(list(&run(&["--scores", "all.jsonl", "--format", "json"]).json()["levels"]).len(), 2);
    run(&["--scores", "sentences.jsonl"])
        .clear_error(&["12 summaries", "`sent_idx`", "--level sentence"])
        .unwrap();
    let judged = run(&[]);
    assert!(judged.code == 2 && judged.stderr.contains("--transcripts"), "{}", judged.stderr);
}

/// A language model's yes or no is not compared with a threshold that dev tunes.
#[test]
fn tofueval_takes_yes_and_no_as_they_are() {
    let place = Place::new();
    write_tofueval(&place);
    let metric = ["--metric", "tofueval:sentence", "--level", "sentence"];
    let written = tofueval(&place, &[&metric[..], &["--prompts", "p.jsonl"]].concat());
    assert!(written.stderr.contains("requests in p.jsonl"), "{}", written.stderr);
    // Everything is consistent: on dev, a threshold above yes would be as good.
    let answer = |line: &str| {
        let request: Value = serde_json::from_str(line).unwrap();
        json!({"id": request["id"], "answer": "Yes"}).to_string() + "\n"
    };
    place.write("a.jsonl", place.read("p.jsonl").lines().map(answer).collect::<String>());
    let report =
        tofueval(&place, &[&metric[..], &["--answers", "a.jsonl", "--format", "json"]].concat()).json();
    let level = &report["levels"][0];
    assert_eq!((&level["thresholds"][0]["threshold"], &report["scope"]), (&json!(0.5), &Value::Null));
    for cell in list(&level["cells"]) {
        let of = |name: &str| number(&cell[name]["value"]);
        assert_eq!((of("false_positive_rate"), of("false_negative_rate")), (0.0, 1.0), "{cell}");
    }
}

#[test]
fn tofueval_compares_two_lists_of_scores() {
    let place = Place::new();
    write_tofueval(&place);
    // Fifteen rows in each part, those that are left out included.
    for (name, step) in [("a.txt", 31), ("b.txt", 57)] {
        place.write(name, (0..30).map(|n| format!("0.{}\n", n * step % 97)).collect::<String>());
    }
    let flags = ["--level", "sentence", "--scores", "a.txt", "--against", "b.txt"];
    let both = tofueval(&place, &[&flags[..], &["--format", "json"]].concat()).json();
    assert_eq!(both["against"], "b.txt");
    for cell in list(&both["levels"][0]["cells"]) {
        assert!((0.0..=1.0).contains(&number(&cell["difference"]["p_value"])), "{cell}");
    }
    assert_words(&tofueval(&place, &flags).ok(), "less b.txt");
}

#[test]
fn tofueval_measures_relevance_and_key_points() {
    let place = Place::new();
    write_tofueval(&place);
    let points = |number: usize| format!("D-{number},1,The cat,\"['1. The cat sat.', '2. It rained.']\"\n");
    let topics = (0..4).map(|number| points(number) + &format!("D-{number},1,The boat,\n"));
    let header = "doc_id,annotation_id,topic,key_points\n".to_owned();
    place.write("mediasum_completeness_final.csv", header + &topics.collect::<String>());
    let key_points = ["--metric", "key-points", "--key-points", "mediasum_completeness_final.csv"];
    let report = tofueval(&place, &[&key_points[..], &["--format", "json"]].concat()).json();
    assert_eq!(
        (&report["dimension"], &report["scores"]["metric"]),
        (&json!("completeness"), &json!("key-points"))
    );
    // One of model_B for each dialogue, and two of model_C.
    assert_eq!(report["data"]["rows_left_out"]["summaries of topics without key points"], json!(6));
    assert!((0.0..=1.0).contains(&number(&report["datasets"][0]["mean"]["value"])));
    let relevance = tofueval(&place, &["--metric", "relevance", "--paper"]).ok();
    assert_words(
        &relevance,
        "GPT-3.5-Turbo|this run's: metric relevance|differs, all figures: the files do not name",
    );
    tofueval(&place, &["--metric", "key-points"])
        .clear_error(&["--key-points", "completeness/*.csv"])
        .unwrap();
    tofueval(&place, &key_points[2..]).clear_error(&["--key-points", "--metric key-points"]).unwrap();
    tofueval(&place, &["--metric", "relevance", "--decide-at", "0"]).clear_error(&["--decide-at"]).unwrap();
}

#[test]
fn tofueval_refuses_conflicting_flags() {
    let place = Place::new();
    write_tofueval(&place);
    let ways = tofueval(&place, &["--decide-at", "0.5", "--scope", "topic"]);
    assert!(ways.code == 2 && ways.stderr.contains("--scope"), "{}", ways.stderr);
    let twice = place.run(["tofueval", "--data", "-", "--transcripts", "a", "--topics", "b"]);
    twice.clear_error(&["--data -", "read twice"]).unwrap();
    let topics = ["--transcripts", "news_dialogue.json", "--topics", "news_dialogue.json"];
    let data = ["tofueval", "--data", "mediasum_factual_eval_test.csv"];
    place.run([&data[..], &topics].concat()).clear_error(&["news_dialogue.json", "mediasum or"]).unwrap();
}

fn write_longeval(place: &Place) {
    let row = |number: usize| {
        json!({"doc_id": (number / 2).to_string(), "system_id": (["bart", "pegasus"][number % 2]),
               "source": DOCUMENTS.join(" "), "reference": "A cat sat.", "system_output": SUMMARIES[number % 4],
               "scores": {"relevance": number % 3, "consistency": number * 2 % 5}})
    };
    place.write("gov_benchmark.json", Value::from_iter((0..6).map(row)).to_string());
}

#[test]
fn longeval_loops_over_methods_and_budgets() {
    let place = Place::new();
    write_longeval(&place);
    let fixed = ["longeval", "--data", "gov_benchmark.json", "--model", tiny(), "--format", "json"];
    let of = |more: &[&str]| place.run([&fixed[..], more].concat()).json();
    let grid = of(&["--methods", "lead,rouge-1+2", "--budgets", "30,60"]);
    let settings = list(&grid["settings"]);
    let names: Vec<&str> = settings.iter().map(|setting| setting["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["whole", "lead 30", "lead 60", "rouge-1+2 30", "rouge-1+2 60"]);
    assert_eq!(settings[0]["figures"]["datasets"], of(&[])["datasets"]);
    assert_ne!(settings[0]["figures"], settings[1]["figures"], "an extract is judged");
    let relevance = of(&["--dimension", "relevance", "--metric", "rouge"]);
    assert_eq!(
        (&relevance["dimension"], &relevance["scores"]["metric"]),
        (&json!("relevance"), &json!("rouge"))
    );
    // Extracts by BERTScore may have a separate encoder.
    let encoder = repository("models/tests/fixtures/bertscore/roberta");
    let by_bertscore =
        ["--methods", "bertscore", "--budgets", "30", "--bertscore-model", encoder.to_str().unwrap()];
    assert_eq!(of(&by_bertscore)["settings"][1]["name"], "bertscore 30");
    let text = place.run([&fixed[..5], &["--methods", "nli", "--budgets", "40"]].concat()).ok();
    assert!(text.contains("\nnli 40 ") && text.contains("GPT-4, best extract of each"), "{text}");
    assert!(text.contains("GovReport: best extract nli 40, within 1,024 tokens nli 40"), "{text}");
}

#[test]
fn longeval_leaves_out_empty_extracts_and_draws_the_figures_of_the_paper() {
    let place = Place::new();
    write_longeval(&place);
    let fixed = ["longeval", "--data", "gov_benchmark.json", "--model", tiny()];
    // No sentence has two tokens or fewer.
    let methods = ["--methods", "lead,rouge-1", "--budgets", "2,30,60", "--plots", "plots"];
    let grid = place.run([&fixed[..], &methods, &["--format", "json"]].concat()).json();
    let settings = list(&grid["settings"]);
    assert_eq!((&settings[1]["name"], &settings[1]["left_out"]), (&json!("lead 2"), &json!(6)));
    assert_eq!((&settings[1]["figures"]["datasets"], &settings[2]["left_out"]), (&json!([]), &json!(0)));
    let tokens = |setting: usize| number(&settings[setting]["costs"][0]["tokens"]);
    assert!(tokens(2) < tokens(3) && tokens(3) < tokens(0));
    let shares = list(&settings[2]["places"][0]["shares"]);
    assert!((shares.iter().map(number).sum::<f64>() - 1.0).abs() < 1e-9 && number(&shares[0]) > 0.0);
    for (name, words) in [
        ("pearson_govreport", ["whole documents", "tokens of an extract"]),
        ("spearman_govreport", ["Spearman", "rouge-1"]),
        ("places_govreport", ["extracts of at most 60 tokens", "lead"]),
    ] {
        let svg = place.read(&format!("plots/{name}.svg"));
        assert_svg(&svg);
        assert!(words.iter().all(|word| svg.contains(word)), "{name}: {svg}");
    }
    // Another tokenizer counts other tokens: the extracts are others.
    let other = repository("models/tests/fixtures/roberta/published");
    let counted = ["--methods", "lead", "--budgets", "30", "--budget-tokenizer", other.to_str().unwrap()];
    let counted = place.run([&fixed[..], &counted, &["--format", "json"]].concat()).json();
    assert_ne!(counted["settings"][1]["costs"], settings[2]["costs"]);
    let paper = place.run([&fixed[..], &["--methods", "lead", "--budgets", "30", "--paper"]].concat()).ok();
    assert_words(
        &paper,
        "an extract by the row's method and budget|differs, all figures: of several extracts",
    );
}

#[test]
fn longeval_rejects_conflicting_flags() {
    let place = Place::new();
    write_longeval(&place);
    for more in [
        &["--methods", "best"][..],
        &["--budgets", "128"],
        &["--methods", "lead", "--scores", "x.txt"],
        &["--bertscore-layer", "1", "--methods", "lead"],
    ] {
        let output = place.run([&["longeval", "--data", "gov_benchmark.json"], more].concat());
        assert!(output.code == 2 && output.stderr.contains(more[0]), "{more:?}: {}", output.stderr);
    }
}

#[test]
fn story_summeval_joins_labels_and_stories() {
    let place = Place::new();
    let rows = |stories: [usize; 2]| {
        let row = |number: usize| {
            json!({"summary": SUMMARIES[number], "label": number % 2,
                   "text_id": stories[number / 2].to_string(), "source": "gutenberg"})
        };
        json_lines(&(0..4).map(row).collect::<Vec<_>>())
    };
    place.write("val.jsonl", rows([0, 1]));
    place.write("test.jsonl", rows([2, 3]));
    let story = |number: usize| json!({"id": number.to_string(), "text": DOCUMENTS[number]});
    place.write("stories.jsonl", json_lines(&(0..5).map(story).collect::<Vec<_>>()));
    let fixed = ["story-summeval", "--data", "val.jsonl", "test.jsonl", "--model", tiny()];
    let bench = |more: &[&str]| place.run([&fixed[..], more].concat());
    let report = bench(&["--stories", "stories.jsonl", "--format", "json"]).json();
    assert_eq!((&report["summaries"], &report["val"], &report["stories"]), (&json!(4), &json!(4), &json!(2)));
    let text = bench(&["--stories", "stories.jsonl"]).ok();
    assert!(text.contains("FENICE, claims by GPT-3.5") && text.contains("66.2"), "{text}");
    bench(&[])
        .clear_error(&["val.jsonl", "4 stories of gutenberg", "manu/project_gutenberg", "in --stories"])
        .unwrap();
    bench(&["--stories", "val.jsonl"]).clear_error(&["val.jsonl", "line 1", "`text`"]).unwrap();
}
