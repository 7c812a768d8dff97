"""Leases and counters are caches: all of them can be made again from the rows that are only added."""

from __future__ import annotations

from quorate.store.claims import ClaimVerbs


class CacheVerbs(ClaimVerbs):
    """The verb that makes the caches again."""

    def rebuild_caches(self) -> None:
        """Make every cache again from events, assignments and submissions.

        At which step of the way a rater is, is not known here: `collect` tells it from the rater's events.
        """
        self._rebuild_assignments()
        self._rebuild_slots()
        self._run("clear_tallies")
        self._run("count_tallies")

    def _rebuild_assignments(self) -> None:
        self._run("clear_assignments")
        self._many("set_revision", [{"id": id, "revision": n} for id, n in self._rows("revisions")])
        self._run("nothing_was_shown")
        for event in self.events(kinds=("claim", "released")):
            self._many("lose_assignment", [{"id": id, "lost": event.seq} for id in event.data["lost"]])
        self._run("hold_the_rest")

    def _rebuild_slots(self) -> None:
        self._run("free_all_slots")
        held = self._rows("held_assignments")
        self._many(
            "take_slot",
            [{"id": slot, "rater": rater, "lease_until": lease} for slot, rater, lease, *_ in held],
        )
        self._run("mark_all_items")
        for section, item, round, repeat, rater in self._rows("all_unshown"):
            self._free_unshown(rater, repeat, {"section": section, "item": item, "round": round})
        for section, round in {row[3:] for row in held}:
            self._open_lapsed(section, round)
