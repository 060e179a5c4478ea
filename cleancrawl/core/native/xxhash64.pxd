# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# xxHash64 with seed 0, by its specification: a call of the package takes longer than most words do.

from libc.stdint cimport uint8_t, uint64_t

cdef extern from *:
    """
    #define PRIME_1 0x9E3779B185EBCA87ULL
    #define PRIME_2 0xC2B2AE3D27D4EB4FULL
    #define PRIME_3 0x165667B19E3779F9ULL
    #define PRIME_4 0x85EBCA77C2B2AE63ULL
    #define PRIME_5 0x27D4EB2F165667C5ULL
    """
    const uint64_t PRIME_1, PRIME_2, PRIME_3, PRIME_4, PRIME_5


cdef inline uint64_t turned(uint64_t value, int bits) noexcept nogil:
    return value << bits | value >> (64 - bits)


cdef inline uint64_t little_endian(const uint8_t* data, int size) noexcept nogil:
    cdef uint64_t value = 0
    cdef int index
    for index in range(size):
        value |= <uint64_t>data[index] << 8 * index
    return value


cdef inline uint64_t one_round(uint64_t sum, uint64_t lane) noexcept nogil:
    return turned(sum + lane * PRIME_2, 31) * PRIME_1


cdef inline uint64_t xxh64(const uint8_t* data, Py_ssize_t size) noexcept nogil:
    cdef const uint8_t* end = data + size
    cdef uint64_t value = PRIME_5
    cdef uint64_t[4] lanes
    cdef int lane
    if size >= 32:
        lanes[0] = PRIME_1 + PRIME_2
        lanes[1] = PRIME_2
        lanes[2] = 0
        lanes[3] = 0 - PRIME_1
        while end - data >= 32:
            for lane in range(4):
                lanes[lane] = one_round(lanes[lane], little_endian(data, 8))
                data += 8
        value = turned(lanes[0], 1) + turned(lanes[1], 7) + turned(lanes[2], 12) + turned(lanes[3], 18)
        for lane in range(4):
            value = (value ^ one_round(0, lanes[lane])) * PRIME_1 + PRIME_4
    value += <uint64_t>size
    while end - data >= 8:
        value = turned(value ^ one_round(0, little_endian(data, 8)), 27) * PRIME_1 + PRIME_4
        data += 8
    if end - data >= 4:
        value = turned(value ^ little_endian(data, 4) * PRIME_1, 23) * PRIME_2 + PRIME_3
        data += 4
    while data < end:
        value = turned(value ^ data[0] * PRIME_5, 11) * PRIME_1
        data += 1
    value = (value ^ value >> 33) * PRIME_2
    value = (value ^ value >> 29) * PRIME_3
    return value ^ value >> 32
