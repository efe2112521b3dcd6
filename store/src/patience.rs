//! When a failed request is made again, and after how long: pure but for the waiting itself.

use std::thread;
use std::time::Duration;

use crate::error::{Result, StoreError};
use crate::progress::{Listener, Progress};
use crate::settings::HubSettings;

/// A failure, and whether it may pass.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) error: Box<StoreError>,
    pub(crate) passing: bool,
    /// The wait that the hub asks for.
    pub(crate) asked_wait: Option<Duration>,
}

impl Failure {
    pub(crate) fn passing(error: StoreError) -> Self {
        Self { error: Box::new(error), passing: true, asked_wait: None }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self { error: Box::new(error), passing: false, asked_wait: None }
    }
}

/// How long to wait after the `failures`-th failure in a row, counted from 0; nothing when it is time to give up.
fn wait_after(settings: &HubSettings, failures: u32, failure: &Failure) -> Option<Duration> {
    if !failure.passing || failures >= settings.retries {
        return None;
    }
    let doubled = settings.first_wait.saturating_mul(1 << failures.min(16)).min(settings.longest_wait);
    let wait = failure.asked_wait.map_or(doubled, |asked| asked.max(doubled));
    (wait <= settings.longest_wait).then_some(wait)
}

/// Waits before the next try, or gives the failure back.
pub(crate) fn wait_or_give_up(
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

/// Tries until it works or is final.
pub(crate) fn patiently<T>(
    settings: &HubSettings,
    listener: Listener<'_>,
    mut attempt: impl FnMut() -> std::result::Result<T, Failure>,
) -> Result<T> {
    let mut failures = 0;
    loop {
        match attempt() {
            Ok(value) => return Ok(value),
            Err(failure) => wait_or_give_up(settings, failures, failure, listener)?,
        }
        failures += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn failure(passing: bool, asked: Option<u64>) -> Failure {
        let error = StoreError::Unknown { given: "x".to_owned() };
        Failure { error: Box::new(error), passing, asked_wait: asked.map(Duration::from_secs) }
    }

    #[test]
    fn waits_double_up_to_the_longest_and_end() {
        let settings = HubSettings { retries: 8, ..HubSettings::under(Path::new("h")) };
        let waits: Vec<Option<u64>> = (0..9)
            .map(|n| wait_after(&settings, n, &failure(true, None)).map(|wait| wait.as_secs()))
            .collect();
        assert_eq!(
            waits,
            [1, 2, 4, 8, 16, 32, 60, 60].map(Some).into_iter().chain([None]).collect::<Vec<_>>()
        );
    }

    #[test]
    fn the_hub_may_ask_for_more_but_not_for_too_long() {
        let settings = HubSettings::under(Path::new("h"));
        let wait = |asked| wait_after(&settings, 0, &failure(true, Some(asked)));
        assert_eq!(wait(0), Some(Duration::from_secs(1)));
        assert_eq!(wait(30), Some(Duration::from_secs(30)));
        assert_eq!(wait(3_600), None);
        assert_eq!(wait_after(&settings, 0, &failure(false, None)), None);
    }
}
