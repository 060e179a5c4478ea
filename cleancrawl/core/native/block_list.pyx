# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""All blocks of a page at once: the twin of what ``core/block_columns`` does in Python.

An object of a class with slots is memory with a pointer for each of them. They are read and written here as they are,
without a call for every block.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.object cimport PyObject, PyTypeObject
from cpython.ref cimport Py_INCREF, Py_XDECREF
from libc.stdint cimport int64_t

cdef extern from "Python.h":
    ctypedef struct PyMemberDef:
        Py_ssize_t offset
    ctypedef struct PyMemberDescrObject:
        PyMemberDef* d_member
    PyTypeObject PyMemberDescr_Type
    object PyType_GenericAlloc(type kind, Py_ssize_t count)

cdef enum:
    SLOTS = 8
    TEXT = 0
    WORDS = 1
    LINK_WORDS = 2
    TAG = 3
    NODE = 4
    INDEX = 5
    SCORE = 6
    REMOVED = 7


cdef inline PyObject** _slot(object block, Py_ssize_t offset) noexcept:
    return <PyObject**> (<char*> <PyObject*> block + offset)


cdef inline void _set(object block, Py_ssize_t offset, object value) noexcept:
    cdef PyObject** slot = _slot(block, offset)
    cdef PyObject* before = slot[0]
    Py_INCREF(value)
    slot[0] = <PyObject*> value
    Py_XDECREF(before)


cdef class BlockSlots:
    """Blocks of a class with the slots ``text, words, link_words, tag, node, index, score, removed``."""

    cdef type kind
    cdef Py_ssize_t[SLOTS] offsets

    def __init__(self, type kind not None):
        self.kind = kind
        names = ("text", "words", "link_words", "tag", "node", "index", "score", "removed")
        if tuple(kind.__slots__) != names or kind.__bases__ != (object,):
            raise TypeError(f"a class with the slots {', '.join(names)} and no other base is needed")
        for place, name in enumerate(names):
            member = kind.__dict__[name]
            if type(member) is not <object> &PyMemberDescr_Type:
                raise TypeError(f"{name} is no slot")
            self.offsets[place] = (<PyMemberDescrObject*> <PyObject*> member).d_member.offset

    def made(
        self,
        list texts not None,
        const int64_t[:] words,
        const int64_t[:] link_words,
        const int64_t[:] tags,
        tuple names not None,
    ):
        """A block for each text; ``tags`` are places in ``names``."""
        cdef Py_ssize_t count = len(texts), place
        if not (words.shape[0] == link_words.shape[0] == tags.shape[0] == count):
            raise ValueError("columns of different lengths")
        cdef list found = []
        for place in range(count):
            if not 0 <= tags[place] < len(names):
                raise ValueError(f"no tag {tags[place]}")
            block = PyType_GenericAlloc(self.kind, 0)
            _set(block, self.offsets[TEXT], texts[place])
            _set(block, self.offsets[WORDS], words[place])
            _set(block, self.offsets[LINK_WORDS], link_words[place])
            _set(block, self.offsets[TAG], names[tags[place]])
            _set(block, self.offsets[NODE], None)
            _set(block, self.offsets[INDEX], place)
            _set(block, self.offsets[SCORE], None)
            _set(block, self.offsets[REMOVED], None)
            found.append(block)
        return found

    cdef int check(self, object block) except -1:
        if type(block) is not self.kind and not isinstance(block, self.kind):
            raise TypeError(f"{block!r} is no block")
        return 0

    def kept(self, list blocks not None):
        """A byte for each block: whether nothing has removed it."""
        cdef Py_ssize_t count = len(blocks), place
        cdef bytes found = PyBytes_FromStringAndSize(NULL, count)
        cdef char* flags = PyBytes_AS_STRING(found)
        for place in range(count):
            self.check(blocks[place])
            flags[place] = _slot(blocks[place], self.offsets[REMOVED])[0] == <PyObject*> None
        return found

    def kept_ones(self, list blocks not None):
        """The blocks that nothing has removed."""
        cdef Py_ssize_t place
        cdef list found = []
        for place in range(len(blocks)):
            block = blocks[place]
            self.check(block)
            if _slot(block, self.offsets[REMOVED])[0] == <PyObject*> None:
                found.append(block)
        return found

    def scores(self, list blocks not None):
        """The score of each block as a double, 0 where it has none."""
        cdef Py_ssize_t count = len(blocks), place
        cdef bytes found = PyBytes_FromStringAndSize(NULL, count * sizeof(double))
        cdef double* numbers = <double*> PyBytes_AS_STRING(found)
        cdef PyObject* score
        for place in range(count):
            self.check(blocks[place])
            score = _slot(blocks[place], self.offsets[SCORE])[0]
            numbers[place] = 0.0 if score == <PyObject*> None else <object> score
        return found

    def kept_words(self, list blocks not None):
        """The words of the blocks that nothing has removed."""
        cdef Py_ssize_t place
        cdef int64_t total = 0
        for place in range(len(blocks)):
            block = blocks[place]
            self.check(block)
            if _slot(block, self.offsets[REMOVED])[0] == <PyObject*> None:
                total += <int64_t> <object> _slot(block, self.offsets[WORDS])[0]
        return total

    def tally(self, list blocks not None, int64_t long):
        """Words of the kept ones and of all, the same of those in links; how many kept ones are long, and their words;
        how many are headings below the first level, and items of lists; whether any block is a headline."""
        cdef int64_t kept = 0, total = 0, kept_links = 0, links = 0, long_ones = 0, long_words = 0, words, linked
        cdef Py_ssize_t place, headings = 0, items = 0
        cdef bint headline = False
        for place in range(len(blocks)):
            block = blocks[place]
            self.check(block)
            words = <int64_t> <object> _slot(block, self.offsets[WORDS])[0]
            linked = <int64_t> <object> _slot(block, self.offsets[LINK_WORDS])[0]
            tag = <object> _slot(block, self.offsets[TAG])[0]
            total += words
            links += linked
            headline |= tag == "h1"
            if _slot(block, self.offsets[REMOVED])[0] == <PyObject*> None:
                kept += words
                kept_links += linked
                if words >= long:
                    long_ones += 1
                    long_words += words
                headings += tag == "h2" or tag == "h3" or tag == "h4"
                items += tag == "li"
        return kept, total, kept_links, links, long_ones, long_words, headings, items, headline

    def rules(self, list blocks not None):
        """How many blocks each rule has removed, in the order of the page."""
        cdef Py_ssize_t place
        cdef PyObject* removed
        cdef object rule, before = None
        cdef dict found = {}
        cdef Py_ssize_t run = 0
        for place in range(len(blocks)):
            block = blocks[place]
            self.check(block)
            removed = _slot(block, self.offsets[REMOVED])[0]
            if removed == <PyObject*> None:
                continue
            rule = (<object> removed).rule
            if rule is not before:
                if run:
                    found[before] = found.get(before, 0) + run
                before, run = rule, 0
            run += 1
        if run:
            found[before] = found.get(before, 0) + run
        return found

    def judge(self, list blocks not None, const double[:] scores, double bar, tuple removals not None):
        """Give each block its score; what is below the bar and not removed yet gets the removal of its percentage."""
        cdef Py_ssize_t count = len(blocks), place, percent
        if scores.shape[0] != count:
            raise ValueError("columns of different lengths")
        for place in range(count):
            block = blocks[place]
            self.check(block)
            _set(block, self.offsets[SCORE], scores[place])
            if scores[place] < bar and _slot(block, self.offsets[REMOVED])[0] == <PyObject*> None:
                percent = <Py_ssize_t> (100 * scores[place])
                if not 0 <= percent < len(removals):
                    raise ValueError(f"no removal for {scores[place]}")
                _set(block, self.offsets[REMOVED], removals[percent])
