# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# Where the terms of blocks stand, while their pairs are weighed.

from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free, malloc


cdef struct Places:
    Py_ssize_t* following
    Py_ssize_t* previous
    Py_ssize_t* last  # by term: its last place …
    int64_t* often  # … its occurrences in this block …
    double* sums  # … and the sum of their pairs


cdef inline bint room_for_places(Places* places, Py_ssize_t count, Py_ssize_t vocabulary) noexcept nogil:
    cdef Py_ssize_t number
    places.following = <Py_ssize_t*>malloc((count + 1) * sizeof(Py_ssize_t))
    places.previous = <Py_ssize_t*>malloc((count + 1) * sizeof(Py_ssize_t))
    places.last = <Py_ssize_t*>malloc((vocabulary + 1) * sizeof(Py_ssize_t))
    places.often = <int64_t*>calloc(vocabulary + 1, sizeof(int64_t))
    places.sums = <double*>calloc(vocabulary + 1, sizeof(double))
    if (
        places.following == NULL
        or places.previous == NULL
        or places.last == NULL
        or places.often == NULL
        or places.sums == NULL
    ):
        return False
    for number in range(vocabulary):
        places.last[number] = -1
    return True


cdef inline void give_places_back(Places* places) noexcept nogil:
    free(places.following)
    free(places.previous)
    free(places.last)
    free(places.often)
    free(places.sums)
