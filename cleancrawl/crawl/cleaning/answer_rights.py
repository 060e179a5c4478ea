"""What the answer to a request says about the use of a page, besides the page itself."""

from __future__ import annotations

from cleancrawl.core.metadata.rights import Statement, file_rights, header_rights, joined
from cleancrawl.crawl.job import Job
from cleancrawl.crawl.request_data import RequestData

HEADERS = ("X-Robots-Tag", "TDM-Reservation", "TDM-Policy")


def answer_rights(job: Job) -> list[Statement]:
    """Headers, then the file of the site, where it was asked for (``CLEANCRAWL_TDMREP``)."""
    response = job.response
    if response is None:
        return []
    lines = [(name.lower(), value.decode("latin-1")) for name in HEADERS for value in response.headers.getlist(name)]
    data = RequestData.of(response)
    said = [] if data.mining_reserved is None else file_rights(data.mining_reserved, data.mining_policy)
    return joined(header_rights(lines), said)
