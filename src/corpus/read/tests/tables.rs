use super::*;

fn csv(text: impl AsRef<[u8]>) -> Vec<String> {
    read(text, Format::Csv)
}

#[test]
fn cells_are_strings_unchanged() {
    let text =
        "\u{feff}document,n,\"the \"\"x\"\"\"\r\n\r\n\"Two\r\nlines, é\",007,\r\n\n a ,null,\"\"\"\"\n";
    assert_eq!(
        csv(text),
        [
            r#"3: {"document":"Two\r\nlines, é","n":"007","the \"x\"":""}"#,
            r#"6: {"document":" a ","n":"null","the \"x\"":"\""}"#,
        ]
    );
}

#[test]
fn tabs_separate_cells_of_tsv() {
    assert_eq!(read("a\tb\n1,2\t\"3\t4\"\n", Format::Tsv), [r#"2: {"a":"1,2","b":"3\t4"}"#]);
}

#[test]
fn a_bad_row_costs_only_itself() {
    let text = b"a,b\n1\n1,2,3\n\"1\n2\",\"3\"x\n4,5\n\"\n\xe9\n\",6\n7,8";
    assert_begin(
        &csv(text),
        &[
            "2! has 1 cells, but the first row names 2 columns",
            "3! has 3 cells",
            "4! has text after the closing quote of cell 2",
            "6: {\"a\":\"4\",\"b\":\"5\"}",
            "7! is not UTF-8 text (byte 1 of the line): convert the file to UTF-8 first (in line 8)",
            "10: {\"a\":\"7\",\"b\":\"8\"}",
        ],
    );
}

#[test]
fn a_quote_that_never_closes_ends_the_file() {
    assert_begin(&csv("a,b\n1,2\n3,\"4\n5,6\n"), &["2: ", "3!! opens a quote that is never closed"]);
    let long = format!("a,b\n\"{}\n1,2\n", "x\n".repeat(100));
    assert_begin(&read_bounded(long.as_bytes(), Format::Csv, 64), &["2!! is longer than"]);
    let long = format!("a,b\n{},1\n1,2\n", "x".repeat(100));
    assert_begin(&read_bounded(long.as_bytes(), Format::Csv, 64), &["2!! is longer than"]);
}

#[test]
fn an_invalid_header_ends_the_file() {
    assert_begin(&csv("\na,b,a\n1,2,3\n"), &["2!! names two columns `a`"]);
    assert_begin(&csv("a,\"b\"c\n1,2\n"), &["1!! has text after"]);
    assert_begin(&csv(b"a,\xe9\n1,2\n"), &["1!! is not UTF-8 text (byte 3 of the line)"]);
    assert_begin(&csv("a,b\r1,2\r"), &["1!! ends lines with carriage returns alone"]);
    assert_begin(&csv("a,\"b\n1,2\n"), &["1!! opens a quote"]);
}

/// A cell that ends inside a character must not be completed by the next one.
#[test]
fn characters_do_not_cross_cells() {
    assert_begin(&csv(b"a,b\n\xc3,\xa9\n1,2"), &["2! is not UTF-8", "3: "]);
}
