// Asks OpenAI and Anthropic, plain and streamed, and prints what it was told.

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

// The packages stand where the tests' own folder of them is, not beside this file.
const require = createRequire(`${process.env.SDKS}/`);
const load = async (name) => (await import(pathToFileURL(require.resolve(name)))).default;
const pick = (module) => module.default ?? module;
const OpenAI = pick(await load("openai"));
const Anthropic = pick(await load("@anthropic-ai/sdk"));

const question = process.env.QUESTION ?? "When does the next train leave?";
const messages = [{ role: "user", content: question }];

const openai = new OpenAI();
const plain = await openai.chat.completions.create({ model: "gpt-4o-mini", messages });
console.log("openai:", plain.choices[0].message.content);
const pieces = [];
for await (const piece of await openai.chat.completions.create({ model: "gpt-4o-mini", messages, stream: true })) {
  if (piece.choices.length) pieces.push(piece.choices[0].delta.content);
}
console.log("openai, streamed:", JSON.stringify(pieces));

const anthropic = new Anthropic();
const asked = { model: "claude-sonnet-4-5", max_tokens: 64, messages };
const message = await anthropic.messages.create(asked);
console.log("anthropic:", message.content[0].text);
const texts = [];
const stream = anthropic.messages.stream(asked);
stream.on("text", (text) => texts.push(text));
await stream.finalMessage();
console.log("anthropic, streamed:", JSON.stringify(texts));
