# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# The distinct values of attributes that name elements: most come again and again on a page, and are read once.

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy, strcmp, strlen

from .growing cimport Bytes, Numbers, Table, append, grown, setdefault
from .walk_setup cimport Setup

cdef enum:
    VALUE_FACTS = 2  # where it stands among all of them, its hints


cdef struct Values:
    Table numbers
    Numbers facts
    Bytes all  # each ends with a zero
    uint64_t seed


cdef inline uint64_t hashed(const char* data, Py_ssize_t size, uint64_t seed) noexcept:
    cdef uint64_t hash = seed ^ size, word
    while size > 0:
        word = 0
        memcpy(&word, data, 8 if size >= 8 else size)
        hash = (hash ^ word) * <uint64_t> 0x9E3779B97F4A7C15ULL
        hash ^= hash >> 29
        data += 8
        size -= 8
    return hash if hash else 1


cdef inline int64_t value_number(Values* values, const char* value, Setup setup) except -1:
    """The number of an attribute's value, from 1 on."""
    cdef const char* data = b""
    cdef Py_ssize_t size
    cdef int64_t fresh = values.facts.size // VALUE_FACTS + 1, number, hints
    cdef int64_t* facts
    cdef uint64_t key
    if value is not NULL:
        data = value
    size = strlen(data)
    key = hashed(data, size, values.seed)
    while True:
        number = setdefault(&values.numbers, key, fresh)
        if number == fresh:
            break
        if strcmp(values.all.items + values.facts.items[(number - 1) * VALUE_FACTS], data) == 0:
            return number
        key = key + 1 if key + 1 else 1
    hints = setup.hints(data, size)
    facts = grown(&values.facts, VALUE_FACTS)
    facts[0], facts[1] = values.all.size, hints
    append(&values.all, data, size + 1)
    return fresh


cdef inline int64_t value_hints(Values* values, int64_t number) noexcept:
    return values.facts.items[(number - 1) * VALUE_FACTS + 1]
