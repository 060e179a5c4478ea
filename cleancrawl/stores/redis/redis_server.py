"""The server behind a Redis store: connection, scripts, waiting while it is away."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlencode

from cleancrawl.core.text.shown_urls import without_password
from cleancrawl.data import read_text
from cleancrawl.errors import ConfigError, MissingExtra, StoreError, StoreVersionError
from cleancrawl.stores import page_rules
from cleancrawl.stores.listed_sites import Fences, lease_lost
from cleancrawl.stores.protocol import Limits

logger = logging.getLogger(__name__)

VERSION = 3
PREFIX = "cleancrawl:"
WAIT_SECONDS = 60.0
"""How long a call waits for a server that went away; ``?wait=`` in the URL changes it."""
THRESHOLDS = ("NEAR_DISTANCE", "ENOUGH", "COPY_DISTANCE", "CHANGES_KEPT", "GONE")
LOST = "LEASELOST "
"""How a script says that the writer's lease does not hold any more."""
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0

Result = TypeVar("Result")


@cache
def script_text(name: str) -> str:
    """A script as it is sent: the thresholds of ``page_rules``, what all scripts share, the script itself."""
    thresholds = [f"local {rule} = {getattr(page_rules, rule)!r}" for rule in THRESHOLDS]
    return "\n".join([*thresholds, *(read_text(f"lua/{part}.lua", __package__) for part in ("common", name))])


def split_url(url: str) -> tuple[str, str, float]:
    """A URL without what is meant for us, the prefix of keys, the longest wait.

    >>> split_url("redis://host/0?prefix=news:&wait=5")
    ('redis://host/0', 'news:', 5.0)
    """
    address, _, query = url.partition("?")
    options = dict(parse_qsl(query))
    prefix, wait = options.pop("prefix", PREFIX), options.pop("wait", str(WAIT_SECONDS))
    try:
        seconds = float(wait)
    except ValueError:
        raise ConfigError(f"wait in the URL of a store must be a number of seconds, not {wait!r}") from None
    return address + ("?" + urlencode(options) if options else ""), prefix, seconds


class RedisServer:
    def __init__(self, url: str, limits: Limits | None = None) -> None:
        try:
            import redis
        except ImportError:
            raise MissingExtra("redis", "redis") from None
        self.limits = limits or Limits()
        address, self.prefix, self.wait = split_url(url)
        self.name = without_password(url).partition("?")[0]
        # Only what goes away when the server comes back is waited for; a wrong password is not.
        self._away = (redis.ConnectionError, redis.TimeoutError, OSError)
        self._refused = redis.AuthenticationError
        self._error = redis.RedisError
        try:
            self._redis: Any = redis.Redis.from_url(
                address, socket_timeout=30, socket_connect_timeout=5, retry=None, protocol=2
            )
        except (ValueError, TypeError) as error:
            raise ConfigError(f"{self.name} is no URL of a Redis server: {error}") from None
        self._scripts: dict[str, Any] = {}
        self.fences: Fences | None = None
        try:
            self._check_version()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._redis.close()

    def _check_version(self) -> None:
        key = self.prefix + "version"
        _, version = self._batch(("SETNX", key, VERSION), ("GET", key))
        if int(version) > VERSION:
            raise StoreVersionError(
                f"{self.name} has version {int(version)}, this cleancrawl knows {VERSION}: update cleancrawl"
            )
        if int(version) < VERSION:
            self._upgrade(int(version))
            self._do("SET", key, VERSION)

    def _upgrade(self, version: int) -> None:
        """Bring an older store up to date; may be done by several at once, and again after a crash."""

    def _key(self, *parts: str) -> str:
        return self.prefix + ":".join(parts)

    def _script(self, name: str, *values: bytes | str | float) -> Any:
        """Run a script: one round trip."""
        script = self._scripts.get(name) or self._scripts.setdefault(
            name, self._redis.register_script(script_text(name))
        )
        return self._call(lambda: script(keys=[self.prefix], args=values))

    def _fence(self, site: str) -> str:
        """What a script that writes about a site is shown; raises ``LeaseLost`` where the worker does not hold it."""
        if self.fences is None:
            return ""
        name, token = self.fences.of(site)
        return f"{token} {name}"

    def _do(self, *command: bytes | str | float) -> Any:
        """One command."""
        return self._call(lambda: self._redis.execute_command(*command))

    def _batch(self, *commands: tuple[bytes | str | float, ...]) -> list[Any]:
        """Several commands that see one state: one round trip."""

        def work() -> list[Any]:
            with self._redis.pipeline(transaction=True) as pipe:
                for command in commands:
                    pipe.execute_command(*command)
                return list(pipe.execute())

        return self._call(work)

    def _scan(self, key: str) -> Iterator[tuple[bytes, bytes]]:
        """Fields and values of a large hash, part by part."""
        cursor = 0
        while True:
            cursor, part = self._call(lambda: self._redis.hscan(key, cursor, count=1000))  # noqa: B023
            yield from part.items()
            if cursor == 0:
                return

    def _call(self, work: Callable[[], Result]) -> Result:
        """Do it, waiting for a server that is away. Every call of a store may be repeated, so nothing is lost by it."""
        end, pause, told = time.monotonic() + self.wait, FIRST_PAUSE, False
        while True:
            try:
                result = work()
            except self._refused as error:
                raise StoreError(f"store {self.name}: {error}") from error
            except self._away as error:
                if time.monotonic() + pause > end:
                    raise StoreError(f"store {self.name} does not answer: {error}") from error
                if not told:
                    logger.warning("store %s does not answer, waiting up to %g s: %s", self.name, self.wait, error)
                told = True
                time.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
            except self._error as error:
                if str(error).startswith(LOST):
                    raise lease_lost(str(error).removeprefix(LOST)) from None
                raise StoreError(f"store {self.name}: {error}") from error
            else:
                if told:
                    logger.info("store %s answers again", self.name)
                return result
