use super::*;
use crate::benchmarks::aggrefact::{AggreFact, compare, under_the_ablation};

const FILE: &str = "\
dataset,origin,id,doc,summary,model_name,label,cut
F,cnndm,1,d,s,BART,1,val
F,cnndm,1,d,s,BART,0,val
F,cnndm,1,d,s,BART,1,test
F,cnndm,1,d,s,BART,0,test
F,xsum,1,d,s,BART,1,val
F,xsum,1,d,s,BART,0,val
F,xsum,1,d,s,BART,1,test
F,xsum,1,d,s,BART,0,test
";

#[test]
fn ablation_has_a_row_and_a_gain_for_each_list() {
    let reading = read_file(&AggreFact, "a.csv", FILE).unwrap();
    let lists = [
        ("NLI_sent".to_owned(), vec![0.9, 0.1, 0.5, 0.5, 0.9, 0.1, 0.5, 0.5]),
        ("FENICE".to_owned(), vec![0.9, 0.1, 0.9, 0.1, 0.9, 0.1, 0.5, 0.5]),
    ];
    let compared = compare(&reading.cases, &lists).unwrap();
    let gains: Vec<Option<f64>> = compared.iter().map(|list| list.gain).collect();
    assert_eq!(gains, [None, Some(0.25)]);
    let lines = under_the_ablation(&compared).lines();
    assert_line(&lines, "CNN XSum AVG gain");
    // A subsample is one of two rows, whose call is right or wrong.
    assert_line(&lines, "NLI_sent 50.0 ±50.0 50.0 ±50.0 50.0 ±50.0 -");
    assert_line(&lines, "FENICE 100.0 ±0.0 50.0 ±50.0 75.0 ±25.0 +25.0");
    assert_line(&lines, "NLI_sent 52.2 ±1.4 59.6 ±0.6 55.9 - published");
    assert_line(&lines, "NLI_claim 54.3 ±2.1 63.2 ±0.8 58.8 2.9 published");
    assert_line(&lines, "NLI_coref 59.7 ±2.3 63.7 ±0.9 61.5 2.7 published");
    assert_line(&lines, "FENICE 70.5 ±3.0 72.8 ±0.3 71.6 10.1 published");
    assert_line(&lines, "FENICE with RoBERTa - - - -4.3 published");
}

#[test]
fn list_of_wrong_length_is_named() {
    let reading = read_file(&AggreFact, "a.csv", FILE).unwrap();
    let lists = [("short".to_owned(), vec![0.5; 7])];
    let error = compare(&reading.cases, &lists).unwrap_err().to_string();
    assert!(error.starts_with("short: ") && error.contains('7'), "{error}");
}
