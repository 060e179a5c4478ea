# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The words of a page, numbered once for all that is made of them; signatures of articles."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from .fingerprints cimport counted_print, numbers_of, proximity_print
from .numbered_texts cimport chosen_texts, number_texts
from .run_minima cimport least_of_runs, mixed
from .term_places cimport Places, give_places_back, room_for_places
from .western_text cimport Folding, prepare
from .word_table cimport Words, give_back, room_for

import numpy as np

cdef enum:
    MOST_HASHES = 256

cdef struct Signing:
    Py_ssize_t shingle, hashes, bands, rows
    const uint64_t* masks
    const uint64_t* multipliers
    uint64_t first


cdef object signature(const int64_t* numbers, Py_ssize_t count, const uint64_t* digests, const Signing* signing):
    """Keys of 63 bits, one per band of so many least values over all runs of words; and 16 bits of each value."""
    cdef uint64_t[MOST_HASHES] found
    cdef uint64_t key
    cdef Py_ssize_t index, offset
    if not least_of_runs(
        numbers, count, digests, signing.shingle, signing.masks, signing.multipliers, found, signing.hashes
    ):
        raise MemoryError
    shorts = PyBytes_FromStringAndSize(NULL, 2 * signing.hashes)
    cdef uint8_t* short = <uint8_t*>PyBytes_AS_STRING(shorts)
    for index in range(signing.hashes):
        # The least of many values has leading zeros: mix again, so that each of its bits tells something.
        found[index] = mixed(found[index])
        short[2 * index], short[2 * index + 1] = <uint8_t>found[index], <uint8_t>(found[index] >> 8)
    keys = []
    for index in range(signing.bands):
        key = signing.first + index
        for offset in range(signing.rows):
            key = mixed(key ^ found[index * signing.rows + offset])
        keys.append(key >> 1)
    return tuple(keys), shorts


cdef int sign_with(
    Signing* signing,
    Py_ssize_t shingle,
    const uint64_t[::1] masks,
    const uint64_t[::1] multipliers,
    Py_ssize_t bands,
    Py_ssize_t rows,
    uint64_t first,
) except -1:
    """There is a least value for each pair of a mask and a multiplier. ``first`` is what the key of the first band
    begins with; the others have the numbers behind it."""
    cdef Py_ssize_t hashes = masks.shape[0]
    if multipliers.shape[0] != hashes or bands < 0 or rows < 0 or bands * rows > hashes or hashes > MOST_HASHES:
        raise ValueError("masks, multipliers and bands differ")
    signing.shingle, signing.hashes, signing.bands, signing.rows = shingle, hashes, bands, rows
    signing.masks, signing.multipliers, signing.first = &masks[0], &multipliers[0], first
    return 0


def signed(
    const int64_t[::1] numbers not None,
    bytes digests not None,
    Py_ssize_t shingle,
    const uint64_t[::1] masks not None,
    const uint64_t[::1] multipliers not None,
    Py_ssize_t bands,
    Py_ssize_t rows,
    uint64_t first,
):
    """The signature of words, numbers of digests."""
    cdef Py_ssize_t count = numbers.shape[0], vocabulary = PyBytes_GET_SIZE(digests) // 8, place
    cdef Signing signing
    sign_with(&signing, shingle, masks, multipliers, bands, rows, first)
    for place in range(count):
        if not 0 <= numbers[place] < vocabulary:
            raise ValueError("a word has no digest")
    if shingle < 1 or count < shingle:
        raise ValueError("there is no run of words")
    cdef uint64_t* values = numbers_of(digests, vocabulary)
    try:
        return signature(&numbers[0], count, values, &signing)
    finally:
        free(values)


cdef class PageDigests:
    cdef Folding folding
    cdef Signing signing
    cdef object other, masks, multipliers
    cdef Py_ssize_t least, window, budget, fewest, most

    def __init__(
        self,
        bytes edges not None,
        str marks not None,
        other,
        Py_ssize_t least,
        Py_ssize_t window,
        Py_ssize_t budget,
        Py_ssize_t fewest,
        Py_ssize_t most,
        tuple signing not None,
    ):
        """As ``stored_prints`` of the part ``fingerprints`` and ``signed`` are told. A text with fewer words than
        ``fewest`` has no signature, and of one with more than ``most`` the beginning counts."""
        prepare(&self.folding, edges, marks)
        shingle, self.masks, self.multipliers, bands, rows, first = signing
        sign_with(&self.signing, shingle, self.masks, self.multipliers, bands, rows, first)
        if not 1 <= shingle <= fewest:
            raise ValueError("there is no run of words")
        self.other, self.least, self.window, self.budget = other, least, window, budget
        self.fewest, self.most = fewest, most

    def of(self, list texts not None, bytes kept not None):
        """Fingerprints of the texts, and which of them are long enough to have one; of those that are kept, a byte for
        each text, how many words they have, the fingerprint of their frequencies, and the signature.

        None where Python has to do it: where there is more to compare than the budget allows, where words all meet in
        one place of the table, and where a kept text has a null character, which parts words in one place only.
        """
        cdef Py_ssize_t size, index, start, end, terms, count = len(texts), mine = 0, place
        cdef const uint8_t* is_kept = <const uint8_t*>PyBytes_AS_STRING(kept)
        cdef Words words
        cdef Places places
        cdef uint8_t* data = NULL
        cdef int64_t* numbers = NULL
        cdef int64_t* counts = NULL
        cdef uint64_t[::1] values
        cdef uint8_t[::1] is_long
        if PyBytes_GET_SIZE(kept) != count:
            raise ValueError("texts and what is kept of them differ")
        prints, long = np.zeros(count, dtype=np.uint64), np.zeros(count, dtype=np.uint8)
        for index in range(count):
            if is_kept[index] and "\0" in texts[index]:
                return None
        chosen = chosen_texts(texts, is_kept, self.least, self.other, &size)
        if not chosen:
            return prints, long.view(np.bool_), 0, 0, None
        values, is_long = prints, long
        memset(&words, 0, sizeof(Words))
        memset(&places, 0, sizeof(Places))
        data = <uint8_t*>malloc(size + 1)
        try:
            if data == NULL or not room_for(&words, size // 2 + len(chosen) + 1):
                raise MemoryError
            ends = number_texts(chosen, &self.folding, data, &words, self.least, &terms)
            if ends is None or terms * self.window > self.budget:
                return None
            numbers = <int64_t*>malloc((words.count + 1) * sizeof(int64_t))
            counts = <int64_t*>calloc(words.known + 1, sizeof(int64_t))
            if numbers == NULL or counts == NULL or not room_for_places(&places, words.count, words.known):
                raise MemoryError
            for index, start, end in ends:
                if end - start >= self.least:
                    values[index] = proximity_print(words.number, start, end, words.digest, self.window, &places)
                    is_long[index] = True
                if is_kept[index]:
                    for place in range(start, end):
                        numbers[mine] = words.number[place]
                        counts[words.number[place]] += 1
                        mine += 1
            signed = None
            if mine >= self.fewest:
                signed = signature(numbers, min(mine, self.most), words.digest, &self.signing)
            return prints, long.view(np.bool_), mine, counted_print(counts, words.known, words.digest), signed
        finally:
            free(data)
            free(numbers)
            free(counts)
            give_back(&words)
            give_places_back(&places)
