"""One job for each kind that goes over the wire."""

from pathlib import Path

from pipeline.domain import Blob
from pipeline.ports import Job
from tests.fakes.jobs import job, picture, sheet, tone

FILM = Blob(
    (Path(__file__).parents[2] / "servers/experts/film.mp4").read_bytes(), "video/mp4", "film.mp4"
)
_CONTROLS = ("canny", "hed", "mlsd", "normal", "openpose", "scribble", "depth", "seg")
_TABLE = sheet("city,people", "Rome,2.8", "Paris,2.1")


def sample_jobs() -> dict[str, Job]:
    jobs = [
        job("text-classification", text="What a day!"),
        job("token-classification", text="Ada met Grace in London."),
        job("text2text-generation", text="Rephrase: hello"),
        job("summarization", text="A long text. With two sentences."),
        job("translation", text="Good day", language="German", source_language="English"),
        job("question-answering", question="Who won?", context="Ada won. Grace lost."),
        job("conversational", text="Hello"),
        job("text-generation", text="Write a poem"),
        job("fill-mask", text="The sky is [MASK]."),
        job("feature-extraction", text="A sentence"),
        job("sentence-similarity", sentences=("a cat", "a dog", "a cat indeed")),
        job("zero-shot-classification", text="Goal!", labels=("sports", "politics")),
        job("tabular-classification", table=_TABLE, target="people"),
        job("tabular-regression", table=_TABLE, target="people"),
        job("table-question-answering", question="Which city?", table=_TABLE),
        job("image-to-text", image=picture()),
        job("optical-character-recognition", image=picture()),
        job("text-to-image", text="a cat on a skateboard"),
        job("visual-question-answering", image=picture(), question="How many?"),
        job("document-question-answering", document=picture(), question="What is the total?"),
        job("image-classification", image=picture()),
        job("zero-shot-image-classification", image=picture(), labels=("cat", "dog")),
        job("object-detection", image=picture()),
        job("zero-shot-object-detection", image=picture(), labels=("cup",)),
        job("image-segmentation", image=picture()),
        job("mask-generation", image=picture()),
        job("depth-estimation", image=picture()),
        job("image-to-image", image=picture(), text="as a sketch"),
        job("image-text-to-image", image=picture(), text="replace the cat with a dog"),
        job("automatic-speech-recognition", audio=tone()),
        job("text-to-speech", text="Hello"),
        job("audio-classification", audio=tone()),
        job("audio-to-audio", audio=tone()),
        job("text-to-video", text="a dancing bear"),
        job("image-to-video", image=picture(), text="it moves"),
        job("video-classification", video=FILM),
        *(job(f"{name}-control", image=picture()) for name in _CONTROLS),
        *(
            job(f"{name}-text-to-image", image=picture(), text="a knight", model=f"m/{name}")
            for name in _CONTROLS
        ),
    ]
    return {one.kind.name: one for one in jobs}
