//! Published tables of all benchmarks, and a run's rows below them.

use super::*;
use crate::benchmarks::aggrefact::AggreFact;

/// The tables of all files.
fn tables() -> Vec<PublishedTable> {
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src/published")).unwrap();
    let paths: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    assert!(!paths.is_empty());
    paths
        .iter()
        .flat_map(|path| protocol::published::parse(&std::fs::read_to_string(path).unwrap()))
        .collect()
}

#[test]
fn rows_and_deviations_fit_their_tables() {
    for table in tables() {
        let name = &table.table;
        assert!(!table.set_up.is_empty() && !table.source.is_empty(), "{name}");
        for row in &table.rows {
            assert_eq!(row.values.len(), table.columns.len(), "{name}: {}", row.name);
            assert!(row.half_widths.len() <= row.values.len(), "{name}: {}", row.name);
        }
        for deviation in &table.differs {
            let is_column = |column: &String| table.columns.contains(column);
            assert!(deviation.columns.iter().all(is_column), "{name}: {deviation:?}");
            assert!(!deviation.what.is_empty() && !deviation.what.ends_with('.'), "{name}: {deviation:?}");
        }
        let columns: std::collections::BTreeSet<_> = table.columns.iter().collect();
        assert_eq!(columns.len(), table.columns.len(), "{name}");
    }
}

#[test]
fn published_rows_come_first_and_deviations_last() {
    let file = "\
dataset,origin,id,doc,summary,model_name,label,cut
F,cnndm,1,d,s,BART,1,val
F,cnndm,1,d,s,BART,0,val
F,cnndm,1,d,s,BART,1,test
F,cnndm,1,d,s,BART,0,test
";
    let figures = figures_of(&AggreFact, "a.csv", file, &[0.9, 0.1, 0.9, 0.1]);
    let tables = AggreFact.show("ours", &figures).beside;
    let lines = against_the_papers(&tables, &RunSetUp::scored("metric of 5 words"));
    let at = |start: &str| lines.iter().position(|line| line.starts_with(start)).unwrap();
    let order = [
        at("FENICE, T5 claims"),
        at("ours"),
        at("published: Scirè"),
        at("the paper's set-up: FENICE with DeBERTa-v3-large"),
        at("this run's: metric of 5 words"),
        at("differs, all figures: sentences are cut by rules"),
        at("differs, AVG: it is the mean"),
    ];
    assert!(order.is_sorted(), "{lines:#?}");
    assert!(!lines[order[1]].contains("published"));
    assert_eq!(lines.iter().filter(|line| line.starts_with("this run's")).count(), 2);
    assert_eq!(lines.iter().filter(|line| line.is_empty()).count(), 1);
    // Differences in the computation of scores do not apply to scores from elsewhere.
    let given = against_the_papers(&tables, &RunSetUp::given("the scores of a file"));
    assert!(!given.iter().any(|line| line.contains("sentences are cut by rules")), "{given:#?}");
    assert!(given.iter().any(|line| line.starts_with("differs, AVG")), "{given:#?}");
    let json = serde_json::to_value(AggreFact.about().published).unwrap();
    assert_eq!(json[0]["differs"][1]["columns"], serde_json::json!(["AVG"]));
    assert!(json[0]["differs"][0].get("columns").is_none());
}
