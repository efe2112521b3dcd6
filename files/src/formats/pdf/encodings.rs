//! What the codes and the names of glyphs stand for in fonts that do not say it: the encodings and the names that Adobe defined,
//! and the widths of the fonts that every reader of PDFs has.

use crate::formats::charset::in_code_page;

/// The names of glyphs as they occur in fonts for European languages, but for letters; and the characters that they name, in the same
/// order.
const NAMES: &str = "\
    space exclam quotedbl numbersign dollar percent ampersand quotesingle parenleft parenright asterisk plus comma \
    hyphen period slash zero one two three four five six seven eight nine colon semicolon less equal greater \
    question at bracketleft backslash bracketright asciicircum underscore grave braceleft bar braceright \
    asciitilde minus quoteleft quoteright quotesinglbase quotedblleft quotedblright quotedblbase guilsinglleft \
    guilsinglright guillemotleft guillemotright endash emdash bullet ellipsis dagger daggerdbl perthousand florin \
    fraction trademark Euro cent sterling currency yen exclamdown questiondown brokenbar section dieresis \
    copyright registered ordfeminine ordmasculine logicalnot sfthyphen macron degree plusminus onesuperior \
    twosuperior threesuperior acute mu paragraph periodcentered cedilla onequarter onehalf threequarters multiply \
    divide AE ae OE oe Eth eth Thorn thorn germandbls Oslash oslash Lslash lslash Dcroat dcroat dotlessi \
    circumflex tilde caron ring nbspace ff fi fl ffi ffl arrowright lessequal greaterequal";
const CHARACTERS: &str = " !\"#$%&'()*+,-./0123456789:;<=>?@[\\]^_`{|}~−‘’‚“”„‹›«»–—•…†‡‰ƒ⁄™€¢£¤¥¡¿¦§¨©®ªº¬\u{ad}¯°±¹²³´µ¶·¸¼½¾×÷ÆæŒœÐðÞþßØøŁłĐđıˆ˜ˇ˚\u{a0}ﬀﬁﬂﬃﬄ→≤≥";
/// Letters with accents: the accent's name, which follows that of the letter, and pairs of letters.
const ACCENTED: [(&str, &str); 11] = [
    ("grave", "AÀEÈIÌOÒUÙaàeèiìoòuù"),
    ("acute", "AÁEÉIÍOÓUÚYÝCĆNŃSŚZŹLĹRŔaáeéiíoóuúyýcćnńsśzźlĺrŕ"),
    ("circumflex", "AÂEÊIÎOÔUÛaâeêiîoôuû"),
    ("tilde", "AÃNÑOÕaãnñoõ"),
    ("dieresis", "AÄEËIÏOÖUÜYŸaäeëiïoöuüyÿ"),
    ("ring", "AÅUŮaåuů"),
    ("cedilla", "CÇSŞcçsş"),
    ("caron", "CČDĎEĚNŇRŘSŠTŤZŽcčdďeěnňrřsštťzž"),
    ("ogonek", "AĄEĘaąeę"),
    ("hungarumlaut", "OŐUŰoőuű"),
    ("dotaccent", "ZŻEĖIİzżeė"),
];
/// Mac OS Roman from code 128.
const MAC_ROMAN: &str = "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø\
                         ¿¡¬√ƒ≈∆«»…\u{a0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{f8ff}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ";
/// Adobe's standard encoding from code 161; a space is an unused code.
const STANDARD: &str =
    "¡¢£⁄¥ƒ§¤'“«‹›ﬁﬂ –†‡· ¶•‚„”»…‰ ¿ `´ˆ˜¯˘˙¨ ˚¸ ˝˛ˇ—                Æ ª    ŁØŒº     æ   ı  łøœß    ";
/// The codes that have no character in the Windows encoding; PDF makes bullets of them.
const UNUSED_IN_WINDOWS: [u8; 6] = [0x7f, 0x81, 0x8d, 0x8f, 0x90, 0x9d];
/// The widths of Helvetica from code 32 to 126, in thousandths of the size.
const HELVETICA: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
    500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
    556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
    278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];
/// Those of Times.
const TIMES: [u16; 95] = [
    250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278, 500, 500, 500, 500, 500,
    500, 500, 500, 500, 500, 278, 278, 564, 564, 564, 444, 921, 722, 667, 667, 722, 611, 556, 722, 722, 333,
    389, 722, 611, 889, 722, 722, 556, 722, 667, 556, 611, 722, 722, 944, 722, 722, 611, 333, 278, 333, 469,
    500, 333, 444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500, 278, 778, 500, 500, 500, 500, 333, 389,
    278, 500, 500, 722, 500, 500, 444, 480, 200, 480, 541,
];

/// An encoding that a font can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Standard,
    MacRoman,
    Windows,
}

impl Encoding {
    pub(super) fn named(name: &[u8]) -> Option<Self> {
        match name {
            b"WinAnsiEncoding" => Some(Self::Windows),
            b"MacRomanEncoding" => Some(Self::MacRoman),
            b"StandardEncoding" => Some(Self::Standard),
            _ => None,
        }
    }

    /// Returns the character of a code.
    pub(super) fn character(self, code: u8) -> Option<char> {
        let from = |table: &str, first: u8| table.chars().nth(usize::from(code.checked_sub(first)?));
        let character = match self {
            _ if code < 32 => return None,
            Self::Windows if UNUSED_IN_WINDOWS.contains(&code) => '•',
            Self::Standard if code == b'\'' => '’',
            Self::Standard if code == b'`' => '‘',
            _ if code.is_ascii() => char::from(code),
            Self::Standard => from(STANDARD, 161).filter(|character| *character != ' ')?,
            Self::MacRoman => from(MAC_ROMAN, 128)?,
            Self::Windows => in_code_page(code, 1252),
        };
        (character != char::REPLACEMENT_CHARACTER).then_some(character)
    }
}

/// Returns the text that a glyph's name stands for.
pub(super) fn named_glyph(name: &str) -> Option<String> {
    // What follows a period names a variant.
    let name = name.split_once('.').map_or(name, |(name, _)| name);
    let known = NAMES.split(' ').zip(CHARACTERS.chars()).find(|(known, _)| *known == name);
    if let Some((_, character)) = known {
        return Some(character.to_string());
    }
    let mut characters = name.chars();
    let first = characters.next()?;
    let rest = characters.as_str();
    if rest.is_empty() && first.is_ascii_alphabetic() {
        return Some(first.to_string());
    }
    if let Some((_, pairs)) = ACCENTED.iter().find(|(accent, _)| *accent == rest) {
        let mut pairs = pairs.chars().step_by(2).zip(pairs.chars().skip(1).step_by(2));
        return pairs.find(|(letter, _)| *letter == first).map(|(_, accented)| accented.to_string());
    }
    let digits =
        name.strip_prefix("uni").and_then(|digits| digits.get(..4)).or_else(|| name.strip_prefix('u'))?;
    char::from_u32(u32::from_str_radix(digits, 16).ok()?).map(String::from)
}

/// Returns the width of a character in a font that every reader has, in thousandths of the size.
pub(super) fn standard_width(font: &str, character: char) -> f32 {
    let font = font.to_ascii_lowercase();
    if font.contains("courier") || font.contains("mono") {
        return 600.0;
    }
    let widths = if font.contains("times") || font.contains("serif") { &TIMES } else { &HELVETICA };
    let at = u32::from(character).checked_sub(32).and_then(|at| widths.get(at as usize));
    at.map_or(556.0, |width| f32::from(*width))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_codes_stand_for_characters() {
        assert_eq!(NAMES.split(' ').count(), CHARACTERS.chars().count());
        let names = [
            "space",
            "A",
            "quotesingle",
            "backslash",
            "eacute",
            "Zcaron",
            "fi",
            "germandbls",
            "Euro",
            "uni0142",
            "u20AC",
            "a.sc",
        ];
        let texts = names.map(|name| named_glyph(name).unwrap_or_default());
        assert_eq!(texts, [" ", "A", "'", "\\", "é", "Ž", "ﬁ", "ß", "€", "ł", "€", "a"]);
        assert_eq!(named_glyph("g123"), None);
        assert_eq!(
            [0x80, 0x7f, 0x8d].map(|code| Encoding::Windows.character(code)),
            ['€', '•', '•'].map(Some)
        );
        assert_eq!(Encoding::MacRoman.character(0x8e), Some('é'));
        assert_eq!(MAC_ROMAN.chars().count(), 128);
        assert_eq!(STANDARD.chars().count(), 95);
        assert_eq!(
            (Encoding::Standard.character(0xae), Encoding::Standard.character(0xe1)),
            (Some('ﬁ'), Some('Æ'))
        );
    }
}
