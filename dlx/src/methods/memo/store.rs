//! The cache of counts, owned by one search or shared by several.
//!
//! A single search accesses its cache without locks. When helpers join, the cache is divided into
//! shards, each with a lock that is held for one access.

use std::sync::Arc;

use super::cache::{Cache, Found};
use super::number::Number;
use crate::numbers::hash;
use crate::parallel::Sharded;

const CACHE_NEAR: usize = 2 << 20;

#[derive(Debug)]
pub(super) enum Store {
    Own(Cache),
    Shared(Arc<Sharded<Cache>>),
}

impl Store {
    pub(super) fn share(&mut self) -> Self {
        if let Self::Own(cache) = self {
            let words = cache.words();
            let shards = Sharded::new(|| Cache::new(words));
            cache.each(|key, found| shards.at(hash(key)).insert(key, &found.count, found.nodes as u64));
            *self = Self::Shared(Arc::new(shards));
            self.limit(usize::MAX);
        }
        match self {
            Self::Shared(shards) => Self::Shared(Arc::clone(shards)),
            Self::Own(_) => unreachable!("it was divided"),
        }
    }

    #[inline]
    pub(super) fn is_shared(&self) -> bool {
        matches!(self, Self::Shared(_))
    }

    pub(super) fn limit(&mut self, bytes: usize) {
        match self {
            Self::Own(cache) => cache.limit(bytes),
            Self::Shared(shards) => {
                shards.each().for_each(|mut cache| cache.limit(bytes / shards.len()));
            }
        }
    }

    #[inline]
    pub(super) fn get(&self, key: &[u64]) -> Option<Found> {
        match self {
            Self::Own(cache) => cache.get(key),
            Self::Shared(shards) => shards.at(hash(key)).get(key),
        }
    }

    #[inline]
    pub(super) fn insert(&mut self, key: &[u64], count: &Number, nodes: u64) {
        match self {
            Self::Own(cache) => cache.insert(key, count, nodes),
            Self::Shared(shards) => shards.at(hash(key)).insert(key, count, nodes),
        }
    }

    #[inline]
    pub(super) fn is_near(&self) -> bool {
        matches!(self, Self::Own(cache) if cache.bytes() < CACHE_NEAR)
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Own(cache) => cache.len(),
            Self::Shared(shards) => shards.each().map(|cache| cache.len()).sum(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Own(cache) => cache.bytes(),
            Self::Shared(shards) => shards.each().map(|cache| cache.bytes()).sum(),
        }
    }
}
