/** The request of a form, and the command that sends the same. */
import { describe, expect, test } from "vitest";
import type { Operation } from "../../../src/explorer/reference/document.ts";
import { type Choice, type Field, keyOf } from "../../../src/explorer/reference/fields.ts";
import { curlOf, type FormState, isSendable, requestOf } from "../../../src/explorer/reference/request.ts";

const operation: Operation = {
  id: "x",
  method: "POST",
  path: "/v3/{name}/query",
  summary: "",
  isDeprecated: false,
  parameters: [],
  answers: [],
  body: { schema: {} },
};
const field = (place: Field["in"], name: string, more: Partial<Field> = {}): Field => ({
  key: keyOf(place, ...(more.within ?? []), name),
  name,
  in: place,
  within: [],
  kind: { kind: "line" },
  isRequired: false,
  description: "",
  ...more,
});
const connection: Choice = {
  name: "connectionInfo",
  description: "",
  isRequired: false,
  forms: [
    { title: "Fields", fields: [field("body", "host", { within: ["connectionInfo"], isRequired: true })] },
    { title: "A URL", fields: [field("body", "url", { within: ["connectionInfo"] })] },
  ],
};
const fields = [
  field("path", "name", { isRequired: true }),
  field("query", "limit", { kind: { kind: "number", whole: true } }),
  field("header", "x-wren-variable-{name}", { kind: { kind: "headers" } }),
  field("body", "sql", { isRequired: true, kind: { kind: "lines" } }),
  connection,
];
const formOf = (texts: FormState["texts"], chosen: FormState["chosen"] = {}): FormState => ({
  fields,
  texts,
  chosen,
  accept: "application/json",
});
const TEXTS = { "path:name": "a/b", "body:sql": "SELECT 'x'" };

describe("the request", () => {
  test("has path, query, headers and body", () => {
    const texts = { ...TEXTS, "query:limit": "5", "header:x-wren-variable-{name}": "tenant: 'acme'\nuser=7" };
    expect(requestOf(operation, formOf(texts))).toEqual({
      request: {
        method: "POST",
        target: "/v3/a%2Fb/query?limit=5",
        headers: [
          ["Accept", "application/json"],
          ["x-wren-variable-tenant", "'acme'"],
          ["x-wren-variable-user", "7"],
          ["Content-Type", "application/json"],
        ],
        body: { sql: "SELECT 'x'" },
      },
    });
  });

  test.each<[what: string, texts: FormState["texts"], chosen: FormState["chosen"], connection: unknown]>([
    ["the first form", { "body:connectionInfo.host": "h" }, {}, { host: "h" }],
    ["another form", { "body:connectionInfo.url": "u" }, { connectionInfo: 1 }, { url: "u" }],
    ["texts of a form that is not chosen", { "body:connectionInfo.url": "u" }, {}, undefined],
  ])("an object has the members of %s", (_, texts, chosen, expected) => {
    const made = requestOf(operation, formOf({ ...TEXTS, ...texts }, chosen));
    expect("request" in made && made.request.body?.["connectionInfo"]).toEqual(expected);
  });

  test("says each problem by its field", () => {
    expect(requestOf(operation, formOf({ "query:limit": "x" }))).toEqual({
      problems: {
        "path:name": "A value is required.",
        "query:limit": "The value must be a whole number.",
        "body:sql": "A value is required.",
      },
    });
  });
});

test.each([
  ["GET", true, false],
  ["GET", false, true],
  ["POST", true, true],
])("%s with a body (%s) can be sent by a browser: %s", (method, hasBody, expected) => {
  const { body, ...rest } = operation;
  expect(isSendable({ ...rest, method, ...(hasBody && body && { body }) })).toBe(expected);
});

test("the command quotes for a shell and names no credential", () => {
  const made = requestOf(operation, formOf(TEXTS));
  if ("problems" in made) throw new Error("The form has a problem.");
  expect(curlOf(made.request, { origin: "http://h", hasToken: true }).split(" \\\n  ")).toEqual([
    "curl -s 'http://h/v3/a%2Fb/query'",
    `-H "Authorization: Bearer $SISKIN_TOKEN"`,
    "-H 'Accept: application/json'",
    "-H 'Content-Type: application/json'",
    `-d '{"sql":"SELECT '\\''x'\\''"}'`,
  ]);
});
