//! Retries of failed requests with exponential backoff.

use std::thread;
use std::time::Duration;

use crate::error::{Result, StoreError};
use crate::progress::{Listener, Progress};
use crate::settings::HubSettings;

/// A failed request.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) error: Box<StoreError>,
    /// Whether a retry may succeed.
    pub(crate) is_transient: bool,
    /// The wait that the hub asks for (`Retry-After`).
    pub(crate) retry_after: Option<Duration>,
}

impl Failure {
    pub(crate) fn transient(error: StoreError) -> Self {
        Self { error: Box::new(error), is_transient: true, retry_after: None }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self { error: Box::new(error), is_transient: false, retry_after: None }
    }
}

/// The wait before the next attempt after `failures` earlier failures in a row; `None` to give up.
fn wait_after(settings: &HubSettings, failures: u32, failure: &Failure) -> Option<Duration> {
    if !failure.is_transient || failures >= settings.retries {
        return None;
    }
    let doubled =
        settings.initial_backoff.saturating_mul(1 << failures.min(16)).min(settings.longest_backoff);
    let wait = failure.retry_after.map_or(doubled, |asked| asked.max(doubled));
    (wait <= settings.longest_backoff).then_some(wait)
}

/// Waits before the next attempt, or returns the error when it is time to give up.
pub(crate) fn back_off(
    settings: &HubSettings,
    failures: u32,
    failure: Failure,
    listener: Listener<'_>,
) -> Result<()> {
    let Some(wait) = wait_after(settings, failures, &failure) else { return Err(*failure.error) };
    listener(Progress::Waiting { reason: &failure.error, wait });
    thread::sleep(wait);
    Ok(())
}

/// Repeats an attempt until it succeeds or fails for good.
pub(crate) fn with_retries<T>(
    settings: &HubSettings,
    listener: Listener<'_>,
    mut attempt: impl FnMut() -> std::result::Result<T, Failure>,
) -> Result<T> {
    let mut failures = 0;
    loop {
        match attempt() {
            Ok(value) => return Ok(value),
            Err(failure) => back_off(settings, failures, failure, listener)?,
        }
        failures += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn failure(is_transient: bool, asked: Option<u64>) -> Failure {
        let error = StoreError::Unknown { given: "x".to_owned(), suggestion: String::new() };
        Failure { error: Box::new(error), is_transient, retry_after: asked.map(Duration::from_secs) }
    }

    #[test]
    fn waits_double_up_to_the_limit_and_end() {
        let settings = HubSettings { retries: 8, ..HubSettings::with_home(Path::new("h")) };
        let waits: Vec<Option<u64>> = (0..9)
            .map(|n| wait_after(&settings, n, &failure(true, None)).map(|wait| wait.as_secs()))
            .collect();
        assert_eq!(
            waits,
            [1, 2, 4, 8, 16, 32, 60, 60].map(Some).into_iter().chain([None]).collect::<Vec<_>>()
        );
    }

    #[test]
    fn retry_after_is_respected_up_to_the_limit() {
        let settings = HubSettings::with_home(Path::new("h"));
        let wait = |asked| wait_after(&settings, 0, &failure(true, Some(asked)));
        assert_eq!(wait(0), Some(Duration::from_secs(1)));
        assert_eq!(wait(30), Some(Duration::from_secs(30)));
        assert_eq!(wait(3_600), None);
        assert_eq!(wait_after(&settings, 0, &failure(false, None)), None);
    }
}
