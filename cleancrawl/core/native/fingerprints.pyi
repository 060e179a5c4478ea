from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
UInts = NDArray[np.uint64]

def exact_keys(texts: list[str], few: int, other: Callable[[str], int]) -> UInts: ...
def word_digests(text: str, edges: bytes, marks: str, other: Callable[[str], bytes]) -> tuple[Ints, bytes] | None: ...
def frequency_print(counts: Ints, digests: bytes) -> int: ...
def proximity_prints(term: Ints, sizes: Ints, digests: bytes, window: int) -> list[int]: ...
def stored_prints(
    texts: list[str],
    least: int,
    edges: bytes,
    marks: str,
    other: Callable[[str], bytes],
    window: int,
    budget: int,
) -> tuple[UInts, NDArray[np.bool_]] | None: ...
