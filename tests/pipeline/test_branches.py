"""The branches of a thread."""

from pipeline.domain import Branches, Exchange, RunId, connect


def exchange(
    run: str,
    after: str | None,
    message: str = "",
    *,
    is_answered: bool = True,
    is_open: bool = False,
    beside: bool = False,
) -> Exchange:
    """The answered run "b2" answers the message "b", unless another is given."""
    return Exchange(
        run=RunId(run),
        message=message or run[0],
        after=after,
        is_answered=is_answered,
        is_open=is_open,
        beside=beside,
    )


def runs(branches: Branches, through: str = "") -> str:
    return " ".join(each.run for each in branches.find_path(through))


def test_a_thread_without_branches_is_one_path() -> None:
    branches = connect([exchange("a1", None), exchange("b1", None), exchange("c1", "b1")])

    assert runs(branches) == runs(branches, "a1") == runs(branches, "unknown") == "a1 b1 c1"
    assert branches.find_end() == "c1"
    assert connect([]).find_path() == ()
    assert connect([]).find_end() == ""


def test_a_path_goes_through_a_run_and_on_to_the_newest_end() -> None:
    branches = connect(
        [
            exchange("a1", ""),
            exchange("b1", "a1"),
            exchange("c1", "b1"),
            exchange("d1", "a1"),
            exchange("e1", "d1"),
            exchange("b2", "a1"),
            exchange("f1", "e1"),
        ]
    )

    assert runs(branches) == "a1 d1 e1 f1"
    assert runs(branches, "b1") == "a1 b1 c1"
    assert runs(branches, "b2") == "a1 b2"
    assert runs(connect(branches.exchanges, leaf="c1")) == "a1 b1 c1"
    assert runs(connect(branches.exchanges, leaf="c1"), "b2") == "a1 b2"
    assert runs(connect(branches.exchanges, leaf="gone")) == "a1 d1 e1 f1"


def test_answers_and_edits_are_told_with_a_run_of_each() -> None:
    branches = connect(
        [
            exchange("a1", ""),
            exchange("b1", "a1"),
            exchange("b2", "a1"),
            exchange("c1", "b1"),
            exchange("d1", "a1"),
            exchange("e1", ""),
        ]
    )

    def tell(run: str) -> tuple[list[str], list[str]]:
        here = branches.find(run)
        assert here is not None
        return [*branches.list_answers(here)], [*branches.list_edits(here)]

    assert tell("a1") == (["a1"], ["a1", "e1"])
    assert tell("b2") == (["b1", "b2"], ["b2", "d1"])
    assert tell("d1") == (["d1"], ["b1", "d1"]), "the run that leads to the newest end"


def test_a_failed_retry_is_not_shown_unless_it_is_asked_for() -> None:
    answered, failed = exchange("a1", ""), exchange("a2", "", is_answered=False)

    assert runs(connect([answered, failed])) == "a1"
    assert runs(connect([answered, failed]), "a2") == "a2"
    assert runs(connect([failed, answered])) == "a1"
    assert runs(connect([exchange("a1", "", is_answered=False), failed])) == "a2"
    assert runs(connect([answered, exchange("a2", "", is_answered=False, is_open=True)])) == "a2"
    assert runs(connect([answered, failed, exchange("b1", "a2")])) == "a2 b1"


def test_a_message_without_a_parent_follows_the_best_answer_to_the_one_before() -> None:
    branches = connect(
        [
            exchange("a1", None),
            exchange("a2", None, is_answered=False),
            exchange("b1", None),
            exchange("a3", None),
            exchange("c1", None),
        ]
    )

    assert runs(branches) == "a1 b1 c1"
    assert runs(branches, "a3") == "a3"


def test_what_follows_a_message_or_something_unknown_finds_its_place() -> None:
    branches = connect(
        [exchange("a1", ""), exchange("a2", ""), exchange("b1", "a"), exchange("c1", "gone")]
    )

    assert runs(branches) == "a2 b1 c1"


def test_commands_stand_behind_what_they_follow_and_nothing_follows_them() -> None:
    branches = connect(
        [
            exchange("x1", "", beside=True),
            exchange("a1", ""),
            exchange("y1", "a1", beside=True),
            exchange("z1", "y1", beside=True),
            exchange("b1", "z1"),
        ]
    )
    command = branches.find("y1")
    assert command is not None

    assert runs(branches) == runs(branches, "y1") == "x1 a1 y1 z1 b1"
    assert branches.list_edits(command) == ["y1"]
    assert runs(connect(branches.exchanges[:1])) == "x1"
    assert connect(branches.exchanges[:1]).find_end() == ""


def test_a_long_thread_is_no_deep_recursion() -> None:
    long = [exchange(f"{at}", f"{at - 1}" if at else "", f"m{at}") for at in range(5000)]

    assert len(connect(long).find_path("10")) == 5000
