# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Words in numbers, and fingerprints: twins of functions in ``core/fingerprints``."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.math cimport rint
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp

import numpy as np
from xxhash import xxh64_intdigest

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)
    void* PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)

cdef enum:
    BITS = 64
    PATIENCE = 16  # steps through the table per word, on average, before it counts as an attack on the table

cdef double FIXED_POINT = 4294967296.0


cdef inline bint is_blank(uint8_t byte) noexcept nogil:
    return byte == 32 or 9 <= byte <= 13


cdef bytes masked_text(const uint8_t* data, Py_ssize_t size, uint8_t* found, Py_ssize_t few):
    """What an exact key is made of, from a text in ASCII; ``found`` has room for two such texts."""
    cdef Py_ssize_t place, length = 0, blanks = 0, short = 0
    cdef bint gap = False, digits = False, letters = False, in_number = False
    cdef uint8_t byte
    for place in range(size):
        byte = data[place]
        if is_blank(byte) or 28 <= byte <= 31:
            gap = length > 0
            continue
        if gap:
            found[length] = 32
            length += 1
            blanks += 1
            gap = False
        if 65 <= byte <= 90:
            byte += 32
        found[length] = byte
        length += 1
        digits = digits or 48 <= byte <= 57
        letters = letters or 97 <= byte <= 122
    if blanks >= few or not digits or not letters:
        return PyBytes_FromStringAndSize(<char*>found, length)
    cdef uint8_t* masked = found + size
    for place in range(length):
        byte = found[place]
        if 48 <= byte <= 57:
            if in_number:
                continue
            byte = 48
            in_number = True
        else:
            in_number = False
        masked[short] = byte
        short += 1
    return PyBytes_FromStringAndSize(<char*>masked, short)


def exact_keys(list texts not None, Py_ssize_t few, object other):
    """One key per text; ``other`` makes it of a text that is not in ASCII."""
    cdef Py_ssize_t most = 1
    cdef str text
    for text in texts:
        if PyUnicode_IS_ASCII(text):
            most = max(most, PyUnicode_GET_LENGTH(text))
    cdef uint8_t* found = <uint8_t*>malloc(2 * most)
    if found == NULL:
        raise MemoryError
    try:
        keys = []
        for text in texts:
            if PyUnicode_IS_ASCII(text):
                keys.append(
                    xxh64_intdigest(
                        masked_text(<const uint8_t*>PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text), found, few)
                    )
                )
            else:
                keys.append(other(text))
        return keys
    finally:
        free(found)


def numbered_words(bytes text not None):
    """``numbered(text.split())``; None where the words of a text all meet in one place of the table."""
    cdef const uint8_t* data = <const uint8_t*>PyBytes_AS_STRING(text)
    cdef Py_ssize_t size = PyBytes_GET_SIZE(text), place = 0, count = 0, known = 0, start, length, steps = 0
    cdef Py_ssize_t most = size // 2 + 1
    cdef uint64_t capacity = 16, slot, hashed
    while capacity < 2 * <uint64_t>most:
        capacity *= 2
    cdef int32_t* table = <int32_t*>calloc(capacity, sizeof(int32_t))
    # Where each distinct word begins, and how long it is.
    cdef Py_ssize_t* words = <Py_ssize_t*>malloc(2 * most * sizeof(Py_ssize_t))
    cdef int64_t* numbers = <int64_t*>malloc(most * sizeof(int64_t))
    cdef int32_t found
    cdef int64_t[::1] target
    if table == NULL or words == NULL or numbers == NULL:
        free(table)
        free(words)
        free(numbers)
        raise MemoryError
    try:
        while place < size:
            if is_blank(data[place]):
                place += 1
                continue
            start = place
            hashed = 0xCBF29CE484222325ULL
            while place < size and not is_blank(data[place]):
                hashed = (hashed ^ data[place]) * 0x100000001B3ULL
                place += 1
            length = place - start
            hashed ^= hashed >> 32
            slot = hashed & (capacity - 1)
            while True:
                found = table[slot]
                if found == 0:
                    words[2 * known] = start
                    words[2 * known + 1] = length
                    known += 1
                    table[slot] = found = <int32_t>known
                    break
                if words[2 * found - 1] == length and not memcmp(data + words[2 * found - 2], data + start, length):
                    break
                slot = (slot + 1) & (capacity - 1)
                steps += 1
            numbers[count] = found - 1
            count += 1
            if steps > PATIENCE * (count + 64):
                return None
        vocabulary = [
            PyBytes_FromStringAndSize(<const char*>data + words[2 * number], words[2 * number + 1])
            for number in range(known)
        ]
        result = np.empty(count, dtype=np.int64)
        target = result
        for place in range(count):
            target[place] = numbers[place]
        return vocabulary, result
    finally:
        free(table)
        free(words)
        free(numbers)


cdef inline uint64_t big_endian(const uint8_t* data) noexcept nogil:
    cdef uint64_t value = 0
    cdef int index
    for index in range(8):
        value = value << 8 | data[index]
    return value


cdef inline void add_bits(int64_t* ones, uint64_t digest, int64_t weight) noexcept nogil:
    cdef int bit
    for bit in range(BITS):
        ones[bit] += weight & -<int64_t>(digest >> bit & 1)


cdef inline uint64_t heavier(const int64_t* ones, int64_t total) noexcept nogil:
    """The bits that outweigh their absence."""
    cdef uint64_t value = 0
    cdef int bit
    for bit in range(BITS):
        if 2 * ones[bit] > total:
            value |= <uint64_t>1 << bit
    return value


def frequency_print(const int64_t[::1] counts not None, bytes digests not None):
    """The simhash of terms that weigh as much as they are often."""
    cdef const uint8_t* data = <const uint8_t*>PyBytes_AS_STRING(digests)
    cdef int64_t[BITS] ones
    cdef int64_t total = 0
    cdef Py_ssize_t index
    if counts.shape[0] * 8 > PyBytes_GET_SIZE(digests):
        raise ValueError("a term has no digest")
    for index in range(BITS):
        ones[index] = 0
    for index in range(counts.shape[0]):
        add_bits(ones, big_endian(data + 8 * index), counts[index])
        total += counts[index]
    return heavier(ones, total)


def proximity_prints(
    const int64_t[::1] term not None, const int64_t[::1] sizes not None, bytes digests not None, Py_ssize_t window
):
    """METHODS A5 and A6 with a window, for blocks whose terms lie one block after another."""
    cdef const uint8_t* data = <const uint8_t*>PyBytes_AS_STRING(digests)
    cdef Py_ssize_t count = term.shape[0], vocabulary = PyBytes_GET_SIZE(digests) // 8
    cdef Py_ssize_t block, start, end, place, distance, reach, number, distinct, total_size = 0
    for block in range(sizes.shape[0]):
        if sizes[block] < 0:
            raise ValueError("a block has no terms")
        total_size += sizes[block]
    if total_size != count:
        raise ValueError("sizes and terms differ")
    for place in range(count):
        if not 0 <= term[place] < vocabulary:
            raise ValueError("a term has no digest")
    cdef Py_ssize_t* following = <Py_ssize_t*>malloc((count + 1) * sizeof(Py_ssize_t))
    cdef Py_ssize_t* previous = <Py_ssize_t*>malloc((count + 1) * sizeof(Py_ssize_t))
    # By term: its last place, its occurrences in this block and the sum of their pairs.
    cdef Py_ssize_t* last = <Py_ssize_t*>malloc((vocabulary + 1) * sizeof(Py_ssize_t))
    cdef int64_t* often = <int64_t*>calloc(vocabulary + 1, sizeof(int64_t))
    cdef double* sums = <double*>calloc(vocabulary + 1, sizeof(double))
    cdef int64_t[BITS] ones
    cdef int64_t total, fixed
    cdef double pairs
    if following == NULL or previous == NULL or last == NULL or often == NULL or sums == NULL:
        free(following)
        free(previous)
        free(last)
        free(often)
        free(sums)
        raise MemoryError
    try:
        for number in range(vocabulary):
            last[number] = -1
        prints = []
        end = 0
        for block in range(sizes.shape[0]):
            start, end = end, end + sizes[block]
            for place in range(start, end):
                number = term[place]
                following[place] = end
                if last[number] >= start:
                    previous[place] = last[number]
                    following[last[number]] = place
                else:
                    previous[place] = start - 1
                last[number] = place
            distinct = 0
            for place in range(start, end):
                reach = following[place] - place - 1
                if reach > window:
                    reach = window
                pairs = 0.0
                for distance in range(1, reach + 1):
                    if previous[place + distance] < place:
                        pairs += 1.0 / distance
                number = term[place]
                distinct += often[number] == 0
                often[number] += 1
                sums[number] += pairs
            for number in range(BITS):
                ones[number] = 0
            total = 0
            for place in range(start, end):
                number = term[place]
                if often[number]:
                    # Fixed point, as in the twin: sums of integers do not depend on their order.
                    fixed = <int64_t>rint((<double>often[number] + sums[number]) / <double>distinct * FIXED_POINT)
                    add_bits(ones, big_endian(data + 8 * number), fixed)
                    total += fixed
                    often[number] = 0
                    sums[number] = 0.0
            prints.append(heavier(ones, total))
        return prints
    finally:
        free(following)
        free(previous)
        free(last)
        free(often)
        free(sums)


cdef inline uint64_t mixed(uint64_t value) noexcept nogil:
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9ULL
    value = (value ^ value >> 27) * 0x94D049BB133111EBULL
    return value ^ value >> 31


def least_hashes(
    const int64_t[::1] numbers not None,
    bytes digests not None,
    Py_ssize_t shingle,
    const uint64_t[::1] masks not None,
    const uint64_t[::1] multipliers not None,
):
    """The least value of each hash function over all runs of words."""
    cdef const uint8_t* data = <const uint8_t*>PyBytes_AS_STRING(digests)
    cdef Py_ssize_t count = numbers.shape[0], hashes = masks.shape[0], vocabulary = PyBytes_GET_SIZE(digests) // 8
    cdef Py_ssize_t place, offset, index
    cdef uint64_t run, value
    if multipliers.shape[0] != hashes:
        raise ValueError("masks and multipliers differ")
    for place in range(count):
        if not 0 <= numbers[place] < vocabulary:
            raise ValueError("a word has no digest")
    least = np.full(hashes, np.iinfo(np.uint64).max, dtype=np.uint64)
    cdef uint64_t[::1] found = least
    for place in range(count - shingle + 1):
        run = 0
        for offset in range(shingle):
            run = mixed(run ^ big_endian(data + 8 * numbers[place + offset]))
        for index in range(hashes):
            value = (run ^ masks[index]) * multipliers[index]
            if value < found[index]:
                found[index] = value
    return least
