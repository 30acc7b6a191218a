/** Filters that DuckDB has written, over files whose bounds tell nothing apart. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FileNeed, needOf } from "../../../../src/connectors/files/need.ts";
import { withinBloomFilters } from "../../../../src/connectors/files/parquet/bloom-filters.ts";
import { type Footer, integerOf } from "../../../../src/connectors/files/parquet/footer.ts";
import { isNeeded } from "../../../../src/connectors/files/parquet/projection.ts";
import type { ScanFilter, ScanValue } from "../../../../src/planner/plan.ts";
import { makeWith } from "../../../sidecar/duckdb/fixtures.ts";
import { footerOf } from "./footer-of.ts";

const GROUPS = 10;
/** A row of group `g` has values that are `g` modulo 10; the least and the greatest of all are in each group. */
const ROWS = `SELECT g * 20480 + i AS id, v AS n, v::INTEGER AS small, -v AS below, DATE '2000-01-01' + v::INTEGER AS day, 'k' || v AS text,
  repeat('é', 30) || v AS long, v::DECIMAL(10, 0) AS whole, v::DECIMAL(10, 2) AS price, v::UINTEGER AS positive, v::DOUBLE AS real,
  TIMESTAMP '2000-01-01' + to_days(v::INTEGER) AS at, 1 AS one
  FROM (SELECT g, i, CASE i WHEN 0 THEN 0 WHEN 1 THEN 99999 ELSE (i % 500) * 10 + g END AS v
    FROM range(${GROUPS}) a(g), range(20480) b(i) ORDER BY g, i)`;

const directory = mkdtempSync(join(tmpdir(), "siskin-bloom-"));
let bytes: Uint8Array;
let footer: Footer;
beforeAll(async () => {
  const path = join(directory, "rows.parquet");
  await makeWith([`COPY (${ROWS}) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 20480)`]);
  bytes = readFileSync(path);
  footer = footerOf(bytes);
});
afterAll(() => rmSync(directory, { recursive: true }));

const number = (value: number): ScanValue => ({ kind: "number", text: String(value) });
const text = (value: string): ScanValue => ({ kind: "text", text: value });
const equal = (column: string, ...values: ScanValue[]): ScanFilter => ({ column, operator: "=", values });
const needing = (...uses: readonly ScanFilter[][]): FileNeed =>
  needOf(uses.map((filters) => ({ columns: ["id", "long"], filters })));

async function groupsFor(need: FileNeed, given = footer, from = bytes) {
  const asked: number[] = [];
  const left = await withinBloomFilters(given, need, async (start, end) => {
    asked.push(end - start);
    return from.subarray(start, end);
  });
  const groups = left.rowGroups.filter((group) => isNeeded(group, left.columns, need));
  return { groups: groups.map((group) => footer.rowGroups.indexOf(group)), asked };
}

describe("groups of rows", () => {
  it.each<[what: string, filter: ScanFilter, groups: number[]]>([
    ["int64", equal("n", number(1234)), [4]],
    ["int32", equal("small", number(1237)), [7]],
    ["negative numbers", equal("below", number(-1230)), [0]],
    ["one of several", equal("n", number(1231), number(1238)), [1, 8]],
    ["none", equal("n", number(77_777)), []],
    ["in all", equal("n", number(99_999)), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ["days", equal("day", { kind: "date", text: "2003-05-21" }), [6]],
    ["text", equal("text", text("k1233")), [3]],
    ["long text", equal("long", text(`${"é".repeat(30)}1239`)), [9]],
    ["whole decimals", equal("whole", number(1232)), [2]],
  ])("of %s are told apart", async (_, filter, expected) => {
    const { groups, asked } = await groupsFor(needing([filter]));
    // A filter may know what is not there: seldom.
    expect(groups).toEqual(expect.arrayContaining(expected));
    expect(groups.length).toBeLessThan(expected.length + 3);
    expect(asked).toHaveLength(1);
  });

  it("have a say in one use or another", async () => {
    const { groups } = await groupsFor(needing([equal("n", number(1234))], [equal("text", text("k1235"))]));
    expect(groups).toEqual(expect.arrayContaining([4, 5]));
    expect(groups.length).toBeLessThan(6);
  });

  it.each<[what: string, need: FileNeed]>([
    ["a use without filters", needing([equal("n", number(1234))], [])],
    ["other comparisons", needing([{ column: "n", operator: ">", values: [number(1234)] }])],
    ["fractions", needing([equal("price", number(1234))])],
    ["unsigned numbers", needing([equal("positive", number(1234))])],
    ["doubles", needing([equal("real", number(1234))])],
    ["moments", needing([equal("at", { kind: "timestamp", text: "2003-05-20 00:00:00" })])],
    ["texts of numbers", needing([equal("n", text("1234"))])],
    ["numbers of texts", needing([equal("text", number(1))])],
    ["numbers with fractions", needing([equal("n", { kind: "number", text: "1234.0" })])],
    ["columns that are not there", needing([equal("none", number(1))])],
    ["so little that filters are more", { ...needing([equal("n", number(1234))]), columns: new Set(["one"]) }],
  ])("stay for %s", async (_, need) => {
    const before = footer.rowGroups.filter((group) => isNeeded(group, footer.columns, need)).length;
    const { groups } = await groupsFor(need);
    expect(groups).toHaveLength(before);
  });

  it("stay where a value is, whatever it is", async () => {
    for (let value = 0; value < 5000; value += 37) {
      const { groups } = await groupsFor(needing([equal("n", number(value)), equal("text", text(`k${value}`))]));
      expect(groups).toContain(value % 10);
    }
  });
});

describe("a filter that is none", () => {
  const need = needing([equal("n", number(77_777))]);
  const place = (): number => {
    const [group] = footer.rowGroups;
    const leaf = footer.columns.find(({ name }) => name === "n")?.firstLeaf ?? -1;
    return Number(integerOf(group?.chunks[leaf]?.metadata ?? new Map(), 14));
  };

  it.each<[what: string, change: (copy: Uint8Array, at: number) => void]>([
    ["has another head", (copy, at) => copy.fill(0xff, at, at + 12)],
    ["has no head", (copy, at) => copy.fill(0, at, at + 12)],
    ["says that it is longer", (copy, at) => copy.set([0x15, 0xfe, 0xff, 0xff, 0x0f], at)],
  ])("since it %s leaves its group in", async (_, change) => {
    const copy = Uint8Array.from(bytes);
    change(copy, place());
    const { groups } = await groupsFor(need, footer, copy);
    expect(groups).toContain(0);
    expect(groups.length).toBeLessThan(4);
  });

  it.each([-1n, 0n, 3n, BigInt(2 ** 40)])("since it stands at %s is not asked for", async (at) => {
    const rowGroups = footer.rowGroups.map((group) => ({
      ...group,
      chunks: group.chunks.map((chunk) => ({
        ...chunk,
        metadata: new Map([...chunk.metadata, [14, { type: "integer", width: 6, value: at }] as const]),
      })),
    }));
    const { asked } = await groupsFor(need, { ...footer, rowGroups });
    expect(asked).toEqual([]);
  });
});
