"""Wins, ties and losses: definitions, exact tests, clusters."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, special, stats
from statsmodels.stats.proportion import proportion_confint

from quorate.errors import DataError
from quorate.statistics import paired_difference, position_bias, sign_test, win_tie_loss


def test_net_gain_and_its_standard_error_by_hand():
    found = win_tie_loss(wins=60, ties=10, losses=30)
    assert found.net_gain.value == pytest.approx(0.30)
    assert found.net_gain.se == pytest.approx(np.sqrt((0.9 - 0.09) / 100))


@pytest.mark.parametrize(
    ("rule", "success", "gain"), [("denominator", 0.6, 0.3), ("half", 0.65, 0.3), ("drop", 60 / 90, 30 / 90)]
)
def test_each_tie_rule_counts_ties_as_it_says(rule, success, gain):
    found = win_tie_loss(wins=60, ties=10, losses=30, tie_rule=rule)
    assert found.success_rate.value == pytest.approx(success)
    assert found.net_gain.value == pytest.approx(gain)
    assert found.tie_rate.value == pytest.approx(0.1)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60))
def test_counts_and_single_outcomes_give_the_same(wins, ties, losses):
    outcomes = ["win"] * wins + ["tie"] * ties + ["loss"] * losses
    counted, listed = win_tie_loss(wins=wins, ties=ties, losses=losses), win_tie_loss(outcomes)
    assert counted == listed
    n = wins + ties + losses
    if n:
        low, high = proportion_confint(wins, n, method="wilson")
        assert (counted.success_rate.low, counted.success_rate.high) == pytest.approx((low, high), abs=1e-9)
        signs = np.repeat([1, 0, -1], [wins, ties, losses])
        assert counted.net_gain.se == pytest.approx(signs.std() / np.sqrt(n), abs=1e-12)


def test_words_of_the_five_point_scale_are_wins_ties_and_losses():
    found = win_tie_loss(["Much better", "better", "about the same", "worse", "much worse", 2, -1, 0, None])
    assert (found.wins, found.ties, found.losses) == (3, 2, 3)
    assert found.net_gain.left_out == {"comparisons without an answer": 1}


def test_raters_of_one_item_are_one_cluster():
    one_each = win_tie_loss([1] * 12 + [-1] * 8)
    copied = win_tie_loss([[1] * 3] * 12 + [[-1] * 3] * 8)
    assert copied.net_gain.value == pytest.approx(one_each.net_gain.value)
    assert copied.net_gain.se == pytest.approx(one_each.net_gain.se * np.sqrt(20 / 19))
    assert copied.net_gain.n_items == 20
    assert copied.net_gain.n_ratings == 60


def test_long_outcomes_with_clusters_equal_the_table():
    table = [[1, 1, None], [0, -1, 1], [1, None, 1], [-1, -1, 0]]
    flat = [v for row in table for v in row]
    groups = [i for i, row in enumerate(table) for _ in row]
    assert win_tie_loss(table).net_gain == win_tie_loss(flat, clusters=groups).net_gain


def test_swapping_sides_turns_the_gain_round():
    table = [[1, 1, 0], [0, -1, 1], [1, 1, 1], [-1, -1, 0]]
    gain, back = win_tie_loss(table).net_gain, win_tie_loss(-np.array(table)).net_gain
    assert (back.value, back.low) == pytest.approx((-gain.value, -gain.high))


# Fagerland, Lydersen and Laake (2014), Statistics in Medicine 33, table 2: 21 children before and after a transplant.
def test_the_interval_of_the_net_gain_is_tangos():
    found = win_tie_loss(wins=1, ties=13, losses=7).net_gain
    assert (found.low, found.high) == pytest.approx((-0.517, -0.026), abs=5e-4)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 40))
def test_where_tangos_interval_ends_his_test_rejects(wins, ties, losses):
    n = wins + ties + losses
    if not n:
        return
    found = win_tie_loss(wins=wins, ties=ties, losses=losses).net_gain
    for end in (found.low, found.high):
        if abs(end) == 1:
            continue

        def unlikely(lost, end=end):
            won = lost + end
            return -float(np.sum(special.xlogy([wins, ties, losses], [won, max(1 - won - lost, 0.0), lost])))

        least = optimize.minimize_scalar(
            unlikely, bounds=(max(0.0, -end), (1 - end) / 2), method="bounded", options={"xatol": 1e-12}
        ).x
        error = np.sqrt((2 * least + end - end**2) / n)
        assert abs(wins / n - losses / n - end) / error == pytest.approx(1.959964, abs=1e-3)
    assert (found.p < 0.05) == (found.low > 0 or found.high < 0)


@pytest.mark.parametrize("n", [10, 20, 50])
@pytest.mark.parametrize(("won", "lost"), [(0.5, 0.3), (0.9, 0.05), (0.98, 0.0), (0.2, 0.2)])
def test_the_interval_of_the_net_gain_covers_what_it_says(n, won, lost):
    covered = 0.0
    for wins in range(n + 1):
        for losses in range(n + 1 - wins):
            found = win_tie_loss(wins=wins, ties=n - wins - losses, losses=losses).net_gain
            if found.low - 1e-9 <= won - lost <= found.high + 1e-9:
                covered += stats.multinomial.pmf([wins, losses, n - wins - losses], n, [won, lost, 1 - won - lost])
    # The lowest is where no loss is possible: then single counts weigh much, as with any interval of a share.
    assert 0.92 <= covered <= 0.999


def test_nothing_but_wins_leaves_room_for_a_loss():
    found = win_tie_loss([1, 1, 1])
    assert found.net_gain.value == 1.0
    assert -1 < found.net_gain.low < 1 == found.net_gain.high
    assert found.success_rate.low == pytest.approx(0.4385, abs=1e-4)
    of_items = win_tie_loss([[1, 1, 1]] * 3).net_gain
    assert of_items.low < found.net_gain.low
    assert "each counts as one comparison" in str(of_items.note)


def test_no_comparisons_are_undefined():
    found = win_tie_loss([None, None])
    assert found.success_rate.value is None
    assert found.net_gain.value is None


# Darwin (1876), Fisher (1935): height differences of 15 pairs of maize, eighths of an inch.
MAIZE = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]


def test_the_sign_test_of_darwins_maize():
    found = sign_test(MAIZE)
    assert found.value == pytest.approx(13 / 15)
    assert found.p == pytest.approx(0.0073852, abs=1e-7)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 80), st.integers(0, 80), st.sampled_from(["two-sided", "greater", "less"]))
def test_the_sign_test_is_the_binomial_test(wins, losses, side):
    if wins + losses == 0:
        assert sign_test(wins, losses).value is None
        return
    exact = stats.binomtest(wins, wins + losses, alternative=side)
    assert sign_test(wins, losses, alternative=side).p == pytest.approx(exact.pvalue, abs=1e-12)


def test_paired_scores_differences_and_counts_are_the_same_sign_test():
    x, y = [3, 4, 5, 2, 4, 4], [2, 4, 3, 3, 1, 2]
    assert sign_test(x, y).p == sign_test(np.subtract(x, y)).p == sign_test(4, 1).p
    assert sign_test(x, y).left_out == {"ties": 1}


def test_the_sign_test_of_a_table_takes_one_sign_an_item():
    found = sign_test([[1, 1, -1], [1, -1, 0], [-1, -1, -1], [1, 1, 1]])
    assert (found.value, found.n_items, found.left_out) == (pytest.approx(2 / 3), 3, {"ties": 1})


def test_the_sign_test_of_clusters_leaves_out_those_that_come_out_even():
    found = sign_test([1, -1, 1, 1, -1, 1, 0], clusters=[*"aabbccd"])
    assert (found.value, found.n_items) == (1.0, 1)
    assert {str(why): n for why, n in found.left_out.items()} == {"clusters that come out even": 3}


def test_a_difference_of_paired_shares_has_the_published_interval_and_test():
    # Fagerland, Lydersen and Laake (2014), Statistics in Medicine 33: 1, 1, 7 and 12 of 21 pairs; Tango's interval of
    # p1 - p2 is -0.517 to -0.026 and McNemar's asymptotic p is .034.
    before, after = [1] * 2 + [0] * 19, [1, 0] + [1] * 7 + [0] * 12
    found = paired_difference(before, after)
    assert (round(found.low, 3), round(found.high, 3), round(found.p, 3)) == (-0.517, -0.026, 0.034)
    assert paired_difference([None, 1], [1, None]).value is None
    with pytest.raises(DataError, match="1 for right"):
        paired_difference([2], [1])


def test_position_bias_is_a_binomial_test_on_decided_choices():
    found = position_bias(["left"] * 14 + ["right"] * 6 + ["tie"] * 5).first_chosen
    assert found.value == pytest.approx(0.7)
    assert found.p == pytest.approx(stats.binomtest(14, 20).pvalue)
    assert found.left_out == {"ties": 5}


def test_a_judge_who_always_takes_the_first_is_never_consistent():
    found = position_bias(["first"] * 10, ["first"] * 10)
    assert found.consistent.value == 0
    assert found.followed_position.value == 1


def test_a_judge_who_names_the_same_system_both_ways_is_consistent():
    found = position_bias(["first", "second", "tie"], ["second", "first", "tie"])
    assert found.consistent.value == 1
    assert found.followed_position.value is None


@pytest.mark.parametrize(
    "call",
    [
        lambda: win_tie_loss(["wim"]),
        lambda: win_tie_loss(),
        lambda: win_tie_loss([1], wins=1, losses=1),
        lambda: win_tie_loss([1, 0], clusters=["a"]),
        lambda: win_tie_loss([1, 0], tie_rule="ignore"),
        lambda: win_tie_loss(wins=-1, losses=2),
        lambda: sign_test([1, 2], [1]),
        lambda: sign_test(3, 4, alternative="up"),
        lambda: position_bias(["first"], ["first", "second"]),
    ],
)
def test_bad_input_is_a_sentence(call):
    with pytest.raises(DataError):
        call()
