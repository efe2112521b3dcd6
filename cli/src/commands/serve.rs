//! `veridic serve`: settings are checked and models loaded before the first request is accepted.

use std::net::{SocketAddr, TcpListener};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use veridic::plan::Builder;

use crate::args::ServeArgs;
use crate::server::{Access, Hosts, Limits, Scorers, StopSignal, Token, probe, serve};
use crate::telemetry::Telemetry;
use veridic_program::signals::on_stop_signal;
use veridic_program::{files, load, output};

/// The memory for request bodies, as a multiple of the largest one.
const BODIES_IN_MEMORY: usize = 32;

/// The largest value of `--timeout`.
const MAX_TIMEOUT_SECONDS: f64 = 86_400.0;

/// The environment variable that holds the token if no file is given.
const TOKEN_VARIABLE: &str = "VERIDIC_TOKEN";

pub(super) fn run(args: &ServeArgs) -> Result<ExitCode> {
    if args.probe {
        return Ok(probed(args.listen));
    }
    let limits = limits(args)?;
    let token = token(args)?;
    // Bind before loading models, so that an address in use is reported at once.
    let listener =
        TcpListener::bind(args.listen).with_context(|| format!("cannot listen on {}", args.listen))?;
    let own = load::scorer(&args.settings)?;
    let given = Builder::for_given_claims(&own);
    let telemetry = Telemetry::from_environment(output::note);
    let scorers = Scorers { own, given, telemetry: telemetry.clone(), log: output::note };
    if token.is_none() && !args.listen.ip().is_loopback() && !args.settings.quiet {
        output::note(
            "warning: every machine that can reach this address can use the server: --token-file makes it require a token",
        );
    }
    let stop = StopSignal::default();
    let (signal, quiet) = (stop.clone(), args.settings.quiet);
    let begin_to_stop = move || {
        output::note_unless(quiet, "stopping: requests in progress have a moment to be answered");
        signal.request();
    };
    on_stop_signal(begin_to_stop, || "stopped; some requests in progress were not answered".to_owned())?;
    output::line(&format!("listening on http://{}", listener.local_addr()?))?;
    let access = match token {
        Some(token) => Access::Token(token),
        None => Access::Hosts(Hosts::new(args.listen, args.allow_host.clone())),
    };
    let end = serve(listener, scorers, limits, access, &stop);
    telemetry.end();
    end.context("the server failed")?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the exit code of `--probe`. Docker reserves 2, so a server that is not ready exits with 1.
fn probed(listen: SocketAddr) -> ExitCode {
    match probe(listen) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            output::note(&format!("veridic: {listen} is not ready: {error}"));
            ExitCode::from(1)
        }
    }
}

fn limits(args: &ServeArgs) -> Result<Limits> {
    let seconds = args.timeout;
    ensure!(
        seconds > 0.0 && seconds <= MAX_TIMEOUT_SECONDS,
        "--timeout {seconds}: give seconds between 0 and {MAX_TIMEOUT_SECONDS}"
    );
    let body_bytes = args.max_body_mb.get().saturating_mul(1 << 20);
    Ok(Limits {
        body_bytes,
        total_bytes: body_bytes.saturating_mul(BODIES_IN_MEMORY),
        queued_requests: args.queue.get(),
        timeout: Duration::from_secs_f64(seconds),
        connections: args.connections.get(),
    })
}

fn token(args: &ServeArgs) -> Result<Option<Token>> {
    if let Some(file) = &args.token_file {
        let token = Token::new(&files::read_text(file)?).with_context(|| files::name(file))?;
        return Ok(Some(token));
    }
    match std::env::var(TOKEN_VARIABLE) {
        Ok(text) => Ok(Some(Token::new(&text).context(TOKEN_VARIABLE)?)),
        Err(std::env::VarError::NotPresent) => Ok(None),
        Err(error) => Err(error).context(TOKEN_VARIABLE),
    }
}
