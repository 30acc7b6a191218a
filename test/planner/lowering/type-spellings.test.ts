/** Names of types per target: complete by type, and these are all the names that binding gives a cast. */
import { expect, test } from "vitest";
import { targetOf } from "../../../src/planner/dialects/targets.ts";
import { DEFAULT_LIMITS } from "../../../src/planner/limits.ts";
import { typeSpellings } from "../../../src/planner/lowering/type-spellings.ts";
import { parseTypeName } from "../../../src/planner/syntax/parser.ts";
import { canonicalTypeName, LANGUAGE_TYPES, SIMPLE_TYPE_NAMES, typeOfName } from "../../../src/planner/types.ts";
import { plainError } from "../binding/plain.ts";

test("a table without a type, or with one that is none, does not compile", () => {
  // @ts-expect-error: every type is missing
  typeSpellings([], {});
  // @ts-expect-error: there is no such type
  typeSpellings(["boolean number"], {});
  expect(typeSpellings(LANGUAGE_TYPES, {})).toMatchObject({ "double precision": "DOUBLE PRECISION", text: "TEXT" });
});

test.each(SIMPLE_TYPE_NAMES.filter((name) => name !== "null"))("%s is one of them to binding", (name) => {
  const written = parseTypeName(name, DEFAULT_LIMITS);
  expect(LANGUAGE_TYPES).toContain(canonicalTypeName(written, typeOfName(written)).name);
});

test("what a target has no name for is refused where it is asked for", () => {
  expect(plainError("SELECT CAST(NULL AS timetz) AS x", "mssql")).toMatchObject({
    reason: "UNSUPPORTED_ON_SOURCE",
    message: "not supported on SQL Server: a value of this type",
  });
  expect(targetOf("mssql").print.types).toHaveProperty("text", "NVARCHAR(MAX)");
});
