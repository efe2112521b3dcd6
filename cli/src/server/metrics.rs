//! The server's metrics, in OpenMetrics text for Prometheus.

use std::time::Duration;

use prometheus_client::encoding::{EncodeLabelSet, text::encode};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use veridic::schedule::{BatchStats, Stage};

/// The media type of [`ServerMetrics::text`].
pub(super) const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    endpoint: &'static str,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct EndpointLabel {
    endpoint: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StageLabel {
    stage: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OutcomeLabel {
    outcome: &'static str,
}

/// Counters, gauges and histograms.
pub(super) struct ServerMetrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    request_seconds: Family<EndpointLabel, Histogram>,
    stage_seconds: Family<StageLabel, Histogram>,
    rows: Family<OutcomeLabel, Counter>,
    tokens: Counter,
    computed: Counter,
    reused: Counter,
    batch_fill: Histogram,
    batch_requests: Histogram,
    /// Requests with tasks that have not started.
    pub(super) queue_depth: Gauge,
    /// Tasks that workers are running.
    pub(super) running_tasks: Gauge,
}

/// Buckets from a millisecond to a minute.
fn seconds() -> Histogram {
    Histogram::new([0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0])
}

impl ServerMetrics {
    pub(super) fn new() -> Self {
        let mut metrics = Self {
            registry: Registry::with_prefix("veridic"),
            requests: Family::default(),
            request_seconds: Family::new_with_constructor(seconds),
            stage_seconds: Family::new_with_constructor(seconds),
            rows: Family::default(),
            tokens: Counter::default(),
            computed: Counter::default(),
            reused: Counter::default(),
            batch_fill: Histogram::new([0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95]),
            batch_requests: Histogram::new([1.0, 2.0, 4.0, 8.0, 16.0, 32.0]),
            queue_depth: Gauge::default(),
            running_tasks: Gauge::default(),
        };
        metrics.register();
        metrics
    }

    fn register(&mut self) {
        let Self { registry, .. } = self;
        registry.register("requests", "Responses by endpoint and status", self.requests.clone());
        let answer = "Time from a request to the head of its response";
        registry.register_with_unit("request", answer, Unit::Seconds, self.request_seconds.clone());
        let stage = "Time of a group of rows in each stage; model includes waiting for the model";
        registry.register_with_unit("stage", stage, Unit::Seconds, self.stage_seconds.clone());
        registry.register("rows", "Rows by outcome", self.rows.clone());
        registry.register("tokens", "Tokens that the NLI model computed", self.tokens.clone());
        registry.register("pairs_computed", "Pairs that the NLI model computed", self.computed.clone());
        registry.register("pairs_reused", "Pairs whose result was cached or shared", self.reused.clone());
        registry.register(
            "batch_fill",
            "Tokens of a batch, as a share of its limit",
            self.batch_fill.clone(),
        );
        registry.register("batch_requests", "Requests that share a batch", self.batch_requests.clone());
        registry.register(
            "queue_depth",
            "Requests with tasks that wait for a worker",
            self.queue_depth.clone(),
        );
        registry.register(
            "in_hand",
            "Tasks that are running; in a batch, groups of rows",
            self.running_tasks.clone(),
        );
    }

    pub(super) fn request(&self, endpoint: &'static str, status: u16, time: Duration) {
        self.requests.get_or_create(&RequestLabels { endpoint, status }).inc();
        self.request_seconds.get_or_create(&EndpointLabel { endpoint }).observe(time.as_secs_f64());
    }

    pub(super) fn stage(&self, stage: Stage, time: Duration) {
        self.stage_seconds.get_or_create(&StageLabel { stage: stage.name() }).observe(time.as_secs_f64());
    }

    pub(super) fn row(&self, is_judged: bool) {
        let outcome = if is_judged { "judged" } else { "failed" };
        self.rows.get_or_create(&OutcomeLabel { outcome }).inc();
    }

    pub(super) fn batch(&self, batch: &BatchStats) {
        self.tokens.inc_by(batch.tokens as u64);
        self.computed.inc_by(batch.pairs as u64);
        self.batch_fill.observe(batch.tokens as f64 / batch.max_tokens as f64);
        self.batch_requests.observe(batch.requests as f64);
    }

    pub(super) fn reused(&self, pairs: usize) {
        self.reused.inc_by(pairs as u64);
    }

    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        encode(&mut text, &self.registry).expect("writing to a string does not fail");
        text
    }
}
