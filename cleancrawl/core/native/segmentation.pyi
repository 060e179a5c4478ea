from typing import Any

import numpy as np
from numpy.typing import NDArray

from .walk_setup import Setup

class Segmentation:
    texts: list[str]
    hits: dict[int, Any]
    told_links: dict[int, tuple[tuple[str, str], int]]
    class_names: dict[int, str]
    unseen: int

    def __init__(self, setup: Setup, rules: Any, links: Any) -> None: ...
    def result(self) -> tuple[NDArray[np.int64], NDArray[np.int64], Any]: ...
