"""A real browser for tests: Chromium without a window, which tells what it asked for and what it complained about."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.extras import needs

_OPTIONS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--window-size=1280,900"),
)
_CONTRAST = (Path(__file__).parent / "contrast.js").read_text("utf-8")


class Browser:
    """One window; ``driver`` is Selenium's."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, path: Path | str) -> None:
        """Show a file, or an address; what was asked for and logged before is forgotten."""
        self.driver.get("about:blank")
        self.requests()
        self.complaints()
        self.driver.get(path.as_uri() if isinstance(path, Path) else path)

    def requests(self) -> list[str]:
        """Addresses asked for since the last call, that of the page included; blank and inline ones are none, and what
        the page's policy stopped was not asked for."""
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        stopped = {m["params"]["requestId"] for m in messages if m["params"].get("blockedReason") == "csp"}
        sent = [m["params"] for m in messages if m["method"] == "Network.requestWillBeSent"]
        urls = [request["request"]["url"] for request in sent if request["requestId"] not in stopped]
        return [url for url in urls if not url.startswith(("about:", "data:"))]

    def complaints(self) -> list[str]:
        """Errors and warnings of the console since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def run(self, script: str, *arguments: object) -> Any:
        return self.driver.execute_script(script, *arguments)

    def follow(self, element: Any) -> None:
        """Click on a link or a button that leads to another page, and wait until that is there."""
        from selenium.common.exceptions import WebDriverException
        from selenium.webdriver.support.expected_conditions import staleness_of
        from selenium.webdriver.support.wait import WebDriverWait

        element.click()
        # The driver complains where it is asked in the middle of a change of pages.
        waiting = WebDriverWait(self.driver, 30, poll_frequency=0.05, ignored_exceptions=[WebDriverException])
        waiting.until(staleness_of(element))
        waiting.until(lambda driver: driver.execute_script("return document.readyState") == "complete")

    def look(self, *, dark: bool = False, width: int = 1280, height: int = 900) -> None:
        """As somebody with this colour scheme and screen has it."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
        screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)

    def too_wide(self) -> int:
        """By how many pixels one would have to scroll sideways."""
        wide: int = self.run("return document.documentElement.scrollWidth - window.innerWidth")
        return max(wide, 0)

    def faint_texts(self) -> list[str]:
        """Texts with less contrast than WCAG 2 asks for at level AA."""
        found: list[str] = self.run(_CONTRAST)
        return found

    def nameless(self) -> list[str]:
        """Controls and links that a screen reader has no name for."""
        found: list[str] = self.run(
            "return [...document.querySelectorAll('a[href], button, input, select, summary, meter, [role=img]')]"
            ".filter(e => !(e.textContent.trim() || e.ariaLabel || e.getAttribute('aria-labelledby') || e.title"
            " || (e.labels && e.labels.length))).map(e => e.outerHTML.slice(0, 80))"
        )
        return found


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Skips the test where there is no browser or no driver for it."""
    needs("selenium", "dev")
    from selenium import webdriver

    programs = [shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")]
    program, service = next(filter(None, programs), None), shutil.which("chromedriver")
    if program is None or service is None:
        pytest.skip("no Chromium with its driver on this machine (apt-get install chromium chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for option in _OPTIONS:
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    with TemporaryDirectory(prefix="browser", ignore_cleanup_errors=True) as profile:
        options.add_argument(f"--user-data-dir={profile}")
        driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(service))
        try:
            yield Browser(driver)
        finally:
            driver.quit()
