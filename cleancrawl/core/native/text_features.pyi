import numpy as np
from numpy.typing import NDArray

class TextFeatures:
    def __init__(
        self,
        places: dict[str, int],
        *,
        kinds: dict[str, int],
        shares: NDArray[np.int64],
        last: NDArray[np.int64],
        first: NDArray[np.int64],
        logarithms: NDArray[np.float32],
    ) -> None: ...
    def fill(self, rows: NDArray[np.float32], facts: object, dots: NDArray[np.uint8]) -> None: ...
