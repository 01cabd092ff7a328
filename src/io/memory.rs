//! The memory limit of a command: the limit set by the user, or half of the free memory.

mod allocator;

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::LazyLock;

use dlx::Limits;

pub use allocator::Allocator;

use super::host;

/// Minimum excess (bytes) over the memory limit before the allocator stops a command whose
/// estimates were too low. For large limits, the excess is a twentieth of the limit.
const GRACE: usize = 8 << 20;

/// Memory of a WebAssembly instance (bytes), whose host does not say how much is free. An instance
/// has at most 4 GiB of addresses, and a browser on a phone gives about 1 GiB.
const INSTANCE: u64 = 1 << 30;

/// Half of the free memory (bytes), if known. The free memory is the minimum over the machine, the
/// process limit and the control group.
static SHARE: LazyLock<Option<usize>> = LazyLock::new(|| {
    let free = match cfg!(target_family = "wasm") {
        true => [Some(INSTANCE), None, None],
        false => [free_of_machine(), free_of_process(), free_of_group()],
    };
    free.into_iter().flatten().min().map(|bytes| usize::try_from(bytes / 2).unwrap_or(usize::MAX))
});

/// Returns half of the free memory (bytes), or `None` if unknown.
pub(crate) fn share() -> Option<usize> {
    *SHARE
}

/// Returns limits that end a phase soon after more than `asked` bytes are in use. The default is
/// half of the free memory.
pub(crate) fn guard(limits: Limits, asked: Option<u64>) -> Limits {
    let asked = asked.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
    // The allocator of a host counts nothing, so only estimates enforce the limit.
    if host::is_present() {
        return limits.memory(asked.or_else(share));
    }
    if asked.is_some() {
        allocator::keep_no_gaps();
    }
    let memory = asked.or_else(share);
    let allowed = memory.map_or(usize::MAX, |bytes| bytes.saturating_add(GRACE.max(bytes / 20)));
    limits.memory(memory).full(allocator::allow(allowed))
}

/// Formats a number of bytes with a suitable unit.
pub(crate) fn shown(bytes: f64) -> String {
    let units = [(1_u64 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "kB")];
    let found = units.into_iter().find(|(unit, _)| bytes >= *unit as f64);
    let Some((unit, name)) = found else { return format!("{bytes:.0} bytes") };
    match bytes / unit as f64 {
        many @ 1e6.. => format!("{many:.1e} {name}"),
        many @ 100.0.. => format!("{many:.0} {name}"),
        few => format!("{few:.1} {name}"),
    }
}

/// Returns whether memory was exhausted since the last call of [`recover`].
pub(crate) fn is_short() -> bool {
    allocator::is_short()
}

/// Clears the flag of exhausted memory if enough memory is free again, so that searches continue.
pub(crate) fn recover() {
    allocator::recover();
}

fn free_of_machine() -> Option<u64> {
    kibibytes(&text(Path::new("/proc/meminfo"))?, "MemAvailable:")
}

/// Returns the number of bytes that the process may still map, if limited.
fn free_of_process() -> Option<u64> {
    #[cfg(target_os = "linux")]
    {
        let limit = rustix::process::getrlimit(rustix::process::Resource::As).current?;
        let used = kibibytes(&text(Path::new("/proc/self/status"))?, "VmSize:")?;
        Some(limit.saturating_sub(used))
    }
    #[cfg(not(target_os = "linux"))]
    None
}

/// Returns the number of bytes that the control group of the process and its ancestors may still
/// use, if limited.
fn free_of_group() -> Option<u64> {
    free_of_groups(&text(Path::new("/proc/self/cgroup"))?, &text)
}

/// Reads a short system file in a single read, which is fast enough for every start of the program.
fn text(path: &Path) -> Option<String> {
    let mut bytes = [0; 1 << 13];
    let count = File::open(path).ok()?.read(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes[..count]).into_owned())
}

/// Returns the number of bytes that the control groups in `groups` may still use. `groups` is a
/// text such as `/proc/self/cgroup`, and `read` reads the files of a group.
fn free_of_groups(groups: &str, read: &dyn Fn(&Path) -> Option<String>) -> Option<u64> {
    let mut free: Option<u64> = None;
    for line in groups.lines() {
        // The fields of a line are hierarchy, controllers and path, separated by colons.
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(group)) = (fields.next(), fields.next()) else { continue };
        let (root, limit, usage) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max", "memory.current"),
            _ if controllers.split(',').any(|name| name == "memory") => {
                ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes")
            }
            _ => continue,
        };
        // The limit of a group also applies to its subgroups. In a container the root is the group
        // of the container.
        for group in Path::new(group.trim_start_matches('/')).ancestors() {
            let number = |name| -> Option<u64> {
                read(&Path::new(root).join(group).join(name))?.trim().parse().ok()
            };
            // If there is no limit, the file contains `max` or a number near 2^63.
            let limit = number(limit).filter(|&limit| limit < 1 << 62);
            if let (Some(limit), Some(usage)) = (limit, limit.and_then(|_| number(usage))) {
                let left = limit.saturating_sub(usage);
                free = Some(free.map_or(left, |least| least.min(left)));
            }
        }
    }
    free
}

/// Returns the number of bytes in the line of `text` that begins with `key`.
fn kibibytes(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(groups: &str, files: &[(&str, &str)], expected: Option<u64>) {
        let read = |path: &Path| {
            let file = files.iter().find(|(name, _)| Path::new(name) == path);
            file.map(|(_, text)| (*text).to_owned())
        };
        assert_eq!(free_of_groups(groups, &read), expected, "{groups}");
    }

    #[test]
    fn a_control_group_has_the_least_free_memory_of_its_ancestors() {
        let files = [
            ("/sys/fs/cgroup/memory.max", "max\n"),
            ("/sys/fs/cgroup/memory.current", "7\n"),
            ("/sys/fs/cgroup/a/memory.max", "1000\n"),
            ("/sys/fs/cgroup/a/memory.current", "400\n"),
            ("/sys/fs/cgroup/a/b/memory.max", "900\n"),
            ("/sys/fs/cgroup/a/b/memory.current", "100\n"),
        ];
        check("0::/a/b\n", &files, Some(600));
        check("0::/a\n", &files, Some(600));
        check("0::/\n", &files, None);
        check("0::/elsewhere\n", &files, None);
        check("", &files, None);
    }

    #[test]
    fn limits_of_version_1_control_groups_are_read() {
        let files = [
            ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
            ("/sys/fs/cgroup/memory/memory.usage_in_bytes", "5000\n"),
            ("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "3000\n"),
            ("/sys/fs/cgroup/memory/job/memory.usage_in_bytes", "4000\n"),
        ];
        check("5:cpu,cpuacct:/job\n4:memory:/job\n0::/job\n", &files, Some(0));
        check("4:memory:/\n", &files, None);
        check("5:cpu:/job\n", &files, None);
    }

    #[test]
    fn lines_in_kibibytes_are_converted_to_bytes() {
        assert_eq!(
            kibibytes("MemFree: 1 kB\nMemAvailable:   24105 kB\n", "MemAvailable:"),
            Some(24_683_520)
        );
        assert_eq!(kibibytes("VmSize: many\n", "VmSize:"), None);
    }
}
