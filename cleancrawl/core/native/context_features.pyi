import numpy as np
from numpy.typing import NDArray

class ContextFeatures:
    def __init__(
        self,
        places: dict[str, int],
        *,
        sums: dict[str, int],
        shifts: NDArray[np.int64],
        windows: NDArray[np.int64],
        long: int,
        far: int,
        stop: int,
        headline: int,
        main: int,
        logarithms: NDArray[np.float32],
    ) -> None: ...
    def fill(self, rows: NDArray[np.float32], facts: object, is_article: bool) -> None: ...
