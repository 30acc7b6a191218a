/**
 * A database on a real PostgreSQL 18 for the test file that asks: its own, empty or with the TPC-H tables, dropped by `stop`.
 * Within a vitest run all files share one server (`global-setup.ts`); elsewhere (a script, a benchmark) it starts its own.
 */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import pg from "pg";
import { TEST_SERVICES } from "./global-setup.ts";
import { type PostgresServer, type PostgresVersion, startPostgresServer, TEST_CA_PATH } from "./postgres-server.ts";
import { loadTpch, TPCH_DATABASE } from "./tpch.ts";

export interface TestDatabase {
  readonly host: string;
  /** Serves plain connections and TLS alike. */
  readonly port: number;
  /** A superuser. */
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** `postgresql://…`, percent-encoded, with TLS off. */
  readonly url: string;
  /** PEM of the authority that signed the server's certificate, which is for `localhost` and not for `127.0.0.1`. */
  readonly ca: string;
  /** A plain `pg` client for preparing data and watching the server; closed by `stop` when the caller did not. */
  connect(): Promise<pg.Client>;
  /** Ends every connection to the database and drops it. */
  stop(): Promise<void>;
}

export interface TestDatabaseOptions {
  /** Start from a copy of the TPC-H tables of `examples/tpch` (loaded once per server). */
  readonly tpch?: boolean;
  /** An ICU locale whose collation orders texts; code points do when it is absent. */
  readonly locale?: string;
  /** Version of a separate server, which `npm run engines` has installed; default 18. */
  readonly version?: PostgresVersion;
}

export async function startPostgres(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const shared = process.env[TEST_SERVICES];
  const server: Omit<PostgresServer, "restart"> =
    shared === undefined || options.version !== undefined
      ? await startPostgresServer(options.version)
      : { ...(await ask(`${shared}postgres`)), stop: async () => {} };
  const { host, port, user, password } = server;
  const database = `test_${randomBytes(6).toString("hex")}`;
  const open = async (name: string) => {
    const client = new pg.Client({ host, port, user, password, database: name, ssl: false });
    // `stop` terminates forgotten clients; that is no reason to end the test process.
    client.on("error", () => {});
    await client.connect();
    return client;
  };
  const administer = async (work: (admin: pg.Client) => Promise<unknown>) => {
    const admin = await open("postgres");
    try {
      await work(admin);
    } finally {
      await admin.end();
    }
  };
  if (options.tpch) await administer((admin) => ensureTpch(admin, open));
  const template = options.tpch ? TPCH_DATABASE : "template0";
  const locale = options.locale === undefined ? "" : `LOCALE_PROVIDER icu ICU_LOCALE '${options.locale}'`;
  await administer((admin) => admin.query(`CREATE DATABASE ${database} TEMPLATE ${template} ${locale}`));
  const clients: pg.Client[] = [];
  return {
    host,
    port,
    user,
    password,
    database,
    url: `postgresql://${user}:${encodeURIComponent(password)}@${host}:${port}/${database}?sslmode=disable`,
    ca: readFileSync(TEST_CA_PATH, "utf8"),
    connect: async () => {
      const client = await open(database);
      clients.push(client);
      return client;
    },
    stop: async () => {
      await Promise.all(clients.map((client) => client.end().catch(() => {})));
      await administer((admin) => admin.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`));
      await server.stop();
    },
  };
}

async function ask(address: string): Promise<Omit<PostgresServer, "stop" | "restart">> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Omit<PostgresServer, "stop" | "restart">;
}

/** The template database, made by the first who needs it while the others wait. */
async function ensureTpch(admin: pg.Client, open: (database: string) => Promise<pg.Client>): Promise<void> {
  await admin.query("SELECT pg_advisory_lock(8011)");
  const found = await admin.query("SELECT 1 FROM pg_database WHERE datname = $1", [TPCH_DATABASE]);
  if (found.rowCount === 1) return;
  const loading = `${TPCH_DATABASE}_loading`;
  await admin.query(`DROP DATABASE IF EXISTS ${loading}`);
  await admin.query(`CREATE DATABASE ${loading} TEMPLATE template0`);
  const client = await open(loading);
  try {
    await loadTpch(client);
  } finally {
    await client.end();
  }
  await admin.query(`ALTER DATABASE ${loading} RENAME TO ${TPCH_DATABASE}`);
}
