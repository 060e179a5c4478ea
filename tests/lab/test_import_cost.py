from __future__ import annotations

from cleancrawl.lab.import_cost import STATEMENTS, import_rows, needed, package_rows, size


def test_rows_are_those_of_the_table() -> None:
    rows = list(import_rows(runs=1))
    assert [row.split(" | ")[0].removeprefix("| ") for row in rows] == list(STATEMENTS)
    modules = [int(row.split(" | ")[2]) for row in rows]
    assert modules[1] < modules[2] < modules[3] < modules[5]


def test_packages_with_all_that_they_need() -> None:
    assert {"scrapy", "twisted", "lxml", "cssselect"} <= needed(["Scrapy"])
    assert needed(["no-such-package"]) == set()
    assert size("w3lib") > 10_000
    with_scrapy, without = (int(row.split(" | ")[1]) for row in package_rows())
    assert without < with_scrapy - 20
