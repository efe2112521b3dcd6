//! Resolves the rules once, with the origin of each value. In increasing precedence: the profile's values; `max_tokens`
//! and `languages` of the model; under the profile `veridic`, the model's own rules file; the user's settings, in which
//! `Given::over` gives flags precedence over the file of `--rules`. Refuses combinations that have no meaning.

use veridic_models::store::Checker;

use super::choices::CorefChoice;
use super::file::RulesFile;
use super::kinds::{Level, ProfileName};
use super::screen::Screen;
use super::table::RULES;
use super::values::Rules;
use crate::error::{Error, Result};
use crate::named::UnknownName;
use crate::settings::{Given, Row, list_text};

/// The properties of the judge that rules depend on.
#[derive(Debug, Clone)]
pub struct ModelFacts {
    /// Its name.
    pub id: String,
    /// SHA-256 of its weights.
    pub sha256: String,
    /// Its maximum tokens of a pair.
    pub token_limit: usize,
    /// The languages that its card lists, if it lists any.
    pub languages: Option<Vec<String>>,
    /// Its entry, if it is a known checker.
    pub checker: Option<&'static Checker>,
    /// The reason if the small model of the screen cannot be used.
    pub no_screen_model: Option<String>,
    /// The model's own rules file, if it has one.
    pub own: Option<RulesFile>,
}

/// Rules with the origin of each value.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolved {
    /// The rules.
    pub rules: Rules,
    /// The origin of each value, in the order of the keys.
    origins: Vec<(&'static str, String)>,
}

impl Resolved {
    /// Resolves the rules of a judge with these settings.
    ///
    /// # Errors
    /// When a value is invalid for its key, or values contradict each other or the judge.
    pub fn of(model: &ModelFacts, given: &Given) -> Result<Self> {
        let name = profile_of(model.checker, given)?;
        let rules = Rules::of_profile(name, model.checker)
            .ok_or_else(|| Error::setting("profile", name, format!("{} is not a known checker", model.id)))?;
        let origins = RULES.iter().map(|row| (row.setting.key, format!("profile {name}"))).collect();
        let mut resolved = Self { rules, origins };
        resolved.take_model(model);
        let mut given = given.clone();
        if let Some(own) = model.own.as_ref().filter(|_| name == ProfileName::Veridic) {
            own.check(&model.sha256, &model.id)?;
            own.check_own()?;
            given = given.over(&own.given);
        }
        resolved.take_given(&given).map_err(|error| given.located(error))?;
        if resolved.rules.max_tokens > model.token_limit {
            let expected = format!("the model {} takes at most {}", model.id, model.token_limit);
            return Err(given.located(Error::setting("max_tokens", resolved.rules.max_tokens, expected)));
        }
        Ok(resolved)
    }

    /// Refuses invalid values before a judge is loaded.
    ///
    /// # Errors
    /// The first invalid value.
    pub fn check(checker: Option<&'static Checker>, given: &Given) -> Result<()> {
        let name = profile_of(checker, given)?;
        let Some(mut rules) = Rules::of_profile(name, checker) else { return Ok(()) };
        Row::apply(RULES, given, &mut rules)
    }

    /// The origin of a key's value.
    #[must_use]
    pub fn origin(&self, key: &str) -> &str {
        self.origins.iter().find(|(known, _)| *known == key).map_or("", |(_, origin)| origin)
    }

    /// The keys with their values as text.
    pub fn values(&self) -> impl Iterator<Item = (&'static str, String)> {
        RULES.iter().map(|row| (row.setting.key, (row.show)(&self.rules)))
    }

    fn set_origin(&mut self, key: &str, origin: String) {
        if let Some(known) = self.origins.iter_mut().find(|(known, _)| *known == key) {
            known.1 = origin;
        }
    }

    /// Applies the properties of the judge.
    fn take_model(&mut self, model: &ModelFacts) {
        let of_model = || format!("model {}", model.id);
        self.rules.max_tokens = model.token_limit;
        self.set_origin("max_tokens", of_model());
        self.rules.languages =
            model.languages.as_ref().map(|codes| codes.iter().map(|code| code.to_lowercase()).collect());
        self.set_origin("languages", of_model());
        if let (Some(missing), Some(_)) = (&model.no_screen_model, self.rules.screen) {
            self.rules.screen = Some(Screen::by_words());
            self.set_origin("screen", missing.clone());
        }
    }

    /// Applies the given settings, and adapts dependent values that were not given.
    fn take_given(&mut self, given: &Given) -> Result<()> {
        Row::apply(RULES, given, &mut self.rules)?;
        for given in given.iter() {
            self.set_origin(given.key, given.by.clone());
        }
        let by = |key: &str| given.get(key).map(|given| given.by.clone());
        let (levels_by, coref_by) = (by("levels"), by("coref"));
        if let (Some(by), None) = (coref_by.clone(), &levels_by) {
            let wants_level = self.rules.coref != CorefChoice::Off;
            if wants_level != self.rules.has(Level::Coref) && self.rules.profile != ProfileName::Checker {
                self.rules.levels.retain(|level| *level != Level::Coref);
                self.rules.levels.extend(wants_level.then_some(Level::Coref));
                self.rules.levels.sort_unstable();
                self.set_origin("levels", by);
            }
        }
        let Some(levels_by) = levels_by else { return self.check_together() };
        if coref_by.is_none() && !self.rules.has(Level::Coref) && self.rules.coref != CorefChoice::Off {
            self.rules.coref = CorefChoice::Off;
            self.set_origin("coref", levels_by.clone());
        }
        if given.get("screen").is_none() && !self.rules.has(Level::Sentence) && self.rules.screen.is_some() {
            self.rules.screen = None;
            self.set_origin("screen", levels_by);
        }
        self.check_together()
    }

    /// Refuses values that contradict each other.
    fn check_together(&self) -> Result<()> {
        self.check_levels()?;
        self.check_screen()?;
        self.check_scores()
    }

    fn check_levels(&self) -> Result<()> {
        let rules = &self.rules;
        let (has_coref, is_off) = (rules.has(Level::Coref), rules.coref == CorefChoice::Off);
        if !has_coref && !is_off {
            return self.refuse("coref", rules.coref.to_string(), "`levels` leaves the level coref out");
        }
        let levels = list_text(&rules.levels);
        if has_coref && is_off {
            let expected = "the level coref needs a resolver; set coref to rules or to a model";
            if self.origin("levels").starts_with("profile") {
                return Err(Error::setting("profile", rules.profile, expected));
            }
            return self.refuse("levels", levels, expected);
        }
        if has_coref && !rules.has(Level::Sentence) {
            return self.refuse("levels", levels, "coref needs sentence: it rewrites the best sentence");
        }
        Ok(())
    }

    fn check_screen(&self) -> Result<()> {
        let Some(screen) = self.rules.screen else { return Ok(()) };
        let expected = match self.rules.profile {
            ProfileName::Checker => {
                "a checker reads chunks and has no level sentence to screen; leave it out"
            }
            ProfileName::Veridic if self.rules.has(Level::Sentence) => return Ok(()),
            ProfileName::Veridic => "it ranks sentences, which `levels` leaves out: add sentence",
            _ => "the profiles of published programs read every premise; use `profile=veridic`",
        };
        self.refuse("screen", screen.to_string(), expected)
    }

    fn check_scores(&self) -> Result<()> {
        let rules = &self.rules;
        if let (Some(distance), false) = (rules.abstain, rules.scores_are_probabilities()) {
            let expected =
                format!("a distance between probabilities needs `score=e`, but it is {}", rules.score);
            return self.refuse("abstain", distance.to_string(), &expected);
        }
        if rules.scores_are_probabilities() && rules.thresholds.supported < 0.0 {
            let expected = "with `score=e` scores are probabilities: give a number from 0 to 1";
            return self.refuse("supported", rules.thresholds.supported.to_string(), expected);
        }
        Ok(())
    }

    /// The error for a key that contradicts another, with the origin of its value.
    fn refuse(&self, key: &'static str, value: String, expected: &str) -> Result<()> {
        let origin = self.origin(key);
        let by = if origin.starts_with("--") { String::new() } else { format!(" ({origin} sets it)") };
        Err(Error::setting(key, value, format!("{expected}{by}")))
    }
}

/// The given profile, or by default `checker` for a checker, else `veridic`.
fn profile_of(checker: Option<&'static Checker>, given: &Given) -> Result<ProfileName> {
    match given.get("profile") {
        Some(value) => {
            let refuse = |error: UnknownName| given.located(value.refused(error.expected()));
            value.text.parse().map_err(refuse)
        }
        None if checker.is_some() => Ok(ProfileName::Checker),
        None => Ok(ProfileName::Veridic),
    }
}

#[cfg(test)]
impl ModelFacts {
    /// The properties of a judge like `base`, for tests.
    pub(super) fn of_base() -> Self {
        Self {
            id: "base".into(),
            sha256: "ab".repeat(32),
            token_limit: 512,
            languages: Some(vec!["en".into()]),
            checker: None,
            no_screen_model: None,
            own: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{ScoreRule, ScreenMethod, settings};
    use crate::settings::known;

    fn given(list: &[(&str, &str)]) -> Given {
        let mut given = Given::default();
        for (key, text) in list {
            given.add(known(settings(), key).unwrap(), *text, format!("--set {key}")).unwrap();
        }
        given
    }

    fn resolved(settings: &[(&str, &str)]) -> Resolved {
        Resolved::of(&ModelFacts::of_base(), &given(settings)).unwrap()
    }

    #[test]
    fn a_setting_at_its_resolved_value_changes_nothing_but_its_origin() {
        for profile in ["veridic", "paper", "released"] {
            let usual = resolved(&[("profile", profile)]);
            for row in RULES.iter().filter(|row| row.setting.key != "profile") {
                let text = (row.show)(&usual.rules);
                let same = resolved(&[("profile", profile), (row.setting.key, &text)]);
                assert_eq!(same.rules, usual.rules, "{profile}: {}={text}", row.setting.key);
                assert_eq!(same.origin(row.setting.key), format!("--set {}", row.setting.key));
            }
        }
    }

    #[test]
    fn each_value_has_its_origin() {
        let resolved = resolved(&[("window", "3"), ("levels", "sentence,document")]);
        for (key, origin) in [
            ("window", "--set window"),
            ("stride", "profile veridic"),
            ("languages", "model base"),
            ("max_tokens", "model base"),
            // A value that follows from another one has its origin.
            ("coref", "--set levels"),
        ] {
            assert_eq!(resolved.origin(key), origin, "{key}");
        }
        assert_eq!(resolved.rules.coref, CorefChoice::Off);
    }

    #[test]
    fn the_level_coref_follows_its_resolver() {
        let off = resolved(&[("coref", "off")]);
        assert!(!off.rules.has(Level::Coref) && off.origin("levels") == "--set coref");
        assert!(resolved(&[("profile", "released"), ("coref", "rules")]).rules.has(Level::Coref));
    }

    #[test]
    fn combinations_without_a_meaning_name_both_settings() {
        for (settings, parts) in [
            (&[("levels", "coref"), ("coref", "rules")][..], ["coref", "sentence"]),
            (&[("levels", "sentence,coref"), ("coref", "off")], ["levels", "set coref"]),
            (&[("levels", "sentence"), ("coref", "rules")], ["coref", "`levels`"]),
            (&[("levels", "window"), ("screen", "words:2")], ["screen", "`levels`"]),
            (&[("profile", "paper"), ("screen", "words:2")], ["screen", "`profile=veridic`"]),
            (&[("score", "e-t"), ("abstain", "0.2")], ["abstain", "`score=e`"]),
            (&[("supported", "-0.5")], ["supported", "`score=e`"]),
            (&[("max_tokens", "1024")], ["max_tokens", "model base"]),
            (&[("profile", "checker")], ["profile", "not a known checker"]),
        ] {
            let error = Resolved::of(&ModelFacts::of_base(), &given(settings)).unwrap_err().to_string();
            assert!(parts.iter().all(|part| error.contains(part)), "{settings:?}: {error}");
        }
    }

    #[test]
    fn rules_of_the_model_are_between_profile_and_settings() {
        let text = "version = 1\nscreen = \"words:8\"\nwindow = 4\n";
        let own = RulesFile::parse(text, "model mini", settings()).unwrap();
        let model = ModelFacts { own: Some(own), ..ModelFacts::of_base() };
        let of = |settings: &[(&str, &str)]| Resolved::of(&model, &given(settings)).unwrap();
        let usual = of(&[]);
        assert_eq!((usual.rules.window.get(), usual.origin("window")), (4, "model mini"));
        assert_eq!(of(&[("window", "3")]).rules.window.get(), 3);
        // Profiles that reproduce published results do not depend on the model.
        assert_eq!(of(&[("profile", "paper")]).rules.window.get(), 5);
    }

    #[test]
    fn scores_of_a_difference_may_have_a_negative_limit() {
        let rules = resolved(&[("score", "e-t"), ("supported", "-0.25")]).rules;
        assert_eq!(
            (rules.score, rules.thresholds.supported),
            (ScoreRule::EntailmentMinusContradiction, -0.25)
        );
        assert_eq!(rules.screen.map(|screen| screen.method), Some(ScreenMethod::MiniAndWords));
    }
}
