/**
 * Two tenants of one project ask the whole service over a real engine, with the query cache on. Every text and number of a
 * tenant's rows bears its mark, so that nothing of the other may be in an answer, an error or a header. Each fixed request of the first
 * tenant is asked again of a twin, in which the other tenant has other rows: the answers are equal, aggregates and errors included.
 */
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import type { DataSource } from "../../../src/planner/plan.ts";
import { manifestPath, pointerPath } from "../../../src/projects/store.ts";
import { startService } from "../../support/service.ts";
import { requestsFrom, type TenantRequest } from "./statements.ts";

export interface TenantEngine {
  readonly source: DataSource;
  readonly connectionInfo: object;
  /** Runs statements that set up the tables. */
  readonly run: (sql: string) => Promise<unknown>;
  /** The end of CREATE TABLE. */
  readonly storage: string;
  readonly schema: string;
}

export interface TenantReport {
  readonly requests: number;
  readonly hits: number;
  readonly twins: number;
  /** Answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
}

interface Rows {
  readonly mark: string;
  readonly first: number;
  readonly count: number;
}

const ALFA: Rows = { mark: "alfa", first: 11_000_000, count: 37 };
const BRAVO: Rows = { mark: "bravo", first: 22_000_000, count: 41 };
/** The other tenant's rows in the twin: more of them, and other values. */
const OTHER_BRAVO: Rows = { mark: "bravo", first: 33_000_000, count: 53 };

/** A digit alone is a value of several rows, so that casts fail for some rows and not for others. */
const rowsOf = ({ mark, first, count }: Rows): readonly string[] =>
  Array.from({ length: count }, (_, index) => {
    const note = index % 3 === 0 ? String(index) : `${mark}-note-${index}`;
    const status = index % 2 === 0 ? `${mark}-open` : `${mark}-shut`;
    return `(${first + index}, '${mark}', '${status}', '${note}', ${first + index}.25, '2026-01-0${1 + (index % 9)}', '${mark}-secret-canary')`;
  });

async function createTables({ run, storage }: TenantEngine): Promise<void> {
  for (const [suffix, others] of [
    ["", BRAVO],
    ["_twin", OTHER_BRAVO],
  ] as const) {
    await run(
      `CREATE TABLE orders${suffix} (id integer, tenant varchar(40), status varchar(40), note varchar(40), total decimal(12, 2), day date, secret varchar(40)) ${storage}`,
    );
    await run(`INSERT INTO orders${suffix} VALUES ${[...rowsOf(ALFA), ...rowsOf(others)].join(", ")}`);
  }
}

function manifestFor(suffix: string, schema: string): string {
  const rule = (condition: string) => [
    { name: "own", requiredProperties: [{ name: "tenant", required: true }], condition },
  ];
  const table = { tableReference: { schema, table: `orders${suffix}` } };
  const text = (name: string) => ({ name, type: "VARCHAR", properties: { searchable: true } });
  const columns = [
    { name: "id", type: "INTEGER" },
    ...["tenant", "status", "note"].map(text),
    { name: "total", type: "DECIMAL(12,2)" },
    { name: "day", type: "DATE" },
    {
      ...text("secret"),
      columnLevelAccessControl: {
        name: "few",
        requiredProperties: [{ name: "level", required: false }],
        operator: "GREATER_THAN",
        threshold: "5",
      },
    },
    { name: "hidden", type: "VARCHAR", isHidden: true },
  ];
  return JSON.stringify({
    catalog: "c",
    schema: "s",
    enumDefinitions: [{ name: "Level", values: [{ name: "HIGH" }, { name: "canary" }] }],
    models: [
      {
        name: "orders",
        ...table,
        primaryKey: "id",
        rowLevelAccessControls: rule("tenant = @tenant"),
        columns: [...columns, { name: "customer", type: "customers", relationship: "orders_customers" }],
      },
      {
        name: "customers",
        ...table,
        primaryKey: "id",
        rowLevelAccessControls: rule("tenant = @tenant"),
        columns: [
          { name: "id", type: "INTEGER" },
          { name: "name", type: "VARCHAR", isCalculated: true, expression: "upper(status)" },
          { name: "tenant", type: "VARCHAR" },
          { name: "status", type: "VARCHAR" },
        ],
      },
    ],
    relationships: [
      {
        name: "orders_customers",
        models: ["orders", "customers"],
        joinType: "MANY_TO_ONE",
        condition: "orders.id = customers.id",
      },
    ],
    views: [{ name: "listed", statement: "SELECT id, tenant, status, note, total, day, secret FROM orders" }],
    cubes: [
      {
        name: "sales",
        baseObject: "orders",
        measures: [
          { name: "n", expression: "count(*)", type: "BIGINT" },
          { name: "sum", expression: "sum(total)", type: "DECIMAL(20,2)" },
          { name: "secrets", expression: "max(secret)", type: "VARCHAR" },
        ],
        dimensions: [
          { name: "state", expression: "status", type: "VARCHAR" },
          { name: "note", expression: "note", type: "VARCHAR" },
        ],
      },
      {
        name: "listing",
        baseObject: "listed",
        measures: [{ name: "n", expression: "count(*)", type: "BIGINT" }],
        dimensions: [{ name: "state", expression: "status", type: "VARCHAR" }],
      },
    ],
  });
}

const QUESTIONS = {
  all: { sql: "SELECT id, note FROM orders ORDER BY id" },
  mine: { sql: "SELECT tenant, count(*) AS n FROM orders GROUP BY tenant" },
  broken: { sql: "SELECT CAST(note AS integer) AS n FROM orders" },
  secrets: { sql: "SELECT secret FROM orders" },
};

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex");

export async function askAsTenants(engine: TenantEngine, requests: number, seed: number): Promise<TenantReport> {
  await createTables(engine);
  const key = (tenant: string) => ({
    digests: [digestOf(`key-of-${tenant}`)],
    projects: ["shop", "twin"],
    properties: { tenant, level: 1 },
  });
  const directory = mkdtempSync(join(tmpdir(), "siskin-tenants-"));
  const put = (path: string, text: string): void => {
    mkdirSync(join(directory, dirname(path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  };
  for (const [name, suffix] of [
    ["shop", ""],
    ["twin", "_twin"],
  ] as const) {
    const manifest = manifestFor(suffix, engine.schema);
    const sha256 = digestOf(manifest);
    const pointer = {
      ...{ version: 1, name, connection: "lent", questions: QUESTIONS, show: { lineage: true } },
      manifest: { sha256, bytes: Buffer.byteLength(manifest) },
    };
    put(manifestPath(sha256), manifest);
    put(pointerPath(name), JSON.stringify(pointer));
  }
  const service = await startService({
    AUTH: "keys",
    API_KEYS: JSON.stringify({ alfa: key("alfa"), bravo: key("bravo") }),
    PROJECTS: "files",
    PROJECTS_DIRECTORY: directory,
    CACHE_STORE: "memory",
    ALLOW_PRIVATE_HOSTS: "true",
    CONNECTIONS: JSON.stringify({
      lent: { dataSource: engine.source, connectionInfo: engine.connectionInfo },
    }),
  });
  try {
    return await asked(service.url, requests, generator(seed));
  } finally {
    await service.stop();
    rmSync(directory, { recursive: true });
  }
}

async function asked(url: string, requests: number, random: () => number): Promise<TenantReport> {
  const ask = async (project: string, tenant: string, { method, path, body, headers }: TenantRequest) => {
    const response = await fetch(`${url}/v3/projects/${project}${path}`, {
      method,
      headers: { ...headers, authorization: `Bearer key-of-${tenant}` },
      ...(method === "POST" && { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const next = requestsFrom(random);
  const known: TenantRequest[] = [];
  const statuses = new Map<number, number>();
  let [hits, twins] = [0, 0];
  for (let round = 0; round < requests; round++) {
    const tenant = random() < 0.5 ? "alfa" : "bravo";
    // Either tenant asks what one of them has asked before: equal questions are where the cache could mistake them.
    const before = random() < 0.4 ? known[Math.floor(random() * known.length)] : undefined;
    const request = before ?? next();
    if (before === undefined) known.push(request);
    const answer = await ask("shop", tenant, request);
    const told = `${tenant} ${request.path} ${JSON.stringify(request.body)}\n${answer.status} ${answer.text}`;
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    if (answer.headers.get("x-cache-hit") === "true") hits++;
    expect([500, 502, 503], told).not.toContain(answer.status);
    // The caller's own words come back to it.
    const own = JSON.stringify(request.body ?? "");
    const headers = [...answer.headers].filter(([name]) => !/time|correlation|-at$|date|trace|version|etag/.test(name));
    const seen = `${answer.text.replaceAll(/"(timestamp|correlationId)":"[^"]*"/g, "")}\n${headers.join("\n")}`;
    const marks = tenant === "alfa" ? /bravo|\b22\d{6}\b|canary/g : /alfa|\b11\d{6}\b|canary/g;
    expect(
      (seen.match(marks) ?? []).filter((mark) => !own.includes(mark)),
      told,
    ).toEqual([]);
    if (tenant !== "alfa" || !request.isFixed || round % 3 !== 0) continue;
    twins++;
    const twin = await ask("twin", tenant, request);
    expect([twin.status, comparable(twin.text)], told).toEqual([answer.status, comparable(answer.text)]);
  }
  return { requests, hits, twins, statuses };
}

/** Without what differs between any two answers: ids, times, the order of rows, and the names of project and twin. */
function comparable(text: string): string {
  const plain = text
    .replaceAll(/"(timestamp|correlationId|version|name)":"[^"]*"/g, "")
    .replaceAll("_twin", "")
    .replaceAll(/\b(shop|twin)\b/g, "project");
  const [, before = "", rows, after = ""] = /^(.*"data":)(\[\[.*\]\])(,"dtypes".*)$/s.exec(plain) ?? [];
  if (rows !== undefined) return `${before}${rows.slice(1, -1).split("],[").toSorted().join()}${after}`;
  return plain.startsWith("{") ? plain : plain.split("\n").toSorted().join("\n");
}

function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
