//! Settings of the hub and the cache, and their reading from the environment variables of Hugging Face's tools, with
//! the same defaults and precedence. No other module reads the environment.

use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hf_hub::Cache;

use crate::error::{Result, StoreError};

const HUB: &str = "https://huggingface.co";

/// Settings of the hub and the cache.
#[derive(Debug, Clone)]
pub struct HubSettings {
    /// The hub's address.
    pub endpoint: String,
    /// The cache that Hugging Face's tools share.
    pub cache: PathBuf,
    /// The folder of the recorded digests.
    pub records: PathBuf,
    /// The access token, sent only to the endpoint.
    pub token: Option<Token>,
    /// Whether the network must not be used.
    pub offline: bool,
    /// The HTTP proxy.
    #[cfg(feature = "hub")]
    pub proxy: Option<ureq::Proxy>,
    /// Time limit for establishing a connection.
    pub connect_timeout: Duration,
    /// Time without data after which a connection counts as broken.
    pub read_timeout: Duration,
    /// Number of retries in a row, without any progress, after transient failures.
    pub retries: u32,
    /// The wait before the first retry; it doubles with each further retry.
    pub initial_backoff: Duration,
    /// The longest wait, even if the hub asks for a longer one.
    pub longest_backoff: Duration,
}

impl HubSettings {
    /// The defaults, with `home` as `HF_HOME`.
    #[must_use]
    pub fn with_home(home: &Path) -> Self {
        Self {
            endpoint: HUB.to_owned(),
            cache: home.join("hub"),
            records: home.join("veridic").join("digests"),
            token: None,
            offline: false,
            #[cfg(feature = "hub")]
            proxy: None,
            connect_timeout: Duration::from_secs(10),
            read_timeout: Duration::from_secs(30),
            retries: 5,
            initial_backoff: Duration::from_secs(1),
            longest_backoff: Duration::from_secs(60),
        }
    }

    /// Reads the settings from the environment: `HF_HOME`, `XDG_CACHE_HOME`, `HF_HUB_CACHE`,
    /// `HUGGINGFACE_HUB_CACHE`, `HF_ENDPOINT`, `HF_TOKEN`, `HUGGING_FACE_HUB_TOKEN`, `HF_TOKEN_PATH`,
    /// `HF_HUB_DISABLE_IMPLICIT_TOKEN`, `HF_HUB_OFFLINE`, `TRANSFORMERS_OFFLINE`, `HF_HUB_DOWNLOAD_TIMEOUT`,
    /// `VERIDIC_HOME` and the usual proxy variables.
    ///
    /// # Errors
    /// [`StoreError::Setting`] when a variable has an invalid value.
    pub fn from_environment() -> Result<Self> {
        let settings = Self::from_variables(&|name| std::env::var_os(name), std::env::home_dir())?;
        Ok(Self {
            #[cfg(feature = "hub")]
            proxy: ureq::Proxy::try_from_env(),
            ..settings
        })
    }

    /// Reads the settings from the given variables; an empty one counts as not set.
    ///
    /// # Errors
    /// As [`HubSettings::from_environment`].
    fn from_variables(variable: &dyn Fn(&str) -> Option<OsString>, home: Option<PathBuf>) -> Result<Self> {
        let variables = Variables { variable, home };
        let home = variables.hugging_face_home()?;
        let defaults = Self::with_home(&home);
        let cache = variables.path("HF_HUB_CACHE").or_else(|| variables.path("HUGGINGFACE_HUB_CACHE"));
        let records = variables.path("VERIDIC_HOME").map(|own| own.join("digests"));
        let read_timeout = match variables.text("HF_HUB_DOWNLOAD_TIMEOUT")? {
            Some(seconds) => whole_seconds("HF_HUB_DOWNLOAD_TIMEOUT", &seconds)?,
            None => defaults.read_timeout,
        };
        Ok(Self {
            endpoint: variables.text("HF_ENDPOINT")?.unwrap_or(defaults.endpoint),
            cache: cache.unwrap_or(defaults.cache),
            records: records.unwrap_or(defaults.records),
            token: variables.token(&home)?,
            offline: variables.is_set("HF_HUB_OFFLINE") || variables.is_set("TRANSFORMERS_OFFLINE"),
            read_timeout,
            ..Self::with_home(&home)
        })
    }
}

/// An access token; never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// Parses a token, ignoring surrounding white space; `None` if the text is empty.
    ///
    /// # Errors
    /// [`StoreError::Setting`] when the token contains characters that an HTTP header does not allow.
    pub fn parse(variable: &'static str, text: &str) -> Result<Option<Self>> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(None);
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            let reason = "the token contains characters other than printable ASCII".to_owned();
            return Err(StoreError::Setting { variable, reason });
        }
        Ok(Some(Self(text.to_owned())))
    }

    pub(crate) fn header(&self) -> String {
        format!("Bearer {}", self.0)
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

struct Variables<'a> {
    variable: &'a dyn Fn(&str) -> Option<OsString>,
    home: Option<PathBuf>,
}

impl Variables<'_> {
    fn raw(&self, name: &str) -> Option<OsString> {
        (self.variable)(name).filter(|value| !value.is_empty())
    }

    fn text(&self, name: &'static str) -> Result<Option<String>> {
        let unreadable = |_| StoreError::Setting { variable: name, reason: "it is not UTF-8".to_owned() };
        self.raw(name).map(|value| value.into_string().map_err(unreadable)).transpose()
    }

    /// A path; a leading `~` stands for the user's home folder.
    fn path(&self, name: &str) -> Option<PathBuf> {
        let path = PathBuf::from(self.raw(name)?);
        match (path.strip_prefix("~"), &self.home) {
            (Ok(rest), Some(home)) => Some(home.join(rest)),
            _ => Some(path),
        }
    }

    fn is_set(&self, name: &str) -> bool {
        let value = self.raw(name).unwrap_or_default();
        ["1", "on", "yes", "true"].iter().any(|yes| value.eq_ignore_ascii_case(yes))
    }

    fn hugging_face_home(&self) -> Result<PathBuf> {
        if let Some(home) = self.path("HF_HOME") {
            return Ok(home);
        }
        let cache = self.path("XDG_CACHE_HOME").or_else(|| Some(self.home.as_ref()?.join(".cache")));
        let reason = "it is not set, and this user has no home folder: set it to the folder for models";
        let missing = || StoreError::Setting { variable: "HF_HOME", reason: reason.to_owned() };
        Ok(cache.ok_or_else(missing)?.join("huggingface"))
    }

    /// The token of a variable, or of the file that `huggingface-cli login` writes unless that is disabled.
    fn token(&self, home: &Path) -> Result<Option<Token>> {
        for name in ["HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"] {
            if let Some(token) = self.text(name)?.map(|text| Token::parse(name, &text)).transpose()?.flatten()
            {
                return Ok(Some(token));
            }
        }
        if self.is_set("HF_HUB_DISABLE_IMPLICIT_TOKEN") {
            return Ok(None);
        }
        let written = match self.path("HF_TOKEN_PATH") {
            Some(file) => fs::read_to_string(file).ok(),
            None => Cache::new(home.join("hub")).token(),
        };
        written.map_or(Ok(None), |text| Token::parse("HF_TOKEN_PATH", &text))
    }
}

fn whole_seconds(variable: &'static str, text: &str) -> Result<Duration> {
    match text.trim().parse::<u64>() {
        Ok(seconds) if seconds > 0 => Ok(Duration::from_secs(seconds)),
        _ => {
            let reason = format!("`{text}` is not a whole number of seconds above 0");
            Err(StoreError::Setting { variable, reason })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(variables: &[(&str, &str)]) -> Result<HubSettings> {
        let find = |name: &str| {
            variables.iter().find(|(given, _)| *given == name).map(|(_, value)| OsString::from(value))
        };
        HubSettings::from_variables(&find, Some(PathBuf::from("/home/me")))
    }

    #[test]
    fn defaults_are_those_of_hugging_face() {
        let settings = settings(&[]).unwrap();
        assert_eq!(settings.endpoint, "https://huggingface.co");
        assert_eq!(settings.cache, Path::new("/home/me/.cache/huggingface/hub"));
        assert_eq!(settings.records, Path::new("/home/me/.cache/huggingface/veridic/digests"));
        assert!(settings.token.is_none() && !settings.offline);
    }

    #[test]
    fn more_specific_variables_take_precedence() {
        let cache = |variables| settings(variables).unwrap().cache;
        assert_eq!(cache(&[("XDG_CACHE_HOME", "/x")]), Path::new("/x/huggingface/hub"));
        assert_eq!(cache(&[("XDG_CACHE_HOME", "/x"), ("HF_HOME", "/h")]), Path::new("/h/hub"));
        assert_eq!(cache(&[("HF_HOME", "/h"), ("HUGGINGFACE_HUB_CACHE", "/old")]), Path::new("/old"));
        assert_eq!(cache(&[("HUGGINGFACE_HUB_CACHE", "/old"), ("HF_HUB_CACHE", "/c")]), Path::new("/c"));
        assert_eq!(cache(&[("HF_HOME", "~/models")]), Path::new("/home/me/models/hub"));
        assert_eq!(cache(&[("HF_HOME", "")]), Path::new("/home/me/.cache/huggingface/hub"));
    }

    #[test]
    fn offline_and_token_are_read_as_hugging_face_reads_them() {
        for yes in ["1", "ON", "yes", "True"] {
            assert!(settings(&[("HF_HUB_OFFLINE", yes)]).unwrap().offline, "{yes}");
        }
        assert!(!settings(&[("HF_HUB_OFFLINE", "0")]).unwrap().offline);
        let token = settings(&[("HF_TOKEN", " hf_secret\n")]).unwrap().token.unwrap();
        assert_eq!(token.header(), "Bearer hf_secret");
        assert!(settings(&[("HF_TOKEN", "a\nb")]).is_err());
        assert!(settings(&[("HF_HUB_DOWNLOAD_TIMEOUT", "soon")]).is_err());
    }

    #[test]
    fn token_file_of_a_login_is_read_unless_disabled() {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join("token"), "hf_file\n").unwrap();
        let home = home.path().to_str().unwrap();
        let token = |variables: &[_]| settings(variables).unwrap().token.map(|token| token.header());
        assert_eq!(token(&[("HF_HOME", home)]).as_deref(), Some("Bearer hf_file"));
        assert_eq!(token(&[("HF_HOME", home), ("HF_TOKEN", "hf_own")]).as_deref(), Some("Bearer hf_own"));
        assert_eq!(token(&[("HF_HOME", home), ("HF_HUB_DISABLE_IMPLICIT_TOKEN", "1")]), None);
    }

    #[test]
    fn token_is_not_in_debug_output() {
        let settings = settings(&[("HF_TOKEN", "hf_secret")]).unwrap();
        assert!(!format!("{settings:?}").contains("hf_secret"));
    }
}
