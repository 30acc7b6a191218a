/**
 * A database on a real MySQL or MariaDB for the test file that asks: its own, empty, dropped by `stop`. Within a vitest run all
 * files share one server of each (`global-setup.ts`); elsewhere (a script, a benchmark) it starts its own.
 */
import { randomBytes } from "node:crypto";
import { type Connection, createConnection } from "mysql2/promise";
import { TEST_SERVICES } from "./global-setup.ts";
import { type MySqlFlavor, type MySqlServer, startMySqlServer } from "./mysql-server.ts";

export interface MySqlTestDatabase extends Omit<MySqlServer, "stop"> {
  readonly database: string;
  /** `mysql://…`, percent-encoded, with TLS off. */
  readonly url: string;
  /**
   * One statement or several, by a user who may do everything: the rows of the last one, every value as the server writes it.
   */
  query(sql: string): Promise<(string | null)[][]>;
  /** Drops it. */
  stop(): Promise<void>;
}

export interface MySqlTestOptions {
  /** Options of a separate server, `--name=value`. */
  readonly options?: readonly string[];
}

export async function startMySql(flavor: MySqlFlavor, { options }: MySqlTestOptions = {}): Promise<MySqlTestDatabase> {
  const shared = process.env[TEST_SERVICES];
  const server: MySqlServer =
    shared === undefined || options !== undefined
      ? await startMySqlServer(flavor, options)
      : { ...(await ask(`${shared}${flavor}`)), stop: async () => {} };
  const { host, port, user, password } = server;
  const database = `test_${randomBytes(6).toString("hex")}`;
  const connection: Connection = await createConnection({ host, port, user, password, multipleStatements: true });
  const query = async (sql: string): Promise<(string | null)[][]> => {
    const typeCast = (field: { string(encoding?: "utf-8"): string | null }) => field.string();
    const [answer, fields] = await connection.query({ sql, rowsAsArray: true, typeCast });
    const parts = (fields as unknown[] | undefined) ?? [];
    const isSeveral = parts.length > 0 && parts.every((part) => part === undefined || Array.isArray(part));
    const last: unknown = isSeveral ? (answer as unknown[]).at(-1) : answer;
    return Array.isArray(last) ? (last as (string | null)[][]) : [];
  };
  await query(`CREATE DATABASE ${database}; USE ${database}`);
  return {
    ...server,
    database,
    url: `mysql://${user}:${encodeURIComponent(password)}@${host}:${port}/${database}?sslMode=DISABLED`,
    query,
    stop: async () => {
      await query(`DROP DATABASE ${database}`);
      await connection.end();
      await server.stop();
    },
  };
}

async function ask(address: string): Promise<Omit<MySqlServer, "stop">> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Omit<MySqlServer, "stop">;
}
