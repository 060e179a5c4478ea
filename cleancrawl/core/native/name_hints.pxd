# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# What the words in class, id and role attributes hint at: the twin of hints_of in core/rules/class_hints.

from libc.stdint cimport int64_t, uint16_t, uint32_t
from libc.string cimport memcmp, memcpy

cdef enum:
    LONGEST_TOKEN = 23
    MOST_TOKENS = 700
    TOKEN_SLOTS = 2048


cdef struct Token:
    int64_t bits
    Py_ssize_t size
    char[LONGEST_TOKEN] text


# Words with their bits. Each is filed under a slot, or behind the slot; 0 is an empty one.
cdef struct Tokens:
    Token[MOST_TOKENS] items
    uint16_t[TOKEN_SLOTS] numbers
    Py_ssize_t count


cdef inline int add_token(Tokens* tokens, bytes text, int64_t bits) except -1:
    cdef Token* token = &tokens.items[tokens.count]
    cdef const char* data = text
    cdef uint32_t slot
    if len(text) > LONGEST_TOKEN or tokens.count == MOST_TOKENS:
        raise ValueError(f"too long a word, or one too many: {text}")
    token.bits, token.size = bits, len(text)
    memcpy(token.text, data, len(text))
    slot = token_slot(data, token.size)
    while tokens.numbers[slot]:
        slot = (slot + 1) % TOKEN_SLOTS
    tokens.count += 1
    tokens.numbers[slot] = <uint16_t> tokens.count
    return 0


cdef inline uint32_t token_slot(const char* lower, Py_ssize_t size) noexcept:
    cdef uint32_t hash = 0
    cdef Py_ssize_t index
    for index in range(size):
        hash = (hash ^ <unsigned char> lower[index]) * <uint32_t> 0x01000193
    return (hash ^ hash >> 15) % TOKEN_SLOTS


cdef inline int64_t hint_bits(const char* data, Py_ssize_t size, const Tokens* tokens) noexcept:
    """Words are runs of letters, cut where a capital begins one."""
    cdef Py_ssize_t first = 0, at = 0
    cdef int64_t mask = 0
    while at < size:
        first = at
        while at < size and b"A" <= data[at] <= b"Z":
            at += 1
        if at < size and b"a" <= data[at] <= b"z":
            if at - first > 1:
                # HTMLText: the last capital belongs to what follows.
                mask |= bits_of(data + first, at - 1 - first, tokens)
                first = at - 1
            while at < size and b"a" <= data[at] <= b"z":
                at += 1
        if at > first:
            mask |= bits_of(data + first, at - first, tokens)
        else:
            at += 1
    return mask


cdef inline int64_t bits_of(const char* word, Py_ssize_t size, const Tokens* tokens) noexcept:
    cdef char[LONGEST_TOKEN] lower
    cdef Py_ssize_t index
    cdef uint32_t slot
    cdef const Token* token
    if size > LONGEST_TOKEN:
        return 0  # no word is as long
    for index in range(size):
        lower[index] = word[index] | 32
    slot = token_slot(lower, size)
    while tokens.numbers[slot]:
        token = &tokens.items[tokens.numbers[slot] - 1]
        if token.size == size and memcmp(token.text, lower, size) == 0:
            return token.bits
        slot = (slot + 1) % TOKEN_SLOTS
    return 0
