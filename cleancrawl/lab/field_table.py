"""Writes the table of an article's fields into a page of the documentation.

python -m cleancrawl.lab.field_table docs/output.md
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from cleancrawl.core.article import COLUMNS

HEAD = "| field | kind | known from | meaning |\n| --- | --- | --- | --- |\n"
_TABLE = re.compile(re.escape(HEAD) + r"(?:\|.*\n)*")


def field_table() -> str:
    """The fields in the order of corpus files, as a table in Markdown."""
    rows = (f"| `{name}` | {column.kind} | {column.source} | {column.meaning} |\n" for name, column in COLUMNS.items())
    return HEAD + "".join(rows)


def main(arguments: list[str]) -> int:
    for page in map(Path, arguments):
        page.write_text(_TABLE.sub(lambda _: field_table(), page.read_text("utf-8")), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
