import { describe, expect, test } from "vitest";
import { targetOf } from "../../src/planner/dialects/targets.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { typeSlip } from "../../src/planner/type-slips.ts";
import { SIMPLE_TYPE_NAMES, USUAL_TYPE_NAMES } from "../../src/planner/types.ts";
import { DATA_SOURCES } from "../../src/service/data-sources.ts";

const slip = (text: string, source: DataSource = "postgres") => typeSlip(text, targetOf(source).typeNames);

describe("a type that is a slip away from a known one", () => {
  test.each<[string, string, string]>([
    ["DATETIMEX", "datetimex", "datetime"],
    ["VARCHAAR(20)", "varchaar", "varchar"],
    ["BIGNT", "bignt", "bigint"],
    ["STRNG", "strng", "string"],
    ["BOLEAN[]", "bolean", "boolean"],
    ["STRUCT(a INTEGR)", "integr", "integer"],
  ])("%s", (text, name, near) => {
    expect(slip(text)).toMatchObject({ name, near: expect.arrayContaining([near]) });
  });

  test.each<[string, DataSource]>([
    ["Nullable(DateTimex)", "clickhouse"],
    ["ARRAY<STRNG>", "bigquery"],
    ["datetimex(3)", "mysql"],
  ])("%s on %s", (text, source) => {
    expect(slip(text, source)).toBeDefined();
  });
});

test.each([
  "order_status",
  "mood",
  "status",
  "public.datetimex",
  "currency",
  "x",
  "",
  "VARCHAR(",
  "email",
  "x".repeat(500),
])("%j may be a type of the source's users", (text) => {
  expect(slip(text)).toBeUndefined();
});

test("no name that some source has is a slip on another", () => {
  const names = new Set([
    ...SIMPLE_TYPE_NAMES,
    ...DATA_SOURCES.flatMap((source) => [...targetOf(source).typeNames.names.keys()]),
  ]);
  const readings = [USUAL_TYPE_NAMES, ...DATA_SOURCES.map((source) => targetOf(source).typeNames)];
  const wrong = [...names].filter((name) =>
    readings.some((reading) => [name, name.toUpperCase(), `${name}(3)`].some((text) => typeSlip(text, reading))),
  );
  expect(wrong).toEqual([]);
});
