"""``/.well-known/tdmrep.json``: which pages of a site are reserved from text and data mining.

https://www.w3.org/community/reports/tdmrep/CG-FINAL-tdmrep-20240510/
"""

from __future__ import annotations

import json
import logging
import re
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse, Response
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

from cleancrawl.crawl.request_data import RequestData
from cleancrawl.crawl.session import Session

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

PATH = "/.well-known/tdmrep.json"
MOST_BYTES = 200_000
MOST_RULES = 1_000
LONGEST_PATTERN = 500
MOST_ORIGINS = 10_000
"""Origins whose rules are remembered at a time."""
PRIORITY = 900
"""Pages wait for it; robots.txt, which all wait for, goes first."""


class Word(NamedTuple):
    """What a rule says."""

    reserved: bool
    policy: str | None


@dataclass(frozen=True, slots=True)
class MiningRules:
    """The rules of one origin."""

    rules: tuple[tuple[str, Word], ...] = ()

    def word_on(self, path: str) -> Word | None:
        """The most specific rule on a path, as in robots.txt (RFC 9309): the longest pattern.

        >>> file = '[{"location": "/", "tdm-reservation": 1}, {"location": "/open/*", "tdm-reservation": 0}]'
        >>> rules = read_rules(file.encode())
        >>> rules.word_on("/news/storm"), rules.word_on("/open/data")
        (Word(reserved=True, policy=None), Word(reserved=False, policy=None))
        >>> read_rules(b"no JSON").word_on("/")
        """
        found = [(len(pattern), word.reserved, word) for pattern, word in self.rules if fits(pattern, path)]
        return max(found, key=lambda rule: rule[:2])[2] if found else None


def fits(pattern: str, path: str) -> bool:
    """Whether a path begins as a pattern says: ``*`` stands for anything, ``$`` for the end. In linear time.

    >>> fits("/a/", "/a/b"), fits("/*.pdf$", "/a/b.pdf"), fits("/*.pdf$", "/a.pdf?x"), fits("b", "/a/b")
    (True, True, False, False)
    """
    whole = pattern.endswith("$")
    parts = pattern.removesuffix("$").split("*")
    if not path.startswith(parts[0]):
        return False
    at = len(parts[0])
    last = parts.pop() if whole and len(parts) > 1 else None
    for part in parts[1:]:
        found = path.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    if last is not None:
        return len(path) - len(last) >= at and path.endswith(last)
    return not whole or at == len(path)


def read_rules(body: bytes) -> MiningRules:
    """The rules of a file; none where it is no such file. Never raises."""
    try:
        given = json.loads(body[:MOST_BYTES])
    except (ValueError, RecursionError):
        return MiningRules()
    rules = [_rule(entry) for entry in given[:MOST_RULES]] if isinstance(given, list) else []
    return MiningRules(tuple(rule for rule in rules if rule is not None))


def _rule(entry: Any) -> tuple[str, Word] | None:
    if not isinstance(entry, dict):
        return None
    pattern, stated, policy = (entry.get(name) for name in ("location", "tdm-reservation", "tdm-policy"))
    if not isinstance(pattern, str) or len(pattern) > LONGEST_PATTERN or str(stated) not in ("0", "1"):
        return None
    return re.sub(r"\*+", "*", pattern), Word(str(stated) == "1", policy if isinstance(policy, str) else None)


class MiningRulesMiddleware:
    """Downloader middleware: tells each page what its site's file says of it. The file is fetched once per origin and
    crawl, through all other middlewares: robots.txt, delays and limits count for it as well.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._known: OrderedDict[str, MiningRules | Deferred[MiningRules]] = OrderedDict()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> MiningRulesMiddleware:
        config = Session.of(crawler).config
        if not config.tdmrep and "tdm" not in config.respect:
            raise NotConfigured
        return cls(crawler)

    async def process_response(self, request: Request, response: Response) -> Response:
        data = RequestData.of(request)
        if not isinstance(response, HtmlResponse) or not data.cleaned or not response.url.startswith("http"):
            return response
        parts = urlsplit(response.url)
        rules = await self.rules_of(f"{parts.scheme}://{parts.netloc}")
        word = rules.word_on((parts.path or "/") + (f"?{parts.query}" if parts.query else ""))
        if word is not None:
            said = replace(data, mining_reserved=word.reserved, mining_policy=word.policy)
            request.meta.update(said.to_meta())
        return response

    async def rules_of(self, origin: str) -> MiningRules:
        known = self._known.get(origin)
        if isinstance(known, MiningRules):
            return known
        if known is not None:
            waiting: Deferred[MiningRules] = Deferred()

            def hand_on(rules: MiningRules) -> MiningRules:
                waiting.callback(rules)
                return rules

            known.addCallback(hand_on)
            return await maybe_deferred_to_future(waiting)
        coming: Deferred[MiningRules] = Deferred()
        self._known[origin] = coming
        rules = await self._fetch(origin)
        self._known[origin] = rules
        if len(self._known) > MOST_ORIGINS:
            self._known.popitem(last=False)
        coming.callback(rules)
        return rules

    async def _fetch(self, origin: str) -> MiningRules:
        meta = {**RequestData(cleaned=False).to_meta(), "download_maxsize": MOST_BYTES, "max_retry_times": 0}
        request = Request(origin + PATH, meta=meta, priority=PRIORITY, callback=NO_CALLBACK)
        try:
            assert self.crawler.engine is not None
            response = await self.crawler.engine.download_async(request)
        except Exception as error:  # whatever a download can raise: no file, no rules
            logger.debug("no mining rules of %s: %s", origin, error)
            return MiningRules()
        return read_rules(response.body) if response.status == 200 else MiningRules()
