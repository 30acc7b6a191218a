/** Random tables and rows. Keys hold; everything else is full of NULLs, duplicates and values without partner. */
import type { Random } from "../support/random-query.ts";
import type { Kind } from "./expression.ts";
import { newName, quoted } from "./names.ts";

export type StoredKind = Exclude<Kind, "list">;

export const SQL_TYPES: Readonly<Record<StoredKind, string>> = {
  int: "INTEGER",
  dec: "DECIMAL(12,2)",
  dbl: "DOUBLE",
  text: "VARCHAR",
  bool: "BOOLEAN",
  date: "DATE",
  ts: "TIMESTAMP",
};

/** Few, so that they meet; doubles are exact in binary, so that sums do not depend on their order. */
const VALUES: Readonly<Record<StoredKind, readonly string[]>> = {
  int: ["-3", "-1", "0", "1", "2", "3", "4", "7"],
  dec: ["-2.25", "0.00", "0.07", "1.50", "3.00", "10.10"],
  dbl: ["-1.25", "0.0", "0.5", "2.0", "100.0"],
  text: ["''", "'a'", "'A'", "'ab'", "'b'", "'x y'", "'ü'", "'O''Brien'", "'%'"],
  bool: ["TRUE", "FALSE"],
  date: ["DATE '2023-12-31'", "DATE '2024-01-01'", "DATE '2024-02-29'", "DATE '2024-03-01'"],
  ts: ["TIMESTAMP '2023-12-31 23:59:59'", "TIMESTAMP '2024-01-01 00:00:00'", "TIMESTAMP '2024-02-29 12:30:00'"],
};

const STORED = Object.keys(VALUES) as readonly StoredKind[];

export function literal(kind: StoredKind, random: Random): string {
  return random.pick(VALUES[kind]);
}

export interface TableColumn {
  readonly name: string;
  readonly kind: StoredKind;
}

/** Columns of `from` that hold values of `to` of `target`, some without partner. */
export interface Link {
  readonly target: Table;
  readonly from: readonly TableColumn[];
  readonly to: readonly TableColumn[];
}

export interface Table {
  readonly name: string;
  /** Numbers the rows from 1; its column comes first. */
  readonly rowId: TableColumn;
  /** Unique and never NULL; empty when nothing but the row's number is. */
  readonly key: readonly TableColumn[];
  readonly columns: readonly TableColumn[];
  readonly links: readonly Link[];
  /** Values as SQL literals, in the order of `columns`. */
  readonly rows: readonly (readonly string[])[];
}

export function randomTables(random: Random): readonly Table[] {
  const names = new Set<string>();
  const tables: Table[] = [];
  const count = 2 + random.below(5);
  for (let i = 0; i < count; i++) tables.push(randomTable(random, newName(random, names, { folded: true }), tables));
  return tables;
}

function randomTable(random: Random, name: string, others: readonly Table[]): Table {
  const names = new Set<string>();
  const column = (kind: StoredKind): TableColumn => ({ name: newName(random, names, { folded: true }), kind });
  const rowId = column("int");
  const key = Array.from({ length: random.pick([0, 1, 1, 1, 2]) }, () => column(random.pick(["int", "int", "text"])));
  const data = Array.from({ length: 1 + random.below(4) }, () => column(random.pick(STORED)));
  const columns = [rowId, ...key, ...data];
  const size = random.chance(0.05) ? 0 : 1 + random.below(12);
  const rows = Array.from({ length: size }, (_, row) => [
    `${row + 1}`,
    ...key.map(({ kind }, part) => keyValue(kind, part === 0 && key.length > 1 ? row >> 1 : row)),
    ...data.map(({ kind }) => (random.chance(0.15) ? "NULL" : literal(kind, random))),
  ]);
  const table = { name, rowId, key, columns, links: [] as Link[], rows };
  for (const target of [...others.filter(() => random.chance(0.5)), ...(random.chance(0.35) ? [table] : [])]) {
    link(random, table, target, column);
  }
  return table;
}

/** The first part of a two-part key is not unique alone. */
function keyValue(kind: StoredKind, row: number): string {
  return kind === "text" ? `'k${row}'` : `${row * 3 - 4}`;
}

function link(
  random: Random,
  table: { columns: TableColumn[]; rows: string[][]; links: Link[] },
  target: Table,
  column: (kind: StoredKind) => TableColumn,
): void {
  const to = target.key.length > 0 && random.chance(0.85) ? target.key : [random.pick(target.columns.slice(1))];
  const from = to.map((part) => column(part?.kind ?? "int"));
  const own: { readonly links: Link[] } = table;
  const positions = to.map((part) => target.columns.indexOf(part ?? target.rowId));
  for (const row of table.rows) {
    const partner = target.rows.length === 0 || random.chance(0.15) ? undefined : random.pick(target.rows);
    for (const [index, { kind }] of from.entries()) {
      const dangling = random.chance(0.5) ? "NULL" : keyValue(kind === "text" ? "text" : "int", 99);
      const value = partner?.[positions[index] ?? 0] ?? (kind === "text" || kind === "int" ? dangling : "NULL");
      row.push(value);
    }
  }
  table.columns.push(...from);
  own.links.push({ target, from, to: to.map((part) => part ?? target.rowId) });
}

export function createTable(table: Table): string {
  const columns = table.columns.map(({ name, kind }) => `${quoted(name)} ${SQL_TYPES[kind]}`).join(", ");
  const create = `CREATE TABLE ${quoted(table.name)} (${columns});`;
  if (table.rows.length === 0) return create;
  return `${create} INSERT INTO ${quoted(table.name)} VALUES ${table.rows.map((row) => `(${row.join(", ")})`).join(", ")};`;
}
