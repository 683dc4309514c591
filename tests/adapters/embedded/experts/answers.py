"""The bare answer in a sentence of an expert."""

from pipeline.domain import LocalizedText


def get_answer(sentence: LocalizedText) -> str:
    """Without the question, the line or the operation; "" for a question that was refused."""
    answer = sentence.args.get("answer", "")
    if isinstance(answer, LocalizedText):
        return get_answer(answer)
    return str(answer)
