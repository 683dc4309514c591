"""What the pipeline asks of the world. Every port has one contract suite in tests/contracts."""

from pipeline.ports.experts import Catalogue, Expert, Job, Report, unreported
from pipeline.ports.lasting import (
    Files,
    Inbox,
    Journal,
    Ledger,
    Posting,
    Scope,
    Seen,
    Store,
    TrackRecord,
    Vote,
)
from pipeline.ports.llm import Llm, Message, Prompt, Usage
from pipeline.ports.outside import (
    Chat,
    Clock,
    Described,
    Fetch,
    Gate,
    Limits,
    Listener,
    MediaTools,
    Tell,
    Workers,
)
from pipeline.ports.stages import Planner, Responder

__all__ = [
    "Catalogue",
    "Chat",
    "Clock",
    "Described",
    "Expert",
    "Fetch",
    "Files",
    "Gate",
    "Inbox",
    "Job",
    "Journal",
    "Ledger",
    "Limits",
    "Listener",
    "Llm",
    "MediaTools",
    "Message",
    "Planner",
    "Posting",
    "Prompt",
    "Report",
    "Responder",
    "Scope",
    "Seen",
    "Store",
    "Tell",
    "TrackRecord",
    "Usage",
    "Vote",
    "Workers",
    "unreported",
]
