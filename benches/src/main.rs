//! The program `veridic-bench`: runs this process's command line through the library crate.

use std::process::ExitCode;

/// musl's own allocator returns large blocks to the system at once and requests them again (ARCHITECTURE.md).
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    veridic_bench::main(std::env::args_os())
}
