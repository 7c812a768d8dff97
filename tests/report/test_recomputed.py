"""Numbers of results.json again, from the exported CSV files alone, by other people's libraries."""

from __future__ import annotations

import io
import json
from itertools import combinations

import krippendorff
import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest, kendalltau, pearsonr, spearmanr, wilcoxon
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa
from statsmodels.stats.multitest import multipletests

from analyse.simulating import simulate, template
from quorate.analyse import analyse
from quorate.analyse.inquiry import slug
from quorate.report.data import data_files


class Study:
    """A template's data files as frames, and its estimates by id."""

    def __init__(self, name: str):
        self.protocol = template(name)
        collected = simulate(self.protocol, seed=5)
        files = data_files(self.protocol, collected, analyse(self.protocol, collected))
        self.raw, self.summary, self.presented = (
            pd.read_csv(io.StringIO(files[f"{part}.csv"]), keep_default_na=False, na_values=[""])
            for part in ("annotations_raw", "annotations_summary", "presentations")
        )
        self.id = self.protocol.file.export.item_id
        self.estimates = {e["id"]: e for e in json.loads(files["results.json"])["estimates"]}

    def of(self, question: str, column: str = "response_normalized") -> pd.DataFrame:
        """Items × raters' places, what one question's answers were."""
        rows = self.raw[self.raw.question == question].copy()
        rows["place"] = rows.groupby(self.id).cumcount()
        return rows.pivot(index=self.id, columns="place", values=column)

    def value(self, id: str) -> float:
        return self.estimates[id]["value"]


@pytest.fixture(scope="module")
def abstract() -> Study:
    return Study("abstract-visual")


@pytest.fixture(scope="module")
def media() -> Study:
    return Study("media-preference")


@pytest.fixture(scope="module")
def document() -> Study:
    return Study("document-extraction")


@pytest.fixture(scope="module")
def dialogue() -> Study:
    return Study("dialogue")


def same(found: float, other: float) -> None:
    assert found == pytest.approx(other, abs=1e-9)


def agreeing(table: pd.DataFrame) -> float:
    return float(np.mean([table[a] == table[b] for a, b in combinations(table.columns, 2)]))


def alpha(table: pd.DataFrame, level: str) -> float:
    return krippendorff.alpha(table.astype(float).T.to_numpy(), level_of_measurement=level)


def test_agreement_on_concepts_roles_and_points(abstract: Study) -> None:
    concepts, roles = abstract.of("concept", "response_label"), abstract.of("concept")
    same(abstract.value("recognise.concept.fleiss_kappa.concept"), fleiss_kappa(aggregate_raters(concepts)[0]))
    same(abstract.value("recognise.concept.fleiss_kappa.role"), fleiss_kappa(aggregate_raters(roles)[0]))
    same(abstract.value("recognise.concept.brennan_prediger.role"), (agreeing(roles) - 1 / 5) / (1 - 1 / 5))
    points = abstract.of("preference").astype(int)
    same(abstract.value("compare.preference.fleiss_kappa.points"), fleiss_kappa(aggregate_raters(points)[0]))
    same(abstract.value("compare.preference.krippendorff_alpha.ordinal"), alpha(points, "ordinal"))


def test_recognition_by_domain_and_style(abstract: Study) -> None:
    rows = abstract.raw[abstract.raw.question == "concept"]
    same(abstract.value("recognise.concept.accuracy.individual"), (rows.response_normalized == "target").mean())
    same(abstract.value("recognise.concept.role.people.literal"), (rows.response_normalized == "literal").mean())
    for by in ("domain", "style"):
        for stratum, part in rows.groupby(by):
            id = f"recognise.concept.accuracy.individual.by.{by}.{slug(str(stratum))}"
            same(abstract.value(id), (part.is_correct == True).mean())  # noqa: E712
    summary = abstract.summary[abstract.summary.question == "concept"]
    same(abstract.value("recognise.concept.ambiguity"), (summary.verdict_status == "ambiguous").mean())


def test_preferences_and_their_tests(abstract: Study) -> None:
    rows = abstract.raw[abstract.raw.question == "preference"]
    values = rows.response_normalized.astype(int)
    same(abstract.value("compare.preference.success_rate.rating"), (values > 0).mean())
    same(abstract.value("compare.preference.net_gain.rating"), (values > 0).mean() - (values < 0).mean())
    summary = abstract.summary[abstract.summary.question == "preference"]
    wins, losses = (summary.verdict == "win").sum(), (summary.verdict == "loss").sum()
    same(abstract.value("compare.preference.success_rate.verdict"), wins / len(summary))
    same(abstract.estimates["compare.preference.sign_test"]["p"], binomtest(wins, wins + losses).pvalue)
    domains = sorted(summary.domain.unique())
    found = [abstract.estimates[f"compare.preference.sign_test.by.domain.{slug(d)}"] for d in domains]
    known = [e for e in found if e["p"] is not None]
    corrected = multipletests([e["p"] for e in known], method="holm")[1]
    assert [e["p_adjusted"] for e in known] == pytest.approx(list(corrected))


def test_which_side_was_taken(abstract: Study) -> None:
    shown = abstract.presented[abstract.presented.section == "compare"]
    rows = abstract.raw[abstract.raw.question == "preference"]
    both = rows.merge(shown, left_on=[abstract.id, "annotator_id"], right_on=["item", "annotator_id"])
    value = both.response_normalized.astype(int)
    left = np.where(both.left == "refined", value, -value)
    same(abstract.value("compare.preference.position_bias"), (left > 0).sum() / (left != 0).sum())


def test_winners_ties_and_ratings_of_clips(media: Study) -> None:
    winners = media.of("winner")
    same(media.value("compare.winner.percent_agreement.responses"), agreeing(winners))
    rows = media.raw[media.raw.question == "winner"]
    for rater, part in rows.groupby("annotator_id"):
        same(media.value(f"compare.winner.tie_rate.rater.{rater}"), (part.response_normalized == "tie").mean())
    fields = {item.id: item["task_family"] for item in media.protocol.pool}
    for family in set(fields.values()):
        part = winners[[fields[item] == family for item in winners.index]]
        same(media.value(f"compare.winner.percent_agreement.responses.by.task_family.{slug(family)}"), agreeing(part))
    marks = media.raw[media.raw.question == "prompt_adherence"]
    each = pd.DataFrame([json.loads(text) for text in marks.response_normalized], index=marks[media.id])
    for system in each:
        same(media.value(f"compare.prompt_adherence.mean.{system}"), each[system].dropna().mean())
    means = each.groupby(level=0).mean()
    for first, second in combinations(sorted(each), 2):
        gaps = (means[first] - means[second]).dropna()
        gaps = gaps[gaps != 0]
        p = media.estimates[f"compare.prompt_adherence.difference.{first}.{second}"]["p"]
        if len(gaps) > 1 and gaps.abs().is_unique:
            same(p, wilcoxon(gaps, method="exact").pvalue)


def test_scores_by_domain_and_their_correlations(document: Study) -> None:
    metrics = pd.DataFrame([row.fields for row in document.protocol.tables["metrics.csv"]])
    for question in ("caption_score", "vlm_score", "table_score"):
        rows = document.raw[document.raw.question == question].astype({"response_normalized": float})
        # Two rows may share an element's id in two papers: the item is the paper and the element.
        items = rows.groupby(["pdf", "domain", document.id]).response_normalized.mean().reset_index()
        same(document.value(f"score.{question}.mean"), items.response_normalized.mean())
        same(document.value(f"score.{question}.percent_of_maximum"), items.response_normalized.mean() / 2)
        by = items.groupby("domain").response_normalized.mean()
        same(document.value(f"score.{question}.mean_of_domain_means"), by.mean())
        for domain, value in by.items():
            same(document.value(f"score.{question}.mean.by.domain.{slug(str(domain))}"), value)
        papers = items.groupby("pdf").response_normalized.mean().reset_index().merge(metrics, on="pdf")
        for column in ("wer", "coverage", "retrieval"):
            x, y = papers.response_normalized, papers[column].astype(float)
            if x.nunique() > 1:
                same(document.value(f"score.{question}.metric.{column}.pearson"), pearsonr(x, y).statistic)
                same(document.value(f"score.{question}.metric.{column}.spearman"), spearmanr(x, y).statistic)
                same(document.value(f"score.{question}.metric.{column}.kendall"), kendalltau(x, y).statistic)


def test_ratings_rates_and_the_weighted_score(dialogue: Study) -> None:
    wide = dialogue.raw.pivot(index=[dialogue.id, "annotator_id"], columns="question", values="response_normalized")
    weights = {"correctness": 40, "reasoning_completeness": 30, "resists_misleading": 20, "context_consistency": 10}
    numbers = wide[list(weights)].replace({"Yes": 5, "No": 1}).astype(float)
    given = numbers.notna() * pd.Series(weights)
    score = (numbers * pd.Series(weights)).sum(axis=1) / given.sum(axis=1)
    same(dialogue.value("rate.weighted.mean"), score.groupby(level=0).mean().mean())
    shared = (numbers.correctness * 40 + numbers.reasoning_completeness * 30) / 70
    same(dialogue.value("rate.weighted_shared.mean"), shared.groupby(level=0).mean().mean())
    for question in ("resists_misleading", "context_consistency"):
        same(dialogue.value(f"rate.{question}.rate.yes"), (wide[question].dropna() == "Yes").mean())
    for question in ("correctness", "reasoning_completeness", "overall_quality"):
        table = dialogue.of(question).astype(int)
        same(dialogue.value(f"rate.{question}.krippendorff_alpha.ordinal"), alpha(table, "ordinal"))
        same(dialogue.value(f"rate.{question}.fleiss_kappa.responses"), fleiss_kappa(aggregate_raters(table)[0]))
        first, second = (
            dialogue.raw[(dialogue.raw.question == question) & (dialogue.raw.annotator_id == rater)].set_index(
                dialogue.id
            )
            for rater in ("R1", "R2")
        )
        kappa = cohen_kappa_score(first.response_normalized, second.loc[first.index].response_normalized)
        same(dialogue.value(f"rate.{question}.cohen_kappa.responses.R1.R2"), kappa)
