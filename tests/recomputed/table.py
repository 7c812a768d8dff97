"""Which estimate is computed again by what: a pattern of its id, and the function that does it."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import unquote

from recomputed import agreement, judges, preferences, raters, scores, shares, verdicts
from recomputed.study import Case, NotCoveredError, Told

WORD, PAIR = r"([^.]+)", r"((?:\.[^.]+\.[^.]+)?)"

TABLE: tuple[tuple[str, Callable[..., Told]], ...] = (
    (rf"percent_agreement\.{WORD}", agreement.percent),
    (rf"fleiss_kappa\.{WORD}", agreement.fleiss),
    (rf"gwet_ac\.{WORD}", agreement.gwet),
    (r"gwet_ac2\.ordinal", agreement.ac2),
    (rf"brennan_prediger\.{WORD}", agreement.brennan_prediger),
    (rf"full_agreement\.{WORD}", agreement.full_agreement),
    (rf"cohen_kappa\.{WORD}\.{WORD}\.{WORD}", agreement.of_two_raters),
    (rf"krippendorff_alpha\.{WORD}", agreement.alpha),
    (rf"agreement_with_the_rest\.rater\.{WORD}", agreement.with_the_rest),
    (r"individual_accuracy", shares.individual),
    (r"majority_accuracy", shares.majority),
    (r"unanimous_accuracy", shares.unanimous),
    (rf"accuracy\.rater\.{WORD}", shares.of_rater),
    (rf"accuracy\.judge\.{WORD}", shares.of_judge),
    (rf"role\.(?:people|judge\.{WORD})\.{WORD}", shares.role),
    (rf"rate\.rating(?:\.{WORD})?", shares.rate),
    (rf"rate\.verdict(?:\.{WORD})?", shares.rate_by_verdict),
    (rf"tag\.{WORD}", shares.tag),
    (r"median_seconds\.in_sight(?:\.rater\.([^.]+))?", raters.seconds_in_sight),
    (rf"playback\.{WORD}(?:\.(of|rater)\.{WORD})?", shares.played),
    (rf"too_fast\.rater\.{WORD}", shares.too_fast),
    (r"ambiguity", verdicts.ambiguity),
    (rf"settled\.{WORD}", verdicts.settled),
    (r"dawid_skene\.same", verdicts.dawid_skene),
    (rf"success_rate\.verdict{PAIR}", preferences.success_by_verdict),
    (rf"net_gain\.verdict{PAIR}", preferences.gain_by_verdict),
    (rf"sign_test{PAIR}", preferences.sign_test),
    (rf"success_rate\.rating{PAIR}", preferences.success_by_rating),
    (rf"net_gain\.rating{PAIR}", preferences.gain_by_rating),
    (rf"ties_of_rater\.{WORD}", preferences.ties_of_rater),
    (rf"tie_rate{PAIR}", preferences.ties),
    (r"side_balance(|\.[^.]+\.[^.]+)(|\.within_[^.]+)", preferences.side_balance),
    (r"position_bias", preferences.position_bias),
    (rf"bradley_terry\.{WORD}", preferences.strength),
    (rf"strength_difference\.{WORD}\.{WORD}", preferences.strength),
    (rf"priority\.{WORD}", preferences.priority),
    (rf"difference\.{WORD}\.{WORD}", preferences.difference_of_systems),
    (r"mean", scores.score),
    (rf"mean\.judge\.{WORD}", scores.score),
    (rf"mean\.{WORD}", preferences.mean_of_system),
    (r"mean_of_(.+)_means", scores.mean_of_means),
    (r"percent_of_maximum", scores.percent_of_maximum),
    (rf"metric\.{WORD}\.{WORD}", scores.metric),
    (rf"judge\.{WORD}\.mean_difference", scores.difference_from_judge),
    (rf"judge\.{WORD}\.spearman", scores.spearman_with_judge),
    (rf"judge\.{WORD}\.weighted_kappa", judges.weighted_kappa),
    (rf"judge\.{WORD}\.agreement_rate", judges.agreement_rate),
    (rf"judge\.{WORD}\.agreement\.{WORD}", judges.coefficient),
    (rf"judge\.{WORD}\.cohen_kappa", judges.kappa),
    (rf"judge\.{WORD}\.cohen_kappa\.{WORD}", judges.kappa_on),
    (rf"judge\.{WORD}\.label_agreement", judges.label_agreement),
    (rf"judge\.{WORD}\.class\.{WORD}", judges.error_class),
    (rf"judge\.{WORD}\.difference", judges.difference),
    (rf"left_out\.{WORD}\.(?:omega|rho)", judges.replacement_test),
    (rf"left_out\.{WORD}\.((?:clear\.)?(?:judge|people|difference)(?:\.[^.]+)?)", judges.left_out),
    (rf"median_seconds\.rater\.{WORD}", raters.seconds),
    (r"drift\.seconds", raters.drift),
    (rf"straight-lining(?:\.side)?\.rater\.{WORD}", raters.same_again),
)  # fmt: skip


def again(case: Case) -> Told:
    """The estimate by its other way; an id that no row of the table knows is not covered."""
    for pattern, function in TABLE:
        if found := re.fullmatch(pattern, case.rest):
            # Names stand in ids with everything escaped that could end them.
            return function(case, *(part and unquote(part) for part in found.groups()))
    raise NotCoveredError(f"no way is known to compute '{case.rest}' again")
