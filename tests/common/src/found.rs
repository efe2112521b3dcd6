//! Real-world characters: control characters, zero-width characters, Windows-1252 bytes.

use proptest::prelude::*;

/// A document and a summary with many of them.
pub const DOCUMENT: &str = "\u{feff}The council\u{92}s cat sat on the mat.\u{c}The do\u{ad}g left\u{0} late. It was \u{93}open\u{94}.";
pub const SUMMARY: &str = "The ca\u{200b}t sat.\u{1}\u{2} The dog \u{7f}left.";

/// Any text, often with such characters.
pub fn any_text() -> impl Strategy<Value = String> {
    const FOUND: [&str; 10] =
        ["The cat sat. ", "\u{0}", "\u{92}", "\u{feff}", "\u{200b}", "\u{c}", "\u{fffd}", "\n\n", "é", " "];
    let piece = prop_oneof![
        3 => proptest::sample::select(&FOUND[..]).prop_map(str::to_owned).boxed(),
        1 => any::<String>().boxed(),
    ];
    proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat().chars().take(60).collect())
}
