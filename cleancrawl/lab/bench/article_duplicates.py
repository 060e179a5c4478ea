"""Are edited copies of an article found, and are other articles left alone?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from random import Random
from time import process_time

import numpy as np

from cleancrawl.core.fingerprints.article_signature import SAME, Signature, first_same, signature, similarity
from cleancrawl.core.fingerprints.block_prints import Prints
from cleancrawl.core.text.words import words
from cleancrawl.lab.bench.datasets import GoldPage
from cleancrawl.lab.bench.edited_texts import BEYOND, UP_TO_A_TENTH, Edit, add_agency_line, add_tail
from cleancrawl.stores.opening import open_store
from cleancrawl.stores.protocol import PageRecord, Store, Visit

SEED = 7
NEIGHBOURS = 5
_NOTHING = Prints((), lambda indices: ())


@dataclass(frozen=True, slots=True)
class Story:
    url: str
    text: str
    signature: Signature


@dataclass(frozen=True, slots=True)
class Found:
    """Of so many copies: those led back to their original, and those led to another article."""

    copies: int
    right: int
    wrong: int

    @property
    def recall(self) -> float:
        return self.right / self.copies if self.copies else 0.0


def report(pages: Sequence[GoldPage], recipe: str) -> str:
    """The tables of ``cleancrawl bench --duplicates``; the recipe plays no part, gold texts are edited."""
    stories, twins = read_stories(pages)
    store = open_store("memory:")
    for number, story in enumerate(stories):
        visit = Visit("example.com", story.url, float(number))
        store.record(PageRecord(visit, _NOTHING, number, article={"text": story.text}, signature=story.signature))
    results = {name: find_copies(store, stories, edit) for name, edit in (UP_TO_A_TENTH | BEYOND).items()}
    return "\n".join(
        [
            f"{len(stories)} articles; {twins} more are copies of one of them as they stand",
            "",
            *_edit_table(results),
            "",
            *_summary(results, stories),
        ]
    )


def read_stories(pages: Sequence[GoldPage]) -> tuple[list[Story], int]:
    """The articles of the set that are long enough, each story once, and how many were left out as copies."""
    stories: list[Story] = []
    twins = 0
    for page in pages:
        made = signature(page.text or "")
        if made is None or page.text is None:
            continue
        if any(similarity(made.data, story.signature.data) >= SAME for story in stories):
            twins += 1
        else:
            stories.append(Story(page.url or page.key, page.text, made))
    return stories, twins


def find_copies(store: Store, stories: Sequence[Story], edit: Edit) -> Found:
    chance = Random(SEED)
    right = wrong = 0
    for story in stories:
        made = signature(edit(story.text, chance))
        found = first_same(made.data, store.candidates(made.keys)) if made else None
        right += found is not None and found.url == story.url
        wrong += found is not None and found.url != story.url
    return Found(len(stories), right, wrong)


def count_confusions(stories: Sequence[Story], edits: Sequence[Edit]) -> tuple[int, int]:
    """Pairs of different articles about one topic, both with the same edits, and how many pass for one story."""
    edited = []
    for story in stories:
        text = story.text
        for edit in edits:
            text = edit(text, Random(SEED))
        edited.append(signature(text))
    pairs = same_topic([story.text for story in stories])
    confused = 0
    for first, second in pairs:
        one, two = edited[first], edited[second]
        confused += one is not None and two is not None and similarity(one.data, two.data) >= SAME
    return len(pairs), confused


def same_topic(texts: Sequence[str]) -> list[tuple[int, int]]:
    """Each text with its nearest others by the cosine of tf-idf vectors over the 5,000 most common words."""
    counts = [Counter(words(text.lower())) for text in texts]
    spread = Counter(word for count in counts for word in count)
    vocabulary = {word: index for index, (word, _) in enumerate(spread.most_common(5000))}
    vectors = np.zeros((len(texts), len(vocabulary)), dtype=np.float32)
    for row, count in enumerate(counts):
        for word, times in count.items():
            if word in vocabulary:
                vectors[row, vocabulary[word]] = (1 + log(times)) * log(len(texts) / spread[word])
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    closeness = vectors @ vectors.T
    np.fill_diagonal(closeness, -1.0)
    nearest = np.argsort(-closeness, axis=1)[:, :NEIGHBOURS]
    pairs = ((row, int(other)) for row, near in enumerate(nearest) for other in near if other != row)
    return sorted({(min(pair), max(pair)) for pair in pairs})


def _edit_table(results: dict[str, Found]) -> list[str]:
    lines = ["| edit | copies | found | led astray | recall |", "| --- | ---: | ---: | ---: | ---: |"]
    for name, found in results.items():
        lines.append(f"| {name} | {found.copies} | {found.right} | {found.wrong} | {found.recall:.3f} |")
    return lines


def _summary(results: dict[str, Found], stories: Sequence[Story]) -> list[str]:
    small = [found for name, found in results.items() if name in UP_TO_A_TENTH]
    right, copies = sum(found.right for found in small), sum(found.copies for found in small)
    astray = sum(found.wrong for found in small)
    pairs, plain = count_confusions(stories, [])
    _, dressed = count_confusions(stories, [add_agency_line, add_tail])
    start = process_time()
    for story in stories:
        signature(story.text)
    cost = (process_time() - start) / max(len(stories), 1)
    precision = right / max(right + astray + plain + dressed, 1)
    return [
        f"edits up to 10 %: recall {right / max(copies, 1):.4f}, precision {precision:.4f}",
        f"different articles about one topic: {plain} of {pairs} pairs confused; "
        f"{dressed} with the same agency line and tail on both",
        f"a fingerprint costs {cost * 1000:.2f} ms",
    ]
