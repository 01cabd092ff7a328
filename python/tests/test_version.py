"""The package is there."""

import farandole


def test_the_version_equals_the_version_of_the_crate() -> None:
    assert farandole.__version__.count(".") == 2
