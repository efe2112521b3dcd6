//! Everything that a verdict depends on besides the texts and the models, as one value: [`Rules`]. `profiles` has the
//! named sets of values, `table` lists the keys, `resolve` derives the value from profile, model and settings, `file`
//! reads it and `printed` writes it. It does not change afterwards, except that a pair that comes with claims has
//! `claims` = `given`; results record it with its [digest](Rules::digest).

mod choices;
mod file;
mod kinds;
mod printed;
mod profiles;
mod resolve;
mod screen;
mod table;
mod values;

pub use self::choices::{ClaimsChoice, CorefChoice, UnknownClaims};
pub use self::file::RulesFile;
pub use self::kinds::{
    Cap, Caps, Chunks, Level, OverClaims, Overflow, Pooling, ProfileName, Rewriting, ScoreRule, Thresholds,
    WindowRule,
};
pub use self::printed::rules_text;
pub use self::resolve::{ModelFacts, Resolved};
pub use self::screen::{Screen, ScreenMethod, UnknownScreen};
pub(crate) use self::table::settings;
pub use self::values::Rules;
