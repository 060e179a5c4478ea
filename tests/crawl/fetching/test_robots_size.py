"""What is heard of a download while it goes on: of a robots.txt alone."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from scrapy import Request, signals
from scrapy.exceptions import StopDownload
from scrapy.http import Response
from scrapy.signalmanager import SignalManager

from cleancrawl.crawl.fetching.robots_size import MOST_READ, RobotsSizeMiddleware

ROBOTS = "https://a.example/robots.txt"


def heard(manager: SignalManager, request: Request, size: int) -> bool:
    """Whether anybody ended the download when so much had come."""
    found = manager.send_catch_log(
        signal=signals.bytes_received, data=b" " * size, request=request, dont_log=StopDownload
    )
    return any(isinstance(getattr(answer, "value", None), StopDownload) for _, answer in found)


@pytest.fixture
def manager() -> SignalManager:
    return SignalManager()


def test_it_listens_as_long_as_a_robots_file_is_asked_for(manager: SignalManager) -> None:
    middleware = RobotsSizeMiddleware.from_crawler(SimpleNamespace(signals=manager))  # type: ignore[arg-type]
    page, first, second = Request("https://a.example/"), Request(ROBOTS), Request(f"{ROBOTS}?2")
    for request in (page, first, second):
        middleware.process_request(request)
    assert middleware.listens
    assert not heard(manager, page, 2 * MOST_READ)
    assert not heard(manager, first, MOST_READ)
    assert heard(manager, first, 1)
    cut = middleware.process_response(first, Response(ROBOTS, body=b"Allow: /\n" * 99_999))
    assert len(cut.body) <= MOST_READ
    middleware.process_response(page, Response(page.url))
    assert middleware.listens
    assert not heard(manager, second, MOST_READ)
    middleware.process_response(second, Response(second.url))
    assert not middleware.listens
    assert not heard(manager, second, 2 * MOST_READ)
    third = Request(ROBOTS)
    middleware.process_request(third)
    assert heard(manager, third, 2 * MOST_READ)


def test_a_robots_file_that_never_came_is_forgotten(manager: SignalManager) -> None:
    middleware = RobotsSizeMiddleware(manager)
    middleware.process_request(Request(ROBOTS))
    middleware.process_response(Request("https://a.example/"), Response("https://a.example/"))
    assert not middleware.listens
