/** MySQL and MariaDB name what a statement misses: names of any letters were made a regular expression, which threw. */
import { describe, expect, it } from "vitest";
import { statementFailure } from "../../src/connectors/mysql/failures.ts";

const NAMES = [
  "prix unitaire",
  "prixé",
  "单价",
  "a-b",
  "a\\b",
  "a(b",
  "😀",
  "a$b",
  "%",
  "[x]",
  "a{2}",
  "a|b",
  "*",
  "x\ny",
];

describe.each([
  [1054, "42S22", (name: string) => `Unknown column '${name}' in 'field list'`],
  [1052, "23000", (name: string) => `Column '${name}' in field list is ambiguous`],
  [1146, "42S02", (name: string) => `Table 'shop.${name}' doesn't exist`],
] as const)("error %i", (number, state, say) => {
  it.each(NAMES)("that names %j has the name's place", (name) => {
    const sql = `SELECT \`${name}\` FROM t`;
    const failure = statementFailure({ number, state, message: say(name) }, sql);
    expect(failure).toMatchObject({ engineCode: String(number), position: sql.indexOf(name) });
  });

  it("has no place where the name is a part of another, or stands twice", () => {
    for (const sql of ["SELECT `单价格` FROM t", "SELECT `prixés` FROM t", "SELECT `é`, `é` FROM t"]) {
      for (const name of ["单价", "prixé", "é"]) {
        expect(statementFailure({ number, state, message: say(name) }, sql).position).toBeUndefined();
      }
    }
  });
});
