# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Features of the text of each block: the twin of ``fill_in_python`` in ``methods/learned/features/block_text``."""

from libc.math cimport sqrt
from libc.stdint cimport int64_t

from .feature_rows cimport (
    Floats,
    Ints,
    Logarithms,
    Rows,
    at_least_one,
    check_facts,
    check_layout,
    check_names,
    count_logarithm,
    logarithm,
)


# The first row of each feature and family, how many the families have, and how many there are in all.
cdef struct TextRows:
    Py_ssize_t words, chars, good, links, images_before, marks_before, commas, sentences, sentence_length, word_length
    Py_ssize_t link_density, linked, strong_share
    Py_ssize_t share_characters, share_count
    Py_ssize_t upper_per_word, capitals_only
    Py_ssize_t ends_with_last, last_count
    Py_ssize_t ends_with_dots, ends_with_word
    Py_ssize_t first_is_first, first_count
    Py_ssize_t feature_count


cdef struct Kinds:
    Py_ssize_t letter, upper, digit, comma, stop, exclaim, unspaced


cdef class TextFeatures:
    """Fills the rows that it is given names for; ``shares``, ``last`` and ``first`` are the kinds of characters that
    its families are about."""

    cdef TextRows at
    cdef Kinds kind
    cdef Py_ssize_t kind_count
    cdef Ints shares, last, first
    cdef Logarithms logarithms

    def __init__(
        self,
        dict places not None,
        *,
        dict kinds not None,
        Ints shares not None,
        Ints last not None,
        Ints first not None,
        Logarithms logarithms not None,
    ):
        self.at = places
        check_names(places, self.at)
        self.kind, self.kind_count = kinds, len(kinds)
        self.shares, self.last, self.first, self.logarithms = shares, last, first, logarithms
        cdef Py_ssize_t k
        for k in range(shares.shape[0]):
            if not 0 <= shares[k] < self.kind_count:
                raise ValueError("a kind of characters is unknown")
        if (shares.shape[0], last.shape[0], first.shape[0]) != (
            self.at.share_count, self.at.last_count, self.at.first_count
        ):
            raise ValueError("kinds of characters and features differ in number")

    def fill(self, Rows rows not None, object facts, const unsigned char[::1] dots not None):
        """``dots`` tells which texts break off."""
        layout = facts.layout
        cdef const int64_t[:, :] counts = facts.counts
        cdef Floats chars = facts.chars, words = facts.words, good = facts.good, density = facts.link_density
        cdef Ints links = layout.links, images = layout.images, marks = layout.marks, strong = layout.strong_chars
        cdef Ints last_kind = facts.last_kind, first_kind = facts.first_kind, runs = facts.said.run_count
        cdef Ints shares = self.shares, last = self.last, first = self.first
        cdef Logarithms logarithms = self.logarithms
        cdef TextRows at = self.at
        cdef Kinds kind = self.kind
        cdef Py_ssize_t size = rows.shape[1], i, k
        cdef double letters, sentences, upper, amount
        check_layout(layout, size)
        check_facts(facts, size, at.feature_count, rows.shape[0])
        if counts.shape[0] != self.kind_count or counts.shape[1] != size:
            raise ValueError("facts and features differ in size")
        if dots.shape[0] != size or runs.shape[0] != size:
            raise ValueError("facts and features differ in size")
        for i in range(size):
            upper = <double>counts[kind.upper, i]
            letters = <double>(counts[kind.letter, i] + counts[kind.upper, i] + counts[kind.unspaced, i])
            sentences = <double>(counts[kind.stop, i] + counts[kind.exclaim, i])
            rows[at.words, i] = count_logarithm(<int64_t>words[i], logarithms)
            rows[at.chars, i] = count_logarithm(<int64_t>chars[i], logarithms)
            rows[at.good, i] = logarithm(good[i])
            rows[at.links, i] = count_logarithm(links[i], logarithms)
            rows[at.images_before, i] = count_logarithm(images[i], logarithms)
            rows[at.marks_before, i] = count_logarithm(marks[i], logarithms)
            rows[at.commas, i] = count_logarithm(counts[kind.comma, i], logarithms)
            rows[at.sentences, i] = count_logarithm(<int64_t>sentences, logarithms)
            rows[at.sentence_length, i] = logarithm(words[i] / at_least_one(sentences))
            amount = letters / at_least_one(runs[i])
            rows[at.word_length, i] = <float>(20.0 if amount > 20.0 else amount)
            rows[at.link_density, i] = <float>density[i]
            rows[at.linked, i] = density[i] > 0.9
            amount = strong[i] / chars[i]
            rows[at.strong_share, i] = <float>(1.0 if amount > 1.0 else amount)
            for k in range(at.share_count):
                # Most are zero, and a root and a division take as long as all else.
                amount = <double>counts[shares[k], i]
                rows[at.share_characters + k, i] = <float>sqrt(amount / chars[i]) if amount else 0.0
            amount = upper / at_least_one(words[i])
            rows[at.upper_per_word, i] = <float>(2.0 if amount > 2.0 else amount)
            rows[at.capitals_only, i] = upper > 0.7 * at_least_one(letters)
            for k in range(at.last_count):
                rows[at.ends_with_last + k, i] = last_kind[i] == last[k]
            rows[at.ends_with_dots, i] = dots[i]
            rows[at.ends_with_word, i] = (
                last_kind[i] == kind.letter
                or last_kind[i] == kind.upper
                or last_kind[i] == kind.digit
                or last_kind[i] == kind.unspaced
            )
            for k in range(at.first_count):
                rows[at.first_is_first + k, i] = first_kind[i] == first[k]
