"""The examples of the exact functions, and of their page."""

import doctest
import importlib
from pathlib import Path

# The modules that need no more than the library.
MODULES = ["lastbit", "lastbit._accumulator", "lastbit._errors", "lastbit._exact", "lastbit.math"]


class Fenced(doctest.DocTestParser):
    """Reads a page, whose examples end with a fence."""

    def parse(self, string, name="<string>"):
        return super().parse(string.replace("```python", "").replace("```", ""), name)


def load_tests(loader, tests, ignore):
    for name in MODULES:
        tests.addTests(doctest.DocTestSuite(importlib.import_module(name)))
    page = Path(__file__).resolve().parents[2] / "docs" / "use" / "numpy.md"
    tests.addTests(doctest.DocFileSuite(str(page), module_relative=False, parser=Fenced()))
    return tests
