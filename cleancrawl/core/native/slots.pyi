from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
UInts = NDArray[np.uint64]
Floats = NDArray[np.float64]

def container_slots(
    class_path: Ints,
    parent: Ints,
    tag: Ints,
    depth: Ints,
    names: dict[int, str],
    longest: int,
    named_below: int,
    name_print: Callable[[str], int],
    tag_factor: int,
    slot_factor: int,
) -> Ints: ...
def block_slots(container: Ints, link_words: Ints, words: Ints, slots: Ints, linked: float) -> UInts: ...
def looked_up(
    slots: UInts, odds: Floats, words: Floats, known: UInts, known_pages: Ints, known_odds: Floats
) -> tuple[Floats, Floats, float, int]: ...
def with_slots(
    odds: Floats,
    pages: Floats,
    known_odds: Floats,
    fit: float,
    trust: float,
    down: float,
    up: float,
    elsewhere: float,
    content: float,
    most: float,
) -> Floats: ...
