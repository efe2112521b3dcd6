//! Reads the documents of tests/fixtures/texts/forms, which programs wrote, and files that nobody can read.

use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use veridic_files::{FileError, Kind, ReadAs, read};

fn fixture(name: &str) -> Vec<u8> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/texts/forms");
    let file = folder.join(name);
    fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// A document, what it is, what its text holds, and what of the file is no text of it.
#[derive(Debug, Clone)]
struct Case {
    file: &'static str,
    kind: Kind,
    holds: &'static [&'static str],
    lacks: &'static [&'static str],
}

const CASES: &[Case] = &[
    Case {
        file: "report-1.pdf",
        kind: Kind::Pdf,
        holds: &[
            "Report on the season 2032\n\nThe season on Tern Holm ran from 28 March",
            // A word is cut at a line's end, a sentence at the page's end.
            "the wardens have given up replacing the felt",
            "stayed for at least a week. The boat of the lighthouse service",
            "for this reason the trust has decided to send a trained dog",
            "\n\n2. Breeding birds\n\n",
            "The west hut was given a new roof for 14,200 euros. The east hut",
        ],
        lacks: &["Page 1", "- \n"],
    },
    Case {
        file: "report-2.pdf",
        kind: Kind::Pdf,
        holds: &[
            "| Lock | Price (euros) | Weight (g) | Bolt cutter (min:s) | Saw (min:s) | Picking | Mark |",
            "| Ferox Hex | 119.00 | 1,980 | not opened | 7:35 | 6:10 | 1.6 |",
            "| Corvo 200 | 38.95 | 1,120 | 0:45 | 1:30 |  | 3.7* |",
            "|\n\n* Corvo 200: key broke off",
        ],
        lacks: &[],
    },
    Case {
        file: "letter-1.docx",
        kind: Kind::Docx,
        holds: &[
            "Thornbury Lane School\n7 January 2031\n\n# Forest week",
            "- Rubber boots and a rain jacket\n- Sleeping bag",
            "| Wednesday | sawmill | free | Ms Prewett |",
            "\n\n[1] The support fund pays up to 110 euros for each child.",
        ],
        lacks: &[],
    },
    Case {
        file: "letter-2.docx",
        kind: Kind::Docx,
        holds: &[
            "## Prices\n\n| Work | Days | Price in euros |",
            "| Total |  | 50,810 |",
            "begin on 7 July and end",
        ],
        lacks: &["30 June"],
    },
    Case {
        file: "page-1.html",
        kind: Kind::Html,
        holds: &[
            "# Visit us\n\nThe Lantern Works made ship’s lamps",
            "| Monday | closed | closed |",
            "A lens of 1.9 metres, the largest ever made at the works\n\n",
            "town of Fennick & the Friends",
        ],
        lacks: &["tracker", "Home", "closed on Sundays", "JavaScript", "Sign up", "<"],
    },
    Case {
        file: "page-2.html",
        kind: Kind::Html,
        holds: &[
            "| December to February | concrete under water | Tystie Marine |",
            "# Bridge closed until spring\n\n",
        ],
        lacks: &["1.1", "Most read", "Georgia", "| Bridge closed"],
    },
    Case {
        file: "mail-1.eml",
        kind: Kind::Eml,
        holds: &[
            "From: Věra Klímková <vera@literaturehouse.example>\nTo: Rónán Mac Suibhne <ronan@post.example>\n",
            "Subject: Re: Reading on 12 April – room, fee, hotel „Krähe“\nAttachment: tram.csv\n\nHello Rónán,",
            "Your fee is €450",
        ],
        lacks: &["stop;line", "<p>", "multi-part", "\r"],
    },
    Case {
        file: "mail-2.eml",
        kind: Kind::Eml,
        holds: &[
            "Subject: Fenja Østby: your parcel",
            "| Cloudberry jam, 220\u{a0}g | 4 | 6,90\u{a0}€ | 27,60\u{a0}€ |",
            "| Total |  |  | 138,50\u{a0}€ |",
        ],
        lacks: &["on its way"],
    },
    Case {
        file: "note-1.rtf",
        kind: Kind::Rtf,
        holds: &[
            "Handover kitchen, Café Renard\n\n",
            "Jørn is on probation until 31 May – no shifts",
            "- table 9 wobbles\n\n",
        ],
        lacks: &["Arial", "Wordwright", "Marchand", "gas bottle empty", "\\"],
    },
    Case {
        file: "note-2.rtf",
        kind: Kind::Rtf,
        holds: &[
            "| 15 Oct | Łyna, St. Józef | 20:00 | €1,250 |",
            "pets 😕",
            "„Please learn the Janowski by heart“",
        ],
        lacks: &["tour file", "page 1"],
    },
    Case {
        file: "utf16-1.txt",
        kind: Kind::Utf16,
        holds: &["Guest house “Zum Löwenzahn”"],
        lacks: &["\u{feff}"],
    },
    Case {
        file: "utf16-2.txt",
        kind: Kind::Utf16,
        holds: &["18\tPocket watch, silver"],
        lacks: &["\u{feff}"],
    },
    Case {
        file: "table-html-1.html",
        kind: Kind::Html,
        holds: &["| Innis Mor | MV Burnet | 18:30 |"],
        lacks: &[],
    },
    Case { file: "mail-thread-1.txt", kind: Kind::Plain, holds: &["From: Amadea Rosling"], lacks: &[] },
    Case { file: "table-markdown-1.md", kind: Kind::Plain, holds: &["|"], lacks: &[] },
    Case { file: "json-1.json", kind: Kind::Plain, holds: &["{"], lacks: &[] },
];

#[test]
fn documents_are_read_as_what_they_are() {
    let mut wrong = Vec::new();
    for Case { file, kind, holds, lacks } in CASES {
        let text = read(&fixture(file), ReadAs::Auto).unwrap_or_else(|error| panic!("{file} {error}"));
        if text.kind != *kind {
            wrong.push(format!("{file} is read as {}", text.kind));
        }
        wrong.extend(
            holds
                .iter()
                .filter(|part| !text.text.contains(**part))
                .map(|part| format!("{file} lacks {part:?}")),
        );
        wrong.extend(
            lacks.iter().filter(|part| text.text.contains(**part)).map(|part| format!("{file} has {part:?}")),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn files_without_a_text_say_what_they_are() {
    let inflates = FileError::Inflates { kind: Kind::Docx, megabytes: 16 };
    let cases = [
        ("scanned.pdf", FileError::Scanned),
        ("encrypted.pdf", FileError::Encrypted),
        ("truncated.pdf", FileError::Damaged { kind: Kind::Pdf }),
        ("truncated.docx", FileError::Damaged { kind: Kind::Docx }),
        ("bomb.docx", inflates),
        ("picture.png", FileError::Image { format: "PNG" }),
        ("utf16-without-mark.txt", FileError::Utf16WithoutMark),
    ];
    let read = cases.clone().map(|(file, _)| (file, read(&fixture(file), ReadAs::Auto).expect_err(file)));
    assert_eq!(read, cases);
}

/// What a file is, by its first bytes.
#[test]
fn recognition_looks_at_the_content() {
    let cases: &[(&str, &[u8], Option<Kind>)] = &[
        ("text", b"Plain.", Some(Kind::Plain)),
        ("nothing", b"", Some(Kind::Plain)),
        ("text with a mark", "\u{feff}Plain.".as_bytes(), Some(Kind::Plain)),
        ("Markdown with tags", b"# Title\n\n<body> is a tag, <html> another.", Some(Kind::Plain)),
        ("tags without a page", b"<b>bold</b> text", Some(Kind::Plain)),
        ("a word that begins like a tag", b"<heading>Notes</heading>", Some(Kind::Plain)),
        ("a page without a doctype", b" <HTML><p>A page.", Some(Kind::Html)),
        ("XHTML", b"<?xml version='1.0'?>\n<!-- a --><!DOCTYPE html><p>A page.", Some(Kind::Html)),
        ("a page in Latin 1", b"<html><meta charset=iso-8859-1><p>caf\xe9", Some(Kind::Html)),
        ("a page in an unknown encoding", b"<html><p>caf\xe9", None),
        ("a pasted mail", b"From: A\nTo: B\nSubject: C\nDate: D\n\nHello.", Some(Kind::Plain)),
        (
            "a mail as Outlook pastes it",
            b"From: A\nSent: Monday\nTo: B\nSubject: C\n\nHello.",
            Some(Kind::Plain),
        ),
        ("a mail", b"From: A\r\nTo: B\r\nMIME-Version: 1.0\r\n\r\nHello.", Some(Kind::Eml)),
        ("YAML", b"from: a\nto: b\nsubject: c\ncontent-type: d\n- e\n", Some(Kind::Plain)),
        ("a text about PDF", b"Each file begins with %PDF-1.4.", Some(Kind::Plain)),
        ("RTF", br"{\rtf1 Hello.}", Some(Kind::Rtf)),
        ("Latin 1", b"caf\xe9", None),
        ("a program", b"\x7fELF\x02\x01\x01\0\0\0\xff", None),
        ("GIF", b"GIF89a", None),
        ("an old Office file", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", None),
        ("an empty ZIP", b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", None),
        ("half a UTF-16 unit", b"\xff\xfea", None),
    ];
    let kinds =
        cases.iter().map(|(name, bytes, _)| (*name, read(bytes, ReadAs::Auto).ok().map(|text| text.kind)));
    let expected = cases.iter().map(|(name, _, kind)| (*name, *kind));
    assert_eq!(kinds.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
}

#[test]
fn text_is_read_as_text_on_demand() {
    let page = b"<html><p>A page.";
    let text = read(page, ReadAs::Text).expect("it is UTF-8");
    assert_eq!((text.kind, text.text.as_bytes()), (Kind::Plain, page.as_slice()));
    let error = read(&fixture("picture.png"), ReadAs::Text).expect_err("it is no UTF-8");
    assert_eq!(error, FileError::NotUtf8 { line: 1, byte: 0 });
}

#[test]
fn tables_in_tables_are_layout() {
    let page = "<html><table><tr><td>Left<td><table><tr><th>a<th>b<tr><td>1|2<td>3</table>After</table>End";
    let text = read(page.as_bytes(), ReadAs::Auto).expect("it is a page").text;
    assert_eq!(text, "Left\n\n| a | b |\n| --- | --- |\n| 1\\|2 | 3 |\n\nAfter\n\nEnd\n");
}

#[test]
fn lists_have_marks_and_depths() {
    let page = "<html><ul><li>one<li><p>two</p><ol start=3><li>three<li>four</ol></ul><p>end";
    let text = read(page.as_bytes(), ReadAs::Auto).expect("it is a page").text;
    assert_eq!(text, "- one\n- two\n  3. three\n  4. four\n\nend\n");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Whatever is wrong in a file, it is read or refused.
    #[test]
    fn damaged_files_never_panic(
        file in prop::sample::select(CASES).prop_map(|case| case.file),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
        end in any::<Option<prop::sample::Index>>(),
    ) {
        let mut bytes = fixture(file);
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        bytes.truncate(end.map_or(bytes.len(), |end| end.index(bytes.len())));
        let _ = read(&bytes, ReadAs::Auto);
    }
}
