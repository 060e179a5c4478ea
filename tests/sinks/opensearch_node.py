"""A real OpenSearch from Maven Central, run on loopback."""

from __future__ import annotations

import hashlib
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

import pytest

HERE = Path(__file__).parent / "opensearch"
SWITCH = "CLEANCRAWL_TEST_OPENSEARCH"
_START_SECONDS = 300


def require_opensearch() -> str:
    """The class path of the server; skips where it cannot be had and says why."""
    if not os.environ.get(SWITCH):
        pytest.skip(f"set {SWITCH}=1 to test against a real OpenSearch (Java and Maven download and run it)")
    missing = [tool for tool in ("java", "javac", "mvn") if not shutil.which(tool)]
    if missing:
        pytest.skip(f"a real OpenSearch needs {' and '.join(missing)}, not on this machine")
    pom = (HERE / "pom.xml").read_bytes()
    root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cleancrawl-tests"
    cache = root / f"opensearch-{hashlib.sha256(pom).hexdigest()[:12]}.classpath"
    if cache.is_file() and all(map(os.path.exists, cache.read_text().split(":"))):
        return cache.read_text()
    root.mkdir(parents=True, exist_ok=True)
    goal = ["dependency:build-classpath", f"-Dmdep.outputFile={cache}"]
    made = subprocess.run(["mvn", "-q", "-B", "-f", str(HERE / "pom.xml"), *goal], capture_output=True, text=True)
    if made.returncode:
        pytest.skip(f"Maven cannot get OpenSearch: {made.stdout.strip().splitlines()[:1]}")
    return cache.read_text()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class OpenSearchNode:
    """A node that keeps its data in a directory; it can be stopped and started again on its port."""

    def __init__(self, directory: Path, class_path: str) -> None:
        port = free_port()
        options = ["-Xms256m", "-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
        self._command = ["java", *options, "-cp", class_path, str(HERE / "Server.java"), str(directory), str(port)]
        self.url = f"http://127.0.0.1:{port}"

    def start(self) -> None:
        with tempfile.TemporaryFile("w+") as log:
            self._server = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=log, stderr=subprocess.STDOUT)
            if not _answers(self.url, self._server):
                self.stop()
                log.seek(0)
                raise RuntimeError(f"OpenSearch did not start:\n{log.read()[-3000:]}")

    def stop(self) -> None:
        self._server.kill()
        self._server.communicate()


def _answers(url: str, server: subprocess.Popen[bytes]) -> bool:
    end = time.monotonic() + _START_SECONDS
    health = f"{url}/_cluster/health?wait_for_status=yellow&timeout=30s"
    while time.monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(health, timeout=35):
                return True
        except OSError:
            time.sleep(0.2)
    return False
