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
    RARE = 3
    BLOCK = 256
    PART = 16 * BLOCK


cdef struct Needle:
    Py_ssize_t size, probe, offset
    uint8_t text[LONGEST]


cdef struct Probe:
    Py_ssize_t reach
    Py_ssize_t places[RARE]
    uint8_t characters[RARE]


cdef class Needles:
    """Strings of ASCII, each with a probe: two or three of its characters, apart from each other, that other text
    seldom has so. The processor compares many characters of a source at once with these, and hardly any part of a
    source needs a second look."""

    cdef Py_ssize_t count, kinds
    cdef Needle[MOST] needles
    cdef Probe[MOST] probes

    def __init__(self, needles, probes):
        """A probe is the place of its first character in a string, and what stands from there on; ``\0`` is any
        character."""
        cdef Py_ssize_t place
        cdef dict known = {}
        cdef Needle* needle
        for text, (offset, probe) in zip(needles, probes, strict=True):
            encoded = text.encode("ascii")
            if not 0 < len(encoded) <= LONGEST or not _fits(encoded[offset:], probe.encode("ascii")):
                raise ValueError(f"no string to look for: {text!r}")
            if self.count == MOST:
                raise ValueError("too many strings")
            if probe not in known:
                known[probe] = self.kinds
                _set_probe(&self.probes[self.kinds], probe.encode("ascii"))
                self.kinds += 1
            needle = &self.needles[self.count]
            needle.size, needle.probe, needle.offset = len(encoded), known[probe], offset
            for place in range(needle.size):
                needle.text[place] = encoded[place]
            self.count += 1

    def first_places(self, str text not None):
        """Where each string is first found, -1 where it is not."""
        cdef int kind = PyUnicode_KIND(text)
        cdef void* data = PyUnicode_DATA(text)
        cdef Py_ssize_t places[MOST]
        cdef Py_ssize_t index
        for index in range(self.count):
            places[index] = -1
        if kind == 1:
            _look(<const uint8_t*> data, len(text), self, places, None, 0)
        elif kind == 2:
            _look(<const uint16_t*> data, len(text), self, places, None, 0)
        else:
            _look(<const uint32_t*> data, len(text), self, places, None, 0)
        return [places[index] for index in range(self.count)]

    def places(self, str text not None, Py_ssize_t most):
        """Where each string is found, no more than some places of each."""
        cdef int kind = PyUnicode_KIND(text)
        cdef void* data = PyUnicode_DATA(text)
        cdef Py_ssize_t first[MOST]
        cdef Py_ssize_t index
        cdef list found = [[] for index in range(self.count)]
        for index in range(self.count):
            first[index] = -1
        if kind == 1:
            _look(<const uint8_t*> data, len(text), self, first, found, most)
        elif kind == 2:
            _look(<const uint16_t*> data, len(text), self, first, found, most)
        else:
            _look(<const uint32_t*> data, len(text), self, first, found, most)
        return found


def _fits(bytes text not None, bytes probe not None):
    """Whether a probe has its number of characters, at its ends too, and a text begins with it."""
    rare = [character for character in probe if character]
    return (
        2 <= len(rare) <= RARE
        and not probe.startswith(b"\0")
        and not probe.endswith(b"\0")
        and len(probe) <= len(text)
        and all(not character or character == text[place] for place, character in enumerate(probe))
    )


cdef void _set_probe(Probe* probe, bytes characters):
    cdef Py_ssize_t place, found = 0
    probe.reach = len(characters) - 1
    for place in range(len(characters)):
        if characters[place]:
            probe.places[found], probe.characters[found] = place, characters[place]
            found += 1
    # One of two characters is compared again in place of a third.
    if found < RARE:
        probe.places[found], probe.characters[found] = probe.places[0], probe.characters[0]


cdef int _look(
    const Character* text, Py_ssize_t size, Needles needles, Py_ssize_t* places, list found, Py_ssize_t most
) except -1:
    cdef uint8_t room[PART + LONGEST]
    cdef const uint8_t* part
    cdef Py_ssize_t at = 0, begin, index, width, whole, count
    while at < size:
        width = PART if size - at > PART else size - at
        whole = PART + LONGEST if size - at > PART + LONGEST else size - at
        if Character is uint8_t:
            part = text + at
        else:
            # Twice as many characters at once are compared as bytes; what needs more is in no string.
            for index in range(whole):
                room[index] = <uint8_t> (text[at + index] if text[at + index] < 255 else 255)
            part = room
        for begin in range(0, width, BLOCK):
            for index in range(needles.kinds):
                count = whole - begin - needles.probes[index].reach
                count = BLOCK if count > BLOCK else count
                if count > 0 and _is_in(part + begin, count, &needles.probes[index]):
                    _compare(text, size, at + begin, count, index, needles, places, found, most)
        at += width
    return 0


cdef bint _is_in(const uint8_t* text, Py_ssize_t count, const Probe* probe) noexcept:
    """Whether a probe begins at one of so many characters."""
    cdef uint8_t found = 0, first = probe.characters[0], second = probe.characters[1], third = probe.characters[2]
    cdef const uint8_t* later = text + probe.places[1]
    cdef const uint8_t* last = text + probe.places[2]
    cdef Py_ssize_t at
    if count < BLOCK:
        for at in range(count):
            found |= (text[at] == first) & (later[at] == second) & (last[at] == third)
    elif not probe.places[2]:
        for at in range(BLOCK):
            found |= (text[at] == first) & (later[at] == second)
    else:
        for at in range(BLOCK):
            found |= (text[at] == first) & (later[at] == second) & (last[at] == third)
    return found


cdef int _compare(
    const Character* text, Py_ssize_t size, Py_ssize_t at, Py_ssize_t count, Py_ssize_t kind, Needles needles,
    Py_ssize_t* places, list found, Py_ssize_t most,
) except -1:
    """Look for the strings with a probe, which begins somewhere among some characters."""
    cdef Py_ssize_t index, start, place, begin
    cdef const Needle* needle
    cdef const Probe* probe = &needles.probes[kind]
    for begin in range(at, at + count):
        if text[begin] != probe.characters[0] or text[begin + probe.places[1]] != probe.characters[1]:
            continue
        for index in range(needles.count):
            needle = &needles.needles[index]
            start = begin - needle.offset
            if needle.probe != kind or start < 0 or start + needle.size > size:
                continue
            if places[index] >= 0 and (found is None or len(<list> found[index]) >= most):
                continue
            place = 0
            while place < needle.size and text[start + place] == needle.text[place]:
                place += 1
            if place < needle.size:
                continue
            if places[index] < 0:
                places[index] = start
            if found is not None and len(<list> found[index]) < most:
                (<list> found[index]).append(start)
    return 0


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
