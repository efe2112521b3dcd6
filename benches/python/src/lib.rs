//! The native module `_engine` of the laboratory's Python package: rows in and results out as JSON, and the program
//! `veridic-bench` in this process.

use std::ffi::OsString;
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::{Map, Value};
use veridic::corpus::read::{Origin, Place, RawRow, Row, RowNames};
use veridic::corpus::{Fields, RowJudge};
use veridic::plan::Builder;
use veridic::settings::Given;
use veridic::{Error, Pair};
use veridic_bench::Evaluator;
use veridic_bench::plan::{EvaluatorBuilder, known};
use veridic_python_calls::{Threads, exit_code};

/// An evaluator with its threads.
#[pyclass(frozen, module = "veridic_bench._engine")]
struct Engine {
    evaluator: Evaluator,
    threads: Threads,
    names: RowNames,
}

#[pymethods]
impl Engine {
    /// `settings`: a JSON object of settings by their keys, with the name of the model under `model`.
    #[new]
    #[pyo3(signature = (settings, threads=None))]
    fn new(py: Python<'_>, settings: &str, threads: Option<usize>) -> PyResult<Self> {
        let builder = builder(settings).map_err(|error| refused(&error))?;
        let claims_are_given = builder.has_given_claims();
        let threads = Threads::start(threads).map_err(PyValueError::new_err)?;
        let built = threads.abandonable(py, move || builder.build(&mut |_| {}))?;
        let evaluator = built.map_err(|error| refused(&error))?;
        let mut names = evaluator.row_names(RowNames::default());
        names.claims = claims_are_given;
        Ok(Self { evaluator, threads, names })
    }

    /// Evaluates rows, each a JSON object, together. Returns for each whether it was evaluated, and its result as JSON or
    /// the reason.
    fn evaluate(&self, py: Python<'_>, rows: Vec<String>) -> PyResult<Vec<(bool, String)>> {
        let read: Vec<Result<Row, String>> = rows.iter().map(|row| read(&self.names, row)).collect();
        let pairs: Vec<Pair<'_>> = read.iter().flatten().map(Row::pair).collect();
        let results = self.threads.compute(py, |on_event| self.evaluator.evaluate(&pairs, on_event))?;
        let mut results = results.into_iter();
        let mut outcomes = Vec::with_capacity(read.len());
        for row in &read {
            outcomes.push(match row {
                Err(reason) => (false, reason.clone()),
                Ok(_) => match results.next().unwrap_or(Err(Error::Stopped)) {
                    Ok(result) => {
                        (true, serde_json::to_string(&result).expect("texts and numbers are valid JSON"))
                    }
                    Err(error) => (false, message(&error)),
                },
            });
        }
        Ok(outcomes)
    }
}

fn builder(settings: &str) -> veridic::Result<EvaluatorBuilder> {
    let mut settings: Map<String, Value> = serde_json::from_str(settings).map_err(|error| Error::Text {
        role: "settings",
        reason: format!("are not a JSON object: {error}"),
    })?;
    let model: Map<String, Value> = settings.remove_entry("model").into_iter().collect();
    let mut given = Given::default();
    for (key, value) in &settings {
        given.add_json(known(key)?, value, "the setting")?;
    }
    Ok(EvaluatorBuilder::new(Builder::from_json(&model)?.settings(given)))
}

fn read(names: &RowNames, json: &str) -> Result<Row, String> {
    let fields: Fields = serde_json::from_str(json).map_err(|error| error.to_string())?;
    let origin = Origin { file: Arc::from(""), place: Place::File };
    names.read(RawRow { origin, fields }).map_err(|bad| bad.fault.reason)
}

/// Returns the message, with a setting by its key.
fn message(error: &Error) -> String {
    error.message(|setting, value| format!("{setting}={value}"))
}

fn refused(error: &Error) -> PyErr {
    PyValueError::new_err(message(error))
}

/// Runs `veridic-bench` with a command line that starts with its own name, and returns its exit code.
#[pyfunction]
fn run_program(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    exit_code(py, move || veridic_bench::main(arguments))
}

/// Returns the spans of a text's sentences, as (start, end) in characters.
#[pyfunction]
fn sentences(text: &str) -> Vec<(usize, usize)> {
    veridic::text::sentences(text).into_iter().map(|span| (span.start, span.end)).collect()
}

/// Adds a folder of models.
#[pyfunction]
fn add_models_folder(folder: std::path::PathBuf) {
    veridic::add_models_folder(folder);
}

#[pymodule]
fn _engine(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Engine>()?;
    module.add_function(wrap_pyfunction!(add_models_folder, module)?)?;
    module.add_function(wrap_pyfunction!(run_program, module)?)?;
    module.add_function(wrap_pyfunction!(sentences, module)?)?;
    module.add("VERSION", env!("CARGO_PKG_VERSION"))
}
