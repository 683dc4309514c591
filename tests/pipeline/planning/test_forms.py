"""The forms that plans come in: whatever the writing, the same steps."""

import html
import json
import re

import pytest

from pipeline.planning.batch import read_row

FORMS = {
    "yaml fenced": """Here is the plan:

```yaml
- id: 1
  task: image-to-text
  args:
    image: "a.jpg"
- id: 2
  task: translation
  dep:
    - 1
  args:
    text: <node-1>
    language: French   # target
- id: 3
  task: text-to-speech
  dep:
    - 2
  args:
    text: '<node-2>'
```""",
    "steps with calls from one": """Step 1: Image-to-Text("a.jpg")
Step 2: Translation(output of step 1, "French")
Step 3: Text-to-Speech(output of step 2)""",
    "python methods": """from tools import *

# describe the picture
caption = image_to_text(
    image="a.jpg",
)
french = translation(caption, target_language="French")["text"]
text_to_speech(french)""",
    "python nested": """text_to_speech(translation(image_to_text("a.jpg"), "French"))""",
    "llama": """[image_to_text(image="a.jpg"), translation(text="<node-0>", language="French"), text_to_speech(text="<node-1>")]""",
    "rewoo": """Plan: Describe the picture.
#E1 = image-to-text[a.jpg]
Plan: Translate it.
#E2 = translation[#E1, French]
Plan: Read it aloud.
#E3 = text-to-speech[#E2]""",
    "arrows": """1. image-to-text(a.jpg) -> caption
2. translation(caption, French) -> french
3. text-to-speech(french) -> speech""",
    "hermes": """<tool_call>
{"name": "image-to-text", "arguments": {"image": "a.jpg"}}
</tool_call>
<tool_call>
{"name": "translation", "arguments": {"text": "<node-0>", "language": "French"}}
</tool_call>
<tool_call>
{"name": "text-to-speech", "arguments": {"text": "<node-1>"}}
</tool_call>""",
    "openai choices": """{"choices": [{"message": {"content": "", "tool_calls": [{"type": "function", "function": {"name": "image_to_text", "arguments": "{\\"image\\": \\"a.jpg\\"}"}}, {"type": "function", "function": {"name": "translation", "arguments": "{\\"text\\": \\"<node-0>\\", \\"language\\": \\"French\\"}"}}, {"type": "function", "function": {"name": "text_to_speech", "arguments": "{\\"text\\": \\"<node-1>\\"}"}}]}}]}""",
    "anthropic": """[{"type": "text", "text": "I will do this."}, {"type": "tool_use", "id": "toolu_1", "name": "image_to_text", "input": {"image": "a.jpg"}}, {"type": "tool_use", "id": "toolu_2", "name": "translation", "input": {"text": "<toolu_1>", "language": "French"}}, {"type": "tool_use", "id": "toolu_3", "name": "text_to_speech", "input": {"text": "<toolu_2>"}}]""",
    "invoke": """<function_calls>
<invoke name="image_to_text">
<parameter name="image">a.jpg</parameter>
</invoke>
<invoke name="translation">
<parameter name="text"><node-0></parameter>
<parameter name="language">French</parameter>
</invoke>
<invoke name="text_to_speech">
<parameter name="text"><node-1></parameter>
</invoke>
</function_calls>""",
    "qwen coder": """<tool_call>
<function=image_to_text>
<parameter=image>
a.jpg
</parameter>
</function>
</tool_call>
<tool_call>
<function=translation>
<parameter=text>
<node-0>
</parameter>
<parameter=language>
French
</parameter>
</function>
</tool_call>
<tool_call>
<function=text_to_speech>
<parameter=text>
<node-1>
</parameter>
</function>
</tool_call>""",
    "llama function": """<function=image_to_text>{"image": "a.jpg"}</function>
<function=translation>{"text": "<node-0>", "language": "French"}</function>
<function=text_to_speech>{"text": "<node-1>"}</function>""",
    "xml": """<plan>
  <task id="0"><name>image-to-text</name><args><image>a.jpg</image></args></task>
  <task id="1"><name>translation</name><args><text>&lt;node-0&gt;</text><language>French</language></args></task>
  <task id="2"><name>text-to-speech</name><args><text>&lt;node-1&gt;</text></args></task>
</plan>""",
    "a fence each": """First I describe it:
```json
{"task": "image-to-text", "id": 0, "dep": [-1], "args": {"image": "a.jpg"}}
```
Then I translate it:
```json
{"task": "translation", "id": 1, "dep": [0], "args": {"text": "<GENERATED>-0", "language": "French"}}
```
Last:
```json
{"task": "text-to-speech", "id": 2, "dep": [1], "args": {"text": "<GENERATED>-1"}}
```""",
    "json5": """{
  // the plan
  tasks: [
    {task: 'image-to-text', id: 0, dep: [-1], args: {image: 'a.jpg',},},
    {task: 'translation', id: 1, dep: [0], args: {text: '<GENERATED>-0', language: 'French',},}, /* then */
    {task: 'text-to-speech', id: 2, dep: [1], args: {text: '<GENERATED>-1',},},
  ],
}""",
    "draft and final": """Draft:
```json
[{"task": "image-to-text", "id": 0, "args": {"image": "a.jpg"}}, {"task": "text-to-speech", "id": 1, "args": {"text": "<GENERATED>-0"}}]
```
Wait, the person wants French. Final plan:
```json
[{"task": "image-to-text", "id": 0, "args": {"image": "a.jpg"}}, {"task": "translation", "id": 1, "args": {"text": "<GENERATED>-0", "language": "French"}}, {"task": "text-to-speech", "id": 2, "args": {"text": "<GENERATED>-1"}}]
```""",
    "think": """<think>
Maybe [{"task": "image-to-text", "id": 0, "args": {"image": "a.jpg"}}] is enough? No.
</think>
[{"task": "image-to-text", "id": 0, "args": {"image": "a.jpg"}}, {"task": "translation", "id": 1, "args": {"text": "<GENERATED>-0", "language": "French"}}, {"task": "text-to-speech", "id": 2, "args": {"text": "<GENERATED>-1"}}]""",
    "names as keys": """{"image-to-text": {"image": "a.jpg"}, "translation": {"text": "<node-0>", "language": "French"}, "text-to-speech": {"text": "<node-1>"}}""",
    "lists": """[["image-to-text", {"image": "a.jpg"}], ["translation", {"text": "<node-0>", "language": "French"}], ["text-to-speech", {"text": "<node-1>"}]]""",
    "nested": """{"plan": {"goal": "read it aloud in French", "steps": [{"tool": "image-to-text", "step": 1, "inputs": {"image": "a.jpg"}}, {"tool": "translation", "step": 2, "inputs": {"text": "<step-1>", "language": "French"}}, {"tool": "text-to-speech", "step": 3, "inputs": {"text": "<step-2>"}}]}}""",
    "inline args": """[{"task": "image-to-text", "id": 0, "image": "a.jpg"}, {"task": "translation", "id": 1, "text": "<GENERATED>-0", "language": "French"}, {"task": "text-to-speech", "id": 2, "text": "<GENERATED>-1"}]""",
    "json in a string": """{"plan": "[{\\"task\\": \\"image-to-text\\", \\"args\\": {\\"image\\": \\"a.jpg\\"}}, {\\"task\\": \\"translation\\", \\"args\\": [\\"<node-0>\\", \\"French\\"]}, {\\"task\\": \\"text-to-speech\\", \\"args\\": [\\"<node-1>\\"]}]"}""",
    "levels": """[[{"task": "image-to-text", "id": 0, "args": {"image": "a.jpg"}}], [{"task": "translation", "id": 1, "args": {"text": "<GENERATED>-0", "language": "French"}}], [{"task": "text-to-speech", "id": 2, "args": {"text": "<GENERATED>-1"}}]]""",
    "markdown": """### Plan

1. **Image-to-Text**
   - **Input:** a.jpg
   - **Output:** a description
2. **Translation**
   - **Input:** output of step 1
   - **Language:** French
3. **Text-to-Speech**
   - **Input:** output of step 2
""",
    "labelled lines": """Task 1: image-to-text
Arguments: a.jpg
Task 2: translation
Arguments: <node-1>, French
Task 3: text-to-speech
Arguments: <node-2>""",
    "react": """Thought: I should describe the picture.
Action: image-to-text
Action Input: a.jpg
Thought: Now translate it.
Action: translation
Action Input: {"text": "<node-0>", "language": "French"}
Thought: Now read it.
Action: text-to-speech
Action Input: <node-1>
Final Answer: done""",
    "list of calls": """["image_to_text('a.jpg')", "translation('<node-0>', 'French')", "text_to_speech('<node-1>')"]""",
    "tools first": """You have the tools ["image-to-text", "translation", "summarization"]. The plan: [{"task": "image-to-text", "id": 0, "args": {"image": "a.jpg"}}, {"task": "translation", "id": 1, "args": {"text": "<GENERATED>-0", "language": "French"}}, {"task": "text-to-speech", "id": 2, "args": {"text": "<GENERATED>-1"}}]""",
    "ids from one refs from zero": """[{"task": "image-to-text", "id": 1, "args": {"image": "a.jpg"}}, {"task": "translation", "id": 2, "args": {"text": "<GENERATED>-0", "language": "French"}}, {"task": "text-to-speech", "id": 3, "args": {"text": "<GENERATED>-1"}}]""",
}
JSON = json.dumps(
    [
        {"task": "image-to-text", "id": 0, "args": {"image": "a.jpg"}},
        {"task": "translation", "id": 1, "args": {"text": "<GENERATED>-0", "language": "French"}},
        {"task": "text-to-speech", "id": 2, "args": {"text": "<GENERATED>-1"}},
    ]
)
WIDE = str.maketrans("[]{}:,", "\uff3b\uff3d\uff5b\uff5d\uff1a\uff0c")
FORMS["full width"] = re.sub('"(.*?)"', "\u201c\\1\u201d", JSON).translate(WIDE)
FORMS["html"] = html.escape(JSON)

STEPS = [
    {"task": "image-to-text", "arguments": ["a.jpg"]},
    {"task": "translation", "arguments": ["<node-0>", "French"]},
    {"task": "text-to-speech", "arguments": ["<node-1>"]},
]
ASKED = "Describe a.jpg, translate it to French and read it aloud."


@pytest.mark.parametrize("form", FORMS)
def test_a_plan_is_read_in_whatever_form_it_is_written(form: str) -> None:
    read = read_row({"id": 1, "user_request": ASKED, "text": FORMS[form]})

    assert (read["task_nodes"], read["error"]) == (STEPS, "")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("{{task0.output}}", "{{task1.output}}"),
        ("${step1}", "$2"),
        ("output of step 1", "the result of task 2"),
        ("#E1", "Step 2 output"),
        ("[step 1]", "@step2"),
        ("outputs[0]", "{{ steps[1].output }}"),
        ("<step_1_output>", "step2.text"),
        ("output of Image Captioning", "translation_output"),
        ("previous output", "the previous step's output"),
        ({"task_id": 0, "output": "text"}, {"ref": "task-1"}),
    ],
)
def test_a_step_is_meant_by_whatever_name(first: object, second: object) -> None:
    plan = [
        {"task": "image-to-text", "args": ["a.jpg"]},
        {"task": "translation", "args": [first, "French"]},
        {"task": "text-to-speech", "args": [second]},
    ]

    assert read_row({"user_request": ASKED, "text": json.dumps(plan)})["task_nodes"] == STEPS


@pytest.mark.parametrize(
    "text",
    [
        "I would first use image-to-text (the captioning model) on a.jpg and read it aloud.",
        "Do you want me to use Translation(s)?\nIt is called so (French).",
        "```python\nimport os\nprint(os.listdir('.'))\n```",
        "Step 1: look at the picture\nStep 2: tell what you see",
        "name: Bob\nage: 5\ncity: Rome",
        "I can do this:\n1. **Translation**: from one language to another\n2. **Summarization**",
        "<html><body><name>Bob</name></body></html>",
    ],
)
def test_what_only_looks_like_a_plan_is_none(text: str) -> None:
    read = read_row({"user_request": ASKED, "text": text})

    assert read["task_nodes"] == []
    assert read["error"] == "No plan could be made: It holds no task and no reply."


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("text_to_speech('say (\\'a, b\\')', language=None)", "say ('a, b')"),
        ('text_to_speech(text="c:\\\\")', "c:\\\\"),
        ("- task: text-to-speech\n  args:\n    text: it's noon\n    language: null", "it's noon"),
        ("Action: text-to-speech\nAction Input: it's noon", "it's noon"),
    ],
)
def test_what_stands_in_quotes_or_lines_is_kept_as_it_is(call: str, said: str) -> None:
    read = read_row({"text": call})

    assert read["task_nodes"] == [{"task": "text-to-speech", "arguments": [said]}]


def test_the_person_s_own_words_are_no_name_of_a_step() -> None:
    said = "It costs $1, the output of step 1."
    plan = [
        {"task": "image-to-text", "args": ["a.jpg"]},
        {"task": "text-to-speech", "args": [said]},
    ]

    read = read_row({"user_request": f"Describe a.jpg and say: {said}", "text": json.dumps(plan)})

    nodes = read["task_nodes"]
    assert isinstance(nodes, list)
    assert nodes[1]["arguments"] == [said]
