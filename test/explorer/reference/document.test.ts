/** The reference is made from the document that the API serves. */
import { describe, expect, test } from "vitest";
import { found, referenceOf } from "../../../src/explorer/reference/document.ts";
import { bodyFields, exampleTexts, isChoice, parameterFields } from "../../../src/explorer/reference/fields.ts";
import { type FormState, requestOf } from "../../../src/explorer/reference/request.ts";
import { testApp } from "../../api/test-app.ts";

const document = (await (await testApp().fetch("/openapi.json")).json()) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};
const reference = referenceOf(document);
const operations = reference.groups.flatMap((group) => group.operations);

describe("groups", () => {
  test("have every operation once", () => {
    const all = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(all.sort());
    expect(reference.groups.map(({ title }) => title)).toEqual([
      "Projects",
      "Queries and plans",
      "Metadata of a source",
      "Functions and knowledge",
      "Analysis of SQL",
      "Service",
      "Deprecated: version 2",
    ]);
  });

  test("hold deprecated operations apart", () => {
    for (const { title, operations: list } of reference.groups) {
      expect(new Set(list.map(({ isDeprecated }) => isDeprecated))).toEqual(new Set([title.startsWith("Deprecated")]));
    }
  });

  test.each([
    ["QUERY a project, or check", ["v3_projectQuery"]],
    ["structured v3 shop", []],
    ["metadata schemas v3", ["v3_metadataSchemas"]],
  ])("a search for %s finds %j", (text, ids) => {
    expect(
      found(reference.groups, text)
        .flatMap((group) => group.operations)
        .map(({ id }) => id),
    ).toEqual(ids);
  });
});

describe("the example of an operation", () => {
  const tried = operations.filter(({ isDeprecated, path }) => !isDeprecated && path.startsWith("/v3"));
  test.each(tried.map((operation) => [operation.id, operation] as const))(
    "%s is a request without a problem",
    (_, operation) => {
      const texts = exampleTexts(operation);
      const fields = [...parameterFields(operation), ...bodyFields(operation, reference, "local_file")];
      const form: FormState = { fields, texts, chosen: {}, accept: "application/json" };
      const made = requestOf(operation, form);
      if ("problems" in made) throw new Error(JSON.stringify(made.problems));
      expect(made.request.target).not.toMatch(/[{}]/);
      expect(made.request.body).toEqual(operation.body?.example);
      expect(fields.filter(isChoice)).toEqual([]);
    },
  );

  test("there are examples of more than twenty operations", () => {
    expect(tried.filter(({ body }) => body?.example !== undefined).length).toBeGreaterThan(20);
  });
});
