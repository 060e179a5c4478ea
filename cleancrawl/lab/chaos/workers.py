"""Real worker processes on a farm, to be killed, stopped and added."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

STOPS_WITHIN = 120.0


class Worker:
    """``scrapy crawl news -a sites=queue`` in a process of its own, with its log in a file."""

    def __init__(self, store: str, log: Path, settings: Mapping[str, object], **arguments: str) -> None:
        self.log = log
        chosen = {"CLEANCRAWL_STORE": store, "LOG_FILE": log, **settings}
        command = [sys.executable, "-m", "scrapy", "crawl", "news", "-a", "sites=queue"]
        for flag, options in (("-a", arguments), ("-s", chosen)):
            command += [part for name, value in options.items() for part in (flag, f"{name}={value}")]
        environment = {**os.environ, "SCRAPY_SETTINGS_MODULE": "cleancrawl.lab.chaos.farm_settings"}
        places = [str(Path(__file__).parents[3]), os.environ.get("PYTHONPATH", "")]
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, places))
        self.process = subprocess.Popen(command, cwd=log.parent, env=environment)

    @property
    def pid(self) -> int:
        return self.process.pid

    def owns(self, owner: str | None) -> bool:
        return f"-{self.pid}-" in (owner or "")

    def kill(self) -> None:
        """As a crash."""
        self.process.kill()
        self.process.wait()

    def pause(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        """As systemd does: a clean end."""
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(STOPS_WITHIN)
        except subprocess.TimeoutExpired:
            self.kill()

    def said(self) -> str:
        return self.log.read_text(encoding="utf-8") if self.log.exists() else ""
