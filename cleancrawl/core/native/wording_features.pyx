# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Features of the markers in each block and around it: the twin of ``fill_marks_in_python`` in
``methods/learned/features/wording``."""

from libc.stdint cimport int64_t

from .feature_rows cimport (
    Floats,
    Ints,
    Logarithms,
    Masks,
    Rows,
    at_least_one,
    check_facts,
    check_layout,
    check_masks,
    check_names,
    count_logarithm,
)


# The first row of each feature and family, how many the families have, and how many there are in all, those of title
# and repetition included, which are filled in Python.
cdef struct WordingRows:
    Py_ssize_t stop_share, stop_words, marked_share
    Py_ssize_t kind_count
    Py_ssize_t heading_linked, heading_distance
    Py_ssize_t after_followed, until_followed, followed_count
    Py_ssize_t feature_count


# The mask of each family of flags, and how many there are.
cdef struct WordingMasks:
    Py_ssize_t says_kind, short_says_kind, starts_with_kind
    Py_ssize_t heading_says_kind, before_says_kind, after_says_kind
    Py_ssize_t mask_count


cdef class WordingFeatures:
    """Fills the rows that it is given names for; ``followed`` are the kinds of markers that are counted over the main
    container, the one with the number ``main``. Blocks below ``short`` words are brief."""

    cdef WordingRows at
    cdef WordingMasks mask
    cdef Ints followed
    cdef double short
    cdef Py_ssize_t main, far
    cdef Logarithms logarithms

    def __init__(
        self,
        dict places not None,
        dict masks not None,
        *,
        Ints followed not None,
        double short,
        Py_ssize_t main,
        Py_ssize_t far,
        Logarithms logarithms not None,
    ):
        self.at, self.mask = places, masks
        check_names(places, self.at)
        check_masks(masks, self.mask)
        self.followed, self.short, self.main, self.far, self.logarithms = followed, short, main, far, logarithms
        cdef Py_ssize_t k
        if followed.shape[0] != self.at.followed_count:
            raise ValueError("markers and features differ in number")
        for k in range(followed.shape[0]):
            if not 0 <= followed[k] < self.at.kind_count:
                raise ValueError("a kind of markers is unknown")

    def fill(self, Rows rows not None, Masks masks not None, object facts):
        layout, said = facts.layout, facts.said
        cdef Ints run_count = said.run_count, anywhere = said.anywhere, at_start = said.at_start
        cdef Ints stops = said.stops, hits = said.hits, strong = layout.strong_chars, mains = facts.mains
        cdef Ints first_block = layout.first_block, end_block = layout.end_block
        cdef Floats words = facts.words, chars = facts.chars, density = facts.link_density
        cdef const unsigned char[::1] heading = facts.heading.view("u1")
        cdef Logarithms logarithms = self.logarithms
        cdef WordingRows at = self.at
        cdef WordingMasks mask = self.mask
        cdef Py_ssize_t size = rows.shape[1], i, above = -1, first, end
        cdef int64_t brief, before = 0, after
        check_layout(layout, size)
        check_facts(facts, size, at.feature_count, rows.shape[0])
        if masks.shape[0] != mask.mask_count or masks.shape[1] != size:
            raise ValueError("masks and features differ in size")
        for column in said:
            if len(column) != size:
                raise ValueError("markers and features differ in size")
        if not 0 <= self.main < mains.shape[0]:
            raise ValueError("there is no such main container")
        for i in range(size):
            if min(run_count[i], stops[i], hits[i]) < 0:
                raise ValueError("a number of words is negative")
            rows[at.stop_share, i] = <float> (stops[i] / at_least_one(run_count[i]))
            rows[at.stop_words, i] = count_logarithm(stops[i], logarithms)
            rows[at.marked_share, i] = <float> (hits[i] / at_least_one(run_count[i]))
            brief = anywhere[i] if words[i] < self.short else 0
            after = anywhere[i + 1] if i + 1 < size and words[i + 1] < self.short else 0
            masks[mask.says_kind, i] = anywhere[i]
            masks[mask.short_says_kind, i] = anywhere[i] if words[i] < 2 * self.short else 0
            masks[mask.starts_with_kind, i] = at_start[i]
            masks[mask.heading_says_kind, i] = anywhere[above] if above >= 0 else 0
            masks[mask.before_says_kind, i] = before
            masks[mask.after_says_kind, i] = after
            rows[at.heading_linked, i] = <float> density[above] if above >= 0 else 0
            rows[at.heading_distance, i] = count_logarithm(i - above if above >= 0 else self.far, logarithms)
            before = brief
            if heading[i] or (words[i] < self.short and strong[i] > 0.8 * chars[i]):
                above = i
        first, end = first_block[mains[self.main]], end_block[mains[self.main]]
        for i in range(at.followed_count):
            self.count(rows, i, anywhere, words, first, end)

    cdef void count(
        self, Rows rows, Py_ssize_t place, Ints anywhere, Floats words, Py_ssize_t first, Py_ssize_t end
    ) noexcept:
        """How many brief blocks of the main container say something before each block, and from it on."""
        cdef Py_ssize_t size = rows.shape[1], i, row = self.at.after_followed + place
        cdef Py_ssize_t until = self.at.until_followed + place
        cdef int64_t bit = <int64_t> 1 << self.followed[place], total = 0, met = 0
        cdef Logarithms logarithms = self.logarithms
        for i in range(first, end):
            total += words[i] < self.short and anywhere[i] & bit != 0
        for i in range(size):
            rows[row, i] = count_logarithm(met, logarithms)
            met += first <= i < end and words[i] < self.short and anywhere[i] & bit != 0
            rows[until, i] = count_logarithm(total - met, logarithms)
