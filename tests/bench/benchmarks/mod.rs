mod finesure;
mod joined;
mod names;
mod options;
mod parity;
mod rated;
mod refusals;
