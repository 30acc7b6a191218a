/**
 * A database on ClickHouse's engine for the test file that asks: its own, empty, dropped by `stop`. Within a vitest run all
 * files share one process (`global-setup.ts`); elsewhere (a script) it starts its own.
 */
import { randomBytes } from "node:crypto";
import { type ClickHouseServer, startClickHouseServer } from "./clickhouse-server.ts";
import { TEST_SERVICES } from "./global-setup.ts";

export interface ClickHouseTestDatabase extends ClickHouseServer {
  readonly database: string;
  /** `connectionInfo`. */
  readonly fields: Readonly<Record<string, string | number>>;
  /** One statement, by a user who may do everything: the rows of its answer, every value as `TabSeparated` writes it. */
  query(sql: string, settings?: Readonly<Record<string, string>>): Promise<string[][]>;
}

export async function startClickHouse(): Promise<ClickHouseTestDatabase> {
  const shared = process.env[TEST_SERVICES];
  const server: ClickHouseServer =
    shared === undefined
      ? await startClickHouseServer()
      : { ...(await ask(`${shared}clickhouse`)), stop: async () => {} };
  const { host, port, user, password } = server;
  const database = `test_${randomBytes(6).toString("hex")}`;
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  const query = async (sql: string, settings: Readonly<Record<string, string>> = {}): Promise<string[][]> => {
    const parameters = new URLSearchParams({ database, ...settings });
    const response = await fetch(`http://${host}:${port}/?${parameters}`, {
      method: "POST",
      headers: { authorization },
      body: sql,
    });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text === ""
      ? []
      : text
          .replace(/\n$/, "")
          .split("\n")
          .map((line) => line.split("\t"));
  };
  await query(`CREATE DATABASE ${database}`, { database: "default" });
  const fields = { host, port, database, user, password };
  const stop = async () => {
    await query(`DROP DATABASE ${database}`, { database: "default" });
    await server.stop();
  };
  return { ...server, database, fields, query, stop };
}

async function ask(address: string): Promise<Omit<ClickHouseServer, "stop">> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Omit<ClickHouseServer, "stop">;
}
