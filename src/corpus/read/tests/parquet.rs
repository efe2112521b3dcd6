use std::fs::File;
use std::sync::Arc;

use ::parquet::basic::{Compression, Encoding, GzipLevel};
use ::parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArray, FixedLenByteArrayType,
    FloatType, Int32Type, Int64Type,
};
use ::parquet::file::properties::{WriterProperties, WriterVersion};
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::parser::parse_message_type;

use super::*;

/// Writes the next column: values, and levels where the column has them.
type Column<'c> = Box<dyn Fn(&mut ::parquet::file::writer::SerializedColumnWriter<'_>) + 'c>;

fn column<'c, T: DataType>(values: &'c [T::T], def: Option<&'c [i16]>, rep: Option<&'c [i16]>) -> Column<'c> {
    Box::new(move |writer| {
        writer.typed::<T>().write_batch(values, def, rep).unwrap();
    })
}

fn write(path: &Path, schema: &str, compression: Compression, groups: &[Vec<Column<'_>>]) {
    write_with(path, schema, WriterProperties::builder().set_compression(compression).build(), groups);
}

fn write_with(path: &Path, schema: &str, properties: WriterProperties, groups: &[Vec<Column<'_>>]) {
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = Arc::new(properties);
    let mut file = SerializedFileWriter::new(File::create(path).unwrap(), schema, properties).unwrap();
    for columns in groups {
        let mut group = file.next_row_group().unwrap();
        for write in columns {
            let mut column = group.next_column().unwrap().unwrap();
            write(&mut column);
            column.close().unwrap();
        }
        group.close().unwrap();
    }
    file.close().unwrap();
}

fn texts(texts: &[&str]) -> Vec<ByteArray> {
    texts.iter().map(|text| ByteArray::from(*text)).collect()
}

/// Writes a file and reads it.
fn read_written(schema: &str, compression: Compression, groups: &[Vec<Column<'_>>]) -> Vec<String> {
    let folder = folder(&[]);
    write(&folder.path().join("a.parquet"), schema, compression, groups);
    let line = |row: Result<RawRow, RowFault>| match row {
        Ok(row) => format!("{}: {}", number(row.origin.place), serde_json::to_string(&row.fields).unwrap()),
        Err(fault) => format!("{}! {}", number(fault.origin.place), fault.reason),
    };
    read_files(folder.path(), &["a.parquet"]).into_iter().map(line).collect()
}

const TWO_TEXTS: &str = "message rows { required binary document (UTF8); optional binary summary (UTF8); }";

/// Texts, numbers and lists of two groups, compressed.
pub(super) fn small_file() -> Vec<u8> {
    let schema = "message rows { required binary document (UTF8); optional int64 n;
        optional group contexts (LIST) { repeated group list { optional binary element (UTF8); } } }";
    let documents = texts(&["The cat sat.", "The cat sat.", "é"]);
    let contexts = texts(&["a", "b"]);
    let group = || {
        vec![
            column::<ByteArrayType>(&documents, None, None),
            column::<Int64Type>(&[7, 8], Some(&[1, 0, 1]), None),
            column::<ByteArrayType>(&contexts, Some(&[3, 2, 3, 1, 0]), Some(&[0, 1, 1, 0, 0])),
        ]
    };
    let folder = folder(&[]);
    let path = folder.path().join("a.parquet");
    write(&path, schema, Compression::SNAPPY, &[group(), group()]);
    std::fs::read(path).unwrap()
}

#[test]
fn texts_are_read_from_every_group_and_compression() {
    let documents = texts(&["The cat sat.\n", "\"é\" 猫 🙂\r\n\t", ""]);
    let summaries = texts(&["x", ""]);
    let gzip = Compression::GZIP(GzipLevel::default());
    for compression in [Compression::UNCOMPRESSED, Compression::SNAPPY, gzip] {
        let group = || {
            vec![
                column::<ByteArrayType>(&documents, None, None),
                column::<ByteArrayType>(&summaries, Some(&[1, 0, 1]), None),
            ]
        };
        let rows = read_written(TWO_TEXTS, compression, &[group(), group()]);
        let expected = [
            r#"{"document":"The cat sat.\n","summary":"x"}"#,
            r#"{"document":"\"é\" 猫 🙂\r\n\t","summary":null}"#,
            r#"{"document":"","summary":""}"#,
        ];
        let numbered = |(row, text): (usize, &str)| format!("{}: {text}", row + 1);
        assert_eq!(
            rows,
            [expected, expected].concat().into_iter().enumerate().map(numbered).collect::<Vec<_>>()
        );
    }
}

#[test]
fn many_rows_of_many_pages_are_read_in_order() {
    let long: Vec<ByteArray> =
        (0..5000).map(|row| ByteArray::from(format!("{row} {}", "word ".repeat(200)).as_str())).collect();
    let rows = read_written(
        "message rows { required binary document (UTF8); }",
        Compression::SNAPPY,
        &[vec![column::<ByteArrayType>(&long, None, None)]],
    );
    assert_eq!(rows.len(), 5000);
    for (number, row) in rows.iter().enumerate() {
        assert!(row.starts_with(&format!("{}: {{\"document\":\"{number} word", number + 1)), "{row}");
    }
}

/// Other writers store texts in these encodings.
#[test]
fn delta_encoded_texts_are_read() {
    let schema = "message rows { required binary document (UTF8); optional binary summary (UTF8);
        optional group contexts (LIST) { repeated group list { optional binary element (UTF8); } } }";
    let long: Vec<ByteArray> = (0..700)
        .map(|row| ByteArray::from(format!("Row {} {}", row / 9, "word ".repeat(row % 50)).as_str()))
        .collect();
    let levels: Vec<i16> = (0..1400).map(|row| row % 2).collect();
    let (elements, starts): (Vec<i16>, Vec<i16>) = (0..1050)
        .map(|place| if place < 700 { (3, i16::from(place % 2 == 1)) } else { (place % 2, 0) })
        .unzip();
    let documents = [&long[..], &long[..]].concat();
    let folder = folder(&[]);
    let read = |name: &str, properties| {
        let lists = starts.iter().filter(|start| **start == 0).count();
        let columns = vec![
            column::<ByteArrayType>(&documents[..lists], None, None),
            column::<ByteArrayType>(&long[..lists / 2], Some(&levels[..lists]), None),
            column::<ByteArrayType>(&long, Some(&elements), Some(&starts)),
        ];
        write_with(&folder.path().join(name), schema, properties, &[columns]);
        let rows = read_files(folder.path(), &[name]);
        rows.into_iter().map(|row| serde_json::to_string(&row.unwrap().fields).unwrap()).collect::<Vec<_>>()
    };
    let plain = read("plain.parquet", WriterProperties::builder().build());
    assert_eq!(plain.len(), 700);
    for encoding in [Encoding::DELTA_LENGTH_BYTE_ARRAY, Encoding::DELTA_BYTE_ARRAY] {
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            let builder =
                WriterProperties::builder().set_writer_version(version).set_dictionary_enabled(false);
            let properties = builder.set_encoding(encoding).set_data_page_row_count_limit(150).build();
            assert!(read("delta.parquet", properties) == plain, "{encoding} {version:?}");
        }
    }
}

#[test]
fn numbers_booleans_dates_and_bytes_have_their_json() {
    let schema = "message rows {
        required int32 small (INT_8); required int64 long; required int64 unsigned (UINT_64); required boolean truth;
        required float single; required double number; required int32 day (DATE);
        required int64 time (TIMESTAMP_MILLIS); required int32 price (DECIMAL(5,2));
        required binary text; required binary blob; required fixed_len_byte_array(2) fixed; }";
    let fixed: Vec<FixedLenByteArray> =
        [vec![0xc3, 0xa9], vec![0xff, 0x00]].map(|bytes| ByteArray::from(bytes).into()).into();
    let rows = read_written(
        schema,
        Compression::SNAPPY,
        &[vec![
            column::<Int32Type>(&[-7, 127], None, None),
            column::<Int64Type>(&[i64::MAX, i64::MIN], None, None),
            column::<Int64Type>(&[-1, 1], None, None),
            column::<BoolType>(&[true, false], None, None),
            column::<FloatType>(&[0.1, f32::NAN], None, None),
            column::<DoubleType>(&[1.0, f64::INFINITY], None, None),
            column::<Int32Type>(&[19_000, i32::MIN], None, None),
            column::<Int64Type>(&[1_700_000_000_123, i64::MIN], None, None),
            column::<Int32Type>(&[12_345, -5], None, None),
            column::<ByteArrayType>(&texts(&["é", ""]), None, None),
            column::<ByteArrayType>(&[vec![0x00, 0xff].into(), vec![0x61].into()], None, None),
            column::<FixedLenByteArrayType>(&fixed, None, None),
        ]],
    );
    assert_eq!(
        rows,
        [
            concat!(
                r#"1: {"small":-7,"long":9223372036854775807,"unsigned":18446744073709551615,"truth":true,"#,
                r#""single":0.1,"number":1.0,"day":"2022-01-08","time":"2023-11-14 22:13:20.123 +00:00","#,
                r#""price":"123.45","text":"é","blob":"00ff","fixed":"é"}"#
            ),
            concat!(
                r#"2: {"small":127,"long":-9223372036854775808,"unsigned":1,"truth":false,"single":null,"#,
                r#""number":null,"day":-2147483648,"time":-9223372036854775808,"price":"-0.05","text":"","#,
                r#""blob":"a","fixed":"ff00"}"#
            ),
        ]
    );
}

#[test]
fn lists_of_texts_are_lists_of_strings() {
    let schema = "message rows { optional group contexts (LIST) { repeated group list {
        optional binary element (UTF8); } } required binary answer (UTF8); }";
    // ["a", null, "é"], [], null, ["b"]
    let contexts = texts(&["a", "é", "b"]);
    let answers = texts(&["1", "2", "3", "4"]);
    let rows = read_written(
        schema,
        Compression::SNAPPY,
        &[vec![
            column::<ByteArrayType>(&contexts, Some(&[3, 2, 3, 1, 0, 3]), Some(&[0, 1, 1, 0, 0, 0])),
            column::<ByteArrayType>(&answers, None, None),
        ]],
    );
    assert_eq!(
        rows,
        [
            r#"1: {"contexts":["a",null,"é"],"answer":"1"}"#,
            r#"2: {"contexts":[],"answer":"2"}"#,
            r#"3: {"contexts":null,"answer":"3"}"#,
            r#"4: {"contexts":["b"],"answer":"4"}"#,
        ]
    );
}

#[test]
fn groups_and_maps_are_objects() {
    let schema = "message rows {
        required group pair { required binary a (UTF8); optional int32 b; }
        required group counts (MAP) { repeated group key_value { required binary key (UTF8); required int32 value; } }
        required group by_number (MAP) { repeated group key_value { required int32 key; required int32 value; } } }";
    let rows = read_written(
        schema,
        Compression::UNCOMPRESSED,
        &[vec![
            column::<ByteArrayType>(&texts(&["x"]), None, None),
            column::<Int32Type>(&[], Some(&[0]), None),
            column::<ByteArrayType>(&texts(&["k", "\""]), Some(&[1, 1]), Some(&[0, 1])),
            column::<Int32Type>(&[1, 2], Some(&[1, 1]), Some(&[0, 1])),
            column::<Int32Type>(&[7], Some(&[1]), Some(&[0])),
            column::<Int32Type>(&[8], Some(&[1]), Some(&[0])),
        ]],
    );
    assert_eq!(rows, [r#"1: {"pair":{"a":"x","b":null},"counts":{"k":1,"\"":2},"by_number":{"7":8}}"#]);
}

#[test]
fn files_without_rows_have_none() {
    assert_eq!(read_written(TWO_TEXTS, Compression::SNAPPY, &[]), [""; 0]);
}

#[test]
fn unsupported_files_are_refused_before_a_row_is_read() {
    let twice = "message rows { required binary a (UTF8); required binary a (UTF8); }";
    assert!(read_written(twice, Compression::SNAPPY, &[])[0].contains("names two columns `a`"));
    let interval = "message rows { required fixed_len_byte_array(12) a (INTERVAL); }";
    assert!(read_written(interval, Compression::SNAPPY, &[])[0].contains("column `a` has a type"));
}

#[test]
fn text_that_is_not_utf8_ends_the_file() {
    let schema = "message rows { required binary document (UTF8); }";
    let bytes = [ByteArray::from("a"), ByteArray::from(vec![0xff]), ByteArray::from("b")];
    let rows =
        read_written(schema, Compression::SNAPPY, &[vec![column::<ByteArrayType>(&bytes, None, None)]]);
    let fault = "2! cannot be read as Parquet (damaged data, or a text that is not UTF-8)";
    assert_eq!(rows, ["1: {\"document\":\"a\"}", fault], "the crate's message has the bytes of the text");
}

#[test]
fn files_that_are_not_parquet_are_refused() {
    let folder = folder(&[("empty.parquet", b""), ("text.parquet", b"{\"a\":1}\n{\"a\":1}\n")]);
    for name in ["empty.parquet", "text.parquet"] {
        let rows = read_files(folder.path(), &[name]);
        let fault = rows[0].as_ref().unwrap_err();
        assert!(rows.len() == 1 && fault.lost == Lost::File && fault.to_string().contains(name), "{fault}");
    }
}
