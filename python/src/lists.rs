//! The journal of a list, which keeps the covers of completed shards.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use dlx::OptionId;
use dlx::shards::{CoversDigest, split_apart};
use farandole::shards::lines::{self, Header};
use farandole::shards::list::{CoverLine, ListJournal};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use crate::call::{self, Asked, EndName};
use crate::shards::{PyWhole, ended, refused};

/// The file of a resumable list, open and locked.
#[pyclass(module = "farandole._farandole", name = "ListJournal")]
pub(crate) struct PyListJournal {
    journal: Option<ListJournal>,
}

impl PyListJournal {
    fn open(&mut self) -> PyResult<&mut ListJournal> {
        self.journal.as_mut().ok_or_else(|| refused("the journal is closed"))
    }
}

#[pymethods]
impl PyListJournal {
    #[new]
    fn new(path: PathBuf, name: String, whole: &PyWhole) -> PyResult<Self> {
        let journal = ListJournal::open(&path, name, *whole.whole().digest());
        Ok(Self { journal: Some(journal.map_err(PyOSError::new_err)?) })
    }

    /// Returns the lines of all shards. If the journal is new, there are `asked` shards, or
    /// `otherwise` if `asked` is not given. An existing journal determines the number of shards.
    fn begin(
        &mut self,
        py: Python<'_>,
        whole: &PyWhole,
        shards: Option<usize>,
        otherwise: usize,
        asked: Asked,
    ) -> PyResult<(EndName, Vec<String>)> {
        let journal = self.open()?;
        let header = journal.read(shards).map_err(refused)?;
        let count = header.as_ref().map(|header| header.asked).or(shards).unwrap_or(otherwise);
        let (end, made) = call::run(py, &asked, |limits| {
            let made = split_apart(whole.problem(), whole.given(), count, limits);
            ended(made.map(Some), || None)
        })?;
        if let Some(shards) = &made {
            match header {
                Some(header) => header.expect_shards(shards, journal.name()).map_err(refused)?,
                None => {
                    let header = Header::new(*whole.whole().digest(), count, shards);
                    py.detach(|| journal.begin(&header)).map_err(PyOSError::new_err)?;
                }
            }
        }
        Ok((call::name(end), whole.lines(&made.unwrap_or_default())))
    }

    /// Returns whether the journal has the covers of a shard.
    fn has(&mut self, whole: &PyWhole, line: &str) -> PyResult<bool> {
        let id = whole.shard(line)?.id(whole.whole().digest());
        Ok(self.open()?.seconds(id).is_some())
    }

    fn add(
        &mut self,
        py: Python<'_>,
        whole: &PyWhole,
        line: &str,
        covers: Vec<Vec<usize>>,
        effort: (f64, u64),
    ) -> PyResult<()> {
        let (journal, shard) = (self.open()?, whole.shard(line)?);
        let (seconds, nodes) = effort;
        let id = shard.id(whole.whole().digest());
        let time = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        let option_count = whole.problem().option_count();
        if covers.iter().flatten().any(|&option| option >= option_count) {
            return Err(refused(format!("expected options below {option_count}")));
        }
        let mut append = || {
            let (mut chunk, mut digest) = (CoverLine::default(), CoversDigest::default());
            for cover in &covers {
                let cover: Vec<_> = cover.iter().copied().map(OptionId::new).collect();
                digest.add(&cover);
                chunk.push(&cover);
                if chunk.is_full() {
                    journal.add(id, &std::mem::take(&mut chunk))?;
                }
            }
            if !chunk.is_empty() {
                journal.add(id, &chunk)?;
            }
            journal.end(&shard, covers.len().into(), digest, time, nodes)?;
            journal.sync()
        };
        py.detach(&mut append).map_err(PyOSError::new_err)
    }

    /// Returns the recorded covers of a shard, each as ascending option numbers.
    fn covers(&mut self, py: Python<'_>, whole: &PyWhole, line: &str) -> PyResult<Vec<Vec<usize>>> {
        let (journal, id) = (self.open()?, whole.shard(line)?.id(whole.whole().digest()));
        let mut covers = Vec::new();
        let read = || {
            journal.covers(id, whole.problem().option_count(), &mut |cover| {
                let mut cover = lines::numbers(cover);
                cover.sort_unstable();
                covers.push(cover);
                ControlFlow::Continue(())
            })
        };
        let _whole = py.detach(read).map_err(refused)?;
        Ok(covers)
    }

    /// Returns the length of the incomplete last line that was cut off (bytes).
    #[getter]
    fn dropped(&mut self) -> PyResult<usize> {
        Ok(self.open()?.dropped)
    }

    fn close(&mut self) {
        self.journal = None;
    }
}
