# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What comes before and after the product of a perceptron's hidden layer, and the best that its probabilities promise:
twins of functions in ``methods/learned/arranged_weights`` and ``methods/learned/learned_score``."""

from libc.stdint cimport int64_t, uint64_t

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

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #define apart __restrict
    #else
    #define apart __restrict__
    #endif
    #define AT_ONCE 8

    /* Compilers make vectors of these: nothing overlaps, and sums are in parts. */
    static void add_weights(float* apart sums, const float* apart weights, Py_ssize_t units) {
        for (Py_ssize_t unit = 0; unit < units; unit++) sums[unit] += weights[unit];
    }

    static float rectified_sum(const float* apart sums, const float* apart output, Py_ssize_t units) {
        float parts[AT_ONCE] = {0}, total = 0;
        Py_ssize_t unit = 0;
        for (; unit + AT_ONCE <= units; unit += AT_ONCE)
            for (int part = 0; part < AT_ONCE; part++)
                parts[part] += (sums[unit + part] > 0 ? sums[unit + part] : 0) * output[unit + part];
        for (; unit < units; unit++) total += (sums[unit] > 0 ? sums[unit] : 0) * output[unit];
        for (int part = 0; part < AT_ONCE; part++) total += parts[part];
        return total;
    }
    """
    void add_weights(float* sums, const float* weights, Py_ssize_t units) noexcept nogil
    float rectified_sum(const float* sums, const float* output, Py_ssize_t units) noexcept nogil

ctypedef const Py_ssize_t[::1] Places

cdef enum:
    MOST_BITS = 63


cdef int check_places(Places chosen, Py_ssize_t first, Py_ssize_t end, Py_ssize_t columns) except -1:
    """Refuse blocks that are not there."""
    cdef Py_ssize_t place
    if first < 0 or end > (columns if chosen is None else chosen.shape[0]):
        raise IndexError("no such block")
    if chosen is not None:
        for place in range(first, end):
            if not 0 <= chosen[place] < columns:
                raise IndexError("no such block")
    return 0


def within(
    const float[:, ::1] values not None,
    Places chosen,
    Py_ssize_t first,
    const float[::1] lowest not None,
    const float[::1] highest not None,
    float[:, :, ::1] ready not None,
):
    """Put as many of the chosen columns of ``values`` as there are, from the first on, into tiles of columns."""
    cdef Py_ssize_t rows = values.shape[0], width = ready.shape[2], end, row, column, tile, start, size
    cdef const float* source
    cdef float* target
    cdef float low, high, value
    if lowest.shape[0] != rows or highest.shape[0] != rows or ready.shape[1] != rows:
        raise ValueError("bounds and values differ in size")
    end = values.shape[1] if chosen is None else chosen.shape[0]
    end = min(end, first + ready.shape[0] * width)
    check_places(chosen, first, end, values.shape[1])
    if not rows or not width:
        return
    for tile in range(ready.shape[0]):
        start = first + tile * width
        size = max(min(end - start, width), 0)
        for row in range(rows):
            source, target = &values[row, 0], &ready[tile, row, 0]
            low, high = lowest[row], highest[row]
            if chosen is None:
                for column in range(size):
                    value = low if low > source[start + column] else source[start + column]
                    target[column] = high if high < value else value
            else:
                for column in range(size):
                    value = source[chosen[start + column]]
                    value = low if low > value else value
                    target[column] = high if high < value else value
            for column in range(size, width):
                target[column] = 0.0


def outcomes(
    float[:, ::1] layer not None,
    const int64_t[:, ::1] masks not None,
    Places chosen,
    Py_ssize_t first,
    const float[:, ::1] weights not None,
    const int64_t[::1] counts not None,
    const float[::1] output not None,
    float[::1] found not None,
):
    """Add the weights of all flags that are set to the hidden layer of the chosen blocks, a row each, and sum up."""
    cdef Py_ssize_t size = found.shape[0], units = output.shape[0], block, column, mask, row
    cdef int64_t total = 0
    cdef uint64_t bits
    cdef float* sums
    for mask in range(counts.shape[0]):
        if not 0 <= counts[mask] <= MOST_BITS:
            raise ValueError("a mask has not so many bits")
        total += counts[mask]
    if masks.shape[0] != counts.shape[0] or weights.shape[0] != total:
        raise ValueError("masks and weights differ in size")
    if layer.shape[0] < size or layer.shape[1] != units or (total and weights.shape[1] != units):
        raise ValueError("the hidden layer and its output differ in size")
    check_places(chosen, first, first + size, masks.shape[1])
    if not units:
        found[:] = 0.0
        return
    for block in range(size):
        column = first + block if chosen is None else chosen[first + block]
        sums = &layer[block, 0]
        row = 0
        for mask in range(counts.shape[0]):
            bits = <uint64_t>masks[mask, column] & ((<uint64_t>1 << counts[mask]) - 1)
            while bits:
                add_weights(sums, &weights[row + lowest_bit(bits), 0], units)
                bits &= bits - 1
            row += counts[mask]
        found[block] = rectified_sum(sums, &output[0], units)


def best_share(const double[::1] words not None, const float[::1] probabilities not None):
    """The best expected F1: each choice tells which blocks the next, a better one, leaves out (Dinkelbach, 1967)."""
    cdef Py_ssize_t size = words.shape[0], i
    cdef double best = 0.0, share = 0.0, total = 0.0, held, wanted
    if probabilities.shape[0] != size:
        raise ValueError("words and probabilities differ in number")
    for i in range(size):
        total += words[i] * probabilities[i]
    while True:
        held = wanted = 0.0
        for i in range(size):
            if 2.0 * probabilities[i] > best:
                held += words[i]
                wanted += words[i] * probabilities[i]
        share = 2.0 * wanted / (held + total if held + total > 1e-9 else 1e-9)
        if not share > best:
            return best
        best = share
