//! OpenTelemetry: spans of server requests and of a run, and an event for every judgement. Nothing is created or sent unless
//! the environment names a collector (`OTEL_EXPORTER_OTLP_ENDPOINT`, or the variable of one signal). `setup` reads the
//! environment, `client` sends, and `event` decides the content of a judgement's event; without the feature `telemetry`,
//! `off` replaces them with no-ops.

#[cfg(feature = "telemetry")]
mod client;
#[cfg(feature = "telemetry")]
mod event;
mod judged;
#[cfg(not(feature = "telemetry"))]
mod off;
#[cfg(feature = "telemetry")]
mod on;
#[cfg(feature = "telemetry")]
mod setup;

pub(crate) use self::judged::Judged;
#[cfg(not(feature = "telemetry"))]
pub(crate) use self::off::{Span, Telemetry};
#[cfg(feature = "telemetry")]
pub(crate) use self::on::{Span, Telemetry};
