//! A line that `run` wrote: a judgement or an error. Refuses other schemas, lines of other programs, and shards, which hold
//! only part of the rows.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::row::{Claim, SummaryPart};
use veridic::corpus::Fields;
use veridic::notes::Unread;
use veridic::result::{Reason, Verdict};
use veridic_models::store::quoting::without_values;

/// The supported schema of results.
const SCHEMA: u32 = 1;

/// A line of scores.
#[derive(Debug)]
pub(super) enum ScoredRow {
    Judged(Box<JudgedRow>),
    Failed(FailedRow),
}

/// A judgement.
#[derive(Debug)]
pub(super) struct JudgedRow {
    pub(super) id: Option<Box<RawValue>>,
    pub(super) score: f64,
    pub(super) verdict: Verdict,
    pub(super) reason: Option<Reason>,
    /// The claims, and the parts of the summary that state nothing, in order.
    pub(super) parts: Vec<SummaryPart>,
    /// The share of the summary's words without a verdict, if it is known.
    pub(super) unjudged: Option<f64>,
    pub(super) ledger: Box<RawValue>,
    /// Profile, models and limits, as one JSON object.
    pub(super) settings: Box<RawValue>,
    pub(super) input: Fields,
    /// The model and the notes on the row.
    pub(super) about: ModelNotes,
}

/// The model that judged a row, and the notes on the row.
#[derive(Debug)]
pub(super) struct ModelNotes {
    pub(super) model: String,
    /// The digest of the model's weights.
    pub(super) sha256: String,
    pub(super) listed: Vec<String>,
    pub(super) notes: Vec<String>,
    /// The digest of the judged document.
    pub(super) document_digest: Option<String>,
}

/// A row that could not be judged.
#[derive(Debug)]
pub(crate) struct FailedRow {
    pub(super) id: Option<Box<RawValue>>,
    pub(super) reason: String,
}

/// The words of a summary without a verdict.
#[derive(Deserialize)]
struct Unjudged {
    share: f64,
}

/// The error of a failed row, as `run` writes it.
#[derive(Deserialize)]
struct RowError {
    file: String,
    line: Option<usize>,
    row: Option<usize>,
    reason: String,
}

impl ScoredRow {
    pub(super) fn read(mut fields: Fields) -> Result<Self, String> {
        let schema: u32 = field(&mut fields, "schema")?;
        if schema != SCHEMA {
            return Err(format!(
                "has schema {schema}, and this version reads schema {SCHEMA}: use the version that wrote it"
            ));
        }
        if fields.get("shard").is_some() {
            return Err("is the end of a shard: join the shards with `veridic merge` first".into());
        }
        let id = fields.take("id").filter(|id| id.get() != "null");
        if fields.get("error").is_some() {
            let reason = field::<RowError>(&mut fields, "error")?.message();
            return Ok(Self::Failed(FailedRow { id, reason }));
        }
        JudgedRow::read(id, fields).map(|row| Self::Judged(Box::new(row)))
    }
}

impl JudgedRow {
    fn read(id: Option<Box<RawValue>>, mut fields: Fields) -> Result<Self, String> {
        let profile: Box<RawValue> = field(&mut fields, "profile")?;
        let models: Box<RawValue> = field(&mut fields, "models")?;
        let limits = fields.take("limits");
        let limits_json = limits.as_deref().map_or("null", RawValue::get);
        let settings =
            format!("{{\"profile\":{},\"models\":{},\"limits\":{limits_json}}}", profile.get(), models.get());
        let parts: Vec<SummaryPart> = field(&mut fields, "claims")?;
        let ledger: Box<RawValue> = field(&mut fields, "ledger")?;
        let row = Self {
            about: ModelNotes::of(&parts, &ledger, &profile, &models)?,
            id,
            score: field(&mut fields, "score")?,
            verdict: field(&mut fields, "verdict")?,
            reason: fields.take("reason").map_or(Ok(None), |reason| parsed(&reason, "reason"))?,
            parts,
            unjudged: fields
                .take("unjudged")
                .map(|of| parsed::<Unjudged>(&of, "unjudged"))
                .transpose()?
                .map(|of| of.share),
            ledger,
            settings: RawValue::from_string(settings).expect("an object of JSON values is JSON"),
            input: fields
                .take("input")
                .map_or_else(|| Ok(Fields::default()), |input| parsed(&input, "input"))?,
        };
        if row.verdicts().flatten().next().is_none() { Err("has no claims".into()) } else { Ok(row) }
    }

    /// The verdicts of its claims and of its other parts.
    pub(super) fn verdicts(&self) -> impl Iterator<Item = Option<Verdict>> {
        self.parts.iter().map(SummaryPart::verdict)
    }

    /// Its claims.
    pub(super) fn claims(&self) -> impl Iterator<Item = &Claim> {
        self.parts.iter().filter_map(SummaryPart::claim)
    }
}

impl ModelNotes {
    fn of(
        parts: &[SummaryPart],
        ledger: &RawValue,
        profile: &RawValue,
        models: &RawValue,
    ) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Models {
            nli: Model,
        }
        #[derive(Deserialize)]
        struct Model {
            id: String,
            #[serde(default)]
            sha256: String,
        }
        #[derive(Deserialize)]
        struct Profile {
            languages: Option<Vec<String>>,
        }
        #[derive(Deserialize)]
        struct Ledger {
            #[serde(default)]
            language: Languages,
            document_digest: Option<String>,
        }
        #[derive(Default, Deserialize)]
        struct Languages {
            document: Option<String>,
            summary: Option<String>,
        }
        let Model { id: model, sha256 } = parsed::<Models>(models, "models")?.nli;
        let listed = parsed::<Profile>(profile, "profile")?.languages.unwrap_or_default();
        let Ledger { language: Languages { document, summary }, document_digest } = parsed(ledger, "ledger")?;
        let is_unread =
            parts.iter().filter_map(SummaryPart::claim).any(|claim| claim.reason == Some(Reason::Language));
        let unread = is_unread
            .then(|| Unread { model: model.clone(), listed: listed.clone(), document, summary }.message());
        Ok(Self { model, sha256, listed, notes: unread.into_iter().collect(), document_digest })
    }
}

impl RowError {
    fn message(self) -> String {
        match (self.line, self.row) {
            (Some(line), _) => format!("{}: line {line}: {}", self.file, self.reason),
            (None, Some(row)) => format!("{}: row {row}: {}", self.file, self.reason),
            (None, None) => format!("{}: {}", self.file, self.reason),
        }
    }
}

fn field<T: DeserializeOwned>(fields: &mut Fields, name: &str) -> Result<T, String> {
    let value = fields
        .take(name)
        .ok_or_else(|| format!("has no field `{name}`: give a file that `veridic run` wrote"))?;
    parsed(&value, name)
}

fn parsed<T: DeserializeOwned>(value: &RawValue, name: &str) -> Result<T, String> {
    serde_json::from_str(value.get()).map_err(|error| {
        format!("field `{name}` is not what `veridic run` writes ({})", without_values(&error))
    })
}
