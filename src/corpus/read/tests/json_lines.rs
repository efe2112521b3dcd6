use super::*;

fn lines(text: impl AsRef<[u8]>) -> Vec<String> {
    read(text, Format::JsonLines)
}

#[test]
fn blank_lines_count_as_lines() {
    let text = "\u{feff}{\"a\":\"é\\n\"}\r\n\n \t\u{a0}\r\n  {\"a\": 1.10 , \"b\":[ ]}  \n{}";
    assert_eq!(lines(text), [r#"1: {"a":"é\n"}"#, r#"4: {"a":1.10,"b":[ ]}"#, "5: {}"]);
}

#[test]
fn a_bad_line_costs_only_itself() {
    let text =
        "{\"a\":1\n[1]\n{\"a\":1}\n1\nx{}\n{}{}\n{\"a\":1,\"a\":2}\n{\"a\":NaN}\n{\"a\":\"\t\"}\n{\"a\":2}";
    assert_begin(
        &lines(text),
        &[
            "1! is not valid JSON (EOF while parsing an object, column 6)",
            "2! found a list, expected a JSON object",
            "3: {\"a\":1}",
            "4! found a number, expected a JSON object",
            "5! is not valid JSON (expected value, column 1)",
            "6! is not valid JSON (trailing characters, column 3)",
            "7! the field `a` is given twice",
            "8! is not valid JSON",
            "9! is not valid JSON (control character",
            "10: {\"a\":2}",
        ],
    );
}

#[test]
fn the_fault_of_an_array_names_the_setting_that_reads_it() {
    let faults = lines("[{\"a\":1},\n{\"a\":2}]");
    assert_begin(&faults, &["1! ", "2! "]);
    assert!(faults[0].ends_with("`input_format` to json") && !faults[1].contains("input_format"));
}

#[test]
fn bytes_that_are_not_utf8_are_located_by_line_and_byte() {
    let faults = lines(b"{\"a\":1}\n\n{\"a\":\"caf\xe9\"}\n{\"a\":2}\n\xed\xa0\x80");
    assert_begin(&faults, &["1: ", "3! is not UTF-8 text (byte 10 of the line)", "4: ", "5! is not UTF-8"]);
}

#[test]
fn a_line_that_is_too_long_costs_only_itself() {
    let exact = format!("{{\"a\":\"{}\"}}", "x".repeat(56));
    assert_eq!(exact.len(), 64);
    for end in ["\n", "\r\n"] {
        let text = [&exact[..63 - end.len()], "\"}", end, &exact, "x\n{}", end, &"y".repeat(999)].concat();
        let lines = read_bounded(text.as_bytes(), Format::JsonLines, 64);
        assert_begin(&lines, &["1", "2! is longer than", "3: {}", "4! is longer than"]);
    }
}

#[test]
fn deep_nesting_does_not_break_the_reader() {
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert_begin(&lines(format!("{deep}\n{{}}")), &["1", "2: {}"]);
    assert_begin(&read(format!("[{deep},{{}}]"), Format::Json), &["1", "1: {}"]);
}
