# cython: language_level=3
# Structures of libxml2 are read as the headers of lxml had them when a part was built.

cdef extern from "libxml/xmlversion.h":
    const int LIBXML_VERSION


cdef inline int check_version(tuple version) except -1:
    """Refuse what lxml brings now, where it is another minor version."""
    built_for = (LIBXML_VERSION // 10000, LIBXML_VERSION // 100 % 100)
    if version[:2] != built_for:
        raise ImportError(f"built for libxml2 {built_for}, but lxml has {version}")
    return 0
