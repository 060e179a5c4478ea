import numpy as np
from numpy.typing import NDArray

def within(
    values: NDArray[np.float32],
    chosen: NDArray[np.intp] | None,
    first: int,
    lowest: NDArray[np.float32],
    highest: NDArray[np.float32],
    ready: NDArray[np.float32],
) -> None: ...
def best_share(words: NDArray[np.float64], probabilities: NDArray[np.float32]) -> float: ...
def outcomes(
    layer: NDArray[np.float32],
    masks: NDArray[np.int64],
    chosen: NDArray[np.intp] | None,
    first: int,
    weights: NDArray[np.float32],
    counts: NDArray[np.int64],
    output: NDArray[np.float32],
    found: NDArray[np.float32],
) -> None: ...
