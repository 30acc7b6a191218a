/** Indexes of pages that PyArrow has written (`paged.py`), over groups whose bounds tell next to nothing. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type FileNeed, needOf } from "../../../../src/connectors/files/need.ts";
import { type Footer, integerOf } from "../../../../src/connectors/files/parquet/footer.ts";
import { withinPageIndexes } from "../../../../src/connectors/files/parquet/page-indexes.ts";
import { isNeeded } from "../../../../src/connectors/files/parquet/projection.ts";
import type { ScanFilter, ScanValue } from "../../../../src/planner/plan.ts";
import { random as randomOf } from "../../../planner/syntax/random.ts";
import { footerOf } from "./footer-of.ts";

const bytes: Uint8Array = readFileSync(new URL("./paged.parquet", import.meta.url));
const footer = footerOf(bytes);
const { start } = footer;

/** The rows that `paged.py` writes. */
const ROWS = Array.from({ length: 4000 }, (_, row) => {
  const [group, page] = [Math.floor(row / 1000), Math.floor((row % 1000) / 250)];
  const n = page * 1000 + group * 100 + (row % 100);
  return { group, n, text: `k${String(n).padStart(5, "0")}`, maybe: page === 2 ? null : 3000 - n };
});

const number = (value: number): ScanValue => ({ kind: "number", text: String(value) });
const day = (days: number): ScanValue => ({
  kind: "date",
  text: new Date(days * 86_400_000).toISOString().slice(0, 10),
});
const filter = (column: string, operator: ScanFilter["operator"], ...values: ScanValue[]): ScanFilter => ({
  column,
  operator,
  values,
});
const needing = (...uses: readonly ScanFilter[][]): FileNeed =>
  needOf(uses.map((filters) => ({ columns: ["n", "text", "price", "maybe", "day"], filters })));

async function groupsFor(need: FileNeed, given: Footer = footer, from = bytes) {
  let asked = 0;
  const left = await withinPageIndexes(given, need, async (at, end) => {
    asked++;
    return from.subarray(at, end);
  });
  const groups = left.rowGroups.filter((group) => isNeeded(group, left.columns, need));
  return { groups: groups.map((group) => given.rowGroups.indexOf(group)), asked };
}

describe("groups of rows", () => {
  it.each<[what: string, filters: ScanFilter[], groups: number[]]>([
    ["a number of one", [filter("n", "=", number(1150))], [1]],
    ["a number of none", [filter("n", "=", number(1777))], []],
    ["one of several", [filter("n", "=", number(1777), number(2350))], [3]],
    ["a day", [filter("day", "=", day(3250))], [2]],
    ["a text", [filter("text", "=", { kind: "text", text: "k02010" })], [0]],
    ["a double", [filter("price", "=", number(312.5))], [2]],
    ["numbers from one on", [filter("n", ">=", number(3200))], [2, 3]],
    ["numbers between two", [filter("n", ">", number(1099)), filter("n", "<", number(1200))], [1]],
    ["what is NULL on other pages", [filter("maybe", "=", number(1950))], [0]],
    ["what only NULLs would be", [filter("maybe", "=", number(550))], []],
    [
      "rows that two columns are not in together",
      [filter("n", "=", number(50)), filter("maybe", "=", number(1950))],
      [],
    ],
    [
      "rows that two columns are in together",
      [filter("n", "=", number(1050)), filter("maybe", "=", number(1950))],
      [0],
    ],
  ])("with %s", async (_, filters, expected) => {
    const { groups, asked } = await groupsFor(needing(filters));
    expect(groups).toEqual(expected);
    expect(asked).toBe(1);
  });

  it("have a say in one use or another", async () => {
    const { groups } = await groupsFor(needing([filter("n", "=", number(50))], [filter("n", "=", number(3350))]));
    expect(groups).toEqual([0, 3]);
  });

  it("are never left out with a row that meets all", async () => {
    const random = randomOf(20261127);
    const compare = {
      "=": (a: number, b: number) => a === b,
      "<": (a: number, b: number) => a < b,
      ">": (a: number, b: number) => a > b,
    };
    let left = 0;
    for (let i = 0; i < 400; i++) {
      const conditions = Array.from({ length: 1 + random.below(3) }, () => ({
        column: random.pick(["n", "maybe"] as const),
        operator: random.pick(["=", "<", ">"] as const),
        value: random.below(3500),
      }));
      const met = ROWS.filter((row) =>
        conditions.every(({ column, operator, value }) => {
          const own = row[column];
          return own !== null && compare[operator](own, value);
        }),
      );
      const filters = conditions.map(({ column, operator, value }) => filter(column, operator, number(value)));
      const { groups } = await groupsFor(needing(filters));
      expect(groups).toEqual(expect.arrayContaining([...new Set(met.map(({ group }) => group))]));
      left += 4 - groups.length;
    }
    expect(left).toBeGreaterThan(400);
  });
});

describe("what is odd leaves a group in", () => {
  const need = needing([filter("n", "=", number(1777))]);
  const all = footer.rowGroups.map((_, index) => index);

  it("bytes that are no index", async () => {
    const ends = footer.rowGroups.flatMap(({ chunks }) => chunks.map(({ end }) => end));
    for (let seed = 0; seed < 200; seed++) {
      const random = randomOf(seed);
      const changed = Uint8Array.from(bytes);
      for (let i = 0; i < 40; i++) {
        changed[Math.max(...ends) + random.below(start - Math.max(...ends))] = random.below(256);
      }
      await expect(groupsFor(need, footer, changed)).resolves.toBeDefined();
    }
    expect((await groupsFor(need, footer, new Uint8Array(bytes.length))).groups).toEqual(all);
  });

  it.each([
    ["beyond the values", 6, BigInt(start)],
    ["of no length", 7, 0n],
    ["that begins in the sign", 4, 1n],
    ["that is negative", 5, -5n],
  ])("an index %s", async (_, id, value) => {
    const rowGroups = footer.rowGroups.map((group) => ({
      ...group,
      chunks: group.chunks.map((chunk) => {
        const fields = new Map(chunk.fields);
        const width = id % 2 === 0 ? 6 : 5;
        expect(integerOf(fields, id)).toBeTypeOf("bigint");
        fields.set(id, { type: "integer", width, value });
        return { ...chunk, fields };
      }),
    }));
    expect(await groupsFor(need, { ...footer, rowGroups })).toEqual({ groups: all, asked: 0 });
  });

  it("an index that is as large as what it spares", async () => {
    const few = { ...needing([filter("n", "=", number(1777))]), columns: new Set(["n"]) };
    const rowGroups = footer.rowGroups.map((group) => ({
      ...group,
      chunks: group.chunks.map((chunk) => ({ ...chunk, end: chunk.start + 100 })),
    }));
    expect(await groupsFor(few, { ...footer, rowGroups })).toEqual({ groups: all, asked: 0 });
  });
});
