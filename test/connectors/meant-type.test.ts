/** Types as a plan means them, where an engine tells less. */
import { expect, test } from "vitest";
import type { Statement } from "../../src/connectors/connector.ts";
import { asMeant, typeAsMeant } from "../../src/connectors/meant-type.ts";
import type { LogicalType } from "../../src/result/types.ts";

type Meant = Statement["columns"][number]["type"];

const instant: Meant = { kind: "timestamp", zoned: true };
const hands: Meant = { kind: "timestamp", zoned: false };
const json: Meant = { kind: "json" };
const uuid: Meant = { kind: "uuid" };
const told = (zone?: string): LogicalType => ({ kind: "timestamp", unit: "us", zone });

test.each<[string, LogicalType, Meant | undefined, LogicalType]>([
  ["an instant without a zone", told(), instant, told("UTC")],
  ["an instant in its own zone", told("Europe/Berlin"), instant, told("Europe/Berlin")],
  ["the hands of a clock, told as an instant", told("UTC"), hands, told()],
  ["the hands of a clock in a zone, whose number is another", told("Europe/Berlin"), hands, told("Europe/Berlin")],
  ["json as a text", { kind: "string" }, json, { kind: "json" }],
  ["an identifier as a text", { kind: "string" }, uuid, { kind: "uuid" }],
  ["a text that is meant as a number", { kind: "string" }, { kind: "integer", bits: 32 }, { kind: "string" }],
  ["nothing meant", told(), undefined, told()],
])("%s", (_what, type, meant, expected) => expect(typeAsMeant(type, meant)).toEqual(expected));

test("columns are those of the plan in their order, and what more there are stay", async () => {
  let closed = 0;
  const result = {
    columns: [
      { name: "a", type: told() },
      { name: "b", type: told() },
    ],
    batches: (async function* () {})(),
    close: async () => {
      closed++;
    },
  };
  const statement = { sql: "", session: [], reads: [], columns: [{ name: "x", type: instant, nullable: true }] };
  const meant = asMeant(result, statement);
  expect(meant.columns).toEqual([
    { name: "a", type: told("UTC") },
    { name: "b", type: told() },
  ]);
  await meant.close();
  expect(closed).toBe(1);
});
