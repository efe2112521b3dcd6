use ::parquet::basic::{ConvertedType, Repetition, Type as Physical};
use ::parquet::file::metadata::ParquetMetaData;
use ::parquet::file::reader::{FileReader, SerializedFileReader};

use super::super::columns::Kind;
use super::super::layout::Column;
use super::super::parquet::{Bounds, ParquetTable};
use super::super::table::Table;
use super::super::value::Value;
use super::*;

const PARQUET: OutputFormat = OutputFormat::Parquet;

fn metadata(bytes: Vec<u8>) -> ParquetMetaData {
    let file = tempfile::tempfile().unwrap();
    (&file).write_all(&bytes).unwrap();
    SerializedFileReader::new(file).unwrap().metadata().clone()
}

#[test]
fn columns_have_types_and_may_be_null() {
    let metadata = metadata(bytes(PARQUET, true, &[RESULT]));
    let schema = metadata.file_metadata().schema_descr();
    for (name, physical, converted) in [
        ("id", Physical::BYTE_ARRAY, ConvertedType::UTF8),
        ("score", Physical::DOUBLE, ConvertedType::NONE),
        ("claim_index", Physical::INT64, ConvertedType::NONE),
        ("claim.summary_spans", Physical::BYTE_ARRAY, ConvertedType::UTF8),
        ("input.label", Physical::BYTE_ARRAY, ConvertedType::UTF8),
        ("input", Physical::BYTE_ARRAY, ConvertedType::UTF8),
    ] {
        let column = schema.columns().iter().find(|column| column.name() == name).unwrap();
        assert_eq!((column.physical_type(), column.converted_type()), (physical, converted), "{name}");
        assert_eq!(column.self_type().get_basic_info().repetition(), Repetition::OPTIONAL);
    }
}

#[test]
fn null_and_an_empty_text_differ() {
    let rows = [with_input(r#"{"a":"","b":null}"#), with_input(r#"{"b":""}"#)];
    let rows = table(PARQUET, false, &rows);
    assert_eq!((rows[0].get("input.a"), rows[0].get("input.b")), (Some(""), None));
    assert_eq!((rows[1].get("input.a"), rows[1].get("input.b")), (None, Some("")));
    assert_eq!(rows[0].get("error.reason"), None);
}

#[test]
fn the_same_rows_give_the_same_bytes() {
    let rows: Vec<String> =
        (0..3000).map(|n| RESULT.replace("a-1", &format!("a-{}", n * 7919 % 3000))).collect();
    let bytes = || bytes(PARQUET, true, &rows);
    let first = bytes();
    assert!(first == bytes());
    let metadata = metadata(first);
    assert!(metadata.file_metadata().created_by().unwrap().starts_with("parquet-rs version "));
    assert!(metadata.file_metadata().key_value_metadata().is_none());
}

/// Writes rows with one column of texts, which may be missing, and reads them back.
fn groups(texts: &[Option<String>], bounds: Bounds) -> (Vec<i64>, Vec<ReadRow>) {
    let memory = Memory::default();
    let columns = [("t", Kind::Text), ("i", Kind::Integer), ("r", Kind::Real)]
        .map(|(name, kind)| Column { name: name.into(), kind });
    let mut table = ParquetTable::with_bounds(&columns, Box::new(memory.clone()), bounds).unwrap();
    for (number, text) in texts.iter().enumerate() {
        let value = text.as_deref().map_or(Value::Missing, |text| Value::Text(text.into()));
        let real = Value::Real { value: 0.5, digits: "0.5".into() };
        table.write(vec![value, Value::Integer(i64::try_from(number).unwrap()), real]).unwrap();
    }
    Box::new(table).finish().unwrap();
    let bytes = memory.0.lock().unwrap().clone();
    let rows = read_back(PARQUET, &bytes);
    (metadata(bytes).row_groups().iter().map(|group| group.num_rows()).collect(), rows)
}

#[test]
fn groups_end_by_rows_or_bytes() {
    let texts: Vec<Option<String>> =
        (0..10).map(|number| (number % 3 != 0).then(|| "x".repeat(number))).collect();
    let (by_rows, rows) = groups(&texts, Bounds { rows: 4, bytes: usize::MAX });
    assert_eq!(by_rows, [4, 4, 2]);
    let (by_bytes, again) = groups(&texts, Bounds { rows: usize::MAX, bytes: 150 });
    assert_eq!(by_bytes, [4, 3, 3]);
    let (each, _) = groups(&texts, Bounds { rows: 1, bytes: usize::MAX });
    assert_eq!(each, [1; 10]);
    assert_eq!(rows, again);
    for (number, (text, row)) in texts.iter().zip(&rows).enumerate() {
        assert_eq!(row.get("t"), text.as_deref());
        assert_eq!(row.get("i"), Some(number.to_string().as_str()));
        assert_eq!(row.get("r"), Some("0.5"));
    }
}
