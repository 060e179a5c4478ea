# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# What the words in class, id and role attributes hint at: the twin of hints_of in core/rules/class_hints.

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.dict cimport PyDict_GetItem
from cpython.object cimport PyObject
from libc.stdint cimport int64_t


cdef inline int64_t hint_bits(const char* data, Py_ssize_t size, dict token_bits) except -1:
    """Words are runs of letters, cut where a capital begins one."""
    cdef Py_ssize_t first = 0, at = 0
    cdef int64_t mask = 0
    while at < size:
        first = at
        while at < size and b"A" <= data[at] <= b"Z":
            at += 1
        if at < size and b"a" <= data[at] <= b"z":
            if at - first > 1:
                # HTMLText: the last capital belongs to what follows.
                mask |= bits_of(data + first, at - 1 - first, token_bits)
                first = at - 1
            while at < size and b"a" <= data[at] <= b"z":
                at += 1
        if at > first:
            mask |= bits_of(data + first, at - first, token_bits)
        else:
            at += 1
    return mask


cdef inline int64_t bits_of(const char* token, Py_ssize_t size, dict token_bits) except -1:
    cdef char[64] lower
    cdef Py_ssize_t index
    cdef PyObject* found
    if size > <Py_ssize_t> sizeof(lower):
        return 0  # no word is as long
    for index in range(size):
        lower[index] = token[index] | 32
    found = PyDict_GetItem(token_bits, PyBytes_FromStringAndSize(lower, size))
    return 0 if found is NULL else <object> found
