//! Keeps memory that requests have freed from staying with the server.

/// glibc gives every thread an arena of its own, up to eight a core, and each keeps the most that its threads ever held. With
/// one a core, large requests use the memory of those before them.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(super) fn limit_arenas() {
    let cores =
        std::thread::available_parallelism().map_or(1, |cores| i32::try_from(cores.get()).unwrap_or(1));
    // SAFETY: the call takes two numbers.
    unsafe { libc::mallopt(libc::M_ARENA_MAX, cores) };
}

/// Gives freed memory back to the system. glibc keeps what lies between blocks that are in use.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(super) fn give_back() {
    // SAFETY: the call takes a number, and moves no block that is in use.
    unsafe { libc::malloc_trim(0) };
}

/// Other allocators have no such arenas.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(super) fn limit_arenas() {}

/// Other allocators give memory back by themselves.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(super) fn give_back() {}
