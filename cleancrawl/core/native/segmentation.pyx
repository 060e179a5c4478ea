# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, annotation_typing=False
"""Text blocks from lxml's tree, read through its C structures: the twin of ``core.segmentation.collector``.

What is rare (hidden elements, rules, the head, text that is not ASCII) is left to the same Python functions.
"""

from __future__ import annotations

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport int64_t, uint64_t, uintptr_t
from libc.string cimport memset, strlen

from lxml.includes cimport etreepublic
from lxml.includes.tree cimport XML_ELEMENT_NODE, const_xmlChar, xmlAttr, xmlNode

from .ad_signs cimport ORIGINS, Origin, may_be_ad, told_by
from .ascii_space cimport is_space
from .growing cimport Bytes, Numbers, Table, append, by_column, grown, setdefault
from .named_values cimport Values, value_hints, value_number
from .text_measures cimport ascii_line, ascii_words, has_sign, measure
from .tree_nodes cimport ARIA_HIDDEN, CLASS, HIDDEN, HREF, ID, ITEMPROP, ITEMTYPE, OPEN, ROLE, STYLE, TYPE, Attribute
from .tree_nodes cimport attribute, attributes, characters_in, decoded, has_plus, is_text, may_hide, may_size
from .tree_nodes cimport note_link, note_meta, text_in, text_of, text_size, value_of
from .walk_setup cimport BlockColumns, ContainerColumns, Name, Setup, TagKinds

import numpy as np
from lxml import etree

etreepublic.import_lxml__etree()

cdef extern from "libxml/xmlversion.h":
    const int LIBXML_VERSION

_built_for = (LIBXML_VERSION // 10000, LIBXML_VERSION // 100 % 100)
if etree.LIBXML_VERSION[:2] != _built_for:
    raise ImportError(f"built for libxml2 {_built_for}, but lxml has {etree.LIBXML_VERSION}")

cdef enum:
    OPEN_FACTS = 4  # number, path, class path, outermost hidden container
    NAME_SLOTS = 1024
    DEEPEST = 1900  # libxml2 ends a tree at 2048


cdef class Segmentation:
    """Walks a tree once and collects what ``core.segmentation.collector.Collector`` collects from events."""

    cdef Setup setup
    cdef object rules, head, addresses, link_hit
    cdef Values values
    cdef list value_texts, metas, links_to
    cdef readonly list texts
    cdef readonly dict hits, told_links, class_names
    cdef readonly Py_ssize_t unseen
    cdef Numbers blocks, containers, opened
    cdef Bytes raw, joined
    cdef Table paths, class_paths
    cdef Name* names
    cdef Origin[ORIGINS] origins
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
        PyMem_Free(self.values.facts.items)
        PyMem_Free(self.values.numbers.keys)
        PyMem_Free(self.values.numbers.values)

    def __init__(self, Setup setup not None, rules, links):
        self.setup = setup
        self.rules = rules
        self.addresses = links
        self.head = setup.head()
        self.metas, self.links_to = self.head.head.meta, self.head.head.links
        self.value_texts, self.class_names = [], {}
        self.values.seed = <uintptr_t> self.names  # which no page knows
        self.texts, self.hits, self.told_links = [], {}, {}
        memset(grown(&self.containers, setup.container_size), 0, setup.container_size * sizeof(int64_t))
        memset(grown(&self.opened, OPEN_FACTS), 0, OPEN_FACTS * sizeof(int64_t))

    def walk(self, etreepublic._Element root not None):
        """Take in the document of an element; false where it is so deep that the parser may have cut it off."""
        cdef xmlNode* document = root._c_node
        cdef Py_ssize_t depth = 0
        if document is NULL or self.setup is None:
            raise ValueError("an element without a tree, or a walk that was not set up")
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
        while index < size and is_space(data[index]):
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
                if chars == size:
                    self.link_words += ascii_words(data, size)
                else:
                    self.link_words += self.setup.count_words(decoded(data, size))
                if self.link_hit is not None:
                    first, known = self.told_links.get(len(self.texts), (self.link_hit, 0))
                    self.told_links[len(self.texts)] = first, known + len(decoded(data, size).strip())
        return 0

    cdef Name* name(self, const_xmlChar* name) except NULL:
        """What an element's name means; equal names have the same address in a document."""
        cdef Name* slot = &self.names[(<uintptr_t> name * <uintptr_t> 0x9E3779B1 >> 16) % NAME_SLOTS]
        if slot.name != name:
            slot.name = name
            self.setup.tell(text_of(<const char*> name), slot)
        return slot

    cdef bint start(self, xmlNode* node) except -1:
        """Take an element's start; false where what it holds is done with."""
        cdef Name* name = self.name(node.name)
        cdef int kind = name.kind
        cdef TagKinds* of = &self.setup.kind
        cdef xmlAttr* attr
        cdef Attribute which
        cdef bint maybe_hidden = False
        if name.bears:
            self.embedded(node, name)
        if kind == of.block:
            if self.raw.size:
                self.flush()
            self.open(node, name)
            return True
        if kind == of.link:
            self.in_link += 1
            self.links += 1
            self.link_hit = None
        elif kind == of.strong:
            self.in_strong += 1
        elif kind == of.mark:
            self.marks += 1
        elif kind == of.image:
            self.images += 1
            return True
        elif kind == of.line_break:
            self.line_break()
            return True
        elif kind == of.skip:
            self.skip(node, name)
            return False
        elif kind == of.head:
            if name.is_meta:
                return note_meta(node, self.metas)
            if name.is_link:
                return note_link(node, self.links_to)
            self.head.start(text_of(<const char*> node.name), attributes(node))
            if not name.is_title:
                return True
            self.skip(node, name)
            return False
        attr = node.properties
        while attr is not NULL:
            which = attribute(<const char*> attr.name)
            if which == HREF:
                if kind == of.link:
                    self.link_hit = told_by(self.addresses, attr, self.origins)
            elif which == HIDDEN or which == ARIA_HIDDEN or (which == STYLE and may_hide(attr)):
                maybe_hidden = True
            attr = attr.next
        if maybe_hidden and self.setup.is_hidden(attributes(node)):
            self.in_link -= kind == of.link
            self.in_strong -= kind == of.strong
            self.unseen += 0 if name.never_text else text_size(node)
            return False
        return True

    cdef int embedded(self, xmlNode* node, Name* name) except -1:
        """Take what an embedded element tells of the container around it; all is asked of the few that may tell."""
        cdef bint linked = self.in_link > 0
        if may_be_ad(self.setup, self.addresses, node, name, self.origins, linked):
            hit = self.setup.embedded_hit(self.rules, text_of(<const char*> node.name), attributes(node), linked)
            if hit is not None:
                self.setup.add_hit(self.hits, self.opened.items[self.opened.size - OPEN_FACTS], hit)
        return 0

    cdef int skip(self, xmlNode* node, Name* name) except -1:
        """Take an element that is not shown: its text is of use where it is a title or JSON-LD."""
        cdef xmlAttr* attr
        if name.is_script:
            attr = node.properties
            while attr is not NULL:
                if attribute(<const char*> attr.name) == TYPE and has_plus(attr):
                    self.head.start("script", attributes(node))
                    break
                attr = attr.next
        if (name.is_script or name.is_title) and self.head.text is not None:
            self.head.data(text_in(node))
            self.head.end("script" if name.is_script else "title")
        elif not name.never_text:
            self.unseen += text_size(node)
        return 0

    cdef int64_t hints(self, xmlAttr* attr) except -1:
        return value_hints(&self.values, value_number(&self.values, attr, self.value_texts, self.setup))

    cdef int open(self, xmlNode* node, Name* name) except -1:
        """Add a container."""
        cdef int64_t* around = self.opened.items + self.opened.size - OPEN_FACTS
        cdef int64_t parent = around[0], path = around[1], class_path = around[2], hidden = around[3]
        cdef int64_t number = self.containers.size // self.setup.container_size, hints = 0, identity = 0
        cdef int64_t depth = self.opened.size // OPEN_FACTS
        cdef int64_t* facts
        cdef ContainerColumns* at = &self.setup.container_at
        cdef xmlAttr* attr = node.properties
        cdef xmlAttr* class_name = NULL
        cdef bint maybe_hidden = False, is_open = False, sized = False
        cdef Attribute which
        path = setdefault(&self.paths, <uint64_t> (path << 7 | name.tag_id) + 1, number)
        if attr is not NULL:
            while attr is not NULL:
                which = attribute(<const char*> attr.name)
                if which == CLASS:
                    class_name = attr
                elif which == ID or which == ROLE or which == ITEMPROP:
                    hints |= self.hints(attr)
                elif which == ITEMTYPE and "Comment" in value_of(attr):
                    hints |= self.hints(attr)
                elif which == HIDDEN or which == ARIA_HIDDEN:
                    maybe_hidden = True
                elif which == STYLE:
                    maybe_hidden = maybe_hidden or may_hide(attr)
                    sized = name.is_div and may_size(attr)
                elif which == OPEN:
                    is_open = True
                attr = attr.next
            identity = value_number(&self.values, class_name, self.value_texts, self.setup)
            hints |= value_hints(&self.values, identity)
            if maybe_hidden and not hidden and self.setup.is_hidden(attributes(node)):
                hidden = number
            if name.is_html:
                self.head.start("html", attributes(node))
            hit = None
            if hints & self.setup.ad_hint:
                hit = self.rules.hit(text_of(<const char*> node.name), attributes(node))
            elif sized:
                hit = self.setup.sized_hit(attributes(node))
            if hit is not None:
                self.hits[number] = hit
        class_path = class_path << 7 | name.tag_id
        class_path = setdefault(&self.class_paths, <uint64_t> (class_path << 28 | identity) + 1, number)
        if name.is_dialog and not hidden and not is_open:
            hidden = number
        if class_name is not NULL and class_path == number:
            if self.value_texts[identity - 1]:
                self.class_names[number] = self.value_texts[identity - 1]
        facts = grown(&self.containers, self.setup.container_size)
        facts[at.parent], facts[at.tag], facts[at.depth] = parent, name.tag_id, depth
        facts[at.hints], facts[at.hidden], facts[at.path], facts[at.class_path] = hints, hidden, path, class_path
        facts[at.first_block], facts[at.end_block] = len(self.texts), 0
        facts = grown(&self.opened, OPEN_FACTS)
        facts[0], facts[1], facts[2], facts[3] = number, path, class_path, hidden
        self.preformatted += name.is_pre
        return 0

    cdef int end(self, xmlNode* node) except -1:
        cdef Name* name = self.name(node.name)
        if name.kind == self.setup.kind.block:
            if self.raw.size:
                self.flush()
            self.opened.size -= OPEN_FACTS
            self.close_container(self.opened.items[self.opened.size])
            self.preformatted -= name.is_pre
        elif name.kind == self.setup.kind.link:
            self.in_link -= 1
            self.link_hit = None
        elif name.kind == self.setup.kind.strong:
            self.in_strong -= 1
        return 0

    cdef int close_container(self, int64_t number) except -1:
        self.containers.items[self.setup.container_size * number + self.setup.container_at.end_block] = len(self.texts)
        return 0

    cdef int line_break(self) except -1:
        if not self.raw.size:
            return 0
        if self.broke and not self.preformatted:
            self.flush()
        else:
            append(&self.raw, PyBytes_AS_STRING(self.setup.line), PyBytes_GET_SIZE(self.setup.line))
            self.with_lines = self.broke = True
        return 0

    cdef int flush(self) except -1:
        """Close the block of the text met so far; text without a letter or digit makes none."""
        cdef str text
        cdef Py_ssize_t length
        cdef int64_t* facts
        cdef BlockColumns* at = &self.setup.block_at
        if self.preformatted or self.with_lines:
            text = self.setup.lines(decoded(self.raw.items, self.raw.size), self.preformatted > 0)
            self.with_lines = False
        elif characters_in(self.raw.items, self.raw.size) == self.raw.size:
            text = ascii_line(self.raw.items, self.raw.size)
        else:
            text = self.setup.plain(decoded(self.raw.items, self.raw.size))
        self.raw.size = 0
        self.broke = False
        length = len(text)
        if length < 4 and not has_sign(text):
            self.told_links.pop(len(self.texts), None)
            return 0
        facts = grown(&self.blocks, self.setup.block_size)
        facts[at.container] = self.opened.items[self.opened.size - OPEN_FACTS]
        facts[at.link_words], facts[at.link_chars] = self.link_words, self.link_chars
        facts[at.strong_chars], facts[at.links] = self.strong_chars, self.links
        facts[at.images], facts[at.marks] = self.images, self.marks
        measure(text, &self.setup.characters, &self.setup.measure_at, facts)
        self.texts.append(text)
        self.images = self.marks = self.link_chars = self.link_words = self.links = self.strong_chars = 0
        return 0

    def result(self):
        """The columns of all blocks, of all containers, and the head."""
        self.containers.items[self.setup.container_at.end_block] = len(self.texts)
        blocks = np.empty((self.setup.block_size, len(self.texts)), dtype=np.int64)
        containers = np.empty(
            (self.setup.container_size, self.containers.size // self.setup.container_size), dtype=np.int64
        )
        by_column(&self.blocks, blocks)
        by_column(&self.containers, containers)
        return blocks, containers, self.head.close()
