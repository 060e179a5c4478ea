# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Places in a site's template: twins of functions in ``core/segmentation/slots.py`` and in
``methods/learned/site_slots.py``."""

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
    const int64_t[:] class_path not None,
    const int64_t[:] parent not None,
    const int64_t[:] tag not None,
    const int64_t[:] depth not None,
    dict names not None,
    Py_ssize_t longest,
    int64_t named_below,
    object name_print,
    int64_t tag_factor,
    int64_t slot_factor,
):
    """``name_print`` is asked where a name is not in ASCII; no more than the ``longest`` characters of one count."""
    cdef Py_ssize_t count = class_path.shape[0], place, above
    cdef int64_t path
    cdef uint64_t slot
    if parent.shape[0] != count or tag.shape[0] != count or depth.shape[0] != count:
        raise ValueError("columns differ in length")
    slots = np.zeros(count, dtype=np.int64)
    cdef int64_t[::1] found = slots
    # First what names tell, each in the place of the first container of its path.
    for number, name in names.items():
        path = number
        if not 0 <= path < count:
            raise ValueError("a name of no container")
        if depth[path] > named_below:
            if PyUnicode_IS_ASCII(name):
                found[path] = ascii_print(<const uint8_t*>PyUnicode_DATA(name), min(PyUnicode_GET_LENGTH(name), longest))
            else:
                found[path] = name_print(name)
    if count:
        found[0] = 0
    for place in range(1, count):
        path = class_path[place]
        if path != place:
            # The first one of the path was met before.
            if not 0 <= path < place:
                raise ValueError("a class path begins behind its container")
            found[place] = found[path]
        else:
            above = parent[place]
            if not 0 <= above < place:
                raise ValueError("a container lies before what it is in")
            slot = <uint64_t>found[above] * <uint64_t>slot_factor
            slot ^= <uint64_t>found[place] + <uint64_t>tag_factor * <uint64_t>tag[place]
            found[place] = <int64_t>(slot & 0xFFFFFFFFU)
    return slots


def block_slots(
    const int64_t[:] container not None,
    const int64_t[:] link_words not None,
    const int64_t[:] words not None,
    const int64_t[::1] slots not None,
    double linked,
):
    """The slot of each block's container, and whether the block is a link: that many of its words are."""
    cdef Py_ssize_t count = container.shape[0], place
    if link_words.shape[0] != count or words.shape[0] != count:
        raise ValueError("columns differ in length")
    numbers = np.empty(count, dtype=np.uint64)
    cdef uint64_t[::1] found = numbers
    for place in range(count):
        if not 0 <= container[place] < slots.shape[0]:
            raise IndexError("no such container")
        found[place] = <uint64_t>slots[container[place]] * 2 + (link_words[place] >= linked * max(words[place], 1))
    return numbers


def looked_up(
    const uint64_t[::1] slots not None,
    const double[::1] odds not None,
    const double[::1] words not None,
    const uint64_t[::1] known not None,
    const int64_t[::1] known_pages not None,
    const double[::1] known_odds not None,
):
    """For each block on how many pages its slot is, and its mean odds there; the share of the words of likely content
    that lies in such slots, and the most pages that one of them is on. ``known`` is sorted."""
    cdef Py_ssize_t count = slots.shape[0], place, low, high, middle, before = 0
    cdef double likely = 0.0, placed = 0.0
    cdef int64_t most = 0
    if odds.shape[0] != count or words.shape[0] != count:
        raise ValueError("columns differ in length")
    if known_pages.shape[0] != known.shape[0] or known_odds.shape[0] != known.shape[0]:
        raise ValueError("columns of the table differ in length")
    on_pages, mean = np.zeros(count), np.zeros(count)
    cdef double[::1] pages_found = on_pages
    cdef double[::1] odds_found = mean
    for place in range(count):
        # Blocks side by side are often in one slot.
        low, high = 0, known.shape[0]
        if place and slots[place] == slots[place - 1]:
            low = high = before
        while low < high:
            middle = (low + high) >> 1
            if known[middle] < slots[place]:
                low = middle + 1
            else:
                high = middle
        before = low
        if odds[place] > 0:
            likely += words[place]
        if low < known.shape[0] and known[low] == slots[place]:
            pages_found[place], odds_found[place] = known_pages[low], known_odds[low]
            if odds[place] > 0:
                placed += words[place]
                if words[place] > 0:
                    most = max(most, known_pages[low])
    return on_pages, mean, placed / max(likely, 1.0), most


def with_slots(
    const double[::1] odds not None,
    const double[::1] pages not None,
    const double[::1] known_odds not None,
    double fit,
    double trust,
    double down,
    double up,
    double elsewhere,
    double content,
    double most,
):
    """Log-odds in the light of those that the slots have on other pages."""
    cdef Py_ssize_t count = odds.shape[0], place
    cdef double distance, pull, doubt, change
    if pages.shape[0] != count or known_odds.shape[0] != count:
        raise ValueError("columns differ in length")
    changed = np.empty(count)
    cdef double[::1] found = changed
    for place in range(count):
        distance, doubt = 0.0, fit
        if pages[place] > 0:
            distance = known_odds[place] - odds[place]
            doubt = 1.0 if known_odds[place] < content else 0.0
        pull = (down if distance < 0 else up) * pages[place] / (pages[place] + 1)
        change = trust * (pull * distance - elsewhere * doubt)
        found[place] = odds[place] + min(max(change, -most), most)
    return changed
