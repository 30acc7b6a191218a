import { describe, expect, test } from "vitest";
import type { Statement } from "../../../src/connectors/connector.ts";
import { listsOf } from "../../../src/connectors/redshift/lists.ts";
import { UnreadableValue } from "../../../src/connectors/unreadable-value.ts";
import type { SqlType } from "../../../src/planner/plan.ts";

const SUPER = 4000;

function columnOf(type: SqlType, oid = SUPER) {
  const columns = [{ name: "c", type }] as unknown as Statement["columns"];
  const fields = [{ name: "c", dataTypeID: oid, dataTypeModifier: -1 }];
  const [column] = listsOf({ columns }).readColumns(fields, { monetaryLocale: "C" } as never, []);
  if (column === undefined) throw new Error("a column");
  return column;
}

const array = (element: SqlType): SqlType => ({ kind: "array", element });
const NUMBERS = array({ kind: "integer", bits: 64 });

describe("SUPER values", () => {
  test.each<readonly [meant: SqlType, json: string, value: unknown]>([
    [array({ kind: "text" }), '["a",null,"é\\""]', ["a", null, 'é"']],
    [NUMBERS, "[9223372036854775807,null]", [9_223_372_036_854_775_807n, null]],
    [array({ kind: "boolean" }), "[true,false]", [true, false]],
    [array({ kind: "text" }), "[]", []],
  ])("of %o are lists: %s", (meant, json, value) => {
    const column = columnOf(meant);
    expect(column.type.kind).toBe("list");
    expect(column.read(json)).toEqual(value);
  });

  test("of anything else are json", () => {
    for (const type of [array({ kind: "date" }), { kind: "json" } as const])
      expect(columnOf(type).type.kind).toBe("json");
  });

  test("that hold other elements are refused", () => {
    for (const json of ['["a"]', "{}", "1", "[1.5]", "[[1]]"])
      expect(() => columnOf(NUMBERS).read(json)).toThrow(UnreadableValue);
  });
});
