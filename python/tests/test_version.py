"""The package is there."""

import farandole


def test_the_version_is_that_of_the_crate() -> None:
    assert farandole.__version__.count(".") == 2
