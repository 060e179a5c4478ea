"""A real HDFS, a real server that speaks S3, and a Spark cluster of several workers, all on loopback."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyspark

from tests.maven import class_path, free_port

HERE = Path(__file__).parent
SWITCH = "CLEANCRAWL_TEST_HADOOP"
SPARK = Path(pyspark.__file__).parent
_START_SECONDS = 120
SHORT_LIVED = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
"""Options of Java that ends before it would have become fast."""
_JAVA = ("java", *SHORT_LIVED.split(), "-Xmx300m")


def hadoop_version() -> str:
    """Of the Hadoop that Spark brings along: hadoop-aws must be of the same."""
    (jar,) = (SPARK / "jars").glob("hadoop-client-api-*.jar")
    return jar.stem.removeprefix("hadoop-client-api-")


def require(name: str, what: str) -> str:
    """A class path; skips where it cannot be had and says why."""
    return class_path(HERE / name / "pom.xml", SWITCH, what, **{"hadoop.version": hadoop_version()})


class Processes:
    """A process and all that it starts, as a machine that can be switched off."""

    def __init__(self, command: Sequence[str], log: Path, environment: Mapping[str, str] | None = None) -> None:
        self.log = log
        with log.open("wb") as stream:
            self.first = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=stream,
                stderr=subprocess.STDOUT,
                env={**os.environ, **(environment or {})},
                start_new_session=True,
            )

    def wait_for(self, said: str) -> str:
        """The line of the log that a pattern is found in."""
        end = time.monotonic() + _START_SECONDS
        while time.monotonic() < end and self.first.poll() is None:
            if found := re.search(said, self.log.read_text(errors="replace")):
                return found[0]
            time.sleep(0.1)
        raise RuntimeError(f"{said} did not come:\n{self.log.read_text(errors='replace')[-3000:]}")

    def switch_off(self) -> None:
        if self.first.poll() is None:
            os.killpg(self.first.pid, signal.SIGKILL)
        self.first.communicate()


def hdfs(directory: Path) -> tuple[Processes, str]:
    """A NameNode with a DataNode, and the address of the file system."""
    port = free_port()
    jars = require("hdfs", "a real HDFS")
    command = [*_JAVA, "-cp", jars, str(HERE / "hdfs" / "Server.java"), str(directory / "hdfs"), str(port)]
    server = Processes(command, directory / "hdfs.log")
    server.wait_for("READY")
    return server, f"hdfs://127.0.0.1:{port}"


def s3(directory: Path) -> tuple[Processes, dict[str, str]]:
    """A server with the bucket ``news``, and what Hadoop must know of it."""
    jars, url = require("s3_server", "a server that speaks S3"), f"http://127.0.0.1:{free_port()}"
    (directory / "s3" / "news").mkdir(parents=True)
    settings = directory / "s3.properties"
    settings.write_text(
        f"s3proxy.endpoint={url}\ns3proxy.authorization=aws-v2-or-v4\n"
        "s3proxy.identity=the-name\ns3proxy.credential=the-secret\n"
        f"jclouds.provider=filesystem-nio2\njclouds.filesystem.basedir={directory / 's3'}\n"
    )
    home = HERE / "s3_server"
    quiet = f"-Dlogback.configurationFile={home / 'logback.xml'}"
    command = [*_JAVA, quiet, "-cp", jars, str(home / "Server.java"), str(settings)]
    server = Processes(command, directory / "s3.log")
    server.wait_for("READY")
    return server, {
        "fs.s3a.endpoint": url,
        "fs.s3a.endpoint.region": "us-east-1",
        "fs.s3a.path.style.access": "true",
        "fs.s3a.access.key": "the-name",
        "fs.s3a.secret.key": "the-secret",
    }


_DAEMON = {
    "SPARK_HOME": str(SPARK),
    "SPARK_LOCAL_IP": "127.0.0.1",
    "SPARK_DAEMON_MEMORY": "200m",
    "SPARK_DAEMON_JAVA_OPTS": SHORT_LIVED,
}


class Cluster:
    """A standalone cluster: a master, and workers of one core each that can fail."""

    def __init__(self, directory: Path) -> None:
        self.directory, self.workers = directory, list[Processes]()
        command = self._command("master.Master", "--port", str(free_port()))
        self._master = Processes(command, directory / "master.log", _DAEMON)
        self.url = self._master.wait_for(r"spark://[\d.]+:\d+")
        self._master.wait_for("New state: ALIVE")

    def start_workers(self, count: int) -> None:
        """So many that are running."""
        started = []
        while len(self.workers) < count:
            directory = self.directory / f"worker-{time.monotonic_ns()}"
            command = self._command("worker.Worker", "--cores", "1", "--memory", "1g", "--work-dir", str(directory))
            started.append(Processes([*command, self.url], directory.with_suffix(".log"), _DAEMON))
            self.workers.append(started[-1])
        for worker in started:
            worker.wait_for("Successfully registered with master")

    def switch_one_off(self) -> None:
        self.workers.pop().switch_off()

    def end(self) -> None:
        for process in (*self.workers, self._master):
            process.switch_off()

    @staticmethod
    def _command(main: str, *more: str) -> list[str]:
        start = [str(SPARK / "bin" / "spark-class"), f"org.apache.spark.deploy.{main}"]
        return [*start, "--host", "127.0.0.1", "--webui-port", "0", *more]


class FileCommands:
    """``hadoop fs``: its commands, such as ``-put``."""

    def __init__(self, directory: Path, settings: Mapping[str, str], jars: str) -> None:
        lines = (f"<property><name>{name}</name><value>{value}</value></property>" for name, value in settings.items())
        (directory / "core-site.xml").write_text(f"<configuration>{''.join(lines)}</configuration>")
        self._shell = [*_JAVA, "-cp", f"{directory}:{SPARK / 'jars'}/*:{jars}", "org.apache.hadoop.fs.FsShell"]

    def __call__(self, *command: str) -> None:
        done = subprocess.run([*self._shell, *command], capture_output=True, text=True)
        assert not done.returncode, done.stderr[-3000:]
