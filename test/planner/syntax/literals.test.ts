/** Every notation of strings, numbers and comments: what it stands for, and what is refused. */
import { describe, expect, it } from "vitest";
import { errorOf, expression, printed, printedExpression, query } from "./parsing.ts";

describe("strings", () => {
  it.each<[string, string]>([
    ["'abc'", "abc"],
    ["''", ""],
    ["''''", "'"],
    ["'it''s'", "it's"],
    ["'a\\b'", "a\\b"],
    ["'a\nb'", "a\nb"],
    ["'a'\n'b'", "ab"],
    ["'a'\r\n   'b'\n'c'''", "abc'"],
    ["'a' -- comment\n 'b'", "ab"],
    ["E'a\\'b'", "a'b"],
    ["e'\\\\ \\n\\t\\r\\b\\f\\q'", "\\ \n\t\r\b\fq"],
    ["E'\\x41\\x4a\\x9'", "AJ\t"],
    ["E'\\101\\7'", "A\u0007"],
    ["E'\\u00e9\\U0001F600'", "é😀"],
    ["E'\\ud83d\\ude00'", "😀"],
    ["E'it''s'", "it's"],
    ["E'a'\n'\\n'", "a\n"],
    ["U&'d\\0061t\\+000061'", "data"],
    ["U&'a\\\\b'", "a\\b"],
    ["u&'d!0061!!' UESCAPE '!'", "da!"],
    ["U&'\\d83d\\de00'", "😀"],
    ["N'größe'", "größe"],
    ["$$it's$$", "it's"],
    ["$$$$", ""],
    ["$tag$a $$ b $ tag$tag$", "a $$ b $ tag"],
    ["'😀'", "😀"],
  ])("%s", (text, value) => {
    const tree = expression(text);
    expect(tree).toMatchObject({ kind: "string", value });
    expect(tree.span).toEqual({ start: 0, end: text.length });
    expect(expression(printedExpression(tree))).toMatchObject({ kind: "string", value });
  });

  it.each<[string, string]>([
    ["'abc", "the string is not closed"],
    ["E'abc\\'", "the string is not closed"],
    ["$$abc$", "the string is not closed"],
    ["$a$abc$b$", "the string is not closed"],
    ["U&'abc", "the string is not closed"],
    ["'a' 'b'", "expected the end of the expression, found ''b''"],
    ["E'\\u12'", "a Unicode escape needs 4 hexadecimal digits"],
    ["E'\\U00110000'", "a Unicode escape beyond 10FFFF"],
    ["E'\\ud83d'", "half of a surrogate pair"],
    ["E'\\ud83dx'", "half of a surrogate pair"],
    ["E'\\xff'", "a byte above 7F in an escape"],
    ["E'\\377'", "a byte above 7F in an escape"],
    ["E'a\\0b'", "a string with the character NUL"],
    ["U&'\\0000'", "a string with the character NUL"],
    ["U&'\\00'", "a Unicode escape needs 4 hexadecimal digits"],
    ["U&'a' UESCAPE 'b'", "'b' cannot be the escape character"],
    ["'a\0b'", "a string with the character NUL"],
    ["'a\ud800b'", "a string with half of a surrogate pair"],
    ["'a\udc00'", "a string with half of a surrogate pair"],
    ["$$\0$$", "a string with the character NUL"],
  ])("%j is refused", (text, message) => {
    const error = errorOf(() => expression(text));
    expect(error.reason).toBe("SYNTAX");
    expect(error.message).toBe(message);
  });
});

describe("numbers", () => {
  it.each<[string, string]>([
    ["0", "0"],
    ["42", "42"],
    ["1.", "1."],
    [".5", ".5"],
    ["1.50", "1.50"],
    ["1e3", "1e3"],
    ["1.5E-3", "1.5E-3"],
    [".5e+10", ".5e+10"],
    ["1.e5", "1.e5"],
    ["1_000_000", "1000000"],
    ["1_000.000_1", "1000.0001"],
    ["0x1F", "31"],
    ["0X_ff_FF", "65535"],
    ["0o17", "15"],
    ["0b1010", "10"],
    ["0xFFFFFFFFFFFFFFFFFFFFFFFF", "79228162514264337593543950335"],
    ["123456789012345678901234567890.123456789", "123456789012345678901234567890.123456789"],
  ])("%s", (text, digits) => {
    const tree = expression(text);
    expect(tree).toMatchObject({ kind: "number", text: digits });
    expect(printedExpression(tree)).toBe(digits);
  });

  it.each(["1abc", "1e", "1_", "1__0", "0x", "0xg", "0b2", "0o8", "1.5x", "1é", "0x1.5", "1e5_"])(
    "%s is refused",
    (text) => {
      expect(errorOf(() => expression(text)).reason).toBe("SYNTAX");
    },
  );

  it("refuses a hexadecimal number longer than any source can store", () => {
    expect(errorOf(() => expression(`0x${"f".repeat(300)}`)).message).toBe("a number of more than 256 characters");
  });
});

describe("bit strings", () => {
  it.each<[string, 2 | 16, string]>([
    ["X'1F'", 16, "1F"],
    ["x''", 16, ""],
    ["B'0101'", 2, "0101"],
  ])("%s", (text, base, digits) => {
    expect(expression(text)).toMatchObject({ kind: "bits", base, digits });
    expect(expression(printedExpression(expression(text)))).toMatchObject({ kind: "bits", base, digits });
  });

  it.each(["X'1G'", "B'012'", "X'1"])("%s is refused", (text) => {
    expect(errorOf(() => expression(text)).reason).toBe("SYNTAX");
  });
});

describe("comments and blanks", () => {
  it.each<[string, string]>([
    ["SELECT 1 -- end", "SELECT 1"],
    ["-- start\r\nSELECT 1", "SELECT 1"],
    ["SELECT/**/1", "SELECT 1"],
    ["SELECT 1 /* a /* b */ c */ + 2", "SELECT 1 + 2"],
    ["SELECT 1 --/* \n + 2", "SELECT 1 + 2"],
    ["SELECT '/* no */' || '--no'", "SELECT '/* no */' || '--no'"],
    ["SELECT 1+--\n2", "SELECT 1 + 2"],
    ["SELECT 1/*x*//2", "SELECT 1 / 2"],
    ["\ufeffSELECT\u00a01\u3000+\u20092", "SELECT 1 + 2"],
    ["SELECT\t1\f+\v2\r", "SELECT 1 + 2"],
  ])("%j", (text, expected) => {
    expect(printed(query(text))).toBe(expected);
  });
});

describe("operators without blanks", () => {
  it.each<[string, string]>([
    ["a=-1", "a = -1"],
    ["a<-1", "a < -1"],
    ["a>=-1", "a >= -1"],
    ["a||-b", "a || -b"],
    ["a->-1", "a -> -1"],
    ["a->>'b'", "a ->> 'b'"],
    ["a@>b", "a @> b"],
    ["a<@b", "a <@ b"],
    ["a?b", "a ? b"],
    ["a!=b", "a <> b"],
    ["a!~*b", "a !~* b"],
    ["a--b\n", "a"],
    ["a-/**/-b", "a - -b"],
    ["1+-+1", "1 + -(+1)"],
    ["a*-b", "a * -b"],
    ["a[1:2]", "a[1:2]"],
    ["a::int::text", "CAST(CAST(a AS INT) AS TEXT)"],
  ])("%s", (text, expected) => {
    expect(printedExpression(expression(text))).toBe(expected);
  });

  it.each([
    "a =~ b",
    "a <=> b",
    "a == b",
    "a ===b",
    "a ~~~ b",
    "a @@ b",
    "a !b",
    "a <-> b",
    "a +* b",
    "a |/ b",
    "a ||/ b",
  ])("%s is no operator", (text) => {
    expect(errorOf(() => expression(text)).reason).toBe("SYNTAX");
  });
});
