//! Flags that several commands have.

use std::num::NonZeroUsize;

use clap::{Args, ValueEnum};
use veridic::corpus::read::Format as InputFormat;
use veridic::corpus::write::{Columns, OutputFormat, Shape};
use veridic::files::ReadAs;
use veridic::rules::ClaimsChoice;

/// How a command prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For a person
    Text,
    /// For a program
    Json,
}

/// What a file with a text is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReadAsChoice {
    /// What its content says: PDF, Word, HTML, mail, RTF or text
    Auto,
    /// UTF-8 text, whatever it looks like
    Text,
}

impl From<ReadAsChoice> for ReadAs {
    fn from(choice: ReadAsChoice) -> Self {
        match choice {
            ReadAsChoice::Auto => Self::Auto,
            ReadAsChoice::Text => Self::Text,
        }
    }
}

/// How progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProgressChoice {
    /// A line that is rewritten on a terminal, lines elsewhere
    Auto,
    /// Lines
    Plain,
    /// One JSON object a line
    Json,
}

/// The rows of the inputs.
#[derive(Debug, Args)]
pub struct RowsArgs {
    /// Format of the inputs, if their names do not show it
    ///
    /// jsonl, json, csv, tsv or parquet.
    #[arg(long, value_name = "FORMAT", help_heading = "Rows")]
    pub input_format: Option<InputFormat>,
    /// Field of the document, instead of the first of the usual names
    ///
    /// The usual ones: document, doc, source, article, context, contexts, transcript, premise, retrieved_contexts.
    #[arg(long, value_name = "NAME", help_heading = "Rows")]
    pub document_field: Option<String>,
    /// Field of the summary, instead of the first of the usual names
    ///
    /// The usual ones: summary, summ, claim, response, answer, hypothesis, system_output, actual_output.
    #[arg(long, value_name = "NAME", help_heading = "Rows")]
    pub summary_field: Option<String>,
}

/// How rows are written.
#[derive(Debug, Args)]
pub struct TableArgs {
    /// Format of the output, if its name does not show it
    ///
    /// jsonl, csv, tsv or parquet.
    #[arg(long, value_name = "FORMAT", help_heading = "Rows")]
    pub output_format: Option<OutputFormat>,
    /// One row a claim instead of one row a pair
    #[arg(long, value_enum, value_name = "claims", help_heading = "Rows")]
    pub explode: Option<ExplodeChoice>,
    /// Columns of a table: few, to sort by, or all fields
    ///
    /// few: score, verdict, reason, counts of claims, the worst claim, and input.NAME. all: these and every other field of a
    /// result, as `report` needs. JSON Lines always have all fields.
    #[arg(long, value_enum, default_value_t = ColumnsChoice::Few, value_name = "few|all", help_heading = "Rows")]
    pub columns: ColumnsChoice,
    /// Write texts of CSV and TSV that begin like formulas as they are
    ///
    /// Otherwise a text that begins with =, +, -, @, a tab or a carriage return is written after an apostrophe, so that a spreadsheet
    /// shows it instead of computing it. `run` reads it back without the apostrophe.
    #[arg(long, help_heading = "Rows")]
    pub raw_cells: bool,
}

impl TableArgs {
    /// Returns the shape of the rows.
    #[must_use]
    pub fn shape(&self) -> Shape {
        let columns = match self.columns {
            ColumnsChoice::Few => Columns::Few,
            ColumnsChoice::All => Columns::All,
        };
        Shape { explode: self.explode.is_some(), columns, raw_cells: self.raw_cells }
    }
}

/// The columns of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColumnsChoice {
    /// What one sorts and filters by
    Few,
    /// Every field of a result
    All,
}

/// The unit of a row in the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExplodeChoice {
    /// One row a claim
    Claims,
}

/// How claims are extracted from texts, without an NLI model.
#[derive(Debug, Args)]
pub struct ExtractorArgs {
    /// Claims: sentence, given or t5=NAME|DIR
    ///
    /// sentence: each sentence of the text; given: the rows' field `claims`; t5: written by a text-to-text model of that name or
    /// folder, t5 alone by FENICE's.
    #[arg(long, default_value_t = ClaimsChoice::Sentence, value_name = "HOW")]
    pub claims: ClaimsChoice,
    /// text for a person, json for a program
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Threads [default: one per core]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
    /// No notes and no progress on stderr
    #[arg(long, short)]
    pub quiet: bool,
}
