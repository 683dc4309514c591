"""What a chat model is told to do, for each kind of task that it can do."""

from collections.abc import Mapping

CHAT_TASKS: Mapping[str, str] = {
    "text-classification": "Classify the sentiment of the text.",
    "token-classification": (
        "Find the names of persons (PER), organisations (ORG), places (LOC) and others (MISC) in "
        "the text, word for word."
    ),
    "text2text-generation": "Rewrite the text as it asks. Give only the result.",
    "summarization": "Summarise the text in its own language. Give only the summary.",
    "translation": "Translate the text into the language given. Give only the result.",
    "question-answering": "Answer the question from the context alone, briefly.",
    "table-question-answering": "Answer the question from the table alone, briefly.",
    "conversational": "Go on with the conversation.",
    "text-generation": "Write what is asked for. Give only the text.",
    "fill-mask": "Name five words that fit the gap in the text.",
    "zero-shot-classification": "Say how well each of the labels fits the text.",
    "image-to-text": "Describe the picture in one or two sentences.",
    "visual-question-answering": "Answer the question about the picture, briefly.",
    "image-classification": "Classify what the picture shows, five classes at most.",
    "zero-shot-image-classification": "Say how well each of the labels fits the picture.",
    "optical-character-recognition": (
        "Write down the text in the picture, word for word and line for line. Give only the text."
    ),
    "document-question-answering": "Answer the question from the document alone, briefly.",
}
