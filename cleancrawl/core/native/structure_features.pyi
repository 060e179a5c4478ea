import numpy as np
from numpy.typing import NDArray

class StructureFeatures:
    def __init__(
        self,
        places: dict[str, int],
        masks: dict[str, int],
        *,
        sums: dict[str, int],
        deepest: int,
        near: int,
        main: int,
        own_bits: NDArray[np.int64],
        around_bits: NDArray[np.int64],
        logarithms: NDArray[np.float32],
    ) -> None: ...
    def fill(self, rows: NDArray[np.float32], masks: NDArray[np.int64], facts: object) -> None: ...
