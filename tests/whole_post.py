"""The text of a post that a blog shows in full, on its own page and in lists."""

from __future__ import annotations


def whole_post(topic: str) -> str:
    return "".join(
        f"<p>On day {day} of the story, which we call “{topic}”, the harbour master told this blog that the work on"
        f" pier {day} would go on until the evening. Nobody was hurt, and the ferries were back after {day} hours.</p>"
        for day in range(3, 7)
    )
