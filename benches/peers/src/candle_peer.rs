//! candle-transformers' DeBERTa behind the protocol of `scripts/bench.py peers`
//! (scripts/peers/protocol.py describes it): pairs sorted by length, in padded batches.
//!
//! `candle_peer MODEL_FOLDER PAIRS.jsonl BATCH`, then a line `run` on stdin for each run.
//!
//! A model with absolute positions runs one pair at a time whatever BATCH says: candle-transformers 0.11.1 adds the `(1,
//! length, hidden)` positions to the `(batch, length, hidden)` embeddings without broadcasting, so a batch of more than one
//! sequence fails with a shape mismatch. Single sequences need no padding.

use std::io::{BufRead, Write, stdin, stdout};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Error, Result, bail};
use candle_core::{DType, Device, Tensor};
use candle_nn::VarBuilder;
use candle_nn::ops::softmax_last_dim;
use candle_transformers::models::debertav2::{Config, DebertaV2SeqClassificationModel};
use serde_json::{Value, json};
use tokenizers::{Encoding, Tokenizer};

type TextPair = (String, String);

struct Peer {
    tokenizer: Tokenizer,
    model: DebertaV2SeqClassificationModel,
    padding_id: u32,
    batch: usize,
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, pairs, batch] = &arguments[..] else {
        bail!("usage: candle_peer MODEL_FOLDER PAIRS.jsonl BATCH")
    };
    let pairs = read_pairs(Path::new(pairs)).with_context(|| pairs.clone())?;
    let peer = Peer::load(Path::new(folder), batch.parse().context("BATCH")?)?;
    answer(&json!({ "versions": { "candle-transformers": "0.11.1" }, "batch": peer.batch }))?;
    for line in stdin().lock().lines() {
        match line?.trim() {
            "run" => answer(&peer.run(&pairs)?)?,
            other => bail!("unknown command `{other}`"),
        }
    }
    Ok(())
}

fn read_pairs(path: &Path) -> Result<Vec<TextPair>> {
    let field = |row: &Value, name: &str| {
        row[name].as_str().map(str::to_owned).with_context(|| format!("no text in field `{name}`"))
    };
    let pair = |line: &str| {
        let row: Value = serde_json::from_str(line)?;
        Ok((field(&row, "premise")?, field(&row, "hypothesis")?))
    };
    std::fs::read_to_string(path)?.lines().map(pair).collect()
}

impl Peer {
    fn load(folder: &Path, batch: usize) -> Result<Self> {
        let config: Config = serde_json::from_slice(&std::fs::read(folder.join("config.json"))?)?;
        let mut tokenizer = Tokenizer::from_file(folder.join("tokenizer.json")).map_err(Error::msg)?;
        tokenizer.with_truncation(None).map_err(Error::msg)?.with_padding(None);
        let weights = [folder.join("model.safetensors")];
        // SAFETY: the file is only read while this process runs, as in candle's own examples.
        let weights = unsafe { VarBuilder::from_mmaped_safetensors(&weights, DType::F32, &Device::Cpu)? };
        let model = DebertaV2SeqClassificationModel::load(weights.set_prefix("deberta"), &config, None)?;
        let padding_id = u32::try_from(config.pad_token_id.unwrap_or(0))?;
        Ok(Self { tokenizer, model, padding_id, batch: if config.position_biased_input { 1 } else { batch } })
    }

    fn run(&self, pairs: &[TextPair]) -> Result<Value> {
        let start = Instant::now();
        let texts: Vec<(&str, &str)> = pairs.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        let encodings = self.tokenizer.encode_batch_fast(texts, true).map_err(Error::msg)?;
        let tokenize_seconds = start.elapsed().as_secs_f64();
        let mut order: Vec<usize> = (0..pairs.len()).collect();
        order.sort_by_key(|&index| encodings[index].len());
        let mut probabilities = vec![Vec::new(); pairs.len()];
        let mut padded_tokens = 0;
        for batch in order.chunks(self.batch) {
            let members: Vec<&Encoding> = batch.iter().map(|&index| &encodings[index]).collect();
            padded_tokens += members.len() * longest(&members);
            for (&index, row) in batch.iter().zip(self.forward(&members)?) {
                probabilities[index] = row;
            }
        }
        let seconds = start.elapsed().as_secs_f64();

        let tokens: usize = encodings.iter().map(Encoding::len).sum();
        Ok(json!({
            "seconds": seconds, "tokenize_seconds": tokenize_seconds,
            "tokens": tokens, "padded_tokens": padded_tokens, "probabilities": probabilities,
        }))
    }

    /// Returns the probabilities of one batch in the model's output order, `(batch, labels)`.
    fn forward(&self, batch: &[&Encoding]) -> Result<Vec<Vec<f32>>> {
        let ids = padded(batch, Encoding::get_ids, self.padding_id)?;
        let types = padded(batch, Encoding::get_type_ids, 0)?;
        let mask = padded(batch, Encoding::get_attention_mask, 0)?;
        let logits = self.model.forward(&ids, Some(types), Some(mask))?;
        Ok(softmax_last_dim(&logits)?.to_vec2()?)
    }
}

fn longest(batch: &[&Encoding]) -> usize {
    batch.iter().map(|encoding| encoding.len()).max().unwrap_or(0)
}

/// Returns one field of the encodings as a tensor, `(batch, longest)`.
fn padded(batch: &[&Encoding], field: fn(&Encoding) -> &[u32], fill: u32) -> Result<Tensor> {
    let length = longest(batch);
    let mut values = Vec::with_capacity(batch.len() * length);
    for (row, encoding) in batch.iter().enumerate() {
        values.extend_from_slice(field(encoding));
        values.resize((row + 1) * length, fill);
    }
    Ok(Tensor::from_vec(values, (batch.len(), length), &Device::Cpu)?)
}

fn answer(value: &Value) -> Result<()> {
    let mut output = stdout().lock();
    writeln!(output, "{value}")?;
    Ok(output.flush()?)
}
