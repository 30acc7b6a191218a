import { describe, expect, it } from "vitest";
import { headerText } from "../../src/guard/header-text.ts";

const bytes = (text: string): string => Buffer.from(text, "utf8").toString("latin1");

describe("the text of a header", () => {
  it.each(["", "plain", "'Zürich'", "東京", "😀", "Ã©"])("%j arrives as UTF-8 bytes on a platform of bytes", (text) => {
    expect(headerText(bytes(text), "bytes")).toBe(text);
  });

  it.each(["", "plain", "'Zürich'", "東京", "😀", "Ã©"])("%j arrives as it is on a platform that decodes", (text) => {
    expect(headerText(text, "text")).toBe(text);
  });

  it.each([
    ["a byte that is no UTF-8", "a\u00e9", "bytes"],
    ["an encoded surrogate", "\u00ed\u00a0\u0080", "bytes"],
    ["an overlong form", "\u00c0\u00af", "bytes"],
    ["U+FFFD in bytes", bytes("a\uFFFD"), "bytes"],
    ["U+FFFD, which is what the platform made of a wrong byte", "a\uFFFD", "text"],
  ] as const)("%s is no text", (_what, raw, headersAre) => {
    expect(headerText(raw, headersAre)).toBeUndefined();
  });

  it("Node is a platform of bytes", () => {
    const headers = new Headers({ x: bytes("é") });
    expect(headerText(headers.get("x") ?? "", "bytes")).toBe("é");
  });
});
