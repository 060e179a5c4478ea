# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Features of the containers around each block: the twin of ``fill_in_python`` in
``methods/learned/features/structure``."""

from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free

from .feature_rows cimport (
    Floats,
    Ints,
    Logarithms,
    Masks,
    Rows,
    Sums,
    Table,
    at_least_one,
    check_facts,
    check_layout,
    check_masks,
    check_names,
    count_logarithm,
    fill_row,
    logarithm,
)

cdef enum:
    GROUPS = 4  # by parent, grandparent, path, class path
    SIBLINGS = 2  # those of them by parent and grandparent


# The first row of each feature and family, how many the families have, and how many there are in all.
cdef struct StructureRows:
    Py_ssize_t in_main, depth_below_main, place_in_main, good_before_in_main, blocks_past_main, good_share_of_main
    Py_ssize_t links_in_main
    Py_ssize_t main_count
    Py_ssize_t branch_good, branch_chars, branch_blocks, branch_linked_headings, branch_good_share, branch_links
    Py_ssize_t branch_is_block
    Py_ssize_t good_in_level, good_share_of_level, chars_in_level, links_in_level, linked_headings_in_level
    Py_ssize_t blocks_in_level, place_in_level
    Py_ssize_t level_count
    Py_ssize_t good_of_siblings, good_share_of_siblings, siblings
    Py_ssize_t siblings_count, siblings_step
    Py_ssize_t depth
    Py_ssize_t path_blocks, path_good, path_mean_chars, path_good_share, path_links, path_repeated_at_level
    Py_ssize_t path_count, path_step
    Py_ssize_t hint_count, own_tag_count, tag_count
    Py_ssize_t hidden
    Py_ssize_t feature_count


# The mask of each family of flags, and how many there are.
cdef struct StructureMasks:
    Py_ssize_t named_hint, near_hint, under_hint, within_hint
    Py_ssize_t is_own_tag, in_tag, under_tag
    Py_ssize_t mask_count


# What a container holds.
cdef struct Held:
    float good, good_share, chars, links, linked_headings, blocks


# What blocks of one parent, grandparent, path or class path have together.
cdef struct Group:
    int64_t blocks
    double good, chars, links


cdef struct Scratch:
    Held* held  # by container
    int64_t* repeated  # by kind of path and container
    Group* groups  # by kind of group and container
    int64_t* keys  # by kind of group and block
    int64_t* box  # the innermost containers of one block


cdef class StructureFeatures:
    """Fills the rows that it is given names for; ``around_bits`` are those of tags, above those of hints."""

    cdef StructureRows at
    cdef StructureMasks mask
    cdef Sums sum
    cdef Py_ssize_t deepest, near, main
    cdef Ints own_bits, around_bits
    cdef Logarithms logarithms

    def __init__(
        self,
        dict places not None,
        dict masks not None,
        *,
        dict sums not None,
        Py_ssize_t deepest,
        Py_ssize_t near,
        Py_ssize_t main,
        Ints own_bits not None,
        Ints around_bits not None,
        Logarithms logarithms not None,
    ):
        self.at, self.mask, self.sum = places, masks, sums
        check_names(places, self.at)
        check_masks(masks, self.mask)
        self.deepest, self.near, self.main = deepest, near, main
        self.own_bits, self.around_bits, self.logarithms = own_bits, around_bits, logarithms
        if self.at.siblings_count != SIBLINGS or self.at.path_count != GROUPS - SIBLINGS:
            raise ValueError("blocks are grouped by two kinds of parents and two kinds of paths")
        if not 3 <= self.at.level_count <= deepest or not 0 <= main < self.at.main_count:
            raise ValueError("too few levels or main containers")
        if self.at.hint_count + self.at.tag_count > 63 or self.at.own_tag_count > 63:
            raise ValueError("more hints and tags than bits")
        if own_bits.shape[0] != around_bits.shape[0]:
            raise ValueError("a tag has no bit")

    def fill(self, Rows rows not None, Masks masks not None, object facts):
        layout = facts.layout
        cdef Py_ssize_t size = rows.shape[1], containers = len(layout.parent), sums = len(<dict>self.sum)
        check_layout(layout, size)
        check_facts(facts, size, self.at.feature_count, rows.shape[0])
        if masks.shape[0] != self.mask.mask_count or masks.shape[1] != size:
            raise ValueError("masks and features differ in size")
        if facts.sums.shape != (sums, size + 1) or facts.held.shape != (sums, containers):
            raise ValueError("facts and features differ in size")
        if len(facts.mains) != self.at.main_count:
            raise ValueError("facts and features differ in size")
        self.check_tags(layout.tag)
        cdef Scratch scratch
        scratch.held = <Held*>calloc(containers, sizeof(Held))
        scratch.repeated = <int64_t*>calloc(2 * containers, sizeof(int64_t))
        scratch.groups = <Group*>calloc(GROUPS * containers, sizeof(Group))
        scratch.keys = <int64_t*>calloc(GROUPS * size + 1, sizeof(int64_t))
        scratch.box = <int64_t*>calloc(self.at.level_count, sizeof(int64_t))
        try:
            if (
                scratch.held == NULL or scratch.repeated == NULL or scratch.groups == NULL or scratch.keys == NULL
                or scratch.box == NULL
            ):
                raise MemoryError
            self.fill_main_containers(rows, facts)
            self.measure(facts, scratch)
            self.fill_chains(rows, masks, facts, scratch)
            self.fill_groups(rows, facts, scratch)
        finally:
            free(scratch.held)
            free(scratch.repeated)
            free(scratch.groups)
            free(scratch.keys)
            free(scratch.box)

    cdef int check_tags(self, Ints tag) except -1:
        cdef Py_ssize_t c
        for c in range(tag.shape[0]):
            if not 0 <= tag[c] < self.own_bits.shape[0]:
                raise ValueError("a layout refers to a tag that has no bit")
        return 0

    cdef int fill_main_containers(self, Rows rows, object facts) except -1:
        cdef Ints mains = facts.mains, wanted = facts.wanted, block_depth = facts.depth, depth = facts.layout.depth
        cdef Ints first = facts.layout.first_block, end = facts.layout.end_block
        cdef Table sums = facts.sums, held = facts.held
        cdef Logarithms logarithms = self.logarithms
        cdef StructureRows at = self.at
        cdef Sums sum = self.sum
        cdef double total = facts.total_good, length
        cdef float place, before
        cdef int64_t main, since, beyond
        cdef Py_ssize_t column, i, k
        for k in range(at.main_count):
            main = mains[k]
            length = at_least_one(end[main] - first[main])
            for column in range(wanted.shape[0]):
                i = wanted[column]
                since, beyond = i - first[main], i - end[main] + 1
                if since >= 0 and beyond <= 0:
                    rows[at.in_main + k, i] = 1.0
                    rows[at.depth_below_main + k, i] = <float>(block_depth[i] - depth[main])
                else:
                    rows[at.in_main + k, i] = 0.0
                    rows[at.depth_below_main + k, i] = -3.0
                place = <float>(since / length)
                place = <float>-0.5 if place < <float>-0.5 else <float>1.5 if place > <float>1.5 else place
                rows[at.place_in_main + k, i] = place
                before = <float>((sums[sum.good, i] - sums[sum.good, first[main]]) / total)
                before = <float>-0.2 if before < <float>-0.2 else <float>1.2 if before > <float>1.2 else before
                rows[at.good_before_in_main + k, i] = before
                rows[at.blocks_past_main + k, i] = (
                    count_logarithm(beyond if beyond > 0 else 0, logarithms)
                    - count_logarithm(-since if since < 0 else 0, logarithms)
                )
            fill_row(rows, at.good_share_of_main + k, <float>(held[sum.good, main] / total))
            fill_row(rows, at.links_in_main + k, <float>(held[sum.links, main] / at_least_one(held[sum.chars, main])))
        return 0

    cdef int measure(self, object facts, Scratch scratch) except -1:
        """What each container holds, and how often its paths occur."""
        cdef Ints first = facts.layout.first_block, end = facts.layout.end_block
        cdef Ints path = facts.layout.path, class_path = facts.layout.class_path
        cdef Table held = facts.held
        cdef Logarithms logarithms = self.logarithms
        cdef Sums sum = self.sum
        cdef double total = facts.total_good
        cdef Py_ssize_t containers = path.shape[0], c
        cdef Held* one
        for c in range(containers):
            one = scratch.held + c
            one.good = logarithm(held[sum.good, c])
            one.good_share = <float>(held[sum.good, c] / total)
            one.chars = logarithm(held[sum.chars, c])
            one.links = <float>(held[sum.links, c] / at_least_one(held[sum.chars, c]))
            one.linked_headings = count_logarithm(<int64_t>held[sum.linked_headings, c], logarithms)
            one.blocks = count_logarithm(end[c] - first[c], logarithms)
            scratch.repeated[path[c]] += 1
            scratch.repeated[containers + class_path[c]] += 1
        return 0

    cdef int fill_chains(self, Rows rows, Masks masks, object facts, Scratch scratch) except -1:
        """What the chain of containers around each block tells: levels, the branch of the main container, names."""
        layout = facts.layout
        cdef Ints container = layout.container, parent = layout.parent, tag = layout.tag, hints = layout.hints
        cdef Ints hidden = layout.hidden, first = layout.first_block, end = layout.end_block, depth = facts.depth
        cdef Ints path = layout.path, class_path = layout.class_path
        cdef Ints own_bits = self.own_bits, around_bits = self.around_bits, wanted = facts.wanted
        cdef Logarithms logarithms = self.logarithms
        cdef StructureRows at = self.at
        cdef StructureMasks mask = self.mask
        cdef Py_ssize_t main = facts.mains[self.main], deepest = self.deepest, closest = self.near
        cdef int64_t main_first = first[main], main_end = end[main]
        cdef Py_ssize_t containers = parent.shape[0], place, i, c, level, branch, inner
        cdef int64_t sign, near, under, within, only_hints = (<int64_t>1 << at.hint_count) - 1
        cdef Held* one
        for place in range(wanted.shape[0]):
            i = wanted[place]
            c = branch = container[i]
            near = under = within = 0
            for level in range(at.level_count):
                scratch.box[level] = 0
            for level in range(deepest):
                sign = hints[c] | around_bits[tag[c]]
                within |= sign
                if level < closest:
                    near |= sign
                if level < at.level_count:
                    scratch.box[level] = c
                if first[c] > main_first or end[c] < main_end:
                    under |= sign
                    branch = c
                if c == 0:
                    break
                c = parent[c]
            c = container[i]
            one = scratch.held + branch
            rows[at.branch_good, i] = one.good
            rows[at.branch_chars, i] = one.chars
            rows[at.branch_blocks, i] = one.blocks
            rows[at.branch_linked_headings, i] = one.linked_headings
            rows[at.branch_good_share, i] = one.good_share
            rows[at.branch_links, i] = one.links
            rows[at.branch_is_block, i] = branch == c
            for level in range(at.level_count):
                inner = scratch.box[level]
                one = scratch.held + inner
                rows[at.good_in_level + level, i] = one.good
                rows[at.good_share_of_level + level, i] = one.good_share
                rows[at.chars_in_level + level, i] = one.chars
                rows[at.links_in_level + level, i] = one.links
                rows[at.linked_headings_in_level + level, i] = one.linked_headings
                rows[at.blocks_in_level + level, i] = one.blocks
                rows[at.place_in_level + level, i] = <float>(
                    (i - first[inner]) / at_least_one(end[inner] - first[inner])
                )
                rows[at.path_repeated_at_level + level, i] = count_logarithm(
                    scratch.repeated[path[inner]], logarithms
                )
                rows[at.path_repeated_at_level + at.path_step + level, i] = count_logarithm(
                    scratch.repeated[containers + class_path[inner]], logarithms
                )
            rows[at.depth, i] = <float>depth[i]
            masks[mask.named_hint, i] = hints[c] & only_hints
            masks[mask.near_hint, i] = near & only_hints
            masks[mask.under_hint, i] = under & only_hints
            masks[mask.within_hint, i] = within & only_hints
            masks[mask.is_own_tag, i] = own_bits[tag[c]]
            masks[mask.in_tag, i] = within >> at.hint_count
            masks[mask.under_tag, i] = under >> at.hint_count
            rows[at.hidden, i] = hidden[c] > 0
        return 0

    cdef int fill_groups(self, Rows rows, object facts, Scratch scratch) except -1:
        """What blocks with the same parent, grandparent, path or class path have together."""
        cdef Floats good = facts.good, chars = facts.chars
        cdef Ints link_chars = facts.layout.link_chars, container = facts.layout.container, wanted = facts.wanted
        cdef Ints parent = facts.layout.parent, path = facts.layout.path, class_path = facts.layout.class_path
        cdef Logarithms logarithms = self.logarithms
        cdef StructureRows at = self.at
        cdef double total = facts.total_good
        cdef Py_ssize_t size = rows.shape[1], containers = parent.shape[0], place, i, kind, turn
        cdef Group* group
        for i in range(size):
            scratch.keys[i] = parent[container[i]]
            scratch.keys[size + i] = containers + parent[scratch.keys[i]]
            scratch.keys[2 * size + i] = 2 * containers + path[container[i]]
            scratch.keys[3 * size + i] = 3 * containers + class_path[container[i]]
            for kind in range(GROUPS):
                group = scratch.groups + scratch.keys[kind * size + i]
                group.blocks += 1
                group.good += good[i]
                group.chars += chars[i]
                group.links += <double>link_chars[i]
        for kind in range(GROUPS):
            turn = kind * at.siblings_step if kind < SIBLINGS else (kind - SIBLINGS) * at.path_step
            for place in range(wanted.shape[0]):
                i = wanted[place]
                group = scratch.groups + scratch.keys[kind * size + i]
                if kind < SIBLINGS:
                    rows[turn + at.good_of_siblings, i] = logarithm(group.good)
                    rows[turn + at.good_share_of_siblings, i] = <float>(group.good / total)
                    rows[turn + at.siblings, i] = count_logarithm(group.blocks, logarithms)
                else:
                    rows[turn + at.path_blocks, i] = count_logarithm(group.blocks, logarithms)
                    rows[turn + at.path_good, i] = logarithm(group.good)
                    rows[turn + at.path_mean_chars, i] = logarithm(group.chars / <double>group.blocks)
                    rows[turn + at.path_good_share, i] = <float>(group.good / total)
                    rows[turn + at.path_links, i] = <float>(group.links / at_least_one(group.chars))
        return 0
