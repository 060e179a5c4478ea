"""A field that cannot be read costs that field, never the article."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any, Protocol, TypeVar, cast

logger = logging.getLogger(__name__)
logged: set[str] = set()
"""The fields of which a failure was logged in this process: a site of 10,000 such pages is told once."""


class Reader(Protocol):
    """Who reads fields: notes which of them failed."""

    failed: list[str]

    @property
    def address(self) -> str | None: ...


Method = TypeVar("Method", bound=Callable[..., Any])


def guarded(otherwise: Callable[[], Any]) -> Callable[[Method], Method]:
    """Makes a method of a reader give ``otherwise()`` where it would raise, and note that."""

    def decorate(method: Method) -> Method:
        name = method.__name__.strip("_")

        @wraps(method)
        def read(self: Reader, *args: Any) -> Any:
            try:
                return method(self, *args)
            except Exception:
                self.failed.append(name)
                if name not in logged:
                    logged.add(name)
                    logger.exception("cannot read the metadata field %s of %s", name, self.address)
                return otherwise()

        return cast(Method, read)

    return decorate


def nothing() -> None:
    """The value of a field that says nothing."""
