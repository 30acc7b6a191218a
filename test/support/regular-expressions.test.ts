import { describe, expect, it } from "vitest";
import { ambiguityOf } from "./regular-expressions/ambiguity.ts";
import { tokensOf } from "./regular-expressions/find.ts";

describe("an expression", () => {
  it.each<[source: string, flags: string, growth: "exponential" | "polynomial" | undefined]>([
    ["^(?:a|a)*b", "", "exponential"],
    ["^(?:a*)*b", "", "exponential"],
    ["^(?:a+)+$", "", "exponential"],
    ["^(?:a?b?)*c", "", "exponential"],
    ["^(?:\\w+\\s?)*$", "", "exponential"],
    ["^(?:\\s|/\\*[\\s\\S]*?\\*/)*x", "", "exponential"],
    ["^(?:[-+]?(?:\\d+\\.?\\d*)[YMD])*$", "", "exponential"],
    ["^(?:K|\\w)*$", "iu", "exponential"],
    ["^a*a*b", "", "polynomial"],
    ["^\\d+\\.?\\d*$", "", "polynomial"],
    ["^a{1,100}a{1,100}b", "", "polynomial"],
    // A search begins anew at each letter.
    ["\\s+$", "", "polynomial"],
    ["\\s+$", "y", undefined],
    ["^\\s+$", "", undefined],
    ["(?<!\\s)\\s+$", "", undefined],
    ["<a>.*?</a>", "s", "polynomial"],
    ["<a>[^<]*</a>", "", undefined],
    ["\\(.*?\\)", "", "polynomial"],
    ["\\([^()]*\\)", "", undefined],
    ["^\\s*x", "m", "polynomial"],
    ["^[^\\S\\n\\r\\u2028\\u2029]*x", "m", undefined],
    ["\\b\\w+\\s*\\(", "", undefined],
    ["\\w+\\s*\\(", "", "polynomial"],
    // A look reads as far as what stands there.
    ["a(?=.*x)", "g", "polynomial"],
    ["^a(?=.*x)", "", undefined],
    ["(?<=\\bWHERE )(?:\\w+\\.)*x", "", undefined],
    // Where nothing can fail behind a repetition, nothing is tried again.
    ["\\s+", "g", undefined],
    ["'(?:[^']|'')*'", "g", undefined],
    ["(?:a|a)*", "", undefined],
    ["[eE].*$", "", "polynomial"],
    ["[eE].*", "", undefined],
    ["^(?:\\d{1,3}\\.){3}\\d{1,3}$", "", undefined],
  ])("/%s/%s: %s", (source, flags, growth) => {
    expect(ambiguityOf(source, flags)?.growth).toBe(growth);
  });
});

describe("expressions of a source text", () => {
  it.each<[text: string, found: string[]]>([
    ["const a = b / c / d;", []],
    ["const a = /b/g.exec(c);", ["/b/g"]],
    ["return /[/\"']/;", ["/[/\"']/"]],
    ["f(/a/, b / 2, /c/u)", ["/a/", "/c/u"]],
    ["const a = `x$".concat("{b / 2}y$", "{/c/.test(d)}/e/`;"), ["/c/"]],
    ["// /a/\n/* /b/ */ '/c/'; x", []],
    ["(a) / 2 / b", []],
  ])("%s", (text, found) => {
    expect(
      tokensOf(text)
        .filter(({ kind }) => kind === "expression")
        .map((token) => token.text),
    ).toEqual(found);
  });
});
