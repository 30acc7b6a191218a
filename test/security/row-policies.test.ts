/**
 * Row policies of PostgreSQL that read a setting of the session, by the running service: two callers never see each other's rows through
 * the pool, the cache and shared flights.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encoded } from "../api/test-app.ts";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
import { type RunningService, startService } from "../support/service.ts";

const TENANTS = ["ann", "bob", "o'cid"] as const;

const MANIFEST = {
  models: [
    {
      name: "notes",
      tableReference: { schema: "public", table: "notes" },
      columns: [
        { name: "tenant", type: "VARCHAR" },
        { name: "n", type: "INTEGER" },
      ],
    },
    {
      name: "sessions",
      refSql: "SELECT current_setting('app.tenant', true) AS tenant, pg_backend_pid() AS pid",
      columns: [
        { name: "tenant", type: "VARCHAR" },
        { name: "pid", type: "INTEGER" },
      ],
    },
  ],
};
const manifestStr = encoded(MANIFEST);

const STATEMENTS = [
  "SELECT tenant, n FROM notes",
  "SELECT tenant, count(*) AS n FROM notes GROUP BY tenant",
  "SELECT a.tenant, a.n FROM notes a JOIN notes b ON a.n = b.n WHERE b.n < 5",
];

let database: TestDatabase;
let service: RunningService;

beforeAll(async () => {
  database = await startPostgres();
  const client = await database.connect();
  const user = `reader_${database.database}`;
  await client.query(`
    CREATE TABLE notes AS SELECT t AS tenant, n FROM unnest(ARRAY['ann', 'bob', 'o''cid']) AS t, generate_series(1, 40) AS n;
    ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
    CREATE POLICY own ON notes USING (tenant = current_setting('app.tenant'));
    CREATE ROLE ${user} LOGIN PASSWORD 'reads';
    GRANT SELECT ON notes TO ${user}`);
  const connectionInfo = {
    host: database.host,
    port: database.port,
    user,
    password: "reads",
    database: database.database,
    kwargs: { sslmode: "disable" },
  };
  service = await startService({
    CACHE_STORE: "memory",
    POOL_PER_CONNECTION: "1",
    CONNECTIONS: JSON.stringify({
      shop: { dataSource: "postgres", connectionInfo, sessionSettings: { Tenant: "app.tenant" } },
      plain: { dataSource: "postgres", connectionInfo },
    }),
  });
});
afterAll(async () => {
  await service?.stop();
  const client = await database.connect();
  await client.query(`DROP OWNED BY reader_${database.database}; DROP ROLE reader_${database.database}`);
  await database?.stop();
});

interface Answer {
  readonly status: number;
  readonly cache: string | null;
  readonly rows: readonly (readonly unknown[])[];
  readonly body: { readonly errorCode?: string; readonly message?: string; readonly metadata?: object };
}

async function ask(
  sql: string,
  tenant: string | undefined,
  { name = "shop", cached = false }: { readonly name?: string; readonly cached?: boolean } = {},
): Promise<Answer> {
  const response = await fetch(`${service.url}/v3/connector/postgres/query${cached ? "?cacheEnable=true" : ""}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(tenant !== undefined && { "x-wren-variable-tenant": `'${tenant.replaceAll("'", "''")}'` }),
    },
    body: JSON.stringify({ sql, manifestStr, connectionInfo: { name } }),
  });
  const body = (await response.json()) as Answer["body"] & { readonly data?: Answer["rows"] };
  return { status: response.status, cache: response.headers.get("x-cache-hit"), rows: body.data ?? [], body };
}

const othersIn = ({ rows }: Answer, tenant: string): readonly unknown[] => rows.filter(([owner]) => owner !== tenant);

test("each caller sees the rows of its own tenant, by one session of the pool after the other", async () => {
  const pids = new Set<unknown>();
  for (const tenant of [...TENANTS, ...TENANTS.toReversed(), "nobody"]) {
    const answer = await ask("SELECT tenant, n FROM notes", tenant);
    expect(answer.status).toBe(200);
    expect(answer.rows).toHaveLength(tenant === "nobody" ? 0 : 40);
    expect(othersIn(answer, tenant)).toEqual([]);
    const session = await ask("SELECT tenant, pid FROM sessions", tenant);
    expect(session.rows[0]?.[0]).toBe(tenant);
    pids.add(session.rows[0]?.[1]);
  }
  // Otherwise the pool was not used, and nothing is shown of it.
  expect(pids.size).toBe(1);
});

test("a connection of the same login without the setting finds none in the session", async () => {
  await ask("SELECT tenant, n FROM notes", "ann");
  const session = await ask("SELECT tenant, pid FROM sessions", undefined, { name: "plain" });
  expect(session.rows[0]?.[0] ?? "").toBe("");
  const answer = await ask("SELECT tenant, n FROM notes", "ann", { name: "plain" });
  // The policy raises or excludes every row: the setting has no value.
  expect(answer.rows).toEqual([]);
});

test.each(STATEMENTS)("neither the cache nor a shared flight crosses tenants: %s", async (sql) => {
  const rounds = Array.from({ length: 4 }, () => TENANTS).flat();
  const answers = await Promise.all(
    rounds.map(async (tenant) => ({ tenant, answer: await ask(sql, tenant, { cached: true }) })),
  );
  for (const { tenant, answer } of answers) {
    expect(answer.status).toBe(200);
    expect(answer.rows.length).toBeGreaterThan(0);
    expect(othersIn(answer, tenant)).toEqual([]);
  }
  // The cache answered some of them.
  expect(answers.filter(({ answer }) => answer.cache === "true").length).toBeGreaterThan(0);
  for (const tenant of TENANTS) {
    const again = await ask(sql, tenant, { cached: true });
    expect(again.cache).toBe("true");
    expect(othersIn(again, tenant)).toEqual([]);
  }
});

describe("refusals", () => {
  test.each([["is missing", undefined, "SESSION_PROPERTY_REQUIRED"]])(
    "the property %s",
    async (_what, tenant, reason) => {
      const answer = await ask("SELECT tenant, n FROM notes", tenant);
      expect(answer.status).toBe(422);
      expect(JSON.stringify(answer.body)).toContain(reason);
    },
  );

  test.each(["('ann', 'bob')", "DATE '2024-01-01'", "NULL", "'ann' || 'x'"])("the value is %s", async (value) => {
    const response = await fetch(`${service.url}/v3/connector/postgres/query`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-wren-variable-tenant": value },
      body: JSON.stringify({ sql: "SELECT tenant FROM notes", manifestStr, connectionInfo: { name: "shop" } }),
    });
    expect(response.status).toBe(422);
    expect(await response.text()).toContain("SESSION_PROPERTY_INVALID");
  });

  test.each([
    "SELECT set_config('app.tenant', 'bob', true) AS c, tenant FROM notes",
    "SELECT pg_catalog.set_config('app.tenant', 'bob', true) AS c, tenant FROM notes",
    "SELECT query_to_xml('select set_config(''app.tenant'', ''bob'', true)', true, true, '') AS c, tenant FROM notes",
    "SELECT some_function_of_the_database('bob') AS c, tenant FROM notes",
    "SET app.tenant = 'bob'",
    "SELECT tenant FROM notes; SET app.tenant = 'bob'",
  ])("a caller cannot change the setting: %s", async (sql) => {
    const answer = await ask(sql, "ann");
    expect(answer.status).toBe(422);
    expect(answer.rows).toEqual([]);
  });

  test("a caller cannot add settings to the operator's connection", async () => {
    const response = await fetch(`${service.url}/v3/connector/postgres/query`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-wren-variable-tenant": "'ann'" },
      body: JSON.stringify({
        sql: "SELECT tenant FROM notes",
        manifestStr,
        connectionInfo: { name: "plain", sessionSettings: { tenant: "app.tenant" } },
      }),
    });
    expect(response.status).toBe(422);
  });
});
