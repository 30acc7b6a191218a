/** Answers over an imported project beside SQL that is written by hand over the same rows, on DuckDB. */
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { siskin } from "../../support/terminal.ts";

/** Some orders have no customer, no known customer or no amount; some customers have no region. */
const ROWS = `
CREATE TABLE regions AS SELECT * FROM (VALUES (1, 'north'), (2, 'south')) t(id, name);
CREATE TABLE customers AS SELECT i AS id, 'c' || i AS name, nullif(i % 3, 0) AS region_id, (i % 4)::DOUBLE AS factor FROM range(1, 9) t(i);
CREATE TABLE orders AS SELECT i AS id, CASE WHEN i % 11 = 0 THEN NULL ELSE i % 10 + 1 END AS customer_id,
  ['paid', 'open', 'void'][(i % 3 + 1)::INTEGER] AS status, CASE WHEN i % 13 = 0 THEN NULL ELSE (i * 7 % 200 - 20)::DECIMAL(10, 2) END AS amount,
  (i % 5)::DECIMAL(10, 2) AS tax, (DATE '2026-01-01' + (i % 90)::INTEGER)::TIMESTAMP AS day, i % 2 AS shop_id FROM range(1, 201) t(i);
CREATE TABLE lines AS SELECT i AS id, i % 220 + 1 AS order_id, 'p' || (i % 4) AS product, (i % 9)::DECIMAL(10, 2) AS price FROM range(1, 501) t(i);
CREATE TABLE shops AS SELECT * FROM (VALUES (0, 'old'), (1, 'new')) t(shop_id, name);
`;

export interface Readings {
  readonly cube: string;
  /** SQL by the name of the measure. */
  readonly measures: Readonly<Record<string, string>>;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly from: string;
}

export interface Compared {
  readonly equal: number;
  readonly different: readonly { readonly question: string; readonly ours: unknown; readonly theirs: unknown }[];
}

/** Every measure by nothing and by each dimension. `directory` holds the project `shop`. */
export async function readings(directory: string, given: Readings): Promise<Compared> {
  const names = Object.keys(given.measures);
  const axes = [undefined, ...Object.keys(given.dimensions)];
  const theirs = await theirRows(join(directory, "shop/shop.duckdb"), axes, given);
  const different: Compared["different"][number][] = [];
  let equal = 0;
  for (const [at, axis] of axes.entries()) {
    const query = { cube: given.cube, measures: names, dimensions: axis === undefined ? [] : [axis] };
    const args = ["cube", "--project", "shop", "--format", "json", JSON.stringify(query)];
    const { code, out, err } = await siskin(args, { directory });
    if (code !== 0) throw new Error(err);
    const { columns, data } = JSON.parse(out) as { readonly columns: readonly string[]; readonly data: unknown[][] };
    for (const name of names) {
      const [ours, other] = [data, theirs[at] ?? []].map((rows) => {
        const keyAt = axis === undefined ? -1 : columns.indexOf(axis);
        return rows.map((row) => [plain(row[keyAt]), plain(row[columns.indexOf(name)])].join(" ")).sort();
      });
      if (JSON.stringify(ours) === JSON.stringify(other)) equal++;
      else different.push({ question: `${name} by ${axis ?? "nothing"}`, ours, theirs: other });
    }
  }
  return { equal, different };
}

async function theirRows(
  file: string,
  axes: readonly (string | undefined)[],
  { measures, dimensions, from }: Readings,
): Promise<readonly unknown[][][]> {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  try {
    await connection.run(ROWS);
    const answers: unknown[][][] = [];
    for (const axis of axes) {
      const key = axis === undefined ? [] : [`${dimensions[axis]} AS "${axis}"`];
      const list = [...key, ...Object.entries(measures).map(([name, sql]) => `${sql} AS "${name}"`)];
      const sql = `SELECT ${list.join(", ")} ${from}${axis === undefined ? "" : " GROUP BY 1"}`;
      answers.push((await connection.runAndReadAll(sql)).getRowsJson() as unknown[][]);
    }
    return answers;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Numbers with nine digits, because one side may have more zeros. */
function plain(value: unknown): string {
  if (value === null || value === undefined) return "null";
  const number = typeof value === "boolean" ? Number.NaN : Number(value);
  return Number.isNaN(number) || value === "" ? String(value) : String(Number(number.toPrecision(9)));
}
