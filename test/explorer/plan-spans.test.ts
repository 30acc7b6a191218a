import { expect, test } from "vitest";
import { isSame, type Piece, questionPieces, sourcePieces } from "../../src/explorer/plan-spans.ts";

const QUESTION = "SELECT a + b FROM t";
const SOURCE = "SELECT x.a + x.b FROM phys AS x";
const ORIGINS = [0, 0, 19, 7, 7, 8, 10, 7, 12, 13, 11, 12, 16, 0, 19, 22, 18, 19];

const texts = (pieces: readonly Piece[], question: string) =>
  pieces.map(({ text, span }) => [text, span && question.slice(span.start, span.end)]);

test("parts of the source's SQL name what they come from, and those of the question their shortest span", () => {
  const right = sourcePieces(SOURCE, ORIGINS, QUESTION);
  expect(texts(right, QUESTION)).toEqual([
    ["SELECT ", undefined],
    ["x.a", "a"],
    [" + ", "a + b"],
    ["x.b", "b"],
    [" FROM ", undefined],
    ["phys AS x", "t"],
  ]);
  expect(texts(questionPieces(QUESTION, right), QUESTION)).toEqual([
    ["SELECT ", undefined],
    ["a", "a"],
    [" + ", "a + b"],
    ["b", "b"],
    [" FROM ", undefined],
    ["t", "t"],
  ]);
});

test.each<[origins: readonly number[]]>([[[]], [[0, 5, 4]], [[3, 0, 999]], [[99, 0, 1]], [[4]]])(
  "with the origins %j no text is lost",
  (origins) => {
    const right = sourcePieces(SOURCE, origins, QUESTION);
    expect(right.map(({ text }) => text).join("")).toBe(SOURCE);
    expect(
      questionPieces(QUESTION, right)
        .map(({ text }) => text)
        .join(""),
    ).toBe(QUESTION);
    expect(isSame(right[0]?.span, right[0]?.span)).toBe(false);
  },
);
