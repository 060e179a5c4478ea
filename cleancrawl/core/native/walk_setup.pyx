# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What ``segmentation`` is told once, by ``core/segmentation/readings``."""

from libc.stdint cimport int64_t

from .element_attributes cimport decoded
from .name_hints cimport add_token, hint_bits

cdef enum:
    PLANES = 17


cdef class Setup:
    """What every walk is told: the columns of the layout, what tags, characters and names mean, and the functions for
    what is rare. Made once."""

    def __init__(self, *, dict columns, dict tags, dict characters, dict hints, dict functions, bytes line, sizes):
        """See ``core/segmentation/readings``, which gives it all."""
        self.block_at, self.measure_at, self.container_at = columns["block"], columns["measure"], columns["container"]
        for name, known in (
            ("block", self.block_at), ("measure", self.measure_at), ("container", self.container_at)
        ):
            if set(known) != set(columns[name]):
                raise ValueError(f"columns that the compiled part does not fill: {set(columns[name]) - set(known)}")
        self.kind, self.tag_kinds, self.tag_ids = tags["kinds"], tags["kind_of"], tags["ids"]
        self.never_text, self.bearers, self.frames = tags["never_text"], tags["bearers"], tags["frames"]
        self.character_kinds, self.in_runs = characters["kinds"], characters["in_runs"]
        self.characters.kinds, self.characters.in_runs = &self.character_kinds[0], &self.in_runs[0]
        self.characters.kind_count = self.in_runs.shape[0]
        self.characters.basic = characters["basic"]
        self.characters.space, self.characters.unspaced = characters["space"], characters["unspaced"]
        if self.character_kinds.shape[0] < self.characters.basic + PLANES:
            raise ValueError("a plane of characters has no kind")
        self.block_size = self.measure_at.counts + self.characters.kind_count
        self.container_size = len(columns["container"])
        self.ad_hint, self.longest_value, self.hints_of = hints["ad"], hints["longest"], functions["hints_of"]
        for token, bits in hints["tokens"].items():
            add_token(&self.tokens, token, bits)
        self.embedded_hit, self.sized_hit = functions["embedded_hit"], functions["sized_hit"]
        self.add_hit, self.is_hidden = functions["add_hit"], functions["is_hidden"]
        self.lines, self.plain = functions["lines"], functions["plain"]
        self.count_words, self.head = functions["count_words"], functions["head"]
        self.line, self.sizes = line, sizes

    cdef int64_t hints(self, const char* value, Py_ssize_t size) except -1:
        """``hints_of``."""
        if size > self.longest_value:
            return self.hints_of(decoded(value, size))
        return hint_bits(value, size, &self.tokens)

    cdef int tell(self, str tag, Name* slot) except -1:
        """What a tag means."""
        slot.kind = self.tag_kinds.get(tag, 0)
        slot.tag_id = self.tag_ids.get(tag, 0)
        slot.never_text = tag in self.never_text
        slot.is_html, slot.is_pre, slot.is_dialog = tag == "html", tag == "pre", tag == "dialog"
        slot.is_script, slot.is_title = tag == "script", tag == "title"
        slot.is_meta, slot.is_link = tag == "meta", tag == "link"
        slot.is_div, slot.is_image = tag == "div", tag == "img"
        slot.bears, slot.is_frame = tag in self.bearers, tag in self.frames
        return 0
