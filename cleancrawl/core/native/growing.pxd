# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# Arrays and a table that grow.

from cpython.mem cimport PyMem_Calloc, PyMem_Free, PyMem_Malloc, PyMem_Realloc
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy


cdef struct Numbers:
    int64_t* items
    Py_ssize_t size
    Py_ssize_t room


cdef struct Bytes:
    char* items
    Py_ssize_t size
    Py_ssize_t room


# Numbers by key, with open addressing; the key 0 is not used.
cdef struct Table:
    uint64_t* keys
    int64_t* values
    Py_ssize_t size
    Py_ssize_t room


cdef inline int64_t* grown(Numbers* numbers, Py_ssize_t count) except NULL:
    """Room for some more numbers at the end, which is returned."""
    cdef Py_ssize_t room
    cdef int64_t* items
    if numbers.size + count > numbers.room:
        room = 2 * numbers.room + count + 256
        items = <int64_t*> PyMem_Realloc(numbers.items, room * sizeof(int64_t))
        if items is NULL:
            raise MemoryError
        numbers.items, numbers.room = items, room
    items = numbers.items + numbers.size
    numbers.size += count
    return items


cdef inline int append(Bytes* text, const char* data, Py_ssize_t size) except -1:
    cdef Py_ssize_t room
    cdef char* items
    if text.size + size > text.room:
        room = 2 * text.room + size + 1024
        items = <char*> PyMem_Realloc(text.items, room)
        if items is NULL:
            raise MemoryError
        text.items, text.room = items, room
    memcpy(text.items + text.size, data, size)
    text.size += size
    return 0


cdef inline int64_t setdefault(Table* table, uint64_t key, int64_t value) except -1:
    cdef Table larger
    cdef Py_ssize_t slot, index
    if 2 * table.size >= table.room:
        larger.room, larger.size = max(2 * table.room, 512), 0
        larger.keys = <uint64_t*> PyMem_Calloc(larger.room, sizeof(uint64_t))
        larger.values = <int64_t*> PyMem_Malloc(larger.room * sizeof(int64_t))
        if larger.keys is NULL or larger.values is NULL:
            PyMem_Free(larger.keys)
            PyMem_Free(larger.values)
            raise MemoryError
        for index in range(table.room):
            if table.keys[index]:
                setdefault(&larger, table.keys[index], table.values[index])
        PyMem_Free(table.keys)
        PyMem_Free(table.values)
        table[0] = larger
    slot = (key * <uint64_t> 0x9E3779B97F4A7C15ULL >> 32) & (table.room - 1)
    while table.keys[slot]:
        if table.keys[slot] == key:
            return table.values[slot]
        slot = (slot + 1) & (table.room - 1)
    table.keys[slot], table.values[slot] = key, value
    table.size += 1
    return value


cdef inline void by_column(const Numbers* numbers, int64_t[:, ::1] columns) noexcept:
    """Numbers that lie record by record, put column by column."""
    cdef const int64_t* facts = numbers.items
    cdef Py_ssize_t record, column
    for record in range(columns.shape[1]):
        for column in range(columns.shape[0]):
            columns[column, record] = facts[column]
        facts += columns.shape[0]
