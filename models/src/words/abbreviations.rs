//! Abbreviations that keep their full stop, times of day, and a few signs.

/// One word each.
const WHOLE: &str = "
    Adm. Ak. Ala. Apr. Ariz. Ark. Aug. Bros. Calif. Co. Colo. Conn. Corp. D.C. Dec. Del. Dr. E.G. E.g. Feb.
    Fla. Ga. Gen. Gov. I.E. I.e. Ia. Id. Ill. Inc. Ind. Jan. Jr. Jul. Jun. Kan. Kans. Ky. La. Ltd. Mar.
    Mass. Md. Messrs. Mich. Minn. Miss. Mo. Mont. Mr. Mrs. Ms. Mt. N.C. N.D. N.H. N.J. N.M. N.Y. Neb. Nebr.
    Nev. Nov. Oct. Okla. Ore. Pa. Ph.D. Prof. Rep. Rev. S.C. Sen. Sep. Sept. St. Tenn. Va. Wash. Wis.
    a.m. co. e.g. i.e. p.m. v.s. vs.
    ä. ö. ü. — ' '' \\\") <space> C++ \\t \\n";

/// The words of every abbreviation.
pub(super) fn all() -> impl Iterator<Item = Vec<String>> {
    let letters = ('a'..='z').map(|letter| format!("{letter}."));
    let whole = WHOLE.split_whitespace().map(str::to_owned).chain(letters).map(|word| vec![word]);
    whole.chain(times()).chain(degrees())
}

/// "9am": the hour and its half of the day.
fn times() -> impl Iterator<Item = Vec<String>> {
    let halves = ["a.m.", "am", "p.m.", "pm"];
    (1..=12).flat_map(move |hour: u32| halves.map(|half| vec![hour.to_string(), half.to_owned()]))
}

/// "°C.": at the end of a sentence.
fn degrees() -> impl Iterator<Item = Vec<String>> {
    ["c", "f", "k", "C", "F", "K"].into_iter().map(|scale| ["°", scale, "."].map(str::to_owned).to_vec())
}
