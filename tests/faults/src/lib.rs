//! A library for `LD_PRELOAD` that stands before the C library's functions that change files, and makes one of their calls
//! fail. It counts the calls that concern files in one folder:
//!
//! | variable | meaning |
//! |---|---|
//! | `FAULT_FOLDER` | the folder; without it, nothing fails |
//! | `FAULT_CALL` | the number of the call, from 1 |
//! | `FAULT_KIND` | `once`: this call fails; `onward`: it and all later ones; `kill`: the process is killed, after half of the bytes of a write |
//! | `FAULT_REPORT` | a file, in another folder, that gets the name of the call and its path if the number is reached |
//!
//! A failing call sets `ENOSPC`, as on a full disk.
#![cfg(target_os = "linux")]

use std::ffi::{CStr, CString, OsStr, c_char, c_int, c_uint, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, fs, mem};

use libc::{dlsym, mode_t, off64_t, size_t, ssize_t};

/// What the variables say.
struct Plan {
    folder: PathBuf,
    call: u64,
    kind: Kind,
    report: CString,
}

#[derive(PartialEq)]
enum Kind {
    Once,
    Onward,
    Kill,
}

static PLAN: LazyLock<Option<Plan>> = LazyLock::new(|| {
    Some(Plan {
        folder: env::var_os("FAULT_FOLDER")?.into(),
        call: env::var("FAULT_CALL").ok()?.parse().ok()?,
        kind: match env::var("FAULT_KIND").ok()?.as_str() {
            "once" => Kind::Once,
            "onward" => Kind::Onward,
            "kill" => Kind::Kill,
            _ => return None,
        },
        report: CString::new(env::var_os("FAULT_REPORT")?.as_bytes()).ok()?,
    })
});

/// The number of calls so far.
static CALLS: AtomicU64 = AtomicU64::new(0);

/// What becomes of a call.
#[derive(PartialEq)]
enum Fate {
    Works,
    Fails,
    Dies,
}

/// Counts a call that changes the file at this path.
fn fate(name: &str, path: &Path) -> Fate {
    let Some(plan) = &*PLAN else { return Fate::Works };
    // Relative paths are those of the tests' folder, in which the program runs.
    if path.is_absolute() && !path.starts_with(&plan.folder) {
        return Fate::Works;
    }
    let call = CALLS.fetch_add(1, Ordering::Relaxed) + 1;
    if call == plan.call {
        report(plan, name, path);
    }
    match plan.kind {
        Kind::Kill if call == plan.call => Fate::Dies,
        Kind::Once if call == plan.call => Fate::Fails,
        Kind::Onward if call >= plan.call => Fate::Fails,
        _ => Fate::Works,
    }
}

fn report(plan: &Plan, name: &str, path: &Path) {
    let text = format!("{name} {}", path.display());
    // SAFETY: the path ends with a zero byte, and `text` has the stated length.
    unsafe {
        let file = libc::syscall(
            libc::SYS_openat,
            libc::AT_FDCWD,
            plan.report.as_ptr(),
            libc::O_CREAT | libc::O_WRONLY,
            0o600,
        );
        libc::syscall(libc::SYS_write, file, text.as_ptr(), text.len());
        libc::syscall(libc::SYS_close, file);
    }
}

/// The path of an open file; pipes and others that are no files have none in the folder.
fn path_of(file: c_int) -> PathBuf {
    fs::read_link(format!("/proc/self/fd/{file}")).unwrap_or_else(|_| "/".into())
}

/// # Safety
/// `path` is a string that ends with a zero byte.
unsafe fn path_at<'p>(path: *const c_char) -> &'p Path {
    // SAFETY: as the caller promises.
    Path::new(OsStr::from_bytes(unsafe { CStr::from_ptr(path) }.to_bytes()))
}

fn die() -> ! {
    // SAFETY: the call has no conditions.
    unsafe { libc::kill(libc::getpid(), libc::SIGKILL) };
    unreachable!("SIGKILL cannot be ignored")
}

fn fail() {
    // SAFETY: the address is that of this thread's `errno`.
    unsafe { *libc::__errno_location() = libc::ENOSPC };
}

/// Defines functions that fail or die by `fate`, and otherwise call the C library's.
macro_rules! stand_before {
    ($($name:ident($($argument:ident: $type:ty),*) -> $returned:ty, of $path:expr;)*) => {$(
        /// See the crate's documentation.
        ///
        /// # Safety
        /// That of the C library's function.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $type),*) -> $returned {
            static REAL: LazyLock<usize> = LazyLock::new(|| {
                let name = concat!(stringify!($name), "\0");
                // SAFETY: the name ends with a zero byte.
                unsafe { dlsym(libc::RTLD_NEXT, name.as_ptr().cast()) as usize }
            });
            // SAFETY: the caller keeps the conditions of the C library's function, which has this signature.
            unsafe {
                match fate(stringify!($name), $path) {
                    Fate::Works => {
                        let real: unsafe extern "C" fn($($type),*) -> $returned = mem::transmute(*REAL);
                        real($($argument),*)
                    }
                    Fate::Fails => {
                        fail();
                        -1
                    }
                    Fate::Dies => die(),
                }
            }
        }
    )*};
}

stand_before! {
    fsync(file: c_int) -> c_int, of &path_of(file);
    fdatasync(file: c_int) -> c_int, of &path_of(file);
    ftruncate64(file: c_int, length: off64_t) -> c_int, of &path_of(file);
    rename(from: *const c_char, to: *const c_char) -> c_int, of path_at(from);
    unlink(path: *const c_char) -> c_int, of path_at(path);
    mkdir(path: *const c_char, mode: mode_t) -> c_int, of path_at(path);
    symlink(target: *const c_char, path: *const c_char) -> c_int, of path_at(path);
    linkat(folder: c_int, path: *const c_char, other: c_int, link: *const c_char, flags: c_int) -> c_int, of path_at(link);
    copy_file_range(from: c_int, start: *mut off64_t, to: c_int, place: *mut off64_t, length: size_t, flags: c_uint) -> ssize_t, of &path_of(to);
}

/// See the crate's documentation.
///
/// # Safety
/// That of the C library's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn write(file: c_int, bytes: *const c_void, length: size_t) -> ssize_t {
    // The standard streams are closed to no test.
    let fate = if file > 2 { fate("write", &path_of(file)) } else { Fate::Works };
    let length = if fate == Fate::Dies { length / 2 } else { length };
    if fate == Fate::Fails {
        fail();
        return -1;
    }
    // SAFETY: the caller promises that the bytes can be read.
    let written = unsafe { libc::syscall(libc::SYS_write, file, bytes, length) };
    if fate == Fate::Dies { die() } else { written as ssize_t }
}

/// See the crate's documentation. The mode is variadic in C, which passes it as the others.
///
/// # Safety
/// That of the C library's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn open64(path: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    let changes = flags & (libc::O_CREAT | libc::O_TRUNC) != 0;
    // SAFETY: the caller promises a path that ends with a zero byte.
    let fate = if changes { fate("open64", unsafe { path_at(path) }) } else { Fate::Works };
    match fate {
        // SAFETY: as above.
        Fate::Works => unsafe { libc::syscall(libc::SYS_openat, libc::AT_FDCWD, path, flags, mode) as c_int },
        Fate::Fails => {
            fail();
            -1
        }
        Fate::Dies => die(),
    }
}
