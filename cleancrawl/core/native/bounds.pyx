# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Values within the bounds of their row: the twin of ``within_in_python`` in ``methods/learned/model``."""


def within(
    const float[:, ::1] values, const float[:, ::1] lowest, const float[:, ::1] highest, float[:, ::1] found, chosen
):
    """Put the chosen columns of ``values``, or all, into ``found``, each value within the bounds of its row."""
    cdef Py_ssize_t rows = values.shape[0], columns = values.shape[1], row, column
    cdef const Py_ssize_t[::1] places = None if chosen is None else chosen
    cdef Py_ssize_t size = columns if chosen is None else places.shape[0]
    cdef const float* source
    cdef float* target
    cdef float low, high, value
    if lowest.shape[0] != rows or highest.shape[0] != rows or lowest.shape[1] != 1 or highest.shape[1] != 1:
        raise ValueError("bounds and values differ in size")
    if found.shape[0] < rows or found.shape[1] != size:
        raise ValueError("no room for the values")
    if not rows or not size:
        return
    if chosen is not None:
        for column in range(size):
            if not 0 <= places[column] < columns:
                raise IndexError("no such column")
    for row in range(rows):
        source, target = &values[row, 0], &found[row, 0]
        low, high = lowest[row, 0], highest[row, 0]
        if chosen is None:
            for column in range(size):
                value = low if low > source[column] else source[column]
                target[column] = high if high < value else value
        else:
            for column in range(size):
                value = source[places[column]]
                value = low if low > value else value
                target[column] = high if high < value else value
