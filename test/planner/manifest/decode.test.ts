import { describe, expect, test } from "vitest";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import { decodeManifestText } from "../../../src/planner/manifest/decode.ts";

const LIMIT = 1024 * 1024;
const base64 = (text: string): string => Buffer.from(text).toString("base64");

function failure(text: string, limit = LIMIT): PlannerError {
  try {
    decodeManifestText(text, limit);
  } catch (error) {
    if (error instanceof PlannerError) return error;
    throw error;
  }
  throw new Error("accepted");
}

describe("texts that are accepted", () => {
  const value = { text: '\\" {[ \\\\', more: "\\", brackets: "[".repeat(100), catalog: "ä€😀", models: [1, "x"] };
  const text = JSON.stringify(value);
  test.each([
    ["standard alphabet", base64(text)],
    ["URL-safe alphabet", Buffer.from(text).toString("base64url")],
    ["without padding", base64(text).replace(/=+$/, "")],
    ["with line breaks", base64(text).replace(/(.{20})/g, "$1\n")],
    ["with a byte order mark", base64(`\ufeff${text}`)],
  ])("%s", (_name, encoded) => {
    expect(decodeManifestText(encoded, LIMIT)).toEqual(value);
  });
});

test.each([
  ["ASCII", "x"],
  ["two bytes", "ä"],
  ["three bytes", "€"],
  ["four bytes", "😀"],
  ["mixed", "aä€😀"],
])("a text longer than a chunk: %s", (_name, character) => {
  for (const before of ["", "a", "ab", "abc"]) {
    const value = before + character.repeat(20_000);
    expect(decodeManifestText(base64(JSON.stringify(value)), LIMIT)).toBe(value);
    expect(decodeManifestText(`\n${base64(JSON.stringify(value))}`, LIMIT)).toBe(value);
  }
});

describe("texts that are refused", () => {
  test.each([
    ["a foreign symbol", "{}", "MANIFEST_BASE64", /Invalid symbol 123, offset 0/],
    ["a cut-off text", "e30a1", "MANIFEST_BASE64", /Invalid padding/],
    ["symbols after the padding", "e30=e30=", "MANIFEST_BASE64", /Invalid symbol/],
    ["bytes that are not UTF-8", Buffer.from([0xff, 0xfe]).toString("base64"), "MANIFEST_BASE64", /UTF-8/],
    ["an overlong form", Buffer.from([0xc0, 0xaf]).toString("base64"), "MANIFEST_BASE64", /UTF-8/],
    ["half a surrogate pair", Buffer.from([0xed, 0xa0, 0x80]).toString("base64"), "MANIFEST_BASE64", /UTF-8/],
    ["no JSON", base64("models: []"), "MANIFEST_JSON", /^Serde JSON error: /],
    ["nothing", "", "MANIFEST_JSON", /^Serde JSON error: /],
    ["a symbol after white space and padding", "e30= \n A", "MANIFEST_BASE64", /Invalid symbol 65, offset 7/],
    ["a symbol that a URL-safe text leaves out", "e30*e30-", "MANIFEST_BASE64", /Invalid symbol 42, offset 3/],
    ["deep nesting", base64("[".repeat(10_000)), "MANIFEST_JSON", /nested deeper/],
  ])("%s", (_name, encoded, reason, message) => {
    const error = failure(encoded);
    expect(error.reason).toBe(reason);
    expect(error.message).toMatch(message);
  });

  test("a manifest over the limit", () => {
    expect(failure(base64(`"${"x".repeat(5000)}"`), 4096).reason).toBe("LIMIT_SIZE");
  });
});

describe("names that an object repeats", () => {
  test.each([
    ["of the manifest", '{"models":[],"models":[]}', "models"],
    [
      "a rule behind which none follows",
      '{"models":[{"rowLevelAccessControls":[1],"rowLevelAccessControls":[]}]}',
      "rowLevelAccessControls",
    ],
    ["in escapes", '{"isHidden":true,"is\\u0048idden":false}', "isHidden"],
    ["with white space and braces in texts", '{"a" : "}{\\"" ,\n"b":[{"c":1}], "a"\t:2}', "a"],
    ["names of prototypes", '{"__proto__":1,"__proto__":2}', "__proto__"],
    ["behind annotations", '{"properties":{"a":{"b":1}},"b":1,"b":2}', "b"],
  ])("%s are refused", (_name, text, name) => {
    const error = failure(base64(text));
    expect([error.reason, error.message]).toEqual(["MANIFEST_JSON", `Serde JSON error: duplicate field \`${name}\``]);
  });

  test.each([
    ["in different objects", '{"a":{"a":1},"b":[{"a":1},{"a":2}]}'],
    ["as values", '{"a":"b","b":"a","c":["a","a"]}'],
    ["in annotations", '{"properties":{"a":1,"a":2,"b":[{"c":1,"c":2}]}}'],
  ])("%s are accepted", (_name, text) => {
    expect(decodeManifestText(base64(text), LIMIT)).toEqual(JSON.parse(text));
  });
});
