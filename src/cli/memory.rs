//! How much memory a count may hold if nobody says.

/// Returns half of the memory that is free, in bytes, where the system tells; else `None`.
pub(super) fn share() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 512)
}
