"""Real servers in Java for tests: Maven gets their jars once, into its usual cache."""

from __future__ import annotations

import hashlib
import os
import shutil
import socket
import subprocess
from pathlib import Path

import pytest


def class_path(pom: Path, switch: str, what: str, **properties: str) -> str:
    """The class path of what a pom asks for; skips where it cannot be had and says why."""
    if not os.environ.get(switch):
        pytest.skip(f"set {switch}=1 to test against {what} (Java and Maven download and run it)")
    missing = [tool for tool in ("java", "javac", "mvn") if not shutil.which(tool)]
    if missing:
        pytest.skip(f"{what} needs {' and '.join(missing)}, not on this machine")
    given = [f"-D{name}={value}" for name, value in properties.items()]
    root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cleancrawl-tests"
    asked = hashlib.sha256(pom.read_bytes() + "".join(given).encode()).hexdigest()[:12]
    cache = root / f"{pom.parent.name}-{asked}.classpath"
    if cache.is_file() and all(map(os.path.exists, cache.read_text().split(":"))):
        return cache.read_text()
    root.mkdir(parents=True, exist_ok=True)
    goal = ["dependency:build-classpath", f"-Dmdep.outputFile={cache}", *given]
    made = subprocess.run(["mvn", "-q", "-B", "-f", str(pom), *goal], capture_output=True, text=True)
    if made.returncode:
        pytest.skip(f"Maven cannot get {what}: {made.stdout.strip().splitlines()[:1]}")
    return cache.read_text()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
