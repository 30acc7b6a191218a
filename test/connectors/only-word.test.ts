import { expect, it } from "vitest";
import { onlyWordIn } from "../../src/connectors/only-word.ts";

it.each<[text: string, word: string, at: number | undefined]>([
  ["SELECT price FROM t", "price", 7],
  ["SELECT PRICE FROM t", "price", 7],
  ["SELECT price, price FROM t", "price", undefined],
  ["SELECT prices, price FROM t", "price", 15],
  ["SELECT [unit price] FROM t", "unit price", 8],
  ["SELECT `单价` FROM t", "单价", 8],
  ["SELECT `单价格` FROM t", "单价", undefined],
  ["SELECT a-b FROM t", "-", 8],
  ["SELECT @a, a FROM t", "a", 11],
  ["SELECT a😀 FROM t", "a", undefined],
  ["SELECT İ, price FROM t", "price", undefined],
  ["SELECT 1", "price", undefined],
  ["SELECT 1", "", undefined],
  ["a".repeat(1000), "a".repeat(300), undefined],
])("%s has %s at %s", (text, word, at) => {
  expect(onlyWordIn(text, word)).toBe(at);
});
