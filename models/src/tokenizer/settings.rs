//! The settings of a vocabulary: tokenizer_config.json, special_tokens_map.json and added_tokens.json, each optional,
//! combined as in Python's `transformers`. Refuses special tokens of unknown names (`image_token`).

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};
use tokenizers::processors::template::TemplateProcessing;
use tokenizers::{AddedToken, Tokenizer};
use veridic_store::quoting::{kind_of, short_id, without_values};

use super::class::{Class, SpecialTokens};
use super::token::Token;
use crate::error::{Result, refuse};
use crate::source::ModelSource;

const CONFIG: &str = "tokenizer_config.json";

/// The purposes of special tokens, in the order in which those missing from the vocabulary are added.
const PURPOSES: [&str; 7] =
    ["bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"];

/// The names of extra special tokens, current and old.
const EXTRA: &str = "extra_special_tokens";
const ADDITIONAL: &str = "additional_special_tokens";

const UNSUPPORTED: &str = "that is not supported; add the model's tokenizer.json";

/// The field of config.json that determines the class of a tokenizer without a `tokenizer_class`.
#[derive(Deserialize)]
struct Network {
    model_type: Option<String>,
}

/// The settings of all files.
#[derive(Default)]
pub(super) struct Settings {
    model_type: Option<String>,
    /// The name of tokenizer_config.json in errors.
    file: String,
    options: Map<String, Value>,
    /// By purpose; `None` if a file sets null.
    special: BTreeMap<&'static str, Option<Token>>,
    /// In the order of their ids.
    added: Vec<Token>,
    extra: Option<Vec<Token>>,
    /// Used if neither `extra` nor the vocabulary has tokens.
    additional: Option<Vec<Token>>,
}

impl Settings {
    /// Reads the files that exist.
    ///
    /// # Errors
    /// When a file is not JSON or has an unknown description of a token.
    pub(super) fn read(source: &ModelSource) -> Result<Self> {
        let mut settings = Self { file: CONFIG.to_owned(), ..Self::default() };
        if let Some((json, _)) = source.optional_file("config.json")? {
            // Loading the network reports a damaged configuration.
            settings.model_type =
                serde_json::from_slice(&json).ok().and_then(|network: Network| network.model_type);
        }
        let mut decoder = Value::Null;
        if let Some((mut options, file)) = object(source, CONFIG)? {
            decoder = options.remove("added_tokens_decoder").unwrap_or_default();
            settings.take_tokens(&mut options, &file, false)?;
            if settings.extra.as_ref().is_none_or(Vec::is_empty) {
                settings.extra = settings.additional.take().or(settings.extra.take());
            }
            settings.additional = None;
            (settings.options, settings.file) = (options, file);
        }
        match decoder {
            Value::Null => settings.read_old_files(source)?,
            Value::Object(tokens) => settings.added = numbered(tokens, &settings.file)?,
            _ => return Err(refuse(&settings.file, "added_tokens_decoder is not an object".into())),
        }
        for token in settings.special.values_mut().flatten() {
            if let Some(added) = settings.added.iter().find(|added| added.content == token.content) {
                *token = added.clone();
            }
        }
        Ok(settings)
    }

    /// Reads the files that apply if tokenizer_config.json does not list the added tokens.
    fn read_old_files(&mut self, source: &ModelSource) -> Result<()> {
        if let Some((mut map, file)) = object(source, "special_tokens_map.json")? {
            self.take_tokens(&mut map, &file, true)?;
        }
        let Some((tokens, file)) = object(source, "added_tokens.json")? else { return Ok(()) };
        let mut by_id = BTreeMap::new();
        for (content, id) in tokens {
            let id = id.as_u64().ok_or_else(|| {
                refuse(&file, format!("the id of `{}` is not a number", short_id(&content)))
            })?;
            let mut known = self.special.values().flatten().chain(self.extra.iter().flatten());
            let special = known.any(|token| token.content == content && !token.is_object);
            let token = Token { content, special, normalized: Some(!special), ..Token::default() };
            if let Some(other) = by_id.insert(id, token) {
                return Err(refuse(&file, format!("has the id of `{}` twice", short_id(&other.content))));
            }
        }
        self.added = by_id.into_values().collect();
        Ok(())
    }

    /// Moves the special tokens out of a file's settings; they override those read before. `special`: objects describe
    /// special tokens even without the flag.
    fn take_tokens(&mut self, options: &mut Map<String, Value>, file: &str, special: bool) -> Result<()> {
        for purpose in PURPOSES {
            if let Some(value) = options.remove(purpose) {
                let token = if value.is_null() { None } else { Some(Token::parse(value, file, special)?) };
                self.special.insert(purpose, token);
            }
        }
        if let Some(more) = list(options, EXTRA, file, special)? {
            let known = self.extra.get_or_insert_default();
            for token in more {
                if !known.contains(&token) {
                    known.push(token);
                }
            }
        }
        self.additional = list(options, ADDITIONAL, file, special)?;
        let other = options.iter().find(|(name, value)| name.ends_with("_token") && value.is_string());
        match other {
            Some((name, _)) => Err(refuse(file, format!("sets `{}`: {UNSUPPORTED}", short_id(name)))),
            None => Ok(()),
        }
    }

    /// Sets the format's default special tokens.
    pub(super) fn default_tokens(&mut self, defaults: SpecialTokens) {
        let SpecialTokens { cls, sep, unk, pad, mask, .. } = defaults;
        let mut tokens = vec![
            ("unk_token", unk),
            ("sep_token", sep),
            ("pad_token", pad),
            ("cls_token", cls),
            ("mask_token", mask),
        ];
        if defaults.has_ends {
            tokens.extend([("bos_token", cls), ("eos_token", sep)]);
        }
        for (purpose, content) in tokens {
            self.special.entry(purpose).or_insert_with(|| Some(Token::special(content)));
        }
    }

    /// Whether they are for this class, by its name, or without one by the `model_type` of its networks.
    pub(super) fn are_of(&self, class: Class) -> bool {
        match self.options.get("tokenizer_class").and_then(Value::as_str) {
            Some(given) => given.strip_suffix("Fast").unwrap_or(given) == class.name,
            None => self.model_type.as_deref() == Some(class.model_type),
        }
    }

    /// Refuses settings for another tokenizer class.
    pub(super) fn expect_class(&self, class: &str) -> Result<()> {
        match self.options.get("tokenizer_class") {
            None | Some(Value::Null) => Ok(()),
            Some(Value::String(given)) if given.strip_suffix("Fast").unwrap_or(given) == class => Ok(()),
            Some(given) => Err(refuse(
                &self.file,
                format!(
                    "tokenizer_class is {given}, the files are of a {class}; add the model's tokenizer.json"
                ),
            )),
        }
    }

    /// A boolean that may be missing.
    pub(super) fn choice(&self, name: &str) -> Result<Option<bool>> {
        match self.options.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Bool(yes)) => Ok(Some(*yes)),
            Some(other) => Err(refuse(
                &self.file,
                format!("{name} is {}, not true or false", kind_of(&other.to_string())),
            )),
        }
    }

    /// A boolean.
    pub(super) fn flag(&self, name: &str, default: bool) -> Result<bool> {
        Ok(self.choice(name)?.unwrap_or(default))
    }

    /// The special token of a purpose.
    pub(super) fn token(&self, purpose: &str) -> Result<&str> {
        match self.special.get(purpose) {
            Some(Some(token)) => Ok(&token.content),
            _ => Err(refuse(&self.file, format!("{purpose} is not set, but the tokenizer needs it"))),
        }
    }

    /// Adds the special and added tokens to the tokenizer; those missing from its vocabulary get the next ids. `marked`:
    /// control and user-defined tokens of the vocabulary.
    pub(super) fn add_tokens(
        &self,
        tokenizer: &mut Tokenizer,
        marked: Option<Vec<Token>>,
        file: &str,
    ) -> Result<()> {
        let purposes = || PURPOSES.iter().filter_map(|purpose| self.special.get(purpose)?.as_ref());
        let extra = self.extra.clone().or(marked).or_else(|| self.additional.clone()).unwrap_or_default();
        let mut tokens: Vec<&Token> = self.added.iter().collect();
        for token in purposes().chain(&extra) {
            // A token with two descriptions is added twice; the last description counts.
            if !tokens.contains(&token) && self.added.iter().all(|added| added.content != token.content) {
                tokens.push(token);
            }
        }
        let has_purpose = |token: &Token| purposes().any(|special| special.content == token.content);
        let tokens: Vec<AddedToken> =
            tokens.into_iter().map(|token| token.added(has_purpose(token))).collect();
        tokenizer
            .add_tokens(tokens)
            .map_err(|e| refuse(file, format!("its added tokens cannot be used: {e}")))?;
        tokenizer.set_encode_special_tokens(self.flag("split_special_tokens", false)?);
        Ok(())
    }

    /// BERT's template: [CLS] A [SEP] B [SEP], with type 1 for B and the last [SEP].
    pub(super) fn template(&self, tokenizer: &Tokenizer, file: &str) -> Result<TemplateProcessing> {
        let (cls, sep) = (self.token("cls_token")?, self.token("sep_token")?);
        let unusable =
            |e: &dyn std::fmt::Display| refuse(file, format!("its special tokens cannot be used: {e}"));
        let ids = [(cls, id_of(tokenizer, cls, file)?), (sep, id_of(tokenizer, sep, file)?)];
        TemplateProcessing::builder()
            .try_single(format!("{cls}:0 $A:0 {sep}:0"))
            .map_err(|e| unusable(&e))?
            .try_pair(format!("{cls}:0 $A:0 {sep}:0 $B:1 {sep}:1"))
            .map_err(|e| unusable(&e))?
            .special_tokens(ids.map(|(token, id)| (token.to_owned(), id)).to_vec())
            .build()
            .map_err(|e| unusable(&e))
    }
}

/// The id of a token of the vocabulary or an added one.
pub(super) fn id_of(tokenizer: &Tokenizer, token: &str, file: &str) -> Result<u32> {
    tokenizer.token_to_id(token).ok_or_else(|| refuse(file, format!("has no token `{token}`")))
}

/// A file of settings, and its name in errors.
fn object(source: &ModelSource, name: &'static str) -> Result<Option<(Map<String, Value>, String)>> {
    let Some((json, file)) = source.optional_file(name)? else { return Ok(None) };
    match serde_json::from_slice(&json) {
        Ok(object) => Ok(Some((object, file))),
        Err(e) => Err(refuse(&file, format!("is not a JSON object: {}", without_values(&e)))),
    }
}

/// A list of tokens, moved out of a file's settings; newer versions of `transformers` write an empty object for none.
fn list(
    options: &mut Map<String, Value>,
    name: &str,
    file: &str,
    special: bool,
) -> Result<Option<Vec<Token>>> {
    match options.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Array(tokens)) => {
            let tokens = tokens.into_iter().map(|token| Token::parse(token, file, special));
            tokens.collect::<Result<_>>().map(Some)
        }
        Some(Value::Object(tokens)) if tokens.is_empty() => Ok(None),
        Some(_) => Err(refuse(file, format!("{name} is not a list: {UNSUPPORTED}"))),
    }
}

/// The tokens of added_tokens_decoder, by their ids.
fn numbered(tokens: Map<String, Value>, file: &str) -> Result<Vec<Token>> {
    let mut by_id = BTreeMap::new();
    for (id, token) in tokens {
        let id: u32 = id.parse().map_err(|_| {
            refuse(file, format!("added_tokens_decoder has the key `{}`, not a number", short_id(&id)))
        })?;
        by_id.insert(id, Token::parse(token, file, false)?);
    }
    Ok(by_id.into_values().collect())
}
