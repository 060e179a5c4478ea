"""URLs of stores and indexes as they may be shown and logged."""

from __future__ import annotations

import re

_PARAMETER = re.compile(r"([?&][^=&#?]*password=)[^&#]*", re.IGNORECASE)


def without_password(url: str) -> str:
    """A URL with stars for its password, before the host or as a parameter; any other text as it is.

    >>> without_password("redis://user:secret@host:6379/0"), without_password("opensearch://ada@host/news?timeout=9")
    ('redis://user:***@host:6379/0', 'opensearch://ada@host/news?timeout=9')
    >>> without_password("redis://host?password=secret&db=2"), without_password("sqlite:///me:you@home/a.db")
    ('redis://host?password=***&db=2', 'sqlite:///me:you@home/a.db')
    """
    scheme, slashes, rest = url.partition("://")
    if not slashes:
        return url
    # The last @: who forgot to quote one in a password, or a slash, has it hidden all the same.
    login, at, place = rest.rpartition("@")
    if at and not rest.startswith("/"):
        user, colon, _ = login.partition(":")
        rest = f"{user}{colon}{'***' if colon else ''}@{place}"
    return f"{scheme}://" + _PARAMETER.sub(r"\1***", rest)
