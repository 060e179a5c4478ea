# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What is known of a site's blocks, in memory: the twin of ``RowsInPython`` in ``stores/sqlite/site_rows.py``."""

from cpython.mem cimport PyMem_Calloc, PyMem_Free, PyMem_Realloc
from libc.stdint cimport int32_t, int64_t, uint64_t

from .growing cimport Numbers, grown

import os

import numpy as np

cdef uint64_t SEED = int.from_bytes(os.urandom(8), "little")  # no page can tell which keys meet in a table

cdef extern from *:
    """
    #ifdef _MSC_VER
    #include <intrin.h>
    #define BITS_SET(value) ((int)__popcnt64(value))
    #else
    #define BITS_SET(value) __builtin_popcountll(value)
    #endif
    """
    int BITS_SET(uint64_t value) nogil

cdef enum:
    BANDS = 4
    SMALLEST = 64
    COLUMNS = 10

cdef enum:
    THERE = 1  # the site has the block …
    NEW = 2  # … and the sorted tables have it not yet
    CHANGED = 4  # nor as it is now
    SAMPLED = 8
    LONG = 16  # it has a fingerprint


cdef struct Row:
    int64_t key, near, articles, others, first, last, sections, squares, seen
    int64_t flags


cdef struct Print:
    int64_t near, key
    int32_t[BANDS] following


cdef inline uint64_t scattered(uint64_t value) noexcept nogil:
    return (value ^ SEED) * <uint64_t>0x9E3779B97F4A7C15ULL >> 32


cdef class Rows:
    """Rows in the order in which they were first asked for, found by open addressing."""

    cdef Row* rows
    cdef int32_t* slots
    cdef Py_ssize_t size, room, slot_count
    cdef Numbers touched  # rows that are new or changed
    cdef Print* prints
    cdef int32_t* heads
    cdef Py_ssize_t print_count, print_room, written

    def __dealloc__(self):
        PyMem_Free(self.rows)
        PyMem_Free(self.slots)
        PyMem_Free(self.touched.items)
        PyMem_Free(self.prints)
        PyMem_Free(self.heads)

    def __len__(self):
        return self.size

    cdef Row* find(self, int64_t key) noexcept:
        """NULL where the key was never asked for."""
        cdef uint64_t slot
        if not self.size:
            return NULL
        slot = scattered(<uint64_t>key) & (self.slot_count - 1)
        while self.slots[slot]:
            if self.rows[self.slots[slot] - 1].key == key:
                return &self.rows[self.slots[slot] - 1]
            slot = (slot + 1) & (self.slot_count - 1)
        return NULL

    cdef Row* found(self, int64_t key) noexcept:
        """NULL where the site does not have it."""
        cdef Row* row = self.find(key)
        return row if row != NULL and row.flags & THERE else NULL

    cdef Row* made(self, int64_t key) except NULL:
        """The row of a key, with zeros where there was none. Others may move."""
        cdef Row* row = self.find(key)
        if row != NULL:
            return row
        if self.size == self.room:
            self.make_room()
        row = &self.rows[self.size]
        row[0] = Row(key=key, near=0, articles=0, others=0, first=0, last=0, sections=0, squares=0, seen=0, flags=0)
        self.file(self.size)
        self.size += 1
        return row

    cdef inline void file(self, Py_ssize_t number) noexcept:
        cdef uint64_t slot = scattered(<uint64_t>self.rows[number].key) & (self.slot_count - 1)
        while self.slots[slot]:
            slot = (slot + 1) & (self.slot_count - 1)
        self.slots[slot] = <int32_t>number + 1

    cdef int make_room(self) except -1:
        cdef Py_ssize_t room = max(2 * self.room, SMALLEST), number
        cdef int32_t* slots
        cdef Row* rows = <Row*>PyMem_Realloc(self.rows, room * sizeof(Row))
        if rows == NULL:
            raise MemoryError
        self.rows = rows
        slots = <int32_t*>PyMem_Calloc(2 * room, sizeof(int32_t))
        if slots == NULL:
            raise MemoryError
        PyMem_Free(self.slots)
        self.slots, self.slot_count, self.room = slots, 2 * room, room
        for number in range(self.size):
            self.file(number)
        return 0

    cdef inline int touch(self, Row* row, int64_t flag) except -1:
        if not row.flags & (NEW | CHANGED):
            grown(&self.touched, 1)[0] = row - self.rows
        row.flags |= flag
        return 0

    def missing(self, keys):
        cdef int64_t key
        cdef list missed = []
        for known in keys:
            key = known
            if self.find(key) == NULL:
                missed.append(known)
        return missed

    def absent(self, keys):
        for key in keys:
            self.made(key)

    def put(self, rows):
        cdef Row* row
        for key, articles, others, first, last, sections, squares, seen, sampled in rows:
            row = self.made(key)
            row.articles, row.others, row.first, row.last = articles, others, first, last
            row.sections, row.squares, row.seen = sections, squares, seen
            row.flags = THERE | (SAMPLED if sampled else 0)

    def sightings(self, keys, make):
        cdef Row* row
        cdef list found = []
        for key in keys:
            row = self.found(key)
            if row == NULL:
                found.append(None)
            else:
                found.append(
                    make((key, row.articles, row.others, row.first, row.last, row.sections, row.squares))
                )
        return found

    def parted(self, keys):
        cdef list known = [], new = []
        for key in keys:
            (new if self.found(key) == NULL else known).append(key)
        return known, new

    def unsampled(self, keys):
        cdef Row* row
        cdef list found = []
        for key in keys:
            row = self.find(key)
            if row == NULL or not row.flags & SAMPLED:
                found.append(key)
        return found

    def has_samples(self, keys):
        cdef Row* row
        for key in keys:
            row = self.find(key)
            if row != NULL:
                row.flags |= SAMPLED

    def long_ago(self, keys, int64_t before):
        cdef Row* row
        cdef list found = []
        for key in keys:
            row = self.found(key)
            if row != NULL and row.seen < before:
                found.append(key)
        return found

    def add_new(self, int64_t page, int64_t moment, bint article, keys, nears, sections):
        cdef Row* row
        cdef int64_t section
        for key, given in zip(keys, sections, strict=True):
            row, section = self.made(key), given
            row.articles, row.others, row.first, row.last = article, not article, page, page
            row.sections, row.squares, row.seen = section, section * section, moment
            row.flags |= THERE
            self.touch(row, NEW)
        for key, near in zip(keys, nears, strict=False):
            row = self.find(key)
            row.near = near
            row.flags |= LONG
            self.add_print(near, key)

    def count(self, keys, sections, int64_t page, int64_t moment, bint article, int64_t most):
        cdef Row* row
        cdef int64_t section
        for key, given in zip(keys, sections, strict=True):
            row, section = self.found(key), given
            if row == NULL:
                continue
            if row.articles >= most:
                section = 0
            row.articles, row.others = min(row.articles + article, most), min(row.others + 1 - article, most)
            row.last, row.seen = page, max(row.seen, moment)
            row.sections += section
            row.squares += section * section
            self.touch(row, CHANGED)

    def move(self, keys, sections, bint article):
        cdef Row* row
        cdef int64_t section, step = 1 if article else -1
        for key, given in zip(keys, sections, strict=True):
            row, section = self.found(key), given
            if row == NULL:
                continue
            row.articles, row.others = max(0, row.articles + step), max(0, row.others - step)
            row.sections = max(0, row.sections + step * section)
            row.squares = max(0, row.squares + step * section * section)
            self.touch(row, CHANGED)

    def seen_again(self, keys, int64_t moment):
        cdef Row* row
        for key in keys:
            row = self.found(key)
            if row != NULL:
                row.seen = moment
                self.touch(row, CHANGED)

    cdef int add_print(self, int64_t near, int64_t key) except -1:
        cdef Py_ssize_t room, number
        cdef Print* prints
        cdef int32_t* heads
        if self.print_count == self.print_room:
            room = max(2 * self.print_room, SMALLEST)
            prints = <Print*>PyMem_Realloc(self.prints, room * sizeof(Print))
            if prints == NULL:
                raise MemoryError
            self.prints = prints
            heads = <int32_t*>PyMem_Calloc(BANDS * room, sizeof(int32_t))
            if heads == NULL:
                raise MemoryError
            PyMem_Free(self.heads)
            self.heads, self.print_room = heads, room
            for number in range(self.print_count):
                self.file_print(number)
        self.prints[self.print_count].near, self.prints[self.print_count].key = near, key
        self.file_print(self.print_count)
        self.print_count += 1
        return 0

    cdef inline uint64_t head_of(self, int64_t near, int band) noexcept:
        """Where the chain of a band begins; the chains of the bands lie one after another."""
        return band * self.print_room + (scattered(<uint64_t>near >> 16 * band & 0xFFFF) & (self.print_room - 1))

    cdef inline void file_print(self, Py_ssize_t number) noexcept:
        cdef Print* one = &self.prints[number]
        cdef uint64_t place
        cdef int band
        for band in range(BANDS):
            place = self.head_of(one.near, band)
            one.following[band] = self.heads[place]
            self.heads[place] = <int32_t>number + 1

    def near_pairs(self, nears, int distance):
        """Whichever share a chain are compared: two that are so near have a band in common."""
        cdef list pairs = []
        cdef int64_t near
        cdef uint64_t differs
        cdef Print* one
        cdef int32_t number
        cdef int band
        cdef Py_ssize_t place = 0
        for given in nears:
            near = given
            for band in range(BANDS if self.print_count else 0):
                number = self.heads[self.head_of(near, band)]
                while number:
                    one = &self.prints[number - 1]
                    differs = <uint64_t>(one.near ^ near)
                    # Told once, by the first band that is equal; those before it have a bit of difference each.
                    if (
                        not differs >> 16 * band & 0xFFFF
                        and BITS_SET(differs) <= distance
                        and (band < 1 or differs & 0xFFFF)
                        and (band < 2 or differs & 0xFFFF0000)
                        and (band < 3 or differs & 0xFFFF00000000)
                    ):
                        pairs.append((place, one.key))
                    number = one.following[band]
            place += 1
        return pairs

    def to_write(self, bint new):
        cdef Py_ssize_t place, count = 0
        cdef Row* row
        for place in range(self.touched.size):
            count += ((self.rows[self.touched.items[place]].flags & NEW) != 0) == new
        columns = np.empty((COLUMNS, count), dtype=np.int64)
        cdef int64_t[:, ::1] target = columns
        count = 0
        for place in range(self.touched.size):
            row = &self.rows[self.touched.items[place]]
            if ((row.flags & NEW) != 0) == new:
                target[0, count], target[1, count], target[2, count] = row.key, row.near, (row.flags & LONG) != 0
                target[3, count], target[4, count] = row.articles, row.others
                target[5, count], target[6, count] = row.first, row.last
                target[7, count], target[8, count], target[9, count] = row.sections, row.squares, row.seen
                count += 1
        return columns[:, np.argsort(columns[0])]

    def new_prints(self):
        cdef Py_ssize_t place, count = self.print_count - self.written
        columns = np.empty((2, count), dtype=np.int64)
        cdef int64_t[:, ::1] target = columns
        for place in range(count):
            target[0, place] = self.prints[self.written + place].near
            target[1, place] = self.prints[self.written + place].key
        return columns

    def settle(self, bint keep_prints):
        cdef Py_ssize_t place
        for place in range(self.touched.size):
            self.rows[self.touched.items[place]].flags &= ~(NEW | CHANGED)
        self.touched.size = 0
        if not keep_prints:
            for place in range(BANDS * self.print_room):
                self.heads[place] = 0
            self.print_count = 0
        self.written = self.print_count
