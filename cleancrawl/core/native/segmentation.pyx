# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, annotation_typing=False
"""Text blocks from a page's elements and texts: the twin of ``core.segmentation.collector``.

``parser_events`` sends them from a source, ``tree_events`` from a tree. What is rare (hidden elements, rules, the head,
text with invisible characters) is left to the same Python functions.
"""

from __future__ import annotations

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport int64_t, uint64_t, uintptr_t
from libc.string cimport memset

from .ad_signs cimport may_be_ad, told_by
from .ascii_space cimport is_space
from .element_attributes cimport ARIA_HIDDEN, CLASS, HIDDEN, HREF, ID, ITEMPROP, ITEMTYPE, OPEN, ROLE, STYLE, TYPE
from .element_attributes cimport Attribute, attribute, attributes, characters_in, decoded, has_plus, may_hide, may_size
from .element_attributes cimport note_link, note_meta, text_of
from .growing cimport append, by_column, grown, setdefault
from .named_values cimport value_hints, value_number
from .text_measures cimport ascii_line, ascii_words, has_sign, measure
from .utf8_lines cimport is_simple, simple_line, spaced_words
from .walk_setup cimport BlockColumns, ContainerColumns, Name, Setup, TagKinds

import numpy as np

cdef enum:
    OPEN_FACTS = 4  # number, path, class path, outermost hidden container
    NAME_SLOTS = 1024


cdef class Segmentation:
    """Collects what ``core.segmentation.collector.Collector`` collects from the same events.

    A tag stays where it is in memory while a page is sent, and attributes while they are told of.
    """

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
        PyMem_Free(self.told.items)
        PyMem_Free(self.paths.keys)
        PyMem_Free(self.paths.values)
        PyMem_Free(self.class_paths.keys)
        PyMem_Free(self.class_paths.values)
        PyMem_Free(self.values.facts.items)
        PyMem_Free(self.values.all.items)
        PyMem_Free(self.values.numbers.keys)
        PyMem_Free(self.values.numbers.values)

    def __init__(self, Setup setup not None, rules, links):
        self.setup = setup
        self.rules = rules
        self.addresses = links
        self.head = setup.head()
        self.metas, self.links_to = self.head.head.meta, self.head.head.links
        self.class_names = {}
        self.values.seed = <uintptr_t> self.names  # which no page knows
        self.texts, self.hits, self.told_links = [], {}, {}
        memset(grown(&self.containers, setup.container_size), 0, setup.container_size * sizeof(int64_t))
        memset(grown(&self.opened, OPEN_FACTS), 0, OPEN_FACTS * sizeof(int64_t))

    cdef int text(self, const char* data, Py_ssize_t size) except -1:
        """Take a piece of text. All between two tags counts as one: it waits behind what is taken of the block."""
        if not self.skipped:
            append(&self.raw, data, size)
        elif self.listens:
            append(&self.told, data, size)
        elif self.counts:
            self.unseen += characters_in(data, size)
        return 0

    cdef int take(self) except -1:
        """Take the text since the last tag."""
        cdef const char* data = self.raw.items + self.taken
        cdef Py_ssize_t size = self.raw.size - self.taken, index = 0, chars, words
        while index < size and is_space(data[index]):
            index += 1
        if index == size or (data[index] & 0x80 and decoded(data, size).isspace()):
            if not self.taken:
                self.raw.size = 0
            self.taken = self.raw.size
            return 0
        self.taken = self.raw.size
        self.broke = False
        if self.in_link > 0 or self.in_strong > 0:
            chars = characters_in(data, size)
            if self.in_strong > 0:
                self.strong_chars += chars
            if self.in_link > 0:
                self.link_chars += chars
                words = ascii_words(data, size) if chars == size else spaced_words(data, size)
                self.link_words += words if words >= 0 else self.setup.count_words(decoded(data, size))
                if self.link_hit is not None:
                    first, known = self.told_links.get(len(self.texts), (self.link_hit, 0))
                    self.told_links[len(self.texts)] = first, known + len(decoded(data, size).strip())
        return 0

    cdef Name* name(self, const char* tag) except NULL:
        """What a tag means."""
        cdef Name* slot = &self.names[(<uintptr_t> tag * <uintptr_t> 0x9E3779B1 >> 16) % NAME_SLOTS]
        if slot.name != tag:
            slot.name = tag
            self.setup.tell(text_of(tag), slot)
        return slot

    cdef int start(self, const char* tag, const char** attrs) except -1:
        """Take an element's start."""
        cdef Name* name
        cdef int kind
        cdef TagKinds* of = &self.setup.kind
        if self.skipped:
            self.skipped += 1
            return 0
        if self.raw.size > self.taken:
            self.take()
        name = self.name(tag)
        kind = name.kind
        if name.bears:
            self.embedded(tag, attrs, name)
        if kind == of.block:
            if self.raw.size:
                self.flush()
            self.open(tag, attrs, name)
        elif kind == of.image:
            self.images += 1
        elif kind == of.line_break:
            self.line_break()
        elif kind == of.skip:
            self.take_script(attrs, name)
        elif kind == of.head:
            self.take_head(tag, attrs, name)
        else:
            self.take_inline(attrs, name)
        return 0

    cdef int take_inline(self, const char** attrs, Name* name) except -1:
        """Take the start of an element within a line: a link, emphasis, or one that may hide what it holds."""
        cdef TagKinds* of = &self.setup.kind
        cdef const char** attr = attrs
        cdef Attribute which
        cdef bint maybe_hidden = False
        if name.kind == of.link:
            self.in_link += 1
            self.links += 1
            self.link_hit = None
        elif name.kind == of.strong:
            self.in_strong += 1
        elif name.kind == of.mark:
            self.marks += 1
        while attr is not NULL and attr[0] is not NULL:
            which = attribute(attr[0])
            if which == HREF:
                if name.kind == of.link:
                    self.link_hit = told_by(self.addresses, attr[1], self.origins)
            elif which == HIDDEN or which == ARIA_HIDDEN or (which == STYLE and may_hide(attr[1])):
                maybe_hidden = True
            attr += 2
        if maybe_hidden and self.setup.is_hidden(attributes(attrs)):
            # Its end will not be seen as such.
            self.in_link -= name.kind == of.link
            self.in_strong -= name.kind == of.strong
            self.skip(False, not name.never_text)
        return 0

    cdef int embedded(self, const char* tag, const char** attrs, Name* name) except -1:
        """Take what an embedded element tells of the container around it; all is asked of the few that may tell."""
        cdef bint linked = self.in_link > 0
        if may_be_ad(self.setup, self.addresses, attrs, name, self.origins, linked):
            hit = self.setup.embedded_hit(self.rules, text_of(tag), attributes(attrs), linked)
            if hit is not None:
                self.setup.add_hit(self.hits, self.opened.items[self.opened.size - OPEN_FACTS], hit)
        return 0

    cdef int take_head(self, const char* tag, const char** attrs, Name* name) except -1:
        """Take the start of an element that tells of the page."""
        if name.is_meta:
            note_meta(attrs, self.metas)
        elif name.is_link:
            note_link(attrs, self.links_to)
        else:
            self.head.start(text_of(tag), attributes(attrs))
            if name.is_title:
                self.skip(self.head.text is not None, not name.never_text)
        return 0

    cdef int take_script(self, const char** attrs, Name* name) except -1:
        """Take the start of an element that is not shown: its text is of use where it is JSON-LD."""
        cdef const char** attr = attrs
        while name.is_script and attr is not NULL and attr[0] is not NULL:
            if attribute(attr[0]) == TYPE and has_plus(attr[1]):
                self.head.start("script", attributes(attrs))
                break
            attr += 2
        return self.skip(name.is_script and self.head.text is not None, not name.never_text)

    cdef int skip(self, bint listens, bint counts) except -1:
        """Show nothing until the element ends that has just started."""
        self.skipped, self.listens, self.counts = 1, listens, counts
        self.told.size = 0
        return 0

    cdef int unskip(self, const char* tag) except -1:
        """Take an element's end where nothing is shown."""
        self.skipped -= 1
        if not self.skipped and self.listens:
            if self.told.size:
                self.head.data(decoded(self.told.items, self.told.size))
            self.head.end(text_of(tag))
        return 0

    cdef int64_t hints(self, const char* value) except -1:
        return value_hints(&self.values, value_number(&self.values, value, self.setup))

    cdef int open(self, const char* tag, const char** attrs, Name* name) except -1:
        """Add a container."""
        cdef int64_t* around = self.opened.items + self.opened.size - OPEN_FACTS
        cdef int64_t parent = around[0], path = around[1], class_path = around[2], hidden = around[3]
        cdef int64_t number = self.containers.size // self.setup.container_size, hints = 0, identity = 0
        cdef int64_t depth = self.opened.size // OPEN_FACTS
        cdef int64_t* facts
        cdef ContainerColumns* at = &self.setup.container_at
        cdef const char** attr = attrs
        cdef const char* class_name = NULL
        cdef bint maybe_hidden = False, is_open = False, sized = False
        cdef Attribute which
        path = setdefault(&self.paths, <uint64_t> (path << 7 | name.tag_id) + 1, number)
        if attr is not NULL:
            while attr[0] is not NULL:
                which = attribute(attr[0])
                if which == CLASS:
                    class_name = attr[1]
                elif which == ID or which == ROLE or which == ITEMPROP:
                    hints |= self.hints(attr[1])
                elif which == ITEMTYPE and "Comment" in text_of(attr[1]):
                    hints |= self.hints(attr[1])
                elif which == HIDDEN or which == ARIA_HIDDEN:
                    maybe_hidden = True
                elif which == STYLE:
                    maybe_hidden = maybe_hidden or may_hide(attr[1])
                    sized = name.is_div and may_size(attr[1])
                elif which == OPEN:
                    is_open = True
                attr += 2
            identity = value_number(&self.values, class_name, self.setup)
            hints |= value_hints(&self.values, identity)
            if maybe_hidden and not hidden and self.setup.is_hidden(attributes(attrs), text_of(tag)):
                hidden = number
            if name.is_html:
                self.head.start("html", attributes(attrs))
            hit = None
            if hints & self.setup.ad_hint:
                hit = self.rules.hit(text_of(tag), attributes(attrs))
            elif sized:
                hit = self.setup.sized_hit(attributes(attrs))
            if hit is not None:
                self.hits[number] = hit
        class_path = class_path << 7 | name.tag_id
        class_path = setdefault(&self.class_paths, <uint64_t> (class_path << 28 | identity) + 1, number)
        if name.is_dialog and not hidden and not is_open:
            hidden = number
        if class_path == number and class_name is not NULL and class_name[0]:
            self.class_names[number] = text_of(class_name)
        facts = grown(&self.containers, self.setup.container_size)
        facts[at.parent], facts[at.tag], facts[at.depth] = parent, name.tag_id, depth
        facts[at.hints], facts[at.hidden], facts[at.path], facts[at.class_path] = hints, hidden, path, class_path
        facts[at.first_block], facts[at.end_block] = len(self.texts), 0
        facts = grown(&self.opened, OPEN_FACTS)
        facts[0], facts[1], facts[2], facts[3] = number, path, class_path, hidden
        self.preformatted += name.is_pre
        return 0

    cdef int end(self, const char* tag) except -1:
        """Take an element's end."""
        cdef Name* name
        if self.skipped:
            return self.unskip(tag)
        if self.raw.size > self.taken:
            self.take()
        name = self.name(tag)
        if name.kind == self.setup.kind.block:
            if self.raw.size:
                self.flush()
            if self.opened.size > OPEN_FACTS:
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
            self.taken = self.raw.size
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
        elif is_simple(self.raw.items, self.raw.size):
            text = simple_line(self.raw.items, self.raw.size)
        else:
            text = self.setup.plain(decoded(self.raw.items, self.raw.size))
        self.raw.size = self.taken = 0
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

    cdef int finish(self) except -1:
        """Take what is left, once the page was sent."""
        if self.raw.size > self.taken:
            self.take()
        if self.raw.size:
            self.flush()
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
