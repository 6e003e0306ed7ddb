"""`make translations` ends with this: one line for every flaw of the catalogues."""

from __future__ import annotations

import sys

from tests.translations.sayings import TRANSLATED, flaws

if __name__ == "__main__":
    found = [flaw for code in TRANSLATED for flaw in flaws(code)]
    for flaw in sorted(found, key=str):
        sys.stdout.write(f"{flaw}\n")
    sys.exit(bool(found))
