from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
UInts = NDArray[np.uint64]

def signed(
    numbers: Ints,
    digests: bytes,
    shingle: int,
    masks: UInts,
    multipliers: UInts,
    bands: int,
    rows: int,
    first: int,
) -> tuple[tuple[int, ...], bytes]: ...

class PageDigests:
    def __init__(
        self,
        edges: bytes,
        marks: str,
        other: Callable[[str], bytes],
        least: int,
        window: int,
        budget: int,
        fewest: int,
        most: int,
        signing: tuple[int, UInts, UInts, int, int, int],
    ) -> None: ...
    def of(
        self, texts: list[str], kept: bytes
    ) -> tuple[UInts, NDArray[np.bool_], int, int, tuple[tuple[int, ...], bytes] | None] | None: ...
