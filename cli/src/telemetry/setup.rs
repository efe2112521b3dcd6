//! The environment variables of telemetry, named as in OpenTelemetry's specification: the collector, the signals, whether
//! texts may be quoted. The exporters read the others (headers, compression, sampling, batches) themselves.

use std::env;
use std::sync::Arc;
use std::time::Duration;

use opentelemetry::propagation::Extractor;
use opentelemetry_http::HttpClient;
use opentelemetry_otlp::{LogExporter, SpanExporter, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::logs::SdkLoggerProvider;
use opentelemetry_sdk::trace::SdkTracerProvider;

use super::client::Client;

/// The only supported protocol.
const PROTOCOL: &str = "http/protobuf";

/// The time limit of an export, unless the environment sets it.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

pub(super) struct Providers {
    pub(super) spans: Option<SdkTracerProvider>,
    pub(super) events: Option<SdkLoggerProvider>,
    /// Whether texts may be quoted.
    pub(super) quotes: bool,
}

/// Creates the providers of the signals that have a collector; `None` without one.
pub(super) fn providers(note: fn(&str)) -> Result<Option<Providers>, String> {
    if is_true("OTEL_SDK_DISABLED") {
        return Ok(None);
    }
    let (has_spans, has_events) = (has_collector("TRACES"), has_collector("LOGS"));
    if !has_spans && !has_events {
        return Ok(None);
    }
    let client: Arc<dyn HttpClient> = Arc::new(Client::new(timeout()?, note));
    let is_named = set("OTEL_SERVICE_NAME").is_some()
        || set("OTEL_RESOURCE_ATTRIBUTES").is_some_and(|all| all.contains("service.name="));
    let resource = Resource::builder();
    let resource = if is_named { resource } else { resource.with_service_name("veridic") };
    let resource = resource.build();
    let failed = |error: opentelemetry_otlp::ExporterBuildError| error.to_string();
    let (mut spans, mut events) = (None, None);
    if has_spans {
        check_protocol("TRACES")?;
        let exporter = SpanExporter::builder().with_http().with_shared_http_client(Arc::clone(&client));
        let exporter = exporter.build().map_err(failed)?;
        let provider = SdkTracerProvider::builder().with_resource(resource.clone());
        spans = Some(provider.with_batch_exporter(exporter).build());
    }
    if has_events {
        check_protocol("LOGS")?;
        let exporter = LogExporter::builder().with_http().with_shared_http_client(client);
        let exporter = exporter.build().map_err(failed)?;
        let provider = SdkLoggerProvider::builder().with_resource(resource);
        events = Some(provider.with_batch_exporter(exporter).build());
    }
    let quotes = is_true("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT");
    Ok(Some(Providers { spans, events, quotes }))
}

/// Whether a signal is to be exported.
fn has_collector(signal: &str) -> bool {
    let is_off = set(&format!("OTEL_{signal}_EXPORTER")).is_some_and(|exporter| exporter == "none");
    let is_named =
        set("OTEL_EXPORTER_OTLP_ENDPOINT").or_else(|| set(&format!("OTEL_EXPORTER_OTLP_{signal}_ENDPOINT")));
    is_named.is_some() && !is_off
}

fn check_protocol(signal: &str) -> Result<(), String> {
    for name in [format!("OTEL_EXPORTER_OTLP_{signal}_PROTOCOL"), "OTEL_EXPORTER_OTLP_PROTOCOL".to_owned()] {
        match set(&name) {
            Some(protocol) if protocol == PROTOCOL => return Ok(()),
            Some(protocol) => return Err(format!("{name} is {protocol}, and only {PROTOCOL} is spoken")),
            None => {}
        }
    }
    Ok(())
}

fn timeout() -> Result<Duration, String> {
    let name = "OTEL_EXPORTER_OTLP_TIMEOUT";
    let Some(text) = set(name) else { return Ok(DEFAULT_TIMEOUT) };
    text.parse()
        .map(Duration::from_millis)
        .map_err(|_| format!("{name} is {text}, not a number of milliseconds"))
}

fn is_true(name: &str) -> bool {
    set(name).is_some_and(|value| value.eq_ignore_ascii_case("true"))
}

/// Returns the value of a variable; an empty one counts as unset, as specified.
fn set(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// The headers of a trace context; in a job's environment the variables have the same names in upper case.
const HEADERS: [&str; 2] = ["traceparent", "tracestate"];

/// The trace context from the environment, as passed on by jobs.
pub(super) struct Environment(Vec<(&'static str, String)>);

impl Environment {
    pub(super) fn read() -> Self {
        let variable = |header: &'static str| Some((header, set(&header.to_ascii_uppercase())?));
        Self(HEADERS.into_iter().filter_map(variable).collect())
    }
}

impl Extractor for Environment {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(header, _)| key.eq_ignore_ascii_case(header)).map(|(_, value)| value.as_str())
    }

    fn keys(&self) -> Vec<&str> {
        self.0.iter().map(|(header, _)| *header).collect()
    }
}
