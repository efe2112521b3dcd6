//! Creates spans and events for the rest of the program. A span lasts until its last clone is dropped, so the span of a
//! streamed answer lasts as long as its work.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use opentelemetry::logs::{LogRecord, Logger, LoggerProvider, Severity};
use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry::trace::{SpanKind, Status, TraceContextExt, Tracer, TracerProvider};
use opentelemetry::{Context, InstrumentationScope, KeyValue};
use opentelemetry_sdk::logs::{SdkLogger, SdkLoggerProvider};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider};

use super::judged::Judged;
use super::{event, setup};

/// How long the program waits at its end for the collector, per signal.
const LAST_EXPORT: Duration = Duration::from_secs(5);

/// The exporters; `None` if no collector is named.
#[derive(Clone, Default)]
pub(crate) struct Telemetry(Option<Arc<Exporters>>);

/// A span; `None` without telemetry.
#[derive(Clone, Default)]
pub(crate) struct Span(Option<Context>);

struct Exporters {
    spans: Option<(SdkTracerProvider, SdkTracer)>,
    events: Option<(SdkLoggerProvider, SdkLogger)>,
    quotes: bool,
}

impl Telemetry {
    /// Creates exporters to the collector that the environment names. `note` gets the reason if that fails, and the first
    /// failure to send.
    pub(crate) fn from_environment(note: fn(&str)) -> Self {
        let providers = match setup::providers(note) {
            Ok(Some(providers)) => providers,
            Ok(None) => return Self(None),
            Err(reason) => {
                note(&format!("warning: no telemetry: {reason}"));
                return Self(None);
            }
        };
        let scope =
            || InstrumentationScope::builder("veridic").with_version(env!("CARGO_PKG_VERSION")).build();
        let with_tracer = |provider: SdkTracerProvider| {
            let tracer = provider.tracer_with_scope(scope());
            (provider, tracer)
        };
        let with_logger = |provider: SdkLoggerProvider| {
            let logger = provider.logger_with_scope(scope());
            (provider, logger)
        };
        Self(Some(Arc::new(Exporters {
            spans: providers.spans.map(with_tracer),
            events: providers.events.map(with_logger),
            quotes: providers.quotes,
        })))
    }

    /// Starts the span of a request to an endpoint of the server, within the caller's trace if its headers name one.
    #[cfg(feature = "server")]
    pub(crate) fn request(&self, route: &'static str, headers: &hyper::HeaderMap) -> Span {
        let attributes = vec![
            KeyValue::new("http.request.method", "POST"),
            KeyValue::new("http.route", route),
            KeyValue::new("url.path", route),
            KeyValue::new("url.scheme", "http"),
        ];
        let caller = opentelemetry_http::HeaderExtractor(headers);
        self.span(format!("POST {route}"), SpanKind::Server, attributes, &caller)
    }

    /// Starts the span of a run, within the trace that the environment names (`TRACEPARENT`).
    pub(crate) fn run(&self) -> Span {
        self.span("veridic run".to_owned(), SpanKind::Internal, Vec::new(), &setup::Environment::read())
    }

    fn span(&self, name: String, kind: SpanKind, attributes: Vec<KeyValue>, caller: &dyn Extractor) -> Span {
        let Some((_, tracer)) = self.0.as_ref().and_then(|exporters| exporters.spans.as_ref()) else {
            return Span(None);
        };
        let parent = TraceContextPropagator::new().extract_with_context(&Context::new(), caller);
        let builder = tracer.span_builder(name).with_kind(kind).with_attributes(attributes);
        let span = tracer.build_with_context(builder, &parent);
        Span(Some(parent.with_span(span)))
    }

    /// Emits the event of a row that was judged or failed.
    pub(crate) fn judged(&self, span: &Span, judged: &Judged<'_>) {
        let Some(exporters) = &self.0 else { return };
        let Some((_, logger)) = &exporters.events else { return };
        let mut record = logger.create_log_record();
        record.set_event_name(event::NAME);
        record.set_timestamp(SystemTime::now());
        record.set_severity_number(Severity::Info);
        record.add_attributes(event::attributes(judged, exporters.quotes));
        if let Some(context) = &span.0 {
            let of = context.span().span_context().clone();
            record.set_trace_context(of.trace_id(), of.span_id(), Some(of.trace_flags()));
        }
        logger.emit(record);
    }

    /// Flushes what has not been sent yet.
    pub(crate) fn end(&self) {
        let Some(exporters) = &self.0 else { return };
        // The client has already noted a failure.
        if let Some((provider, _)) = &exporters.events {
            let _ = provider.shutdown_with_timeout(LAST_EXPORT);
        }
        if let Some((provider, _)) = &exporters.spans {
            let _ = provider.shutdown_with_timeout(LAST_EXPORT);
        }
    }
}

impl Span {
    /// Records the response status of the request.
    #[cfg(feature = "server")]
    pub(crate) fn answered(&self, status: u16) {
        let Some(context) = &self.0 else { return };
        let span = context.span();
        span.set_attribute(KeyValue::new("http.response.status_code", i64::from(status)));
        if status >= 500 {
            span.set_attribute(KeyValue::new("error.type", status.to_string()));
            span.set_status(Status::error(""));
        }
    }

    /// Records counts of a run.
    pub(crate) fn counted(&self, numbers: &[(&'static str, u64)]) {
        let Some(context) = &self.0 else { return };
        for (name, number) in numbers {
            context.span().set_attribute(KeyValue::new(*name, i64::try_from(*number).unwrap_or(i64::MAX)));
        }
    }

    /// Records that the work failed.
    pub(crate) fn failed(&self, reason: &str) {
        let Some(context) = &self.0 else { return };
        context.span().set_attribute(KeyValue::new("error.type", "run_failed"));
        context.span().set_status(Status::error(reason.to_owned()));
    }
}
