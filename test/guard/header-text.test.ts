import { describe, expect, it } from "vitest";
import { headerText } from "../../src/guard/header-text.ts";

const bytes = (text: string): string => Buffer.from(text, "utf8").toString("latin1");

describe("the text of a header", () => {
  it.each(["", "plain", "'Zürich'", "東京", "😀", "Ã©"])("%j arrives as UTF-8 bytes on a platform of bytes", (text) => {
    expect(headerText(bytes(text), false)).toBe(text);
  });

  it.each(["", "plain", "'Zürich'", "東京", "😀", "Ã©"])("%j arrives as it is on a platform that decodes", (text) => {
    expect(headerText(text, true)).toBe(text);
  });

  it.each([
    ["a byte that is no UTF-8", "a\u00e9", false],
    ["an encoded surrogate", "\u00ed\u00a0\u0080", false],
    ["an overlong form", "\u00c0\u00af", false],
    ["U+FFFD in bytes", bytes("a\uFFFD"), false],
    ["U+FFFD, which is what the platform made of a wrong byte", "a\uFFFD", true],
  ])("%s is no text", (_what, raw, decoded) => {
    expect(headerText(raw, decoded)).toBeUndefined();
  });

  it("Node is a platform of bytes", () => {
    const headers = new Headers({ x: bytes("é") });
    expect(headerText(headers.get("x") ?? "")).toBe("é");
  });
});
