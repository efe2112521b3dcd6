use super::*;
use crate::benchmarks::llm_aggrefact::LlmAggreFact;

const FIXED: LlmAggreFact = LlmAggreFact { threshold: Some(LlmAggreFact::THRESHOLD) };
const TUNED: LlmAggreFact = LlmAggreFact { threshold: None };

fn rows(rows: &[(&str, u8)]) -> String {
    let row = |(number, (dataset, label)): (usize, &(&str, u8))| {
        format!(
            "{{\"dataset\":\"{dataset}\",\"doc\":\"Document {}.\",\"claim\":\"Claim {number}.\",\"label\":{label},\"contamination_identifier\":\"x\"}}\n",
            number / 2
        )
    };
    rows.iter().enumerate().map(row).collect()
}

fn both_files() -> [(&'static str, String); 2] {
    [
        ("dev.jsonl", rows(&[("Wice", 1), ("Wice", 0), ("Lfqa", 1), ("Lfqa", 0)])),
        ("test.jsonl", rows(&[("Wice", 1), ("Wice", 0), ("Lfqa", 1), ("Lfqa", 1)])),
    ]
}

#[test]
fn file_name_gives_the_part() {
    let reading = read_files(&FIXED, &both_files()).unwrap();
    let splits: Vec<Split> = reading.cases.iter().map(|case| case.label.split).collect();
    assert_eq!(splits, [[Split::Val; 4], [Split::Test; 4]].concat());
    let case = &reading.cases[5];
    assert_eq!((&*case.document, case.text.as_str()), ("Document 0.", "Claim 1."));
    assert_eq!((case.label.dataset.as_str(), case.is_consistent), ("Wice", false));
}

#[test]
fn table_has_the_datasets_and_the_papers_rows() {
    let reading = read_files(&FIXED, &both_files()).unwrap();
    let figures = FIXED.figures(&reading.cases, &[0.3, 0.2, 0.9, 0.8, 0.4, 0.1, 0.6, 0.4]).unwrap();
    let warning = |place: usize| figures["warnings"][place].text();
    assert!(warning(0).contains("Lfqa: all 2 measured rows have label 1"), "{figures:?}");
    assert!(warning(1).contains("11 datasets"), "{figures:?}");
    let lines = FIXED.show("this run", &figures).lines;
    assert_line(&lines, "MiniCheck-FT5 75.0 published");
    // Above 0.5 is no row of Wice.
    assert_line(&lines, "Wice 2 1 0.5000 50.0");
}

#[test]
fn missing_parts_are_errors() {
    let [dev, test] = both_files();
    let error = |benchmark: &LlmAggreFact, files: &[(&str, String)]| match read_files(benchmark, files) {
        Ok(reading) => benchmark.check(&reading.cases).unwrap_err().to_string(),
        Err(error) => error.to_string(),
    };
    assert!(error(&TUNED, std::slice::from_ref(&test)).contains("no dev rows"));
    assert!(error(&TUNED, std::slice::from_ref(&dev)).contains("no test rows"));
    assert!(error(&TUNED, &[("rows.jsonl", test.1.clone())]).contains("name the files dev"));
    let other = ("dev.jsonl", rows(&[("Reveal", 1), ("Reveal", 0)]));
    assert!(error(&TUNED, &[other, test]).contains("Lfqa has test rows but no dev rows"));
    let reading = read_files(&FIXED, &[dev]).unwrap();
    let figures = FIXED.figures(&reading.cases, &[0.9, 0.1, 0.9, 0.1]).unwrap();
    assert!(figures["warnings"][0].text().contains("of dev"), "{figures:?}");
    assert_eq!(value(&figures["mean"]), 1.0);
}

#[test]
fn bad_rows_are_errors() {
    let changes = [
        (":1,", ":0.5,", "`label`"),
        ("claim", "response", "`claim`"),
        ("\"doc\":\"Document 0.\"", "\"doc\":null", "`doc`|not a string"),
        ("}", ",\"split\":\"train\"}", "`split`"),
    ];
    assert_changes_refused(&FIXED, "test.jsonl", rows(&[("Wice", 1)]).trim_end(), &changes);
}

/// As published: text columns and an integer.
#[cfg(feature = "parquet")]
#[test]
fn parquet_is_read() {
    let reading = read_files(&FIXED, &[("test-00000-of-00001.parquet", parquet_file())]).unwrap();
    assert_eq!(reading.cases.len(), 2);
    let case = &reading.cases[1];
    assert_eq!((&*case.document, case.text.as_str(), case.is_consistent), ("D2", "C2", false));
    assert_eq!((case.label.dataset.as_str(), case.label.split), ("Wice", Split::Test));
}

#[cfg(feature = "parquet")]
fn parquet_file() -> Vec<u8> {
    use std::sync::Arc;

    use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    let schema = "message rows { optional binary dataset (UTF8); optional binary doc (UTF8);
        optional binary claim (UTF8); optional int64 label; }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut bytes = Vec::new();
    let mut file = SerializedFileWriter::new(&mut bytes, schema, Arc::default()).unwrap();
    let mut group = file.next_row_group().unwrap();
    for texts in [["Wice", "Wice"], ["D1", "D2"], ["C1", "C2"]] {
        let mut column = group.next_column().unwrap().unwrap();
        let texts = texts.map(ByteArray::from);
        column.typed::<ByteArrayType>().write_batch(&texts, Some(&[1, 1]), None).unwrap();
        column.close().unwrap();
    }
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<Int64Type>().write_batch(&[1, 0], Some(&[1, 1]), None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    file.close().unwrap();
    bytes
}
