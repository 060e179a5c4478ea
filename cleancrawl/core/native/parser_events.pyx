# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The elements and texts of a source, for ``segmentation``, as the parser that lxml brings finds them: without a tree.

To build a tree, to walk through it and to free it takes libxml2 longer than to read the source. lxml has no way to its
parser without one of its own objects for each event; but most builds of it show libxml2's functions to whoever asks the
system's linker.
"""

import ctypes

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.limits cimport INT_MAX
from libc.stdint cimport uintptr_t
from libc.string cimport memset

from lxml.includes.tree cimport const_xmlChar, xmlDoc
from lxml.includes.xmlparser cimport charactersSAXFunc, endElementSAXFunc, startElementSAXFunc, xmlParserCtxt, xmlSAXHandler
from lxml.includes.htmlparser cimport HTML_PARSE_NOERROR, HTML_PARSE_NONET, HTML_PARSE_NOWARNING, HTML_PARSE_RECOVER

from .libxml_version cimport LIBXML_VERSION, check_version
from .segmentation cimport Segmentation

from lxml import etree

check_version(etree.LIBXML_VERSION)
if LIBXML_VERSION < 21400:
    raise ImportError("before libxml2 2.14 a parser without a tree finds other elements")

cdef enum:
    XML_ERR_NO_MEMORY = 2
    XML_PARSE_HUGE = 0x80000
    OPTIONS = HTML_PARSE_RECOVER | HTML_PARSE_NONET | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | XML_PARSE_HUGE

ctypedef xmlParserCtxt* (*NewParser)(xmlSAXHandler* handler, void* data) noexcept
ctypedef xmlDoc* (*Read)(
    xmlParserCtxt* parser, const char* source, int size, const char* url, const char* encoding, int options
) noexcept
ctypedef void (*FreeParser)(xmlParserCtxt* parser) noexcept


# Whom a parser tells, and what was raised: it goes on to the end of the source, but nobody listens any more.
cdef struct Reader:
    void* target
    void* raised
    bint failed


def _address(name):
    try:
        return ctypes.cast(getattr(_lxml, name), ctypes.c_void_p).value
    except AttributeError:
        raise ImportError(f"lxml does not show {name}") from None


_lxml = ctypes.CDLL(etree.__file__)
cdef NewParser new_parser = <NewParser> <uintptr_t> _address("htmlNewSAXParserCtxt")
cdef Read read = <Read> <uintptr_t> _address("htmlCtxtReadMemory")
cdef FreeParser free_parser = <FreeParser> <uintptr_t> _address("htmlFreeParserCtxt")


def send(bytes source not None, Segmentation target not None):
    """Send a source in UTF-8 without zeros; false where it is too large."""
    cdef xmlSAXHandler handler
    cdef xmlParserCtxt* parser
    cdef Reader reader
    cdef list raised = []
    if target.setup is None:
        raise ValueError("a target that was not set up")
    if PyBytes_GET_SIZE(source) > INT_MAX:
        return False
    reader.target, reader.raised, reader.failed = <void*> target, <void*> raised, False
    memset(&handler, 0, sizeof(handler))
    handler.startElement, handler.endElement = <startElementSAXFunc> started, <endElementSAXFunc> ended
    handler.characters = handler.cdataBlock = <charactersSAXFunc> said
    parser = new_parser(&handler, NULL)
    if parser is NULL:
        raise MemoryError
    parser._private = &reader
    read(parser, PyBytes_AS_STRING(source), <int> PyBytes_GET_SIZE(source), NULL, "UTF-8", OPTIONS)
    if parser.errNo == XML_ERR_NO_MEMORY:
        raised.append(MemoryError())
    free_parser(parser)
    if raised:
        raise raised[0]
    target.finish()
    return True


cdef void started(void* parser, const_xmlChar* name, const_xmlChar** attributes) noexcept:
    cdef Reader* reader = <Reader*> (<xmlParserCtxt*> parser)._private
    if reader.failed:
        return
    try:
        (<Segmentation> reader.target).start(<const char*> name, <const char**> attributes)
    except BaseException as error:
        fail(reader, error)


cdef void ended(void* parser, const_xmlChar* name) noexcept:
    cdef Reader* reader = <Reader*> (<xmlParserCtxt*> parser)._private
    if reader.failed:
        return
    try:
        (<Segmentation> reader.target).end(<const char*> name)
    except BaseException as error:
        fail(reader, error)


cdef void said(void* parser, const_xmlChar* text, int size) noexcept:
    cdef Reader* reader = <Reader*> (<xmlParserCtxt*> parser)._private
    if reader.failed:
        return
    try:
        (<Segmentation> reader.target).text(<const char*> text, size)
    except BaseException as error:
        fail(reader, error)


cdef void fail(Reader* reader, object error) noexcept:
    reader.failed = True
    (<list> reader.raised).append(error)
