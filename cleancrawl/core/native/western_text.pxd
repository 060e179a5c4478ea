# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# Texts of Western Europe, in UTF-8 and in lower letters, without the tables of Unicode.

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memset

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)
    void* PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    int PyUnicode_KIND(object text)
    uint32_t PyUnicode_READ(int kind, void* data, Py_ssize_t place)


cdef inline int western_size(uint32_t character) noexcept nogil:
    """Bytes of a character in UTF-8, where it is in ASCII, such a letter, or a mark that typographers put between them.

    0 for all others: to fold these takes the whole of Unicode. Of the marks none is white space, letter or digit.
    """
    if character < 0x80:
        return 1
    if 0xC0 <= character <= 0xFF:
        return 0 if character == 0xD7 or character == 0xF7 else 2
    if character == 0xA3 or character == 0xA7 or character == 0xA9 or character == 0xAB or character == 0xBB:
        return 2
    return 3 if 0x2010 <= character <= 0x2027 or character == 0x20AC else 0


cdef inline Py_ssize_t western_length(str text):
    """Bytes of a text in UTF-8; −1 where it has other characters."""
    cdef Py_ssize_t length = 0, place
    cdef int kind = PyUnicode_KIND(text), size
    cdef void* data = PyUnicode_DATA(text)
    for place in range(PyUnicode_GET_LENGTH(text)):
        size = western_size(PyUnicode_READ(kind, data, place))
        if not size:
            return -1
        length += size
    return length


cdef inline Py_ssize_t put(uint32_t character, uint8_t* target) noexcept nogil:
    """Write one of these characters in UTF-8, letters above ASCII lower; how many bytes it has."""
    if character < 0x80:
        target[0] = <uint8_t>character
        return 1
    if character < 0x800:
        if 0xC0 <= character <= 0xDE:
            character += 32
        target[0] = <uint8_t>(0xC0 | character >> 6)
        target[1] = <uint8_t>(0x80 | character & 63)
        return 2
    target[0] = <uint8_t>(0xE0 | character >> 12)
    target[1] = <uint8_t>(0x80 | character >> 6 & 63)
    target[2] = <uint8_t>(0x80 | character & 63)
    return 3


cdef inline bint may_be_long(str text, Py_ssize_t least):
    """Whether a text may have so many words; scripts without spaces have a word per character."""
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(text), place, blanks = 0
    cdef const uint8_t* data
    if size < least or not PyUnicode_IS_ASCII(text):
        return size >= least
    data = <const uint8_t*>PyUnicode_DATA(text)
    for place in range(size):
        blanks += data[place] == 32
    return blanks >= least - 1


cdef enum:
    APOSTROPHE = 0x2019  # as typographers set it
    FIRST_MARK = 0x2010
    MARKS = 24  # to 0x2027, as texts of Western Europe have them

cdef struct Folding:
    # What becomes of each byte of ASCII, and which of the characters above it part words.
    uint8_t[128] table
    uint8_t[256] latin
    uint8_t[MARKS] marks


cdef inline int prepare(Folding* folding, bytes edges, str marks) except -1:
    """``edges`` says by which bytes punctuation becomes white space, ``marks`` are characters above ASCII that do."""
    cdef const uint8_t* table = <const uint8_t*>PyBytes_AS_STRING(edges)
    cdef int byte
    cdef uint32_t mark
    cdef str character
    if PyBytes_GET_SIZE(edges) != 256:
        raise ValueError("a table of bytes has 256 of them")
    memset(folding, 0, sizeof(Folding))
    for byte in range(128):
        folding.table[byte] = table[byte + 32 if 65 <= byte <= 90 else byte] if byte else 32
    for character in marks:
        mark = <uint32_t>PyUnicode_READ(PyUnicode_KIND(character), PyUnicode_DATA(character), 0)
        if 0x80 <= mark < 0x100:
            folding.latin[mark] = True
        elif FIRST_MARK <= mark < FIRST_MARK + MARKS:
            folding.marks[mark - FIRST_MARK] = True
    return 0


cdef inline Py_ssize_t folded(str text, const Folding* folding, uint8_t* data):
    """Write a text of Western Europe with blanks between its words, in lower letters; how many bytes it has."""
    cdef Py_ssize_t place, length = 0, size = PyUnicode_GET_LENGTH(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef void* source = PyUnicode_DATA(text)
    cdef uint32_t character
    if PyUnicode_IS_ASCII(text):
        for place in range(size):
            data[place] = folding.table[(<const uint8_t*>source)[place]]
        return size
    for place in range(size):
        character = PyUnicode_READ(kind, source, place)
        if character < 0x80:
            data[length] = folding.table[character]
            length += 1
        elif character < 0x100 and folding.latin[character] or (
            FIRST_MARK <= character < FIRST_MARK + MARKS and folding.marks[character - FIRST_MARK]
        ):
            data[length] = folding.table[32]
            length += 1
        elif character == APOSTROPHE:
            data[length] = folding.table[39]
            length += 1
        else:
            length += put(character, data + length)
    return length
