//! The program `veridic-bench`: the command line of this process, run by the library beside it.

use std::process::ExitCode;

/// musl's own gives large blocks back to the system at once and asks for them again (ARCHITECTURE.md).
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    veridic_bench::main(std::env::args_os())
}
