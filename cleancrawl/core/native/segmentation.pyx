# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, annotation_typing=False
"""Text blocks from lxml's tree, read through its C structures: the twin of ``core.segmentation.collector``.

What is rare (hidden elements, rules, the head, text that is not ASCII) is left to the same Python functions.
"""

from __future__ import annotations

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.mem cimport PyMem_Calloc, PyMem_Free, PyMem_Malloc, PyMem_Realloc
from cpython.dict cimport PyDict_GetItem
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_DecodeASCII, PyUnicode_DecodeUTF8
from libc.stdint cimport int64_t, uint8_t, uint64_t, uintptr_t
from libc.string cimport memchr, memcpy, memset, strcmp, strlen, strncmp

from lxml.includes cimport etreepublic
from lxml.includes.tree cimport (
    XML_CDATA_SECTION_NODE,
    XML_ELEMENT_NODE,
    XML_TEXT_NODE,
    const_xmlChar,
    xmlAttr,
    xmlNode,
)

import numpy as np
from lxml import etree

from cleancrawl.core.text import characters
from cleancrawl.core.html.head import HeadCollector
from cleancrawl.core.rules.class_hints import LONGEST, MOST_KNOWN, hint_names, hints_of, known_hints, remember_hints, token_bits
from cleancrawl.core.rules.links import social_link, unsocial
from cleancrawl.core.html import tags
from cleancrawl.core.segmentation.collector import LINE, NEVER_TEXT, is_hidden, lines, plain
from cleancrawl.core.text.words import count_words

etreepublic.import_lxml__etree()

cdef extern from "Python.h":
    const char* PyUnicode_AsUTF8AndSize(object text, Py_ssize_t* size) except NULL

cdef extern from "string.h":
    size_t strnlen(const char* text, size_t most) noexcept

cdef extern from "strings.h":
    int strncasecmp(const char* one, const char* other, size_t size) noexcept

cdef extern from "libxml/xmlversion.h":
    const int LIBXML_VERSION

_built_for = (LIBXML_VERSION // 10000, LIBXML_VERSION // 100 % 100)
if etree.LIBXML_VERSION[:2] != _built_for:
    raise ImportError(f"built for libxml2 {_built_for}, but lxml has {etree.LIBXML_VERSION}")

cdef enum:
    KIND_COUNT = 16
    BLOCK_FACTS = 7
    MEASURED = 5  # length, words, runs, first and last kind
    BLOCK_ROW = BLOCK_FACTS + MEASURED + KIND_COUNT
    CONTAINER_FACTS = 9  # the last one is the end
    OPEN_FACTS = 4  # number, path, class path, outermost hidden container
    NAME_SLOTS = 1024
    DEEPEST = 1900  # libxml2 ends a tree at 2048

cdef enum Attribute:
    OTHER, CLASS, ID, ROLE, ITEMPROP, STYLE, HIDDEN, ARIA_HIDDEN, OPEN, HREF, TYPE

cdef int BLOCK = tags.BLOCK, SKIP = tags.SKIP, BREAK = tags.BREAK, LINK = tags.LINK, STRONG = tags.STRONG
cdef int IMAGE = tags.IMAGE, HEAD = tags.HEAD, MARK = tags.MARK
cdef int SPACE = characters.SPACE, UNSPACED = characters.UNSPACED
cdef int64_t AD_HINT = 1 << hint_names().index("ad")
cdef dict KINDS = tags.KINDS, TAG_IDS = tags.TAG_IDS
cdef dict KNOWN_HINTS = known_hints, TOKEN_BITS = token_bits()
cdef Py_ssize_t LONGEST_VALUE = LONGEST, MOST_HINTS = MOST_KNOWN
cdef set UNSOCIAL = unsocial
cdef bytes LINE_BYTES = LINE.encode()

cdef uint8_t[::1] _table = characters.kind_table()
cdef uint8_t* KIND_OF = &_table[0]
cdef uint8_t[::1] _in_runs = characters.word_kinds().astype(np.uint8)
cdef uint8_t* IN_RUN = &_in_runs[0]
cdef uint8_t[256] IS_SPACE
memset(IS_SPACE, 0, sizeof(IS_SPACE))
for _code in range(128):
    IS_SPACE[_code] = chr(_code).isspace()


cdef struct Name:
    const_xmlChar* name
    int kind
    int tag_id
    bint never_text
    bint is_html
    bint is_pre
    bint is_dialog
    bint is_script
    bint is_title


cdef struct Numbers:
    int64_t* items
    Py_ssize_t size
    Py_ssize_t room


cdef struct Bytes:
    char* items
    Py_ssize_t size
    Py_ssize_t room


# Numbers by key, with open addressing; the key 0 is not used.
cdef struct Table:
    uint64_t* keys
    int64_t* values
    Py_ssize_t size
    Py_ssize_t room


cdef int64_t* grown(Numbers* numbers, Py_ssize_t count) except NULL:
    """Room for some more numbers at the end, which is returned."""
    cdef Py_ssize_t room
    cdef int64_t* items
    if numbers.size + count > numbers.room:
        room = 2 * numbers.room + count + 256
        items = <int64_t*> PyMem_Realloc(numbers.items, room * sizeof(int64_t))
        if items is NULL:
            raise MemoryError
        numbers.items, numbers.room = items, room
    items = numbers.items + numbers.size
    numbers.size += count
    return items


cdef int append(Bytes* text, const char* data, Py_ssize_t size) except -1:
    cdef Py_ssize_t room
    cdef char* items
    if text.size + size > text.room:
        room = 2 * text.room + size + 1024
        items = <char*> PyMem_Realloc(text.items, room)
        if items is NULL:
            raise MemoryError
        text.items, text.room = items, room
    memcpy(text.items + text.size, data, size)
    text.size += size
    return 0


cdef int64_t setdefault(Table* table, uint64_t key, int64_t value) except -1:
    cdef Table larger
    cdef Py_ssize_t slot, index
    if 2 * table.size >= table.room:
        larger.room, larger.size = max(2 * table.room, 512), 0
        larger.keys = <uint64_t*> PyMem_Calloc(larger.room, sizeof(uint64_t))
        larger.values = <int64_t*> PyMem_Malloc(larger.room * sizeof(int64_t))
        if larger.keys is NULL or larger.values is NULL:
            PyMem_Free(larger.keys)
            PyMem_Free(larger.values)
            raise MemoryError
        for index in range(table.room):
            if table.keys[index]:
                setdefault(&larger, table.keys[index], table.values[index])
        PyMem_Free(table.keys)
        PyMem_Free(table.values)
        table[0] = larger
    slot = (key * <uint64_t> 0x9E3779B97F4A7C15ULL >> 32) & (table.room - 1)
    while table.keys[slot]:
        if table.keys[slot] == key:
            return table.values[slot]
        slot = (slot + 1) & (table.room - 1)
    table.keys[slot], table.values[slot] = key, value
    table.size += 1
    return value


cdef inline Attribute attribute(const char* name) noexcept:
    cdef char first = name[0]
    if first == b"c":
        return CLASS if strcmp(name, "class") == 0 else OTHER
    if first == b"h":
        return HREF if strcmp(name, "href") == 0 else HIDDEN if strcmp(name, "hidden") == 0 else OTHER
    if first == b"i":
        return ID if strcmp(name, "id") == 0 else ITEMPROP if strcmp(name, "itemprop") == 0 else OTHER
    if first == b"s":
        return STYLE if strcmp(name, "style") == 0 else OTHER
    if first == b"r":
        return ROLE if strcmp(name, "role") == 0 else OTHER
    if first == b"a":
        return ARIA_HIDDEN if strcmp(name, "aria-hidden") == 0 else OTHER
    if first == b"o":
        return OPEN if strcmp(name, "open") == 0 else OTHER
    if first == b"t":
        return TYPE if strcmp(name, "type") == 0 else OTHER
    return OTHER


cdef str value_of(xmlAttr* attr):
    cdef xmlNode* part = attr.children
    # The parser of HTML makes one piece of text of a value, whatever entities are in it.
    return "" if part is NULL or part.content is NULL else text_of(<const char*> part.content)


cdef dict attributes(xmlNode* node):
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


cdef bint may_hide(xmlAttr* attr) noexcept:
    """Whether a style has one of the words that hide an element."""
    cdef const char* at
    cdef char low
    if attr.children is NULL or attr.children.content is NULL:
        return False
    at = <const char*> attr.children.content
    while at[0]:
        # The "n" of none, the "h" of hidden, whatever their case.
        low = at[0] | 32
        if low == b"n" and at[1] | 32 == b"o" and at[2] | 32 == b"n":
            return True
        if low == b"h" and at[1] | 32 == b"i" and at[2] | 32 == b"d":
            return True
        at += 1
    return False


cdef inline Py_ssize_t characters_in(const char* data, Py_ssize_t size) noexcept:
    cdef Py_ssize_t index, count = 0
    for index in range(size):
        count += (data[index] & 0xC0) != 0x80
    return count


cdef class Segmentation:
    """Walks a tree once and collects what ``core.segmentation.collector.Collector`` collects from events."""

    cdef object rules
    cdef object head
    cdef object social_site
    cdef dict identities
    cdef list identity_hints
    cdef readonly list texts
    cdef readonly dict hits
    cdef readonly dict social
    cdef readonly Py_ssize_t unseen
    cdef Numbers blocks, containers, opened
    cdef Bytes raw, joined
    cdef Table paths, class_paths
    cdef Name* names
    cdef const char* origin
    cdef Py_ssize_t origin_size
    cdef const char* pending
    cdef Py_ssize_t pending_size
    cdef Py_ssize_t in_link, in_strong, preformatted
    cdef bint broke, with_lines
    cdef int64_t link_chars, link_words, strong_chars, links, images, marks

    def __cinit__(self):
        self.names = <Name*> PyMem_Calloc(NAME_SLOTS, sizeof(Name))
        if self.names is NULL:
            raise MemoryError

    def __dealloc__(self):
        PyMem_Free(self.names)
        PyMem_Free(self.blocks.items)
        PyMem_Free(self.containers.items)
        PyMem_Free(self.opened.items)
        PyMem_Free(self.raw.items)
        PyMem_Free(self.joined.items)
        PyMem_Free(self.paths.keys)
        PyMem_Free(self.paths.values)
        PyMem_Free(self.class_paths.keys)
        PyMem_Free(self.class_paths.values)

    def __init__(self, rules):
        self.rules = rules
        self.head = HeadCollector()
        self.identities = {}
        self.identity_hints = []
        self.texts = []
        self.hits = {}
        self.social = {}
        memset(grown(&self.containers, CONTAINER_FACTS), 0, CONTAINER_FACTS * sizeof(int64_t))
        memset(grown(&self.opened, OPEN_FACTS), 0, OPEN_FACTS * sizeof(int64_t))

    def walk(self, etreepublic._Element root not None):
        """Take in the document of an element; false where it is so deep that the parser may have cut it off."""
        cdef xmlNode* document = root._c_node
        cdef Py_ssize_t depth = 0
        while document.parent is not NULL:
            document = document.parent
        cdef xmlNode* node = document.children
        while node is not NULL:
            if node.type == XML_ELEMENT_NODE:
                if self.pending is not NULL:
                    self.take()
                if self.start(node):
                    if node.children is not NULL:
                        node = node.children
                        depth += 1
                        if depth > DEEPEST:
                            return False
                        continue
                    self.end(node)
            elif is_text(node) and node.content[0]:
                self.add_pending(<const char*> node.content)
            while node.next is NULL:
                node = node.parent
                depth -= 1
                if node is NULL or node is document:
                    break
                if self.pending is not NULL:
                    self.take()
                self.end(node)
            if node is NULL or node is document:
                break
            node = node.next
        if self.pending is not NULL:
            self.take()
        if self.raw.size:
            self.flush()
        return True

    cdef int add_pending(self, const char* data) except -1:
        cdef Py_ssize_t size = strlen(data)
        if self.pending is NULL:
            self.pending, self.pending_size = data, size
            return 0
        if self.pending != self.joined.items:
            self.joined.size = 0
            append(&self.joined, self.pending, self.pending_size)
        append(&self.joined, data, size)
        self.pending, self.pending_size = self.joined.items, self.joined.size
        return 0

    cdef int take(self) except -1:
        """Take the text since the last tag."""
        cdef const char* data = self.pending
        cdef Py_ssize_t size = self.pending_size, index = 0, chars
        self.pending = NULL
        while index < size and IS_SPACE[<uint8_t> data[index]]:
            index += 1
        if index == size or (data[index] & 0x80 and decoded(data, size).isspace()):
            if self.raw.size:
                append(&self.raw, data, size)
            return 0
        append(&self.raw, data, size)
        self.broke = False
        if self.in_link > 0 or self.in_strong > 0:
            chars = characters_in(data, size)
            if self.in_strong > 0:
                self.strong_chars += chars
            if self.in_link > 0:
                self.link_chars += chars
                self.link_words += words_in(data, size) if chars == size else count_words(decoded(data, size))
                if self.social_site is not None:
                    site, known = self.social.get(len(self.texts), (self.social_site, 0))
                    self.social[len(self.texts)] = site, known + len(decoded(data, size).strip())
        return 0

    cdef Name* name(self, const_xmlChar* name) except NULL:
        """What an element's name means; equal names have the same address in a document."""
        cdef Name* slot = &self.names[(<uintptr_t> name >> 3) % NAME_SLOTS]
        cdef str tag
        if slot.name != name:
            tag = text_of(<const char*> name)
            slot.name = name
            slot.kind = KINDS.get(tag, 0)
            slot.tag_id = TAG_IDS.get(tag, 0)
            slot.never_text = tag in NEVER_TEXT
            slot.is_html, slot.is_pre, slot.is_dialog = tag == "html", tag == "pre", tag == "dialog"
            slot.is_script, slot.is_title = tag == "script", tag == "title"
        return slot

    cdef bint start(self, xmlNode* node) except -1:
        """Take an element's start; false where what it holds is done with."""
        cdef Name* name = self.name(node.name)
        cdef int kind = name.kind
        cdef xmlAttr* attr
        cdef Attribute which
        cdef bint maybe_hidden = False
        if kind == BLOCK:
            if self.raw.size:
                self.flush()
            self.open(node, name)
            return True
        if kind == LINK:
            self.in_link += 1
            self.links += 1
            self.social_site = None
        elif kind == STRONG:
            self.in_strong += 1
        elif kind == MARK:
            self.marks += 1
        elif kind == IMAGE:
            self.images += 1
            return True
        elif kind == BREAK:
            self.line_break()
            return True
        elif kind == SKIP:
            self.skip(node, name)
            return False
        elif kind == HEAD:
            self.head.start(text_of(<const char*> node.name), attributes(node))
            if not name.is_title:
                return True
            self.skip(node, name)
            return False
        attr = node.properties
        while attr is not NULL:
            which = attribute(<const char*> attr.name)
            if which == HREF:
                if kind == LINK:
                    self.social_site = self.social_link(attr)
            elif which == HIDDEN or which == ARIA_HIDDEN or (which == STYLE and may_hide(attr)):
                maybe_hidden = True
            attr = attr.next
        if maybe_hidden and is_hidden(attributes(node)):
            self.in_link -= kind == LINK
            self.in_strong -= kind == STRONG
            self.unseen += 0 if name.never_text else text_size(node)
            return False
        return True

    cdef object social_link(self, xmlAttr* href):
        """The social site that a link leads to; most lead to where the last one led, and need no look."""
        cdef const char* value
        cdef Py_ssize_t size = 8
        if href.children is NULL or href.children.content is NULL:
            return None
        value = <const char*> href.children.content
        if value[0] == 0 or ((value[0] == b"/" or value[0] == b"#" or value[0] == b"?") and value[1] != b"/"):
            return None
        if self.origin_size and strncmp(value, self.origin, self.origin_size) == 0:
            return None
        site = social_link(value_of(href))
        if site is None and <Py_ssize_t> strnlen(value, size) == size:
            while value[size] and value[size] != b"/":
                size += 1
            # A site may be social by the path of some links only; what is none at all is known as such.
            if value[size] and decoded(value, size) in UNSOCIAL:
                self.origin, self.origin_size = value, size + 1
        return site

    cdef int skip(self, xmlNode* node, Name* name) except -1:
        """Take an element that is not shown: its text is of use where it is a title or JSON-LD."""
        cdef xmlAttr* attr
        if name.is_script:
            attr = node.properties
            while attr is not NULL:
                if attribute(<const char*> attr.name) == TYPE and attr.children is not NULL:
                    self.head.start("script", attributes(node))
                    break
                attr = attr.next
        if (name.is_script or name.is_title) and self.head.text is not None:
            self.head.data(text_in(node))
            self.head.end("script" if name.is_script else "title")
        elif not name.never_text:
            self.unseen += text_size(node)
        return 0

    cdef int open(self, xmlNode* node, Name* name) except -1:
        """Add a container."""
        cdef int64_t* around = self.opened.items + self.opened.size - OPEN_FACTS
        cdef int64_t parent = around[0], path = around[1], class_path = around[2], hidden = around[3]
        cdef int64_t number = self.containers.size // CONTAINER_FACTS, hints = 0, identity = 0
        cdef int64_t depth = self.opened.size // OPEN_FACTS
        cdef int64_t* facts
        cdef xmlAttr* attr = node.properties
        cdef xmlAttr* class_name = NULL
        cdef bint maybe_hidden = False, is_open = False
        cdef Attribute which
        cdef str value
        path = setdefault(&self.paths, <uint64_t> (path << 7 | name.tag_id) + 1, number)
        if attr is not NULL:
            while attr is not NULL:
                which = attribute(<const char*> attr.name)
                if which == CLASS:
                    class_name = attr
                elif which == ID or which == ROLE or which == ITEMPROP:
                    hints |= hint_bits(value_of(attr))
                elif which == HIDDEN or which == ARIA_HIDDEN or (which == STYLE and may_hide(attr)):
                    maybe_hidden = True
                elif which == OPEN:
                    is_open = True
                attr = attr.next
            value = "" if class_name is NULL else value_of(class_name)
            known = self.identities.get(value)
            if known is None:
                known = self.identities[value] = len(self.identity_hints) + 1
                self.identity_hints.append(hint_bits(value))
            identity = known
            hints |= <int64_t> self.identity_hints[identity - 1]
            if maybe_hidden and not hidden and is_hidden(attributes(node)):
                hidden = number
            if name.is_html:
                self.head.start("html", attributes(node))
            if hints & AD_HINT:
                hit = self.rules.hit(text_of(<const char*> node.name), attributes(node))
                if hit:
                    self.hits[number] = hit
        class_path = class_path << 7 | name.tag_id
        class_path = setdefault(&self.class_paths, <uint64_t> (class_path << 28 | identity) + 1, number)
        if name.is_dialog and not hidden and not is_open:
            hidden = number
        facts = grown(&self.containers, CONTAINER_FACTS)
        facts[0], facts[1], facts[2], facts[3], facts[4] = parent, name.tag_id, depth, hints, hidden
        facts[5], facts[6], facts[7], facts[8] = path, class_path, len(self.texts), 0
        facts = grown(&self.opened, OPEN_FACTS)
        facts[0], facts[1], facts[2], facts[3] = number, path, class_path, hidden
        self.preformatted += name.is_pre
        return 0

    cdef int end(self, xmlNode* node) except -1:
        cdef Name* name = self.name(node.name)
        if name.kind == BLOCK:
            if self.raw.size:
                self.flush()
            self.opened.size -= OPEN_FACTS
            self.containers.items[CONTAINER_FACTS * self.opened.items[self.opened.size] + 8] = len(self.texts)
            self.preformatted -= name.is_pre
        elif name.kind == LINK:
            self.in_link -= 1
            self.social_site = None
        elif name.kind == STRONG:
            self.in_strong -= 1
        return 0

    cdef int line_break(self) except -1:
        if not self.raw.size:
            return 0
        if self.broke and not self.preformatted:
            self.flush()
        else:
            append(&self.raw, PyBytes_AS_STRING(LINE_BYTES), PyBytes_GET_SIZE(LINE_BYTES))
            self.with_lines = self.broke = True
        return 0

    cdef int flush(self) except -1:
        """Close the block of the text met so far; text without a letter or digit makes none."""
        cdef str text
        cdef Py_ssize_t length
        cdef int64_t* facts
        if self.preformatted or self.with_lines:
            text = lines(decoded(self.raw.items, self.raw.size), self.preformatted > 0)
            self.with_lines = False
        else:
            text = one_line(&self.raw)
        self.raw.size = 0
        self.broke = False
        length = len(text)
        if length < 4 and not has_sign(text):
            self.social.pop(len(self.texts), None)
            return 0
        facts = grown(&self.blocks, BLOCK_ROW)
        facts[0] = self.opened.items[self.opened.size - OPEN_FACTS]
        facts[1], facts[2], facts[3] = self.link_words, self.link_chars, self.strong_chars
        facts[4], facts[5], facts[6] = self.links, self.images, self.marks
        measure(text, facts + BLOCK_FACTS)
        self.texts.append(text)
        self.images = self.marks = self.link_chars = self.link_words = self.links = self.strong_chars = 0
        return 0

    def result(self):
        """The columns of all blocks, of their measures and of all containers, and the head."""
        cdef Py_ssize_t rows = self.blocks.size // BLOCK_ROW, boxes = self.containers.size // CONTAINER_FACTS
        cdef Py_ssize_t row, column
        cdef int64_t* facts = self.blocks.items
        by_block = np.empty((BLOCK_ROW, rows), dtype=np.int64)
        by_container = np.empty((CONTAINER_FACTS, boxes), dtype=np.int64)
        cdef int64_t[:, ::1] target = by_block
        for row in range(rows):
            for column in range(BLOCK_ROW):
                target[column, row] = facts[column]
            facts += BLOCK_ROW
        self.containers.items[8] = rows
        facts = self.containers.items
        target = by_container
        for row in range(boxes):
            for column in range(CONTAINER_FACTS):
                target[column, row] = facts[column]
            facts += CONTAINER_FACTS
        return by_block, by_container, self.head.close()


cdef int64_t hint_bits(str value) except -1:
    """``hints_of``; words are runs of letters, cut where a capital begins one."""
    cdef PyObject* known = PyDict_GetItem(KNOWN_HINTS, value)
    if known is not NULL:
        return <object> known
    cdef Py_ssize_t size = 0, first = 0, at = 0
    cdef const char* data = PyUnicode_AsUTF8AndSize(value, &size)
    cdef int64_t mask = 0
    if size > LONGEST_VALUE:
        return hints_of(value)
    while at < size:
        first = at
        while at < size and b"A" <= data[at] <= b"Z":
            at += 1
        if at < size and b"a" <= data[at] <= b"z":
            if at - first > 1:
                # HTMLText: the last capital belongs to what follows.
                mask |= bits_of(data + first, at - 1 - first)
                first = at - 1
            while at < size and b"a" <= data[at] <= b"z":
                at += 1
        if at > first:
            mask |= bits_of(data + first, at - first)
        else:
            at += 1
    if len(KNOWN_HINTS) < MOST_HINTS:
        KNOWN_HINTS[value] = mask
    else:
        remember_hints(value, mask)
    return mask


cdef int64_t bits_of(const char* token, Py_ssize_t size) except -1:
    cdef char[64] lower
    cdef Py_ssize_t index
    cdef PyObject* found
    if size > <Py_ssize_t> sizeof(lower):
        return 0  # no word is as long
    for index in range(size):
        lower[index] = token[index] | 32
    found = PyDict_GetItem(TOKEN_BITS, PyBytes_FromStringAndSize(lower, size))
    return 0 if found is NULL else <object> found


cdef Py_ssize_t text_size(xmlNode* top) noexcept:
    """How many characters of text an element holds."""
    cdef xmlNode* node = top.children
    cdef Py_ssize_t count = 0
    while node is not NULL:
        if is_text(node):
            count += characters_in(<const char*> node.content, strlen(<const char*> node.content))
        node = following(node, top)
    return count


cdef str text_in(xmlNode* top):
    cdef xmlNode* node = top.children
    cdef list found = []
    while node is not NULL:
        if is_text(node):
            found.append(text_of(<const char*> node.content))
        node = following(node, top)
    return "".join(found)


cdef inline bint is_text(xmlNode* node) noexcept:
    return (node.type == XML_TEXT_NODE or node.type == XML_CDATA_SECTION_NODE) and node.content is not NULL


cdef xmlNode* following(xmlNode* node, xmlNode* top) noexcept:
    """The next node in an element, or NULL."""
    if node.type == XML_ELEMENT_NODE and node.children is not NULL:
        return node.children
    while node.next is NULL:
        node = node.parent
        if node is top or node is NULL:
            return NULL
    return node.next


cdef Py_ssize_t words_in(const char* data, Py_ssize_t size) noexcept:
    """``count_words`` for ASCII."""
    cdef Py_ssize_t index, count = 0
    cdef bint space, before = True
    for index in range(size):
        space = IS_SPACE[<uint8_t> data[index]]
        count += before and not space
        before = space
    return count


cdef str one_line(Bytes* raw):
    """``plain``; what is ASCII is done in place."""
    cdef Py_ssize_t index, size = 0
    cdef char sign
    cdef bint gap = False
    if characters_in(raw.items, raw.size) != raw.size:
        return plain(decoded(raw.items, raw.size))
    for index in range(raw.size):
        sign = raw.items[index]
        if IS_SPACE[<uint8_t> sign]:
            gap = size > 0
        else:
            if gap:
                raw.items[size] = b" "
                size += 1
                gap = False
            raw.items[size] = sign
            size += 1
    return PyUnicode_DecodeASCII(raw.items, size, NULL)


cdef bint has_sign(str text):
    for sign in text:
        if sign.isalnum():
            return True
    return False


cdef int measure(str text, int64_t* facts) except -1:
    """``layout.measure`` of one text."""
    cdef int kind = SPACE
    cdef Py_UCS4 sign
    cdef bint in_word = False, was_word = False, in_run = False, was_run = False
    cdef int64_t* counts = facts + MEASURED
    memset(facts, 0, (MEASURED + KIND_COUNT) * sizeof(int64_t))
    facts[0] = len(text)
    for sign in text:
        kind = KIND_OF[sign if sign < 0xFFFF else 0xFFFF]
        if facts[3] == 0:
            facts[3] = kind + 1
        counts[kind] += 1
        in_word = kind != SPACE and kind != UNSPACED
        facts[1] += kind == UNSPACED or (in_word and not was_word)
        in_run = IN_RUN[kind]
        facts[2] += in_run and not was_run
        was_word, was_run = in_word, in_run
    facts[3] -= 1
    facts[4] = kind
    return 0


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
            while at < end and not IS_SPACE[<uint8_t> at[0]] and at[0] != b">" and at[0] != b"/":
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
        if IS_SPACE[<uint8_t> at[0]] or at[0] == b"/":
            at += 1
            continue
        count += 1
        if count > limit:
            return NULL
        at += 1
        while at < end and not IS_SPACE[<uint8_t> at[0]] and at[0] != b">" and at[0] != b"/" and at[0] != b"=":
            at += 1
        while at < end and IS_SPACE[<uint8_t> at[0]]:
            at += 1
        if at < end and at[0] == b"=":
            at += 1
            while at < end and IS_SPACE[<uint8_t> at[0]]:
                at += 1
            if at < end and (at[0] == b'"' or at[0] == b"'"):
                closed = <const char*> memchr(at + 1, at[0], end - at - 1)
                at = end if closed is NULL else closed + 1
            else:
                while at < end and not IS_SPACE[<uint8_t> at[0]] and at[0] != b">":
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
