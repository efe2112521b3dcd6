mod bertscore_parity;
mod rouge_attack;
mod rouge_parity;
