# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# What the parts for features share: arithmetic, and the refusal of what they could not trust.
#
# All arithmetic is in double precision and each result rounded once, as NumPy does it in the twins.

from libc.math cimport log
from libc.stdint cimport int64_t

ctypedef const int64_t[::1] Ints
ctypedef const double[::1] Floats
ctypedef const double[:, ::1] Table
ctypedef const float[::1] Logarithms
ctypedef float[:, ::1] Rows
ctypedef int64_t[:, ::1] Masks


# The rows of running sums.
cdef struct Sums:
    Py_ssize_t good, chars, words, links, linked_headings


cdef inline float count_logarithm(int64_t number, Logarithms known) noexcept nogil:
    return known[number] if number < known.shape[0] else <float>log(<double>number + 1.0)


cdef inline float logarithm(double amount) noexcept nogil:
    return <float>log(amount + 1.0)


cdef inline double at_least_one(double amount) noexcept nogil:
    return amount if amount > 1.0 else 1.0


cdef inline void fill_row(Rows rows, Py_ssize_t row, float value) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(rows.shape[1]):
        rows[row, i] = value


cdef inline int check_names(dict places, dict known) except -1:
    """Refuse features that the part does not fill; those that are not declared it has missed already."""
    unknown = sorted(set(places) - set(known))
    if unknown:
        raise ValueError(f"declared, but not filled by the compiled part: {', '.join(unknown)} (was it built since?)")
    if min(places.values()) < 0 or max(places.values()) > places["feature_count"]:
        raise ValueError("a feature has no row")
    return 0


cdef inline int check_masks(dict places, dict known) except -1:
    """The same for families of flags."""
    unknown = sorted(set(places) - set(known))
    if unknown:
        raise ValueError(f"declared, but not filled by the compiled part: {', '.join(unknown)} (was it built since?)")
    if sorted(places.values()) != list(range(len(places))) or places["mask_count"] != len(places) - 1:
        raise ValueError("a family of flags has no mask")
    return 0


cdef inline int check_layout(object layout, Py_ssize_t size) except -1:
    """Refuse a layout that is not what a segmentation makes: what follows trusts its numbers."""
    cdef Ints container = layout.container, parent = layout.parent, path = layout.path
    cdef Ints class_path = layout.class_path, first = layout.first_block, end = layout.end_block
    cdef Py_ssize_t containers = parent.shape[0], i
    cdef bint right = containers > 0 and parent[0] == 0
    for other in (layout.tag, layout.depth, layout.hints, layout.hidden, layout.path, layout.class_path):
        right = right and len(other) == containers
    right = right and first.shape[0] == containers and end.shape[0] == containers
    for other in (layout.container, layout.link_chars, layout.strong_chars, layout.links, layout.images, layout.marks):
        right = right and len(other) == size
    if not right:
        raise ValueError("arrays of a layout differ in length")
    for i in range(size):
        right = right and 0 <= container[i] < containers
    for i in range(containers):
        right = right and 0 <= parent[i] <= i and 0 <= first[i] <= end[i] <= size
        right = right and 0 <= path[i] < containers and 0 <= class_path[i] < containers
    if not right:
        raise ValueError("a layout refers to what it has not")
    return 0


cdef inline int check_facts(object facts, Py_ssize_t size, Py_ssize_t declared, Py_ssize_t rows) except -1:
    """Refuse facts of another page, and rows for other features."""
    if rows != declared:
        raise ValueError("facts and features differ in size")
    for column in (
        *(facts.chars, facts.words, facts.good, facts.link_density, facts.heading, facts.depth, facts.tag),
        *(facts.first_kind, facts.last_kind),
    ):
        if len(column) != size:
            raise ValueError("facts and features differ in size")
    cdef Ints mains = facts.mains, wanted = facts.wanted
    cdef Py_ssize_t containers = len(facts.layout.parent), i
    for i in range(wanted.shape[0]):
        if not 0 <= wanted[i] < size:
            raise ValueError("facts and features differ in size")
    for i in range(mains.shape[0]):
        if not 0 <= mains[i] < containers:
            raise ValueError("a main container is none")
    return 0
