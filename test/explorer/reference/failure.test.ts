import { expect, test } from "vitest";
import { shownFailure } from "../../../src/explorer/reference/failure.ts";

test("a failure has its reason, the place in the SQL, the hint and near names", () => {
  const body = {
    errorCode: "NOT_FOUND",
    message: "No column nam.",
    metadata: {
      reason: "UNKNOWN_COLUMN",
      hint: "Use name.",
      suggestions: ["name"],
      position: { line: 2, column: 3, offset: 10, length: 3 },
    },
  };
  expect(shownFailure(422, JSON.stringify(body), "SELECT\n  nam", "7")).toEqual({
    title: "NOT_FOUND",
    message: "No column nam.",
    reason: "UNKNOWN_COLUMN",
    excerpt: "line 2, column 3\n  nam\n  ^^^",
    hint: "Use name.",
    suggestions: ["name"],
    problems: [],
    retryAfter: "7",
  });
});

test("problems of a request's shape name the member", () => {
  const body = { detail: [{ type: "missing", loc: ["body", "sql"], msg: "Field required" }] };
  expect(shownFailure(422, JSON.stringify(body), undefined, undefined)).toMatchObject({
    problems: [{ at: "body.sql", message: "Field required" }],
  });
});

test("an answer that is no JSON has its status", () => {
  expect(shownFailure(502, "<h1>Bad gateway</h1>", undefined, undefined)).toMatchObject({
    title: "HTTP_502",
    message: "The service answered with status 502.",
    problems: [],
  });
});
