# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Several short strings looked for in a source at once: the twin of what ``core/html/source_signs`` does in Python."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)

ctypedef fused Character:
    uint8_t
    uint16_t
    uint32_t

cdef enum:
    LONGEST = 64
    MOST = 32
    RUN = 3
    BLOCK = 128


cdef struct Needle:
    Py_ssize_t size, run, place
    uint8_t text[LONGEST]


cdef class Needles:
    """Strings of ASCII, each with the place of its three rarest characters in a row: the processor compares many
    characters of a source at once with these, and hardly any part of a source needs a second look."""

    cdef list needles

    def __init__(self, needles, runs):
        self.needles = []
        for needle, run in zip(needles, runs, strict=True):
            encoded = needle.encode("ascii")
            if not 0 < len(encoded) <= LONGEST or not 0 <= run <= len(encoded) - RUN:
                raise ValueError(f"no string to look for: {needle!r}")
            self.needles.append((encoded, run))
        if len(self.needles) > MOST:
            raise ValueError("too many strings")

    def first_places(self, str text not None):
        """Where each string is first found, -1 where it is not."""
        cdef int kind = PyUnicode_KIND(text)
        cdef void* data = PyUnicode_DATA(text)
        cdef Needle needles[MOST]
        cdef Py_ssize_t count = len(self.needles), index, place
        cdef bytes encoded
        for index in range(count):
            encoded, place = self.needles[index]
            needles[index].size, needles[index].run, needles[index].place = len(encoded), place, -1
            for place in range(len(encoded)):
                needles[index].text[place] = encoded[place]
        if kind == 1:
            _look(<const uint8_t*> data, len(text), needles, count)
        elif kind == 2:
            _look(<const uint16_t*> data, len(text), needles, count)
        else:
            _look(<const uint32_t*> data, len(text), needles, count)
        return [needles[index].place for index in range(count)]


cdef void _look(const Character* text, Py_ssize_t size, Needle* needles, Py_ssize_t count) noexcept:
    cdef uint8_t runs[MOST][RUN]
    cdef Py_ssize_t at = 0, index, other, kinds = 0, width
    cdef const uint8_t* run
    for index in range(count):
        run = needles[index].text + needles[index].run
        for other in range(kinds):
            if runs[other][0] == run[0] and runs[other][1] == run[1] and runs[other][2] == run[2]:
                break
        else:
            runs[kinds][0], runs[kinds][1], runs[kinds][2] = run[0], run[1], run[2]
            kinds += 1
    size -= RUN - 1
    while at < size:
        width = BLOCK if size - at >= BLOCK else size - at
        for index in range(kinds):
            if _has_run(text + at, width, runs[index]):
                _compare(text, size + RUN - 1, at, width, runs[index], needles, count)
        at += width


cdef bint _has_run(const Character* text, Py_ssize_t width, const uint8_t* run) noexcept:
    cdef Character found = 0, first = run[0], second = run[1], third = run[2]
    cdef Py_ssize_t at
    if width == BLOCK:
        for at in range(BLOCK):
            found |= (text[at] == first) & (text[at + 1] == second) & (text[at + 2] == third)
        return found
    for at in range(width):
        found |= (text[at] == first) & (text[at + 1] == second) & (text[at + 2] == third)
    return found


cdef void _compare(
    const Character* text, Py_ssize_t size, Py_ssize_t at, Py_ssize_t width, const uint8_t* run, Needle* needles,
    Py_ssize_t count,
) noexcept:
    """Look for the strings that have a run, which begins somewhere in a part of a text."""
    cdef Py_ssize_t index, start, place, begin
    cdef Needle* needle
    for begin in range(at, at + width):
        if text[begin] != run[0] or text[begin + 1] != run[1] or text[begin + 2] != run[2]:
            continue
        for index in range(count):
            needle = &needles[index]
            start = begin - needle.run
            if needle.place >= 0 or start < 0 or start + needle.size > size:
                continue
            place = 0
            while place < needle.size and text[start + place] == needle.text[place]:
                place += 1
            if place == needle.size:
                needle.place = start


def count_brackets(str text not None):
    """How many opening brackets a source has."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    if kind == 1:
        return _count(<const uint8_t*> data, len(text))
    if kind == 2:
        return _count(<const uint16_t*> data, len(text))
    return _count(<const uint32_t*> data, len(text))


cdef Py_ssize_t _count(const Character* text, Py_ssize_t size) noexcept:
    cdef Py_ssize_t at = 0, place, width, count = 0
    cdef Character found
    while at < size:
        # As many as a sum of the size of a character can count: the processor adds up many of them at once.
        width = BLOCK if size - at >= BLOCK else size - at
        found = 0
        for place in range(at, at + width):
            found += text[place] == 60
        count += found
        at += width
    return count
