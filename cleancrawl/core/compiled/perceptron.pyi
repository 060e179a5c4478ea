from cleancrawl.core.features.sheet import Matrix

def totals(
    columns: Matrix,
    lowest: Matrix,
    highest: Matrix,
    zero: Matrix,
    weights: Matrix,
    bias: Matrix,
    output: Matrix,
) -> Matrix: ...
