"""Domains out of ad lists: hosts files, EasyList filters, or bare domains, told apart line by line."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_DOMAIN = re.compile(rf"{_LABEL}(?:\.{_LABEL})+")
_ADDRESS = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]*:[0-9a-f:.]*", re.IGNORECASE)
# ||example.com^ and ||example.com^$third-party block a whole domain wherever it appears.
_DOMAIN_RULE = re.compile(r"(@@)?\|\|([^\s/^$*|]+)\^?\|?(?:\$([^\s]*))?", re.IGNORECASE)
_PLAIN_OPTIONS = frozenset(
    {"third-party", "3p", "popup", "popunder", "all", "document", "doc", "image", "script", "subdocument", "media"}
    | {"stylesheet", "object", "xmlhttprequest", "xhr", "websocket", "other", "font", "ping", "important", "frame"}
)
_HIDING_SIGNS = ("##", "#@#", "#?#", "#$#", "#%#")
_FILTER_SIGNS = (*_HIDING_SIGNS, "@@", "*", "/", "^", "|", "$")
_LOCAL_NAMES = frozenset(
    {"localhost", "localhost.localdomain", "local", "broadcasthost", "0.0.0.0", "ip6-localhost", "ip6-loopback"}
    | {"ip6-localnet", "ip6-mcastprefix", "ip6-allnodes", "ip6-allrouters", "ip6-allhosts"}
)
"""A machine's own names, which every hosts file lists first."""


@dataclass(frozen=True, slots=True)
class AdList:
    """What was found in a list."""

    domains: frozenset[str]
    problems: tuple[tuple[int, str], ...] = ()
    """(line number, what is wrong with it); such lines are left out."""
    skipped: int = 0
    """Sound filters that say more than a domain: element hiding, paths, conditions."""


def parse_ad_list(lines: Iterable[str]) -> AdList:
    """The domains of a list; never raises.

    >>> found = parse_ad_list(["! title", "||ads.example.com^$third-party", "0.0.0.0 x.example y.example", "127.0.0.1"])
    >>> sorted(found.domains), found.problems
    (['ads.example.com', 'x.example', 'y.example'], ((4, 'an address without a host'),))
    """
    domains: set[str] = set()
    allowed: set[str] = set()
    problems: list[tuple[int, str]] = []
    skipped = 0
    is_filter_list = False
    for number, raw in enumerate(lines, start=1):
        line = raw.strip().lstrip("\ufeff")
        if _is_comment(line):
            is_filter_list |= line[:1] in ("!", "[")
            continue
        rule = _DOMAIN_RULE.fullmatch(line)
        if rule and _unconditional(rule[3]):
            target, names = (allowed if rule[1] else domains), [rule[2].lower()]
        elif rule or _is_other_filter(line, is_filter_list):
            skipped += 1
            continue
        else:
            target, names = domains, _host_names(line)
        wrong = [name for name in names if not _DOMAIN.fullmatch(name)]
        target.update(name for name in names if name not in wrong and name not in _LOCAL_NAMES)
        wrong = [name for name in wrong if name not in _LOCAL_NAMES]
        if wrong or not names:
            problems.append((number, f"{wrong[0][:80]!r} is not a domain" if wrong else "an address without a host"))
    return AdList(frozenset(domains - allowed), tuple(problems), skipped)


def _is_comment(line: str) -> bool:
    return not line or line[0] in "![" or (line[0] == "#" and not line.startswith(_HIDING_SIGNS))


def _is_other_filter(line: str, is_filter_list: bool) -> bool:
    """A sound filter without a domain of its own; in a filter list any word is one: it may stand in a URL."""
    if _ADDRESS.match(line) or (line.startswith("||") and len(line.split()) > 1):
        return False
    if is_filter_list and len(line.split()) == 1 and not _DOMAIN.fullmatch(line.lower()):
        return True
    return any(sign in line for sign in _FILTER_SIGNS)


def _unconditional(options: str | None) -> bool:
    return options is None or all(option in _PLAIN_OPTIONS for option in options.lower().split(","))


def _host_names(line: str) -> list[str]:
    """The names beside the address on a line of a hosts file, or the line as a bare domain."""
    words = [word.lower().rstrip(".") for word in line.partition("#")[0].split()]
    return words[1:] if _ADDRESS.fullmatch(words[0]) else [" ".join(words)]
