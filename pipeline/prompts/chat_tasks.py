"""What a chat model is told to do, for each kind of task that it can do."""

from collections.abc import Mapping

CHAT_TASKS: Mapping[str, str] = {
    "text-classification": "Classify the sentiment of the text.",
    "token-classification": (
        "Find the names of persons (PER), organisations (ORG), places (LOC) and others (MISC) in "
        "the text, word for word."
    ),
    "text2text-generation": (
        "Rewrite the text as told, in its own language if no other is named. Give only the result."
    ),
    "summarization": "Summarise the text in its own language. Give only the summary.",
    "translation": "Translate the text into the language given. Give only the result.",
    "question-answering": (
        "Answer the question from the context alone, in the question's language, briefly."
    ),
    "table-question-answering": (
        "Write one DuckDB SELECT statement whose result answers the question. Use only the tables "
        "described, and write every column's name in double quotes, exactly as it stands there. "
        "Compare texts without regard to case unless the question does; leave rows of totals out; "
        "return only the columns that the answer needs, under short names in the question's "
        'language. If the tables do not hold the answer, "sql" is "". Answer in JSON: {"sql": "…"}.'
    ),
    "conversational": "Go on with the conversation, in its language.",
    "text-generation": (
        "Write what is asked for, in the language of the order if no other is named. "
        "Give only the text."
    ),
    "fill-mask": "Name five words of the text's language that fit its gap.",
    "zero-shot-classification": "Say how well each of the labels fits the text.",
    "image-to-text": "Describe the picture in one or two sentences.",
    "visual-question-answering": (
        "Answer the question about the picture, in its language, briefly."
    ),
    "image-classification": "Classify what the picture shows, five classes at most.",
    "zero-shot-image-classification": "Say how well each of the labels fits the picture.",
    "optical-character-recognition": (
        "Write down the text in the picture, word for word and line for line. Give only the text."
    ),
    "document-question-answering": (
        "Answer the question from the document alone, in the question's language, briefly."
    ),
}

ORDERS = frozenset({"text2text-generation", "conversational", "text-generation"})
"""The kinds whose text tells the model what to do, so that it is no mere data."""
DESCRIPTIONS = frozenset({"image-to-text", "image-classification"})
"""The kinds that write words of their own about a picture, which has no language."""
