//! BERT's tokenizer from vocab.txt, one piece per line: a word is split into the longest known pieces from its start.

use tokenizers::Tokenizer;
use tokenizers::models::wordpiece::WordPiece;
use tokenizers::normalizers::BertNormalizer;
use tokenizers::pre_tokenizers::bert::BertPreTokenizer;

use super::class::SpecialTokens;
use super::settings::Settings;
use crate::error::{Result, refuse};

/// Builds the tokenizer; `file` is named in errors.
pub(super) fn build(lines: &[u8], file: &str, mut settings: Settings) -> Result<Tokenizer> {
    settings.expect_class("BertTokenizer")?;
    settings.default_tokens(SpecialTokens { has_ends: false, ..SpecialTokens::DEBERTA });
    let vocabulary =
        WordPiece::read_bytes(lines).map_err(|e| refuse(file, format!("is not a vocabulary: {e}")))?;
    let unknown = settings.token("unk_token")?;
    if !vocabulary.contains_key(unknown) {
        return Err(refuse(file, format!("has no token `{unknown}`")));
    }
    let model = WordPiece::builder().vocab(vocabulary).unk_token(unknown.to_owned()).build();
    let mut tokenizer = Tokenizer::new(model.map_err(|e| refuse(file, e.to_string()))?);
    let normalizer = BertNormalizer::new(
        true,
        settings.flag("tokenize_chinese_chars", true)?,
        settings.choice("strip_accents")?,
        settings.flag("do_lower_case", true)?,
    );
    tokenizer.with_normalizer(Some(normalizer)).map_err(|e| refuse(file, e.to_string()))?;
    tokenizer.with_pre_tokenizer(Some(BertPreTokenizer));
    settings.add_tokens(&mut tokenizer, None, file)?;
    let template = settings.template(&tokenizer, file)?;
    tokenizer.with_post_processor(Some(template));
    Ok(tokenizer)
}
