use proptest::prelude::*;

use super::*;
use crate::benchmarks::aggrefact::{self, AggreFact};
use crate::benchmarks::frank::{Annotations, Frank};
use crate::benchmarks::jsonl::Labelled;
use crate::benchmarks::llm_aggrefact::LlmAggreFact;
use crate::benchmarks::qags::Qags;
use crate::benchmarks::realsumm::RealSumm;
use crate::benchmarks::summedits::SummEdits;
use crate::benchmarks::summeval::{Dimension, Selection, SummEval};

/// A row of AggreFact and its score.
fn row() -> impl Strategy<Value = (String, f64)> {
    let words = (0..2_usize, 0..2_usize, 0..4_usize, 0..2_usize, any::<bool>());
    (words, 0..20_i32).prop_map(|((dataset, origin, model, cut, label), score)| {
        let dataset = ["FRANK", "Cao22"][dataset];
        let origin = ["cnndm", "xsum"][origin];
        let model = ["BART", "GPT2", "PtGen", "GOLD"][model];
        let cut = ["val", "test"][cut];
        let row = format!("{dataset},{origin},1,d,s,{model},{},{cut}\n", u8::from(label));
        (row, f64::from(score) / 20.0)
    })
}

fn reading(rows: &[(String, f64)]) -> Result<(Reading<aggrefact::label::Label>, Vec<f64>), BenchError> {
    let rows_text: String = rows.iter().map(|row| row.0.as_str()).collect();
    let header = "dataset,origin,id,doc,summary,model_name,label,cut\n";
    let reading = read_file(&AggreFact, "a.csv", format!("{header}{rows_text}"))?;
    let scores = reading.cases.iter().map(|case| rows[case.row].1).collect();
    Ok((reading, scores))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn figures_do_not_depend_on_row_order(
        rows in prop::collection::vec(row(), 1..60),
        seed in any::<u64>(),
    ) {
        let mut shuffled = rows.clone();
        veridic_stats::SplitMix64::new(seed).shuffle(&mut shuffled);
        let figures = |rows: &[(String, f64)]| {
            let (reading, scores) = reading(rows).ok()?;
            AggreFact.figures(&reading.cases, &scores).ok()
        };
        match (figures(&rows), figures(&shuffled)) {
            (Some(first), Some(second)) => {
                let values = |figures: &Figures| -> Vec<f64> {
                    let lists = [&figures["multi_threshold"]["cells"], &figures["single_threshold"]["origins"]];
                    lists.iter().flat_map(|list| values(list, "balanced_accuracy")).collect()
                };
                prop_assert_eq!(values(&first), values(&second));
                prop_assert!(values(&first).iter().all(|value| (0.0..=1.0).contains(value)));
            }
            (first, second) => prop_assert!(first.is_none() && second.is_none()),
        }
    }

    #[test]
    fn no_row_causes_a_panic(fields in prop::collection::vec((field_name(), json()), 0..8)) {
        let fields: Vec<String> = fields.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
        let row = format!("{{{}}}\n", fields.join(","));
        read_and_check(&AggreFact, &row);
        read_and_check(&LlmAggreFact { threshold: None }, &row);
        read_and_check(&SummEdits::default(), &row);
        read_and_check(&Qags::default(), &row);
        read_and_check(&RealSumm::default(), &row);
        read_and_check(&SummEval { dimension: Dimension::Consistency, selection: Selection::ALL }, &row);
        if let Ok(rows) = Annotations::read(Files::new(&[("a.jsonl", &row)]).rows()) {
            read_and_check(&Frank { annotations: rows, ..Frank::default() }, &row);
        }
        read_and_check(&Labelled::default(), &row);
    }
}

fn read_and_check(benchmark: &impl Benchmark, row: &str) {
    if let Ok(reading) = read_file(benchmark, "a.jsonl", row) {
        drop(benchmark.check(&reading.cases));
    }
}

fn field_name() -> impl Strategy<Value = &'static str> {
    let names = "dataset origin id doc summary model_name label cut claim article summary_sentences \
        document split edit_types domain model keyfacts human_completeness hash Factuality \
        summary_sentences_annotations decoded text model_id expert_annotations references doc_id \
        transcript sentences raw_annotations Input.eventId Input.summaryId Input.summary_text \
        Input.statement_1";
    prop::sample::select(names.split(' ').collect::<Vec<_>>())
}

/// Values that readers may meet, in JSON.
const VALUES: &str = r#"1|0|null|-1.5e3|"xsum"|"cnndm"|"val"|"test"|"BART"|"é\u0000"|[]|["a"]|{}|""|true|"\ud800"|0.5
[{"sentence":"s","responses":[{"response":"yes"}]}]|[{"sentence":"s","responses":[]}]|[{"text":"a fact"}]
[{"consistency":3},{"consistency":5}]|[{"annotator_0":["NoE"],"annotator_1":[]}]
{"0":{"key_fact_labels":[1,"None"],"sentence_labels":[0],"factuality_labels":[1],"factuality_types":["OutE","EntE"]}}"#;

fn json() -> impl Strategy<Value = &'static str> {
    prop::sample::select(VALUES.split(['|', '\n']).collect::<Vec<_>>())
}
