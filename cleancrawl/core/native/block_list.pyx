# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The blocks of a page: the twin of ``blocks_in_python`` in ``core/segmentation/text_blocks``.

An object of a class with slots is memory with a pointer for each of them. They are written here as they are, without a
call of ``__init__`` for every block.
"""

from cpython.object cimport PyObject, PyTypeObject
from cpython.ref cimport Py_INCREF
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


cdef inline void _set(object block, Py_ssize_t offset, object value) noexcept:
    Py_INCREF(value)
    (<PyObject**> (<char*> <PyObject*> block + offset))[0] = <PyObject*> value


cdef class BlockMaker:
    """Makes blocks of a class with the slots ``text, words, link_words, tag, node, index, score, removed``."""

    cdef type kind
    cdef tuple tags
    cdef Py_ssize_t[SLOTS] offsets

    def __init__(self, type kind not None, tuple tags not None):
        self.kind, self.tags = kind, tags
        names = ("text", "words", "link_words", "tag", "node", "index", "score", "removed")
        if tuple(kind.__slots__) != names or kind.__bases__ != (object,):
            raise TypeError(f"a class with the slots {', '.join(names)} and no other base is needed")
        for place, name in enumerate(names):
            member = kind.__dict__[name]
            if type(member) is not <object> &PyMemberDescr_Type:
                raise TypeError(f"{name} is no slot")
            self.offsets[place] = (<PyMemberDescrObject*> <PyObject*> member).d_member.offset

    def blocks(self, list texts not None, const int64_t[:] words, const int64_t[:] link_words, const int64_t[:] tags):
        """A block for each text; ``tags`` are places in the tuple of tags."""
        cdef Py_ssize_t count = len(texts), place
        if not (words.shape[0] == link_words.shape[0] == tags.shape[0] == count):
            raise ValueError("columns of different lengths")
        cdef list found = []
        for place in range(count):
            if not 0 <= tags[place] < len(self.tags):
                raise ValueError(f"no tag {tags[place]}")
            block = PyType_GenericAlloc(self.kind, 0)
            _set(block, self.offsets[0], texts[place])
            _set(block, self.offsets[1], words[place])
            _set(block, self.offsets[2], link_words[place])
            _set(block, self.offsets[3], self.tags[tags[place]])
            _set(block, self.offsets[4], None)
            _set(block, self.offsets[5], place)
            _set(block, self.offsets[6], None)
            _set(block, self.offsets[7], None)
            found.append(block)
        return found
