# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# The words of a page's texts, numbered together: what all fingerprints of its blocks begin with.

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport uint8_t
from libc.string cimport memcpy

from .western_text cimport Folding, folded, may_be_long, western_length
from .word_table cimport Words, number_words

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)


cdef inline list chosen_texts(
    list texts, const uint8_t* wanted, Py_ssize_t least, object other, Py_ssize_t* size
):
    """Place, text and, where it is folded by ``other``, its bytes: for texts that may have so many words, and for those
    that are wanted all the same. ``size`` becomes the bytes of all of them."""
    cdef Py_ssize_t index, length
    cdef str text
    cdef bytes found
    cdef list chosen = []
    size[0] = 0
    for index in range(len(texts)):
        text = texts[index]
        if (wanted != NULL and wanted[index]) or may_be_long(text, least):
            length = PyUnicode_GET_LENGTH(text) if PyUnicode_IS_ASCII(text) else western_length(text)
            found = None if length >= 0 else other(text.replace("\0", " "))
            chosen.append((index, text, found))
            size[0] += length if found is None else PyBytes_GET_SIZE(found)
    return chosen


cdef inline list number_texts(
    list chosen, const Folding* folding, uint8_t* data, Words* words, Py_ssize_t least, Py_ssize_t* terms
):
    """Place, first word and the one behind the last, for each text; ``terms`` becomes the words of those with so many.

    ``data`` and ``words`` have room for all. None where words all meet in one place of the table.
    """
    cdef Py_ssize_t index, length, start, size = 0
    cdef str text
    cdef bytes found
    cdef list ends = []
    terms[0] = 0
    for index, text, found in chosen:
        if found is None:
            length = folded(text, folding, data + size)
        else:
            length = PyBytes_GET_SIZE(found)
            memcpy(data + size, PyBytes_AS_STRING(found), length)
        start = words.count
        if not number_words(words, data + size, length):
            return None
        size += length
        ends.append((index, start, words.count))
        terms[0] += words.count - start if words.count - start >= least else 0
    return ends
