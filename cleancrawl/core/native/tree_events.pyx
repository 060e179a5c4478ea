# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The elements and texts of lxml's trees, read through libxml2's structures, for ``segmentation``."""

from cpython.mem cimport PyMem_Free, PyMem_Realloc
from libc.string cimport strlen

from lxml.includes cimport etreepublic
from lxml.includes.tree cimport XML_CDATA_SECTION_NODE, XML_ELEMENT_NODE, XML_TEXT_NODE, xmlAttr, xmlNode

from .libxml_version cimport check_version
from .segmentation cimport Segmentation

from lxml import etree

check_version(etree.LIBXML_VERSION)
etreepublic.import_lxml__etree()

cdef enum:
    DEEPEST = 1900  # libxml2 ends a tree at 2048


# Names and values in turns, then NULL.
cdef struct Pairs:
    const char** items
    Py_ssize_t room


def send(etreepublic._Element root not None, Segmentation target not None):
    """Send the document of an element; false where it is so deep that the parser may have cut it off."""
    cdef Pairs pairs
    if root._c_node is NULL or target.setup is None:
        raise ValueError("an element without a tree, or a target that was not set up")
    pairs.items, pairs.room = NULL, 0
    try:
        return walk(root._c_node, target, &pairs)
    finally:
        PyMem_Free(pairs.items)


cdef bint walk(xmlNode* document, Segmentation target, Pairs* pairs) except -1:
    cdef Py_ssize_t depth = 0
    while document.parent is not NULL:
        document = document.parent
    cdef xmlNode* node = document.children
    while node is not NULL:
        if node.type == XML_ELEMENT_NODE:
            target.start(<const char*> node.name, attributes_of(node, pairs))
            if node.children is not NULL:
                node = node.children
                depth += 1
                if depth > DEEPEST:
                    return False
                continue
            target.end(<const char*> node.name)
        elif (node.type == XML_TEXT_NODE or node.type == XML_CDATA_SECTION_NODE) and node.content is not NULL:
            target.text(<const char*> node.content, strlen(<const char*> node.content))
        while node.next is NULL:
            node = node.parent
            depth -= 1
            if node is NULL or node is document:
                break
            target.end(<const char*> node.name)
        if node is NULL or node is document:
            break
        node = node.next
    target.finish()
    return True


cdef const char** attributes_of(xmlNode* node, Pairs* pairs) except? NULL:
    """What a parser would tell of an element's attributes; NULL where there are none."""
    cdef xmlAttr* attr = node.properties
    cdef Py_ssize_t count = 0
    cdef const char** items
    if attr is NULL:
        return NULL
    while attr is not NULL:
        if count + 3 > pairs.room:
            items = <const char**> PyMem_Realloc(pairs.items, (2 * pairs.room + 64) * sizeof(const char*))
            if items is NULL:
                raise MemoryError
            pairs.items, pairs.room = items, 2 * pairs.room + 64
        pairs.items[count] = <const char*> attr.name
        # The parser of HTML makes one piece of text of a value, whatever entities are in it.
        pairs.items[count + 1] = NULL if attr.children is NULL else <char*> attr.children.content
        count += 2
        attr = attr.next
    pairs.items[count] = NULL
    return pairs.items
