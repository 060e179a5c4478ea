# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# Digests as numbers, and the least values of hash functions over runs of words.

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc


cdef inline uint64_t big_endian(const uint8_t* data) noexcept nogil:
    cdef uint64_t value = 0
    cdef int index
    for index in range(8):
        value = value << 8 | data[index]
    return value


cdef inline uint64_t mixed(uint64_t value) noexcept nogil:
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9ULL
    value = (value ^ value >> 27) * 0x94D049BB133111EBULL
    return value ^ value >> 31


cdef inline void least_values(
    const uint64_t* runs,
    Py_ssize_t count,
    const uint64_t* masks,
    const uint64_t* multipliers,
    uint64_t* found,
    Py_ssize_t hashes,
) noexcept nogil:
    """Lower what is ``found`` for each function to its least value over the runs."""
    cdef uint64_t run, value
    cdef uint64_t[4] most, times, few
    cdef Py_ssize_t index, place
    cdef int lane
    # Four functions at a time: their least values stay in registers, and none waits for another.
    for index in range(hashes // 4):
        for lane in range(4):
            most[lane], times[lane] = masks[4 * index + lane], multipliers[4 * index + lane]
            few[lane] = found[4 * index + lane]
        for place in range(count):
            run = runs[place]
            for lane in range(4):
                value = (run ^ most[lane]) * times[lane]
                few[lane] = value if value < few[lane] else few[lane]
        for lane in range(4):
            found[4 * index + lane] = few[lane]
    for index in range(hashes // 4 * 4, hashes):
        for place in range(count):
            value = (runs[place] ^ masks[index]) * multipliers[index]
            found[index] = value if value < found[index] else found[index]


cdef inline bint least_of_runs(
    const int64_t* numbers,
    Py_ssize_t count,
    const uint64_t* digests,
    Py_ssize_t shingle,
    const uint64_t* masks,
    const uint64_t* multipliers,
    uint64_t* found,
    Py_ssize_t hashes,
) noexcept nogil:
    """The least value of each function over all runs of so many words, numbers of digests; whether there was room."""
    cdef uint64_t* runs = <uint64_t*>malloc(count * sizeof(uint64_t))
    cdef uint64_t run
    cdef Py_ssize_t place, offset
    if runs == NULL:
        return False
    for place in range(count - shingle + 1):
        run = 0
        for offset in range(shingle):
            run = mixed(run ^ digests[numbers[place + offset]])
        runs[place] = run
    for place in range(hashes):
        found[place] = 0xFFFFFFFFFFFFFFFFULL
    least_values(runs, count - shingle + 1, masks, multipliers, found, hashes)
    free(runs)
    return True
