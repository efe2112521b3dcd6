use super::*;

fn array(text: impl AsRef<[u8]>) -> Vec<String> {
    read(text, Format::Json)
}

#[test]
fn elements_are_rows_with_the_line_where_they_begin() {
    let text = "\u{feff}\r\n[ {\"a\":\n \"é]}\\\"\"} ,\r\n\n{\"b\":1.10},{}\n]\n\n";
    assert_eq!(array(text), ["2: {\"a\":\"é]}\\\"\"}", "5: {\"b\":1.10}", "5: {}"]);
}

#[test]
fn texts_that_are_not_arrays_are_read_line_by_line() {
    assert_eq!(array("\n{\"a\":1}\n\n{\"a\":2}\n"), ["2: {\"a\":1}", "4: {\"a\":2}"]);
    assert_begin(&array("\n\nx\n{}"), &["3! ", "4: {}"]);
}

#[test]
fn a_bad_element_costs_only_itself() {
    let text = b"[1,\n\"a,]\",{\"a\":tru,},\n{\n\"a\":1,\n\"a\":2},null,[{}],{\"a\":\n\"\xe9\"},\n{\"a\":\n\"\\x\"},{\"b\":2}]";
    assert_begin(
        &array(text),
        &[
            "1! found a number, expected a JSON object",
            "2! found a text, expected a JSON object",
            "2! is not valid JSON (expected ident, column 9)",
            "3! the field `a` is given twice",
            "5! found null, expected a JSON object",
            "5! found a list, expected a JSON object",
            "5! is not UTF-8 text (byte 2 of the line): convert the file to UTF-8 first (in line 6)",
            "7! is not valid JSON (invalid escape, column 3): correct the row or remove it (in line 8)",
            "8: {\"b\":2}",
        ],
    );
}

#[test]
fn an_invalid_array_ends_with_one_fault() {
    for (text, expected) in [
        ("[{}\n{}]", "2!! has no comma"),
        ("[{},\n]", "2!! has no row where"),
        ("[{},\n,{}]", "2!! has no row where"),
        ("[{}\n", "2!! ends inside the array"),
        ("[{},\n", "2!! ends inside the array"),
        ("[{}]\n{}", "2!! has more text"),
        ("[{}]]", "1!! has more text"),
        ("[{},\n{\"a\":[\n}]", "3!! closes a bracket of another kind"),
        ("[{},\n{\"a\":\"", "2!! begins a row that does not end"),
        ("[{},\n12", "2!! begins a row that does not end"),
        ("[{},}", "1!! has no row where"),
    ] {
        assert_begin(&array(text), &["1: {}", expected]);
    }
    assert_begin(&array("["), &["1!! ends inside the array"]);
    assert_begin(&array("[,{}]"), &["1!! has no row where"]);
    assert_begin(&array("[}"), &["1!! has no row where"]);
}

#[test]
fn an_element_that_is_too_long_costs_only_itself() {
    let text = format!("[{{}},\n{{\"a\":\"{}\"}},\n{{\"b\":1}}]", "x\n".repeat(200_000));
    assert_begin(
        &read_bounded(text.as_bytes(), Format::Json, 64),
        &["1: {}", "2! is longer than", "200003: {\"b\":1}"],
    );
}

#[test]
fn endless_brackets_do_not_fill_the_memory() {
    let text = "[".repeat(1 << 20);
    assert_begin(&read_bounded(text.as_bytes(), Format::Json, 64), &["1!! opens more brackets"]);
}
