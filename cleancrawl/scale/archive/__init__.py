"""Archives in bulk: all pages of WARC files, each cleaned with what all the others tell about its site.

Two passes. The first cleans every page alone and says in a few numbers what it has (``first_pass``). Between them the
numbers of all pages become what is known of each site, by sums and least values alone, so that it does not matter how
the pages were divided (``counting``, ``alike``). The second pass cleans every page with it (``second_pass``).
"""

from __future__ import annotations
