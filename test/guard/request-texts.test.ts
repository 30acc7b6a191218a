import { expect, test } from "vitest";
import { requestTexts } from "../../src/guard/request-texts.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

test.each<[string, unknown, string]>([
  ["a text", "SELECT 1", "SELECT 1"],
  ["a number", 123456, "123456"],
  ["a value at any depth", { a: [{ b: "hunter2" }] }, "hunter2"],
  ["the name of a member", { hunter2: null }, "hunter2"],
  ["a text of a manifest", { manifestStr: base64('{"e":"hunter2"}') }, "hunter2"],
  ["a text of a manifest in base64 for addresses", base64('{"e":"???>>>"}').replaceAll("/", "_"), "???>>>"],
  ["a text of a manifest without its escapes", base64('{"e":"a\\"b\\u0063"}'), 'a"bc'],
  ["a text of a manifest that is not ASCII", base64('{"e":"prix é"}'), "prix é"],
])("%s is among the texts of a request", (_, value, text) => {
  expect(requestTexts([value])).toContain(text);
});

test.each([[undefined], [null], [true], [[]], [base64("[".repeat(100_000))]])("%j is no fault", (value) => {
  expect(typeof requestTexts([value])).toBe("string");
});
