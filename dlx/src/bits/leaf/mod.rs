//! The instruction sets that lane operations are compiled for, and their detection.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod plain;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

#[cfg(target_arch = "x86_64")]
use self::{avx2::Avx2, avx512::Avx512};
use super::vectors::{Vectors, Work};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaf {
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128,
    Plain,
}

impl Leaf {
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        #[cfg(target_arch = "x86_64")]
        let wide = [Avx512::new().map(Self::Avx512), Avx2::new().map(Self::Avx2)];
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        let wide = [Some(Self::Simd128)];
        #[cfg(not(any(
            target_arch = "x86_64",
            all(target_arch = "wasm32", target_feature = "simd128")
        )))]
        let wide: [Option<Self>; 0] = [];
        wide.into_iter().flatten().chain([Self::Plain])
    }

    pub(crate) fn best() -> Self {
        Self::all().next().unwrap_or(Self::Plain)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => "avx512",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => "avx2",
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128 => "simd128",
            Self::Plain => "plain",
        }
    }

    /// Passes the operations on lanes of `width` bits to `work`, which should only select code,
    /// because `work` itself is not compiled with the instructions.
    pub(crate) fn with_lanes<W: Work>(self, width: usize, work: W) -> W::Output {
        macro_rules! of {
            ($leaf:ident $(, $token:ident)?) => {
                match width {
                    8 => work.run($leaf::Lanes8 $(($token))?),
                    16 => work.run($leaf::Lanes16 $(($token))?),
                    32 => work.run($leaf::Lanes32 $(($token))?),
                    _ => work.run($leaf::Lanes64 $(($token))?),
                }
            };
        }
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(token) => of!(avx512, token),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(token) => of!(avx2, token),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128 => of!(simd128),
            Self::Plain => of!(plain),
        }
    }

    /// Runs `work`, which does not depend on the lane width, compiled for the instruction set
    /// `self`.
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(token) => avx512::Lanes64(token).run(work),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(token) => avx2::Lanes64(token).run(work),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128 => simd128::Lanes64.run(work),
            Self::Plain => plain::Lanes64.run(work),
        }
    }
}
