use super::*;
use crate::benchmarks::aggrefact::{self, AggreFact};
use crate::benchmarks::longeval::{Dimension, LongEval};
use crate::benchmarks::summedits::{self, SummEdits};

/// Three cases from five rows: the second and the last are left out.
fn with_left_out() -> Reading<aggrefact::label::Label> {
    let rows = ["d1,BART", "d1,LEAD3", "d1,T5", "d2,T5", "d2,GOLD"].map(|row| {
        let (id, model) = row.split_once(',').unwrap();
        format!("FRANK,cnndm,{id},Text.,Summary.,{model},1,val\n")
    });
    let file = format!("dataset,origin,id,doc,summary,model_name,label,cut\n{}", rows.concat());
    read_file(&AggreFact, "a.csv", file).unwrap()
}

/// Two cases with different ids, a string and a number.
fn with_ids() -> Reading<summedits::Label> {
    let file = r#"[{"id":"a","doc":"d","summary":"s","label":1},{"id":7,"doc":"d","summary":"s","label":0}]"#;
    read_file(&SummEdits::default(), "summedits_news.json", file).unwrap()
}

fn scores(name: &str, content: &str) -> Result<ScoreList, BenchError> {
    keyed_scores(name, content, &[])
}

fn keyed_scores(name: &str, content: &str, key_fields: &[&str]) -> Result<ScoreList, BenchError> {
    ScoreList::of_rows(Files::new(&[(name, content)]).rows(), key_fields)
}

#[track_caller]
fn assert_error<T: std::fmt::Debug>(result: Result<T, BenchError>, words: &str) {
    assert_says(result.unwrap_err(), words);
}

#[test]
fn scores_by_order_include_left_out_rows() {
    let reading = with_left_out();
    let list = ScoreList::of_numbers("0.1\n0.2\r\n\n -0.3 \n4e-1\n0.5").unwrap();
    assert_eq!(list.assign(&reading).unwrap(), (vec![0.1, -0.3, 0.4], MatchedBy::Order));
    let fewer = ScoreList::of_numbers("0.1\n0.3\n0.4\n").unwrap();
    assert_error(fewer.assign(&reading), "3 scores for 5 texts");
}

#[test]
fn ids_must_agree_when_matched_by_order() {
    let reading = with_left_out();
    let lines = |ids: [&str; 5]| {
        let line =
            |id: &str| format!("{{\"schema\":1,\"id\":{id},\"score\":0.5,\"claims\":[],\"input\":{{}}}}\n");
        scores("run.jsonl", &ids.map(line).concat()).unwrap()
    };
    let good = lines(["\"d1\"", "\"d1\"", "null", "\"d2\"", "\"d2\""]);
    assert_eq!(good.assign(&reading).unwrap().1, MatchedBy::Order);
    let shifted = lines(["\"d1\"", "\"d1\"", "\"d2\"", "\"d2\"", "\"d2\""]);
    assert_error(shifted.assign(&reading), "run.jsonl: line 3|id d2|id d1");
}

#[test]
fn order_is_ignored_when_matched_by_id() {
    let reading = with_ids();
    let list = scores(
        "run.jsonl",
        "{\"id\":7,\"score\":0.7}\n{\"id\":\"b\",\"score\":0.2}\n{\"id\":\"a\",\"score\":0.1}\n",
    );
    assert_eq!(list.unwrap().assign(&reading).unwrap(), (vec![0.1, 0.7], MatchedBy::Id));
    let table = scores("run.csv", "id,score\n7,0.7\na,0.1\n").unwrap();
    assert_eq!(table.assign(&reading).unwrap(), (vec![0.1, 0.7], MatchedBy::Id));
    let other = scores("run.jsonl", "{\"id\":8,\"score\":0.7}\n{\"id\":\"a\",\"score\":0.1}\n").unwrap();
    assert_error(other.assign(&reading), "1 of the texts|id 7");
    let twice = scores("run.jsonl", "{\"id\":\"a\",\"score\":0.7}\n{\"id\":\"a\",\"score\":0.1}\n").unwrap();
    assert_error(twice.assign(&reading), "line 2|id a|id 7");
}

#[test]
fn scores_are_matched_by_the_keys_of_the_authors() {
    let benchmark = LongEval { dimension: Dimension::Factuality };
    let row = |document: &str, system: &str, rating: u8| {
        format!(
            r#"{{"doc_id":"{document}","system_id":"{system}","system_output":"It.","scores":{{"consistency":{rating}}},"source":"It."}}"#
        )
    };
    let rows = [row("1", "a", 1), row("1", "b", 2), row("2", "a", 3)];
    let reading = read_file(&benchmark, "arxiv_benchmark.json", format!("[{}]", rows.join(","))).unwrap();
    let of = |content: &str| keyed_scores("scored.json", content, reading.key_fields).unwrap();
    let scored = |document: &str, system: &str, score: f64| {
        format!(r#"{{"doc_id":"{document}","system_id":"{system}","source":"It.","model_score":{score}}}"#)
    };
    // In another order, with one of another document and one twice.
    let all = [
        scored("2", "a", 5.0),
        scored("9", "a", 1.0),
        scored("1", "b", 4.0),
        scored("1", "a", 3.0),
        scored("2", "a", 5.0),
    ];
    let list = of(&format!("[{}]", all.join(",")));
    assert_eq!(list.assign(&reading).unwrap(), (vec![3.0, 4.0, 5.0], MatchedBy::Key));
    let missing = of(&format!("[{}]", all[..3].join(",")));
    assert_error(missing.assign(&reading), "1 of the texts|doc_id 1, system_id a");
    // Two scores of one key: the order decides, and the number is another.
    let other = of(&format!("[{},{}]", all.join(","), scored("2", "a", 1.0)));
    assert_error(other.assign(&reading), "6 scores for 3 texts");
    let unkeyed = of(r#"[{"score":1},{"score":2},{"score":3}]"#);
    assert_eq!(unkeyed.assign(&reading).unwrap().1, MatchedBy::Order);
}

#[test]
fn rows_without_a_score_are_errors() {
    for (row, words) in [
        (r#"{"id":1,"error":{"reason":"too long"},"input":{}}"#, "line 2|could not be judged"),
        (r#"{"schema":1,"shard":{"index":1}}"#, "line 2|veridic merge"),
        (r#"{"id":1,"value":0.1}"#, "line 2|no field `score`|id, value"),
        (r#"{"id":1,"score":null}"#, "line 2|finite"),
        (r#"{"id":1,"score":[1]}"#, "line 2|finite"),
        (r#"{"id":1,"score":1e999}"#, "line 2"),
        ("0.5", "line 2|object"),
    ] {
        assert_error(scores("run.jsonl", &format!("{{\"id\":0,\"score\":0.5}}\n{row}\n")), words);
    }
    for line in ["x", "0.5 0.6", "nan", "inf", "{\"score\":1}"] {
        assert_error(ScoreList::of_numbers(&format!("0.5\n{line}\n")), "line 2|finite number");
    }
    assert_error(ScoreList::of_numbers("").unwrap().assign(&with_ids()), "0 scores for 2 texts");
}
