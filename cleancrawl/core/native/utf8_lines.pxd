# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# Lines and words of texts in UTF-8 in which nothing is rare: what these do not take is left to core/text/words.

from cpython.unicode cimport Py_UNICODE_ISPRINTABLE, Py_UNICODE_ISSPACE, PyUnicode_DecodeUTF8
from libc.stdint cimport uint32_t
from libc.string cimport memmove

from .ascii_space cimport is_control, is_space

cdef enum:
    LONGEST_LINE = 50_000  # longer ones are cut into pieces there


cdef inline uint32_t sign_at(const char* data, Py_ssize_t left, Py_ssize_t* size) noexcept:
    """The character that begins at a byte above ASCII, and its bytes; 0 where none does."""
    cdef unsigned char first = <unsigned char> data[0]
    cdef uint32_t sign
    cdef Py_ssize_t place
    size[0] = 2 if 0xC2 <= first < 0xE0 else 3 if 0xE0 <= first < 0xF0 else 4 if 0xF0 <= first < 0xF5 else 0
    if not size[0] or size[0] > left:
        return 0
    sign = first & (0xFF >> (size[0] + 1))
    for place in range(1, size[0]):
        if data[place] & 0xC0 != 0x80:
            return 0
        sign = sign << 6 | (data[place] & 0x3F)
    return sign if sign < 0x110000 else 0


cdef inline bint is_simple(const char* data, Py_ssize_t length) noexcept:
    """Whether a text has nothing but white space and what is printed."""
    cdef Py_ssize_t index = 0, size = 0
    cdef uint32_t sign
    if length > LONGEST_LINE:
        return False
    while index < length:
        if not data[index] & 0x80:
            if is_control(data[index]):
                return False
            index += 1
            continue
        sign = sign_at(data + index, length - index, &size)
        if not sign or not (Py_UNICODE_ISPRINTABLE(<Py_UCS4> sign) or Py_UNICODE_ISSPACE(<Py_UCS4> sign)):
            return False
        index += size
    return True


cdef inline str simple_line(char* data, Py_ssize_t length):
    """``plain`` for what is simple, done in place."""
    cdef Py_ssize_t index = 0, end = 0, size
    cdef bint gap = False, space
    while index < length:
        size = 1
        if not data[index] & 0x80:
            space = is_space(data[index])
        else:
            space = Py_UNICODE_ISSPACE(<Py_UCS4> sign_at(data + index, length - index, &size))
        if space:
            gap = end > 0
        else:
            if gap:
                data[end] = b" "
                end += 1
                gap = False
            memmove(data + end, data + index, size)
            end += size
        index += size
    return PyUnicode_DecodeUTF8(data, end, "replace")


cdef inline Py_ssize_t spaced_words(const char* data, Py_ssize_t length) noexcept:
    """``count_words``, or -1 where a script may write without spaces."""
    cdef Py_ssize_t index = 0, count = 0, size
    cdef bint before = True, space
    cdef uint32_t sign
    while index < length:
        size = 1
        if not data[index] & 0x80:
            space = is_space(data[index])
        else:
            sign = sign_at(data + index, length - index, &size)
            if not 0x80 <= sign < 0x0E00 and not 0x2000 <= sign < 0x3000:
                return -1
            space = Py_UNICODE_ISSPACE(<Py_UCS4> sign)
        count += before and not space
        before = space
        index += size
    return count
