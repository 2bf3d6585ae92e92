"""Asks OpenAI and Anthropic, plain and streamed, and prints what it was told."""

import os

from anthropic import Anthropic
from openai import OpenAI

question = os.environ.get("QUESTION", "When does the next train leave?")
messages = [{"role": "user", "content": question}]

openai = OpenAI()
plain = openai.chat.completions.create(model="gpt-4o-mini", messages=messages)
print("openai:", plain.choices[0].message.content)
pieces = openai.chat.completions.create(model="gpt-4o-mini", messages=messages, stream=True)
print("openai, streamed:", [piece.choices[0].delta.content for piece in pieces if piece.choices])

anthropic = Anthropic()
plain = anthropic.messages.create(model="claude-sonnet-4-5", max_tokens=64, messages=messages)
print("anthropic:", plain.content[0].text)
with anthropic.messages.stream(model="claude-sonnet-4-5", max_tokens=64, messages=messages) as stream:
    print("anthropic, streamed:", list(stream.text_stream))
