use super::*;
use crate::benchmarks::aggrefact::AggreFact;

/// In the format of `aggre_fact_final.csv`, with another system's scores, a document of two lines and repeated ids.
const FILE: &str = "\
dataset,origin,id,doc,summary,model_name,label,cut,DAE_score,DAE_label
FRANK,cnndm,17,\"The vote, he said, was \"\"close\"\".
Nobody left.\",It was close.,BART,1,val,0.9,
FRANK,cnndm,17,The vote was close.,It was clear.,T5,0,val,0.2,
FRANK,cnndm,18,Rain fell.,It rained.,Pegasus,1,test,0.8,1.0
FRANK,cnndm,18,Rain fell.,It snowed.,PegasusDynamic,0,test,0.1,0.0
FRANK,cnndm,18,Rain fell.,Rain fell.,LEAD3,1,test,1.0,1.0
FRANK,cnndm,18,Rain fell.,Rain.,GOLD,1,test,1.0,1.0
FRANK,cnndm,18,Rain fell.,Rain.,GPT5,1,test,1.0,1.0
Wang20,xsum,19,Snow fell.,It snowed.,BertSum,0,test,0.4,
";

fn figures(scores: &[f64]) -> Figures {
    figures_of(&AggreFact, "aggre_fact_final.csv", FILE, scores)
}

#[test]
fn rows_are_categorized_and_other_models_left_out() {
    let reading = read_file(&AggreFact, "aggre_fact_final.csv", FILE).unwrap();
    assert_eq!((reading.rows, reading.texts, reading.cases.len()), (8, 8, 5));
    let left_out: Vec<(&str, usize)> =
        reading.left_out.iter().map(|(reason, rows)| (reason.as_str(), *rows)).collect();
    assert_eq!(
        left_out,
        [
            ("`GOLD`, which the protocol leaves out", 1),
            ("`LEAD3`, which the protocol leaves out", 1),
            ("unknown model name `GPT5`", 1),
        ]
    );
    let first = &reading.cases[0];
    assert_eq!(&*first.document, "The vote, he said, was \"close\".\nNobody left.");
    assert_eq!((first.text.as_str(), first.id.as_deref()), ("It was close.", Some("17")));
    assert_eq!((first.label.origin.as_str(), first.label.category), ("cnndm", "SOTA"));
    assert_eq!((first.label.cut, first.is_consistent), (Split::Val, true));
    let last = &reading.cases[4];
    assert_eq!((last.row, last.number, last.label.category), (7, 7, "XFORMER"));
}

#[test]
fn all_missing_columns_are_named() {
    let file = "dataset,origin,id,doc,summary,model,label\na,cnndm,1,d,s,BART,1\n";
    assert_refused(&AggreFact, "a.csv", file, 2, "no fields `model_name`, `cut`|dataset, origin");
}

#[test]
fn unknown_values_are_errors() {
    let good = "FRANK,cnndm,17,d,s,BART,1,val";
    for (bad, words) in [
        ("FRANK,cnndm,17,d,s,BART,2,val", "`label`|1 (consistent) or 0"),
        ("FRANK,cnndm,17,d,s,BART,,val", "`label`"),
        ("FRANK,cnn,17,d,s,BART,1,val", "`origin`|cnndm or xsum"),
        ("FRANK,xsum,17,d,s,BART,1,dev", "`cut`|val or test"),
        (",xsum,17,d,s,BART,1,val", "`dataset`|empty"),
        ("FRANK,xsum,17,d,s,BART,1", "7 cells"),
    ] {
        let file = format!("dataset,origin,id,doc,summary,model_name,label,cut\n{good}\n{bad}\n");
        assert_refused(&AggreFact, "a.csv", &file, 3, words);
    }
}

#[test]
fn file_without_usable_rows_is_an_error() {
    let header = "dataset,origin,id,doc,summary,model_name,label,cut\n";
    assert_eq!(refusal(&AggreFact, "a.csv", header), "holds no rows");
    let refused = refusal(&AggreFact, "a.csv", &format!("{header}F,xsum,1,d,s,GOLD,1,val\n"));
    assert!(refused.contains("out of 1") && refused.contains("GOLD"), "{refused}");
    let file = format!("{header}F,xsum,1,d,s,T5,1,test\nF,cnndm,1,d,s,T5,1,val\n");
    let reading = read_file(&AggreFact, "a.csv", file).unwrap();
    assert_says(AggreFact.check(&reading.cases).unwrap_err(), "both cuts");
}

#[test]
fn table_marks_published_rows() {
    let figures = figures(&[0.9, 0.1, 0.95, 0.2, 0.5]);
    assert!(figures.warnings().any(|warning| warning.contains("only 1 of 6 cells")), "{figures:?}");
    let lines = AggreFact.show("this run", &figures).lines;
    assert_line(&lines, "CNN SOTA CNN XFORMER CNN OLD XSum SOTA XSum XFORMER XSum OLD AVG");
    assert_line(&lines, "this run 100.0 ±0.0 - - - - - -");
    assert_line(&lines, "FENICE, GPT claims 70.5 ±1.8 72.8 ±0.3 71.6 published");
    assert_line(&lines, "AlignScore 62.7 ±3.1 69.4 ±1.9 66.1 published");
    assert_line(&lines, "AlignScore 53.5 73.9 78.0 80.2 79.9 63.7 71.5 published");
    assert_line(&lines, "DAE 59.4 67.9 69.7 73.1 - - 67.5 published");
    assert_line(&lines, "XSum XFORMER Wang20 0 1 - skipped");
    assert_eq!([0, 1].map(|table| AggreFact.about().published[table].rows.len()), [15, 14]);
}

#[test]
fn one_label_counts_by_its_recall_with_a_warning() {
    let file = FILE.replace("PegasusDynamic,0,test", "PegasusDynamic,1,test").replace("T5,0,val", "T5,1,val");
    let figures = figures_of(&AggreFact, "a.csv", file, &[0.9, 0.1, 0.95, 0.2, 0.5]);
    let warned = |part: &str| {
        let words = format!("cnndm SOTA FRANK: all 2 {part} rows have label 1");
        figures.warnings().any(|warning| warning.contains(&words))
    };
    assert!(warned("val") && warned("test"), "{figures:?}");
    // The threshold is the last that calls one of the two val rows consistent, and it calls one of test consistent.
    assert_eq!(values(&figures["multi_threshold"]["cells"], "balanced_accuracy"), [0.5]);
}

#[test]
fn scores_must_be_one_finite_number_a_case() {
    let reading = read_file(&AggreFact, "a.csv", FILE).unwrap();
    assert!(AggreFact.figures(&reading.cases, &[0.1; 4]).is_err());
    assert!(AggreFact.figures(&reading.cases, &[0.1, 0.2, f64::NAN, 0.1, 0.1]).is_err());
}
