//! Contractions with their words: "don't" is "do" and "n't". Without the apostrophe they are cut in the same way ("dont"),
//! except those that are other words ("well").

/// Beginnings, and the endings of each; a space separates two words.
const REGULAR: &[(&str, &[&str])] = &[
    ("i", &["'m", "'m a"]),
    ("i you he she it we they", &["'ll", "'ll 've", "'d", "'d 've"]),
    ("who what when where why how there that this these those", &["'ll", "'ll 've", "'d", "'d 've"]),
    ("i you we they who what when where why how there these those", &["'ve"]),
    ("you we they who what when where why how there these those", &["'re"]),
    ("he she it who what when where why how there that this", &["'s"]),
    ("ca could do does did had may might must need ought sha should wo would", &["n't", "n't 've"]),
    ("could might must should would", &["'ve"]),
    ("ai are is was were have has dare", &["n't"]),
];

/// Regular contractions that are other words without the apostrophe.
const OTHER_WORDS: &[&str] = &["ill", "its", "hell", "shell", "shed", "were", "well", "whore"];

/// As written; a space separates two words.
const IRREGULAR: &[&str] = &[
    "y' all",
    "y all",
    "how 'd 'y",
    "How 'd 'y",
    "not 've",
    "not ve",
    "Not 've",
    "Not ve",
    "can not",
    "Can not",
    "gon na",
    "Gon na",
    "got ta",
    "Got ta",
    "let 's",
    "Let 's",
    "c'm on",
    "C'm on",
];

/// One word, with or without the apostrophe for its last letter.
const CLIPPED: &[&str] = &["doin", "goin", "havin", "lovin", "nothin", "nuthin", "ol", "somethin"];

/// One word, as written.
const WHOLE: &[&str] = &[
    "em", "'em", "ll", "'ll", "nuff", "'nuff", "'S", "'s", "‘S", "‘s", "and/or", "w/o", "'re", "'d",
    "'Cause", "'cause", "'cos", "'Cos", "'coz", "'Coz", "'cuz", "'Cuz", "'bout", "ma'am", "Ma'am", "o'clock",
    "O'clock",
];

/// The words of every contraction, with the straight apostrophe.
pub(super) fn all() -> impl Iterator<Item = Vec<String>> {
    let irregular = IRREGULAR.iter().map(|written| parted(written));
    let clipped = CLIPPED.iter().flat_map(|word| {
        [word.to_string(), format!("{word}'"), title(word), title(word) + "'"].map(|word| vec![word])
    });
    let whole = WHOLE.iter().map(|word| vec![word.to_string()]);
    regular().chain(irregular).chain(clipped).chain(whole)
}

fn regular() -> impl Iterator<Item = Vec<String>> {
    REGULAR.iter().flat_map(|&(beginnings, endings)| {
        let cases = beginnings.split(' ').flat_map(|word| [word.to_owned(), title(word)]);
        cases.flat_map(|beginning| endings.iter().flat_map(move |ending| with_ending(&beginning, ending)))
    })
}

/// With the apostrophes, and without them unless that is another word.
fn with_ending(beginning: &str, ending: &str) -> impl Iterator<Item = Vec<String>> + use<> {
    let written = format!("{beginning} {ending}");
    let plain = parted(&written.replace('\'', ""));
    let other_word = OTHER_WORDS.contains(&plain.concat().to_lowercase().as_str());
    [parted(&written)].into_iter().chain((!other_word).then_some(plain))
}

fn parted(written: &str) -> Vec<String> {
    written.split(' ').map(str::to_owned).collect()
}

fn title(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}
