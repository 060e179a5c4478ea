"""What axe-core finds wrong with a page for people who read it with other means than their eyes."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from tests.browser import Browser
from tests.extras import needs


@cache
def _axe() -> str:
    needs("axe_core_python", "dev")
    return files("axe_core_python").joinpath("axe.min.js").read_text("utf-8")


def barriers(browser: Browser) -> list[str]:
    """Rules of WCAG 2 A and AA, and good practice, that the page breaks, with where."""
    browser.run(_axe())
    found: list[str] = browser.driver.execute_async_script(
        "const done = arguments[arguments.length - 1];"
        "axe.run(document, {resultTypes: ['violations']}).then(result => done(result.violations.map("
        "each => each.id + ': ' + each.nodes.slice(0, 3).map(node => node.html.slice(0, 120)).join(' | '))));"
    )
    return found
