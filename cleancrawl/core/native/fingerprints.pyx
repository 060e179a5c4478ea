# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Words in numbers, and fingerprints: twins of functions in ``core/fingerprints``."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.math cimport rint
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from .numbered_texts cimport chosen_texts, number_texts
from .run_minima cimport big_endian
from .term_places cimport Places, give_places_back, room_for_places
from .western_text cimport Folding, folded, prepare, put, western_length
from .word_table cimport Words, give_back, is_blank, number_words, room_for
from .xxhash64 cimport xxh64

import numpy as np

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)
    void* PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    int PyUnicode_KIND(object text)
    uint32_t PyUnicode_READ(int kind, void* data, Py_ssize_t place)

cdef enum:
    BITS = 64

cdef double FIXED_POINT = 4294967296.0

# A division takes longer than all else that is done about a pair.
cdef enum:
    FEW_RECIPROCALS = 64
cdef double[FEW_RECIPROCALS] RECIPROCALS
cdef int NUMBER
for NUMBER in range(1, FEW_RECIPROCALS):
    RECIPROCALS[NUMBER] = 1.0 / NUMBER

# For each byte a row of eight weights that are all ones or zeros: 64 sums then take no shift each.
cdef int64_t[256][8] BYTE_MASKS
cdef int BYTE, BIT
for BYTE in range(256):
    for BIT in range(8):
        BYTE_MASKS[BYTE][BIT] = -(BYTE >> BIT & 1)


# Each byte of a text in ASCII as keys have it, letters lower, all white space 32; and what it is.
cdef enum:
    DIGIT = 1
    LETTER = 2

cdef uint8_t[256] FOLDED
cdef uint8_t[256] KIND
for BYTE in range(256):
    FOLDED[BYTE] = 32 if is_blank(BYTE) or 28 <= BYTE <= 31 else BYTE + 32 if 65 <= BYTE <= 90 else BYTE
    KIND[BYTE] = DIGIT if 48 <= BYTE <= 57 else LETTER if 97 <= BYTE <= 122 else 0


# The letters of Western Europe above ASCII: no other character here has this as its first byte in UTF-8.
KIND[0xC3] = LETTER


cdef uint64_t exact_key(const uint8_t* data, Py_ssize_t size, uint8_t* found, Py_ssize_t few) noexcept nogil:
    """The key of a text in UTF-8; ``found`` has room for two such texts. Above ASCII its letters are lower."""
    cdef Py_ssize_t place, length = 0, blanks = 0, short = 0
    cdef bint in_number = False
    cdef uint8_t byte, kinds = 0
    for place in range(size):
        byte = FOLDED[data[place]]
        if byte == 32:
            if not length or found[length - 1] == 32:
                continue
            blanks += 1
        found[length] = byte
        length += 1
        kinds |= KIND[byte]
    if length and found[length - 1] == 32:
        length -= 1
        blanks -= 1
    if blanks >= few or kinds != DIGIT | LETTER:
        return xxh64(found, length)
    cdef uint8_t* masked = found + size
    for place in range(length):
        byte = found[place]
        if KIND[byte] == DIGIT:
            if in_number:
                continue
            byte = 48
            in_number = True
        else:
            in_number = False
        masked[short] = byte
        short += 1
    return xxh64(masked, short)


def exact_keys(list texts not None, Py_ssize_t few, object other):
    """One key per text; ``other`` makes it of a text with characters that are folded in Python."""
    cdef Py_ssize_t most = 1, size, place, index
    cdef int kind
    cdef void* data
    cdef str text
    cdef uint64_t[::1] keys
    for text in texts:
        most = max(most, PyUnicode_GET_LENGTH(text) * (1 if PyUnicode_IS_ASCII(text) else 3))
    cdef uint8_t* found = <uint8_t*>malloc(3 * most)
    if found == NULL:
        raise MemoryError
    cdef uint8_t* folded = found + 2 * most
    try:
        made = np.empty(len(texts), dtype=np.uint64)
        keys = made
        for index in range(len(texts)):
            text = texts[index]
            data = PyUnicode_DATA(text)
            if PyUnicode_IS_ASCII(text):
                keys[index] = exact_key(<const uint8_t*>data, PyUnicode_GET_LENGTH(text), found, few)
            elif western_length(text) < 0:
                keys[index] = other(text)
            else:
                kind, size = PyUnicode_KIND(text), 0
                for place in range(PyUnicode_GET_LENGTH(text)):
                    size += put(PyUnicode_READ(kind, data, place), folded + size)
                keys[index] = exact_key(folded, size, found, few)
        return made
    finally:
        free(found)


cdef object numbers_and_digests(Words* words):
    cdef Py_ssize_t place
    cdef int byte
    cdef uint8_t* data
    cdef int64_t[::1] target
    numbers = np.empty(words.count, dtype=np.int64)
    if words.count:
        target = numbers
        memcpy(&target[0], words.number, words.count * sizeof(int64_t))
    digests = PyBytes_FromStringAndSize(NULL, 8 * words.known)
    data = <uint8_t*>PyBytes_AS_STRING(digests)
    for place in range(words.known):
        for byte in range(8):
            data[8 * place + byte] = <uint8_t>(words.digest[place] >> 8 * (7 - byte))
    return numbers, digests


def word_digests(str text not None, bytes edges not None, str marks not None, object other):
    """Numbers and digests of words; None where the words of a text all meet in one place of the table.

    ``edges``, ``marks`` and ``other`` are as for ``stored_prints``.
    """
    cdef Words words
    cdef Py_ssize_t size = western_length(text)
    cdef Folding folding
    cdef uint8_t* data = NULL
    cdef const uint8_t* source
    cdef bytes found = b""
    memset(&words, 0, sizeof(Words))
    try:
        if size < 0 or "\0" in text:
            found = other(text)
            source, size = <const uint8_t*>PyBytes_AS_STRING(found), PyBytes_GET_SIZE(found)
        else:
            data = <uint8_t*>malloc(size + 1)
            if data == NULL:
                raise MemoryError
            prepare(&folding, edges, marks)
            size = folded(text, &folding, data)
            source = data
        if not room_for(&words, size // 2 + 1):
            raise MemoryError
        return numbers_and_digests(&words) if number_words(&words, source, size) else None
    finally:
        free(data)
        give_back(&words)


cdef inline void add_bits(int64_t* ones, uint64_t digest, int64_t weight) noexcept nogil:
    cdef int byte, bit
    cdef const int64_t* masks
    for byte in range(8):
        masks = BYTE_MASKS[digest & 255]
        for bit in range(8):
            ones[bit] += weight & masks[bit]
        ones += 8
        digest >>= 8


cdef inline uint64_t heavier(const int64_t* ones, int64_t total) noexcept nogil:
    """The bits that outweigh their absence."""
    cdef uint64_t value = 0
    cdef int bit
    for bit in range(BITS):
        if 2 * ones[bit] > total:
            value |= <uint64_t>1 << bit
    return value


cdef uint64_t counted_print(const int64_t* counts, Py_ssize_t size, const uint64_t* digests) noexcept nogil:
    """The simhash of terms that weigh as much as they are often."""
    cdef int64_t[BITS] ones
    cdef int64_t total = 0
    cdef Py_ssize_t index
    for index in range(BITS):
        ones[index] = 0
    for index in range(size):
        if counts[index]:
            add_bits(ones, digests[index], counts[index])
            total += counts[index]
    return heavier(ones, total)


cdef uint64_t* numbers_of(bytes digests, Py_ssize_t size) except NULL:
    """So many digests as numbers, for the caller to free."""
    cdef const uint8_t* data = <const uint8_t*>PyBytes_AS_STRING(digests)
    cdef uint64_t* values = <uint64_t*>malloc((size + 1) * sizeof(uint64_t))
    cdef Py_ssize_t place
    if values == NULL:
        raise MemoryError
    for place in range(size):
        values[place] = big_endian(data + 8 * place)
    return values


def frequency_print(const int64_t[::1] counts not None, bytes digests not None):
    """The simhash of terms that weigh as much as they are often."""
    cdef Py_ssize_t size = counts.shape[0]
    cdef uint64_t* values
    if size * 8 > PyBytes_GET_SIZE(digests):
        raise ValueError("a term has no digest")
    if not size:
        return 0
    values = numbers_of(digests, size)
    try:
        return counted_print(&counts[0], size, values)
    finally:
        free(values)


cdef uint64_t proximity_print(
    const int64_t* term,
    Py_ssize_t start,
    Py_ssize_t end,
    const uint64_t* digests,
    Py_ssize_t window,
    Places* places,
) noexcept nogil:
    """The simhash of the terms from ``start`` to before ``end``. Blocks are to come in their order."""
    cdef Py_ssize_t place, distance, reach, number, distinct = 0
    cdef int64_t[BITS] ones
    cdef int64_t total = 0, fixed
    cdef double pairs
    cdef Py_ssize_t* following = places.following
    cdef Py_ssize_t* previous = places.previous
    for place in range(start, end):
        number = term[place]
        following[place] = end
        if places.last[number] >= start:
            previous[place] = places.last[number]
            following[places.last[number]] = place
        else:
            previous[place] = start - 1
        places.last[number] = place
    for place in range(start, end):
        reach = following[place] - place - 1
        if reach > window:
            reach = window
        pairs = 0.0
        for distance in range(1, reach + 1):
            if previous[place + distance] < place:
                pairs += RECIPROCALS[distance] if distance < FEW_RECIPROCALS else 1.0 / distance
        number = term[place]
        distinct += places.often[number] == 0
        places.often[number] += 1
        places.sums[number] += pairs
    for number in range(BITS):
        ones[number] = 0
    for place in range(start, end):
        number = term[place]
        if places.often[number]:
            # Fixed point, as in the twin: sums of integers do not depend on their order.
            fixed = <int64_t>rint(
                (<double>places.often[number] + places.sums[number]) / <double>distinct * FIXED_POINT
            )
            add_bits(ones, digests[number], fixed)
            total += fixed
            places.often[number] = 0
            places.sums[number] = 0.0
    return heavier(ones, total)


def proximity_prints(
    const int64_t[::1] term not None, const int64_t[::1] sizes not None, bytes digests not None, Py_ssize_t window
):
    """METHODS A5 and A6 with a window, for blocks whose terms lie one block after another."""
    cdef Py_ssize_t count = term.shape[0], vocabulary = PyBytes_GET_SIZE(digests) // 8
    cdef Py_ssize_t block, end, place, total_size = 0
    cdef Places places
    cdef uint64_t* values
    for block in range(sizes.shape[0]):
        if sizes[block] < 0:
            raise ValueError("a block has no terms")
        total_size += sizes[block]
    if total_size != count:
        raise ValueError("sizes and terms differ")
    for place in range(count):
        if not 0 <= term[place] < vocabulary:
            raise ValueError("a term has no digest")
    if not count:
        return [0] * sizes.shape[0]
    memset(&places, 0, sizeof(Places))
    values = numbers_of(digests, vocabulary)
    try:
        if not room_for_places(&places, count, vocabulary):
            raise MemoryError
        prints, end = [], 0
        for block in range(sizes.shape[0]):
            prints.append(proximity_print(&term[0], end, end + sizes[block], values, window, &places))
            end += sizes[block]
        return prints
    finally:
        free(values)
        give_places_back(&places)


def stored_prints(
    list texts not None,
    Py_ssize_t least,
    bytes edges not None,
    str marks not None,
    object other,
    Py_ssize_t window,
    Py_ssize_t budget,
):
    """Fingerprints of the texts, 0 for those with fewer words than ``least``; and which of them have so many.

    ``edges`` is the table of bytes by which punctuation becomes white space, ``marks`` are characters above ASCII that
    do. ``other`` does the same with a text that is folded in Python. None in place of all where there is more to
    compare than the budget allows, and where words all meet in one place of the table.
    """
    cdef Folding folding
    cdef Py_ssize_t size, index, start, end, terms, count = len(texts)
    cdef Words words
    cdef Places places
    cdef uint8_t* data = NULL
    cdef uint64_t[::1] values
    cdef uint8_t[::1] is_long
    prepare(&folding, edges, marks)
    prints, long = np.zeros(count, dtype=np.uint64), np.zeros(count, dtype=np.uint8)
    chosen = chosen_texts(texts, NULL, least, other, &size)
    if not chosen:
        return prints, long.view(np.bool_)
    values, is_long = prints, long
    memset(&words, 0, sizeof(Words))
    memset(&places, 0, sizeof(Places))
    data = <uint8_t*>malloc(size + 1)
    try:
        if data == NULL or not room_for(&words, size // 2 + len(chosen) + 1):
            raise MemoryError
        ends = number_texts(chosen, &folding, data, &words, least, &terms)
        if ends is None or terms * window > budget:
            return None
        if not room_for_places(&places, words.count, words.known):
            raise MemoryError
        for index, start, end in ends:
            if end - start >= least:
                values[index] = proximity_print(words.number, start, end, words.digest, window, &places)
                is_long[index] = True
        return prints, long.view(np.bool_)
    finally:
        free(data)
        give_back(&words)
        give_places_back(&places)
