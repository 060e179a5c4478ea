# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# What addresses and embedded elements tell, as far as it can be told without Python; the rest is asked of ``core/rules``.

from libc.stdint cimport uint32_t
from libc.string cimport memcmp, strncmp

from lxml.includes.tree cimport xmlAttr, xmlNode

from .tree_nodes cimport CLASS, HEIGHT, ID, SOURCE, STYLE, WIDTH, Attribute, attribute, decoded, may_size, pixels, value_of
from .walk_setup cimport Name, Setup

cdef extern from "string.h":
    size_t strnlen(const char* text, size_t most) noexcept


cdef enum:
    ORIGINS = 32
    SCHEME = 8  # characters before the host of an address, at most


# How an address began that told nothing.
cdef struct Origin:
    const char* start
    Py_ssize_t size


cdef inline object told_by(object links, xmlAttr* address, Origin* known):
    """``LinkRules.told``; most addresses begin as one of the page that told nothing, and need no look."""
    cdef const char* value
    cdef Py_ssize_t size = SCHEME
    cdef uint32_t slot = 0
    cdef Origin* origin = NULL
    if address.children is NULL or address.children.content is NULL:
        return None
    value = <const char*> address.children.content
    if value[0] == 0 or ((value[0] == b"/" or value[0] == b"#" or value[0] == b"?") and value[1] != b"/"):
        return None
    if strncmp(value, b"data:", 5) == 0 or strncmp(value, b"javascript:", 11) == 0:
        return None
    if <Py_ssize_t> strnlen(value, SCHEME) == SCHEME:
        while value[size] and value[size] != b"/":
            slot = slot * 31 + <unsigned char> value[size]
            size += 1
        if value[size]:
            origin = known + slot % ORIGINS
            if origin.size == size and memcmp(value, origin.start, size) == 0:
                return None
    found = links.told(value_of(address))
    # A site may be social by the path of some addresses only; what is none at all is known as such.
    if found is None and origin is not NULL and decoded(value, size) in links.plain:
        origin.start, origin.size = value, size
    return found


cdef inline bint may_be_ad(
    Setup setup, object links, xmlNode* node, Name* name, Origin* known, bint linked
) except -1:
    """Whether ``embedded_hit`` is worth asking: never false where it would find something."""
    cdef xmlAttr* attr = node.properties
    cdef xmlAttr* width = NULL
    cdef xmlAttr* height = NULL
    cdef bint styled = False
    cdef Attribute which
    if not name.is_image and not name.is_frame and not name.is_script:
        return True
    while attr is not NULL:
        which = attribute(<const char*> attr.name)
        if which == SOURCE:
            found = told_by(links, attr, known)
            if found is not None and found[0] == "ad-domain":
                return True
        elif name.is_script:
            pass
        elif which == CLASS or which == ID:
            if setup.hints(value_of(attr)) & setup.ad_hint:
                return True
        elif which == WIDTH:
            width = attr
        elif which == HEIGHT:
            height = attr
        elif which == STYLE:
            styled = may_size(attr)
        attr = attr.next
    if name.is_script or not (name.is_frame or linked):
        return False
    if styled or width is NULL or height is NULL:
        return styled
    return name.is_frame or (pixels(width) << 16 | pixels(height)) in setup.sizes
