# White space among ASCII's characters, as str.isspace sees it.

from libc.stdint cimport uint8_t

cdef extern from *:
    """
    static const unsigned char ascii_space[256] = {
        0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1
    };
    #define is_space(sign) (ascii_space[(unsigned char) (sign)])
    """
    bint is_space(char sign) noexcept nogil
