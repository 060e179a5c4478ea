# cython: language_level=3
# How blocks and articles are told apart, for those who have numbered the words of a page.

from libc.stdint cimport int64_t, uint64_t

from .term_places cimport Places


cdef uint64_t proximity_print(
    const int64_t* term,
    Py_ssize_t start,
    Py_ssize_t end,
    const uint64_t* digests,
    Py_ssize_t window,
    Places* places,
) noexcept nogil

cdef uint64_t counted_print(const int64_t* counts, Py_ssize_t size, const uint64_t* digests) noexcept nogil

cdef uint64_t* numbers_of(bytes digests, Py_ssize_t size) except NULL
