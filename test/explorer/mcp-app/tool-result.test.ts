/** Results of tools, as hosts pass them on. */
import { describe, expect, test } from "vitest";
import { questionOf, type Shown, shownResult } from "../../../src/explorer/mcp-app/tool-result.ts";

const content = [{ type: "text", text: "1 row, complete." }];

describe("a result", () => {
  test.each<[what: string, result: unknown, shown: object]>([
    [
      "of rows",
      {
        content,
        structuredContent: {
          columns: [{ name: "n", type: "int32" }],
          rows: [[1]],
          truncated: true,
          warnings: [
            { code: "A", message: "B", hint: "C" },
            { code: "MORE", count: 3 },
          ],
          rowRules: "fenced",
          queryId: "q",
        },
      },
      {
        kind: "answer",
        answer: {
          columns: [{ name: "n", type: "int32" }],
          rows: [[1]],
          count: 1,
          isCut: true,
          notes: {
            rowRules: "fenced",
            correlationId: "q",
            warnings: [
              { code: "A", message: "B", hint: "C" },
              { code: "MORE", message: "3 further warnings." },
            ],
          },
        },
      },
    ],
    [
      "that failed",
      {
        isError: true,
        content: [{ type: "text", text: "No column x." }],
        structuredContent: { error: { errorCode: "E" } },
      },
      { kind: "failed", failure: { code: "E", message: "No column x." } },
    ],
    ["without structure", { content }, { kind: "text", text: "1 row, complete." }],
    ["that is nothing", undefined, { kind: "text", text: "" }],
    ["of wrong types", { content: 7, structuredContent: { columns: [null], rows: [7] } }, { kind: "answer" }],
  ])("%s", (_, result, shown) => {
    expect(shownResult(result)).toMatchObject(shown satisfies object as Shown);
  });
});

test.each([
  [{ sql: "SELECT 1" }, "SELECT 1"],
  [{ cube: "c", measures: ["m"] }, '{\n  "cube": "c",\n  "measures": [\n    "m"\n  ]\n}'],
  [undefined, undefined],
  [{}, undefined],
])("the question of %j is %j", (given, question) => {
  expect(questionOf(given)).toBe(question);
});
