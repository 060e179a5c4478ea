# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""One hidden layer over features most of which are zero: the twin of ``totals_in_python`` in ``core/score/model``.

A general product spends its time on zeros: of sixteen blocks in a row, three fifths of all features are zero in all.
"""

from libc.stdlib cimport free, malloc

import numpy as np

cdef extern from *:
    """
    #include <string.h>

    enum { TILE = 16, GROUP = 4 };

    #if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
    #include <immintrin.h>
    #define WIDE __attribute__((target("avx2,fma")))

    static int is_wide(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

    /* The features that are not zero in all of TILE blocks, within their bounds; returns how many they are. */
    WIDE static Py_ssize_t gather(
        const float* columns, Py_ssize_t stride, Py_ssize_t width, Py_ssize_t features, const float* lowest,
        const float* highest, const float* zero, float* values, Py_ssize_t* places)
    {
        Py_ssize_t count = 0;
        float tail[TILE] = {0};
        for (Py_ssize_t feature = 0; feature < features; feature++) {
            const float* row = columns + feature * stride;
            if (width < TILE)
                row = memcpy(tail, row, width * sizeof(float));
            __m256 first = _mm256_loadu_ps(row), second = _mm256_loadu_ps(row + 8);
            __m256i any = _mm256_castps_si256(_mm256_or_ps(first, second));
            if (_mm256_testz_si256(any, any))
                continue;
            __m256 least = _mm256_set1_ps(lowest[feature]), most = _mm256_set1_ps(highest[feature]);
            __m256 none = _mm256_set1_ps(zero[feature]);
            first = _mm256_min_ps(_mm256_max_ps(first, least), most);
            second = _mm256_min_ps(_mm256_max_ps(second, least), most);
            _mm256_storeu_ps(values + count * TILE, _mm256_sub_ps(first, none));
            _mm256_storeu_ps(values + count * TILE + 8, _mm256_sub_ps(second, none));
            places[count++] = feature;
        }
        return count;
    }

    #define ADD_UNIT(UNIT) \\
        sum##UNIT##0 = _mm256_fmadd_ps(_mm256_broadcast_ss(weight + UNIT), first, sum##UNIT##0); \\
        sum##UNIT##1 = _mm256_fmadd_ps(_mm256_broadcast_ss(weight + UNIT), second, sum##UNIT##1);
    #define ADD_OUTPUT(UNIT) \\
        first = _mm256_fmadd_ps(_mm256_set1_ps(output[UNIT]), _mm256_max_ps(sum##UNIT##0, none), first); \\
        second = _mm256_fmadd_ps(_mm256_set1_ps(output[UNIT]), _mm256_max_ps(sum##UNIT##1, none), second);

    /* Add what GROUP hidden units give to the output of TILE blocks; their sums stay in registers. */
    WIDE static void weigh(
        const float* values, const Py_ssize_t* places, Py_ssize_t count, const float* weights, const float* bias,
        const float* output, float* total)
    {
        const __m256 none = _mm256_setzero_ps();
        __m256 sum00 = _mm256_set1_ps(bias[0]), sum10 = _mm256_set1_ps(bias[1]);
        __m256 sum20 = _mm256_set1_ps(bias[2]), sum30 = _mm256_set1_ps(bias[3]);
        __m256 sum01 = sum00, sum11 = sum10, sum21 = sum20, sum31 = sum30, first, second;
        for (Py_ssize_t index = 0; index < count; index++) {
            const float* weight = weights + places[index] * GROUP;
            first = _mm256_loadu_ps(values + index * TILE);
            second = _mm256_loadu_ps(values + index * TILE + 8);
            ADD_UNIT(0) ADD_UNIT(1) ADD_UNIT(2) ADD_UNIT(3)
        }
        first = _mm256_loadu_ps(total);
        second = _mm256_loadu_ps(total + 8);
        ADD_OUTPUT(0) ADD_OUTPUT(1) ADD_OUTPUT(2) ADD_OUTPUT(3)
        _mm256_storeu_ps(total, first);
        _mm256_storeu_ps(total + 8, second);
    }
    #else
    static int is_wide(void) { return 0; }
    #define gather(columns, stride, width, features, lowest, highest, zero, values, places) 0
    #define weigh(values, places, count, weights, bias, output, total)
    #endif
    """
    const int TILE
    const int GROUP
    bint is_wide() noexcept nogil
    Py_ssize_t gather(
        const float* columns, Py_ssize_t stride, Py_ssize_t width, Py_ssize_t features, const float* lowest,
        const float* highest, const float* zero, float* values, Py_ssize_t* places
    ) noexcept nogil
    void weigh(
        const float* values, const Py_ssize_t* places, Py_ssize_t count, const float* weights, const float* bias,
        const float* output, float* total
    ) noexcept nogil

if not is_wide():
    raise ImportError("the processor has no AVX2")


def totals(
    const float[:, ::1] columns not None,
    const float[::1] lowest not None,
    const float[::1] highest not None,
    const float[::1] zero not None,
    const float[:, :, ::1] weights not None,
    const float[::1] bias not None,
    const float[::1] output not None,
):
    """What the output adds up of the hidden layer for each block.

    ``weights`` are groups of units × features × units. ``zero`` is what each feature is at zero within its bounds, and
    ``bias`` the hidden layer of a block that has all of them there.
    """
    cdef Py_ssize_t features = columns.shape[0], size = columns.shape[1], groups = weights.shape[0]
    cdef Py_ssize_t start, width, count, group, block
    cdef float[16] total
    if not features == lowest.shape[0] == highest.shape[0] == zero.shape[0] == weights.shape[1]:
        raise ValueError("features and weights differ in number")
    if weights.shape[2] != GROUP or not groups * GROUP == bias.shape[0] == output.shape[0]:
        raise ValueError("units differ in number")
    found = np.zeros(size, dtype=np.float32)
    if not features or not groups or not size:
        return found
    cdef float[::1] target = found
    cdef float* values = <float*>malloc(TILE * features * sizeof(float))
    cdef Py_ssize_t* places = <Py_ssize_t*>malloc(features * sizeof(Py_ssize_t))
    try:
        if values == NULL or places == NULL:
            raise MemoryError
        for start in range(0, size, TILE):
            width = min(<Py_ssize_t>TILE, size - start)
            count = gather(
                &columns[0, start], size, width, features, &lowest[0], &highest[0], &zero[0], values, places
            )
            for block in range(TILE):
                total[block] = 0.0
            for group in range(groups):
                weigh(
                    values, places, count, &weights[group, 0, 0], &bias[group * GROUP], &output[group * GROUP], total
                )
            for block in range(width):
                target[start + block] = total[block]
        return found
    finally:
        free(values)
        free(places)
