# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# What addresses and embedded elements tell, as far as it can be told without Python; the rest is asked of ``core/rules``.

from libc.stdint cimport uint32_t
from libc.string cimport memcmp, memcpy, strlen, strncmp

from .element_attributes cimport CLASS, HEIGHT, ID, SOURCE, STYLE, WIDTH, Attribute, attribute, decoded, may_size
from .element_attributes cimport pixels, text_of
from .walk_setup cimport Name, Setup

cdef extern from "string.h":
    size_t strnlen(const char* text, size_t most) noexcept


cdef enum:
    ORIGINS = 32
    SCHEME = 8  # characters before the host of an address, at most
    LONGEST_ORIGIN = 64


# How an address began that told nothing.
cdef struct Origin:
    char[LONGEST_ORIGIN] start
    Py_ssize_t size


cdef inline object told_by(object links, const char* value, Origin* known):
    """``LinkRules.told``; most addresses begin as one of the page that told nothing, and need no look."""
    cdef Py_ssize_t size = SCHEME
    cdef uint32_t slot = 0
    cdef Origin* origin = NULL
    if value is NULL or value[0] == 0:
        return None
    if (value[0] == b"/" or value[0] == b"#" or value[0] == b"?") and value[1] != b"/":
        return None
    if strncmp(value, b"data:", 5) == 0 or strncmp(value, b"javascript:", 11) == 0:
        return None
    if <Py_ssize_t> strnlen(value, SCHEME) == SCHEME:
        while value[size] and value[size] != b"/":
            slot = slot * 31 + <unsigned char> value[size]
            size += 1
        if value[size] and size <= LONGEST_ORIGIN:
            origin = known + slot % ORIGINS
            if origin.size == size and memcmp(value, origin.start, size) == 0:
                return None
    found = links.told(text_of(value))
    # A site may be social by the path of some addresses only; what is none at all is known as such.
    if found is None and origin is not NULL and decoded(value, size) in links.plain:
        memcpy(origin.start, value, size)
        origin.size = size
    return found


cdef inline bint may_be_ad(
    Setup setup, object links, const char** attrs, Name* name, Origin* known, bint linked
) except -1:
    """Whether ``embedded_hit`` is worth asking: never false where it would find something."""
    cdef const char* value
    cdef const char* width = NULL
    cdef const char* height = NULL
    cdef bint styled = False
    cdef Attribute which
    if not name.is_image and not name.is_frame and not name.is_script:
        return True
    while attrs is not NULL and attrs[0] is not NULL:
        which, value = attribute(attrs[0]), attrs[1]
        if which == SOURCE:
            found = told_by(links, value, known)
            if found is not None and found[0] == "ad-domain":
                return True
        elif name.is_script:
            pass
        elif which == CLASS or which == ID:
            if value is not NULL and setup.hints(value, strlen(value)) & setup.ad_hint:
                return True
        elif which == WIDTH:
            width = value
        elif which == HEIGHT:
            height = value
        elif which == STYLE:
            styled = may_size(value)
        attrs += 2
    if name.is_script or not (name.is_frame or linked):
        return False
    if styled or width is NULL or height is NULL:
        return styled
    return name.is_frame or (pixels(width) << 16 | pixels(height)) in setup.sizes
