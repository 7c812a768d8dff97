"""Commands that read a study file and nothing more: schema, plan."""

from __future__ import annotations

from typing import Annotated

import typer

from quorate.cli.options import AsJson, Folder, print_json
from quorate.plan import Plan, arrange, make_plan
from quorate.protocol import json_schema, load


def schema() -> None:
    """Print the JSON Schema of study files, for editors."""
    print_json(json_schema())


def plan(
    folder: Folder,
    as_json: AsJson = False,
    rater: Annotated[str, typer.Option(help="Show this rater's order, as if the rater came alone.")] = "",
) -> None:
    """Draw the sample and show who sees what.

    The same study gives the same plan on every machine; another seed gives another one.
    """
    protocol = load(folder)
    made = make_plan(protocol)
    if rater:
        orders = {}
        for section in protocol.sections:
            mine = {slot.item: slot for slot in made.slots if slot.section == section.id}
            orders[section.id] = [slot.item for slot in arrange(mine.values(), protocol, rater, section.id)]
        if as_json:
            print_json({"rater": rater, "order": orders})
        else:
            print("\n".join(f"{section}: {', '.join(order)}" for section, order in orders.items()))
        return
    if as_json:
        print_json(
            {
                "hash": made.hash,
                "seed": protocol.seed,
                "items": [item.id for item in made.drawn],
                "checks": [item.id for item in made.checks],
                "slots": [[slot.section, slot.item, slot.repeat] for slot in made.slots],
            }
        )
        return
    print(f"Plan {made.hash}: {len(made.drawn)} items, {slots_of(made)}, seed {protocol.seed}.")
    print(", ".join(item.id for item in made.drawn))
    if made.checks:
        print(f"Mixed into the work: {', '.join(item.id for item in made.checks)}.")


def slots_of(made: Plan) -> str:
    """The number of slots, and that of the checks' items beside them, in words."""
    slots = f"{len(made.slots)} slots"
    return f"{slots} and {len(made.checks)} with known answers" if made.checks else slots
