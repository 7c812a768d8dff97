"""Raters, members of the team, their links, their ids on platforms, and how far each rater has come."""

from __future__ import annotations

from quorate.errors import StoreError
from quorate.records import Rater
from quorate.store.rows import Link, LinkRow, Member, Progress
from quorate.store.verbs import Verbs


class PeopleVerbs(Verbs):
    """The verbs about people."""

    def add_rater(self, panel: str = "", prefix: str = "R") -> Rater:
        """Give the next place in the plan to a new rater, who is known by it: R1, R2, …"""
        place = self._value("next_place")
        rater = Rater(f"{prefix}{place}", place, panel)
        self._run("add_rater", id=rater.id, place=place, panel=panel, joined_at=self.now())
        return rater

    def rater(self, id: str) -> Rater | None:
        """The rater of that id."""
        row = self._row("rater", id=id)
        return None if row is None else Rater(*row)

    def raters(self) -> tuple[Rater, ...]:
        """All raters by place."""
        return tuple(Rater(*row) for row in self._rows("raters"))

    def raters_without_answers(self) -> dict[str, str | None]:
        """Everyone who has answered nothing, with the time of their newest event; nobody comes in meanwhile."""
        self._alone()
        return dict(self._rows("raters_without_answers"))

    def add_member(self, name: str) -> Member:
        """Take someone into the research team (M1, M2, …)."""
        place, at = self._value("next_member"), self.now()
        self._run("add_member", id=f"M{place}", place=place, name=name, at=at)
        return Member(f"M{place}", name, at)

    def members(self) -> tuple[Member, ...]:
        """The research team."""
        return tuple(Member(*row) for row in self._rows("members"))

    def add_link(self, token_hash: str, role: str, person: str) -> None:
        """Let whoever knows the token of this hash in as this person; role is "rater" or "member"."""
        self._run("add_link", token_hash=token_hash, role=role, person=person, at=self.now())

    def link(self, token_hash: str) -> Link | None:
        """Whom the token of this hash belongs to: (role, person, revoked)."""
        row = self._row("link", token_hash=token_hash)
        return None if row is None else Link(row[0], row[1], row[2] is not None)

    def links(self) -> tuple[LinkRow, ...]:
        """All links, the oldest first."""
        return tuple(LinkRow(*row) for row in self._rows("links"))

    def revoke_links(self, person: str) -> int:
        """Close every link of this person; how many were open."""
        return self._run("revoke_links", person=person, at=self.now())

    def platform_rater(self, platform: str, external_id: str) -> str | None:
        """The rater who came from this platform under this id."""
        return self._value("platform_rater", platform=platform, external_id=external_id)

    def add_platform_id(self, rater: str, platform: str, external_id: str) -> None:
        """Remember which rater someone from a platform is."""
        if self._run("add_platform_id", rater=rater, platform=platform, external_id=external_id) == 1:
            return
        known = self.platform_rater(platform, external_id)
        if known != rater:
            raise StoreError(f"This id on {platform} already belongs to {known}. Use that rater, or another id.")

    def progress(self, rater: str) -> Progress | None:
        """Where a rater is on the way, or None before the first step."""
        row = self._row("progress", rater=rater)
        return None if row is None else Progress(*row)

    def set_progress(
        self, rater: str, *, step: str | None = None, section: str | None = None, status: str | None = None
    ) -> None:
        """Note where a rater is; what is not given stays. The counts follow the section by themselves."""
        known = self.progress(rater) or Progress(rater, "", "", 0, 0, "")
        self._run(
            "set_progress",
            rater=rater,
            step=known.step if step is None else step,
            section=known.section if section is None else section,
            status=known.status if status is None else status,
        )
