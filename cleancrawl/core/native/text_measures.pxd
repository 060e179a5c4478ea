# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# Words and kinds of characters in a text: twins of functions in core/text/words and core/segmentation/text_layout.

from cpython.unicode cimport PyUnicode_DecodeASCII
from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.string cimport memset

from .ascii_space cimport is_control, is_space


# The kinds of characters: of those of the basic plane each, then of each plane as a whole.
cdef struct Characters:
    const uint8_t* kinds
    const uint8_t* in_runs  # by kind
    Py_ssize_t kind_count
    uint32_t basic
    int space, unspaced


# Where the measures of a text are put; counts of kinds come last.
cdef struct MeasureColumns:
    Py_ssize_t lengths, words, runs, first_kind, last_kind, counts


cdef inline Py_ssize_t ascii_words(const char* data, Py_ssize_t size) noexcept:
    """``count_words`` for ASCII."""
    cdef Py_ssize_t index, count = 0
    cdef bint space, before = True
    for index in range(size):
        space = is_space(data[index])
        count += before and not space
        before = space
    return count


cdef inline str ascii_line(char* data, Py_ssize_t length):
    """``plain`` for ASCII, done in place."""
    cdef Py_ssize_t index, size = 0
    cdef char sign
    cdef bint gap = False
    for index in range(length):
        sign = data[index]
        if is_space(sign):
            gap = size > 0
        elif not is_control(sign):
            if gap:
                data[size] = b" "
                size += 1
                gap = False
            data[size] = sign
            size += 1
    return PyUnicode_DecodeASCII(data, size, NULL)


cdef inline bint has_sign(str text):
    """Whether a text has a letter or digit."""
    for sign in text:
        if sign.isalnum():
            return True
    return False


cdef inline int measure(str text, const Characters* characters, const MeasureColumns* at, int64_t* facts) except -1:
    """``text_layout.measure`` of one text, which is not empty."""
    cdef int kind = characters.space, first = -1, space = characters.space, unspaced = characters.unspaced
    cdef Py_UCS4 sign
    cdef uint32_t code, basic = characters.basic
    cdef bint in_word = False, was_word = False, in_run = False, was_run = False
    cdef int64_t words = 0, runs = 0
    cdef const uint8_t* kinds = characters.kinds
    cdef const uint8_t* in_runs = characters.in_runs
    cdef int64_t* counts = facts + at.counts
    memset(counts, 0, characters.kind_count * sizeof(int64_t))
    for sign in text:
        code = <uint32_t> sign
        kind = kinds[code if code < basic else basic + code // basic]
        if first < 0:
            first = kind
        counts[kind] += 1
        in_word = kind != space and kind != unspaced
        words += kind == unspaced or (in_word and not was_word)
        in_run = in_runs[kind]
        runs += in_run and not was_run
        was_word, was_run = in_word, in_run
    facts[at.lengths], facts[at.words], facts[at.runs] = len(text), words, runs
    facts[at.first_kind], facts[at.last_kind] = first, kind
    return 0
