"""What the doctor finds: one result of each check."""

from dataclasses import dataclass

from pipeline.domain.sentences import LocalizedText


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """One result of the `doctor` command."""

    what: LocalizedText
    good: bool
    mend: str = ""
    """What fixes it: a command, a line for `.env`, or a link."""
    why: str = ""
    """The reason, in English or in the words of the system that gave it."""


def report_good(id_: str, **args: str | float) -> HealthCheck:
    return HealthCheck(LocalizedText(id_, args), good=True)


def report_bad(id_: str, mend: str = "", *, why: str = "", **args: str | float) -> HealthCheck:
    return HealthCheck(LocalizedText(id_, args), good=False, mend=mend, why=why)
