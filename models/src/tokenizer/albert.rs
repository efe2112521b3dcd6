//! ALBERT's tokenizer from a SentencePiece model: its pieces and their scores, with the model's table of replacements
//! after the rules of `transformers` for accents and case. A piece of a digit and a comma is chosen only if nothing
//! else fits, as in the authors' program.

use tokenizers::Tokenizer;
use tokenizers::normalizers::replace::ReplacePattern;
use tokenizers::normalizers::{
    Lowercase, NFKD, NormalizerWrapper, Precompiled, Replace, Sequence, StripAccents,
};
use tokenizers::pre_tokenizers::PreTokenizerWrapper;
use tokenizers::pre_tokenizers::metaspace::{Metaspace, PrependScheme};
use tokenizers::pre_tokenizers::sequence::Sequence as Steps;
use tokenizers::pre_tokenizers::whitespace::WhitespaceSplit;

use super::class::{Class, SpecialTokens};
use super::settings::Settings;
use super::unigram::{marked, unigram};
use crate::error::{Result, refuse};
use crate::sentencepiece::{ModelFile, charsmap};

/// Its class.
pub(super) const CLASS: Class = Class { name: "AlbertTokenizer", model_type: "albert" };

/// Subtracted from the score of a piece of a digit and a comma.
const DIGIT_COMMA_PENALTY: f32 = 100.0;

/// Builds the tokenizer; `file` is named in errors.
pub(super) fn build(mut model: ModelFile, file: &str, mut settings: Settings) -> Result<Tokenizer> {
    settings.default_tokens(SpecialTokens { unk: "<unk>", pad: "<pad>", ..SpecialTokens::DEBERTA });
    if !model.is_unigram {
        return Err(refuse(file, "is not a unigram model; add the model's tokenizer.json".into()));
    }
    for piece in model.pieces.iter_mut().filter(|piece| ends_in_digit_and_comma(&piece.text)) {
        piece.score -= DIGIT_COMMA_PENALTY;
    }
    let pieces = unigram(&model, settings.token("unk_token")?);
    let mut tokenizer = Tokenizer::new(pieces.map_err(|e| refuse(file, e))?);
    tokenizer
        .with_normalizer(Some(normalizer(&model, &settings, file)?))
        .map_err(|e| refuse(file, e.to_string()))?;
    let prepend =
        if settings.flag("add_prefix_space", true)? { PrependScheme::Always } else { PrependScheme::Never };
    let steps: Vec<PreTokenizerWrapper> =
        vec![WhitespaceSplit.into(), Metaspace::new('\u{2581}', prepend, true).into()];
    tokenizer.with_pre_tokenizer(Some(Steps::new(steps)));
    settings.add_tokens(&mut tokenizer, Some(marked(&model)), file)?;
    let template = settings.template(&tokenizer, file)?;
    tokenizer.with_post_processor(Some(template));
    Ok(tokenizer)
}

fn ends_in_digit_and_comma(piece: &str) -> bool {
    piece.strip_suffix(',').is_some_and(|before| before.ends_with(char::is_numeric))
}

fn normalizer(model: &ModelFile, settings: &Settings, file: &str) -> Result<Sequence> {
    let quote = |pattern: &str| {
        Replace::new(ReplacePattern::String(pattern.into()), "\"").map_err(|e| refuse(file, e.to_string()))
    };
    let mut steps: Vec<NormalizerWrapper> = vec![quote("``")?.into(), quote("''")?.into()];
    if !settings.flag("keep_accents", false)? {
        steps.extend([NFKD.into(), StripAccents.into()]);
    }
    if settings.flag("do_lower_case", true)? {
        steps.push(Lowercase.into());
    }
    if !model.charsmap.is_empty() {
        charsmap::check(&model.charsmap).map_err(|e| refuse(file, e))?;
        let table = Precompiled::from(&model.charsmap)
            .map_err(|e| refuse(file, format!("its table of replacements is damaged: {e}")))?;
        steps.push(table.into());
    }
    Ok(Sequence::new(steps))
}
