//! From settings to a scorer or an evaluator. The command line and Python share this: each only translates what it was
//! given into these settings.

mod answers;
mod choices;
mod device;
mod encoder;
mod evaluator;
mod scorer;
mod screen;
mod settings;

pub use self::answers::{Asking, read_answers, templates};
pub use self::choices::{
    CalibrationChoice, ClaimsChoice, CorefChoice, Dtype, EscalateChoice, NamedText, ProfileName,
    ScreenChoice, UnknownClaims, UnknownScreen,
};
pub use self::device::{Device, UnknownDevice};
pub use self::evaluator::{EvaluatorPlan, ExtractChoice, UnknownExtract};
pub use self::scorer::{OnNote, ScorerBuilder, nli_source};
