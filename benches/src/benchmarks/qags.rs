//! QAGS (Wang, Cho, Lewis, ACL 2020): the votes of several annotators on each sentence of a summary, in the authors' files
//! `mturk_cnndm.jsonl` and `mturk_xsum.jsonl` (article, summary_sentences: sentence, responses: worker_id, response yes or
//! no). A row's texts are its sentences, each judged separately, then the whole summary: the sentences joined by spaces. The
//! rating of a sentence is the share of yes, that of a summary the mean over its sentences.
//!
//! The authors' figure is Pearson's correlation with the share of sentences that have a majority of yes, for whole
//! summaries. The correlations with the mean of the votes, which is finer, precede it. Intervals are bootstrapped over rows,
//! each with all its sentences.

use serde::Deserialize;
use veridic::corpus::field_text;
use veridic::corpus::read::RawRow;
use veridic_stats::{kendall, pearson, roc_auc, spearman};

use crate::protocol::{
    About, BenchError, Benchmark, Case, Correlate, Estimate, Figures, RowContent, Scored, Shown, Text,
    TextLevel, by_name, fields, figures, grouped, layout, published,
};

const FILE_PREFIX: &str = "mturk_";

const SENTENCES: &str = "summary_sentences";

#[derive(Debug, Clone, Copy, Default)]
pub struct Qags {
    /// Which texts are judged; `None` is both.
    pub level: Option<TextLevel>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Label {
    pub(crate) file: String,
    /// The share of yes; for a summary the mean over its sentences.
    pub(crate) rating: f64,
    /// The share of its sentences with a majority of yes.
    pub(crate) majority: f64,
}

#[derive(Deserialize)]
struct Sentence {
    sentence: String,
    responses: Vec<Response>,
}

#[derive(Deserialize)]
struct Response {
    response: Vote,
}

#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Vote {
    Yes,
    No,
}

impl Benchmark for Qags {
    type Label = Label;

    fn about(&self) -> About {
        About { published: published!("qags"), ..About::default() }
    }

    fn read_row(&self, row: RawRow) -> Result<RowContent<Label>, String> {
        let mut fields = row.fields;
        fields::require(&fields, &["article", SENTENCES])?;
        let document = field_text(&mut fields, "article")?;
        let what = "a list of objects with sentence and responses, these with response yes or no";
        let sentences: Vec<Sentence> = fields::parsed(&fields, SENTENCES, what)?;
        let texts = texts(&fields::file_stem(&row.origin.file, FILE_PREFIX), &sentences)?;
        Ok(RowContent::texts(document, texts).at_level(self.level))
    }

    fn measure(&self, cases: &[Case<Label>], scores: &[f64]) -> Result<Figures, BenchError> {
        let scored = Scored { cases, scores };
        let texts = by_name(cases.iter().map(|case| (case.label.file.as_str(), case.level)).zip(0..));
        if texts.is_empty() {
            return Err(BenchError::Data("holds no texts to measure".into()));
        }
        let groups: Vec<Figures> =
            texts.into_iter().map(|((file, level), texts)| group(&scored, file, level, &texts)).collect();
        Ok(figures! { "groups": groups })
    }

    fn show(&self, name: &str, figures: &Figures) -> Shown {
        let groups = figures["groups"].list();
        let header =
            ["", "texts", "Pearson", "Spearman", "Kendall", "Pearson, majority", "ROC AUC, majority"];
        let fields = ["group", "texts", "pearson", "spearman", "kendall", "pearson_majority", "roc_auc"];
        let named = |group: &Figures| format!("{} {}", group["group"].text(), group["level"].text());
        let mut rows = layout::rows(&header, groups, &fields);
        rows.iter_mut().skip(1).zip(groups).for_each(|(row, group)| row[0] = named(group));
        let mut lines = vec![format!("QAGS, {name}: correlation with the mean of the votes, times 100")];
        lines.extend(layout::lines(&rows));
        // The paper's figures are of summaries.
        if groups.iter().all(|group| group["level"].text() != TextLevel::Summary.name()) {
            return Shown { lines, beside: Vec::new() };
        }
        let table = &self.about().published[0];
        let beside = |name: &str| {
            let header = layout::cells(["Pearson of summaries, majority", "CNN/DM", "XSum"]);
            let of = |file: &String| figures["groups"].find(&[("group", file), ("level", "summary")]);
            let cells = table.columns.iter().map(|file| of(file)["pearson_majority"].cell());
            table.under(vec![header, std::iter::once(name.to_owned()).chain(cells).collect()])
        };
        lines.push(String::new());
        lines.extend(beside("this one").lines());
        Shown { lines, beside: vec![beside(name)] }
    }
}

/// Returns the sentences, then the summary that they form.
fn texts(file: &str, sentences: &[Sentence]) -> Result<Vec<Text<Label>>, String> {
    if sentences.is_empty() {
        return Err(format!("field `{SENTENCES}` is empty"));
    }
    let text = |text: String, rating: f64, majority: f64| {
        Text::new(text, majority == 1.0, file.to_owned(), Label { file: file.to_owned(), rating, majority })
    };
    let (count, mut sum, mut most_yes) = (sentences.len() as f64, 0.0, 0.0);
    let mut texts = Vec::with_capacity(sentences.len() + 1);
    for (number, Sentence { sentence, responses }) in sentences.iter().enumerate() {
        if responses.is_empty() {
            return Err(format!("sentence {} has no responses", number + 1));
        }
        let yes = responses.iter().filter(|response| response.response == Vote::Yes).count();
        let rating = yes as f64 / responses.len() as f64;
        let majority = f64::from(u8::from(2 * yes > responses.len()));
        sum += rating;
        most_yes += majority;
        texts.push(Text { level: TextLevel::Sentence, ..text(sentence.clone(), rating, majority) });
    }
    let summary: Vec<&str> = sentences.iter().map(|sentence| sentence.sentence.trim()).collect();
    texts.push(text(summary.join(" "), sum / count, most_yes / count));
    Ok(texts)
}

/// The figures of the texts of one file and level.
fn group(scored: &Scored<Label>, file: &str, level: TextLevel, texts: &[usize]) -> Figures {
    let rows = grouped(texts.iter().map(|&text| (scored.cases[text].row, text)));
    let correlation = |correlate: Correlate, human: fn(&Label) -> f64| {
        Estimate::on_groups(&rows, |texts| {
            let scores: Vec<f64> = texts.iter().map(|text| scored.scores[*text]).collect();
            let human: Vec<f64> = texts.iter().map(|text| human(scored.label(*text))).collect();
            correlate(&scores, &human).ok()
        })
    };
    let ranking = || {
        Estimate::on_groups(&rows, |texts| {
            let (scores, labels) = scored.pairs(texts);
            roc_auc(&scores, &labels)
        })
    };
    figures! {
        "group": file,
        "level": level.name(),
        "texts": texts.len(),
        "pearson": correlation(pearson, |label| label.rating),
        "spearman": correlation(spearman, |label| label.rating),
        "kendall": correlation(kendall, |label| label.rating),
        "pearson_majority": correlation(pearson, |label| label.majority),
        "roc_auc": if level == TextLevel::Sentence { ranking() } else { None },
    }
}
