# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# Attributes of an element: names and values in turns, then NULL, as libxml2's parser has them. A value may be NULL.

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.string cimport strchr, strcmp, strlen

cdef enum Attribute:
    OTHER, CLASS, ID, ROLE, ITEMPROP, ITEMTYPE, STYLE, HIDDEN, ARIA_HIDDEN, OPEN, HREF, TYPE, SOURCE, WIDTH, HEIGHT


cdef inline Attribute attribute(const char* name) noexcept:
    cdef char first = name[0]
    if first == b"c":
        return CLASS if strcmp(name, "class") == 0 else OTHER
    if first == b"h":
        return HREF if strcmp(name, "href") == 0 else HIDDEN if strcmp(name, "hidden") == 0 else \
            HEIGHT if strcmp(name, "height") == 0 else OTHER
    if first == b"i":
        return ID if strcmp(name, "id") == 0 else ITEMPROP if strcmp(name, "itemprop") == 0 else \
            ITEMTYPE if strcmp(name, "itemtype") == 0 else OTHER
    if first == b"s":
        return STYLE if strcmp(name, "style") == 0 else SOURCE if strcmp(name, "src") == 0 else OTHER
    if first == b"d":
        return SOURCE if strcmp(name, "data-src") == 0 or strcmp(name, "data") == 0 else OTHER
    if first == b"w":
        return WIDTH if strcmp(name, "width") == 0 else OTHER
    if first == b"r":
        return ROLE if strcmp(name, "role") == 0 else OTHER
    if first == b"a":
        return ARIA_HIDDEN if strcmp(name, "aria-hidden") == 0 else OTHER
    if first == b"o":
        return OPEN if strcmp(name, "open") == 0 else OTHER
    if first == b"t":
        return TYPE if strcmp(name, "type") == 0 else OTHER
    return OTHER


cdef inline str decoded(const char* data, Py_ssize_t size):
    return PyUnicode_DecodeUTF8(data, size, "replace")


cdef inline str text_of(const char* data):
    return "" if data is NULL else decoded(data, strlen(data))


cdef inline str named_value(const char** attrs, const char* name):
    """The value of an attribute, None where there is none of that name."""
    while attrs is not NULL and attrs[0] is not NULL:
        if strcmp(attrs[0], name) == 0:
            return text_of(attrs[1])
        attrs += 2
    return None


cdef inline bint has_plus(const char* value) noexcept:
    """Whether a type may be JSON-LD's."""
    return value is not NULL and strchr(value, b"+") is not NULL


cdef inline int note_meta(const char** attrs, list metas) except -1:
    """Take a ``meta`` element, as ``HeadCollector`` does."""
    cdef str content = named_value(attrs, "content"), name
    if content is not None:
        for key in (b"property", b"name", b"itemprop", b"http-equiv"):
            name = named_value(attrs, key)
            if name:
                metas.append((name.strip().lower(), content))
    return 0


cdef inline int note_link(const char** attrs, list links) except -1:
    """Take a ``link`` element, as ``HeadCollector`` does."""
    cdef str rel = named_value(attrs, "rel"), href = named_value(attrs, "href"), kind
    if rel and href:
        kind = named_value(attrs, "type") or ""
        links.append((rel.strip().lower(), href.strip(), kind.strip().lower()))
    return 0


cdef inline dict attributes(const char** attrs):
    """All of an element's attributes, as the parser sends them."""
    cdef dict found = {}
    while attrs is not NULL and attrs[0] is not NULL:
        found[text_of(attrs[0])] = text_of(attrs[1])
        attrs += 2
    return found


cdef inline bint holds(const char* at, const char* one, const char* other) noexcept:
    """Whether a value has one of two beginnings of words, each three small letters, in whatever case."""
    if at is NULL:
        return False
    while at[0]:
        if at[0] | 32 == one[0] and at[1] | 32 == one[1] and at[2] | 32 == one[2]:
            return True
        if at[0] | 32 == other[0] and at[1] | 32 == other[1] and at[2] | 32 == other[2]:
            return True
        at += 1
    return False


cdef inline bint may_hide(const char* style) noexcept:
    """Whether a style has one of the words that hide an element: none, hidden."""
    return holds(style, "non", "hid")


cdef inline bint may_size(const char* style) noexcept:
    """Whether a style may state a width or a height."""
    return holds(style, "wid", "hei")


cdef inline long pixels(const char* at) noexcept:
    """The number that a side's value begins with; 0 where it is none, or larger than any advertisement."""
    cdef long value = 0
    if at is NULL:
        return 0
    while at[0] == b" " or 9 <= at[0] <= 13:
        at += 1
    while 48 <= at[0] <= 57 and value < 65536:
        value = 10 * value + at[0] - 48
        at += 1
    return value if value < 65536 else 0


cdef inline Py_ssize_t characters_in(const char* data, Py_ssize_t size) noexcept:
    cdef Py_ssize_t index, count = 0
    for index in range(size):
        count += (data[index] & 0xC0) != 0x80
    return count
