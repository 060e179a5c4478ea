"""A real OpenSearch from Maven Central, run on loopback."""

from __future__ import annotations

import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

from tests.maven import class_path, free_port

HERE = Path(__file__).parent / "opensearch"
SWITCH = "CLEANCRAWL_TEST_OPENSEARCH"
_START_SECONDS = 300


def require_opensearch() -> str:
    """The class path of the server; skips where it cannot be had and says why."""
    return class_path(HERE / "pom.xml", SWITCH, "a real OpenSearch")


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
