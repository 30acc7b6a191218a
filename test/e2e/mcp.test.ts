/**
 * An agent closes its stream while its statement runs on MySQL, ClickHouse, Trino or DuckDB: the statement ends at the source. The
 * PostgreSQL one is in test/mcp/service.test.ts.
 */
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { messageOf } from "../mcp/mcp-app.ts";
import { startMcpService, type TestProject } from "../mcp/mcp-service.ts";
import { makeWith, playground } from "../sidecar/duckdb/fixtures.ts";
import { startClickHouse } from "../support/clickhouse.ts";
import { hasClickHouse, WITHOUT_CLICKHOUSE } from "../support/clickhouse-server.ts";
import { startMySql } from "../support/mysql.ts";
import { hasMySql, withoutMySql } from "../support/mysql-server.ts";
import { descendantsOf, isRunning } from "../support/service.ts";
import { openTrinoSchema } from "../support/trino.ts";
import { hasTrino, WITHOUT_TRINO } from "../support/trino-server.ts";

interface Stage {
  readonly project: TestProject;
  readonly variables?: Readonly<Record<string, string>>;
  /** Whether a statement over `digits` runs at the source. `pid` is the service's. */
  readonly isBusy: (pid: number) => Promise<boolean>;
  readonly close: () => Promise<unknown>;
}

const DIGITS = Array.from({ length: 10 }, (_, digit) => `(${digit})`).join(", ");
const NAMES = [..."abcdefghijkl"];
/** It runs for days. */
const ENDLESS = `SELECT count(*) AS n FROM ${NAMES.map((name) => `digits ${name}`).join(" CROSS JOIN ")} WHERE ${NAMES.map((name) => `${name}.n`).join(" + ")} < 0`;

const manifestOf = (tableReference: object): object => ({
  catalog: "c",
  schema: "s",
  models: [{ name: "digits", tableReference, columns: [{ name: "n", type: "INTEGER" }] }],
});

function describeStage(name: string, isThere: boolean, start: () => Promise<Stage>): void {
  describe.skipIf(!isThere)(name, () => {
    it("has nothing to do once the stream is closed", { timeout: 180_000 }, async () => {
      const stage = await start();
      const service = await startMcpService({ digits: stage.project }, stage.variables);
      try {
        const { headers, body } = messageOf("", "tools/call", { name: "query", arguments: { sql: ENDLESS } });
        const asked = request(`${service.url}/mcp/digits`, { method: "POST", headers });
        asked.on("error", () => undefined);
        let answer = "";
        asked.on("response", (incoming) => {
          incoming.on("error", () => undefined);
          incoming.on("data", (chunk) => {
            answer += String(chunk);
          });
        });
        asked.end(body);
        const patience = { timeout: 40_000, interval: 50 };
        await expect
          .poll(async () => answer.includes("data:") || (await stage.isBusy(service.pid)), patience)
          .toBe(true);
        expect(answer).not.toContain("data:");
        asked.destroy();
        await expect.poll(() => stage.isBusy(service.pid), patience).toBe(false);
      } finally {
        await service.close();
        await stage.close();
      }
    });
  });
}

describeStage(hasMySql("mysql") ? "MySQL" : withoutMySql("mysql"), hasMySql("mysql"), async () => {
  const database = await startMySql("mysql");
  await database.query(`CREATE TABLE digits (n int NOT NULL); INSERT INTO digits VALUES ${DIGITS}`);
  const { host, port, user, password, database: name } = database;
  return {
    project: {
      dataSource: "mysql",
      connectionInfo: { host, port: String(port), user, password, database: name, sslMode: "DISABLED" },
      manifest: manifestOf({ schema: name, table: "digits" }),
    },
    isBusy: async () => {
      const found = await database.query("SHOW FULL PROCESSLIST");
      return found.some((row) => row.includes(name) && row.some((text) => text?.includes("digits")));
    },
    close: () => database.stop(),
  };
});

describeStage(hasClickHouse() ? "ClickHouse" : WITHOUT_CLICKHOUSE, hasClickHouse(), async () => {
  const database = await startClickHouse();
  await database.query("CREATE TABLE digits (n Int32) ENGINE = MergeTree ORDER BY n");
  await database.query(`INSERT INTO digits VALUES ${DIGITS}`);
  return {
    project: {
      dataSource: "clickhouse",
      connectionInfo: database.fields,
      manifest: manifestOf({ schema: database.database, table: "digits" }),
    },
    isBusy: async () => {
      const statement = `SELECT toString(count()) FROM system.processes WHERE query LIKE '%${database.database}%' AND query NOT LIKE '%system.processes%'`;
      return JSON.stringify(await database.query(statement)).match(/[1-9]/) !== null;
    },
    close: () => database.stop(),
  };
});

describeStage(hasTrino() ? "Trino" : WITHOUT_TRINO, hasTrino(), async () => {
  const schema = await openTrinoSchema();
  await schema.run("CREATE TABLE digits (n integer)");
  await schema.run(`INSERT INTO digits VALUES ${DIGITS}`);
  const { hostname, port } = new URL(schema.url);
  return {
    project: {
      dataSource: "trino",
      connectionInfo: { host: `http://${hostname}`, port, catalog: "memory", schema: schema.name, user: "ann" },
      manifest: manifestOf({ catalog: "memory", schema: schema.name, table: "digits" }),
    },
    isBusy: async () => {
      const found = await schema.run(
        `SELECT count(*) FROM system.runtime.queries WHERE state = 'RUNNING' AND query LIKE '%${schema.name}%' AND query NOT LIKE '%runtime.queries%'`,
      );
      return Number(found[0]?.[0]) > 0;
    },
    close: () => schema.close(),
  };
});

describeStage("DuckDB", true, async () => {
  const ground = playground();
  await makeWith(
    ["CREATE TABLE digits (n integer)", `INSERT INTO digits VALUES ${DIGITS}`],
    join(ground.root, "shop.duckdb"),
  );
  /** The process of the statement: the one that computes. It is killed, since its answer did not come whole. */
  let engine: number | undefined;
  const computes = ({ pid }: { readonly pid: number }): boolean => {
    const [, ticks = "0"] = /^.*\) \S+(?: \S+){10} (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    return Number(ticks) > 200;
  };
  return {
    project: {
      dataSource: "duckdb",
      connectionInfo: { url: "/", format: "duckdb" },
      manifest: manifestOf({ catalog: "shop", schema: "main", table: "digits" }),
    },
    variables: { FILE_ROOT: ground.root },
    isBusy: async (pid) => {
      engine ??= descendantsOf(pid).find((each) => each.command.includes("engine-process") && computes(each))?.pid;
      return engine !== undefined && isRunning(engine);
    },
    close: async () => ground.remove(),
  };
});
