/**
 * A user variable of MySQL that a view reads: two callers never see each other's rows through the pool, which resets it, nor through the
 * cache.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encoded } from "../api/test-app.ts";
import { type MySqlTestDatabase, startMySql } from "../support/mysql.ts";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../support/mysql-server.ts";
import { type RunningService, startService } from "../support/service.ts";

const TENANTS = ["ann", "bob", "o'cid\\"] as const;
const columns = [
  { name: "tenant", type: "VARCHAR" },
  { name: "n", type: "INTEGER" },
];
const manifestStr = encoded({
  models: [
    { name: "notes", tableReference: { table: "notes" }, columns },
    { name: "sessions", tableReference: { table: "sessions" }, columns },
  ],
});

describe.each(MYSQL_FLAVORS)("%s", (flavor) => {
  describe.skipIf(!hasMySql(flavor))(hasMySql(flavor) ? flavor : withoutMySql(flavor), () => {
    let database: MySqlTestDatabase;
    let service: RunningService;
    beforeAll(async () => {
      database = await startMySql(flavor);
      for (const statement of [
        "CREATE TABLE all_notes (tenant varchar(20) COLLATE utf8mb4_bin, n int) CHARACTER SET utf8mb4",
        "INSERT INTO all_notes VALUES ('ann', 1), ('ann', 2), ('bob', 1), ('bob', 2), ('o''cid\\\\', 1), ('o''cid\\\\', 2)",
        "SET GLOBAL log_bin_trust_function_creators = 1",
        "CREATE FUNCTION current_tenant() RETURNS varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NO SQL RETURN @tenant",
        "CREATE VIEW notes AS SELECT tenant, n FROM all_notes WHERE tenant = current_tenant()",
        "CREATE VIEW sessions AS SELECT coalesce(current_tenant(), 'none') AS tenant, connection_id() AS n",
      ])
        await database.query(`USE ${database.database}; ${statement}`);
      const { host, port, user, password } = database;
      const connectionInfo = { host, port, user, password, database: database.database, sslMode: "DISABLED" };
      service = await startService({
        CACHE_STORE: "memory",
        POOL_PER_CONNECTION: "1",
        CONNECTIONS: JSON.stringify({
          shop: { dataSource: "mysql", connectionInfo, sessionSettings: { tenant: "@tenant" } },
          plain: { dataSource: "mysql", connectionInfo },
        }),
      });
    });
    afterAll(async () => {
      await service?.stop();
      await database?.stop();
    });

    async function ask(sql: string, tenant: string | undefined, name = "shop", parameters = "") {
      const response = await fetch(`${service.url}/v3/connector/mysql/query${parameters}`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(tenant !== undefined && { "x-wren-variable-tenant": `'${tenant.replaceAll("'", "''")}'` }),
        },
        body: JSON.stringify({ sql, manifestStr, connectionInfo: { name } }),
      });
      const body = (await response.json()) as { readonly data?: readonly (readonly unknown[])[] };
      if (!response.ok) throw new Error(JSON.stringify(body));
      const { data = [] } = body;
      return { status: response.status, rows: data, hit: response.headers.get("x-cache-hit") };
    }

    test("each caller sees its own rows, by one session after the other", async () => {
      const sessions = new Set<unknown>();
      for (const tenant of [...TENANTS, ...TENANTS.toReversed()]) {
        const { rows } = await ask("SELECT tenant, n FROM notes", tenant);
        expect(rows.map(([owner]) => owner)).toEqual([tenant, tenant]);
        const [session] = (await ask("SELECT tenant, n FROM sessions", tenant)).rows;
        expect(session).toEqual([tenant, expect.any(Number)]);
        sessions.add(session?.[1]);
      }
      expect(sessions.size).toBe(1);
    });

    test("nothing of a caller stays in the session", async () => {
      await ask("SELECT tenant, n FROM notes", "ann");
      const { rows } = await ask("SELECT tenant, n FROM sessions", undefined, "plain");
      expect(rows[0]?.[0]).toBe("none");
      expect((await ask("SELECT tenant, n FROM notes", "ann", "plain")).rows).toEqual([]);
    });

    test("the cache does not cross tenants", async () => {
      const rounds = [...TENANTS, ...TENANTS, ...TENANTS];
      const answers = await Promise.all(
        rounds.map(async (tenant) => ({
          tenant,
          ...(await ask("SELECT tenant, n FROM notes", tenant, "shop", "?cacheEnable=true")),
        })),
      );
      for (const { tenant, rows } of answers) expect(rows.map(([owner]) => owner)).toEqual([tenant, tenant]);
      expect(answers.some(({ hit }) => hit === "true")).toBe(true);
    });
  });
});
