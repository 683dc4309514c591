"""Plans as JSON rows in TaskBench's format, and requests read from rows of a file."""

from collections.abc import Mapping

from pipeline.domain import (
    Arg,
    Attachment,
    Channel,
    Context,
    FileHash,
    Media,
    NamedFile,
    Person,
    Plan,
    Ref,
    Request,
    RunId,
    TaskId,
    Thread,
)
from pipeline.domain.conversions import as_text
from pipeline.planning.arguments import is_suitable

_TASKBENCH_KINDS = (
    "audio-classification audio-to-audio automatic-speech-recognition conversational"
    " depth-estimation document-question-answering image-classification image-segmentation"
    " image-to-image image-to-text object-detection question-answering sentence-similarity"
    " summarization tabular-classification text-generation text-to-image text-to-speech"
    " text-to-video token-classification translation visual-question-answering"
)
TASKBENCH: Mapping[str, str] = {
    **{
        kind: "-to-".join(part.replace("-", " ").title() for part in kind.split("-to-"))
        for kind in _TASKBENCH_KINDS.split()
    },
    "image-text-to-image": "Image Editing",
}
"""Kind → its name in TaskBench."""
_AROUND_NAMES = str.maketrans(dict.fromkeys("\"'`,;:()[]{}<>|=!?*“”‘’「」", " "))  # noqa: RUF001
_ENDINGS: Mapping[str, str] = {
    "image/jpeg": "jpg jpeg png gif bmp webp tiff",
    "audio/wav": "wav mp3 flac ogg m4a",
    "video/mp4": "mp4 avi mov mkv webm",
    "text/csv": "csv tsv",
    "application/pdf": "pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
}
_MEDIA_TYPES = {end: type_ for type_, ends in _ENDINGS.items() for end in ends.split()}
"""File extension → media type."""


def as_row(plan: Plan, *, words: str) -> dict[str, object]:
    """A plan in TaskBench's format; if `words` is "taskbench", also with its names of kinds."""
    name = TASKBENCH if words == "taskbench" else {}
    order = {task.id: index for index, task in enumerate(plan.tasks)}
    return {
        "task_nodes": [
            {
                "task": name.get(task.kind.name, task.kind.name),
                "arguments": [
                    _format_arg(arg, order) for args in task.args.values() for arg in args
                ],
            }
            for task in plan.tasks
        ],
        "task_links": [
            {"source": name.get(source, source), "target": name.get(target, target)}
            for source, target in find_links(plan)
        ],
    }


def find_links(plan: Plan) -> list[tuple[str, str]]:
    """The links between tasks, as pairs of kinds; `after` counts if the types fit."""
    pairs: dict[tuple[str, str], None] = {}
    by_id = {task.id: task for task in plan.tasks}
    for task in plan.tasks:
        for need in sorted(task.needs):
            source = by_id[need]
            types = [type_ for out in source.kind.makes for type_ in out.types]
            can_feed = any(is_suitable(types, slot) for slot in task.kind.takes)
            if can_feed or need in {ref.task for ref in task.refs}:
                pairs[source.kind.name, task.kind.name] = None
    return list(pairs)


def request_of(text: str, raw: str, earlier: str = "") -> Request:
    """A request to which the files named in `text` and `raw` are attached.

    Files named in `earlier` are earlier files of the thread instead.
    """
    older = find_files(earlier)
    older_names = {file.name for file in older}
    files = tuple(file for file in find_files(f"{text}\n{raw}") if file.name not in older_names)
    thread = Thread(Channel("batch", "", ""), "")
    context = Context(older=older)
    return Request(RunId("batch"), thread, Person("", ""), text, files, context=context)


def find_files(text: str) -> tuple[NamedFile, ...]:
    """The files that a text names, recognised by extension, without duplicates."""
    words = text.translate(_AROUND_NAMES).split()
    names = dict.fromkeys(word.rstrip(".").rpartition("/")[-1] for word in words if "." in word)
    return tuple(
        NamedFile(name, Attachment(FileHash(name), _MEDIA_TYPES[ending], name, 1))
        for name in names
        if (ending := name.rpartition(".")[2].casefold()) in _MEDIA_TYPES
    )


def _format_arg(arg: Arg, order: Mapping[TaskId, int]) -> str:
    match arg:
        case Media(attachment):
            return attachment.name
        case Ref(task):
            return f"<node-{order[task]}>"
        case _:
            return as_text(arg)
