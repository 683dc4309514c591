"""Who may do what where."""

from dataclasses import dataclass

from pipeline.domain import Person, Thread
from pipeline.errors import NotAllowed

_LOCAL_SURFACES = frozenset({"web", "console"})
"""Surfaces used only by whoever runs the program or holds its token."""


@dataclass(frozen=True, slots=True)
class ListGate:
    """Says who may use the program where, and who is an admin there.

    `allow` and `deny` hold ids of people and of channels; an empty `allow` lets everybody in.
    Admins are listed by id, have the platform's admin role, or use a local surface.
    """

    allow: frozenset[str] = frozenset()
    deny: frozenset[str] = frozenset()
    admins: frozenset[str] = frozenset()

    def check(self, person: Person, thread: Thread, guarded: str = "") -> None:
        """Raises NotAllowed for a person or a channel that the lists keep out.

        `guarded` names an action that only admins may take, such as "forget channel"; for anybody
        else that raises NotAllowed, too.
        """
        names = {person.id, thread.channel.id}
        if names & self.deny or (self.allow and not names & self.allow):
            raise NotAllowed("not-allowed")
        if guarded and not self.is_admin(person, thread):
            raise NotAllowed("not-allowed-admins", what=guarded)

    def is_admin(self, person: Person, thread: Thread) -> bool:
        """Whether a person may take guarded actions in a thread."""
        return (
            person.id in self.admins
            or "admin" in person.roles
            or thread.channel.platform in _LOCAL_SURFACES
        )
