import { expect, test } from "vitest";
import { wholeArrow, wholeCsv } from "../../src/explorer/whole-file.ts";

test.each([
  ["a,b\r\n1,ä\r\n# end: 1 rows\r\n", "a,b\r\n1,ä\r\n"],
  ["a\r\n# end: 0 rows\r\n", "a\r\n"],
  ["a\r\n1\r\n", undefined],
  ['a\r\n1,"broken off', undefined],
  ['a\r\n"# end: 1 rows"\r\n', undefined],
  ["", undefined],
])("CSV %j", async (text, whole) => {
  expect(await (await wholeCsv(new Blob([text])))?.text()).toBe(whole);
});

test.each([
  [[1, 2, 255, 255, 255, 255, 0, 0, 0, 0], true],
  [[255, 255, 255, 255, 0, 0, 0], false],
  [[255, 255, 255, 255, 0, 0, 0, 1], false],
  [[], false],
])("Arrow %j is whole: %s", async (bytes, isWhole) => {
  expect((await wholeArrow(new Blob([new Uint8Array(bytes)]))) !== undefined).toBe(isWhole);
});
