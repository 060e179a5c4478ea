"""Where the payloads are that archives do not store twice: a revisit record names the record that has it."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from typing import Any

from xxhash import xxh64_intdigest

REMEMBERED = 200_000
"""So many records can be referred to, the newest; each costs about 200 bytes."""
SAME_PAYLOAD = "/identical-payload-digest"


class PayloadOrigins:
    """The places of the response records that were read, in the order of the archive."""

    def __init__(self) -> None:
        self._places: OrderedDict[int, tuple[Path, int]] = OrderedDict()

    def note(self, record: Any, path: Path) -> None:
        self._places[_key(record.record_id)] = (path, record.stream_pos)
        if len(self._places) > REMEMBERED:
            self._places.popitem(last=False)

    def find(self, record: Any) -> Any | None:
        """The record whose payload a revisit record stands for; None where it was not read, or not for its payload."""
        from fastwarc.warc import ArchiveIterator, WarcRecordType

        named: str | None = record.headers.get("WARC-Refers-To")
        place = self._places.get(_key(named)) if named else None
        if named is None or place is None or not (record.headers.get("WARC-Profile") or "").endswith(SAME_PAYLOAD):
            return None
        path, position = place
        with path.open("rb") as stream:
            stream.seek(position)
            found = next(iter(ArchiveIterator(stream, record_types=WarcRecordType.response, parse_http=False)), None)
            if found is None or _key(found.record_id or "") != _key(named):
                return None  # the file has changed meanwhile
            found.freeze()
            return found


def _key(record_id: str) -> int:
    """
    >>> _key("<urn:uuid:7>") == _key("urn:uuid:7")
    True
    """
    return xxh64_intdigest(record_id.strip("<> ").encode("utf-8", "replace"))
