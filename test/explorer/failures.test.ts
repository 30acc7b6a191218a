import { expect, test } from "vitest";
import { failureIn } from "../../src/explorer/api.ts";

test.each<[what: string, text: string, expected: object]>([
  [
    "an error body",
    JSON.stringify({
      errorCode: "INVALID_SQL",
      message: "column not found",
      metadata: {
        reason: "COLUMN_NOT_FOUND",
        position: { line: 1, column: 8, offset: 8, length: 3 },
        suggestions: ["id"],
        hint: "h",
      },
      correlationId: "c",
    }),
    {
      status: 422,
      code: "INVALID_SQL",
      message: "column not found",
      reason: "COLUMN_NOT_FOUND",
      suggestions: ["id"],
      hint: "h",
      position: { offset: 8, length: 3 },
      correlationId: "c",
    },
  ],
  [
    "a wrong shape",
    '{"detail":[{"msg":"Field required"},{"msg":"Input should be text"}]}',
    { message: "Field required; Input should be text", suggestions: [] },
  ],
  ["a plain detail", '{"detail":"Not Found"}', { message: "Not Found" }],
  ["a page of a proxy", "<html>502</html>", { message: "The service answered with status 422." }],
  ["nothing", "", { message: "The service answered with status 422." }],
  [
    "hostile members",
    '{"message":"m","metadata":{"suggestions":[1,"a"],"position":5,"hint":{}}}',
    { message: "m", suggestions: ["a"] },
  ],
])("%s", (_, text, expected) => {
  expect(failureIn(text, 422)).toMatchObject(expected);
});
