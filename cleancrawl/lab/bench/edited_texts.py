"""What happens to a story on its way to other pages: realistic edits, made the same way every time."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

_SENTENCE = re.compile(r"(?<=[.!?…。])\s+|\n+")
TAIL = (
    "Sign up for our newsletter and never miss a story again. This article was first published by one of our partners. "
    "All rights reserved, reproduction in whole or in part only with written permission of the publisher."
)
AGENCY = "(Press Agency) This report was written and edited by the agency's desk in the capital."

Edit = Callable[[str, Random], str]


def sentences(text: str) -> list[str]:
    """
    >>> sentences("One. Two!\\nThree")
    ['One.', 'Two!', 'Three']
    """
    return [part for part in _SENTENCE.split(text) if part.strip()]


def change_headline(text: str, chance: Random) -> str:
    _, _, rest = text.partition("\n")
    words = text.split()
    return " ".join(chance.sample(words, min(8, len(words)))) + "\n" + (rest or text)


def cut_lead(text: str, chance: Random) -> str:
    """The first sentences go, up to a tenth of the words and at least one sentence."""
    parts = sentences(text)
    budget, cut = len(text.split()) / 10, 1
    while cut + 1 < len(parts) and sum(len(part.split()) for part in parts[: cut + 1]) <= budget:
        cut += 1
    return "\n".join(parts[cut:]) if len(parts) > cut else text


def add_agency_line(text: str, chance: Random) -> str:
    return f"{AGENCY}\n{text}"


def add_tail(text: str, chance: Random) -> str:
    return f"{text}\n{TAIL}"


def drop_sentences(share: float) -> Edit:
    def edit(text: str, chance: Random) -> str:
        parts = sentences(text)
        gone = set(chance.sample(range(len(parts)), round(share * len(parts))))
        return "\n".join(part for index, part in enumerate(parts) if index not in gone)

    return edit


def replace_words(share: float) -> Edit:
    """Words exchanged for others of the text: what a rewriter or a spelling convention does."""

    def edit(text: str, chance: Random) -> str:
        found = text.split()
        for index in chance.sample(range(len(found)), round(share * len(found))):
            found[index] = chance.choice(found)
        return " ".join(found)

    return edit


def all_of(*edits: Edit) -> Edit:
    def edit(text: str, chance: Random) -> str:
        for each in edits:
            text = each(text, chance)
        return text

    return edit


UP_TO_A_TENTH: dict[str, Edit] = {
    "headline changed": change_headline,
    "lead cut (10 % of the words)": cut_lead,
    "agency line added": add_agency_line,
    "boilerplate tail added": add_tail,
    "5 % of the sentences dropped": drop_sentences(0.05),
    "10 % of the sentences dropped": drop_sentences(0.10),
}
BEYOND: dict[str, Edit] = {
    "20 % of the sentences dropped": drop_sentences(0.20),
    "30 % of the sentences dropped": drop_sentences(0.30),
    "5 % of the words replaced": replace_words(0.05),
    "headline, agency line, tail and 10 % dropped": all_of(
        change_headline, drop_sentences(0.10), add_agency_line, add_tail
    ),
    "headline, lead, agency line, tail and 30 % dropped": all_of(
        change_headline, cut_lead, drop_sentences(0.30), add_agency_line, add_tail
    ),
}
