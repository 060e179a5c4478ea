# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Features of text, structure and context: twins of ``fill_in_python`` in the modules of ``methods/learned/features``.

All arithmetic is in double precision and each result rounded once, as NumPy does it there.
"""

from libc.math cimport log, sqrt
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from cleancrawl.core.text import characters
from cleancrawl.core.html.tags import TAG_IDS

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define lowest_bit(bits) __builtin_ctzll(bits)
    #else
    static int lowest_bit(unsigned long long bits) {
        int place = 0;
        while (!(bits & 1)) { bits >>= 1; place++; }
        return place;
    }
    #endif
    """
    int lowest_bit(unsigned long long bits) noexcept nogil

ctypedef const int64_t[::1] Ints
ctypedef const double[::1] Floats
ctypedef const double[:, ::1] Table
ctypedef float[:, ::1] Rows

cdef enum:
    GOOD
    CHARS
    WORDS
    LINKS
    LINKED_HEADINGS
    SUMS

cdef Py_ssize_t KINDS = len(characters.KINDS), TAGS = len(TAG_IDS)
cdef int LETTER = characters.LETTER, UPPER = characters.UPPER, DIGIT = characters.DIGIT, STOP = characters.STOP
cdef int EXCLAIM = characters.EXCLAIM, COMMA = characters.COMMA, UNSPACED = characters.UNSPACED

cdef enum:
    LEVELS = 24
    SHOWN = 4
    NEAR = 3
    MAINS = 3
    MEASURES = 6
    REACH = 3
    NEIGHBOUR_MEASURES = 7
    WINDOWS = 7
    LONG = 20
    FAR = 60

cdef int[MEASURES] BRANCH_MEASURES = [0, 2, 5, 4, 1, 3]
cdef int[6] SHIFTS = [1, 2, 3, -1, -2, -3]
cdef int[WINDOWS] BEFORE = [3, 6, 12, 4, 0, 10, 0]
cdef int[WINDOWS] AFTER = [3, 6, 12, 0, 4, 0, 10]


cdef inline float count_logarithm(int64_t number, const float[::1] known) noexcept nogil:
    return known[number] if number < known.shape[0] else <float>log(<double>number + 1.0)


cdef inline float logarithm(double amount) noexcept nogil:
    return <float>log(amount + 1.0)


cdef inline double at_least_one(double amount) noexcept nogil:
    return amount if amount > 1.0 else 1.0


cdef inline void fill(Rows rows, Py_ssize_t row, float value) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(rows.shape[1]):
        rows[row, i] = value


cdef inline void spread(Rows rows, Py_ssize_t first, Py_ssize_t block, uint64_t bits) noexcept nogil:
    """Ones in the rows of the bits that are set; the rows are zero before."""
    while bits:
        rows[first + lowest_bit(bits), block] = 1.0
        bits &= bits - 1


cdef check(object layout, Py_ssize_t size):
    """Refuse a layout that is not what a segmentation makes: what follows trusts its numbers."""
    cdef Ints container = layout.container, parent = layout.parent, tag = layout.tag, path = layout.path
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
        right = right and 0 <= path[i] < containers and 0 <= class_path[i] < containers and 0 <= tag[i] < TAGS
    if not right:
        raise ValueError("a layout refers to what it has not")


cdef check_facts(object facts, Py_ssize_t size):
    for column in (
        *(facts.chars, facts.words, facts.good, facts.link_density, facts.heading, facts.depth, facts.tag),
        *(facts.first_kind, facts.last_kind),
    ):
        if len(column) != size:
            raise ValueError("facts and features differ in size")
    cdef Ints mains = facts.mains
    cdef Py_ssize_t containers = len(facts.layout.parent), i
    for i in range(mains.shape[0]):
        if not 0 <= mains[i] < containers:
            raise ValueError("a main container is none")
    if mains.shape[0] != MAINS:
        raise ValueError("facts and features differ in size")


cdef struct Scratch:
    float* measures  # by measure and container
    int64_t* repeated  # by kind of path and container
    int64_t* blocks  # by group
    double* good
    double* chars
    double* links
    int64_t* keys  # by kind of group and block


def fill_structure(
    Rows rows not None,
    object facts,
    Ints own_bits not None,
    Ints around_bits not None,
    Py_ssize_t hints,
    Py_ssize_t own_tags,
    Py_ssize_t around_tags,
    const float[::1] logarithms not None,
):
    """Where each block lies in the tree; ``around_bits`` are those of tags, above those of hints."""
    layout = facts.layout
    cdef Py_ssize_t size = rows.shape[1], containers = len(layout.parent), i
    check(layout, size)
    cdef Py_ssize_t wanted = 5 * MAINS + 2 * MAINS + MEASURES + 1 + (MEASURES + 1) * SHOWN + 7
    wanted += 2 * (5 + SHOWN) + 4 * hints + own_tags + 2 * around_tags + 1
    if rows.shape[0] != wanted or facts.sums.shape != (SUMS, size + 1) or facts.held.shape != (SUMS, containers):
        raise ValueError("facts and features differ in size")
    check_facts(facts, size)
    if own_bits.shape[0] != TAGS or around_bits.shape[0] != TAGS:
        raise ValueError("a tag has no bit")
    cdef Scratch scratch
    scratch.measures = <float*>calloc(MEASURES * containers, sizeof(float))
    scratch.repeated = <int64_t*>calloc(2 * containers, sizeof(int64_t))
    scratch.blocks = <int64_t*>calloc(4 * containers, sizeof(int64_t))
    scratch.good = <double*>calloc(4 * containers, sizeof(double))
    scratch.chars = <double*>calloc(2 * containers, sizeof(double))
    scratch.links = <double*>calloc(2 * containers, sizeof(double))
    scratch.keys = <int64_t*>calloc(4 * size + 1, sizeof(int64_t))
    try:
        if (
            scratch.measures == NULL or scratch.repeated == NULL or scratch.blocks == NULL or scratch.good == NULL
            or scratch.chars == NULL or scratch.links == NULL or scratch.keys == NULL
        ):
            raise MemoryError
        fill_main_containers(rows, facts, logarithms)
        fill_chains(rows, facts, scratch, own_bits, around_bits, hints, own_tags, around_tags, logarithms)
        fill_groups(rows, facts, scratch, logarithms)
    finally:
        free(scratch.measures)
        free(scratch.repeated)
        free(scratch.blocks)
        free(scratch.good)
        free(scratch.chars)
        free(scratch.links)
        free(scratch.keys)


cdef fill_main_containers(Rows rows, object facts, const float[::1] logarithms):
    cdef Ints mains = facts.mains, block_depth = facts.depth, depth = facts.layout.depth
    cdef Ints first = facts.layout.first_block, end = facts.layout.end_block
    cdef Table sums = facts.sums, held = facts.held
    cdef double total = facts.total_good, length
    cdef float place, before
    cdef int64_t main, since, beyond
    cdef Py_ssize_t i, k
    for k in range(MAINS):
        main = mains[k]
        length = at_least_one(end[main] - first[main])
        for i in range(rows.shape[1]):
            since, beyond = i - first[main], i - end[main] + 1
            if since >= 0 and beyond <= 0:
                rows[k, i] = 1.0
                rows[MAINS + k, i] = <float>(block_depth[i] - depth[main])
            else:
                rows[k, i] = 0.0
                rows[MAINS + k, i] = -3.0
            place = <float>(since / length)
            rows[2 * MAINS + k, i] = <float>-0.5 if place < <float>-0.5 else <float>1.5 if place > <float>1.5 else place
            before = <float>((sums[GOOD, i] - sums[GOOD, first[main]]) / total)
            before = <float>-0.2 if before < <float>-0.2 else <float>1.2 if before > <float>1.2 else before
            rows[3 * MAINS + k, i] = before
            rows[4 * MAINS + k, i] = (
                count_logarithm(beyond if beyond > 0 else 0, logarithms)
                - count_logarithm(-since if since < 0 else 0, logarithms)
            )
        fill(rows, 5 * MAINS + k, <float>(held[GOOD, main] / total))
        fill(rows, 6 * MAINS + k, <float>(held[LINKS, main] / at_least_one(held[CHARS, main])))


cdef fill_chains(
    Rows rows,
    object facts,
    Scratch scratch,
    Ints own_bits,
    Ints around_bits,
    Py_ssize_t hint_count,
    Py_ssize_t own_tags,
    Py_ssize_t around_tags,
    const float[::1] logarithms,
):
    """What the chain of containers around each block tells: levels, the branch of the main container, names."""
    layout = facts.layout
    cdef Ints container = layout.container, parent = layout.parent, tag = layout.tag, hints = layout.hints
    cdef Ints hidden = layout.hidden, first = layout.first_block, end = layout.end_block, depth = facts.depth
    cdef Ints path = layout.path, class_path = layout.class_path
    cdef Table held = facts.held
    cdef double total = facts.total_good
    cdef Py_ssize_t main = facts.mains[1]
    cdef int64_t main_first = first[main], main_end = end[main]
    cdef Py_ssize_t size = rows.shape[1], containers = parent.shape[0], i, c, level, measure, branch
    cdef Py_ssize_t branches = 7 * MAINS, levels = branches + MEASURES + 1, depths = levels + (MEASURES + 1) * SHOWN + 6
    cdef Py_ssize_t paths = depths + 1, names = paths + 2 * (5 + SHOWN), tags = names + 4 * hint_count
    cdef uint64_t sign, near, under, within, only_hints = (<uint64_t>1 << hint_count) - 1
    cdef int64_t[SHOWN] box
    for c in range(containers):
        scratch.measures[c] = logarithm(held[GOOD, c])
        scratch.measures[containers + c] = <float>(held[GOOD, c] / total)
        scratch.measures[2 * containers + c] = logarithm(held[CHARS, c])
        scratch.measures[3 * containers + c] = <float>(held[LINKS, c] / at_least_one(held[CHARS, c]))
        scratch.measures[4 * containers + c] = count_logarithm(<int64_t>held[LINKED_HEADINGS, c], logarithms)
        scratch.measures[5 * containers + c] = count_logarithm(end[c] - first[c], logarithms)
        scratch.repeated[path[c]] += 1
        scratch.repeated[containers + class_path[c]] += 1
    memset(&rows[names, 0], 0, (rows.shape[0] - names) * size * sizeof(float))
    for i in range(size):
        c = branch = container[i]
        near = under = within = 0
        for level in range(SHOWN):
            box[level] = 0
        for level in range(LEVELS):
            sign = <uint64_t>(hints[c] | around_bits[tag[c]])
            within |= sign
            if level < NEAR:
                near |= sign
            if level < SHOWN:
                box[level] = c
            if first[c] > main_first or end[c] < main_end:
                under |= sign
                branch = c
            if c == 0:
                break
            c = parent[c]
        c = container[i]
        for measure in range(MEASURES):
            rows[branches + measure, i] = scratch.measures[BRANCH_MEASURES[measure] * containers + branch]
            for level in range(SHOWN):
                rows[levels + measure * SHOWN + level, i] = scratch.measures[measure * containers + box[level]]
        rows[branches + MEASURES, i] = branch == c
        for level in range(SHOWN):
            rows[levels + MEASURES * SHOWN + level, i] = <float>(
                (i - first[box[level]]) / at_least_one(end[box[level]] - first[box[level]])
            )
            rows[paths + 5 + level, i] = count_logarithm(scratch.repeated[path[box[level]]], logarithms)
            rows[paths + 10 + SHOWN + level, i] = count_logarithm(
                scratch.repeated[containers + class_path[box[level]]], logarithms
            )
        rows[depths, i] = <float>depth[i]
        spread(rows, names, i, <uint64_t>hints[c] & only_hints)
        spread(rows, names + hint_count, i, near & only_hints)
        spread(rows, names + 2 * hint_count, i, under & only_hints)
        spread(rows, names + 3 * hint_count, i, within & only_hints)
        spread(rows, tags, i, <uint64_t>own_bits[tag[c]])
        spread(rows, tags + own_tags, i, within >> hint_count)
        spread(rows, tags + own_tags + around_tags, i, under >> hint_count)
        rows[rows.shape[0] - 1, i] = hidden[c] > 0
        scratch.keys[i] = box[1]
        scratch.keys[size + i] = containers + box[2]
        scratch.keys[2 * size + i] = 2 * containers + path[c]
        scratch.keys[3 * size + i] = 3 * containers + class_path[c]


cdef fill_groups(Rows rows, object facts, Scratch scratch, const float[::1] logarithms):
    """What blocks with the same parent, grandparent, path or class path have together."""
    cdef Floats good = facts.good, chars = facts.chars
    cdef Ints link_chars = facts.layout.link_chars
    cdef double total = facts.total_good, sum_good
    cdef Py_ssize_t size = rows.shape[1], shift = 2 * len(facts.layout.parent), i, kind, row
    cdef Py_ssize_t siblings = 7 * MAINS + MEASURES + 1 + (MEASURES + 1) * SHOWN, paths = siblings + 7
    cdef int64_t key
    for kind in range(4):
        for i in range(size):
            key = scratch.keys[kind * size + i]
            scratch.blocks[key] += 1
            scratch.good[key] += good[i]
            if kind > 1:
                scratch.chars[key - shift] += chars[i]
                scratch.links[key - shift] += <double>link_chars[i]
    for kind in range(4):
        row = siblings + 3 * kind if kind < 2 else paths + (5 + SHOWN) * (kind - 2)
        for i in range(size):
            key = scratch.keys[kind * size + i]
            sum_good = scratch.good[key]
            if kind < 2:
                rows[row, i] = logarithm(sum_good)
                rows[row + 1, i] = <float>(sum_good / total)
                rows[row + 2, i] = count_logarithm(scratch.blocks[key], logarithms)
            else:
                rows[row, i] = count_logarithm(scratch.blocks[key], logarithms)
                rows[row + 1, i] = logarithm(sum_good)
                rows[row + 2, i] = logarithm(scratch.chars[key - shift] / <double>scratch.blocks[key])
                rows[row + 3, i] = <float>(sum_good / total)
                rows[row + 4, i] = <float>(scratch.links[key - shift] / at_least_one(scratch.chars[key - shift]))


def fill_context(
    Rows rows not None,
    object facts,
    bint is_article,
    int64_t stop,
    int64_t headline,
    const float[::1] logarithms not None,
):
    """The neighbours of each block, windows around it, its position, and the page as a whole."""
    cdef Py_ssize_t size = rows.shape[1]
    check(facts.layout, size)
    check_facts(facts, size)
    if rows.shape[0] != 6 * NEIGHBOUR_MEASURES + 4 * WINDOWS + 11 + 7 or facts.sums.shape != (SUMS, size + 1):
        raise ValueError("facts and features differ in size")
    fill_neighbours(rows, facts, stop, logarithms)
    fill_windows(rows, facts, logarithms)
    fill_position(rows, facts, headline, logarithms)
    fill_page(rows, facts, is_article)


cdef fill_neighbours(Rows rows, object facts, int64_t stop, const float[::1] logarithms):
    cdef Floats words = facts.words, good = facts.good, density = facts.link_density
    cdef Ints last_kind = facts.last_kind, depth = facts.depth, class_path = facts.layout.class_path
    cdef Ints container = facts.layout.container
    cdef const unsigned char[::1] heading = facts.heading.view("u1")
    cdef Py_ssize_t size = rows.shape[1], shift, row, i, other
    cdef int64_t deeper
    cdef float word_logarithm, good_logarithm
    for shift in range(6):
        row = shift * NEIGHBOUR_MEASURES
        for i in range(size):
            if not 0 <= i - SHIFTS[shift] < size:
                rows[row, i] = rows[row + 1, i] = rows[row + 3, i] = rows[row + 4, i] = rows[row + 5, i] = 0.0
                rows[row + 2, i] = 0.5
                deeper = -depth[i]
                rows[row + 6, i] = <float>(-5 if deeper < -5 else deeper)
    for other in range(size):
        word_logarithm, good_logarithm = count_logarithm(<int64_t>words[other], logarithms), logarithm(good[other])
        for shift in range(6):
            i = other + SHIFTS[shift]
            if not 0 <= i < size:
                continue
            row = shift * NEIGHBOUR_MEASURES
            rows[row, i] = word_logarithm
            rows[row + 1, i] = good_logarithm
            rows[row + 2, i] = <float>density[other]
            rows[row + 3, i] = last_kind[other] == stop
            rows[row + 4, i] = heading[other]
            rows[row + 5, i] = class_path[container[other]] == class_path[container[i]]
            deeper = depth[other] - depth[i]
            rows[row + 6, i] = <float>(-5 if deeper < -5 else 5 if deeper > 5 else deeper)


cdef fill_windows(Rows rows, object facts, const float[::1] logarithms):
    cdef Table sums = facts.sums
    cdef Py_ssize_t size = rows.shape[1], row = 6 * NEIGHBOUR_MEASURES, window, i, first, end
    cdef double words, good
    for window in range(WINDOWS):
        for i in range(size):
            first, end = i - BEFORE[window], i + AFTER[window] + 1
            first, end = first if first > 0 else 0, end if end < size else size
            words, good = sums[WORDS, end] - sums[WORDS, first], sums[GOOD, end] - sums[GOOD, first]
            rows[row + window, i] = <float>(
                (sums[LINKS, end] - sums[LINKS, first]) / at_least_one(sums[CHARS, end] - sums[CHARS, first])
            )
            rows[row + WINDOWS + window, i] = <float>(good / at_least_one(words))
            rows[row + 2 * WINDOWS + window, i] = count_logarithm(<int64_t>words, logarithms)
            rows[row + 3 * WINDOWS + window, i] = logarithm(good)


cdef fill_position(Rows rows, object facts, int64_t headline, const float[::1] logarithms):
    cdef Table sums = facts.sums
    cdef Floats good = facts.good
    cdef Ints tag = facts.tag
    cdef Py_ssize_t size = rows.shape[1], row = 6 * NEIGHBOUR_MEASURES + 4 * WINDOWS, i, long, title = -1
    cdef Py_ssize_t main = facts.mains[2], start = facts.layout.first_block[main], end = facts.layout.end_block[main]
    cdef double total = facts.total_good
    long = -1
    for i in range(size):
        rows[row, i] = <float>(<double>i / <double>size)
        rows[row + 1, i] = <float>(sums[GOOD, i] / total)
        rows[row + 2, i] = count_logarithm(i, logarithms)
        rows[row + 3, i] = count_logarithm(size - i, logarithms)
        rows[row + 4, i] = count_logarithm(i - long if long >= 0 else FAR, logarithms)
        rows[row + 6, i] = count_logarithm(<int64_t>(sums[WORDS, i + 1] - sums[WORDS, long + 1]), logarithms)
        rows[row + 7, i] = long < 0
        if start <= i < end and good[i] >= LONG:
            long = i
        if title < 0 and tag[i] == headline:
            title = i
    long = size
    for i in range(size - 1, -1, -1):
        rows[row + 5, i] = count_logarithm(long - i if long < size else FAR, logarithms)
        rows[row + 8, i] = long >= size
        if start <= i < end and good[i] >= LONG:
            long = i
        if title < 0:
            rows[row + 9, i] = 0.0
        elif i < title:
            rows[row + 9, i] = -count_logarithm(title - i, logarithms)
        else:
            rows[row + 9, i] = count_logarithm(i - title, logarithms)
    fill(rows, row + 10, title >= 0)


cdef fill_page(Rows rows, object facts, bint is_article):
    cdef Table sums = facts.sums
    cdef Floats good = facts.good
    cdef Py_ssize_t size = rows.shape[1], row = rows.shape[0] - 7, i, long = 0
    for i in range(size):
        long += good[i] >= LONG
    fill(rows, row, logarithm(size))
    fill(rows, row + 1, logarithm(sums[WORDS, size]))
    fill(rows, row + 2, logarithm(sums[GOOD, size]))
    fill(rows, row + 3, logarithm(long))
    fill(rows, row + 4, <float>(sums[GOOD, size] / at_least_one(sums[WORDS, size])))
    fill(rows, row + 5, <float>(sums[LINKS, size] / at_least_one(sums[CHARS, size])))
    fill(rows, row + 6, is_article)


def fill_text(
    Rows rows not None,
    object facts,
    const unsigned char[::1] dots not None,
    Ints shares not None,
    Ints last not None,
    Ints first not None,
    const float[::1] logarithms not None,
):
    """The text of each block; ``shares``, ``last`` and ``first`` are the kinds of characters that are asked about."""
    layout = facts.layout
    cdef Table counts = facts.counts
    cdef Floats chars = facts.chars, words = facts.words, good = facts.good, density = facts.link_density
    cdef Ints links = layout.links, images = layout.images, marks = layout.marks, strong = layout.strong_chars
    cdef Ints last_kind = facts.last_kind, first_kind = facts.first_kind, runs = facts.said.run_count
    cdef Py_ssize_t size = rows.shape[1], i, k, row
    cdef double letters, sentences, upper, amount
    if rows.shape[0] != 17 + shares.shape[0] + last.shape[0] + first.shape[0] or counts.shape[0] != KINDS:
        raise ValueError("facts and features differ in size")
    check(layout, size)
    check_facts(facts, size)
    if counts.shape[1] != size or dots.shape[0] != size or runs.shape[0] != size:
        raise ValueError("facts and features differ in size")
    for k in range(shares.shape[0]):
        if not 0 <= shares[k] < counts.shape[0]:
            raise ValueError("a kind of characters is unknown")
    for i in range(size):
        upper = counts[UPPER, i]
        letters = counts[LETTER, i] + upper + counts[UNSPACED, i]
        sentences = counts[STOP, i] + counts[EXCLAIM, i]
        rows[0, i] = count_logarithm(<int64_t>words[i], logarithms)
        rows[1, i] = count_logarithm(<int64_t>chars[i], logarithms)
        rows[2, i] = logarithm(good[i])
        rows[3, i] = count_logarithm(links[i], logarithms)
        rows[4, i] = count_logarithm(images[i], logarithms)
        rows[5, i] = count_logarithm(marks[i], logarithms)
        rows[6, i] = count_logarithm(<int64_t>counts[COMMA, i], logarithms)
        rows[7, i] = count_logarithm(<int64_t>sentences, logarithms)
        rows[8, i] = logarithm(words[i] / at_least_one(sentences))
        amount = letters / at_least_one(runs[i])
        rows[9, i] = <float>(20.0 if amount > 20.0 else amount)
        rows[10, i] = <float>density[i]
        rows[11, i] = density[i] > 0.9
        amount = strong[i] / chars[i]
        rows[12, i] = <float>(1.0 if amount > 1.0 else amount)
        for k in range(shares.shape[0]):
            # Most are zero, and a root and a division take as long as all else.
            amount = counts[shares[k], i]
            rows[13 + k, i] = <float>sqrt(amount / chars[i]) if amount else 0.0
        row = 13 + shares.shape[0]
        amount = upper / at_least_one(words[i])
        rows[row, i] = <float>(2.0 if amount > 2.0 else amount)
        rows[row + 1, i] = upper > 0.7 * at_least_one(letters)
        for k in range(last.shape[0]):
            rows[row + 2 + k, i] = last_kind[i] == last[k]
        row += 2 + last.shape[0]
        rows[row, i] = dots[i]
        rows[row + 1, i] = (
            last_kind[i] == LETTER or last_kind[i] == UPPER or last_kind[i] == DIGIT or last_kind[i] == UNSPACED
        )
        for k in range(first.shape[0]):
            rows[row + 2 + k, i] = first_kind[i] == first[k]
