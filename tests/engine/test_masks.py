"""Sets of variables as bit masks."""

from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine.masks import apart, most_common_bit, union, variables_in
from tests.engine.strategies import mask_sets


@given(st.sets(st.integers(1, 1000)))
def test_the_variables_of_a_mask_come_in_increasing_order(variables):
    assert variables_in(sum(1 << (variable - 1) for variable in variables)) == sorted(variables)


@given(mask_sets())
def test_the_union_has_the_variables_in_any_of_the_masks(masks):
    assert variables_in(union(masks)) == sorted({v for mask in masks for v in variables_in(mask)})


@given(mask_sets())
def test_every_mask_is_in_exactly_one_group(masks):
    assert sorted(position for group in apart(masks) for position in group) == list(range(len(masks)))


@given(mask_sets(n=12))
def test_no_two_groups_share_a_variable(masks):
    unions = [union(masks[position] for position in group) for group in apart(masks)]
    assert sum(mask.bit_count() for mask in unions) == union(masks).bit_count()


@given(mask_sets(n=12, max_size=6))
def test_no_group_could_be_split_further(masks):
    for group in apart(masks):
        reached = masks[group[0]]
        for _ in group:
            reached = union(masks[position] for position in group if masks[position] & reached)
        assert reached == union(masks[position] for position in group)


@given(mask_sets(n=4))
def test_the_most_common_variable_is_the_lowest_of_those_in_most_masks(masks):
    counts = {bit: sum(mask & bit != 0 for mask in masks) for bit in (1, 2, 4, 8)}
    assert most_common_bit(masks) == min(bit for bit in counts if counts[bit] == max(counts.values()))
