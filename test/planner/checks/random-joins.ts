/**
 * Random joins over keyed tables, each in two forms: as a caller would write it, and as a reference that counts every row
 * of the aggregate's own grain once, by row numbers that the caller's form does not have.
 */
import type { Random } from "../../support/random-query.ts";

/** Table → columns, and the keys that the manifest declares. All columns are small integers with NULLs and repetitions. */
export const TABLES = {
  a: { columns: ["k", "x", "y"], primaryKey: ["k"], uniqueKeys: [] },
  b: { columns: ["k", "x", "y"], primaryKey: ["k", "x"], uniqueKeys: [] },
  c: { columns: ["k", "x", "y"], primaryKey: ["k"], uniqueKeys: [["x"]] },
  d: { columns: ["k", "x", "y"], primaryKey: [], uniqueKeys: [["x", "y"]] },
} as const;

type TableName = keyof typeof TABLES;
const NAMES = Object.keys(TABLES) as TableName[];

export const MANIFEST = {
  catalog: "c",
  schema: "s",
  models: NAMES.map((name) => ({
    name,
    tableReference: { table: name },
    columns: TABLES[name].columns.map((column) => ({ name: column, type: "INTEGER" })),
    ...(TABLES[name].primaryKey.length > 0 ? { primaryKey: TABLES[name].primaryKey } : {}),
    uniqueKeys: TABLES[name].uniqueKeys,
  })),
};

/** Statements that make and fill the tables; rows that would break a key are left out. */
export function randomData(random: Random): readonly string[] {
  return NAMES.map((name) => {
    const { primaryKey, uniqueKeys } = TABLES[name];
    const rows: (readonly (number | null)[])[] = [];
    const position = { k: 0, x: 1, y: 2 } as const;
    const valueOf = (row: readonly (number | null)[], column: "k" | "x" | "y") => row[position[column]] ?? null;
    for (let i = 0; i < 16; i++) {
      const row = [0, 1, 2].map(() => (random.chance(0.1) ? null : random.below(4)));
      if (primaryKey.some((column) => valueOf(row, column) === null)) continue;
      const breaks = [primaryKey, ...uniqueKeys].some(
        (key) =>
          key.length > 0 &&
          rows.some((other) =>
            key.every((column) => valueOf(row, column) !== null && valueOf(row, column) === valueOf(other, column)),
          ),
      );
      if (!breaks) rows.push(row);
    }
    const values = rows.map((row) => `(${row.map((value) => value ?? "NULL").join(", ")})`);
    const insert = values.length === 0 ? "" : `; INSERT INTO ${name} VALUES ${values.join(", ")}`;
    return `CREATE OR REPLACE TABLE ${name} (k INTEGER, x INTEGER, y INTEGER)${insert}`;
  });
}

/** One relation of FROM: both forms offer `k`, `x`, `y`, the reference `rid` as well, which tells `x` apart. */
interface Source {
  readonly written: string;
  readonly reference: string;
}

export interface RandomJoin {
  readonly written: string;
  readonly reference: string;
}

export function randomJoin(random: Random): RandomJoin {
  const count = 2 + random.below(3);
  const aliases = Array.from({ length: count }, (_, index) => `t${index + 1}`);
  const sources = aliases.map(() => source(random));
  const { written, reference } = joined(random, aliases, sources);
  const measured = random.chance(0.75) ? [random.pick(aliases)] : [aliases[0] ?? "", aliases[count - 1] ?? ""];
  const value = measured.map((alias) => `${alias}.x`).join(" * ");
  const where = random.chance(0.3) ? ` WHERE ${condition(random, aliases)}` : "";
  const group = random.chance(0.5) ? `${random.pick(aliases)}.${column(random)}` : undefined;
  // Where the group fixes it, `count(t.x)` means the rows joined to it, not its own.
  const aggregate = group !== undefined || random.chance(0.6) ? "sum" : "count";
  const items = group === undefined ? "NULL AS g" : `${group} AS g`;
  const groupBy = group === undefined ? "" : ` GROUP BY ${group}`;
  const rows = measured.map((alias) => `${alias}.rid`).join(", ");
  const real = measured.map((alias) => `${alias}.rid IS NOT NULL`).join(" AND ");
  const distinct = `SELECT DISTINCT ${items}, ${rows}, ${value} AS v FROM ${reference}${where}`;
  return {
    written: `SELECT ${items}, ${aggregate}(${value}) AS m FROM ${written}${where}${groupBy}`,
    // Groups of which the join has no row of this grain stay, with NULL or 0.
    reference:
      `SELECT ${group === undefined ? "NULL AS g" : "g"}, ${aggregate}(v) FILTER (WHERE ${real.replaceAll(".rid", "_rid")}) AS m FROM ` +
      `(${distinct.replace(rows, measured.map((alias) => `${alias}.rid AS ${alias}_rid`).join(", "))}) q` +
      (group === undefined ? "" : " GROUP BY g"),
  };
}

function column(random: Random): string {
  return random.pick(["k", "x", "y"]);
}

function source(random: Random): Source {
  const table = random.pick(NAMES);
  const own = { written: table, reference: numbered(`SELECT * FROM ${table}`) };
  switch (random.below(12)) {
    case 0:
      return both(`SELECT k, sum(x) AS x, max(y) AS y FROM ${table} GROUP BY k`);
    case 1:
      return both(`SELECT k, y, sum(x) AS x FROM ${table} GROUP BY k, y`);
    case 2:
      return both(`SELECT DISTINCT k, x, y FROM ${table}`);
    case 3:
      return both(`SELECT DISTINCT ON (y) k, x, y FROM ${table} ORDER BY y, k, x`);
    case 4:
      return both(`SELECT k, x, y FROM ${table} ORDER BY k, x, y LIMIT 1`);
    case 5:
      return both(`SELECT k, x, y FROM ${table} QUALIFY row_number() OVER (PARTITION BY k ORDER BY x, y) = 1`);
    case 6:
      return both(`SELECT k, x, y FROM ${table} INTERSECT SELECT k, x, y FROM ${random.pick(NAMES)}`);
    case 7:
      return both(`SELECT max(k) AS k, sum(x) AS x, max(y) AS y FROM ${table}`);
    case 8: {
      // Rows of `i` as far as `x` goes, whatever `j` does to them.
      const other = random.pick(NAMES);
      const on = `i.${column(random)} = j.${column(random)}`;
      const kind = random.pick(["JOIN", "LEFT JOIN"]);
      const [outer, inner] = random.chance(0.5) ? ["i.k", "j.y"] : ["j.k", "i.y"];
      const select = `SELECT ${outer} AS k, i.x AS x, ${inner} AS y`;
      return {
        written: `(${select} FROM ${table} i ${kind} ${other} j ON ${on})`,
        reference: `(${select}, i.rid AS rid FROM ${numbered(`SELECT * FROM ${table}`)} i ${kind} ${other} j ON ${on})`,
      };
    }
    default:
      return own;
  }
}

function both(query: string): Source {
  return { written: `(${query})`, reference: numbered(query) };
}

/** Equal rows of a query that has no key are different rows: numbers tell them apart, in any order. */
function numbered(query: string): string {
  return `(SELECT *, row_number() OVER () AS rid FROM (${query}) q)`;
}

function joined(random: Random, aliases: readonly string[], sources: readonly Source[]): RandomJoin {
  const [first = "", ...others] = aliases;
  let written = `${sources[0]?.written} AS ${first}`;
  let reference = `${sources[0]?.reference} AS ${first}`;
  const known = [first];
  for (const [index, alias] of others.entries()) {
    const next = sources[index + 1];
    const kind = random.pick([
      "JOIN",
      "JOIN",
      "JOIN",
      "LEFT JOIN",
      "LEFT JOIN",
      "RIGHT JOIN",
      "FULL JOIN",
      "CROSS JOIN",
    ]);
    const equalities = Array.from(
      { length: kind === "FULL JOIN" ? 1 : 1 + (random.chance(0.35) ? 1 : 0) },
      () =>
        `${alias}.${column(random)} = ${random.chance(0.15) ? random.below(3) : `${random.pick(known)}.${column(random)}`}`,
    );
    const full = `${alias}.${column(random)} = ${random.pick(known)}.${column(random)}`;
    const on = kind === "CROSS JOIN" ? "" : ` ON ${kind === "FULL JOIN" ? full : equalities.join(" AND ")}`;
    const swap = kind !== "CROSS JOIN" && random.chance(0.25);
    const join = (left: string, right: string): string =>
      swap ? `${right} ${kind} ${known.length > 1 ? `(${left})` : left}${on}` : `${left} ${kind} ${right}${on}`;
    written = join(written, `${next?.written} AS ${alias}`);
    reference = join(reference, `${next?.reference} AS ${alias}`);
    known.push(alias);
  }
  return { written, reference };
}

function condition(random: Random, aliases: readonly string[]): string {
  const one = (): string => {
    const left = `${random.pick(aliases)}.${column(random)}`;
    switch (random.below(4)) {
      case 0:
        return `${left} = ${random.below(3)}`;
      case 1:
        return `${left} = ${random.pick(aliases)}.${column(random)}`;
      case 2:
        return `${left} IS NOT DISTINCT FROM ${random.pick(aliases)}.${column(random)}`;
      default:
        return `${left} <= ${random.below(4)}`;
    }
  };
  return random.chance(0.3) ? `(${one()} OR ${one()})` : random.chance(0.5) ? `${one()} AND ${one()}` : one();
}
