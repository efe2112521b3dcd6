//! Compiles the CUDA kernels: with nvcc (feature `cuda`), or with the host's C++ compiler for tests (feature
//! `cuda-emulation`). Does nothing without these features.
//!
//! Reads `NVCC` (default: `nvcc` on the PATH), `VERIDIC_CUDA_ARCHITECTURES` (compute capabilities without dots, in
//! ascending order; default 80,90) and, for the emulation, `CXX` and `AR`.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCES: &str = "src/cuda/source";
const EMULATION: &str = "src/cuda/emulation";

/// Compute capabilities for which machine code is generated.
const ARCHITECTURES: &str = "80,90";

fn main() {
    if env::var_os("CARGO_FEATURE_CUDA").is_none() {
        println!("cargo:rerun-if-changed=build.rs");
        return;
    }
    println!("cargo:rerun-if-changed={SOURCES}");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    match env::var_os("CARGO_FEATURE_CUDA_EMULATION") {
        Some(_) => emulation(&out),
        None => kernels(&out),
    }
}

/// Generates machine code for each architecture, and PTX for the last one, which drivers compile for later GPUs.
fn kernels(out: &Path) {
    println!("cargo:rerun-if-env-changed=NVCC");
    println!("cargo:rerun-if-env-changed=VERIDIC_CUDA_ARCHITECTURES");
    let architectures = env::var("VERIDIC_CUDA_ARCHITECTURES").unwrap_or_else(|_| ARCHITECTURES.to_owned());
    let mut nvcc = Command::new(env::var_os("NVCC").unwrap_or_else(|| "nvcc".into()));
    // Compressed machine code takes a fifth of the space; the driver decompresses what it loads.
    nvcc.args(["--fatbin", "--compress-mode=size", "-std=c++17", "-O3", "-Xptxas", "-v"]);
    for architecture in architectures.split(',') {
        nvcc.arg(format!("-gencode=arch=compute_{architecture},code=sm_{architecture}"));
    }
    if let Some(last) = architectures.split(',').next_back() {
        nvcc.arg(format!("-gencode=arch=compute_{last},code=compute_{last}"));
    }
    nvcc.arg("-o").arg(out.join("kernels.fatbin")).arg(Path::new(SOURCES).join("kernels.cu"));
    let what =
        "feature `cuda` needs nvcc 13: scripts/cuda_toolchain.sh installs it and prints the value for NVCC";
    let report = run(nvcc, what);
    // Registers and spills of each kernel, for tuning.
    std::fs::write(out.join("resources.txt"), report).expect("OUT_DIR is writable");
}

fn emulation(out: &Path) {
    println!("cargo:rerun-if-changed={EMULATION}");
    let needs =
        "feature `cuda-emulation` needs a C++17 compiler with _Float16 (g++ 12 or later); set CXX to it";
    let object = out.join("emulation.o");
    let mut compiler = Command::new(env::var_os("CXX").unwrap_or_else(|| "g++".into()));
    // Fibers jump between stacks, which fortified functions treat as an attack.
    compiler.args(["-std=c++17", "-O2", "-fno-strict-aliasing", "-U_FORTIFY_SOURCE", "-Wno-unknown-pragmas"]);
    compiler.arg("-c").arg(Path::new(EMULATION).join("emulation.cpp")).arg("-o").arg(&object);
    run(compiler, needs);
    let mut archive = Command::new(env::var_os("AR").unwrap_or_else(|| "ar".into()));
    archive.arg("crs").arg(out.join("libveridic_emulation.a")).arg(&object);
    run(archive, needs);
    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-lib=static=veridic_emulation");
    println!("cargo:rustc-link-lib=dylib=stdc++");
}

/// Runs a command and returns its standard error. If it fails, prints `needs` and ends the build.
fn run(mut command: Command, needs: &str) -> String {
    match command.output() {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stderr).into_owned(),
        Ok(output) => fail(&format!("{needs}\n{command:?}\n{}", String::from_utf8_lossy(&output.stderr))),
        Err(error) => fail(&format!("{needs}\n{command:?}: {error}")),
    }
}

fn fail(message: &str) -> ! {
    eprintln!("{message}");
    std::process::exit(1)
}
