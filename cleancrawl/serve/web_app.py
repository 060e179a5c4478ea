"""The pages, as a Starlette application (extra ``serve``). All of them only read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from cleancrawl.core.text.iso_dates import parse_date
from cleancrawl.errors import CleanCrawlError, ConfigError, MissingExtra
from cleancrawl.report.page_report import explain
from cleancrawl.report.templating import render
from cleancrawl.report.text_diff import diff
from cleancrawl.serve.harvest_source import HarvestSource, Shown, whole
from cleancrawl.serve.request_guard import App, RequestGuard
from cleancrawl.sinks.reader import Filters
from cleancrawl.sinks.snippets import Snippet

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

LONGEST = {"q": 500, "url": 4096, "site": 300, "language": 20, "since": 10, "after": 6000, "from": 9, "to": 9}
"""Characters of the parameters that are read; of a longer one the beginning."""
FOUND_NOT, FAILED = 404, 503


class NotThere(Exception):
    """Nothing is at the address; its text says what."""


def make_app(source: HarvestSource, names: Iterable[str]) -> App:
    """An ASGI application that answers under these host names."""
    try:
        from starlette.applications import Starlette
        from starlette.responses import HTMLResponse
        from starlette.routing import Route
    except ImportError:
        raise MissingExtra("starlette", "serve") from None

    def endpoint(page: Callable[[HarvestSource, Mapping[str, str]], str]) -> Callable[[Request], Response]:
        def answer(request: Request) -> Response:
            asked = {name: request.query_params.get(name, "")[:most].strip() for name, most in LONGEST.items()}
            try:
                return HTMLResponse(page(source, asked))
            except NotThere as error:
                return HTMLResponse(_message("Not found", str(error), source), FOUND_NOT)
            except ConfigError as error:
                return HTMLResponse(_message("That does not work", str(error), source), 400)
            except CleanCrawlError as error:
                return HTMLResponse(_message("That did not work", str(error), source), FAILED)

        return answer

    def missing(request: Request, error: Exception) -> Response:
        return HTMLResponse(_message("Not found", "There is no such page.", source), FOUND_NOT)

    routes = [Route(path, endpoint(page), methods=["GET"]) for path, page in PAGES.items()]
    return RequestGuard(Starlette(routes=routes, exception_handlers={404: missing}), names)


def search_page(source: HarvestSource, asked: Mapping[str, str]) -> str:
    """Hits of a query, or the newest articles."""
    query, site, after = asked["q"], asked["site"], asked["after"] or None
    since = parse_date(asked["since"]) if asked["since"] else None
    if asked["since"] and since is None:
        raise ConfigError(f"{asked['since']!r} is no date: write it as 2026-01-31")
    kept = {name: asked[name] for name in ("q", "site", "language", "since") if asked[name]}
    values: dict[str, Any] = {"asked": asked, "source": source, "found": None, "newest": None, "next": None}
    if query:
        page = source.search(query, Filters(site or None, since, asked["language"] or None), after)
        values["found"] = page
        values["hits"] = [(whole(hit.article), pieces(hit.title), pieces(hit.passage)) for hit in page.hits]
        values["next"] = page.next and urlencode({**kept, "after": page.next})
    else:
        entries, cursor = source.newest(site, after)
        values["newest"] = [(entry, whole(entry.article or entry.was or {})) for entry in entries]
        values["next"] = cursor and urlencode({**kept, "after": cursor})
    return render("search.html", form_action="'self'", **values)


def article_page(source: HarvestSource, asked: Mapping[str, str]) -> str:
    shown = _shown(source, asked)
    return render(
        "article.html",
        form_action="'self'",
        source=source,
        shown=shown,
        article=shown.record,
        copies=source.copies(shown),
        versions=source.versions(shown),
    )


def versions_page(source: HarvestSource, asked: Mapping[str, str]) -> str:
    """Two versions of an article, one as what became of the other; the last two where none are named."""
    shown = _shown(source, asked)
    versions = {one.version: one for one in source.versions(shown)}
    if len(versions) < 2:
        raise NotThere("The store knows only one version of this article.")
    numbers = list(versions)
    wanted = (_number(asked["from"], numbers[-2]), _number(asked["to"], numbers[-1]))
    if not all(number in versions for number in wanted):
        raise NotThere(f"The store knows the versions {', '.join(map(str, numbers))} of this article.")
    before, after = (versions[number] for number in wanted)
    return render(
        "versions.html",
        form_action="'self'",
        source=source,
        article=shown.record,
        versions=list(versions.values()),
        before=before,
        after=after,
        title=diff(before.title, after.title),
        text=diff(before.text, after.text),
        when=lambda one: datetime.fromtimestamp(one.recorded, UTC),
    )


def why_page(source: HarvestSource, asked: Mapping[str, str]) -> str:
    document = source.document(_shown(source, asked))
    if document is None:
        raise NotThere(
            "The page of this article was not kept: CLEANCRAWL_KEEP_HTML = True keeps those of later crawls."
        )
    return explain(document, back=f"/article?{urlencode({'url': asked['url']})}")


def report_page(source: HarvestSource, asked: Mapping[str, str]) -> str:
    report = source.report()
    if report is None:
        raise NotThere("A report needs a store: name one beside the index.")
    return report


PAGES: dict[str, Callable[[HarvestSource, Mapping[str, str]], str]] = {
    "/": search_page,
    "/article": article_page,
    "/versions": versions_page,
    "/why": why_page,
    "/report": report_page,
}


def pieces(snippet: Snippet) -> list[tuple[str, bool]]:
    """A passage in pieces, each with whether it matches.

    >>> pieces(Snippet("the city council", ((4, 8),)))
    [('the ', False), ('city', True), (' council', False)]
    """
    found, end = [], 0
    for start, stop in snippet.marks:
        found += [(snippet.text[end:start], False), (snippet.text[start:stop], True)]
        end = stop
    return [piece for piece in (*found, (snippet.text[end:], False)) if piece[0]]


def _shown(source: HarvestSource, asked: Mapping[str, str]) -> Shown:
    shown = source.article(asked["url"]) if asked["url"] else None
    if shown is None:
        raise NotThere(f"There is no article at {asked['url'] or 'no address'}.")
    return shown


def _number(text: str, default: int) -> int:
    if not text:
        return default
    if not text.isascii() or not text.isdigit():
        raise ConfigError(f"{text!r} is no number of a version")
    return int(text)


def _message(title: str, text: str, source: HarvestSource) -> str:
    return render("message.html", form_action="'self'", title=title, text=text, source=source)
