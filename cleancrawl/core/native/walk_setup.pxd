# cython: language_level=3
# What the walk over a tree is told once.

from libc.stdint cimport int64_t, uint8_t

from .name_hints cimport Tokens
from .text_measures cimport Characters, MeasureColumns


# Columns of the layout.
cdef struct BlockColumns:
    Py_ssize_t container, link_words, link_chars, strong_chars, links, images, marks


cdef struct ContainerColumns:
    Py_ssize_t parent, tag, depth, hints, hidden, path, class_path, first_block, end_block


# The kinds of tags.
cdef struct TagKinds:
    int block, skip, line_break, link, strong, image, head, mark


# What an element's name means.
cdef struct Name:
    const void* name
    int kind
    int tag_id
    bint never_text
    bint is_html
    bint is_pre
    bint is_dialog
    bint is_script
    bint is_title
    bint is_meta
    bint is_link
    bint is_div
    bint is_image
    bint bears
    bint is_frame


cdef class Setup:
    cdef BlockColumns block_at
    cdef MeasureColumns measure_at
    cdef ContainerColumns container_at
    cdef Py_ssize_t block_size, container_size
    cdef TagKinds kind
    cdef Characters characters
    cdef const uint8_t[::1] character_kinds, in_runs
    cdef Tokens tokens
    cdef dict tag_kinds, tag_ids
    cdef object never_text, hints_of, is_hidden, lines, plain, count_words, head
    cdef object bearers, frames, sizes, embedded_hit, sized_hit, add_hit
    cdef Py_ssize_t longest_value
    cdef int64_t ad_hint
    cdef bytes line

    cdef int64_t hints(self, const char* value, Py_ssize_t size) except -1
    cdef int tell(self, str tag, Name* slot) except -1
