//! The letters that spaCy knows, as inclusive ranges beyond ASCII: a fixed choice of scripts.

/// Latin, Greek and Cyrillic letters, which have case in Unicode.
#[rustfmt::skip]
pub(super) const CASED: &[(char, char)] = &[
    ('\u{c0}', '\u{d6}'), ('\u{d8}', '\u{f6}'), ('\u{f8}', '\u{1bf}'), ('\u{1c4}', '\u{2af}'),
    ('\u{386}', '\u{386}'), ('\u{388}', '\u{38a}'), ('\u{38c}', '\u{38c}'), ('\u{38e}', '\u{38f}'),
    ('\u{391}', '\u{3a9}'), ('\u{3ac}', '\u{3af}'), ('\u{3b1}', '\u{3c9}'), ('\u{3cc}', '\u{3ce}'),
    ('\u{400}', '\u{401}'), ('\u{403}', '\u{40a}'), ('\u{40c}', '\u{40d}'), ('\u{410}', '\u{451}'),
    ('\u{453}', '\u{45a}'), ('\u{45c}', '\u{45d}'), ('\u{490}', '\u{491}'), ('\u{496}', '\u{497}'),
    ('\u{4a2}', '\u{4a3}'), ('\u{4ae}', '\u{4af}'), ('\u{4ba}', '\u{4bb}'), ('\u{4d8}', '\u{4d9}'),
    ('\u{4e8}', '\u{4e9}'), ('\u{1d00}', '\u{1d25}'), ('\u{1d6b}', '\u{1d77}'), ('\u{1d79}', '\u{1d9a}'),
    ('\u{1e00}', '\u{1eff}'), ('\u{2c60}', '\u{2c7b}'), ('\u{2c7e}', '\u{2c7f}'), ('\u{a722}', '\u{a76f}'),
    ('\u{a771}', '\u{a787}'), ('\u{a78b}', '\u{a78e}'), ('\u{a790}', '\u{a7b9}'), ('\u{a7fa}', '\u{a7fa}'),
    ('\u{ab30}', '\u{ab5a}'), ('\u{ab60}', '\u{ab64}'), ('\u{ff21}', '\u{ff3a}'), ('\u{ff41}', '\u{ff5a}'),
];

/// Scripts without case, by their blocks, signs and unassigned characters included: Hebrew, Arabic,
/// the Indic scripts, Hangul, Ethiopic, kana, Han.
#[rustfmt::skip]
pub(super) const CASELESS: &[(char, char)] = &[
    ('\u{591}', '\u{5f4}'), ('\u{620}', '\u{64a}'), ('\u{66e}', '\u{6d5}'), ('\u{6e5}', '\u{6ff}'),
    ('\u{750}', '\u{77f}'), ('\u{8a0}', '\u{8bd}'), ('\u{900}', '\u{9ff}'), ('\u{b80}', '\u{cff}'),
    ('\u{d80}', '\u{dff}'), ('\u{1100}', '\u{137f}'), ('\u{2e80}', '\u{2fdf}'), ('\u{2ff0}', '\u{30ff}'),
    ('\u{31c0}', '\u{31ef}'), ('\u{3200}', '\u{4dbf}'), ('\u{4e00}', '\u{9fff}'), ('\u{ac00}', '\u{d7af}'),
    ('\u{f900}', '\u{faff}'), ('\u{fb1d}', '\u{fbb1}'), ('\u{fbd3}', '\u{fd3d}'), ('\u{fd50}', '\u{fdc7}'),
    ('\u{fdf0}', '\u{fdfb}'), ('\u{fe30}', '\u{fe4f}'), ('\u{fe70}', '\u{fefc}'), ('\u{1ee00}', '\u{1eebb}'),
    ('\u{1f200}', '\u{1f2ff}'), ('\u{20000}', '\u{2a6df}'), ('\u{2a700}', '\u{2ebef}'),
    ('\u{2f800}', '\u{2fa1f}'),
];
