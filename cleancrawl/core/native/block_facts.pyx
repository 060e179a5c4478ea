# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What features build on: the twin of ``measured_in_python`` and ``weighed_in_python`` in
``methods/learned/features/facts``."""

from libc.stdint cimport int64_t

from .feature_rows cimport Floats, Ints, Sums, at_least_one, check_layout

ctypedef const unsigned char[::1] Flags

cdef enum:
    LEAST_WORDS = 8  # of a block of good text
    NUMBERS = 3
    PLACES = 2


cdef struct Kinds:
    Py_ssize_t comma, stop, exclaim, unspaced


cdef class BlockFacts:
    """Measures the blocks of a page, and weighs its containers by their good text; ``headings`` and ``texts`` tell of
    each tag whether it is one, ``shares`` how much of the good text main containers hold."""

    cdef Kinds kind
    cdef Sums sum
    cdef Py_ssize_t kind_count, sum_count
    cdef Floats shares
    cdef Flags headings, texts

    def __init__(
        self,
        *,
        dict kinds not None,
        dict sums not None,
        Floats shares not None,
        Flags headings not None,
        Flags texts not None,
    ):
        self.kind, self.kind_count = kinds, len(kinds)
        self.sum, self.sum_count = sums, len(sums)
        self.shares, self.headings, self.texts = shares, headings, texts
        if sorted(sums.values()) != list(range(len(sums))) or sorted(kinds.values()) != list(range(len(kinds))):
            raise ValueError("a sum or a kind of characters has no row")
        if headings.shape[0] != texts.shape[0]:
            raise ValueError("a tag is unknown")

    def measure(
        self,
        object layout,
        Flags hidden,
        double[:, ::1] numbers not None,
        unsigned char[::1] heading not None,
        int64_t[:, ::1] places not None,
    ):
        """Words, link density and good words in ``numbers``, tag and depth in ``places``."""
        measures = layout.measures
        cdef Ints lengths = measures.lengths, runs = measures.runs, link_chars = layout.link_chars
        cdef Ints container = layout.container, tag = layout.tag, depth = layout.depth
        cdef const int64_t[:, :] counts = measures.counts
        cdef Py_ssize_t size = heading.shape[0], i
        cdef Kinds kind = self.kind
        cdef double words, density
        cdef int64_t least
        check_layout(layout, size)
        if counts.shape[0] != self.kind_count or counts.shape[1] != size or runs.shape[0] != size:
            raise ValueError("measures and blocks differ in size")
        if lengths.shape[0] != size or (hidden is not None and hidden.shape[0] != size):
            raise ValueError("measures and blocks differ in size")
        if numbers.shape[0] != NUMBERS or numbers.shape[1] != size or places.shape[0] != PLACES:
            raise ValueError("no room for what is measured")
        if places.shape[1] != size:
            raise ValueError("no room for what is measured")
        self.check_tags(tag)
        for i in range(size):
            least = counts[kind.unspaced, i]
            words = <double>(runs[i] if runs[i] > least else least)
            density = <double>link_chars[i] / at_least_one(<double>lengths[i])
            density = 1.0 if density > 1.0 else density
            numbers[0, i], numbers[1, i], numbers[2, i] = words, density, 0.0
            if words >= LEAST_WORDS and density < 0.35 and (hidden is None or not hidden[i]):
                if counts[kind.stop, i] + counts[kind.exclaim, i] + counts[kind.comma, i] > 0:
                    numbers[2, i] = words * (1.0 - density)
            places[0, i], places[1, i] = tag[container[i]], depth[container[i]]
            heading[i] = self.headings[tag[container[i]]]

    def weigh(
        self,
        object layout,
        object measured,
        double[:, ::1] sums not None,
        double[:, ::1] held not None,
        int64_t[::1] mains not None,
    ):
        """Running sums over blocks, the same over those of each container, and the main containers."""
        cdef Ints lengths = layout.measures.lengths, link_chars = layout.link_chars, tag = layout.tag
        cdef Ints first = layout.first_block, end = layout.end_block
        cdef Floats good = measured.good, words = measured.words, density = measured.link_density
        cdef Flags heading = measured.heading.view("u1")
        cdef Py_ssize_t size = good.shape[0], containers = tag.shape[0], i, row
        cdef Sums sum = self.sum
        check_layout(layout, size)
        if min(words.shape[0], density.shape[0], heading.shape[0], lengths.shape[0]) != size:
            raise ValueError("measures and blocks differ in size")
        if sums.shape[0] != self.sum_count or held.shape[0] != self.sum_count:
            raise ValueError("no room for sums")
        if sums.shape[1] != size + 1 or held.shape[1] != containers or mains.shape[0] != self.shares.shape[0]:
            raise ValueError("no room for sums")
        self.check_tags(tag)
        for row in range(self.sum_count):
            sums[row, 0] = 0.0
        for i in range(size):
            sums[sum.good, i + 1] = sums[sum.good, i] + good[i]
            sums[sum.chars, i + 1] = sums[sum.chars, i] + <double>lengths[i]
            sums[sum.words, i + 1] = sums[sum.words, i] + words[i]
            sums[sum.links, i + 1] = sums[sum.links, i] + <double>link_chars[i]
            sums[sum.linked_headings, i + 1] = sums[sum.linked_headings, i] + (heading[i] and density[i] > 0.9)
        for row in range(self.sum_count):
            for i in range(containers):
                held[row, i] = sums[row, end[i]] - sums[row, first[i]]
        self.choose(held[sum.good], tag, mains)

    cdef int choose(self, Floats good, Ints tag, int64_t[::1] mains) except -1:
        """A container comes after its ancestors: the last one that holds enough is the lowest."""
        cdef Py_ssize_t share, c
        for share in range(mains.shape[0]):
            mains[share] = 0
            if not good[0]:
                continue
            for c in range(good.shape[0] - 1, -1, -1):
                if good[c] >= self.shares[share] * good[0] and not self.texts[tag[c]]:
                    mains[share] = c
                    break
        return 0

    cdef int check_tags(self, Ints tag) except -1:
        cdef Py_ssize_t c
        for c in range(tag.shape[0]):
            if not 0 <= tag[c] < self.texts.shape[0]:
                raise ValueError("a layout refers to a tag that is unknown")
        return 0
