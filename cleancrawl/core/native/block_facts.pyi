import numpy as np
from numpy.typing import NDArray

class BlockFacts:
    def __init__(
        self,
        *,
        kinds: dict[str, int],
        sums: dict[str, int],
        shares: NDArray[np.float64],
        headings: NDArray[np.uint8],
        texts: NDArray[np.uint8],
    ) -> None: ...
    def measure(
        self,
        layout: object,
        hidden: NDArray[np.uint8] | None,
        numbers: NDArray[np.float64],
        heading: NDArray[np.uint8],
        places: NDArray[np.int64],
    ) -> None: ...
    def weigh(
        self,
        layout: object,
        measured: object,
        sums: NDArray[np.float64],
        held: NDArray[np.float64],
        mains: NDArray[np.int64],
    ) -> None: ...
