//! A description of the machine that runs the comparison.

use std::fs;

use dlx::parallel::available_cores;

use crate::Machine;

impl Machine {
    /// Describes this machine; unknown properties are empty.
    #[must_use]
    pub fn this() -> Self {
        let cores = available_cores();
        let system = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
        Self { processor: processor(), cores, system, features: features() }
    }
}

fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    name.map_or_else(|| "unknown processor".to_owned(), |(_, name)| name.trim().to_owned())
}

fn features() -> Vec<String> {
    let mut features: Vec<String> = Vec::new();
    #[cfg(target_arch = "x86_64")]
    {
        let known = [
            ("AVX2", is_x86_feature_detected!("avx2")),
            ("AVX-512F", is_x86_feature_detected!("avx512f")),
            ("AVX-512BW", is_x86_feature_detected!("avx512bw")),
            ("AVX-512VPOPCNTDQ", is_x86_feature_detected!("avx512vpopcntdq")),
        ];
        features.extend(known.iter().filter(|(_, has)| *has).map(|(name, _)| (*name).to_owned()));
    }
    features.sort();
    features
}

/// Returns the number of cores of the machine, including cores that this process may not use.
pub(super) fn cores() -> usize {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cores = text.lines().filter(|line| line.starts_with("processor")).count();
    if cores > 0 { cores } else { available_cores() }
}

pub(super) fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
}
