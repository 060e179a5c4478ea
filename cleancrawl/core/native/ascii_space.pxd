# White space among ASCII's characters, as str.isspace sees it, and the control characters that are none.

from libc.stdint cimport uint8_t

cdef extern from *:
    """
    static const unsigned char ascii_space[256] = {
        2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, [127] = 2
    };
    #define is_space(sign) (ascii_space[(unsigned char) (sign)] == 1)
    #define is_control(sign) (ascii_space[(unsigned char) (sign)] == 2)
    """
    bint is_space(char sign) noexcept nogil
    bint is_control(char sign) noexcept nogil
