from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

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
