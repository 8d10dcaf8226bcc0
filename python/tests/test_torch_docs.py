"""The examples of lastbit.torch and of its page."""

import doctest
import unittest
import warnings
from pathlib import Path

import lastbit.torch
from test_docs import Fenced


def load_tests(loader, tests, ignore):
    page = Path(__file__).resolve().parents[2] / "docs" / "use" / "pytorch.md"
    suite = unittest.TestSuite([
        doctest.DocTestSuite(lastbit.torch),
        doctest.DocFileSuite(str(page), module_relative=False, parser=Fenced()),
    ])
    warnings.filterwarnings("ignore", "PyTorch computed", UserWarning)
    return suite
