/** `<<` and `>>` by a literal keep the bits that PostgreSQL keeps: BigInt computes the definition, and the same shift of two's complement. */
import { describe, expect, test } from "vitest";
import { shifted } from "../../../../src/planner/lowering/numbers/bit-shifts.ts";
import { binary, integer, typed } from "../../../../src/planner/syntax/build.ts";
import { NOWHERE } from "../../../../src/planner/syntax/spans.ts";
import type { Expression } from "../../../../src/planner/syntax/tree.ts";
import type { SqlType } from "../../../../src/planner/types.ts";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const AT = { span: NOWHERE };

type Bits = 16 | 32 | 64;

function definition(operator: "<<" | ">>", bits: Bits, count: Expression): string {
  const type: SqlType = { kind: "integer", bits };
  const value: Expression = { kind: "column", parts: [], span: NOWHERE, type };
  return shifted(binary(value, operator, count, typed(type, AT))).sql;
}

/** The value of a definition, whose numbers are all integers. */
function valueOf(sql: string, value: bigint): bigint {
  const script = sql
    .replace(/^CAST\((.*) AS smallint\)$/, "$1")
    .replaceAll(/\b\d+\b/g, "$&n")
    .replaceAll('"$1n"', `(${value}n)`);
  return BigInt(new Function(`return ${script}`)());
}

const VALUES = (bits: Bits): readonly bigint[] => {
  const most = 2n ** BigInt(bits - 1);
  const near = [0n, 1n, 2n, 5n, 7n, 100n, most / 2n, most / 2n - 1n, most / 3n, most - 1n];
  return [...near, ...near.map((each) => -each), -most].filter((each) => each >= -most && each < most);
};

describe.each<Bits>([16, 32, 64])("%i bits", (bits) => {
  const counts = Array.from({ length: bits - 2 }, (_, index) => index + 1);

  test.each(counts)("by %i", (count) => {
    for (const value of VALUES(bits)) {
      const by = (operator: "<<" | ">>") => valueOf(definition(operator, bits, integer(count, AT)), value);
      expect(by("<<"), `${value} << ${count}`).toBe(BigInt.asIntN(bits, value << BigInt(count)));
      expect(by(">>"), `${value} >> ${count}`).toBe(value >> BigInt(count));
    }
  });

  test.each([0, bits - 1, bits, -1])("by %i is refused", (count) => {
    expect(() => definition("<<", bits, integer(count, AT))).toThrow("shifted bits");
    expect(() => definition(">>", bits, integer(count, AT))).toThrow("shifted bits");
  });
});

const MANIFEST = manifestOfTable({ n: "INTEGER", m: "INTEGER" });

test.each([
  ["trino", 'bitwise_and("t"."n", -8) / 8'],
  ["mysql", "CAST(`t`.`n` & -8 AS SIGNED) DIV 8"],
  ["mssql", "([t].[n] & -8) / 8"],
  ["doris", "bitand(`t`.`n`, -8) DIV 8"],
] as const)("%s", (source, expected) => {
  expect(planned("SELECT n >> 3 AS x FROM t", MANIFEST, { source }).sql).toContain(expected);
  expect(() => planned("SELECT n >> m AS x FROM t", MANIFEST, { source })).toThrow("shifted bits");
});
