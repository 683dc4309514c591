"""Words about pictures: captions, what is written, questions on pictures and documents."""

from pathlib import Path
from typing import Any

from adapters.local.asked import Asked
from adapters.local.kinds.loading import Loaded, piped
from adapters.local.kinds.media import picture
from adapters.local.table import Answer, as_json
from pipeline.errors import BadInput

_PAGE = 1000


def load_captioner(path: Path, device: str) -> Loaded:
    """Models with a processor of their own (BLIP, GIT, Qwen-VL …), and pairs of a seeing and a writing model (ViT-GPT2, TrOCR)."""
    import transformers as tr

    config = tr.AutoConfig.from_pretrained(path)
    if config.model_type == "vision-encoder-decoder":
        model = tr.VisionEncoderDecoderModel.from_pretrained(path)
        tokenizer = tr.AutoTokenizer.from_pretrained(path)
        images = tr.AutoImageProcessor.from_pretrained(path)
        model = model.to(device).eval()
        return Loaded(model, device, path, tokenizer=tokenizer, image_processor=images)
    model = tr.AutoModelForImageTextToText.from_pretrained(path).to(device).eval()
    return Loaded(model, device, path, processor=tr.AutoProcessor.from_pretrained(path))


def caption(loaded: Loaded, asked: Asked) -> Answer:
    image = picture(asked)
    if _talks(loaded):
        words = _told(loaded, image, asked.word("prompt", "Describe this picture."))
    else:
        words = _generated(loaded, _seen(loaded, image), asked.whole("max_new_tokens", 60, 1, 512))
    return as_json([{"generated_text": words}])


def load_questioned(path: Path, device: str) -> Loaded:
    """BLIP writes its answer, ViLT picks one of some thousand."""
    import transformers as tr

    config = tr.AutoConfig.from_pretrained(path)
    known = {"blip": "BlipForQuestionAnswering", "vilt": "ViltForQuestionAnswering"}
    name = known.get(config.model_type)
    found = getattr(tr, name) if name else tr.AutoModelForVisualQuestionAnswering
    model = found.from_pretrained(path).to(device).eval()
    return Loaded(model, device, path, processor=tr.AutoProcessor.from_pretrained(path))


def answer(loaded: Loaded, asked: Asked) -> Answer:
    """An answer that is written is as probable as all its words together."""
    import torch

    image, question = picture(asked), asked.text("question")
    inputs = loaded.processor(images=image, text=question, return_tensors="pt", truncation=True)
    inputs = inputs.to(loaded.device)
    with torch.inference_mode():
        if loaded.model.config.model_type == "vilt":
            scores, places = loaded.model(**inputs).logits[0].sigmoid().topk(1)
            label = loaded.model.config.id2label[places[0].item()]
            return as_json([{"answer": label, "score": scores[0].item()}])
        made = loaded.model.generate(**inputs, max_new_tokens=20, **_WITH_SCORES)
    words = loaded.processor.decode(made.sequences[0], skip_special_tokens=True).strip()
    return as_json([{"answer": words, "score": _probability(loaded.model.text_decoder, made)}])


_WITH_SCORES = {"return_dict_in_generate": True, "output_scores": True}


def _probability(model: Any, made: Any) -> float:
    steps = model.compute_transition_scores(made.sequences, made.scores, normalize_logits=True)
    return float(steps[0][steps[0] > float("-inf")].sum().exp())


def load_document_reader(path: Path, device: str) -> Loaded:
    """Donut reads by itself, LayoutLM is given the words and their places."""
    import transformers as tr

    config = tr.AutoConfig.from_pretrained(path)
    if config.model_type != "vision-encoder-decoder":
        return piped("document-question-answering")(path, device)
    model = tr.VisionEncoderDecoderModel.from_pretrained(path).to(device).eval()
    processor = tr.AutoProcessor.from_pretrained(path)
    return Loaded(model, device, path, processor=processor, tokenizer=processor.tokenizer)


def document_answer(loaded: Loaded, asked: Asked) -> Answer:
    image, question = picture(asked), asked.text("question")
    if loaded.model.config.model_type == "vision-encoder-decoder":
        return as_json([_donut(loaded, image, question)])
    words = _words(image)
    if not words:
        raise BadInput("local-nothing-to-read")
    found = loaded.pipe("document-question-answering")(
        image=image, question=question, word_boxes=words, top_k=asked.whole("top_k", 1, 1, 10)
    )
    return as_json(found if isinstance(found, list) else [found])


def _donut(loaded: Loaded, image: Any, question: str) -> dict[str, object]:
    """It writes its answer; there is no place in the document that it came from."""
    import torch

    prompt = f"<s_docvqa><s_question>{question}</s_question><s_answer>"
    ids = loaded.tokenizer(prompt, add_special_tokens=False, return_tensors="pt").input_ids
    pixels = loaded.processor.image_processor(image, return_tensors="pt").pixel_values
    with torch.inference_mode():
        made = loaded.model.generate(
            pixel_values=pixels.to(loaded.device, loaded.model.dtype),
            decoder_input_ids=ids.to(loaded.device),
            max_new_tokens=60,
            **_WITH_SCORES,
        )
    written = loaded.tokenizer.decode(made.sequences[0][ids.shape[1] :], skip_special_tokens=True)
    score = _probability(loaded.model, made)
    return {"answer": written.strip(), "score": score, "start": 0, "end": 0}


def _words(image: Any) -> list[tuple[str, list[int]]]:
    """The words of a page and their places, in thousandths of it."""
    try:
        from rapidocr import RapidOCR
    except ImportError as error:
        raise BadInput("local-no-reader") from error
    import numpy as np

    read: Any = RapidOCR(params={"Global.log_level": "critical"})(np.array(image))
    across, down = _PAGE / image.width, _PAGE / image.height
    words = []
    for text, corners in zip(read.txts or (), read.boxes if read.txts else (), strict=True):
        xs, ys = [x * across for x, _ in corners], [y * down for _, y in corners]
        edges = (min(xs), min(ys), max(xs), max(ys))
        words.append((text, [min(max(int(edge), 0), _PAGE) for edge in edges]))
    return words


def _talks(loaded: Loaded) -> bool:
    return bool(getattr(loaded.processor, "chat_template", None))


def _told(loaded: Loaded, image: Any, prompt: str) -> str:
    content = [{"type": "image", "image": image}, {"type": "text", "text": prompt}]
    inputs = loaded.processor.apply_chat_template(
        [{"role": "user", "content": content}],
        add_generation_prompt=True,
        tokenize=True,
        return_dict=True,
        return_tensors="pt",
    )
    return _generated(loaded, inputs, 256, after=inputs["input_ids"].shape[1])


def _seen(loaded: Loaded, image: Any) -> Any:
    prepare = loaded.processor or loaded.image_processor
    return prepare(images=image, return_tensors="pt")


def _generated(loaded: Loaded, inputs: Any, most: int, *, after: int = 0) -> str:
    import torch

    with torch.inference_mode():
        made = loaded.model.generate(
            **inputs.to(loaded.device, loaded.model.dtype), max_new_tokens=most
        )
    words = loaded.tokenizer or loaded.processor
    return str(words.decode(made[0][after:], skip_special_tokens=True)).strip()
