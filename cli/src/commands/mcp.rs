//! `veridic mcp`: settings are checked and models loaded before the client's first message is read.

use std::io::IsTerminal;
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::args::McpArgs;
use crate::mcp;
use veridic_program::{load, output};

pub(super) fn run(args: &McpArgs) -> Result<ExitCode> {
    let scorer = load::scorer(&args.settings)?;
    if std::io::stdin().is_terminal() {
        output::note_unless(
            args.settings.quiet,
            "standard input is a terminal, but this command is started by an MCP client: docs/how-to/mcp.md has its \
             configuration; Ctrl-D ends it",
        );
    }
    mcp::serve(scorer).context("the MCP session failed")?;
    Ok(ExitCode::SUCCESS)
}
