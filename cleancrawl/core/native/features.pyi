import numpy as np
from numpy.typing import NDArray

from cleancrawl.methods.learned.features.facts import Facts
from cleancrawl.methods.learned.features.sheet import Ints, Matrix

def fill_structure(
    rows: Matrix,
    facts: Facts,
    own_bits: Ints,
    around_bits: Ints,
    hints: int,
    own_tags: int,
    around_tags: int,
    logarithms: Matrix,
) -> None: ...
def fill_context(
    rows: Matrix, facts: Facts, is_article: bool, stop: int, headline: int, logarithms: Matrix
) -> None: ...
def fill_text(
    rows: Matrix,
    facts: Facts,
    dots: NDArray[np.uint8],
    shares: Ints,
    last: Ints,
    first: Ints,
    logarithms: Matrix,
) -> None: ...
