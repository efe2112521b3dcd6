mod finesure;
mod joined;
mod jsonl;
mod names;
mod options;
mod parity;
mod rated;
mod refusals;
