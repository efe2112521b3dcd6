//! The native module `_engine`: texts and JSON in, JSON and bytes out. The public API, with types and frames, is Python code
//! (`python/veridic`); all results are computed by the library.

mod engine;
mod errors;
mod options;
mod program;
mod rows;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use veridic::corpus::read::{DOCUMENT_NAMES, GIVEN_NAMES, SUMMARY_NAMES};
use veridic::corpus::run::{BATCH_BYTES, BatchSize};

use crate::engine::{Engine, EngineStream};
use crate::program::run_program;

/// The number of rows judged together.
#[pyclass(name = "Pace", module = "veridic._engine")]
#[derive(Default)]
struct PyPace(BatchSize);

#[pymethods]
impl PyPace {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Returns the number of rows for the next call.
    #[getter]
    fn rows(&self) -> usize {
        self.0.rows()
    }

    /// Records the duration of the last call.
    fn took(&mut self, seconds: f64) {
        self.0.adjust(std::time::Duration::try_from_secs_f64(seconds).unwrap_or_default());
    }
}

/// Returns the spans of a text's sentences, as (start, end) in characters.
#[pyfunction]
fn sentences(text: &str) -> Vec<(usize, usize)> {
    veridic::text::sentences(text).into_iter().map(|span| (span.start, span.end)).collect()
}

/// Adds the folder of the models bundled with the package.
#[pyfunction]
fn add_models_folder(folder: std::path::PathBuf) {
    veridic::add_models_folder(folder);
}

#[pymodule]
fn _engine(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Engine>()?;
    module.add_class::<EngineStream>()?;
    module.add_class::<PyPace>()?;
    module.add_function(wrap_pyfunction!(sentences, module)?)?;
    module.add_function(wrap_pyfunction!(add_models_folder, module)?)?;
    module.add_function(wrap_pyfunction!(run_program, module)?)?;
    module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
    module.add("ENOUGH_BYTES", BATCH_BYTES)?;
    module.add("SETTINGS", veridic::plan::all_settings().map(|setting| setting.key).collect::<Vec<_>>())?;
    let names = PyDict::new(module.py());
    names.set_item("document", DOCUMENT_NAMES.to_vec())?;
    names.set_item("summary", SUMMARY_NAMES.to_vec())?;
    names.set_item("given", GIVEN_NAMES.to_vec())?;
    module.add("FIELD_NAMES", names)
}
