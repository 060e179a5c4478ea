# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# The words of texts in numbers, each distinct one with its digest.

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy

from .xxhash64 cimport xxh64

cdef enum:
    PATIENCE = 16  # steps through the table per word, on average, before it counts as an attack on the table


cdef inline bint is_blank(uint8_t byte) noexcept nogil:
    return byte == 32 or 9 <= byte <= 13


cdef inline uint64_t mixed_bytes(const uint8_t* data, Py_ssize_t size) noexcept nogil:
    """A hash of a word for the table alone."""
    cdef uint64_t hashed = 0xCBF29CE484222325ULL, part
    cdef Py_ssize_t index
    while size > 8:
        memcpy(&part, data, 8)
        hashed = (hashed ^ part) * 0x9E3779B97F4A7C15ULL
        hashed ^= hashed >> 32
        data += 8
        size -= 8
    part = 0
    for index in range(size):
        part = part << 8 | data[index]
    hashed = (hashed ^ part) * 0x9E3779B97F4A7C15ULL
    return hashed ^ hashed >> 32


cdef struct Words:
    uint64_t capacity
    int32_t* table
    const uint8_t** begin
    Py_ssize_t* length
    uint64_t* digest
    int64_t* number
    Py_ssize_t count  # words that were numbered
    Py_ssize_t known  # distinct ones
    Py_ssize_t steps


cdef inline bint room_for(Words* words, Py_ssize_t most) noexcept nogil:
    """Room for so many words; whether there is."""
    words.capacity = 16
    while words.capacity < 2 * <uint64_t>most:
        words.capacity *= 2
    words.count = words.known = words.steps = 0
    words.table = <int32_t*>calloc(words.capacity, sizeof(int32_t))
    words.begin = <const uint8_t**>malloc(most * sizeof(uint8_t*))
    words.length = <Py_ssize_t*>malloc(most * sizeof(Py_ssize_t))
    words.digest = <uint64_t*>malloc(most * sizeof(uint64_t))
    words.number = <int64_t*>malloc(most * sizeof(int64_t))
    return not (
        words.table == NULL
        or words.begin == NULL
        or words.length == NULL
        or words.digest == NULL
        or words.number == NULL
    )


cdef inline void give_back(Words* words) noexcept nogil:
    free(words.table)
    free(words.begin)
    free(words.length)
    free(words.digest)
    free(words.number)


cdef inline bint number_words(Words* words, const uint8_t* data, Py_ssize_t size) noexcept nogil:
    """Number what white space separates; the text has to stay. False where all meet in one place of the table."""
    cdef Py_ssize_t place = 0, start, length
    cdef uint64_t slot, hashed
    cdef int32_t found
    while place < size:
        if is_blank(data[place]):
            place += 1
            continue
        start = place
        while place < size and not is_blank(data[place]):
            place += 1
        length = place - start
        hashed = mixed_bytes(data + start, length)
        slot = hashed & (words.capacity - 1)
        while True:
            found = words.table[slot]
            if found == 0:
                words.begin[words.known] = data + start
                words.length[words.known] = length
                words.digest[words.known] = xxh64(data + start, length)
                words.known += 1
                words.table[slot] = found = <int32_t>words.known
                break
            if words.length[found - 1] == length and not memcmp(words.begin[found - 1], data + start, length):
                break
            slot = (slot + 1) & (words.capacity - 1)
            words.steps += 1
        words.number[words.count] = found - 1
        words.count += 1
        if words.steps > PATIENCE * (words.count + 64):
            return False
    return True
