"""Bradley-Terry models against Agresti, Davidson, BradleyTerry2, PlackettLuce, choix and statsmodels."""

import choix
import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from quorate.errors import DataError
from quorate.statistics import bradley_terry

# Agresti (2002), Categorical Data Analysis, table 10.10: 1987 American League East, wins of row over column.
TEAMS = ["Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"]
WINS = [
    [0, 7, 9, 7, 7, 9, 11],
    [6, 0, 7, 5, 11, 9, 9],
    [4, 6, 0, 7, 7, 8, 12],
    [6, 8, 6, 0, 6, 7, 10],
    [6, 2, 6, 7, 0, 7, 12],
    [4, 4, 5, 6, 6, 0, 6],
    [2, 4, 1, 3, 1, 7, 0],
]
# Table 10.11: the same games by home team (rows), as home wins-away wins against the other six in order.
AT_HOME = """4-3 4-2 4-3 6-1 4-2 6-0
3-3 4-2 4-3 6-0 6-1 4-3
2-5 4-3 2-4 4-3 4-2 6-0
3-3 5-1 2-5 4-3 4-2 6-1
5-1 2-5 3-3 4-2 5-2 6-0
2-5 3-3 3-4 4-3 4-2 2-4
2-5 1-5 1-6 2-4 1-6 3-4"""
# Davidson (1970), example 2: six chocolate puddings, rows (first, second, wins of first, wins of second, ties).
PUDDINGS = [
    (1, 2, 19, 22, 16), (1, 3, 16, 19, 12), (2, 3, 19, 19, 10), (1, 4, 18, 23, 13), (2, 4, 23, 19, 9),
    (3, 4, 19, 20, 15), (1, 5, 13, 19, 18), (2, 5, 16, 20, 12), (3, 5, 16, 15, 17), (4, 5, 17, 14, 16),
    (1, 6, 18, 21, 12), (2, 6, 22, 20, 12), (3, 6, 13, 18, 10), (4, 6, 14, 19, 18), (5, 6, 11, 21, 12),
]  # fmt: skip


def pudding_rows():
    kinds = ("first", "second", "tie")
    return [(a, b, kind, n) for a, b, *counts in PUDDINGS for kind, n in zip(kinds, counts, strict=True)]


def home_rows():
    rows = []
    for home, line in zip(TEAMS, AT_HOME.splitlines(), strict=True):
        others = [team for team in TEAMS if team != home]
        for away, cell in zip(others, line.split(), strict=True):
            won, lost = map(int, cell.split("-"))
            rows += [(home, away, "first", won), (home, away, "second", lost)]
    return rows


def values(found):
    return {name: e.value for name, e in found.strengths.items()}


def test_baseball_gives_agrestis_strengths_and_standard_errors():
    found = bradley_terry(WINS, names=TEAMS, reference="Baltimore")
    printed = [1.581, 1.436, 1.294, 1.248, 1.108, 0.684, 0.0]
    assert list(values(found).values()) == pytest.approx(printed, abs=5e-4)
    ses = [found.strengths[team].se for team in TEAMS[:-1]]
    assert ses == pytest.approx([0.3433, 0.3396, 0.3367, 0.3359, 0.3339, 0.3319], abs=5e-5)


def test_baseball_with_home_advantage_gives_agrestis_0302():
    found = bradley_terry(home_rows(), order_effect=True, reference="Baltimore")
    assert found.order_effect.value == pytest.approx(0.302, abs=5e-4)
    assert found.order_effect.se == pytest.approx(0.131, abs=5e-4)
    assert found.strengths["Milwaukee"].value == pytest.approx(1.620, abs=5e-4)


def test_davidsons_puddings_give_his_worths_and_tie_parameter():
    found = bradley_terry(pudding_rows())
    printed = [0.1388005, 0.1729985, 0.1617420, 0.1653930, 0.1586805, 0.2023855]
    assert list(found.worth.values()) == pytest.approx(printed, abs=5e-5)
    assert found.tie_parameter.value == pytest.approx(0.7468147, abs=2e-4)
    assert found.tie_parameter.se / found.tie_parameter.value == pytest.approx(0.0825, abs=5e-5)


def test_puddings_relative_to_the_first_have_the_standard_errors_of_plackettluce():
    found = bradley_terry(pudding_rows(), reference=1)
    ses = [found.strengths[brand].se for brand in range(2, 7)]
    assert ses == pytest.approx([0.1872, 0.1935, 0.1882, 0.1927, 0.1924], abs=1e-4)


def test_the_toy_rankings_of_plackettluce():
    found = bradley_terry([("A", "B"), ("C", "A"), ("B", "A"), ("B", "C")], reference="A")
    assert values(found) == pytest.approx({"A": 0, "B": 0.8392, "C": 0.4196}, abs=5e-5)
    assert found.strengths["B"].se == pytest.approx(1.3596, abs=5e-5)
    assert found.strengths["C"].se == pytest.approx(1.5973, abs=5e-5)
    assert -2 * found.log_likelihood == pytest.approx(5.1356, abs=5e-5)


def test_two_players_have_the_log_odds_of_their_record():
    found = bradley_terry([("a", "b")] * 15 + [("b", "a")] * 5, reference="b")
    assert found.strengths["a"].value == pytest.approx(np.log(3))
    assert found.strengths["a"].se == pytest.approx(np.sqrt(1 / 15 + 1 / 5))
    assert found.probability("a", "b").value == pytest.approx(0.75)


def negative_log_likelihood(theta, rows, model, m):
    """Written from the papers' probabilities, with no code shared with the room."""
    pi, extra, total = np.exp(np.append(theta[: m - 1], 0.0)), np.exp(theta[m - 1]), 0.0
    for a, b, *counts in rows:
        x, y = pi[a - 1], pi[b - 1]
        if model == "davidson":
            tie = extra * np.sqrt(x * y)
            chances = np.array([x, y, tie]) / (x + y + tie)
        else:
            theta_rk = 1 + extra
            win, lose = x / (x + theta_rk * y), y / (y + theta_rk * x)
            chances = np.array([win, lose, 1 - win - lose])
        total -= counts @ np.log(chances)
    return total


@pytest.mark.parametrize("model", ["davidson", "rao-kupper"])
def test_tie_models_reach_the_maximum_of_the_papers_likelihood(model):
    found = bradley_terry(pudding_rows(), ties=model, reference=6)
    best = optimize.minimize(negative_log_likelihood, np.zeros(6), (PUDDINGS, model, 6), method="BFGS", tol=1e-9)
    assert found.log_likelihood == pytest.approx(-best.fun, abs=1e-6)
    assert [found.strengths[b].value for b in range(1, 6)] == pytest.approx(best.x[:5], abs=1e-4)
    parameter = np.exp(best.x[5]) + (model == "rao-kupper")
    assert found.tie_parameter.value == pytest.approx(parameter, abs=1e-4)


def test_information_standard_errors_equal_the_curvature_of_the_likelihood():
    found = bradley_terry(pudding_rows(), ties="rao-kupper", reference=6)
    theta = np.append([found.strengths[b].value for b in range(1, 6)], np.log(found.tie_parameter.value - 1))
    step, n = 1e-4, 6
    hessian = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            f = [
                negative_log_likelihood(theta + step * (a * np.eye(n)[i] + b * np.eye(n)[j]), PUDDINGS, "rao-kupper", 6)
                for a, b in ((1, 1), (1, -1), (-1, 1), (-1, -1))
            ]
            hessian[i, j] = (f[0] - f[1] - f[2] + f[3]) / (4 * step**2)
    ses = np.sqrt(np.diag(np.linalg.inv(hessian)))
    assert [found.strengths[b].se for b in range(1, 6)] == pytest.approx(ses[:5], rel=1e-4)


def connected(seed, m):
    rng = np.random.default_rng(seed)
    pairs = [tuple(map(int, rng.permutation(m)[:2])) for _ in range(20 * m)]
    return pairs + [(i, (i + 1) % m) for i in range(m)]


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32), st.integers(3, 7))
def test_strengths_equal_choix(seed, m):
    pairs = connected(seed, m)
    theirs = choix.opt_pairwise(m, pairs)
    ours = values(bradley_terry(pairs, interval=None))
    assert [ours[i] for i in range(m)] == pytest.approx(theirs - theirs.mean(), abs=1e-4)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32))
def test_standard_errors_equal_a_logistic_regression(seed):
    pairs = connected(seed, 5)
    design = np.zeros((len(pairs), 5))
    for row, (winner, loser) in enumerate(pairs):
        design[row, winner], design[row, loser] = 1, -1
    # A logistic regression needs both outcomes: turn every other comparison round.
    flip = np.where(np.arange(len(pairs)) % 2, 1, -1)
    glm = sm.GLM((flip > 0).astype(float), (design * flip[:, None])[:, 1:], family=sm.families.Binomial()).fit()
    found = bradley_terry(pairs, reference=0)
    assert [found.strengths[i].value for i in range(1, 5)] == pytest.approx(glm.params, abs=1e-6)
    assert [found.strengths[i].se for i in range(1, 5)] == pytest.approx(glm.bse, rel=1e-5)


def test_davidson_without_ties_is_the_plain_model():
    plain, tied = bradley_terry(WINS, names=TEAMS, ties="none"), bradley_terry(WINS, names=TEAMS, ties="davidson")
    assert values(plain) == values(tied)
    assert tied.tie_parameter is None


@pytest.mark.parametrize("ties", ["davidson", "rao-kupper", "half", "drop"])
def test_the_order_of_rows_and_the_side_written_first_do_not_matter(ties):
    rows = pudding_rows()
    turned = [(b, a, {"first": "second", "second": "first", "tie": "tie"}[o], n) for a, b, o, n in reversed(rows)]
    one, two = bradley_terry(rows, ties=ties, reference=6), bradley_terry(turned, ties=ties, reference=6)
    assert values(one) == pytest.approx({name: values(two)[name] for name in values(one)}, abs=1e-8)


def test_outcomes_may_name_the_winner():
    by_name = [(a, b, {"first": a, "second": b, "tie": "tie"}[o], n) for a, b, o, n in pudding_rows()]
    assert values(bradley_terry(by_name)) == pytest.approx(values(bradley_terry(pudding_rows())))


def test_a_table_with_ties_equals_the_rows():
    wins, tied = np.zeros((6, 6)), np.zeros((6, 6))
    for a, b, w, lost, t in PUDDINGS:
        wins[a - 1, b - 1], wins[b - 1, a - 1], tied[a - 1, b - 1] = w, lost, t
    assert values(bradley_terry(wins, tied=tied)) == pytest.approx(values(bradley_terry(pudding_rows())), abs=1e-8)


def test_the_cluster_bootstrap_of_single_comparisons_agrees_with_the_information_matrix():
    rows = [(a, b, o) for a, b, o, n in pudding_rows() for _ in range(n)]
    information = bradley_terry(rows, reference=6)
    resampled = bradley_terry(rows, reference=6, clusters=range(len(rows)), seed=2)
    for brand in range(1, 6):
        assert resampled.strengths[brand].se == pytest.approx(information.strengths[brand].se, rel=0.1)


def test_copies_within_clusters_widen_the_interval():
    rows = [(a, b, o) for a, b, o, n in pudding_rows() for _ in range(n)]
    copies = [row for row in rows for _ in range(3)]
    groups = np.repeat(np.arange(len(rows)), 3)
    clustered = bradley_terry(copies, reference=6, clusters=groups, replicates=500)
    naive = bradley_terry(copies, reference=6)
    assert clustered.strengths[1].se > 1.5 * naive.strengths[1].se


def test_the_same_seed_gives_the_same_intervals():
    rows = home_rows()
    one, two = (bradley_terry(rows, interval="bootstrap", seed=5, replicates=300) for _ in range(2))
    assert one.strengths == two.strengths


def test_ranks_put_the_clear_winner_first_and_leave_the_rest_open():
    found = bradley_terry(WINS, names=TEAMS)
    assert found.ranks["Baltimore"].value == 7
    assert found.ranks["Milwaukee"].value == 1
    assert found.ranks["Milwaukee"].high >= 4
    assert found.ranks["Baltimore"].low >= 5


def test_groups_that_never_met_are_named():
    found = bradley_terry([("a", "b"), ("b", "a"), ("c", "d"), ("d", "c")])
    assert found.strengths["a"].value is None
    assert "never met" in str(found.note)
    assert found.worth["a"] is None
    assert found.difference("a", "c").value is None


def test_an_unbeaten_one_is_named():
    found = bradley_terry([("a", "b"), ("b", "c"), ("c", "b"), ("a", "c")])
    assert all(e.value is None for e in found.strengths.values())
    assert "beat or tied “a”," in str(found.note)


def test_a_tie_connects_where_a_win_alone_would_not():
    rows = [("a", "b", "win"), ("a", "b", "win"), ("a", "b", "tie"), ("b", "c", "win"), ("b", "c", "loss")]
    assert bradley_terry(rows).strengths["a"].value > 0
    assert bradley_terry([row for row in rows if row[2] != "tie"]).strengths["a"].value is None


def test_wins_and_ties_without_a_loss_leave_two_players_unbounded():
    found = bradley_terry([("a", "b", "win")] * 3 + [("a", "b", "tie")])
    assert found.strengths["a"].value is None
    assert "finite" in str(found.note)


def test_results_become_a_dict_and_text():
    found = bradley_terry(pudding_rows())
    assert found.as_dict()["tie_parameter"]["value"] == pytest.approx(0.7468, abs=1e-3)
    assert "log-strengths relative to the mean" in str(found)
    assert "<table>" in found._repr_html_()


@pytest.mark.parametrize(
    "call",
    [
        lambda: bradley_terry([]),
        lambda: bradley_terry([("a", "a")]),
        lambda: bradley_terry([("a", "b", "c")]),
        lambda: bradley_terry([("a", "b", "win", -1)]),
        lambda: bradley_terry([("a", "b"), ("b", "a")], order_effect=True),
        lambda: bradley_terry([("a", "b"), ("b", "a")], reference="z"),
        lambda: bradley_terry([("a", "b", "tie"), ("b", "a", "win")], ties="none"),
        lambda: bradley_terry([("a", "b")], ties="elo"),
        lambda: bradley_terry([("a", "b"), ("b", "a")], clusters=["x"]),
        lambda: bradley_terry([(2, 1, 1), (1, 2, 1)]),
        lambda: bradley_terry({"first": ["a"], "outcome": ["win"]}),
    ],
)
def test_bad_input_is_a_sentence(call):
    with pytest.raises(DataError):
        call()


def test_citations_between_journals_give_what_bradleyterry2_prints():
    # Stigler (1994), Turner and Firth (2012): row is cited by column; the diagonal (self-citation) says nothing.
    cited = [[714, 730, 498, 221], [33, 425, 68, 17], [320, 813, 1072, 142], [284, 276, 325, 188]]
    found = bradley_terry(cited, names=["Biometrika", "CommStat", "JASA", "JRSSB"], reference="Biometrika")
    assert list(values(found).values())[1:] == pytest.approx([-2.94907, -0.47957, 0.26895], abs=5e-6)
    assert [found.strengths[j].se for j in found.names[1:]] == pytest.approx([0.10255, 0.06059, 0.07083], abs=5e-6)
