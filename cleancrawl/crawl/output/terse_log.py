"""The log of a crawl for somebody who watches it: what went wrong, in one line each."""

from __future__ import annotations

import logging

RETRY = "scrapy.downloadermiddlewares.retry"


def one_line(record: logging.LogRecord) -> bool:
    """As a log filter: takes tracebacks away, and tells of no failed download twice.

    >>> failed = logging.LogRecord("a", logging.ERROR, "", 0, "no answer", None, (OSError, OSError("gone"), None))
    >>> one_line(failed), failed.getMessage(), failed.exc_info
    (True, 'no answer: gone', None)
    """
    if record.name == RETRY and isinstance(record.args, dict) and isinstance(record.args.get("reason"), Exception):
        return False  # said again by who asked for the page
    error = record.exc_info[1] if record.exc_info else None
    if error is not None:
        message, reason = record.getMessage(), " ".join(str(error).split()) or type(error).__name__
        record.msg, record.args = (message if reason in message else f"{message}: {reason}"), None
        record.exc_info = record.exc_text = None
    return True
