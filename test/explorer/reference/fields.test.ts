/** Fields of all kinds: their texts become the values that the API reads. */
import { describe, expect, test } from "vitest";
import type { Operation, Schema } from "../../../src/explorer/reference/document.ts";
import { bodyFields, type Field, type FieldKind, isChoice, read } from "../../../src/explorer/reference/fields.ts";

const field = (kind: FieldKind, isRequired = false): Field => ({
  key: "body:a",
  name: "a",
  in: "body",
  within: [],
  kind,
  isRequired,
  description: "",
});
const WHOLE: FieldKind = { kind: "number", whole: true, minimum: 1, maximum: 9 };
const JSON_TEXT: FieldKind = { kind: "json", members: [] };

describe("read", () => {
  test.each<[what: string, field: Field, text: string, read: object]>([
    ["an absent text", field({ kind: "line" }), " ", { absent: true }],
    ["a text", field({ kind: "line" }), " a ", { value: " a " }],
    ["an absent required text", field({ kind: "line" }, true), "", { problem: "A value is required." }],
    ["a whole number", field(WHOLE), " 7 ", { value: 7 }],
    ["a fraction", field(WHOLE), "1.5", { problem: "The value must be a whole number." }],
    ["a word", field(WHOLE), "x", { problem: "The value must be a whole number." }],
    ["a small number", field(WHOLE), "0", { problem: "The smallest value is 1." }],
    ["a large number", field(WHOLE), "10", { problem: "The largest value is 9." }],
    ["a flag", field({ kind: "flag" }), "false", { value: false }],
    ["JSON", field(JSON_TEXT), '{"a": [1]}', { value: { a: [1] } }],
    ["a manifest", field({ kind: "manifest" }), '{ "a" : "b c" }', { value: btoa('{"a":"b c"}') }],
    ["a manifest in base64", field({ kind: "manifest" }), "eyJ9", { value: "eyJ9" }],
    ["a name beyond ASCII", field({ kind: "manifest" }), '"é"', { value: "IsOpIg==" }],
  ])("%s", (_, given, text, expected) => {
    expect(read(given, text)).toEqual(expected);
  });

  test.each([JSON_TEXT, { kind: "manifest" } as const])("wrong JSON in %j is a problem", (kind) => {
    expect(read(field(kind), "{")).toEqual({ problem: expect.stringMatching(/^The JSON is wrong: /) });
  });
});

describe("fields of a body", () => {
  const schemas: Readonly<Record<string, Schema>> = {
    Connection_a: { title: "Connection_a", anyOf: [{ $ref: "Connection_a_fields" }, { $ref: "Connection_a_url" }] },
    Connection_a_fields: {
      title: "Connection_a_fields",
      properties: { host: { type: "string", description: "Its name." }, password: { type: "string" } },
      required: ["host"],
    },
    Connection_a_url: { title: "Connection_a_url", properties: { connectionUrl: { type: "string" } } },
    Connection_b: { title: "Connection_b", properties: { path: { type: "string" } } },
    Connection_named: { title: "Connection_named", properties: { name: { type: "string" } }, required: ["name"] },
  };
  const resolve = (schema: Schema): Schema => (schema.$ref === undefined ? schema : (schemas[schema.$ref] ?? {}));
  const operation: Operation = {
    id: "x",
    method: "POST",
    path: "/{data_source}",
    summary: "",
    isDeprecated: false,
    parameters: [],
    answers: [],
    body: {
      schema: {
        properties: {
          connectionInfo: {
            anyOf: [{ $ref: "Connection_a" }, { $ref: "Connection_b" }, { $ref: "Connection_named" }, { type: "null" }],
          },
          rows: { type: ["integer", "null"], minimum: 0, default: 5 },
          order: { type: ["string", "null"], enum: ["asc", "desc", null] },
          filters: { anyOf: [{ type: "array", items: {} }, { type: "null" }] },
        },
        required: ["rows"],
      },
    },
  };

  test.each([
    ["a", ["Fields", "A URL", "A connection of the operator, by name"]],
    ["b", ["b", "A connection of the operator, by name"]],
    ["c", ["A connection of the operator, by name"]],
  ])("a connection of %s has the forms %j", (source, titles) => {
    const [connection] = bodyFields(operation, { resolve }, source);
    expect(connection !== undefined && isChoice(connection) && connection.forms.map(({ title }) => title)).toEqual(
      titles,
    );
  });

  test("have the kind, the limits and the default of their schema", () => {
    const [connection, ...others] = bodyFields(operation, { resolve }, "a");
    expect(connection !== undefined && isChoice(connection) && connection.forms[0]?.fields).toMatchObject([
      { key: "body:connectionInfo.host", isRequired: true, description: "Its name.", kind: { kind: "line" } },
      { key: "body:connectionInfo.password", isRequired: false, kind: { kind: "secret" } },
    ]);
    expect(others).toMatchObject([
      { name: "rows", isRequired: true, standard: "5", kind: { kind: "number", whole: true, minimum: 0 } },
      { name: "order", kind: { kind: "choice", options: ["asc", "desc"] } },
      { name: "filters", kind: { kind: "json" } },
    ]);
  });
});
