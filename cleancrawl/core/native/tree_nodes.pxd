# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# Attributes and text of an element, read from libxml2's nodes.

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.string cimport strchr, strcmp, strlen

from lxml.includes.tree cimport XML_CDATA_SECTION_NODE, XML_ELEMENT_NODE, XML_TEXT_NODE, xmlAttr, xmlNode

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


cdef inline str value_of(xmlAttr* attr):
    cdef xmlNode* part = attr.children
    # The parser of HTML makes one piece of text of a value, whatever entities are in it.
    return "" if part is NULL or part.content is NULL else text_of(<const char*> part.content)


cdef inline str named_value(xmlNode* node, const char* name):
    """The value of an attribute, None where there is none of that name."""
    cdef xmlAttr* attr = node.properties
    while attr is not NULL:
        if strcmp(<const char*> attr.name, name) == 0:
            return value_of(attr)
        attr = attr.next
    return None


cdef inline bint has_plus(xmlAttr* attr) noexcept:
    """Whether a type may be JSON-LD's."""
    return attr.children is not NULL and attr.children.content is not NULL and \
        strchr(<const char*> attr.children.content, b"+") is not NULL


cdef inline bint note_meta(xmlNode* node, list metas) except -1:
    """Take a ``meta`` element, as ``HeadCollector`` does."""
    cdef str content = named_value(node, "content"), name
    if content is not None:
        for key in (b"property", b"name", b"itemprop", b"http-equiv"):
            name = named_value(node, key)
            if name:
                metas.append((name.strip().lower(), content))
    return True


cdef inline bint note_link(xmlNode* node, list links) except -1:
    """Take a ``link`` element, as ``HeadCollector`` does."""
    cdef str rel = named_value(node, "rel"), href = named_value(node, "href"), kind
    if rel and href:
        kind = named_value(node, "type") or ""
        links.append((rel.strip().lower(), href.strip(), kind.strip().lower()))
    return True


cdef inline dict attributes(xmlNode* node):
    """All of an element's attributes, as the parser sends them."""
    cdef xmlAttr* attr = node.properties
    cdef dict found = {}
    while attr is not NULL:
        found[text_of(<const char*> attr.name)] = value_of(attr)
        attr = attr.next
    return found


cdef inline str decoded(const char* data, Py_ssize_t size):
    return PyUnicode_DecodeUTF8(data, size, "replace")


cdef inline str text_of(const char* data):
    return decoded(data, strlen(data))


cdef inline bint holds(xmlAttr* attr, const char* one, const char* other) noexcept:
    """Whether a value has one of two beginnings of words, each three small letters, in whatever case."""
    cdef const char* at
    if attr.children is NULL or attr.children.content is NULL:
        return False
    at = <const char*> attr.children.content
    while at[0]:
        if at[0] | 32 == one[0] and at[1] | 32 == one[1] and at[2] | 32 == one[2]:
            return True
        if at[0] | 32 == other[0] and at[1] | 32 == other[1] and at[2] | 32 == other[2]:
            return True
        at += 1
    return False


cdef inline bint may_hide(xmlAttr* attr) noexcept:
    """Whether a style has one of the words that hide an element: none, hidden."""
    return holds(attr, "non", "hid")


cdef inline bint may_size(xmlAttr* attr) noexcept:
    """Whether a style may state a width or a height."""
    return holds(attr, "wid", "hei")


cdef inline long pixels(xmlAttr* attr) noexcept:
    """The number that a side's value begins with; 0 where it is none, or larger than any advertisement."""
    cdef const char* at
    cdef long value = 0
    if attr is NULL or attr.children is NULL or attr.children.content is NULL:
        return 0
    at = <const char*> attr.children.content
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


cdef inline Py_ssize_t text_size(xmlNode* top) noexcept:
    """How many characters of text an element holds."""
    cdef xmlNode* node = top.children
    cdef Py_ssize_t count = 0
    while node is not NULL:
        if is_text(node):
            count += characters_in(<const char*> node.content, strlen(<const char*> node.content))
        node = following(node, top)
    return count


cdef inline str text_in(xmlNode* top):
    cdef xmlNode* node = top.children
    cdef list found = []
    while node is not NULL:
        if is_text(node):
            found.append(text_of(<const char*> node.content))
        node = following(node, top)
    return "".join(found)


cdef inline bint is_text(xmlNode* node) noexcept:
    return (node.type == XML_TEXT_NODE or node.type == XML_CDATA_SECTION_NODE) and node.content is not NULL


cdef inline xmlNode* following(xmlNode* node, xmlNode* top) noexcept:
    """The next node in an element, or NULL."""
    if node.type == XML_ELEMENT_NODE and node.children is not NULL:
        return node.children
    while node.next is NULL:
        node = node.parent
        if node is top or node is NULL:
            return NULL
    return node.next
