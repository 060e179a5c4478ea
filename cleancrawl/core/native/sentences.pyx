# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The sentences of a text, each with its digest: the twin of ``sentences_in_python`` in
``report/recurring_sentences.py``."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport uint8_t, uint32_t

from .xxhash64 cimport xxh64

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)
    void* PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    int PyUnicode_KIND(object text)
    uint32_t PyUnicode_READ(int kind, void* data, Py_ssize_t place)
    str PyUnicode_Substring(object text, Py_ssize_t start, Py_ssize_t end)
    bint Py_UNICODE_ISSPACE(uint32_t character)

cdef enum:
    LINE_FEED = 10


cdef inline bint is_mark(uint32_t character, str marks):
    """Most characters of most texts are none, and told by two comparisons."""
    if 0x3F < character < 0x80 or character == 32:
        return False
    return <Py_UCS4>character in marks


def sentences(str text not None, str marks not None, Py_ssize_t shortest, Py_ssize_t longest, Py_ssize_t most):
    """``marks`` are those that end a sentence where white space follows; a line feed ends one in any case."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text), index, place = 0, start = 0, end, parts = 0
    cdef uint32_t character
    cdef dict found = {}
    while parts < most and start <= length:
        # The end of this part, and where the next one begins.
        end, place = length, length + 1
        for index in range(start, length):
            character = PyUnicode_READ(kind, data, index)
            if character == LINE_FEED:
                end, place = index, index + 1
                while place < length and PyUnicode_READ(kind, data, place) == LINE_FEED:
                    place += 1
                break
            if (
                index + 1 < length
                and is_mark(character, marks)
                and Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, index + 1))
            ):
                # A mark belongs to its sentence.
                end, place = index + 1, index + 2
                while place < length and Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, place)):
                    place += 1
                break
        add(found, text, kind, data, start, end, shortest, longest)
        parts += 1
        start = place
    return list(found.items())


cdef int add(
    dict found,
    str text,
    int kind,
    void* data,
    Py_ssize_t start,
    Py_ssize_t end,
    Py_ssize_t shortest,
    Py_ssize_t longest,
) except -1:
    """A part without the white space around it, where it is long enough and was not met before."""
    cdef str sentence
    cdef bytes encoded
    while start < end and Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, start)):
        start += 1
    while end > start and Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, end - 1)):
        end -= 1
    if end - start < shortest:
        return 0
    sentence = PyUnicode_Substring(text, start, min(end, start + longest))
    if sentence not in found:
        if PyUnicode_IS_ASCII(sentence):
            found[sentence] = xxh64(<const uint8_t*>PyUnicode_DATA(sentence), PyUnicode_GET_LENGTH(sentence))
        else:
            encoded = sentence.encode("utf-8", "replace")
            found[sentence] = xxh64(<const uint8_t*>PyBytes_AS_STRING(encoded), PyBytes_GET_SIZE(encoded))
    return 0
