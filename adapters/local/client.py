"""How the client of an expert server speaks the wire format."""

from adapters.local.place import LOCAL
from adapters.wire.expert import WireDialect
from adapters.wire.parameters import PICTURE

_KNOWN = f"images {PICTURE} duration voice"
"""What is sent to every model; the server says in its reply which of them a model did not use."""

DIALECT = WireDialect(LOCAL, lambda _job: _KNOWN, names_kind=True)
