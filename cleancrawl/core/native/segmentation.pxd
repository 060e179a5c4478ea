# cython: language_level=3
# What collects a page's text blocks, for those who send it the page's elements and texts.

from libc.stdint cimport int64_t

from .ad_signs cimport ORIGINS, Origin
from .growing cimport Bytes, Numbers, Table
from .named_values cimport Values
from .walk_setup cimport Name, Setup


cdef class Segmentation:
    cdef Setup setup
    cdef object rules, head, addresses, link_hit
    cdef Values values
    cdef list metas, links_to
    cdef readonly list texts
    cdef readonly dict hits, told_links, class_names
    cdef readonly Py_ssize_t unseen
    cdef Numbers blocks, containers, opened
    cdef Bytes raw, told
    cdef Table paths, class_paths
    cdef Name* names
    cdef Origin[ORIGINS] origins
    cdef Py_ssize_t taken, skipped
    cdef bint listens, counts
    cdef Py_ssize_t in_link, in_strong, preformatted
    cdef bint broke, with_lines
    cdef int64_t link_chars, link_words, strong_chars, links, images, marks

    cdef int start(self, const char* tag, const char** attrs) except -1
    cdef int end(self, const char* tag) except -1
    cdef int text(self, const char* data, Py_ssize_t size) except -1
    cdef int finish(self) except -1
    cdef Name* name(self, const char* tag) except NULL
    cdef int take(self) except -1
    cdef int skip(self, bint listens, bint counts) except -1
    cdef int unskip(self, const char* tag) except -1
    cdef int embedded(self, const char* tag, const char** attrs, Name* name) except -1
    cdef int take_head(self, const char* tag, const char** attrs, Name* name) except -1
    cdef int take_script(self, const char** attrs, Name* name) except -1
    cdef int take_inline(self, const char** attrs, Name* name) except -1
    cdef int64_t hints(self, const char* value) except -1
    cdef int open(self, const char* tag, const char** attrs, Name* name) except -1
    cdef int close_container(self, int64_t number) except -1
    cdef int line_break(self) except -1
    cdef int flush(self) except -1
