/** Questions of the soak, over rows that are the same in PostgreSQL and in a file, and their answers. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { makeWith } from "../sidecar/duckdb/fixtures.ts";

export type Source = "postgres" | "local_file";
/** How values of a column are written down to be compared. */
export type Kind = "integer" | "decimal" | "date" | "text";

export interface Question {
  readonly sql: string;
  readonly kinds: readonly Kind[];
  /** In order, each value as `cellText` writes it. */
  readonly rows: readonly (readonly (string | null)[])[];
}

interface Order {
  readonly id: number;
  readonly customer: number;
  readonly cents: number;
  readonly placed: string;
  readonly note: string | null;
}

const ORDERS = 20_000;
const CUSTOMERS = 20;

/** Separators, quotes and lines in texts, so that formats have something to get wrong. */
const orders: readonly Order[] = Array.from({ length: ORDERS }, (_, id) => ({
  id,
  customer: id % CUSTOMERS,
  cents: (id * 3701) % 1_000_003,
  placed: new Date(Date.UTC(2024, 0, 1 + (id % 365))).toISOString().slice(0, 10),
  note: id % 7 === 0 ? null : `note ${id}, "${id % 3}"${id % 11 === 0 ? "\nand é" : ""}`,
}));

const money = (cents: number): string => (cents / 100).toFixed(2);
const ALL: readonly Kind[] = ["integer", "integer", "decimal", "date", "text"];
const written = ({ id, customer, cents, placed, note }: Order): (string | null)[] => [
  String(id),
  String(customer),
  money(cents),
  placed,
  note,
];

function byCustomer(): Question {
  const rows = Array.from({ length: CUSTOMERS }, (_, customer) => {
    const own = orders.filter((order) => order.customer === customer);
    return [String(customer), String(own.length), money(own.reduce((sum, { cents }) => sum + cents, 0))];
  });
  return {
    sql: "SELECT customer, count(*) AS n, sum(price) AS total FROM orders GROUP BY customer ORDER BY customer",
    kinds: ["integer", "integer", "decimal"],
    rows,
  };
}

const one = (id: number): Question => ({
  sql: `SELECT id, customer, price, placed, note FROM orders WHERE id = ${id}`,
  kinds: ALL,
  rows: orders.filter((order) => order.id === id).map(written),
});

const first = (count: number): Question => ({
  sql: `SELECT id, customer, price, placed, note FROM orders WHERE id < ${count} ORDER BY id`,
  kinds: ALL,
  rows: orders.slice(0, count).map(written),
});

const placedOn = (day: string): Question => ({
  sql: `SELECT count(*) AS n, max(note) AS latest FROM orders WHERE placed = DATE '${day}' AND note LIKE 'note %'`,
  kinds: ["integer", "text"],
  rows: [
    [
      String(orders.filter(({ placed, note }) => placed === day && note !== null).length),
      orders
        .flatMap(({ placed, note }) => (placed === day && note !== null ? [note] : []))
        .reduce((most, note) => (note > most ? note : most)),
    ],
  ],
});

/** All are asked of both sources. The last is long, so that callers can go in the middle of it. */
export const QUESTIONS: readonly Question[] = [
  one(0),
  one(77),
  one(19_999),
  one(ORDERS),
  byCustomer(),
  placedOn("2024-02-29"),
  first(1000),
  first(5000),
];

/** Has no answer within the time that is asked for. */
export const ENDLESS: Question = { sql: "SELECT one FROM endless", kinds: ["integer"], rows: [] };

const COLUMNS = [
  { name: "id", type: "INTEGER" },
  { name: "customer", type: "INTEGER" },
  { name: "price", type: "DECIMAL(15,2)" },
  { name: "placed", type: "DATE" },
  { name: "note", type: "VARCHAR" },
];

const manifest = (tableReference: object, refSql: string): string =>
  Buffer.from(
    JSON.stringify({
      catalog: "soak",
      schema: "public",
      models: [
        { name: "orders", tableReference, columns: COLUMNS },
        { name: "endless", refSql, columns: [{ name: "one", type: "BIGINT" }] },
      ],
    }),
  ).toString("base64");

const FILE = "orders.parquet";

export const MANIFESTS: Readonly<Record<Source, string>> = {
  postgres: manifest({ schema: "public", table: "orders" }, "SELECT 1 AS one FROM (SELECT pg_sleep(60)) AS s"),
  local_file: manifest(
    { table: FILE },
    "SELECT count(*) AS one FROM range(1000000000000) AS t(i) WHERE hash(i) % 7 = 3",
  ),
};

/** Files with the rows of `orders`, by their formats. */
export const FILES = { parquet: FILE, csv: "orders.csv", json: "orders.json" } as const;

export const manifestOver = (file: string): string => manifest({ table: file }, "SELECT 1 AS one");

const asJson = (): string => JSON.stringify(orders.map(({ cents, ...order }) => ({ ...order, price: money(cents) })));

export async function fillPostgres(client: pg.Client): Promise<void> {
  const columns = "id int, customer int, price numeric(15, 2), placed date, note text";
  await client.query(`CREATE TABLE orders (${columns})`);
  await client.query(`INSERT INTO orders SELECT * FROM json_to_recordset($1) AS t(${columns})`, [asJson()]);
  await client.query("CREATE INDEX ON orders (id)");
}

export async function fillDirectory(directory: string): Promise<void> {
  const json = join(directory, FILES.json);
  writeFileSync(json, asJson());
  const columns = "{id: 'INTEGER', customer: 'INTEGER', price: 'DECIMAL(15, 2)', placed: 'DATE', note: 'VARCHAR'}";
  await makeWith([
    `COPY (SELECT * FROM read_json('${json}', columns = ${columns})) TO '${join(directory, FILE)}' (FORMAT parquet)`,
    `COPY (SELECT * FROM read_json('${json}', columns = ${columns})) TO '${join(directory, FILES.csv)}' (FORMAT csv)`,
  ]);
}
