import { expect, test } from "vitest";
import { UNSUPPORTED } from "../../../../src/planner/lowering/templates/unsupported.ts";

const SAID = Object.entries<{ readonly refused: string; readonly hint?: string }>(UNSUPPORTED);

test("each construct with its hint has one name", () => {
  const texts = SAID.map(([, { refused, hint }]) => `${refused} ${hint ?? ""}`);
  expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
});

test("a construct completes 'not supported on MySQL: …', and a hint is a sentence", () => {
  for (const [name, { refused, hint = "Write it." }] of SAID) {
    expect([name, refused]).toEqual([name, expect.not.stringMatching(/^(this|such)\b|[.:]$/)]);
    expect([name, hint]).toEqual([name, expect.stringMatching(/^[A-Z].*[.]$/)]);
  }
});
