"""The one way in for orders, whichever route they come by: read, allowed or not, carried out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field, TypeAdapter

from companion.rules.game import Refused
from companion.table.snapshot import Snapshot
from companion.web.desk import Desk
from companion.web.entrance import Caller, HostOnly, Unpaired, enlist
from companion.web.orders import Bind, Enrol, Enrolment, Order, Pick, Plain, Play, Reopen, Start, Unbind, read_json
from companion.web.phone_orders import Appoint, Door, PhoneOrder, Rule
from companion.web.phones import UndoRule

CORRECT = "correct"
"""The verb by which the table overrules the companion, in every game."""
TAKES_BACK = ("undo", "redo")
FOR_HOSTS = ("pause", "resume", "leave")

_ORDERS: TypeAdapter[Order | PhoneOrder] = TypeAdapter(Annotated[Order | PhoneOrder, Field(discriminator="kind")])


@dataclass(frozen=True, slots=True)
class Done:
    """What came of an order: the table, and a token where the caller was put on the list of phones by it."""

    snapshot: Snapshot
    token: str | None = None


def read_any_order(body: bytes) -> Order | PhoneOrder:
    """Read and check a body. ValueError (pydantic's ValidationError is one) for anything that is no order."""
    return _ORDERS.validate_python(read_json(body))


def carry_out(desk: Desk, caller: Caller, order: Order | PhoneOrder) -> Done:
    """Do what a caller asks. Raises Unpaired, HostOnly, Refused."""
    if not caller.may_act:
        raise Unpaired
    if _is_for_hosts(order) and not caller.hosts:
        raise HostOnly
    if isinstance(order, PhoneOrder):
        return _for_phones(desk, caller, order)
    if _takes_back(order) and desk.phones.house.undo is UndoRule.HOST and not caller.hosts:
        raise Refused("undo_is_the_hosts")
    if isinstance(order, Play) and desk.session.names_a_dealt_card(order.command):
        raise Refused("companion_deals")
    return Done(order.carry_out(desk.session))


def _for_phones(desk: Desk, caller: Caller, order: PhoneOrder) -> Done:
    if isinstance(order, Appoint | Rule):
        order.carry_out(desk)
        return Done(desk.session.snapshot)
    if isinstance(order, Door):
        order.carry_out(desk, caller.phone)
        return Done(desk.session.snapshot)
    phone, token = enlist(desk, caller)
    order.carry_out(desk, phone)
    return Done(desk.session.snapshot, token)


def _is_for_hosts(order: Order | PhoneOrder) -> bool:
    if isinstance(order, Play):
        return order.command.get("do") == CORRECT
    if isinstance(order, Plain):
        return order.kind in FOR_HOSTS
    return isinstance(order, Start | Reopen | Bind | Unbind | Enrol | Enrolment | Appoint | Door | Rule)


def _takes_back(order: Order) -> bool:
    return (isinstance(order, Plain) and order.kind in TAKES_BACK) or (
        isinstance(order, Pick) and order.option in TAKES_BACK
    )
