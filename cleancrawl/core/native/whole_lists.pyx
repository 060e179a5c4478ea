# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Lists of which most is content: the twin of ``content_lists_in_python`` in ``methods/learned/whole_lists.py``."""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport int64_t, uint8_t


cdef struct Sums:
    # Of all blocks before one: what a list holds is a difference of two.
    int64_t words
    int64_t link_words
    int64_t kept_words
    int64_t kept
    double scored


def content_lists(
    const int64_t[:] tag not None,
    const int64_t[:] first_block not None,
    const int64_t[:] end_block not None,
    const int64_t[:] words not None,
    const int64_t[:] link_words not None,
    const uint8_t[:] kept not None,
    const double[:] scores not None,
    const uint8_t[:] is_list not None,
    const uint8_t[:] is_table not None,
    int64_t prose,
    int64_t reach,
    int64_t min_cells,
    double max_link_share,
    double max_share,
    double whole,
    double whole_table,
):
    """First block, end and mean score of each list that is content and not kept as a whole, the outermost ones."""
    cdef Py_ssize_t size = words.shape[0], places = tag.shape[0], place, i
    cdef int64_t first, end, before, counted, stay, done = 0, first_prose = -1, last_prose = -1
    cdef double mean, bar
    cdef Sums* sums
    cdef list found = []
    if first_block.shape[0] != places or end_block.shape[0] != places:
        raise ValueError("columns of containers differ in length")
    if link_words.shape[0] != size or kept.shape[0] != size or scores.shape[0] != size:
        raise ValueError("columns of blocks differ in length")
    for place in range(places):
        if not 0 <= tag[place] < is_list.shape[0] or tag[place] >= is_table.shape[0]:
            raise IndexError("no such tag")
        if not 0 <= first_block[place] <= end_block[place] <= size:
            raise IndexError("no such blocks")
    sums = <Sums*> PyMem_Malloc((size + 1) * sizeof(Sums))
    if sums == NULL:
        raise MemoryError
    try:
        sums[0] = Sums(0, 0, 0, 0, 0.0)
        for i in range(size):
            sums[i + 1].words = sums[i].words + words[i]
            sums[i + 1].link_words = sums[i].link_words + link_words[i]
            sums[i + 1].kept_words = sums[i].kept_words + (words[i] if kept[i] else 0)
            sums[i + 1].kept = sums[i].kept + (1 if kept[i] else 0)
            sums[i + 1].scored = sums[i].scored + words[i] * scores[i]
            if kept[i] and words[i] - link_words[i] >= prose:
                last_prose = i
                if first_prose < 0:
                    first_prose = i
        for place in range(places):
            first, end = first_block[place], end_block[place]
            if not is_list[tag[place]] or end - first < 2 or end <= done:
                continue
            counted = sums[end].words - sums[first].words
            if sums[end].link_words - sums[first].link_words > max_link_share * counted:
                continue
            if sums[end].kept_words - sums[first].kept_words > max_share * sums[size].kept_words:
                continue
            # Neither is kept already, nor is anything on the page.
            stay = sums[end].kept - sums[first].kept
            if stay == end - first or not sums[size].kept:
                continue
            mean = (sums[end].scored - sums[first].scored) / max(counted, 1)
            bar = whole
            if is_table[tag[place]] and first_prose >= 0 and first > first_prose:
                before = min(max(first - reach, 0), first)
                if end <= last_prose or (
                    stay > 0 and end - first >= min_cells and sums[first].kept > sums[before].kept
                ):
                    bar = whole_table
            if mean >= bar and mean >= min(whole, whole_table):
                done = end
                found.append((first, end, mean))
    finally:
        PyMem_Free(sums)
    return found
