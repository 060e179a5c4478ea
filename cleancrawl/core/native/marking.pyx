# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Stop words and markers of a page's blocks: the twin of ``said_in_python`` in ``methods/learned/features/markers``.

Every word that tells something has a number, and a table finds the number of a word as it stands in the text, without
making a string of it. Phrases are then compared number by number.
"""

from cpython.bytearray cimport PyByteArray_AS_STRING
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

cdef extern from "Python.h":
    bint PyUnicode_Check(object text)
    Py_ssize_t PyUnicode_GetLength(object text) except -1
    object PyUnicode_Substring(object text, Py_ssize_t start, Py_ssize_t end)
    bint PyUnicode_IS_ASCII(object text)
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    uint32_t PyUnicode_READ(int kind, void* data, Py_ssize_t index) noexcept nogil
    bint Py_UNICODE_ISSPACE(uint32_t character) noexcept nogil
    uint32_t Py_UNICODE_TOLOWER(uint32_t character) noexcept nogil

cdef enum:
    UNKNOWN = -1
    MOST_WORDS = 0xFFFE
    CHARACTERS = 0x10000
    EDGE_BYTES = 0x2000
    BETWEEN = 0x80
    LONGEST_SAMPLE = 160
    LOWERED = 480  # lower case of one character has three at most
    BLANK = 0x20
    CAPITAL_I_WITH_DOT = 0x130
    CAPITAL_SIGMA = 0x3A3
    ROWS = 5

cdef extern from *:
    """
    #define HIGH ((uint32_t) 0xFFFF0000)
    #define SPECIAL ((uint32_t) 0xFFFFFFFF)
    """
    const uint32_t HIGH
    const uint32_t SPECIAL

cdef struct Phrase:
    uint32_t start
    uint32_t length
    uint32_t place
    int64_t bit

cdef struct Scratch:
    uint32_t[LOWERED] word
    uint32_t[LOWERED] lower
    uint8_t[LOWERED] narrow


cdef inline uint32_t _mixed(uint32_t hash, uint32_t character) noexcept nogil:
    return (hash ^ character) * <uint32_t> 16777619


cdef uint32_t _lower(object text, size_t start, size_t size, uint32_t* lower) noexcept:
    """Writes a part of a text in lower case and returns all bits in it; SPECIAL where that is not done by character."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef uint32_t character, every = 0
    cdef size_t place
    for place in range(size):
        character = PyUnicode_READ(kind, data, start + place)
        if character < 128:
            if 65 <= character <= 90:
                character += 32
        elif character == CAPITAL_SIGMA or character == CAPITAL_I_WITH_DOT:
            # One depends on what is around it, the other becomes two characters.
            return SPECIAL
        else:
            character = Py_UNICODE_TOLOWER(character)
        lower[place] = character
        every |= character
    return every


# How much of a text is looked at: all of a short one, the head and the tail of others.
cdef struct Sample:
    size_t longest, head, tail, first_words


cdef size_t _lower_by_python(object text, Sample sample, uint32_t* lower, uint32_t* every) except? 0:
    """The same for the whole sample of a text, whatever it has; returns its size."""
    cdef size_t size = PyUnicode_GetLength(text)
    if size > sample.longest:
        text = PyUnicode_Substring(text, 0, sample.head) + " " + PyUnicode_Substring(text, size - sample.tail, size)
    text = str.lower(text)
    size = min(<size_t> PyUnicode_GetLength(text), <size_t> LOWERED)
    every[0] = 0
    for place in range(size):
        lower[place] = PyUnicode_READ(PyUnicode_KIND(text), PyUnicode_DATA(text), place)
        every[0] |= lower[place]
    return size


cdef class Lexicon:
    """The words of one language, with their bits, and phrases of several of them by the word that leads to them.

    Built once for a language and never changed: pages only look words up, so their words cost no memory.
    """

    cdef uint32_t* slots  # half of the word's hash and its number plus one, 16 bits each; 0 where free
    cdef uint32_t mask
    cdef uint32_t* letters
    cdef uint32_t* first_letter  # by number; the letters of a word end where those of the next begin
    cdef size_t longest
    cdef int64_t* bits
    cdef uint32_t* first_phrase  # by number; the phrases of a word end where those of the next begin
    cdef Phrase* phrases
    cdef int32_t* phrase_words
    cdef uint8_t[128] plain  # ASCII in lower case; BETWEEN for what parts words
    cdef uint8_t[EDGE_BYTES] edges  # a bit for each character
    cdef int64_t stop_bit
    cdef int64_t phrase_bit
    cdef Sample sample

    def __cinit__(
        self, dict bits, dict phrases, bytes plain, str edges, int64_t stop_bit, int64_t phrase_bit, dict sample not None
    ):
        """``bits`` of each word; ``phrases`` as ``(words, place of the key, bit)``; see ``core/text`` for the others."""
        self.sample = sample
        if not self.sample.head + self.sample.tail < self.sample.longest <= LONGEST_SAMPLE:
            raise ValueError(f"a sample has {LONGEST_SAMPLE} characters at most, and more than head and tail")
        cdef dict numbers = {}
        cdef list listed
        self.stop_bit, self.phrase_bit = stop_bit, phrase_bit
        self._set_characters(plain, edges)
        for word in bits:
            numbers[word] = len(numbers)
        for listed in phrases.values():
            for words, _, _ in listed:
                for word in words:
                    numbers.setdefault(word, len(numbers))
        self._set_words(numbers, bits)
        self._set_phrases(numbers, phrases)

    def __dealloc__(self):
        free(self.slots)
        free(self.letters)
        free(self.first_letter)
        free(self.bits)
        free(self.first_phrase)
        free(self.phrases)
        free(self.phrase_words)

    cdef int _set_characters(self, bytes plain, str edges) except -1:
        cdef int code
        cdef uint32_t character
        cdef Py_UCS4 letter
        for code in range(128):
            self.plain[code] = BETWEEN if chr(plain[code]).isspace() else plain[code]
        memset(self.edges, 0, EDGE_BYTES)
        for letter in edges:
            character = letter
            if character >= CHARACTERS:
                raise ValueError(f"no edge of words: {letter!r}")
            self.edges[character >> 3] |= 1 << (character & 7)
        return 0

    cdef int _set_words(self, dict numbers, dict bits) except -1:
        cdef size_t total = sum(map(len, numbers)), used = 0, size = 64
        cdef uint32_t hash, index
        cdef Py_UCS4 character
        while size < 4 * <size_t> len(numbers):
            size *= 2
        self.mask = <uint32_t> size - 1
        self.longest = max(map(len, numbers), default=0)
        if len(numbers) > MOST_WORDS:
            raise ValueError(f"{len(numbers)} words are too many")
        self.slots = <uint32_t*> calloc(size, sizeof(uint32_t))
        self.first_letter = <uint32_t*> malloc((len(numbers) + 1) * sizeof(uint32_t))
        self.letters = <uint32_t*> malloc((total + 1) * sizeof(uint32_t))
        self.bits = <int64_t*> malloc((len(numbers) + 1) * sizeof(int64_t))
        if self.slots == NULL or self.first_letter == NULL or self.letters == NULL or self.bits == NULL:
            raise MemoryError
        for word, number in numbers.items():
            self.bits[<size_t> number] = bits.get(word, 0)
            self.first_letter[<size_t> number] = used
            hash = 0
            for character in <str> word:
                hash = _mixed(hash, character)
                self.letters[used] = character
                used += 1
            index = self._begin(hash)
            while self.slots[index]:
                index = (index + 1) & self.mask
            self.slots[index] = (hash & HIGH) | <uint32_t> (number + 1)
        self.first_letter[len(numbers)] = used
        return 0

    cdef int _set_phrases(self, dict numbers, dict phrases) except -1:
        cdef size_t total = sum(map(len, phrases.values())), used = 0, words_used = 0
        cdef size_t total_words = sum(len(words) for listed in phrases.values() for words, _, _ in listed)
        self.first_phrase = <uint32_t*> calloc(len(numbers) + 1, sizeof(uint32_t))
        self.phrases = <Phrase*> malloc((total + 1) * sizeof(Phrase))
        self.phrase_words = <int32_t*> malloc((total_words + 1) * sizeof(int32_t))
        if self.first_phrase == NULL or self.phrases == NULL or self.phrase_words == NULL:
            raise MemoryError
        for key, number in numbers.items():
            self.first_phrase[<size_t> number] = used
            for words, place, bit in phrases.get(key, ()):
                self.phrases[used] = Phrase(words_used, len(words), place, bit)
                used += 1
                for word in words:
                    self.phrase_words[words_used] = numbers[word]
                    words_used += 1
        self.first_phrase[len(numbers)] = used
        return 0

    cdef inline uint32_t _begin(self, uint32_t hash) noexcept nogil:
        # The last step of the hash leaves its low bits weak.
        return (hash ^ (hash >> 15)) & self.mask

    cdef inline int32_t _number(self, const uint32_t* word, size_t length, uint32_t hash) noexcept nogil:
        cdef uint32_t index = self._begin(hash), slot = self.slots[index], number
        cdef const uint32_t* known
        cdef size_t place
        while slot:
            if (slot ^ hash) & HIGH == 0:
                number = (slot & ~HIGH) - 1
                if self.first_letter[number + 1] - self.first_letter[number] == length:
                    known = self.letters + self.first_letter[number]
                    place = 0
                    while place < length and known[place] == word[place]:
                        place += 1
                    if place == length:
                        return number
            index = (index + 1) & self.mask
            slot = self.slots[index]
        return UNKNOWN

    cdef size_t _ascii_words(
        self, const uint8_t* text, size_t size, uint32_t* word, int32_t* numbers, size_t found
    ) noexcept nogil:
        """Adds the numbers of the words; returns how many there are by then."""
        cdef size_t place, length = 0, longest = self.longest
        cdef uint32_t hash = 0
        cdef uint8_t character
        for place in range(size):
            character = self.plain[text[place]]
            if character != BETWEEN:
                if length < longest:
                    word[length] = character
                    hash = _mixed(hash, character)
                length += 1
            elif length:
                numbers[found] = self._number(word, length, hash) if length <= longest else UNKNOWN
                found += 1
                length = 0
                hash = 0
        if length:
            numbers[found] = self._number(word, length, hash) if length <= longest else UNKNOWN
            found += 1
        return found

    cdef size_t _other_words(
        self, const uint32_t* text, size_t size, int32_t* numbers, size_t found
    ) noexcept nogil:
        """The same for text that is not in ASCII: words are what white space parts, without the edges around them."""
        cdef size_t place = 0, start, end, index
        cdef uint32_t hash
        while True:
            while place < size and Py_UNICODE_ISSPACE(text[place]):
                place += 1
            if place == size:
                return found
            start = place
            while place < size and not Py_UNICODE_ISSPACE(text[place]):
                place += 1
            end = place
            while start < end and self._is_edge(text[start]):
                start += 1
            while start < end and self._is_edge(text[end - 1]):
                end -= 1
            numbers[found] = UNKNOWN
            if end - start <= self.longest:
                hash = 0
                for index in range(start, end):
                    hash = _mixed(hash, text[index])
                numbers[found] = self._number(text + start, end - start, hash)
            found += 1

    cdef inline bint _is_edge(self, uint32_t character) noexcept nogil:
        return character < CHARACTERS and self.edges[character >> 3] >> (character & 7) & 1

    cdef size_t _words(self, object text, Scratch* scratch, int32_t* numbers, size_t found) except? 0:
        """Adds the numbers of a text's words, of a long one's first and last; returns how many there are by then."""
        cdef size_t size = PyUnicode_GetLength(text), index
        cdef const uint8_t* data
        cdef size_t head = self.sample.head, tail = self.sample.tail
        cdef uint32_t every
        if PyUnicode_IS_ASCII(text):
            data = <const uint8_t*> PyUnicode_DATA(text)
            if size <= self.sample.longest:
                return self._ascii_words(data, size, scratch.word, numbers, found)
            found = self._ascii_words(data, head, scratch.word, numbers, found)
            return self._ascii_words(data + size - tail, tail, scratch.word, numbers, found)
        if size <= self.sample.longest:
            every = _lower(text, 0, size, scratch.lower)
        else:
            every = _lower(text, 0, head, scratch.lower) | _lower(text, size - tail, tail, scratch.lower + head + 1)
            scratch.lower[head] = BLANK
            size = head + 1 + tail
        if every == SPECIAL:
            size = _lower_by_python(text, self.sample, scratch.lower, &every)
        if every >= 128:
            return self._other_words(scratch.lower, size, numbers, found)
        # The ends of the text are in ASCII, or lower case has made it of a sign such as that of Kelvin.
        for index in range(size):
            scratch.narrow[index] = scratch.lower[index]
        return self._ascii_words(scratch.narrow, size, scratch.word, numbers, found)

    cdef void _mark(self, const int32_t* numbers, int64_t* marks, size_t size) noexcept nogil:
        """The bits of each word; a phrase marks its first word."""
        cdef size_t index, place, first
        cdef uint32_t number, listed
        cdef const Phrase* phrase
        for index in range(size):
            marks[index] = self.bits[numbers[index]] if numbers[index] != UNKNOWN else 0
        for index in range(size):
            if not marks[index] & self.phrase_bit:
                continue
            number = numbers[index]
            for listed in range(self.first_phrase[number], self.first_phrase[number + 1]):
                phrase = self.phrases + listed
                if phrase.place > index or index - phrase.place + phrase.length > size:
                    continue
                first = index - phrase.place
                place = 0
                while place < phrase.length and numbers[first + place] == self.phrase_words[phrase.start + place]:
                    place += 1
                if place == phrase.length:
                    marks[first] |= phrase.bit

    def said(self, texts):
        """The rows of ``Said`` for the texts of a page's blocks, one after another, as 64-bit integers."""
        # A tuple: nothing can change its texts between the two loops over them.
        cdef tuple blocks = tuple(texts)
        cdef size_t count = len(blocks), capacity = 1, block, index = 0, start, found = 0
        cdef bytearray result = bytearray(ROWS * sizeof(int64_t) * count)
        cdef int64_t* run_count = <int64_t*> PyByteArray_AS_STRING(result)
        cdef int64_t* anywhere = run_count + count
        cdef int64_t* at_start = anywhere + count
        cdef int64_t* stops = at_start + count
        cdef int64_t* hits = stops + count
        cdef Scratch scratch
        cdef int32_t* numbers = NULL
        cdef int64_t* marks = NULL
        cdef int64_t mark
        for text in blocks:
            if not PyUnicode_Check(text):
                raise TypeError(f"a text, not {type(text).__name__}")
            # Two characters a word: lower case can be longer, but has no more words.
            capacity += min(<size_t> PyUnicode_GetLength(text), self.sample.longest) // 2 + 1
        try:
            numbers = <int32_t*> malloc(capacity * sizeof(int32_t))
            marks = <int64_t*> malloc(capacity * sizeof(int64_t))
            if numbers == NULL or marks == NULL:
                raise MemoryError
            for block in range(count):
                start = found
                found = self._words(blocks[block], &scratch, numbers, found)
                run_count[block] = found - start
            self._mark(numbers, marks, found)
            for block in range(count):
                start = index
                while index < start + <size_t> run_count[block]:
                    mark = marks[index]
                    if mark & self.stop_bit:
                        stops[block] += 1
                    mark &= self.stop_bit - 1
                    if mark:
                        anywhere[block] |= mark
                        hits[block] += 1
                        if index - start < self.sample.first_words:
                            at_start[block] |= mark
                    index += 1
        finally:
            free(numbers)
            free(marks)
        return result
