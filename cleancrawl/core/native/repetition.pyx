# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Which texts another text holds: the twin of ``found_in_python`` in ``methods/learned/features/wording``.

Hardly any text of a page is part of its title, so it is enough to rule the others out: a bit for every run of four
characters that the longer text has, and a look at the first, the middle and the last run of a shorter one.
"""

from cpython.bytearray cimport PyByteArray_AS_STRING
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free

cdef extern from "Python.h":
    bint PyUnicode_Check(object text)
    Py_ssize_t PyUnicode_GetLength(object text) except -1
    object PyUnicode_Substring(object text, Py_ssize_t start, Py_ssize_t end)
    Py_ssize_t PyUnicode_Find(object text, object part, Py_ssize_t start, Py_ssize_t end, int direction) except -2
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    uint32_t PyUnicode_READ(int kind, void* data, Py_ssize_t index) noexcept nogil

cdef enum:
    RUN = 4
    FEWEST_BITS = 1 << 10
    MOST_BITS = 1 << 20


cdef inline uint32_t _hashed(int kind, void* data, size_t start) noexcept nogil:
    cdef uint32_t hash = 0
    cdef size_t place
    for place in range(start, start + RUN):
        hash = (hash ^ PyUnicode_READ(kind, data, place)) * <uint32_t> 0x9E3779B1
    return hash ^ (hash >> 15)


def found(texts, wanted, Py_ssize_t size):
    """For each text a byte: whether its first ``size`` characters are part of ``wanted``."""
    cdef tuple parts = tuple(texts)
    cdef bytearray result = bytearray(len(parts))
    cdef char* flags = PyByteArray_AS_STRING(result)
    cdef Py_ssize_t whole, length, index, place, last = 0
    cdef uint32_t count = FEWEST_BITS
    cdef uint64_t* runs
    if not PyUnicode_Check(wanted):
        raise TypeError(f"a text, not {type(wanted).__name__}")
    whole = PyUnicode_GetLength(wanted)
    while count < MOST_BITS and <Py_ssize_t> count < 16 * whole:
        count *= 2
    runs = <uint64_t*> calloc(count // 64, sizeof(uint64_t))
    if runs == NULL:
        raise MemoryError
    try:
        _note(wanted, whole, runs, count - 1)
        for index in range(len(parts)):
            text = parts[index]
            if not PyUnicode_Check(text):
                raise TypeError(f"a text, not {type(text).__name__}")
            length = min(<Py_ssize_t> PyUnicode_GetLength(text), size)
            if length <= whole and _may_be(text, length, runs, count - 1):
                part = PyUnicode_Substring(text, 0, length)
                # The blocks of an article follow each other there as they do on the page.
                place = PyUnicode_Find(wanted, part, last, whole, 1)
                if place < 0 and last:
                    place = PyUnicode_Find(wanted, part, 0, whole, 1)
                if place >= 0:
                    flags[index] = 1
                    last = place
    finally:
        free(runs)
    return result


cdef void _note(object wanted, Py_ssize_t whole, uint64_t* runs, uint32_t mask) noexcept:
    cdef int kind = PyUnicode_KIND(wanted)
    cdef void* data = PyUnicode_DATA(wanted)
    cdef uint32_t bit
    cdef Py_ssize_t start
    for start in range(whole - RUN + 1):
        bit = _hashed(kind, data, start) & mask
        runs[bit >> 6] |= <uint64_t> 1 << (bit & 63)


cdef bint _may_be(object text, Py_ssize_t length, const uint64_t* runs, uint32_t mask) noexcept:
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef uint32_t bit
    cdef int step
    if length < RUN:
        return True
    for step in range(3):
        bit = _hashed(kind, data, step * (length - RUN) // 2) & mask
        if not runs[bit >> 6] >> (bit & 63) & 1:
            return False
    return True
