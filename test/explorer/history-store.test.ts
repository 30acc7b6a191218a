import { expect, test } from "vitest";
import { entriesIn } from "../../src/explorer/history-store.ts";

test.each([
  [null, []],
  ["", []],
  ["{", []],
  ["7", []],
  ['[null, 7, {"project": 1, "hash": "#sql=SELECT+1"}, {"project": "a"}, {"project": "a", "hash": "#x=1"}]', []],
  [
    '[{"project": "a", "hash": "#sql=SELECT+1", "rows": [[7]]}]',
    [{ project: "a", question: { kind: "sql", sql: "SELECT 1" } }],
  ],
])("%j holds the questions %j", (text, entries) => {
  expect(entriesIn(text)).toEqual(entries);
});

test("no more than fifty questions are read", () => {
  const entries = Array.from({ length: 60 }, (_, place) => ({ project: "a", hash: `#sql=SELECT+${place}` }));
  expect(entriesIn(JSON.stringify(entries)).length).toBe(50);
});
