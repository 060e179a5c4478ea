# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Columns of numbers as bytes: the twin of ``narrowed_in_python`` in ``scale/archive/paused_pages.py``."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport INT16_MAX, INT16_MIN, INT32_MAX, INT32_MIN, int16_t, int32_t, int64_t

ctypedef fused Number:
    int16_t
    int32_t
    int64_t


cdef void fill(Number* numbers, const int64_t[:] column) noexcept nogil:
    cdef Py_ssize_t place
    for place in range(column.shape[0]):
        numbers[place] = <Number> column[place]


def narrowed(list columns not None):
    """The bytes of each number of some columns, two, four or eight, and the numbers in the order of the machine."""
    cdef const int64_t[:] column
    cdef int64_t least = 0, most = 0
    cdef Py_ssize_t place, count = 0, size, begin = 0
    cdef bytes found
    for one in columns:
        column = one
        count += column.shape[0]
        for place in range(column.shape[0]):
            least = min(least, column[place])
            most = max(most, column[place])
    size = 8
    if INT16_MIN <= least and most <= INT16_MAX:
        size = 2
    elif INT32_MIN <= least and most <= INT32_MAX:
        size = 4
    found = PyBytes_FromStringAndSize(NULL, count * size)
    for one in columns:
        column = one
        if size == 2:
            fill(<int16_t*> PyBytes_AS_STRING(found) + begin, column)
        elif size == 4:
            fill(<int32_t*> PyBytes_AS_STRING(found) + begin, column)
        else:
            fill(<int64_t*> PyBytes_AS_STRING(found) + begin, column)
        begin += column.shape[0]
    return size, found
