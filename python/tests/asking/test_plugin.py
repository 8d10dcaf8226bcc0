"""The pytest plugin, run by pytest itself. A Go test runs this file."""

import doctest

import lastbit.pytest
import numpy as np
import pytest
from lastbit.pytest import assert_batch_invariant, assert_order, assert_same_bits

pytest_plugins = ["pytester"]


def fails(f, *args, **options):
    with pytest.raises(AssertionError) as caught:
        f(*args, **options)
    return str(caught.value)


def test_examples():
    assert doctest.testmod(lastbit.pytest).failed == 0


def test_same_bits():
    x = np.linspace(0, 1, 600, dtype="f4").reshape(2, 300)
    a, b = x.sum(axis=1), np.add.accumulate(x, axis=1)[:, -1]
    assert_same_bits(a, a.copy())
    assert fails(assert_same_bits, a, b).startswith("1 of 2 elements differ")
    assert_same_bits(np.array([np.nan]), np.array([np.nan]))
    fails(assert_same_bits, np.array([0.0]), np.array([-0.0]))
    assert fails(assert_same_bits, a, a[:1]) == "the shapes differ: (2,) and (1,)"
    assert fails(assert_same_bits, a, a.astype("f8")) == "the dtypes differ: float32 and float64"
    assert_same_bits([1.0, 2.0], np.array([1.0, 2.0]))
    assert_same_bits(np.ones(2, ">f8"), np.ones(2))
    with pytest.raises(lastbit.Error):
        assert_same_bits(np.arange(2), np.arange(2))
    assert "Unexplained" in fails(assert_same_bits, a, b, "sum", input=x, axis=1, libraries=False)


def test_order():
    assert_order(np.sum, "pairwise(block=128,unroll=8)", n=1000)
    assert_order(np.sum, "((0 1) 2)", n=3)
    assert "family     pairwise" in fails(assert_order, np.sum, "chain", n=1000)
    assert "not a sum" in fails(assert_order, lambda x: np.sum(x[1:]), "chain", n=9)
    with pytest.raises(ValueError, match="order is empty"):
        assert_order(np.sum, " ", n=9)


def test_batch_invariant():
    assert_batch_invariant(lambda x: np.sum(x, axis=1), m=[1, 2], n=9)

    def rows(x):
        return np.sum(x if len(x) < 2 else x[:, ::-1], axis=1)

    assert fails(assert_batch_invariant, rows, m=[1, 2], n=20).startswith("not invariant")


def test_lock(pytester):
    """The marker fails where an operation changed, and only there."""
    pytester.makeconftest('pytest_plugins = ["lastbit.pytest"]')
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.lastbit_lock
        def test_marked():
            pass

        def test_other():
            pass
        """
    )
    pytester.makefile(".py", sums="lastbit_arrays = 'list'\n\ndef total(x):\n    return sum(x)\n")
    pytester.makefile(
        ".toml", lastbit='libm = []\n[[operation]]\ntarget = "py:./sums.py:total"\ndtype = "f64"\nn = 20\n'
    )
    code, words = lastbit._ask.exit_code("lock", folder=str(pytester.path))
    assert code == 0, words
    pytester.runpytest_subprocess().assert_outcomes(passed=2)
    pytester.makefile(".py", sums="lastbit_arrays = 'list'\n\ndef total(x):\n    return sum(x[::-1])\n")
    pytester.runpytest_subprocess().assert_outcomes(errors=1, passed=1)


def test_lock_in_no_folder(pytester):
    """A lock file in a folder that does not exist is missing."""
    pytester.makeconftest('pytest_plugins = ["lastbit.pytest"]')
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.lastbit_lock("nowhere/lastbit.lock")
        def test_marked():
            pass
        """
    )
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*lock-missing*"])
