//! DeBERTa-v2's and v3's tokenizer from a SentencePiece model: its pieces and their scores. Texts are normalized by the
//! rules of `transformers`; the model's table of replacements is not used.

use tokenizers::models::unigram::Unigram;
use tokenizers::normalizers::replace::ReplacePattern;
use tokenizers::normalizers::{Lowercase, NFC, NormalizerWrapper, Replace, Sequence, Strip};
use tokenizers::pre_tokenizers::PreTokenizerWrapper;
use tokenizers::pre_tokenizers::metaspace::{Metaspace, PrependScheme};
use tokenizers::pre_tokenizers::punctuation::Punctuation;
use tokenizers::pre_tokenizers::sequence::Sequence as Steps;
use tokenizers::{SplitDelimiterBehavior, Tokenizer};

use super::class::SpecialTokens;
use super::settings::Settings;
use super::token::Token;
use crate::error::{Result, refuse};
use crate::sentencepiece::{Kind, ModelFile};

/// Runs of white space, and single line breaks and tabs.
const WHITE_SPACE: &str = r"\s{2,}|[\n\r\t]";

/// Builds the tokenizer; `file` is named in errors.
pub(super) fn build(model: &ModelFile, file: &str, mut settings: Settings) -> Result<Tokenizer> {
    settings.expect_class("DebertaV2Tokenizer")?;
    settings.default_tokens(SpecialTokens::DEBERTA);
    if !model.is_unigram {
        return Err(refuse(file, "is not a unigram model; add the model's tokenizer.json".into()));
    }
    let pieces = unigram(model, settings.token("unk_token")?);
    let mut tokenizer = Tokenizer::new(pieces.map_err(|e| refuse(file, e))?);
    tokenizer
        .with_normalizer(Some(
            normalizer(settings.flag("do_lower_case", false)?).map_err(|e| refuse(file, e))?,
        ))
        .map_err(|e| refuse(file, e.to_string()))?;
    tokenizer.with_pre_tokenizer(Some(steps(&settings)?));
    settings.add_tokens(&mut tokenizer, Some(marked(model)), file)?;
    let template = settings.template(&tokenizer, file)?;
    tokenizer.with_post_processor(Some(template));
    Ok(tokenizer)
}

pub(super) fn unigram(model: &ModelFile, unknown: &str) -> std::result::Result<Unigram, String> {
    let named = model.pieces.iter().position(|piece| piece.text == unknown && piece.score == 0.0);
    let unknown = named.or_else(|| usize::try_from(model.unknown_id).ok());
    let unknown = unknown.filter(|id| *id < model.pieces.len()).ok_or("it has no unknown symbol")?;
    let pieces = model.pieces.iter().map(|piece| (piece.text.clone(), f64::from(piece.score)));
    Unigram::from(pieces.collect(), Some(unknown), false).map_err(|e| e.to_string())
}

fn normalizer(lower_case: bool) -> std::result::Result<Sequence, String> {
    let spaces = Replace::new(ReplacePattern::Regex(WHITE_SPACE.into()), " ").map_err(|e| e.to_string())?;
    let mut steps: Vec<NormalizerWrapper> = if lower_case { vec![Lowercase.into()] } else { Vec::new() };
    steps.extend([spaces.into(), NFC.into(), Strip::new(false, true).into()]);
    Ok(Sequence::new(steps))
}

fn steps(settings: &Settings) -> Result<Steps> {
    let prepend =
        if settings.flag("add_prefix_space", true)? { PrependScheme::Always } else { PrependScheme::First };
    let mut steps: Vec<PreTokenizerWrapper> = Vec::new();
    if settings.flag("split_by_punct", false)? {
        steps.push(Punctuation::new(SplitDelimiterBehavior::Isolated).into());
    }
    steps.push(Metaspace::new('\u{2581}', prepend, true).into());
    Ok(Steps::new(steps))
}

/// The control and user-defined pieces.
pub(super) fn marked(model: &ModelFile) -> Vec<Token> {
    let marked = model.pieces.iter().filter(|piece| matches!(piece.kind, Kind::Control | Kind::UserDefined));
    let token = |text: &str, special| Token { special, normalized: Some(false), ..Token::special(text) };
    marked.map(|piece| token(&piece.text, piece.kind == Kind::Control)).collect()
}
