import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

def content_lists(
    tag: Ints,
    first_block: Ints,
    end_block: Ints,
    words: Ints,
    link_words: Ints,
    kept: Bools,
    scores: Floats,
    is_list: Bools,
    is_table: Bools,
    prose: int,
    reach: int,
    min_cells: int,
    max_link_share: float,
    max_share: float,
    whole: float,
    whole_table: float,
) -> list[tuple[int, int, float]]: ...
