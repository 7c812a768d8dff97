"""Every inquiry, in the order in which the report tells of them."""

from __future__ import annotations

from quorate.inquiries.accuracy import Accuracy, OfEach
from quorate.inquiries.adjudicated import Adjudicated
from quorate.inquiries.agreement import Agreement
from quorate.inquiries.anchoring import Anchoring
from quorate.inquiries.assisted import Triage
from quorate.inquiries.base import Inquiry
from quorate.inquiries.broken_rules import BrokenRules
from quorate.inquiries.comparison import AgainstJudge
from quorate.inquiries.consensus import Consensus
from quorate.inquiries.dimensions import Dimensions
from quorate.inquiries.disagreements import Disagreements
from quorate.inquiries.error_analysis import ErrorAnalysis, Examples
from quorate.inquiries.judge_leanings import JudgeLeanings
from quorate.inquiries.metrics import Metrics
from quorate.inquiries.people_and_ai import PeopleAndAI
from quorate.inquiries.playback import Playback
from quorate.inquiries.preferences import Preferences
from quorate.inquiries.priorities import Priorities
from quorate.inquiries.quality import QualityChecks
from quorate.inquiries.ranking import Ranking
from quorate.inquiries.rater_checks import RatersAtWork
from quorate.inquiries.rates import Rates
from quorate.inquiries.replaceable import Replaceable
from quorate.inquiries.roles import Roles
from quorate.inquiries.scores import Scores
from quorate.inquiries.sides import Sides, TiesOfEach
from quorate.inquiries.tags import Tags

INQUIRIES: tuple[Inquiry, ...] = (
    Agreement(),
    Accuracy(),
    OfEach(),
    Roles(),
    AgainstJudge(),
    ErrorAnalysis(),
    Examples(),
    Ranking(),
    Preferences(),
    Sides(),
    TiesOfEach(),
    Dimensions(),
    Scores(),
    Rates(),
    PeopleAndAI(),
    Triage(),
    Anchoring(),
    Replaceable(),
    JudgeLeanings(),
    Metrics(),
    Tags(),
    Priorities(),
    BrokenRules(),
    Consensus(),
    Adjudicated(),
    Disagreements(),
    Playback(),
    RatersAtWork(),
    QualityChecks(),
)
