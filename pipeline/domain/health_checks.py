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
    is_note: bool = False
    """Whether it is good to know, and neither works nor has to be mended."""
    advice: LocalizedText | None = None
    """What fixes it where a person enters it, instead of a line for `.env`."""

    @property
    def sign(self) -> str:
        """What stands before it in a terminal."""
        if self.is_note:
            return "--"
        return "ok" if self.good else "FIX"


def report_good(id_: str, **args: str | float) -> HealthCheck:
    return HealthCheck(LocalizedText(id_, args), good=True)


def report_note(id_: str, **args: str | float) -> HealthCheck:
    return HealthCheck(LocalizedText(id_, args), good=True, is_note=True)


def report_bad(id_: str, mend: str = "", *, why: str = "", **args: str | float) -> HealthCheck:
    return HealthCheck(LocalizedText(id_, args), good=False, mend=mend, why=why)
