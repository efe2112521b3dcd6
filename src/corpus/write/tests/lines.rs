use super::*;

#[test]
fn lines_are_the_bytes_of_the_rows() {
    let odd = r#"{ "id" : 1.10, "score":1.0, "x":"\u00e9\ud83d" , "claims":[] }"#;
    let rows = [RESULT, ERROR, odd];
    assert_eq!(text(OutputFormat::JsonLines, false, &rows), format!("{RESULT}\n{ERROR}\n{odd}\n"));
    assert_eq!(text(OutputFormat::JsonLines, false, &[""; 0]), "");
}

/// A field may pass through from a file of indented JSON.
#[test]
fn a_row_is_one_line_whatever_passes_through() {
    let indented = with_input("{\"a\":{\r\n  \"b\":\"\\n\"\n},\"c\":[1,\r2]}");
    let lines = text(OutputFormat::JsonLines, false, &[&indented]);
    assert_eq!(lines, with_input("{\"a\":{    \"b\":\"\\n\" },\"c\":[1, 2]}") + "\n");
    let rows = table(OutputFormat::Csv, false, &[&indented]);
    assert_eq!(rows[0].get("input.a"), Some("{    \"b\":\"\\n\" }"));
}
