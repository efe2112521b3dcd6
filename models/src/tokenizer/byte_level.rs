//! RoBERTa's and DeBERTa's tokenizers from vocab.json and merges.txt: byte pair encoding of words with their space.
//! Refuses merges of pieces outside the vocabulary.
//!
//! A DeBERTa pair is `[CLS] A [SEP] B [SEP]`, as in the authors' program; `transformers` 5.23 puts two [SEP] between the
//! texts.

use tokenizers::Tokenizer;
use tokenizers::models::bpe::{BPE, Merges, Vocab};
use tokenizers::pre_tokenizers::byte_level::ByteLevel;
use tokenizers::processors::roberta::RobertaProcessing;
use veridic_store::quoting::{quoted_name, without_values};

use super::class::{Class, SpecialTokens};
use super::settings::{Settings, id_of};
use crate::error::{Result, refuse};

/// DeBERTa's class.
const DEBERTA: Class = Class { name: "DebertaTokenizer", model_type: "deberta" };

const ROBERTA_TOKENS: SpecialTokens =
    SpecialTokens { cls: "<s>", sep: "</s>", unk: "<unk>", pad: "<pad>", mask: "<mask>", has_ends: true };

/// Builds the tokenizer; `file` and `merges_file` are named in errors.
pub(super) fn build(
    vocabulary: &[u8],
    file: &str,
    merges: &[u8],
    merges_file: &str,
    mut settings: Settings,
) -> Result<Tokenizer> {
    let is_deberta = settings.are_of(DEBERTA);
    if !is_deberta {
        settings.expect_class("RobertaTokenizer")?;
    }
    settings.default_tokens(if is_deberta { SpecialTokens::DEBERTA } else { ROBERTA_TOKENS });
    let vocabulary: Vocab = serde_json::from_slice(vocabulary)
        .map_err(|e| refuse(file, format!("is not a vocabulary of ids: {}", without_values(&e))))?;
    let merges = parse_merges(merges, &vocabulary).map_err(|e| refuse(merges_file, e))?;
    let model = BPE::builder().vocab_and_merges(vocabulary, merges).build();
    let mut tokenizer = Tokenizer::new(model.map_err(|e| refuse(file, e.to_string()))?);
    let (add_space, trim) = (settings.flag("add_prefix_space", false)?, settings.flag("trim_offsets", true)?);
    tokenizer.with_pre_tokenizer(Some(ByteLevel::default().add_prefix_space(add_space)));
    settings.add_tokens(&mut tokenizer, None, file)?;
    if is_deberta {
        let template = settings.template(&tokenizer, file)?;
        tokenizer.with_post_processor(Some(template));
        return Ok(tokenizer);
    }
    let special = |purpose| -> Result<(String, u32)> {
        let token = settings.token(purpose)?;
        Ok((token.to_owned(), id_of(&tokenizer, token, file)?))
    };
    let around = RobertaProcessing::new(special("sep_token")?, special("cls_token")?);
    tokenizer.with_post_processor(Some(around.trim_offsets(trim).add_prefix_space(add_space)));
    Ok(tokenizer)
}

/// The pairs, one per line. Checks that both pieces and their concatenation are in the vocabulary, which the library
/// assumes.
fn parse_merges(bytes: &[u8], vocabulary: &Vocab) -> std::result::Result<Merges, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "is not UTF-8 text")?;
    let mut merges = Merges::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with("#version")) {
        let at = |what: String| format!("line {}: {what}", number + 1);
        let pair = line.split_once(' ').filter(|(_, second)| !second.contains(' '));
        let (first, second) = pair.ok_or_else(|| at("is not two pieces".into()))?;
        for piece in [first, second, &format!("{first}{second}")] {
            if !vocabulary.contains_key(piece) {
                return Err(at(format!("the piece {} is not in vocab.json", quoted_name(piece))));
            }
        }
        merges.push((first.to_owned(), second.to_owned()));
    }
    Ok(merges)
}
