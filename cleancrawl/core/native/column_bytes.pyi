import numpy as np
from numpy.typing import NDArray

def narrowed(columns: list[NDArray[np.int64]]) -> tuple[int, bytes]: ...
