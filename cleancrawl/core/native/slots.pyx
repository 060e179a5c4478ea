# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Places in a site's template: the twin of ``container_slots_in_python`` in ``core/segmentation/slots.py``."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

import numpy as np

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)
    void* PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)

cdef uint32_t[256] CRC
cdef uint32_t VALUE
cdef int BYTE, BIT
for BYTE in range(256):
    VALUE = BYTE
    for BIT in range(8):
        VALUE = VALUE >> 1 ^ (0xEDB88320U if VALUE & 1 else 0)
    CRC[BYTE] = VALUE


cdef inline bint is_blank(uint8_t byte) noexcept nogil:
    return byte == 32 or 9 <= byte <= 13 or 28 <= byte <= 31


cdef uint32_t ascii_print(const uint8_t* data, Py_ssize_t size) noexcept nogil:
    """The CRC-32 of the first word that is more than digits, without its digits; 0 where there is none."""
    cdef uint32_t crc = 0xFFFFFFFFU
    cdef bint begun = False
    cdef Py_ssize_t place
    cdef uint8_t byte
    for place in range(size):
        byte = data[place]
        if is_blank(byte):
            if begun:
                break
        elif not 48 <= byte <= 57:
            crc = CRC[(crc ^ byte) & 255] ^ crc >> 8
            begun = True
    return crc ^ 0xFFFFFFFFU if begun else 0


def container_slots(
    const int64_t[::1] class_path not None,
    const int64_t[::1] parent not None,
    const int64_t[::1] tag not None,
    const int64_t[::1] depth not None,
    dict names not None,
    Py_ssize_t longest,
    int64_t named_below,
    object name_print,
    int64_t tag_factor,
    int64_t slot_factor,
):
    """``name_print`` is asked where a name is not in ASCII; no more than the ``longest`` characters of one count."""
    cdef Py_ssize_t count = class_path.shape[0], place, above
    cdef int64_t path, plain
    cdef uint64_t slot
    if parent.shape[0] != count or tag.shape[0] != count or depth.shape[0] != count:
        raise ValueError("columns differ in length")
    slots = np.zeros(count, dtype=np.int64)
    cdef int64_t[::1] found = slots
    for place in range(count):
        path = class_path[place]
        if path != place:
            # The first one of the path was met before.
            if not 0 <= path < place:
                raise ValueError("a class path begins behind its container")
            found[place] = found[path]
        elif place:
            above = parent[place]
            if not 0 <= above < place:
                raise ValueError("a container lies before what it is in")
            plain = 0
            if depth[place] > named_below:
                name = names.get(path)
                if name is not None:
                    if PyUnicode_IS_ASCII(name):
                        plain = ascii_print(<const uint8_t*>PyUnicode_DATA(name), min(PyUnicode_GET_LENGTH(name), longest))
                    else:
                        plain = name_print(name)
            slot = <uint64_t>found[above] * <uint64_t>slot_factor
            slot ^= <uint64_t>plain + <uint64_t>tag_factor * <uint64_t>tag[place]
            found[place] = <int64_t>(slot & 0xFFFFFFFFU)
    return slots
