//! What to give instead of flags that people know from other programs.

use veridic_program::hints::Hint;

const WRITES_TO_STDOUT: &str = "score prints to standard output: redirect it, such as veridic score DOCUMENT SUMMARY --format html > FILE";
const THRESHOLD: &str = "--threshold is no flag here: the score from which a claim is supported is --set supported=X; the sentence threshold T \
                         of FENICE's paper is --set threshold=T";

/// The hints of this program.
pub(crate) const HINTS: &[Hint] = &[
    Hint {
        commands: &["score"],
        argument: "<DOCUMENT>",
        message: "score needs two files, the document first: veridic score DOCUMENT SUMMARY",
    },
    Hint {
        commands: &["score"],
        argument: "<SUMMARY>",
        message: "score needs the file of the summary, too: veridic score DOCUMENT SUMMARY, or --source FILE... SUMMARY",
    },
    Hint { commands: &["score"], argument: "-o", message: WRITES_TO_STDOUT },
    Hint { commands: &["score"], argument: "--output", message: WRITES_TO_STDOUT },
    Hint {
        commands: &["score", "claims", "nli", "rules"],
        argument: "--json",
        message: "--json is no flag here: give --format json",
    },
    Hint {
        commands: &["run"],
        argument: "--json",
        message: "--json is no flag here: run writes JSON lines to a file named .jsonl, and to `-o -`",
    },
    Hint { commands: &["score", "run", "serve", "mcp", "hook"], argument: "--threshold", message: THRESHOLD },
    Hint {
        commands: &["serve"],
        argument: "--port",
        message: "--port is no flag here: give --listen 127.0.0.1:PORT",
    },
    Hint {
        commands: &["serve"],
        argument: "--host",
        message: "--host is no flag here: give --listen ADDRESS:PORT",
    },
];
