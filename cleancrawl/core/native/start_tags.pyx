# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Start tags in a source, without a parse: the twin of ``is_wide`` in ``core/html/dom``."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport uint8_t
from libc.string cimport memchr

from .ascii_space cimport is_space

cdef extern from "strings.h":
    int strncasecmp(const char* one, const char* other, size_t size) noexcept


def is_wide(bytes body, Py_ssize_t limit):
    """Whether a start tag may have more attributes than a limit: a tree looks each up in a list of them."""
    cdef const char* at = PyBytes_AS_STRING(body)
    cdef const char* end = at + PyBytes_GET_SIZE(body)
    cdef const char* name
    cdef Py_ssize_t size
    while True:
        at = <const char*> memchr(at, b"<", end - at)
        if at is NULL or end - at < 4:
            return False
        at += 1
        if at[0] == b"!" and at[1] == b"-" and at[2] == b"-":
            at = past_comment(at + 1, end)
        elif b"a" <= at[0] | 32 <= b"z":
            name = at
            while at < end and not is_space(at[0]) and at[0] != b">" and at[0] != b"/":
                at += 1
            size = at - name
            at = past_tag(at, end, limit)
            if at is NULL:
                return True
            if is_raw(name, size):
                at = past_raw(at, end, name, size)


cdef const char* past_comment(const char* at, const char* end) noexcept:
    while at < end:
        at = <const char*> memchr(at, b">", end - at)
        if at is NULL:
            return end
        if (at - 1)[0] == b"-" and (at - 2)[0] == b"-":
            return at
        at += 1
    return end


cdef const char* past_tag(const char* at, const char* end, Py_ssize_t limit) noexcept:
    """The end of a start tag, or NULL where it has too many attributes."""
    cdef Py_ssize_t count = 0
    cdef const char* closed
    while at < end and at[0] != b">":
        if is_space(at[0]) or at[0] == b"/":
            at += 1
            continue
        count += 1
        if count > limit:
            return NULL
        at += 1
        while at < end and not is_space(at[0]) and at[0] != b">" and at[0] != b"/" and at[0] != b"=":
            at += 1
        while at < end and is_space(at[0]):
            at += 1
        if at < end and at[0] == b"=":
            at += 1
            while at < end and is_space(at[0]):
                at += 1
            if at < end and (at[0] == b'"' or at[0] == b"'"):
                closed = <const char*> memchr(at + 1, at[0], end - at - 1)
                at = end if closed is NULL else closed + 1
            else:
                while at < end and not is_space(at[0]) and at[0] != b">":
                    at += 1
    return at


cdef bint is_raw(const char* name, Py_ssize_t size) noexcept:
    """Whether an element holds text in which a tag means nothing."""
    if size == 6:
        return strncasecmp(name, "script", 6) == 0 or strncasecmp(name, "iframe", 6) == 0
    if size == 5:
        return strncasecmp(name, "style", 5) == 0 or strncasecmp(name, "title", 5) == 0
    if size == 8:
        return strncasecmp(name, "textarea", 8) == 0 or strncasecmp(name, "noframes", 8) == 0
    return size == 3 and strncasecmp(name, "xmp", 3) == 0


cdef const char* past_raw(const char* at, const char* end, const char* name, Py_ssize_t size) noexcept:
    while True:
        at = <const char*> memchr(at, b"<", end - at)
        if at is NULL or end - at < size + 2:
            return end
        if at[1] == b"/" and strncasecmp(at + 2, name, size) == 0:
            return at
        at += 1
