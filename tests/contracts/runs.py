"""Small builders of runs, for the suites of what lasts."""

from pipeline.domain import (
    Answer,
    AnswerFile,
    Attempt,
    Done,
    Failed,
    LocalizedText,
    Media,
    Model,
    Outcome,
    Output,
    Plan,
    RejectedFile,
    Repair,
    Run,
    RunId,
    RunState,
    Skipped,
    Stopped,
    Task,
    TaskId,
    Text,
    Thread,
)
from pipeline.task_kinds import KINDS
from tests.contracts.messages import ANN, THREAD, file
from tests.fakes.places import HOSTED, LOCAL

MODEL = Model("org/good", "image-to-text", (HOSTED,))
BAD = "org/bad"


def done(took: float = 2.0, *, model: Model = MODEL, letter: str = "") -> Done:
    """Finished at the second try, after one that failed."""
    slots = {"image": Media(file(letter))} if letter else {"text": Text("a cat", 0.5)}
    fell = Attempt(model=BAD, place=HOSTED, took=0.5, error=LocalizedText("gone"))
    return Done(Output(slots), took=took + 0.5, model=model, place=HOSTED, tried=(fell,))


def failed() -> Failed:
    return Failed(
        LocalizedText("gone"),
        (Attempt(model=BAD, place=LOCAL, took=1.0, error=LocalizedText("gone"), cost=0.01),),
    )


def run(
    id: str,  # noqa: A002
    *outcomes: Outcome,
    thread: Thread = THREAD,
    person: str = ANN.id,
    state: RunState = RunState.ANSWERED,
    shown: str = "",
) -> Run:
    """A run with these outcomes of tasks 1, 2 …, and a picture with the hash of this letter in its
    answer.
    """
    look = Task(TaskId(1), KINDS["image-to-text"], {"image": (Media(file("f")),)})
    files = (
        (
            AnswerFile(
                attachment=file(shown),
                alt="a cat",
                model=MODEL.id,
                kind="text-to-image",
                task=TaskId(1),
            ),
        )
        if shown
        else ()
    )
    return Run(
        id=RunId(id),
        thread=thread.key,
        person=person,
        text=f"words of {id}",
        state=state,
        plan=Plan((look,)) if outcomes else Plan(),
        repairs=(Repair(LocalizedText("mended", {"what": "x"})),),
        outcomes={TaskId(number): outcome for number, outcome in enumerate(outcomes, 1)},
        answer=Answer(RunId(id), "a cat", files=files),
        rejected=(RejectedFile("x.zip", LocalizedText("no")),),
    )


EVERY_OUTCOME: tuple[Outcome, ...] = (done(), failed(), Skipped(TaskId(2)), Stopped())
