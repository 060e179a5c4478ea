import numpy as np
from numpy.typing import NDArray

class WordingFeatures:
    def __init__(
        self,
        places: dict[str, int],
        masks: dict[str, int],
        *,
        followed: NDArray[np.int64],
        short: float,
        main: int,
        far: int,
        logarithms: NDArray[np.float32],
    ) -> None: ...
    def fill(self, rows: NDArray[np.float32], masks: NDArray[np.int64], facts: object) -> None: ...
