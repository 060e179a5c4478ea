# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Which of many short texts hold one of some strings, and what ends the sentences of a long one: twins of
``SignsInPython`` in ``core/text/text_signs`` and ``sentence_signs_in_python`` in ``core/page_kind``."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    void* PyUnicode_DATA(object text)

ctypedef fused Character:
    uint8_t
    uint16_t
    uint32_t

cdef enum:
    LONGEST = 48
    MOST = 64
    SLOTS = 256


cdef struct Sign:
    Py_ssize_t size, offset, following
    uint32_t rare
    uint32_t text[LONGEST]


cdef class TextSigns:
    """Strings, each filed under its rarest character: hardly any character of a text is one of these."""

    cdef Sign[MOST] signs
    cdef Py_ssize_t[SLOTS] first

    def __init__(self, signs, rarest):
        """``rarest`` are the places of the characters that each is filed under."""
        cdef Py_ssize_t index = 0, place
        cdef Sign* sign
        for place in range(SLOTS):
            self.first[place] = -1
        for text, offset in zip(signs, rarest, strict=True):
            if index == MOST or not 0 <= offset < len(text) <= LONGEST:
                raise ValueError(f"too many strings, or none to look for: {text!r}")
            sign = &self.signs[index]
            sign.size, sign.offset, sign.rare = len(text), offset, ord(text[offset])
            for place in range(sign.size):
                sign.text[place] = ord(text[place])
            sign.following = self.first[sign.rare % SLOTS]
            self.first[sign.rare % SLOTS] = index
            index += 1

    def holding(self, list texts not None):
        """The numbers of the texts that hold one of the strings, in order."""
        cdef list found = []
        cdef Py_ssize_t number, size
        cdef int kind
        cdef void* data
        cdef bint held
        cdef str text
        for number in range(len(texts)):
            text = texts[number]
            if text is None:
                raise TypeError("None is no text")
            kind, size, data = PyUnicode_KIND(text), len(text), PyUnicode_DATA(text)
            if kind == 1:
                held = _holds(<const uint8_t*> data, size, self.signs, self.first)
            elif kind == 2:
                held = _holds(<const uint16_t*> data, size, self.signs, self.first)
            else:
                held = _holds(<const uint32_t*> data, size, self.signs, self.first)
            if held:
                found.append(number)
        return found


cdef bint _holds(const Character* text, Py_ssize_t size, const Sign* signs, const Py_ssize_t* first) noexcept:
    cdef Py_ssize_t at, index
    for at in range(size):
        index = first[text[at] % SLOTS]
        while index >= 0:
            if signs[index].rare == text[at] and _is_at(text, size, at - signs[index].offset, &signs[index]):
                return True
            index = signs[index].following
    return False


cdef inline bint _is_at(const Character* text, Py_ssize_t size, Py_ssize_t start, const Sign* sign) noexcept:
    cdef Py_ssize_t place
    if start < 0 or start + sign.size > size:
        return False
    for place in range(sign.size):
        if text[start + place] != sign.text[place]:
            return False
    return True


cdef (Py_ssize_t, Py_ssize_t) signs_of(const Character* text, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t place, ends = 0, questions = 0
    cdef uint32_t sign, behind
    for place in range(size):
        sign = text[place]
        # Between these are most letters, and none of the signs.
        if 0x3F < sign < 0x061F:
            continue
        if sign == 0x2E or sign == 0x21 or sign == 0x2026:
            if place + 1 < size:
                behind = text[place + 1]
                ends += behind == 0x20 or behind == 0x0A or behind == 0x09
        elif sign == 0x3F or sign == 0xFF1F or sign == 0x061F:
            questions += 1
        elif sign == 0x3002 or sign == 0xFF01 or sign == 0x06D4 or sign == 0x0964:
            ends += 1
    return ends, questions


def sentence_signs(str text not None):
    """How many signs end a sentence, and how many are question marks."""
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(text)
    cdef int kind = PyUnicode_KIND(text)
    if kind == 1:
        return signs_of(<const uint8_t*> PyUnicode_DATA(text), size)
    if kind == 2:
        return signs_of(<const uint16_t*> PyUnicode_DATA(text), size)
    return signs_of(<const uint32_t*> PyUnicode_DATA(text), size)
