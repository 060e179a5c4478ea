# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Features of neighbours, position and page: the twin of ``fill_in_python`` in ``methods/learned/features/context``."""

from libc.stdint cimport int64_t

from .feature_rows cimport (
    Floats,
    Ints,
    Logarithms,
    Rows,
    Sums,
    Table,
    at_least_one,
    check_facts,
    check_layout,
    check_names,
    count_logarithm,
    fill_row,
    logarithm,
)


# The first row of each feature and family, how many the families have, and how many there are in all.
cdef struct ContextRows:
    Py_ssize_t words_beside, good_beside, link_density_beside, ends_with_stop_beside, heading_beside
    Py_ssize_t same_class_path_beside, deeper_beside
    Py_ssize_t beside_count, beside_step
    Py_ssize_t links_within_window, good_share_within_window, words_within_window, good_within_window
    Py_ssize_t window_count
    Py_ssize_t place, good_before, from_start, from_end, since_long, until_long, words_since_long
    Py_ssize_t before_all_long, after_all_long, past_h1, has_h1
    Py_ssize_t page_blocks, page_words, page_good, page_long, page_good_share, page_links, page_is_article
    Py_ssize_t feature_count


cdef class ContextFeatures:
    """Fills the rows that it is given names for. See the twin for what the numbers mean."""

    cdef ContextRows at
    cdef Sums sum
    cdef Ints shifts
    cdef const int64_t[:, ::1] windows
    cdef int64_t long, far, stop, headline
    cdef Py_ssize_t main
    cdef Logarithms logarithms

    def __init__(
        self,
        dict places not None,
        *,
        dict sums not None,
        Ints shifts not None,
        const int64_t[:, ::1] windows not None,
        int64_t long,
        int64_t far,
        int64_t stop,
        int64_t headline,
        Py_ssize_t main,
        Logarithms logarithms not None,
    ):
        self.at, self.sum = places, sums
        check_names(places, self.at)
        self.shifts, self.windows, self.logarithms = shifts, windows, logarithms
        self.long, self.far, self.stop, self.headline, self.main = long, far, stop, headline, main
        if shifts.shape[0] != self.at.beside_count or windows.shape[0] != self.at.window_count or windows.shape[1] != 2:
            raise ValueError("neighbours or windows and features differ in number")

    def fill(self, Rows rows not None, object facts, bint is_article):
        cdef Py_ssize_t size = rows.shape[1]
        check_layout(facts.layout, size)
        check_facts(facts, size, self.at.feature_count, rows.shape[0])
        if facts.sums.shape != (len(<dict>self.sum), size + 1) or not 0 <= self.main < len(facts.mains):
            raise ValueError("facts and features differ in size")
        self.fill_neighbours(rows, facts)
        self.fill_windows(rows, facts)
        self.fill_position(rows, facts)
        self.fill_page(rows, facts, is_article)

    cdef int fill_neighbours(self, Rows rows, object facts) except -1:
        cdef Floats words = facts.words, good = facts.good, density = facts.link_density
        cdef Ints last_kind = facts.last_kind, depth = facts.depth, class_path = facts.layout.class_path
        cdef Ints container = facts.layout.container, shifts = self.shifts
        cdef const unsigned char[::1] heading = facts.heading.view("u1")
        cdef Logarithms logarithms = self.logarithms
        cdef ContextRows at = self.at
        cdef Py_ssize_t size = rows.shape[1], shift, turn, i, other
        cdef int64_t deeper, stop = self.stop
        cdef float word_logarithm, good_logarithm
        for shift in range(at.beside_count):
            turn = shift * at.beside_step
            for i in range(size):
                if not 0 <= i - shifts[shift] < size:
                    rows[turn + at.words_beside, i] = rows[turn + at.good_beside, i] = 0.0
                    rows[turn + at.link_density_beside, i] = 0.5
                    rows[turn + at.ends_with_stop_beside, i] = rows[turn + at.heading_beside, i] = 0.0
                    rows[turn + at.same_class_path_beside, i] = 0.0
                    deeper = -depth[i]
                    rows[turn + at.deeper_beside, i] = <float>(-5 if deeper < -5 else deeper)
        for other in range(size):
            word_logarithm, good_logarithm = count_logarithm(<int64_t>words[other], logarithms), logarithm(good[other])
            for shift in range(at.beside_count):
                i = other + shifts[shift]
                if not 0 <= i < size:
                    continue
                turn = shift * at.beside_step
                rows[turn + at.words_beside, i] = word_logarithm
                rows[turn + at.good_beside, i] = good_logarithm
                rows[turn + at.link_density_beside, i] = <float>density[other]
                rows[turn + at.ends_with_stop_beside, i] = last_kind[other] == stop
                rows[turn + at.heading_beside, i] = heading[other]
                rows[turn + at.same_class_path_beside, i] = class_path[container[other]] == class_path[container[i]]
                deeper = depth[other] - depth[i]
                rows[turn + at.deeper_beside, i] = <float>(-5 if deeper < -5 else 5 if deeper > 5 else deeper)
        return 0

    cdef int fill_windows(self, Rows rows, object facts) except -1:
        cdef Table sums = facts.sums
        cdef Logarithms logarithms = self.logarithms
        cdef ContextRows at = self.at
        cdef Sums sum = self.sum
        cdef Ints wanted = facts.wanted
        cdef Py_ssize_t size = rows.shape[1], window, place, i, first, end, before, after
        cdef double words, good
        for window in range(at.window_count):
            before, after = self.windows[window, 0], self.windows[window, 1]
            for place in range(wanted.shape[0]):
                i = wanted[place]
                first, end = i - before, i + after + 1
                first, end = first if first > 0 else 0, end if end < size else size
                words, good = sums[sum.words, end] - sums[sum.words, first], sums[sum.good, end] - sums[sum.good, first]
                rows[at.links_within_window + window, i] = <float>(
                    (sums[sum.links, end] - sums[sum.links, first])
                    / at_least_one(sums[sum.chars, end] - sums[sum.chars, first])
                )
                rows[at.good_share_within_window + window, i] = <float>(good / at_least_one(words))
                rows[at.words_within_window + window, i] = count_logarithm(<int64_t>words, logarithms)
                rows[at.good_within_window + window, i] = logarithm(good)
        return 0

    cdef int fill_position(self, Rows rows, object facts) except -1:
        cdef Table sums = facts.sums
        cdef Floats good = facts.good
        cdef Ints tag = facts.tag
        cdef Logarithms logarithms = self.logarithms
        cdef ContextRows at = self.at
        cdef Sums sum = self.sum
        cdef Py_ssize_t size = rows.shape[1], i, long = -1, title = -1, main = facts.mains[self.main]
        cdef Py_ssize_t start = facts.layout.first_block[main], end = facts.layout.end_block[main]
        cdef int64_t far = self.far
        cdef double total = facts.total_good, least = self.long
        for i in range(size):
            rows[at.place, i] = <float>(<double>i / <double>size)
            rows[at.good_before, i] = <float>(sums[sum.good, i] / total)
            rows[at.from_start, i] = count_logarithm(i, logarithms)
            rows[at.from_end, i] = count_logarithm(size - i, logarithms)
            rows[at.since_long, i] = count_logarithm(i - long if long >= 0 else far, logarithms)
            rows[at.words_since_long, i] = count_logarithm(
                <int64_t>(sums[sum.words, i + 1] - sums[sum.words, long + 1]), logarithms
            )
            rows[at.before_all_long, i] = long < 0
            if start <= i < end and good[i] >= least:
                long = i
            if title < 0 and tag[i] == self.headline:
                title = i
        long = size
        for i in range(size - 1, -1, -1):
            rows[at.until_long, i] = count_logarithm(long - i if long < size else far, logarithms)
            rows[at.after_all_long, i] = long >= size
            if start <= i < end and good[i] >= least:
                long = i
            if title < 0:
                rows[at.past_h1, i] = 0.0
            elif i < title:
                rows[at.past_h1, i] = -count_logarithm(title - i, logarithms)
            else:
                rows[at.past_h1, i] = count_logarithm(i - title, logarithms)
        fill_row(rows, at.has_h1, title >= 0)
        return 0

    cdef int fill_page(self, Rows rows, object facts, bint is_article) except -1:
        cdef Table sums = facts.sums
        cdef Floats good = facts.good
        cdef ContextRows at = self.at
        cdef Sums sum = self.sum
        cdef Py_ssize_t size = rows.shape[1], i, long = 0
        cdef double words = sums[sum.words, size], good_words = sums[sum.good, size]
        for i in range(size):
            long += good[i] >= self.long
        fill_row(rows, at.page_blocks, logarithm(size))
        fill_row(rows, at.page_words, logarithm(words))
        fill_row(rows, at.page_good, logarithm(good_words))
        fill_row(rows, at.page_long, logarithm(long))
        fill_row(rows, at.page_good_share, <float>(good_words / at_least_one(words)))
        fill_row(rows, at.page_links, <float>(sums[sum.links, size] / at_least_one(sums[sum.chars, size])))
        fill_row(rows, at.page_is_article, is_article)
        return 0
