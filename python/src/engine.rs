//! The class `Engine`: a scorer and its threads, called from Python.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyByteArray;
use serde::Serialize;
use veridic::corpus::read::{RowNames, document_of};
use veridic::pipeline::{NliPair, NliResult, check_text};
use veridic::result::{Models, ProfileStamp};
use veridic::{Error, ScoreStream, Scorer};
use veridic_models::Truncation;

use crate::errors::{SettingError, class, exception, message};
use crate::options::Options;
use crate::rows::{Judged, judge};
use veridic_python_calls::Threads;

/// A scorer with its threads.
#[pyclass(frozen, module = "veridic._engine")]
pub(crate) struct Engine {
    scorer: Scorer,
    threads: Threads,
    names: RowNames,
    notes: Vec<String>,
}

/// A pair that cannot be computed: its index, the class of its exception, the reason.
type FailedPair = (usize, &'static str, String);

#[derive(Serialize)]
struct Facts {
    profile: ProfileStamp,
    models: Models,
    threads: usize,
}

#[pymethods]
impl Engine {
    /// `options`: a JSON object of settings.
    #[new]
    fn new(py: Python<'_>, options: &str) -> PyResult<Self> {
        let options = Options::read(options).map_err(|error| exception(&error))?;
        let threads = Threads::start(options.threads.map(Into::into)).map_err(SettingError::new_err)?;
        let names = options.names();
        let loaded = threads.abandonable(py, move || options.load())?;
        let (scorer, notes) = loaded.map_err(|error| exception(&error))?;
        Ok(Self { scorer, threads, names, notes })
    }

    /// Returns the notes on the settings.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// Returns profile, models and number of threads, as JSON.
    fn facts(&self) -> PyResult<String> {
        let scorer = &self.scorer;
        let threads = self.threads.get()?.current_num_threads();
        let facts = Facts { profile: scorer.stamp(), models: scorer.models(), threads };
        Ok(serde_json::to_string(&facts).expect("texts and finite numbers are valid JSON"))
    }

    /// Judges rows, each a JSON object, together.
    #[pyo3(signature = (rows, document_field=None, summary_field=None, citations=false))]
    fn judge(
        &self,
        py: Python<'_>,
        rows: Vec<String>,
        document_field: Option<String>,
        summary_field: Option<String>,
        citations: bool,
    ) -> PyResult<Vec<Judged>> {
        let named = self.names.clone().naming(document_field, summary_field);
        let mut names = named.map_err(|error| SettingError::new_err(error.to_string()))?;
        names.citations = citations;
        self.threads.compute(py, |on_event| judge(&self.scorer, &names, &rows, on_event))
    }

    /// Returns the probabilities of pairs of premises and hypotheses, as float32 in native byte order: entailment, neutral,
    /// contradiction. Failed pairs have NaN and are listed with the class of their exception and the reason.
    #[pyo3(signature = (premises, hypotheses, truncate=None))]
    fn nli<'py>(
        &self,
        py: Python<'py>,
        premises: Vec<String>,
        hypotheses: Vec<String>,
        truncate: Option<&str>,
    ) -> PyResult<(Bound<'py, PyByteArray>, Vec<FailedPair>)> {
        let truncation = match truncate {
            None => Truncation::Refuse,
            Some("premise") => Truncation::Premise,
            Some("longest_first") => Truncation::LongestFirst,
            Some(other) => {
                let reason = format!("truncate {other}: known are premise, longest_first");
                return Err(SettingError::new_err(reason));
            }
        };
        let both = premises.iter().zip(&hypotheses);
        let questions: Vec<NliPair<'_>> =
            both.map(|(premise, hypothesis)| NliPair { premise, hypothesis }).collect();
        let scorer = &self.scorer;
        let answers =
            self.threads.compute(py, |on_event| scorer.classify_each(&questions, truncation, on_event))?;
        let answers = answers.map_err(|error| exception(&error))?;
        let mut bytes = Vec::with_capacity(answers.len() * 3 * size_of::<f32>());
        let mut failed = Vec::new();
        for (index, (answer, question)) in answers.into_iter().zip(&questions).enumerate() {
            let texts = check_text("premise", question.premise)
                .and_then(|()| check_text("hypothesis", question.hypothesis));
            let row = match texts.and(answer) {
                Ok(NliResult { probabilities: p, .. }) => [p.entailment, p.neutral, p.contradiction],
                Err(error) => {
                    failed.push((index, class(&error), message(&error)));
                    [f32::NAN; 3]
                }
            };
            bytes.extend(row.into_iter().flat_map(f32::to_ne_bytes));
        }
        Ok((PyByteArray::new(py, &bytes), failed))
    }

    /// Starts judging a text against a document while the text is written. `document` is JSON, as in a row.
    fn stream(slf: Bound<'_, Self>, document: &str) -> PyResult<EngineStream> {
        let (py, engine) = (slf.py(), slf.get());
        let (document, sources) =
            document_of(document).map_err(|reason| exception(&Error::Text { role: "document", reason }))?;
        let scorer = &engine.scorer;
        let begun = engine
            .threads
            .compute(py, |on_event| scorer.stream_until(&document, sources.clone(), on_event))?;
        let stream = begun.map_err(|error| exception(&error))?;
        Ok(EngineStream { engine: slf.unbind(), stream: Mutex::new(Some(stream)) })
    }

    /// Returns the chunks in which a checker reads the document.
    fn chunks(&self, document: &str) -> PyResult<Vec<String>> {
        self.scorer.chunks(document).map_err(|error| exception(&error))
    }
}

/// A text that is judged while it is written.
#[pyclass(frozen, module = "veridic._engine")]
pub(crate) struct EngineStream {
    engine: Py<Engine>,
    /// `None` once finished.
    stream: Mutex<Option<ScoreStream>>,
}

#[pymethods]
impl EngineStream {
    /// Adds a piece and judges the sentences that it completes; returns a JSON list.
    fn push(&self, py: Python<'_>, piece: String) -> PyResult<String> {
        let engine = self.engine.get();
        let mut held = self.held(py);
        let stream = held.as_mut().ok_or_else(finished)?;
        if !stream.add(&piece).map_err(|error| exception(&error))? {
            return Ok("[]".to_owned());
        }
        let judged = engine.threads.compute(py, |on_event| stream.push("", on_event))?;
        Ok(json(&judged.map_err(|error| exception(&error))?))
    }

    /// Judges the rest: returns its sentences as a JSON list, and the result of the whole text as JSON.
    fn finish(&self, py: Python<'_>) -> PyResult<(String, String)> {
        let engine = self.engine.get();
        let mut held = self.held(py);
        let stream = held.as_mut().ok_or_else(finished)?;
        let finished = engine.threads.compute(py, |on_event| stream.finish(on_event))?;
        let (last, result) = finished.map_err(|error| exception(&error))?;
        *held = None;
        Ok((json(&last), json(&result)))
    }
}

impl EngineStream {
    /// Locks the stream, waiting for other threads.
    fn held(&self, py: Python<'_>) -> MutexGuard<'_, Option<ScoreStream>> {
        self.stream.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }
}

fn finished() -> PyErr {
    SettingError::new_err("this stream is finished: begin another one")
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("texts and finite numbers are valid JSON")
}
