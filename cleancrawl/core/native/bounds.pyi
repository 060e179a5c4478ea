import numpy as np
from numpy.typing import NDArray

def within(
    values: NDArray[np.float32],
    lowest: NDArray[np.float32],
    highest: NDArray[np.float32],
    found: NDArray[np.float32],
    chosen: NDArray[np.intp] | None,
) -> None: ...
